//! Bishop, rook and queen: directions, and how far they go before something stands in the way.

use crate::bitboard::Bitboard;
use crate::shapes::Magic;
use crate::square::Square;

/// A piece that goes any distance along its directions, up to the first piece in the way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slider {
    /// FIDE 3.2: along the diagonals.
    Bishop,
    /// FIDE 3.3: along file and rank.
    Rook,
    /// FIDE 3.4: along file, rank and diagonals.
    Queen,
}

impl Slider {
    /// The directions, as (files, ranks).
    pub const fn directions(self) -> &'static [(i8, i8)] {
        const ALL: [(i8, i8); 8] =
            [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
        match self {
            Slider::Rook => ALL.split_at(4).0,
            Slider::Bishop => ALL.split_at(4).1,
            Slider::Queen => &ALL,
        }
    }

    /// The squares attacked from `from`: each direction up to and including the first occupied square.
    ///
    /// Costs one table look-up, two for a queen.
    #[inline(always)]
    pub fn attacks(self, from: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Slider::Bishop => Magic.bishop(from, occupied),
            Slider::Rook => Magic.rook(from, occupied),
            Slider::Queen => Magic.queen(from, occupied),
        }
    }

    /// The squares to go to: attacked, and no own piece stands there.
    pub fn moves(self, from: Square, own: Bitboard, theirs: Bitboard) -> Bitboard {
        self.attacks(from, own | theirs).without(own)
    }

    /// The definition behind every look-up: walk each direction until something stands in the way.
    pub(crate) const fn attacks_by_walking(self, from: Square, occupied: Bitboard) -> Bitboard {
        let directions = self.directions();
        let mut attacks = Bitboard::EMPTY;
        let mut index = 0;
        while index < directions.len() {
            attacks.0 |= walk(from, directions[index], occupied).0;
            index += 1;
        }
        attacks
    }
}

/// The squares in a direction up to and including the first occupied one.
pub(super) const fn walk(from: Square, (files, ranks): (i8, i8), occupied: Bitboard) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    let mut square = from;
    while let Some(next) = square.offset(files, ranks) {
        seen.0 |= Bitboard::of(next).0;
        if occupied.contains(next) {
            break;
        }
        square = next;
    }
    seen
}

/// A way to look slider attacks up. All agree; they differ in what the processor must be able to do.
pub(crate) trait SliderLookup: Copy {
    /// [`Slider::Bishop`]'s attacks.
    fn bishop(self, from: Square, occupied: Bitboard) -> Bitboard;

    /// [`Slider::Rook`]'s attacks.
    fn rook(self, from: Square, occupied: Bitboard) -> Bitboard;

    /// [`Slider::Queen`]'s attacks.
    #[inline(always)]
    fn queen(self, from: Square, occupied: Bitboard) -> Bitboard {
        self.bishop(from, occupied) | self.rook(from, occupied)
    }

    /// Runs a task in a function compiled for the processor that this look-up asks for.
    fn run<T: Task>(self, task: T) -> T::Output;
}

/// Work that looks slider attacks up, compiled once for each kind of look-up.
pub(crate) trait Task {
    /// What comes of it.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`: their code must become part of the
    /// function that [`SliderLookup::run`] compiles for the processor.
    fn run<L: SliderLookup>(self, sliders: L) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(names: &str) -> Bitboard {
        names.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    /// FIDE 3.2 and 3.3, on an empty board: 14 squares for every rook, 7 to 13 for a bishop.
    #[test]
    fn on_an_empty_board_sliders_reach_the_edge() {
        assert_eq!(
            Slider::Bishop.attacks(Square::C2, Bitboard::EMPTY),
            squares("b1 d1 b3 a4 d3 e4 f5 g6 h7")
        );
        for square in Square::all() {
            assert_eq!(Slider::Rook.attacks(square, Bitboard::EMPTY).len(), 14);
            let rings = [square.file() as u32, square.rank() as u32].map(|at| at.min(7 - at));
            let expected = 7 + 2 * rings.into_iter().min().unwrap();
            assert_eq!(Slider::Bishop.attacks(square, Bitboard::EMPTY).len(), expected);
            assert_eq!(Slider::Queen.attacks(square, Bitboard::EMPTY).len(), 14 + expected);
        }
    }

    #[test]
    fn between_blockers_a_slider_stops_at_the_first() {
        let blockers = squares("d6 b4 d1 g4 f6 b2 h8 a1");
        assert_eq!(
            Slider::Rook.attacks(Square::D4, blockers),
            squares("d5 d6 c4 b4 d3 d2 d1 e4 f4 g4")
        );
        assert_eq!(
            Slider::Bishop.attacks(Square::D4, blockers),
            squares("e5 f6 c3 b2 c5 b6 a7 e3 f2 g1")
        );
        let own = squares("d6 f6");
        assert_eq!(
            Slider::Queen.moves(Square::D4, own, blockers.without(own)),
            squares("d5 c4 b4 d3 d2 d1 e4 f4 g4 e5 c3 b2 c5 b6 a7 e3 f2 g1")
        );
    }
}
