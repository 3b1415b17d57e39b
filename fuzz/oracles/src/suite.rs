//! Perft suites: positions with the counts that others have published, in the forms people have.
//!
//! Four forms are read, mixed as they come:
//!
//! ```text
//! FEN ;D1 20 ;D2 400 ;id name ;c0 capture,check ;c1 a remark        ours
//! placement turn castling ep D1 20; D2 400; id "name"; hmvc 0;       EPD
//! id name / epd FEN / perft 1 20 / perft 2 400                       a block, one item a line
//! FEN; perft 1 = 20; perft 2 = 400                                   by the word
//! ```
//!
//! A FEN has four fields or six. Blank lines and lines that start with `#` or `%` are skipped, but
//! for `# variant: chess960` and `# variant: standard`, which set the mode of the lines below them.
//! Any other line is an error that says where it is and what was expected, and the rest is still
//! read. Nothing is counted here, and no event name is judged.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use touchmove::{FenError, Position, SyntaxError, UciMode};

/// The largest file that is read, in bytes.
const FILE_MAX: u64 = 256 << 20;
/// The longest line that is read, in bytes.
const LINE_MAX: usize = 64 << 10;
/// After so many errors the file is taken for something else than a suite.
const ERRORS_MAX: usize = 1000;
/// The deepest depth a count may name.
const DEPTH_MAX: u64 = 99;

/// What a file of positions and counts holds, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Where it was read from.
    pub path: PathBuf,
    /// The positions, in the order of the file.
    pub lines: Vec<Line>,
    /// The lines that could not be read, in the order of the file, one error for each. After 1,000
    /// of them one more says that the rest was not read.
    pub errors: Vec<LineError>,
}

/// A position and the counts that are claimed for it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The number of the line that holds the FEN, counted from 1.
    pub number: usize,
    /// The name, if the line has one.
    pub id: Option<String>,
    /// The position.
    pub position: Position,
    /// How castling is written where an engine is asked.
    pub mode: UciMode,
    /// What decided the mode.
    pub mode_source: ModeSource,
    /// Depth and number of move paths, by rising depth: at least one entry, depths 0–99, none twice.
    pub counts: Vec<(u32, u64)>,
    /// The rule events claimed by `c0`, as written.
    pub events: Vec<String>,
    /// The remark of `c1`.
    pub remark: Option<String>,
}

/// What decided the mode of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModeSource {
    /// The `# variant:` comment on the line of this number.
    Variant(usize),
    /// The castling rights and the squares of kings and rooks.
    Position,
}

/// A line that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// Where the culprit starts, in characters counted from 1; one past the end where something
    /// is missing.
    pub column: usize,
    /// How many characters the culprit has, at least 1.
    pub length: usize,
    /// The line, for showing: without its end, bytes that are no text and control characters
    /// replaced one by one, the rest of an overlong line left out.
    pub text: String,
    /// What was expected, and where it helps what was found.
    pub message: String,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for LineError {}

impl Line {
    /// The name under which results are reported: the id, else `line 17`.
    pub fn name(&self) -> String {
        self.id.clone().unwrap_or_else(|| format!("line {}", self.number))
    }
}

impl Suite {
    /// Reads a file, or a pipe up to its end.
    ///
    /// # Errors
    ///
    /// When it cannot be opened or read, is neither a file nor a pipe, or is larger than 256 MiB. The
    /// message does not name the path. What is wrong *in* the file is in [`Suite::errors`].
    pub fn read(path: impl AsRef<Path>) -> io::Result<Suite> {
        let path = path.as_ref();
        // Asked before opening: to open a device can already do something.
        let metadata = std::fs::metadata(path)?;
        refuse_other_than_text(&metadata)?;
        let mut bytes = Vec::new();
        // The size of a pipe is not known, and that of a file may have changed.
        File::open(path)?.take(FILE_MAX + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > FILE_MAX {
            return Err(too_large());
        }
        Ok(Suite::parse(path, &bytes))
    }

    /// Reads a suite from memory. Never fails: what cannot be read is in [`Suite::errors`].
    pub fn parse(path: impl Into<PathBuf>, bytes: &[u8]) -> Suite {
        let mut reader = Reader::new(path.into());
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            reader.refuse(1, "", Fault::new(0, 0, "expected UTF-8, this file is UTF-16"));
            return reader.suite;
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            if reader.suite.errors.len() >= ERRORS_MAX {
                let message =
                    format!("expected a suite; after {ERRORS_MAX} errors no more is read");
                reader.refuse(index + 1, "", Fault::new(0, 0, message));
                break;
            }
            reader.line(index + 1, line.strip_suffix(b"\r").unwrap_or(line));
        }
        reader.close_block();
        // What a block lacks is known only behind it.
        reader.suite.errors.sort_by_key(|error| error.line);
        reader.suite
    }
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "larger than 256 MiB, which no perft suite is")
}

fn refuse_other_than_text(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "a directory, expected a suite"));
    }
    if metadata.is_file() && metadata.len() > FILE_MAX {
        return Err(too_large());
    }
    if !metadata.is_file() && !is_pipe(metadata) {
        let message = "neither a file nor a pipe, expected a suite";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(())
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

/// What is wrong in a line: the bytes of the culprit, and what was expected.
#[derive(Debug)]
struct Fault {
    at: usize,
    len: usize,
    message: String,
}

impl Fault {
    fn new(at: usize, len: usize, message: impl Into<String>) -> Fault {
        Fault { at, len, message: message.into() }
    }

    fn in_line(self, number: usize, text: &str) -> LineError {
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

fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t')
}

fn is_garbage(char: char) -> bool {
    char.is_control() && char != '\t'
}

fn printable(char: char) -> char {
    if is_garbage(char) { char::REPLACEMENT_CHARACTER } else { char }
}

/// A part of a line that knows at which byte of it it starts.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Part<'a> {
    fn split_at(self, len: usize) -> (Part<'a>, Part<'a>) {
        let (left, right) = self.text.split_at(len);
        (Part { text: left, at: self.at }, Part { text: right, at: self.at + len })
    }

    fn trim(self) -> Part<'a> {
        let text = self.text.trim_start_matches(is_blank);
        let at = self.at + self.text.len() - text.len();
        Part { text: text.trim_end_matches(is_blank), at }
    }

    /// The first word and what follows it, trimmed.
    fn split_word(self) -> (Part<'a>, Part<'a>) {
        let part = self.trim();
        let (word, rest) = part.split_at(part.text.find(is_blank).unwrap_or(part.text.len()));
        (word, rest.trim())
    }

    fn end(self) -> usize {
        self.at + self.text.len()
    }

    fn fault(self, message: impl Into<String>) -> Fault {
        Fault::new(self.at, self.text.len(), message)
    }

    fn missing(self, message: impl Into<String>) -> Fault {
        Fault::new(self.end(), 0, message)
    }
}

/// Reads line after line, with what earlier lines have settled.
struct Reader {
    suite: Suite,
    variant: Option<(UciMode, usize)>,
    block: Option<Block>,
}

/// An `id` line, an `epd` line, or both, whose `perft` lines follow.
struct Block {
    /// The line that stands for the block in an error.
    number: usize,
    text: String,
    id: Option<String>,
    state: BlockState,
}

enum BlockState {
    /// There was an `id` and no `epd` yet.
    Named,
    Open(Box<Line>),
    /// An error was reported for the block; if it lacks anything else, that is no second error.
    Spoiled(Option<Box<Line>>),
}

impl Reader {
    fn new(path: PathBuf) -> Reader {
        let suite = Suite { path, lines: Vec::new(), errors: Vec::new() };
        Reader { suite, variant: None, block: None }
    }

    fn refuse(&mut self, number: usize, text: &str, fault: Fault) {
        self.suite.errors.push(fault.in_line(number, text));
    }

    fn line(&mut self, number: usize, bytes: &[u8]) {
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
        let part = Part { text: &text, at: 0 }.trim();
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
                self.accept(line, number, text);
                Ok(())
            }
        }
    }

    /// Keeps a line if it has counts.
    fn accept(&mut self, line: Line, number: usize, text: &str) {
        if line.counts.is_empty() {
            let end = Part { text, at: 0 }.trim();
            self.refuse(number, text, end.missing("expected at least one count such as `;D1 20`"));
        } else {
            self.suite.lines.push(line);
        }
    }

    fn block_id(&mut self, number: usize, text: &str, name: Part<'_>) -> Result<(), Fault> {
        self.close_block();
        let mut id = None;
        let outcome = set_once(&mut id, name, name);
        let state = if outcome.is_ok() { BlockState::Named } else { BlockState::Spoiled(None) };
        self.block = Some(Block { number, text: text.to_string(), id, state });
        outcome
    }

    fn block_epd(&mut self, number: usize, text: &str, rest: Part<'_>) -> Result<(), Fault> {
        let id = match self.block.take() {
            Some(Block { id, state: BlockState::Named, .. }) => id,
            other => {
                self.block = other;
                self.close_block();
                None
            }
        };
        let read = read_line(number, self.variant, rest);
        let (state, outcome) = match read {
            Ok(mut line) => {
                line.id = line.id.or_else(|| id.clone());
                (BlockState::Open(Box::new(line)), Ok(()))
            }
            Err(fault) => (BlockState::Spoiled(None), Err(fault)),
        };
        self.block = Some(Block { number, text: text.to_string(), id, state });
        outcome
    }

    fn block_perft(&mut self, rest: Part<'_>) -> Result<(), Fault> {
        let orphan =
            || Fault::new(0, rest.end(), "expected an `epd` line before its `perft` lines");
        let block = self.block.as_mut().ok_or_else(orphan)?;
        let mut unused = Vec::new();
        let counts = match &mut block.state {
            BlockState::Named => {
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
    fn close_block(&mut self) {
        let Some(Block { number, text, state, .. }) = self.block.take() else { return };
        match state {
            BlockState::Named => {
                let end = Part { text: &text, at: 0 }.trim();
                self.refuse(number, &text, end.missing("expected an `epd` line after this name"));
            }
            BlockState::Open(line) => self.accept(*line, number, &text),
            BlockState::Spoiled(Some(line)) if !line.counts.is_empty() => {
                self.suite.lines.push(*line);
            }
            BlockState::Spoiled(_) => {}
        }
    }
}

impl Block {
    fn spoil(&mut self) {
        let state = std::mem::replace(&mut self.state, BlockState::Named);
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

/// Reads a FEN and the opcodes behind it. Whether there are any counts is not asked.
fn read_line(
    number: usize,
    variant: Option<(UciMode, usize)>,
    part: Part<'_>,
) -> Result<Line, Fault> {
    let (fen, opcodes) = split_fen(part);
    // The FEN first, so that of two errors the left one is reported; then again with its clocks,
    // which opcodes may set.
    let mut position = read_position(fen, fen.text)?;
    let notes = read_opcodes(opcodes)?;
    if words(fen).count() == 4 {
        position = read_position(fen, &notes.with_clocks(fen.text))?;
    }
    let (mode, mode_source) = match variant {
        Some((mode, line)) => (mode, ModeSource::Variant(line)),
        None => (UciMode::of(&position), ModeSource::Position),
    };
    if mode == UciMode::Standard && UciMode::of(&position) == UciMode::Chess960 {
        let castling = words(fen).nth(2).unwrap_or(fen);
        return Err(castling.fault("expected the castling rights of standard chess"));
    }
    let Notes { id, mut counts, events, remark, .. } = notes;
    counts.sort_unstable();
    let events = events.as_deref().unwrap_or("").split(',').map(str::trim);
    let events = events.filter(|event| !event.is_empty()).map(str::to_string).collect();
    Ok(Line { number, id, position, mode, mode_source, counts, events, remark })
}

/// The words of a part.
fn words(part: Part<'_>) -> impl Iterator<Item = Part<'_>> {
    let mut rest = part;
    std::iter::from_fn(move || {
        let (word, behind) = rest.split_word();
        rest = behind;
        (!word.text.is_empty()).then_some(word)
    })
}

/// Splits a line into its FEN and its opcodes: at the first `;`, or where a word behind four or six
/// fields begins with a letter, as EPD begins its first opcode.
fn split_fen(part: Part<'_>) -> (Part<'_>, Part<'_>) {
    let head = part.split_at(part.text.find(';').unwrap_or(part.text.len())).0;
    let opcode = [4, 6].into_iter().find_map(|fields| {
        words(head).nth(fields).filter(|word| word.text.starts_with(|c: char| c.is_alphabetic()))
    });
    let end = opcode.map_or(head.end(), |word| word.at);
    let (fen, opcodes) = part.split_at(end - part.at);
    (fen.trim(), opcodes)
}

/// Reads the text of a FEN that stands, or begins, at `part`.
fn read_position(part: Part<'_>, text: &str) -> Result<Position, Fault> {
    // A tab counts as a blank; replaced byte for byte, so that offsets stay true.
    text.replace('\t', " ").parse().map_err(|error| match error {
        FenError::Syntax(error) => misread_fen(part, error),
        // No single place is wrong, or several are.
        other => part.fault(other.to_string()),
    })
}

fn misread_fen(fen: Part<'_>, error: SyntaxError) -> Fault {
    let mut at = error.offset().min(fen.text.len());
    while !fen.text.is_char_boundary(at) {
        at -= 1;
    }
    let culprit = fen.split_at(at).1;
    let len = culprit.text.find(is_blank).unwrap_or(culprit.text.len());
    let found = error.found().map_or("the end".to_string(), |found| format!("`{found}`"));
    let message = format!("{}: expected {}, found {found}", error.field(), error.expected());
    Fault::new(culprit.at, len, message)
}

/// What the opcodes of a line say.
#[derive(Default)]
struct Notes {
    id: Option<String>,
    counts: Vec<(u32, u64)>,
    events: Option<String>,
    remark: Option<String>,
    halfmove_clock: Option<u64>,
    move_number: Option<u64>,
}

impl Notes {
    /// A FEN of four fields with the clocks of `hmvc` and `fmvn`.
    fn with_clocks(&self, fen: &str) -> String {
        let (clock, number) = (self.halfmove_clock.unwrap_or(0), self.move_number.unwrap_or(1));
        format!("{fen} {clock} {number}")
    }
}

fn read_opcodes(mut rest: Part<'_>) -> Result<Notes, Fault> {
    let mut notes = Notes::default();
    while !rest.text.is_empty() {
        let (opcode, behind) = rest.split_at(end_of_opcode(rest)?);
        read_opcode(opcode.trim(), &mut notes)?;
        rest = behind.split_at(behind.text.len().min(1)).1;
    }
    Ok(notes)
}

/// Where the first `;` stands that is not in a quoted string, else the end.
///
/// A string begins at a quotation mark behind a blank: `5" long` holds none.
fn end_of_opcode(part: Part<'_>) -> Result<usize, Fault> {
    let mut behind_blank = true;
    let mut opened = None;
    for (at, char) in part.text.char_indices() {
        match (char, opened) {
            ('"', Some(_)) => opened = None,
            ('"', None) if behind_blank => opened = Some(at),
            (';', None) => return Ok(at),
            _ => {}
        }
        behind_blank = is_blank(char);
    }
    match opened {
        None => Ok(part.text.len()),
        Some(at) => Err(part.split_at(at).1.fault("expected a closing quotation mark")),
    }
}

fn read_opcode(opcode: Part<'_>, notes: &mut Notes) -> Result<(), Fault> {
    if opcode.text.is_empty() {
        return Ok(());
    }
    let (name, operand) = opcode.split_word();
    expect_opcode_name(name)?;
    if let Some(depth) = depth_of(name) {
        let depth = read_number(depth, DEPTH_MAX, "a depth")?;
        return add_count(&mut notes.counts, depth, name, operand);
    }
    match name.text.to_ascii_lowercase().as_str() {
        "perft" => read_perft(operand, &mut notes.counts),
        "id" => set_once(&mut notes.id, name, operand),
        "c0" => set_once(&mut notes.events, name, operand),
        "c1" => set_once(&mut notes.remark, name, operand),
        "hmvc" => read_clock(operand).map(|clock| notes.halfmove_clock = Some(clock)),
        "fmvn" => read_clock(operand).map(|number| notes.move_number = Some(number)),
        _ => Ok(()), // `bm`, `acd`, …: not about counting
    }
}

fn expect_opcode_name(name: Part<'_>) -> Result<(), Fault> {
    let mut chars = name.text.chars();
    let is_name = chars.next().is_some_and(|first| first.is_ascii_alphabetic())
        && chars.all(|char| char.is_ascii_alphanumeric() || char == '_');
    match is_name {
        true => Ok(()),
        false => Err(name.fault("expected an opcode such as `D1`, `id` or `c0`")),
    }
}

/// The depth in `D1`. A `d1` would otherwise be one more unknown opcode, and its count never compared.
fn depth_of(name: Part<'_>) -> Option<Part<'_>> {
    let (letter, depth) = name.split_at(1);
    let is_depth = letter.text.eq_ignore_ascii_case("d")
        && depth.text.bytes().all(|digit| digit.is_ascii_digit());
    is_depth.then_some(depth)
}

/// Reads `6 = 119060324` or `6 119060324`.
fn read_perft(operand: Part<'_>, counts: &mut Vec<(u32, u64)>) -> Result<(), Fault> {
    let (depth, count) = match operand.text.find('=') {
        Some(at) => {
            let (depth, rest) = operand.split_at(at);
            (depth.trim(), rest.split_at(1).1.trim())
        }
        None => operand.split_word(),
    };
    let number = read_number(depth, DEPTH_MAX, "a depth")?;
    add_count(counts, number, depth, count)
}

fn add_count(
    counts: &mut Vec<(u32, u64)>,
    depth: u64,
    depth_part: Part<'_>,
    count: Part<'_>,
) -> Result<(), Fault> {
    let depth = depth as u32; // at most DEPTH_MAX
    let count = read_number(count, u64::MAX, "a count")?;
    if counts.iter().any(|&(other, _)| other == depth) {
        let message = format!("expected one count for depth {depth}, this is the second");
        return Err(depth_part.fault(message));
    }
    counts.push((depth, count));
    Ok(())
}

/// A clock of a FEN, 0–9999 (R5).
fn read_clock(operand: Part<'_>) -> Result<u64, Fault> {
    read_number(operand, 9999, "a number")
}

/// Digits and nothing else: neither a sign, nor separators of thousands.
fn read_number(part: Part<'_>, max: u64, what: &str) -> Result<u64, Fault> {
    if part.text.is_empty() {
        return Err(part.missing(format!("expected {what}")));
    }
    let Some(end) = part.text.find(|char: char| !char.is_ascii_digit()) else {
        let number = part.text.parse().ok().filter(|&number| number <= max);
        return number.ok_or_else(|| part.fault(format!("expected {what} of at most {max}")));
    };
    let culprit = part.split_at(end).1;
    match culprit.text.chars().next() {
        Some(char) if is_blank(char) => Err(culprit.trim().fault("expected `;` or the end")),
        Some(char) => {
            let message = format!("expected {what} in digits only, found `{char}`");
            Err(Fault::new(culprit.at, char.len_utf8(), message))
        }
        None => unreachable!("`find` found a character"),
    }
}

/// Keeps a text, quoted or not; an empty one is none.
fn set_once(slot: &mut Option<String>, name: Part<'_>, operand: Part<'_>) -> Result<(), Fault> {
    let text = unquoted(operand.text).trim();
    if slot.is_some() {
        return Err(name.fault(format!("expected `{}` once, this is the second", name.text)));
    }
    *slot = (!text.is_empty()).then(|| text.to_string());
    Ok(())
}

/// The inside of a text that is one quoted string, else the text.
fn unquoted(text: &str) -> &str {
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inside.filter(|inside| !inside.contains('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    /// Kings on e1 and e8, rooks on b1 and b8.
    const INNER_ROOKS: &str = "1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1";

    fn parse(text: &str) -> Suite {
        Suite::parse("test.epd", text.as_bytes())
    }

    fn clean(text: &str) -> Vec<Line> {
        let suite = parse(text);
        assert_eq!(suite.errors, [], "{text}");
        suite.lines
    }

    fn only(text: &str) -> Line {
        let mut lines = clean(text);
        assert_eq!(lines.len(), 1, "{text}");
        lines.remove(0)
    }

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[test]
    fn our_form_is_read() {
        let line = only(&format!(
            "{START} ;D2 400 ;D1 20 ;id start position ;c0 check, capture ,,mate ;c1 as of 1851"
        ));
        assert_eq!(line.position, position(START));
        assert_eq!(line.counts, [(1, 20), (2, 400)]);
        assert_eq!(
            (line.id.as_deref(), line.name().as_str()),
            (Some("start position"), "start position")
        );
        assert_eq!(line.events, ["check", "capture", "mate"]);
        assert_eq!(line.remark.as_deref(), Some("as of 1851"));
        assert_eq!((line.number, line.mode), (1, UciMode::Standard));
        assert_eq!(line.mode_source, ModeSource::Position);
    }

    #[test]
    fn our_form_is_read_with_four_fields_and_without_blanks() {
        let line = only(&format!("{KIWIPETE};D0 1;D1 48;perft 2 2039;;"));
        assert_eq!(line.position, position(&format!("{KIWIPETE} 0 1")));
        assert_eq!(line.counts, [(0, 1), (1, 48), (2, 2039)]);
        assert_eq!((line.id.as_deref(), line.name().as_str()), (None, "line 1"));
    }

    /// R23: quoted strings may hold `;`, `hmvc` and `fmvn` set the clocks, unknown opcodes do no harm.
    #[test]
    fn epd_is_read() {
        let line = only(&format!(
            "{KIWIPETE} id \"kiwi; pete\"; D1 48; bm O-O e2a6; d2 2039; hmvc 7; fmvn 9; c0 \"a;b,c\"; c1 \"\";"
        ));
        assert_eq!(line.position, position(&format!("{KIWIPETE} 7 9")));
        assert_eq!(line.counts, [(1, 48), (2, 2039)]);
        assert_eq!(line.id.as_deref(), Some("kiwi; pete"));
        assert_eq!(line.events, ["a;b", "c"]);
        assert_eq!(line.remark, None);
    }

    #[test]
    fn opcodes_directly_behind_six_fields_are_read() {
        assert_eq!(
            only(&format!("{START} D1 20; id five\" disk")).id.as_deref(),
            Some("five\" disk")
        );
    }

    #[test]
    fn blocks_are_read() {
        let lines = clean(&format!(
            "id gentest-1\nepd {START}\nperft 1 20\n\n# between\nperft 2 400\n\n\
             epd {KIWIPETE}\nperft 1 48\nid \"last; one\"\n\nepd {KIWIPETE} D1 48\n"
        ));
        let read: Vec<_> =
            lines.iter().map(|line| (line.number, line.name(), &line.counts[..])).collect();
        type Expected<'a> = (usize, String, &'a [(u32, u64)]);
        let expected: [Expected<'_>; 3] = [
            (2, "gentest-1".to_string(), &[(1, 20), (2, 400)]),
            (8, "line 8".to_string(), &[(1, 48)]),
            (12, "last; one".to_string(), &[(1, 48)]),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn counts_by_the_word_are_read() {
        let line = only(&format!("{START}; perft 6 = 119060324; Perft 1=20"));
        assert_eq!(line.counts, [(1, 20), (6, 119_060_324)]);
    }

    #[test]
    fn forms_mix_and_file_ends_of_every_system_do_no_harm() {
        let tabs = START.replace(' ', "\t");
        let lines = clean(&format!(
            "\u{feff}# comment\r\n\r\n% note \r\n  {tabs}\t;\tD1\t20\t\r\nepd {START}\r\nperft 1 20\r\n\
             {START}; perft 1 = 20\r\n\t\r\n{KIWIPETE} D1 48;"
        ));
        assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [4, 5, 7, 9]);
        assert!(clean("").is_empty());
    }

    #[test]
    fn a_variant_line_sets_the_mode_until_another_does() {
        let lines = clean(&format!(
            "{INNER_ROOKS} ;D1 1\n{START} ;D1 20\n# Variant : Chess960\n{START} ;D1 20\nepd {START}\nperft 1 20\n\
             #variant:standard\n{START} ;D1 20\n# variant unnamed\n# a: b\n"
        ));
        let modes: Vec<_> = lines.iter().map(|line| (line.mode, line.mode_source)).collect();
        assert_eq!(
            modes,
            [
                (UciMode::Chess960, ModeSource::Position),
                (UciMode::Standard, ModeSource::Position),
                (UciMode::Chess960, ModeSource::Variant(3)),
                (UciMode::Chess960, ModeSource::Variant(3)),
                (UciMode::Standard, ModeSource::Variant(7)),
            ]
        );
    }

    /// What an error underlines, and that its message holds `message`.
    #[track_caller]
    fn assert_error(text: &str, line: usize, underlined: &str, message: &str) {
        let suite = parse(text);
        let [error] = &suite.errors[..] else { panic!("{:?}\n{text}", suite.errors) };
        assert_eq!(error.line, line, "{error}");
        assert!(error.message.contains(message), "{error}");
        let chars = error.text.chars().skip(error.column - 1).take(error.length);
        assert_eq!(chars.collect::<String>(), underlined, "{error}");
    }

    #[test]
    fn a_malformed_count_is_shown_where_it_stands() {
        let at = |tail: &str| format!("# é\n{START} ;id é ;{tail}");
        assert_error(&at("D1"), 2, "", "expected a count");
        assert_error(&at("D1 2O"), 2, "O", "digits only, found `O`");
        assert_error(&at("D1 -20"), 2, "-", "digits only, found `-`");
        assert_error(&at("perft 6 = 119,060,324"), 2, ",", "digits only, found `,`");
        assert_error(&at("D1 20 D2 400"), 2, "D2 400", "expected `;` or the end");
        assert_error(&at("D1 18446744073709551616"), 2, "18446744073709551616", "at most");
        assert_error(&at("D100 20"), 2, "100", "a depth of at most 99");
        assert_error(&at("D99999999999999999999 20"), 2, "99999999999999999999", "at most 99");
        assert_error(&at("D 1 20"), 2, " ", "expected a depth");
        assert_error(&at("D1=20"), 2, "D1=20", "expected an opcode");
        assert_error(&at("D1 20 ;D2 400 ;perft 1 20"), 2, "1", "one count for depth 1");
        assert_error(&at("D1 20 ;D2 400 ;D01 20"), 2, "D01", "one count for depth 1");
        assert_error(&at("perft = 20"), 2, "=", "expected a depth");
        assert_error(&at("perft 1 ="), 2, "", "expected a count");
        assert_error(&at("20"), 2, "20", "expected an opcode");
        assert_error(&at("bm e4"), 2, "", "at least one count");
        assert_eq!(clean(&at("D1 18446744073709551615"))[0].counts, [(1, u64::MAX)]);
    }

    #[test]
    fn a_malformed_opcode_is_shown_where_it_stands() {
        assert_error(&format!("{START} ;D1 20 ;id \"a;b"), 1, "\"a;b", "closing quotation mark");
        assert_error(&format!("{START} ;id a ;D1 20 ;id b"), 1, "id", "once");
        assert_error(&format!("{KIWIPETE} D1 48; hmvc x;"), 1, "x", "digits only");
        assert_error(&format!("{KIWIPETE} D1 48; fmvn 10000;"), 1, "10000", "at most 9999");
    }

    #[test]
    fn a_wrong_fen_is_shown_where_it_stands() {
        assert_error("  8/8/8/8/8/8/8/9 w - - 0 1 ;D1 20", 1, "9", "");
        assert_error("é ;D1 20", 1, "é", "");
        assert_error("hello world, this is é no suite at all", 1, "hello", "");
        assert_error(&format!("{START} 5 ;D1 20"), 1, " ", "six fields");
        assert_error("8/8/8/8/8/8/8/8 w - - 0 1; D1 20", 1, "8/8/8/8/8/8/8/8 w - - 0 1", "king");
        assert_error(&format!("{KIWIPETE} 0  1 ;D1 20"), 1, " ", "move number: expected");
        assert_error(&START.replace("KQkq", "KQxq"), 1, "xq", "");
        assert_error(&format!("epd {}\nperft 1 20", START.replace('w', "x")), 1, "x", "");
    }

    /// R2: standard chess has its king on e1 and its rooks on a1 and h1.
    #[test]
    fn rights_of_chess960_are_refused_in_a_standard_file() {
        let text = format!("# variant: standard\n{INNER_ROOKS} ;D1 1");
        assert_error(&text, 2, "Bb", "castling rights of standard chess");
        assert_error("# variant: atomic\n", 1, "atomic", "`standard` or `chess960`");
        assert_error("# variant:\n", 1, "", "`standard` or `chess960`");
    }

    #[test]
    fn what_a_block_lacks_is_an_error_of_its_first_line() {
        assert_error("perft 1 20\n", 1, "perft 1 20", "an `epd` line before");
        assert_error("id a\nperft 1 20", 2, "perft 1 20", "an `epd` line before");
        assert_error(&format!("id a\n\n{START} ;D1 20"), 1, "", "an `epd` line after");
        assert_error(
            &format!("id a\nepd {START}\n\nid b\nepd {START}\nperft 1 20"),
            2,
            "",
            "one count",
        );
        assert_error(&format!("epd {START}\nperft 1 20\nperft 2 4OO"), 3, "O", "digits only");
        assert_error(&format!("epd {START}\nperft 1 2o"), 2, "o", "digits only");
        assert_error(&format!("epd {START}\nperft 1 20\nperft 1 20"), 3, "1", "one count");
    }

    #[test]
    fn a_block_with_one_wrong_count_keeps_the_others() {
        let suite = parse(&format!("epd {START}\nperft 1 20\nperft 2 x\nperft 3 8902"));
        assert_eq!(suite.lines[0].counts, [(1, 20), (3, 8902)]);
        assert_eq!(suite.errors.len(), 1);
    }

    #[test]
    fn errors_come_in_the_order_of_the_file_and_the_rest_is_read() {
        let suite = parse(&format!("id a\n# \n\nrubbish\n{START} ;D1 20\nid b\nrubbish\nid c"));
        assert_eq!(
            suite.errors.iter().map(|error| error.line).collect::<Vec<_>>(),
            [1, 4, 6, 7, 8]
        );
        assert_eq!(suite.lines[0].number, 5);
    }

    #[test]
    fn bytes_that_are_no_text_are_an_error_of_their_line() {
        let mut bytes = format!("# caf\u{e9}\n{START} ;c1 ab").into_bytes();
        bytes.extend(b"\xff\xfe ;D1 20\n");
        bytes.extend(format!("{START} ;D1 20 ;c1 \0\n{START} ;D1 20\n# latin caf").bytes());
        bytes.push(b'\xe9');
        let suite = Suite::parse("x", &bytes);
        let places: Vec<_> = suite.errors.iter().map(|error| (error.line, error.column)).collect();
        assert_eq!(places, [(2, START.len() + 8), (3, START.len() + 13)]);
        assert!(suite.errors[1].message.contains("U+0000"), "{}", suite.errors[1]);
        assert!(!suite.errors[1].text.contains('\0'));
        assert_eq!(suite.lines[0].number, 4);
        assert!(parse("\0\x01\x02").errors[0].message.contains("U+0000"));
        let utf16 = Suite::parse("x", b"\xff\xfer\0n\0");
        assert!(utf16.errors[0].message.contains("UTF-16"));
    }

    #[test]
    fn an_overlong_line_is_an_error_of_that_line() {
        let long = format!("{START} ;D1 20 ;c1 {}", "é".repeat(LINE_MAX / 2));
        let suite = parse(&format!("{long}\n{START} ;D1 20"));
        assert!(suite.errors[0].message.contains("65536"), "{}", suite.errors[0]);
        assert!(suite.errors[0].text.len() < 300);
        assert_eq!((suite.errors.len(), suite.lines.len()), (1, 1));
    }

    #[test]
    fn a_file_that_is_no_suite_is_given_up() {
        let suite = parse(&"x\n".repeat(5000));
        assert_eq!(suite.errors.len(), ERRORS_MAX + 1);
        assert!(suite.errors[ERRORS_MAX].message.contains("no more is read"));
    }

    #[test]
    fn files_that_are_no_files_are_refused() {
        let folder = std::env::temp_dir();
        assert_eq!(Suite::read(&folder).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        let missing = folder.join(format!("no-such-suite-{}", std::process::id()));
        assert_eq!(Suite::read(&missing).unwrap_err().kind(), io::ErrorKind::NotFound);
        if cfg!(unix) {
            assert!(Suite::read("/dev/zero").unwrap_err().to_string().contains("nor a pipe"));
        }
    }

    #[test]
    fn a_file_is_read_and_a_huge_one_refused() {
        let path = std::env::temp_dir().join(format!("suite-{}.epd", std::process::id()));
        std::fs::write(&path, format!("{START} ;D1 20")).unwrap();
        let small = Suite::read(&path).unwrap();
        // Sparse: it takes no room on the disk.
        File::options().write(true).open(&path).unwrap().set_len(FILE_MAX + 1).unwrap();
        let huge = Suite::read(&path).unwrap_err();
        std::fs::remove_file(&path).unwrap();
        assert_eq!((small.lines.len(), small.path), (1, path));
        assert!(huge.to_string().contains("256 MiB"), "{huge}");
    }

    /// xorshift64*, so that each run feeds the same bytes.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
        }

        fn mutate(&mut self, bytes: &mut Vec<u8>) {
            const SPICE: &[&[u8]] = &[
                b";",
                b"\"",
                b" ",
                b"\t",
                b"\n",
                b"\r",
                b"=",
                b"D1 1",
                b"id",
                b"epd ",
                b"perft 1 1",
                b"# variant: standard\n",
                b"#",
                b"\0",
                b"\xff",
                b"\xef\xbb\xbf",
                "é".as_bytes(),
                b"9999999999",
            ];
            for _ in 0..self.below(6) {
                let at = self.below(bytes.len() + 1);
                let end = (at + self.below(12)).min(bytes.len());
                match self.below(4) {
                    0 => drop(bytes.drain(at..end)),
                    1 if at < end => bytes[at] = self.below(256) as u8,
                    2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
                    _ => drop(bytes.splice(at..at, SPICE[self.below(SPICE.len())].to_vec())),
                }
            }
            let len = bytes.len();
            if self.below(8) == 0 {
                bytes.truncate(self.below(len + 1));
            }
        }
    }

    #[track_caller]
    fn assert_sane(bytes: &[u8]) {
        let suite = Suite::parse("random", bytes);
        let lines = bytes.split(|&byte| byte == b'\n').count();
        for error in &suite.errors {
            let width = error.text.chars().count();
            assert!((1..=lines).contains(&error.line), "{error}");
            assert!((1..=width + 1).contains(&error.column) && error.length >= 1, "{error}");
            assert!(error.column + error.length <= width + 2, "{error}");
            assert!(!error.message.is_empty());
        }
        for line in &suite.lines {
            assert!((1..=lines).contains(&line.number) && !line.counts.is_empty());
            assert!(line.counts.is_sorted_by(|a, b| a.0 < b.0), "{line:?}");
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let seed = format!(
            "# variant: chess960\n{START} ;D1 20 ;id a\r\n{KIWIPETE} D1 48; id \"x;y\"; hmvc 3;\n\
             id b\nepd {KIWIPETE}\nperft 1 48\n{START}; perft 1 = 20\n"
        );
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        for _ in 0..6000 {
            let mut bytes = seed.clone().into_bytes();
            random.mutate(&mut bytes);
            assert_sane(&bytes);
        }
        for _ in 0..2000 {
            let len = random.below(200);
            let bytes: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
            assert_sane(&bytes);
        }
    }
}
