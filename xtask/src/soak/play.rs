//! Games played on all cores before all oracles, in lots. A find is on disk and told before it is made small.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::prelude::*;
use touchmove::Position;
use touchmove_oracles::case::shrink;
use touchmove_oracles::census::Census;
use touchmove_oracles::generators::{Steps, Walk, bytes_of_seed, from_seed, seed_of};
use touchmove_oracles::oracles::{
    Divergence, GameLog, Met, Rules, Verdict, all_oracles, caught, of_panic,
};

use super::finds::{Find, Shelf};
use crate::interrupt;

/// Games are shared out in lots of so many.
pub(super) const LOT: u64 = 64;
/// How long a find may take to become small; it takes a second.
const SHRINKING_MAX: Duration = Duration::from_secs(20);

/// What a lot of games came to.
#[derive(Default)]
pub(super) struct Lot {
    pub(super) games: u64,
    pub(super) plies: u64,
    pub(super) positions: u64,
    pub(super) refereed: u64,
    pub(super) census: Census,
    pub(super) met: Vec<Met>,
    pub(super) finds: Vec<Find>,
}

/// What the players tell.
pub(super) enum News {
    /// A find that is on disk, before it is made small.
    Found(Box<Find>),
    /// A lot, by its number.
    Played(u64, Box<Lot>),
    /// Every lot that was begun has been told.
    Done,
}

/// What is played, and by whom.
pub(super) struct Players<R> {
    pub(super) rules: R,
    pub(super) shelf: Shelf,
    pub(super) from: u64,
    pub(super) games: u64,
    pub(super) until: Option<Instant>,
    pub(super) finds_max: usize,
    /// How long a game may take.
    pub(super) game_max: Duration,
    /// No lot after this one is needed any more.
    enough: AtomicU64,
    at_work: Vec<Mutex<Option<Work>>>,
}

/// What a thread is at.
#[derive(Clone)]
struct Work {
    game: u64,
    target: &'static str,
    /// What the target plays again.
    bytes: Vec<u8>,
    since: Instant,
}

impl<R: Rules + Send + 'static> Players<R> {
    pub(super) fn new(rules: R, shelf: Shelf, games: (u64, u64), threads: usize) -> Players<R> {
        Players {
            rules,
            shelf,
            from: games.0,
            games: games.1,
            until: None,
            finds_max: 1,
            game_max: Duration::MAX,
            enough: AtomicU64::new(u64::MAX),
            at_work: (0..threads).map(|_| Mutex::default()).collect(),
        }
    }

    /// Has lots of games played, until there are enough or time is up. Not joined: a game may never end.
    pub(super) fn start(self: &Arc<Self>, pool: ThreadPool) -> Receiver<News> {
        let (sender, receiver) = mpsc::sync_channel(4 * pool.current_num_threads());
        let players = Arc::clone(self);
        std::thread::spawn(move || {
            let goes_on = |&lot: &u64| {
                let in_time = players.until.is_none_or(|until| Instant::now() < until);
                in_time && players.needs(lot) && !interrupt::is_interrupted()
            };
            let lots = (0..players.games.div_ceil(LOT)).take_while(goes_on);
            pool.install(|| lots.par_bridge().for_each(|lot| players.play_lot(lot, &sender)));
            // Nobody listens any more when a game did not end.
            let _ = sender.send(News::Done);
        });
        receiver
    }

    fn needs(&self, lot: u64) -> bool {
        lot <= self.enough.load(Ordering::Relaxed)
    }

    /// No lot after this one is needed.
    pub(super) fn end_after(&self, lot: u64) {
        self.enough.fetch_min(lot, Ordering::Relaxed);
    }

    /// Ends early with enough finds: where every game is one, a lot does not fill the disk.
    fn play_lot(&self, number: u64, news: &SyncSender<News>) {
        let mut lot = Box::new(Lot::default());
        let end = self.games.min((number + 1) * LOT);
        for game in number * LOT..end {
            if interrupt::is_interrupted() || !self.needs(number) {
                break;
            }
            self.play(self.from + game, &mut lot, news);
            if lot.finds.len() >= self.finds_max {
                self.end_after(number);
                break;
            }
        }
        let _ = news.send(News::Played(number, lot));
    }

    /// One game before all oracles; those that cost more than the game itself see one in so many.
    fn play(&self, number: u64, lot: &mut Lot, news: &SyncSender<News>) {
        let seed = self.seed_of(number);
        let (mut log, mut work) = (GameLog::default(), self.begin(number));
        let verdict = match caught(|| from_seed::<Walk>(seed)) {
            Ok(walk) => self.judge(number, &walk, &mut log, &mut work),
            Err(told) => of_panic(Position::default(), Vec::new(), told),
        };
        lot.games += 1;
        lot.plies += log.plies;
        lot.positions += log.fingerprints.len() as u64;
        lot.refereed += log.refereed;
        log.events.iter().for_each(|&events| lot.census.count(events));
        lot.met.extend(log.fingerprints.into_iter().map(|print| Met { print, game: number }));
        if let Verdict::Diverges(divergence) = verdict {
            lot.finds.push(self.keep(&work, *divergence, news));
        }
        *self.desk() = None;
    }

    fn judge(&self, number: u64, walk: &Walk, log: &mut GameLog, work: &mut Work) -> Verdict {
        all_oracles(number, walk, &self.rules, log, |target| {
            work.target = target;
            if target == "perft_small" {
                work.bytes = walk.start().to_string().into_bytes();
            }
            *self.desk() = Some(work.clone());
        })
    }

    /// Writes and tells a find, and then makes it small.
    fn keep(&self, work: &Work, divergence: Divergence, news: &SyncSender<News>) -> Find {
        let found = Find::of(work.game, divergence.clone());
        let place = self.shelf.keep(&found, work.target, &work.bytes);
        let _ = news.send(News::Found(Box::new(found)));
        let start = Instant::now();
        *self.desk() = Some(Work { since: start, ..work.clone() });
        let stop = || interrupt::is_interrupted() || start.elapsed() > SHRINKING_MAX;
        let small = Find::of(work.game, shrink(divergence, &self.rules, stop));
        self.shelf.replace(&place, &small);
        small
    }

    fn begin(&self, game: u64) -> Work {
        let bytes = self.bytes_of(game);
        let work = Work { game, target: "game_diff", bytes, since: Instant::now() };
        *self.desk() = Some(work.clone());
        work
    }

    /// Where a thread says what it is at.
    fn desk(&self) -> MutexGuard<'_, Option<Work>> {
        let thread = rayon::current_thread_index().unwrap_or(0);
        self.at_work[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game that takes too long, written, if there is one.
    pub(super) fn hung(&self) -> Option<Find> {
        let works = self
            .at_work
            .iter()
            .filter_map(|work| work.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let work = works.into_iter().find(|work| work.since.elapsed() > self.game_max)?;
        let what = format!("no end within {} s", self.game_max.as_secs_f64());
        let told = format!("{what}, played as {} does\n", work.target);
        let find = Find::told(work.game, "hang", &what, told);
        self.shelf.keep(&find, work.target, &work.bytes);
        Some(find)
    }

    /// What a game is made of.
    pub(super) fn bytes_of(&self, game: u64) -> Vec<u8> {
        bytes_of_seed(self.seed_of(game))
    }

    fn seed_of(&self, game: u64) -> u64 {
        seed_of(self.shelf.seed, game)
    }

    /// The position of a fingerprint, looked for in its game.
    pub(super) fn position_of(&self, met: Met) -> Option<Position> {
        let look = || {
            let mut walk = from_seed::<Walk>(self.seed_of(met.game));
            let mut position = walk.start();
            while !met.print.is_of(&position) {
                let mv = walk.next_move(&position, &position.legal_moves())?;
                let _never_taken_back = position.make(mv);
            }
            Some(position)
        };
        caught(look).ok().flatten()
    }
}
