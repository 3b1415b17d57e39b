//! What it takes to be a player: an answer to a position.

use touchmove::{Key, Move, Position};

/// Somebody who chooses moves.
///
/// ```
/// use touchmove::Position;
/// use touchmove_chooser::{Chooser, RandomChooser};
///
/// let mut position = Position::default();
/// let mut past = Vec::new();
/// let mut chooser = RandomChooser::new(1);
/// for _ in 0..20 {
///     let Some(mv) = chooser.choose(&position, &past) else { break };
///     past.push(position.key());
///     let _kept = position.make(mv);
/// }
/// ```
pub trait Chooser {
    /// A legal move of the position; none exactly where there is none: in mate and stalemate.
    ///
    /// `past` are the keys of the positions before this one, the oldest first, so that repetition is seen.
    /// They may begin anywhere in the game; without them nothing counts as repeated. That a draw may be
    /// claimed is no reason not to answer.
    fn choose(&mut self, position: &Position, past: &[Key]) -> Option<Move>;
}
