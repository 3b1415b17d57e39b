//! Looking ahead: one ply deeper after the other, as far as the limits allow.
//!
//! Here is what is asked and answered, and the deepening; the rooms below are the [`tree`] of alpha and beta,
//! its leaves ([`quiescence`]), the [`order`] in which moves are tried, the [`table`] of what is known, and
//! what a quiet position is worth ([`mod@evaluate`]).

mod evaluate;
mod order;
mod quiescence;
mod table;
mod tree;

use core::cmp::Reverse;
use core::sync::atomic::{AtomicBool, Ordering};

use touchmove::{Key, Move, Position};

use self::evaluate::evaluate;
use self::table::Table;
use self::tree::Tree;
use crate::chooser::Chooser;
use crate::hints::Hint;
use crate::score::Score;

/// The deepest depth that is searched.
pub const DEPTH_MAX: u32 = 100;

/// When to stop looking. The first limit that is reached counts; without one the search goes to
/// [`DEPTH_MAX`].
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits<'a> {
    /// The deepest depth in plies. Checks and captures are looked at beyond it.
    pub depth_max: Option<u32>,
    /// The most moves that are made and looked behind.
    pub nodes_max: Option<u64>,
    /// Looking ends soon after this has become true.
    pub stop: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// A depth in plies.
    pub const fn depth(depth_max: u32) -> Self {
        Limits { depth_max: Some(depth_max), nodes_max: None, stop: None }
    }

    /// So many moves looked behind.
    pub const fn nodes(nodes_max: u64) -> Self {
        Limits { depth_max: None, nodes_max: Some(nodes_max), stop: None }
    }

    /// Whether to stop after so many nodes.
    fn are_reached(&self, nodes: u64) -> bool {
        self.nodes_max.is_some_and(|nodes_max| nodes >= nodes_max)
            || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// How far a search has come: told after each depth.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The depth in plies that is finished.
    pub depth: u32,
    /// The moves made and looked behind so far.
    pub nodes: u64,
    /// The best moves, the best first: at least one.
    pub hints: &'a [Hint],
}

/// Looks ahead, and remembers from one question to the next what it has seen.
///
/// The same questions in the same order have the same answers, so long as no flag stops a search. To begin anew,
/// [`forget`](Searcher::forget).
#[derive(Debug)]
pub struct Searcher {
    table: Table,
}

impl Searcher {
    /// A searcher whose table takes so many MiB of memory; 0 is taken for 1.
    ///
    /// # Panics
    ///
    /// When there is not so much memory, as a vector does.
    pub fn new(table_mib: usize) -> Searcher {
        Searcher { table: Table::with_mib(table_mib) }
    }

    /// Forgets what was seen before.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// The best move that is found within the limits; none exactly where there is no legal move.
    ///
    /// `past` is as in [`Chooser::choose`]. Taken for draws: a position that comes for the third time, or, among
    /// the moves that are looked at, for the second; and the hundredth ply without capture or pawn move, unless it
    /// mates. `on_depth` is told of each finished depth.
    pub fn search(
        &mut self,
        position: &Position,
        past: &[Key],
        limits: &Limits<'_>,
        on_depth: impl FnMut(&Progress<'_>),
    ) -> Option<Hint> {
        self.deepen(position, past, limits, 1, on_depth).into_iter().next()
    }

    /// The best moves at the greatest depth for which the limits leave time.
    pub(crate) fn deepen(
        &mut self,
        position: &Position,
        past: &[Key],
        limits: &Limits<'_>,
        hints_max: usize,
        mut on_depth: impl FnMut(&Progress<'_>),
    ) -> Vec<Hint> {
        let mut hints = hints_at_a_glance(position);
        let mut order: Vec<Move> = hints.iter().map(Hint::mv).collect();
        hints.truncate(hints_max);
        if hints.is_empty() {
            return hints;
        }
        self.table.begin_search();
        let mut tree = Tree::new(position, past, limits, &mut self.table);
        let depth_max = limits.depth_max.unwrap_or(DEPTH_MAX).min(DEPTH_MAX);
        for depth in 1..=depth_max {
            let mut deeper: Vec<Hint> = Vec::new();
            while deeper.len() < hints.len() {
                let mut best = None;
                let finished = tree.search_root(depth, &order[deeper.len()..], &mut best);
                let Some(found) = best else { return hints };
                move_to(&mut order, deeper.len(), found.mv());
                deeper.push(found);
                if finished.is_err() {
                    // The move that was best before is looked at first, so what replaced it is better.
                    return if hints_max == 1 { deeper } else { hints };
                }
            }
            deeper.sort_by_key(|hint| Reverse(hint.score()));
            hints = deeper;
            for (place, hint) in hints.iter().enumerate() {
                move_to(&mut order, place, hint.mv());
            }
            on_depth(&Progress { depth, nodes: tree.nodes(), hints: &hints });
        }
        hints
    }
}

/// Moves a move to an earlier place; those between go one place back.
fn move_to(order: &mut [Move], place: usize, mv: Move) {
    if let Some(from) = order.iter().position(|&other| other == mv) {
        order[place..=from].rotate_right(1);
    }
}

/// All legal moves, judged by the look of the board after each, the best first.
fn hints_at_a_glance(position: &Position) -> Vec<Hint> {
    let glance = |mv| {
        let mut after = *position;
        let _kept = after.make(mv);
        let score = match after.has_legal_move() {
            true => -evaluate(&after),
            false if after.is_check() => Score::mating_after(1),
            false => Score::DRAW,
        };
        Hint { mv, score, line: vec![mv] }
    };
    let mut hints: Vec<Hint> = position.legal_moves().into_iter().map(glance).collect();
    hints.sort_by_key(|hint| Reverse(hint.score()));
    hints
}

/// A player who looks ahead: a searcher with its limits.
#[derive(Debug)]
pub struct SearchChooser<'a> {
    /// Who looks.
    pub searcher: Searcher,
    /// How far, for each move.
    pub limits: Limits<'a>,
}

impl Chooser for SearchChooser<'_> {
    fn choose(&mut self, position: &Position, past: &[Key]) -> Option<Move> {
        let found = self.searcher.search(position, past, &self.limits, |_| {})?;
        Some(found.mv())
    }
}
