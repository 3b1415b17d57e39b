//! What goes there and back again: moves, null moves, FEN, EPD, UCI text, and the board turned round.

mod starts;

use proptest::prelude::*;
use starts::{cases, chess960, games, positions, sample};
use std::collections::BTreeSet;
use touchmove::{
    Epd, FenError, Key, Move, MoveKind, MoveList, Position, Setup, Square, SyntaxError, UciMode,
    UciMove, perft,
};

/// Plays the game that the numbers choose and looks at every position on the way.
fn walk(mut position: Position, choices: &[u16], mut look: impl FnMut(&Position)) {
    look(&position);
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let _kept = position.make(moves[usize::from(choice) % moves.len()]);
        look(&position);
    }
}

/// The FEN without its counters.
fn four_fields(position: &Position) -> String {
    position.to_string().rsplitn(3, ' ').nth(2).unwrap().to_string()
}

fn set(moves: MoveList) -> BTreeSet<Move> {
    let count = moves.len();
    let set: BTreeSet<Move> = moves.into_iter().collect();
    assert_eq!(set.len(), count, "a move is listed twice");
    set
}

mod making_and_taking_back {
    use super::*;

    /// Every field comes back, clocks at 9999 (R5) and key included, after legal and other moves alike.
    fn assert_all_moves_come_back(position: &Position) {
        let mut played = *position;
        for mv in position.pseudo_legal_moves() {
            let undo = played.make(mv);
            assert_eq!(played.key(), Key::of(&played), "key after {mv:?} in {position:?}");
            assert_ne!(played.turn(), position.turn());
            assert!(played.halfmove_clock() <= Position::CLOCK_MAX);
            assert!(played.move_number() <= Position::CLOCK_MAX);
            played.unmake(mv, undo);
            assert_eq!(played, *position, "unmake {mv:?}");
            assert_eq!(played.key(), position.key(), "key after unmake {mv:?} in {position:?}");
        }
    }

    /// R12a: refused exactly in check; else it leads to a valid position, and back.
    fn assert_a_null_move_comes_back(position: &Position) {
        let mut passed = *position;
        match passed.make_null() {
            Err(_) => assert!(position.is_check(), "{position:?}"),
            Ok(undo) => {
                assert!(!position.is_check(), "{position:?}");
                assert_eq!(passed.key(), Key::of(&passed), "{position:?}");
                assert_eq!(passed.to_setup().validate(), Ok(passed));
                assert_eq!((passed.board(), passed.en_passant()), (position.board(), None));
                passed.unmake_null(undo);
            }
        }
        assert_eq!(passed, *position);
    }

    proptest! {
        #![proptest_config(cases(600))]

        #[test]
        fn a_move_made_and_taken_back_leaves_no_trace((start, choices) in games(60)) {
            walk(start, &choices, assert_all_moves_come_back);
        }

        #[test]
        fn a_null_move_made_and_taken_back_leaves_no_trace((start, choices) in games(60)) {
            walk(start, &choices, assert_a_null_move_comes_back);
        }

        #[test]
        fn a_whole_game_is_taken_back((start, choices) in games(120)) {
            let mut position = start;
            let mut played = Vec::new();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[usize::from(choice) % moves.len()];
                let before = position;
                played.push((mv, position.make(mv), before));
            }
            for (mv, undo, before) in played.into_iter().rev() {
                position.unmake(mv, undo);
                prop_assert_eq!(position, before);
            }
            prop_assert_eq!(position, start);
        }

        /// R4: the key is that of the position, however it was reached.
        #[test]
        fn the_key_is_the_one_from_scratch((start, choices) in games(120)) {
            walk(start, &choices, |position| {
                assert_eq!(position.key(), Key::of(position), "{position:?}");
                let read_again: Position = position.to_string().parse().unwrap();
                assert_eq!(read_again.key(), position.key(), "{position:?}");
            });
        }
    }
}

mod legality {
    use super::*;

    /// R7: the fast route and the definition agree, and so does whoever counts or asks for one.
    fn assert_routes_agree(position: &Position) {
        let fast = set(position.legal_moves());
        assert_eq!(fast, set(position.clone().legal_moves_by_trial()), "{position:?}");
        assert_eq!(position.legal_count(), fast.len(), "{position:?}");
        assert_eq!(position.has_legal_move(), !fast.is_empty(), "{position:?}");
        assert_eq!(position.is_checkmate(), position.is_check() && fast.is_empty());
        assert_eq!(position.is_stalemate(), !position.is_check() && fast.is_empty());
        let pseudo_legal = set(position.pseudo_legal_moves());
        assert!(fast.is_subset(&pseudo_legal), "{position:?}");
        for &mv in &pseudo_legal {
            assert_eq!(position.is_legal(mv), fast.contains(&mv), "{mv:?} in {position:?}");
        }
        let mut reused = MoveList::new();
        reused.push(Move::normal(Square::A1, Square::A2));
        position.legal_moves_into(&mut reused);
        assert_eq!(set(reused), fast, "{position:?}");
    }

    /// R11, R12: of all 65,536 codes those are legal, and without a reason against them, that are listed.
    fn assert_every_code_agrees(position: &Position) {
        let listed = set(position.legal_moves());
        for mv in (0..=u16::MAX).filter_map(Move::from_code) {
            let expected = listed.contains(&mv);
            assert_eq!(position.is_legal(mv), expected, "{mv:?} in {position:?}");
            assert_eq!(position.explain(mv).is_ok(), expected, "{mv:?} in {position:?}");
        }
    }

    #[test]
    fn every_code_is_legal_exactly_when_it_is_listed() {
        (0..starts::SAMPLE.len()).map(sample).for_each(|position| {
            assert_routes_agree(&position);
            assert_every_code_agrees(&position);
        });
    }

    proptest! {
        #![proptest_config(cases(1_500))]

        #[test]
        fn both_routes_agree_in_random_games((start, choices) in games(80)) {
            walk(start, &choices, assert_routes_agree);
        }

        #[test]
        fn both_routes_agree_in_random_setups(position in positions()) {
            assert_routes_agree(&position);
        }
    }

    proptest! {
        #![proptest_config(cases(300))]

        #[test]
        fn every_code_agrees_in_random_setups(position in positions()) {
            assert_every_code_agrees(&position);
        }
    }

    /// Every start of Chess960 has its king between its rooks and all four rights.
    #[test]
    fn the_960_starts_differ_and_both_routes_agree() {
        let starts: BTreeSet<String> = (0..960)
            .map(|number| {
                let position = chess960(number);
                assert_eq!(position.castling().rooks().len(), 4);
                assert_routes_agree(&position);
                position.to_string()
            })
            .collect();
        assert_eq!(starts.len(), 960);
        assert_eq!(chess960(518), Position::default());
    }
}

mod symmetry {
    use super::*;

    fn flip(mv: Move) -> Move {
        let (from, to) = (mv.from().flip(), mv.to().flip());
        match mv.kind() {
            MoveKind::Normal => Move::normal(from, to),
            MoveKind::Promotion(role) => Move::promotion(from, to, role),
            MoveKind::EnPassant => Move::en_passant(from, to),
            MoveKind::Castling => Move::castling(from, to).unwrap(),
        }
    }

    /// White and Black have the same rules.
    fn assert_symmetric(position: &Position) {
        let setup = position.to_setup();
        assert_eq!(setup.flip().flip(), setup);
        let flipped = setup.flip().validate().unwrap_or_else(|error| panic!("{setup:?}: {error}"));
        assert_eq!(flipped.to_setup(), setup.flip(), "nothing is dropped");
        let moves: BTreeSet<Move> = position.legal_moves().into_iter().map(flip).collect();
        assert_eq!(moves, set(flipped.legal_moves()), "{position:?}");
        assert_eq!(position.is_check(), flipped.is_check(), "{position:?}");
        assert_ne!(position.key(), flipped.key(), "the turn differs");
    }

    proptest! {
        #![proptest_config(cases(600))]

        #[test]
        fn with_colours_exchanged_the_moves_are_the_same((start, choices) in games(60)) {
            walk(start, &choices, assert_symmetric);
        }

        #[test]
        fn with_colours_exchanged_the_counts_are_the_same(position in positions()) {
            assert_symmetric(&position);
            let flipped = position.to_setup().flip().validate().unwrap();
            prop_assert_eq!(perft(&position, 2), perft(&flipped, 2));
        }
    }

    #[test]
    fn with_colours_exchanged_the_sample_is_the_same() {
        for position in (0..starts::SAMPLE.len()).map(sample) {
            assert_symmetric(&position);
            let flipped = position.to_setup().flip().validate().unwrap();
            assert_eq!(perft(&position, 2), perft(&flipped, 2), "{position:?}");
        }
    }
}

mod generators {
    use super::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    /// Of 2,000 random set-ups, how many have what the tests are there to meet.
    #[test]
    fn random_setups_meet_every_rule() {
        let mut runner = TestRunner::new(cases(1));
        let setups: Vec<Position> =
            (0..2_000).map(|_| positions().new_tree(&mut runner).unwrap().current()).collect();
        let assert_met = |at_least: usize, what: &str, holds: fn(&Position) -> bool| {
            let met = setups.iter().filter(|position| holds(position)).count();
            assert!(met >= at_least, "{what}: {met} of 2000");
        };
        let lists = |position: &Position, kind: fn(MoveKind) -> bool| {
            position.legal_moves().into_iter().any(|mv| kind(mv.kind()))
        };
        assert_met(100, "en passant", |position| position.en_passant().is_some());
        assert_met(200, "check", Position::is_check);
        assert_met(20, "double check", |position| position.checkers().many());
        assert_met(5, "checkmate", Position::is_checkmate);
        assert_met(1, "stalemate", Position::is_stalemate);
        assert_met(200, "Chess960", |position| UciMode::of(position) == UciMode::Chess960);
        assert_met(20, "standard rights", |position| {
            UciMode::of(position) == UciMode::Standard && !position.castling().is_empty()
        });
        assert_met(20, "a counter at its end", |position| {
            position.halfmove_clock() == 9_999 || position.move_number() == 9_999
        });
        for (at_least, what, kind) in [
            (100, "castling", (|kind| kind == MoveKind::Castling) as fn(MoveKind) -> bool),
            (100, "promotion", |kind| matches!(kind, MoveKind::Promotion(_))),
        ] {
            let met = setups.iter().filter(|position| lists(position, kind)).count();
            assert!(met >= at_least, "{what}: {met} of 2000");
        }
    }
}

mod notations {
    use super::*;

    /// R3, R5, R6: what is written reads back equal, and is written the same again.
    fn assert_fen_comes_back(position: &Position) {
        let text = position.to_string();
        assert_eq!(text.parse(), Ok(*position), "{text}");
        let setup = position.to_setup();
        assert_eq!(setup.to_string(), text);
        assert_eq!(text.parse(), Ok(setup), "{text}");
        assert_eq!(setup.validate(), Ok(*position), "{text}");
    }

    /// R23: the same as EPD, clocks as operations.
    fn assert_epd_comes_back(position: &Position) {
        let epd = Epd::from(*position);
        let read_again: Epd = epd.to_string().parse().unwrap();
        assert_eq!(read_again, epd);
        assert_eq!(read_again.position(), position);
    }

    /// R9: a text means the move it was written for; castling from elsewhere has none in standard mode.
    fn assert_uci_comes_back(position: &Position) {
        for mode in [UciMode::Standard, UciMode::Chess960] {
            let mut texts = BTreeSet::new();
            for mv in position.legal_moves() {
                let Ok(written) = UciMove::of(mv, mode) else {
                    assert_eq!((mv.kind(), mode), (MoveKind::Castling, UciMode::Standard));
                    assert_eq!(UciMode::of(position), UciMode::Chess960, "{position:?}");
                    continue;
                };
                let text = written.to_string();
                let read: UciMove = text.parse().unwrap();
                assert_eq!(read, written);
                assert_eq!(read.resolve(position, mode), Ok(mv), "{text} in {position:?}");
                assert!(texts.insert(text), "two moves have one text in {position:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(cases(600))]

        #[test]
        fn a_position_comes_back_from_its_texts((start, choices) in games(80)) {
            walk(start, &choices, |position| {
                assert_fen_comes_back(position);
                assert_epd_comes_back(position);
            });
        }

        #[test]
        fn a_move_comes_back_from_its_text((start, choices) in games(60)) {
            walk(start, &choices, assert_uci_comes_back);
        }

        /// R11: whatever two squares and a role are asked for, the answer is a legal move or a reason.
        #[test]
        fn any_uci_text_means_a_legal_move_or_none(
            position in positions(),
            texts in prop::collection::vec("[a-h][1-8][a-h][1-8][nbrq]?", 40),
        ) {
            for mode in [UciMode::Standard, UciMode::Chess960] {
                for text in &texts {
                    let read: UciMove = text.parse().unwrap();
                    prop_assert_eq!(&read.to_string(), text);
                    if let Ok(mv) = read.resolve(&position, mode) {
                        prop_assert!(position.is_legal(mv), "{} in {:?}", text, position);
                    }
                }
            }
        }

        /// R23: operations come back as they were written.
        #[test]
        fn an_epd_comes_back_with_its_operations(
            position in positions(),
            operands in prop::collection::vec(
                prop::collection::vec("[^\\s;\"]{1,8}|\"[^\"]{0,12}\"", 0..4),
                0..5,
            ),
        ) {
            let mut text = four_fields(&position);
            for (index, operands) in operands.iter().enumerate() {
                text += &format!(" op_{index}");
                for operand in operands {
                    text += &format!(" {operand}");
                }
                text.push(';');
            }
            let epd: Epd = text.parse().unwrap();
            prop_assert_eq!(epd.operations().len(), operands.len());
            for (operation, expected) in epd.operations().iter().zip(&operands) {
                let read: Vec<&str> = operation.operands().iter().map(|operand| operand.text()).collect();
                let expected: Vec<&str> = expected.iter().map(|operand| operand.trim_matches('"')).collect();
                prop_assert_eq!(read, expected);
            }
            prop_assert_eq!(&epd.to_string(), &text);
        }
    }
}

mod any_text {
    use super::*;

    /// The place of an error is in the text, between two characters, and names what is there.
    fn assert_error_is_in(text: &str, error: &SyntaxError) {
        assert!(text.is_char_boundary(error.offset()), "{text:?}: {error}");
        if let Some(found) = error.found() {
            assert!(text[error.offset()..].starts_with(found), "{text:?}: {error}");
        }
        assert!(!error.to_string().is_empty());
    }

    fn assert_fen_error_is_in(text: &str, error: &FenError) {
        assert!(text.is_char_boundary(error.offset()), "{text:?}: {error}");
        match error {
            FenError::Syntax(error) => assert_error_is_in(text, error),
            FenError::Setup(error) => assert!(!error.faults().is_empty(), "{text:?}"),
            _ => unreachable!("no other kind of error"),
        }
    }

    /// Every reader takes the text or refuses it; what it takes, it writes so that it reads back equal.
    fn assert_readers_stand(text: &str) {
        match text.parse::<Setup>() {
            Ok(setup) => assert_eq!(setup.to_string().parse(), Ok(setup), "{text:?}"),
            Err(error) => assert_error_is_in(text, &error),
        }
        match text.parse::<Position>() {
            Ok(position) => assert_eq!(position.to_string().parse(), Ok(position), "{text:?}"),
            Err(error) => assert_fen_error_is_in(text, &error),
        }
        match text.parse::<Epd>() {
            Ok(epd) => assert_eq!(epd.to_string().parse(), Ok(epd), "{text:?}"),
            Err(error) => assert_fen_error_is_in(text, &error),
        }
        match text.parse::<UciMove>() {
            Ok(uci) => assert_eq!(uci.to_string(), text.trim_ascii(), "{text:?}"),
            Err(error) => assert_error_is_in(text, &error),
        }
        if let Ok(square) = text.parse::<Square>() {
            assert_eq!(square.to_string(), text);
        }
    }

    /// A valid text with a few characters changed, taken out, put in or cut off.
    fn nearly(text: String, changes: &[(usize, u8, char)]) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for &(place, how, with) in changes {
            let place = place % (chars.len() + 1);
            match how {
                0 if place < chars.len() => chars[place] = with,
                1 if place < chars.len() => drop(chars.remove(place)),
                2 if place + 1 < chars.len() => chars.swap(place, place + 1),
                3 => chars.truncate(place),
                _ => chars.insert(place, with),
            }
        }
        chars.into_iter().collect()
    }

    fn changes() -> impl Strategy<Value = Vec<(usize, u8, char)>> {
        let letters: Vec<char> =
            "rnbqkpRNBQKPwbKQkqHAhaegGF0123456789/// -  ;\"D.x\t\0éß♚\u{a0}😀".chars().collect();
        prop::collection::vec((any::<usize>(), 0..8u8, prop::sample::select(letters)), 1..4)
    }

    proptest! {
        #![proptest_config(cases(8_000))]

        #[test]
        fn arbitrary_text_is_read_or_refused(text in "\\PC{0,60}|[ -~]{0,40}|(?s:.){0,20}") {
            assert_readers_stand(&text);
        }

        #[test]
        fn nearly_valid_fen_is_read_or_refused(position in positions(), changes in changes()) {
            assert_readers_stand(&nearly(position.to_string(), &changes));
        }

        #[test]
        fn nearly_valid_epd_is_read_or_refused(position in positions(), changes in changes()) {
            let operations = "hmvc 4; fmvn 20; id \"a; b\"; D1 20; c0 x y;";
            let epd = format!("{} {operations}", four_fields(&position));
            assert_readers_stand(&nearly(epd, &changes));
        }

        #[test]
        fn nearly_valid_uci_is_read_or_refused(
            text in "[a-h][1-8][a-h][1-8][nbrq]?|0000",
            changes in changes(),
        ) {
            assert_readers_stand(&nearly(text, &changes));
        }
    }

    /// Every short text over letters that matter.
    #[test]
    fn only_64_texts_name_a_square() {
        let letters: Vec<char> = ('\0'..'\u{80}').chain(['é', '１', 'ａ']).collect();
        let mut read = 0;
        for &file in &letters {
            for &rank in &letters {
                let text: String = [file, rank].into_iter().collect();
                read += usize::from(text.parse::<Square>().is_ok());
            }
        }
        assert_eq!(read, 64);
    }
}
