//! Judges games as they are read, without keeping them.

use super::PgnText;
use super::reader::{PgnFlow, PgnVisitor};
use super::replay::{GameFault, Replay, start_of_tag};
use crate::notation::san::San;
use crate::position::Position;

/// Plays a game as it is read and refuses it at its first illegal move, in variations as well.
///
/// It keeps nothing but positions: what checks a file needs no more.
#[derive(Clone, Debug)]
pub struct PgnJudge {
    replay: Replay,
    moves: u64,
}

impl PgnJudge {
    /// Judges games, one after another.
    pub fn new() -> PgnJudge {
        PgnJudge { replay: Replay::new(Position::default()), moves: 0 }
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
        self.replay.restart(Position::default());
        GO_ON
    }

    fn tag(&mut self, name: &str, value: PgnText<'_>) -> Result<PgnFlow, GameFault> {
        if let Some(start) = start_of_tag(name, &value.to_str())? {
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
