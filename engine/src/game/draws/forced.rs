//! Few moves, all of which end the matter: every line within a few plies.
//!
//! # Why it is sound
//!
//! All legal moves of both sides are played. A line is ended by a position without a legal move or one of
//! hopeless [`material`]; where every line ends so and none in a mate by the would-be winner, there is none to
//! come. A line that goes on, or one more position than may be looked at, and nothing is claimed.

use alloc::vec::Vec;

use super::material;
use crate::moves::Move;
use crate::piece::Color;
use crate::position::Position;

/// The longest line looked at, in plies.
const PLIES_MAX: u32 = 6;

/// What becomes of a position.
pub(super) enum Fate {
    /// Every line ends without a mate by the would-be winner.
    Unwinnable,
    /// A line mates; the moves are in reverse order.
    Mate(Vec<Move>),
    /// Some line goes on.
    Open,
}

/// Looks at all lines of up to six plies, at `positions_max` positions in all, and stops at the first line that
/// goes on: in an open position after about four.
pub(super) fn fate(position: &Position, winner: Color, positions_max: usize) -> Fate {
    Lines { winner, positions_left: positions_max }.fate(position, PLIES_MAX)
}

/// Whether every legal move leads at once to stalemate or hopeless material, or there is none.
pub(super) fn ends_within_a_ply(position: &Position, winner: Color) -> bool {
    let mut lines = Lines { winner, positions_left: usize::MAX };
    matches!(lines.fate(position, 1), Fate::Unwinnable)
}

struct Lines {
    winner: Color,
    positions_left: usize,
}

impl Lines {
    fn fate(&mut self, position: &Position, plies_left: u32) -> Fate {
        if plies_left == 0 {
            return self.fate_without_moves(position);
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return self.fate_without_moves(position);
        }
        // All of them will have to be looked at, so whether they are too many is known now.
        let Some(left) = self.positions_left.checked_sub(moves.len()) else { return Fate::Open };
        self.positions_left = left;
        for &mv in moves.iter() {
            let mut after = *position;
            drop(after.make(mv));
            if material::cannot_mate(after.board(), self.winner) {
                continue;
            }
            match self.fate(&after, plies_left - 1) {
                Fate::Unwinnable => {}
                Fate::Mate(mut line) => {
                    line.push(mv);
                    return Fate::Mate(line);
                }
                Fate::Open => return Fate::Open,
            }
        }
        Fate::Unwinnable
    }

    fn fate_without_moves(&self, position: &Position) -> Fate {
        if position.has_legal_move() {
            Fate::Open
        } else if position.is_check() && position.turn() != self.winner {
            Fate::Mate(Vec::new())
        } else {
            Fate::Unwinnable
        }
    }
}
