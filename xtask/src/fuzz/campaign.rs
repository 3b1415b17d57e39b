//! A campaign: targets share a budget, go on after a find, and are started again when they die.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use touchmove_oracles::targets::{CANARY, TARGETS, Target};

use super::finds::{self, Find};
use super::lab::{Budget, Lab};
use crate::verdict::Verdict;
use crate::{console, interrupt};

/// A target with so many finds in one turn gets no more time in it.
const FINDS_MAX: usize = 20;
/// A target that died so often without saying why is not started again.
const DEATHS_MAX: usize = 3;
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
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.executions += other.executions;
        self.edges = self.edges.max(other.edges);
        self.finds.extend(other.finds);
        self.deaths += other.deaths;
        self.took += other.took;
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

    pub(super) fn verdict(&self) -> Verdict {
        match (self.finds.len(), self.deaths, self.executions) {
            (0, 0, 1..) => Verdict::Pass,
            (0, ..) => Verdict::Unknown,
            _ => Verdict::Fail,
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
        let run = |number| scope.spawn(move || lane(lab, target, number, each));
        let lanes: Vec<_> = (0..threads).map(run).collect();
        for lane in lanes {
            tally.add(lane.join().expect("a lane does not panic"));
        }
    });
    tally.took = start.elapsed();
    tally
}

/// One process after another, until the budget is used up.
fn lane(lab: &Lab, target: &'static Target, number: usize, budget: Budget) -> Tally {
    let start = Instant::now();
    let mut tally = Tally::default();
    while let Some(left) = left(budget, start, tally.executions)
        && tally.finds.len() < FINDS_MAX
        && tally.deaths < DEATHS_MAX
        && !interrupt::is_interrupted()
    {
        match lab.run(target, number, left) {
            Ok(ended) => {
                let is_done = ended.status.success();
                let found = keep(target, &ended.artifacts);
                let is_stopped = ended.status.code() == Some(INTERRUPTED);
                tally.deaths += usize::from(!is_done && !is_stopped && found.is_empty());
                let (executions, edges) = (ended.executions, ended.edges);
                tally.add(Tally { executions, edges, finds: found, ..Tally::default() });
                if is_done {
                    break;
                }
            }
            Err(error) => {
                console::complain(&format!("{} could not run: {error}", target.name));
                tally.deaths += 1;
            }
        }
    }
    tally
}

/// With this code libFuzzer exits when it was asked to stop.
const INTERRUPTED: i32 = 72;

/// What is left of a budget, if anything worth starting for.
fn left(budget: Budget, start: Instant, executions: u64) -> Option<Budget> {
    match budget {
        Budget::Time(time) => {
            let left = time.checked_sub(start.elapsed())?;
            (left >= Duration::from_secs(1)).then_some(Budget::Time(left))
        }
        Budget::Runs(runs) => {
            let left = runs.checked_sub(executions)?;
            (left > 0).then_some(Budget::Runs(left))
        }
    }
}

fn keep(target: &Target, artifacts: &[PathBuf]) -> Vec<Find> {
    let mut finds = Vec::new();
    for artifact in artifacts {
        // libFuzzer writes slow inputs, too, and goes on.
        let name = artifact.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("slow-unit") {
            continue;
        }
        match finds::keep(target, artifact) {
            Ok(find) => finds.push(find),
            Err(error) => {
                console::complain(&format!("cannot keep {}: {error}", artifact.display()));
            }
        }
    }
    finds
}

/// Whether the canary is found, as it must be: where it is not, no silence means anything.
pub(super) fn canary(lab: &Lab) -> Verdict {
    let ended = match lab.run(&CANARY, 0, Budget::Runs(CANARY_RUNS)) {
        Ok(ended) => ended,
        Err(error) => {
            console::complain(&format!("the canary could not run: {error}"));
            return Verdict::Unknown;
        }
    };
    let found = keep(&CANARY, &ended.artifacts);
    // What was planted is no news, and would not be new the next time.
    let cases =
        found.iter().flat_map(|find| [find.bytes.clone(), find.bytes.with_extension("case")]);
    cases.for_each(|file| drop(fs::remove_file(file)));
    match found.iter().any(|find| find.what.starts_with("canary")) {
        true => Verdict::Pass,
        false if interrupt::is_interrupted() => Verdict::Interrupted,
        false => Verdict::Fail,
    }
}

/// All targets, each with its share, in rounds.
pub(super) fn all(lab: &Lab, budget: Budget, threads: usize) -> Vec<(&'static str, Tally)> {
    let rounds = match budget {
        Budget::Time(time) => time.as_secs().div_ceil(ROUND.as_secs()).max(1) as u32,
        Budget::Runs(_) => 1,
    };
    let weights: u32 = TARGETS.iter().map(|target| target.weight).sum();
    let mut tallies: Vec<_> =
        TARGETS.iter().map(|target| (target.name, Tally::default())).collect();
    for _ in 0..rounds {
        for (target, (_, tally)) in TARGETS.iter().zip(&mut tallies) {
            if interrupt::is_interrupted() {
                break;
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
