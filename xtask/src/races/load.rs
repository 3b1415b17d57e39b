//! `races load`: random clients at many games, and every game played again alone from what people were told of it.

mod clients;
mod notes;
mod replay;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde_json::json;
use touchmove_oracles::oracles::caught;

use self::clients::{Clerk, Client, Club, Sum};
use self::replay::Difference;
use crate::console::{self, Format, Progress, json_count, quantity};
use crate::job::workspace_root;
use crate::verdict::Verdict;
use crate::{counting, crew, disk, interrupt, memory};

/// How often progress is told.
const GLANCE: Duration = Duration::from_millis(50);
/// Clients that are asked to stop do so in a few milliseconds; one that does not in this time waits for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Plays many games at once by random clients, and each again alone from what they were told.
///
/// Clients on all threads play, ask, take back, resign, offer, claim, watch and look at the clock. A game that is over, or has
/// 200 events, makes room for another. Each is then played on a fresh game from what the clients were acknowledged, with
/// shakmaty beside it; position, status, clock, past, and what those who watched heard or missed must be the same. The first
/// difference ends the run, is printed, and is under target/touchmove/races. The seed decides what clients want, not who is
/// faster. It takes some 50 KiB of memory a game.
#[derive(clap::Args)]
pub(crate) struct Load {
    /// How many games go on at once
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// How many threads are clients [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// How long they act
    #[arg(long, default_value = "10s", value_parser = console::time)]
    time: Duration,
    /// Ends after about so many operations; tests do not depend on time.
    #[arg(skip)]
    operations_max: Option<u64>,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl Load {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        let _answering = interrupt::answering();
        if self.format == Format::Json {
            let seed = self.seed.to_string();
            console::json(&json!({ "type": "run", "verb": "races load", "seed": seed }));
        }
        let pool = counting::pool(self.threads.map(usize::from))?;
        let sum = self.play(&pool, clients::honest)?;
        Ok(self.close(&sum, pool.current_num_threads(), &workspace_root()))
    }

    /// Has the clients act, and replays the games that are left.
    fn play(&self, pool: &rayon::ThreadPool, clerk: Clerk) -> anyhow::Result<Sum> {
        let club = Arc::new(Club::new(self.games, self.seed, clerk));
        let threads = pool.current_num_threads() as u64;
        let clients = start(&club, threads)?;
        let mut sum = self.gather(&club, &clients, threads);
        match Arc::into_inner(club) {
            Some(club) => {
                let (begun, in_order) = (club.begun(), club.is_in_order());
                sum.add(replay_all(club, pool));
                sum.add(of_hall(begun, sum.games, in_order));
            }
            None => {
                let what = format!("did not come back within {} s", PATIENCE.as_secs());
                sum.add(of_lost_client(what));
            }
        }
        Ok(sum)
    }

    /// Waits for the clients, and closes the club in time.
    fn gather(&self, club: &Club, clients: &Receiver<Result<Sum, String>>, threads: u64) -> Sum {
        let (begin, mut sum, mut gone) = (Instant::now(), Sum::new(), 0);
        let mut progress = Progress::of_games_under_load();
        let mut closed_at = None;
        while gone < threads {
            match clients.recv_timeout(GLANCE) {
                Ok(client) => {
                    gone += 1;
                    sum.add(client.unwrap_or_else(of_lost_client));
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let operations = club.operations.load(Ordering::Relaxed);
            progress.tell(club.over.load(Ordering::Relaxed), operations);
            let is_time = begin.elapsed() >= self.time
                || self.operations_max.is_some_and(|max| operations >= max)
                || sum.found > 0
                || interrupt::is_interrupted();
            if is_time {
                club.close();
            }
            if club.is_closing() {
                let closed_at = *closed_at.get_or_insert_with(Instant::now);
                if closed_at.elapsed() > PATIENCE {
                    break;
                }
            }
        }
        progress.finish();
        sum
    }

    fn close(&self, sum: &Sum, threads: usize, root: &Path) -> Verdict {
        let nothing = sum.latencies.is_empty() || sum.replayed.moves == 0;
        let verdict = match (sum.differences.as_slice(), interrupt::is_interrupted()) {
            ([first, ..], _) => {
                interrupt::found();
                self.print_difference(first, root);
                Verdict::Fail
            }
            ([], true) => Verdict::Interrupted,
            ([], false) if nothing => {
                console::status("no move was played: there was no time for one");
                Verdict::Unknown
            }
            ([], false) => Verdict::Pass,
        };
        match self.format {
            Format::Human => self.close_for_people(sum, threads, verdict),
            Format::Json => self.close_for_programs(sum, threads, verdict),
        }
        verdict
    }

    fn print_difference(&self, difference: &Difference, root: &Path) {
        let folder = root.join("target/touchmove/races");
        let game = difference.game.map_or_else(String::new, |game| format!("-game{game}"));
        let path = folder.join(format!("load-seed{}{game}.txt", self.seed));
        let kept = std::fs::create_dir_all(&folder)
            .and_then(|()| disk::write(&path, difference.to_string()));
        match self.format {
            Format::Human => {
                let told = difference.to_string();
                let mut lines = told.lines();
                console::result(format!("FAIL  {}", lines.next().unwrap_or_default()));
                lines.for_each(|line| console::result(format!("      {line}")));
            }
            Format::Json => console::json(&json!({
                "type": "find", "game": difference.game, "what": difference.what,
                "told": difference.told,
            })),
        }
        match kept {
            Ok(()) => console::status(format!("kept as {}", path.display())),
            Err(error) => console::complain(&format!("cannot write {}: {error}", path.display())),
        }
    }

    fn close_for_people(&self, sum: &Sum, threads: usize, verdict: Verdict) {
        let Sum { replayed, latencies, .. } = sum;
        let microseconds = |quantile| latencies.value_at_quantile(quantile) as f64 / 1000.0;
        console::result(format!(
            "{} operations/s on {threads} threads; half of them took up to {:.1} µs, 99.9 % up to \
             {:.1} µs",
            quantity(sum.rate(threads) as u64),
            microseconds(0.5),
            microseconds(0.999),
        ));
        console::result(format!(
            "{} operations, {} of them refused; {} events, {} moves, {} of them compared with \
             shakmaty",
            latencies.len(),
            sum.refused,
            replayed.events,
            replayed.moves,
            replayed.refereed,
        ));
        console::result(format!(
            "{} events heard by those who watched, {} missed by laggards in {} gaps",
            replayed.heard, replayed.missed, replayed.gaps,
        ));
        console::result(format!(
            "{}: {} games, {} at once, each played again alone: {} differences (seed {})",
            verdict.painted(),
            sum.games,
            self.games,
            sum.found,
            self.seed,
        ));
    }

    fn close_for_programs(&self, sum: &Sum, threads: usize, verdict: Verdict) {
        let Sum { replayed, latencies, .. } = sum;
        console::json(&json!({
            "type": "summary", "verdict": verdict.word(), "games": json_count(sum.games),
            "games_at_once": self.games, "threads": threads,
            "operations": json_count(latencies.len()), "operations_per_second": sum.rate(threads),
            "p50_ns": json_count(latencies.value_at_quantile(0.5)),
            "p999_ns": json_count(latencies.value_at_quantile(0.999)),
            "refused": json_count(sum.refused), "events": json_count(replayed.events),
            "moves": json_count(replayed.moves), "with_shakmaty": json_count(replayed.refereed),
            "heard": json_count(replayed.heard), "missed": json_count(replayed.missed),
            "gaps": json_count(replayed.gaps), "differences": json_count(sum.found),
            "peak_memory": memory::peak().map(json_count),
        }));
    }
}

/// What came of a client who never finished.
fn of_lost_client(what: String) -> Sum {
    of_difference(format!("a client {what}"))
}

/// What came of the hall itself: no game is lost or doubled, nor is a table.
fn of_hall(begun: u64, replayed: u64, in_order: bool) -> Sum {
    if begun != replayed {
        return of_difference(format!("{begun} games were begun, {replayed} could be replayed"));
    }
    if !in_order {
        return of_difference(String::from("the tables of the hall are not those of the games"));
    }
    Sum::new()
}

/// A difference of no one game.
fn of_difference(what: String) -> Sum {
    let mut sum = Sum::new();
    sum.add_difference(Difference { game: None, what, told: String::new() });
    sum
}

/// Sends the clients in. Not joined: one may wait for ever.
fn start(club: &Arc<Club>, threads: u64) -> anyhow::Result<Receiver<Result<Sum, String>>> {
    let (sender, receiver) = mpsc::channel();
    for number in 0..threads {
        let (club, sender) = (Arc::clone(club), sender.clone());
        crew::hire(move || {
            let told = caught(|| Client::new(&club, number).act());
            // Whoever hears of it may take the club.
            drop(club);
            let _nobody_waits_any_more = sender.send(told);
        })?;
    }
    Ok(receiver)
}

fn replay_all(club: Club, pool: &rayon::ThreadPool) -> Sum {
    let games = club.into_games();
    let add = |mut sum: Sum, other: Sum| {
        sum.add(other);
        sum
    };
    pool.install(|| {
        let judged = games.into_par_iter().fold(Sum::new, |mut sum, game| {
            sum.judge(game);
            sum
        });
        judged.reduce(Sum::new, add)
    })
}
