//! Judges games as they are read, without keeping them.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use super::replay::{IllegalPly, Replay};
use super::visitor::{PgnFlow, PgnText, PgnVisitor};
use crate::notation::fen::FenError;
use crate::notation::san::San;
use crate::position::Position;

/// Plays a game as it is read and refuses it at its first illegal move, in variations as well.
///
/// It keeps nothing but positions: what checks a file needs no more.
#[derive(Clone, Debug)]
pub struct PgnJudge {
    usual_start: Position,
    replay: Replay,
    moves: u64,
}

impl PgnJudge {
    /// Judges games, one after another.
    pub fn new() -> PgnJudge {
        let usual_start = Position::default();
        PgnJudge { usual_start, replay: Replay::new(usual_start), moves: 0 }
    }

    /// The position reached.
    pub const fn position(&self) -> &Position {
        self.replay.position()
    }

    /// The legal moves of all games so far, with variations and null moves.
    pub const fn moves(&self) -> u64 {
        self.moves
    }
}

impl Default for PgnJudge {
    fn default() -> PgnJudge {
        PgnJudge::new()
    }
}

const GO_ON: Result<PgnFlow, GameFault> = Ok(PgnFlow::GoOn);

impl PgnVisitor for PgnJudge {
    type Error = GameFault;

    fn begin_game(&mut self) -> Result<PgnFlow, GameFault> {
        self.replay.restart(self.usual_start);
        GO_ON
    }

    fn tag(&mut self, name: &str, value: PgnText<'_>) -> Result<PgnFlow, GameFault> {
        if matches!(name, "FEN" | "Variant")
            && let Some(start) = start_of_tag(name, &value.to_str())?
        {
            self.replay.restart(start);
        }
        GO_ON
    }

    fn play(&mut self, san: San) -> Result<PgnFlow, GameFault> {
        self.replay.play(san).map_err(GameFault::Move)?;
        self.moves += 1;
        GO_ON
    }

    fn begin_variation(&mut self) -> Result<PgnFlow, GameFault> {
        self.replay.begin_variation();
        GO_ON
    }

    fn end_variation(&mut self) -> Result<PgnFlow, GameFault> {
        self.replay.end_variation();
        GO_ON
    }
}

/// Why a game is refused that is well written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GameFault {
    /// A move that is not legal: the first one.
    Move(IllegalPly),
    /// The tag `FEN` holds no position.
    Fen(Box<FenError>),
    /// The tag `Variant` names another game than chess or Chess960.
    Variant(String),
}

impl GameFault {
    /// A code that stays the same in every version.
    pub const fn code(&self) -> &'static str {
        match self {
            GameFault::Move(illegal) => illegal.code(),
            GameFault::Fen(_) => "start-position",
            GameFault::Variant(_) => "variant",
        }
    }
}

impl fmt::Display for GameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameFault::Move(illegal) => illegal.fmt(f),
            GameFault::Fen(error) => write!(f, "the start position: {error}"),
            GameFault::Variant(name) => {
                write!(f, "expected chess or Chess960, found the variant {name:?}")
            }
        }
    }
}

impl core::error::Error for GameFault {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            GameFault::Move(illegal) => Some(illegal),
            GameFault::Fen(error) => Some(error),
            GameFault::Variant(_) => None,
        }
    }
}

/// What a tag says about where the game begins; `None` where it says nothing.
///
/// # Errors
///
/// When the tag `FEN` or `Variant` says what cannot be played.
pub(super) fn start_of_tag(name: &str, value: &str) -> Result<Option<Position>, GameFault> {
    match name {
        "FEN" => match value.parse() {
            Ok(position) => Ok(Some(position)),
            Err(error) => Err(GameFault::Fen(Box::new(error))),
        },
        "Variant" if !is_chess(value) => Err(GameFault::Variant(String::from(value))),
        _ => Ok(None),
    }
}

/// The names under which servers and programs know chess and Chess960, in any case and spacing.
fn is_chess(variant: &str) -> bool {
    const NAMES: [&str; 9] = [
        "",
        "?",
        "standard",
        "chess",
        "normal",
        "fromposition",
        "chess960",
        "fischerandom",
        "fischerrandom",
    ];
    let letters = variant.chars().filter(|letter| !matches!(letter, ' ' | '-' | '_'));
    let plain: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    NAMES.contains(&plain.as_str())
}
