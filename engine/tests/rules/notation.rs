//! FEN (R5, R6), UCI (R9, R10) and EPD (R23): what is read, what is refused, what is written.

use crate::{after, position, resolve, setup_error};
use touchmove::{
    Epd, EpdMoveFault, FenError, Move, Position, Setup, Square, SyntaxError, UciMode, UciMove,
};

mod fen_r5 {
    use super::*;

    #[track_caller]
    fn syntax_error(fen: &str) -> SyntaxError {
        match fen.parse::<Position>() {
            Err(FenError::Syntax(error)) => error,
            other => panic!("{fen:?} should be no FEN: {other:?}"),
        }
    }

    /// R5: byte offset and field of the first thing that is wrong.
    #[track_caller]
    fn assert_wrong_at(fen: &str, offset: usize, field: &str) {
        let error = syntax_error(fen);
        assert_eq!((error.offset(), error.field()), (offset, field), "{fen:?}: {error}");
        assert_eq!(fen.parse::<Setup>(), Err(error), "{fen:?}");
        assert_eq!(FenError::from(error).offset(), offset);
    }

    /// R5: six fields, each written as it was read.
    #[test]
    fn what_is_written_is_what_was_read() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 3",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 9999 9999",
        ] {
            assert_eq!(position(fen).to_string(), fen);
        }
    }

    /// R5: the clocks are then 0 and 1.
    #[test]
    fn four_fields_are_a_fen() {
        let four = position("4k3/8/8/8/8/8/8/4K3 b - -");
        assert_eq!((four.halfmove_clock(), four.move_number()), (0, 1));
    }

    /// R5: neither two nor three nor five nor seven.
    #[test]
    fn other_numbers_of_fields_are_refused() {
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3", 19, "piece placement");
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3 w", 21, "turn");
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3 w -", 23, "castling rights");
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3 w - - 0", 27, "halfmove clock");
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", 29, "move number");
        assert_wrong_at("", 0, "piece placement");
    }

    /// R5: 0 to 9999; move number 0 is read as 1.
    #[test]
    fn counters_are_numbers_up_to_9999() {
        assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w - - 9999 9999").halfmove_clock(), 9999);
        assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w - - 0 0").move_number(), 1);
        for (counter, offset) in
            [("10000", 26), ("-1", 26), ("+1", 26), ("01", 26), ("00", 26), ("x", 26)]
        {
            assert_wrong_at(
                &format!("4k3/8/8/8/8/8/8/4K3 w - - {counter} 1"),
                offset,
                "halfmove clock",
            );
            assert_wrong_at(
                &format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {counter}"),
                offset + 2,
                "move number",
            );
        }
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3 w - - 1.5 1", 27, "halfmove clock");
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3 w - -  1", 26, "halfmove clock");
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1", 26, "halfmove clock");
    }

    /// R5: around the text any, between fields exactly one.
    #[test]
    fn blanks_are_trimmed_around_the_text_and_single_within() {
        assert_eq!(
            position("\t 4k3/8/8/8/8/8/8/4K3 w - - 0 1 \r\n"),
            position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
        );
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3  w - - 0 1", 20, "turn");
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3\tw - - 0 1", 19, "piece placement");
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3 w - -\u{a0}0 1", 25, "en passant square");
    }

    /// R5: offsets count from the very start of the text.
    #[test]
    fn trimmed_blanks_count_for_the_offset() {
        assert_wrong_at("  4k3/8/8/8/8/8/8/4K3 x - - 0 1", 22, "turn");
    }

    /// R5: eight ranks of eight files, and nothing else.
    #[test]
    fn a_board_has_eight_ranks_of_eight_files() {
        assert_wrong_at("4k3/8/8/8/8/8/4K3 w - - 0 1", 17, "piece placement");
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3/ w - - 0 1", 19, "piece placement");
        assert_wrong_at("/4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0, "piece placement");
        assert_wrong_at("4k4/8/8/8/8/8/8/4K3 w - - 0 1", 2, "piece placement");
        assert_wrong_at("4k2/8/8/8/8/8/8/4K3 w - - 0 1", 3, "piece placement");
        assert_wrong_at("4k3/8/8/44/8/8/8/4K3 w - - 0 1", 9, "piece placement");
        assert_wrong_at("4k3/8/8/9/8/8/8/4K3 w - - 0 1", 8, "piece placement");
        assert_wrong_at("4k3/8/8/0p7/8/8/8/4K3 w - - 0 1", 8, "piece placement");
        assert_wrong_at("4k3/8/8/7x/8/8/8/4K3 w - - 0 1", 9, "piece placement");
    }

    /// R5: the offset is in bytes, and the glyph is named.
    #[test]
    fn a_unicode_glyph_is_no_piece() {
        assert_wrong_at("4♚3/8/8/8/8/8/8/4K3 w - - 0 1", 1, "piece placement");
        assert_eq!(syntax_error("4♚3/8/8/8/8/8/8/4K3 w - - 0 1").found(), Some('♚'));
        assert_eq!(
            syntax_error("4k3/8/8/8/8/8/8/4K3 w - é3 0 1").to_string(),
            "byte 24, en passant square: expected `-` or a square such as `e3`, found 'é'"
        );
    }

    /// R5: lower case only.
    #[test]
    fn turn_and_en_passant_are_lower_case() {
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3 W - - 0 1", 20, "turn");
        assert_wrong_at("4k3/8/8/8/8/8/8/4K3 B - - 0 1", 20, "turn");
        assert_wrong_at("4k3/8/8/8/3pP3/8/8/4K3 b - E3 0 1", 27, "en passant square");
        assert_wrong_at("4k3/8/8/8/3pP3/8/8/4K3 b - e9 0 1", 28, "en passant square");
    }

    /// R1, R5: text that is well formed and impossible is another kind of error.
    #[test]
    fn an_impossible_position_is_no_syntax_error() {
        assert_eq!(setup_error("8/8/8/8/8/8/8/8 w - - 0 1").faults().len(), 2);
        assert!("8/8/8/8/8/8/8/8 w - - 0 1".parse::<Setup>().is_ok());
    }
}

mod castling_field_r6 {
    use super::*;

    #[track_caller]
    fn written(fen: &str) -> String {
        position(fen).to_string().split(' ').nth(2).unwrap().to_string()
    }

    /// R6: both are read, in any order; X-FEN is written.
    #[test]
    fn letters_and_files_are_read_in_any_order() {
        for rights in ["KQkq", "qkQK", "HAha", "ahAH", "KAkq"] {
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
            assert_eq!(written(&fen), "KQkq", "{rights}");
        }
    }

    /// R6: `K` is the outermost rook, and the letter of its file is written for an inner one.
    #[test]
    fn an_inner_rook_is_written_with_its_file() {
        assert_eq!(written("4k3/8/8/8/8/8/8/1RR1K1RR w KQ - 0 1"), "KQ");
        assert_eq!(written("4k3/8/8/8/8/8/8/1RR1K1RR w GC - 0 1"), "GC");
        assert_eq!(written("4k3/8/8/8/8/8/8/1RR1K1RR w HB - 0 1"), "KQ");
        assert_eq!(written("1rr1k1rr/8/8/8/8/8/8/4K3 w gb - 0 1"), "gq");
    }

    /// R6: king side before queen side, white before black.
    #[test]
    fn the_order_of_writing_is_fixed() {
        assert_eq!(written("1r3kr1/8/8/8/8/8/8/1R3KR1 w bBgG - 0 1"), "KQkq");
    }

    /// R6: each right once.
    #[test]
    fn a_right_named_twice_is_an_error() {
        for (rights, offset) in [("KK", 27), ("KH", 27), ("KQkqK", 30), ("qa", 27)] {
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
            match fen.parse::<Setup>() {
                Err(error) => assert_eq!(error.offset(), offset, "{rights}: {error}"),
                Ok(setup) => panic!("{rights} is read as {setup:?}"),
            }
        }
    }

    /// R6: neither nothing, nor a dash among letters, nor a letter beyond h.
    #[test]
    fn other_texts_are_errors() {
        for rights in ["", "K-", "--", "-K", "I", "KQkqx", "0", "é"] {
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
            assert!(fen.parse::<Setup>().is_err(), "{rights}");
        }
    }
}

mod uci_r9 {
    use super::*;
    use touchmove::{Move, Square};

    #[track_caller]
    fn read(fen: &str, uci: &str, mode: UciMode) -> Option<String> {
        let mv = uci.parse::<UciMove>().unwrap().resolve(&position(fen), mode).ok()?;
        Some(UciMove::of(mv, mode).unwrap().to_string())
    }

    /// R9: both are read in standard chess, the king's destination is written.
    #[test]
    fn standard_castling_is_read_in_two_ways_and_written_in_one() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (uci, written) in
            [("e1g1", "e1g1"), ("e1h1", "e1g1"), ("e1c1", "e1c1"), ("e1a1", "e1c1")]
        {
            assert_eq!(read(fen, uci, UciMode::Standard).as_deref(), Some(written), "{uci}");
        }
    }

    /// R9: castling has its two squares on the back rank; a king's move to those files elsewhere is no other text for it.
    #[test]
    fn castling_ends_on_the_back_rank() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for file in ["g", "h", "c", "a"] {
            for rank in 2..=8 {
                assert_eq!(
                    read(fen, &format!("e1{file}{rank}"), UciMode::Standard),
                    None,
                    "{file}{rank}"
                );
            }
        }
        // Nor is a step within the back rank, from beside e1.
        let beside = "4k3/8/8/8/8/8/8/R4K1R w - - 0 1";
        assert_eq!(read(beside, "f1g1", UciMode::Standard).as_deref(), Some("f1g1"));
    }

    /// R9: in Chess960 mode only king takes rook is read and written.
    #[test]
    fn chess960_castling_is_king_takes_rook_only() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(read(fen, "e1h1", UciMode::Chess960).as_deref(), Some("e1h1"));
        assert_eq!(read(fen, "e1g1", UciMode::Chess960), None);
        assert_eq!(read(fen, "e1c1", UciMode::Chess960), None);
    }

    /// R9: there `f1g1` is a step of the king where g1 is empty, though castling would end there too.
    #[test]
    fn a_king_step_in_chess960_mode_is_no_castling() {
        let fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
        assert_eq!(after(fen, "f1g1"), "4k3/8/8/8/8/8/8/6KR b - - 1 1");
        assert_eq!(after(fen, "f1h1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }

    /// R9: it has no text in standard mode.
    #[test]
    fn castling_from_elsewhere_cannot_be_written_in_standard_mode() {
        for (king, rook) in
            [(Square::F1, Square::G1), (Square::E1, Square::G1), (Square::D1, Square::H1)]
        {
            let castles = Move::castling(king, rook).unwrap();
            assert!(UciMove::of(castles, UciMode::Standard).is_err(), "{castles:?}");
            assert_eq!(
                UciMove::of(castles, UciMode::Chess960).unwrap().to_string(),
                format!("{king}{rook}")
            );
        }
    }

    /// R9: a queen on e1 that goes to g1 or h1 does not castle.
    #[test]
    fn no_other_piece_castles() {
        let fen = "k7/8/8/8/8/8/K7/4Q3 w - - 0 1";
        assert_eq!(after(fen, "e1g1"), "k7/8/8/8/8/8/K7/6Q1 b - - 1 1");
        assert_eq!(after(fen, "e1h1"), "k7/8/8/8/8/8/K7/7Q b - - 1 1");
    }

    /// R9: ASCII blanks around the text are trimmed, and nothing else is.
    #[test]
    fn blanks_around_a_move_are_trimmed() {
        assert_eq!(" e2e4\n".parse::<UciMove>(), "e2e4".parse());
        assert_eq!(" 0000 ".parse(), Ok(UciMove::Null));
        for text in [
            "",
            " ",
            "e2",
            "e2 e4",
            "e2e4\u{a0}",
            "e2e4\0",
            "e2-e4",
            "E2E4",
            "e9e4",
            "00000",
            "e2e4qq",
        ] {
            assert!(text.parse::<UciMove>().is_err(), "{text:?}");
        }
    }

    /// R9, R12: the place of the first wrong byte.
    #[test]
    fn a_text_that_is_no_move_is_refused_with_its_place() {
        for (text, offset) in
            [("", 0), ("e2", 2), ("e2e", 3), ("x2e4", 0), ("e2é4", 2), ("e7e8x", 4), (" e2e9", 4)]
        {
            assert_eq!(text.parse::<UciMove>().unwrap_err().offset(), offset, "{text:?}");
        }
    }

    /// R9: what the position's own rights need.
    #[test]
    fn a_position_knows_the_mode_it_needs() {
        assert_eq!(UciMode::of(&Position::default()), UciMode::Standard);
        assert_eq!(UciMode::of(&position("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1")), UciMode::Chess960);
        assert_eq!(UciMode::of(&position("4k3/8/8/8/8/8/8/3K3R w H - 0 1")), UciMode::Chess960);
        assert_eq!(UciMode::of(&position("4k3/8/8/8/8/8/8/3K3R w - - 0 1")), UciMode::Standard);
    }
}

mod promotion_r10 {
    use super::*;
    use touchmove::PromotionRole;

    /// R10, FIDE 3.7.3.3: the piece must be named.
    #[test]
    fn a_promotion_without_its_piece_is_incomplete() {
        let position = position("8/4P2k/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(resolve(&position, "e7e8").unwrap_err().code(), "promotion-missing");
        assert_eq!(
            resolve(&position, "e7e8q").unwrap().promotion_role(),
            Some(PromotionRole::Queen)
        );
    }

    /// R10: upper case and roles no pawn becomes are no moves in this notation.
    #[test]
    fn an_upper_case_or_impossible_promotion_is_no_uci_text() {
        for text in ["e7e8Q", "e7e8N", "e7e8k", "e7e8p", "e7e8K", "e7e8="] {
            assert_eq!(text.parse::<UciMove>().unwrap_err().offset(), 4, "{text}");
        }
    }
}

mod epd_r23 {
    use super::*;

    #[track_caller]
    fn epd(text: &str) -> Epd {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

    /// R23: operations keep their order, their operands and their text.
    #[test]
    fn operations_follow_the_four_fields() {
        let text = format!("{KINGS} acd 8; id \"two words\"; c;");
        let epd = epd(&text);
        let opcodes: Vec<&str> =
            epd.operations().iter().map(|operation| operation.opcode()).collect();
        assert_eq!(opcodes, ["acd", "id", "c"]);
        let id = &epd.operands("id").unwrap()[0];
        assert!(id.is_quoted());
        assert!(!epd.operands("acd").unwrap()[0].is_quoted());
        assert_eq!(id.text(), "two words");
        assert_eq!(epd.operands("c").map(<[_]>::len), Some(0));
        assert_eq!(epd.operands("bm"), None);
        assert_eq!(epd.to_string(), text);
    }

    /// R23: `;` within quotes ends nothing.
    #[test]
    fn a_quoted_string_may_hold_a_semicolon() {
        let epd = epd(&format!("{KINGS} c0 \"a; b;\"; c1 x;"));
        assert_eq!(epd.operands("c0").unwrap()[0].text(), "a; b;");
        assert_eq!(epd.operations().len(), 2);
    }

    /// R23: moves stand in an operation of their own, each time in the place of what stood there.
    #[test]
    fn moves_are_set_where_they_are_legal() {
        let mv = |uci: &str| resolve(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), uci).unwrap();
        let mut epd = epd(KINGS);
        for (set, opcode) in [
            (Epd::set_best_moves as fn(&mut Epd, &[Move]) -> _, "bm"),
            (Epd::set_moves_to_avoid, "am"),
            (Epd::set_line, "pv"),
        ] {
            for uci in ["e1e2", "e1d1"] {
                assert_eq!(set(&mut epd, &[mv(uci)]), Ok(()));
                assert_eq!(epd.moves(opcode).unwrap(), Ok(vec![mv(uci)]), "{opcode}");
            }
            let before = epd.clone();
            assert!(set(&mut epd, &[Move::normal(Square::E1, Square::E3)]).is_err());
            assert_eq!(epd, before, "{opcode}");
        }
    }

    /// R23: the operand that is no move is told, and why.
    #[test]
    fn an_operand_that_is_no_move_is_named() {
        let error = |operation: &str| {
            epd(&format!("{KINGS} {operation}")).moves("bm").unwrap().unwrap_err()
        };
        let illegal = error("bm Kd1 Ke3;");
        assert_eq!(illegal.text(), "Ke3");
        assert!(matches!(illegal.why(), EpdMoveFault::San(_)));
        let no_move = error("bm Kd1 king;");
        assert_eq!(no_move.text(), "king");
        assert!(matches!(no_move.why(), EpdMoveFault::Syntax(_)));
    }

    /// R23: they set the clocks of the position.
    #[test]
    fn hmvc_and_fmvn_set_the_clocks() {
        let epd = epd(&format!("{KINGS} fmvn 40; hmvc 12;"));
        assert_eq!((epd.position().halfmove_clock(), epd.position().move_number()), (12, 40));
    }

    /// R23, R5: their operands are counters as in a FEN.
    #[test]
    fn a_clock_that_is_no_counter_is_refused() {
        for operation in ["hmvc;", "hmvc x;", "hmvc 10000;", "hmvc 1 2;", "fmvn -1;", "fmvn 01;"] {
            assert!(format!("{KINGS} {operation}").parse::<Epd>().is_err(), "{operation}");
        }
    }

    /// R23: `D1 20; D2 400;` are counts.
    #[test]
    fn depths_carry_counts() {
        let epd =
            epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20; id \"x\"; D3 8902;");
        assert_eq!(epd.counts().collect::<Vec<_>>(), [(1, 20), (3, 8902)]);
        for operation in ["D1;", "D1 x;", "D1 -20;", "D1 1 2;", "D1 99999999999999999999;"] {
            assert!(format!("{KINGS} {operation}").parse::<Epd>().is_err(), "{operation}");
        }
    }

    /// R23: unknown operations are kept as they came, whatever their operands look like.
    #[test]
    fn unknown_operations_are_kept_as_text() {
        let text = format!("{KINGS} foo 1e+5 inf -0; bar_2 \"\"; Dx 1;");
        assert_eq!(epd(&text).to_string(), text);
    }

    /// R23: an operation ends with `;`, begins with a letter, and comes once.
    #[test]
    fn a_broken_operation_is_refused_with_its_place() {
        for (operations, offset) in [
            (" id", 28),
            (" id \"x", 31),
            (" 1d x;", 26),
            (" id x; id y;", 32),
            (" ;", 26),
            (" id \"a\"b;", 32),
        ] {
            let text = format!("{KINGS}{operations}");
            assert_eq!(text.parse::<Epd>().unwrap_err().offset(), offset, "{text}");
        }
    }

    /// R23: the clocks of a position are said where they are not 0 and 1.
    #[test]
    fn a_position_becomes_an_epd_with_its_clocks() {
        assert_eq!(Epd::from(position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")).to_string(), KINGS);
        let clocks = Epd::from(position("4k3/8/8/8/8/8/8/4K3 w - - 12 40"));
        assert_eq!(clocks.to_string(), format!("{KINGS} hmvc 12; fmvn 40;"));
        assert_eq!(epd(&clocks.to_string()), clocks);
    }

    /// R1, R23: the position is judged as a FEN's is.
    #[test]
    fn an_epd_of_an_impossible_position_is_refused() {
        assert!(matches!(
            "8/8/8/8/8/8/8/8 w - - id \"x\";".parse::<Epd>(),
            Err(FenError::Setup(_))
        ));
    }
}
