//! `pgn check` and `bench pgn` as a user meets them: broken games with their places, exit codes, streams.

#![cfg(unix)]

mod run;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use self::run::{command, ended, xtask};

const GOOD: &str = "[Event \"?\"]\n[Result \"0-1\"]\n\n1. f3 e5 (1... d6 2. e4) 2. g4 Qh4# 0-1\n";

fn json_lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A folder for one test, and files in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

#[test]
fn legal_games_pass_with_the_moves_of_their_variations() {
    let folder = Folder::new();
    let file = folder.file("good.pgn", format!("{GOOD}\n1. e4 *\n"));
    let run = xtask(&["pgn", "check", &file]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out, "PASS: 2 games, 7 moves, 0 errors, 0.00 MiB\n");
    for rate in ["games/s", "moves/s", "MiB/s", "peak memory"] {
        assert!(run.err.contains(rate), "{}", run.err);
    }
}

#[test]
fn an_illegal_move_is_shown_with_game_place_and_reason() {
    let folder = Folder::new();
    let file = folder.file("illegal.pgn", format!("{GOOD}\n1. e4 e5\n2. Ke3 Nc6 *\n\n{GOOD}"));
    let run = xtask(&["pgn", "check", &file]);
    assert_eq!(run.code, 2);
    assert_eq!(run.out, "BAD INPUT: 3 games, 14 moves, 1 errors, 0.00 MiB\n");
    let title = "error: game 2: ply 3, move 2.: a white king does not go from e1 to e3\n";
    assert!(run.err.starts_with(title), "{}", run.err);
    assert!(run.err.contains("illegal.pgn:7:4\n"), "{}", run.err);
    assert!(run.err.contains("7 | 2. Ke3 Nc6 *\n  |    ^^^\n"), "{}", run.err);
}

/// The ways in which a game can be broken, each with what is wrong and where: behind the seven lines of a good
/// game, or further down.
const BROKEN: [(&str, &str, (u64, u64), &str); 10] = [
    ("tag-open", "[Event \"x\n[Result \"*\"]\n\n1. e4 *\n", (0, 1), "[Event \"x"),
    ("tag", "[Event]\n\n1. e4 *\n", (0, 1), "[Event]"),
    (
        "start-position",
        "[Event \"?\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n",
        (1, 1),
        "[FEN",
    ),
    ("variant", "[Event \"?\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n", (1, 1), "[Variant"),
    ("not-a-move", "[Event \"?\"]\n\n1. e4 e5 2. Nf9 *\n", (2, 15), "9"),
    ("ambiguous", "[Event \"?\"]\n\n1. Nf3 a6 2. d3 a5 3. Nd2 *\n", (2, 23), "Nd2"),
    ("variation-not-open", "[Event \"?\"]\n\n1. e4 e5) *\n", (2, 9), ")"),
    ("variation-open", "[Event \"?\"]\n\n1. e4 (1. d4 d5 *\n", (0, 0), ""),
    ("comment-open", "[Event \"?\"]\n\n1. e4 {best by test 1... e5 *\n", (2, 7), "{"),
    ("nag", "[Event \"?\"]\n\n1. e4 $256 e5 *\n", (2, 7), "$256"),
];

/// One broken game costs no other: the games before, between and behind them are read.
#[test]
fn a_file_that_is_broken_in_ten_ways_has_ten_errors_and_all_its_good_games() {
    let folder = Folder::new();
    let (mut text, mut places) = (String::from(GOOD), Vec::new());
    for (code, game, (line, column), culprit) in BROKEN {
        text.push('\n');
        let first_line = text.lines().count() as u64 + 1;
        text.push_str(game);
        text.push('\n');
        // What is not closed is missed where the next game begins.
        let place = match code {
            "variation-open" => (first_line + game.lines().count() as u64 + 1, 1),
            _ => (first_line + line, column),
        };
        places.push((code, place, culprit));
        text.push_str(GOOD);
    }
    let file = folder.file("ten.pgn", text);
    let run = xtask(&["pgn", "check", &file, "--format", "json"]);
    assert_eq!(run.code, 2, "{}", run.err);
    let lines = json_lines(&run.out);
    let [begin, errors @ .., summary] = lines.as_slice() else { panic!("{}", run.out) };
    assert_eq!(begin["type"], "run");
    assert_eq!(errors.len(), BROKEN.len(), "{}", run.out);
    for (index, (error, (code, (line, column), culprit))) in errors.iter().zip(places).enumerate() {
        assert_eq!(error["type"], "error");
        assert_eq!(error["file"], file);
        assert_eq!(error["game"], 2 * index + 2, "{error}");
        assert_eq!((&error["code"], &error["line"]), (&code.into(), &line.into()), "{error}");
        assert_eq!(error["column"], column, "{error}");
        assert!(error["text"].as_str().unwrap().starts_with(culprit), "{error}");
        assert!(run.err.contains(&format!("ten.pgn:{line}:{column}\n")), "{line}: {}", run.err);
    }
    assert_eq!(summary["verdict"], "BAD INPUT");
    assert_eq!((&summary["games"], &summary["errors"]), (&21.into(), &10.into()));
    // Six of each good game, and the legal ones before an error.
    assert_eq!(summary["moves"], 11 * 6 + 2 + 4 + 2 + 3 + 1 + 1);
}

/// What is shown of a long line begins in its middle; the place counts from its start.
#[test]
fn the_place_in_a_very_long_line_is_the_true_one() {
    let folder = Folder::new();
    let (there, back) = ("Nf3 Nf6 ", "Ng1 Ng8 ");
    let line = format!("{}Ke7 *", [there, back].concat().repeat(20_000));
    let file = folder.file("long.pgn", format!("[Event \"?\"]\n\n{line}\n"));
    let run = xtask(&["pgn", "check", &file]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("long.pgn:3:320001\n"), "{}", run.err);
    assert!(run.err.contains("3 | …"), "{}", run.err);
    let shown = run.err.lines().find(|line| line.starts_with("3 | ")).unwrap();
    let marks = run.err.lines().find(|line| line.contains("^^^")).unwrap();
    let column = |line: &str, what: &str| line[..line.find(what).unwrap()].chars().count();
    assert_eq!(column(shown, "Ke7"), column(marks, "^^^"));
}

#[test]
fn of_several_files_each_has_its_line_and_none_stops_the_others() {
    let folder = Folder::new();
    let good = folder.file("good.pgn", GOOD);
    let broken = folder.file("broken.pgn", "1. e5 *\n");
    let missing = folder.0.path().join("missing.pgn").display().to_string();
    let a_folder = folder.0.path().display().to_string();
    let run = xtask(&["pgn", "check", &broken, &missing, &a_folder, &good]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains(&format!("cannot read {missing}: No such file")), "{}", run.err);
    assert!(run.err.contains(&format!("cannot read {a_folder}: Is a directory")), "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], format!("BAD INPUT  {broken}  1 games, 0 moves, 1 errors, 0.00 MiB"));
    assert_eq!(lines[3], format!("PASS  {good}  1 games, 6 moves, 0 errors, 0.00 MiB"));
    assert_eq!(lines[4], "BAD INPUT: 2 games, 6 moves, 1 errors, 0.00 MiB");
    assert_eq!(lines.len(), 5);
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_for_programs_as_well() {
    let run = xtask(&["pgn", "check", "no/such/file.pgn", "--format", "json"]);
    assert_eq!(run.code, 2);
    let lines = json_lines(&run.out);
    assert_eq!(lines[1]["code"], "unreadable");
    assert_eq!((&lines[2]["unreadable"], &lines[2]["games"]), (&1.into(), &0.into()));
}

#[test]
fn a_file_without_a_game_is_unknown() {
    let folder = Folder::new();
    for text in ["", "\n\n", "\u{feff}\r\n", "% a remark\n"] {
        let file = folder.file("nothing.pgn", text);
        let run = xtask(&["pgn", "check", &file]);
        assert_eq!(run.code, 3, "{text:?}");
        assert!(run.out.starts_with("UNKNOWN: 0 games, "), "{}", run.out);
        assert!(run.err.contains("no game in "), "{}", run.err);
    }
    let (empty, good) = (folder.file("empty.pgn", ""), folder.file("good.pgn", GOOD));
    assert_eq!(xtask(&["pgn", "check", &good, &empty]).code, 3);
}

#[test]
fn no_file_is_bad_usage() {
    for arguments in [&["pgn", "check"][..], &["pgn"], &["bench", "pgn", "--rounds", "0"]] {
        let run = xtask(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
    }
}

#[test]
fn a_dash_is_standard_input() {
    let mut child = command(&["pgn", "check", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{GOOD}\n1. e4 e4 *\n").as_bytes()).unwrap();
    drop(input);
    let run = ended(child.wait_with_output().unwrap());
    assert_eq!(run.code, 2);
    assert!(run.err.contains("<stdin>:6:7\n"), "{}", run.err);
    assert!(run.out.starts_with("BAD INPUT: 2 games, 7 moves, 1 errors"), "{}", run.out);
}

fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

/// Also where it waits for more.
#[test]
fn ctrl_c_stops_a_check_and_says_what_was_read() {
    let mut child = command(&["pgn", "check", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    input.write_all(format!("{GOOD}\n1. e4 e4 *\n").as_bytes()).unwrap();
    let mut told = String::new();
    while !told.contains("error: game 2") {
        assert_ne!(errors.read_line(&mut told).unwrap(), 0, "{told}");
    }
    let start = Instant::now();
    interrupt(&child);
    let run = ended(child.wait_with_output().unwrap());
    assert!(start.elapsed() < Duration::from_secs(3));
    assert_eq!(run.code, 130, "{}", run.out);
    assert!(run.out.starts_with("INTERRUPTED: 2 games, 7 moves, 1 errors"), "{}", run.out);
    drop(input);
}

#[test]
fn a_closed_pipe_ends_a_check_quietly() {
    let folder = Folder::new();
    let file = folder.file("broken.pgn", "1. e5 *\n\n".repeat(10_000));
    let mut child = command(&["pgn", "check", &file, "--format", "json"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("\"run\""), "{line}");
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

/// Some 30 MB of one game after another: what is at hand at a time does not grow with the file.
#[test]
fn memory_does_not_grow_with_the_file() {
    let folder = Folder::new();
    let peak = |games: usize| {
        let file = folder.file("large.pgn", format!("{GOOD}\n").repeat(games));
        let run = xtask(&["pgn", "check", &file, "--format", "json"]);
        let summary = json_lines(&run.out).pop().unwrap();
        assert_eq!((run.code, &summary["games"]), (0, &games.into()));
        summary["peak_memory"].as_u64()
    };
    if let (Some(small), Some(large)) = (peak(1_000), peak(400_000)) {
        assert!(large < small + (4 << 20), "{small} and {large} bytes");
    }
}

#[test]
fn both_readers_find_the_same_games_and_moves() {
    let run = xtask(&["bench", "pgn", "--games", "50", "--rounds", "1"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    for what in ["touchmove ", "pgn-reader with shakmaty ", "games/s", "MB/s", "ns/move", "MiB"] {
        assert!(run.out.contains(what), "{what}: {}", run.out);
    }
    assert!(run.out.contains("touchmove is "), "{}", run.out);
    assert!(run.out.lines().last().unwrap().starts_with("PASS: 50 games, "), "{}", run.out);
}

#[test]
fn a_bench_for_programs_has_a_line_for_each_race() {
    let run = xtask(&[
        "bench", "pgn", "--games", "20", "--seed", "2", "--rounds", "2", "--format", "json",
    ]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let lines = json_lines(&run.out);
    let types: Vec<_> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["run", "race", "race", "summary"]);
    for race in &lines[1..3] {
        let ratio = |name: &str| race["ratio"][name].as_f64().unwrap();
        assert_eq!(race["rounds"], 2);
        assert!(0.0 < ratio("min") && ratio("min") <= ratio("median"), "{race}");
        assert!(ratio("median") <= ratio("max"), "{race}");
    }
    let [ours, peer] = [0, 1].map(|index| &lines[3]["found"][index]);
    assert_eq!((&ours["games"], &ours["games_skipped"]), (&20.into(), &20.into()));
    assert_eq!(ours["moves"], peer["moves"]);
}

/// In variations, too, and from another start.
#[test]
fn a_file_of_ones_own_is_measured() {
    let folder = Folder::new();
    let own = format!(
        "{GOOD}\n[Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n\
         1. e4 (1. e3 Kd8 (1... Kf8 2. Kd1)) 1... Ke7 *\n"
    );
    let file = folder.file("own.pgn", own);
    let run = xtask(&["bench", "pgn", "--rounds", "1", "--file", &file]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("PASS: 2 games, 12 moves, "), "{}", run.out);
    let run =
        xtask(&["bench", "pgn", "--rounds", "1", "--file", &folder.file("x.pgn", "1. e5 *\n")]);
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.out.contains("BAD INPUT: 1 games, 0 moves, 1 games refused"), "{}", run.out);
    let run = xtask(&["bench", "pgn", "--file", "no/such/file.pgn"]);
    assert_eq!(run.code, 2);
}
