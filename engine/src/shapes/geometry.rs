//! All that is fixed about a square, in one cache line, so that a look at a square costs one load.

use crate::bitboard::Bitboard;
use crate::shapes::occupancy::relevant_squares;
use crate::shapes::{Slider, Stepper};
use crate::square::Square;

/// What pieces see from a square of an empty board, and where its slider attacks are tabled.
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
    /// Where the bishop's attacks begin in a table of [`TABLE_LEN`] entries.
    pub(crate) bishop_offset: u32,
    /// Where the rook's attacks begin.
    pub(crate) rook_offset: u32,
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
        bishop_offset: 0,
        rook_offset: 0,
    };
    let mut table = [NOTHING; 64];
    let mut offset = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::from_masked(index as u8);
        let bishop_mask = relevant_squares(Slider::Bishop, square);
        let rook_mask = relevant_squares(Slider::Rook, square);
        table[index] = Geometry {
            knight: Stepper::Knight.attacks_by_stepping(square),
            king: Stepper::King.attacks_by_stepping(square),
            diagonals: Slider::Bishop.attacks_by_walking(square, Bitboard::EMPTY),
            lines: Slider::Rook.attacks_by_walking(square, Bitboard::EMPTY),
            bishop_mask,
            rook_mask,
            bishop_offset: offset,
            rook_offset: offset + (1 << bishop_mask.len()),
        };
        offset += (1 << bishop_mask.len()) + (1 << rook_mask.len());
        index += 1;
    }
    assert!(offset as usize == TABLE_LEN);
    table
}
