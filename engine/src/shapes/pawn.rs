//! The pawn: goes straight, captures aslant, and never goes back.

use crate::bitboard::Bitboard;
use crate::piece::Color;
use crate::shapes::geometry::GEOMETRY;
use crate::square::{Rank, Square};

/// A pawn of a colour, which gives it its direction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pawn(pub Color);

impl Pawn {
    /// The ranks a push moves the pawn by: 1 for White, −1 for Black.
    pub const fn direction(self) -> i8 {
        match self.0 {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// The rank from which a pawn may go two squares (FIDE 3.7.2).
    pub const fn start_rank(self) -> Rank {
        self.0.rank(Rank::Second)
    }

    /// The rank on which a pawn becomes another piece (FIDE 3.7.3.3).
    pub const fn promotion_rank(self) -> Rank {
        self.0.rank(Rank::Eighth)
    }

    /// The one or two squares diagonally in front.
    #[inline(always)]
    pub const fn attacks(self, from: Square) -> Bitboard {
        let attacks = &GEOMETRY[from.index()].pawn;
        match self.0 {
            Color::White => attacks.white,
            Color::Black => attacks.black,
        }
    }

    /// The squares attacked by any pawn of a set.
    #[inline(always)]
    pub(crate) const fn attacks_of_all(self, pawns: Bitboard) -> Bitboard {
        let left = pawns.shift(-1, self.direction());
        Bitboard(left.0 | pawns.shift(1, self.direction()).0)
    }

    /// The squares straight ahead: one if it is empty, two from the start rank if both are
    /// (FIDE 3.7.1, 3.7.2).
    pub const fn pushes(self, from: Square, occupied: Bitboard) -> Bitboard {
        let start = Bitboard::rank(self.start_rank()).shift(0, self.direction());
        let one = Bitboard::of(from).shift(0, self.direction()).without(occupied);
        let from_start = Bitboard(one.0 & start.0);
        let two = from_start.shift(0, self.direction()).without(occupied);
        Bitboard(one.0 | two.0)
    }

    /// Pushes, and the attacked squares that hold something to capture. `capturable` are the other
    /// side's pieces and the square behind a pawn that may be captured en passant (FIDE 3.7.3).
    pub fn moves(self, from: Square, own: Bitboard, capturable: Bitboard) -> Bitboard {
        self.pushes(from, own | capturable) | self.attacks(from) & capturable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Pawn = Pawn(Color::White);
    const BLACK: Pawn = Pawn(Color::Black);

    fn squares(names: &str) -> Bitboard {
        names.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    /// FIDE 3.7.1, 3.7.2.
    #[test]
    fn on_an_empty_board_a_pawn_goes_one_square_or_two_from_its_start() {
        let moves = |pawn: Pawn, from| pawn.moves(from, Bitboard::EMPTY, Bitboard::EMPTY);
        assert_eq!(moves(WHITE, Square::E2), squares("e3 e4"));
        assert_eq!(moves(WHITE, Square::E3), squares("e4"));
        assert_eq!(moves(BLACK, Square::D7), squares("d6 d5"));
        assert_eq!(moves(BLACK, Square::D2), squares("d1"));
        assert_eq!(moves(WHITE, Square::H8), Bitboard::EMPTY);
    }

    /// FIDE 3.7.1, 3.7.2: neither square may be occupied, by whomever.
    #[test]
    fn between_blockers_a_pawn_is_stopped() {
        let empty = Bitboard::EMPTY;
        assert_eq!(WHITE.moves(Square::E2, squares("e3"), empty), empty);
        assert_eq!(WHITE.moves(Square::E2, empty, squares("e3")), empty);
        assert_eq!(WHITE.moves(Square::E2, empty, squares("e4")), squares("e3"));
        assert_eq!(BLACK.moves(Square::C7, squares("c6"), empty), empty);
    }

    /// FIDE 3.7.3; the edge of the board is not a way round.
    #[test]
    fn a_pawn_captures_aslant_and_only_there() {
        let theirs = squares("d5 e5 f5 h4 h5 a6");
        assert_eq!(WHITE.moves(Square::E4, Bitboard::EMPTY, theirs), squares("d5 f5"));
        assert_eq!(WHITE.attacks(Square::A4), squares("b5"));
        assert_eq!(WHITE.attacks(Square::H4), squares("g5"));
        assert_eq!(BLACK.attacks(Square::A5), squares("b4"));
        assert_eq!(BLACK.moves(Square::A5, Bitboard::EMPTY, theirs), squares("a4"));
    }
}
