//! Plays what a game file says: every move judged, variations from the position before the move they replace.

use alloc::vec::Vec;
use core::fmt;

use crate::moves::Move;
use crate::notation::san::{San, SanError, SanPlay};
use crate::piece::Color;
use crate::position::Position;

/// A game as it is played through: the position now, the one before the last move, and those to which open
/// variations return.
#[derive(Clone, Debug)]
pub struct Replay {
    place: Place,
    /// Where the lines go on in which variations are open.
    open: Vec<Place>,
}

/// A place in a game.
#[derive(Clone, Copy, Debug)]
struct Place {
    position: Position,
    /// The position before the last move of the line, if it has one.
    before: Position,
    has_move: bool,
    /// The moves from the start of the game.
    plies: u32,
}

impl Place {
    const fn at_start(position: Position) -> Place {
        Place { position, before: position, has_move: false, plies: 0 }
    }
}

impl Replay {
    /// At the start of a game.
    pub fn new(start: Position) -> Replay {
        Replay { place: Place::at_start(start), open: Vec::new() }
    }

    /// Begins again from another start.
    pub fn restart(&mut self, start: Position) {
        self.place = Place::at_start(start);
        self.open.clear();
    }

    /// The position reached.
    pub const fn position(&self) -> &Position {
        &self.place.position
    }

    /// The moves played from the start of the game to here, null moves counted.
    pub const fn plies(&self) -> u32 {
        self.place.plies
    }

    /// How many variations are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Plays a move; `None` is the null move.
    ///
    /// # Errors
    ///
    /// When it is not legal. The position is as before.
    pub fn play(&mut self, san: San) -> Result<Option<Move>, IllegalPly> {
        if san.play == SanPlay::Null {
            return self.play_null().map(|()| None);
        }
        let mv =
            san.resolve(&self.place.position).map_err(|why| self.illegal(PlyFault::San(why)))?;
        self.play_legal(mv);
        Ok(Some(mv))
    }

    /// Plays a null move: as an analysis says "if nothing happened here".
    ///
    /// # Errors
    ///
    /// In check (R12a).
    pub fn play_null(&mut self) -> Result<(), IllegalPly> {
        let before = self.place.position;
        match self.place.position.make_null() {
            Ok(_never_taken_back) => {
                self.advance_from(before);
                Ok(())
            }
            Err(_) => Err(self.illegal(PlyFault::NullInCheck)),
        }
    }

    /// Plays a move that was found legal.
    #[inline]
    pub(super) fn play_legal(&mut self, mv: Move) {
        self.advance_from(self.place.position);
        let _never_taken_back = self.place.position.make(mv);
    }

    #[inline]
    fn advance_from(&mut self, before: Position) {
        self.place.before = before;
        self.place.has_move = true;
        self.place.plies += 1;
    }

    /// Goes back before the last move, to play another in its place. Whether there is a last move to replace.
    pub fn begin_variation(&mut self) -> bool {
        if !self.place.has_move {
            return false;
        }
        self.open.push(self.place);
        let plies = self.place.plies - 1;
        self.place = Place { plies, ..Place::at_start(self.place.before) };
        true
    }

    /// Returns to where the innermost variation began. Whether there was one.
    pub fn end_variation(&mut self) -> bool {
        match self.open.pop() {
            Some(place) => {
                self.place = place;
                true
            }
            None => false,
        }
    }

    fn illegal(&self, why: PlyFault) -> IllegalPly {
        let position = &self.place.position;
        let (move_number, turn) = (position.move_number(), position.turn());
        IllegalPly { ply: self.place.plies + 1, move_number, turn, why }
    }
}

/// A move of a game that is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalPly {
    ply: u32,
    move_number: u16,
    turn: Color,
    why: PlyFault,
}

/// Why a move of a game is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlyFault {
    /// The text means no legal move, or more than one.
    San(SanError),
    /// A null move in check.
    NullInCheck,
}

impl IllegalPly {
    /// Which move of the game it is, from 1, counted from the start through the line it stands in.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// Its move number.
    pub const fn move_number(&self) -> u16 {
        self.move_number
    }

    /// Whose move it is.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Why it is refused.
    pub const fn why(&self) -> PlyFault {
        self.why
    }

    /// A code that stays the same in every version: `ambiguous`, `leaves-king-attacked`, `null-move-in-check`.
    pub const fn code(&self) -> &'static str {
        match &self.why {
            PlyFault::San(why) => why.code(),
            PlyFault::NullInCheck => "null-move-in-check",
        }
    }
}

impl fmt::Display for IllegalPly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.turn == Color::White { "." } else { "..." };
        write!(f, "ply {}, move {}{dots}: ", self.ply, self.move_number)?;
        match self.why {
            PlyFault::San(why) => why.fmt(f),
            PlyFault::NullInCheck => f.write_str("a null move is refused in check"),
        }
    }
}

impl core::error::Error for IllegalPly {}
