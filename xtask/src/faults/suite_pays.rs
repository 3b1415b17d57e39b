//! What the lines of the suites are good for: which planted faults each shows that no other line does.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::disk;
use crate::fingerprints::{Fingerprints, NODES_MAX};

/// The file with the table, from the root of the workspace.
const README: &str = "perft-data/README.md";
const BEGIN: &str = "<!-- planted faults: written by `cargo xtask faults --write` -->\n";
const END: &str = "<!-- end of planted faults -->\n";

/// Writes the table into the README of the suites.
pub(super) fn write(workspace: &Path, fingerprints: &Fingerprints) -> anyhow::Result<()> {
    let path = workspace.join(README);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {README}"))?;
    let written = with_table(&text, fingerprints)
        .with_context(|| format!("{README} has no place for the table"))?;
    disk::write(&path, written).with_context(|| format!("cannot write {README}"))
}

fn with_table(text: &str, fingerprints: &Fingerprints) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, behind) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{}\n{END}{behind}", table(fingerprints)))
}

fn table(fingerprints: &Fingerprints) -> String {
    let lines_of_faults: BTreeMap<&str, Vec<&str>> = fingerprints.lines_of_faults().collect();
    let mut alone: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut showing: BTreeSet<&str> = BTreeSet::new();
    for (&fault, lines) in &lines_of_faults {
        showing.extend(lines);
        if let [line] = lines.as_slice() {
            alone.entry(line).or_default().push(fault);
        }
    }
    let mut table = format!(
        "{} planted faults change a count of at most {NODES_MAX} nodes, and {} lines show at least one of \
         them.\nThese show faults that no other line does:\n\n\
         | line | faults that it alone shows |\n|---|---|\n",
        lines_of_faults.len(),
        showing.len(),
    );
    for (line, faults) in alone {
        let _ = writeln!(table, "| `{line}` | {} |", faults.join(", "));
    }
    table.push_str("\nFaults that few lines show:\n\n| fault | lines |\n|---|---|\n");
    for (fault, lines) in lines_of_faults.iter().filter(|(_, lines)| (2..=4).contains(&lines.len()))
    {
        let _ = writeln!(table, "| {fault} | `{}` |", lines.join("`, `"));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::Counts;

    #[test]
    fn the_table_is_that_of_the_fingerprints() {
        let workspace = crate::job::workspace_root();
        let text = fs::read_to_string(workspace.join(README)).unwrap();
        let fingerprints = Fingerprints::read(&workspace).unwrap();
        let is_same = with_table(&text, &fingerprints).is_some_and(|written| written == text);
        assert!(is_same, "renew it by `cargo xtask faults --write`");
    }

    #[test]
    fn a_line_pays_by_what_it_alone_shows() {
        let wrong = |line: &str| (line.to_string(), [(2, Some(7))].into());
        let mut fingerprints = Fingerprints::default();
        fingerprints.note("a", &Counts::from([wrong("one")]));
        fingerprints.note("b", &Counts::from([wrong("one"), wrong("two")]));
        let text = format!("before\n{BEGIN}old\n{END}behind\n");
        let written = with_table(&text, &fingerprints).unwrap();
        assert!(written.contains("| `one` | a |\n") && !written.contains("| `two` |"));
        assert!(written.contains("| b | `one`, `two` |"));
        assert!(written.starts_with("before\n") && written.ends_with("behind\n"));
        assert_eq!(with_table(&written, &fingerprints), Some(written.clone()));
        assert_eq!(with_table("no place", &fingerprints), None);
    }
}
