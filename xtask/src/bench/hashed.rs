//! `bench hashed`: counting deep with a hash and threads, beside cozy-chess that walks every path alone.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::json;
use touchmove::Position;

use super::contestants::{CONTESTANTS, Program, Work};
use super::race::{Ratio, median};
use super::task::Task;
use crate::console::{self, Format, json_count, quantity};
use crate::counting::{self, Counter, Mode};
use crate::interrupt;
use crate::verdict::Verdict;

/// The start position's number of games of eight plies, as everybody publishes it.
const DEEP: (u32, u64) = (8, 84_998_978_956);
/// The other one counts to the deepest listed depth with at most so many nodes.
const PEER_NODES_MAX: u64 = 1_000_000_000;
/// Who walks every path.
const PEER: &str = "cozy-chess, pext";

/// Counts the start position to depth 8 with a hash, in turns with cozy-chess at a depth that it finishes soon.
///
/// The rates are compared, in nodes a second: ours with its hash and threads, the making of the hash included, those of cozy-chess
/// plain and in one thread. A wrong count is exit code 1.
#[derive(clap::Args)]
pub(super) struct HashedBench {
    /// How often each counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// How much memory the hash takes
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    hash: usize,
    /// How many threads count with it
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Nodes a second in each round.
#[derive(Default)]
struct Rates {
    ours: Vec<f64>,
    peer: Vec<f64>,
    /// Seconds that ours took to make the hash: the longer, the less memory the machine has at hand.
    making: Vec<f64>,
}

/// One count with the hash.
struct Deep {
    nodes: u64,
    making: Duration,
    /// The making included.
    took: Duration,
}

impl HashedBench {
    pub(super) fn run(self) -> anyhow::Result<Verdict> {
        let (hash, threads) = (self.hash, self.threads);
        // Whether there is the memory is known before anything is built.
        drop(Counter::in_mode(Mode::Hashed, hash)?);
        if self.format == Format::Json {
            console::json(&json!({
                "type": "run", "verb": "bench hashed", "rounds": self.rounds,
                "hash_mebibytes": hash, "threads": threads,
            }));
        }
        let _answering = interrupt::answering();
        let [task] = &Task::read(&["startpos"], PEER_NODES_MAX)?[..] else {
            bail!("no start position")
        };
        let peer = CONTESTANTS.iter().find(|peer| peer.name == PEER);
        let peer = peer.with_context(|| format!("{PEER} takes no part"))?;
        console::status(format!("building {} ({})", peer.name, peer.build.flags()));
        let (mut rates, mut verdict) = (Rates::default(), Verdict::Pass);
        match peer.start().and_then(|mut program| self.race(task, &mut program, &mut rates)) {
            Ok(of_race) => verdict = of_race,
            Err(_) if interrupt::is_interrupted() => {}
            Err(error) => {
                console::complain(&format!("{error:#}"));
                verdict = Verdict::Unknown;
            }
        }
        if interrupt::is_interrupted() {
            verdict = verdict.max(Verdict::Interrupted);
        }
        self.print(task, &rates, verdict);
        Ok(verdict)
    }

    fn race(&self, task: &Task, peer: &mut Program, rates: &mut Rates) -> anyhow::Result<Verdict> {
        let rate = |nodes: u64, took: Duration| nodes as f64 / took.as_secs_f64();
        for _ in 0..self.rounds {
            let (nodes, took) = peer.count(Work::Perft, task)?;
            let Deep { nodes: deep, making, took: took_deep } = self.count_deep()?;
            if interrupt::is_interrupted() {
                break;
            }
            if nodes != task.nodes || deep != DEEP.1 {
                console::result(format!(
                    "counted {nodes} and {deep}, expected {} and {}",
                    task.nodes, DEEP.1
                ));
                return Ok(Verdict::Fail);
            }
            rates.peer.push(rate(nodes, took));
            rates.ours.push(rate(deep, took_deep));
            rates.making.push(making.as_secs_f64());
        }
        Ok(Verdict::Pass)
    }

    fn count_deep(&self) -> anyhow::Result<Deep> {
        let pool = counting::pool(Some(usize::from(self.threads)))?;
        let start = Instant::now();
        let counter = Counter::in_mode(Mode::Hashed, self.hash)?;
        let making = start.elapsed();
        match pool.install(|| counter.count(&Position::default(), DEEP.0)) {
            Ok(nodes) => Ok(Deep { nodes, making, took: start.elapsed() }),
            Err(counting::Stopped) => bail!("interrupted"),
        }
    }

    fn print(&self, task: &Task, rates: &Rates, verdict: Verdict) {
        let ratios = rates.ours.iter().zip(&rates.peer).map(|(ours, peer)| ours / peer);
        let ratio = Ratio::of(ratios.collect());
        let (hash, threads, depth) = (self.hash, self.threads, DEEP.0);
        let [ours, peer, making] =
            [&rates.ours, &rates.peer, &rates.making].map(|rates| median(rates.iter().copied()));
        match self.format {
            Format::Human if rates.ours.is_empty() => console::result(verdict.painted()),
            Format::Human => {
                let Ratio { median, min, max } = ratio;
                let rate = |rate: f64| quantity(rate as u64);
                console::result(format!(
                    "      touchmove, hash of {hash} MiB, {threads} threads, depth {depth}: {} nodes/s; {making:.1} s made the hash",
                    rate(ours)
                ));
                console::result(format!(
                    "      {PEER}, plain, one thread, depth {}: {} nodes/s",
                    task.depth,
                    rate(peer)
                ));
                console::result(format!(
                    "{}: {median:.1} times as many nodes a second ({min:.1}–{max:.1}), median of {} rounds",
                    verdict.painted(),
                    rates.ours.len()
                ));
            }
            Format::Json => console::json(&json!({
                "type": "summary", "verdict": verdict.word(), "nodes": json_count(DEEP.1),
                "nodes_per_second": ours, "seconds_to_make_the_hash": making, "peer_nodes_per_second": peer,
                "ours_is_faster_by": { "median": ratio.median, "min": ratio.min, "max": ratio.max },
            })),
        }
    }
}
