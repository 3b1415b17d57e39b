//! Every position that was met, once each: when none is left to look at, there are no others.
//!
//! # Why it is sound
//!
//! A walk that starts from a position, plays every legal move of every position it has met, and leaves out only
//! what is proven hopeless, has met everything from which a mate could come when it ends. Whether a position was met
//! before is told by the position itself: placement, turn, castling rights and en passant square (FIDE 9.2.3). Its
//! 64-bit key only says where to look; two positions that share one are kept apart, so no accident hides a
//! position. Clocks are left out: they forbid no move.

use alloc::vec;
use alloc::vec::Vec;

use crate::moves::Move;
use crate::position::Position;

/// A position that was met, by the order of meeting.
pub(super) type Met = u32;

/// The positions met so far, and how each was come to.
pub(super) struct Closure {
    positions: Vec<Position>,
    /// From which position each was come to, and by which move; the first by none.
    steps: Vec<Option<(Met, Move)>>,
    /// Open addressing: one more than the number of a position, or 0; a power of two, at most half full.
    places: Vec<Met>,
}

impl Closure {
    /// Begins with one position.
    pub(super) fn from(start: Position) -> Closure {
        let mut closure =
            Closure { positions: Vec::new(), steps: Vec::new(), places: vec![0; 1 << 10] };
        let _first = closure.meet(start, None);
        closure
    }

    /// How many positions were met.
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// The position of a number.
    pub(super) fn position(&self, met: Met) -> &Position {
        &self.positions[met as usize]
    }

    /// Adds a position; None if it was met before.
    pub(super) fn meet(&mut self, position: Position, step: Option<(Met, Move)>) -> Option<Met> {
        if 2 * self.positions.len() >= self.places.len() {
            self.grow();
        }
        let place = self.place(&position)?;
        let met = self.positions.len() as Met;
        self.places[place] = met + 1;
        self.positions.push(position);
        self.steps.push(step);
        Some(met)
    }

    /// The moves from the start to a position.
    pub(super) fn line_to(&self, met: Met) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = met;
        while let Some((before, mv)) = self.steps[at as usize] {
            line.push(mv);
            at = before;
        }
        line.reverse();
        line
    }

    /// The free place for a position; None if it has one already.
    fn place(&self, position: &Position) -> Option<usize> {
        let mask = self.places.len() - 1;
        let mut place = position.key().0 as usize & mask;
        loop {
            match self.places[place] {
                0 => return Some(place),
                taken if self.position(taken - 1).is_same(position) => return None,
                _ => place = (place + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let mask = 4 * self.places.len() - 1;
        let mut places = vec![0; mask + 1];
        for (met, position) in self.positions.iter().enumerate() {
            let mut place = position.key().0 as usize & mask;
            while places[place] != 0 {
                place = (place + 1) & mask;
            }
            places[place] = met as Met + 1;
        }
        self.places = places;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_met_once_however_it_was_come_to() {
        let mut closure = Closure::from(Position::default());
        let mut open = vec![0];
        let mut again = 0;
        for _ in 0..3 {
            for met in core::mem::take(&mut open) {
                for mv in closure.position(met).legal_moves() {
                    let mut after = *closure.position(met);
                    drop(after.make(mv));
                    match closure.meet(after, Some((met, mv))) {
                        Some(new) => open.push(new),
                        None => again += 1,
                    }
                }
            }
        }
        // 1, 20, 400 and 5,362 different positions after so many plies (8,902 lines).
        assert_eq!((closure.len(), open.len()), (1 + 20 + 400 + 5_362, 5_362));
        assert_eq!(again, 8_902 - 5_362);
        let mut position = Position::default();
        for mv in closure.line_to(open[100]) {
            drop(position.make(mv));
        }
        assert!(position.is_same(closure.position(open[100])));
    }
}
