//! A divergence as text, made as small as chess allows, and played again.

use std::fmt;
use std::str::FromStr;

use touchmove::{CastlingRights, Move, Position, Role, Setup, UciMode, UciMove};

use crate::generators::Script;
use crate::oracles::{
    Divergence, GameLog, Rules, Verdict, game, mirror, perft_small, transpose, unmake, written,
};

/// What is kept of a divergence: a start, the moves from it, what was expected and what came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The oracle that found it.
    pub oracle: String,
    /// Where the game began.
    pub start: Position,
    /// The moves from there.
    pub moves: Vec<Move>,
    /// What was expected.
    pub expected: String,
    /// What came.
    pub got: String,
}

/// Plays moves from a start before every oracle, and returns the first divergence.
pub fn replay<R: Rules>(start: Position, moves: &[Move], rules: &R) -> Verdict {
    const ORACLES: [&str; 5] = ["legality", "unmake", "keys", "symmetry", "perft_small"];
    let judge = |oracle: &&str| judge(oracle, start, moves, rules);
    ORACLES.iter().map(judge).find(|verdict| !verdict.is_clean()).unwrap_or(Verdict::Pass)
}

/// Plays moves from a start before the oracles that can find what this one found.
fn judge<R: Rules>(oracle: &str, start: Position, moves: &[Move], rules: &R) -> Verdict {
    let script = || Script::new(start, moves.to_vec());
    match oracle {
        "keys" => transpose(script(), rules),
        "symmetry" => mirror(script(), rules),
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

/// The smallest game that can be found in which the same oracle still finds fault: a shorter end, a later
/// start, fewer moves, fewer pieces, no clocks and no rights.
pub fn shrink<R: Rules>(divergence: Divergence, rules: &R) -> Divergence {
    let mut smallest = divergence;
    loop {
        let before = (smallest.moves.len(), smallest.start);
        for attempt in attempts(&smallest) {
            let (start, moves) = attempt;
            if let Verdict::Diverges(found) = judge(smallest.oracle, start, &moves, rules)
                && found.oracle == smallest.oracle
                && weight(&found) < weight(&smallest)
            {
                smallest = *found;
                break;
            }
        }
        if (smallest.moves.len(), smallest.start) == before {
            return smallest;
        }
    }
}

/// What counts when two cases are compared: moves first, then pieces, then all else that is set.
fn weight(divergence: &Divergence) -> (usize, u32, u32) {
    let setup = divergence.start.to_setup();
    let rights = setup.castling.rooks().len() + u32::from(setup.en_passant.is_some());
    let clocks = u32::from(setup.halfmove_clock != 0) + u32::from(setup.move_number != 1);
    (divergence.moves.len(), setup.board.occupied().len(), rights + clocks)
}

/// Smaller games to try, the much smaller ones first.
fn attempts(divergence: &Divergence) -> Vec<(Position, Vec<Move>)> {
    let (start, moves) = (divergence.start, &divergence.moves);
    let len = moves.len();
    let mut attempts = Vec::new();
    for later in (1..=len).rev() {
        attempts.push((played(start, &moves[..later]), moves[later..].to_vec()));
    }
    for shorter in 0..len {
        attempts.push((start, moves[..shorter].to_vec()));
    }
    for dropped in 0..len {
        for width in [2, 1] {
            if dropped + width <= len {
                let rest = [&moves[..dropped], &moves[dropped + width..]].concat();
                attempts.push((start, rest));
            }
        }
    }
    for simpler in simpler_starts(start) {
        attempts.push((simpler, moves.clone()));
    }
    attempts
}

fn simpler_starts(start: Position) -> Vec<Position> {
    let setup = start.to_setup();
    let mut simpler = vec![
        Setup { halfmove_clock: 0, ..setup },
        Setup { move_number: 1, ..setup },
        Setup { castling: CastlingRights::EMPTY, ..setup },
        Setup { en_passant: None, ..setup },
    ];
    for rook in setup.castling.rooks() {
        simpler.push(Setup { castling: setup.castling.without(rook.into()), ..setup });
    }
    for square in setup.board.occupied().without(setup.board.role(Role::King)) {
        let mut fewer = setup;
        fewer.board.remove(square);
        fewer.castling = fewer.castling.without(square.into());
        simpler.push(fewer);
    }
    simpler.into_iter().filter_map(|setup| setup.validate().ok()).collect()
}

impl From<Divergence> for Case {
    fn from(divergence: Divergence) -> Case {
        let Divergence { oracle, start, moves, expected, got } = divergence;
        Case { oracle: oracle.to_string(), start, moves, expected, got }
    }
}

/// Five lines, `oracle`, `start`, `moves`, `expected`, `got`, each with its name; other lines are remarks.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_line = |text: &str| text.replace('\n', " | ");
        writeln!(f, "oracle: {}", self.oracle)?;
        writeln!(f, "start: {}", self.start)?;
        writeln!(f, "moves: {}", written(&self.start, &self.moves))?;
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
        let field = |name: &str| {
            let prefix = format!("{name}:");
            let value = text.lines().find_map(|line| line.strip_prefix(&prefix));
            value.map(str::trim).ok_or_else(|| CaseError(format!("expected a line `{name}: …`")))
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
        let owned = |name| field(name).map(str::to_string);
        let (oracle, expected, got) = (owned("oracle")?, owned("expected")?, owned("got")?);
        Ok(Case { oracle, start, moves, expected, got })
    }
}
