//! Why an action in a game is refused (R12). Nothing has changed then.

use core::fmt;

use crate::game::outcome::Outcome;
use crate::notation::SyntaxError;
use crate::notation::san::SanError;
use crate::notation::uci::UciMove;
use crate::piece::Color;
use crate::position::IllegalMove;

/// Why an action is refused. Of several reasons the first in this order is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The game is over.
    GameOver(Outcome),
    /// It is the other side's turn.
    NotYourTurn {
        /// Whose it is.
        turn: Color,
    },
    /// The text is no move in this notation.
    NotAMove(SyntaxError),
    /// There is no such square: rows and columns are 0–7.
    OffTheBoard {
        /// The row, from the top.
        row: usize,
        /// The column, from the left as White sees it.
        column: usize,
    },
    /// The move is not legal.
    Illegal {
        /// The move, as UCI would write it.
        text: UciMove,
        /// Why.
        why: IllegalMove,
    },
    /// The move in algebraic notation means no legal move, or more than one.
    San(SanError),
    /// There is no move to take back.
    NothingToUndo,
    /// No move was taken back, or another was made since.
    NothingToRedo,
    /// The player's own draw offer stands already (FIDE 9.1.2.1).
    OfferStands,
    /// There is no draw offer of the other side to answer.
    NoOffer,
    /// The game is played without a clock.
    NoClock,
}

impl Refusal {
    /// A code that stays the same in every version: `game-over`, `not-your-turn`, `leaves-king-attacked`.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::GameOver(_) => "game-over",
            Refusal::NotYourTurn { .. } => "not-your-turn",
            Refusal::NotAMove(_) => "not-a-move",
            Refusal::OffTheBoard { .. } => "off-the-board",
            Refusal::Illegal { why, .. } => why.code(),
            Refusal::San(why) => why.code(),
            Refusal::NothingToUndo => "nothing-to-undo",
            Refusal::NothingToRedo => "nothing-to-redo",
            Refusal::OfferStands => "offer-stands",
            Refusal::NoOffer => "no-offer",
            Refusal::NoClock => "no-clock",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::GameOver(outcome) => write!(f, "the game is over: {outcome}"),
            Refusal::NotYourTurn { turn } => write!(f, "it is {turn}'s turn"),
            Refusal::NotAMove(error) => error.fmt(f),
            Refusal::OffTheBoard { row, column } => {
                write!(f, "row {row}, column {column} is no square: both are from 0 to 7")
            }
            Refusal::Illegal { text, why } => write!(f, "{text}: {why}"),
            Refusal::San(why) => why.fmt(f),
            Refusal::NothingToUndo => f.write_str("there is no move to take back"),
            Refusal::NothingToRedo => f.write_str("there is no move to play again"),
            Refusal::OfferStands => f.write_str("the draw offer stands already"),
            Refusal::NoOffer => f.write_str("there is no draw offer to answer"),
            Refusal::NoClock => f.write_str("the game is played without a clock"),
        }
    }
}

impl core::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Refusal::NotAMove(error) => Some(error),
            Refusal::Illegal { why, .. } => Some(why),
            Refusal::San(why) => Some(why),
            _ => None,
        }
    }
}
