//! Legality by definition: make the move, look at the king, take the move back.

use crate::bitboard::Bitboard;
use crate::castling::CastlingPath;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::{Piece, PromotionRole, Role};
use crate::position::Position;
use crate::shapes::Pawn;
use crate::square::Square;

impl Position {
    /// The legal moves by definition (FIDE 3.9.2, R7): those pseudo-legal moves after which the
    /// mover's king is not attacked.
    ///
    /// Each is tried on this very position, and so the position is borrowed mutably: the answer costs a
    /// make and an unmake for every pseudo-legal move, and while it is worked out nobody may look. It is the
    /// definition that [`Position::legal_moves`], which touches nothing, is held against.
    pub fn legal_moves_by_trial(&mut self) -> MoveList {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|mv| self.is_legal_by_trial(mv));
        moves
    }

    /// Whether a pseudo-legal move is legal, by trying it.
    fn is_legal_by_trial(&mut self, mv: Move) -> bool {
        if mv.kind() == MoveKind::Castling && self.castling_starts_or_crosses_attack(mv) {
            return false;
        }
        let undo = self.make(mv);
        let legal = !self.mover_left_in_check();
        self.unmake(mv, undo);
        legal
    }

    /// Whether the side that has just moved stands in check, which no legal move leads to.
    ///
    /// To be asked after [`Position::make`].
    pub fn mover_left_in_check(&self) -> bool {
        self.attackers_of_king(!self.turn).any()
    }

    /// The moves that the shapes of the pieces allow, castling and en passant included, whether or not
    /// they leave the own king attacked.
    ///
    /// Castling is in the list when its right is kept and its squares are empty. What FIDE 3.8.2.2 says of
    /// attacked squares is then a question of legality.
    pub fn pseudo_legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        let own = self.board.color(self.turn);
        for from in own {
            let Some(role) = self.board.role_at(from) else { continue };
            match role {
                Role::Pawn => self.push_pawn_moves(from, &mut moves),
                _ => self.push_piece_moves(role, from, &mut moves),
            }
        }
        for rook in self.castling.rooks_of(self.turn) {
            if let Some(castling) = self.unblocked_castling(rook) {
                moves.push(castling);
            }
        }
        moves
    }

    /// Whether the move is one of [`Position::pseudo_legal_moves`], without making the list.
    pub(super) fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let own = self.board.color(self.turn);
        let Some(role) = self.board.role_at(from).filter(|_| own.contains(from)) else {
            return false;
        };
        let reached = Piece { color: self.turn, role }.moves(from, own, self.capturable_by(role));
        let is_pawn = role == Role::Pawn;
        let promotes = is_pawn && to.rank() == Pawn(self.turn).promotion_rank();
        let passes = is_pawn && self.en_passant == Some(to) && from.file() != to.file();
        match mv.kind() {
            MoveKind::Normal => reached.contains(to) && !promotes && !passes,
            MoveKind::Promotion(_) => reached.contains(to) && promotes,
            MoveKind::EnPassant => reached.contains(to) && passes,
            MoveKind::Castling => {
                self.castling.rooks_of(self.turn).contains(to)
                    && self.unblocked_castling(to) == Some(mv)
            }
        }
    }

    /// Whether castling would begin in check or cross an attacked square. Where it ends is looked at after
    /// the move, when the rook stands in its new place (R8).
    pub(super) fn castling_starts_or_crosses_attack(&self, castling: Move) -> bool {
        let path = CastlingPath::new(castling.from(), castling.to());
        let enemies = self.board.color(!self.turn);
        let occupied = self.board.occupied();
        self.is_check()
            || path
                .king_crosses()
                .into_iter()
                .any(|square| (self.board.attackers_to(square, occupied) & enemies).any())
    }

    /// What a piece of the mover may capture: the enemy, and for a pawn the en passant square.
    fn capturable_by(&self, role: Role) -> Bitboard {
        let theirs = self.board.color(!self.turn);
        match self.en_passant {
            Some(passed) if role == Role::Pawn => theirs | passed.into(),
            _ => theirs,
        }
    }

    fn push_piece_moves(&self, role: Role, from: Square, moves: &mut MoveList) {
        let own = self.board.color(self.turn);
        let piece = Piece { color: self.turn, role };
        for to in piece.moves(from, own, self.capturable_by(role)) {
            moves.push(Move::normal(from, to));
        }
    }

    fn push_pawn_moves(&self, from: Square, moves: &mut MoveList) {
        let pawn = Pawn(self.turn);
        let own = self.board.color(self.turn);
        for to in pawn.moves(from, own, self.capturable_by(Role::Pawn)) {
            if to.rank() == pawn.promotion_rank() {
                for role in PromotionRole::ALL {
                    moves.push(Move::promotion(from, to, role));
                }
            } else if self.en_passant == Some(to) && from.file() != to.file() {
                moves.push(Move::en_passant(from, to));
            } else {
                moves.push(Move::normal(from, to));
            }
        }
    }

    /// Castling with this rook, if the squares between are empty. The right is taken on trust.
    fn unblocked_castling(&self, rook: Square) -> Option<Move> {
        let king = self.king(self.turn);
        let path = CastlingPath::new(king, rook);
        let unblocked = (path.must_be_empty() & self.board.occupied()).is_empty();
        Move::castling(king, rook).filter(|_| unblocked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every code there is: castling, en passant, promotions, and what looks like one of them.
    #[test]
    fn a_move_is_pseudo_legal_exactly_when_it_is_listed() {
        for text in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "r1n1k3/1P6/8/3pP3/8/8/8/1RK4R w - d6 0 1",
        ] {
            let position: Position = text.parse().unwrap();
            let listed = position.pseudo_legal_moves();
            for mv in (0..=u16::MAX).filter_map(Move::from_code) {
                assert_eq!(position.is_pseudo_legal(mv), listed.contains(&mv), "{mv:?} in {text}");
            }
        }
    }
}
