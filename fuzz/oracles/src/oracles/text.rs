//! Text: what is written reads back, and what is read or refused is read or refused by shakmaty as well,
//! but for the table of differences.

use std::iter;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup};
use touchmove::{Epd, Operand, Operation, Position, SyntaxError, UciMode, UciMove};

use super::legality::{CODE, code_of};
use super::rules::Rules;
use super::{
    Comparison, Parting, Verdict, any_move_code,
    canary::{self, canary},
    compare, key_pair, keys, pgn, pgn_text, san, san_text,
};
use crate::referees::differences::{TextKind, explain, forbids};
use crate::referees::{Referee, Shakmaty};

/// What all readings of text ask; [`told`] adds whose text it was.
const ORACLE: &str = "text";
const FEN: &str = "fen_text";
const EPD: &str = "epd_text";
const UCI: &str = "uci_text";

/// A FEN, or a text that is none.
pub fn fen_text(text: &str) -> Verdict {
    told(FEN, text, read_fen(text))
}

/// An EPD line, or a text that is none. shakmaty reads no EPD; what is read must be written and read again.
pub fn epd_text(text: &str) -> Verdict {
    told(EPD, text, read_epd(text))
}

/// A UCI move, or a text that is none.
pub fn uci_text(text: &str) -> Verdict {
    told(UCI, text, read_uci(text))
}

/// Whether an oracle of this name reads such a text: anything, a code, or a position.
pub(crate) fn is_text_of(oracle: &str, text: &str) -> bool {
    match oracle {
        CODE => code_of(text).is_some(),
        keys::PAIR => text.parse::<Position>().is_ok(),
        canary::CANARY => true,
        _ => is_free_text(oracle),
    }
}

/// Whether an oracle of this name reads any text.
pub(crate) fn is_free_text(oracle: &str) -> bool {
    [FEN, EPD, UCI, san::TEXT, pgn::TEXT].contains(&oracle)
}

/// The text that a case was about, read again by the oracle that found it.
///
/// # Panics
///
/// Where that oracle reads no such text.
pub(crate) fn of_text<R: Rules>(oracle: &str, start: &Position, text: &str, rules: &R) -> Verdict {
    assert!(is_text_of(oracle, text), "the oracle {oracle} does not read {text:?}");
    match oracle {
        FEN => fen_text(text),
        EPD => epd_text(text),
        UCI => uci_text(text),
        san::TEXT => san_text(start, text, rules),
        pgn::TEXT => pgn_text(text, rules),
        CODE => any_move_code(start, code_of(text).unwrap_or_default(), rules),
        keys::PAIR => key_pair(start, &text.parse().unwrap_or_default(), rules),
        _ => canary(text.as_bytes()),
    }
}

fn told(oracle: &'static str, text: &str, comparison: Comparison) -> Verdict {
    match comparison {
        Ok(()) => Verdict::Pass,
        Err(parting) => Parting { oracle, ..parting }.of_text(Position::default(), text),
    }
}

fn read_fen(text: &str) -> Comparison {
    let ours = text.parse::<Position>();
    let theirs = text.parse::<Fen>().ok().and_then(|fen| {
        let setup = fen.into_setup();
        let mode = CastlingMode::detect(&setup);
        Chess::from_setup(setup, mode).ok()
    });
    match (ours, theirs) {
        (Ok(position), theirs) => {
            expect_not_forbidden(TextKind::Fen, text)?;
            read_again(&position)?;
            match theirs {
                Some(_) => compare_moves(text, &position),
                None => expect_known(TextKind::Fen, text, true),
            }
        }
        (Err(error), theirs) => {
            if let touchmove::FenError::Syntax(error) = &error {
                expect_place(text, error)?;
            }
            if theirs.is_some() { expect_known(TextKind::Fen, text, false) } else { Ok(()) }
        }
    }
}

fn read_again(position: &Position) -> Comparison {
    let written = position.to_string();
    compare(ORACLE, "written and read again", Ok(*position), written.parse())
}

/// Both have read it: then both mean the same position. No difference excuses this.
fn compare_moves(text: &str, position: &Position) -> Comparison {
    let mut shakmaty = Shakmaty::default();
    if shakmaty.set(text.trim_ascii(), UciMode::of(position)).is_err() {
        return Ok(());
    }
    let mut theirs = shakmaty.legal_moves().unwrap_or_default();
    let mut ours = position.legal_moves().to_vec();
    theirs.sort_unstable();
    ours.sort_unstable();
    compare(ORACLE, "legal moves of what was read", theirs, ours)
}

pub(super) fn expect_known(kind: TextKind, text: &str, we_accept: bool) -> Comparison {
    match explain(kind, text, we_accept) {
        Some(_) => Ok(()),
        None => compare(ORACLE, "accepted", !we_accept, we_accept),
    }
}

/// What shakmaty reads as well may still be none of what we read.
fn expect_not_forbidden(kind: TextKind, text: &str) -> Comparison {
    match forbids(kind, text) {
        Some(difference) => compare(ORACLE, "refused", difference.name, "accepted"),
        None => Ok(()),
    }
}

/// An error stands at a character of the text, or at its end.
pub(super) fn expect_place(text: &str, error: &SyntaxError) -> Comparison {
    let at = error.offset();
    let found = text.get(at..).map(|rest| rest.chars().next());
    match error.found() {
        // Blanks at the end are left out.
        None => compare(ORACLE, "the place of the error is in the text", true, at <= text.len()),
        found_by_us => compare(ORACLE, "the character at the error", found, Some(found_by_us)),
    }
}

fn read_epd(text: &str) -> Comparison {
    match text.parse::<Epd>() {
        Ok(epd) => {
            let written = epd.to_string();
            let again = written.parse::<Epd>();
            compare(ORACLE, "EPD written and read again", Ok(&epd), again.as_ref())?;
            compare_operations(text, &epd)?;
            read_again(epd.position())
        }
        Err(touchmove::FenError::Syntax(error)) => expect_place(text, &error),
        Err(_) => Ok(()),
    }
}

/// The operations of a line by another way of reading: cut at quotes first, then at semicolons, then at blanks.
fn compare_operations(text: &str, epd: &Epd) -> Comparison {
    let behind_the_fields = text.trim_ascii_start().splitn(5, |c: char| c.is_ascii_whitespace());
    let mut cut: Vec<Vec<&str>> = vec![Vec::new()];
    for (index, part) in behind_the_fields.skip(4).flat_map(|rest| rest.split('"')).enumerate() {
        if index % 2 == 1 {
            cut.last_mut().expect("one to begin with").push(part);
            continue;
        }
        for (nth, operation) in part.split(';').enumerate() {
            if nth > 0 {
                cut.push(Vec::new());
            }
            cut.last_mut().expect("one to begin with").extend(operation.split_ascii_whitespace());
        }
    }
    cut.pop(); // What follows the last semicolon.

    let read: Vec<Vec<&str>> = epd.operations().iter().map(words).collect();
    compare(ORACLE, "operations of the line", &cut, &read)?;

    let clock = |opcode, unsaid| {
        let said = cut.iter().find(|operation| operation.first() == Some(&opcode));
        said.map_or(Ok(unsaid), |operation| operation[1..].concat().parse::<u16>())
    };
    let position = epd.position();
    compare(ORACLE, "`hmvc`", clock("hmvc", 0), Ok(position.halfmove_clock()))?;
    let move_number = clock("fmvn", 1).map(|number| number.max(1));
    compare(ORACLE, "`fmvn`", move_number, Ok(position.move_number()))
}

fn words(operation: &Operation) -> Vec<&str> {
    let operands = operation.operands().iter().map(Operand::text);
    iter::once(operation.opcode()).chain(operands).collect()
}

fn read_uci(text: &str) -> Comparison {
    let ours = text.parse::<UciMove>();
    let theirs = text.parse::<shakmaty::uci::UciMove>();
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => {
            expect_not_forbidden(TextKind::Uci, text)?;
            let (ours, theirs) = (ours.to_string(), theirs.to_string());
            compare(ORACLE, "UCI text written again", theirs, ours)
        }
        (Ok(ours), Err(_)) => {
            compare(ORACLE, "UCI text written and read again", Ok(ours), ours.to_string().parse())?;
            expect_known(TextKind::Uci, text, true)
        }
        (Err(error), theirs) => {
            expect_place(text, &error)?;
            if theirs.is_ok() { expect_known(TextKind::Uci, text, false) } else { Ok(()) }
        }
    }
}
