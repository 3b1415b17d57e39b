//! Goes through a suite line by line: comments, the variant in force, and blocks of several lines.
//! What is in a line is read elsewhere.

use std::path::PathBuf;

use touchmove::UciMode;

use super::line::read_line;
use super::opcodes::{read_perft, set_once};
use super::part::{Fault, Part, is_garbage};
use super::{Line, Suite};

/// The longest line that is read, in bytes.
pub(super) const LINE_MAX: usize = 64 << 10;

/// Reads line after line, with what earlier lines have settled.
pub(super) struct Reader {
    pub(super) suite: Suite,
    variant: Option<(UciMode, usize)>,
    block: Option<Block>,
}

/// An `id` line, an `epd` line, or both, whose `perft` lines follow.
struct Block {
    /// The line that stands for the block in an error.
    number: usize,
    text: String,
    state: BlockState,
}

enum BlockState {
    /// There was an `id` and no `epd` yet.
    Named(Option<String>),
    Open(Box<Line>),
    /// An error was reported for the block; if it lacks anything else, that is no second error.
    Spoiled(Option<Box<Line>>),
}

impl Reader {
    pub(super) fn new(path: PathBuf) -> Reader {
        let suite = Suite { path, lines: Vec::new(), errors: Vec::new() };
        Reader { suite, variant: None, block: None }
    }

    pub(super) fn refuse(&mut self, number: usize, text: &str, fault: Fault) {
        self.suite.errors.push(fault.in_line(number, text));
    }

    pub(super) fn line(&mut self, number: usize, bytes: &[u8]) {
        let trimmed = bytes.trim_ascii();
        if trimmed.is_empty() || trimmed[0] == b'%' {
            return;
        }
        if bytes.len() > LINE_MAX {
            let start: String =
                String::from_utf8_lossy(&bytes[..80]).chars().chain(['…']).collect();
            let message = format!("expected at most {LINE_MAX} bytes, found {}", bytes.len());
            return self.refuse(number, &start, Fault::new(0, start.len(), message));
        }
        let text = String::from_utf8_lossy(bytes);
        let part = Part::of_line(&text);
        let outcome = if trimmed[0] == b'#' {
            self.comment(number, part)
        } else {
            expect_text(bytes, &text).and_then(|()| self.content(number, &text, part))
        };
        if let Err(fault) = outcome {
            self.refuse(number, &text, fault);
        }
    }

    /// A comment, which may name the variant.
    fn comment(&mut self, number: usize, part: Part<'_>) -> Result<(), Fault> {
        let Some((key, _)) = part.text.split_once(':') else { return Ok(()) };
        if !key[1..].trim().eq_ignore_ascii_case("variant") {
            return Ok(());
        }
        let value = part.split_at(key.len() + 1).1.trim();
        let mode = match value.text.to_ascii_lowercase().as_str() {
            "standard" => UciMode::Standard,
            "chess960" => UciMode::Chess960,
            _ => return Err(value.fault("expected `standard` or `chess960`")),
        };
        self.variant = Some((mode, number));
        Ok(())
    }

    fn content(&mut self, number: usize, text: &str, part: Part<'_>) -> Result<(), Fault> {
        let (keyword, rest) = part.split_word();
        match keyword.text {
            "id" => self.block_id(number, text, rest),
            "epd" => self.block_epd(number, text, rest),
            "perft" => self.block_perft(rest),
            _ => {
                self.close_block();
                let line = read_line(number, self.variant, part)?;
                self.accept(line, text);
                Ok(())
            }
        }
    }

    /// Keeps a line if it has counts.
    fn accept(&mut self, mut line: Line, text: &str) {
        line.counts.sort_unstable();
        if line.counts.is_empty() {
            let end = Part::of_line(text);
            let fault = end.missing("expected at least one count such as `;D1 20`");
            self.refuse(line.number, text, fault);
        } else {
            self.suite.lines.push(line);
        }
    }

    fn block_id(&mut self, number: usize, text: &str, name: Part<'_>) -> Result<(), Fault> {
        self.close_block();
        let mut id = None;
        let outcome = set_once(&mut id, name, name);
        let state = match outcome {
            Ok(()) => BlockState::Named(id),
            Err(_) => BlockState::Spoiled(None),
        };
        self.block = Some(Block { number, text: text.to_string(), state });
        outcome
    }

    fn block_epd(&mut self, number: usize, text: &str, rest: Part<'_>) -> Result<(), Fault> {
        let id = match self.block.take() {
            Some(Block { state: BlockState::Named(id), .. }) => id,
            other => {
                self.block = other;
                self.close_block();
                None
            }
        };
        let (state, outcome) = match read_line(number, self.variant, rest) {
            Ok(line) => (BlockState::Open(Box::new(Line { id: line.id.or(id), ..line })), Ok(())),
            Err(fault) => (BlockState::Spoiled(None), Err(fault)),
        };
        self.block = Some(Block { number, text: text.to_string(), state });
        outcome
    }

    fn block_perft(&mut self, rest: Part<'_>) -> Result<(), Fault> {
        let orphan =
            || Fault::new(0, rest.end(), "expected an `epd` line before its `perft` lines");
        let block = self.block.as_mut().ok_or_else(orphan)?;
        let mut unused = Vec::new();
        let counts = match &mut block.state {
            BlockState::Named(_) => {
                block.state = BlockState::Spoiled(None);
                return Err(orphan());
            }
            BlockState::Open(line) | BlockState::Spoiled(Some(line)) => &mut line.counts,
            BlockState::Spoiled(None) => &mut unused,
        };
        let outcome = read_perft(rest, counts);
        if outcome.is_err() {
            block.spoil();
        }
        outcome
    }

    /// Ends the block that is open, if one is.
    pub(super) fn close_block(&mut self) {
        let Some(Block { number, text, state }) = self.block.take() else { return };
        match state {
            BlockState::Named(_) => {
                let end = Part::of_line(&text);
                self.refuse(number, &text, end.missing("expected an `epd` line after this name"));
            }
            BlockState::Open(line) => self.accept(*line, &text),
            BlockState::Spoiled(Some(line)) if !line.counts.is_empty() => self.accept(*line, &text),
            BlockState::Spoiled(_) => {}
        }
    }
}

impl Block {
    fn spoil(&mut self) {
        let state = std::mem::replace(&mut self.state, BlockState::Spoiled(None));
        self.state = match state {
            BlockState::Open(line) => BlockState::Spoiled(Some(line)),
            other => other,
        };
    }
}

/// Refuses bytes that are no text, and control characters.
fn expect_text(bytes: &[u8], lossy: &str) -> Result<(), Fault> {
    if let Err(error) = std::str::from_utf8(bytes) {
        // Up to the first wrong byte the lossy text is the same, byte for byte.
        let len = char::REPLACEMENT_CHARACTER.len_utf8();
        return Err(Fault::new(error.valid_up_to(), len, "expected UTF-8 text"));
    }
    match lossy.char_indices().find(|&(_, char)| is_garbage(char)) {
        None => Ok(()),
        Some((at, char)) => {
            let message =
                format!("expected text, found the control character U+{:04X}", char as u32);
            Err(Fault::new(at, char.len_utf8(), message))
        }
    }
}
