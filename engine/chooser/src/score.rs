//! How good a position is: hundredths of a pawn, or the way to mate.

use core::fmt;
use core::ops::Neg;

/// How good a position is for a side: hundredths of a pawn, or how far the mate is.
///
/// Scores are ordered: being mated, the later the better, is below all others; mating, the sooner the
/// better, above. Written as in UCI: `cp 35`, `mate 3`, `mate -2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// Neither side is better.
    pub const DRAW: Score = Score(0);

    /// Above every score.
    pub(crate) const MAX: Score = Score(Score::MATE + 1);

    /// Mate on the board, for the side that gave it.
    const MATE: i32 = 1_000_000;

    /// Mates farther away than this are no mates, and no evaluation comes near.
    const PLIES_TO_MATE_MAX: i32 = 1_000;

    /// Hundredths of a pawn; more than a full board of queens is cut off, to stay below the mates.
    pub(crate) fn of_centipawns(centipawns: i32) -> Score {
        let max = Score::MATE - Score::PLIES_TO_MATE_MAX - 1;
        Score(centipawns.clamp(-max, max))
    }

    /// Being mated after so many plies.
    pub(crate) const fn mated_after(plies: usize) -> Score {
        Score(plies as i32 - Score::MATE)
    }

    /// Giving mate with the last of so many plies.
    pub(crate) const fn mating_after(plies: usize) -> Score {
        Score(Score::MATE - plies as i32)
    }

    /// The least that is more.
    pub(crate) const fn next(self) -> Score {
        Score(self.0 + 1)
    }

    /// This score with so many hundredths of a pawn added; a mate stays what it is.
    pub(crate) fn plus(self, centipawns: i32) -> Score {
        if self.is_mate() { self } else { Score::of_centipawns(self.0 + centipawns) }
    }

    /// The same mate seen from so many plies earlier (or, negative, later); other scores stay.
    pub(crate) const fn seen_earlier(self, plies: i32) -> Score {
        match self.0 {
            _ if !self.is_mate() => self,
            mating if mating > 0 => Score(mating - plies),
            mated => Score(mated + plies),
        }
    }

    /// Whether one side mates the other.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::MATE - Score::PLIES_TO_MATE_MAX
    }

    /// In how many moves this side mates (1, 2, …), or is mated (0, −1, −2, …; 0 is mate on the board).
    pub const fn mate(self) -> Option<i32> {
        let plies = Score::MATE - self.0.abs();
        match self.is_mate() {
            false => None,
            true if self.0 > 0 => Some((plies + 1) / 2),
            true => Some(-(plies / 2)),
        }
    }

    /// The hundredths of a pawn this side is better, where no mate is in sight.
    pub const fn centipawns(self) -> Option<i32> {
        if self.is_mate() { None } else { Some(self.0) }
    }
}

/// The same for the other side.
impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        let written = |score: Score| score.to_string();
        assert_eq!(written(Score::mating_after(1)), "mate 1");
        assert_eq!(written(Score::mating_after(5)), "mate 3");
        assert_eq!(written(Score::mated_after(0)), "mate 0");
        assert_eq!(written(Score::mated_after(4)), "mate -2");
        assert_eq!(written(-Score::of_centipawns(35)), "cp -35");
        assert_eq!(-Score::mating_after(4), Score::mated_after(4));
    }

    #[test]
    fn a_sooner_mate_is_better_and_a_later_one_less_bad() {
        let rising = [
            Score::mated_after(0),
            Score::mated_after(2),
            Score::of_centipawns(i32::MIN),
            Score::DRAW,
            Score::of_centipawns(i32::MAX),
            Score::mating_after(3),
            Score::mating_after(1),
            Score::MAX,
        ];
        assert!(rising.is_sorted_by(|a, b| a < b), "{rising:?}");
    }

    #[test]
    fn a_mate_is_farther_away_when_it_is_seen_earlier() {
        assert_eq!(Score::mating_after(3).seen_earlier(2), Score::mating_after(5));
        assert_eq!(Score::mated_after(6).seen_earlier(-2), Score::mated_after(4));
        assert_eq!(Score::of_centipawns(12).seen_earlier(9), Score::of_centipawns(12));
    }
}
