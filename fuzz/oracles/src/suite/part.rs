//! Parts of a line that know where they stand, and what is wrong at one. No form of suites is known here.

use super::LineError;

/// What is wrong in a line: the bytes of the culprit, and what was expected.
#[derive(Debug)]
pub(super) struct Fault {
    at: usize,
    len: usize,
    message: String,
}

impl Fault {
    pub(super) fn new(at: usize, len: usize, message: impl Into<String>) -> Fault {
        Fault { at, len, message: message.into() }
    }

    pub(super) fn in_line(self, number: usize, text: &str) -> LineError {
        let (before, culprit) = text.split_at(self.at);
        LineError {
            line: number,
            column: before.chars().count() + 1,
            length: culprit[..self.len].chars().count().max(1),
            text: text.chars().map(printable).collect(),
            message: self.message,
        }
    }
}

pub(super) fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t')
}

/// Control characters, and those that turn the direction of what is printed after them.
pub(super) fn is_garbage(char: char) -> bool {
    let turns = matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || char.is_control() && char != '\t'
}

fn printable(char: char) -> char {
    if is_garbage(char) { char::REPLACEMENT_CHARACTER } else { char }
}

/// A part of a line that knows at which byte of it it starts.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Part<'a> {
    /// A whole line, trimmed.
    pub(super) fn of_line(text: &'a str) -> Part<'a> {
        Part { text, at: 0 }.trim()
    }

    pub(super) fn split_at(self, len: usize) -> (Part<'a>, Part<'a>) {
        let (left, right) = self.text.split_at(len);
        (Part { text: left, at: self.at }, Part { text: right, at: self.at + len })
    }

    pub(super) fn trim(self) -> Part<'a> {
        let text = self.text.trim_start_matches(is_blank);
        let at = self.at + self.text.len() - text.len();
        Part { text: text.trim_end_matches(is_blank), at }
    }

    /// The first word and what follows it, trimmed.
    pub(super) fn split_word(self) -> (Part<'a>, Part<'a>) {
        let part = self.trim();
        let (word, rest) = part.split_at(part.text.find(is_blank).unwrap_or(part.text.len()));
        (word, rest.trim())
    }

    /// The words, one after the other.
    pub(super) fn words(self) -> impl Iterator<Item = Part<'a>> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let (word, behind) = rest.split_word();
            rest = behind;
            (!word.text.is_empty()).then_some(word)
        })
    }

    pub(super) fn end(self) -> usize {
        self.at + self.text.len()
    }

    pub(super) fn fault(self, message: impl Into<String>) -> Fault {
        Fault::new(self.at, self.text.len(), message)
    }

    pub(super) fn missing(self, message: impl Into<String>) -> Fault {
        Fault::new(self.end(), 0, message)
    }
}
