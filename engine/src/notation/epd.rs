//! Extended Position Description: four fields of a FEN, then operations (R23).

pub(crate) mod moves;

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::notation::fen::{FenError, read_counter, read_four_fields, write_four_fields};
use crate::notation::{Cursor, SyntaxError};
use crate::position::Position;

/// A position and the operations noted for it, kept as text.
///
/// Understood are `hmvc` and `fmvn`, which set the clocks, and `D1`, `D2` …, the perft counts; every other
/// operation is kept as it came, also those of moves, which [`Epd::moves`] reads when it is asked. What is written
/// reads back equal.
///
/// ```
/// use touchmove::Epd;
///
/// let epd: Epd = "8/8/8/4k3/8/8/4P3/4K3 w - - D1 6; hmvc 12; id \"a; b\";".parse()?;
/// assert_eq!(epd.counts().collect::<Vec<_>>(), [(1, 6)]);
/// assert_eq!(epd.position().halfmove_clock(), 12);
/// assert_eq!(epd.operands("id").unwrap()[0].text(), "a; b");
/// # Ok::<(), touchmove::FenError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    position: Position,
    operations: Vec<Operation>,
}

/// One operation: an opcode and its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    opcode: String,
    operands: Vec<Operand>,
}

/// An operand: a word, or a quoted string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    text: String,
    quoted: bool,
}

impl Epd {
    /// The position, with the clocks that `hmvc` and `fmvn` give it, else 0 and 1.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The operations, in their order.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operands of the first operation with this opcode.
    pub fn operands(&self, opcode: &str) -> Option<&[Operand]> {
        let operation = self.operations.iter().find(|operation| operation.opcode == opcode)?;
        Some(&operation.operands)
    }

    /// The perft counts of `D1`, `D2` …: depth and number of paths, in their order.
    pub fn counts(&self) -> impl Iterator<Item = (u32, u64)> {
        self.operations.iter().filter_map(|operation| {
            let depth = count_depth(&operation.opcode)?;
            Some((depth, operation.operands.first()?.text.parse().ok()?))
        })
    }
}

impl Operation {
    /// The name of the operation.
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// What it is given.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }
}

impl Operand {
    /// The text, without quotes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it was written in quotes.
    pub const fn is_quoted(&self) -> bool {
        self.quoted
    }
}

/// The depth of a count's opcode: 3 of `D3`.
fn count_depth(opcode: &str) -> Option<u32> {
    let digits = opcode.strip_prefix('D')?;
    digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))
}

impl FromStr for Epd {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Epd, FenError> {
        let mut cursor = Cursor::new(text, "piece placement");
        let mut setup = read_four_fields(&mut cursor)?;
        let mut operations: Vec<Operation> = Vec::new();
        let mut opcodes = BTreeSet::new();
        loop {
            let before_blanks = cursor;
            skip_blanks(&mut cursor);
            if cursor.rest().is_empty() {
                break;
            }
            if cursor.offset == before_blanks.offset && operations.is_empty() {
                return Err(cursor.error("a blank after the en passant square").into());
            }
            let start = cursor;
            let operation = read_operation(&mut cursor)?;
            if !opcodes.insert(operation.opcode.clone()) {
                return Err(start.error("each operation once").into());
            }
            match operation.opcode.as_str() {
                "hmvc" => setup.halfmove_clock = read_clock(&start, &operation)?,
                "fmvn" => setup.move_number = read_clock(&start, &operation)?.max(1),
                _ => check_count(&start, &operation)?,
            }
            operations.push(operation);
        }
        Ok(Epd { position: setup.validate()?, operations })
    }
}

fn skip_blanks(cursor: &mut Cursor<'_>) {
    while cursor.take_map(|c| c.is_ascii_whitespace().then_some(())).is_some() {}
}

fn read_operation(cursor: &mut Cursor<'_>) -> Result<Operation, SyntaxError> {
    cursor.field = "operation";
    let opcode = read_word(cursor, |c, first| {
        c.is_ascii_alphabetic() || !first && (c.is_ascii_digit() || c == '_')
    });
    if opcode.is_empty() {
        return Err(cursor.error("an opcode, which begins with a letter"));
    }
    let mut operands = Vec::new();
    loop {
        let before_blanks = cursor.offset;
        skip_blanks(cursor);
        if cursor.take(';') {
            return Ok(Operation { opcode, operands });
        }
        if cursor.offset == before_blanks || cursor.peek().is_none() {
            return Err(cursor.error("a blank or `;` after opcode or operand"));
        }
        operands.push(read_operand(cursor)?);
    }
}

fn read_operand(cursor: &mut Cursor<'_>) -> Result<Operand, SyntaxError> {
    if !cursor.take('"') {
        let text = read_word(cursor, |c, _| !c.is_ascii_whitespace() && c != ';' && c != '"');
        return Ok(Operand { text, quoted: false });
    }
    let text = read_word(cursor, |c, _| c != '"');
    cursor.expect('"', "`\"` at the end of the string")?;
    Ok(Operand { text, quoted: true })
}

/// Takes characters as long as they belong; the first one is asked about as such.
fn read_word(cursor: &mut Cursor<'_>, belongs: impl Fn(char, bool) -> bool) -> String {
    let mut word = String::new();
    while let Some(next) = cursor.take_map(|c| Some(c).filter(|&c| belongs(c, word.is_empty()))) {
        word.push(next);
    }
    word
}

fn read_clock(at: &Cursor<'_>, operation: &Operation) -> Result<u16, SyntaxError> {
    const EXPECTED: &str = "one number from 0 to 9999 after `hmvc` or `fmvn`";
    let [operand] = operation.operands.as_slice() else { return Err(at.error(EXPECTED)) };
    let mut number = Cursor { text: &operand.text, offset: 0, ..*at };
    match read_counter(&mut number) {
        Ok(counter) if number.rest().is_empty() => Ok(counter),
        _ => Err(at.error(EXPECTED)),
    }
}

fn check_count(at: &Cursor<'_>, operation: &Operation) -> Result<(), SyntaxError> {
    if count_depth(&operation.opcode).is_none() {
        return Ok(());
    }
    match operation.operands.as_slice() {
        [count]
            if count.text.bytes().all(|c| c.is_ascii_digit())
                && count.text.parse::<u64>().is_ok() =>
        {
            Ok(())
        }
        _ => Err(at.error("one number below 2^64 after a perft depth")),
    }
}

/// Writes the four fields and the operations as they were read.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_four_fields(&self.position.to_setup(), f)?;
        for operation in &self.operations {
            write!(f, " {operation}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            let quote = if operand.quoted { "\"" } else { "" };
            write!(f, " {quote}{}{quote}", operand.text)?;
        }
        f.write_str(";")
    }
}

impl From<Position> for Epd {
    /// The position without operations but for the clocks, where they are not 0 and 1.
    fn from(position: Position) -> Epd {
        let clocks = [("hmvc", position.halfmove_clock(), 0), ("fmvn", position.move_number(), 1)];
        let operations = clocks
            .into_iter()
            .filter(|(_, value, unsaid)| value != unsaid)
            .map(|(opcode, value, _)| Operation {
                opcode: opcode.to_string(),
                operands: [Operand { text: value.to_string(), quoted: false }].into(),
            })
            .collect();
        Epd { position, operations }
    }
}
