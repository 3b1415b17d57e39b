//! Cases: what a fault shrinks to, what is written reads back, and every regression passes.

use touchmove::Position;
use touchmove_oracles::case::{Case, replay, shrink};
use touchmove_oracles::generators::{Walk, from_seed};
use touchmove_oracles::oracles::{Divergence, GameLog, Honest, Lies, Verdict, game};

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
        let small = shrink(found(lie), &lie);
        assert!(small.moves.len() <= 2, "{lie:?}: {small}");
        assert!(small.start.board().occupied().len() <= 6, "{lie:?}: {small}");
        assert!(!replay(small.start, &small.moves, &lie).is_clean(), "{lie:?}: {small}");
        replay(small.start, &small.moves, &Honest).expect_clean();
    }
}

#[test]
fn what_is_written_reads_back() {
    let case = Case::from(shrink(found(Lies::KeepsRightLost), &Lies::KeepsRightLost));
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
    assert!(error.starts_with("in the line `text`, a JSON string: "), "{error}");
}

#[test]
fn a_text_that_is_no_case_says_what_is_missing() {
    let error = |text: &str| text.parse::<Case>().unwrap_err().to_string();
    assert_eq!(error(""), "expected a line `start: …`");
    let start = Position::default();
    assert_eq!(error(&format!("start: {start}")), "expected a line `moves: …`");
    let moves = error(&format!("start: {start}\nmoves: e2e4 e2e4"));
    assert_eq!(moves, "in the line `moves`, `e2e4`: no piece stands on e2");
}
