//! One game that many threads share: the lock, the receive times, and those who watch.
//!
//! What is told is [`event`], how it reaches those who watch is [`feed`]. The rules are the [`Game`]'s.

pub(crate) mod event;
pub(crate) mod feed;
mod shared;

use std::fmt;
use std::string::String;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::vec::Vec;

use self::event::{Event, Happening, Standing, TableRefusal};
use self::feed::Subscriber;
use self::shared::Shared;
use crate::game::outcome::{Claim, Status};
use crate::game::record::GameRecord;
use crate::game::refusal::Refusal;
use crate::game::{EnPassantFen, Game};
use crate::moves::{Move, MoveList};
use crate::notation::pgn::builder::PgnBuilder;
use crate::piece::Color;
use crate::position::Position;

/// How long a move may be on its way from its receipt to the table's lock, unless a table is told otherwise.
pub const LAG_MAX: Duration = Duration::from_secs(1);

/// A game that many threads share.
///
/// Every method takes the lock once and asks or does one whole thing under it, so that no answer mixes two moments of the
/// game. Nobody else's code runs under the lock. An action that is refused changes nothing; one that is done is acknowledged
/// by the [`Event`] that those who [subscribe](Table::subscribe) are told, and the events of a table are numbered
/// without a gap.
///
/// # Time
///
/// The table reads no clock (R20). Every action comes with the time at which it was *received*, measured by the
/// caller from the moment at which the table was set up: say, `Instant::elapsed`. Waiting for the lock costs no player any time.
///
/// A flag falls at one certain time, and a move is in time if it was received before that, whatever the order in
/// which threads win the lock. Two rules bring that about:
///
/// - A move (or claim) that was received at that time or later finds the flag fallen, always.
/// - Anybody else, the timer that calls [`Table::flag`] included, finds it fallen only [`LAG_MAX`] later, since until then a move
///   that was received in time may be on its way to the lock. (A flag has fallen when an arbiter observes it, FIDE 6.8.)
///
/// So a flag fall is decided once and never taken back, as long as no move is on its way for longer than that; one that
/// is finds the game over.
///
/// # Panics under the lock
///
/// An action is done on a copy, which then takes the game's place: a panic in the middle of it, a bug of this library,
/// loses the copy and leaves the game as it was, and the next caller goes on with it. An action therefore costs
/// time in proportion to the moves played: some microseconds in a game of common length, a millisecond or two after 10,000 plies.
///
/// ```
/// use std::time::{Duration, Instant};
/// use touchmove::{Color, Game, News, Position, Table};
///
/// let table = Table::new(Game::new(Position::default()).with_clock("300+2".parse()?));
/// let set_up = Instant::now();
/// let mut spectator = table.subscribe();
///
/// std::thread::scope(|threads| {
///     threads.spawn(|| table.play(Color::White, "e2e4", set_up.elapsed()).unwrap());
///     threads.spawn(|| assert_eq!(table.legal_moves().len(), 20));
/// });
/// let News::Event(event) = spectator.recv()? else { panic!("one event is not too many") };
/// assert_eq!((event.number(), event.now.fen().as_str()),
///     (1, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Table {
    lag_max: Duration,
    shared: Mutex<Shared>,
}

impl Table {
    /// A table with a game on it; its clock, if it has one, runs from now on, which is the receive time zero.
    pub fn new(game: Game) -> Table {
        Table { lag_max: LAG_MAX, shared: Mutex::new(Shared::new(game)) }
    }

    /// The same table, at which a move may be on its way to the lock for so long.
    #[must_use]
    pub fn with_lag_max(self, lag_max: Duration) -> Table {
        Table { lag_max, ..self }
    }

    /// A panic under the lock has left the game as it was, so a poisoned lock is as good as any.
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks one question under the lock.
    fn ask<T>(&self, question: impl FnOnce(&Game) -> T) -> T {
        question(&self.lock().timed.game)
    }

    /// The legal moves of the position by the [fast route](Position::legal_moves), those of a game that is over included.
    pub fn legal_moves(&self) -> MoveList {
        self.ask(|game| game.position().legal_moves())
    }

    /// The same [by definition](Position::legal_moves_by_trial), under one lock for the whole question.
    ///
    /// The moves are tried on a copy: a game hands its position out to nobody who would change it.
    pub fn legal_moves_by_trial(&self) -> MoveList {
        self.ask(|game| game.position().clone().legal_moves_by_trial())
    }

    /// A copy of the position.
    pub fn position(&self) -> Position {
        self.ask(|game| *game.position())
    }

    /// How the game stands, and behind which event.
    pub fn standing(&self) -> Standing {
        self.lock().timed.standing()
    }

    /// How the game stands.
    pub fn status(&self) -> Status {
        self.ask(Game::status)
    }

    /// The FEN of the position.
    pub fn fen(&self, en_passant: EnPassantFen) -> String {
        self.ask(|game| game.fen(en_passant))
    }

    /// The legal moves as UCI text, in the order of their letters; none when the game is over.
    pub fn legal(&self) -> Vec<String> {
        self.ask(Game::legal)
    }

    /// The game as a game file has it, to be [finished](PgnBuilder::finish).
    pub fn pgn(&self) -> PgnBuilder {
        self.ask(Game::pgn)
    }

    /// What a server keeps of the game.
    pub fn record(&self) -> GameRecord {
        self.ask(Game::record)
    }

    /// A copy of the game, for several questions about one moment. Its clock has counted the turns that are over.
    pub fn game(&self) -> Game {
        self.ask(Game::clone)
    }

    /// The receive time at which [`Table::flag`] decides that the flag of the side to move has fallen, if nothing happens
    /// before; `None` without a clock and when the game is over.
    pub fn flag_due(&self) -> Option<Duration> {
        let falls = self.lock().timed.flag_falls()?;
        falls.checked_add(self.lag_max)
    }

    /// Watches the game from now on. What a subscriber does can neither hold up nor spoil the game; that it is there makes each
    /// event cost one entry more in a queue.
    ///
    /// Who waits for news to end must not hold the table: they end when nobody does any more.
    pub fn subscribe(&self) -> Subscriber {
        self.lock().subscribe()
    }

    /// Plays a move given as UCI text.
    ///
    /// # Errors
    ///
    /// As [`Game::play`], and when the flag had fallen before the move was received.
    pub fn play(
        &self,
        player: Color,
        text: &str,
        received: Duration,
    ) -> Result<Event, TableRefusal> {
        self.take_turn(player, received, |game| game.play(player, text).map(Happening::Played))
    }

    /// Plays a move given in algebraic notation.
    ///
    /// # Errors
    ///
    /// As [`Table::play`].
    pub fn play_san(
        &self,
        player: Color,
        text: &str,
        received: Duration,
    ) -> Result<Event, TableRefusal> {
        self.take_turn(player, received, |game| game.play_san(player, text).map(Happening::Played))
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// As [`Table::play`].
    pub fn play_move(
        &self,
        player: Color,
        mv: Move,
        received: Duration,
    ) -> Result<Event, TableRefusal> {
        self.take_turn(player, received, |game| game.play_move(player, mv).map(Happening::Played))
    }

    /// Claims a draw, perhaps with an announced move as UCI text.
    ///
    /// # Errors
    ///
    /// As [`Game::claim`], and when the flag had fallen before the claim was received.
    pub fn claim(
        &self,
        player: Color,
        claim: Claim,
        announced: Option<&str>,
        received: Duration,
    ) -> Result<Event, TableRefusal> {
        self.take_turn(player, received, |game| {
            let mv = announced.and_then(|text| game.read_uci(text).ok());
            let came = game.claim(player, claim, announced)?;
            Ok(Happening::Claimed { player, claim, announced: mv, came })
        })
    }

    /// Resigns, also when it is the other side's turn.
    ///
    /// # Errors
    ///
    /// As [`Game::resign`], and when the flag of the side to move [was due](Table::flag_due).
    pub fn resign(&self, player: Color, received: Duration) -> Result<Event, TableRefusal> {
        self.act(received, |game| game.resign(player).map(|_| Happening::Resigned(player)))
    }

    /// Offers a draw, or accepts the other side's offer.
    ///
    /// # Errors
    ///
    /// As [`Game::offer_draw`], and when the flag of the side to move [was due](Table::flag_due).
    pub fn offer_draw(&self, player: Color, received: Duration) -> Result<Event, TableRefusal> {
        self.act(received, |game| {
            Ok(match game.offer_draw(player)? {
                Some(_) => Happening::Accepted(player),
                None => Happening::Offered(player),
            })
        })
    }

    /// Accepts the other side's draw offer.
    ///
    /// # Errors
    ///
    /// As [`Game::accept`], and when the flag of the side to move [was due](Table::flag_due).
    pub fn accept(&self, player: Color, received: Duration) -> Result<Event, TableRefusal> {
        self.act(received, |game| game.accept(player).map(|_| Happening::Accepted(player)))
    }

    /// Declines the other side's draw offer.
    ///
    /// # Errors
    ///
    /// As [`Game::decline`], and when the flag of the side to move [was due](Table::flag_due).
    pub fn decline(&self, player: Color, received: Duration) -> Result<Event, TableRefusal> {
        self.act(received, |game| game.decline(player).map(|()| Happening::Declined(player)))
    }

    /// Takes the last move back; the turn begins again at the time at which this was received (R19).
    ///
    /// # Errors
    ///
    /// As [`Game::undo`], and when the flag of the side to move [was due](Table::flag_due).
    pub fn undo(&self, received: Duration) -> Result<Event, TableRefusal> {
        self.turn_the_clock(received, |game| game.undo().map(Happening::Undone))
    }

    /// Plays the move again that was taken back last; the turn behind it begins at the time at which this was received.
    ///
    /// # Errors
    ///
    /// As [`Game::redo`], and when the flag of the side to move [was due](Table::flag_due).
    pub fn redo(&self, received: Duration) -> Result<Event, TableRefusal> {
        self.turn_the_clock(received, |game| game.redo().map(Happening::Redone))
    }

    /// Looks at the clock: the event that ends the game where the flag of the side to move [is due](Table::flag_due) at that
    /// time, otherwise nothing.
    ///
    /// # Errors
    ///
    /// When the game is over, or has no clock.
    pub fn flag(&self, received: Duration) -> Result<Option<Event>, Refusal> {
        let mut shared = self.lock();
        shared.timed.expect_clock()?;
        Ok(shared.drop_flag(received, self.lag_max))
    }

    /// A move or a claim: the mover's time is counted first.
    fn take_turn(
        &self,
        player: Color,
        received: Duration,
        action: impl FnOnce(&mut Game) -> Result<Happening, Refusal>,
    ) -> Result<Event, TableRefusal> {
        let mut shared = self.lock();
        let is_mover = shared.timed.game.turn() == player;
        let lag = if is_mover { Duration::ZERO } else { self.lag_max };
        shared.expect_no_flag(received, lag)?;
        shared.change(received, |timed| {
            if is_mover {
                timed.count(received);
            }
            action(&mut timed.game)
        })
    }

    /// An action that leaves the clock alone.
    fn act(
        &self,
        received: Duration,
        action: impl FnOnce(&mut Game) -> Result<Happening, Refusal>,
    ) -> Result<Event, TableRefusal> {
        let mut shared = self.lock();
        shared.expect_no_flag(received, self.lag_max)?;
        shared.change(received, |timed| action(&mut timed.game))
    }

    /// An action behind which another turn begins.
    fn turn_the_clock(
        &self,
        received: Duration,
        action: impl FnOnce(&mut Game) -> Result<Happening, Refusal>,
    ) -> Result<Event, TableRefusal> {
        let mut shared = self.lock();
        shared.expect_no_flag(received, self.lag_max)?;
        shared.change(received, |timed| {
            let happening = action(&mut timed.game)?;
            timed.begin_turn(received);
            Ok(happening)
        })
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Standing { events, position, status, .. } = self.standing();
        write!(f, "Table({position}, {status}, {events} events)")
    }
}

#[cfg(test)]
impl Table {
    /// Holds the lock as long as something else goes on.
    pub(crate) fn hold(&self, something_else: impl FnOnce()) {
        let _held = self.lock();
        something_else();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    const NOW: Duration = Duration::ZERO;

    /// Whatever was done before the panic, and although it poisoned the lock.
    #[test]
    fn a_panic_under_the_lock_leaves_the_game_as_it_was() {
        let table = Table::new(Game::new(Position::default()));
        let mut subscriber = table.subscribe();
        table.play(Color::White, "e2e4", NOW).unwrap();
        let before = (table.game(), table.standing());
        let panics = |game: &mut Game| {
            game.play(Color::Black, "e7e5").unwrap();
            game.resign(Color::Black).unwrap();
            panic!("planted: under the lock");
        };
        catch_unwind(AssertUnwindSafe(|| table.act(NOW, panics))).unwrap_err();
        assert!(table.shared.is_poisoned());
        assert_eq!((table.game(), table.standing()), before);
        let event = table.play(Color::Black, "c7c5", NOW).unwrap();
        assert_eq!((event.number(), subscriber.recv().is_ok()), (2, true));
        assert_eq!(subscriber.recv(), Ok(self::event::News::Event(event)));
    }

    /// Those who are gone take no room, also when nothing happens.
    #[test]
    fn subscribers_that_left_are_forgotten() {
        let table = Table::new(Game::new(Position::default()));
        let stays = table.subscribe();
        (0..1_000).for_each(|_| drop(table.subscribe()));
        assert!(table.lock().subscribers() <= 2);
        table.play(Color::White, "e2e4", NOW).unwrap();
        assert_eq!(table.lock().subscribers(), 1);
        drop(stays);
    }
}
