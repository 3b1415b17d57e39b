//! Random clients: they play, ask, take back, resign, offer, claim and watch, at games of a hall.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use touchmove::{
    Claim, Color, EnPassantFen, Event, Hall, San, Status, Table, TableId, TableRefusal,
};
use touchmove_oracles::generators::seed_of;
use touchmove_oracles::oracles::caught;

use super::notes::{Beginning, GameUnderLoad, Note, Told, Watcher};
use super::replay::{Difference, Replayed, replay};

/// A game of more events makes room for another, so that memory stays bounded.
const EVENTS_MAX: u64 = 200;
/// So many watch a game at most.
const WATCHERS_MAX: usize = 3;
/// A client plays so many operations between two looks at the time.
const OPERATIONS_AT_A_TIME: u32 = 64;
/// The most milliseconds between two receive times.
const THINKING_MAX: u64 = 400;

/// So many differences are kept; all are counted.
const DIFFERENCES_KEPT: usize = 20;

/// What is noted down of an acknowledgement; a liar notes down something else.
pub(super) type Clerk = fn(&Event, &mut Told);

/// Notes down what was acknowledged.
pub(super) fn honest(event: &Event, told: &mut Told) {
    told.acknowledged.push(Note::of(event));
}

/// The hall, its games, and what came of those that are over.
pub(super) struct Club {
    pub(super) hall: Hall,
    games: Vec<Mutex<Arc<GameUnderLoad>>>,
    begun: AtomicU64,
    seed: u64,
    clerk: Clerk,
    is_closing: AtomicBool,
    pub(super) operations: AtomicU64,
    /// The games that are over and were replayed.
    pub(super) over: AtomicU64,
}

/// What a client, or all of them, came to.
pub(super) struct Sum {
    pub(super) latencies: Histogram<u64>,
    pub(super) refused: u64,
    pub(super) games: u64,
    pub(super) replayed: Replayed,
    /// The differences, of which the first few are kept.
    pub(super) found: u64,
    pub(super) differences: Vec<Difference>,
    /// How long clients acted, replays not counted.
    pub(super) acted: Duration,
}

impl Sum {
    pub(super) fn new() -> Sum {
        Sum {
            // Nanoseconds, to three digits, up to more than anybody waits.
            latencies: Histogram::new_with_bounds(1, 1 << 40, 3).expect("these are sound bounds"),
            refused: 0,
            games: 0,
            replayed: Replayed::default(),
            found: 0,
            differences: Vec::new(),
            acted: Duration::ZERO,
        }
    }

    pub(super) fn add(&mut self, other: Sum) {
        self.latencies.add(&other.latencies).expect("they have the same bounds");
        self.refused += other.refused;
        self.games += other.games;
        self.replayed += other.replayed;
        self.found += other.found;
        self.differences.extend(other.differences);
        self.differences.truncate(DIFFERENCES_KEPT);
        self.acted += other.acted;
    }

    pub(super) fn add_difference(&mut self, difference: Difference) {
        self.found += 1;
        if self.differences.len() < DIFFERENCES_KEPT {
            self.differences.push(difference);
        }
    }

    /// Operations a second, while clients acted on so many threads.
    pub(super) fn rate(&self, threads: usize) -> f64 {
        let seconds = self.acted.as_secs_f64() / threads as f64;
        self.latencies.len() as f64 / seconds.max(1e-9)
    }

    pub(super) fn judge(&mut self, game: GameUnderLoad) {
        self.games += 1;
        let number = game.number;
        let judged = caught(|| replay(game)).unwrap_or_else(|what| {
            Err(Box::new(Difference { game: Some(number), what, told: String::new() }))
        });
        match judged {
            Ok(replayed) => self.replayed += replayed,
            Err(difference) => self.add_difference(*difference),
        }
    }
}

impl Club {
    pub(super) fn new(games: u32, seed: u64, clerk: Clerk) -> Club {
        let mut club = Club {
            hall: Hall::new(),
            games: Vec::new(),
            begun: AtomicU64::new(0),
            seed,
            clerk,
            is_closing: AtomicBool::new(false),
            operations: AtomicU64::new(0),
            over: AtomicU64::new(0),
        };
        club.games = (0..games).map(|_| Mutex::new(Arc::new(club.begin()))).collect();
        club
    }

    fn begin(&self) -> GameUnderLoad {
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        let seed = seed_of(self.seed, number);
        GameUnderLoad::begin(number, Beginning::of_seed(seed), &self.hall)
    }

    /// Asks the clients to leave.
    pub(super) fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// How many games were begun; each must be played again.
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::Relaxed)
    }

    /// Whether the hall has the tables at which games go on and no others. While clients act it may have not.
    pub(super) fn is_in_order(&self) -> bool {
        let id = |game: &Mutex<Arc<GameUnderLoad>>| {
            game.lock().unwrap_or_else(PoisonError::into_inner).id
        };
        let mut ids: Vec<TableId> = self.games.iter().map(id).collect();
        ids.sort_unstable();
        self.hall.ids() == ids
    }

    /// The games that are still there when all clients have left.
    pub(super) fn into_games(self) -> Vec<GameUnderLoad> {
        let games = self.games.into_iter();
        let games = games.map(|game| game.into_inner().unwrap_or_else(PoisonError::into_inner));
        games.filter_map(Arc::into_inner).collect()
    }
}

/// Somebody who does this and that at all games.
pub(super) struct Client<'a> {
    club: &'a Club,
    random: ChaCha8Rng,
    sum: Sum,
}

/// What came of an operation.
enum Answer {
    Event(Event),
    Refused(Option<Event>),
    /// A question was answered.
    Asked,
}

impl From<Result<Event, TableRefusal>> for Answer {
    fn from(result: Result<Event, TableRefusal>) -> Answer {
        match result {
            Ok(event) => Answer::Event(event),
            Err(TableRefusal::TooLate(event)) => Answer::Refused(Some(*event)),
            Err(TableRefusal::Refused(_)) => Answer::Refused(None),
        }
    }
}

impl<'a> Client<'a> {
    pub(super) fn new(club: &'a Club, thread: u64) -> Client<'a> {
        let seed = seed_of(!club.seed, thread);
        Client { club, random: ChaCha8Rng::seed_from_u64(seed), sum: Sum::new() }
    }

    /// Acts until the club closes.
    pub(super) fn act(mut self) -> Sum {
        while !self.club.is_closing() {
            for _ in 0..OPERATIONS_AT_A_TIME {
                self.operate();
            }
            self.club.operations.fetch_add(OPERATIONS_AT_A_TIME.into(), Ordering::Relaxed);
        }
        self.sum
    }

    fn operate(&mut self) {
        let begin = Instant::now();
        let slot = &self.club.games[self.random.random_range(0..self.club.games.len())];
        let game = Arc::clone(&slot.lock().unwrap_or_else(PoisonError::into_inner));
        self.operate_at(&game);
        let now = game.table.standing();
        let is_over = matches!(now.status, Status::Over(_)) && self.chance(1, 4);
        // Of all who find it over, one has it out of the hall.
        if (is_over || now.events >= EVENTS_MAX) && self.club.hall.remove(game.id).is_some() {
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(self.club.begin());
        }
        self.sum.acted += begin.elapsed();
        // And whoever is the last to let go of it plays it again.
        if let Some(game) = Arc::into_inner(game) {
            self.sum.judge(game);
            if self.sum.found > 0 {
                self.club.close();
            }
            self.club.over.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn operate_at(&mut self, game: &GameUnderLoad) {
        let (choice, thinking) = (self.number(100), self.number(THINKING_MAX));
        let received = game.receive_after(thinking);
        let begin = Instant::now();
        let Some(table) = self.club.hall.find(game.id) else { return };
        let answer = match choice {
            0..8 => self.watch(game, &table),
            8..20 => self.ask(&table),
            _ => self.do_something(choice, &table, received),
        };
        let nanoseconds = begin.elapsed().as_nanos().try_into().unwrap_or(u64::MAX);
        self.sum.latencies.saturating_record(nanoseconds);
        match answer {
            Answer::Event(event) => (self.club.clerk)(&event, &mut game.told()),
            Answer::Refused(event) => {
                self.sum.refused += 1;
                if let Some(event) = event {
                    (self.club.clerk)(&event, &mut game.told());
                }
            }
            Answer::Asked => {}
        }
    }

    fn do_something(&mut self, choice: u64, table: &Table, received: Duration) -> Answer {
        let player = if self.chance(1, 2) { Color::White } else { Color::Black };
        match choice {
            20..62 => self.play(table, received),
            62..64 => table.play(player, "e2e4", received).into(),
            64..76 => table.undo(received).into(),
            76..82 => table.redo(received).into(),
            82..87 => table.offer_draw(player, received).into(),
            87 if self.chance(1, 4) => table.accept(player, received).into(),
            88..91 => table.decline(player, received).into(),
            91..96 => self.claim(table, received),
            96 if self.chance(1, 3) => table.resign(player, received).into(),
            _ => match table.flag(received) {
                Ok(Some(event)) => Answer::Event(event),
                Ok(None) => Answer::Asked,
                Err(_) => Answer::Refused(None),
            },
        }
    }

    /// A move that was legal a moment ago, in one of its notations.
    fn play(&mut self, table: &Table, received: Duration) -> Answer {
        let position = table.position();
        let legal = position.legal_moves();
        if legal.is_empty() {
            return Answer::Asked;
        }
        let mv = legal[self.random.random_range(0..legal.len())];
        match self.chance(1, 3) {
            true => table.play_san(position.turn(), &San::of(&position, mv).to_string(), received),
            false => table.play_move(position.turn(), mv, received),
        }
        .into()
    }

    fn claim(&mut self, table: &Table, received: Duration) -> Answer {
        let repetition = self.chance(1, 2);
        let claim = if repetition { Claim::ThreefoldRepetition } else { Claim::FiftyMoves };
        let player = table.position().turn();
        let legal = table.legal();
        let announced = match self.chance(1, 2) && !legal.is_empty() {
            true => Some(legal[self.random.random_range(0..legal.len())].as_str()),
            false => None,
        };
        table.claim(player, claim, announced, received).into()
    }

    fn ask(&mut self, table: &Table) -> Answer {
        match self.number(6) {
            0 => drop(std::hint::black_box(table.legal())),
            1 => drop(std::hint::black_box(table.fen(EnPassantFen::PseudoLegal))),
            2 => drop(std::hint::black_box(table.record())),
            3 => drop(std::hint::black_box(table.pgn())),
            4 => drop(std::hint::black_box(table.legal_moves_by_trial())),
            _ => drop(std::hint::black_box(table.legal_moves())),
        }
        Answer::Asked
    }

    /// Begins to watch, reads what waits, or leaves.
    fn watch(&mut self, game: &GameUnderLoad, table: &Table) -> Answer {
        let mut told = game.told();
        let seats = told.watchers.len();
        if seats == 0 || seats < WATCHERS_MAX && self.chance(1, 8) {
            told.watchers.push(Watcher::new(table.subscribe()));
            return Answer::Asked;
        }
        let watcher = &mut told.watchers[self.random.random_range(0..seats)];
        watcher.read();
        if self.chance(1, 16) {
            watcher.subscriber = None;
        }
        Answer::Asked
    }

    fn number(&mut self, below: u64) -> u64 {
        self.random.random_range(0..below)
    }

    fn chance(&mut self, of: u64, all: u64) -> bool {
        self.number(all) < of
    }
}
