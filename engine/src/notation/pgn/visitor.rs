//! What a reader shows, and to whom.

use alloc::borrow::Cow;
use core::str;

use super::{GameResult, Nag, is_blank};
use crate::notation::san::San;

/// What is done with a game as it is read. Each call can end the game; all do nothing unless they are written.
pub trait PgnVisitor {
    /// Why a game may be refused. The reader adds where that is, and goes on with the next game.
    type Error;

    /// A game begins.
    fn begin_game(&mut self) -> Result<PgnFlow, Self::Error> {
        Ok(PgnFlow::GoOn)
    }

    /// A tag, without its quotation marks and backslashes.
    fn tag(&mut self, _name: &str, _value: PgnText<'_>) -> Result<PgnFlow, Self::Error> {
        Ok(PgnFlow::GoOn)
    }

    /// A move of the main line or of the innermost open variation, a null move included. Nobody has judged it yet.
    fn play(&mut self, _san: San) -> Result<PgnFlow, Self::Error> {
        Ok(PgnFlow::GoOn)
    }

    /// A numeric annotation glyph, or a sign that stands for one.
    fn nag(&mut self, _nag: Nag) -> Result<PgnFlow, Self::Error> {
        Ok(PgnFlow::GoOn)
    }

    /// A comment, without its braces or semicolon.
    fn comment(&mut self, _comment: PgnText<'_>) -> Result<PgnFlow, Self::Error> {
        Ok(PgnFlow::GoOn)
    }

    /// A variation begins: other moves in place of the last one.
    fn begin_variation(&mut self) -> Result<PgnFlow, Self::Error> {
        Ok(PgnFlow::GoOn)
    }

    /// The innermost variation ends.
    fn end_variation(&mut self) -> Result<PgnFlow, Self::Error> {
        Ok(PgnFlow::GoOn)
    }

    /// The result with which the movetext ends. Where it is missing, there is no such call.
    fn result(&mut self, _result: GameResult) -> Result<PgnFlow, Self::Error> {
        Ok(PgnFlow::GoOn)
    }
}

/// The bytes of a tag's value or of a comment, as they stand in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PgnText<'a>(pub(crate) &'a [u8]);

impl<'a> PgnText<'a> {
    /// The bytes, of whatever encoding.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Without blanks around it.
    pub(crate) fn trimmed(self) -> PgnText<'a> {
        let is_blank = |byte: &u8| is_blank(char::from(*byte));
        let start = self.0.iter().take_while(|byte| is_blank(byte)).count();
        let rest = &self.0[start..];
        let end = rest.len() - rest.iter().rev().take_while(|byte| is_blank(byte)).count();
        PgnText(&rest[..end])
    }

    /// The number of its characters.
    pub(super) fn chars(self) -> usize {
        if self.0.is_ascii() { self.0.len() } else { self.to_str().chars().count() }
    }

    /// The text: UTF-8 if it is that, else ISO 8859-1, which the standard names and old databases use.
    pub fn to_str(self) -> Cow<'a, str> {
        match core::str::from_utf8(self.0) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(self.0.iter().map(|&byte| char::from(byte)).collect()),
        }
    }
}

/// How reading goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PgnFlow {
    /// With what comes next.
    GoOn,
    /// With the next game; the rest of this one is passed over.
    SkipGame,
    /// Not at all, for now. When the reader is asked again, it goes on with the next game.
    Stop,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_utf_8_are_latin_1() {
        assert_eq!(PgnText("Müller".as_bytes()).to_str(), "Müller");
        assert_eq!(PgnText(b"M\xfcller").to_str(), "Müller");
    }
}
