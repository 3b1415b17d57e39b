//! Mates that come before the counters end the game: what a flag fall has to ask (FIDE 6.9, R17).
//!
//! # Why it is sound
//!
//! Between captures and pawn moves each move adds one to the halfmove clock, so a position is worth most where it is
//! come to first: going on ply by ply and by every move, each position once, is complete. A mate comes before every
//! counter (R13). What is left out when the clock has run down is drawn; a line that goes on by a capture or a pawn
//! move is held against the other proofs, and where none of them decides, nothing is claimed. A shortest line
//! meets no position twice, so a repetition ends it only where the game has met the position before, often
//! enough that once more is a draw.

use alloc::vec::Vec;

use super::closure::{Closure, Met};
use super::forced::{self, Fate};
use super::helpmate::{Found, Order, Search};
use super::{MatingChance, MatingLine, Proof, locked, material};
use crate::moves::{Move, MoveList};
use crate::piece::Color;
use crate::position::Position;

/// How many positions may be met before the clock runs down or is set back.
const POSITIONS_MAX: usize = 40_000;
/// How many may be met in all searches after it was set back.
const POSITIONS_AFTER_MAX: usize = 40_000;

/// The counters that end a game by themselves, as far as the moves to come may meet them.
///
/// ```
/// use touchmove::{AutomaticDraws, Color, MatingChance, Position};
///
/// // Black has a rook, and two plies are left before the seventy-fifth move without progress.
/// let position: Position = "8/5r2/p3k3/P7/8/1K6/8/8 w - - 148 100".parse()?;
/// let draws = AutomaticDraws::SEVENTY_FIVE_MOVES;
/// assert!(matches!(position.mating_chance(Color::Black), MatingChance::Winnable(_)));
/// let chance = position.mating_chance_before(Color::Black, &draws);
/// assert!(matches!(chance, MatingChance::Unwinnable(_)));
/// # Ok::<(), touchmove::FenError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AutomaticDraws<'a> {
    /// The halfmove clock, in plies, at which the game is drawn unless that move mates: 150 for seventy-five moves
    /// (FIDE 9.6.2), 100 where fifty end it.
    pub halfmove_clock: u16,
    /// The positions that the game has met so often that it is drawn when one of them comes once more (FIDE
    /// 9.6.1). Clocks and move numbers in them do not count.
    pub repeated: &'a [Position],
}

impl AutomaticDraws<'_> {
    /// FIDE 9.6.2, and no position met before.
    pub const SEVENTY_FIVE_MOVES: AutomaticDraws<'static> =
        AutomaticDraws { halfmove_clock: 150, repeated: &[] };

    /// Fifty moves that end the game without a claim, and no position met before.
    pub const FIFTY_MOVES: AutomaticDraws<'static> =
        AutomaticDraws { halfmove_clock: 100, repeated: &[] };

    fn repeats(&self, position: &Position) -> bool {
        self.repeated.iter().any(|met| met.is_same(position))
    }

    fn draws(&self, position: &Position) -> bool {
        position.halfmove_clock() >= self.halfmove_clock || self.repeats(position)
    }

    /// Whether a line that mates is played to its end before a counter ends it.
    fn allow(&self, start: &Position, line: &[Move]) -> bool {
        let mut position = *start;
        line.split_last().is_none_or(|(_, before_mate)| {
            before_mate.iter().all(|&mv| {
                drop(position.make(mv));
                !self.draws(&position)
            })
        })
    }
}

/// Whether `winner` can mate before a counter ends the game. The position has a legal move.
pub(super) fn chance(start: &Position, winner: Color, draws: &AutomaticDraws<'_>) -> MatingChance {
    if start.halfmove_clock() >= draws.halfmove_clock {
        return MatingChance::Unwinnable(Proof::Counters);
    }
    match search(start, winner, draws, POSITIONS_MAX) {
        Found::Mate(line) if draws.allow(start, &line) => {
            return MatingChance::Winnable(MatingLine { moves: line, ending: None });
        }
        Found::Nothing if draws.repeated.is_empty() => {
            return MatingChance::Unwinnable(Proof::Exhausted);
        }
        Found::Nothing => return MatingChance::Unwinnable(Proof::Counters),
        _ => {}
    }
    Plies::from(start, winner, draws).chance()
}

/// A search that may take longer than the counters allow.
fn search(
    start: &Position,
    winner: Color,
    draws: &AutomaticDraws<'_>,
    positions_max: usize,
) -> Found {
    let forbidden = |position: &Position| draws.repeats(position) && !position.is_checkmate();
    let order = Order::Promising;
    Search { winner, order, positions_max, theorems: false, forbidden: &forbidden }.from(start)
}

/// All that may happen before the clock runs down, ply by ply.
struct Plies<'a> {
    winner: Color,
    draws: &'a AutomaticDraws<'a>,
    plies_left: u16,
    closure: Closure,
    /// Come to by a capture or a pawn move, and not decided.
    set_back: Vec<Met>,
}

/// Why going on ply by ply ended early.
enum Stop {
    Mate(Met),
    TooMany,
}

impl<'a> Plies<'a> {
    fn from(start: &Position, winner: Color, draws: &'a AutomaticDraws<'a>) -> Plies<'a> {
        let plies_left = draws.halfmove_clock - start.halfmove_clock();
        Plies { winner, draws, plies_left, closure: Closure::from(*start), set_back: Vec::new() }
    }

    fn chance(mut self) -> MatingChance {
        let mut front = alloc::vec![0];
        while !front.is_empty() && self.plies_left > 0 {
            self.plies_left -= 1;
            front = match self.next_front(&front) {
                Ok(next) => next,
                Err(Stop::Mate(met)) => {
                    let moves = self.closure.line_to(met);
                    return MatingChance::Winnable(MatingLine { moves, ending: None });
                }
                Err(Stop::TooMany) => return MatingChance::NotProven,
            };
        }
        self.chance_after_set_back()
    }

    /// The positions one ply further; at the end of the clock there are none.
    fn next_front(&mut self, front: &[Met]) -> Result<Vec<Met>, Stop> {
        let mut next = Vec::new();
        let mut moves = MoveList::new();
        for &met in front {
            self.closure.position(met).legal_moves_into(&mut moves);
            for &mv in moves.iter() {
                let mut after = *self.closure.position(met);
                drop(after.make(mv));
                let Some(new) = self.closure.meet(after, Some((met, mv))) else { continue };
                if after.turn() != self.winner && after.is_checkmate() {
                    return Err(Stop::Mate(new));
                }
                if self.closure.len() >= POSITIONS_MAX {
                    return Err(Stop::TooMany);
                }
                if after.halfmove_clock() == 0 {
                    if !self.is_hopeless(&after) {
                        self.set_back.push(new);
                    }
                } else if self.plies_left > 0
                    && !self.draws.repeats(&after)
                    && !material::cannot_mate(after.board(), self.winner)
                {
                    next.push(new);
                }
            }
        }
        Ok(next)
    }

    fn is_hopeless(&self, position: &Position) -> bool {
        material::cannot_mate(position.board(), self.winner)
            || matches!(forced::fate(position, self.winner, 100), Fate::Unwinnable)
            || locked::is_proven(position, locked::only(self.winner))
    }

    /// What the searches say of each line that a capture or a pawn move set back.
    fn chance_after_set_back(self) -> MatingChance {
        let mut positions_left = POSITIONS_AFTER_MAX;
        let mut is_decided = true;
        for &met in &self.set_back {
            let start = self.closure.position(met);
            let positions_max = positions_left.min(POSITIONS_AFTER_MAX / 4);
            positions_left -= positions_max;
            match search(start, self.winner, self.draws, positions_max) {
                Found::Mate(line) if self.draws.allow(start, &line) => {
                    let mut moves = self.closure.line_to(met);
                    moves.extend(line);
                    return MatingChance::Winnable(MatingLine { moves, ending: None });
                }
                Found::Nothing => positions_left += positions_max,
                _ => is_decided = false,
            }
        }
        match is_decided {
            true => MatingChance::Unwinnable(Proof::Counters),
            false => MatingChance::NotProven,
        }
    }
}
