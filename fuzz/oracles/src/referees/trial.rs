//! The engine by definition: make, look at the king, unmake.

use ::touchmove::{MoveList, Position};

use super::ours::{Ours, Route};

/// Every pseudo-legal move is tried on the position itself.
#[derive(Debug)]
pub struct ByTrial;

impl Route for ByTrial {
    const NAME: &'static str = "trial";

    fn legal_moves(position: &mut Position) -> MoveList {
        position.legal_moves_by_trial()
    }
}

/// The engine by its trial route.
pub type Trial = Ours<ByTrial>;
