//! The best moves of a position with their scores, for a player who asks.

use touchmove::{Key, Move, Position};

use crate::score::Score;
use crate::search::{Limits, Progress, Searcher};

/// A move, what it is worth, and how the game would go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    pub(crate) mv: Move,
    pub(crate) score: Score,
    pub(crate) line: Vec<Move>,
}

impl Hint {
    /// The move.
    pub const fn mv(&self) -> Move {
        self.mv
    }

    /// What it is worth to the player who makes it. [`Score::mate`] is the distance of a mate.
    pub const fn score(&self) -> Score {
        self.score
    }

    /// The moves that are best for both, this one first. A line that mates goes up to the mate.
    pub fn line(&self) -> &[Move] {
        &self.line
    }
}

impl Searcher {
    /// The best legal moves, at most `hints_max`, the best first; of equals the one found first.
    ///
    /// All of them are searched to the same depth, the last for which the limits left time; where they
    /// left none, they are judged by the look of the board after the move. `past` is as in
    /// [`Chooser::choose`](crate::Chooser::choose); `on_depth` is told of each finished depth.
    ///
    /// ```
    /// use touchmove::Position;
    /// use touchmove_chooser::{Limits, Searcher};
    ///
    /// let position: Position = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".parse()?;
    /// let hints = Searcher::new(1).hints(&position, &[], &Limits::depth(3), 2, |_| {});
    /// assert_eq!(format!("{:?} {}", hints[0].mv(), hints[0].score()), "a1a8 mate 1");
    /// assert_eq!(hints[1].score().mate(), None);
    /// # Ok::<(), touchmove::FenError>(())
    /// ```
    pub fn hints(
        &mut self,
        position: &Position,
        past: &[Key],
        limits: &Limits<'_>,
        hints_max: usize,
        on_depth: impl FnMut(&Progress<'_>),
    ) -> Vec<Hint> {
        self.deepen(position, past, limits, hints_max, on_depth)
    }
}
