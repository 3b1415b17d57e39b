//! What a position is: valid set-ups (R1), en passant squares (R3), keys (R4), taking back, null moves
//! (R12a).

use crate::{after, count, legal_moves, play, position, resolve, setup_error};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

mod setups_r1 {
    use super::*;
    use touchmove::{
        Board, CastlingRights, CastlingSide, Color, EnPassantObstacle, Position, Setup, SetupFault,
        Square,
    };

    #[track_caller]
    fn assert_faults(fen: &str, faults: &[SetupFault]) {
        assert_eq!(setup_error(fen).faults(), faults, "{fen}");
    }

    /// R1: exactly one king a side.
    #[test]
    fn each_side_has_one_king() {
        let kings = |color, count| SetupFault::Kings { color, count };
        assert_faults("8/8/8/8/8/8/8/4K3 w - - 0 1", &[kings(Color::Black, 0)]);
        assert_faults("4k3/8/8/8/8/8/8/8 w - - 0 1", &[kings(Color::White, 0)]);
        assert_faults("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", &[kings(Color::White, 2)]);
    }

    /// R1, FIDE 3.7.3.3: a pawn there would have become another piece.
    #[test]
    fn no_pawn_stands_on_the_first_or_last_rank() {
        let pawn = |square| SetupFault::PawnOnBackRank { square };
        assert_faults("4k2P/8/8/8/8/8/8/p3K3 w - - 0 1", &[pawn(Square::A1), pawn(Square::H8)]);
    }

    /// R1, FIDE 3.9.2: it would have left its king attacked.
    #[test]
    fn the_side_not_to_move_is_not_in_check() {
        let fault = SetupFault::OpponentInCheck { king: Square::E8, attacker: Square::E2 };
        assert_faults("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", &[fault]);
        assert_eq!(count("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"), 4);
    }

    /// R1: kings side by side are such a check, whoever is to move.
    #[test]
    fn kings_do_not_touch() {
        let fault = SetupFault::OpponentInCheck { king: Square::E5, attacker: Square::E4 };
        assert_faults("8/8/8/4k3/4K3/8/8/8 w - - 0 1", &[fault]);
        let fault = SetupFault::OpponentInCheck { king: Square::E4, attacker: Square::E5 };
        assert_faults("8/8/8/4k3/4K3/8/8/8 b - - 0 1", &[fault]);
    }

    /// R1: every right has its king on the back rank and its rook on the named square.
    #[test]
    fn a_castling_right_has_its_king_and_its_rook() {
        let no_rook = |color, square| SetupFault::CastlingWithoutRook { color, square };
        assert_faults("4k3/8/8/8/8/8/8/4K3 w K - 0 1", &[no_rook(Color::White, Square::H1)]);
        assert_faults("4k2R/8/8/8/8/8/8/4K3 b k - 0 1", &[no_rook(Color::Black, Square::H8)]);
        let king_away = SetupFault::CastlingWithoutKing {
            color: Color::White,
            king: Square::E2,
            rook: Square::A1,
        };
        assert_faults("4k3/8/8/8/8/8/4K3/R7 w Q - 0 1", &[king_away]);
    }

    /// R1: at most one right for each wing of each colour.
    #[test]
    fn two_rights_on_one_wing_are_refused() {
        let fault =
            SetupFault::TwoRightsOnOneSide { color: Color::White, side: CastlingSide::King };
        assert_faults("4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", &[fault]);
        assert_eq!(after("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "").split(' ').nth(2), Some("KQ"));
    }

    /// R1: right rank, empty, its pawn in front, the square that pawn came from empty.
    #[test]
    fn an_en_passant_square_fits() {
        let fault = |square, obstacle| SetupFault::EnPassant { square, obstacle };
        let wrong_rank = fault(Square::E3, EnPassantObstacle::WrongRank);
        assert_faults("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", &[wrong_rank]);
        let occupied = fault(Square::E6, EnPassantObstacle::Occupied);
        assert_faults("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", &[occupied]);
        let no_pawn = fault(Square::E6, EnPassantObstacle::NoPawnInFront);
        assert_faults("4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", &[no_pawn]);
        let origin = fault(Square::E6, EnPassantObstacle::OriginOccupied);
        assert_faults("4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", &[origin]);
    }

    /// R1: everything is said at once, not only the first.
    #[test]
    fn every_fault_is_reported_at_once() {
        let error = setup_error("P3k2k/4n3/4n3/8/8/8/8/4R3 w KQ e6 0 1");
        let expected = [
            SetupFault::Kings { color: Color::White, count: 0 },
            SetupFault::Kings { color: Color::Black, count: 2 },
            SetupFault::PawnOnBackRank { square: Square::A8 },
            SetupFault::CastlingWithoutRook { color: Color::White, square: Square::A1 },
            SetupFault::CastlingWithoutRook { color: Color::White, square: Square::H1 },
            SetupFault::EnPassant { square: Square::E6, obstacle: EnPassantObstacle::Occupied },
            SetupFault::EnPassant {
                square: Square::E6,
                obstacle: EnPassantObstacle::NoPawnInFront,
            },
            SetupFault::EnPassant {
                square: Square::E6,
                obstacle: EnPassantObstacle::OriginOccupied,
            },
        ];
        assert_eq!(error.faults(), expected);
        let words = error.to_string();
        assert_eq!(words.split("; ").count(), expected.len());
        for part in
            ["white has no king", "black has 2 kings", "on a8", "for h1", "a piece stands on it"]
        {
            assert!(words.contains(part), "{part}: {words}");
        }
    }

    /// Everything in it: placement, turn, right, en passant square; the clocks stay.
    #[test]
    fn a_set_up_seen_from_the_other_side() {
        let setup = position("4k3/8/8/8/3pP3/8/8/R3K3 b Q e3 4 7").to_setup();
        assert_eq!(setup.flip().to_string(), "r3k3/8/8/3Pp3/8/8/8/4K3 w q e6 4 7");
    }

    /// R1, R5: a set-up made by hand can hold a counter that no text can.
    #[test]
    fn a_counter_above_9999_is_refused() {
        let setup = Setup { halfmove_clock: 10_000, move_number: 10_000, ..Setup::default() };
        let faults = [
            SetupFault::HalfmoveClock { plies: 10_000 },
            SetupFault::MoveNumber { number: 10_000 },
        ];
        assert_eq!(setup.validate().unwrap_err().faults(), faults);
        let setup = Setup { move_number: 0, ..Setup::default() };
        assert_eq!(setup.validate(), Ok(Position::default()));
    }

    /// R1, FIDE 3.10.3: nine queens, three checkers, thirty-two pawns: play forward is well defined.
    #[test]
    fn what_no_game_reaches_is_accepted_when_play_is_well_defined() {
        assert_eq!(count("7k/8/8/8/8/8/QQQQQQQQ/Q6K b - - 0 1"), 0);
        assert_eq!(count("4r1k1/8/8/8/7b/8/8/r3K3 w - - 0 1"), 1);
        assert_eq!(count("k7/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/K7 w - - 0 1"), 9);
    }

    /// R1: a position tells from which set-up it could have come.
    #[test]
    fn a_position_gives_back_its_setup() {
        assert_eq!(Position::default().to_setup(), Setup::default());
        let empty = Setup { board: Board::EMPTY, castling: CastlingRights::EMPTY, ..Setup::EMPTY };
        assert_eq!(empty, Setup::EMPTY);
    }
}

mod en_passant_r3 {
    use super::*;
    use touchmove::Square;

    /// R3: nobody can capture on e3, so it is neither kept nor written.
    #[test]
    fn a_double_push_that_nobody_can_answer_leaves_no_square() {
        assert_eq!(
            after(START, "e2e4"),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
        );
    }

    /// R3: the pawn on d4 can capture.
    #[test]
    fn a_double_push_beside_an_enemy_pawn_leaves_its_square() {
        assert_eq!(
            play("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4").en_passant(),
            Some(Square::E3)
        );
    }

    /// R3: a square nobody can capture on is accepted and dropped.
    #[test]
    fn an_idle_en_passant_square_is_dropped() {
        assert_eq!(
            position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
            play(START, "e2e4")
        );
    }

    /// R3: the capture must be legal, not only pseudo-legal: here the capturing pawn is pinned.
    #[test]
    fn a_square_only_pinned_pawns_could_capture_on_is_dropped() {
        assert_eq!(position("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1").en_passant(), None);
        assert_eq!(play("4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5").en_passant(), None);
        assert_eq!(position("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1").en_passant(), None);
    }

    /// R3: one pawn is pinned, the other is not.
    #[test]
    fn one_legal_capture_keeps_the_square() {
        let fen = "4r2k/8/8/2PpP3/8/8/8/4K3 w - d6 0 1";
        assert_eq!(position(fen).en_passant(), Some(Square::D6));
        assert_eq!(position(fen).to_string(), fen);
    }

    /// R3: a check that the capture does not end makes it illegal.
    #[test]
    fn a_square_is_dropped_when_another_check_stands() {
        assert_eq!(position("4k3/8/8/3pP3/8/8/8/r3K3 w - d6 0 1").en_passant(), None);
    }
}

mod keys_r4 {
    use super::*;
    use std::collections::BTreeSet;
    use touchmove::{Key, Piece, Square};

    #[track_caller]
    fn key(fen: &str) -> Key {
        let position = position(fen);
        assert_eq!(position.key(), Key::of(&position), "{fen}");
        position.key()
    }

    /// R4, FIDE 9.2.3: on whatever way.
    #[test]
    fn the_same_position_has_the_same_key() {
        let one_way = play(START, "e2e4 e7e5 g1f3 b8c6");
        let other_way = play(START, "g1f3 b8c6 e2e4 e7e5");
        assert_eq!(one_way.key(), other_way.key());
        assert_eq!(play(START, "g1f3 g8f6 f3g1 f6g8").key(), key(START));
    }

    /// R4: the clocks are no part of it.
    #[test]
    fn clocks_do_not_change_the_key() {
        assert_eq!(key("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), key("4k3/8/8/8/8/8/8/4K3 w - - 77 99"));
    }

    /// R4: placement, turn, rights and en passant are.
    #[test]
    fn what_makes_a_position_changes_the_key() {
        let keys = [
            "4k3/8/8/8/3pP3/8/8/R3K3 b Q e3 0 1",
            "4k3/8/8/8/3pP3/8/8/R3K3 b Q - 0 1",
            "4k3/8/8/8/3pP3/8/8/R3K3 w Q - 0 1",
            "4k3/8/8/8/3pP3/8/8/R3K3 w - - 0 1",
            "4k3/8/8/8/3pP3/8/8/Q3K3 w - - 0 1",
            "4k3/8/8/8/3Pp3/8/8/Q3K3 w - - 0 1",
        ];
        let different: BTreeSet<Key> = keys.into_iter().map(key).collect();
        assert_eq!(different.len(), keys.len());
    }

    /// R4: the rights count, not whether castling is possible now; and the king's walk has cost them.
    #[test]
    fn lost_rights_make_another_position() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let walked = play(fen, "e1e2 e8e7 e2e1 e7e8");
        assert_ne!(walked.key(), key(fen));
        assert_eq!(walked.key(), key("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"));
    }

    /// R4: a square nobody can capture on makes no difference, one with a legal capture does.
    #[test]
    fn only_a_legal_en_passant_capture_makes_another_position() {
        assert_eq!(
            play("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4").key(),
            key("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")
        );
        assert_eq!(
            key("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
            key("4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1")
        );
        assert_ne!(key("7k/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), key("7k/8/8/3pP3/8/8/8/4K3 w - - 0 1"));
    }

    /// R2, R4: a right belongs to one rook: here to the inner or to the outer one.
    #[test]
    fn rights_of_different_rooks_have_different_keys() {
        assert_ne!(key("4k3/8/8/8/8/8/8/4K1RR w G - 0 1"), key("4k3/8/8/8/8/8/8/4K1RR w H - 0 1"));
    }

    /// R4: no two sets share bits.
    #[test]
    fn sixteen_sets_of_rights_have_sixteen_keys() {
        let keys: BTreeSet<Key> = (0..16u8)
            .map(|set| {
                let letters: String = "KQkq"
                    .chars()
                    .enumerate()
                    .filter(|(bit, _)| set >> bit & 1 != 0)
                    .map(|(_, letter)| letter)
                    .collect();
                let rights = if letters.is_empty() { "-" } else { &letters };
                key(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1"))
            })
            .collect();
        assert_eq!(keys.len(), 16);
    }

    /// R4: every piece of either colour counts on every square in a way of its own.
    #[test]
    fn a_piece_more_anywhere_is_another_position() {
        let kings = position("8/8/8/k7/8/7K/8/8 w - - 0 1").to_setup();
        let (mut keys, mut positions) = (BTreeSet::new(), 0);
        for letter in "PNBRQpnbrq".chars() {
            for square in Square::all().filter(|&square| kings.board.piece_at(square).is_none()) {
                let mut setup = kings;
                setup.board.put(square, Piece::from_char(letter).unwrap());
                // Pawns on the last ranks and checks against the side that does not move are none.
                let Ok(position) = setup.validate() else { continue };
                keys.insert(position.key());
                positions += 1;
            }
        }
        assert!(positions > 500, "{positions}");
        assert_eq!(keys.len(), positions);
    }

    /// R4: whose king stands where.
    #[test]
    fn kings_that_change_places_make_another_position() {
        assert_ne!(key("8/8/8/k7/8/7K/8/8 w - - 0 1"), key("8/8/8/K7/8/7k/8/8 w - - 0 1"));
    }

    /// R4: of eight files on which a pawn may be taken en passant.
    #[test]
    fn eight_captures_en_passant_have_eight_keys() {
        let keys: BTreeSet<Key> = (0..8u8)
            .map(|file| {
                let rank = if file % 2 == 0 { "pPpPpPpP" } else { "PpPpPpPp" };
                let file = char::from(b'a' + file);
                let fields = |square: &str| format!("4k3/8/8/{rank}/8/8/8/4K3 w - {square} 0 1");
                Key(key(&fields(&format!("{file}6"))).0 ^ key(&fields("-")).0)
            })
            .collect();
        assert_eq!(keys.len(), 8);
    }
}

mod taking_back {
    use super::*;
    use touchmove::{Position, Role};

    /// R5, design: the clock is restored, however often a move is tried.
    #[test]
    fn a_quiet_move_taken_back_leaves_no_trace_in_the_clock() {
        let mut position = position(START);
        for _ in 0..3 {
            let mv = resolve(&position, "g1f3").unwrap();
            let undo = position.make(mv);
            assert_eq!(position.halfmove_clock(), 1);
            position.unmake(mv, undo);
        }
        let _kept = position.make(resolve(&position, "g1f3").unwrap());
        assert_eq!(
            position.to_string(),
            "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"
        );
    }

    /// R11: a capture and a king move, each made and taken back on one position.
    #[test]
    fn two_moves_made_and_taken_back_in_turn_leave_nothing_behind() {
        let fen = "rnbqkbnr/pppp1ppp/4p3/6N1/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 2";
        let mut position = position(fen);
        for uci in ["d8g5", "e8e7", "d8g5"] {
            let mv = resolve(&position, uci).unwrap();
            let undo = position.make(mv);
            position.unmake(mv, undo);
            assert_eq!(position.to_string(), fen, "{uci}");
            assert_eq!(legal_moves(&position).len(), 28, "{uci}");
        }
    }

    /// FIDE 1.2: the turn goes back with the move.
    #[test]
    fn after_an_undo_the_side_whose_move_it_was_moves_again() {
        let mut position = play(START, "e2e4");
        let mv = resolve(&position, "c7c5").unwrap();
        let undo = position.make(mv);
        position.unmake(mv, undo);
        let _kept = position.make(resolve(&position, "e7e5").unwrap());
        assert_eq!(
            position.to_string(),
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
        );
    }

    /// Design: every kind of move comes back, with key and rights.
    #[test]
    fn every_kind_of_move_is_taken_back_exactly() {
        for (fen, uci) in [
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 3 9", "e5d6"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "e1c1"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "a1a8"),
            ("r3k3/1P6/8/8/8/8/8/4K3 w q - 3 9", "b7a8q"),
            ("4k3/8/8/8/8/8/8/5KR1 w G - 3 9", "f1g1"),
            ("4k3/8/8/8/8/8/8/6KR w H - 3 9", "g1h1"),
            ("4k3/8/8/8/8/8/8/4KR2 w F - 3 9", "e1f1"),
            ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 3 9", "e2e4"),
        ] {
            let mut position = position(fen);
            let before = position;
            let mv = resolve(&position, uci).unwrap();
            let undo = position.make(mv);
            assert_ne!(position, before);
            position.unmake(mv, undo);
            assert_eq!(position, before, "{uci}");
            assert_eq!(position.key(), touchmove::Key::of(&position), "{uci}");
        }
    }

    /// FIDE 3.1.1, 3.7.3.1: what was captured is known from the record.
    #[test]
    fn an_undo_knows_what_was_captured() {
        let captured = |fen: &str, uci: &str| {
            let mut position = position(fen);
            let mv = resolve(&position, uci).unwrap();
            position.make(mv).captured()
        };
        assert_eq!(captured("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), Some(Role::Pawn));
        assert_eq!(captured("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", "d1d5"), Some(Role::Queen));
        assert_eq!(captured("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), None);
    }

    /// R5: both counters stay at 9999, and come back from there.
    #[test]
    fn counters_saturate_at_9999_and_are_restored() {
        let mut position = position("4k3/8/8/8/8/8/8/4K3 b - - 9998 9999");
        let before = position;
        let first = resolve(&position, "e8e7").unwrap();
        let first_undo = position.make(first);
        assert_eq!(position.to_string(), "8/4k3/8/8/8/8/8/4K3 w - - 9999 9999");
        let between = position;
        let second = resolve(&position, "e1e2").unwrap();
        let second_undo = position.make(second);
        assert_eq!(position.halfmove_clock(), Position::CLOCK_MAX);
        position.unmake(second, second_undo);
        assert_eq!(position, between);
        position.unmake(first, first_undo);
        assert_eq!(position, before);
    }
}

mod counters {
    use super::*;

    /// FIDE 9.3: pawn moves and captures start the count again, everything else goes on.
    #[test]
    fn pawn_moves_and_captures_reset_the_halfmove_clock() {
        let clock = |fen: &str, uci: &str| play(fen, uci).halfmove_clock();
        assert_eq!(clock("4k3/8/8/8/8/8/4P3/4K3 w - - 42 60", "e2e3"), 0);
        assert_eq!(clock("4k3/8/8/3pP3/8/8/8/4K3 w - d6 42 60", "e5d6"), 0);
        assert_eq!(clock("4k3/8/8/8/8/8/3n4/4K3 w - - 42 60", "e1d2"), 0);
        assert_eq!(clock("8/4P2k/8/8/8/8/8/4K3 w - - 42 60", "e7e8q"), 0);
        assert_eq!(clock("4k3/8/8/8/8/8/8/4K2R w K - 42 60", "e1g1"), 43);
    }

    /// R5: the move number counts pairs of plies.
    #[test]
    fn the_move_number_goes_up_after_black() {
        assert_eq!(play(START, "e2e4").move_number(), 1);
        assert_eq!(play(START, "e2e4 e7e5").move_number(), 2);
    }
}

mod null_moves_r12a {
    use super::*;
    use touchmove::{Key, NullMoveInCheck};

    /// R12a: the turn goes over, en passant lapses, and the clocks go on.
    #[test]
    fn a_null_move_passes_the_turn_and_clears_en_passant() {
        let mut position = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 4 7");
        let before = position;
        let undo = position.make_null().unwrap();
        assert_eq!(position.to_string(), "4k3/8/8/3pP3/8/8/8/4K3 b - - 5 7");
        assert_eq!(position.key(), Key::of(&position));
        position.unmake_null(undo);
        assert_eq!(position, before);
    }

    /// R12a: the move number goes up after Black.
    #[test]
    fn a_null_move_of_black_ends_the_numbered_move() {
        let mut position = position("r3k3/8/8/8/8/8/8/4K3 b q - 0 7");
        let _kept = position.make_null().unwrap();
        assert_eq!(position.to_string(), "r3k3/8/8/8/8/8/8/4K3 w q - 1 8");
    }

    /// R12a: in check the king could be taken.
    #[test]
    fn a_null_move_is_refused_in_check() {
        let mut position = position("4k3/8/8/8/8/8/8/r3K3 w - - 0 1");
        let before = position;
        assert_eq!(position.make_null(), Err(NullMoveInCheck));
        assert!(NullMoveInCheck.to_string().contains("in check"));
        assert_eq!(position, before);
    }

    /// R5, R12a: at 9999 the counters stay there.
    #[test]
    fn a_null_move_saturates_the_counters() {
        let mut position = position("4k3/8/8/8/8/8/8/4K3 b - - 9999 9999");
        let before = position;
        let undo = position.make_null().unwrap();
        assert_eq!((position.halfmove_clock(), position.move_number()), (9999, 9999));
        position.unmake_null(undo);
        assert_eq!(position, before);
    }
}
