//! How often a position has been there (FIDE 9.2.2, 9.2.3, R4).

use alloc::vec::Vec;

use crate::game::Game;
use crate::position::Position;

impl Position {
    /// Whether both are the same for repetition (FIDE 9.2.3): placement, turn, castling rights and the legal capture en
    /// passant. Counters are no part of it.
    ///
    /// ```
    /// use touchmove::Position;
    ///
    /// let one: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
    /// assert!(one.is_same(&"4k3/8/8/8/8/8/8/R3K3 w Q - 8 5".parse()?));
    /// assert!(!one.is_same(&"4k3/8/8/8/8/8/8/R3K3 w - - 8 5".parse()?));
    /// # Ok::<(), touchmove::FenError>(())
    /// ```
    pub fn is_same(&self, other: &Position) -> bool {
        self.key() == other.key()
            && self.turn() == other.turn()
            && self.castling() == other.castling()
            && self.en_passant() == other.en_passant()
            && self.board() == other.board()
    }
}

impl Game {
    /// How often the position of now has been on the board, now included.
    pub fn repetitions(&self) -> usize {
        self.occurrences(self.position())
    }

    /// How often a position has been there, it included; it is the present one or what a move makes of that.
    ///
    /// No position comes back across a capture or a pawn's move, so that the halfmove clock says how far to look.
    pub(super) fn occurrences(&self, position: &Position) -> usize {
        let reversible = usize::from(position.halfmove_clock());
        let earlier = self.played.iter().rev().take(reversible);
        1 + earlier.filter(|ply| ply.before.is_same(position)).count()
    }

    /// The positions that end the game by themselves when they come once more.
    pub(super) fn repeated_enough(&self) -> Vec<Position> {
        let reversible = usize::from(self.position().halfmove_clock());
        let earlier = self.played.iter().rev().take(reversible).map(|ply| ply.before);
        let met: Vec<Position> = [*self.position()].into_iter().chain(earlier).collect();
        let count =
            |position: &Position| met.iter().filter(|other| other.is_same(position)).count();
        let enough = self.policy().occurrences_max() - 1;
        let mut repeated: Vec<Position> = Vec::new();
        for position in &met {
            if count(position) >= enough && !repeated.iter().any(|other| other.is_same(position)) {
                repeated.push(*position);
            }
        }
        repeated
    }
}
