//! One line, whole: a FEN with its opcodes, and the mode that follows. What opcodes say is read elsewhere.

use touchmove::{FenError, Position, SyntaxError, UciMode};

use super::opcodes::{Notes, read_opcodes};
use super::part::{Fault, Part, is_blank};
use super::{Line, ModeSource};

/// Reads a FEN and the opcodes behind it. Whether there are any counts is not asked.
pub(super) fn read_line(
    number: usize,
    variant: Option<(UciMode, usize)>,
    part: Part<'_>,
) -> Result<Line, Fault> {
    let (fen, opcodes) = split_fen(part);
    // The FEN first, so that of two errors the left one is reported; then again with its clocks,
    // which opcodes may set.
    read_position(fen, fen.text)?;
    let notes = read_opcodes(opcodes)?;
    let text = match fen.words().count() {
        4 => notes.with_clocks(fen.text),
        _ => fen.text.to_string(),
    };
    let position = read_position(fen, &text)?;
    let (mode, mode_source) = match variant {
        Some((mode, line)) => (mode, ModeSource::Variant(line)),
        None => (UciMode::of(&position), ModeSource::Position),
    };
    if mode == UciMode::Standard && UciMode::of(&position) == UciMode::Chess960 {
        let castling = fen.words().nth(2).unwrap_or(fen);
        return Err(castling.fault("expected the castling rights of standard chess"));
    }
    let Notes { id, counts, events, remark, .. } = notes;
    let fen = text.replace('\t', " ");
    let events = events.as_deref().unwrap_or("").split(',').map(str::trim);
    let events = events.filter(|event| !event.is_empty()).map(str::to_string).collect();
    Ok(Line { number, id, position, fen, mode, mode_source, counts, events, remark })
}

/// Splits a line into its FEN and its opcodes: at the first `;`, or where a word behind four or six
/// fields begins with a letter, as EPD begins its first opcode.
fn split_fen(part: Part<'_>) -> (Part<'_>, Part<'_>) {
    let head = part.split_at(part.text.find(';').unwrap_or(part.text.len())).0;
    let opcode = [4, 6].into_iter().find_map(|fields| {
        head.words().nth(fields).filter(|word| word.text.starts_with(|c: char| c.is_alphabetic()))
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
    let culprit = fen.split_at(fen.text.floor_char_boundary(error.offset())).1;
    let len = culprit.text.find(is_blank).unwrap_or(culprit.text.len());
    let found = error.found().map_or("the end".to_string(), |found| format!("`{found}`"));
    let message = format!("{}: expected {}, found {found}", error.field(), error.expected());
    Fault::new(culprit.at, len, message)
}
