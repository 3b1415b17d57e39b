//! Two who do the same work in turns, and how their times compare.

use std::time::{Duration, Instant};

use crate::interrupt;

/// The times of ours and of the peer, round by round.
pub(super) struct Race {
    rounds: Vec<Round>,
}

struct Round {
    ours: Duration,
    peer: Duration,
}

/// How many times as fast as the peer ours is: over the rounds, each of which is a pair.
pub(super) struct Ratio {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

impl Race {
    /// Has both do their work so many times, and returns what came of it the last time. Who begins changes from
    /// round to round. When interrupted the round is given up, and no other begins.
    pub(super) fn run<T: Default>(
        rounds: u16,
        ours: impl Fn() -> anyhow::Result<T>,
        peer: impl Fn() -> anyhow::Result<T>,
    ) -> anyhow::Result<(Race, [T; 2])> {
        let mut race = Race { rounds: Vec::new() };
        let mut last = [T::default(), T::default()];
        for round in 0..rounds {
            let (our_lap, peer_lap) = if round % 2 == 0 {
                let our_lap = timed(&ours)?;
                (our_lap, timed(&peer)?)
            } else {
                let peer_lap = timed(&peer)?;
                (timed(&ours)?, peer_lap)
            };
            if interrupt::is_interrupted() {
                break;
            }
            race.rounds.push(Round { ours: our_lap.1, peer: peer_lap.1 });
            last = [our_lap.0, peer_lap.0];
        }
        Ok((race, last))
    }

    /// How many rounds were run to their end.
    pub(super) fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// The median time of ours, in seconds; no number where there was no round.
    pub(super) fn ours(&self) -> f64 {
        median(self.rounds.iter().map(|round| round.ours.as_secs_f64()))
    }

    /// The median time of the peer, in seconds; no number where there was no round.
    pub(super) fn peer(&self) -> f64 {
        median(self.rounds.iter().map(|round| round.peer.as_secs_f64()))
    }

    pub(super) fn ratio(&self) -> Ratio {
        let rounds = self.rounds.iter();
        Ratio::of(rounds.map(|round| round.peer.as_secs_f64() / round.ours.as_secs_f64()).collect())
    }
}

impl Ratio {
    /// What the ratios of the rounds come to.
    pub(super) fn of(ratios: Vec<f64>) -> Ratio {
        let (min, max) = (f64::min, f64::max);
        Ratio {
            min: ratios.iter().copied().fold(f64::NAN, min),
            max: ratios.iter().copied().fold(f64::NAN, max),
            median: median(ratios.into_iter()),
        }
    }
}

fn timed<T>(work: impl Fn() -> anyhow::Result<T>) -> anyhow::Result<(T, Duration)> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed()))
}

/// The middle one, or the mean of the two in the middle.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        len if len % 2 == 1 => values[len / 2],
        len => f64::midpoint(values[len / 2 - 1], values[len / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one_or_the_mean_of_two() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
        assert!(median(std::iter::empty()).is_nan());
    }

    /// Twice as fast is a ratio of two; rounds are compared in pairs, not each side by itself.
    #[test]
    fn the_ratio_is_that_of_pairs() {
        let round =
            |ours, peer| Round { ours: Duration::from_secs(ours), peer: Duration::from_secs(peer) };
        let race = Race { rounds: vec![round(1, 2), round(2, 6), round(4, 4)] };
        let Ratio { median, min, max } = race.ratio();
        assert_eq!((median, min, max), (2.0, 1.0, 3.0));
        assert_eq!((race.ours(), race.peer()), (2.0, 4.0));
    }
}
