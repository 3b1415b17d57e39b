//! Guided fuzzing of a planted fault, for faults that hardly any other check sees: it is dear, and asks for nightly Rust.

use std::io;
use std::time::{Duration, Instant};

use touchmove_oracles::checks::CHECKS;
use touchmove_oracles::targets::{self, Target};

use super::catalogue::Kind;
use super::checks::{self, Measure, Outcome};
use crate::fuzz::lab::{Budget, Lab};
use crate::interrupt;
use crate::verdict::Verdict;

/// Its name among the checks.
pub(super) const GUIDED: &str = "guided";

/// Which rows are fuzzed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum When {
    /// None: the tools are not there.
    Never,
    /// The tree without a fault, and faults that fewer than two other checks caught.
    Hidden,
    /// All.
    Always,
}

impl When {
    /// Whether a row is fuzzed that so many checks caught.
    pub(super) fn asks_for(self, is_clean: bool, catchers: usize) -> bool {
        match self {
            When::Never => false,
            When::Hidden => is_clean || catchers < 2,
            When::Always => true,
        }
    }
}

/// The targets that judge what such a fault breaks; all of them for the tree without one.
pub(super) fn targets_of(kind: Option<Kind>) -> Vec<&'static Target> {
    let can_see = |name: &str| kind.is_none_or(|kind| checks::sees(kind, name));
    let names = CHECKS.iter().filter(|check| can_see(check.name)).flat_map(|check| check.targets);
    names.filter_map(|name| targets::named(name)).collect()
}

/// Builds and runs one target after another, each for this time, up to the first find.
pub(super) fn run(lab: &Lab, targets: &[&'static Target], time: Duration) -> io::Result<Outcome> {
    let mut measure = Measure { unit: String::from("inputs"), ..Measure::default() };
    for target in targets {
        if interrupt::is_interrupted() {
            break;
        }
        match lab.build(target)? {
            Verdict::Pass => {}
            _ => return Ok(Outcome::Unknown(format!("{} does not build", target.name))),
        }
        // What was kept for another fault is none of this one's.
        lab.clear(target, 0)?;
        let start = Instant::now();
        let ended = lab.run(target, 0, Budget::Time(time))?;
        measure.seconds += start.elapsed().as_secs_f64();
        measure.done += ended.executions;
        let told = format!("{}: {}", target.name, ended.status);
        match (ended.artifacts.is_empty(), ended.status.success()) {
            (false, _) => return Ok(Outcome::Caught(told, measure)),
            // Without an input it was not the fault that ended it, or nobody knows.
            (true, false) => return Ok(Outcome::Unknown(told)),
            (true, true) => {}
        }
    }
    Ok(match measure.done {
        0 => Outcome::Unknown(String::from("nothing was executed")),
        _ => Outcome::Censored(measure),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_faults_are_those_of_fewer_than_two_catchers() {
        assert!(When::Hidden.asks_for(false, 1) && !When::Hidden.asks_for(false, 2));
        assert!(When::Hidden.asks_for(true, 0) && !When::Never.asks_for(false, 0));
        assert!(When::Always.asks_for(false, 9));
    }

    #[test]
    fn every_target_is_run_on_the_tree_without_a_fault() {
        let names = |kind| targets_of(kind).iter().map(|target| target.name).collect::<Vec<_>>();
        let mut all = names(None);
        all.sort_unstable();
        let mut expected: Vec<_> = targets::TARGETS.iter().map(|target| target.name).collect();
        expected.sort_unstable();
        assert_eq!(all, expected);
        assert_eq!(names(Some(Kind::Pgn)), ["pgn_text", "pgn_roundtrip"]);
        assert!(names(Some(Kind::Table)).is_empty());
    }
}
