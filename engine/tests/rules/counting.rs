//! R24: perft counts sequences of legal moves and nothing else.

use crate::{legal_moves, position};
use touchmove::{
    PERFT_DEPTH_MAX, PerftHash, Position, divide, perft, perft_by_magic, perft_factored,
    perft_hashed,
};

/// Each depth's count from a position, in every mode and by both look-ups.
#[track_caller]
fn assert_perft(fen: &str, counts: &[u64]) {
    let (position, hash) = (position(fen), PerftHash::new(1).unwrap());
    for (depth, &count) in (0..).zip(counts) {
        assert_eq!(perft(&position, depth), count, "{fen}: depth {depth}");
        assert_eq!(perft_by_magic(&position, depth), count, "{fen}: depth {depth}, by magic");
        assert_eq!(perft_factored(&position, depth), count, "{fen}: depth {depth}, factored");
        assert_eq!(perft_hashed(&position, depth, &hash), count, "{fen}: depth {depth}, hashed");
    }
}

/// R24: depth 0 is 1, whatever the position.
#[test]
fn depth_zero_counts_one() {
    assert_eq!(perft(&Position::default(), 0), 1);
    assert_eq!(perft(&position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), 0), 1);
}

/// R24: the published numbers of the start position.
#[test]
fn the_start_position_has_its_known_counts() {
    assert_perft(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[1, 20, 400, 8902, 197281],
    );
}

/// R24: castling, en passant, promotion, pins and checks in one position.
#[test]
fn kiwipete_has_its_known_counts() {
    assert_perft(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[1, 48, 2039, 97862],
    );
}

/// R24: the other four of the well-known positions: rooks that see along open lines, promotions in check, a knight that
/// forks from f2, and a closed middle game.
#[test]
fn the_other_well_known_positions_have_their_known_counts() {
    assert_perft("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[1, 14, 191, 2812, 43238]);
    assert_perft(
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[1, 6, 264, 9467],
    );
    assert_perft(
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[1, 44, 1486, 62379],
    );
    assert_perft(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[1, 46, 2079, 89890],
    );
}

/// R24: a piece that steps from between its bishop, or rook, at the edge of the board and a knight before the king pins that
/// knight; by python-chess and Stockfish.
#[test]
fn a_quiet_move_may_pin() {
    assert_perft("4k3/5n2/6R1/7B/8/8/8/K7 w - - 0 1", &[1, 21, 120, 2754]);
    assert_perft("4k3/4n3/8/8/8/8/4B3/K3R3 w - - 0 1", &[1, 18, 118, 2739]);
}

/// R24, FIDE 3.8.2.2: a knight that leaves d1, which no line of king or rook reaches, lets the rook castle there; by python-chess
/// and Stockfish.
#[test]
fn a_quiet_move_may_allow_castling() {
    assert_perft("4k3/8/8/8/8/8/PPP5/RK1n4 b Q - 0 1", &[1, 9, 60, 641, 5120]);
}

/// R24: a position of Chess960.
#[test]
fn a_chess960_position_has_its_known_counts() {
    assert_perft(
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
        &[1, 29, 502, 14569],
    );
}

/// R24: a mated or stalemated side has no move, so no longer path is counted.
#[test]
fn a_finished_game_has_no_longer_paths() {
    assert_perft("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", &[1, 0, 0, 0]);
    assert_perft("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[1, 0, 0, 0]);
}

/// R24: seventy-five moves without progress end a game, not a count.
#[test]
fn the_halfmove_clock_never_prunes() {
    assert_perft("4k3/8/8/8/8/8/8/4K3 w - - 150 100", &[1, 5, 25, 170]);
}

/// R24, FIDE 5.2.2: king and knight against king go on being counted.
#[test]
fn a_dead_position_never_prunes() {
    assert_perft("8/8/8/4k3/8/8/4N3/4K3 w - - 0 1", &[1, 10, 64, 692]);
}

/// R24: as many as the legal moves of both routes.
#[test]
fn depth_one_counts_the_legal_moves() {
    for fen in [
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "8/4P2k/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        let position = position(fen);
        assert_eq!(perft(&position, 1), legal_moves(&position).len() as u64, "{fen}");
    }
}

/// R24: the parts add up to the whole, move by move in the order of the list.
#[test]
fn the_counts_of_the_moves_add_up() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position = position(kiwipete);
    let parts = divide(&position, 3);
    assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), 97862);
    let moves: Vec<_> = position.legal_moves().into_iter().collect();
    assert!(parts.iter().map(|(mv, _)| mv).eq(&moves));
    assert_eq!(divide(&position, 0), []);
}

/// Whatever there is to count.
#[test]
fn a_depth_beyond_the_deepest_is_refused() {
    let mated = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    let refuses = |count: fn(&Position, u32)| {
        count(&mated, PERFT_DEPTH_MAX);
        std::panic::catch_unwind(|| count(&mated, PERFT_DEPTH_MAX + 1)).is_err()
    };
    assert!(refuses(|position, depth| assert_eq!(perft(position, depth), 0)));
    assert!(refuses(|position, depth| assert_eq!(perft_factored(position, depth), 0)));
    assert!(refuses(|position, depth| assert_eq!(perft_by_magic(position, depth), 0)));
    assert!(refuses(|position, depth| assert_eq!(divide(position, depth), [])));
}

/// Crowded boards that no game leads to have more moves than any that a game does: 218 and 267, by python-chess.
#[test]
fn the_longest_move_lists_fit() {
    for (fen, count) in [
        ("3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 218),
        ("KQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q5Rq/QQQQQQnk w - - 0 1", 267),
    ] {
        let mut position = position(fen);
        assert_eq!(position.legal_moves().len(), count, "{fen}");
        assert_eq!(position.legal_moves_by_trial().len(), count, "{fen}");
        assert_eq!(position.legal_count(), count, "{fen}");
    }
}
