//! All pairs of questions about a position, in all orders: how many do what harm, and the shortest of each kind.

use std::collections::BTreeMap;

use touchmove::Position;

use super::{Duel, Harm, Order, Played, Schedule};

/// What came of every schedule of every ordered pair of questions.
#[derive(Debug, Default)]
pub struct Survey {
    /// How many pairs there are; each has twenty schedules.
    pub pairs: u64,
    counts: BTreeMap<(Order, Harm), u64>,
    answered_wrongly: BTreeMap<Order, u64>,
    shortest: BTreeMap<Harm, Example>,
}

/// A schedule of two questions that does harm.
#[derive(Clone, Debug)]
pub struct Example {
    /// Who asks what.
    pub duel: Duel,
    /// In which order.
    pub schedule: Schedule,
    /// What comes of it.
    pub played: Played,
}

impl Survey {
    /// Asks about every ordered pair of the position's pseudo-legal moves, a move with itself included.
    ///
    /// With debug assertions the engine refuses to make a move that is not pseudo-legal, and every schedule but those
    /// one by one ends in that panic; what a torn board does shows only without them. The 46,080 schedules of a position
    /// with 48 moves then take some milliseconds.
    pub fn of(start: &Position) -> Survey {
        let mut survey = Survey::default();
        let (moves, schedules) = (start.pseudo_legal_moves(), Schedule::all());
        for a in &moves {
            for b in &moves {
                let duel = Duel { start: *start, moves: [a, b] };
                survey.pairs += 1;
                for &schedule in &schedules {
                    survey.note(Example { duel, schedule, played: duel.play(schedule) });
                }
            }
        }
        survey
    }

    fn note(&mut self, example: Example) {
        let (order, harm) = (example.schedule.order(), example.played.harm);
        *self.counts.entry((order, harm)).or_default() += 1;
        *self.answered_wrongly.entry(order).or_default() +=
            u64::from(example.played.answered_wrongly);
        let shortest = self.shortest.entry(harm).or_insert_with(|| example.clone());
        if example.length() < shortest.length() {
            *shortest = example;
        }
    }

    /// How many schedules of this order do this harm and no worse.
    pub fn count(&self, order: Order, harm: Harm) -> u64 {
        self.counts.get(&(order, harm)).copied().unwrap_or(0)
    }

    /// In how many schedules of this order somebody is told wrongly, whatever else there is.
    pub fn answered_wrongly(&self, order: Order) -> u64 {
        self.answered_wrongly.get(&order).copied().unwrap_or(0)
    }

    /// The schedule that does this harm in the fewest steps; among equals, with the fewest changes of hands.
    pub fn shortest(&self, harm: Harm) -> Option<&Example> {
        self.shortest.get(&harm)
    }
}

impl Example {
    fn length(&self) -> (usize, usize) {
        (self.played.steps, self.schedule.changes_of_hands())
    }
}
