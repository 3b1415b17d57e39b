//! Endings of three and four pieces that are won, with the loser's help, unless they are over at once.
//!
//! # Why it is sound
//!
//! In each of these endings without castling rights the would-be winner has a series of legal moves that mates, or
//! else every legal move leads at once to stalemate or to hopeless material, or there is none and no mate.
//! Found by going back from every mate through every position of the ending; a test in
//! `fuzz/oracles/tests/endings.rs` does it again, and the positions excepted are counted there.

use super::forced;
use crate::board::Board;
use crate::piece::{Color, Role};
use crate::position::Position;

/// An ending in which the first side mates with the other's help wherever it is not over within a ply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Ending {
    RookAgainstKing,
    QueenAgainstKing,
    KnightAgainstKnight,
    KnightAgainstBishop,
    KnightAgainstRook,
    BishopAgainstKnight,
    /// On squares of different colours.
    BishopAgainstBishop,
}

/// The ending by which `winner` can mate here.
pub(super) fn winnable(position: &Position, winner: Color) -> Option<Ending> {
    let ending = ending(position.board(), winner)?;
    let is_won = position.castling().is_empty() && !forced::ends_within_a_ply(position, winner);
    is_won.then_some(ending)
}

fn ending(board: &Board, winner: Color) -> Option<Ending> {
    if board.occupied().len() > 4 {
        return None;
    }
    let only = |color| {
        let pieces = board.color(color).without(board.role(Role::King));
        let square = pieces.first().filter(|_| !pieces.many());
        (pieces.len(), square.and_then(|square| board.role_at(square)))
    };
    Some(match (only(winner), only(!winner)) {
        ((1, Some(Role::Rook)), (0, _)) => Ending::RookAgainstKing,
        ((1, Some(Role::Queen)), (0, _)) => Ending::QueenAgainstKing,
        ((1, Some(Role::Knight)), (1, Some(Role::Knight))) => Ending::KnightAgainstKnight,
        ((1, Some(Role::Knight)), (1, Some(Role::Bishop))) => Ending::KnightAgainstBishop,
        ((1, Some(Role::Knight)), (1, Some(Role::Rook))) => Ending::KnightAgainstRook,
        ((1, Some(Role::Bishop)), (1, Some(Role::Knight))) => Ending::BishopAgainstKnight,
        // On squares of one colour it is hopeless material, which nobody asks about.
        ((1, Some(Role::Bishop)), (1, Some(Role::Bishop))) => Ending::BishopAgainstBishop,
        _ => return None,
    })
}
