//! A wrong count settled: down to the first position whose move list differs, and who is alone there.

mod report;

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::json;
use touchmove::Move;
use touchmove_oracles::descent::{Finding, Way, descend};
use touchmove_oracles::referees::Silence;

use self::report::Report;
use crate::console::{self, Format};
use crate::counting::{Counter, Route};
use crate::job::Job;
use crate::judges::Judge;
use crate::verdict::Verdict;
use crate::{crew, interrupt};

/// A depth of a position for which not everyone has the same number.
pub(crate) struct Dispute {
    pub(crate) job: Job,
    pub(crate) depth: u32,
    pub(crate) counted: u64,
    pub(crate) listed: Option<u64>,
    pub(crate) route: Route,
    /// How we have counted, where that is not the plain way, by which disputes are settled.
    pub(crate) special_way: Option<&'static str>,
    /// Who counts the same as we do.
    pub(crate) agreeing: Vec<Judge>,
    /// Who does not.
    pub(crate) differing: Vec<Judge>,
    pub(crate) timeout: Duration,
}

/// What came of a dispute.
pub(crate) struct Settlement {
    pub(crate) verdict: Verdict,
    name: String,
    place: String,
    depth: u32,
    lines: Vec<String>,
}

/// What going down with one referee came to.
struct Descended {
    judge: Judge,
    by_moves: Result<Finding, Silence>,
    by_fen: Result<Finding, Silence>,
}

/// Settles one dispute after another and prints what came of each. Ends early when interrupted.
pub(crate) fn settle_all(disputes: Vec<Dispute>, format: Format) -> Verdict {
    let (sender, receiver) = mpsc::channel();
    let all = disputes.len();
    // Not joined: after Ctrl-C it may be left behind in the middle of a long count.
    std::thread::spawn(move || {
        for dispute in disputes {
            if interrupt::is_interrupted() || sender.send(dispute.settle()).is_err() {
                return;
            }
        }
    });
    let (mut verdict, mut settled) = (Verdict::Pass, 0);
    crew::receive(&receiver, |settlement| {
        if let Some(settlement) = settlement {
            settled += 1;
            verdict = verdict.max(settlement.verdict);
            settlement.print(format);
        }
    });
    if settled < all { verdict.max(Verdict::Interrupted) } else { verdict }
}

impl Settlement {
    fn print(&self, format: Format) {
        match format {
            Format::Human => self.lines.iter().for_each(console::result),
            Format::Json => console::json(&json!({
                "type": "difference", "id": self.name, "place": self.place,
                "depth": self.depth, "report": self.lines,
            })),
        }
    }
}

impl Dispute {
    /// Finds out who is wrong.
    fn settle(&self) -> Settlement {
        let (verdict, lines) = Report::of(self);
        let (name, place) = (self.job.name.clone(), self.job.place());
        Settlement { verdict, name, place, depth: self.depth, lines }
    }

    /// Those who are gone down with: who differs, and where the suite does, the default referees as well.
    fn opponents(&self) -> Vec<Judge> {
        let mut opponents = self.differing.clone();
        if self.listed.is_some_and(|listed| listed != self.counted) {
            let heard =
                |judge: &Judge| !self.agreeing.contains(judge) && !self.differing.contains(judge);
            opponents.extend([Judge::Shakmaty, Judge::Cozy].into_iter().filter(heard));
        }
        opponents
    }

    /// What we count plainly; none after Ctrl-C.
    fn counted_plainly(&self) -> Option<u64> {
        Counter::new(self.route).count(&self.job.position, self.depth).ok()
    }

    fn ours(&self) -> Judge {
        match self.route {
            Route::Fast => Judge::Touchmove,
            Route::Trial => Judge::Trial,
        }
    }

    fn descend_with(&self, judge: Judge) -> Descended {
        let go = |way| {
            let mut ours = self.ours().call(self.timeout);
            let mut theirs = judge.call(self.timeout);
            let (root, mode) = (&self.job.fen, self.job.mode);
            descend(ours.as_mut(), theirs.as_mut(), root, mode, self.depth, way)
        };
        let by_moves = go(Way::ByMoves);
        // Where all branches of the root agree, there is no way to go.
        let by_fen = match &by_moves {
            Ok(Finding::Same) => Ok(Finding::Same),
            _ => go(Way::ByFen),
        };
        Descended { judge, by_moves, by_fen }
    }

    /// The move lists of all who can say one, ours first.
    fn lists_at(&self, fen: &str) -> Vec<(String, BTreeSet<Move>)> {
        let mut judges = vec![self.ours(), Judge::Naive, Judge::Shakmaty, Judge::Cozy];
        for judge in self.agreeing.iter().chain(&self.differing) {
            if !judges.contains(judge) {
                judges.push(judge.clone());
            }
        }
        let ask = |judge: Judge| {
            let mut referee = judge.call(self.timeout);
            referee.set(fen, self.job.mode).ok()?;
            Some((judge.to_string(), referee.legal_moves().ok()?.into_iter().collect()))
        };
        judges.into_iter().filter_map(ask).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A count that plain counting does not confirm is no reason to call the file wrong.
    #[test]
    fn a_special_way_of_counting_that_errs_is_named() {
        let settle = |counted, listed| {
            let dispute = Dispute {
                job: Job::of_argument("startpos", false, 2).unwrap(),
                depth: 2,
                counted,
                listed: Some(listed),
                route: Route::Fast,
                special_way: Some("hashed"),
                agreeing: Vec::new(),
                differing: Vec::new(),
                timeout: Duration::from_secs(1),
            };
            let settlement = dispute.settle();
            assert_eq!(settlement.verdict, Verdict::Fail);
            settlement.lines.join("\n")
        };
        let told = settle(401, 400);
        assert!(told.contains("counting hashed is wrong: 400 nodes are counted plainly"), "{told}");
        assert!(!told.contains("the file"), "{told}");
        let told = settle(400, 401);
        assert!(told.contains("the file is wrong: depth 2 has 400 nodes"), "{told}");
    }
}
