//! Cases: what a fault shrinks to, what is written reads back, and every regression passes.

use touchmove::Position;
use touchmove_oracles::case::{Case, replay, shrink};
use touchmove_oracles::generators::{Walk, from_seed};
use touchmove_oracles::oracles::{
    Divergence, GameLog, Honest, Lies, Verdict, any_move_code, game, guarded, key_pair,
};

/// The first divergence that games find with a liar.
fn found(lie: Lies) -> Divergence {
    let play = |seed| game(from_seed::<Walk>(seed), &lie, &mut GameLog::default());
    let verdict = (0..1000).map(play).find(|verdict| !verdict.is_clean());
    match verdict {
        Some(Verdict::Diverges(divergence)) => *divergence,
        _ => panic!("{lie:?} was not caught"),
    }
}

/// A fault in unmake ends at six plies or fewer, and most at one.
#[test]
fn faults_in_unmake_shrink_to_a_few_moves() {
    for lie in [Lies::KeepsRightLost, Lies::ClockOffByOne, Lies::ForgetsEnPassant] {
        let small = shrink(found(lie), &lie, || false);
        assert!(small.moves.len() <= 2, "{lie:?}: {small}");
        assert!(small.start.board().occupied().len() <= 6, "{lie:?}: {small}");
        assert!(!replay(small.start, &small.moves, &lie).is_clean(), "{lie:?}: {small}");
        replay(small.start, &small.moves, &Honest).expect_clean();
    }
}

#[test]
fn what_is_written_reads_back() {
    let case = Case::from(shrink(found(Lies::KeepsRightLost), &Lies::KeepsRightLost, || false));
    assert_eq!(case.to_string().parse(), Ok(case));
}

/// A text that was read wrongly is kept whole, whatever stands in it.
#[test]
fn a_case_about_a_text_holds_the_text() {
    let text = String::from(" 8/8 \"w\"\n- \\ \u{1}\u{e9}\r");
    let case = Case {
        oracle: String::from("fen_text"),
        start: Position::default(),
        moves: Vec::new(),
        text: Some(text),
        expected: String::from("accepted: true"),
        got: String::from("accepted: false"),
    };
    assert_eq!(case.to_string().parse(), Ok(case.clone()));
    case.replay(&Honest).expect_clean();
    let spoilt = case.to_string().replace("text: \"", "text: ");
    let error = spoilt.parse::<Case>().unwrap_err().to_string();
    assert!(error.starts_with("line 4, column 8: expected a JSON string: "), "{error}");
}

/// What is no case is told as the compiler tells it: line, column, and what was expected.
#[test]
fn a_text_that_is_no_case_says_where_and_what_was_expected() {
    let error = |text: &str| text.parse::<Case>().unwrap_err().to_string();
    let start = format!("start: {}", Position::default());
    assert_eq!(error(""), "line 1, column 1: expected a line `oracle: …`");
    assert_eq!(error("oracle: san"), "line 1, column 12: expected a line `start: …`");
    let headed = |line: &str| error(&format!("# A remark\noracle: san\n{line}"));
    assert!(headed("start: 8/8/9 w - - 0 1").starts_with("line 3, column 12: expected a FEN: "));
    assert!(
        headed("start: 8/8/8/8/8/8/8/8 w - - 0 1").starts_with("line 3, column 8: expected a FEN")
    );
    assert_eq!(
        headed(&format!("{start}\nmoves: e2e4 e2e4")),
        "line 4, column 13: expected a legal move: no piece stands on e2"
    );
    let rest = format!("{start}\nmoves:\nexpected: x\ngot: y");
    let nobody = error(&format!("oracle: nonsense\n{rest}"));
    assert!(nobody.starts_with("line 1, column 9: expected the name of an oracle"), "{nobody}");
    for oracle in ["any_move_code", "key_pair", "legality"] {
        let text = error(&format!("oracle: {oracle}\n{rest}\ntext: \"x\""));
        assert!(text.starts_with("line 6, column 7: expected a text that"), "{text}");
    }
}

/// A code that nobody generated stays with its case, which is played again by the oracle that found it.
#[test]
fn a_case_about_a_code_holds_the_code_and_sheds_its_pieces() {
    let lie = Lies::TrustsCastling;
    let start = "r3k2r/pppp1ppp/8/4r3/8/8/PPPP1PPP/R3K2R w KQkq - 3 9".parse().unwrap();
    let code = touchmove::Move::castling(touchmove::Square::E1, touchmove::Square::H1).unwrap();
    let Verdict::Diverges(found) = any_move_code(&start, code.code(), &lie) else { panic!() };
    let small = shrink(*found, &lie, || false);
    assert!(small.start.board().occupied().len() <= 4, "{small}");
    let case: Case = Case::from(small).to_string().parse().unwrap();
    assert_eq!(case.oracle, "any_move_code");
    assert!(!case.replay(&lie).is_clean());
    case.replay(&Honest).expect_clean();
}

#[test]
fn a_case_about_two_positions_holds_both() {
    let with: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
    let without: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
    let lie = Lies::KeyWithoutRights;
    let Verdict::Diverges(found) = key_pair(&with, &without, &lie) else { panic!() };
    let case: Case = Case::from(*found).to_string().parse().unwrap();
    assert!(!case.replay(&lie).is_clean());
    case.replay(&Honest).expect_clean();
}

/// A panic is a find like others: the moves that led there, and as small as it gets.
#[test]
fn a_panic_is_told_with_its_game_and_shrinks() {
    let lie = Lies::PanicsOnCastling;
    let play =
        |seed| guarded(from_seed::<Walk>(seed), |walk| game(walk, &lie, &mut GameLog::default()));
    let mut verdicts = (0..1000).map(play).filter(|verdict| !verdict.is_clean());
    let Some(Verdict::Diverges(found)) = verdicts.next() else { panic!("nobody castled") };
    assert!(found.got.starts_with("panicked at ") && found.got.ends_with("planted: no castling"));
    let small = shrink(*found, &lie, || false);
    assert!(small.moves.len() <= 1 && small.start.board().occupied().len() <= 4, "{small}");
    let case: Case = Case::from(small).to_string().parse().unwrap();
    assert_eq!(case.oracle, "panic");
    assert!(!case.replay(&lie).is_clean());
    case.replay(&Honest).expect_clean();
}

#[test]
fn shrinking_ends_when_it_is_told_to() {
    let whole = found(Lies::ClockOffByOne);
    assert_eq!(shrink(whole.clone(), &Lies::ClockOffByOne, || true), whole);
}
