//! The ways to share a position that safe Rust lets one try.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use touchmove::{Game, MoveList, Position, Table};
use touchmove_oracles::generators::random_bytes;
use touchmove_oracles::schedules::{Question, Step};

/// A way to ask one position from many threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// By trial; the lock is taken for each step.
    StepLock,
    /// By trial; the lock is taken for each question.
    QuestionLock,
    /// By trial; each asks a copy of its own.
    Copies,
    /// By the route that touches nothing, without a lock.
    Readers,
}

impl Way {
    pub(super) const ALL: [Way; 4] = [Way::StepLock, Way::QuestionLock, Way::Copies, Way::Readers];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Way::StepLock => "by trial, lock per step",
            Way::QuestionLock => "by trial, lock per question (Table)",
            Way::Copies => "by trial, a copy per reader",
            Way::Readers => "legal_moves(&self), no lock",
        }
    }

    /// What one who asks alone is told. The two routes list the same moves in orders of their own.
    pub(super) fn alone(self, mut start: Position) -> MoveList {
        match self {
            Way::Readers => start.legal_moves(),
            Way::StepLock | Way::QuestionLock | Way::Copies => start.legal_moves_by_trial(),
        }
    }

    /// Whether it must hold: all but the one that this is about.
    pub(super) const fn is_control(self) -> bool {
        !matches!(self, Way::StepLock)
    }
}

/// A position shared in one of the ways.
pub(super) enum Shared {
    StepLock(Mutex<Position>),
    QuestionLock(Box<Table>),
    Copies(Position),
    Readers(Position),
}

impl Shared {
    pub(super) fn new(way: Way, start: Position) -> Shared {
        match way {
            Way::StepLock => Shared::StepLock(Mutex::new(start)),
            Way::QuestionLock => Shared::QuestionLock(Box::new(Table::new(Game::new(start)))),
            Way::Copies => Shared::Copies(start),
            Way::Readers => Shared::Readers(start),
        }
    }

    /// The legal moves, as this way finds them.
    pub(super) fn ask(&self, yields: &mut Yields) -> MoveList {
        match self {
            Shared::StepLock(position) => ask_step_by_step(position, yields),
            Shared::QuestionLock(table) => table.legal_moves_by_trial(),
            Shared::Copies(position) => { *position }.legal_moves_by_trial(),
            Shared::Readers(position) => position.legal_moves(),
        }
    }

    /// The position as it is now.
    pub(super) fn position(&self) -> Position {
        match self {
            Shared::StepLock(position) => *locked(position),
            Shared::QuestionLock(table) => table.position(),
            Shared::Copies(position) | Shared::Readers(position) => *position,
        }
    }
}

/// What [`Position::legal_moves_by_trial`] does, but for the lock.
fn ask_step_by_step(position: &Mutex<Position>, yields: &mut Yields) -> MoveList {
    let mut moves = locked(position).pseudo_legal_moves();
    moves.retain(|mv| {
        let mut question = Question::new(mv);
        for step in Step::ALL {
            question.take(step, &mut locked(position));
            yields.maybe();
        }
        question.answer() == Some(true)
    });
    moves
}

/// Who panicked with the lock held has left what there is; the others go on with that.
fn locked(position: &Mutex<Position>) -> MutexGuard<'_, Position> {
    position.lock().unwrap_or_else(PoisonError::into_inner)
}

/// After which steps a thread lets another go on: about half of them, drawn from a seed.
pub(super) struct Yields {
    coins: Vec<u8>,
    next: usize,
}

impl Yields {
    pub(super) fn new(seed: u64) -> Yields {
        Yields { coins: random_bytes(seed, 4096..=4096), next: 0 }
    }

    fn maybe(&mut self) {
        self.next = (self.next + 1) % self.coins.len();
        if self.coins[self.next] < 128 {
            thread::yield_now();
        }
    }
}
