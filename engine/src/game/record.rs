//! What a server keeps of a game: all of it, as a few lines of text.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::{FromStr, SplitWhitespace};
use core::time::Duration;

use crate::game::clock::{Clock, ClockReading, Seconds, TimeControl};
use crate::game::outcome::{Outcome, Policy};
use crate::game::{Game, Ply, Undone};
use crate::notation::uci::{UciMode, UciMove};
use crate::piece::{ByColor, Color};
use crate::position::Position;

/// A game as it is kept: start, moves, clock, policy, standing offer, result and its reason.
///
/// It is written as text and read back equal, and [`GameRecord::restore`] makes the very game of it again, with its past, what
/// was taken back, and the time of every turn.
///
/// ```
/// use touchmove::{Color, Game, GameRecord, Position};
///
/// let mut game = Game::new(Position::default());
/// game.play(Color::White, "e2e4")?;
/// game.resign(Color::Black)?;
/// let text = game.record().to_string();
/// let record: GameRecord = text.parse()?;
/// assert_eq!(record.restore()?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    start: Position,
    mode: UciMode,
    policy: Policy,
    claim_penalty: Duration,
    clock: Option<(TimeControl, ClockReading)>,
    offer: Option<Color>,
    outcome: Option<Outcome>,
    played: Vec<RecordedMove>,
    undone: Vec<RecordedMove>,
}

/// A move, and the clock and the offer that go with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RecordedMove {
    text: UciMove,
    clock: Option<ClockReading>,
    offer: Option<Color>,
}

impl Game {
    /// What a server keeps of the game.
    pub fn record(&self) -> GameRecord {
        let written = |mv| UciMove::of(mv, UciMode::Chess960).expect("any move has a text there");
        let played = self.played.iter().map(|ply| RecordedMove {
            text: written(ply.mv),
            clock: ply.clock,
            offer: ply.offer,
        });
        let undone = self.undone.iter().map(|undone| RecordedMove {
            text: written(undone.mv),
            clock: undone.clock,
            offer: undone.offer,
        });
        GameRecord {
            start: self.start,
            mode: self.mode,
            policy: self.policy,
            claim_penalty: self.claim_penalty,
            clock: self.clock.as_ref().map(|clock| (clock.control().clone(), clock.reading())),
            offer: self.offer,
            outcome: self.outcome,
            played: played.collect(),
            undone: undone.collect(),
        }
    }
}

/// What a record says does not go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RestoreError {
    /// A move that is not legal, or behind the end of the game: which, from 1.
    Move {
        /// Which of the moves.
        ply: usize,
    },
    /// A move that was taken back is not legal where it was.
    Undone,
    /// The moves end the game otherwise than the record says.
    Outcome,
    /// A clock without a time control, or a move without the clock.
    Clock,
    /// A start that this notation cannot write.
    Mode,
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RestoreError::Move { ply } => return write!(f, "move {ply} is not legal"),
            RestoreError::Undone => "a move that was taken back is not legal",
            RestoreError::Outcome => "the moves end the game otherwise than the record says",
            RestoreError::Clock => "a clock reading without a clock, or a move without one",
            RestoreError::Mode => "the start needs Chess960 notation",
        })
    }
}

impl core::error::Error for RestoreError {}

impl GameRecord {
    /// The game, exactly as it was when the record was made.
    ///
    /// # Errors
    ///
    /// When what it says does not go together. Whoever keeps records may write them by hand.
    pub fn restore(&self) -> Result<Game, RestoreError> {
        let mut game = Game::new(self.start).with_policy(self.policy);
        if self.mode == UciMode::Standard && game.mode == UciMode::Chess960 {
            return Err(RestoreError::Mode);
        }
        game.mode = self.mode;
        game.claim_penalty = self.claim_penalty;
        for (index, recorded) in self.played.iter().enumerate() {
            let illegal = RestoreError::Move { ply: index + 1 };
            if game.outcome.is_some() {
                return Err(illegal);
            }
            let mv = recorded.text.resolve(&game.position, UciMode::Chess960);
            let mv = mv.map_err(|_| illegal)?;
            let (clock, offer) = self.checked(recorded)?;
            game.played.push(Ply { mv, before: game.position, clock, offer });
            let _kept_in_the_history = game.position.make(mv);
            game.outcome = game.judge();
        }
        game.undone = self.restore_undone(game.position)?;
        self.restore_end(&mut game)?;
        Ok(game)
    }

    fn checked(
        &self,
        recorded: &RecordedMove,
    ) -> Result<(Option<ClockReading>, Option<Color>), RestoreError> {
        match recorded.clock.is_some() == self.clock.is_some() {
            true => Ok((recorded.clock, recorded.offer)),
            false => Err(RestoreError::Clock),
        }
    }

    fn restore_undone(&self, mut position: Position) -> Result<Vec<Undone>, RestoreError> {
        let mut undone = Vec::new();
        for recorded in self.undone.iter().rev() {
            let mv = recorded.text.resolve(&position, UciMode::Chess960);
            let mv = mv.map_err(|_| RestoreError::Undone)?;
            let (clock, offer) = self.checked(recorded)?;
            undone.push(Undone { mv, clock, offer });
            let _never_taken_back = position.make(mv);
        }
        undone.reverse();
        Ok(undone)
    }

    fn restore_end(&self, game: &mut Game) -> Result<(), RestoreError> {
        let is_consistent = match (game.outcome, self.outcome) {
            (Some(judged), said) => said == Some(judged),
            (None, said) => said.is_none_or(|outcome| !outcome.is_on_the_board()),
        };
        if !is_consistent || self.outcome.is_some() && self.offer.is_some() {
            return Err(RestoreError::Outcome);
        }
        (game.outcome, game.offer) = (self.outcome, self.offer);
        if let Some((control, reading)) = &self.clock {
            let mut clock = Clock::new(control.clone());
            clock.set(*reading);
            game.clock = Some(clock);
        }
        Ok(())
    }
}

/// Lines that begin with their name: `game 1`, the version; `start`, a FEN; `mode`, `policy`, `penalty` in seconds; where
/// there is one, `control`, `clock`, `offer` and `outcome`; then `played` and `undone` moves, in their order; `end`. Moves are
/// written in Chess960 notation, clocks as the seconds left to White and Black, the moves of White and Black, and the
/// seconds spent.
impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "game 1")?;
        writeln!(f, "start {}", self.start)?;
        writeln!(f, "mode {}", self.mode)?;
        let policy = if self.policy == Policy::Fide { "fide" } else { "online" };
        writeln!(f, "policy {policy}")?;
        writeln!(f, "penalty {}", Seconds(self.claim_penalty))?;
        if let Some((control, reading)) = &self.clock {
            writeln!(f, "control {control}")?;
            writeln!(f, "clock{}", Reading(reading))?;
        }
        if let Some(offer) = self.offer {
            writeln!(f, "offer {offer}")?;
        }
        if let Some(outcome) = self.outcome {
            writeln!(f, "outcome {outcome}")?;
        }
        self.played.iter().try_for_each(|played| writeln!(f, "played {played}"))?;
        self.undone.iter().try_for_each(|undone| writeln!(f, "undone {undone}"))?;
        writeln!(f, "end")
    }
}

impl fmt::Display for RecordedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)?;
        if let Some(clock) = &self.clock {
            write!(f, " clock{}", Reading(clock))?;
        }
        match self.offer {
            Some(offer) => write!(f, " offer {offer}"),
            None => Ok(()),
        }
    }
}

struct Reading<'a>(&'a ClockReading);

impl fmt::Display for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClockReading { left, moves, spent } = self.0;
        let [white, black] = [Seconds(left.white), Seconds(left.black)];
        write!(f, " {white} {black} {} {} {}", moves.white, moves.black, Seconds(*spent))
    }
}

/// The text is no record: in which line, and what was expected there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    line: usize,
    expected: &'static str,
    found: String,
}

impl RecordError {
    /// The line, from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// What was expected in it.
    pub const fn expected(&self) -> &'static str {
        self.expected
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}, found {:?}", self.line, self.expected, self.found)
    }
}

impl core::error::Error for RecordError {}

impl FromStr for GameRecord {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<GameRecord, RecordError> {
        let mut lines = Lines { lines: text.lines(), number: 0, next: None };
        lines.expect("game", "`game 1`", |version| (version == "1").then_some(()))?;
        let start = lines.expect("start", "`start` and a FEN", |fen| fen.parse().ok())?;
        let mode = lines.expect("mode", "`mode standard` or `mode chess960`", read_mode)?;
        let policy = lines.expect("policy", "`policy fide` or `policy online`", read_policy)?;
        let penalty = lines.expect("penalty", "`penalty` and seconds", |text| {
            text.parse().ok().map(|Seconds(time)| time)
        })?;
        let control =
            lines.optional("control", "`control` and a time control", |text| text.parse().ok())?;
        let clock = match control {
            Some(control) => Some((control, lines.expect("clock", CLOCK, read_clock)?)),
            None => None,
        };
        let offer = lines.optional("offer", "`offer white` or `offer black`", read_color)?;
        let outcome = lines
            .optional("outcome", "`outcome` and how the game ended", |text| text.parse().ok())?;
        let played = lines.all("played", MOVE, read_move)?;
        let undone = lines.all("undone", MOVE, read_move)?;
        lines.expect("end", "`played`, `undone` or `end`", |rest| rest.is_empty().then_some(()))?;
        lines.expect_no_more()?;
        let claim_penalty = penalty;
        Ok(GameRecord { start, mode, policy, claim_penalty, clock, offer, outcome, played, undone })
    }
}

const CLOCK: &str = "`clock`, seconds left to both, moves of both, and seconds spent";
const MOVE: &str = "a move, perhaps with `clock` and `offer`";

/// The lines of a record, each known by its first word.
struct Lines<'a> {
    lines: core::str::Lines<'a>,
    number: usize,
    next: Option<&'a str>,
}

impl<'a> Lines<'a> {
    fn peek(&mut self) -> Option<&'a str> {
        if self.next.is_none() {
            self.next = self.lines.next();
        }
        self.next
    }

    fn error(&mut self, expected: &'static str) -> RecordError {
        let found = self.peek().unwrap_or("the end").to_string();
        RecordError { line: self.number + 1, expected, found }
    }

    fn optional<T>(
        &mut self,
        name: &str,
        expected: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<Option<T>, RecordError> {
        let Some(line) = self.peek() else { return Ok(None) };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word != name {
            return Ok(None);
        }
        match read(rest) {
            Some(value) => {
                (self.next, self.number) = (None, self.number + 1);
                Ok(Some(value))
            }
            None => Err(self.error(expected)),
        }
    }

    fn expect<T>(
        &mut self,
        name: &str,
        expected: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, RecordError> {
        match self.optional(name, expected, read)? {
            Some(value) => Ok(value),
            None => Err(self.error(expected)),
        }
    }

    fn all<T>(
        &mut self,
        name: &str,
        expected: &'static str,
        read: impl Fn(&'a str) -> Option<T>,
    ) -> Result<Vec<T>, RecordError> {
        let mut values = Vec::new();
        while let Some(value) = self.optional(name, expected, &read)? {
            values.push(value);
        }
        Ok(values)
    }

    fn expect_no_more(&mut self) -> Result<(), RecordError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error("nothing behind `end`")),
        }
    }
}

fn read_mode(text: &str) -> Option<UciMode> {
    [UciMode::Standard, UciMode::Chess960].into_iter().find(|mode| mode.to_string() == text)
}

fn read_policy(text: &str) -> Option<Policy> {
    match text {
        "fide" => Some(Policy::Fide),
        "online" => Some(Policy::Online),
        _ => None,
    }
}

fn read_color(text: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color.to_string() == text)
}

fn read_clock(text: &str) -> Option<ClockReading> {
    let mut words = text.split_whitespace();
    let reading = read_reading(&mut words)?;
    words.next().is_none().then_some(reading)
}

fn read_reading(words: &mut SplitWhitespace<'_>) -> Option<ClockReading> {
    let mut seconds = || words.next()?.parse().ok().map(|Seconds(time)| time);
    let left = ByColor { white: seconds()?, black: seconds()? };
    let mut count = || words.next()?.parse::<u32>().ok();
    let moves = ByColor { white: count()?, black: count()? };
    let spent = words.next()?.parse::<Seconds>().ok()?.0;
    Some(ClockReading { left, moves, spent })
}

fn read_move(text: &str) -> Option<RecordedMove> {
    let mut words = text.split_whitespace();
    let mut recorded = RecordedMove { text: words.next()?.parse().ok()?, clock: None, offer: None };
    while let Some(word) = words.next() {
        match word {
            "clock" if recorded.clock.is_none() && recorded.offer.is_none() => {
                recorded.clock = Some(read_reading(&mut words)?);
            }
            "offer" if recorded.offer.is_none() => recorded.offer = read_color(words.next()?),
            _ => return None,
        }
    }
    Some(recorded)
}
