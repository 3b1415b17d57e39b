//! Positions and games that are copied for each thread, and counts that are added when the threads are joined.
//!
//! Reported for others: a root that threads shared until somebody wrote to it, copies that pointed into the past of the
//! original, and counters read half written.

use std::thread;

use touchmove::{Game, Move, Position, perft};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// The most legal moves there are, so that many paths are counted in little time.
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

/// The paths from one root that all threads read, the first moves dealt out to them; each has its own copy to write to.
fn shared_out(root: &Position, depth: u32, threads: usize) -> u64 {
    let moves: Vec<Move> = root.legal_moves().into_iter().collect();
    let counted = |mut position: Position, moves: &[Move]| -> u64 {
        let below = |&mv| {
            let undo = position.make(mv);
            let nodes = perft(&position, depth - 1);
            position.unmake(mv, undo);
            nodes
        };
        moves.iter().map(below).sum()
    };
    thread::scope(|scope| {
        let dealt: Vec<_> = moves
            .chunks(moves.len().div_ceil(threads))
            .map(|moves| scope.spawn(move || counted(*root, moves)))
            .collect();
        dealt.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

/// The known count of Kiwipete at depth 4; the root is the same afterwards.
#[test]
fn totals_from_one_shared_root_are_equal_for_one_to_sixteen_threads() {
    let root: Position = KIWIPETE.parse().unwrap();
    for threads in 1..=16 {
        assert_eq!(shared_out(&root, 4, threads), 4_085_603, "{threads} threads");
    }
    assert_eq!(root.to_string(), KIWIPETE);
}

/// 16 threads count 13,853,661 paths (the suite's depth 5) 20 times each: more than 2^32 in all, added after they were
/// joined.
#[test]
fn totals_above_two_to_the_32_are_exact() {
    let root: Position = MOST_MOVES.parse().unwrap();
    let count = || (0..20).map(|_| perft(&root, 5)).sum::<u64>();
    let total: u64 = thread::scope(|scope| {
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(count)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(total, 16 * 20 * 13_853_661);
    assert!(total > 1 << 32);
}

/// A copy takes its moves back to its own earlier states, in another thread and when the original has changed and is gone.
#[test]
fn a_copy_takes_moves_back_whatever_became_of_the_original() {
    let mut original = Game::new(Position::default());
    for text in ["e2e4", "e7e5", "g1f3", "b8c6"] {
        original.play(original.turn(), text).unwrap();
    }
    let mut copy = original.clone();
    for _ in 0..4 {
        original.undo().unwrap();
    }
    original.play(original.turn(), "d2d4").unwrap();
    drop(original);
    let fens = thread::spawn(move || {
        let mut fens = Vec::new();
        while copy.undo().is_ok() {
            fens.push(copy.position().to_string());
        }
        fens
    });
    let right = [
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ];
    assert_eq!(fens.join().unwrap(), right);
}
