//! State: all that a FEN says, check and mate, and the key, held against shakmaty field by field.

use shakmaty::{self as sm, Chess, EnPassantMode, Position as _};
use touchmove::{Color, Key, MoveList, Position, Role, Square};

use super::rules::Rules;
use super::{Comparison, compare};
use crate::census::material_draws;

const ORACLE: &str = "state";

/// Compares everything that can be said of a position without playing on.
pub(super) fn compare_state<R: Rules>(
    rules: &R,
    position: &Position,
    legal: &MoveList,
    chess: Option<&Chess>,
) -> Comparison {
    compare(ORACLE, "key", Key::of(position), rules.key(position))?;
    let Some(chess) = chess else { return Ok(()) };
    compare_placement(position, chess)?;
    let white = position.turn() == Color::White;
    compare(ORACLE, "white to move", chess.turn().is_white(), white)?;
    let castling = position.castling().rooks().0;
    compare(ORACLE, "castling rooks", u64::from(chess.castles().castling_rights()), castling)?;
    let en_passant = position.en_passant().map(Square::index);
    let theirs = chess.ep_square(EnPassantMode::Legal).map(|square| usize::from(u8::from(square)));
    compare(ORACLE, "en passant square", theirs, en_passant)?;
    let max = u32::from(Position::CLOCK_MAX);
    let clock = u32::from(position.halfmove_clock());
    compare(ORACLE, "halfmove clock", chess.halfmoves().min(max), clock)?;
    let number = u32::from(position.move_number());
    compare(ORACLE, "move number", chess.fullmoves().get().min(max), number)?;
    compare(ORACLE, "check", chess.is_check(), position.is_check())?;
    let stuck = legal.is_empty();
    compare(ORACLE, "checkmate", stuck && chess.is_check(), position.is_checkmate())?;
    compare(ORACLE, "stalemate", stuck && !chess.is_check(), position.is_stalemate())?;
    for (ours, theirs) in [(Color::White, sm::Color::White), (Color::Black, sm::Color::Black)] {
        let insufficient = chess.has_insufficient_material(theirs);
        let by_us = position.has_insufficient_material(ours);
        compare(ORACLE, "material too little to mate", insufficient, by_us)?;
    }
    let draws = material_draws(position.board());
    compare(ORACLE, "draw by material", chess.is_insufficient_material(), !draws.is_empty())
}

fn compare_placement(position: &Position, chess: &Chess) -> Comparison {
    const ROLES: [(Role, sm::Role); 6] = [
        (Role::Pawn, sm::Role::Pawn),
        (Role::Knight, sm::Role::Knight),
        (Role::Bishop, sm::Role::Bishop),
        (Role::Rook, sm::Role::Rook),
        (Role::Queen, sm::Role::Queen),
        (Role::King, sm::Role::King),
    ];
    let (ours, theirs) = (position.board(), chess.board());
    for (role, their_role) in ROLES {
        compare(
            ORACLE,
            "squares of a role",
            u64::from(theirs.by_role(their_role)),
            ours.role(role).0,
        )?;
    }
    compare(ORACLE, "white's squares", u64::from(theirs.white()), ours.color(Color::White).0)?;
    compare(ORACLE, "black's squares", u64::from(theirs.black()), ours.color(Color::Black).0)
}
