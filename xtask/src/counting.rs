//! Counting on all cores: subtrees are shared out, and a run can be stopped between them.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, ensure};
use clap::ValueEnum;
use rayon::prelude::*;
use touchmove::{
    Move, MoveList, PerftHash, Position, perft, perft_by_magic, perft_factored, perft_hashed,
};
use touchmove_oracles::leaves::Leaves;
use touchmove_oracles::referees::{ByTrial, Fast, Trial};

use crate::{interrupt, memory};

/// Subtrees of so many plies are counted in one go: small enough to stop soon, large enough to share out.
const PLIES_IN_ONE_GO: u32 = 4;
/// What is met again on the first plies is not remembered; so there are no more of them than sharing out takes.
const FIRST_PLIES_HASHED: u32 = 3;

/// By which route legal moves are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Route {
    /// Checkers, pins and target squares; nothing touched.
    Fast,
    /// By definition: make, look at the king, unmake.
    Trial,
}

impl Route {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Route::Fast => "fast",
            Route::Trial => "trial",
        }
    }

    fn legal_moves(self, position: &Position) -> MoveList {
        match self {
            Route::Fast => position.legal_moves(),
            Route::Trial => position.clone().legal_moves_by_trial(),
        }
    }
}

/// How the fast route counts paths: three ways that agree, and are not to be compared in speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Mode {
    /// The moves of the last ply are counted, all others made and unmade
    Plain,
    /// On the last ply but one, quiet moves that change nothing for the other side are not made either
    Factored,
    /// What was counted behind a position is remembered
    Hashed,
}

impl Mode {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Mode::Plain => "plain",
            Mode::Factored => "factored",
            Mode::Hashed => "hashed",
        }
    }
}

/// How plain counting looks slider attacks up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Lookup {
    /// By pext where the processor has it, by magics elsewhere
    Fastest,
    /// By magics, as processors without pext do
    Magic,
}

impl Lookup {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Lookup::Fastest => "fastest",
            Lookup::Magic => "magic",
        }
    }
}

/// A count that was stopped by Ctrl-C.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

/// Counts by a route and keeps the sum of all nodes, for whoever watches.
pub(crate) struct Counter {
    pub(crate) route: Route,
    way: Way,
    nodes: AtomicU64,
}

/// How a subtree is counted in one go.
enum Way {
    ByTrial,
    Plain,
    ByMagic,
    Factored,
    Hashed(PerftHash),
}

impl Counter {
    /// Counts plainly.
    pub(crate) fn new(route: Route) -> Counter {
        let way = match route {
            Route::Fast => Way::Plain,
            Route::Trial => Way::ByTrial,
        };
        Counter { route, way, nodes: AtomicU64::new(0) }
    }

    /// Counts by the fast route in some mode; a hash has so many mebibytes.
    pub(crate) fn in_mode(mode: Mode, hash_mebibytes: usize) -> anyhow::Result<Counter> {
        let way = match mode {
            Mode::Plain => Way::Plain,
            Mode::Factored => Way::Factored,
            Mode::Hashed => Way::Hashed(hash(hash_mebibytes)?),
        };
        Ok(Counter { way, ..Counter::new(Route::Fast) })
    }

    /// Counts plainly, with slider attacks by magics.
    pub(crate) fn by_magic() -> Counter {
        Counter { way: Way::ByMagic, ..Counter::new(Route::Fast) }
    }

    fn count_in_one_go(&self, position: &Position, depth: u32) -> u64 {
        match &self.way {
            Way::ByTrial => Trial::at(*position).count(depth),
            Way::Plain => perft(position, depth),
            Way::ByMagic => perft_by_magic(position, depth),
            Way::Factored => perft_factored(position, depth),
            Way::Hashed(hash) => perft_hashed(position, depth, hash),
        }
    }

    /// The nodes counted so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The number of paths of `depth` moves.
    pub(crate) fn count(&self, position: &Position, depth: u32) -> Result<u64, Stopped> {
        let in_one_go = match self.way {
            Way::Hashed(_) => PLIES_IN_ONE_GO.max(depth.saturating_sub(FIRST_PLIES_HASHED)),
            _ => PLIES_IN_ONE_GO,
        };
        self.count_shared(position, depth, in_one_go)
    }

    fn count_shared(
        &self,
        position: &Position,
        depth: u32,
        in_one_go: u32,
    ) -> Result<u64, Stopped> {
        if depth <= in_one_go {
            if interrupt::is_interrupted() {
                return Err(Stopped);
            }
            let nodes = self.count_in_one_go(position, depth);
            self.nodes.fetch_add(nodes, Ordering::Relaxed);
            return Ok(nodes);
        }
        let add = |a: u64, b: u64| Ok(a.checked_add(b).expect("fewer than 2^64 paths"));
        self.route
            .legal_moves(position)
            .par_iter()
            .map(|&mv| self.count_shared(&after(position, mv), depth - 1, in_one_go))
            .try_reduce(|| 0, add)
    }

    /// The number of paths of `depth` moves, by their first move; what was stopped is left out.
    pub(crate) fn divide(&self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        let below = |&mv: &Move| Some((mv, self.count(&after(position, mv), depth - 1).ok()?));
        self.route.legal_moves(position).par_iter().filter_map(below).collect()
    }

    /// The kinds of the moves of the last of `depth` plies.
    pub(crate) fn leaves(&self, position: &Position, depth: u32) -> Result<Leaves, Stopped> {
        if depth < PLIES_IN_ONE_GO {
            if interrupt::is_interrupted() {
                return Err(Stopped);
            }
            let leaves = match self.route {
                Route::Fast => Leaves::count::<Fast>(position, depth),
                Route::Trial => Leaves::count::<ByTrial>(position, depth),
            };
            self.nodes.fetch_add(leaves.nodes, Ordering::Relaxed);
            return Ok(leaves);
        }
        let add = |mut a: Leaves, b: Leaves| {
            a += b;
            Ok(a)
        };
        self.route
            .legal_moves(position)
            .par_iter()
            .map(|&mv| self.leaves(&after(position, mv), depth - 1))
            .try_reduce(Leaves::default, add)
    }
}

/// A hash of this size. The system may promise memory that it does not have, and would end us later.
fn hash(mebibytes: usize) -> anyhow::Result<PerftHash> {
    if let Some(available) = memory::available() {
        let available = available >> 20;
        ensure!(
            mebibytes as u64 <= available,
            "there is no memory for a hash of {mebibytes} MiB: {available} MiB are available"
        );
    }
    Ok(PerftHash::new(mebibytes)?)
}

fn after(position: &Position, mv: Move) -> Position {
    let mut after = *position;
    let _never_taken_back = after.make(mv);
    after
}

/// A pool of so many threads, or one for each core.
pub(crate) fn pool(threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .context("cannot start the threads")
}
