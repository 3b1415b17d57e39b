//! The counts that planted faults make of the suites: by them a wrong count is told from which fault it looks like.

mod likeness;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;

pub(crate) use self::likeness::{Likeness, likenesses};

/// Where they are kept, from the root of the workspace.
pub(crate) const PATH: &str = "perft-data/fingerprints.json";
/// Counts with more nodes listed than this are left out.
pub(crate) const NODES_MAX: u64 = 5_000_000;
/// So many wrong depths of a line are kept, the shallowest.
const DEPTHS_KEPT: usize = 2;

/// Wrong counts: by the name of the line and by depth; none where counting panics.
pub(crate) type Counts = BTreeMap<String, BTreeMap<u32, Option<u64>>>;

/// What somebody counts of a position, and what is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counted {
    pub(crate) depth: u32,
    pub(crate) right: u64,
    pub(crate) counted: u64,
}

impl Counted {
    pub(crate) fn is_wrong(&self) -> bool {
        self.right != self.counted
    }
}

/// The wrong counts of each fault that makes any.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Fingerprints(BTreeMap<String, BTreeMap<String, BTreeMap<u32, u64>>>);

impl Fingerprints {
    /// Reads those of a workspace.
    pub(crate) fn read(workspace: &Path) -> anyhow::Result<Fingerprints> {
        let path = workspace.join(PATH);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {PATH}"))?;
        let faults = serde_json::from_str(&text).with_context(|| format!("{PATH} is none"))?;
        Ok(Fingerprints(faults))
    }

    /// The same, or none yet where they are about to be written.
    pub(crate) fn kept(workspace: &Path, is_written: bool) -> anyhow::Result<Fingerprints> {
        match is_written && !workspace.join(PATH).exists() {
            true => Ok(Fingerprints::default()),
            false => Fingerprints::read(workspace),
        }
    }

    /// The text of the file: a line for each line of the suites that a fault changes.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::from("{");
        for (index, (fault, lines)) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(text, "{comma}\n\"{fault}\": {{");
            for (index, (line, counts)) in lines.iter().enumerate() {
                let comma = if index > 0 { "," } else { "" };
                let counts = serde_json::to_string(counts).expect("numbers have a text");
                let _ = write!(text, "{comma}\n  \"{line}\": {counts}");
            }
            text.push_str("\n}");
        }
        text + "\n}\n"
    }

    /// Notes the wrong counts of a fault, in place of what was noted before.
    pub(crate) fn note(&mut self, fault: &str, counts: &Counts) {
        let lines = kept(counts);
        match lines.is_empty() {
            true => self.0.remove(fault),
            false => self.0.insert(fault.to_string(), lines),
        };
    }

    /// What is noted of a fault.
    pub(crate) fn of(&self, fault: &str) -> Option<&BTreeMap<String, BTreeMap<u32, u64>>> {
        self.0.get(fault)
    }

    /// The faults of which something is noted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Leaves out faults that are not there any more.
    pub(crate) fn retain(&mut self, is_there: impl Fn(&str) -> bool) {
        self.0.retain(|fault, _| is_there(fault));
    }

    /// Which fault is shown by which line, and at which depth first.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&str, &str, u32)> {
        self.0.iter().flat_map(|(fault, lines)| {
            let first = |counts: &BTreeMap<u32, u64>| counts.keys().next().copied();
            lines.iter().filter_map(move |(line, counts)| {
                Some((fault.as_str(), line.as_str(), first(counts)?))
            })
        })
    }

    /// The faults that count a line exactly so: wrong where these counts are wrong, and as wrong.
    pub(crate) fn matching(&self, line: &str, counts: &[Counted]) -> Vec<&str> {
        let matches = |wrong: &BTreeMap<u32, u64>| {
            let deepest = wrong.keys().next_back().copied().unwrap_or(0);
            let mut known = counts.iter().filter(|count| count.depth <= deepest);
            let is_any_wrong = known.clone().any(Counted::is_wrong);
            let as_planted = |count: &Counted| {
                count.counted == wrong.get(&count.depth).copied().unwrap_or(count.right)
            };
            is_any_wrong && known.all(as_planted)
        };
        let faults = self.0.iter().filter(|(_, lines)| lines.get(line).is_some_and(matches));
        faults.map(|(fault, _)| fault.as_str()).collect()
    }
}

/// The shallowest wrong counts of each line; a line whose first one is a panic has none.
fn kept(counts: &Counts) -> BTreeMap<String, BTreeMap<u32, u64>> {
    let of_line = |(line, counts): (&String, &BTreeMap<u32, Option<u64>>)| {
        let counts = counts.iter().map_while(|(&depth, &count)| Some((depth, count?)));
        let counts: BTreeMap<u32, u64> = counts.take(DEPTHS_KEPT).collect();
        (!counts.is_empty()).then(|| (line.clone(), counts))
    };
    counts.iter().filter_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fault of the king that castles through check, on Kiwipete: right at depth 1.
    fn fingerprints() -> Fingerprints {
        let mut fingerprints = Fingerprints::default();
        let wrong = [(2, Some(2043)), (3, Some(98_196)), (4, Some(4_110_404))];
        fingerprints.note("through", &Counts::from([("kiwipete".into(), wrong.into())]));
        fingerprints.note("crash", &Counts::from([("kiwipete".into(), [(2, None)].into())]));
        fingerprints
    }

    fn matching_of(line: &str, counts: &[(u32, u64, u64)]) -> usize {
        let counts =
            counts.iter().map(|&(depth, right, counted)| Counted { depth, right, counted });
        fingerprints().matching(line, &counts.collect::<Vec<_>>()).len()
    }

    #[test]
    fn a_count_that_is_wrong_in_the_same_way_is_told() {
        let matching = |counts: &[_]| matching_of("kiwipete", counts);
        assert_eq!(matching(&[(1, 48, 48), (2, 2039, 2043)]), 1);
        assert_eq!(matching(&[(3, 97_862, 98_196)]), 1);
        // Deeper counts are not known.
        assert_eq!(matching(&[(3, 97_862, 98_196), (4, 4_085_603, 5)]), 1);
    }

    #[test]
    fn a_count_that_is_wrong_otherwise_is_not() {
        let matching = |counts: &[_]| matching_of("kiwipete", counts);
        assert_eq!(matching(&[(2, 2039, 2044)]), 0);
        assert_eq!(matching(&[(2, 2039, 2043), (3, 97_862, 97_862)]), 0);
        assert_eq!(matching(&[(1, 48, 47), (2, 2039, 2043)]), 0);
        assert_eq!(matching(&[(2, 2039, 2039)]), 0);
        assert_eq!(matching(&[(4, 4_085_603, 4_110_404)]), 0);
        assert_eq!(matching_of("startpos", &[(2, 400, 401)]), 0);
    }

    #[test]
    fn what_is_written_reads_back() {
        let fingerprints = fingerprints();
        let read: Fingerprints =
            Fingerprints(serde_json::from_str(&fingerprints.to_text()).unwrap());
        assert_eq!(read, fingerprints);
        let empty = Fingerprints::default();
        assert_eq!(Fingerprints(serde_json::from_str(&empty.to_text()).unwrap()), empty);
    }
}
