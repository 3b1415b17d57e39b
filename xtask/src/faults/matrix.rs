//! What was measured, as a whole: who catches what and when, who survives, who hangs by one thread.

use std::collections::BTreeMap;

use super::catalogue::Fault;
use super::checks::{self, Measure, Outcome};
use super::records::Row;
use super::suite_counts::{End, WELL_KNOWN_DEPTH};
use crate::console;
use crate::verdict::Verdict;

/// A fault and what was measured of the tree with it.
pub(super) struct Measured<'a> {
    pub(super) fault: &'a Fault,
    pub(super) row: &'a Row,
}

/// Something that must not be: in a line, with the verdict that follows.
pub(super) struct Trouble {
    pub(super) verdict: Verdict,
    pub(super) told: String,
}

impl Trouble {
    pub(super) fn fail(told: String) -> Trouble {
        Trouble { verdict: Verdict::Fail, told }
    }

    pub(super) fn unknown(told: String) -> Trouble {
        Trouble { verdict: Verdict::Unknown, told }
    }
}

fn is_uncounted(row: &Row) -> bool {
    row.counts.as_ref().is_some_and(|counts| counts.end == End::Unknown)
}

/// What is wrong with a fault: it survives, or the catalogue says something else of it.
pub(super) fn troubles(measured: &Measured<'_>, with_checks: bool) -> Vec<Trouble> {
    let Measured { fault, row } = measured;
    let id = fault.id();
    if let Some(log) = &row.unbuildable {
        let told = format!("{id} does not compile: {}", log.display());
        return vec![Trouble { verdict: Verdict::BadInput, told }];
    }
    let mut troubles = Vec::new();
    if let Some(figures) = &fault.figures
        && figures.counts != row.figures
    {
        let (right, counted) = (&figures.counts, &row.figures);
        troubles
            .push(Trouble::fail(format!("{id}: expected counts {right:?}, counted {counted:?}")));
    }
    if with_checks {
        let catchers: Vec<&str> = row.catches().map(|(check, ..)| check).collect();
        let is_known = |(_, outcome): &(_, Outcome)| !matches!(outcome, Outcome::Unknown(_));
        if catchers.is_empty() && row.outcomes.iter().all(is_known) {
            troubles.push(Trouble::fail(format!("{id} survives every check")));
        } else if !catchers.is_empty() && !catchers.contains(&fault.caught_by()) {
            let must = fault.caught_by();
            troubles.push(Trouble::fail(format!("{id} is caught, but not by {must}")));
        }
        for (check, outcome) in &row.outcomes {
            if let Outcome::Unknown(why) = outcome {
                troubles.push(Trouble::unknown(format!("{id}: {check} could not run: {why}")));
            }
        }
    }
    if is_uncounted(row) {
        troubles.push(Trouble::unknown(format!("{id}: the suites could not be counted")));
    }
    let is_seen = row.counts.as_ref().and_then(|counts| counts.well_known);
    if let (Some(noted), Some(is_seen)) = (fault.well_known, is_seen)
        && noted != is_seen
    {
        let sees = if is_seen { "see" } else { "do not see" };
        let told = format!("{id}: the well-known positions {sees} it to depth 3, unlike noted");
        troubles.push(Trouble::fail(told));
    }
    troubles
}

/// What the tree without a fault raises.
pub(super) fn alarms(row: &Row) -> Vec<Trouble> {
    let mut alarms = Vec::new();
    let seed = row.seed;
    if let Some(log) = &row.unbuildable {
        let told = format!("the tree does not compile: {}", log.display());
        alarms.push(Trouble { verdict: Verdict::BadInput, told });
    }
    for (check, outcome) in &row.outcomes {
        match outcome {
            Outcome::Caught(find, _) => {
                alarms.push(Trouble::fail(format!("clean, seed {seed}: {check} raises {find}")));
            }
            Outcome::Unknown(why) => {
                alarms.push(Trouble::unknown(format!(
                    "clean, seed {seed}: {check} could not run: {why}"
                )));
            }
            Outcome::Censored(_) => {}
        }
    }
    let counts = row.counts.as_ref();
    if counts.is_some_and(|counts| !counts.wrong.is_empty()) {
        alarms.push(Trouble::fail(format!("clean, seed {seed}: the suites are counted wrongly")));
    }
    if let Some(End::Broken(how)) = counts.map(|counts| &counts.end) {
        alarms.push(Trouble::fail(format!(
            "clean, seed {seed}: counting the suites ends with {how}"
        )));
    }
    if is_uncounted(row) {
        alarms
            .push(Trouble::unknown(format!("clean, seed {seed}: the suites could not be counted")));
    }
    alarms
}

/// The faults that exactly one check caught: its name, and why that is enough if somebody said so.
pub(super) fn fragile<'a>(measured: &[Measured<'a>]) -> Vec<(&'a str, &'a str, Option<&'a str>)> {
    let only = |Measured { fault, row }: &Measured<'a>| {
        let mut catches = row.catches();
        let (check, ..) = catches.next()?;
        catches.next().is_none().then(|| (fault.id(), check, fault.one_catcher.as_deref()))
    };
    measured.iter().filter_map(only).collect()
}

/// The seconds of the check that was the first to catch each fault.
fn detection_times(measured: &[Measured<'_>]) -> Vec<f64> {
    let first = |Measured { row, .. }: &Measured<'_>| {
        row.catches().map(|(.., measure)| measure.seconds).min_by(f64::total_cmp)
    };
    let mut times: Vec<f64> = measured.iter().filter_map(first).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// How many faults counting finds at each depth.
fn perft_depths(measured: &[Measured<'_>]) -> BTreeMap<u64, usize> {
    let mut depths = BTreeMap::new();
    for Measured { row, .. } in measured {
        let depth = row.catches().find(|(check, ..)| *check == "perft");
        if let Some(depth) = depth.and_then(|(.., measure)| measure.depth) {
            *depths.entry(depth).or_default() += 1;
        }
    }
    depths
}

/// Prints the matrix: a row for each fault, a column for each check.
pub(super) fn print(measured: &[Measured<'_>]) {
    let names: Vec<&str> = checks::names().collect();
    let width = measured.iter().map(|one| one.fault.id().len()).max().unwrap_or(0);
    let header: Vec<String> = names.iter().map(|name| format!("{name:>8}")).collect();
    console::result(format!("{:width$} {}", "", header.join(" ")));
    for Measured { fault, row } in measured {
        let cells: Vec<String> =
            names.iter().map(|name| format!("{:>8}", cell(fault, row, name))).collect();
        console::result(format!("{:width$} {}", fault.id(), cells.join(" ")));
    }
    console::result(
        "d3: caught at depth 3; 0.2s: caught after so long; ….: nothing within the time; n/a: cannot see it",
    );
}

fn cell(fault: &Fault, row: &Row, check: &str) -> String {
    if !checks::sees(fault.kind, check) {
        return String::from("n/a");
    }
    match row.outcomes.iter().find(|(name, _)| name == check) {
        Some((_, Outcome::Caught(_, Measure { depth: Some(depth), .. }))) => format!("d{depth}"),
        Some((_, Outcome::Caught(_, measure))) => format!("{:.1}s", measure.seconds),
        Some((_, Outcome::Censored(_))) => String::from("…."),
        Some((_, Outcome::Unknown(_))) => String::from("?"),
        None => String::from("-"),
    }
}

/// The numbers of a whole run.
pub(super) struct Numbers {
    pub(super) faults: usize,
    pub(super) caught: usize,
    pub(super) unseen_by_well_known: usize,
    /// In seconds, of the check that was first.
    pub(super) median_detection: Option<f64>,
    pub(super) perft_depths: BTreeMap<u64, usize>,
}

impl Numbers {
    pub(super) fn of(measured: &[Measured<'_>]) -> Numbers {
        let times = detection_times(measured);
        let is_unseen = |one: &&Measured<'_>| {
            one.row.counts.as_ref().is_some_and(|counts| counts.well_known == Some(false))
        };
        let unseen = measured.iter().filter(is_unseen);
        Numbers {
            faults: measured.len(),
            caught: times.len(),
            unseen_by_well_known: unseen.count(),
            median_detection: times.get(times.len() / 2).copied(),
            perft_depths: perft_depths(measured),
        }
    }

    pub(super) fn print(&self) {
        let median = self.median_detection.map_or(String::from("UNKNOWN"), |s| format!("{s:.2} s"));
        console::result(format!(
            "{} of {} faults caught; median time to detection {median}; {} not seen by perft to \
             depth {WELL_KNOWN_DEPTH} of the six well-known positions",
            self.caught, self.faults, self.unseen_by_well_known
        ));
        for (depth, faults) in &self.perft_depths {
            console::result(format!("perft catches {faults} at depth {depth}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::suite_counts::SuiteCounts;
    use crate::fingerprints::Counts;

    fn fault(more: &str) -> Fault {
        let text = format!(
            "id = 'a'\nkind = 'moves'\nfile = 'f'\nfind = 'x'\nput = 'y'\nrule = 'R7'\n\
             caught_by = 'perft'\n{more}"
        );
        toml::from_str(&text).unwrap()
    }

    fn row(catchers: &[&str], censored: &[&str], wrong: &[(&str, u32)]) -> Row {
        let caught = |&name: &&str| {
            let measure = Measure { seconds: name.len() as f64, ..Measure::default() };
            (name.to_string(), Outcome::Caught("find".into(), measure))
        };
        let nothing = |&name: &&str| (name.to_string(), Outcome::Censored(Measure::default()));
        let outcomes = catchers.iter().map(caught).chain(censored.iter().map(nothing)).collect();
        let wrong: Counts =
            wrong.iter().map(|&(line, depth)| (line.into(), [(depth, Some(1))].into())).collect();
        let well_known = Some(wrong.contains_key("kiwipete"));
        let counts = Some(SuiteCounts { wrong, end: End::Whole, well_known });
        Row { id: "a".into(), outcomes, counts, ..Row::default() }
    }

    fn told(fault: &Fault, row: &Row) -> Vec<String> {
        let troubles = troubles(&Measured { fault, row }, true);
        troubles.into_iter().map(|trouble| trouble.told).collect()
    }

    #[test]
    fn a_fault_that_nobody_catches_survives() {
        let row = row(&[], &["perft", "state"], &[]);
        assert_eq!(told(&fault("well_known = false"), &row), ["a survives every check"]);
    }

    #[test]
    fn the_check_that_must_catch_it_is_held_to_that() {
        let fault = fault("well_known = false");
        assert_eq!(
            told(&fault, &row(&["state"], &["perft"], &[])),
            ["a is caught, but not by perft"]
        );
        assert!(told(&fault, &row(&["perft"], &["state"], &[])).is_empty());
    }

    #[test]
    fn what_the_well_known_positions_see_is_as_noted() {
        let fault = fault("well_known = true");
        assert!(told(&fault, &row(&["perft"], &[], &[("kiwipete", 2)])).is_empty());
        let mut unseen = row(&["perft"], &[], &[("castle-check-short", 1)]);
        assert_eq!(told(&fault, &unseen).len(), 1);
        unseen.counts.as_mut().unwrap().well_known = None;
        assert!(told(&fault, &unseen).is_empty(), "nobody knows");
    }

    #[test]
    fn what_could_not_be_done_is_unknown() {
        let verdicts = |row: &Row| -> Vec<Verdict> {
            let fault = fault("");
            let troubles = troubles(&Measured { fault: &fault, row }, true);
            troubles.into_iter().map(|trouble| trouble.verdict).collect()
        };
        let mut row = row(&[], &[], &[]);
        row.outcomes.push((String::from("perft"), Outcome::Unknown("why".into())));
        assert_eq!(verdicts(&row), [Verdict::Unknown]);
        row.counts = Some(SuiteCounts::default());
        assert_eq!(verdicts(&row), [Verdict::Unknown; 2]);
        assert_eq!(alarms(&row).len(), 2);
    }

    #[test]
    fn figures_that_are_not_met_fail() {
        let fault = fault("well_known = true\nfigures = { fen = '', counts = [48, 2043] }");
        let mut row = row(&["perft"], &[], &[("kiwipete", 2)]);
        assert_eq!(told(&fault, &row), ["a: expected counts [48, 2043], counted []"]);
        row.figures = vec![48, 2043];
        assert!(told(&fault, &row).is_empty());
    }

    #[test]
    fn a_fault_with_one_catcher_is_fragile() {
        let fault = fault("well_known = false\none_catcher = 'why'");
        let (one, two) = (row(&["perft"], &["state"], &[]), row(&["perft", "state"], &[], &[]));
        let of = |row| fragile(&[Measured { fault: &fault, row }]);
        assert_eq!(of(&one), [("a", "perft", Some("why"))]);
        assert!(of(&two).is_empty());
    }

    #[test]
    fn an_alarm_on_the_clean_tree_fails() {
        assert_eq!(alarms(&row(&["perft"], &["state"], &[])).len(), 1);
        assert_eq!(alarms(&row(&[], &["perft"], &[("kiwipete", 2)])).len(), 1);
        assert!(alarms(&row(&[], &["perft", "state"], &[])).is_empty());
        let mut crashed = row(&[], &["perft"], &[]);
        crashed.counts.as_mut().unwrap().end = End::Broken(String::from("signal: 6"));
        assert_eq!(alarms(&crashed).len(), 1);
    }

    #[test]
    fn the_first_check_decides_on_the_time_to_detection() {
        let fault = fault("well_known = false");
        let rows = [row(&["perft", "san"], &[], &[]), row(&["symmetry"], &[], &[])];
        let measured: Vec<_> = rows.iter().map(|row| Measured { fault: &fault, row }).collect();
        assert_eq!(detection_times(&measured), [3.0, 8.0]);
    }
}
