//! Who attacks which square, piece by piece. Whose turn it is does not matter.

use touchmove::Color;

use super::board::{Man, Piece, Spot, forward, opponent};
use super::situation::Situation;

impl Situation {
    /// Whether any piece of this colour attacks the square (FIDE 3.1.2): ask each of them.
    pub(super) fn is_attacked(&self, target: Spot, by: Color) -> bool {
        Spot::all().any(|from| {
            self.at(from)
                .is_some_and(|piece| piece.color == by && self.attacks(piece, from, target))
        })
    }

    pub(super) fn king_is_attacked(&self, color: Color) -> bool {
        self.find(color, Man::King).any(|king| self.is_attacked(king, opponent(color)))
    }

    /// Whether this piece, standing on `from`, attacks the target.
    fn attacks(&self, piece: Piece, from: Spot, target: Spot) -> bool {
        let (files, ranks) = (target.file - from.file, target.rank - from.rank);
        let straight = (files == 0) != (ranks == 0);
        let aslant = files.abs() == ranks.abs() && files != 0;
        match piece.man {
            Man::Pawn => files.abs() == 1 && ranks == forward(piece.color),
            Man::Knight => files.abs() * ranks.abs() == 2,
            Man::Bishop => aslant && self.is_clear(from, target),
            Man::Rook => straight && self.is_clear(from, target),
            Man::Queen => (straight || aslant) && self.is_clear(from, target),
            Man::King => files.abs().max(ranks.abs()) == 1,
        }
    }

    /// Whether nothing stands between two squares of one line.
    fn is_clear(&self, from: Spot, target: Spot) -> bool {
        let direction = ((target.file - from.file).signum(), (target.rank - from.rank).signum());
        let mut spot = from.step(direction);
        while let Some(between) = spot.filter(|&spot| spot != target) {
            if self.at(between).is_some() {
                return false;
            }
            spot = between.step(direction);
        }
        true
    }
}
