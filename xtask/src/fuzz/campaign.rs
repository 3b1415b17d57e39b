//! A campaign: targets share a budget, go on after a find, and are started again when they die.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use touchmove_oracles::replay::judge;
use touchmove_oracles::targets::{CANARY, TARGETS, Target};

use super::finds::{self, Find};
use super::lab::{Artifact, Budget, Ended, Lab};
use crate::verdict::Verdict;
use crate::{console, interrupt};

/// A target with so many finds in one turn gets no more time in it.
const FINDS_MAX: usize = 20;
/// A target that died so often without saying why is not started again.
const DEATHS_MAX: usize = 3;
/// A lane that the same inputs end so often in a row gives up.
const REPEATS_MAX: usize = 3;
/// In so many executions the canary must be found; it takes some ten thousand.
const CANARY_RUNS: u64 = 3_000_000;
/// No turn is longer than this: who is stopped early has then seen every target.
const ROUND: Duration = Duration::from_secs(60 * 60);

/// What a target came to.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) executions: u64,
    pub(super) took: Duration,
    pub(super) edges: u64,
    pub(super) finds: Vec<Find>,
    pub(super) deaths: usize,
    /// The disk did not hold what was to be written.
    is_unwritten: bool,
    is_interrupted: bool,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.executions += other.executions;
        self.edges = self.edges.max(other.edges);
        self.finds.extend(other.finds);
        self.deaths += other.deaths;
        self.took += other.took;
        self.is_unwritten |= other.is_unwritten;
        self.is_interrupted |= other.is_interrupted;
    }

    /// Executions a second, of all threads together.
    pub(super) fn rate(&self) -> f64 {
        self.executions as f64 / self.took.as_secs_f64().max(1e-9)
    }

    /// How often each find was met.
    pub(super) fn grouped(&self) -> BTreeMap<&str, (usize, &Find)> {
        let mut groups: BTreeMap<&str, (usize, &Find)> = BTreeMap::new();
        for find in &self.finds {
            groups.entry(&find.what).or_insert((0, find)).0 += 1;
        }
        groups
    }

    /// How many different inputs were found.
    pub(super) fn distinct(&self) -> usize {
        self.finds.iter().map(|find| &find.bytes).collect::<BTreeSet<_>>().len()
    }

    pub(super) fn verdict(&self) -> Verdict {
        let is_whole = self.deaths == 0 && self.executions > 0 && !self.is_unwritten;
        match (self.finds.is_empty(), self.is_interrupted, is_whole) {
            (false, ..) => Verdict::Fail,
            (true, true, _) => Verdict::Interrupted,
            (true, false, true) => Verdict::Pass,
            (true, false, false) => Verdict::Unknown,
        }
    }

    /// Why there is no verdict.
    pub(super) fn doubt(&self) -> Option<&'static str> {
        match (self.verdict(), self.is_unwritten, self.deaths) {
            (Verdict::Unknown, true, _) => Some("the disk is full: what was found may be lost"),
            (Verdict::Unknown, false, 1..) => Some("it died without an input; its log says more"),
            (Verdict::Unknown, false, 0) => Some("its time was over before anything was executed"),
            _ => None,
        }
    }
}

/// Runs one target on all threads; its budget is for all of them.
pub(super) fn turn(lab: &Lab, target: &'static Target, budget: Budget, threads: usize) -> Tally {
    let start = Instant::now();
    let each = match budget {
        Budget::Time(time) => Budget::Time(time),
        Budget::Runs(runs) => Budget::Runs(runs.div_ceil(threads as u64)),
    };
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let run = |number| {
            scope.spawn(move || {
                let keep =
                    |artifact: &Artifact| finds::keep(target, artifact, &lab.program(target));
                lane(target.name, each, |left| lab.run(target, number, left), keep)
            })
        };
        let lanes: Vec<_> = (0..threads).map(run).collect();
        for lane in lanes {
            tally.add(lane.join().expect("a lane does not panic"));
        }
    });
    tally.took = start.elapsed();
    tally
}

/// One process after another, until the budget is used up, or there is no sense in another.
fn lane(
    name: &str,
    budget: Budget,
    mut run: impl FnMut(Budget) -> io::Result<Ended>,
    keep: impl Fn(&Artifact) -> Find,
) -> Tally {
    let start = Instant::now();
    let (mut tally, mut left, mut repeats) = (Tally::default(), Some(budget.at_least()), 0);
    while let Some(budget_left) = left
        && !interrupt::is_interrupted()
    {
        let distinct = tally.distinct();
        match run(budget_left) {
            Ok(ended) => {
                let is_done = ended.status.success();
                let is_stopped = ended.status.code() == Some(INTERRUPTED);
                let found: Vec<Find> = ended.artifacts.iter().map(&keep).collect();
                tally.deaths += usize::from(!is_done && !is_stopped && found.is_empty());
                let (executions, edges) = (ended.executions, ended.edges);
                let is_unwritten = !ended.is_written;
                repeats = if found.is_empty() { 0 } else { repeats + 1 };
                tally.add(Tally {
                    executions,
                    edges,
                    finds: found,
                    is_unwritten,
                    ..Tally::default()
                });
                if is_done {
                    break;
                }
            }
            Err(error) => {
                console::complain(&format!("{name} could not run: {error}"));
                tally.deaths += 1;
            }
        }
        if tally.distinct() > distinct {
            repeats = 0;
        }
        let gives_up = [
            (tally.distinct() >= FINDS_MAX, "it has finds enough for one turn"),
            (tally.deaths >= DEATHS_MAX, "it died again and again without an input"),
            (repeats >= REPEATS_MAX, "the same input ends it again and again, a seed perhaps"),
        ];
        if let Some((_, why)) = gives_up.into_iter().find(|&(gives_up, _)| gives_up) {
            console::status(format!("{name}: gives up, {why}"));
            break;
        }
        left = budget.left(start, tally.executions);
    }
    tally.is_interrupted = interrupt::is_interrupted();
    tally
}

/// With this code libFuzzer exits when it was asked to stop.
const INTERRUPTED: i32 = 72;

impl Budget {
    /// A process that gets less than a second does nothing.
    const LEAST: Duration = Duration::from_secs(1);

    fn at_least(self) -> Budget {
        match self {
            Budget::Time(time) => Budget::Time(time.max(Budget::LEAST)),
            runs @ Budget::Runs(_) => runs,
        }
    }

    /// What is left of it, if anything worth starting for.
    fn left(self, start: Instant, executions: u64) -> Option<Budget> {
        match self {
            Budget::Time(time) => {
                let left = time.checked_sub(start.elapsed())?;
                (left >= Budget::LEAST).then_some(Budget::Time(left))
            }
            Budget::Runs(runs) => {
                let left = runs.checked_sub(executions)?;
                (left > 0).then_some(Budget::Runs(left))
            }
        }
    }
}

/// Whether the canary is found, as it must be: where it is not, no silence means anything. It is searched for from
/// the start, and what is found was planted and is not kept.
pub(super) fn canary(lab: &Lab) -> Verdict {
    let cleared = lab.clear(&CANARY, 0);
    match cleared.and_then(|()| lab.run(&CANARY, 0, Budget::Runs(CANARY_RUNS))) {
        Ok(ended) => {
            let found = ended.artifacts.iter().filter_map(|artifact| artifact.bytes.as_deref());
            let is_found = |bytes: &[u8]| judge(&CANARY, bytes).is_ok_and(|told| !told.is_clean());
            match found.into_iter().any(is_found) {
                true => Verdict::Pass,
                false if interrupt::is_interrupted() => Verdict::Interrupted,
                false if !ended.is_written => Verdict::Unknown,
                false => Verdict::Fail,
            }
        }
        Err(error) => {
            console::complain(&format!("the canary could not run: {error}"));
            Verdict::Unknown
        }
    }
}

/// All targets, each with its share, in rounds.
pub(super) fn all(lab: &Lab, budget: Budget, threads: usize) -> Vec<(&'static str, Tally)> {
    let rounds = match budget {
        // Times of at most a year are asked for.
        Budget::Time(time) => time.as_secs().div_ceil(ROUND.as_secs()).max(1) as u32,
        Budget::Runs(_) => 1,
    };
    let weights: u32 = TARGETS.iter().map(|target| target.weight).sum();
    let mut tallies: Vec<_> =
        TARGETS.iter().map(|target| (target.name, Tally::default())).collect();
    for _ in 0..rounds {
        for (target, (_, tally)) in TARGETS.iter().zip(&mut tallies) {
            if interrupt::is_interrupted() {
                tally.is_interrupted = true;
                continue;
            }
            let share = match budget {
                Budget::Time(time) => Budget::Time(time / rounds * target.weight / weights),
                runs @ Budget::Runs(_) => runs,
            };
            tally.add(turn(lab, target, share, threads));
        }
    }
    tallies
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;

    /// A process that exits so, after so many executions, with inputs of these names.
    fn ended(code: i32, executions: u64, inputs: &[&str]) -> Ended {
        let artifact = |name: &&str| Artifact { path: name.into(), bytes: Some(Vec::new()) };
        Ended {
            status: ExitStatus::from_raw(code << 8),
            executions,
            edges: 1,
            artifacts: inputs.iter().map(artifact).collect(),
            is_written: true,
        }
    }

    fn keep(artifact: &Artifact) -> Find {
        let bytes = artifact.path.clone();
        Find { target: "x", what: String::from("what"), bytes, command: String::new() }
    }

    #[test]
    fn a_seed_that_ends_every_process_is_one_find() {
        let mut processes = 0;
        let run = |_| {
            processes += 1;
            Ok(ended(77, 5, &["crash-seed"]))
        };
        let tally = lane("x", Budget::Time(Duration::from_secs(3600)), run, keep);
        assert_eq!((tally.distinct(), tally.verdict()), (1, Verdict::Fail));
        assert_eq!(processes, 1 + REPEATS_MAX);
    }

    #[test]
    fn a_lane_goes_on_after_a_find_until_its_budget_is_used_up() {
        let mut processes = 0;
        let run = |left| {
            processes += 1;
            assert_eq!(left, Budget::Runs(100 - 40 * (processes - 1)));
            Ok(ended(77, 40, &[&format!("crash-{processes}")]))
        };
        let tally = lane("x", Budget::Runs(100), run, keep);
        assert_eq!((tally.distinct(), tally.executions), (3, 120));
    }

    #[test]
    fn a_second_is_the_least_that_a_lane_gets() {
        let run = |left| {
            assert_eq!(left, Budget::Time(Duration::from_secs(1)));
            Ok(ended(0, 9, &[]))
        };
        let tally = lane("x", Budget::Time(Duration::from_millis(3)), run, keep);
        assert_eq!((tally.verdict(), tally.doubt()), (Verdict::Pass, None));
    }

    /// Nothing executed, deaths without an input, a full disk: unknown, and why.
    #[test]
    fn a_lane_that_shows_nothing_says_why() {
        let full = |_| Ok(Ended { is_written: false, ..ended(0, 9, &[]) });
        for (tally, why) in [
            (lane("x", Budget::Runs(9), |_| Ok(ended(0, 0, &[])), keep), "its time was over"),
            (lane("x", Budget::Runs(9), |_| Ok(ended(1, 0, &[])), keep), "it died without"),
            (lane("x", Budget::Runs(9), full, keep), "the disk is full"),
        ] {
            assert_eq!(tally.verdict(), Verdict::Unknown);
            assert!(tally.doubt().unwrap().starts_with(why), "{:?}", tally.doubt());
        }
    }
}
