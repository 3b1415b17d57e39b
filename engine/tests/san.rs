//! Standard algebraic notation: what is read, what is refused and why, and what is written (FIDE appendix C, R21).

use touchmove::{CastlingObstacle, IllegalMove, Move, Position, San, SanError, UciMode, UciMove};

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn uci(position: &Position, text: &str) -> Move {
    let uci: UciMove = text.parse().unwrap();
    uci.resolve(position, UciMode::Standard).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn resolve(position: &Position, text: &str) -> Result<Move, SanError> {
    let san: San = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    san.resolve(position)
}

#[track_caller]
fn assert_read(fen: &str, texts: &[&str], right: &str) {
    let position = position(fen);
    for text in texts {
        assert_eq!(resolve(&position, text), Ok(uci(&position, right)), "{text}");
    }
}

#[track_caller]
fn assert_refused(fen: &str, text: &str, code: &str, message: &str) {
    let error = resolve(&position(fen), text).unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (code, message), "{text}");
}

#[track_caller]
fn assert_written(fen: &str, moves: &[(&str, &str)]) {
    let position = position(fen);
    for (mv, san) in moves {
        let mv = uci(&position, mv);
        assert_eq!(San::of(&position, mv).to_string(), *san);
        assert_eq!(resolve(&position, san), Ok(mv), "{san}");
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLES: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

/// FIDE C.10: the file where it tells, else the rank, else both.
#[test]
fn as_much_of_the_origin_is_written_as_rivals_require() {
    let files = "4k3/8/8/8/8/8/8/RN2KN1R w - - 0 1";
    assert_written(files, &[("b1d2", "Nbd2"), ("f1d2", "Nfd2"), ("b1a3", "Na3")]);
    let ranks = "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1";
    assert_written(ranks, &[("a1a3", "R1a3"), ("a5a3", "R5a3"), ("a5h5", "Rh5")]);
    let both = "8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1";
    assert_written(both, &[("h4e1", "Qh4e1"), ("e4e1", "Qee1"), ("h1e1", "Q1e1")]);
}

/// A rival that is pinned is none; one whose way is blocked is none, either.
#[test]
fn a_rival_that_may_not_go_there_is_none() {
    assert_written("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", &[("g1e2", "Ne2")]);
    assert_written("4k3/8/8/8/8/8/8/R1n1K2R w K - 0 1", &[("h1f1", "Rf1")]);
    // The knight on d4 is pinned to its king on d1 by the rook on d8.
    assert_written("3r1k2/8/8/8/3N4/8/8/3K1N2 w - - 0 1", &[("f1e3", "Ne3")]);
}

#[test]
fn kings_and_pawns_need_no_more_than_a_file() {
    assert_written("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", &[("c4d5", "cxd5"), ("e4d5", "exd5")]);
    assert_written("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &[("e5d6", "exd6"), ("e5e6", "e6")]);
    assert_written("8/3P4/8/8/8/8/8/k1K5 w - - 0 1", &[("d7d8q", "d8=Q"), ("d7d8n", "d8=N")]);
}

/// FIDE C.13: check is `+`, checkmate is `#`, also behind castling and promotion.
#[test]
fn checks_and_mates_are_marked() {
    assert_written("5k2/8/8/8/8/8/8/4K2R w K - 0 1", &[("e1g1", "O-O+"), ("e1d1", "Kd1")]);
    assert_written("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", &[("a1a8", "Ra8#"), ("e1c1", "O-O-O")]);
    assert_written("6k1/3P1ppp/8/8/8/8/8/4K3 w - - 0 1", &[("d7d8r", "d8=R#"), ("d7d8n", "d8=N")]);
    let mating = "rn3r2/pbppq1p1/1p2pN2/8/3P2NP/6P1/PPP1BP1R/R3K1k1 w Q - 5 18";
    assert_written(mating, &[("e1c1", "O-O-O#"), ("e1d2", "Kd2#")]);
}

/// R21: what is found in games, though no writer should write it so.
#[test]
fn what_is_often_found_is_read() {
    assert_read(
        START,
        &["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3+", "Nf3#!?", " Nf3 "],
        "g1f3",
    );
    assert_read(START, &["e4", "e2e4", "e2-e4", "Pe4", "Pe2-e4", "ee4", "e4!!", "e4?"], "e2e4");
    assert_read(CASTLES, &["O-O", "0-0", "O-O+", "0-0!", "O-O#?"], "e1g1");
    assert_read(CASTLES, &["O-O-O", "0-0-0", "O-O-O!?"], "e1c1");
    let promotes = "6k1/4P3/8/8/8/8/8/K7 w - - 0 1";
    assert_read(
        promotes,
        &["e8=Q", "e8Q", "e8=Q+", "e8Q++", "e7e8=Q", "e7-e8Q", "Pe8=Q", "e8=q"],
        "e7e8q",
    );
    assert_read(promotes, &["e8=N", "e8N"], "e7e8n");
}

/// A capital letter is a piece, a small one a file.
#[test]
fn the_b_pawn_is_no_bishop() {
    let both = "rnb1kbnr/p1q1pppp/8/1p6/2p5/1P2PN2/3P1PPP/RNBQKB1R w KQkq - 0 1";
    assert_read(both, &["bxc4"], "b3c4");
    assert_read(both, &["Bxc4"], "f1c4");
    assert_read("7k/8/8/8/1pPb4/8/8/7K b - c3 0 1", &["bxc3"], "b4c3");
    assert_read("7k/8/8/8/1pPb4/8/8/7K b - c3 0 1", &["Bc3"], "d4c3");
}

#[test]
fn text_that_is_no_move_says_where() {
    let error = |text: &str| text.parse::<San>().unwrap_err().to_string();
    assert_eq!(error(""), "byte 0, move: expected a move, found the end");
    assert_eq!(error("Zz9"), "byte 1, move: expected a null move, `--` or `Z0`, found 'z'");
    assert_eq!(error("hello"), "byte 2, move: expected a rank 1-8, found 'l'");
    assert_eq!(error("Ni4"), "byte 1, move: expected a file a-h, found 'i'");
    assert_eq!(error("Nf9"), "byte 2, move: expected a rank 1-8, found '9'");
    assert_eq!(
        error("e8=K"),
        "byte 3, move: expected a promotion to `Q`, `R`, `B` or `N`, found 'K'"
    );
    assert_eq!(
        error(" e4 e5"),
        "byte 3, move: expected the end of the move, or one of `+#!?`, found ' '"
    );
    assert_eq!(error("O-O-"), "byte 4, move: expected castling, `O-O` or `O-O-O`, found the end");
    assert_eq!(error("é4"), "byte 0, move: expected a move, found 'é'");
    for text in ["o-o", "O-0", "nf3", "N", "Nx", "Nf3x", "-", "e", "e4=", "Q@e4", "♘f3", "e2e4q"]
    {
        assert!(text.parse::<San>().is_err(), "{text}");
    }
}

/// R21: no text that means more than one legal move is played.
#[test]
fn an_ambiguous_text_is_refused_with_the_candidates() {
    let knights = position("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1");
    let error = resolve(&knights, "Nd2").unwrap_err();
    assert_eq!(error.code(), "ambiguous");
    assert_eq!(error.to_string(), "more than one white knight can go to d2: from b1, f1");
    assert_eq!(error.candidates(), [uci(&knights, "b1d2"), uci(&knights, "f1d2")]);
    let en_passant = position("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1");
    let error = resolve(&en_passant, "xd6").unwrap_err();
    assert_eq!(error.candidates(), [uci(&en_passant, "c5d6"), uci(&en_passant, "e5d6")]);
    let promotion = position("3r3k/2P1P3/8/8/8/8/8/4K3 w - - 0 1");
    let error = resolve(&promotion, "xd8=N").unwrap_err();
    assert_eq!(error.candidates(), [uci(&promotion, "c7d8n"), uci(&promotion, "e7d8n")]);
}

/// R12: the piece that gets furthest says why the move is refused.
#[test]
fn a_refused_move_says_why() {
    let of = |fen, text, code, message| assert_refused(fen, text, code, message);
    of(START, "Nd4", "no-such-move", "no such white knight goes to d4");
    of(START, "Nbd4", "shape", "a white knight does not go from b1 to d4");
    of(START, "Qd3", "blocked", "the way is blocked on d2");
    of(START, "Nd2", "own-piece-on-target", "the mover's own pawn stands on d2");
    of(START, "exd3", "nothing-to-capture", "no enemy piece stands on d3 for the pawn to capture");
    of(START, "O-O", "castling-blocked", "castling is blocked by the piece on f1");
    of(START, "e5", "no-such-move", "no such white pawn goes to e5");
    of(START, "--", "null-move", "a null move is no move of the game");
    of(
        START,
        "Nxf3",
        "capture-mark",
        "nothing is captured on f3, so the move is written without `x`",
    );
    let takes = "4k3/8/8/3p4/4P3/5N2/8/4K3 w - - 0 1";
    of(takes, "ed5", "capture-mark", "the move captures on d5, so it is written with `x`");
    of(takes, "e4-d5", "capture-mark", "the move captures on d5, so it is written with `x`");
    of(takes, "Bd5", "no-such-move", "no such white bishop goes to d5");
    let pinned = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1";
    let attacked = "the king on e1 would be attacked by the black bishop on b4";
    of(pinned, "Nd5", "leaves-king-attacked", attacked);
    let promotes = "6k1/4P3/8/8/8/8/8/K7 w - - 0 1";
    let missing = "the move does not say what the pawn becomes on the last rank";
    of(promotes, "e8", "promotion-missing", missing);
    of(
        promotes,
        "Kb1=Q",
        "promotion-not-allowed",
        "only a pawn that reaches the last rank becomes another piece",
    );
    let no_right = position("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    let castling = SanError::Illegal(IllegalMove::Castling(CastlingObstacle::NoRight));
    assert_eq!(resolve(&no_right, "O-O"), Err(castling));
}

/// Chess960: castling is named by its side, wherever king and rook stand (R2).
#[test]
fn chess960_castling_is_written_by_its_side() {
    let position = position("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1");
    for (san, rook) in [("O-O", "e1g1"), ("O-O-O", "e1b1")] {
        let uci: UciMove = rook.parse().unwrap();
        let mv = uci.resolve(&position, UciMode::Chess960).unwrap();
        assert_eq!(San::of(&position, mv).to_string(), san);
        assert_eq!(resolve(&position, san), Ok(mv));
    }
}

/// FIDE 3.9.2: a king that goes back along the line of the check stands in check still, so nothing of the kind can be meant.
#[test]
fn a_king_does_not_hide_behind_itself() {
    for (fen, behind, aside) in [
        ("4r2k/8/8/8/4K3/8/8/8 w - - 0 1", "Ke3", "Kd3"),
        ("b6k/8/8/3K4/8/8/8/8 w - - 0 1", "Ke4", "Ke5"),
        ("7k/8/8/8/q3K3/8/8/8 w - - 0 1", "Kf4", "Ke5"),
        ("4K3/8/8/4k3/8/8/8/4R3 b - - 0 1", "Ke6", "Kd6"),
    ] {
        assert!(resolve(&position(fen), behind).is_err(), "{fen}: {behind}");
        assert!(resolve(&position(fen), aside).is_ok(), "{fen}: {aside}");
    }
}
