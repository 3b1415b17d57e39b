//! The colour to move as a type, so that the hot paths are compiled once for each colour.

use crate::bitboard::Bitboard;
use crate::piece::Color;
use crate::shapes::Pawn;
use crate::square::Rank;

/// The side to move, known to the compiler.
pub(crate) trait Us: Copy {
    /// The other side.
    type Them: Us;
    /// The colour.
    const COLOR: Color;

    /// What a push adds to a square's index.
    const PUSH: i8 = 8 * Pawn(Self::COLOR).direction();
    /// Our pawns.
    const PAWN: Pawn = Pawn(Self::COLOR);
    /// The rank that a double push crosses.
    const THIRD_RANK: Bitboard = Bitboard::rank(Self::COLOR.rank(Rank::Third));
    /// The rank from which pawns promote, with every move they have.
    const SEVENTH_RANK: Bitboard = Bitboard::rank(Self::COLOR.rank(Rank::Seventh));
    /// The rank of king and rooks at the start.
    const BACK_RANK: Bitboard = Bitboard::rank(Self::COLOR.back_rank());
}

#[derive(Clone, Copy)]
pub(crate) struct White;

#[derive(Clone, Copy)]
pub(crate) struct Black;

impl Us for White {
    type Them = Black;
    const COLOR: Color = Color::White;
}

impl Us for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
}
