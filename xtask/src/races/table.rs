//! One game that many threads share: one lock for each question.

use std::sync::{Mutex, MutexGuard, PoisonError};

use touchmove::{Game, MoveList, Position};

/// A game behind one lock.
pub(super) struct Table(Mutex<Position>);

impl Table {
    pub(super) fn new(game: Game) -> Table {
        Table(Mutex::new(*game.position()))
    }

    pub(super) fn legal_moves(&self) -> MoveList {
        self.locked().legal_moves()
    }

    pub(super) fn legal_moves_by_trial(&self) -> MoveList {
        self.locked().legal_moves_by_trial()
    }

    pub(super) fn position(&self) -> Position {
        *self.locked()
    }

    fn locked(&self) -> MutexGuard<'_, Position> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
