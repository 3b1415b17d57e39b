//! Time left to each player. The clock is told how much passed and never looks (R20).

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use core::time::Duration;

use crate::piece::{ByColor, Color};

/// What a player gets back or is spared for each move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bonus {
    /// Added after each move, whether it was used or not.
    Fischer(Duration),
    /// What a move took is given back after it, up to this.
    Bronstein(Duration),
    /// So much passes at each move before time runs down.
    Delay(Duration),
}

impl Bonus {
    /// Nothing.
    pub const NONE: Bonus = Bonus::Fischer(Duration::ZERO);
}

/// A part of a game: so many moves in so much time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stage {
    /// The moves of a player after which the next stage begins; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// The time that is added when the stage begins.
    pub time: Duration,
    /// What each move brings.
    pub bonus: Bonus,
}

/// The stages of a game; the last one, if it has a number of moves, is repeated.
///
/// As text it is that of the PGN tag `TimeControl`: stages with colons between them, `moves/seconds` or `seconds`,
/// with `+` and an increment, `b` and a Bronstein delay or `d` and a simple delay, all in seconds.
///
/// ```
/// use touchmove::TimeControl;
///
/// let control: TimeControl = "40/5400+30:900+30".parse()?;
/// assert_eq!(control.stages().len(), 2);
/// assert_eq!("300d2.5".parse::<TimeControl>()?.to_string(), "300d2.5");
/// # Ok::<(), touchmove::TimeControlError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TimeControl(Vec<Stage>);

impl TimeControl {
    /// One stage for the whole game.
    pub fn sudden_death(time: Duration, bonus: Bonus) -> TimeControl {
        TimeControl(alloc::vec![Stage { moves: None, time, bonus }])
    }

    /// These stages, one after another.
    ///
    /// # Errors
    ///
    /// When there is none, one of no moves, one for the rest of the game before the last, or no time at the start.
    pub fn of_stages(stages: &[Stage]) -> Result<TimeControl, TimeControlError> {
        let Some((last, before)) = stages.split_last() else { return Err(TimeControlError) };
        let is_sound = before.iter().all(|stage| stage.moves.is_some())
            && stages.iter().all(|stage| stage.moves != Some(0))
            && stages[0].time > Duration::ZERO
            && last.moves.is_none_or(|_| last.time > Duration::ZERO);
        if is_sound { Ok(TimeControl(stages.to_vec())) } else { Err(TimeControlError) }
    }

    /// The stages.
    pub fn stages(&self) -> &[Stage] {
        &self.0
    }

    /// The stage in which a player is who has made so many moves, and whether it has just begun.
    fn stage(&self, moves: u32) -> (Stage, bool) {
        let last = self.0[self.0.len() - 1];
        let mut begins = 0u32;
        for &stage in &self.0 {
            let Some(count) = stage.moves else { return (stage, moves == begins) };
            if moves < begins.saturating_add(count) {
                return (stage, moves == begins);
            }
            begins = begins.saturating_add(count);
        }
        let count = last.moves.unwrap_or(u32::MAX);
        (last, (moves - begins).is_multiple_of(count))
    }
}

/// The text is no time control, or the stages are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControlError;

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a time control, such as `300+2`, `40/5400+30:900+30` or `600d5`")
    }
}

impl core::error::Error for TimeControlError {}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stage) in self.0.iter().enumerate() {
            f.write_str(if index > 0 { ":" } else { "" })?;
            if let Some(moves) = stage.moves {
                write!(f, "{moves}/")?;
            }
            write!(f, "{}", Seconds(stage.time))?;
            match stage.bonus {
                Bonus::NONE => {}
                Bonus::Fischer(increment) => write!(f, "+{}", Seconds(increment))?,
                Bonus::Bronstein(delay) => write!(f, "b{}", Seconds(delay))?,
                Bonus::Delay(delay) => write!(f, "d{}", Seconds(delay))?,
            }
        }
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let stages: Option<Vec<Stage>> = text.split(':').map(read_stage).collect();
        TimeControl::of_stages(&stages.ok_or(TimeControlError)?)
    }
}

fn read_stage(text: &str) -> Option<Stage> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(read_digits(moves)?), rest),
        None => (None, text),
    };
    let at = rest.find(['+', 'b', 'd']).unwrap_or(rest.len());
    let time = rest[..at].parse::<Seconds>().ok()?.0;
    let bonus = match rest.get(at + 1..).map(str::parse::<Seconds>) {
        None => Bonus::NONE,
        Some(bonus) => {
            let bonus = bonus.ok()?.0;
            match rest.as_bytes()[at] {
                b'+' => Bonus::Fischer(bonus),
                b'b' => Bonus::Bronstein(bonus),
                _ => Bonus::Delay(bonus),
            }
        }
    };
    Some(Stage { moves, time, bonus })
}

fn read_digits<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// A time in seconds, with up to nine digits behind the point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seconds(pub(super) Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        let (mut nanos, mut digits) = (self.0.subsec_nanos(), 9);
        if nanos == 0 {
            return Ok(());
        }
        while nanos.is_multiple_of(10) {
            (nanos, digits) = (nanos / 10, digits - 1);
        }
        write!(f, ".{nanos:0digits$}")
    }
}

impl FromStr for Seconds {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Seconds, TimeControlError> {
        let (whole, part) = text.split_once('.').map_or((text, None), |(w, p)| (w, Some(p)));
        let seconds = Some(whole).filter(|whole| !whole.is_empty()).and_then(read_digits);
        let nanos = part.map_or(Some(0), |part| {
            let digits = 10u32.checked_pow(9u32.checked_sub(u32::try_from(part.len()).ok()?)?)?;
            Some(read_digits::<u32>(part).filter(|_| !part.is_empty())? * digits)
        });
        match (seconds, nanos) {
            (Some(seconds), Some(nanos)) => Ok(Seconds(Duration::new(seconds, nanos))),
            _ => Err(TimeControlError),
        }
    }
}

/// What a clock shows, and what it has counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClockReading {
    /// The time left to each player when the present turn began.
    pub left: ByColor<Duration>,
    /// The moves each player has made.
    pub moves: ByColor<u32>,
    /// What has passed of the present turn.
    pub spent: Duration,
}

/// The clock of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    reading: ClockReading,
}

impl Clock {
    /// At the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        let time = control.stages()[0].time;
        let reading = ClockReading {
            left: ByColor { white: time, black: time },
            moves: ByColor { white: 0, black: 0 },
            spent: Duration::ZERO,
        };
        Clock { control, reading }
    }

    /// The stages it is set to.
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// What it shows.
    pub const fn reading(&self) -> ClockReading {
        self.reading
    }

    /// Sets it to another reading: an arbiter's correction, or a game that is taken up again.
    pub const fn set(&mut self, reading: ClockReading) {
        self.reading = reading;
    }

    /// The time left to a player, what has passed of the present turn counted where it is theirs. Zero is a
    /// fallen flag.
    pub fn left(&self, color: Color, turn: Color) -> Duration {
        let left = self.reading.left[color];
        match color == turn {
            true => left.saturating_sub(self.charged(color)),
            false => left,
        }
    }

    /// What the present turn has cost so far.
    fn charged(&self, mover: Color) -> Duration {
        match self.bonus(mover) {
            Bonus::Delay(delay) => self.reading.spent.saturating_sub(delay),
            Bonus::Fischer(_) | Bonus::Bronstein(_) => self.reading.spent,
        }
    }

    fn bonus(&self, color: Color) -> Bonus {
        self.control.stage(self.reading.moves[color]).0.bonus
    }

    /// Time passes at the mover's turn. Whether the flag stands: some time is left.
    pub fn tick(&mut self, mover: Color, elapsed: Duration) -> bool {
        self.reading.spent = self.reading.spent.saturating_add(elapsed);
        self.left(mover, mover) > Duration::ZERO
    }

    /// How much more of the mover's turn may pass until the flag falls; at zero it has fallen.
    pub fn time_to_flag(&self, mover: Color) -> Duration {
        let left = self.reading.left[mover];
        let delay = match self.bonus(mover) {
            Bonus::Delay(delay) if !left.is_zero() => delay,
            _ => Duration::ZERO,
        };
        left.saturating_add(delay).saturating_sub(self.reading.spent)
    }

    /// The mover's turn ends: what it cost is taken off, what a move brings is added, and so is the time of a stage that
    /// begins.
    pub fn press(&mut self, mover: Color) {
        let spent = self.reading.spent;
        let gained = match self.bonus(mover) {
            Bonus::Fischer(increment) => increment,
            Bonus::Bronstein(delay) => spent.min(delay),
            Bonus::Delay(_) => Duration::ZERO,
        };
        let left = self.left(mover, mover).saturating_add(gained);
        let moves = self.reading.moves[mover].saturating_add(1);
        let stage_time = match self.control.stage(moves) {
            (stage, true) => stage.time,
            (_, false) => Duration::ZERO,
        };
        self.reading.left[mover] = left.saturating_add(stage_time);
        self.reading.moves[mover] = moves;
        self.reading.spent = Duration::ZERO;
    }

    /// Gives a player more time (FIDE 9.5.3).
    pub fn add(&mut self, color: Color, time: Duration) {
        self.reading.left[color] = self.reading.left[color].saturating_add(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: fn(u64) -> Duration = Duration::from_secs;
    const WHITE: Color = Color::White;

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse().unwrap())
    }

    fn left_after(clock: &mut Clock, spent: u64) -> u64 {
        assert!(clock.tick(WHITE, S(spent)), "the flag has fallen");
        clock.press(WHITE);
        clock.left(WHITE, Color::Black).as_secs()
    }

    /// The sentence that says when a flag has fallen, asked from both sides for every kind of bonus.
    #[test]
    fn the_flag_stands_until_the_time_to_it_has_passed() {
        for (control, seconds) in [("60", 60), ("60+10", 60), ("60b10", 60), ("60d10", 70)] {
            let mut clock = clock(control);
            assert!(clock.tick(WHITE, S(7)));
            assert_eq!(clock.time_to_flag(WHITE), S(seconds - 7), "{control}");
            let mut in_time = clock.clone();
            assert!(in_time.tick(WHITE, S(seconds - 7) - Duration::from_nanos(1)), "{control}");
            assert_eq!(in_time.time_to_flag(WHITE), Duration::from_nanos(1), "{control}");
            assert!(!clock.tick(WHITE, S(seconds - 7)), "{control}");
            assert_eq!(clock.time_to_flag(WHITE), Duration::ZERO, "{control}");
        }
    }

    #[test]
    fn an_increment_is_added_whether_it_was_used_or_not() {
        let mut fischer = clock("60+10");
        assert_eq!(left_after(&mut fischer, 4), 66);
        assert_eq!(left_after(&mut fischer, 20), 56);
    }

    #[test]
    fn a_bronstein_delay_gives_back_no_more_than_was_used() {
        let mut bronstein = clock("60b10");
        assert_eq!(left_after(&mut bronstein, 4), 60);
        assert_eq!(left_after(&mut bronstein, 20), 50);
        assert!(!bronstein.tick(WHITE, S(50)), "it runs at once");
    }

    #[test]
    fn a_simple_delay_passes_before_time_runs_down() {
        let mut delay = clock("60d10");
        assert_eq!(left_after(&mut delay, 4), 60);
        assert_eq!(left_after(&mut delay, 20), 50);
        assert!(delay.tick(WHITE, S(59)));
        assert!(!delay.tick(WHITE, S(1)), "sixty seconds: ten of delay and the fifty left");
    }

    /// R20: zero left is fallen.
    #[test]
    fn zero_left_is_a_fallen_flag() {
        let mut clock = clock("60+10");
        assert!(clock.tick(WHITE, S(60) - Duration::from_nanos(1)));
        assert!(!clock.tick(WHITE, Duration::from_nanos(1)));
    }

    #[test]
    fn a_stage_begins_after_its_number_of_moves_for_each_player() {
        let mut stages = clock("2/60+1:30");
        assert_eq!(left_after(&mut stages, 10), 51);
        assert_eq!(left_after(&mut stages, 10), 42 + 30);
        assert_eq!(left_after(&mut stages, 10), 62);
        assert_eq!(stages.left(Color::Black, WHITE), S(60));
        let mut repeated = clock("2/60");
        assert_eq!(
            [10, 10, 10, 10].map(|spent| left_after(&mut repeated, spent)),
            [50, 100, 90, 140]
        );
    }

    #[test]
    fn a_time_control_reads_back_and_nothing_else_is_one() {
        for text in
            ["300", "300+2", "0.5", "40/5400+30:20/3600+30:900+30", "600d5", "60b0.25", "40/7200"]
        {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "0",
            "-1",
            "300+",
            "+2",
            "0/300",
            "300:300",
            "40/",
            "1.0000000001",
            "1e9",
            "300x2",
            "٣",
        ] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError), "{text}");
        }
    }
}
