//! Algebraic notation: every legal move is written as shakmaty writes it and reads back, and a text near a move
//! means the same to both.

use shakmaty::san::{San as TheirSan, SanPlus};
use shakmaty::{Chess, Position as _};
use touchmove::{Move, MoveList, Position, San, Stepper, SyntaxError};

use super::game::held_by_shakmaty;
use super::rules::Rules;
use super::text::{expect_known, expect_place};
use super::{Comparison, Parting, Verdict, at_every_ply, compare};
use crate::generators::Steps;
use crate::referees::differences::TextKind;
use crate::referees::shakmaty_move;

/// The name under which a text near a move is judged.
pub(super) const TEXT: &str = "san_text";
const ORACLE: &str = "san";

/// Plays a game and writes and reads every legal move of every position.
pub fn san<S: Steps, R: Rules>(steps: S, rules: &R) -> Verdict {
    at_every_ply(steps, rules, |position, legal| compare_written(rules, position, legal))
}

fn compare_written<R: Rules>(rules: &R, position: &Position, legal: &MoveList) -> Comparison {
    let chess = held_by_shakmaty(position);
    let theirs = chess.as_ref().map(Chess::legal_moves).unwrap_or_default();
    for mv in legal {
        let written = rules.san(position, mv);
        let their_move = theirs.iter().find(|&&their_move| shakmaty_move(their_move) == Some(mv));
        if let (Some(chess), Some(&their_move)) = (&chess, their_move) {
            let theirs = SanPlus::from_move(chess.clone(), their_move).to_string();
            compare(ORACLE, &format!("{mv:?} written"), &theirs, &written)?;
        }
        let read = rules.read_san(position, &written);
        compare(ORACLE, &format!("{written} read again"), Some(mv), read)?;
        refuse_without_its_piece(rules, position, &written)?;
    }
    refuse_illegal_steps(rules, position, legal)
}

/// A promotion that does not name its piece is none.
fn refuse_without_its_piece<R: Rules>(rules: &R, position: &Position, written: &str) -> Comparison {
    let Some((text, _)) = written.split_once('=') else { return Ok(()) };
    compare(ORACLE, &format!("{text}, of no piece"), None, rules.read_san(position, text))
}

/// What algebraic notation asks of a king goes past the generator: its steps that are not legal are none in a text either.
fn refuse_illegal_steps<R: Rules>(rules: &R, position: &Position, legal: &MoveList) -> Comparison {
    let king = position.king(position.turn());
    for to in Stepper::King.attacks(king) {
        if !legal.contains(&Move::normal(king, to)) {
            let text = format!("K{to}");
            compare(ORACLE, &format!("{text}, not legal"), None, rules.read_san(position, &text))?;
        }
    }
    Ok(())
}

/// A text that is a move of this position or nearly one.
pub fn san_text<R: Rules>(position: &Position, text: &str, rules: &R) -> Verdict {
    match compare_read(position, text, rules) {
        Ok(()) => Verdict::Pass,
        Err(parting) => Parting { oracle: TEXT, ..parting }.of_text(*position, text),
    }
}

fn compare_read<R: Rules>(position: &Position, text: &str, rules: &R) -> Comparison {
    if let Err(error) = text.parse::<San>() {
        let error: SyntaxError = error;
        expect_place(text, &error)?;
    }
    let ours = rules.read_san(position, text);
    let Some(chess) = held_by_shakmaty(position) else { return Ok(()) };
    let theirs = TheirSan::from_ascii(text.as_bytes()).ok();
    let theirs: Option<Move> = theirs.and_then(|san| shakmaty_move(san.to_move(&chess).ok()?));
    match (ours, theirs) {
        (Some(_), None) => expect_known(TextKind::San, text, true),
        (None, Some(_)) => expect_known(TextKind::San, text, false),
        (ours, theirs) => compare(TEXT, "the move that is meant", theirs, ours),
    }
}
