//! Articles 3.9 and 3.10, 5.1.1 and 5.2.1: check, pins, mate and stalemate.

use crate::{assert_illegal, assert_legal, count, position, targets};

mod article_3_9_1 {
    use super::*;

    /// FIDE 3.9.1: each kind of piece gives check.
    #[test]
    fn a_king_that_is_attacked_is_in_check() {
        for fen in [
            "4k3/8/8/8/8/8/8/r3K3 w - - 0 1",
            "4k3/8/8/8/7b/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/4q3/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/3n4/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1",
        ] {
            let position = position(fen);
            assert!(position.is_check(), "{fen}");
            assert_eq!(position.checkers().len(), 1, "{fen}");
        }
    }

    /// FIDE 3.9.1, 3.7: a pawn attacks aslant, not ahead.
    #[test]
    fn a_pawn_gives_no_check_straight_ahead() {
        assert!(!position("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1").is_check());
    }

    /// FIDE 3.9.1: the bishop on e3 is pinned by the rook on e1, and gives check all the same.
    #[test]
    fn a_pinned_piece_gives_check() {
        assert!(position("4k3/8/8/8/8/4b3/8/4R1K1 w - - 0 1").is_check());
    }

    /// FIDE 3.9.1: by two pieces, or by three in a position that no game reaches (R1).
    #[test]
    fn a_king_may_be_attacked_by_several_pieces() {
        assert_eq!(position("4r1k1/8/8/8/7b/8/8/4K3 w - - 0 1").checkers().len(), 2);
        assert_eq!(position("4r1k1/8/8/8/7b/8/8/r3K3 w - - 0 1").checkers().len(), 3);
    }
}

mod article_3_9_2 {
    use super::*;

    /// FIDE 3.9.2: the king on e1, the rook on e8, and whatever stands between stays on the e-file.
    #[test]
    fn a_pinned_piece_stays_on_its_line() {
        assert_eq!(targets("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2"), "e3 e4 e5 e6 e7 e8");
        assert_eq!(targets("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2"), "");
        assert_eq!(targets("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1", "e2"), "");
        assert_eq!(targets("4r1k1/8/8/8/8/3n4/4P3/7K w - - 0 1", "e2"), "d3 e3 e4");
        assert_eq!(targets("4r1k1/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2"), "e3 e4");
        assert_eq!(targets("7k/8/8/2p5/r2PK3/8/8/8 w - - 0 1", "d4"), "");
    }

    /// FIDE 3.9.2: the same along a diagonal; a pawn may take the pinning piece.
    #[test]
    fn a_piece_pinned_aslant_stays_on_its_diagonal() {
        assert_eq!(targets("6k1/8/8/8/7b/8/5Q2/4K3 w - - 0 1", "f2"), "g3 h4");
        assert_eq!(targets("6k1/8/8/8/7b/8/5R2/4K3 w - - 0 1", "f2"), "");
        assert_eq!(targets("6k1/8/8/8/8/6b1/5P2/4K3 w - - 0 1", "f2"), "g3");
    }

    /// FIDE 3.9.2: two pieces between, and neither is pinned.
    #[test]
    fn two_pieces_between_are_not_pinned() {
        assert_legal("4r1k1/8/8/8/8/4N3/4N3/4K3 w - - 0 1", "e2c3 e3d5");
        assert_legal("4r1k1/8/8/8/4p3/8/4N3/4K3 w - - 0 1", "e2c3");
    }

    /// FIDE 3.9.2: flight, capture or a piece between, and nothing else.
    #[test]
    fn a_check_is_answered_by_flight_capture_or_interposition() {
        let fen = "4r1k1/8/8/8/1N6/8/8/4KR2 w - - 0 1";
        assert_eq!(targets(fen, "e1"), "d1 d2 f2");
        assert_illegal(fen, "f1f8 f1g1 b4c2");
        assert_legal("4r1k1/8/8/8/8/8/5N2/4K3 w - - 0 1", "f2e4");
        assert_legal("4r1k1/8/8/8/B7/8/8/4K3 w - - 0 1", "a4e8");
    }

    /// FIDE 3.9.2: against a knight or a neighbour nothing can stand between.
    #[test]
    fn a_knights_check_cannot_be_interposed() {
        assert_eq!(targets("6k1/8/8/8/8/3n4/8/R3K3 w - - 0 1", "a1"), "");
        assert_eq!(targets("6k1/8/8/8/8/3n4/8/3RK3 w - - 0 1", "d1"), "d3");
    }

    /// FIDE 3.9.2: of two checkers only one can be taken, so the king itself must go.
    #[test]
    fn only_the_king_answers_a_double_check() {
        let fen = "4r1k1/8/8/8/8/3n4/8/3RK3 w - - 0 1";
        assert_eq!(targets(fen, "d1"), "");
        assert_eq!(count(fen), 2);
        assert_eq!(targets(fen, "e1"), "d2 f1");
    }

    /// FIDE 3.9.2: the king does not hide from a slider behind itself.
    #[test]
    fn a_king_does_not_flee_along_the_line_of_the_check() {
        assert_eq!(targets("7k/8/8/8/r3K3/8/8/8 w - - 0 1", "e4"), "d3 d5 e3 e5 f3 f5");
        assert_illegal("7k/8/8/7b/8/5K2/8/8 w - - 0 1", "f3e2");
    }

    /// FIDE 3.9.2: a pinned piece may not answer a check from elsewhere.
    #[test]
    fn a_pinned_piece_does_not_stop_another_check() {
        assert_eq!(targets("4r1k1/8/8/8/7b/8/4R3/4K3 w - - 0 1", "e2"), "");
        assert_eq!(targets("4r1k1/8/8/8/7b/8/4R3/4K3 w - - 0 1", "e1"), "d1 d2 f1");
    }
}

mod article_3_10 {
    use super::*;
    use touchmove::{Move, Square};

    /// FIDE 3.10.1, R7: legal is what articles 3.1 to 3.9 allow; of 65,536 codes 20 at the start.
    #[test]
    fn a_move_is_legal_when_all_articles_allow_it() {
        let position = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let moves = (0..=u16::MAX).filter_map(Move::from_code);
        assert_eq!(moves.filter(|&mv| position.is_legal(mv)).count(), 20);
    }

    /// FIDE 3.10.2, R7: a move that fails one of them is illegal, whoever asks.
    #[test]
    fn a_move_is_illegal_when_one_article_forbids_it() {
        let position = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert!(!position.is_legal(Move::normal(Square::E8, Square::E7)));
        assert!(!position.is_legal(Move::normal(Square::A1, Square::A2)));
        assert!(position.is_legal(Move::normal(Square::E1, Square::E2)));
    }
}

mod article_5_1_1 {
    use super::*;

    /// FIDE 5.1.1: in check, and no legal move.
    #[test]
    fn a_king_in_check_without_a_legal_move_is_checkmated() {
        for fen in [
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
            "6rk/5Npp/8/8/8/8/8/4K3 b - - 0 1",
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        ] {
            let position = position(fen);
            assert!(position.is_checkmate() && !position.is_stalemate(), "{fen}");
            assert_eq!(count(fen), 0, "{fen}");
        }
    }

    /// FIDE 5.1.1: the checking pawn can be taken en passant, so it is no mate.
    #[test]
    fn a_check_that_en_passant_answers_is_no_mate() {
        let fen = "8/p2p1N2/8/4p2k/1p2P1Pp/1P1b3K/P6P/n7 b - g3 0 32";
        assert!(position(fen).is_check() && !position(fen).is_checkmate());
    }
}

mod article_5_2_1 {
    use super::*;

    /// FIDE 5.2.1: not in check, and no legal move.
    #[test]
    fn a_king_not_in_check_without_a_legal_move_is_stalemated() {
        for fen in [
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
            "k7/P7/K7/8/8/8/8/8 b - - 0 1",
        ] {
            let position = position(fen);
            assert!(position.is_stalemate() && !position.is_checkmate(), "{fen}");
            assert_eq!(count(fen), 0, "{fen}");
        }
    }

    /// FIDE 5.2.1, 3.9.2: the knight has squares, but is pinned.
    #[test]
    fn a_side_whose_only_mobile_piece_is_pinned_is_stalemated() {
        assert!(position("k7/n7/1K6/4B3/8/8/8/R7 b - - 0 1").is_stalemate());
    }

    /// FIDE 5.2.1: as long as any piece may move there is no stalemate.
    #[test]
    fn a_side_with_a_pawn_move_is_not_stalemated() {
        assert!(!position("7k/5Q2/6K1/8/8/8/p7/8 b - - 0 1").is_stalemate());
        assert_eq!(count("7k/5Q2/6K1/8/8/8/p7/8 b - - 0 1"), 4);
    }
}
