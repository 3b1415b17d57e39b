//! Choosers play legal moves only, the same ones each time, and see the draws.

use std::sync::atomic::AtomicBool;

use touchmove::{Key, Move, Position};
use touchmove_chooser::{Chooser, Limits, RandomChooser, SearchChooser, Searcher};

/// Standard and Chess960 starts, endings, castling in both, en passant, promotions, and set-ups that no
/// game leads to.
const STARTS: [&str; 24] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
    "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1",
    "bbrkrnnq/pppppppp/8/8/8/8/PPPPPPPP/BBRKRNNQ w ECec - 0 1",
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
    "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1",
    "qqqqkqqq/8/8/8/8/8/QQQ5/QQQQKQQQ w - - 0 1",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "knQQQQQ1/n6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQ1K w - - 0 1",
    "k7/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/K7 w - - 0 1",
    "q4Qnk/3q1Qpp/1q5Q/2q3Q1/4Q3/2q5/PP5q/KN3Q2 w - - 0 1",
    "qqqqqqqk/qqqqqqqq/qqqqqqqq/8/8/QQQQQQQQ/QQQQQQQQ/KQQQQQQQ w - - 0 1",
    "rrrrkrrr/8/nnnnnnnn/bbbbbbbb/BBBBBBBB/NNNNNNNN/8/RRRRKRRR b - - 0 1",
    "4r1k1/8/8/8/7b/8/8/r3K3 w - - 0 1",
    "r3k3/8/8/8/8/8/8/4K2R w - - 9998 9999",
];

/// Plays a game and shows each position with its past to `look`.
fn play(
    start: &str,
    plies_max: usize,
    players: [&mut dyn Chooser; 2],
    mut look: impl FnMut(&Position, &[Key]),
) -> (Position, Vec<Move>) {
    let mut position: Position = start.parse().unwrap();
    let (mut past, mut moves) = (Vec::new(), Vec::new());
    for ply in 0..plies_max {
        look(&position, &past);
        let Some(mv) = players[ply % 2].choose(&position, &past) else {
            assert!(!position.has_legal_move(), "no answer in {position:?}");
            break;
        };
        assert!(position.is_legal(mv), "{mv:?} in {position:?}");
        assert!(position.clone().legal_moves_by_trial().contains(&mv), "{mv:?} in {position:?}");
        past.push(position.key());
        moves.push(mv);
        let _kept = position.make(mv);
    }
    (position, moves)
}

fn looking(limits: Limits<'_>) -> SearchChooser<'_> {
    SearchChooser { searcher: Searcher::new(1), limits }
}

/// R11, along random games: whatever is asked, the answer and all of its line are legal.
#[test]
fn no_illegal_move_is_ever_chosen() {
    let mut searcher = Searcher::new(1);
    let mut searched = 0;
    for (seed, start) in STARTS.into_iter().enumerate() {
        let (mut one, mut other) =
            (RandomChooser::new(seed as u64), RandomChooser::new(99 + seed as u64));
        play(start, 120, [&mut one, &mut other], |position, past| {
            let nodes = Limits::nodes(300);
            let hint = searcher.search(position, past, &nodes, |_| {});
            assert_eq!(hint.is_some(), position.has_legal_move(), "{position:?}");
            let Some(hint) = hint else { return };
            assert_eq!(hint.line().first(), Some(&hint.mv()));
            let mut after = *position;
            for &mv in hint.line() {
                assert!(after.is_legal(mv), "{mv:?} of {hint:?} in {position:?}");
                let _kept = after.make(mv);
            }
            searched += 1;
        });
    }
    assert!(searched > 1000, "{searched} positions");
}

/// Between them they meet what random play does not: long forced lines, and mates.
#[test]
fn games_between_searchers_are_legal_from_every_start() {
    for start in STARTS {
        let (mut one, mut other) = (looking(Limits::nodes(400)), looking(Limits::nodes(250)));
        play(start, 30, [&mut one, &mut other], |_, _| {});
    }
}

#[test]
fn the_same_seed_and_limits_play_the_same_game() {
    for start in &STARTS[..12] {
        let game = || {
            let mut one = looking(Limits::nodes(1500));
            let mut other = RandomChooser::new(5);
            play(start, 40, [&mut one, &mut other], |_, _| {}).1
        };
        assert_eq!(game(), game(), "{start}");
    }
    let chosen = |seed| {
        let (mut one, mut other) = (RandomChooser::new(seed), RandomChooser::new(seed + 1));
        play(STARTS[0], 20, [&mut one, &mut other], |_, _| {}).1
    };
    assert_ne!(chosen(1), chosen(2));
}

#[test]
fn looking_ahead_mates_chance() {
    for seed in 0..4 {
        let mut one = looking(Limits::depth(3));
        let mut other = RandomChooser::new(seed);
        let (last, moves) = play(STARTS[0], 200, [&mut one, &mut other], |_, _| {});
        assert!(last.is_checkmate() && moves.len() % 2 == 1, "{last:?}");
    }
}

/// Whatever the limits say, there is an answer.
#[test]
fn without_time_to_look_a_move_is_chosen_all_the_same() {
    let stopped = AtomicBool::new(true);
    for limits in [
        Limits::nodes(0),
        Limits::depth(0),
        Limits::nodes(1),
        Limits { stop: Some(&stopped), ..Limits::default() },
    ] {
        for start in STARTS {
            let position: Position = start.parse().unwrap();
            let chosen = looking(limits).choose(&position, &[]);
            assert_eq!(chosen.is_some(), position.has_legal_move());
        }
    }
}

#[test]
fn mate_and_stalemate_have_no_answer() {
    for fen in ["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(looking(Limits::depth(3)).choose(&position, &[]), None);
        assert_eq!(RandomChooser::new(1).choose(&position, &[]), None);
    }
}

/// FIDE 9.2: the queen checks for ever, or White is mated.
#[test]
fn perpetual_check_is_seen_as_a_draw() {
    let position: Position = "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1".parse().unwrap();
    let hint = Searcher::new(1).search(&position, &[], &Limits::depth(7), |_| {}).unwrap();
    assert_eq!(format!("{:?}", hint.mv()), "h5e8");
    assert_eq!(hint.score().centipawns(), Some(0));
}

/// FIDE 9.2: what came twice before is not made a third time by the player who wins.
#[test]
fn the_winner_avoids_the_third_repetition() {
    let position: Position = "8/8/8/3k4/8/3K4/3Q4/8 w - - 20 40".parse().unwrap();
    let choose = |past: &[Key]| looking(Limits::depth(4)).choose(&position, past).unwrap();
    let wished = choose(&[]);
    let mut after = position;
    let _kept = after.make(wished);
    let mut past = vec![Key::default(); 20];
    past[20 - 3] = after.key();
    assert_eq!(choose(&past), wished, "a second time is no draw");
    past[20 - 7] = after.key();
    assert_ne!(choose(&past), wished);
}

/// FIDE 9.3, R13: the hundredth ply is a draw, unless it mates.
#[test]
fn fifty_moves_are_a_draw_but_mate_comes_first() {
    let score = |fen: &str| {
        let position: Position = fen.parse().unwrap();
        let hint = Searcher::new(1).search(&position, &[], &Limits::depth(4), |_| {}).unwrap();
        hint.score().to_string()
    };
    assert_eq!(score("8/8/8/3k4/8/3K4/3Q4/8 w - - 99 90"), "cp 0");
    assert_eq!(score("7k/8/6K1/8/8/8/8/R7 w - - 99 90"), "mate 1");
    assert_eq!(score("7k/8/5K2/8/8/8/8/R7 w - - 99 90"), "cp 0");
}
