//! What is wrong in a game file, and where.

use alloc::string::String;
use core::fmt;
use core::ops::Range;
use std::io;

use super::PgnTooLarge;
use super::judge::GameFault;

/// A game could not be read to its end: in which game, where in the file, and why.
///
/// The reader goes on with the next game.
#[derive(Debug)]
pub struct PgnError<E = GameFault> {
    pub(super) game: u64,
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) excerpt: String,
    pub(super) culprit: Range<usize>,
    pub(super) fault: PgnFault<E>,
}

/// Why a game could not be read to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum PgnFault<E = GameFault> {
    /// The file could not be read. Nothing more comes.
    Io(io::Error),
    /// The file is UTF-16, or begins as such files do. Nothing more comes.
    Utf16,
    /// A word is no move: what was expected where the error stands.
    NotAMove {
        /// The word.
        word: String,
        /// What was expected at the place of the error.
        expected: &'static str,
    },
    /// A character that stands for nothing here.
    Stray,
    /// `$` and no number from 0 to 255.
    Nag,
    /// A tag is not closed on its line.
    TagOpen,
    /// A tag is not `[Name "value"]`.
    Tag,
    /// A comment is not closed before the next game begins or the file ends.
    CommentOpen,
    /// A variation is not closed when the game ends.
    VariationOpen,
    /// A variation is closed where none is open.
    VariationNotOpen,
    /// A variation begins before the first move of its line: it replaces none.
    VariationBeforeMove,
    /// A word has more than 255 bytes.
    LongWord,
    /// A part is larger than it may be.
    TooLarge(PgnTooLarge),
    /// The visitor refuses what it was shown.
    Game(E),
}

impl<E> PgnError<E> {
    /// The number of the game in the file, from 1; 0 where the file cannot be read before the first.
    pub const fn game(&self) -> u64 {
        self.game
    }

    /// The line, from 1.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// The column, from 1, in characters.
    pub const fn column(&self) -> u64 {
        self.column
    }

    /// Why.
    pub const fn fault(&self) -> &PgnFault<E> {
        &self.fault
    }

    /// The line, or as much of it around the place as is worth showing.
    pub fn excerpt(&self) -> &str {
        &self.excerpt
    }

    /// Which bytes of the excerpt are meant.
    pub fn culprit(&self) -> Range<usize> {
        self.culprit.clone()
    }

    /// The text that is meant: a move, a tag, a character.
    pub fn text(&self) -> &str {
        &self.excerpt[self.culprit.clone()]
    }
}

impl PgnFault {
    /// A code that stays the same in every version: `comment-open`, `ambiguous`.
    pub const fn code(&self) -> &'static str {
        match self {
            PgnFault::Io(_) => "unreadable",
            PgnFault::Utf16 => "utf-16",
            PgnFault::NotAMove { .. } => "not-a-move",
            PgnFault::Stray => "stray-character",
            PgnFault::Nag => "nag",
            PgnFault::TagOpen => "tag-open",
            PgnFault::Tag => "tag",
            PgnFault::CommentOpen => "comment-open",
            PgnFault::VariationOpen => "variation-open",
            PgnFault::VariationNotOpen => "variation-not-open",
            PgnFault::VariationBeforeMove => "variation-before-move",
            PgnFault::LongWord => "long-word",
            PgnFault::TooLarge(_) => "too-large",
            PgnFault::Game(fault) => fault.code(),
        }
    }
}

impl<E: fmt::Display> fmt::Display for PgnError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PgnError { game, line, column, fault, .. } = self;
        write!(f, "game {game}, line {line}, column {column}: ")?;
        if !self.text().is_empty() && !matches!(fault, PgnFault::NotAMove { .. }) {
            write!(f, "`{}`: ", self.text())?;
        }
        fault.fmt(f)
    }
}

impl<E: fmt::Display> fmt::Display for PgnFault<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PgnFault::Io(error) => return error.fmt(f),
            PgnFault::NotAMove { word, expected } => {
                return write!(f, "{word:?} is no move: expected {expected}");
            }
            PgnFault::Utf16 => "expected UTF-8 or ISO 8859-1, found UTF-16",
            PgnFault::Stray => "expected a move, a comment, a variation or a result",
            PgnFault::Nag => "expected a number from 0 to 255 after `$`",
            PgnFault::TagOpen => "expected a quotation mark and `]` before the end of the line",
            PgnFault::Tag => "expected a tag, `[Name \"value\"]`",
            PgnFault::CommentOpen => "expected `}` before the end of the game",
            PgnFault::VariationOpen => "expected `)` before the end of the game",
            PgnFault::VariationNotOpen => "no variation is open here",
            PgnFault::VariationBeforeMove => {
                "a variation replaces a move, and its line has none yet"
            }
            PgnFault::LongWord => "no word here has more than 255 bytes",
            PgnFault::TooLarge(part) => return part.fmt(f),
            PgnFault::Game(fault) => return fault.fmt(f),
        })
    }
}

impl<E: core::error::Error + 'static> core::error::Error for PgnError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.fault {
            PgnFault::Io(error) => Some(error),
            PgnFault::TooLarge(part) => Some(part),
            PgnFault::Game(fault) => Some(fault),
            _ => None,
        }
    }
}
