//! Articles 3.1 to 3.8.1: how each piece moves.

use crate::{after, assert_illegal, assert_legal, count, legal_moves, position, resolve, targets};

mod article_3_1 {
    use super::*;
    use touchmove::{Bitboard, Color, Piece, Role, Square};

    /// FIDE 3.1: the knight on c3 and the bishop on b2 are White's own.
    #[test]
    fn a_piece_does_not_go_to_a_square_of_its_own_side() {
        assert_illegal("4k3/8/8/8/8/2N5/1B6/R3K3 w - - 0 1", "a1e1 b2c3 e1e1");
    }

    /// FIDE 3.1.1: what stood on the target is gone.
    #[test]
    fn a_captured_piece_is_removed_from_the_board() {
        assert_eq!(
            after("4k3/8/8/3n4/8/8/8/3RK3 w - - 7 9", "d1d5"),
            "4k3/8/8/3R4/8/8/8/4K3 b - - 0 9"
        );
    }

    /// FIDE 3.1.2: an attack reaches the piece that a capture would remove, and nothing behind it.
    #[test]
    fn a_piece_attacks_what_it_could_capture() {
        let rook = Piece { color: Color::White, role: Role::Rook };
        let occupied: Bitboard = [Square::A4, Square::A6].into_iter().collect();
        let attacked = rook.attacks(Square::A1, occupied);
        assert!(attacked.contains(Square::A4));
        assert!(!attacked.contains(Square::A5));
    }

    /// FIDE 3.1.3: the rook on e2 is pinned by the rook on e1, and still keeps the king off the second rank.
    #[test]
    fn a_pinned_piece_attacks_squares_it_may_not_go_to() {
        assert_eq!(targets("8/8/8/8/8/4k3/4r3/4R1K1 w - - 0 1", "g1"), "f1 h1");
        assert_eq!(targets("8/8/8/8/8/4k3/4r3/4R1K1 b - - 0 1", "e2"), "e1");
    }
}

mod article_3_2 {
    use super::*;

    /// FIDE 3.2: along any diagonal on which it stands.
    #[test]
    fn a_bishop_goes_along_its_diagonals() {
        assert_eq!(
            targets("6k1/8/8/8/3B4/8/8/7K w - - 0 1", "d4"),
            "a1 a7 b2 b6 c3 c5 e3 e5 f2 f6 g1 g7 h8"
        );
    }

    /// FIDE 3.2: neither along file nor rank.
    #[test]
    fn a_bishop_does_not_go_straight() {
        assert_illegal("7k/8/8/8/2B5/8/8/K7 w - - 0 1", "c4c5 c4c1 c4d4 c4a4 c4d6");
    }
}

mod article_3_3 {
    use super::*;

    /// FIDE 3.3: along the file or the rank on which it stands.
    #[test]
    fn a_rook_goes_along_its_file_and_rank() {
        assert_eq!(
            targets("7k/8/8/8/3R4/8/8/K7 w - - 0 1", "d4"),
            "a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4"
        );
    }

    /// FIDE 3.3: no diagonal.
    #[test]
    fn a_rook_does_not_go_aslant() {
        assert_illegal("7k/8/8/8/3R4/8/8/K7 w - - 0 1", "d4e5 d4a7 d4e6");
    }
}

mod article_3_4 {
    use super::*;

    /// FIDE 3.4: file, rank and both diagonals.
    #[test]
    fn a_queen_goes_as_rook_and_as_bishop() {
        assert_eq!(
            targets("6k1/8/8/8/3Q4/8/8/1K6 w - - 0 1", "d4"),
            "a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 d8 e3 e4 e5 f2 f4 f6 g1 g4 g7 h4 h8"
        );
    }

    /// FIDE 3.4: it does not jump like a knight.
    #[test]
    fn a_queen_does_not_jump() {
        assert_illegal("6k1/8/8/8/3Q4/8/8/1K6 w - - 0 1", "d4e6 d4c2 d4f5");
    }
}

mod article_3_5 {
    use super::*;

    /// FIDE 3.5: pawn a3 and knight b1 stop the rook, pawn g2 the bishop.
    #[test]
    fn sliders_do_not_go_over_pieces_of_their_own() {
        let fen = "4k3/8/8/8/8/P7/1P4P1/RN3B1K w - - 0 1";
        assert_eq!(targets(fen, "a1"), "a2");
        assert_eq!(targets(fen, "f1"), "a6 b5 c4 d3 e2");
    }

    /// FIDE 3.5: the first enemy piece may be captured, and ends the way.
    #[test]
    fn sliders_capture_the_first_enemy_piece_and_stop() {
        let fen = "7k/8/8/p7/8/8/8/R2n3K w - - 0 1";
        assert_eq!(targets(fen, "a1"), "a2 a3 a4 a5 b1 c1 d1");
        let fen = "4k3/p5p1/8/8/3Q4/8/8/4K3 w - - 0 1";
        assert_illegal(fen, "d4h8");
        assert_legal(fen, "d4g7 d4a7");
    }
}

mod article_3_6 {
    use super::*;

    /// FIDE 3.6: to the nearest squares that lie on none of its lines.
    #[test]
    fn a_knight_goes_to_the_nearest_squares_off_its_lines() {
        assert_eq!(targets("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", "d4"), "b3 b5 c2 c6 e2 e6 f3 f5");
        assert_eq!(targets("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "a1"), "b3 c2");
    }

    /// FIDE 3.6, 3.5: article 3.5 speaks of bishop, rook and queen only.
    #[test]
    fn a_knight_goes_over_other_pieces() {
        assert_eq!(targets("4k3/8/8/8/8/1p6/PP6/NB2K3 w - - 0 1", "a1"), "b3 c2");
    }

    /// FIDE 3.6: no jump from the a-file lands on the h-file.
    #[test]
    fn a_knight_does_not_leave_the_board() {
        assert_eq!(targets("4k3/8/8/8/N7/8/8/4K3 w - - 0 1", "a4"), "b2 b6 c3 c5");
        assert_eq!(targets("4k3/7N/8/8/8/8/8/4K3 w - - 0 1", "h7"), "f6 f8 g5");
    }
}

mod article_3_7 {
    use super::*;

    /// FIDE 3.7.1: straight ahead, if that square is empty.
    #[test]
    fn a_pawn_goes_one_square_ahead() {
        assert_eq!(targets("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4"), "e5");
        assert_eq!(targets("4k3/8/8/4p3/8/8/8/4K3 b - - 0 1", "e5"), "e4");
        assert_eq!(targets("4k3/8/8/4n3/4P3/8/8/4K3 w - - 0 1", "e4"), "");
    }

    /// FIDE 3.7.2: two squares from its start, if both are empty.
    #[test]
    fn a_pawn_goes_two_squares_from_its_start() {
        assert_eq!(targets("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2"), "e3 e4");
        assert_eq!(targets("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "e7"), "e5 e6");
        assert_eq!(targets("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3"), "e4");
    }

    /// FIDE 3.7.2: neither the first nor the second square may be occupied, by either side.
    #[test]
    fn a_pawn_does_not_go_two_squares_over_or_onto_a_piece() {
        assert_eq!(targets("4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1", "e2"), "e3");
        assert_eq!(targets("4k3/8/8/8/8/4n3/4P3/7K w - - 0 1", "e2"), "");
        assert_eq!(targets("4k3/4p3/4n3/8/8/8/8/4K3 b - - 0 1", "e7"), "");
    }

    /// FIDE 3.7.3: aslant only to capture, ahead only without.
    #[test]
    fn a_pawn_captures_aslant_and_only_there() {
        let fen = "4k3/8/8/3npn2/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(targets(fen, "e4"), "d5 f5");
        assert_illegal("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4d5 e4f5 e4d3 e4e3");
    }

    /// FIDE 3.7.3: the a-file has no file to its left.
    #[test]
    fn a_pawn_on_an_edge_file_does_not_capture_round_the_board() {
        assert_eq!(targets("4k3/8/7n/8/P7/8/8/4K3 w - - 0 1", "a4"), "a5");
        assert_eq!(targets("4k3/8/n7/n6P/8/8/8/4K3 w - - 0 1", "h5"), "h6");
    }
}

mod article_3_7_3_1 {
    use super::*;

    /// FIDE 3.7.3.1: as though the pawn had gone one square only; it is removed from where it stands.
    #[test]
    fn a_pawn_that_has_gone_two_squares_is_captured_as_if_it_had_gone_one() {
        assert_eq!(
            after("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e5d6"),
            "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2"
        );
        assert_eq!(
            after("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 d4e3"),
            "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2"
        );
    }

    /// FIDE 3.7.3.1: from either neighbouring file.
    #[test]
    fn pawns_on_both_sides_may_capture_en_passant() {
        assert_legal("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "c5d6 e5d6");
    }

    /// FIDE 3.7.3.1: only from the same rank, and a pawn only.
    #[test]
    fn nobody_else_may_capture_en_passant() {
        assert_illegal("4k3/8/8/3pPP2/2P5/8/8/4K3 w - d6 0 1", "f5d6 f5e6 c4d6 e5f6");
        assert_illegal("4k3/8/8/1P1p1P2/8/8/8/4K3 w - d6 0 1", "b5d6 f5d6 b5c6 f5e6");
        assert_eq!(
            after("4k3/8/8/3pP3/2N5/8/8/4K3 w - d6 0 1", "c4d6"),
            "4k3/8/3N4/3pP3/8/8/8/4K3 b - - 1 1"
        );
    }

    /// FIDE 3.7.3.1: the pawn on d5 came there in two single steps.
    #[test]
    fn a_pawn_that_went_one_square_is_not_captured_en_passant() {
        assert_eq!(
            after("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d6 e1e2 d6d5"),
            "4k3/8/8/3pP3/8/8/4K3/8 w - - 0 3"
        );
        assert_illegal("4k3/8/8/3pP3/8/8/4K3/8 w - - 0 3", "e5d6");
    }

    /// FIDE 3.7.3.1, 3.9.2: both pawns leave the fifth rank at once, and the rook on h5 sees the king.
    #[test]
    fn an_en_passant_capture_that_opens_the_rank_to_the_king_is_illegal() {
        assert_illegal("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "e5d6");
        assert_illegal("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1", "e4d3");
    }

    /// FIDE 3.7.3.1, 3.9.2: the captured pawn stood between bishop and king.
    #[test]
    fn an_en_passant_capture_that_opens_a_diagonal_to_the_king_is_illegal() {
        assert_illegal("b3k3/8/8/3pP3/8/8/6K1/8 w - d6 0 1", "e5d6");
    }

    /// FIDE 3.7.3.1, 3.9.2: a pin along the diagonal on which the capture goes leaves it free.
    #[test]
    fn a_pinned_pawn_captures_en_passant_along_its_pin() {
        assert_legal("4k3/2b5/8/3pP3/5K2/8/8/8 w - d6 0 1", "e5d6");
        assert_illegal("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6");
    }

    /// FIDE 3.7.3.1, 3.9: the pawn on d5 gives check, and its capture ends it.
    #[test]
    fn a_checking_pawn_may_be_captured_en_passant() {
        assert_legal("7k/8/8/3pP3/2K5/8/8/8 w - d6 0 1", "e5d6");
    }
}

mod article_3_7_3_2 {
    use super::*;

    /// FIDE 3.7.3.2: on the move that follows, and never later.
    #[test]
    fn an_en_passant_capture_is_lost_when_it_is_not_made_at_once() {
        let fen = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
        assert_eq!(after(fen, "d7d5"), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
        assert_eq!(after(fen, "d7d5 e1e2 e8e7"), "8/4k3/8/3pP3/8/8/4K3/8 w - - 2 3");
        assert_illegal("8/4k3/8/3pP3/8/8/4K3/8 w - - 2 3", "e5d6");
    }
}

mod article_3_7_3_3 {
    use super::*;

    /// FIDE 3.7.3.3, 3.7.3.4: queen, rook, bishop or knight, whatever was captured before.
    #[test]
    fn a_pawn_on_the_last_rank_becomes_a_queen_rook_bishop_or_knight() {
        let fen = "8/4P2k/8/8/8/8/8/QRBNK3 w - - 0 1";
        assert_legal(fen, "e7e8q e7e8r e7e8b e7e8n");
        assert_eq!(
            after("8/4P2k/8/8/8/8/8/4K3 w - - 5 40", "e7e8n"),
            "4N3/7k/8/8/8/8/8/4K3 b - - 0 40"
        );
        assert_eq!(
            after("4k3/8/8/8/8/8/p6K/8 b - - 5 40", "a2a1r"),
            "4k3/8/8/8/8/8/7K/r7 w - - 0 41"
        );
    }

    /// FIDE 3.7.3.3: four promotions for each of three squares, and five king moves.
    #[test]
    fn a_pawn_promotes_by_going_ahead_and_by_capturing() {
        assert_eq!(count("3n1n2/4P2k/8/8/8/8/8/4K3 w - - 0 1"), 17);
        assert_legal("3n1n2/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7d8b e7f8r e7e8n");
    }

    /// FIDE 3.7.3.3: the exchange is part of the move and happens nowhere else.
    #[test]
    fn a_pawn_becomes_nothing_before_the_last_rank() {
        assert_illegal("8/7k/4P3/8/8/8/8/4K3 w - - 0 1", "e6e7q e6e7n");
    }

    /// FIDE 3.7.3.5: the new queen gives check as soon as it stands there.
    #[test]
    fn a_promoted_piece_takes_effect_at_once() {
        assert!(crate::play("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q").is_check());
        assert!(!crate::play("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8n").is_check());
        assert!(crate::play("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n").is_check());
    }
}

mod article_3_8_1 {
    use super::*;

    /// FIDE 3.8.1: to any adjoining square.
    #[test]
    fn a_king_steps_to_any_adjoining_square() {
        assert_eq!(targets("7k/8/8/8/3K4/8/8/8 w - - 0 1", "d4"), "c3 c4 c5 d3 d5 e3 e4 e5");
        assert_eq!(targets("7k/8/8/8/8/8/8/K7 w - - 0 1", "a1"), "a2 b1 b2");
        assert_illegal("7k/8/8/8/8/8/8/K7 w - - 0 1", "a1a3 a1c1 a1c3 a1b3 a1h1");
    }

    /// FIDE 3.8.1, 3.9.2: not next to the other king, which attacks those squares.
    #[test]
    fn kings_do_not_stand_side_by_side() {
        assert_eq!(targets("8/8/8/3k4/8/3K4/8/8 w - - 0 1", "d3"), "c2 c3 d2 e2 e3");
    }

    /// FIDE 3.8.1, 3.9.2: a defended piece is not the king's to take, an undefended one is.
    #[test]
    fn a_king_captures_only_what_is_undefended() {
        assert_legal("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1e2");
        assert_illegal("4k3/8/8/8/8/5p2/4q3/4K3 w - - 0 1", "e1e2");
    }
}

/// R7: whether there is a move is asked without listing any; here is one of each kind, and no other.
#[test]
fn a_side_with_a_single_move_has_one() {
    for (fen, uci) in [
        ("k5r1/8/8/8/4P3/8/r7/7K w - - 0 1", "e4e5"),
        ("k5r1/8/4p3/3pP3/8/8/r7/7K w - d6 0 1", "e5d6"),
        ("5r1k/8/8/8/8/7p/7P/6KR w H - 0 1", "g1h1"),
        ("6rk/8/8/8/8/8/7r/7K w - - 0 1", "h1h2"),
    ] {
        let position = position(fen);
        assert!(position.has_legal_move(), "{fen}");
        assert_eq!(legal_moves(&position), [resolve(&position, uci).unwrap()], "{fen}");
    }
}
