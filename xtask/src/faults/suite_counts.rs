//! The suites counted by the program `check` of a copy: what is wrong, and how far it came.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::checks::{self, Ended};
use crate::fingerprints::{Counts, NODES_MAX};
use crate::job::WELL_KNOWN;

/// Counting the suites takes some seconds; longer, and the counter hangs.
const COUNTING_MAX: Duration = Duration::from_secs(120);
/// The depth to which everybody counts the well-known positions.
pub(super) const WELL_KNOWN_DEPTH: u32 = 3;

/// What came of counting.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) struct SuiteCounts {
    /// The wrong counts of the lines that were counted.
    pub(super) wrong: Counts,
    pub(super) end: End,
    /// Whether perft to depth 3 of the six well-known positions sees it, if it came so far.
    pub(super) well_known: Option<bool>,
}

impl SuiteCounts {
    /// The counts by which the fault is known again: none where it does not let count to the end, and nothing is known where
    /// something else did not.
    pub(super) fn fingerprint(&self) -> Option<Counts> {
        match self.end {
            End::Whole => Some(self.wrong.clone()),
            End::Broken(_) => Some(Counts::new()),
            End::Unknown => None,
        }
    }
}

/// How counting ended.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) enum End {
    /// All lines are counted.
    Whole,
    /// It crashed or hung.
    Broken(String),
    /// It could not be done, or not to its end.
    #[default]
    Unknown,
}

/// What the program says of a line.
#[derive(Deserialize)]
struct Told {
    line: String,
    wrong: BTreeMap<u32, Option<u64>>,
}

/// Counts the suites.
pub(super) fn count_suites(program: &Path) -> io::Result<SuiteCounts> {
    Ok(of_ended(&said(program, &["counts", &NODES_MAX.to_string()])?))
}

/// The counts of a position to depth 1, 2 … ; none where it comes to no end.
pub(super) fn count_position(program: &Path, fen: &str, depth: usize) -> io::Result<Vec<u64>> {
    let ended = said(program, &["count", fen, &depth.to_string()])?;
    Ok(serde_json::from_str(&ended.said).unwrap_or_default())
}

fn said(program: &Path, arguments: &[&str]) -> io::Result<Ended> {
    let mut command = checks::with_little_memory(program);
    command.args(arguments).stderr(Stdio::null());
    checks::run(command, COUNTING_MAX)
}

fn of_ended(ended: &Ended) -> SuiteCounts {
    let told = ended.said.lines().filter_map(|line| serde_json::from_str::<Told>(line).ok());
    let (mut wrong, mut counted) = (Counts::new(), BTreeSet::new());
    for told in told {
        if !told.wrong.is_empty() {
            wrong.insert(told.line.clone(), told.wrong);
        }
        counted.insert(told.line);
    }
    let is_shallow = |line: &str| {
        let first = wrong.get(line).and_then(|counts| counts.first_key_value());
        first.is_some_and(|(&depth, _)| depth <= WELL_KNOWN_DEPTH)
    };
    let is_seen = WELL_KNOWN.iter().any(|line| is_shallow(line));
    let is_decided = is_seen || WELL_KNOWN.iter().all(|line| counted.contains(*line));
    let is_whole = ended.said.lines().last().is_some_and(|line| line.starts_with("{\"lines\":"));
    let end = match ended.code {
        Some(0) if is_whole => End::Whole,
        Some(0 | 2) => End::Unknown,
        _ if ended.is_killed => End::Unknown,
        _ => End::Broken(ended.how.clone()),
    };
    SuiteCounts { well_known: is_decided.then_some(is_seen), wrong, end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(lines: &[(&str, &str)], code: Option<i32>, is_killed: bool) -> SuiteCounts {
        let told = lines
            .iter()
            .map(|(line, wrong)| format!("{{\"line\":\"{line}\",\"wrong\":{wrong}}}\n"));
        let end = if code == Some(0) { "{\"lines\":9}\n" } else { "" };
        let (said, how) = (told.collect::<String>() + end, String::from("signal: 6"));
        of_ended(&Ended { said, code, is_killed, how, took: Duration::ZERO })
    }

    fn well_known(wrong: &'static str) -> Vec<(&'static str, &'static str)> {
        let of_line = |line| (line, if line == "kiwipete" { wrong } else { "{}" });
        WELL_KNOWN.into_iter().map(of_line).collect()
    }

    #[test]
    fn the_well_known_positions_see_what_differs_within_three_plies() {
        let seen = |wrong| counted(&well_known(wrong), Some(0), false).well_known;
        assert_eq!(seen("{\"3\":5}"), Some(true));
        assert_eq!(seen("{\"1\":null}"), Some(true));
        assert_eq!(seen("{\"4\":5}"), Some(false));
        assert_eq!(counted(&[("other", "{\"1\":5}")], Some(0), false).well_known, None);
    }

    #[test]
    fn what_was_counted_before_a_crash_stands() {
        let lines = well_known("{\"4\":5}");
        let crashed = counted(&lines, None, false);
        assert_eq!(crashed.wrong["kiwipete"], [(4, Some(5))].into());
        assert_eq!(crashed.well_known, Some(false));
        assert_eq!(crashed.end, End::Broken(String::from("signal: 6")));
        assert_eq!(counted(&lines[..3], None, false).well_known, None);
        assert_eq!(crashed.fingerprint(), Some(Counts::new()), "it depends on how far it came");
    }

    #[test]
    fn counting_that_was_cut_short_by_somebody_else_says_so() {
        assert_eq!(counted(&well_known("{}"), None, true).end, End::Unknown);
        assert_eq!(counted(&well_known("{}"), Some(2), false).end, End::Unknown);
        assert_eq!(counted(&well_known("{}"), Some(0), false).end, End::Whole);
    }
}
