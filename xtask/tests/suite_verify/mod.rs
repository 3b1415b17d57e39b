//! `suite verify`: what confirms a line, and what does not.

use super::run::xtask;
use super::{Folder, KIWIPETE, START, answers};

/// A right total by one move missing and one too many is no confirmation.
#[test]
fn suite_verify_compares_move_by_move() {
    let folder = Folder::new();
    let suite = folder.file("one.epd", "7k/8/8/8/8/8/8/KN6 w - - 0 1 ;D1 5\n");
    let liar = folder.engine("liar", &answers("a1a2 a1b2 b1a3 b1c3 b1b3"));
    let run = xtask(&["suite", "verify", &suite, "--referee", "shakmaty", "--referee", &liar]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("counts 5, but not move by move as touchmove does"), "{}", run.out);
}

#[test]
fn suite_verify_finds_a_wrong_count_a_missing_event_and_an_unknown_one() {
    let folder = Folder::new();
    let verify = |text: String| xtask(&["suite", "verify", &folder.file("suite.epd", text)]);
    let run = verify(format!("{KIWIPETE} ;D1 48 ;D2 2039 ;c0 castle-short,castle-long\n"));
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains("trial, shakmaty, cozy"), "{}", run.out);
    let run = verify(format!("{KIWIPETE} ;D1 47\n"));
    assert_eq!(run.code, 1);
    assert!(run.out.contains("depth 1, listed 47, shakmaty 48"), "{}", run.out);
    let run = verify(format!("{START} ;D2 400 ;c0 castle-short\n"));
    assert_eq!(run.code, 1);
    assert!(
        run.out.contains("`castle-short` is claimed and not reached in 2 plies"),
        "{}",
        run.out
    );
    let run = verify(format!("{START} ;D2 400 ;c0 castling-sideways\n"));
    assert_eq!(run.code, 2);
    assert!(run.out.contains("`castling-sideways` in c0: no such rule event"), "{}", run.out);
}

/// An event is looked for as deep as the line is listed, also when less is counted.
#[test]
fn suite_verify_looks_for_events_to_the_deepest_listed_depth() {
    let folder = Folder::new();
    let suite = folder.file("suite.epd", format!("{START} ;D1 20 ;D3 8902 ;c0 check\n"));
    for limit in [["--depth", "1"], ["--max-nodes", "100"]] {
        let run = xtask(&["suite", "verify", &suite, limit[0], limit[1]]);
        assert_eq!(run.code, 0, "{limit:?}: {}", run.out);
    }
    let block = format!("id x\nepd {START} ;c0 check\nperft 3 8902\nperft 1 20\n");
    let run = xtask(&["suite", "verify", &folder.file("block.epd", block)]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains("x  depth 3"), "{}", run.out);
}

#[test]
fn one_referee_is_not_enough_and_the_engines_own_never_count() {
    let folder = Folder::new();
    let suite = folder.file("one.epd", format!("{START} ;D1 20\n"));
    for referees in [&["cozy"][..], &["trial", "copy", "touchmove"]] {
        let mut arguments = vec!["suite", "verify", suite.as_str()];
        referees.iter().for_each(|referee| arguments.extend(["--referee", referee]));
        assert_eq!(xtask(&arguments).code, 3, "{referees:?}");
    }
    let twice = ["suite", "verify", &suite, "--referee", "shakmaty", "--referee", "shakmaty"];
    assert_eq!(xtask(&twice).code, 3, "one referee named twice is one");
    let two = ["suite", "verify", &suite, "--referee", "naive", "--referee", "shakmaty"];
    assert_eq!(xtask(&two).code, 0);
}

/// Seventeen men: cozy abstains by name, and naive stands in.
#[test]
fn a_referee_that_cannot_hold_a_position_abstains_by_name() {
    let folder = Folder::new();
    let fen = "rnbqkbnr/pppppppp/8/8/4N3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let suite = folder.file("one.epd", format!("{fen} ;D1 25\n"));
    let run = xtask(&["suite", "verify", &suite]);
    assert!(run.out.contains("cozy abstains: "), "{}", run.out);
    assert!(run.out.contains("trial, shakmaty, naive"), "{}", run.out);
}
