//! Who stands behind the counts of a run: a verdict is worth what the counts were compared with.

use serde_json::{Value, json};

use crate::judges::Judge;
use crate::tally::{DepthTally, RefereeCount, Tally};

/// Who stands behind the counts of a run.
pub(super) struct Backing {
    referees: Vec<Backer>,
    /// Counts that no file lists and no referee made as well.
    uncompared: usize,
}

/// A referee that was called, and what it had to say.
struct Backer {
    judge: Judge,
    agreeing: usize,
    counted: usize,
}

impl Backing {
    pub(super) fn of<'a>(
        judges: &[Judge],
        tallies: impl IntoIterator<Item = &'a Tally>,
    ) -> Backing {
        let backer = |judge: &Judge| Backer { judge: judge.clone(), agreeing: 0, counted: 0 };
        let mut backing = Backing { referees: judges.iter().map(backer).collect(), uncompared: 0 };
        for depth in tallies.into_iter().flat_map(|tally| &tally.depths) {
            backing.add(depth);
        }
        backing
    }

    fn add(&mut self, depth: &DepthTally) {
        let mut compared = depth.listed.is_some();
        for tally in &depth.referees {
            let Ok(RefereeCount { agrees, .. }) = tally.count else { continue };
            compared = true;
            let backer = self.referees.iter_mut().find(|backer| backer.judge == tally.judge);
            let backer = backer.expect("who counts was called");
            backer.counted += 1;
            backer.agreeing += usize::from(agrees);
        }
        self.uncompared += usize::from(!compared);
    }

    pub(super) fn as_text(&self) -> Vec<String> {
        let referees = self.referees.iter().map(|Backer { judge, agreeing, counted }| {
            format!("{judge} agrees on {agreeing} of {counted} counts")
        });
        let uncompared = (self.uncompared > 0).then(|| {
            format!(
                "compared with nothing: {} counts; --referee shakmaty counts them as well",
                self.uncompared
            )
        });
        referees.chain(uncompared).collect()
    }

    pub(super) fn referees_as_json(&self) -> Vec<Value> {
        let referees = self.referees.iter().map(|Backer { judge, agreeing, counted }| {
            json!({ "name": judge.to_string(), "agrees_on": agreeing, "counted": counted })
        });
        referees.collect()
    }

    pub(super) const fn uncompared(&self) -> usize {
        self.uncompared
    }
}
