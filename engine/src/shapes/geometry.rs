//! All that is fixed about a square, in one cache line, so that a look at a square costs one load.

use crate::bitboard::Bitboard;
use crate::piece::{ByColor, Color};
use crate::shapes::occupancy::relevant_squares;
use crate::shapes::{Pawn, Slider, Stepper};
use crate::square::Square;

/// What pieces see from a square of an empty board.
#[repr(C, align(64))]
pub(crate) struct Geometry {
    /// A knight's jumps.
    pub(crate) knight: Bitboard,
    /// A king's steps.
    pub(crate) king: Bitboard,
    /// A bishop's squares on an empty board.
    pub(crate) diagonals: Bitboard,
    /// A rook's squares on an empty board.
    pub(crate) lines: Bitboard,
    /// The squares whose occupation matters to a bishop: its diagonals without their last squares.
    pub(crate) bishop_mask: Bitboard,
    /// The squares whose occupation matters to a rook: its lines without their last squares.
    pub(crate) rook_mask: Bitboard,
    /// What a pawn of each colour attacks.
    pub(crate) pawn: ByColor<Bitboard>,
}

/// The entries of a table with one entry for each square and each occupation of its slider masks.
pub(crate) const TABLE_LEN: usize = 107_648;

/// The geometry of each square.
pub(crate) static GEOMETRY: [Geometry; 64] = geometry();

const fn geometry() -> [Geometry; 64] {
    const NOTHING: Geometry = Geometry {
        knight: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
        diagonals: Bitboard::EMPTY,
        lines: Bitboard::EMPTY,
        bishop_mask: Bitboard::EMPTY,
        rook_mask: Bitboard::EMPTY,
        pawn: ByColor { white: Bitboard::EMPTY, black: Bitboard::EMPTY },
    };
    let mut table = [NOTHING; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::from_masked(index as u8);
        let pawn = Bitboard::of(square);
        table[index] = Geometry {
            knight: Stepper::Knight.attacks_by_stepping(square),
            king: Stepper::King.attacks_by_stepping(square),
            diagonals: Slider::Bishop.attacks_by_walking(square, Bitboard::EMPTY),
            lines: Slider::Rook.attacks_by_walking(square, Bitboard::EMPTY),
            bishop_mask: relevant_squares(Slider::Bishop, square),
            rook_mask: relevant_squares(Slider::Rook, square),
            pawn: ByColor {
                white: Pawn(Color::White).attacks_of_all(pawn),
                black: Pawn(Color::Black).attacks_of_all(pawn),
            },
        };
        index += 1;
    }
    table
}

/// Where the attacks of a square begin in a table of [`TABLE_LEN`] entries.
#[derive(Clone, Copy)]
pub(crate) struct Offsets {
    pub(crate) bishop: usize,
    pub(crate) rook: usize,
}

/// The offsets of each square.
pub(crate) static OFFSETS: [Offsets; 64] = offsets();

const fn offsets() -> [Offsets; 64] {
    let mut table = [Offsets { bishop: 0, rook: 0 }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let bishop_len = 1 << GEOMETRY[square].bishop_mask.len();
        table[square] = Offsets { bishop: offset, rook: offset + bishop_len };
        offset += bishop_len + (1 << GEOMETRY[square].rook_mask.len());
        square += 1;
    }
    assert!(offset == TABLE_LEN);
    table
}
