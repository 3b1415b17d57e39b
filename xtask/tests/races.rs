//! `races` and `races load` as a user meets them: verdicts, figures, and Ctrl-C, after which every game is still replayed.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn races(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("races").args(arguments).stdin(Stdio::null());
    command
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_load_says_what_was_done_and_how_fast() {
    let run = races(&["load", "--games", "50", "--threads", "3", "--time", "1s"]).output().unwrap();
    let out = out(&run);
    assert_eq!(run.status.code(), Some(0), "{out}");
    assert!(out.contains(" operations/s on 3 threads; ") && out.contains("99.9 % up to "), "{out}");
    let last = out.lines().last().unwrap();
    assert!(last.starts_with("PASS: "), "{last}");
    assert!(
        last.ends_with(" 50 at once, each played again alone: 0 differences (seed 1)"),
        "{last}"
    );
}

#[test]
fn json_begins_with_run_and_ends_with_summary() {
    let run =
        races(&["load", "--games", "20", "--time", "1s", "--format", "json"]).output().unwrap();
    let lines: Vec<Value> =
        out(&run).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["type"]), (2, &"run".into()));
    let summary = &lines[1];
    assert_eq!((&summary["type"], &summary["verdict"]), (&"summary".into(), &"PASS".into()));
    for count in ["games", "operations", "events", "moves", "with_shakmaty", "heard"] {
        assert!(summary[count].as_u64().unwrap() > 0, "{count}: {summary}");
    }
    assert!(summary["operations_per_second"].as_f64().unwrap() > 0.0);
    assert!(summary["p999_ns"].as_u64() >= summary["p50_ns"].as_u64());
}

#[test]
fn what_is_beyond_all_numbers_is_bad_usage() {
    for beyond in [["--games", "0"], ["--games", "100001"], ["--threads", "0"], ["--time", "-1s"]] {
        let run = races(&["load", beyond[0], beyond[1]]).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{beyond:?}");
    }
}

/// Ctrl-C before any run of any way: while the schedules are played.
#[cfg(unix)]
#[test]
fn an_interrupted_experiment_ends_with_its_summary() {
    let rest = interrupted(&["--format", "json"]);
    let summary: Value = serde_json::from_str(rest.last().unwrap()).unwrap();
    assert_eq!((&summary["type"], &summary["verdict"]), (&"summary".into(), &"INTERRUPTED".into()));
}

/// The lines behind the first, which says that the run has begun and has Ctrl-C sent.
#[cfg(unix)]
fn interrupted(arguments: &[&str]) -> Vec<String> {
    let mut child = races(arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let run: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(run["type"], "run");
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
    rest
}

/// Ctrl-C while clients act.
#[cfg(unix)]
#[test]
fn an_interrupted_load_replays_and_says_what_it_has() {
    let rest = interrupted(&["load", "--games", "20", "--time", "1h", "--format", "json"]);
    let summary: Value = serde_json::from_str(rest.last().unwrap()).unwrap();
    assert_eq!(summary["verdict"], "INTERRUPTED");
    assert_eq!(summary["differences"], 0);
    assert!(summary["games"].as_u64().unwrap() >= 20, "{summary}");
}
