//! What the notations share: how an error in a text is told.

pub(crate) mod epd;
pub(crate) mod fen;
pub(crate) mod pgn;
pub(crate) mod san;
pub(crate) mod uci;

use core::fmt;

/// A text is not what its notation says: where, what was found and what was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    offset: usize,
    field: &'static str,
    found: Option<char>,
    expected: &'static str,
}

impl SyntaxError {
    /// Where: bytes from the start of the text, always on the boundary of a character.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// In which part of the text: `piece placement`, `castling rights`.
    pub const fn field(&self) -> &'static str {
        self.field
    }

    /// The character found there, or `None` at the end of the text.
    pub const fn found(&self) -> Option<char> {
        self.found
    }

    /// What was expected instead.
    pub const fn expected(&self) -> &'static str {
        self.expected
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}, {}: expected {}, found ", self.offset, self.field, self.expected)?;
        match self.found {
            Some(found) => write!(f, "{found:?}"),
            None => f.write_str("the end"),
        }
    }
}

impl core::error::Error for SyntaxError {}

/// A text and a place in it.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a str,
    offset: usize,
    field: &'static str,
}

impl<'a> Cursor<'a> {
    /// At the start of a text, ASCII blanks around it left out; offsets still count from the very start.
    fn new(text: &'a str, field: &'static str) -> Cursor<'a> {
        let end = text.trim_ascii_end().len();
        let offset = end - text[..end].trim_ascii_start().len();
        Cursor { text: &text[..end], offset, field }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.offset += next.len_utf8();
        Some(next)
    }

    /// Takes the next character if it is this one.
    fn take(&mut self, wanted: char) -> bool {
        let taken = self.peek() == Some(wanted);
        if taken {
            self.offset += wanted.len_utf8();
        }
        taken
    }

    /// Takes the next character if it means something.
    fn take_map<T>(&mut self, meaning: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let value = meaning(self.peek()?)?;
        self.next();
        Some(value)
    }

    /// An error at this place.
    fn error(&self, expected: &'static str) -> SyntaxError {
        SyntaxError { offset: self.offset, field: self.field, found: self.peek(), expected }
    }

    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), SyntaxError> {
        if self.take(wanted) { Ok(()) } else { Err(self.error(expected)) }
    }

    fn expect_end(&self, expected: &'static str) -> Result<(), SyntaxError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.error(expected)) }
    }
}
