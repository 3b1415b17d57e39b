//! What is done with legal moves as the generator finds them: listed, counted, looked for.

use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::{PromotionRole, Role};
use crate::square::Square;

/// What is done with the legal moves, as the generator finds them.
pub(crate) trait Visitor {
    /// A piece of this role, which is no pawn, may go to each of these squares.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);

    /// Pawns that go `step` further in the order of squares may arrive on these squares, and stay pawns.
    fn pawns(&mut self, step: i8, targets: Bitboard);

    /// Pawns that go `step` further arrive on these squares of the last rank.
    fn promotions(&mut self, step: i8, targets: Bitboard);

    /// A pawn may capture en passant.
    fn en_passant(&mut self, from: Square, to: Square);

    /// The king may castle with this rook.
    fn castling(&mut self, king: Square, rook: Square);

    /// Whether the rest need not be shown.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// Writes the moves into a list.
pub(crate) struct ListMoves<'a>(pub(crate) &'a mut MoveList);

impl Visitor for ListMoves<'_> {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, targets: Bitboard) {
        self.0.push_all(targets.into_iter().map(|to| Move::normal(from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        self.0.push_all(targets.into_iter().map(|to| Move::normal(origin(to, step), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            for role in PromotionRole::ALL {
                self.0.push(Move::promotion(origin(to, step), to, role));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.0.push(Move::en_passant(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        if let Some(castling) = Move::castling(king, rook) {
            self.0.push(castling);
        }
    }
}

/// Counts the moves.
pub(crate) struct CountMoves(pub(crate) u64);

impl Visitor for CountMoves {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn pawns(&mut self, _: i8, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn promotions(&mut self, _: i8, targets: Bitboard) {
        self.0 += 4 * u64::from(targets.len());
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// Asks whether there is a move at all.
pub(crate) struct AnyMove {
    pub(crate) found: bool,
}

impl Visitor for AnyMove {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.found |= targets.any();
    }

    #[inline(always)]
    fn pawns(&mut self, _: i8, targets: Bitboard) {
        self.found |= targets.any();
    }

    #[inline(always)]
    fn promotions(&mut self, _: i8, targets: Bitboard) {
        self.found |= targets.any();
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.found = true;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.found = true;
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.found
    }
}

/// Asks whether one move is among them.
pub(crate) struct ThisMove {
    pub(crate) mv: Move,
    pub(crate) found: bool,
}

impl Visitor for ThisMove {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, targets: Bitboard) {
        self.found |= self.mv.kind() == MoveKind::Normal
            && self.mv.from() == from
            && targets.contains(self.mv.to());
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        self.found |= self.mv.kind() == MoveKind::Normal
            && targets.contains(self.mv.to())
            && self.mv.from() == origin(self.mv.to(), step);
    }

    #[inline(always)]
    fn promotions(&mut self, step: i8, targets: Bitboard) {
        self.found |= matches!(self.mv.kind(), MoveKind::Promotion(_))
            && targets.contains(self.mv.to())
            && self.mv.from() == origin(self.mv.to(), step);
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.found |= self.mv == Move::en_passant(from, to);
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.found |= Some(self.mv) == Move::castling(king, rook);
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.found
    }
}

/// The square a step back.
#[inline(always)]
pub(crate) fn origin(to: Square, step: i8) -> Square {
    Square::from_masked((to as u8).wrapping_sub_signed(step))
}
