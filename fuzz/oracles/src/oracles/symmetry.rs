//! Symmetry: with colours and ranks exchanged nothing changes but the colours.

use touchmove::{Move, MoveKind, MoveList, Position};

use super::rules::Rules;
use super::{Comparison, Verdict, at_every_ply, compare};
use crate::generators::Steps;

const ORACLE: &str = "symmetry";

/// Plays a game and holds every position against its mirror image: lists, counts of two plies, check.
pub fn mirror<S: Steps, R: Rules>(steps: S, rules: &R) -> Verdict {
    at_every_ply(steps, rules, |position, legal| compare_mirrored(rules, position, legal))
}

fn compare_mirrored<R: Rules>(rules: &R, position: &Position, legal: &MoveList) -> Comparison {
    let Ok(mirrored) = position.to_setup().flip().validate() else {
        return compare(ORACLE, "the mirror image is a position", true, false);
    };
    let mut theirs = MoveList::new();
    rules.legal_moves_into(&mirrored, &mut theirs);
    let mut flipped: Vec<Move> = legal.iter().map(|&mv| flip(mv)).collect();
    let mut theirs: Vec<Move> = theirs.to_vec();
    flipped.sort_unstable();
    theirs.sort_unstable();
    compare(ORACLE, "legal moves of the mirror image", flipped, theirs)?;
    compare(ORACLE, "check in the mirror image", position.is_check(), mirrored.is_check())?;
    let (one, other) = (rules.perft(position, 2), rules.perft(&mirrored, 2));
    compare(ORACLE, "two plies of the mirror image", one, other)
}

fn flip(mv: Move) -> Move {
    let (from, to) = (mv.from().flip(), mv.to().flip());
    match mv.kind() {
        MoveKind::Normal => Move::normal(from, to),
        MoveKind::Promotion(role) => Move::promotion(from, to, role),
        MoveKind::EnPassant => Move::en_passant(from, to),
        MoveKind::Castling => Move::castling(from, to).expect("two squares stay two"),
    }
}
