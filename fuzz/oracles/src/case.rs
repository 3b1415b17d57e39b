//! A divergence as text, made as small as chess allows, and played again.

use std::fmt;
use std::str::FromStr;

use touchmove::{FenError, Move, Position, UciMode, UciMove};

pub use self::shrink::shrink;
use crate::generators::Script;
use crate::oracles::{
    Divergence, GameLog, PANIC, Rules, Verdict, caught, game, guarded, is_text_of, mirror,
    of_panic, of_text, perft_small, san, transpose, unmake, written,
};
use crate::suite::LineError;

mod shrink;

/// What is kept of a divergence: a start, the moves from it or a text, what was expected and what came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The oracle that found it.
    pub oracle: String,
    /// Where the game began.
    pub start: Position,
    /// The moves from there.
    pub moves: Vec<Move>,
    /// The text, where one was read otherwise than it should be; for `any_move_code` the code as `0x` and four
    /// digits, for `key_pair` the other position.
    pub text: Option<String>,
    /// What was expected.
    pub expected: String,
    /// What came.
    pub got: String,
}

/// The oracles that see a whole game.
const ORACLES: [&str; 6] = ["legality", "unmake", "keys", "symmetry", "perft_small", "san"];
/// Names under which those oracles tell what they see, beside their own.
const TOLD: [&str; 2] = ["state", PANIC];

impl Case {
    /// Has the text read again, or the moves played before every oracle, and returns the first divergence.
    pub fn replay<R: Rules>(&self, rules: &R) -> Verdict {
        match &self.text {
            Some(text) => of_text(&self.oracle, &self.start, text, rules),
            None => replay(self.start, &self.moves, rules),
        }
    }
}

/// Plays moves from a start before every oracle, and returns the first divergence.
pub fn replay<R: Rules>(start: Position, moves: &[Move], rules: &R) -> Verdict {
    let judge = |oracle: &&str| judge(oracle, start, moves, rules);
    ORACLES.iter().map(judge).find(|verdict| !verdict.is_clean()).unwrap_or(Verdict::Pass)
}

/// Plays moves from a start before the oracles that can find what this one found.
fn judge<R: Rules>(oracle: &str, start: Position, moves: &[Move], rules: &R) -> Verdict {
    guarded(Script::new(start, moves.to_vec()), |script| match oracle {
        "keys" => transpose(script, rules),
        "symmetry" => mirror(script, rules),
        "san" => san(script, rules),
        "perft_small" => perft_small(&played(start, moves), 3, rules),
        "unmake" => match game(&mut *script, rules, &mut GameLog::default()) {
            Verdict::Pass => unmake(Script::new(start, moves.to_vec()), rules),
            diverges => diverges,
        },
        PANIC => replay(start, moves, rules),
        _ => game(script, rules, &mut GameLog::default()),
    })
}

/// The same with a text, which the oracle reads again.
fn judge_text<R: Rules>(oracle: &str, start: Position, text: &str, rules: &R) -> Verdict {
    caught(|| of_text(oracle, &start, text, rules))
        .unwrap_or_else(|told| of_panic(start, Vec::new(), told))
}

fn played(start: Position, moves: &[Move]) -> Position {
    let mut position = start;
    for &mv in moves.iter() {
        if !position.is_legal(mv) {
            break;
        }
        let _never_taken_back = position.make(mv);
    }
    position
}

impl From<Divergence> for Case {
    fn from(divergence: Divergence) -> Case {
        let Divergence { oracle, start, moves, text, expected, got } = divergence;
        Case { oracle: oracle.to_string(), start, moves, text, expected, got }
    }
}

/// Lines that begin with their name: `oracle`, `start`, `moves`, `expected`, `got`, and `text`, a JSON string, where there
/// is one; other lines are remarks.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_line = |text: &str| text.replace('\n', " | ");
        writeln!(f, "oracle: {}", self.oracle)?;
        writeln!(f, "start: {}", self.start)?;
        writeln!(f, "moves: {}", written(&self.start, &self.moves))?;
        if let Some(text) = &self.text {
            writeln!(f, "text: {}", serde_json::Value::from(text.as_str()))?;
        }
        writeln!(f, "expected: {}", one_line(&self.expected))?;
        writeln!(f, "got: {}", one_line(&self.got))
    }
}

/// One line of a case: what follows its name, and where that stands.
#[derive(Clone, Copy)]
struct Field<'a> {
    line: usize,
    text: &'a str,
    value: &'a str,
}

impl<'a> Field<'a> {
    fn find(case: &'a str, name: &str) -> Option<Field<'a>> {
        case.lines().enumerate().find_map(|(index, text)| {
            let value = text.strip_prefix(name)?.strip_prefix(':')?.trim();
            Some(Field { line: index + 1, text, value })
        })
    }

    /// The field that every case has.
    fn needed(case: &'a str, name: &str) -> Result<Field<'a>, LineError> {
        Field::find(case, name).ok_or_else(|| {
            let (index, text) = case.lines().enumerate().last().unwrap_or_default();
            let end = Field { line: index + 1, text, value: "" };
            end.wrong(text.len()..text.len(), format!("expected a line `{name}: …`"))
        })
    }

    /// A part of the line, by its bytes, is not what was expected.
    fn wrong(&self, bytes: std::ops::Range<usize>, message: String) -> LineError {
        let chars = |bytes: &str| bytes.chars().count();
        LineError {
            line: self.line,
            column: chars(&self.text[..bytes.start]) + 1,
            length: chars(&self.text[bytes]).max(1),
            text: self.text.to_string(),
            message,
        }
    }

    /// The bytes of a part of the value.
    fn place(&self, part: &str) -> std::ops::Range<usize> {
        let start = part.as_ptr().addr() - self.text.as_ptr().addr();
        start..start + part.len()
    }

    fn position(&self) -> Result<Position, LineError> {
        self.value.parse().map_err(|error: FenError| {
            let place = match &error {
                FenError::Syntax(error) => self.place(&self.value[error.offset()..]).start,
                _ => self.place(self.value).start,
            };
            let end = self.place(self.value).end;
            self.wrong(place..end, format!("expected a FEN: {error}"))
        })
    }

    fn moves(&self, start: &Position) -> Result<Vec<Move>, LineError> {
        let (mode, mut position, mut moves) = (UciMode::of(start), *start, Vec::new());
        for word in self.value.split_whitespace() {
            let wrong = |error: String| {
                self.wrong(self.place(word), format!("expected a legal move: {error}"))
            };
            let text: UciMove = word.parse().map_err(|error| wrong(format!("{error}")))?;
            let mv = text.resolve(&position, mode).map_err(|error| wrong(error.to_string()))?;
            let _never_taken_back = position.make(mv);
            moves.push(mv);
        }
        Ok(moves)
    }

    /// The text of an oracle that reads one.
    fn text_of(&self, oracle: &str) -> Result<String, LineError> {
        let text: String = serde_json::from_str(self.value).map_err(|error| {
            self.wrong(self.place(self.value), format!("expected a JSON string: {error}"))
        })?;
        match is_text_of(oracle, &text) {
            true => Ok(text),
            false => {
                let message = format!("expected a text that the oracle {oracle} reads");
                Err(self.wrong(self.place(self.value), message))
            }
        }
    }
}

impl FromStr for Case {
    type Err = LineError;

    fn from_str(case: &str) -> Result<Case, LineError> {
        let needed = |name| Field::needed(case, name);
        let oracle = needed("oracle")?;
        let start = needed("start")?.position()?;
        let moves = needed("moves")?.moves(&start)?;
        let text = Field::find(case, "text").map(|text| text.text_of(oracle.value)).transpose()?;
        if text.is_none() && !ORACLES.iter().chain(&TOLD).any(|&name| name == oracle.value) {
            let message = format!("expected the name of an oracle that sees games: {}", names());
            return Err(oracle.wrong(oracle.place(oracle.value), message));
        }
        let (expected, got) = (needed("expected")?.value, needed("got")?.value);
        let oracle = oracle.value.to_string();
        Ok(Case {
            oracle,
            start,
            moves,
            text,
            expected: expected.to_string(),
            got: got.to_string(),
        })
    }
}

fn names() -> String {
    [&ORACLES[..], &TOLD[..]].concat().join(", ")
}
