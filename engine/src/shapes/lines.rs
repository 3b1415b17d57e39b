//! Squares between two squares, and the line through them.

use crate::bitboard::Bitboard;
use crate::shapes::Slider;
use crate::square::Square;

/// The squares strictly between two squares on one rank, file or diagonal; none where they share no
/// line.
///
/// ```
/// use touchmove::{Bitboard, Square, between};
///
/// assert_eq!(between(Square::A1, Square::C3), Square::B2.into());
/// assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// All squares of the rank, file or diagonal through two squares, from edge to edge; none where they
/// share no line, or are one square.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

type Pairs = [[Bitboard; 64]; 64];

static BETWEEN: Pairs = pairs().0;
static LINE: Pairs = pairs().1;

const fn pairs() -> (Pairs, Pairs) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut line = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 64 * 64 {
        let (from, to) = (index / 64, index % 64);
        let (a, b) = (Square::from_masked(from as u8), Square::from_masked(to as u8));
        (between[from][to], line[from][to]) = between_and_line(a, b);
        index += 1;
    }
    (between, line)
}

const fn between_and_line(a: Square, b: Square) -> (Bitboard, Bitboard) {
    const FAMILIES: [Slider; 2] = [Slider::Bishop, Slider::Rook];
    let (set_a, set_b) = (Bitboard::of(a), Bitboard::of(b));
    let mut index = 0;
    while index < FAMILIES.len() {
        let slider = FAMILIES[index];
        let from_a = slider.attacks_by_walking(a, Bitboard::EMPTY);
        if from_a.contains(b) {
            let up_to_b = slider.attacks_by_walking(a, set_b);
            let up_to_a = slider.attacks_by_walking(b, set_a);
            let from_b = slider.attacks_by_walking(b, Bitboard::EMPTY);
            return (
                Bitboard(up_to_b.0 & up_to_a.0),
                Bitboard(from_a.0 & from_b.0 | set_a.0 | set_b.0),
            );
        }
        index += 1;
    }
    (Bitboard::EMPTY, Bitboard::EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_squares_on_a_line_have_squares_between() {
        for a in Square::all() {
            for b in Square::all() {
                let (files, ranks) =
                    (b.file() as i8 - a.file() as i8, b.rank() as i8 - a.rank() as i8);
                let aligned = a != b && (files == 0 || ranks == 0 || files.abs() == ranks.abs());
                let step = (files.signum(), ranks.signum());
                let expected: Bitboard = (1..files.abs().max(ranks.abs()))
                    .filter(|_| aligned)
                    .filter_map(|n| a.offset(n * step.0, n * step.1))
                    .collect();
                assert_eq!(between(a, b), expected, "{a} {b}");
                let expected: Bitboard = (-7..=7)
                    .filter(|_| aligned)
                    .filter_map(|n| a.offset(n * step.0, n * step.1))
                    .collect();
                assert_eq!(line(a, b), expected, "{a} {b}");
            }
        }
    }
}
