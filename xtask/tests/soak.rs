//! `soak` as a user meets it: the same results at any number of threads, floors that fail, exit codes.

mod run;

use self::run::xtask;

#[test]
fn the_same_seed_and_games_print_the_same_at_any_number_of_threads() {
    let run = |threads| xtask(&["soak", "--games", "300", "--seed", "7", "--threads", threads]);
    let one = run("1");
    assert_eq!(one.code, 0, "{}{}", one.out, one.err);
    assert_eq!(one.out, run("3").out);
    assert!(one.out.lines().last().unwrap().starts_with("PASS: 300 games, "), "{}", one.out);
    assert!(one.err.contains("plies/s") && !one.out.contains("plies/s"), "{}", one.err);
    assert_ne!(one.out, xtask(&["soak", "--games", "300", "--seed", "8"]).out);
}

/// A run that meets too little proves less than it says.
#[test]
fn floors_fail_a_run_that_is_too_short() {
    let run = xtask(&["soak", "--games", "20", "--floors"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("castle-mate  below the floor"), "{}", run.out);
}

#[test]
fn one_game_can_be_played_again_by_its_number() {
    let run = xtask(&["soak", "--seed", "1", "--from", "17", "--games", "1"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains("PASS: 1 games, "), "{}", run.out);
}

#[test]
fn no_game_is_no_pass() {
    assert_eq!(xtask(&["soak", "--games", "0"]).code, 3);
    assert_eq!(xtask(&["soak", "--games", "5", "--time", "1s"]).code, 2);
    let hasty = xtask(&["soak", "--time", "0s"]);
    assert_eq!(hasty.code, 3);
    assert!(hasty.err.contains("no game was played"), "{}", hasty.err);
}

/// Times and numbers that no run can reach are refused, not wrapped.
#[test]
fn what_is_beyond_all_numbers_is_bad_usage() {
    for beyond in [["--time", "30000years"], ["--from", "18446744073709551615"], ["--games", "-1"]]
    {
        let run = xtask(&["soak", beyond[0], beyond[1]]);
        assert_eq!(run.code, 2, "{}", run.err);
    }
    let last = xtask(&["soak", "--from", "4611686018427387904", "--games", "1"]);
    assert_eq!(last.code, 0, "{}{}", last.out, last.err);
}

#[test]
fn json_begins_with_run_and_ends_with_summary() {
    let run = xtask(&["soak", "--games", "10", "--format", "json"]);
    let lines: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.first().unwrap()["type"], "run");
    assert_eq!(lines.last().unwrap()["type"], "summary");
    assert!(lines.last().unwrap()["census"]["capture"].as_u64().unwrap() > 0);
}
