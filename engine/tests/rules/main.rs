//! The Laws of Chess and the rule decisions as tests: a module per article or decision, each test a
//! sentence.
//!
//! Every question goes through the public API, and whatever lists legal moves is asked by both routes,
//! the fast one and the one by trial.

mod castling;
mod check;
mod counting;
mod moves;
mod notation;
mod positions;
mod refusals;

use touchmove::{IllegalMove, Move, Position, SetupError, UciMode, UciMove};

/// The position of a FEN that must be valid.
#[track_caller]
fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The legal moves, the same by both routes.
#[track_caller]
fn legal_moves(position: &Position) -> Vec<Move> {
    let mut fast: Vec<Move> = position.legal_moves().into_iter().collect();
    let mut by_trial: Vec<Move> = position.clone().legal_moves_by_trial().into_iter().collect();
    fast.sort_unstable();
    by_trial.sort_unstable();
    assert_eq!(fast, by_trial, "the two routes differ in {position:?}");
    assert_eq!(position.legal_count(), fast.len(), "{position:?}");
    assert_eq!(position.has_legal_move(), !fast.is_empty(), "{position:?}");
    fast
}

/// What a UCI text means in a position, castling as the position needs it: `e1g1` or `e1h1`.
#[track_caller]
fn resolve(position: &Position, uci: &str) -> Result<Move, IllegalMove> {
    let text: UciMove = uci.parse().unwrap_or_else(|error| panic!("{uci}: {error}"));
    text.resolve(position, UciMode::of(position))
}

/// Whether a UCI move is legal: by its text, in the list of both routes, and by `is_legal` alike.
#[track_caller]
fn is_legal(fen: &str, uci: &str) -> bool {
    let position = position(fen);
    match resolve(&position, uci) {
        Ok(mv) => {
            assert!(
                legal_moves(&position).contains(&mv),
                "{uci} is resolved and not listed: {fen}"
            );
            assert!(position.is_legal(mv), "{uci} is listed and not legal: {fen}");
            true
        }
        Err(_) => {
            let texts = legal_moves(&position)
                .into_iter()
                .map(|mv| UciMove::of(mv, UciMode::of(&position)).unwrap().to_string());
            assert!(!texts.into_iter().any(|text| text == uci), "{uci} is refused, but listed");
            false
        }
    }
}

#[track_caller]
fn assert_legal(fen: &str, moves: &str) {
    for uci in moves.split_whitespace() {
        assert!(is_legal(fen, uci), "{uci} should be legal: {fen}");
    }
}

#[track_caller]
fn assert_illegal(fen: &str, moves: &str) {
    for uci in moves.split_whitespace() {
        assert!(!is_legal(fen, uci), "{uci} should not be legal: {fen}");
    }
}

/// The squares to which the piece on a square may go, by name; a castling king goes to its rook's square.
#[track_caller]
fn targets(fen: &str, from: &str) -> String {
    let mut targets: Vec<String> = legal_moves(&position(fen))
        .into_iter()
        .filter(|mv| mv.from().to_string() == from)
        .map(|mv| mv.to().to_string())
        .collect();
    targets.sort();
    targets.dedup();
    targets.join(" ")
}

/// The number of legal moves, the same by both routes.
#[track_caller]
fn count(fen: &str) -> usize {
    legal_moves(&position(fen)).len()
}

/// The position after some UCI moves.
#[track_caller]
fn play(fen: &str, moves: &str) -> Position {
    let mut position = position(fen);
    for uci in moves.split_whitespace() {
        let mv = resolve(&position, uci).unwrap_or_else(|why| panic!("{uci} in {fen}: {why}"));
        let _kept = position.make(mv);
    }
    position
}

/// The FEN after some UCI moves.
#[track_caller]
fn after(fen: &str, moves: &str) -> String {
    play(fen, moves).to_string()
}

/// Why a UCI move is refused.
#[track_caller]
fn refusal(fen: &str, uci: &str) -> IllegalMove {
    let position = position(fen);
    match resolve(&position, uci) {
        Ok(mv) => panic!("{mv:?} should be refused: {fen}"),
        Err(why) => why,
    }
}

/// The code of the reason for which a UCI move is refused.
#[track_caller]
fn code(fen: &str, uci: &str) -> &'static str {
    refusal(fen, uci).code()
}

/// Why a well-formed FEN is no position.
#[track_caller]
fn setup_error(fen: &str) -> SetupError {
    match fen.parse::<Position>() {
        Err(touchmove::FenError::Setup(error)) => error,
        other => panic!("{fen} should be an impossible position: {other:?}"),
    }
}
