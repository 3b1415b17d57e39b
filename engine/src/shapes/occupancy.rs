//! All the ways in which the lines of a slider can be occupied: what the look-up tables are built from.
//!
//! A bishop or a rook has two lines through its square. What it attacks on one does not depend on the
//! other, so the tables combine two short lists instead of walking 107,648 boards.

use crate::bitboard::Bitboard;
use crate::shapes::Slider;
use crate::shapes::slider::walk;
use crate::square::Square;

/// The squares whose occupation changes a slider's attacks: the last square of a direction never does.
pub(super) const fn relevant_squares(slider: Slider, from: Square) -> Bitboard {
    let directions = slider.directions();
    let mut relevant = Bitboard::EMPTY;
    let mut index = 0;
    while index < directions.len() {
        relevant.0 |= without_last(from, directions[index]).0;
        index += 1;
    }
    relevant
}

/// The squares in a direction but for the last before the edge.
const fn without_last(from: Square, (files, ranks): (i8, i8)) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    let mut square = from;
    while let Some(next) = square.offset(files, ranks) {
        if next.offset(files, ranks).is_some() {
            squares.0 |= Bitboard::of(next).0;
        }
        square = next;
    }
    squares
}

/// Both lines of a bishop and of a rook on each square. Only the compiler reads it.
pub(crate) static OCCUPANCIES: [[[LineOccupancies; 2]; 2]; 64] = occupancies();

const fn occupancies() -> [[[LineOccupancies; 2]; 2]; 64] {
    const NONE: LineOccupancies =
        LineOccupancies { len: 0, occupied: [Bitboard::EMPTY; 64], attacks: [Bitboard::EMPTY; 64] };
    let mut table = [const { [[NONE; 2]; 2] }; 64];
    let mut square = 0;
    while square < 64 {
        let from = Square::from_masked(square as u8);
        table[square] =
            [LineOccupancies::of(Slider::Bishop, from), LineOccupancies::of(Slider::Rook, from)];
        square += 1;
    }
    table
}

/// The ways in which one line through a square can be occupied, and what is attacked then.
#[derive(Clone, Copy)]
pub(crate) struct LineOccupancies {
    /// How many there are.
    pub(crate) len: usize,
    /// The relevant squares that are occupied.
    pub(crate) occupied: [Bitboard; 64],
    /// The squares of the line that are attacked.
    pub(crate) attacks: [Bitboard; 64],
}

impl LineOccupancies {
    /// Both lines of a bishop or a rook.
    const fn of(slider: Slider, from: Square) -> [LineOccupancies; 2] {
        let directions = slider.directions();
        assert!(directions.len() == 4, "a queen is looked up as bishop and rook");
        // The directions go round the compass: the third is opposite to the first.
        [
            LineOccupancies::along(from, directions[0], directions[2]),
            LineOccupancies::along(from, directions[1], directions[3]),
        ]
    }

    const fn along(from: Square, one_way: (i8, i8), other_way: (i8, i8)) -> LineOccupancies {
        let relevant = without_last(from, one_way).0 | without_last(from, other_way).0;
        let mut line = LineOccupancies {
            len: 0,
            occupied: [Bitboard::EMPTY; 64],
            attacks: [Bitboard::EMPTY; 64],
        };
        // Subtracting a set from one of its subsets gives the next subset, and after the last the empty one.
        let mut occupied = Bitboard::EMPTY;
        loop {
            line.occupied[line.len] = occupied;
            line.attacks[line.len] =
                Bitboard(walk(from, one_way, occupied).0 | walk(from, other_way, occupied).0);
            line.len += 1;
            occupied.0 = occupied.0.wrapping_sub(relevant) & relevant;
            if occupied.is_empty() {
                return line;
            }
        }
    }
}
