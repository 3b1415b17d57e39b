//! The times of all contestants at all positions, round by round, and how they compare.

use std::time::Duration;

use crate::bench::contestants::{Program, Work};
use crate::bench::race::{Ratio, median};
use crate::bench::task::Task;
use crate::interrupt;
use crate::verdict::Verdict;

/// For each round, each contestant and each position what was counted and for how long.
pub(super) struct Laps {
    rounds: Vec<Vec<Vec<(u64, Duration)>>>,
}

impl Laps {
    /// Has all count in turns. Who begins changes from round to round. A round that is interrupted is given up.
    pub(super) fn run(
        work: Work,
        tasks: &[Task],
        programs: &mut [Program],
        rounds: u16,
    ) -> anyhow::Result<Laps> {
        let mut laps = Laps { rounds: Vec::new() };
        for round in 0..usize::from(rounds) {
            let mut times = vec![Vec::new(); programs.len()];
            for task in tasks {
                for turn in 0..programs.len() {
                    let index = (round + turn) % programs.len();
                    times[index].push(programs[index].count(work, task)?);
                    if interrupt::is_interrupted() {
                        return Ok(laps);
                    }
                }
            }
            laps.rounds.push(times);
        }
        Ok(laps)
    }

    pub(super) fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// Whether every count is the listed one.
    pub(super) fn verdict(&self, tasks: &[Task]) -> Verdict {
        let listed: Vec<u64> = tasks.iter().map(|task| task.nodes).collect();
        let is_right = |times: &Vec<(u64, Duration)>| {
            times.iter().map(|(nodes, _)| *nodes).eq(listed.iter().copied())
        };
        match self.rounds.iter().flatten().all(is_right) {
            true => Verdict::Pass,
            false => Verdict::Fail,
        }
    }

    /// Nodes per second of a contestant at a position: the median of the rounds.
    pub(super) fn rate(&self, contestant: usize, position: usize, task: &Task) -> f64 {
        let times = self.rounds.iter().map(|round| round[contestant][position].1.as_secs_f64());
        task.nodes as f64 / median(times)
    }

    /// How many times as fast as this contestant the first is: in each round the geometric mean over the positions.
    pub(super) fn ratio(&self, contestant: usize) -> Ratio {
        let of_round = |round: &Vec<Vec<(u64, Duration)>>| {
            let pairs = round[contestant].iter().zip(&round[0]);
            let ratios = pairs.map(|(theirs, ours)| theirs.1.as_secs_f64() / ours.1.as_secs_f64());
            let logarithms: Vec<f64> = ratios.map(f64::ln).collect();
            (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
        };
        Ratio::of(self.rounds.iter().map(of_round).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lap(seconds: u64) -> (u64, Duration) {
        (8, Duration::from_secs(seconds))
    }

    fn task() -> Task {
        Task { name: String::from("any"), fen: String::new(), depth: 1, nodes: 8 }
    }

    /// Twice and eight times as fast is four times as fast, in the geometric mean.
    #[test]
    fn the_ratio_is_the_geometric_mean_of_the_positions() {
        let rounds = vec![vec![vec![lap(1), lap(1)], vec![lap(2), lap(8)]]];
        let laps = Laps { rounds };
        let Ratio { median, min, max } = laps.ratio(1);
        assert!([median, min, max].iter().all(|ratio| (ratio - 4.0).abs() < 1e-9));
        assert_eq!(laps.rate(1, 1, &task()), 1.0);
    }

    #[test]
    fn a_wrong_count_fails_the_race() {
        let laps = |nodes| Laps { rounds: vec![vec![vec![lap(1)], vec![(nodes, lap(1).1)]]] };
        assert_eq!(laps(8).verdict(&[task()]), Verdict::Pass);
        assert_eq!(laps(7).verdict(&[task()]), Verdict::Fail);
    }
}
