//! What a piece's shape allows, given who stands where: squares it attacks, squares it may reach.
//!
//! Three families share out the six roles: [`Slider`], [`Stepper`] and [`Pawn`]. None of them knows
//! whose turn it is, where the kings are, or what the last move was: pins, check, castling and en passant
//! belong to the [`Position`](crate::Position).

pub(crate) mod geometry;
pub(crate) mod lines;
mod magic;
pub(crate) mod occupancy;
mod pawn;
mod slider;
mod stepper;

pub use self::lines::{between, line};
pub(crate) use self::magic::Magic;
pub use self::pawn::Pawn;
pub use self::slider::Slider;
pub(crate) use self::slider::{SliderLookup, Task};
pub use self::stepper::Stepper;

use crate::bitboard::Bitboard;
use crate::piece::{Piece, Role};
use crate::square::Square;

/// The family a piece belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Shape {
    Slider(Slider),
    Stepper(Stepper),
    Pawn(Pawn),
}

impl Piece {
    /// The family of this piece.
    pub const fn shape(self) -> Shape {
        match self.role {
            Role::Pawn => Shape::Pawn(Pawn(self.color)),
            Role::Knight => Shape::Stepper(Stepper::Knight),
            Role::Bishop => Shape::Slider(Slider::Bishop),
            Role::Rook => Shape::Slider(Slider::Rook),
            Role::Queen => Shape::Slider(Slider::Queen),
            Role::King => Shape::Stepper(Stepper::King),
        }
    }

    /// The squares this piece attacks from `from` (FIDE 3.1.2), whoever stands on them.
    ///
    /// `occupied` are the squares that stop a slider: all pieces on the board.
    pub fn attacks(self, from: Square, occupied: Bitboard) -> Bitboard {
        match self.shape() {
            Shape::Slider(slider) => slider.attacks(from, occupied),
            Shape::Stepper(stepper) => stepper.attacks(from),
            Shape::Pawn(pawn) => pawn.attacks(from),
        }
    }

    /// The squares this piece may reach from `from` by its shape alone: attacked squares without an own
    /// piece, and for a pawn its pushes and captures.
    ///
    /// `own` are the squares of its own side, `capturable` those of the other side; for a pawn
    /// that includes the square it may capture on en passant. Castling is not a question of shape.
    ///
    /// ```
    /// use touchmove::{Bitboard, Color, Piece, Role, Square};
    ///
    /// let pawn = Piece { color: Color::White, role: Role::Pawn };
    /// let reached = pawn.moves(Square::E2, Bitboard::EMPTY, Square::F3.into());
    /// assert_eq!(reached, [Square::E3, Square::F3, Square::E4].into_iter().collect());
    /// assert_eq!(pawn.attacks(Square::E2, Bitboard::EMPTY).len(), 2); // d3 and f3
    /// ```
    pub fn moves(self, from: Square, own: Bitboard, capturable: Bitboard) -> Bitboard {
        match self.shape() {
            Shape::Slider(slider) => slider.moves(from, own, capturable),
            Shape::Stepper(stepper) => stepper.moves(from, own),
            Shape::Pawn(pawn) => pawn.moves(from, own, capturable),
        }
    }
}
