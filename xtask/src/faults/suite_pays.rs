//! What the lines of the suites are good for: which planted faults each shows that no other line does, and which
//! lines could go.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;
use touchmove::UciMode;
use touchmove_oracles::suite::{Line, Suite};

use crate::disk;
use crate::fingerprints::{Fingerprints, NODES_MAX};

/// The suites, and the file with the table, from the root of the workspace.
const SUITES: [&str; 2] = ["perft-data/standard.epd", "perft-data/chess960.epd"];
const README: &str = "perft-data/README.md";
const BEGIN: &str = "<!-- planted faults: written by `cargo xtask faults --write` -->\n";
const END: &str = "<!-- end of planted faults -->\n";

/// What there is to say of the suites.
pub(super) struct SuitePays {
    lines: Vec<Worth>,
}

/// A line, together with its mirror image where the suites have it: what shows faults of one colour is there for both.
struct Worth {
    name: String,
    mode: UciMode,
    events: BTreeSet<String>,
    nodes: u64,
    /// The faults that it shows, and at which depth first.
    shows: BTreeMap<String, u32>,
}

impl Worth {
    fn of(line: &Line) -> Worth {
        Worth {
            name: line.name(),
            mode: line.mode,
            events: line.events.iter().cloned().collect(),
            nodes: line.counts.iter().map(|(_, nodes)| nodes).sum(),
            shows: BTreeMap::new(),
        }
    }

    fn take_in(&mut self, mirror: Worth) {
        self.events.extend(mirror.events);
        self.nodes += mirror.nodes;
    }

    fn show(&mut self, fault: &str, depth: u32) {
        let first = self.shows.entry(fault.to_string()).or_insert(depth);
        *first = depth.min(*first);
    }

    /// Whether the other line adds nothing to this one: no fault, none sooner, no event, and it costs no less.
    fn covers(&self, other: &Worth) -> bool {
        let is_as_soon = |(fault, depth): (&String, &u32)| {
            self.shows.get(fault).is_some_and(|ours| ours <= depth)
        };
        self.mode == other.mode
            && self.nodes <= other.nodes
            && other.events.is_subset(&self.events)
            && other.shows.iter().all(is_as_soon)
    }
}

impl SuitePays {
    pub(super) fn of(workspace: &Path, fingerprints: &Fingerprints) -> anyhow::Result<SuitePays> {
        let mut lines = Vec::new();
        for path in SUITES {
            let suite = Suite::read(workspace.join(path));
            lines.extend(suite.with_context(|| format!("cannot read {path}"))?.lines);
        }
        Ok(SuitePays::of_lines(&lines, fingerprints))
    }

    fn of_lines(lines: &[Line], fingerprints: &Fingerprints) -> SuitePays {
        let mut worths: Vec<Worth> = Vec::new();
        // By the FEN of a position, and by that of its mirror image.
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut place_of_name: BTreeMap<String, usize> = BTreeMap::new();
        for line in lines {
            let setup = line.position.to_setup();
            let place = match places.get(&setup.to_string()) {
                Some(&place) => {
                    worths[place].take_in(Worth::of(line));
                    place
                }
                None => {
                    worths.push(Worth::of(line));
                    worths.len() - 1
                }
            };
            places.insert(setup.flip().to_string(), place);
            place_of_name.insert(line.name(), place);
        }
        for (fault, line, depth) in fingerprints.shown() {
            if let Some(&place) = place_of_name.get(line) {
                worths[place].show(fault, depth);
            }
        }
        SuitePays { lines: worths }
    }

    /// Lines that could go, each with one that covers it.
    pub(super) fn idle(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().enumerate().filter_map(|(place, line)| {
            let others = self.lines.iter().enumerate().filter(|&(other, _)| other != place);
            let by = others.map(|(_, other)| other).find(|other| other.covers(line))?;
            Some((line.name.as_str(), by.name.as_str()))
        })
    }

    /// Writes the table into the README of the suites.
    pub(super) fn write(&self, workspace: &Path) -> anyhow::Result<()> {
        let path = workspace.join(README);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {README}"))?;
        let written =
            self.in_text(&text).with_context(|| format!("{README} has no place for the table"))?;
        disk::write(&path, written).with_context(|| format!("cannot write {README}"))
    }

    fn in_text(&self, text: &str) -> Option<String> {
        let (before, rest) = text.split_once(BEGIN)?;
        let (_, behind) = rest.split_once(END)?;
        Some(format!("{before}{BEGIN}\n{}\n{END}{behind}", self.table()))
    }

    fn table(&self) -> String {
        let mut lines_of_faults: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for line in &self.lines {
            for fault in line.shows.keys() {
                lines_of_faults.entry(fault).or_default().push(&line.name);
            }
        }
        let mut table = format!(
            "{} planted faults change a count of at most {NODES_MAX} nodes, and {} of {} lines show at \
             least one of them.\nA line and its mirror image count as one. Faults that few lines show:\n\n\
             | fault | lines |\n|---|---|\n",
            lines_of_faults.len(),
            self.lines.iter().filter(|line| !line.shows.is_empty()).count(),
            self.lines.len(),
        );
        for (fault, lines) in lines_of_faults.iter().filter(|(_, lines)| lines.len() <= 4) {
            let _ = writeln!(table, "| {fault} | `{}` |", lines.join("`, `"));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::Counts;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66";
    const MIRROR: &str = "4k2r/8/8/8/8/8/8/4K3 b k - 0 1 ;D1 15 ;D2 66";

    fn suite_pays(lines: &[String], wrong: &[(&str, &str, u32)]) -> SuitePays {
        let suite = Suite::parse("test", lines.join("\n").as_bytes());
        assert_eq!(suite.errors, []);
        let mut fingerprints = Fingerprints::default();
        for &(fault, line, depth) in wrong {
            let counts = Counts::from([(line.to_string(), [(depth, Some(7))].into())]);
            fingerprints.note(fault, &counts);
        }
        SuitePays::of_lines(&suite.lines, &fingerprints)
    }

    fn idle(lines: &[String], wrong: &[(&str, &str, u32)]) -> Vec<String> {
        let pays = suite_pays(lines, wrong);
        pays.idle().map(|(idle, by)| format!("{idle} by {by}")).collect()
    }

    #[test]
    fn the_table_is_that_of_the_fingerprints() {
        let workspace = crate::job::workspace_root();
        let text = fs::read_to_string(workspace.join(README)).unwrap();
        let fingerprints = Fingerprints::read(&workspace).unwrap();
        let pays = SuitePays::of(&workspace, &fingerprints).unwrap();
        let is_same = pays.in_text(&text).is_some_and(|written| written == text);
        assert!(is_same, "renew it by `cargo xtask faults --write`");
    }

    #[test]
    fn a_line_pays_by_a_fault_an_event_or_by_being_cheap() {
        let more = |more: &str| format!("4k3/8/8/8/8/8/7P/4K2R w K - 0 1 ;D1 12 {more}");
        let line = |more: &str| format!("{KINGS} {more}");
        let two = |one: &str, other: &str| {
            [line(&format!(";id one {one}")), more(&format!(";id other {other}"))]
        };
        assert_eq!(idle(&two("", ""), &[]), ["one by other"]);
        assert_eq!(idle(&two("", ""), &[("a", "other", 2)]), ["one by other"]);
        assert!(idle(&two("", ""), &[("a", "one", 2)]).is_empty());
        assert!(idle(&two(";c0 check", ""), &[]).is_empty());
        assert_eq!(idle(&two(";c0 check", ";c0 castle,check"), &[]), ["one by other"]);
    }

    #[test]
    fn a_line_and_its_mirror_image_are_one() {
        let lines = [format!("{KINGS} ;id one"), format!("{MIRROR} ;id one-black")];
        let pays = suite_pays(&lines, &[("a", "one-black", 2)]);
        assert_eq!(pays.lines.len(), 1);
        assert_eq!((pays.lines[0].nodes, pays.lines[0].shows["a"]), (162, 2));
        assert_eq!(pays.idle().count(), 0);
    }

    #[test]
    fn the_table_is_put_in_its_place() {
        let pays = suite_pays(&[format!("{KINGS} ;id one")], &[("a", "one", 2)]);
        let text = format!("before\n{BEGIN}old\n{END}behind\n");
        let written = pays.in_text(&text).unwrap();
        assert!(written.contains("| a | `one` |\n"));
        assert!(written.starts_with("before\n") && written.ends_with("behind\n"));
        assert_eq!(pays.in_text(&written), Some(written.clone()));
        assert_eq!(pays.in_text("no place"), None);
    }
}
