//! The leaves of the tree: captures and promotions until the position is quiet, and the answers to check.

use touchmove::{Move, Position, Square};

use super::evaluate::{evaluate, neither_can_mate, value};
use super::order::captured;
use super::tree::{PLIES_MAX, Stopped, Tree, Window, is_quiet};
use crate::score::Score;

/// So many plies beyond the tree every capture is looked at, and every answer to check; after that, only
/// captures on the square of the last one: with twenty queens a side there is no end otherwise.
const ALL_CAPTURES_PLIES: usize = 4;

/// What a capture may win beyond the piece, by position: more than that it hardly gains.
const MARGIN: i32 = 200;

/// How far a leaf lies beyond the tree.
#[derive(Clone, Copy, Default)]
pub(super) struct Beyond {
    plies: usize,
    /// Where to capture if not anywhere.
    only_on: Option<Square>,
}

impl Beyond {
    fn after(self, mv: Move) -> Beyond {
        let plies = self.plies + 1;
        Beyond { plies, only_on: (plies >= ALL_CAPTURES_PLIES).then_some(mv.to()) }
    }
}

impl Tree<'_> {
    /// What a leaf is worth to its mover, who may take or leave it: exact inside of the window, a bound
    /// outside. A mate that is found here is one: the mated side had all its moves.
    pub(super) fn search_quiescence(
        &mut self,
        ply: usize,
        beyond: Beyond,
        window: Window,
    ) -> Result<Score, Stopped> {
        self.clear_line(ply);
        if neither_can_mate(self.position.board()) {
            return Ok(Score::DRAW);
        }
        let in_check = self.position.is_check();
        if ply >= PLIES_MAX || in_check && beyond.plies >= ALL_CAPTURES_PLIES {
            return Ok(evaluate(&self.position));
        }
        let Window { mut alpha, beta } = window;
        let mut best = match in_check {
            true => Score::mated_after(ply),
            false => evaluate(&self.position),
        };
        if best >= beta {
            return Ok(best);
        }
        let standing = best;
        alpha = alpha.max(best);
        let mut moves = self.ordered_moves(ply, None, |position, mv| {
            in_check
                || !is_quiet(position, mv) && beyond.only_on.is_none_or(|square| mv.to() == square)
        });
        if moves.is_empty() && !in_check && self.has_no_legal_move() {
            best = Score::DRAW; // Stalemate.
        }
        while let Some(mv) = moves.next() {
            if !in_check && standing.plus(gain_max(&self.position, mv)) <= alpha {
                continue;
            }
            let window = -Window { alpha, beta };
            let score = -self
                .behind(mv, |tree| tree.search_quiescence(ply + 1, beyond.after(mv), window))?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.lengthen_line(ply, mv);
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.put_back(ply, moves);
        Ok(best)
    }
}

/// The most a move wins at once, and what its square may be worth.
fn gain_max(position: &Position, mv: Move) -> i32 {
    let captured = captured(position, mv).map_or(0, value);
    let promoted = mv.promotion_role().map_or(0, |role| value(role.role()));
    captured + promoted + MARGIN
}
