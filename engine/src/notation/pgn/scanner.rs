//! The words of a game file, one after another, and where they stand. How words are passed over is the room [`skip`].

mod skip;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use std::io::{self, BufRead};

use super::{PGN_COMMENT_MAX, PGN_TAG_MAX};

/// So much of a line is shown before and behind the place of an error, in bytes.
const EXCERPT: usize = 120;
/// The most bytes that are taken from the source at once, which may be a whole file in memory.
const CHUNK: usize = 1 << 16;
/// What some programs write at the start of a file, in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
/// The most bytes of a move, a number or a sign.
const WORD_MAX: usize = 255;
/// The most bytes of a tag: its value may be all escapes, and its letters four bytes long.
const TAG_BYTES_MAX: usize = 8 * PGN_TAG_MAX + 2 * WORD_MAX;
/// The most bytes of a comment with its braces and blanks beside them.
const COMMENT_BYTES_MAX: usize = 4 * PGN_COMMENT_MAX + 16;

/// A piece of a game file. What it says is [`Scanner::text`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// Anything without blanks and brackets: a move, a number, a result, a sign.
    Word,
    /// Some of `!` and `?`.
    Marks,
    /// `$` and digits, as many as there are.
    Nag,
    /// The text between braces, or behind a semicolon.
    Comment,
    /// Square brackets at the start of a line, and what stands in them.
    Tag,
    OpenVariation,
    CloseVariation,
    /// The end of the file.
    End,
}

/// What is no piece of a game file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// A character that stands for nothing here.
    Stray,
    /// A comment whose brace is not closed before the next game or the end.
    CommentOpen,
    /// A tag that is not closed on its line.
    TagOpen,
    /// A word, tag or comment that is longer than it may be.
    TooLong(Token),
}

/// Where something stands: line and column from 1, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) column: u64,
}

impl Place {
    const START: Place = Place { line: 1, column: 1 };

    /// The place behind these bytes. `last` is the byte before them.
    fn after(self, bytes: &[u8], last: u8) -> Place {
        let is_line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let returns = count(bytes, b'\r');
        let line_ends = count(bytes, b'\n') + returns;
        // These two bytes are one line end.
        let is_pair = last == b'\r' && bytes.first() == Some(&b'\n');
        let pairs = match returns {
            0 => 0,
            _ => bytes.windows(2).filter(|pair| pair == b"\r\n").count(),
        };
        let pairs = pairs + usize::from(is_pair);
        let rest = bytes.rsplit(is_line_end).next().unwrap_or_default();
        // Without the bytes inside a character of UTF-8.
        let chars = rest.iter().filter(|byte| !matches!(byte, 0x80..=0xbf)).count() as u64;
        let start = if line_ends > 0 { 1 } else { self.column };
        Place { line: self.line + (line_ends - pairs) as u64, column: start + chars }
    }
}

/// How often a byte stands among others. Counts that fit a byte let the compiler take many bytes at once.
fn count(bytes: &[u8], wanted: u8) -> usize {
    let in_chunk = |chunk: &[u8]| chunk.iter().map(|&byte| u8::from(byte == wanted)).sum::<u8>();
    bytes.chunks(u8::MAX.into()).map(|chunk| usize::from(in_chunk(chunk))).sum()
}

/// A stream of words with a window of bytes around the present one.
pub(super) struct Scanner<R> {
    source: R,
    /// The bytes at hand.
    window: Vec<u8>,
    /// The first byte of the present word, and the next byte to look at.
    start: usize,
    at: usize,
    /// What of the present word is its text.
    text: Range<usize>,
    /// The place of the first byte at hand, and the byte before it.
    place: Place,
    last: u8,
    /// Line ends between the word before and this one; the start of a line counts as one where nothing was read on it.
    line_ends: u32,
    /// Whether the word before was a tag: another may follow on its line.
    is_after_tag: bool,
    is_at_end: bool,
    /// How many bytes were forgotten, and up to which byte of the file no brace closes.
    forgotten: u64,
    unclosed_until: u64,
}

impl<R: BufRead> Scanner<R> {
    pub(super) fn new(source: R) -> Scanner<R> {
        Scanner {
            source,
            window: Vec::new(),
            start: 0,
            at: 0,
            text: 0..0,
            place: Place::START,
            last: b'\n',
            line_ends: 1,
            is_after_tag: false,
            is_at_end: false,
            forgotten: 0,
            unclosed_until: 0,
        }
    }

    /// The text of the present word.
    pub(super) fn text(&self) -> &[u8] {
        &self.window[self.text.clone()]
    }

    /// Whether an empty line stands before the present word.
    pub(super) fn is_after_empty_line(&self) -> bool {
        self.line_ends > 1
    }

    /// Whether the present word begins another line than the word before.
    pub(super) fn is_after_line_end(&self) -> bool {
        self.line_ends > 0
    }

    /// The place of a byte of the present text.
    pub(super) fn place_of(&self, offset: usize) -> Place {
        let to = (self.text.start + offset).min(self.window.len());
        self.place.after(&self.window[..to], self.last)
    }

    /// The line around a byte of the present text, or as much of it as is shown, and the bytes of it that are
    /// meant.
    pub(super) fn excerpt(&mut self, culprit: Range<usize>) -> (String, Range<usize>) {
        let is_line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        // No more than the line is wanted, which may be the last one that was typed so far. What cannot be read
        // cannot be shown; the next look at the file tells.
        while self.window.len() < self.text.end + EXCERPT
            && !self.window[self.text.end..].iter().any(is_line_end)
            && self.more().unwrap_or(false)
        {}
        let from = (self.text.start + culprit.start).min(self.window.len());
        let to = (self.text.start + culprit.end).clamp(from, self.window.len());
        let before = &self.window[from.saturating_sub(EXCERPT)..from];
        let before = before.rsplit(is_line_end).next().unwrap_or_default();
        let behind = &self.window[from..self.window.len().min(to + EXCERPT)];
        let behind = behind.split(is_line_end).next().unwrap_or_default();
        let mut excerpt = shown(before);
        let start = excerpt.len();
        let culprit = &behind[..behind.len().min(to - from)];
        excerpt.push_str(&shown(culprit));
        let end = excerpt.len();
        excerpt.push_str(&shown(&behind[culprit.len()..]));
        (excerpt, start..end)
    }

    /// Reads on; false at the end of the file. What lies well before the present word is forgotten.
    fn more(&mut self) -> io::Result<bool> {
        if self.is_at_end {
            return Ok(false);
        }
        let forgotten = self.start.saturating_sub(EXCERPT);
        if forgotten > 0 {
            let bytes = &self.window[..forgotten];
            self.place = self.place.after(bytes, self.last);
            self.last = bytes[forgotten - 1];
            self.window.drain(..forgotten);
            self.forgotten += forgotten as u64;
            self.start -= forgotten;
            self.at -= forgotten;
            self.text =
                self.text.start.saturating_sub(forgotten)..self.text.end.saturating_sub(forgotten);
        }
        loop {
            match self.source.fill_buf() {
                Ok(bytes) => {
                    let read = bytes.len().min(CHUNK);
                    self.window.extend_from_slice(&bytes[..read]);
                    self.source.consume(read);
                    self.is_at_end = read == 0;
                    return Ok(read > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The next byte, not taken.
    #[inline(always)]
    fn peek(&mut self) -> io::Result<Option<u8>> {
        while self.at == self.window.len() {
            if !self.more()? {
                return Ok(None);
            }
        }
        Ok(Some(self.window[self.at]))
    }

    /// Whether the bytes at hand go on like this from the next one.
    fn goes_on_with(&mut self, text: &[u8]) -> io::Result<bool> {
        while self.window.len() < self.at + text.len() && self.more()? {}
        Ok(self.window[self.at..].starts_with(text))
    }

    /// Leaves out a byte order mark at the start of the file. Whether the file is text of bytes: a mark of UTF-16
    /// says that it is not.
    pub(super) fn skip_byte_order_mark(&mut self) -> io::Result<bool> {
        if self.goes_on_with(BYTE_ORDER_MARK)? {
            self.window.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(!self.goes_on_with(b"\xff\xfe")? && !self.goes_on_with(b"\xfe\xff")?)
    }

    /// Goes on to the next word.
    pub(super) fn next(&mut self) -> io::Result<Result<Token, Trouble>> {
        let mut line_ends = 0;
        loop {
            self.skip_blanks()?;
            self.line_ends += line_ends;
            let Some(byte) = self.peek()? else {
                self.text = self.at..self.at;
                return Ok(Ok(Token::End));
            };
            if byte == b'%' && self.is_at_line_start() {
                self.skip_line()?;
                continue;
            }
            // Files that were joined have such marks in their middle.
            if byte == BYTE_ORDER_MARK[0] && self.goes_on_with(BYTE_ORDER_MARK)? {
                line_ends = self.line_ends;
                self.at += BYTE_ORDER_MARK.len();
                continue;
            }
            let is_after_tag = std::mem::take(&mut self.is_after_tag);
            if byte.is_ascii_digit() && self.skip_move_number()? {
                continue;
            }
            return match byte {
                b'{' => self.comment_in_braces(),
                b';' => self.comment_to_line_end(),
                b'[' if self.line_ends > 0 || is_after_tag => self.tag(),
                b'*' => self.one(Token::Word),
                b'(' => self.one(Token::OpenVariation),
                b')' => self.one(Token::CloseVariation),
                b'$' => self.run(Token::Nag, |byte| byte.is_ascii_digit()),
                b'!' | b'?' => self.run(Token::Marks, |byte| matches!(byte, b'!' | b'?')),
                _ if ends_word(byte) => self.one(Token::Word).map(|_| Err(Trouble::Stray)),
                _ => self.run(Token::Word, |byte| !ends_word(byte)),
            };
        }
    }

    #[inline(always)]
    fn skip_blanks(&mut self) -> io::Result<()> {
        self.line_ends = u32::from(self.is_at_line_start());
        loop {
            let (from, mut line_ends) = (self.at, self.line_ends);
            let mut last = from.checked_sub(1).map_or(0, |before| self.window[before]);
            let is_blank = |byte: &&u8| {
                line_ends += match **byte {
                    b'\n' if last == b'\r' => 0,
                    b'\n' | b'\r' => 1,
                    b' ' | b'\t' | b'\x0b' | b'\x0c' => 0,
                    _ => return false,
                };
                last = **byte;
                true
            };
            let blanks = self.window[from..].iter().take_while(is_blank).count();
            self.at = from + blanks;
            self.start = self.at;
            self.line_ends = line_ends;
            if self.at < self.window.len() || !self.more()? {
                return Ok(());
            }
        }
    }

    /// Passes over `12.` or `12...` before a blank or the end of the file: it says nothing. Numbers that are glued to a
    /// move are left to the reader.
    #[inline(always)]
    fn skip_move_number(&mut self) -> io::Result<bool> {
        loop {
            let rest = &self.window[self.at..];
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let dots = rest[digits..].iter().take_while(|byte| **byte == b'.').count();
            let len = digits + dots;
            let next = rest.get(len).copied();
            if next.is_none() && len <= WORD_MAX && self.more()? {
                continue;
            }
            let is_number = match next {
                Some(byte) => byte.is_ascii_whitespace(),
                None => len <= WORD_MAX,
            };
            if is_number {
                self.at += len;
                self.start = self.at;
            }
            return Ok(is_number);
        }
    }

    fn is_at_line_start(&self) -> bool {
        match self.at.checked_sub(1) {
            Some(before) => matches!(self.window[before], b'\n' | b'\r'),
            None => self.place == Place::START,
        }
    }

    /// Goes on to the end of the line, which is not taken.
    fn skip_line(&mut self) -> io::Result<()> {
        while let Some(byte) = self.peek()? {
            if matches!(byte, b'\n' | b'\r') {
                break;
            }
            self.at += 1;
            self.start = self.at;
        }
        Ok(())
    }

    fn one(&mut self, token: Token) -> io::Result<Result<Token, Trouble>> {
        self.at += 1;
        self.text = self.start..self.at;
        Ok(Ok(token))
    }

    /// The present byte and those behind it that belong to it.
    #[inline(always)]
    fn run(
        &mut self,
        token: Token,
        belongs: impl Fn(u8) -> bool,
    ) -> io::Result<Result<Token, Trouble>> {
        self.at += 1;
        loop {
            let end = self.window.len().min(self.start + WORD_MAX + 1);
            let rest = &self.window[self.at..end];
            let len = rest.iter().position(|&byte| !belongs(byte));
            self.at += len.unwrap_or(rest.len());
            if self.at - self.start > WORD_MAX {
                self.at -= 1;
                self.text = self.start..self.at;
                return Ok(Err(Trouble::TooLong(token)));
            }
            if len.is_some() || !self.more()? {
                break;
            }
        }
        self.text = self.start..self.at;
        Ok(Ok(token))
    }

    fn comment_to_line_end(&mut self) -> io::Result<Result<Token, Trouble>> {
        while let Some(byte) = self.peek()? {
            if matches!(byte, b'\n' | b'\r') {
                break;
            }
            if self.at - self.start >= COMMENT_BYTES_MAX {
                self.text = self.start..self.start + 1;
                return Ok(Err(Trouble::TooLong(Token::Comment)));
            }
            self.at += 1;
        }
        self.text = self.start + 1..self.at;
        Ok(Ok(Token::Comment))
    }

    fn comment_in_braces(&mut self) -> io::Result<Result<Token, Trouble>> {
        self.at += 1;
        let is_closed = self.find_closing_brace()?;
        let taken = self.at.min(self.start + COMMENT_BYTES_MAX);
        let text = &self.window[self.start..taken];
        // A brace that was forgotten swallows no game: one that begins behind an empty line, or any where no brace closes.
        let game = next_game(text).or_else(|| if is_closed { None } else { next_tag(text) });
        if is_closed && game.is_none() {
            self.text = self.start + 1..self.at;
            self.at += 1;
            return Ok(Ok(Token::Comment));
        }
        self.text = self.start..self.start + 1;
        let is_long = self.at > taken;
        self.at = game.map_or(taken, |game| self.start + game);
        Ok(Err(match game {
            None if is_long => Trouble::TooLong(Token::Comment),
            _ => Trouble::CommentOpen,
        }))
    }

    /// Goes on to the brace that closes a comment, or as far as a comment may reach. What was looked through in vain once is
    /// not looked through again.
    fn find_closing_brace(&mut self) -> io::Result<bool> {
        let known = self.unclosed_until.saturating_sub(self.forgotten) as usize;
        self.at = self.at.max(known.min(self.window.len()));
        loop {
            let rest = &self.window[self.at..];
            let closing = rest.iter().position(|&byte| byte == b'}');
            self.at += closing.unwrap_or(rest.len());
            let is_long = self.at - self.start > COMMENT_BYTES_MAX;
            if closing.is_some() && !is_long {
                return Ok(true);
            }
            if is_long || !self.more()? {
                self.unclosed_until = self.forgotten + self.at as u64;
                return Ok(false);
            }
        }
    }

    /// From `[` to `]`, which stands behind a quotation mark, or at the latest at the end of the line.
    fn tag(&mut self) -> io::Result<Result<Token, Trouble>> {
        self.at += 1;
        let mut state = TagState::Name;
        while let Some(byte) = self.peek()? {
            if matches!(byte, b'\n' | b'\r') {
                break;
            }
            if self.at - self.start >= TAG_BYTES_MAX {
                self.text = self.start..self.start + 1;
                return Ok(Err(Trouble::TooLong(Token::Tag)));
            }
            self.at += 1;
            state = state.after(byte);
            if state == TagState::Closed {
                self.text = self.start..self.at;
                self.is_after_tag = true;
                return Ok(Ok(Token::Tag));
            }
        }
        self.text = self.start..self.at;
        Ok(Err(Trouble::TagOpen))
    }
}

/// How far the inside of a tag has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TagState {
    /// Before the quotation mark.
    Name,
    Value,
    /// Behind a backslash.
    Escape,
    /// Behind a quotation mark that may end the value.
    Quoted,
    Closed,
}

impl TagState {
    fn after(self, byte: u8) -> TagState {
        match (self, byte) {
            (TagState::Name, b'"') => TagState::Value,
            (TagState::Name, b']') => TagState::Closed,
            (TagState::Name, _) => TagState::Name,
            (TagState::Escape, _) => TagState::Value,
            (TagState::Quoted, b']') => TagState::Closed,
            (TagState::Quoted, b' ' | b'\t') => TagState::Quoted,
            (_, b'"') => TagState::Quoted,
            (_, b'\\') => TagState::Escape,
            _ => TagState::Value,
        }
    }
}

/// Whether a byte stands for itself, or parts words.
#[inline(always)]
const fn ends_word(byte: u8) -> bool {
    const ENDS: [bool; 256] = {
        let mut ends = [false; 256];
        let signs = b" \t\n\r\x0b\x0c(){}[];$!?*\"<>\x7f";
        let mut index = 0;
        while index < signs.len() {
            ends[signs[index] as usize] = true;
            index += 1;
        }
        // Other control characters.
        let mut byte = 0;
        while byte < 0x20 {
            ends[byte] = true;
            byte += 1;
        }
        ends
    };
    ENDS[byte as usize]
}

/// Where in a text that was taken for a comment the next game begins: a tag behind an empty line.
fn next_game(text: &[u8]) -> Option<usize> {
    let is_after_empty_line = |at: usize| {
        text[..at].ends_with(b"\n\n")
            || text[..at].ends_with(b"\n\r\n")
            || text[..at].ends_with(b"\r\r")
    };
    tags(text).find(|&at| is_after_empty_line(at))
}

/// The first tag that begins a line in such a text.
fn next_tag(text: &[u8]) -> Option<usize> {
    tags(text).next()
}

/// Where lines begin with a tag.
fn tags(text: &[u8]) -> impl Iterator<Item = usize> {
    let begins_line = |at: usize| matches!(text[at - 1], b'\n' | b'\r');
    let starts = (1..text.len()).filter(move |&at| text[at] == b'[' && begins_line(at));
    starts.filter(|&at| looks_like_tag(&text[at..]))
}

/// `[`, a name, blanks and a quotation mark.
fn looks_like_tag(text: &[u8]) -> bool {
    let Some(inside) = text.strip_prefix(b"[") else { return false };
    let name = inside.iter().take_while(|byte| super::builder::is_tag_name_letter(**byte)).count();
    let mut rest = inside[name..].iter().skip_while(|byte| matches!(byte, b' ' | b'\t'));
    name > 0 && rest.next() == Some(&b'"')
}

/// Bytes as they are shown in a report: one sign for each that is no printable character.
fn shown(bytes: &[u8]) -> String {
    let plain = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    String::from_utf8_lossy(bytes).chars().map(plain).collect()
}
