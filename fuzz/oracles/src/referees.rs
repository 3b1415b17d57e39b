//! Who knows the rules: one interface for every program and every way of computing legality.
//!
//! A referee answers questions about one position and its past. It never judges another; comparing
//! is the business of oracles and of the descent.

use std::fmt;

use ::touchmove::{Color, Move, UciMode};

mod copy;
mod cozy;
pub mod differences;
mod liar;
mod naive;
mod ours;
mod shakmaty;
mod touchmove;
mod trial;
mod uci;

pub use self::copy::{ByCopy, Copy};
pub use self::cozy::CozyChess;
pub use self::liar::{Liar, Lie, WrongList};
pub use self::naive::Naive;
pub use self::ours::{Ours, Route};
pub use self::shakmaty::Shakmaty;
pub(crate) use self::shakmaty::{to_move as shakmaty_move, to_setup as shakmaty_setup};
pub use self::touchmove::{Fast, Touchmove};
pub use self::trial::{ByTrial, Trial};
pub use self::uci::{Uci, UciCommand, UciCommandError, end_all_engines};

/// A program that knows the rules of chess, holding one position and the moves that led to it.
pub trait Referee {
    /// The name under which results are reported: `shakmaty`, `uci:stockfish`.
    fn name(&self) -> &str;

    /// Sets up a position, written as a FEN of six fields; what was set up or played before is forgotten.
    fn set(&mut self, fen: &str, mode: UciMode) -> Result<(), Silence>;

    /// Plays a move that the referee itself lists as legal.
    ///
    /// A move that it does not list is [`Silence::Failed`], never played.
    fn play(&mut self, mv: Move) -> Result<(), Silence>;

    /// Takes the last played move back, by the referee's own unmake where it has one.
    ///
    /// # Panics
    ///
    /// When no move is left to take back.
    fn take_back(&mut self) -> Result<(), Silence>;

    /// The legal moves, in any order.
    fn legal_moves(&mut self) -> Result<Vec<Move>, Silence>;

    /// Whose turn it is and how the game stands.
    fn status(&mut self) -> Result<Status, Silence>;

    /// The position as a FEN of six fields, the en passant square only where such a capture is legal.
    fn fen(&mut self) -> Result<String, Silence>;

    /// For each legal move the number of move paths of this length that begin with it; the length is
    /// 1 or more, each count is that of `depth - 1` plies.
    fn divide(&mut self, depth: u32) -> Result<Vec<(Move, u64)>, Silence>;

    /// The number of move paths of this length; 1 for length 0.
    fn perft(&mut self, depth: u32) -> Result<u64, Silence> {
        match depth {
            0 => Ok(1),
            _ => Ok(total(self.divide(depth)?.into_iter().map(|(_, nodes)| nodes))),
        }
    }
}

/// The sum of counts (R24).
///
/// # Panics
///
/// When it exceeds 2⁶⁴ − 1.
pub fn total(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, |sum, count| sum.checked_add(count).expect("fewer than 2^64 paths"))
}

/// How the game stands, as far as the position alone says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// Whose turn it is.
    pub turn: Color,
    /// Whether that side is in check.
    pub check: bool,
    /// Whether it has no legal move.
    pub stuck: bool,
}

impl Status {
    /// FIDE 5.1.1: in check and without a legal move.
    pub fn is_checkmate(self) -> bool {
        self.check && self.stuck
    }

    /// FIDE 5.2.1: not in check and without a legal move.
    pub fn is_stalemate(self) -> bool {
        !self.check && self.stuck
    }
}

/// Why a referee has no answer. Neither is ever a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Silence {
    /// It cannot hold such a position, and says why.
    Abstains(String),
    /// It died, hung, answered in another format, or broke its own rules: its last words.
    Failed(String),
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Silence::Abstains(why) => write!(f, "abstains: {why}"),
            Silence::Failed(words) => write!(f, "failed: {words}"),
        }
    }
}

impl std::error::Error for Silence {}
