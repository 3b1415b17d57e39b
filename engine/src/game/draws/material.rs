//! What the pieces on the board rule out, wherever they stand.
//!
//! # Why it is sound
//!
//! Each kind of material below is closed: no legal move leads out of it but into another one of which the
//! same is true. And in none of them does a legal move of the would-be winner mate:
//!
//! - A **bare king** never attacks a king.
//! - A **single knight against king and queens**: the checker is the knight, so each square around the king
//!   is attacked by the winner or holds a queen. In all such placements some queen takes the knight; a
//!   test goes through every one.
//! - **Bishops, where every bishop of both sides stands on squares of one colour** and there is no knight and
//!   no pawn. Say the king on k is checked along the diagonal (dx, dy). A bishop's move never uncovers a second
//!   bishop's check, as both lines through k would have to be its own, so there is one checker. The squares
//!   k + (dx, 0) and k + (0, dy) are on the board and of the other colour. A king that attacked both would
//!   stand beside k, so on one of them stands a piece of the loser, which by its colour is no bishop:
//!   a rook or queen. Nothing pins it, since bishops pin on squares of k's colour only, and it steps to
//!   k + (dx, dy), which is on the way of the check: a capture, or a piece put between.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::piece::{Color, Role};

/// The squares of a1's colour.
const DARK_SQUARES: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// Whether no legal move of `winner`, now or later, mates: by what is on the board alone.
///
/// A mate that is on the board already may be denied; only set-ups have one here (two bishops checking at once).
#[inline]
pub(super) fn cannot_mate(board: &Board, winner: Color) -> bool {
    let theirs = board.color(!winner);
    let ours = board.color(winner).without(board.role(Role::King));
    if ours.is_empty() {
        return true;
    }
    let knights = board.role(Role::Knight);
    if (ours & !knights).is_empty() {
        let court = board.role(Role::King) | board.role(Role::Queen);
        return !ours.many() && theirs.without(court).is_empty();
    }
    let bishops = board.role(Role::Bishop);
    (ours & !bishops).is_empty()
        && (knights | board.role(Role::Pawn)).is_empty()
        && ((bishops & DARK_SQUARES).is_empty() || bishops.without(DARK_SQUARES).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{Slider, Stepper};
    use crate::square::Square;

    fn board(fen: &str) -> Board {
        *fen.parse::<crate::Position>().unwrap().board()
    }

    #[test]
    fn a_minor_piece_mates_only_with_the_losers_help() {
        let table = [
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true, true),
            ("8/8/4k3/8/8/3K4/8/5B2 w - - 0 1", true, true),
            ("8/8/4k3/8/8/3K4/8/5N2 w - - 0 1", true, true),
            ("8/8/4k3/8/8/3K4/8/4NN2 w - - 0 1", false, true),
            ("8/8/4k3/8/8/3K4/4n3/5N2 w - - 0 1", false, false),
            ("8/8/4k3/8/8/3K4/4q3/5N2 w - - 0 1", true, false),
            ("8/8/4k3/8/8/3K4/4q3/1q3N2 w - - 0 1", true, false),
            ("8/8/4k3/8/8/3K4/4r3/5N2 w - - 0 1", false, false),
            ("8/8/4k3/8/8/3K4/4b3/5B2 w - - 0 1", true, true),
            ("8/8/4k3/8/4b3/3K4/8/5B2 w - - 0 1", true, true),
            ("8/8/4k3/8/8/3K4/5b2/5B2 w - - 0 1", false, false),
            ("8/8/4k3/8/8/3K4/4r3/5B2 w - - 0 1", true, false),
            ("8/8/4k3/8/8/3K4/4p3/5B2 w - - 0 1", false, false),
            ("8/8/4k3/8/8/3K1B2/4B3/5B2 w - - 0 1", true, true),
            ("8/8/4k3/8/8/3K4/8/4BB2 w - - 0 1", false, true),
            ("8/8/4k3/8/8/3K4/7P/8 w - - 0 1", false, true),
        ];
        for (fen, white, black) in table {
            assert_eq!(cannot_mate(&board(fen), Color::White), white, "white: {fen}");
            assert_eq!(cannot_mate(&board(fen), Color::Black), black, "black: {fen}");
        }
    }

    /// Every king, knight and king that could be a mate, with queens where they must stand and, at will, elsewhere:
    /// a queen further away only adds captures or stands in the way, where it captures itself.
    #[test]
    fn a_knight_never_mates_a_king_among_queens() {
        let mut placements = 0;
        for king in Square::all() {
            for knight in Stepper::Knight.attacks(king) {
                for winner in Square::all() {
                    let near = Stepper::King.attacks(king);
                    if winner == king || winner == knight || near.contains(winner) {
                        continue;
                    }
                    let attacked = Stepper::Knight.attacks(knight) | Stepper::King.attacks(winner);
                    // The king would take a knight beside it, but a knight that checks is not beside it.
                    let queens = near.without(attacked);
                    let occupied = queens | king.into() | knight.into() | winner.into();
                    let takes = |queen| Slider::Queen.attacks(queen, occupied).contains(knight);
                    assert!(queens.into_iter().any(takes), "{king} {knight} {winner}");
                    placements += 1;
                }
            }
        }
        assert_eq!(placements, 18_448);
    }
}
