//! The tree of moves: alpha and beta, and what lets branches be left out.
//!
//! Principal variation search: the first move of a node is searched with the full window, the others with one
//! that only asks whether they are better. Beyond that: a table of what is known, a null move to see whether the
//! mover stands so well that even passing is enough, late moves searched less deeply at first, checks one ply
//! deeper. Where the window is open nothing is taken from the table, so that the best line is always
//! whole: a mate that is announced can be played out.

use touchmove::{Key, Move, MoveList, Position, Role};

use super::Limits;
use super::evaluate::{evaluate, neither_can_mate};
use super::order::{History, OrderedMoves, Priorities};
use super::quiescence::Beyond;
use super::table::{Bound, Entry, Table};
use crate::hints::Hint;
use crate::score::Score;

/// No line is looked at for longer than this, captures and checks included.
pub(crate) const PLIES_MAX: usize = 160;

/// Above this halfmove clock the fifty-move rule is near, of which the table knows nothing.
const CLOCK_TRUSTED_MAX: u16 = 80;

/// A limit was reached.
#[derive(Debug)]
pub(crate) struct Stopped;

/// One search, from its root.
pub(crate) struct Tree<'a> {
    pub(super) position: Position,
    limits: &'a Limits<'a>,
    table: &'a mut Table,
    nodes: u64,
    /// The keys of all positions before this one.
    past: Vec<Key>,
    /// How many of them came before the root.
    past_of_root: usize,
    /// Where in the past the last null move was made: no position before it comes again.
    after_null: usize,
    history: History,
    plies: Vec<Ply>,
    legal: MoveList,
}

/// What is kept for each ply of the line that is being looked at.
#[derive(Clone, Default)]
struct Ply {
    /// The best moves from here, as far as they are known.
    line: Vec<Move>,
    moves: OrderedMoves,
    /// Quiet moves that refuted a sibling.
    killers: [Option<Move>; 2],
}

impl<'a> Tree<'a> {
    pub(super) fn new(
        position: &Position,
        past: &[Key],
        limits: &'a Limits<'a>,
        table: &'a mut Table,
    ) -> Tree<'a> {
        Tree {
            position: *position,
            limits,
            table,
            nodes: 0,
            past: past.to_vec(),
            past_of_root: past.len(),
            after_null: 0,
            history: History::new(),
            plies: vec![Ply::default(); PLIES_MAX + 2],
            legal: MoveList::new(),
        }
    }

    /// The moves made and looked behind so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches these moves of the root, and leaves the best in `best`: when stopped, the best of those that
    /// were looked at to the end. After that the tree is of no more use.
    pub(super) fn search_root(
        &mut self,
        depth: u32,
        moves: &[Move],
        best: &mut Option<Hint>,
    ) -> Result<(), Stopped> {
        let depth = depth as i32 + i32::from(self.position.is_check());
        let mut alpha = -Score::MAX;
        for (index, &mv) in moves.iter().enumerate() {
            let is_quiet = is_quiet(&self.position, mv);
            let window = Window { alpha, beta: Score::MAX };
            let score = self.search_move(mv, depth, 0, window, Late { index, is_quiet })?;
            if score > alpha {
                alpha = score;
                self.lengthen_line(0, mv);
                *best = Some(Hint { mv, score, line: self.plies[0].line.clone() });
            }
        }
        Ok(())
    }

    /// What the position is worth to its mover: exact inside of the window, a bound outside.
    fn search(
        &mut self,
        depth: i32,
        ply: usize,
        window: Window,
        may_pass: bool,
    ) -> Result<Score, Stopped> {
        self.plies[ply].line.clear();
        let in_check = self.position.is_check();
        if self.is_drawn(in_check) {
            return Ok(Score::DRAW);
        }
        if ply >= PLIES_MAX {
            return Ok(evaluate(&self.position));
        }
        let depth = depth + i32::from(in_check);
        if depth <= 0 {
            return self.search_quiescence(ply, Beyond::default(), window);
        }
        // A mate that is nearer than any from here makes everything from here pointless.
        let Window { mut alpha, beta } = window.within(ply);
        if alpha >= beta {
            return Ok(alpha);
        }
        let known = self.table.get(self.position.key());
        if let Some(entry) = known
            && !window.is_open()
            && let Some(score) = self.score_from_table(entry, depth, ply, window)
        {
            return Ok(score);
        }
        if may_pass
            && !in_check
            && !window.is_open()
            && let Some(score) = self.search_null(depth, ply, beta)?
        {
            return Ok(score);
        }

        let mut moves = self.ordered_moves(ply, known.and_then(|entry| entry.mv), |_, _| true);
        if moves.is_empty() {
            self.put_back(ply, moves);
            return Ok(if in_check { Score::mated_after(ply) } else { Score::DRAW });
        }
        let mut best = -Score::MAX;
        let mut best_move = None;
        let mut index = 0;
        while let Some(mv) = moves.next() {
            let is_quiet = is_quiet(&self.position, mv);
            let late = Late { index, is_quiet: is_quiet && !in_check };
            let score = self.search_move(mv, depth, ply, Window { alpha, beta }, late)?;
            index += 1;
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha {
                alpha = score;
                best_move = Some(mv);
                self.lengthen_line(ply, mv);
            }
            if score >= beta {
                if is_quiet {
                    self.remember_refutation(mv, depth, ply);
                }
                break;
            }
        }
        self.put_back(ply, moves);
        let bound = match best_move {
            _ if best >= beta => Bound::AtLeast,
            Some(_) => Bound::Exact,
            None => Bound::AtMost,
        };
        let mv = best_move.or(known.and_then(|entry| entry.mv));
        let score = best.seen_earlier(-(ply as i32));
        self.table.put(Entry { key: self.position.key(), mv, score, depth: depth as u16, bound });
        Ok(best)
    }

    /// What a move is worth: asked only whether it is better than alpha unless it comes first, and a late
    /// quiet move less deeply at first.
    fn search_move(
        &mut self,
        mv: Move,
        depth: i32,
        ply: usize,
        window: Window,
        late: Late,
    ) -> Result<Score, Stopped> {
        let below = depth - 1;
        self.behind(mv, |tree| {
            let mut score = Score::MAX;
            if late.index > 0 {
                let asked = Window { alpha: window.alpha, beta: window.alpha.next() };
                let reduction = late.reduction(depth, &tree.position);
                score = -tree.search(below - reduction, ply + 1, -asked, true)?;
                if score > window.alpha && reduction > 0 {
                    score = -tree.search(below, ply + 1, -asked, true)?;
                }
            }
            if late.index == 0 || score > window.alpha && score < window.beta {
                score = -tree.search(below, ply + 1, -window, true)?;
            }
            Ok(score)
        })
    }

    /// Makes a move, looks behind it unless a limit is reached, and takes it back.
    pub(super) fn behind(
        &mut self,
        mv: Move,
        look: impl FnOnce(&mut Self) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        if self.limits.are_reached(self.nodes) {
            return Err(Stopped);
        }
        self.nodes += 1;
        self.past.push(self.position.key());
        let undo = self.position.make(mv);
        let score = look(self)?;
        self.position.unmake(mv, undo);
        self.past.pop();
        Ok(score)
    }

    /// Lets the mover pass: whoever then still stands above beta needs no move to do so.
    ///
    /// Not with few pieces, where having to move may be what loses, and not against a mate.
    fn search_null(
        &mut self,
        depth: i32,
        ply: usize,
        beta: Score,
    ) -> Result<Option<Score>, Stopped> {
        const REDUCTION: i32 = 3;
        if depth < REDUCTION
            || beta.is_mate()
            || !has_pieces_to_spare(&self.position)
            || evaluate(&self.position) < beta
        {
            return Ok(None);
        }
        let Ok(undo) = self.position.make_null() else { return Ok(None) };
        let after_null = std::mem::replace(&mut self.after_null, self.past.len());
        let window = Window { alpha: -beta, beta: (-beta).next() };
        let score = -self.search(depth - REDUCTION, ply + 1, window, false)?;
        self.after_null = after_null;
        self.position.unmake_null(undo);
        // That somebody who passes mates by force is no proof of how long it takes.
        Ok((score >= beta).then_some(if score.is_mate() { beta } else { score }))
    }

    /// FIDE 5.2.2 as far as material tells, 9.2 and 9.3; mate comes before the clock (R13).
    fn is_drawn(&self, in_check: bool) -> bool {
        self.is_repeated()
            || neither_can_mate(self.position.board())
            || self.position.halfmove_clock() >= 100
                && (!in_check || self.position.has_legal_move())
    }

    /// Whether the position has come before: once since the root, or twice in all.
    fn is_repeated(&self) -> bool {
        let reversible = usize::from(self.position.halfmove_clock());
        let earliest = self.past.len().saturating_sub(reversible).max(self.after_null);
        let mut times = 0;
        for place in (earliest..self.past.len()).rev().skip(3).step_by(2) {
            if self.past[place] == self.position.key() {
                times += 1;
                if place > self.past_of_root || times == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// What the table makes sure of, if it is enough for this window.
    fn score_from_table(
        &self,
        entry: Entry,
        depth: i32,
        ply: usize,
        window: Window,
    ) -> Option<Score> {
        let score = entry.score.seen_earlier(ply as i32);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= window.beta,
            Bound::AtMost => score <= window.alpha,
        };
        let trusted = self.position.halfmove_clock() <= CLOCK_TRUSTED_MAX;
        (decides && trusted && i32::from(entry.depth) >= depth).then_some(score)
    }

    /// The legal moves that are wanted, to be taken out in the order of promise. What is left is to be
    /// [put back](Tree::put_back).
    pub(super) fn ordered_moves(
        &mut self,
        ply: usize,
        first: Option<Move>,
        wanted: impl Fn(&Position, Move) -> bool,
    ) -> OrderedMoves {
        self.position.legal_moves_into(&mut self.legal);
        let mut moves = std::mem::take(&mut self.plies[ply].moves);
        let killers = self.plies[ply].killers;
        let priorities = Priorities { first, killers, history: &self.history };
        let wanted = self.legal.iter().copied().filter(|&mv| wanted(&self.position, mv));
        moves.fill(&self.position, wanted, &priorities);
        moves
    }

    /// Gives back a list, so that the next at this ply needs no memory of its own.
    pub(super) fn put_back(&mut self, ply: usize, moves: OrderedMoves) {
        self.plies[ply].moves = moves;
    }

    /// Whether the moves that were ordered last came from none.
    pub(super) fn has_no_legal_move(&self) -> bool {
        self.legal.is_empty()
    }

    /// The best line of this ply is this move and the best line behind it.
    pub(super) fn lengthen_line(&mut self, ply: usize, mv: Move) {
        let (before, behind) = self.plies.split_at_mut(ply + 1);
        let line = &mut before[ply].line;
        line.clear();
        line.push(mv);
        line.extend_from_slice(&behind[0].line);
    }

    /// Nothing is known of the line from here.
    pub(super) fn clear_line(&mut self, ply: usize) {
        self.plies[ply].line.clear();
    }

    fn remember_refutation(&mut self, mv: Move, depth: i32, ply: usize) {
        let [first, second] = &mut self.plies[ply].killers;
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
        self.history.reward(self.position.turn(), mv, depth);
    }
}

/// What is still asked of a position: whether it is worth more than alpha, and less than beta.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// Whether the exact score is asked for, and not only whether it is more.
    fn is_open(self) -> bool {
        self.beta > self.alpha.next()
    }

    /// The window without scores that no position at this ply can have.
    fn within(self, ply: usize) -> Window {
        Window {
            alpha: self.alpha.max(Score::mated_after(ply)),
            beta: self.beta.min(Score::mating_after(ply + 1)),
        }
    }
}

/// The same question put to the other side.
impl std::ops::Neg for Window {
    type Output = Window;

    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// How late a move comes among its siblings.
#[derive(Clone, Copy)]
struct Late {
    index: usize,
    is_quiet: bool,
}

impl Late {
    /// By how many plies less the move is searched at first; `after` is the position behind it.
    fn reduction(self, depth: i32, after: &Position) -> i32 {
        if depth < 3 || self.index < 4 || !self.is_quiet || after.is_check() {
            return 0;
        }
        1 + i32::from(depth >= 6 && self.index >= 12)
    }
}

/// Whether a move neither captures nor promotes.
pub(super) fn is_quiet(position: &Position, mv: Move) -> bool {
    super::order::captured(position, mv).is_none() && mv.promotion_role().is_none()
}

/// Whether the mover has more than king, pawns and one piece.
fn has_pieces_to_spare(position: &Position) -> bool {
    let board = position.board();
    let pawns_and_king = board.role(Role::Pawn) | board.role(Role::King);
    board.color(position.turn()).without(pawns_and_king).many()
}
