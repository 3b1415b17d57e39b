//! The engine by snapshots: each move is tried on a copy, and the original is never touched.
//!
//! Some designs prefer this to unmake. It must be equal to both other routes.

use ::touchmove::{CastlingPath, Move, MoveKind, MoveList, Position};

use super::ours::{Ours, Route};

/// Every pseudo-legal move is tried on a copy of the position.
#[derive(Debug)]
pub struct ByCopy;

impl Route for ByCopy {
    const NAME: &'static str = "copy";

    fn legal_moves(position: &mut Position) -> MoveList {
        let position = &*position;
        let mut moves = position.pseudo_legal_moves();
        moves.retain(|mv| is_legal(position, mv));
        moves
    }
}

fn is_legal(position: &Position, mv: Move) -> bool {
    let mut copy = *position;
    let _never_taken_back = copy.make(mv);
    let is_barred = mv.kind() == MoveKind::Castling && is_barred(position, mv);
    !is_barred && !copy.mover_left_in_check()
}

/// FIDE 3.8.2.2: the king stands on or crosses an attacked square.
fn is_barred(position: &Position, castling: Move) -> bool {
    let path = CastlingPath::new(castling.from(), castling.to());
    let board = position.board();
    let enemies = board.color(!position.turn());
    (path.king_crosses() | path.king_from.into())
        .into_iter()
        .any(|square| (board.attackers_to(square, board.occupied()) & enemies).any())
}

/// The engine by copy and look.
pub type Copy = Ours<ByCopy>;
