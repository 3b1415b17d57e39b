//! What happens at a table, as those who act and those who watch are told.

use std::boxed::Box;
use std::fmt;
use std::string::{String, ToString};
use std::time::Duration;

use crate::game::Claimed;
use crate::game::clock::ClockReading;
use crate::game::moves::Played;
use crate::game::outcome::{Claim, Status};
use crate::game::refusal::Refusal;
use crate::moves::Move;
use crate::piece::Color;
use crate::position::Position;

/// Something that happened at a table. Whoever did it has it as the acknowledgement, and all who watch have the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// What happened.
    pub happening: Happening,
    /// When that was received, from the moment at which the table was set up.
    pub received: Duration,
    /// How the game stands behind it.
    pub now: Standing,
}

impl Event {
    /// Which event of the table it is: 1, 2, 3, without a gap, in the order in which they happened.
    pub const fn number(&self) -> u64 {
        self.now.events
    }
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "most of them are moves")]
#[non_exhaustive]
pub enum Happening {
    /// A move was played.
    Played(Played),
    /// This move was taken back.
    Undone(Move),
    /// This move was played again.
    Redone(Move),
    /// A player resigned.
    Resigned(Color),
    /// A player offered a draw.
    Offered(Color),
    /// A player accepted the other side's offer, or offered what was offered already.
    Accepted(Color),
    /// A player declined it.
    Declined(Color),
    /// A player claimed a draw.
    Claimed {
        /// Who.
        player: Color,
        /// What.
        claim: Claim,
        /// The move that was announced.
        announced: Option<Move>,
        /// What came of it.
        came: Claimed,
    },
    /// This player's flag fell.
    FlagFell(Color),
}

/// How a game stands at some moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The number of the last event, 0 before the first.
    pub events: u64,
    /// The position.
    pub position: Position,
    /// How the game stands.
    pub status: Status,
    /// Whose draw offer stands.
    pub offer: Option<Color>,
    /// What the clock shows, if there is one. A turn's time is counted when it ends.
    pub clock: Option<ClockReading>,
}

impl Standing {
    /// The position as FEN.
    pub fn fen(&self) -> String {
        self.position.to_string()
    }
}

/// What a subscriber finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "most of them are events")]
pub enum News {
    /// The next event.
    Event(Event),
    /// So many events came when too many waited already. The next event is the one behind `now`.
    Missed {
        /// How many.
        events: u64,
        /// How the game stood behind the last of them.
        now: Standing,
    },
}

/// Why a table did not do what it was asked to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableRefusal {
    /// The game refuses it, and nothing has changed.
    Refused(Refusal),
    /// It was received when the flag had fallen, and that has ended the game: by this event.
    TooLate(Box<Event>),
}

impl TableRefusal {
    /// A code that stays the same in every version: `too-late`, or that of the [`Refusal`].
    pub const fn code(&self) -> &'static str {
        match self {
            TableRefusal::Refused(refusal) => refusal.code(),
            TableRefusal::TooLate(_) => "too-late",
        }
    }
}

impl fmt::Display for TableRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableRefusal::Refused(refusal) => refusal.fmt(f),
            TableRefusal::TooLate(event) => write!(f, "too late: {}", event.now.status),
        }
    }
}

impl std::error::Error for TableRefusal {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TableRefusal::Refused(refusal) => Some(refusal),
            TableRefusal::TooLate(_) => None,
        }
    }
}
