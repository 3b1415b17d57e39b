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
    let (code, ..) = output(fuzz(&["replay", &file("nobody", b"e2e4")]));
    assert_eq!(code, 2);
    let (code, out, _) = output(fuzz(&["replay", &file("x.case", b"no case")]));
    assert_eq!(code, 1);
    assert!(out.contains("expected a line"), "{out}");
}
