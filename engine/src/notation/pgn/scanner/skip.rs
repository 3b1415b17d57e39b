//! Passing over what nobody reads: lines of tags, movetext, and what is left of a broken game.

use std::io::{self, BufRead};

use super::super::reader::{result_of, tag_name};
use super::{EXCERPT, Scanner, WORD_MAX, ends_word, looks_like_tag};

/// Lines that are longer are no lines of tags that nobody reads.
const TAG_LINE: usize = 512;

impl<R: BufRead> Scanner<R> {
    /// Behind a tag: passes over the lines that follow, as long as each is a tag and nothing else.
    pub(in crate::notation::pgn) fn skip_tag_lines(&mut self) -> io::Result<()> {
        loop {
            while self.window.len() < self.at + 2 * TAG_LINE && self.more()? {}
            let rest = &self.window[self.at..];
            let Some((rest_of_line, behind)) = split_line(rest) else { return Ok(()) };
            let Some((line, _)) = split_line(behind) else { return Ok(()) };
            let line = line.trim_ascii_end();
            if !is_plain_tag(line) || !is_end_of_line(rest_of_line) {
                return Ok(());
            }
            self.at += rest_of_line.len() + 1 + line.len();
            self.start = self.at;
        }
    }

    /// Passes over movetext in which `depth` lines are open, the main line being the first. Whether it ends with a result; else
    /// the next game begins, or the file ends.
    ///
    /// Looks for the few bytes that can matter: all else is moves.
    pub(in crate::notation::pgn) fn skip_movetext(&mut self, mut depth: usize) -> io::Result<bool> {
        while self.skip_to_byte_that_matters()? {
            let byte = self.window[self.at];
            match byte {
                b'(' => depth += 1,
                b')' => depth = (depth - 1).max(1),
                b'{' => {
                    // A brace that is not closed leaves the next game to be found.
                    let _whether_closed = self.comment_in_braces()?;
                    continue;
                }
                b';' => self.skip_line()?,
                b'%' if self.is_at_line_start() => self.skip_line()?,
                b'[' if self.is_first_in_line() => return Ok(false),
                b'*' if depth == 1 => {
                    self.at += 1;
                    return Ok(true);
                }
                b'-' if depth == 1 && self.is_in_result()? => return Ok(true),
                _ => {}
            }
            self.at = (self.at + 1).min(self.window.len());
        }
        Ok(false)
    }

    /// Whether nothing but blanks stands before the next byte in its line.
    fn is_first_in_line(&self) -> bool {
        let mut before = self.window[..self.at].iter().rev();
        before
            .find(|byte| !matches!(byte, b' ' | b'\t'))
            .is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
    }

    /// Goes on to a byte that means something in movetext that nobody reads; false at the end of the file.
    fn skip_to_byte_that_matters(&mut self) -> io::Result<bool> {
        const STRIDE: usize = 32;
        let matters =
            |byte: u8| matches!(byte, b'(' | b')' | b'{' | b';' | b'%' | b'[' | b'-' | b'*');
        loop {
            let rest = &self.window[self.at..];
            // Whole strides without such a byte go by quickly.
            let is_dull =
                |stride: &&[u8]| stride.iter().fold(true, |dull, &byte| dull & !matters(byte));
            let dull = rest.chunks_exact(STRIDE).take_while(is_dull).count() * STRIDE;
            let found = rest[dull..].iter().position(|&byte| matters(byte));
            self.at += dull + found.unwrap_or(rest.len() - dull);
            self.start = self.at;
            match found {
                Some(_) => return Ok(true),
                None if self.more()? => {}
                None => return Ok(false),
            }
        }
    }

    /// Whether the word around the next byte is a result; then it is passed.
    fn is_in_result(&mut self) -> io::Result<bool> {
        while self.window.len() < self.at + 8 && self.more()? {}
        let before =
            self.window[..self.at].iter().rev().take_while(|&&byte| !ends_word(byte)).count();
        let behind = self.window[self.at..].iter().take_while(|&&byte| !ends_word(byte)).count();
        let word = self.at - before..self.at + behind;
        let is_result = result_of(&self.window[word.clone()]).is_some();
        if is_result {
            self.at = word.end;
            self.start = self.at;
        }
        Ok(is_result)
    }

    /// After an error: goes on to the next game, a tag at the start of a line. Inside the tags of the broken game
    /// its movetext is passed first; a game without tags ends with an empty line behind its result.
    pub(in crate::notation::pgn) fn skip_to_next_game(
        &mut self,
        is_in_tags: bool,
    ) -> io::Result<()> {
        let mut is_in_tags = is_in_tags;
        let mut is_over = false;
        loop {
            if self.is_at_line_start() {
                let (is_tag, is_empty) = (self.is_at_tag()?, self.is_at_line_end()?);
                if is_tag && !is_in_tags || is_empty && is_over {
                    return Ok(());
                }
                is_in_tags &= is_tag;
            }
            self.skip_line()?;
            is_over = self.is_behind_result();
            if self.peek()?.is_none() {
                return Ok(());
            }
            let is_two = self.goes_on_with(b"\r\n")?;
            self.at += if is_two { 2 } else { 1 };
            self.start = self.at;
        }
    }

    fn is_at_line_end(&mut self) -> io::Result<bool> {
        Ok(matches!(self.peek()?, None | Some(b'\n' | b'\r')))
    }

    /// Whether a tag may begin here: `[Event "`.
    fn is_at_tag(&mut self) -> io::Result<bool> {
        while self.window.len() < self.at + WORD_MAX && self.more()? {}
        Ok(looks_like_tag(&self.window[self.at..]))
    }

    /// Whether the word right before the next byte is a result.
    fn is_behind_result(&self) -> bool {
        let before = &self.window[self.at.saturating_sub(EXCERPT)..self.at];
        let word = before.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next();
        word.and_then(result_of).is_some()
    }
}

/// Whether a line is one tag, without escapes or a carriage return inside, and does not begin another game as a second `Event` does.
fn is_plain_tag(line: &[u8]) -> bool {
    let quotes = line.iter().filter(|&&byte| byte == b'"').count();
    line.starts_with(b"[")
        && line.ends_with(b"\"]")
        && quotes == 2
        && !line.iter().any(|byte| matches!(byte, b'\\' | b'\r'))
        && tag_name(line) != b"Event"
}

/// Whether these bytes before a line feed are blanks. A carriage return among them would end a line of its own.
fn is_end_of_line(bytes: &[u8]) -> bool {
    let blanks = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    blanks.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\x0b' | b'\x0c'))
}

/// A line and what is behind its line feed, if the line is not too long.
fn split_line(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let len = text.iter().take(TAG_LINE).position(|&byte| byte == b'\n')?;
    Some((&text[..len], &text[len + 1..]))
}
