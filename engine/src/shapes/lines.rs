//! Squares between two squares, and the line through them.

use crate::bitboard::Bitboard;
use crate::shapes::Slider;
use crate::shapes::slider::walk;
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

const PAIRS: (Pairs, Pairs) = pairs();
static BETWEEN: Pairs = PAIRS.0;
static LINE: Pairs = PAIRS.1;

const fn pairs() -> (Pairs, Pairs) {
    let mut tables = ([[Bitboard::EMPTY; 64]; 64], [[Bitboard::EMPTY; 64]; 64]);
    let directions = Slider::Queen.directions();
    let mut index = 0;
    while index < 64 * directions.len() {
        let from = Square::from_masked((index / directions.len()) as u8);
        fill_direction(&mut tables, from, directions[index % directions.len()]);
        index += 1;
    }
    tables
}

/// Goes from a square in a direction; all squares met on the way share the line.
const fn fill_direction(
    (between, line): &mut (Pairs, Pairs),
    from: Square,
    (files, ranks): (i8, i8),
) {
    let ahead = walk(from, (files, ranks), Bitboard::EMPTY);
    let behind = walk(from, (-files, -ranks), Bitboard::EMPTY);
    let mut passed = Bitboard::EMPTY;
    let mut square = from;
    while let Some(next) = square.offset(files, ranks) {
        between[from.index()][next.index()] = passed;
        line[from.index()][next.index()] = Bitboard(ahead.0 | behind.0 | Bitboard::of(from).0);
        passed.0 |= Bitboard::of(next).0;
        square = next;
    }
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
