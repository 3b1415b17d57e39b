//! A game as a tree: tags, the main line, and what is remarked on it.

use alloc::string::String;
use alloc::vec::Vec;

use super::{GameResult, Nag, PgnComment};
use crate::moves::Move;
use crate::position::Position;

/// A game of legal moves with all that its file says of it.
///
/// It is read by [`PgnReader`](crate::PgnReader) or [`FromStr`](core::str::FromStr), or made by a
/// [`PgnBuilder`](crate::PgnBuilder); written, it reads back equal.
///
/// ```
/// use touchmove::{GameResult, PgnGame};
///
/// let game: PgnGame = "1. e4 e5 (1... c5 2. Nf3 {Open}) 2. Bc4! *".parse()?;
/// assert_eq!(game.line().moves.len(), 3);
/// assert_eq!(game.line().moves[1].variations().next().unwrap().moves.len(), 2);
/// assert_eq!(game.result(), GameResult::Unknown);
/// assert_eq!(game.to_string(), "1. e4 e5 ( 1... c5 2. Nf3 { Open } ) 2. Bc4 $1 *\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    pub(super) tags: Vec<(String, String)>,
    pub(super) start: Position,
    pub(super) line: PgnLine,
    pub(super) result: GameResult,
}

/// A main line or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct PgnLine {
    /// What is remarked before the first move.
    pub before: Vec<PgnRemark>,
    /// The moves.
    pub moves: Vec<PgnMove>,
}

/// A move and what follows it before the next.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PgnMove {
    /// The move; none for a null move.
    pub mv: Option<Move>,
    /// What stands behind it, in its order.
    pub after: Vec<PgnAnnotation>,
}

/// A sign or a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnRemark {
    /// A numeric annotation glyph.
    Nag(Nag),
    /// A comment.
    Comment(PgnComment),
}

/// What stands behind a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnAnnotation {
    /// A sign or a comment.
    Remark(PgnRemark),
    /// Other moves in its place.
    Variation(PgnLine),
}

impl PgnGame {
    /// The tags, in their order.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find_map(|(tag, value)| (tag == name).then_some(value))
    }

    /// Where the game begins: the position of the tag `FEN`, else the start position.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The main line.
    pub const fn line(&self) -> &PgnLine {
        &self.line
    }

    /// The moves of the main line, up to the first null move.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.line.moves.iter().map_while(|played| played.mv)
    }

    /// How it ended: what the movetext says, else the tag `Result`.
    pub const fn result(&self) -> GameResult {
        self.result
    }
}

impl PgnMove {
    /// The signs behind the move.
    pub fn nags(&self) -> impl Iterator<Item = Nag> {
        self.after.iter().filter_map(|annotation| match annotation {
            PgnAnnotation::Remark(PgnRemark::Nag(nag)) => Some(*nag),
            _ => None,
        })
    }

    /// The comments behind the move.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.after.iter().filter_map(|annotation| match annotation {
            PgnAnnotation::Remark(PgnRemark::Comment(comment)) => Some(comment.as_str()),
            _ => None,
        })
    }

    /// The variations in its place.
    pub fn variations(&self) -> impl Iterator<Item = &PgnLine> {
        self.after.iter().filter_map(|annotation| match annotation {
            PgnAnnotation::Variation(line) => Some(line),
            PgnAnnotation::Remark(_) => None,
        })
    }
}
