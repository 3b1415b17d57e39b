//! Knight and king: one step, by fixed offsets, over whatever stands between.

use crate::bitboard::Bitboard;
use crate::shapes::geometry::GEOMETRY;
use crate::square::Square;

/// A piece that goes by fixed offsets: one step and no further.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stepper {
    /// FIDE 3.6: the nearest squares that are not on the same rank, file or diagonal.
    Knight,
    /// FIDE 3.8.1: any adjoining square.
    King,
}

impl Stepper {
    /// The offsets, as (files, ranks).
    pub const fn offsets(self) -> [(i8, i8); 8] {
        match self {
            Stepper::Knight => {
                [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
            }
            Stepper::King => [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)],
        }
    }

    /// The squares attacked from `from`.
    #[inline(always)]
    pub fn attacks(self, from: Square) -> Bitboard {
        let geometry = &GEOMETRY[from.index()];
        match self {
            Stepper::Knight => geometry.knight,
            Stepper::King => geometry.king,
        }
    }

    /// The attacked squares on which no own piece stands.
    pub fn moves(self, from: Square, own: Bitboard) -> Bitboard {
        self.attacks(from).without(own)
    }

    /// The definition behind [`Stepper::attacks`]: each offset that stays on the board.
    pub(super) const fn attacks_by_stepping(self, from: Square) -> Bitboard {
        let offsets = self.offsets();
        let mut attacks = Bitboard::EMPTY;
        let mut index = 0;
        while index < offsets.len() {
            if let Some(square) = from.offset(offsets[index].0, offsets[index].1) {
                attacks.0 |= Bitboard::of(square).0;
            }
            index += 1;
        }
        attacks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(names: &str) -> Bitboard {
        names.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    /// FIDE 3.6.
    #[test]
    fn a_knight_jumps_to_the_nearest_squares_off_its_lines() {
        assert_eq!(Stepper::Knight.attacks(Square::D4), squares("b3 b5 c2 c6 e2 e6 f3 f5"));
        assert_eq!(Stepper::Knight.attacks(Square::H1), squares("f2 g3"));
        assert_eq!(Stepper::Knight.attacks(Square::A8), squares("b6 c7"));
        assert_eq!(Stepper::Knight.moves(Square::H1, squares("f2")), squares("g3"));
    }

    /// FIDE 3.8.1.
    #[test]
    fn a_king_steps_to_any_adjoining_square() {
        assert_eq!(Stepper::King.attacks(Square::E4), squares("d3 d4 d5 e3 e5 f3 f4 f5"));
        assert_eq!(Stepper::King.attacks(Square::A1), squares("a2 b1 b2"));
        assert_eq!(Stepper::King.attacks(Square::H5), squares("h4 h6 g4 g5 g6"));
    }

    /// The board has 2·(2·6·7) pairs of squares a jump apart, each counted from both ends.
    #[test]
    fn there_are_336_knight_jumps_and_420_king_steps() {
        let count = |stepper: Stepper| Square::all().map(|s| stepper.attacks(s).len()).sum::<u32>();
        assert_eq!((count(Stepper::Knight), count(Stepper::King)), (336, 420));
    }
}
