//! A copy of the tree in which faults are planted: nothing of the tree itself is ever touched.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
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
    /// Where the compiler's words are kept, a file for each fault.
    logs: PathBuf,
    log: PathBuf,
    /// How many processes of the compiler run at once.
    jobs: usize,
    /// What is planted: the file, and its text without.
    planted: Option<(PathBuf, String)>,
    /// Whether the engine is another one than was built last.
    is_changed: bool,
}

/// What was not built.
#[derive(Debug)]
pub(super) enum NotBuilt {
    /// The engine does not compile; the compiler's words are in this file.
    Wrong(PathBuf),
    /// The compiler could not do its work.
    Other(io::Error),
}

impl From<io::Error> for NotBuilt {
    fn from(error: io::Error) -> NotBuilt {
        NotBuilt::Other(error)
    }
}

/// The programs of the tests by the name of their check, and the folder they run in.
pub(super) type TestPrograms = [(&'static str, Vec<PathBuf>, PathBuf); 3];

impl Copy {
    /// Makes the copy, or brings it up to date: files that are the same keep their times, so that only what changed
    /// is built again.
    pub(super) fn new(source: &Path, folder: &Path, name: &str, jobs: usize) -> io::Result<Copy> {
        let (root, logs) = (folder.join(name), folder.join("logs"));
        fs::create_dir_all(&logs)?;
        let log = logs.join("clean.log");
        let source = source.to_owned();
        let copy = Copy { source, root, logs, log, jobs, planted: None, is_changed: false };
        let kept = copy.take_over(Path::new(""))?;
        copy.remove_others(Path::new(""), &kept)?;
        Ok(copy)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Plants a fault, or none. What was planted before is gone. The tree from which the copy was made is not read again:
    /// it may have changed.
    pub(super) fn plant(&mut self, fault: Option<&Fault>) -> io::Result<()> {
        let id = fault.map_or(checks::CLEAN, Fault::id);
        self.log = self.logs.join(format!("{id}.log"));
        File::create(&self.log)?;
        if let Some((path, clean)) = self.planted.take() {
            fs::write(path, clean)?;
            self.is_changed = true;
        }
        let Some(fault) = fault else { return Ok(()) };
        let path = self.root.join(fault.file());
        let clean = fs::read_to_string(&path)?;
        let planted = fault.plant(&clean);
        let planted = planted.ok_or_else(|| {
            io::Error::other(format!("{id}: its text is not found once in {}", fault.file()))
        })?;
        self.planted = Some((path.clone(), clean));
        self.is_changed = true;
        fs::write(path, planted)
    }

    /// The tools of guided fuzzing, for this copy.
    pub(super) fn fuzzed_with(&self, tools: &Tools) -> Tools {
        tools.for_copy(&self.root, self.root.with_extension("fuzz.log"))
    }

    /// Builds the program `check`.
    pub(super) fn build_check(&mut self) -> Result<PathBuf, NotBuilt> {
        let built = self.cargo(&["build", "-p", "touchmove-oracles", "--bin", "check"])?;
        let artifacts: Vec<Value> = artifacts(&built.said).collect();
        // Cargo goes by the times of files, and clocks are set back.
        let is_engine =
            |told: &&Value| told["target"]["name"] == "touchmove" && is_kind(told, "lib");
        let engine = artifacts.iter().find(is_engine);
        if self.is_changed && engine.is_none_or(|engine| engine["fresh"] != false) {
            let told =
                "the engine was changed and not built again: do the times of files go wrong?";
            return Err(NotBuilt::Other(io::Error::other(told)));
        }
        self.is_changed = false;
        let check = artifacts.iter().find(|told| told["target"]["name"] == "check");
        let program = check.and_then(|told| told["executable"].as_str());
        let program = program.ok_or_else(|| io::Error::other("cargo names no program `check`"))?;
        Ok(PathBuf::from(program))
    }

    /// Builds the tests of the engine and of the reported faults.
    pub(super) fn build_tests(&self) -> Result<TestPrograms, NotBuilt> {
        let engine = ["test", "--no-run", "-p", "touchmove", "--lib", "--test", "*"];
        let reported = ["test", "--no-run", "-p", "touchmove-oracles", "--test", "reported"];
        let (engine, reported) = (self.cargo(&engine)?, self.cargo(&reported)?);
        let of_kind = |kind| programs(&engine.said, kind);
        let (engine_folder, oracles) = (self.root.join("engine"), self.root.join("fuzz/oracles"));
        Ok([
            ("unit", of_kind("lib"), engine_folder.clone()),
            ("rules", of_kind("test"), engine_folder),
            ("reported", programs(&reported.said, "test"), oracles),
        ])
    }

    fn cargo(&self, arguments: &[&str]) -> Result<Ended, NotBuilt> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg(arguments[0]).args(PROFILE).args(&arguments[1..]);
        command.args(["--message-format", "json-render-diagnostics", "--quiet"]);
        command.args(["--jobs", &self.jobs.to_string()]).current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", self.root.join("target"));
        command.stderr(OpenOptions::new().append(true).open(&self.log)?);
        let ended = checks::run(command, BUILD_MAX)?;
        if ended.code == Some(0) {
            return Ok(ended);
        }
        let words = fs::read_to_string(&self.log)?;
        Err(match words.contains("--> engine/src/") {
            true => NotBuilt::Wrong(self.log.clone()),
            false => {
                let (how, log) = (&ended.how, self.log.display());
                NotBuilt::Other(io::Error::other(format!("cargo does not build: {how}, see {log}")))
            }
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
            let kind = entry.file_type()?;
            if kind.is_dir() {
                kept.extend(self.take_over(&path)?);
            } else if kind.is_file() {
                take_over_file(&self.source.join(&path), &self.root.join(&path))?;
            } else {
                // No file of ours is a link; those of editors lead nowhere.
                continue;
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

/// What cargo says it has built, or found built.
fn artifacts(said: &str) -> impl Iterator<Item = Value> {
    let told = said.lines().filter_map(|line| serde_json::from_str(line).ok());
    told.filter(|told: &Value| told["reason"] == "compiler-artifact")
}

fn is_kind(told: &Value, kind: &str) -> bool {
    told["target"]["kind"][0] == kind
}

/// The test programs of one kind of target that cargo has built.
fn programs(said: &str, kind: &str) -> Vec<PathBuf> {
    let program = |told: Value| {
        let is_test = told["profile"]["test"] == true && is_kind(&told, kind);
        Some(PathBuf::from(told["executable"].as_str().filter(|_| is_test)?))
    };
    let mut programs: Vec<PathBuf> = artifacts(said).filter_map(program).collect();
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
    fn a_fault_is_planted_in_the_copy_and_gone_with_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("tree");
        fs::create_dir_all(source.join("engine/src")).unwrap();
        fs::write(source.join("engine/src/f"), "one two").unwrap();
        let mut copy = Copy::new(&source, &folder.path().join("copies"), "copy-0", 1).unwrap();
        let text = |copy: &Copy| fs::read_to_string(copy.root().join("engine/src/f")).unwrap();
        let fault: Fault = toml::from_str(
            "id = 'a'\nkind = 'moves'\nfile = 'engine/src/f'\nfind = 'one'\nput = '1'\nrule = 'R7'\ncaught_by = 'perft'",
        )
        .unwrap();
        copy.plant(Some(&fault)).unwrap();
        assert_eq!(text(&copy), "1 two");
        assert_eq!(fs::read_to_string(source.join("engine/src/f")).unwrap(), "one two");
        // Whatever becomes of the tree meanwhile.
        fs::write(source.join("engine/src/f"), "three").unwrap();
        copy.plant(None).unwrap();
        assert_eq!(text(&copy), "one two");
        fs::write(copy.root().join("engine/src/f"), "one one").unwrap();
        assert!(copy.plant(Some(&fault)).is_err());
    }

    #[test]
    fn the_programs_of_the_tests_are_those_that_cargo_names() {
        let artifact = |test: bool, kind: &str, executable: Option<&str>| {
            let profile = serde_json::json!({ "test": test });
            let reason = "compiler-artifact";
            let target = serde_json::json!({ "kind": [kind] });
            serde_json::json!({
                "reason": reason, "profile": profile, "target": target, "executable": executable,
            })
            .to_string()
        };
        let said = [
            artifact(true, "lib", Some("/t/unit")),
            artifact(false, "lib", None),
            artifact(true, "test", Some("/t/rules")),
        ];
        let said = said.join("\n");
        assert_eq!(programs(&said, "lib"), [PathBuf::from("/t/unit")]);
        assert_eq!(programs(&said, "test"), [PathBuf::from("/t/rules")]);
    }
}
