//! Article 3.8.2, and castling in Chess960: rights, what prevents it for a while, and where the pieces
//! go.

use crate::{after, assert_illegal, assert_legal, code, count, play};

mod article_3_8_2 {
    use super::*;

    /// FIDE 3.8.2: the king two squares towards the rook, the rook to the square the king crossed.
    #[test]
    fn king_and_rook_move_together() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(after(fen, "e1g1"), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
        assert_eq!(after(fen, "e1c1"), "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        assert_eq!(after(fen, "e8g8"), "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 1 2");
        assert_eq!(after(fen, "e8c8"), "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 1 2");
    }

    /// FIDE 3.8.2: it counts as one move of the king, so the halfmove clock goes on.
    #[test]
    fn castling_is_one_move() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 30 50";
        assert_eq!(after(fen, "e1g1"), "4k3/8/8/8/8/8/8/5RK1 b - - 31 50");
    }
}

mod article_3_8_2_1 {
    use super::*;

    const ALL_RIGHTS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    /// FIDE 3.8.2.1.1: for good, even when the king has come back.
    #[test]
    fn a_king_that_has_moved_has_lost_both_rights() {
        assert_eq!(after(ALL_RIGHTS, "e1e2 e8e7 e2e1 e7e8"), "r3k2r/8/8/8/8/8/8/R3K2R w - - 4 3");
        assert_illegal("r3k2r/8/8/8/8/8/8/R3K2R w - - 4 3", "e1g1 e1c1");
    }

    /// FIDE 3.8.2.1.2: with the rook that has moved, and with no other.
    #[test]
    fn a_rook_that_has_moved_has_lost_its_right() {
        assert_eq!(after(ALL_RIGHTS, "h1g1 a8b8 g1h1 b8a8"), "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 4 3");
        assert_legal("r3k2r/8/8/8/8/8/8/R3K2R w Qk - 4 3", "e1c1");
        assert_illegal("r3k2r/8/8/8/8/8/8/R3K2R w Qk - 4 3", "e1g1");
    }

    /// FIDE 3.8.2.1, R2: the right is the rook's own; another rook on its square does not have it.
    #[test]
    fn a_captured_rook_takes_its_right_along() {
        let fen = "4k3/8/8/8/4b3/8/8/R3K2R b KQ - 0 1";
        assert_eq!(after(fen, "e4h1"), "4k3/8/8/8/8/8/8/R3K2b w Q - 0 2");
        let fen = "4k3/8/8/8/4b3/8/7R/R3K2R b KQ - 0 1";
        assert_eq!(after(fen, "e4h1 h2h1 e8e7"), "8/4k3/8/8/8/8/8/R3K2R w Q - 1 3");
        assert_illegal("8/4k3/8/8/8/8/8/R3K2R w Q - 1 3", "e1g1");
    }

    /// R2: one corner rook takes the other, and two rights are gone.
    #[test]
    fn a_rook_that_captures_a_rook_ends_both_rights() {
        assert_eq!(after(ALL_RIGHTS, "h1h8"), "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1");
    }

    /// R2: a pawn that promotes on the corner captures a rook like any other piece.
    #[test]
    fn a_promotion_that_captures_a_rook_ends_its_right() {
        let fen = "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1";
        assert_eq!(after(fen, "b7a8n"), "N3k3/8/8/8/8/8/8/4K3 b - - 0 1");
    }

    /// FIDE 3.8.2.1: a right is no question of what stands between.
    #[test]
    fn other_moves_leave_the_rights_alone() {
        let fen = "r3k2r/p7/8/8/8/8/7P/RN2K1NR w KQkq - 0 1";
        assert_eq!(after(fen, "h2h4 a7a5 b1c3 e8g8"), "r4rk1/8/8/p7/7P/2N5/8/R3K1NR w KQ - 2 3");
    }
}

mod article_3_8_2_2 {
    use super::*;

    /// FIDE 3.8.2.2.1: the rook on e8 attacks the king.
    #[test]
    fn castling_out_of_check_is_illegal() {
        assert_illegal("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1 e1c1");
    }

    /// FIDE 3.8.2.2.1: the rook on f3 attacks f1, which the king would cross; the other side is free.
    #[test]
    fn castling_across_an_attacked_square_is_illegal() {
        let fen = "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1";
        assert_illegal(fen, "e1g1");
        assert_legal(fen, "e1c1");
    }

    /// FIDE 3.8.2.2.1: the rook on g3 attacks g1, where the king would arrive.
    #[test]
    fn castling_into_check_is_illegal() {
        assert_illegal("4k3/8/8/8/8/6r1/8/4K2R w K - 0 1", "e1g1");
        assert_illegal("4k3/8/8/8/8/8/7p/4K2R w K - 0 1", "e1g1");
        assert_illegal("4k2r/7P/8/8/8/8/8/4K3 b k - 0 1", "e8g8");
    }

    /// FIDE 3.8.2.2.1 speaks of the king's squares only: b1 and the rooks themselves may be attacked.
    #[test]
    fn an_attacked_rook_or_its_way_prevents_nothing() {
        assert_legal("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1");
        assert_legal("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1 e1g1");
    }

    /// FIDE 3.8.2.2.2: any piece between, of either side.
    #[test]
    fn castling_over_a_piece_is_illegal() {
        assert_illegal("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", "e1g1 e1c1");
        assert_illegal("4k3/8/8/8/8/8/8/R2BKB1R w KQ - 0 1", "e1g1 e1c1");
        assert_illegal("4k3/8/8/8/8/8/8/Rn2K1nR w KQ - 0 1", "e1g1 e1c1");
    }

    /// FIDE 3.8.2.2: what prevents castling passes, and the right is still there.
    #[test]
    fn castling_is_possible_again_when_the_hindrance_is_gone() {
        let fen = "4k3/8/8/8/8/5r2/P7/4K2R w K - 0 1";
        assert_illegal(fen, "e1g1");
        assert_eq!(after(fen, "a2a3 f3a3 e1g1"), "4k3/8/8/8/8/r7/8/5RK1 b - - 1 2");
    }
}

mod chess960_r8 {
    use super::*;
    use touchmove::{Move, Square, UciMode, UciMove};

    /// R2, R8: king and rook go to the squares of standard castling, wherever they come from.
    #[test]
    fn the_destinations_are_those_of_standard_chess() {
        let fen = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1";
        assert_eq!(after(fen, "e1g1"), "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1");
        assert_eq!(after(fen, "e1b1"), "4k3/8/8/8/8/8/8/2KR2R1 b - - 1 1");
        let fen = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1";
        assert_eq!(after(fen, "b1h1"), "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
        assert_eq!(after(fen, "b1a1"), "4k3/8/8/8/8/8/8/2KR3R b - - 1 1");
    }

    /// R8: king and rook exchange squares.
    #[test]
    fn king_and_rook_may_exchange_squares() {
        let fen = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
        assert_eq!(after(fen, "f1g1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }

    /// R8: the king stands on g1 already; the rook jumps over it.
    #[test]
    fn the_king_may_stay_where_it_is() {
        let fen = "4k3/8/8/8/8/8/8/6KR w H - 0 1";
        assert_eq!(after(fen, "g1h1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }

    /// R8: the rook stands on d1 already; the king jumps over it.
    #[test]
    fn the_rook_may_stay_where_it_is() {
        let fen = "4k3/8/8/8/8/8/8/3RK3 w D - 0 1";
        assert_eq!(after(fen, "e1d1"), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
    }

    /// R8: a piece on the way of either is in the way, one that neither needs is not.
    #[test]
    fn every_square_king_or_rook_needs_must_be_empty() {
        assert_illegal("4k3/8/8/8/8/8/8/RN4KB w A - 0 1", "g1a1");
        assert_illegal("4k3/8/8/8/8/8/8/1KN4R w H - 0 1", "b1h1");
        assert_illegal("4k3/8/8/8/8/8/8/1R1NK3 w B - 0 1", "e1b1");
        assert_legal("4k3/8/8/8/8/8/8/N1R1K3 w C - 0 1", "e1c1");
    }

    /// R8: only the two that castle may stand on the way.
    #[test]
    fn the_other_rook_is_in_the_way_like_any_piece() {
        assert_illegal("4k3/8/8/8/8/8/8/1K3R1R w H - 0 1", "b1h1");
    }

    /// R8: the king passes over c1, d1, e1 and f1; the rook on d8 attacks one of them.
    #[test]
    fn every_square_the_king_crosses_must_be_safe() {
        assert_illegal("3rk3/8/8/8/8/8/8/1K5R w H - 0 1", "b1h1");
        assert_legal("r3k3/8/8/8/8/8/8/1K5R w H - 0 1", "b1h1");
    }

    /// R8: with the rook gone from b1, the rook on a1 attacks the king on c1.
    #[test]
    fn the_kings_destination_is_judged_with_both_pieces_moved() {
        let fen = "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1";
        assert_illegal(fen, "d1b1");
        assert_eq!(code(fen, "d1b1"), "castling-ends-attacked");
        assert_illegal("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "c1b1");
    }

    /// R2, R6: of two rooks on one side the right is that of one, and the other may move.
    #[test]
    fn a_right_belongs_to_one_rook() {
        let fen = "4k3/8/8/8/8/8/8/4K1RR w G - 0 1";
        assert_eq!(count(fen), 21);
        assert_eq!(after(fen, "h1h2"), "4k3/8/8/8/8/8/7R/4K1R1 b K - 1 1");
        assert_eq!(after(fen, "g1g2"), "4k3/8/8/8/8/8/6R1/4K2R b - - 1 1");
    }

    /// R2: standard chess is one setting of the same code.
    #[test]
    fn a_standard_position_castles_in_chess960_mode_too() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let position = play(start, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
        let text: UciMove = "e1h1".parse().unwrap();
        let castles = Move::castling(Square::E1, Square::H1).unwrap();
        assert_eq!(text.resolve(&position, UciMode::Chess960), Ok(castles));
    }
}
