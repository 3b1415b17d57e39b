//! Blind random games and set-ups against the referees, on stable Rust and all cores.

mod finds;
mod play;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use serde_json::json;
use touchmove_oracles::census::Event;
use touchmove_oracles::oracles::{Honest, KeyWatch, Met, Rules, Verdict, key_pair, shakmaty_alone};

use self::finds::{Find, Shelf};
use self::play::{Lot, News, Players};
use crate::console::{self, Format, Progress, json_count, quantity};
use crate::job::workspace_root;
use crate::verdict::Verdict as RunVerdict;
use crate::{counting, crew, interrupt};

/// The games of a run for which neither time nor number is given.
const GAMES_DEFAULT: u64 = 20_000;
/// Games have no greater numbers.
const GAMES_MAX: u64 = 1 << 62;
/// A game that takes longer than this does not end; it takes a hundredth of a second.
const GAME_MAX: Duration = Duration::from_secs(60);
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
/// standard error. A panic of the engine is a find like others, and so is a game of more than 60 s, which ends the
/// run. Finds are under target/touchmove/soak, as cases and as bytes; `fuzz replay` plays either.
#[derive(clap::Args)]
pub(crate) struct Soak {
    /// How long to play, instead of a number of games
    #[arg(long, value_parser = console::time, conflicts_with = "games")]
    time: Option<Duration>,
    /// How many games to play [default: 20000, or as many as the time allows]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=GAMES_MAX))]
    games: Option<u64>,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first game: with --games 1 that game alone
    #[arg(long, default_value_t = 0, value_name = "N",
        value_parser = clap::value_parser!(u64).range(..=GAMES_MAX))]
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

/// What was gathered so far.
struct Gathered {
    sum: Lot,
    watch: KeyWatch,
    /// Lots that came before their turn, and the number of the one whose turn it is.
    waiting: BTreeMap<u64, Lot>,
    next: u64,
    /// Finds that are on disk and whose lots are still played, by their games.
    early: BTreeMap<u64, Find>,
    /// Every lot that was begun has come.
    is_whole: bool,
}

impl Soak {
    pub(crate) fn run(self) -> anyhow::Result<RunVerdict> {
        if self.format == Format::Json {
            console::json(&json!({ "type": "run", "verb": "soak", "seed": self.seed.to_string() }));
        }
        let (start, folder) = (Instant::now(), workspace_root().join("target/touchmove/soak"));
        let pool = counting::pool(self.threads.map(usize::from))?;
        let threads = pool.current_num_threads();
        let players = Arc::new(self.players(Honest, folder, threads));
        let (sum, verdict) = self.gather(&players, &players.start(pool));
        let verdict = self.close(&sum, verdict);
        tell_rates(&sum, start.elapsed(), threads);
        if verdict == RunVerdict::Pass {
            tell_shakmaty();
        }
        Ok(verdict)
    }

    fn finds_max(&self) -> usize {
        let long = self.time.is_some_and(|time| time > LONG_RUN);
        let default = if long { FINDS_OF_LONG_RUN } else { 1 };
        self.max_finds.map_or(default, usize::from)
    }

    fn players<R>(&self, rules: R, folder: PathBuf, threads: usize) -> Players<R>
    where
        R: Rules + Send + 'static,
    {
        let games = match (self.games, self.time) {
            (Some(games), _) => games,
            (None, Some(_)) => GAMES_MAX,
            (None, None) => GAMES_DEFAULT,
        };
        let shelf = Shelf { folder, seed: self.seed };
        let mut players = Players::new(rules, shelf, (self.from, games), threads);
        players.until = self.time.map(|time| Instant::now() + time);
        players.finds_max = self.finds_max();
        players.game_max = GAME_MAX;
        players
    }

    /// Takes the lots in their order, so that the result does not depend on who was faster.
    fn gather<R: Rules + Send + 'static>(
        &self,
        players: &Players<R>,
        news: &Receiver<News>,
    ) -> (Lot, RunVerdict) {
        let mut gathered = Gathered {
            sum: Lot::default(),
            watch: KeyWatch::new(),
            waiting: BTreeMap::new(),
            next: 0,
            early: BTreeMap::new(),
            is_whole: false,
        };
        let mut progress = Progress::of_games(None);
        let mut hung = None;
        crew::receive_while(news, |told| {
            match told {
                Some(News::Found(find)) => {
                    interrupt::found();
                    gathered.early.insert(find.game, *find);
                }
                Some(News::Played(number, lot)) => drop(gathered.waiting.insert(number, *lot)),
                Some(News::Done) => gathered.is_whole = true,
                None => {}
            }
            progress.pause(|| self.add_in_turn(&mut gathered, players));
            progress.tell(gathered.sum.games, gathered.sum.plies);
            hung = players.hung();
            hung.is_none() && !gathered.is_whole
        });
        progress.finish();
        let verdict = match (&hung, interrupt::is_interrupted(), gathered.is_whole) {
            (None, false, true) => RunVerdict::Pass,
            (_, true, _) => RunVerdict::Interrupted,
            (None, false, false) => {
                console::complain("a thread died: not every game that was begun was judged");
                RunVerdict::Unknown
            }
            (Some(_), ..) => RunVerdict::Fail,
        };
        if verdict != RunVerdict::Pass {
            gathered.early.extend(hung.map(|find| (find.game, find)));
            self.add_what_is_left(&mut gathered, players);
        }
        let found = !gathered.sum.finds.is_empty();
        (gathered.sum, if found { RunVerdict::Fail } else { verdict })
    }

    /// Adds the lots whose turn it is.
    fn add_in_turn<R>(&self, gathered: &mut Gathered, players: &Players<R>)
    where
        R: Rules + Send + 'static,
    {
        while let Some(lot) = gathered.waiting.remove(&gathered.next) {
            self.add(gathered, lot, players);
            if gathered.sum.finds.len() >= self.finds_max() {
                players.end_after(gathered.next);
                gathered.waiting.clear();
                return;
            }
            gathered.next += 1;
        }
    }

    /// After an untimely end: lots that wait for one that never came, and finds of lots that never came.
    fn add_what_is_left<R>(&self, gathered: &mut Gathered, players: &Players<R>)
    where
        R: Rules + Send + 'static,
    {
        while let Some((_, lot)) = gathered.waiting.pop_first() {
            self.add(gathered, lot, players);
        }
        while let Some((_, find)) = gathered.early.pop_first() {
            self.add_find(&mut gathered.sum, find);
        }
    }

    fn add<R>(&self, gathered: &mut Gathered, lot: Lot, players: &Players<R>)
    where
        R: Rules + Send + 'static,
    {
        let sum = &mut gathered.sum;
        sum.games += lot.games;
        sum.plies += lot.plies;
        sum.positions += lot.positions;
        sum.refereed += lot.refereed;
        sum.census.add(&lot.census);
        for met in lot.met {
            if let Err(before) = gathered.watch.see(met)
                && sum.finds.len() < self.finds_max()
            {
                self.add_find(sum, keys_found(players, met, before));
            }
        }
        for find in lot.finds {
            gathered.early.remove(&find.game);
            self.add_find(sum, find);
        }
    }

    fn add_find(&self, sum: &mut Lot, find: Find) {
        if sum.finds.len() < self.finds_max() {
            interrupt::found();
            // Repeats are counted at the end.
            if sum.finds.iter().all(|earlier| earlier.what != find.what) {
                self.print(&find);
            }
            sum.finds.push(find);
        }
    }

    /// The one line that plays a game again.
    fn command(&self, game: u64) -> String {
        format!("cargo xtask soak --seed {} --from {game} --games 1", self.seed)
    }

    fn print(&self, find: &Find) {
        let reproduce = self.command(find.game);
        match self.format {
            Format::Human => {
                console::result(format!("FAIL  {}: game {}", find.oracle, find.game));
                find.told.lines().for_each(|line| console::result(format!("      {line}")));
                console::result(format!("      reproduce: {reproduce}"));
            }
            Format::Json => console::json(&json!({
                "type": "find", "oracle": find.oracle, "game": find.game, "what": find.what,
                "case": find.told, "reproduce": reproduce,
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
        if verdict < nothing {
            console::status("no game was played: none was asked for, or there was no time for one");
        }
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
        // A run that ended early met little; what it did not meet is no news.
        let is_news = |&(event, count): &(Event, u64)| {
            sum.finds.is_empty() || count > 0 || missed.contains(&event)
        };
        for (event, count) in sum.census.iter().filter(is_news) {
            let floor = if missed.contains(&event) { "  below the floor" } else { "" };
            console::result(format!("{count:>12}  {event}{floor}"));
        }
        let mut grouped: BTreeMap<&str, usize> = BTreeMap::new();
        for find in &sum.finds {
            *grouped.entry(&find.what).or_default() += 1;
        }
        for (what, times) in grouped {
            console::result(format!("found {times} times: {what}"));
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

/// Two positions with one key, or one with two: told with both games, and kept where the positions alone show it.
fn keys_found<R>(players: &Players<R>, met: Met, before: Met) -> Find
where
    R: Rules + Send + 'static,
{
    let (here, there) = (players.position_of(met), players.position_of(before));
    let told_of = |met: Met, position: &Option<_>| {
        let fen = position
            .as_ref()
            .map_or_else(|| String::from("not found again"), |position| format!("{position}"));
        format!("game {} met {fen} with the key {}\n", met.game, met.print.key())
    };
    let told = told_of(before, &there) + &told_of(met, &here);
    let judged = here.zip(there).map(|(here, there)| key_pair(&here, &there, &players.rules));
    let find = match judged {
        Some(Verdict::Diverges(divergence)) => {
            let mut find = Find::of(met.game, *divergence);
            find.told += &told;
            find
        }
        _ => Find::told(met.game, "key_pair", "keys that depend on the way there", told),
    };
    players.shelf.keep(&find, "game_diff", &players.bytes_of(met.game));
    find
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
}

/// The measure for what comparing costs.
fn tell_shakmaty() {
    let alone = shakmaty_alone(Duration::from_secs(1));
    console::status(format!(
        "shakmaty alone walks such games at {} plies/s",
        quantity(alone as u64)
    ));
}
