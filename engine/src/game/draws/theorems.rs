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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every ending by its pieces, for either side; what is one piece more, or another, is none.
    #[test]
    fn an_ending_is_known_by_its_pieces() {
        use Ending::{
            BishopAgainstBishop, BishopAgainstKnight, KnightAgainstBishop, KnightAgainstKnight,
            KnightAgainstRook, QueenAgainstKing, RookAgainstKing,
        };
        for (fen, white, black) in [
            ("8/8/4k3/8/8/3K4/8/5R2 w - - 0 1", Some(RookAgainstKing), None),
            ("8/8/4k3/5q2/8/3K4/8/8 w - - 0 1", None, Some(QueenAgainstKing)),
            (
                "8/8/4k3/8/8/3K4/4n3/5N2 w - - 0 1",
                Some(KnightAgainstKnight),
                Some(KnightAgainstKnight),
            ),
            (
                "8/8/4k3/8/8/3K4/4b3/5N2 w - - 0 1",
                Some(KnightAgainstBishop),
                Some(BishopAgainstKnight),
            ),
            ("8/8/4k3/8/8/3K4/4r3/5N2 w - - 0 1", Some(KnightAgainstRook), None),
            (
                "8/8/4k3/8/8/3K4/5b2/5B2 w - - 0 1",
                Some(BishopAgainstBishop),
                Some(BishopAgainstBishop),
            ),
            ("8/8/4k3/8/8/3K4/8/5RR1 w - - 0 1", None, None),
            ("8/8/4k3/8/8/3K4/4p3/5R2 w - - 0 1", None, None),
            ("8/8/4k3/8/8/3K4/4nn2/5N2 w - - 0 1", None, None),
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", None, None),
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(ending(position.board(), Color::White), white, "white: {fen}");
            assert_eq!(ending(position.board(), Color::Black), black, "black: {fen}");
        }
    }

    /// A right to castle is not among what was looked at, and a rook that must be taken mates nobody.
    #[test]
    fn an_ending_is_won_without_rights_and_unless_it_is_over_at_once() {
        let winnable = |fen: &str, winner| winnable(&fen.parse().unwrap(), winner);
        let won = Some(Ending::RookAgainstKing);
        assert_eq!(winnable("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Color::White), won);
        assert_eq!(winnable("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", Color::White), None);
        assert_eq!(winnable("r7/K1k5/8/8/8/8/8/8 w - - 0 1", Color::Black), None);
        assert_eq!(winnable("r7/2k5/K7/8/8/8/8/8 w - - 0 1", Color::Black), won);
    }
}
