//! A divergence as text, made as small as chess allows, and played again.

use std::fmt;
use std::str::FromStr;

use touchmove::{Move, Position, UciMode, UciMove};

pub use self::shrink::shrink;
use crate::generators::Script;
use crate::oracles::{
    Divergence, GameLog, Rules, Verdict, game, mirror, of_text, perft_small, san, transpose,
    unmake, written,
};

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
    /// The text, where it is one that was read otherwise than it should be.
    pub text: Option<String>,
    /// What was expected.
    pub expected: String,
    /// What came.
    pub got: String,
}

impl Case {
    /// Has the text read again, or the moves played before every oracle, and returns the first divergence.
    pub fn replay<R: Rules>(&self, rules: &R) -> Verdict {
        match &self.text {
            Some(text) => of_text(&self.oracle, &self.start, text),
            None => replay(self.start, &self.moves, rules),
        }
    }
}

/// Plays moves from a start before every oracle, and returns the first divergence.
pub fn replay<R: Rules>(start: Position, moves: &[Move], rules: &R) -> Verdict {
    const ORACLES: [&str; 6] = ["legality", "unmake", "keys", "symmetry", "perft_small", "san"];
    let judge = |oracle: &&str| judge(oracle, start, moves, rules);
    ORACLES.iter().map(judge).find(|verdict| !verdict.is_clean()).unwrap_or(Verdict::Pass)
}

/// Plays moves from a start before the oracles that can find what this one found.
fn judge<R: Rules>(oracle: &str, start: Position, moves: &[Move], rules: &R) -> Verdict {
    let script = || Script::new(start, moves.to_vec());
    match oracle {
        "keys" => transpose(script(), rules),
        "symmetry" => mirror(script(), rules),
        "san" => san(script(), rules),
        "perft_small" => perft_small(&played(start, moves), 3, rules),
        "unmake" => match game(script(), rules, &mut GameLog::default()) {
            Verdict::Pass => unmake(script(), rules),
            diverges => diverges,
        },
        _ => game(script(), rules, &mut GameLog::default()),
    }
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

/// The text is no case: what was expected, and in which line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseError(String);

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CaseError {}

impl FromStr for Case {
    type Err = CaseError;

    fn from_str(text: &str) -> Result<Case, CaseError> {
        let line = |name: &str| {
            let prefix = format!("{name}:");
            text.lines().find_map(|line| line.strip_prefix(&prefix)).map(str::trim)
        };
        let field = |name: &str| {
            line(name).ok_or_else(|| CaseError(format!("expected a line `{name}: …`")))
        };
        let start: Position = field("start")?
            .parse()
            .map_err(|error| CaseError(format!("in the line `start`: {error}")))?;
        let mode = UciMode::of(&start);
        let (mut position, mut moves) = (start, Vec::new());
        for word in field("moves")?.split_whitespace() {
            let wrong =
                |error: String| CaseError(format!("in the line `moves`, `{word}`: {error}"));
            let text: UciMove = word.parse().map_err(|error| wrong(format!("{error}")))?;
            let mv = text.resolve(&position, mode).map_err(|error| wrong(error.to_string()))?;
            let _never_taken_back = position.make(mv);
            moves.push(mv);
        }
        let text = line("text")
            .map(serde_json::from_str)
            .transpose()
            .map_err(|error| CaseError(format!("in the line `text`, a JSON string: {error}")))?;
        let owned = |name| field(name).map(str::to_string);
        let (oracle, expected, got) = (owned("oracle")?, owned("expected")?, owned("got")?);
        Ok(Case { oracle, start, moves, text, expected, got })
    }
}
