//! Results on disk as they come, one line of JSON each, from which an interrupted run goes on.

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::catalogue::Fault;
use super::checks::{Measure, Outcome};
use crate::fingerprints::Counts;

/// What the results depend on, beside the fault: the engine, its judges, and what these read.
const MEASURED: [&str; 8] = [
    "Cargo.toml",
    "Cargo.lock",
    "engine",
    "fuzz/oracles",
    "fuzz/corpus",
    "fuzz/regressions",
    "perft-data/standard.epd",
    "perft-data/chess960.epd",
];

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
    /// The wrong counts of the suites; none where counting came to no end.
    pub(super) counts: Option<Counts>,
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

    fn to_json(&self, key: &str) -> Value {
        let outcomes = self.outcomes.iter().map(|(check, outcome)| outcome_to_json(check, outcome));
        json!({
            "type": "row", "key": key, "fault": self.id, "seed": self.seed, "built": self.built,
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
        let text = fs::read_to_string(path)?;
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
        self.earlier.iter().rev().find(|(of, _)| *of == key).map(|(_, row)| row.clone())
    }

    /// Writes a row.
    pub(super) fn add(&mut self, row: &Row, fault: Option<&Fault>, way: &str) -> io::Result<()> {
        writeln!(self.file, "{}", row.to_json(&self.key(fault, row.seed, way)))
    }

    fn key(&self, fault: Option<&Fault>, seed: u64, way: &str) -> String {
        let mut hasher = DefaultHasher::new();
        (self.tree, fault.map(Fault::edit), fault.map(|fault| fault.kind as u8)).hash(&mut hasher);
        format!("{:016x}-{seed}-{way}", hasher.finish())
    }
}

/// A hash of all that is measured in a workspace.
pub(super) fn hash_of_tree(workspace: &Path) -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    for path in MEASURED {
        hash_path(&workspace.join(path), &mut hasher)?;
    }
    Ok(hasher.finish())
}

fn hash_path(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    path.file_name().hash(hasher);
    if !path.is_dir() {
        fs::read(path)?.hash(hasher);
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

    fn row() -> Row {
        let measure = Measure { seconds: 0.25, done: 12, unit: "nodes".into(), depth: Some(3) };
        let outcomes = vec![
            (String::from("unit"), Outcome::Unknown("why".into())),
            (String::from("perft"), Outcome::Caught("kiwipete".into(), measure.clone())),
            (String::from("state"), Outcome::Censored(measure)),
        ];
        let counts = Counts::from([("kiwipete".into(), [(2, Some(2043)), (3, None)].into())]);
        let counts = Some(counts);
        Row { id: "a".into(), seed: 4, outcomes, counts, figures: vec![48], ..Row::default() }
    }

    #[test]
    fn what_is_written_reads_back() {
        let row = row();
        assert_eq!(Row::from_json(&row.to_json("key")), Some(row));
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
