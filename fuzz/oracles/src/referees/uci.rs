//! Any engine that speaks UCI, as a child process asked by `go perft`.
//!
//! What is read of an answer: lines `MOVE: N`, then one line `Nodes searched: N` or `nodes N` that
//! ends it (upper and lower case alike, blanks and colon as one likes). All other lines are passed
//! over, but for `bestmove`, which only an engine sends that took the question for a search.
//!
//! Moves are made out by which piece stands where and nothing else, so that an illegal move of a
//! faulty engine arrives as the move it is. The engine's word alone decides what is legal here.
//!
//! No wait is without a deadline, and no flood of output is kept: an engine may hang, die, or
//! never stop talking.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use touchmove::{Move, Position, UciMode};

use self::engine::{Counts, Engine};
use self::placement::Placement;
use super::{Referee, Silence, Status};

mod answer;
mod command;
mod engine;
mod pipes;
mod placement;

pub use self::command::{UciCommand, UciCommandError};
pub use self::engine::end_all_engines;

/// How often in a row an engine is started again after it has failed. An answer in between forgives.
const RESTARTS_MAX: u32 = 9;

/// An engine that speaks UCI; the program is started by the first [`Referee::set`].
///
/// Once it has failed, its process group is ended and every question answered with the same failure
/// until the next `set`, which starts it again, nine times in a row at most. A child that left the group
/// is not ended, and not waited for. It holds valid positions only, and those of Chess960
/// only with an option `UCI_Chess960`; it never says how a game stands.
#[derive(Debug)]
pub struct Uci {
    name: String,
    command: UciCommand,
    failures_in_a_row: u32,
    engine: Option<Engine>,
    last_failure: String,
    state: State,
    stop: Arc<AtomicBool>,
}

#[derive(Debug)]
enum State {
    Silent(Silence),
    Holding { fen: String, mode: UciMode, now: Standing, past: Vec<(String, Standing)> },
}

/// A position as far as the engine's moves have to be understood in it.
#[derive(Clone, Debug)]
struct Standing {
    placement: Placement,
    /// The legal moves with the engine's own text, once it has been asked.
    listed: Option<Vec<(Move, String)>>,
}

impl Uci {
    /// A referee that will start this program.
    pub fn new(command: UciCommand) -> Uci {
        Uci {
            name: format!("uci:{command}"),
            command,
            failures_in_a_row: 0,
            engine: None,
            last_failure: String::new(),
            state: State::Silent(Silence::Failed("no position was set".to_string())),
            stop: Arc::default(),
        }
    }

    /// The same referee, which gives up waiting and ends its program as soon as this is true.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> Uci {
        Uci { stop, ..self }
    }

    /// The engine, started if need be.
    fn engine(&mut self) -> Result<&mut Engine, String> {
        match &mut self.engine {
            Some(engine) => Ok(engine),
            slot => Ok(slot.insert(Engine::start(&self.command, &self.stop)?)),
        }
    }

    fn has_given_up(&self) -> bool {
        self.failures_in_a_row > RESTARTS_MAX
    }

    fn set_up(&mut self, fen: &str, mode: UciMode) -> Result<Standing, Silence> {
        let position: Position = fen.parse().map_err(|error: touchmove::FenError| {
            Silence::Abstains(format!("is only asked about valid positions: {error}"))
        })?;
        if mode == UciMode::Standard && UciMode::of(&position) == UciMode::Chess960 {
            let why = "is not asked in standard mode about castling rights of Chess960";
            return Err(Silence::Abstains(why.to_string()));
        }
        let timeout = self.command.timeout;
        let engine = self.engine().map_err(Silence::Failed)?;
        if mode == UciMode::Chess960 && !engine.plays_chess960 {
            return Err(Silence::Abstains("has no option UCI_Chess960".to_string()));
        }
        engine.prepare(mode, timeout).map_err(Silence::Failed)?;
        Ok(Standing { placement: Placement::of(&position), listed: None })
    }

    /// Asks `go perft`; a failure is kept, and ends the engine.
    fn ask(&mut self, depth: u32) -> Result<Counts, Silence> {
        let (fen, mode, now, past) = match &self.state {
            State::Silent(silence) => return Err(silence.clone()),
            State::Holding { fen, mode, now, past } => (fen, *mode, now, past),
        };
        let mut position = format!("position fen {fen}");
        for (index, (text, _)) in past.iter().enumerate() {
            position.push_str(if index == 0 { " moves " } else { " " });
            position.push_str(text);
        }
        let Some(engine) = &mut self.engine else { unreachable!("held without an engine") };
        let answer = engine.perft(&position, depth, self.command.timeout, &now.placement, mode);
        match answer {
            Ok(counts) => {
                self.failures_in_a_row = 0;
                Ok(counts)
            }
            Err(words) => Err(self.fail(words)),
        }
    }

    fn fail(&mut self, words: String) -> Silence {
        self.engine = None;
        self.failures_in_a_row += 1;
        self.last_failure.clone_from(&words);
        let silence = Silence::Failed(words);
        self.state = State::Silent(silence.clone());
        silence
    }

    /// The legal moves with the engine's text, asked for once in each position.
    fn listed(&mut self) -> Result<&[(Move, String)], Silence> {
        if let State::Holding { now: Standing { listed: None, .. }, .. } = self.state {
            let moves = self.ask(1)?.into_iter().map(|(mv, text, _)| (mv, text)).collect();
            if let State::Holding { now, .. } = &mut self.state {
                now.listed = Some(moves);
            }
        }
        match &self.state {
            State::Holding { now, .. } => Ok(now.listed.as_deref().unwrap_or_default()),
            State::Silent(silence) => Err(silence.clone()),
        }
    }

    fn does_not_say(&self, what: &str) -> Silence {
        match &self.state {
            State::Silent(silence) => silence.clone(),
            State::Holding { .. } => Silence::Abstains(format!("UCI has no question for {what}")),
        }
    }
}

impl Referee for Uci {
    fn name(&self) -> &str {
        &self.name
    }

    fn set(&mut self, fen: &str, mode: UciMode) -> Result<(), Silence> {
        if self.has_given_up() {
            let (failures, last) = (self.failures_in_a_row, &self.last_failure);
            let words = format!("given up after {failures} failures, the last: {last}");
            self.state = State::Silent(Silence::Failed(words.clone()));
            return Err(Silence::Failed(words));
        }
        match self.set_up(fen, mode) {
            Ok(now) => {
                let fen = fen.trim().to_string();
                self.state = State::Holding { fen, mode, now, past: Vec::new() };
                Ok(())
            }
            Err(Silence::Failed(words)) => Err(self.fail(words)),
            Err(silence) => {
                self.state = State::Silent(silence.clone());
                Err(silence)
            }
        }
    }

    fn play(&mut self, mv: Move) -> Result<(), Silence> {
        let text =
            self.listed()?.iter().find(|(listed, _)| *listed == mv).map(|(_, text)| text.clone());
        let text = text.ok_or_else(|| Silence::Failed(format!("does not list {mv:?}")))?;
        if let State::Holding { now, past, .. } = &mut self.state {
            let next = Standing { placement: now.placement.after(mv), listed: None };
            past.push((text, std::mem::replace(now, next)));
        }
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Silence> {
        match &mut self.state {
            State::Silent(silence) => Err(silence.clone()),
            State::Holding { now, past, .. } => {
                let (_, before) = past.pop().expect("no move is left to take back");
                *now = before;
                Ok(())
            }
        }
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, Silence> {
        Ok(self.listed()?.iter().map(|(mv, _)| *mv).collect())
    }

    fn status(&mut self) -> Result<Status, Silence> {
        Err(self.does_not_say("how the game stands"))
    }

    fn fen(&mut self) -> Result<String, Silence> {
        Err(self.does_not_say("its FEN"))
    }

    fn divide(&mut self, depth: u32) -> Result<Vec<(Move, u64)>, Silence> {
        Ok(self.ask(depth)?.into_iter().map(|(mv, _, nodes)| (mv, nodes)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_referee_can_go_to_another_thread() {
        fn assert_send<T: Send>() {}
        assert_send::<Uci>();
    }
}
