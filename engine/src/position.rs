//! A valid position: what it knows, and what is always true of it.
//!
//! How a position comes to be is the room [`setup`], how it changes [`make`], which moves it has
//! [`generate`] and, by definition, [`trial`].

mod arrivals;
mod explain;
mod generate;
mod make;
pub(crate) mod setup;
mod trial;
pub(crate) mod us;

pub use self::explain::{CastlingObstacle, IllegalMove};
pub(crate) use self::generate::{CountMoves, Visitor, origin, show_legal_moves};
pub use self::make::{NullMoveInCheck, NullUndo, Undo};
pub use self::setup::{EnPassantObstacle, Setup, SetupError, SetupFault};

use core::fmt;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::piece::{Color, Role};
use crate::square::Square;
use crate::zobrist::Key;

/// A valid chess position.
///
/// Always true of it (R1, R3 of the rule decisions in ARCHITECTURE.md): each side has one king; no
/// pawn stands on the first or last rank; the side that does not move is not in check; every castling right
/// has its king and rook in place; an en passant square is there only if at least one en passant
/// capture is legal. The ways to get one are [`Setup::validate`], FEN text and legal moves.
///
/// Equality is that of all six FEN fields. It is 128 bytes and cheap to copy: a reader who needs
/// its own takes one.
///
/// ```
/// use touchmove::Position;
///
/// let mut position = Position::default();
/// let moves = position.legal_moves();
/// assert_eq!(moves.len(), 20);
///
/// let undo = position.make(moves[0]);
/// position.unmake(moves[0], undo);
/// assert_eq!(position, Position::default());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Position {
    board: Board,
    castling: CastlingRights,
    key: Key,
    // The counters lie apart. Side by side the compiler reads them as one, right behind writes of each, and the processor waits.
    halfmove_clock: u16,
    turn: Color,
    en_passant: Option<Square>,
    move_number: u16,
}

impl Position {
    /// The most either counter can show; in play they stay there (R5).
    pub const CLOCK_MAX: u16 = 9999;

    /// Which piece stands where.
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Which rooks may still castle.
    #[inline(always)]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square behind the pawn that has just passed, if a capture of it en passant is legal (R3).
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The plies since the last capture or pawn move (FIDE 9.3), 0–9999.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move about to be played, 1–9999, counted up after Black's.
    #[inline(always)]
    pub const fn move_number(&self) -> u16 {
        self.move_number
    }

    /// The hash key, the same as [`Key::of`] computes from scratch.
    #[inline(always)]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// The king's square of a side.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        (self.board.role(Role::King) & self.board.color(color)).first_of_some()
    }

    /// The pieces that give check to the side whose turn it is (FIDE 3.9.1).
    pub fn checkers(&self) -> Bitboard {
        self.attackers_of_king(self.turn)
    }

    /// Whether the side whose turn it is is in check (FIDE 3.9.1).
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether the side whose turn it is is checkmated (FIDE 5.1.1).
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Whether the side whose turn it is is stalemated (FIDE 5.2.1).
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// The enemy pieces that attack a side's king.
    fn attackers_of_king(&self, color: Color) -> Bitboard {
        self.board.attackers_to(self.king(color), self.board.occupied()) & self.board.color(!color)
    }
}

/// The start position.
impl Default for Position {
    fn default() -> Position {
        Setup::default().validate().expect("the start position is valid")
    }
}

/// Draws the board and writes the FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}\n{self}", self.board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_128_bytes() {
        assert_eq!(size_of::<Position>(), 128);
    }
}
