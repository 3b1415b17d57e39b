//! Naive against counts that everybody agrees on, and its own FENs; through the referee only.

use touchmove::Square;

use super::*;

fn naive(fen: &str) -> Naive {
    let mut naive = Naive::new();
    naive.set(fen, UciMode::Chess960).unwrap();
    naive
}

#[track_caller]
fn assert_perft(fen: &str, depth: u32, nodes: u64) {
    assert_eq!(naive(fen).perft(depth), Ok(nodes), "{fen}");
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Counts that everybody agrees on.
#[test]
fn the_well_known_positions_have_their_well_known_counts() {
    assert_perft(START, 0, 1);
    assert_perft(START, 4, 197_281);
    assert_perft(KIWIPETE, 3, 97_862);
    assert_perft("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238);
    let position_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    assert_perft(position_4, 3, 9_467);
    let position_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
    assert_perft(position_5, 3, 62_379);
}

/// Counted by Stockfish 15.1 with `UCI_Chess960`.
#[test]
fn chess960_castling_is_counted_as_stockfish_does() {
    let start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    assert_perft(start, 3, 12_189);
    let king_and_rook_change_places = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
    assert_perft(king_and_rook_change_places, 3, 1_033);
    let the_rook_shields_its_king = "4k3/8/8/8/8/8/8/rRK5 w B - 0 1";
    assert_perft(the_rook_shields_its_king, 1, 5);
    assert_perft(the_rook_shields_its_king, 3, 821);
    let inner_rooks = "rk2r1r1/8/8/8/8/8/8/RK2R1R1 w EAea - 0 1";
    assert_perft(inner_rooks, 3, 22_955);
}

#[test]
fn a_fen_is_written_as_it_was_read() {
    for fen in [
        START,
        KIWIPETE,
        "rk2r1r1/8/8/8/8/8/8/RK2R1R1 w EQeq - 0 1",
        "8/8/8/K2pP2k/8/8/8/8 w - d6 0 9999",
        "QQQQQQQQ/8/8/3K4/8/8/3k4/8 w - - 9999 3",
    ] {
        assert_eq!(naive(fen).fen().unwrap(), fen);
    }
}

/// R3: the pawn on e5 is pinned, so d6 is of use to nobody. R5: there is no move 0.
#[test]
fn what_a_fen_says_in_vain_is_not_written() {
    let pinned = "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 0";
    assert_eq!(naive(pinned).fen().unwrap(), "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1");
}

#[test]
fn a_move_changes_all_fields_and_taking_back_restores_them() {
    let before = "r3k2r/8/8/8/3p4/8/4P3/R3K2R w KQkq - 9999 9999";
    let mut naive = naive(before);
    for (mv, after) in [
        (Move::normal(square("e2"), square("e4")), "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 9999"),
        (Move::en_passant(square("d4"), square("e3")), "r3k2r/8/8/8/8/4p3/8/R3K2R w KQkq - 0 9999"),
        (Move::normal(square("h1"), square("h8")), "r3k2R/8/8/8/8/4p3/8/R3K3 b Qq - 0 9999"),
    ] {
        naive.play(mv).unwrap();
        assert_eq!(naive.fen().unwrap(), after);
    }
    (0..3).for_each(|_| naive.take_back().unwrap());
    assert_eq!(naive.fen().unwrap(), before);
    naive.play(Move::castling(square("e1"), square("a1")).unwrap()).unwrap();
    assert_eq!(naive.fen().unwrap(), "r3k2r/8/8/8/3p4/8/4P3/2KR3R b kq - 9999 9999");
}

#[test]
fn a_move_that_is_not_listed_is_not_played() {
    let mut naive = naive(START);
    let refused = naive.play(Move::normal(square("e2"), square("e5")));
    assert!(matches!(refused, Err(Silence::Failed(_))));
    assert_eq!(naive.fen().unwrap(), START);
}

#[test]
fn check_and_stalemate_are_told_apart() {
    let mate = naive("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").status().unwrap();
    assert!(mate.is_checkmate());
    let stalemate = naive("7k/5Q2/8/8/8/8/8/K7 b - - 0 1").status().unwrap();
    assert!(stalemate.is_stalemate());
}

#[test]
fn an_unreadable_fen_is_abstained_from_and_leaves_no_position() {
    let mut naive = naive(START);
    for fen in [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "kk6/8/8/8/8/8/8/K7 w - - 0 1",
        "k7/8/8/8/8/8/8/K w - - 0 1",
        "k7/8/8/8/8/8/8/K7 w K - 0 1",
        "k7/8/8/8/8/8/8/K6R w KH - 0 1",
        "k7/8/8/8/8/8/8/K7 w - é6 0 1",
        "k7/8/8/8/8/8/8/K7 w - - 0 -1",
    ] {
        let answer = naive.set(fen, UciMode::Standard);
        assert!(matches!(answer, Err(Silence::Abstains(_))), "{fen}");
        assert!(matches!(naive.fen(), Err(Silence::Failed(_))));
    }
}
