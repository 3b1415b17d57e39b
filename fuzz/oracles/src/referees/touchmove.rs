//! The engine by its fast route: the one that all others judge.

use ::touchmove::{MoveList, Position};

use super::ours::{Ours, Route};

/// Checkers, pins and target squares; nothing touched.
#[derive(Debug)]
pub struct Fast;

impl Route for Fast {
    const NAME: &'static str = "touchmove";

    fn legal_moves(position: &mut Position) -> MoveList {
        position.legal_moves()
    }
}

/// The engine by its fast route.
pub type Touchmove = Ours<Fast>;
