//! Scenes: arrangements around a king in which a rare rule is one move away.
//!
//! Random pieces hardly ever stand in one line with two pawns and a king. A scene puts them there; the
//! rest of the board stays as chance has it.

use arbitrary::{Result, Unstructured};
use touchmove::{Bitboard, Color, File, Pawn, Piece, Rank, Role, Setup, Square, between};

use super::setup::{number, put_passed_pawn};

/// Arranges a scene; most set-ups have none.
pub(super) fn arrange(setup: &mut Setup, bytes: &mut Unstructured<'_>) -> Result<()> {
    match number(bytes, 16)? {
        0 => many_queens(setup, bytes),
        1..=3 => passed_pawn_on_a_line(setup, bytes),
        4 => castling_towards_a_king(setup, bytes),
        5 => promotion_by_a_smothered_king(setup, bytes),
        _ => Ok(()),
    }
}

fn many_queens(setup: &mut Setup, bytes: &mut Unstructured<'_>) -> Result<()> {
    for _ in 0..12 {
        let square = Square::from_index(number(bytes, 64)?).expect("below 64");
        if setup.board.role_at(square).is_none() {
            setup.board.put(square, Piece { color: setup.turn, role: Role::Queen });
        }
    }
    Ok(())
}

/// A pawn that may be captured en passant, and the capturer's king on a line with one of the three squares and
/// an enemy slider at the other end.
fn passed_pawn_on_a_line(setup: &mut Setup, bytes: &mut Unstructured<'_>) -> Result<()> {
    put_passed_pawn(setup, bytes)?;
    let (mover, passer) = (setup.turn, !setup.turn);
    let Some(passed) = setup.en_passant else { return Ok(()) };
    let Some(ahead) = passed.offset(0, Pawn(passer).direction()) else { return Ok(()) };
    let capturers = Pawn(passer).attacks(passed) & setup.board.pieces(pawn(mover));
    let Some(capturer) = capturers.first() else { return Ok(()) };
    let through = [passed, ahead, capturer][usize::from(number(bytes, 3)?)];
    const DIRECTIONS: [(i8, i8); 8] =
        [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
    let (files, ranks) = DIRECTIONS[usize::from(number(bytes, 8)?)];
    let steps =
        |bytes: &mut Unstructured<'_>| Ok::<i8, arbitrary::Error>(1 + number(bytes, 4)? as i8);
    let (there, back) = (steps(bytes)?, steps(bytes)?);
    let king = through.offset(there * files, there * ranks);
    let sniper = through.offset(-back * files, -back * ranks);
    let (Some(king), Some(sniper)) = (king, sniper) else { return Ok(()) };
    let role = if files == 0 || ranks == 0 { Role::Rook } else { Role::Bishop };
    let scene = Bitboard::of(passed) | ahead.into() | capturer.into();
    let needed = scene | setup.board.pieces(Piece { color: passer, role: Role::King });
    if needed.contains(king) || needed.contains(sniper) || near(setup, king, passer) {
        return Ok(());
    }
    clear(setup, between(king, sniper).without(scene));
    move_king(setup, mover, king);
    setup.board.put(sniper, Piece { color: passer, role });
    Ok(())
}

/// The mover's king at home with both rooks, the other king far down the file on which a rook will arrive, and
/// queens on the files beside it.
fn castling_towards_a_king(setup: &mut Setup, bytes: &mut Unstructured<'_>) -> Result<()> {
    let mover = setup.turn;
    let home = |file| Square::new(file, mover.back_rank());
    let far =
        Square::new([File::D, File::F][usize::from(number(bytes, 2)?)], mover.rank(Rank::Eighth));
    clear(setup, Bitboard::rank(mover.back_rank()) | Bitboard::file(far.file()));
    move_king(setup, mover, home(File::E));
    move_king(setup, !mover, far);
    for file in [File::A, File::H] {
        setup.board.put(home(file), Piece { color: mover, role: Role::Rook });
    }
    for files in [-1, 1] {
        let down = 3 * Pawn(!mover).direction();
        if let Some(beside) = far.offset(files, down) {
            setup.board.put(beside, Piece { color: mover, role: Role::Queen });
        }
    }
    Ok(())
}

/// The other king on its second rank among its own men, and a pawn that becomes a knight two files away.
fn promotion_by_a_smothered_king(setup: &mut Setup, bytes: &mut Unstructured<'_>) -> Result<()> {
    let mover = setup.turn;
    let file = File::from_index(2 + number(bytes, 4)?).expect("below 8");
    let king = Square::new(file, mover.rank(Rank::Seventh));
    let ring = Piece { color: mover, role: Role::King }.attacks(king, Bitboard::EMPTY);
    clear(setup, ring);
    move_king(setup, !mover, king);
    for square in ring {
        let role = if number(bytes, 8)? == 0 { Role::Rook } else { Role::Bishop };
        setup.board.put(square, Piece { color: !mover, role });
    }
    let side = if number(bytes, 2)? == 0 { -2 } else { 2 };
    if let Some(from) = king.offset(side, 0) {
        clear(setup, from.offset(0, Pawn(mover).direction()).map_or(Bitboard::EMPTY, Bitboard::of));
        setup.board.put(from, pawn(mover));
    }
    Ok(())
}

fn pawn(color: Color) -> Piece {
    Piece { color, role: Role::Pawn }
}

/// Whether a square is beside the king of a colour.
fn near(setup: &Setup, square: Square, color: Color) -> bool {
    let ring = Piece { color, role: Role::King }.attacks(square, Bitboard::EMPTY);
    setup.board.king(color).is_some_and(|king| ring.contains(king))
}

fn clear(setup: &mut Setup, squares: Bitboard) {
    for square in squares.without(setup.board.role(Role::King)) {
        setup.board.remove(square);
    }
}

fn move_king(setup: &mut Setup, color: Color, to: Square) {
    if let Some(from) = setup.board.king(color) {
        setup.board.remove(from);
    }
    setup.board.put(to, Piece { color, role: Role::King });
}
