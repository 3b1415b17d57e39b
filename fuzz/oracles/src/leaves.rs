//! What the last plies of a perft were, by kind: the side columns of published tables.
//!
//! Those tables disagree with one another, so each column is defined here: all count moves of the last
//! ply alone.

use std::ops::AddAssign;

use touchmove::{Move, MoveKind, Position};

use crate::referees::Route;

/// The moves of the last ply of a perft, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Leaves {
    /// All moves of the last ply: the perft count.
    pub nodes: u64,
    /// Captures, en passant included. Castling is none, whatever its encoding.
    pub captures: u64,
    /// Captures en passant.
    pub en_passant: u64,
    /// Castlings.
    pub castles: u64,
    /// Promotions, each of the four counted.
    pub promotions: u64,
    /// Moves that give check, mates included.
    pub checks: u64,
    /// Moves that give mate.
    pub mates: u64,
}

impl Leaves {
    /// The leaves of `depth` plies, legal moves being found by a route. For depth 0 there is one node and no
    /// move.
    ///
    /// Every leaf is played, to see whether it gives check: several times dearer than counting.
    pub fn count<R: Route>(position: &Position, depth: u32) -> Leaves {
        let mut leaves = Leaves::default();
        match depth {
            0 => leaves.nodes = 1,
            _ => leaves.add_below::<R>(&mut position.clone(), depth),
        }
        leaves
    }

    fn add_below<R: Route>(&mut self, position: &mut Position, depth: u32) {
        for mv in R::legal_moves(position) {
            let undo = position.make(mv);
            match depth {
                1 => self.add_leaf(position, mv, undo.captured().is_some()),
                _ => self.add_below::<R>(position, depth - 1),
            }
            position.unmake(mv, undo);
        }
    }

    fn add_leaf(&mut self, after: &Position, mv: Move, is_capture: bool) {
        self.nodes += 1;
        self.captures += u64::from(is_capture);
        match mv.kind() {
            MoveKind::Normal => {}
            MoveKind::Promotion(_) => self.promotions += 1,
            MoveKind::EnPassant => self.en_passant += 1,
            MoveKind::Castling => self.castles += 1,
        }
        if after.is_check() {
            self.checks += 1;
            self.mates += u64::from(!after.has_legal_move());
        }
    }
}

impl AddAssign for Leaves {
    /// # Panics
    ///
    /// When there are more than 2⁶⁴ − 1 nodes; no other column is greater.
    fn add_assign(&mut self, other: Leaves) {
        self.nodes = self.nodes.checked_add(other.nodes).expect("fewer than 2^64 paths");
        self.captures += other.captures;
        self.en_passant += other.en_passant;
        self.castles += other.castles;
        self.promotions += other.promotions;
        self.checks += other.checks;
        self.mates += other.mates;
    }
}
