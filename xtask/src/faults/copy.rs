//! A copy of the tree in which faults are planted: nothing of the tree itself is ever touched.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::catalogue::Fault;
use super::checks::{self, Ended};
use crate::fuzz::tools::Tools;

/// What is no part of the tree.
const LEFT_OUT: [&str; 2] = ["target", ".git"];
/// A build takes half a minute, the first some minutes.
const BUILD_MAX: Duration = Duration::from_secs(3600);
/// The profile of `Cargo.toml` in which planted faults are built.
const PROFILE: [&str; 2] = ["--profile", "faults"];

/// A copy of the workspace with a target folder of its own.
pub(super) struct Copy {
    source: PathBuf,
    root: PathBuf,
    /// What the compiler says.
    log: PathBuf,
    /// How many processes of the compiler run at once.
    jobs: usize,
}

/// What does not compile.
#[derive(Debug)]
pub(super) struct Unbuildable {
    pub(super) log: PathBuf,
}

/// The programs of the tests by the name of their check, and the folder they run in.
pub(super) type TestPrograms = [(&'static str, Vec<PathBuf>, PathBuf); 3];

impl Copy {
    /// Makes the copy, or brings it up to date: files that are the same keep their times, so that only what changed
    /// is built again.
    pub(super) fn new(source: &Path, folder: &Path, name: &str, jobs: usize) -> io::Result<Copy> {
        let root = folder.join(name);
        let log = folder.join(format!("{name}.log"));
        let copy = Copy { source: source.to_owned(), root, log, jobs };
        let kept = copy.take_over(Path::new(""))?;
        copy.remove_others(Path::new(""), &kept)?;
        Ok(copy)
    }

    /// Plants a fault, or none. What was planted before is gone.
    pub(super) fn plant(&self, fault: Option<&Fault>, before: Option<&Fault>) -> io::Result<()> {
        if let Some(before) = before {
            take_over_file(&self.source.join(&before.file), &self.root.join(&before.file))?;
        }
        if let Some(fault) = fault {
            let clean = fs::read_to_string(self.source.join(&fault.file))?;
            fs::write(self.root.join(&fault.file), fault.plant(&clean))?;
        }
        Ok(())
    }

    /// The tools of guided fuzzing, for this copy.
    pub(super) fn fuzzed_with(&self, tools: &Tools) -> Tools {
        tools.for_copy(&self.root, self.log.with_extension("fuzz.log"))
    }

    /// Builds the program `check`.
    pub(super) fn build_check(&self) -> io::Result<Result<PathBuf, Unbuildable>> {
        let what = ["build", "-p", "touchmove-oracles", "--bin", "check"];
        let built = self.cargo(&what)?;
        Ok(built.map(|_| self.root.join("target/faults/check")))
    }

    /// Builds the tests of the engine and of the reported faults.
    pub(super) fn build_tests(&self) -> io::Result<Result<TestPrograms, Unbuildable>> {
        let engine = ["test", "--no-run", "-p", "touchmove", "--lib", "--test", "*"];
        let reported = ["test", "--no-run", "-p", "touchmove-oracles", "--test", "reported"];
        let (engine, reported) = match (self.cargo(&engine)?, self.cargo(&reported)?) {
            (Ok(engine), Ok(reported)) => (engine, reported),
            (Err(error), _) | (_, Err(error)) => return Ok(Err(error)),
        };
        let of_kind = |kind| programs(&engine.said, kind);
        let (engine_folder, oracles) = (self.root.join("engine"), self.root.join("fuzz/oracles"));
        Ok(Ok([
            ("unit", of_kind("lib"), engine_folder.clone()),
            ("rules", of_kind("test"), engine_folder),
            ("reported", programs(&reported.said, "test"), oracles),
        ]))
    }

    fn cargo(&self, arguments: &[&str]) -> io::Result<Result<Ended, Unbuildable>> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg(arguments[0]).args(PROFILE).args(&arguments[1..]);
        command.args(["--message-format", "json-render-diagnostics", "--quiet"]);
        command.args(["--jobs", &self.jobs.to_string()]).current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", self.root.join("target"));
        command.stderr(File::create(&self.log)?);
        let ended = checks::run(command, BUILD_MAX)?;
        Ok(match ended.code {
            Some(0) => Ok(ended),
            _ => Err(Unbuildable { log: self.log.clone() }),
        })
    }

    /// Copies a folder, and returns all paths in it.
    fn take_over(&self, folder: &Path) -> io::Result<BTreeSet<PathBuf>> {
        let mut kept = BTreeSet::new();
        fs::create_dir_all(self.root.join(folder))?;
        for entry in fs::read_dir(self.source.join(folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if is_left_out(&entry.file_name()) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                kept.extend(self.take_over(&path)?);
            } else {
                take_over_file(&self.source.join(&path), &self.root.join(&path))?;
            }
            kept.insert(path);
        }
        Ok(kept)
    }

    /// Takes away what the tree does not have any more.
    fn remove_others(&self, folder: &Path, kept: &BTreeSet<PathBuf>) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join(folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            let is_folder = entry.file_type()?.is_dir();
            match (kept.contains(&path), is_folder) {
                _ if is_left_out(&entry.file_name()) => {}
                (true, true) => self.remove_others(&path, kept)?,
                (true, false) => {}
                (false, true) => fs::remove_dir_all(entry.path())?,
                (false, false) => fs::remove_file(entry.path())?,
            }
        }
        Ok(())
    }
}

fn is_left_out(name: &OsStr) -> bool {
    LEFT_OUT.iter().any(|left_out| name == *left_out)
}

fn take_over_file(from: &Path, to: &Path) -> io::Result<()> {
    let bytes = fs::read(from)?;
    match fs::read(to) {
        Ok(there) if there == bytes => Ok(()),
        _ => fs::write(to, bytes),
    }
}

/// The programs of one kind of target that cargo has built.
fn programs(said: &str, kind: &str) -> Vec<PathBuf> {
    let program = |line: &str| {
        let told: Value = serde_json::from_str(line).ok()?;
        let is_test = told["profile"]["test"].as_bool()? && told["target"]["kind"][0] == kind;
        Some(PathBuf::from(told["executable"].as_str().filter(|_| is_test)?))
    };
    let mut programs: Vec<PathBuf> = said.lines().filter_map(program).collect();
    programs.sort();
    programs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_brought_up_to_date_and_keeps_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("tree");
        fs::create_dir_all(source.join("a/target")).unwrap();
        fs::write(source.join("a/target/x"), "built").unwrap();
        fs::write(source.join("a/one"), "1").unwrap();
        fs::write(source.join("two"), "2").unwrap();
        let copies = folder.path().join("copies");
        let copy = Copy::new(&source, &copies, "copy-0", 1).unwrap();
        assert_eq!(fs::read_to_string(copies.join("copy-0/a/one")).unwrap(), "1");
        assert!(!copies.join("copy-0/a/target").exists());

        fs::create_dir(copies.join("copy-0/target")).unwrap();
        fs::remove_file(source.join("a/one")).unwrap();
        fs::write(source.join("two"), "3").unwrap();
        drop(copy);
        Copy::new(&source, &copies, "copy-0", 1).unwrap();
        assert!(!copies.join("copy-0/a/one").exists());
        assert_eq!(fs::read_to_string(copies.join("copy-0/two")).unwrap(), "3");
        assert!(copies.join("copy-0/target").exists());
    }

    #[test]
    fn the_programs_of_the_tests_are_those_that_cargo_names() {
        let said = r#"{"profile":{"test":true},"target":{"kind":["lib"]},"executable":"/t/unit"}
{"profile":{"test":false},"target":{"kind":["lib"]},"executable":null}
{"profile":{"test":true},"target":{"kind":["test"]},"executable":"/t/rules"}"#;
        assert_eq!(programs(said, "lib"), [PathBuf::from("/t/unit")]);
        assert_eq!(programs(said, "test"), [PathBuf::from("/t/rules")]);
    }
}
