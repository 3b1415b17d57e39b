//! Whether any mate at all can be put together from the squares that pieces may come to.
//!
//! # Why it is sound
//!
//! In a mate the king stands on some square k of its own; a piece of the winner other than the king attacks
//! k, and each neighbour of k is attacked by the winner or occupied by the loser's own piece. Every piece does
//! what it does there from one square. So for each k a piece may choose one of its squares and gives what it
//! attacks or occupies of the nine squares around k: too much rather than too little, since a slider is stopped by
//! fixed pieces alone, never by k, and squares may be chosen twice. Where no choice gives all nine for any k,
//! there is no mate. A winner's pawn that promotes is not counted here: such positions are not to be asked about.

use super::reach::{Man, Reach};
use crate::bitboard::Bitboard;
use crate::piece::{Color, Piece, Role};
use crate::shapes::Stepper;
use crate::square::Square;

/// The steps of the combination that are taken in one question at most; more are not worth it.
const STEPS_MAX: usize = 50_000;

/// Whether no mate by `winner` can be put together. False where it can, or would take too long to say.
pub(super) fn no_mate(reach: &Reach, winner: Color) -> bool {
    debug_assert!(!reach.promotes(winner));
    let king = |color| reach.men().iter().find(|man| man.color == color && man.role == Role::King);
    let (Some(ours), Some(theirs)) = (king(winner), king(!winner)) else { return false };
    let mut search = Combination { reach, winner, fixed: reach.fixed(), steps_left: STEPS_MAX };
    theirs.squares.into_iter().all(|square| search.fails_around(square, ours))
}

/// The nine squares around and including a square, as bits; what is off the board reads as 0.
type Window = u16;

/// All nine.
const WHOLE: Window = 0x1ff;

fn window(set: Bitboard, center: Square) -> Window {
    let (file, rank) = (center.file() as u32, center.rank() as u32);
    // Three ranks, the lowest first, and room for one file beside the board.
    let ranks = u128::from(set.0) << 8 >> (8 * rank);
    let row = |index: u32| ((ranks >> (8 * index)) as u16 & 0xff) << 1 >> file & 7;
    row(0) | row(1) << 3 | row(2) << 6
}

/// The choices of all pieces around one square after the other.
struct Combination<'a> {
    reach: &'a Reach,
    winner: Color,
    fixed: Bitboard,
    steps_left: usize,
}

impl Combination<'_> {
    /// Whether the king cannot be mated on this square.
    fn fails_around(&mut self, center: Square, winning_king: &Man) -> bool {
        let near = Stepper::King.attacks(center) | center.into();
        if winning_king.squares.without(near).is_empty() {
            return true;
        }
        let mut given = WHOLE & !window(Bitboard::ALL, center);
        let mut possible = given;
        for man in self.reach.men() {
            let offers = self.offers(man, center, near);
            if man.is_fixed() {
                given |= offers.union;
            }
            possible |= offers.union;
        }
        possible != WHOLE || self.choices_fail(given, center, near)
    }

    /// Goes through the pieces that are not fixed, and keeps every window that the choices so far can give.
    fn choices_fail(&mut self, given: Window, center: Square, near: Bitboard) -> bool {
        let mut windows = Windows::default();
        windows.insert(given);
        for man in self.reach.men().iter().filter(|man| !man.is_fixed()) {
            let mut offers = self.offers(man, center, near).windows;
            offers.drop_lesser();
            let before = windows;
            for window in before.iter() {
                for offer in offers.iter() {
                    windows.insert(window | offer);
                    let Some(left) = self.steps_left.checked_sub(1) else { return false };
                    self.steps_left = left;
                }
            }
            if windows.contains(WHOLE) {
                return false;
            }
        }
        true
    }

    /// What a piece can give around a square, from each of its squares.
    fn offers(&self, man: &Man, center: Square, near: Bitboard) -> Offers {
        let mut offers = Offers::default();
        if man.color != self.winner {
            if man.role != Role::King {
                for square in man.anywhere() & near.without(center.into()) {
                    offers.add(window(square.into(), center));
                }
            }
            return offers;
        }
        let piece = Piece { color: man.color, role: man.role };
        let squares = match man.role {
            Role::King => man.squares.without(near),
            _ => man.squares.without(center.into()),
        };
        let stops = self.fixed.without(center.into());
        for square in squares {
            offers.add(window(piece.attacks(square, stops), center));
        }
        offers
    }
}

/// What one piece can give: its windows, and all of them together.
#[derive(Default)]
struct Offers {
    windows: Windows,
    union: Window,
}

impl Offers {
    fn add(&mut self, window: Window) {
        if window != 0 {
            self.windows.insert(window);
            self.union |= window;
        }
    }
}

/// A set of windows.
#[derive(Clone, Copy, Default)]
struct Windows([u64; 8]);

impl Windows {
    fn insert(&mut self, window: Window) {
        self.0[usize::from(window >> 6)] |= 1 << (window & 63);
    }

    fn contains(&self, window: Window) -> bool {
        self.0[usize::from(window >> 6)] >> (window & 63) & 1 != 0
    }

    fn iter(&self) -> impl Iterator<Item = Window> {
        (0..8).flat_map(|word| {
            let squares = Bitboard(self.0[usize::from(word)]).into_iter();
            squares.map(move |bit| word << 6 | bit as Window)
        })
    }

    /// Drops each window that another one contains.
    fn drop_lesser(&mut self) {
        let all = *self;
        for window in all.iter() {
            if all.iter().any(|other| other != window && other & window == window) {
                self.0[usize::from(window >> 6)] ^= 1 << (window & 63);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_the_nine_squares_around_its_center() {
        for center in Square::all() {
            for square in Square::all() {
                let files = square.file() as i16 - center.file() as i16;
                let ranks = square.rank() as i16 - center.rank() as i16;
                let expected = match (files.abs(), ranks.abs()) {
                    (0 | 1, 0 | 1) => 1 << (3 * (ranks + 1) + files + 1),
                    _ => 0,
                };
                assert_eq!(window(square.into(), center), expected, "{square} around {center}");
            }
        }
    }
}
