//! Wrong counts that are wrong exactly as those of a planted fault: a hint where to look, never a verdict.

use std::collections::BTreeMap;

use touchmove::Position;

use super::{Counted, Fingerprints};
use crate::console::Format;
use crate::job::{Job, read_jobs, workspace_root};
use crate::tally::{DepthTally, Tally};

/// Whose counts of which position look like which planted faults.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Likeness {
    /// `touchmove`, or a referee.
    pub(crate) who: String,
    /// The position, as its job is named.
    pub(crate) job: String,
    /// The faults that count it exactly so.
    pub(crate) faults: Vec<String>,
}

/// Compares wrong counts with those that planted faults make of the suites in the workspace; without these there is no
/// hint.
pub(crate) fn likenesses(jobs: &[Job], tallies: &BTreeMap<usize, Tally>) -> Vec<Likeness> {
    let is_any_wrong = |tally: &Tally| tally.depths.iter().any(differs);
    if !tallies.values().any(is_any_wrong) {
        return Vec::new();
    }
    let read = Fingerprints::read(&workspace_root())
        .and_then(|fingerprints| Ok((fingerprints, read_jobs(&[], false, Format::Human)?.0)));
    let Ok((fingerprints, suite)) = read else { return Vec::new() };
    let of_tally = |(&index, tally): (&usize, &Tally)| {
        let job: &Job = &jobs[index];
        let line = line_with(&suite, &job.position)?;
        Some((job, line, wrong_counts(tally, line)))
    };
    let wrong = tallies.iter().filter_map(of_tally).flat_map(|(job, line, wrong)| {
        wrong.into_iter().map(move |(who, counts)| (job, line, who, counts))
    });
    let likeness = |(job, line, who, counts): (&Job, &Job, String, Vec<Counted>)| {
        let faults = fingerprints.matching(&line.name, &counts);
        let faults: Vec<String> = faults.into_iter().map(str::to_string).collect();
        (!faults.is_empty()).then(|| Likeness { who, job: job.name.clone(), faults })
    };
    wrong.filter_map(likeness).collect()
}

/// The line of the suites with this position.
fn line_with<'a>(suite: &'a [Job], position: &Position) -> Option<&'a Job> {
    suite.iter().find(|job| job.position.is_same(position))
}

/// Whether a count is listed otherwise, or counted otherwise by a referee.
fn differs(depth: &DepthTally) -> bool {
    let of_referees =
        depth.referees.iter().filter_map(|referee| Some(referee.count.as_ref().ok()?.total));
    depth.listed.into_iter().chain(of_referees).any(|count| count != depth.counted)
}

/// Everybody who counts a position otherwise than our suites, the file that was given among them, and all that they count of
/// it.
fn wrong_counts(tally: &Tally, line: &Job) -> BTreeMap<String, Vec<Counted>> {
    let mut by_judge: BTreeMap<String, Vec<Counted>> = BTreeMap::new();
    for DepthTally { depth, listed, counted, referees, .. } in &tally.depths {
        let listed_there = line.depths.iter().find(|(at, _)| at == depth);
        let Some(right) = listed_there.and_then(|&(_, right)| right) else { continue };
        let mut note = |judge: String, counted| {
            by_judge.entry(judge).or_default().push(Counted { depth: *depth, right, counted });
        };
        note(String::from("touchmove"), *counted);
        if let Some(listed) = listed {
            note(String::from("the file"), *listed);
        }
        for referee in referees {
            if let Ok(count) = &referee.count {
                note(referee.judge.to_string(), count.total);
            }
        }
    }
    by_judge.retain(|_, counts| counts.iter().any(Counted::is_wrong));
    by_judge
}
