//! Judges: each takes a generated thing, asks the engine and others, and returns where they part.
//!
//! An oracle never panics about what it judges; only the glue does, by [`Verdict::expect_clean`]. Everything is
//! asked through [`Rules`], so that a liar can stand in for the engine: an alarm that was never heard is
//! no alarm.

mod arbiter;
mod canary;
mod game;
mod guard;
mod keys;
mod legality;
mod perft_small;
mod pgn;
mod rules;
mod san;
mod state;
mod symmetry;
mod table;
mod text;
mod together;
mod unmake;

use std::fmt;

use touchmove::{Move, MoveList, Position, UciMode, UciMove};

use crate::generators::Steps;

pub use self::arbiter::{ArbiterLie, arbiter};
pub use self::canary::canary;
pub use self::game::{GameLog, game, shakmaty_alone};
pub(crate) use self::guard::PANIC;
pub use self::guard::{caught, guarded, of_panic};
pub use self::keys::{Fingerprint, KeyWatch, Met, key_pair, transpose};
pub use self::legality::any_move_code;
pub use self::perft_small::perft_small;
pub use self::pgn::{pgn_roundtrip, pgn_text};
pub use self::rules::{Honest, Lies, Rules};
pub use self::san::{san, san_text};
pub use self::symmetry::mirror;
pub use self::table::shared_table;
pub use self::text::{epd_text, fen_text, uci_text};
pub(crate) use self::text::{is_free_text, is_text_of, of_text};
pub use self::together::all_oracles;
pub use self::unmake::unmake;

/// What an oracle says.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Verdict {
    /// All agree.
    Pass,
    /// They do not, and here is where.
    Diverges(Box<Divergence>),
}

/// Where two answers part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// Which oracle found it.
    pub oracle: &'static str,
    /// Where the game began.
    pub start: Position,
    /// The moves that led there.
    pub moves: Vec<Move>,
    /// The text, where one was read; the code of a move, or another position, where one was asked about.
    pub text: Option<String>,
    /// What is right by those who are trusted.
    pub expected: String,
    /// What the engine says.
    pub got: String,
}

impl Verdict {
    /// For fuzz targets and tests: a divergence is the end.
    ///
    /// # Panics
    ///
    /// When there is one.
    pub fn expect_clean(self) {
        if let Verdict::Diverges(divergence) = self {
            panic!("{divergence}");
        }
    }

    /// Whether all agree.
    pub fn is_clean(&self) -> bool {
        *self == Verdict::Pass
    }
}

impl Divergence {
    /// What it is about, in a line: divergences that have this in common are repeats by the look of it.
    pub fn what(&self) -> String {
        let about = match self.oracle {
            PANIC => self.got.lines().next(),
            _ => self.expected.split(':').next(),
        };
        format!("{}, {}", self.oracle, about.unwrap_or_default())
    }
}

/// Moves as UCI text, in Chess960 notation where the start needs it.
pub(crate) fn written(start: &Position, moves: &[Move]) -> String {
    let mode = UciMode::of(start);
    let write = |&mv: &Move| {
        UciMove::of(mv, mode).map_or_else(|_| format!("{mv:?}"), |text| text.to_string())
    };
    moves.iter().map(write).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "oracle: {}", self.oracle)?;
        writeln!(f, "start: {}", self.start)?;
        writeln!(f, "moves: {}", written(&self.start, &self.moves))?;
        if let Some(text) = &self.text {
            writeln!(f, "text: {text:?}")?;
        }
        writeln!(f, "expected: {}", self.expected)?;
        write!(f, "got: {}", self.got)
    }
}

/// A divergence without its place, which the oracle that knows the game adds.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Parting {
    oracle: &'static str,
    expected: String,
    got: String,
}

/// Whether two answers part, and how.
type Comparison = Result<(), Parting>;

/// Holds an answer against the one that is right.
fn compare<T: PartialEq + fmt::Debug>(
    oracle: &'static str,
    what: &str,
    expected: T,
    got: T,
) -> Comparison {
    if expected == got {
        return Ok(());
    }
    let told = |value: T| format!("{what}: {value:?}");
    Err(Parting { oracle, expected: told(expected), got: told(got) })
}

/// Holds a position against the one that is right: every field, the key too.
fn compare_positions(
    oracle: &'static str,
    what: &str,
    expected: &Position,
    got: &Position,
) -> Comparison {
    if expected == got {
        return Ok(());
    }
    let told = |position: &Position| format!("{what}: {position}, key {}", position.key());
    Err(Parting { oracle, expected: told(expected), got: told(got) })
}

/// Plays a game to its end and asks about every position on the way, with its legal moves.
fn at_every_ply<S: Steps, R: Rules>(
    mut steps: S,
    rules: &R,
    ask: impl Fn(&Position, &MoveList) -> Comparison,
) -> Verdict {
    let start = steps.start();
    let (mut position, mut moves) = (start, Vec::new());
    let mut legal = MoveList::new();
    loop {
        rules.legal_moves_into(&position, &mut legal);
        if let Err(parting) = ask(&position, &legal) {
            return parting.after(start, moves);
        }
        let Some(mv) = steps.next_move(&position, &legal) else { return Verdict::Pass };
        let _never_taken_back = rules.make(&mut position, mv);
        moves.push(mv);
    }
}

impl Parting {
    fn after(self, start: Position, moves: Vec<Move>) -> Verdict {
        let Parting { oracle, expected, got } = self;
        Verdict::Diverges(Box::new(Divergence { oracle, start, moves, text: None, expected, got }))
    }

    /// A text was read otherwise than it should be.
    fn of_text(self, start: Position, text: &str) -> Verdict {
        let Parting { oracle, expected, got } = self;
        let text = Some(text.to_string());
        let moves = Vec::new();
        Verdict::Diverges(Box::new(Divergence { oracle, start, moves, text, expected, got }))
    }
}
