//! What people are told of a game under load: acknowledgements to those who act, news to those who watch.
//!
//! Notes are small, since there are many of them: of a position they hold the key.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use touchmove::{
    Claim, Claimed, ClockReading, Color, Event, Game, Hall, Happening, Key, Move, News, Policy,
    Position, Standing, Status, Subscriber, Table, TableId,
};
use touchmove_oracles::generators::{Actions, from_seed};

/// How a game is begun: any start, policy and clock that the arbiter is tried with.
#[derive(Clone)]
pub(super) struct Beginning {
    pub(super) start: Position,
    policy: Policy,
    control: Option<&'static str>,
}

impl Beginning {
    pub(super) fn of_seed(seed: u64) -> Beginning {
        let Actions { start, policy, control, .. } = from_seed(seed);
        Beginning { start, policy, control }
    }

    /// A fresh game.
    pub(super) fn game(&self) -> Game {
        let game = Game::new(self.start).with_policy(self.policy);
        match self.control {
            Some(control) => {
                game.with_clock(control.parse().expect("generated controls are sound"))
            }
            None => game,
        }
    }
}

impl fmt::Display for Beginning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let control = self.control.unwrap_or("none");
        write!(f, "{}, policy {:?}, clock {control}", self.start, self.policy)
    }
}

/// A game under load, and what people were told of it.
pub(super) struct GameUnderLoad {
    pub(super) number: u64,
    pub(super) id: TableId,
    pub(super) beginning: Beginning,
    /// The table itself, for the comparison at the end. Those who act find it in the hall.
    pub(super) table: Arc<Table>,
    /// What clients take for the time, in milliseconds.
    time: AtomicU64,
    told: Mutex<Told>,
}

#[derive(Default)]
pub(super) struct Told {
    pub(super) acknowledged: Vec<Note>,
    pub(super) watchers: Vec<Watcher>,
}

impl GameUnderLoad {
    /// Begins a game at a table of the hall.
    pub(super) fn begin(number: u64, beginning: Beginning, hall: &Hall) -> GameUnderLoad {
        let id = hall.create(Table::new(beginning.game()));
        let table = hall.find(id).expect("nobody else knows of it yet");
        let (time, told) = (AtomicU64::new(0), Mutex::default());
        GameUnderLoad { number, id, beginning, table, time, told }
    }

    /// Receive times grow, but not in the order in which locks are won.
    pub(super) fn receive_after(&self, thinking: u64) -> Duration {
        Duration::from_millis(self.time.fetch_add(thinking, Ordering::Relaxed))
    }

    pub(super) fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn into_told(self) -> Told {
        self.told.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An event as somebody was told it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Note {
    pub(super) deed: Deed,
    pub(super) received: Duration,
    pub(super) now: State,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Deed {
    Played(Move),
    Undone(Move),
    Redone(Move),
    Resigned(Color),
    Offered(Color),
    Accepted(Color),
    Declined(Color),
    Claimed(Color, Claim, Option<Move>, Came),
    FlagFell(Color),
}

/// What came of a claim.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Came {
    Granted,
    Refused,
    Ended,
}

/// How the game stands behind it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct State {
    pub(super) events: u64,
    key: Key,
    halfmove_clock: u16,
    status: Status,
    offer: Option<Color>,
    clock: Option<ClockReading>,
}

impl Note {
    pub(super) fn of(event: &Event) -> Note {
        let deed = match event.happening {
            Happening::Played(played) => Deed::Played(played.mv()),
            Happening::Undone(mv) => Deed::Undone(mv),
            Happening::Redone(mv) => Deed::Redone(mv),
            Happening::Resigned(player) => Deed::Resigned(player),
            Happening::Offered(player) => Deed::Offered(player),
            Happening::Accepted(player) => Deed::Accepted(player),
            Happening::Declined(player) => Deed::Declined(player),
            Happening::Claimed { player, claim, announced, came } => {
                Deed::Claimed(player, claim, announced, Came::of(&came))
            }
            Happening::FlagFell(player) => Deed::FlagFell(player),
            other => panic!("the load does not know what this is: {other:?}"),
        };
        Note { deed, received: event.received, now: State::of(&event.now) }
    }
}

impl Came {
    pub(super) fn of(came: &Claimed) -> Came {
        match came {
            Claimed::Granted => Came::Granted,
            Claimed::Refused(_) => Came::Refused,
            Claimed::Ended(_) => Came::Ended,
        }
    }
}

impl State {
    pub(super) fn of(standing: &Standing) -> State {
        State {
            events: standing.events,
            key: standing.position.key(),
            halfmove_clock: standing.position.halfmove_clock(),
            status: standing.status,
            offer: standing.offer,
            clock: standing.clock,
        }
    }

    /// The same of a game that is played alone.
    pub(super) fn of_game(game: &Game, events: u64) -> State {
        State {
            events,
            key: game.position().key(),
            halfmove_clock: game.position().halfmove_clock(),
            status: game.status(),
            offer: game.offer(),
            clock: game.clock().map(|clock| clock.reading()),
        }
    }
}

/// Somebody who watches, and what they heard.
pub(super) struct Watcher {
    /// None when they have left.
    pub(super) subscriber: Option<Subscriber>,
    pub(super) joined: State,
    pub(super) heard: Vec<Heard>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Heard {
    Event(Note),
    Missed(u64, State),
}

impl Watcher {
    pub(super) fn new(subscriber: Subscriber) -> Watcher {
        let joined = State::of(subscriber.joined());
        Watcher { subscriber: Some(subscriber), joined, heard: Vec::new() }
    }

    /// Reads what waits.
    pub(super) fn read(&mut self) {
        let Some(subscriber) = &mut self.subscriber else { return };
        while let Ok(news) = subscriber.try_recv() {
            self.heard.push(match news {
                News::Event(event) => Heard::Event(Note::of(&event)),
                News::Missed { events, now } => Heard::Missed(events, State::of(&now)),
            });
        }
    }
}
