//! Hints: the best moves, sorted, with their scores.

use touchmove::{Move, Position};
use touchmove_chooser::{Hint, Limits, Score, Searcher};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn hints(fen: &str, depth: u32, hints_max: usize) -> Vec<Hint> {
    let position: Position = fen.parse().unwrap();
    Searcher::new(1).hints(&position, &[], &Limits::depth(depth), hints_max, |_| {})
}

#[test]
fn hints_are_sorted_and_no_move_comes_twice() {
    for depth in 0..=4 {
        let hints = hints(KIWIPETE, depth, 8);
        assert_eq!(hints.len(), 8);
        assert!(hints.is_sorted_by(|a, b| a.score() >= b.score()), "{hints:?}");
        let mut moves: Vec<Move> = hints.iter().map(Hint::mv).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), 8);
    }
}

#[test]
fn no_more_hints_are_given_than_there_are_moves() {
    assert_eq!(hints("7k/8/8/8/8/8/6q1/K7 w - - 0 1", 2, 500).len(), 1);
    assert_eq!(hints(KIWIPETE, 1, 500).len(), 48);
    assert_eq!(hints(KIWIPETE, 1, 0), []);
    assert_eq!(hints("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 2, 3), []);
}

/// The distances are Stockfish's, for all 28 moves; two of them give the queen or stalemate.
#[test]
fn mates_come_first_with_their_distance() {
    let hints = hints("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 10, 30);
    let mates: Vec<Option<i32>> = hints.iter().map(|hint| hint.score().mate()).collect();
    let in_moves = |moves, times| std::iter::repeat_n(moves, times);
    let right = in_moves(Some(1), 1)
        .chain(in_moves(Some(2), 6))
        .chain(in_moves(Some(3), 18))
        .chain(in_moves(Some(4), 1))
        .chain(in_moves(None, 2));
    assert_eq!(mates, right.collect::<Vec<_>>(), "{hints:?}");
    assert_eq!(format!("{:?}", hints[0].mv()), "g1g7");
    assert!(hints[26..].iter().all(|hint| hint.score() == Score::DRAW));
}

/// The hints of the side that is being mated put the longest resistance first.
#[test]
fn who_is_mated_is_shown_the_longest_resistance() {
    let hints = hints("8/8/8/8/8/5k2/1r6/6K1 w - - 0 1", 5, 3);
    let mates: Vec<Option<i32>> = hints.iter().map(|hint| hint.score().mate()).collect();
    assert!(mates.iter().all(|mate| mate.is_some_and(|moves| moves < 0)), "{hints:?}");
    assert!(mates.is_sorted(), "{mates:?}");
}
