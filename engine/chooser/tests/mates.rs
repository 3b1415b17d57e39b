//! Mates in three are found, announced and played out.

use std::sync::atomic::{AtomicBool, Ordering};

use touchmove::Position;
use touchmove_chooser::{Limits, Searcher};

/// More than any of them takes.
const NODES_MAX: u64 = 2_000_000;

/// Mates in three by Stockfish 15.1 (`go mate 3`) as well: from games, from problems, and an ending.
const MATES_IN_THREE: [(&str, &str); 10] = [
    (
        "anderssen-kieseritzky-1851",
        "r1b1k1nr/p2p1ppp/n2B4/1p1NPN1P/6P1/3P1Q2/P1P1K3/q5b1 w kq - 2 21",
    ),
    ("anderssen-dufresne-1852", "1r4r1/pbpknp1p/1b3P2/8/8/B1PB1q2/P4PPP/3R2K1 w - - 0 22"),
    ("evans-macdonnell-1826", "r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 1 1"),
    ("loyd-1876-promotion-to-knight", "b7/PP6/8/8/7K/6B1/6N1/4R1bk w - - 0 1"),
    ("knight-promotion-with-check", "5r2/2R2P1k/7p/4q3/7K/8/6Q1/8 w - - 0 1"),
    ("quiet-rook", "rn1q2rk/pp3p1p/2p4Q/3p4/7P/2NP2R1/PPP3P1/4RK2 w - - 0 1"),
    ("quiet-capture", "8/1Np1nr2/1p2pr2/1R6/1Pk2bR1/K3p3/2P1N1B1/8 w - - 0 1"),
    ("black-gives-the-queen", "rn3rk1/p5pp/2p5/3Ppb2/2q5/1Q6/PPPB2PP/R3K1NR b - - 0 1"),
    ("black-gives-a-rook", "2k4r/ppp3p1/3p2q1/3P4/2P1p3/1P6/P3QbNB/R4R1K b - - 0 1"),
    ("black-king-and-rook", "8/8/8/8/5k2/8/1r6/6K1 b - - 0 1"),
];

#[test]
fn a_mate_in_three_is_announced_and_its_line_mates() {
    for (name, fen) in MATES_IN_THREE {
        let position: Position = fen.parse().unwrap();
        let announced = AtomicBool::new(false);
        let limits =
            Limits { nodes_max: Some(NODES_MAX), stop: Some(&announced), ..Limits::default() };
        let mut solved = None;
        Searcher::new(4).search(&position, &[], &limits, |progress| {
            let hint = &progress.hints[0];
            if solved.is_none() && hint.score().mate() == Some(3) {
                solved = Some((progress.depth, progress.nodes, hint.clone()));
                announced.store(true, Ordering::Relaxed);
            }
        });
        let (depth, nodes, hint) = solved.unwrap_or_else(|| panic!("{name}: not solved"));
        println!("{name}: depth {depth}, {nodes} nodes");
        assert_eq!(hint.line().len(), 5, "{name}: {:?}", hint.line());
        let mut after = position;
        for &mv in hint.line() {
            assert!(after.is_legal(mv), "{name}: {mv:?} in {after:?}");
            let _kept = after.make(mv);
        }
        assert!(after.is_checkmate(), "{name}: {after:?}");
    }
}

/// The line of every mate that is ever announced, at any depth, mates in as many moves.
#[test]
fn no_mate_is_announced_that_is_not_there() {
    for (name, fen) in MATES_IN_THREE {
        let position: Position = fen.parse().unwrap();
        Searcher::new(1).hints(&position, &[], &Limits::nodes(60_000), 4, |progress| {
            for hint in progress.hints {
                let Some(moves) = hint.score().mate() else { continue };
                let mut after = position;
                for &mv in hint.line() {
                    assert!(after.is_legal(mv), "{name}: {hint:?}");
                    let _kept = after.make(mv);
                }
                let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
                assert_eq!(hint.line().len(), plies as usize, "{name}: {hint:?}");
                assert!(after.is_checkmate(), "{name}: {hint:?}");
            }
        });
    }
}
