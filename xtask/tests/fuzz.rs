//! The verb `fuzz` as a user meets it, on stable Rust alone.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn fuzz(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("fuzz").args(arguments);
    command
}

fn output(mut command: Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz"))
}

/// The names that `fuzz list` prints.
fn listed() -> Vec<String> {
    let (code, out, _) = output(fuzz(&["list"]));
    assert_eq!(code, 0);
    out.lines().map(|line| line.split(' ').next().unwrap().to_string()).collect()
}

/// What is written twice agrees: the list, the files, the manifest, and the README.
#[test]
fn every_target_has_its_file_its_program_and_its_line() {
    let mut listed = listed();
    let entries = fs::read_dir(folder().join("fuzz_targets")).unwrap();
    let mut files: Vec<String> = entries
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_string())
        .collect();
    let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
    let readme = fs::read_to_string(folder().join("README.md")).unwrap();
    for target in &listed {
        let file = folder().join(format!("fuzz_targets/{target}.rs"));
        let calls = format!("targets::{target}(bytes)");
        assert!(fs::read_to_string(file).unwrap().contains(&calls), "{target}");
        assert!(manifest.contains(&format!("name = \"{target}\"")), "{target}");
        assert!(readme.contains(&format!("`{target}`")), "{target}");
    }
    listed.sort();
    files.sort();
    assert_eq!(listed, files);
}

#[test]
fn a_target_that_is_none_is_bad_usage() {
    let (code, _, err) = output(fuzz(&["run", "game"]));
    assert_eq!(code, 2);
    assert!(err.contains("`cargo xtask fuzz list` names them"), "{err}");
}

/// Without the tools nothing was shown: unknown, and what to install.
#[test]
fn where_tools_are_missing_it_says_what_to_install() {
    let nothing = tempfile::tempdir().unwrap();
    for arguments in [&["run", "mirror"] as &[&str], &["all"], &["cmin", "mirror"]] {
        let mut command = fuzz(arguments);
        command.env("PATH", nothing.path());
        let (code, out, err) = output(command);
        assert_eq!((code, out.as_str()), (3, ""), "{err}");
        for what in ["rustup toolchain install nightly", "cargo install cargo-fuzz"] {
            assert!(err.contains(what), "{err}");
        }
    }
}

#[test]
fn a_find_is_played_again_by_its_name() {
    let finds = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = finds.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let (code, out, _) = output(fuzz(&["replay", &file("canary-1.bytes", b"e2e4")]));
    assert_eq!(code, 1);
    assert!(out.contains("oracle: canary"), "{out}");
    let (code, out, _) = output(fuzz(&["replay", &file("uci_text-1.bytes", b"e2e4")]));
    assert_eq!(code, 0);
    assert!(out.lines().last().unwrap().starts_with("PASS: 1 inputs"), "{out}");
}

/// What is no input is bad input: the file, and where a case stops being one the line, the column and what was expected.
#[test]
fn what_cannot_be_played_again_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let case = |oracle: &str, start: &str, rest: &str| {
        format!("oracle: {oracle}\nstart: {start}\n{rest}\nexpected: x\ngot: y\n")
    };
    let start = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let missing = folder.path().join("mirror-missing").display().to_string();
    for (path, place) in [
        (missing, "mirror-missing"),
        (folder.path().display().to_string(), "expected a file"),
        (file("nobody", "e2e4"), "nobody: neither a case nor named after a target"),
        (file("empty.case", ""), "empty.case:1:1"),
        (file("garbage.case", "no case"), "garbage.case:1:8"),
        (file("oracle.case", &case("nonsense", start, "moves:")), "oracle.case:1:9"),
        (file("start.case", &case("state", "8/8/9", "moves:")), "start.case:2:12"),
        (file("move.case", &case("state", start, "moves: e1e2 e8e1")), "move.case:3:13"),
        (file("text.case", &case("fen_text", start, "moves:\ntext: x")), "text.case:4:7"),
    ] {
        let (code, out, err) = output(fuzz(&["replay", &path]));
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(place), "{place}: {err}");
    }
}

#[test]
fn a_case_is_played_again_and_passes_once_its_fault_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("any.case");
    let start = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let rest = "moves: \ntext: \"0x0107\"\nexpected: x\ngot: y\n";
    fs::write(&path, format!("oracle: any_move_code\nstart: {start}\n{rest}")).unwrap();
    let (code, out, err) = output(fuzz(&["replay", &path.display().to_string()]));
    assert_eq!(code, 0, "{out}{err}");
}

/// What the bytes of a find are judged by: another process, which writes the case.
#[test]
fn a_judge_tells_what_it_sees_and_writes_the_case() {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, case) = (folder.path().join("bytes"), folder.path().join("x.case"));
    fs::write(&bytes, "e2e4").unwrap();
    let mut judge = fuzz(&["judge", "canary", "--case", case.to_str().unwrap()]);
    judge.stdin(fs::File::open(&bytes).unwrap());
    let (code, out, _) = output(judge);
    assert_eq!(code, 1);
    assert!(out.starts_with("canary, planted\noracle: canary\n"), "{out}");
    let (code, out, _) = output(fuzz(&["replay", case.to_str().unwrap()]));
    assert_eq!(code, 1, "the case is one, too: {out}");
}

#[test]
fn what_nobody_can_wait_for_is_bad_usage() {
    for arguments in
        [["run", "mirror", "--time", "9999years"], ["run", "mirror", "--runs", "3000000000"]]
    {
        let (code, _, err) = output(fuzz(&arguments));
        assert_eq!(code, 2, "{err}");
    }
    let missing = ["tmin", "mirror", "/nowhere/at-all"];
    let (code, out, err) = output(fuzz(&missing));
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
}
