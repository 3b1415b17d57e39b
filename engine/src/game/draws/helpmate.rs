//! A mate with the loser's help: the search for a line, and the proof that there is none when the search has met
//! everything.
//!
//! Both sides want the same, so this is one player's search. It goes on from the most promising position first: a
//! king short of flight squares, near a corner, the winner's king near it, the pawn that must promote far
//! advanced. Where many positions promise the same, going deep finds what going wide does not.
//!
//! # Why it is sound
//!
//! A mate found is a line of legal moves. That there is none is said only when every position met was gone on from
//! and none is left ([`closure`](super::closure)); what is left out is of hopeless [`material`] or
//! [`locked`], and a [theorem](super::theorems) says where a mate is sure without being looked for.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::closure::Closure;
use super::theorems::{self, Ending};
use super::{locked, material};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::shapes::{Pawn, Stepper};
use crate::square::Square;

/// What a search came to.
pub(super) enum Found {
    /// A line of legal moves that mates.
    Mate(Vec<Move>),
    /// A line to an ending that is won.
    Won(Vec<Move>, Ending),
    /// There is no mate.
    Nothing,
    /// As many positions were met as may be.
    Unknown,
}

/// In which order positions are gone on from.
#[derive(Clone, Copy)]
pub(super) enum Order {
    /// The most promising first.
    Promising,
    /// The deepest first, of those the more promising: one game after the other rather than all at once.
    Descending,
    /// The deepest first, in an order that looks random and is always the same.
    Shuffled,
}

/// Whether a position must not be come to, whatever comes after.
pub(super) type Forbidden<'a> = &'a dyn Fn(&Position) -> bool;

/// A search for a mate by `winner`.
pub(super) struct Search<'a> {
    pub(super) winner: Color,
    pub(super) order: Order,
    /// How many positions may be met.
    pub(super) positions_max: usize,
    /// Whether an ending that is won will do, or the mate itself is wanted.
    pub(super) theorems: bool,
    pub(super) forbidden: Forbidden<'a>,
}

impl Search<'_> {
    /// Searches from a position that has a legal move.
    pub(super) fn from(&self, start: &Position) -> Found {
        let mut closure = Closure::from(*start);
        let mut open = BinaryHeap::new();
        open.push(Reverse((0, 0, 0)));
        let mut moves = MoveList::new();
        while let Some(Reverse((_, plies, met))) = open.pop() {
            closure.position(met).legal_moves_into(&mut moves);
            for &mv in moves.iter() {
                let before = closure.position(met);
                let mut after = *before;
                let is_irreversible = after.make(mv).captured().is_some()
                    || mv.kind() != MoveKind::Normal
                    || before.board().role(Role::Pawn).contains(mv.from());
                if material::cannot_mate(after.board(), self.winner) || (self.forbidden)(&after) {
                    continue;
                }
                let Some(new) = closure.meet(after, Some((met, mv))) else { continue };
                if self.is_mate(&after) {
                    return Found::Mate(closure.line_to(new));
                }
                if is_irreversible && locked::is_proven_for(&after, self.winner) {
                    continue;
                }
                if let Some(ending) = self.theorem(&after) {
                    return Found::Won(closure.line_to(new), ending);
                }
                if closure.len() >= self.positions_max {
                    return Found::Unknown;
                }
                open.push(Reverse((self.rank(&after, plies + 1), plies + 1, new)));
            }
        }
        Found::Nothing
    }

    fn is_mate(&self, position: &Position) -> bool {
        position.turn() != self.winner && position.is_checkmate()
    }

    fn theorem(&self, position: &Position) -> Option<Ending> {
        if self.theorems { theorems::winnable(position, self.winner) } else { None }
    }

    /// The lower, the earlier the position is gone on from.
    fn rank(&self, position: &Position, plies: u32) -> u32 {
        let deepest_first = u32::MAX - (plies << 10);
        match self.order {
            Order::Promising => 2 * distance(position, self.winner) + plies / 4,
            Order::Descending => {
                deepest_first + 2 * distance(position, self.winner) + shuffled(position) / 64
            }
            Order::Shuffled => deepest_first + shuffled(position),
        }
    }
}

/// A number below 1,024 that looks random and is always the same for a position.
fn shuffled(position: &Position) -> u32 {
    (position.key().0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as u32
}

/// How far from a mate a position looks; a guess, below 500, and only that.
fn distance(position: &Position, winner: Color) -> u32 {
    let board = position.board();
    let (ours, theirs) = (board.color(winner), board.color(!winner));
    let king = position.king(!winner);
    let heavy = board.line_sliders();
    let attackers = ours & (heavy | board.role(Role::Bishop) | board.role(Role::Knight));
    let distance = 6 * escapes(position, king)
        + 3 * steps_to_corner(king)
        + 3 * steps(king, position.king(winner))
        + 2 * nearest_two(king, attackers)
        + 2 * (heavy & theirs).len();
    if (heavy & ours).any() {
        return distance;
    }
    // Without rook and queen it takes a promotion, or one of the loser's pieces beside its king.
    distance
        + promotion_distance(position, winner).unwrap_or_else(|| {
            let blockers = theirs ^ king.into();
            blockers.into_iter().map(|square| 2 * steps(square, king)).min().unwrap_or(0)
        })
}

/// How many squares a king can flee to.
fn escapes(position: &Position, king: Square) -> u32 {
    let board = position.board();
    let color = board.color_at(king).unwrap_or(position.turn());
    let without_king = board.occupied() ^ king.into();
    let is_free = |&square: &Square| {
        (board.attackers_to(square, without_king) & board.color(!color)).is_empty()
    };
    let beside = Stepper::King.attacks(king).without(board.color(color));
    beside.into_iter().filter(is_free).count() as u32
}

fn steps_to_corner(square: Square) -> u32 {
    let to_edge = |index: u32| index.min(7 - index);
    to_edge(square.file() as u32) + to_edge(square.rank() as u32)
}

/// The steps to the two nearest of some squares, together.
fn nearest_two(from: Square, squares: Bitboard) -> u32 {
    let (mut nearest, mut next) = (0, 0);
    for (nth, square) in squares.into_iter().enumerate() {
        let steps = steps(from, square);
        (nearest, next) = match nth {
            0 => (steps, 0),
            1 => (nearest.min(steps), nearest.max(steps)),
            _ if steps < nearest => (steps, nearest),
            _ => (nearest, next.min(steps)),
        };
    }
    nearest + next
}

/// How far the winner's nearest pawn is from promotion; a pawn that an enemy pawn stands before is far.
fn promotion_distance(position: &Position, winner: Color) -> Option<u32> {
    let board = position.board();
    let pawn = Pawn(winner);
    let pawns = |color| board.role(Role::Pawn) & board.color(color);
    let distance = |square: Square| {
        let to_go = (square.rank() as u32).abs_diff(pawn.promotion_rank() as u32);
        let ahead = Bitboard::from(square.file()) & forward(square, winner);
        let next = Bitboard::of(square).shift(0, pawn.direction());
        let blocked = match (ahead & pawns(!winner)).any() {
            true => 24,
            false => 8 * (next & board.occupied()).len(),
        };
        10 + 6 * to_go + blocked
    };
    pawns(winner).into_iter().map(distance).min()
}

/// The ranks in front of a square.
fn forward(square: Square, color: Color) -> Bitboard {
    let below = Bitboard((1 << (8 * square.rank() as u32)) - 1);
    match color {
        Color::White => !(below | square.rank().into()),
        Color::Black => below,
    }
}

/// A king's steps from one square to another.
fn steps(a: Square, b: Square) -> u32 {
    let files = (a.file() as u32).abs_diff(b.file() as u32);
    files.max((a.rank() as u32).abs_diff(b.rank() as u32))
}
