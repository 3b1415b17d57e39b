//! Blind random games and set-ups against the referees, on stable Rust and all cores.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde_json::json;
use touchmove_oracles::case::{Case, shrink};
use touchmove_oracles::census::{Census, Event};
use touchmove_oracles::generators::{Steps, Walk, bytes_of_seed, from_seed};
use touchmove_oracles::oracles::{
    Divergence, Fingerprint, GameLog, Honest, KeyWatch, Verdict, game, mirror, perft_small, san,
    shakmaty_alone, transpose, unmake,
};

use crate::console::{self, Format, Progress, json_count, quantity};
use crate::job::workspace_root;
use crate::verdict::Verdict as RunVerdict;
use crate::{counting, crew, interrupt};

/// Games are shared out in lots of so many.
const LOT: u64 = 64;
/// The games of a run for which neither time nor number is given.
const GAMES_DEFAULT: u64 = 20_000;
/// A run that takes longer than this goes on after a find.
const LONG_RUN: Duration = Duration::from_secs(30 * 60);
/// How many finds end a long run.
const FINDS_OF_LONG_RUN: usize = 20;
/// How often every event must be met by a run with floors.
const FLOOR: u64 = 20;
/// Events that random games hardly meet: once is enough.
const RARE: &[Event] = &[
    Event::CastleMate,
    Event::EnPassantMate,
    Event::EnPassantDoubleCheck,
    Event::BishopPromotionMate,
    Event::KnightPromotionMate,
    Event::RookWithRightCapturedByKing,
];

/// Plays random games and set-ups, every ply compared with shakmaty and taken back.
///
/// The same seed and number of games print the same results at any number of threads; rates go to
/// standard error.
#[derive(clap::Args)]
pub(crate) struct Soak {
    /// How long to play, instead of a number of games
    #[arg(long, value_parser = humantime::parse_duration, conflicts_with = "games")]
    time: Option<Duration>,
    /// How many games to play [default: 20000, or as many as the time allows]
    #[arg(long)]
    games: Option<u64>,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first game: with --games 1 that game alone
    #[arg(long, default_value_t = 0, value_name = "N")]
    from: u64,
    /// How many threads play [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Ends after so many finds [default: 1; 20 when --time exceeds 30m]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_finds: Option<u16>,
    /// Fails where an event of the census is met too seldom
    #[arg(long)]
    floors: bool,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// What a lot of games came to.
#[derive(Default)]
struct Lot {
    games: u64,
    plies: u64,
    positions: u64,
    refereed: u64,
    census: Census,
    fingerprints: Vec<(u64, Fingerprint)>,
    finds: Vec<Find>,
}

/// A divergence, and the game in which it was found.
struct Find {
    game: u64,
    divergence: Divergence,
}

impl Find {
    /// Which oracle found it and what it was asking: finds of one kind are repeats.
    fn kind(&self) -> (&str, &str) {
        let what = self.divergence.expected.split(':').next().unwrap_or_default();
        (self.divergence.oracle, what)
    }
}

impl Soak {
    pub(crate) fn run(self) -> anyhow::Result<RunVerdict> {
        if self.format == Format::Json {
            console::json(&json!({ "type": "run", "verb": "soak", "seed": self.seed.to_string() }));
        }
        let start = Instant::now();
        let pool = counting::pool(self.threads.map(usize::from))?;
        let threads = pool.current_num_threads();
        let stop = Arc::new(AtomicBool::new(false));
        let lots = self.start(pool, &stop);
        let (sum, mut verdict) = self.gather(&lots, &stop);
        if interrupt::is_interrupted() {
            verdict = verdict.max(RunVerdict::Interrupted);
        }
        verdict = verdict.max(self.close(&sum, verdict));
        tell_rates(&sum, start.elapsed(), threads);
        Ok(verdict)
    }

    fn finds_max(&self) -> usize {
        let long = self.time.is_some_and(|time| time > LONG_RUN);
        let default = if long { FINDS_OF_LONG_RUN } else { 1 };
        self.max_finds.map_or(default, usize::from)
    }

    /// Has lots of games played, until there are enough or time is up.
    fn start(&self, pool: rayon::ThreadPool, stop: &Arc<AtomicBool>) -> Receiver<(u64, Lot)> {
        let (sender, receiver) = mpsc::sync_channel(4 * pool.current_num_threads());
        let games = match (self.games, self.time) {
            (Some(games), _) => games,
            (None, Some(_)) => u64::MAX - self.from,
            (None, None) => GAMES_DEFAULT,
        };
        let (seed, first, stop) = (self.seed, self.from, Arc::clone(stop));
        let finds_max = self.finds_max();
        let until = self.time.map(|time| Instant::now() + time);
        std::thread::spawn(move || {
            let goes_on = |_: &u64| {
                let in_time = until.is_none_or(|until| Instant::now() < until);
                in_time && !stop.load(Ordering::Relaxed) && !interrupt::is_interrupted()
            };
            let lots = (0..games.div_ceil(LOT)).take_while(goes_on);
            pool.install(|| {
                lots.par_bridge().for_each(|lot| {
                    let from = first + lot * LOT;
                    let to = first + games.min((lot + 1) * LOT);
                    // Nobody listens any more when enough was found.
                    let _ = sender.send((lot, play_lot(seed, from, to, finds_max)));
                });
            });
        });
        receiver
    }

    /// Takes the lots in their order, so that the result does not depend on who was faster.
    fn gather(&self, lots: &Receiver<(u64, Lot)>, stop: &AtomicBool) -> (Lot, RunVerdict) {
        let mut waiting: BTreeMap<u64, Lot> = BTreeMap::new();
        let (mut sum, mut next, mut watch) = (Lot::default(), 0, KeyWatch::new());
        let mut verdict = RunVerdict::Pass;
        let mut progress = Progress::of_games(None);
        crew::receive(lots, |lot| {
            waiting.extend(lot);
            while let Some(lot) = waiting.remove(&next) {
                next += 1;
                if !stop.load(Ordering::Relaxed) {
                    let add = || self.add(&mut sum, lot, &mut watch);
                    verdict = verdict.max(progress.pause(add));
                    let enough = sum.finds.len() >= self.finds_max();
                    stop.store(enough, Ordering::Relaxed);
                }
            }
            progress.tell(sum.games, sum.plies);
        });
        progress.finish();
        (sum, verdict)
    }

    fn add(&self, sum: &mut Lot, lot: Lot, watch: &mut KeyWatch) -> RunVerdict {
        let mut verdict = RunVerdict::Pass;
        sum.games += lot.games;
        sum.plies += lot.plies;
        sum.positions += lot.positions;
        sum.refereed += lot.refereed;
        sum.census.add(&lot.census);
        for (game, fingerprint) in lot.fingerprints {
            if !watch.see(fingerprint) {
                verdict = RunVerdict::Fail;
                console::result(format!(
                    "FAIL  keys: game {game} meets a key that another position has, or a position \
                     with another key; {}",
                    self.command(game)
                ));
            }
        }
        let room = self.finds_max().saturating_sub(sum.finds.len());
        for find in lot.finds.into_iter().take(room) {
            verdict = RunVerdict::Fail;
            // Repeats are counted at the end.
            if sum.finds.iter().all(|earlier| earlier.kind() != find.kind()) {
                self.print(&find);
            }
            sum.finds.push(find);
        }
        verdict
    }

    /// The one line that plays a game again.
    fn command(&self, game: u64) -> String {
        format!("cargo xtask soak --seed {} --from {game} --games 1", self.seed)
    }

    fn print(&self, find: &Find) {
        let Find { game, divergence } = find;
        match self.format {
            Format::Human => {
                console::result(format!("FAIL  {}: game {game}", divergence.oracle));
                let case = Case::from(divergence.clone()).to_string();
                case.lines().for_each(|line| console::result(format!("      {line}")));
                console::result(format!("      reproduce: {}", self.command(*game)));
            }
            Format::Json => console::json(&json!({
                "type": "find", "oracle": divergence.oracle, "game": game,
                "case": Case::from(divergence.clone()).to_string(),
                "reproduce": self.command(*game),
            })),
        }
    }

    fn close(&self, sum: &Lot, verdict: RunVerdict) -> RunVerdict {
        let missed: Vec<Event> = sum
            .census
            .iter()
            .filter(|&(event, count)| count < if RARE.contains(&event) { 1 } else { FLOOR })
            .map(|(event, _)| event)
            .filter(|_| self.floors)
            .collect();
        let nothing = if sum.games == 0 { RunVerdict::Unknown } else { RunVerdict::Pass };
        let too_few = if missed.is_empty() { RunVerdict::Pass } else { RunVerdict::Fail };
        let verdict = verdict.max(nothing).max(too_few);
        match self.format {
            Format::Human => self.close_for_people(sum, &missed, verdict),
            Format::Json => console::json(&json!({
                "type": "summary", "verdict": verdict.word(), "games": sum.games,
                "plies": json_count(sum.plies), "positions": json_count(sum.positions),
                "with_shakmaty": json_count(sum.refereed), "finds": sum.finds.len(),
                "below_floor": missed.iter().map(|event| event.name()).collect::<Vec<_>>(),
                "census": sum.census.iter()
                    .map(|(event, count)| (event.name().to_string(), json_count(count)))
                    .collect::<serde_json::Map<_, _>>(),
            })),
        }
        verdict
    }

    fn close_for_people(&self, sum: &Lot, missed: &[Event], verdict: RunVerdict) {
        for (event, count) in sum.census.iter() {
            let floor = if missed.contains(&event) { "  below the floor" } else { "" };
            console::result(format!("{count:>12}  {event}{floor}"));
        }
        let mut grouped: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for find in &sum.finds {
            *grouped.entry(find.kind()).or_default() += 1;
        }
        for ((oracle, what), times) in grouped {
            console::result(format!("found {times} times: {oracle}, {what}"));
        }
        console::result(format!(
            "{}: {} games, {} plies, {} positions, {} of them compared with shakmaty, {} finds \
             (seed {})",
            verdict.painted(),
            sum.games,
            sum.plies,
            sum.positions,
            sum.refereed,
            sum.finds.len(),
            self.seed
        ));
    }
}

/// The seed of a game: a mix of the run's seed and the game's number.
pub(crate) fn seed_of(seed: u64, game: u64) -> u64 {
    (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ game).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Ends early with enough finds: where every game is one, a lot does not fill the disk.
fn play_lot(seed: u64, from: u64, to: u64, finds_max: usize) -> Lot {
    let mut lot = Lot::default();
    for number in from..to {
        if interrupt::is_interrupted() || lot.finds.len() >= finds_max {
            break;
        }
        play(seed_of(seed, number), number, &mut lot);
    }
    lot
}

/// One game before all oracles; those that cost more than the game itself see one in so many.
fn play(seed: u64, number: u64, lot: &mut Lot) {
    let walk = || from_seed::<Walk>(seed);
    let mut log = GameLog::default();
    let mut verdict = game(walk(), &Honest, &mut log);
    let others: [(u64, &dyn Fn() -> Verdict); 5] = [
        (4, &|| unmake(walk(), &Honest)),
        (4, &|| transpose(walk(), &Honest)),
        (64, &|| san(walk(), &Honest)),
        (64, &|| mirror(walk(), &Honest)),
        (64, &|| perft_small(&walk().start(), 3, &Honest)),
    ];
    for (every, oracle) in others {
        if verdict.is_clean() && number.is_multiple_of(every) {
            verdict = oracle();
        }
    }
    lot.games += 1;
    lot.plies += log.plies;
    lot.positions += log.fingerprints.len() as u64;
    lot.refereed += log.refereed;
    log.events.iter().for_each(|&events| lot.census.count(events));
    lot.fingerprints.extend(log.fingerprints.into_iter().map(|print| (number, print)));
    if let Verdict::Diverges(divergence) = verdict {
        let divergence = shrink(*divergence, &Honest);
        save(number, &divergence, &bytes_of_seed(seed));
        lot.finds.push(Find { game: number, divergence });
    }
}

/// Writes a find to disk at once, the bytes of its game beside it: nothing that comes later can lose it.
fn save(game: u64, divergence: &Divergence, bytes: &[u8]) {
    let folder: PathBuf = workspace_root().join("target/touchmove/soak");
    let path = folder.join(format!("{}-{game}.case", divergence.oracle));
    let written = fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, Case::from(divergence.clone()).to_string()))
        .and_then(|()| fs::write(path.with_extension("bytes"), bytes));
    match written {
        Ok(()) => console::status(format!("written: {}", path.display())),
        Err(error) => console::complain(&format!("cannot write {}: {error}", path.display())),
    }
}

fn tell_rates(sum: &Lot, elapsed: Duration, threads: usize) {
    let seconds = elapsed.as_secs_f64().max(1e-9);
    let rate = |count: u64| count as f64 / seconds;
    console::status(format!(
        "{seconds:.1} s on {threads} threads: {:.0} games/s, {} plies/s, {} plies/s a thread",
        rate(sum.games),
        quantity(rate(sum.plies) as u64),
        quantity((rate(sum.plies) / threads as f64) as u64),
    ));
    let alone = shakmaty_alone(Duration::from_secs(1));
    console::status(format!(
        "shakmaty alone walks such games at {} plies/s",
        quantity(alone as u64)
    ));
}
