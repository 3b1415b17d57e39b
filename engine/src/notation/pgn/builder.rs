//! Makes a game step by step; nothing illegal or too large gets in.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::mem;

use super::game::{PgnAnnotation, PgnGame, PgnLine, PgnMove, PgnRemark};
use super::replay::Replay;
use super::{GameResult, Nag, PGN_NESTING_MAX, PgnComment, PgnTooLarge, Size};
use crate::moves::Move;
use crate::notation::uci::UciMode;
use crate::position::{IllegalMove, Position};

/// The tags that every game for exchange has, in their order, and what they say where nothing is known.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A game that is being written.
///
/// ```
/// use touchmove::{GameResult, Move, PgnBuilder, Position, Square};
///
/// let mut game = PgnBuilder::new(Position::default());
/// game.tag("White", "Anderssen, Adolf")?;
/// game.play(Move::normal(Square::E2, Square::E4))?;
/// let text = game.finish(GameResult::Unknown).to_string();
/// assert!(text.starts_with("[Event \"?\"]\n"));
/// assert!(text.ends_with("\n\n1. e4 *\n"));
/// # Ok::<(), touchmove::PgnBuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PgnBuilder {
    pub(super) tags: Vec<(String, String)>,
    pub(super) start: Position,
    pub(super) replay: Replay,
    /// The line that is being written, and those in which it is a variation, innermost first.
    line: PgnLine,
    open: Vec<PgnLine>,
    size: Size,
}

/// What cannot be put into a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PgnBuildError {
    /// The move is not legal.
    IllegalMove(IllegalMove),
    /// A null move in check.
    NullInCheck,
    /// A tag's name has other characters than ASCII letters, digits and `_+#=:-`, none, or more than 255.
    TagName,
    /// `FEN`, `SetUp` and `Variant` follow from the start.
    StartTag,
    /// A tag's value has a line end in it.
    TagValue,
    /// A variation begins before the first move of its line, or ends where none is open.
    Variation,
    /// It would be larger than a game may be.
    TooLarge(PgnTooLarge),
}

impl fmt::Display for PgnBuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnBuildError::IllegalMove(reason) => reason.fmt(f),
            PgnBuildError::NullInCheck => f.write_str("a null move is refused in check"),
            PgnBuildError::TagName => {
                f.write_str("a tag is named with ASCII letters, digits and `_+#=:-`")
            }
            PgnBuildError::StartTag => f.write_str("the start is given when a game is begun"),
            PgnBuildError::TagValue => f.write_str("a tag's value is one line"),
            PgnBuildError::Variation => {
                f.write_str("a variation replaces a move, and ends where it has begun")
            }
            PgnBuildError::TooLarge(part) => part.fmt(f),
        }
    }
}

impl core::error::Error for PgnBuildError {}

impl From<PgnTooLarge> for PgnBuildError {
    fn from(part: PgnTooLarge) -> PgnBuildError {
        PgnBuildError::TooLarge(part)
    }
}

impl PgnBuilder {
    /// A game from a start, with the seven tags of the roster and those that another start than the usual one
    /// needs.
    pub fn new(start: Position) -> PgnBuilder {
        let mut game = PgnBuilder::without_tags(start);
        let mut add = |name, value: &str| {
            game.push_tag(name, value).expect("the first tags are small");
        };
        ROSTER.iter().for_each(|(name, value)| add(name, value));
        if UciMode::of(&start) == UciMode::Chess960 {
            add("Variant", "Chess960");
        }
        if start != Position::default() {
            add("SetUp", "1");
            add("FEN", &start.to_string());
        }
        game
    }

    pub(super) fn without_tags(start: Position) -> PgnBuilder {
        PgnBuilder {
            tags: Vec::new(),
            start,
            replay: Replay::new(start),
            line: PgnLine::default(),
            open: Vec::new(),
            size: Size::default(),
        }
    }

    /// The position reached.
    pub const fn position(&self) -> &Position {
        self.replay.position()
    }

    /// Sets a tag. `Result` is overwritten in the end.
    ///
    /// # Errors
    ///
    /// When a file could not say it.
    pub fn tag(&mut self, name: &str, value: &str) -> Result<(), PgnBuildError> {
        if !is_tag_name(name.as_bytes()) {
            return Err(PgnBuildError::TagName);
        }
        if matches!(name, "FEN" | "SetUp" | "Variant") {
            return Err(PgnBuildError::StartTag);
        }
        if value.contains(['\n', '\r']) {
            return Err(PgnBuildError::TagValue);
        }
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => {
                self.size.add_tag(value.chars().count())?;
                *old = value.to_owned();
            }
            None => self.push_tag(name, value)?,
        }
        Ok(())
    }

    pub(super) fn push_tag(&mut self, name: &str, value: &str) -> Result<(), PgnTooLarge> {
        self.size.add_tag(value.chars().count())?;
        self.tags.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// When it is not legal, or the game too large.
    pub fn play(&mut self, mv: Move) -> Result<(), PgnBuildError> {
        self.position().explain(mv).map_err(PgnBuildError::IllegalMove)?;
        self.size.add_item()?;
        self.replay.play_legal(mv);
        self.push_move(Some(mv));
        Ok(())
    }

    /// Plays a null move.
    ///
    /// # Errors
    ///
    /// In check, or when the game is too large.
    pub fn play_null(&mut self) -> Result<(), PgnBuildError> {
        self.size.add_item()?;
        self.replay.play_null().map_err(|_| PgnBuildError::NullInCheck)?;
        self.push_move(None);
        Ok(())
    }

    pub(super) fn push_move(&mut self, mv: Option<Move>) {
        self.line.moves.push(PgnMove { mv, after: Vec::new() });
    }

    /// Puts a sign behind the last move, or before the first of the line.
    ///
    /// # Errors
    ///
    /// When the game is too large.
    pub fn nag(&mut self, nag: Nag) -> Result<(), PgnBuildError> {
        self.size.add_item()?;
        self.remark(PgnRemark::Nag(nag));
        Ok(())
    }

    /// Puts a comment behind the last move, or before the first of the line.
    ///
    /// # Errors
    ///
    /// When the game is too large.
    pub fn comment(&mut self, comment: PgnComment) -> Result<(), PgnBuildError> {
        self.size.add_comment(comment.as_str().chars().count())?;
        self.remark(PgnRemark::Comment(comment));
        Ok(())
    }

    fn remark(&mut self, remark: PgnRemark) {
        match self.line.moves.last_mut() {
            Some(played) => played.after.push(PgnAnnotation::Remark(remark)),
            None => self.line.before.push(remark),
        }
    }

    /// Begins other moves in place of the last one.
    ///
    /// # Errors
    ///
    /// When the line has no move yet, or too much is nested.
    pub fn begin_variation(&mut self) -> Result<(), PgnBuildError> {
        self.size.add_item()?;
        if self.open.len() >= PGN_NESTING_MAX {
            return Err(PgnTooLarge::Nesting.into());
        }
        if !self.replay.begin_variation() {
            return Err(PgnBuildError::Variation);
        }
        self.open.push(mem::take(&mut self.line));
        Ok(())
    }

    /// Ends the innermost variation and returns to the move it replaces.
    ///
    /// # Errors
    ///
    /// When none is open.
    pub fn end_variation(&mut self) -> Result<(), PgnBuildError> {
        let outer = self.open.pop().ok_or(PgnBuildError::Variation)?;
        let variation = mem::replace(&mut self.line, outer);
        self.replay.end_variation();
        let replaced = self.line.moves.last_mut().expect("a variation replaces a move");
        replaced.after.push(PgnAnnotation::Variation(variation));
        Ok(())
    }

    /// The game with this result, which its tag says as well. Open variations are ended.
    pub fn finish(mut self, result: GameResult) -> PgnGame {
        if let Some((_, value)) = self.tags.iter_mut().find(|(name, _)| name == "Result") {
            *value = result.to_string();
        }
        self.close(result)
    }

    /// The game with this result; tags stay as they were read.
    pub(super) fn close(mut self, result: GameResult) -> PgnGame {
        while self.end_variation().is_ok() {}
        PgnGame { tags: self.tags, start: self.start, line: self.line, result }
    }
}

/// The most letters of a tag's name.
const TAG_NAME_MAX: usize = 255;

/// ASCII letters, digits and some signs, as databases have them.
pub(super) fn is_tag_name(name: &[u8]) -> bool {
    (1..=TAG_NAME_MAX).contains(&name.len())
        && name.iter().all(|&letter| is_tag_name_letter(letter))
}

pub(super) const fn is_tag_name_letter(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'+' | b'#' | b'=' | b':' | b'-')
}
