//! What stands behind a FEN: opcodes, their operands, counts. The FEN itself is not looked at.

use super::part::{Fault, Part, is_blank};

/// The deepest depth a count may name.
const DEPTH_MAX: u64 = 99;

/// What the opcodes of a line say.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) id: Option<String>,
    pub(super) counts: Vec<(u32, u64)>,
    pub(super) events: Option<String>,
    pub(super) remark: Option<String>,
    halfmove_clock: Option<u64>,
    move_number: Option<u64>,
}

impl Notes {
    /// A FEN of four fields with the clocks of `hmvc` and `fmvn`.
    pub(super) fn with_clocks(&self, fen: &str) -> String {
        let (clock, number) = (self.halfmove_clock.unwrap_or(0), self.move_number.unwrap_or(1));
        format!("{fen} {clock} {number}")
    }
}

pub(super) fn read_opcodes(mut rest: Part<'_>) -> Result<Notes, Fault> {
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
        "hmvc" => set_clock(&mut notes.halfmove_clock, name, operand),
        "fmvn" => set_clock(&mut notes.move_number, name, operand),
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
pub(super) fn read_perft(operand: Part<'_>, counts: &mut Vec<(u32, u64)>) -> Result<(), Fault> {
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
fn set_clock(slot: &mut Option<u64>, name: Part<'_>, operand: Part<'_>) -> Result<(), Fault> {
    match slot.replace(read_number(operand, 9999, "a number")?) {
        None => Ok(()),
        Some(_) => Err(once(name)),
    }
}

fn once(name: Part<'_>) -> Fault {
    name.fault(format!("expected `{}` once, this is the second", name.text))
}

/// Digits and nothing else: neither a sign, nor separators of thousands.
fn read_number(part: Part<'_>, max: u64, what: &str) -> Result<u64, Fault> {
    if part.text.is_empty() {
        return Err(part.missing(format!("expected {what}")));
    }
    let not_digit = part.text.char_indices().find(|(_, char)| !char.is_ascii_digit());
    let Some((at, char)) = not_digit else {
        let number = part.text.parse().ok().filter(|&number| number <= max);
        return number.ok_or_else(|| part.fault(format!("expected {what} of at most {max}")));
    };
    let culprit = part.split_at(at).1;
    if is_blank(char) {
        return Err(culprit.trim().fault("expected `;` or the end"));
    }
    let message = format!("expected {what} in digits only, found `{char}`");
    Err(Fault::new(culprit.at, char.len_utf8(), message))
}

/// Keeps a text, quoted or not; an empty one is none.
pub(super) fn set_once(
    slot: &mut Option<String>,
    name: Part<'_>,
    operand: Part<'_>,
) -> Result<(), Fault> {
    let text = unquoted(operand.text).trim();
    if slot.is_some() {
        return Err(once(name));
    }
    *slot = (!text.is_empty()).then(|| text.to_string());
    Ok(())
}

/// The inside of a text that is one quoted string, else the text.
fn unquoted(text: &str) -> &str {
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inside.filter(|inside| !inside.contains('"')).unwrap_or(text)
}
