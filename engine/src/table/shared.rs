//! What a table's lock guards: the game with its receive times, and the queues of those who watch.

use std::boxed::Box;
use std::sync::{Arc, Weak};
use std::time::Duration;
use std::vec::Vec;

use super::event::{Event, Happening, Standing, TableRefusal};
use super::feed::{Queue, Subscriber};
use crate::game::Game;
use crate::game::refusal::Refusal;

/// What the lock guards.
pub(super) struct Shared {
    pub(super) timed: TimedGame,
    subscribers: Vec<Weak<Queue>>,
}

/// A game with receive times, and the number of its last event.
#[derive(Clone)]
pub(super) struct TimedGame {
    pub(super) game: Game,
    /// The receive time up to which the clock has counted.
    counted_to: Duration,
    events: u64,
}

impl Shared {
    pub(super) fn new(game: Game) -> Shared {
        let timed = TimedGame { game, counted_to: Duration::ZERO, events: 0 };
        Shared { timed, subscribers: Vec::new() }
    }

    pub(super) fn subscribe(&mut self) -> Subscriber {
        let (subscriber, queue) = Subscriber::new(self.timed.standing());
        self.subscribers.retain(|queue| queue.strong_count() > 0);
        self.subscribers.push(queue);
        subscriber
    }

    /// Refuses what was received when the flag had fallen for so long; that ends the game.
    pub(super) fn expect_no_flag(
        &mut self,
        received: Duration,
        lag: Duration,
    ) -> Result<(), TableRefusal> {
        match self.drop_flag(received, lag) {
            Some(event) => Err(TableRefusal::TooLate(Box::new(event))),
            None => Ok(()),
        }
    }

    /// Ends the game if the flag has fallen for so long.
    pub(super) fn drop_flag(&mut self, received: Duration, lag: Duration) -> Option<Event> {
        let falls = self.timed.flag_falls()?;
        if received < falls.checked_add(lag)? {
            return None;
        }
        let event = self.change(received, |timed| {
            let mover = timed.game.turn();
            // No more than that, so that the clock is the same whoever looks at it.
            timed.count(falls);
            Ok(Happening::FlagFell(mover))
        });
        event.ok()
    }

    /// Changes a copy, puts it in the game's place, and tells everybody.
    pub(super) fn change(
        &mut self,
        received: Duration,
        action: impl FnOnce(&mut TimedGame) -> Result<Happening, Refusal>,
    ) -> Result<Event, TableRefusal> {
        let mut changed = self.timed.clone();
        let happening = action(&mut changed).map_err(TableRefusal::Refused)?;
        changed.events += 1;
        let event = Event { happening, received, now: changed.standing() };
        self.timed = changed;
        self.subscribers.retain(|queue| match queue.upgrade() {
            Some(queue) => {
                queue.tell(event);
                true
            }
            None => false,
        });
        Ok(event)
    }
}

impl TimedGame {
    /// Refuses where no flag can fall.
    pub(super) fn expect_clock(&self) -> Result<(), Refusal> {
        match (self.game.outcome(), self.game.clock()) {
            (Some(outcome), _) => Err(Refusal::GameOver(outcome)),
            (None, None) => Err(Refusal::NoClock),
            (None, Some(_)) => Ok(()),
        }
    }

    pub(super) fn standing(&self) -> Standing {
        Standing {
            events: self.events,
            position: *self.game.position(),
            status: self.game.status(),
            offer: self.game.offer(),
            clock: self.game.clock().map(|clock| clock.reading()),
        }
    }

    /// The receive time at which the flag of the side to move falls, if one can be that late.
    pub(super) fn flag_falls(&self) -> Option<Duration> {
        let clock = self.game.clock().filter(|_| self.game.outcome().is_none())?;
        self.counted_to.checked_add(clock.time_to_flag(self.game.turn()))
    }

    /// Counts the time of the present turn.
    pub(super) fn count(&mut self, to: Duration) {
        let elapsed = to.saturating_sub(self.counted_to);
        // Without a clock nothing is counted, and in a game that is over nothing more.
        let _outcome = self.game.tick(elapsed);
        self.begin_turn(to);
    }

    /// The time from which on the clock counts; never back, in whatever order receive times come.
    pub(super) fn begin_turn(&mut self, received: Duration) {
        self.counted_to = self.counted_to.max(received);
    }
}

/// Tells those who still wait that nothing more will come.
impl Drop for Shared {
    fn drop(&mut self) {
        let queues = self.subscribers.iter().filter_map(Weak::upgrade);
        queues.for_each(|queue: Arc<Queue>| queue.close());
    }
}

#[cfg(test)]
impl Shared {
    pub(super) fn subscribers(&self) -> usize {
        self.subscribers.len()
    }
}
