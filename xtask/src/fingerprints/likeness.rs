//! Wrong counts that are wrong exactly as those of a planted fault: a hint where to look, never a verdict.

use std::collections::BTreeMap;

use touchmove::Position;

use super::{Counted, Fingerprints};
use crate::console::Format;
use crate::job::{Job, read_jobs, workspace_root};
use crate::tally::Tally;

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
    let wrong: Vec<_> = tallies
        .iter()
        .flat_map(|(&index, tally)| {
            let wrong = wrong_counts(tally).into_iter();
            wrong.map(move |(who, counts)| (&jobs[index], who, counts))
        })
        .collect();
    if wrong.is_empty() {
        return Vec::new();
    }
    let read = Fingerprints::read(&workspace_root())
        .and_then(|fingerprints| Ok((fingerprints, read_jobs(&[], false, Format::Human)?.0)));
    let Ok((fingerprints, suite)) = read else { return Vec::new() };
    let likeness = |(job, who, counts): (&Job, String, Vec<Counted>)| {
        let line = line_with(&suite, &job.position)?;
        let faults = fingerprints.matching(&line.name, &counts);
        let faults: Vec<String> = faults.into_iter().map(str::to_string).collect();
        (!faults.is_empty()).then(|| Likeness { who, job: job.name.clone(), faults })
    };
    wrong.into_iter().filter_map(likeness).collect()
}

/// The line of the suites with this position.
fn line_with<'a>(suite: &'a [Job], position: &Position) -> Option<&'a Job> {
    suite.iter().find(|job| job.position.is_same(position))
}

/// Everybody who counts a position wrongly, and all that they count of it.
fn wrong_counts(tally: &Tally) -> BTreeMap<String, Vec<Counted>> {
    let mut by_judge: BTreeMap<String, Vec<Counted>> = BTreeMap::new();
    for depth_tally in &tally.depths {
        let (depth, counted) = (depth_tally.depth, depth_tally.counted);
        // Without a listed count a referee is held against ours.
        let right = depth_tally.listed.unwrap_or(counted);
        let mut note = |judge: String, counted| {
            by_judge.entry(judge).or_default().push(Counted { depth, right, counted });
        };
        note(String::from("touchmove"), counted);
        for referee in &depth_tally.referees {
            if let Ok(count) = &referee.count {
                note(referee.judge.to_string(), count.total);
            }
        }
    }
    by_judge.retain(|_, counts| counts.iter().any(Counted::is_wrong));
    by_judge
}
