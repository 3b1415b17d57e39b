//! `faults` from outside: the catalogue is listed, and what is not in it is refused. Planting itself takes minutes.

use std::process::{Command, Output};

fn xtask(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_catalogue_is_listed_when_every_text_is_found() {
    let output = xtask(&["faults", "--list"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let listed = text(&output.stdout);
    assert!(listed.lines().count() >= 60, "{listed}");
    let walkthrough = ["castle-through-check", "right-kept-when-rook-captured"];
    assert!(walkthrough.iter().all(|id| listed.lines().any(|line| line.starts_with(id))));
}

#[test]
fn the_list_is_there_for_programs_too() {
    let output = xtask(&["faults", "--list", "--format", "json"]);
    let lines: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["type"], "run");
    assert_eq!(lines[lines.len() - 1]["type"], "summary");
    assert_eq!(lines[lines.len() - 1]["faults"], lines.len() - 2);
}

#[test]
fn a_fault_that_nobody_knows_is_bad_usage() {
    let output = xtask(&["faults", "castle-on-a-whim"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("no fault `castle-on-a-whim`"),
        "{}",
        text(&output.stderr)
    );
}
