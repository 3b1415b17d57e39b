//! Results on disk as they come, one line of JSON each, from which an interrupted run goes on.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::catalogue::Fault;
use super::checks::{self, Measure, Outcome};
use super::suite_counts::{End, SuiteCounts};
use crate::fingerprints::NODES_MAX;

/// What the results depend on, beside the fault: the engine, its judges, and what these read.
const MEASURED: [&str; 12] = [
    ".cargo/config.toml",
    "Cargo.toml",
    "Cargo.lock",
    "engine",
    "fuzz/Cargo.toml",
    "fuzz/oracles",
    "fuzz/fuzz_targets",
    "fuzz/dictionaries",
    "fuzz/corpus",
    "fuzz/regressions",
    "perft-data/standard.epd",
    "perft-data/chess960.epd",
];
/// What else they depend on: how they are measured here, which changes with this number.
const MEASURES: u32 = 2;

/// All that was measured of the tree with one fault, or without.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Row {
    /// The id of the fault, or `clean`.
    pub(super) id: String,
    pub(super) seed: u64,
    /// How long building took.
    pub(super) built: f64,
    /// The checks that can see it, in their order.
    pub(super) outcomes: Vec<(String, Outcome)>,
    /// What came of counting the suites, where that was asked for.
    pub(super) counts: Option<SuiteCounts>,
    /// The counts of the position with figures.
    pub(super) figures: Vec<u64>,
    /// It does not compile: where the compiler says so.
    pub(super) unbuildable: Option<PathBuf>,
}

impl Row {
    /// The checks that caught it, with how far they got.
    pub(super) fn catches(&self) -> impl Iterator<Item = (&str, &str, &Measure)> {
        self.outcomes.iter().filter_map(|(check, outcome)| match outcome {
            Outcome::Caught(find, measure) => Some((check.as_str(), find.as_str(), measure)),
            _ => None,
        })
    }

    /// Whether measuring again would give the same, but for chance.
    fn is_settled(&self) -> bool {
        let is_counted = self.counts.as_ref().is_none_or(|counts| counts.end != End::Unknown);
        let is_known = |(_, outcome): &(_, Outcome)| !matches!(outcome, Outcome::Unknown(_));
        self.unbuildable.is_none() && is_counted && self.outcomes.iter().all(is_known)
    }

    pub(super) fn to_json(&self) -> Value {
        let outcomes = self.outcomes.iter().map(|(check, outcome)| outcome_to_json(check, outcome));
        json!({
            "type": "row", "fault": self.id, "seed": self.seed, "built": self.built,
            "checks": outcomes.collect::<Vec<_>>(), "counts": self.counts, "figures": self.figures,
            "unbuildable": self.unbuildable,
        })
    }

    fn from_json(value: &Value) -> Option<Row> {
        let outcomes = value["checks"].as_array()?.iter().map(outcome_from_json);
        Some(Row {
            id: value["fault"].as_str()?.to_string(),
            seed: value["seed"].as_u64()?,
            built: value["built"].as_f64()?,
            outcomes: outcomes.collect::<Option<_>>()?,
            counts: serde_json::from_value(value["counts"].clone()).ok()?,
            figures: serde_json::from_value(value["figures"].clone()).ok()?,
            unbuildable: serde_json::from_value(value["unbuildable"].clone()).ok()?,
        })
    }
}

/// One check of a row, as it is written and printed.
pub(super) fn outcome_to_json(check: &str, outcome: &Outcome) -> Value {
    let (word, told, measure) = match outcome {
        Outcome::Caught(find, measure) => ("caught", find.as_str(), measure),
        Outcome::Censored(measure) => ("censored", "", measure),
        Outcome::Unknown(why) => ("unknown", why.as_str(), &Measure::default()),
    };
    json!({
        "check": check, "outcome": word, "told": told, "seconds": measure.seconds,
        "done": measure.done, "unit": measure.unit, "depth": measure.depth,
    })
}

fn outcome_from_json(value: &Value) -> Option<(String, Outcome)> {
    let told = value["told"].as_str()?.to_string();
    let measure = Measure {
        seconds: value["seconds"].as_f64()?,
        done: value["done"].as_u64()?,
        unit: value["unit"].as_str()?.to_string(),
        depth: value["depth"].as_u64(),
    };
    let outcome = match value["outcome"].as_str()? {
        "caught" => Outcome::Caught(told, measure),
        "censored" => Outcome::Censored(measure),
        _ => Outcome::Unknown(told),
    };
    Some((value["check"].as_str()?.to_string(), outcome))
}

/// The file of results.
pub(super) struct Records {
    file: File,
    /// A hash of all that the results depend on but for the fault.
    tree: u64,
    /// The results of earlier runs, with their keys.
    earlier: Vec<(String, Row)>,
}

impl Records {
    /// Opens the file, and reads what earlier runs have left unless all is to be measured again. Nobody else may have it
    /// open: two runs would plant into one copy.
    pub(super) fn open(path: &Path, tree: u64, is_fresh: bool) -> io::Result<Records> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::Error::other("another run has it open"),
            TryLockError::Error(error) => error,
        })?;
        let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
        let read = |line: &str| {
            // A line that was cut short by an untimely end says nothing.
            let value: Value = serde_json::from_str(line).ok()?;
            Some((value["key"].as_str()?.to_string(), Row::from_json(&value)?))
        };
        let earlier = if is_fresh { Vec::new() } else { text.lines().filter_map(read).collect() };
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        Ok(Records { file, tree, earlier })
    }

    /// The row that was measured of the same tree, the same fault, and in the same way.
    pub(super) fn earlier(&self, fault: Option<&Fault>, seed: u64, way: &str) -> Option<Row> {
        let key = self.key(fault, seed, way);
        let (_, row) = self.earlier.iter().rev().find(|(of, _)| *of == key)?;
        row.is_settled().then(|| row.clone())
    }

    /// Writes a row.
    pub(super) fn add(&mut self, row: &Row, fault: Option<&Fault>, way: &str) -> io::Result<()> {
        let mut value = row.to_json();
        value["key"] = self.key(fault, row.seed, way).into();
        writeln!(self.file, "{value}")
    }

    fn key(&self, fault: Option<&Fault>, seed: u64, way: &str) -> String {
        let mut hasher = DefaultHasher::new();
        let seers = fault.map(|fault| checks::seers(fault.kind).collect::<Vec<_>>());
        let figures = fault.and_then(|fault| fault.figures.as_ref());
        (self.tree, fault.map(Fault::edit), seers, figures).hash(&mut hasher);
        format!("{:016x}-{seed}-{way}", hasher.finish())
    }
}

/// A hash of all that is measured in a workspace, and of what builds it.
pub(super) fn hash_of_tree(workspace: &Path) -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    (MEASURES, NODES_MAX, compiler(workspace)).hash(&mut hasher);
    for path in MEASURED {
        hash_path(&workspace.join(path), &mut hasher)?;
    }
    Ok(hasher.finish())
}

/// The compiler in all its words, and the flags it is given from outside.
fn compiler(workspace: &Path) -> (Vec<u8>, Vec<Option<OsString>>) {
    let words = Command::new("rustc").arg("-vV").current_dir(workspace).output();
    let flags = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"];
    (words.map(|output| output.stdout).unwrap_or_default(), flags.map(std::env::var_os).to_vec())
}

/// Links are no part of a tree, as in its copies.
fn hash_path(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    let told = |error: io::Error| io::Error::other(format!("{}: {error}", path.display()));
    let kind = fs::symlink_metadata(path).map_err(told)?.file_type();
    if kind.is_symlink() {
        return Ok(());
    }
    path.file_name().hash(hasher);
    if !kind.is_dir() {
        fs::read(path).map_err(told)?.hash(hasher);
        return Ok(());
    }
    let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
    let mut entries = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| hash_path(entry, hasher))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::Counts;

    fn row() -> Row {
        let measure = Measure { seconds: 0.25, done: 12, unit: "nodes".into(), depth: Some(3) };
        let outcomes = vec![
            (String::from("perft"), Outcome::Caught("kiwipete".into(), measure.clone())),
            (String::from("state"), Outcome::Censored(measure)),
        ];
        let wrong = Counts::from([("kiwipete".into(), [(2, Some(2043)), (3, None)].into())]);
        let end = End::Broken(String::from("signal: 6"));
        let counts = Some(SuiteCounts { wrong, end, well_known: Some(true) });
        Row { id: "a".into(), seed: 4, outcomes, counts, figures: vec![48], ..Row::default() }
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut row = row();
        row.outcomes.push((String::from("unit"), Outcome::Unknown("why".into())));
        assert_eq!(Row::from_json(&row.to_json()), Some(row));
    }

    #[test]
    fn a_run_goes_on_from_the_same_tree_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        Records::open(&path, 1, false).unwrap().add(&row(), None, "10s").unwrap();
        // As after an untimely end.
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"ty").unwrap();
        Records::open(&path, 1, false).unwrap().add(&row(), None, "10s").unwrap();
        let earlier = |tree, seed, way, fresh| {
            Records::open(&path, tree, fresh).unwrap().earlier(None, seed, way)
        };
        let open = Records::open(&path, 1, false).unwrap();
        assert!(Records::open(&path, 1, false).is_err(), "one run at a time");
        drop(open);
        assert_eq!(earlier(1, 4, "10s", false), Some(row()));
        assert_eq!(earlier(1, 4, "10s", true), None);
        assert_eq!(earlier(1, 5, "10s", false), None);
        assert_eq!(earlier(1, 4, "3s", false), None);
        assert_eq!(earlier(2, 4, "10s", false), None);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
    }

    #[test]
    fn what_is_not_known_is_measured_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let is_kept = |row: &Row| {
            Records::open(&path, 1, false).unwrap().add(row, None, "10s").unwrap();
            Records::open(&path, 1, false).unwrap().earlier(None, 4, "10s").is_some()
        };
        assert!(is_kept(&row()));
        let mut unknown = row();
        unknown.outcomes.push((String::from("unit"), Outcome::Unknown("why".into())));
        assert!(!is_kept(&unknown));
        assert!(!is_kept(&Row { unbuildable: Some(PathBuf::from("log")), ..row() }));
        assert!(!is_kept(&Row { counts: Some(SuiteCounts::default()), ..row() }));
        // Bytes that are no text cost their line.
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"\xff\xfe\n").unwrap();
        assert!(is_kept(&row()));
    }

    #[test]
    fn the_tree_is_what_its_files_say() {
        let folder = tempfile::tempdir().unwrap();
        let hash = || {
            let mut hasher = DefaultHasher::new();
            hash_path(folder.path(), &mut hasher).unwrap();
            hasher.finish()
        };
        fs::write(folder.path().join("a"), "1").unwrap();
        let one = hash();
        assert_eq!(hash(), one);
        fs::write(folder.path().join("a"), "2").unwrap();
        assert_ne!(hash(), one);
    }
}
