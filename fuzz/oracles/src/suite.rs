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

use touchmove::{Position, UciMode};

use self::part::Fault;
use self::reader::Reader;

mod line;
mod opcodes;
mod part;
mod reader;
#[cfg(test)]
mod tests;

/// The largest file that is read, in bytes.
const FILE_MAX: u64 = 256 << 20;
/// After so many errors the file is taken for something else than a suite.
const ERRORS_MAX: usize = 1000;

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
    /// Its FEN of six fields as written, for those who have to be asked: an en passant square that nobody
    /// can capture on is still in it.
    pub fen: String,
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
