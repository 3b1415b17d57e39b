//! What a move changes. Whether it is legal is not asked.

use touchmove::{Color, Move, MoveKind};

use super::board::{Man, Piece, Spot, opponent};
use super::situation::{COUNTER_MAX, Right, Situation};

impl Situation {
    pub(super) fn after(&self, mv: Move) -> Situation {
        let (from, to) = (Spot::of(mv.from()), Spot::of(mv.to()));
        let mut next = *self;
        match mv.kind() {
            MoveKind::Normal => next.shift(from, to),
            MoveKind::Promotion(role) => {
                next.put(from, None);
                next.put(to, Some(Piece { color: self.turn, man: Man::promoted(role) }));
            }
            MoveKind::EnPassant => {
                next.shift(from, to);
                next.put(Spot { file: to.file, rank: from.rank }, None);
            }
            MoveKind::Castling => next.castle(from, to),
        }
        next.passed = self.passed_by(from, to);
        next.rights = self.rights_after(from, to);
        next.count(self.has(from, self.turn, Man::Pawn), self.men() != next.men());
        next.turn = opponent(self.turn);
        next
    }

    fn shift(&mut self, from: Spot, to: Spot) {
        self.put(to, self.at(from));
        self.put(from, None);
    }

    /// Both leave the board before either returns: in Chess960 one may go where the other stood.
    fn castle(&mut self, king: Spot, rook: Spot) {
        let right =
            Right { color: self.turn, king_side: rook.file > king.file, rook_file: rook.file };
        let (king_to, rook_to) = right.destinations();
        self.put(king, None);
        self.put(rook, None);
        self.put(king_to, Some(Piece { color: self.turn, man: Man::King }));
        self.put(rook_to, Some(Piece { color: self.turn, man: Man::Rook }));
    }

    /// The square in the middle of a pawn's double step.
    fn passed_by(&self, from: Spot, to: Spot) -> Option<Spot> {
        let double = self.has(from, self.turn, Man::Pawn) && (to.rank - from.rank).abs() == 2;
        double.then_some(Spot { file: from.file, rank: (from.rank + to.rank) / 2 })
    }

    /// FIDE 3.8.2.1: a right is gone once its king or its rook has moved, or the rook was captured.
    fn rights_after(&self, from: Spot, to: Spot) -> [Option<Right>; 4] {
        let is_kept = |right: &Right| {
            let king_moves = self.has(from, right.color, Man::King);
            !king_moves && right.rook() != from && right.rook() != to
        };
        self.rights.map(|right| right.filter(is_kept))
    }

    fn men(&self) -> usize {
        self.squares.iter().flatten().flatten().count()
    }

    /// FIDE 9.3: the halfmove clock starts again with a pawn's move or a capture.
    fn count(&mut self, pawn_moved: bool, captured: bool) {
        let clock = if pawn_moved || captured { 0 } else { self.halfmove_clock + 1 };
        self.halfmove_clock = clock.min(COUNTER_MAX);
        let black_moved = u16::from(self.turn == Color::Black);
        self.move_number = (self.move_number + black_moved).min(COUNTER_MAX);
    }
}
