//! What counting one position came to, by us and by everyone who was called to count as well.

use std::sync::Arc;

use touchmove::{Move, Position};
use touchmove_oracles::leaves::Leaves;
use touchmove_oracles::referees::{Referee, Silence, total};

use crate::counting::{Counter, Stopped};
use crate::interrupt;
use crate::job::Job;
use crate::judges::{Bench, Judge};
use crate::verdict::Verdict;

/// What counting one position came to.
pub(crate) struct Tally {
    /// Each depth in order; the rest is missing where the run was stopped.
    pub(crate) depths: Vec<DepthTally>,
    pub(crate) stopped: bool,
}

/// One depth of one position.
pub(crate) struct DepthTally {
    pub(crate) depth: u32,
    pub(crate) listed: Option<u64>,
    pub(crate) counted: u64,
    pub(crate) leaves: Option<Leaves>,
    /// What the referees count.
    pub(crate) referees: Vec<RefereeTally>,
}

/// A referee's word on one depth of one position.
pub(crate) struct RefereeTally {
    pub(crate) judge: Judge,
    /// Its count, or why there is none.
    pub(crate) count: Result<RefereeCount, Silence>,
}

/// What a referee counts. Its total may be right by errors that cancel.
pub(crate) struct RefereeCount {
    pub(crate) total: u64,
    /// Whether it is ours move by move.
    pub(crate) agrees: bool,
}

impl DepthTally {
    /// Whether the suite lists another count.
    pub(crate) fn listed_wrongly(&self) -> bool {
        self.listed.is_some_and(|listed| listed != self.counted)
    }

    fn differs(&self) -> bool {
        self.listed_wrongly()
            || self
                .referees
                .iter()
                .any(|tally| tally.count.as_ref().is_ok_and(|count| !count.agrees))
    }

    pub(crate) fn verdict(&self) -> Verdict {
        if self.differs() {
            Verdict::Fail
        } else if self.referees.iter().any(|tally| tally.count.is_err()) {
            Verdict::Unknown
        } else {
            Verdict::Pass
        }
    }
}

impl Tally {
    pub(crate) fn verdict(&self) -> Verdict {
        let done = self.depths.iter().map(DepthTally::verdict).max().unwrap_or(Verdict::Unknown);
        if self.stopped { done.max(Verdict::Interrupted) } else { done }
    }
}

/// Counts one position after another, with everyone who was called to count as well.
pub(crate) struct Bookkeeper {
    pub(crate) counter: Arc<Counter>,
    pub(crate) benches: Vec<Bench>,
    /// Whether the moves of the last ply are told apart by kind.
    pub(crate) with_leaves: bool,
}

impl Bookkeeper {
    pub(crate) fn tally(&self, job: &Job) -> Tally {
        let mut tally = Tally { depths: Vec::new(), stopped: false };
        // A referee that cannot answer for a position is not asked again about its other depths.
        let mut silent = vec![false; self.benches.len()];
        for &(depth, listed) in &job.depths {
            match self.count(job, depth, listed, &mut silent) {
                Ok(depth_tally) => tally.depths.push(depth_tally),
                Err(Stopped) => tally.stopped = true,
            }
            tally.stopped |= interrupt::is_interrupted();
            if tally.stopped {
                break;
            }
        }
        tally
    }

    fn count(
        &self,
        job: &Job,
        depth: u32,
        listed: Option<u64>,
        silent: &mut [bool],
    ) -> Result<DepthTally, Stopped> {
        let ours = match self.benches.as_slice() {
            [] => None,
            _ => Some(Branches::ours(&self.counter, &job.position, depth)?),
        };
        let leaves = match self.with_leaves {
            true => Some(self.counter.leaves(&job.position, depth)?),
            false => None,
        };
        let counted = match (&leaves, &ours) {
            (Some(leaves), _) => leaves.nodes,
            (None, Some(ours)) => ours.total(),
            (None, None) => self.counter.count(&job.position, depth)?,
        };
        let referees = ours.map_or_else(Vec::new, |ours| self.ask_referees(job, &ours, silent));
        Ok(DepthTally { depth, listed, counted, leaves, referees })
    }

    fn ask_referees(&self, job: &Job, ours: &Branches, silent: &mut [bool]) -> Vec<RefereeTally> {
        let mut tallies = Vec::new();
        for (bench, silent) in self.benches.iter().zip(silent) {
            if *silent {
                continue;
            }
            let count = bench.ask(|referee| {
                referee.set(&job.fen, job.mode)?;
                let theirs = Branches::theirs(referee, ours.depth)?;
                Ok(RefereeCount { total: theirs.total(), agrees: theirs == *ours })
            });
            if interrupt::is_interrupted() {
                break;
            }
            *silent = count.is_err();
            tallies.push(RefereeTally { judge: bench.judge.clone(), count });
        }
        tallies
    }
}

/// Counts by first move, in the order of moves; at depth 0 there is no move and one path.
#[derive(PartialEq, Eq)]
pub(crate) struct Branches {
    depth: u32,
    counts: Vec<(Move, u64)>,
}

impl Branches {
    pub(crate) fn ours(
        counter: &Counter,
        position: &Position,
        depth: u32,
    ) -> Result<Branches, Stopped> {
        let counts = match depth {
            0 => Vec::new(),
            _ => counter.divide(position, depth),
        };
        if interrupt::is_interrupted() { Err(Stopped) } else { Ok(Branches::new(depth, counts)) }
    }

    pub(crate) fn theirs(referee: &mut dyn Referee, depth: u32) -> Result<Branches, Silence> {
        let counts = match depth {
            0 => Vec::new(),
            _ => referee.divide(depth)?,
        };
        Ok(Branches::new(depth, counts))
    }

    fn new(depth: u32, mut counts: Vec<(Move, u64)>) -> Branches {
        counts.sort_unstable();
        Branches { depth, counts }
    }

    pub(crate) fn total(&self) -> u64 {
        match self.depth {
            0 => 1,
            _ => total(self.counts.iter().map(|&(_, nodes)| nodes)),
        }
    }
}
