//! Locked positions: what can still move can never mate.
//!
//! # Why it is sound
//!
//! [`reach`](super::reach) gives each piece every square it may ever come to, and
//! [`pattern`] finds that no mate can be put together from them. One ply further: where each legal
//! move leads to a position of which that is proven, or of hopeless material, or without a move, it is proven
//! here.

use super::reach::Reach;
use super::{material, pattern};
use crate::moves::MoveList;
use crate::piece::{ByColor, Color, Role};
use crate::position::Position;

/// With more moves than this a lock one ply ahead is only looked for in check and before a capture en passant.
const REPLIES_MAX: usize = 3;

/// Whether there is anything to find here: a lock, or a move that may close one.
pub(super) fn may_be(position: &Position) -> bool {
    position.castling().is_empty() && (has_ram(position) || is_pressed(position))
}

/// Whether none of the sides `asked` for can ever mate, all of them by the lock.
pub(super) fn is_proven(position: &Position, asked: ByColor<bool>) -> bool {
    is_proven_here(position, asked) || is_proven_after_each_move(position, asked)
}

/// Whether `winner` can never mate, without looking a ply ahead.
pub(super) fn is_proven_for(position: &Position, winner: Color) -> bool {
    is_proven_here(position, only(winner))
}

/// One side asked for.
pub(super) fn only(winner: Color) -> ByColor<bool> {
    ByColor { white: winner == Color::White, black: winner == Color::Black }
}

fn is_proven_here(position: &Position, asked: ByColor<bool>) -> bool {
    if !has_ram(position) || !Reach::covers(position) {
        return false;
    }
    let sides = || Color::ALL.into_iter().filter(|&color| asked[color]);
    let hopeless = |reach: &Reach| sides().any(|color| reach.promotes(color));
    Reach::of(position, hopeless)
        .is_some_and(|reach| sides().all(|color| pattern::no_mate(&reach, color)))
}

/// Whether a white pawn directly faces a black one. Where none does, hardly anything is fixed for good.
fn has_ram(position: &Position) -> bool {
    let pawns = |color| position.board().role(Role::Pawn) & position.board().color(color);
    (pawns(Color::White).shift(0, 1) & pawns(Color::Black)).any()
}

fn is_proven_after_each_move(position: &Position, asked: ByColor<bool>) -> bool {
    if !position.castling().is_empty() || !is_pressed(position) {
        return false;
    }
    let moves: MoveList = position.legal_moves();
    moves.into_iter().all(|mv| {
        let mut after = *position;
        drop(after.make(mv));
        is_proven_or_over(&after, asked)
    })
}

/// Whether there is little choice: in check, a capture en passant about to lapse, or few moves.
fn is_pressed(position: &Position) -> bool {
    position.en_passant().is_some() || position.legal_count() <= REPLIES_MAX || position.is_check()
}

fn is_proven_or_over(position: &Position, mut asked: ByColor<bool>) -> bool {
    if !position.has_legal_move() {
        let mated = position.is_check().then_some(position.turn());
        return mated.is_none_or(|loser| !asked[!loser]);
    }
    for color in Color::ALL {
        asked[color] &= !material::cannot_mate(position.board(), color);
    }
    asked == ByColor::default() || is_proven_here(position, asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mated, it is over unless the one who mates was asked for; stalemated, for whoever asks.
    #[test]
    fn what_is_over_is_proven_unless_it_was_won() {
        let over = |fen: &str, winner| is_proven_or_over(&fen.parse().unwrap(), only(winner));
        let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        assert!(!over(mated, Color::White) && over(mated, Color::Black));
        let stalemated = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
        assert!(over(stalemated, Color::White) && over(stalemated, Color::Black));
    }

    #[test]
    fn hopeless_material_is_proven_for_its_side_alone() {
        let over = |winner| {
            is_proven_or_over(&"4k3/8/8/8/8/8/4N3/R3K3 w - - 0 1".parse().unwrap(), only(winner))
        };
        assert!(over(Color::Black) && !over(Color::White));
    }
}
