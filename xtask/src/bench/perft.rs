//! `bench perft`: counting move paths beside other move generators, in turns.

mod laps;

use serde_json::json;

use self::laps::Laps;
use super::contestants::{CONTESTANTS, Contestant, Work};
use super::race::Ratio;
use super::task::Task;
use crate::console::{self, Format, json_count, quantity};
use crate::interrupt;
use crate::job::WELL_KNOWN;
use crate::verdict::Verdict;

/// Where every move is played, counting takes so many times as long.
const WALK_SHARE: u64 = 20;

/// Counts move paths in turns with cozy-chess, shakmaty and the crate `chess`.
///
/// Ours is built without flags, as anybody would, and once more with Cargo's default release profile; the peers for the native
/// processor, with the profile that this project has for itself. Three tasks: `perft` counts the moves of the last ply, each
/// generator by its own fastest way; `factored` is ours by factors beside the same of the others; `walk` plays every move, ours
/// into a list, by `make` and `unmake`. All counts must be those of the suite: otherwise exit code 1.
#[derive(clap::Args)]
pub(super) struct PerftBench {
    /// How often each counts each position
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Each position is counted to the deepest listed depth with at most so many nodes
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    max_nodes: u64,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl PerftBench {
    pub(super) fn run(self) -> anyhow::Result<Verdict> {
        if self.format == Format::Json {
            let contestants = CONTESTANTS.map(
                |contestant| json!({ "name": contestant.name, "flags": contestant.build.flags() }),
            );
            console::json(&json!({
                "type": "run", "verb": "bench perft", "rounds": self.rounds, "contestants": contestants,
            }));
        }
        let tasks = self.tasks()?;
        let _answering = interrupt::answering();
        let mut verdict = match self.race(&tasks) {
            Ok(verdict) => verdict,
            Err(_) if interrupt::is_interrupted() => Verdict::Interrupted,
            Err(error) => {
                console::complain(&format!("{error:#}"));
                Verdict::Unknown
            }
        };
        if interrupt::is_interrupted() {
            verdict = verdict.max(Verdict::Interrupted);
        }
        match self.format {
            Format::Human => console::result(verdict.painted()),
            Format::Json => console::json(&json!({ "type": "summary", "verdict": verdict.word() })),
        }
        Ok(verdict)
    }

    /// What is done, and with which counts: there must be some.
    fn tasks(&self) -> anyhow::Result<[(Work, Vec<Task>); 3]> {
        let of = |work, share| anyhow::Ok((work, Task::read(&WELL_KNOWN, self.max_nodes / share)?));
        Ok([of(Work::Perft, 1)?, of(Work::Factored, 1)?, of(Work::Walk, WALK_SHARE)?])
    }

    fn race(&self, tasks: &[(Work, Vec<Task>)]) -> anyhow::Result<Verdict> {
        let mut programs = Vec::new();
        for contestant in &CONTESTANTS {
            console::status(format!("building {} ({})", contestant.name, contestant.build.flags()));
            programs.push(contestant.start()?);
        }
        let mut verdict = Verdict::Pass;
        for (work, tasks) in tasks {
            let laps = Laps::run(*work, tasks, &mut programs, self.rounds)?;
            verdict = verdict.max(laps.verdict(tasks));
            self.print(*work, tasks, &laps);
            if interrupt::is_interrupted() {
                break;
            }
        }
        Ok(verdict)
    }

    fn print(&self, work: Work, tasks: &[Task], laps: &Laps) {
        if laps.rounds() == 0 {
            return;
        }
        match self.format {
            Format::Human => print_human(work, tasks, laps),
            Format::Json => print_json(work, tasks, laps),
        }
    }
}

fn print_human(work: Work, tasks: &[Task], laps: &Laps) {
    console::result(format!("\n{}, nodes/s, median of {} rounds", work.said(), laps.rounds()));
    for (index, contestant) in CONTESTANTS.iter().enumerate() {
        let rates = tasks.iter().enumerate().map(|(position, task)| {
            format!("{:>10}", quantity(laps.rate(index, position, task) as u64))
        });
        let rates: String = rates.collect();
        let ratio = match index {
            0 => String::new(),
            _ => {
                let Ratio { median, min, max } = laps.ratio(index);
                format!("  {median:.2} ({min:.2}–{max:.2})")
            }
        };
        console::result(format!("      {:<28}{rates}{ratio}", contestant.name));
    }
    let depths: String =
        tasks.iter().map(|task| format!("{:>10}", format!("depth {}", task.depth))).collect();
    console::result(format!("      {:<28}{depths}", tasks_said(tasks)));
    console::result(
        "      in the last column: how many times as fast the first is, geometric mean of the six",
    );
}

fn tasks_said(tasks: &[Task]) -> String {
    format!("{} to {}", tasks[0].name, tasks[tasks.len() - 1].name)
}

fn print_json(work: Work, tasks: &[Task], laps: &Laps) {
    for (index, Contestant { name, .. }) in CONTESTANTS.iter().enumerate() {
        let rates = tasks.iter().enumerate().map(|(position, task)| {
            json!({
                "id": task.name, "depth": task.depth, "nodes": json_count(task.nodes),
                "nodes_per_second": laps.rate(index, position, task),
            })
        });
        let rates: Vec<_> = rates.collect();
        let Ratio { median, min, max } = laps.ratio(index);
        console::json(&json!({
            "type": "contestant", "work": work.word(), "name": name, "positions": rates,
            "ours_is_faster_by": { "median": median, "min": min, "max": max },
        }));
    }
}
