//! Which moves there are, and how many paths of them. What a move changes is not known here.

use touchmove::{Move, PromotionRole};

use super::board::{Man, Spot, back_rank, forward, opponent};
use super::situation::{Right, Situation};

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const ASLANT: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ROUND: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const JUMPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const PROMOTIONS: [PromotionRole; 4] =
    [PromotionRole::Queen, PromotionRole::Rook, PromotionRole::Bishop, PromotionRole::Knight];

impl Situation {
    /// Moves that do not leave the own king attacked (FIDE 3.9.2): play each on a copy and look.
    pub(super) fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| !self.after(mv).king_is_attacked(self.turn));
        moves
    }

    pub(super) fn paths(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves().len() as u64,
            _ => self.legal_moves().into_iter().map(|mv| self.after(mv).paths(depth - 1)).sum(),
        }
    }

    fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        for from in Spot::all() {
            match self.at(from).filter(|piece| piece.color == self.turn).map(|piece| piece.man) {
                None => {}
                Some(Man::Pawn) => self.pawn_moves(from, &mut moves),
                Some(Man::Knight) => self.walk(from, &JUMPS, 1, &mut moves),
                Some(Man::Bishop) => self.walk(from, &ASLANT, 7, &mut moves),
                Some(Man::Rook) => self.walk(from, &STRAIGHT, 7, &mut moves),
                Some(Man::Queen) => self.walk(from, &ROUND, 7, &mut moves),
                Some(Man::King) => {
                    self.walk(from, &ROUND, 1, &mut moves);
                    self.castlings(from, &mut moves);
                }
            }
        }
        moves
    }

    /// So many steps in each direction, up to the edge, before an own piece, or onto an enemy one.
    fn walk(&self, from: Spot, directions: &[(i8, i8)], steps_max: u8, moves: &mut Vec<Move>) {
        for &direction in directions {
            let mut here = from;
            for _ in 0..steps_max {
                let Some(to) = here.step(direction) else { break };
                let standing = self.at(to);
                if standing.is_none_or(|piece| piece.color != self.turn) {
                    moves.push(Move::normal(from.square(), to.square()));
                }
                if standing.is_some() {
                    break;
                }
                here = to;
            }
        }
    }

    /// FIDE 3.7: one step, two from where it started, aslant to capture, and en passant.
    fn pawn_moves(&self, from: Spot, moves: &mut Vec<Move>) {
        let ahead = forward(self.turn);
        if let Some(one) = from.step((0, ahead)).filter(|&one| self.at(one).is_none()) {
            self.pawn_arrives(from, one, moves);
            let is_first_move = from.rank == back_rank(self.turn) + ahead;
            let two = one.step((0, ahead)).filter(|&two| is_first_move && self.at(two).is_none());
            moves.extend(two.map(|two| Move::normal(from.square(), two.square())));
        }
        for to in [-1, 1].into_iter().filter_map(|aside| from.step((aside, ahead))) {
            match self.at(to) {
                Some(piece) if piece.color != self.turn => self.pawn_arrives(from, to, moves),
                None if self.is_en_passant(from, to) => {
                    moves.push(Move::en_passant(from.square(), to.square()));
                }
                _ => {}
            }
        }
    }

    /// FIDE 3.7.3.1: the square was passed by an enemy pawn, which now stands beside this one.
    fn is_en_passant(&self, from: Spot, to: Spot) -> bool {
        let beside = Spot { file: to.file, rank: from.rank };
        self.passed == Some(to) && self.has(beside, opponent(self.turn), Man::Pawn)
    }

    /// FIDE 3.7.3.3: on the last rank a pawn becomes one of four.
    fn pawn_arrives(&self, from: Spot, to: Spot, moves: &mut Vec<Move>) {
        let (from, to, last_rank) = (from.square(), to.square(), back_rank(opponent(self.turn)));
        if Spot::of(to).rank == last_rank {
            moves.extend(PROMOTIONS.map(|role| Move::promotion(from, to, role)));
        } else {
            moves.push(Move::normal(from, to));
        }
    }

    fn castlings(&self, king: Spot, moves: &mut Vec<Move>) {
        for right in self.rights.into_iter().flatten() {
            if right.color == self.turn && self.castling_is_free(right, king) {
                moves.extend(Move::castling(king.square(), right.rook().square()));
            }
        }
    }

    /// FIDE 3.8.2: nothing but the two in the way of either, no attack on the king's way.
    ///
    /// The king's destination is judged here as the board stands, and once more by `legal_moves`
    /// with both moved: in Chess960 the rook may have been the king's shield.
    fn castling_is_free(&self, right: Right, king: Spot) -> bool {
        let rook = right.rook();
        let (king_to, rook_to) = right.destinations();
        let is_free = |spot| spot == king || spot == rook || self.at(spot).is_none();
        way(king, king_to).all(is_free)
            && way(rook, rook_to).all(is_free)
            && way(king, rook).all(is_free)
            && !way(king, king_to).any(|spot| self.is_attacked(spot, opponent(self.turn)))
    }
}

/// The squares of a rank from one to another, both included.
fn way(from: Spot, to: Spot) -> impl Iterator<Item = Spot> {
    let files = from.file.min(to.file)..=from.file.max(to.file);
    files.map(move |file| Spot { file, ..from })
}
