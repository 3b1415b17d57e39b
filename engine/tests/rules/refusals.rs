//! Why a move is refused, and in which order (R11, R12); each reason has a stable code.

use crate::{assert_illegal, code, position, refusal};

mod every_door_r11 {
    use super::*;
    use touchmove::{Move, PromotionRole, Square};

    /// R11, FIDE 3.8.2: the path, the rights and the attacks are looked at, however the move is given.
    #[test]
    fn a_castling_move_given_as_a_code_meets_the_same_check() {
        let short = Move::castling(Square::E1, Square::H1).unwrap();
        let long = Move::castling(Square::E1, Square::A1).unwrap();
        for (fen, mv, reason) in [
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", short, "castling-no-right"),
            ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", long, "castling-blocked"),
            ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", short, "castling-in-check"),
            ("4k3/8/b7/8/8/8/8/R3K2R w KQ - 0 1", short, "castling-crosses-attack"),
            ("4k3/8/8/8/8/2r5/8/R3K2R w KQ - 0 1", long, "castling-ends-attacked"),
        ] {
            let position = position(fen);
            let mv = Move::from_code(mv.code()).unwrap();
            assert!(!position.is_legal(mv), "{mv:?} in {fen}");
            assert_eq!(position.explain(mv).unwrap_err().code(), reason, "{mv:?} in {fen}");
        }
        let free = position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert!(free.is_legal(short) && free.is_legal(long));
        assert_eq!((free.explain(short), free.explain(long)), (Ok(()), Ok(())));
    }

    /// R11: a code whose kind is not what the position makes of it is refused too.
    #[test]
    fn a_code_of_the_wrong_kind_is_refused() {
        let en_passant = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        assert!(en_passant.is_legal(Move::en_passant(Square::E5, Square::D6)));
        assert!(!en_passant.is_legal(Move::normal(Square::E5, Square::D6)));
        assert!(!en_passant.is_legal(Move::en_passant(Square::E5, Square::E6)));
        let castling = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert!(!castling.is_legal(Move::normal(Square::E1, Square::G1)));
        assert!(!castling.is_legal(Move::castling(Square::H1, Square::E1).unwrap()));
        let promotion = position("8/4P2k/8/8/8/8/8/4K3 w - - 0 1");
        assert!(!promotion.is_legal(Move::normal(Square::E7, Square::E8)));
        assert!(!promotion.is_legal(Move::promotion(Square::E1, Square::E2, PromotionRole::Queen)));
    }

    /// R3, R11: a capture en passant is one of the square that was just passed, whatever stands there.
    #[test]
    fn a_code_en_passant_to_another_square_is_refused() {
        let position = position("4k3/8/8/3pP1p1/8/8/3P4/3nK3 w - d6 0 1");
        for (from, to) in [(Square::E5, Square::F6), (Square::D2, Square::C3)] {
            let refused = position.explain(Move::en_passant(from, to)).unwrap_err();
            assert_eq!(refused.code(), "not-en-passant", "{to}");
        }
        let taken = crate::position("4k3/8/8/8/8/2n5/3P4/4K3 w - - 0 1");
        let refused = taken.explain(Move::en_passant(Square::D2, Square::C3)).unwrap_err();
        assert_eq!(refused.code(), "not-en-passant");
    }

    /// R11: a null move is no move of the game, whatever `0000` means to an engine.
    #[test]
    fn a_null_move_is_not_among_the_legal_moves() {
        assert_eq!(code("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "0000"), "null-move");
        assert_eq!(Move::from_code(0), None);
    }
}

mod reasons_r12 {
    use super::*;
    use touchmove::{
        CastlingObstacle, Color, IllegalMove, Move, Piece, Position, PromotionRole, Role, Square,
        UciMode, UciMove,
    };

    const WHITE_PAWN: Piece = Piece { color: Color::White, role: Role::Pawn };
    const BLACK_ROOK: Piece = Piece { color: Color::Black, role: Role::Rook };

    /// R12: the square is empty.
    #[test]
    fn no_piece() {
        let why = refusal("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e2e4");
        assert_eq!(why, IllegalMove::NoPiece { square: Square::E2 });
        assert_eq!(why.code(), "no-piece");
    }

    /// R12: the piece is the opponent's.
    #[test]
    fn not_your_piece() {
        let why = refusal("4k3/4p3/8/8/8/8/8/4K3 w - - 0 1", "e7e6");
        assert_eq!(why.code(), "not-your-piece");
        assert_eq!(why.to_string(), "the black pawn on e7 is not the mover's");
    }

    /// R12, FIDE 3.1.
    #[test]
    fn own_piece_on_target() {
        let why = refusal("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e1e2");
        assert_eq!(why, IllegalMove::OwnPieceOnTarget { square: Square::E2, piece: WHITE_PAWN });
        assert_eq!((why.code(), why.article()), ("own-piece-on-target", Some("3.1")));
        assert_eq!(code("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e1"), "own-piece-on-target");
    }

    /// R12, FIDE 3.2 to 3.8: each article for its piece.
    #[test]
    fn shape() {
        for (fen, uci, article) in [
            ("4k3/8/8/8/2B5/8/8/4K3 w - - 0 1", "c4c5", "3.2"),
            ("4k3/8/8/8/2R5/8/8/4K3 w - - 0 1", "c4d5", "3.3"),
            ("4k3/8/8/8/2Q5/8/8/4K3 w - - 0 1", "c4d6", "3.4"),
            ("4k3/8/8/8/2N5/8/8/4K3 w - - 0 1", "c4c5", "3.6"),
            ("4k3/8/8/8/2P5/8/8/4K3 w - - 0 1", "c4c6", "3.7"),
            ("4k3/8/8/8/2K5/8/8/8 w - - 0 1", "c4c6", "3.8"),
        ] {
            let why = refusal(fen, uci);
            assert_eq!((why.code(), why.article()), ("shape", Some(article)), "{uci}: {why}");
        }
    }

    /// R12, FIDE 3.7.3: a pawn goes aslant only to capture.
    #[test]
    fn nothing_to_capture() {
        let why = refusal("4k3/8/8/8/2P5/8/8/4K3 w - - 0 1", "c4d5");
        assert_eq!(why, IllegalMove::NothingToCapture { square: Square::D5 });
        assert_eq!((why.code(), why.article()), ("nothing-to-capture", Some("3.7.3")));
        assert_eq!(code("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6"), "nothing-to-capture");
    }

    /// R12, FIDE 3.5: the first square in the way, seen from the piece.
    #[test]
    fn blocked() {
        let fen = "4k3/8/8/p7/P7/8/8/R3K3 w - - 0 1";
        assert_eq!(refusal(fen, "a1a8"), IllegalMove::Blocked { square: Square::A4 });
        let fen = "r3k3/8/8/p7/P7/8/8/4K3 b - - 0 1";
        assert_eq!(refusal(fen, "a8a1"), IllegalMove::Blocked { square: Square::A5 });
        assert_eq!(refusal(fen, "a5a4").code(), "blocked");
        let fen = "4k3/8/8/8/8/4n3/4P3/6K1 w - - 0 1";
        assert_eq!(refusal(fen, "e2e4"), IllegalMove::Blocked { square: Square::E3 });
    }

    /// R12, FIDE 3.8.2: which condition failed.
    #[test]
    fn castling_conditions() {
        let by = Piece { color: Color::Black, role: Role::Rook };
        for (fen, uci, obstacle) in [
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", CastlingObstacle::NoRight),
            (
                "4k3/8/8/8/8/8/8/4K1NR w K - 0 1",
                "e1h1",
                CastlingObstacle::Blocked { square: Square::G1 },
            ),
            (
                "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1",
                "e1g1",
                CastlingObstacle::InCheck { by, from: Square::E8 },
            ),
            (
                "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1",
                "e1g1",
                CastlingObstacle::CrossesAttack { square: Square::F1, by, from: Square::F3 },
            ),
            (
                "4k3/8/8/8/8/6r1/8/4K2R w K - 0 1",
                "e1g1",
                CastlingObstacle::EndsAttacked { square: Square::G1, by, from: Square::G3 },
            ),
        ] {
            let why = refusal(fen, uci);
            assert_eq!(why, IllegalMove::Castling(obstacle), "{uci} in {fen}");
            assert!(
                why.code().starts_with("castling-") && why.article().unwrap().starts_with("3.8.2")
            );
        }
    }

    /// R9, R12: standard text has no word for it.
    #[test]
    fn castling_not_standard() {
        let position = position("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
        let castles: UciMove = "f1g1".parse().unwrap();
        let why = castles.resolve(&position, UciMode::Standard).unwrap_err();
        assert_eq!((why.code(), why.article()), ("castling-not-standard", None));
        assert!(castles.resolve(&position, UciMode::Chess960).is_ok());
    }

    /// R10, R12, FIDE 3.7.3.3.
    #[test]
    fn promotion_missing_or_not_allowed() {
        let why = refusal("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8");
        assert_eq!((why.code(), why.article()), ("promotion-missing", Some("3.7.3.3")));
        for (fen, uci) in [
            ("8/7k/4P3/8/8/8/8/4K3 w - - 0 1", "e6e7q"),
            ("8/4R3/7k/8/8/8/8/4K3 w - - 0 1", "e7e8q"),
        ] {
            let why = refusal(fen, uci);
            assert_eq!((why.code(), why.article()), ("promotion-not-allowed", Some("3.7.3.3")));
        }
    }

    /// R12, FIDE 3.9.2: by which piece, from which square.
    #[test]
    fn leaves_king_attacked() {
        let attacked =
            |king| IllegalMove::LeavesKingAttacked { king, by: BLACK_ROOK, from: Square::E8 };
        let pinned = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1";
        assert_eq!(refusal(pinned, "e2c3"), attacked(Square::E1));
        let in_check = "4r1k1/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(refusal(in_check, "e1e2"), attacked(Square::E2));
        let beside = "4r1k1/8/8/8/8/8/8/3K4 w - - 0 1";
        let why = refusal(beside, "d1e1");
        assert_eq!(why, attacked(Square::E1));
        assert_eq!((why.code(), why.article()), ("leaves-king-attacked", Some("3.9.2")));
        assert_eq!(why.to_string(), "the king on e1 would be attacked by the black rook on e8");
    }

    /// R12: of several reasons the first in the order of the rule is told.
    #[test]
    fn the_first_reason_in_order_is_told() {
        // The enemy's piece, which could not go there either.
        assert_eq!(code("4k3/4p3/8/8/8/8/8/4K3 w - - 0 1", "e7e2"), "not-your-piece");
        // Own piece on the target before shape.
        assert_eq!(code("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", "a1e2"), "own-piece-on-target");
        // Own piece on the target before blocked: the way to h1 is blocked as well.
        assert_eq!(code("4k3/8/8/8/8/8/8/R3K2N w - - 0 1", "a1h1"), "own-piece-on-target");
        // Shape before blocked, before promotion and before the king.
        assert_eq!(code("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2e4"), "shape");
        assert_eq!(code("4k3/8/8/8/8/2N5/8/4K3 w - - 0 1", "c3c8q"), "shape");
        // Blocked before promotion and before the king.
        assert_eq!(code("4n2k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8"), "blocked");
        assert_eq!(code("4r1k1/8/4p3/8/8/8/4R3/r3K3 w - - 0 1", "e2e8"), "blocked");
        // Promotion before the king: the pawn on e7 is pinned along the rank.
        assert_eq!(code("8/r3P1K1/8/8/8/8/8/k7 w - - 0 1", "e7e8"), "promotion-missing");
        assert_eq!(code("8/r3P1K1/8/8/8/8/8/k7 w - - 0 1", "e7e8q"), "leaves-king-attacked");
    }

    /// R12: castling's conditions too have their order: right, squares, check, crossing, arrival.
    #[test]
    fn the_first_condition_of_castling_is_told() {
        assert_eq!(code("4k3/8/8/8/8/4r1r1/8/4KB1R w - - 0 1", "e1g1"), "castling-no-right");
        assert_eq!(code("4k3/8/8/8/8/4r1r1/8/4KB1R w K - 0 1", "e1g1"), "castling-blocked");
        assert_eq!(code("4k3/8/8/8/8/4rrr1/8/4K2R w K - 0 1", "e1g1"), "castling-in-check");
        assert_eq!(code("4k3/8/8/8/8/5rr1/8/4K2R w K - 0 1", "e1g1"), "castling-crosses-attack");
    }

    /// R12: an own piece on the target comes first, unless it is the rook to castle with.
    #[test]
    fn a_castling_code_onto_another_own_piece_has_an_own_piece_on_its_target() {
        let position = position("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
        let mv = Move::castling(Square::E1, Square::D1).unwrap();
        assert_eq!(position.explain(mv).unwrap_err().code(), "own-piece-on-target");
    }

    /// R12: the rook on f1 has castled already; standard notation has nothing to do with it.
    #[test]
    fn a_king_that_takes_an_own_rook_without_a_right_has_an_own_piece_on_its_target() {
        assert_eq!(code("4k3/8/8/8/8/8/8/5RK1 w - - 0 1", "g1f1"), "own-piece-on-target");
    }

    /// R12: whatever is asked, the answer agrees with the list.
    #[test]
    fn a_reason_is_given_exactly_for_the_moves_that_are_not_legal() {
        let position = Position::default();
        for mv in (0..=u16::MAX).filter_map(Move::from_code) {
            assert_eq!(position.explain(mv).is_ok(), position.is_legal(mv), "{mv:?}");
        }
        assert_illegal("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e3 e8e7 a1a2");
    }

    /// R12: a promotion asked of a piece that is none of the mover's pawns.
    #[test]
    fn a_promotion_of_another_piece_is_not_allowed() {
        let position = position("8/4K2k/8/8/8/8/8/8 w - - 0 1");
        let mv = Move::promotion(Square::E7, Square::E8, PromotionRole::Queen);
        assert_eq!(position.explain(mv).unwrap_err().code(), "promotion-not-allowed");
    }
}
