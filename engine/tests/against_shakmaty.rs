//! The same questions to shakmaty, an independent implementation of the rules: moves, FEN, check,
//! mate, stalemate.
//!
//! shakmaty is under the GPL, and so is this file: GPL-3.0-or-later.

mod starts;

use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError};
use starts::{cases, chess960, games, positions, sample};
use touchmove::{MoveKind, Position, UciMode, UciMove};

/// The castling mode of shakmaty in which a position can be held.
fn mode_of(position: &Position) -> CastlingMode {
    match UciMode::of(position) {
        UciMode::Standard => CastlingMode::Standard,
        UciMode::Chess960 => CastlingMode::Chess960,
    }
}

/// The same position there; too many pieces and checks that no game reaches are no reason to refuse (R1).
fn theirs(position: &Position) -> Chess {
    let fen: Fen = position.to_string().parse().expect("shakmaty reads our FEN");
    fen.into_position(mode_of(position))
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{position:?}: {error}"))
}

/// Same moves, same texts of them, same check, mate and stalemate, same FEN.
fn assert_agreement(ours: &Position, theirs: &Chess) {
    let mode = UciMode::of(ours);
    let castling_mode = mode_of(ours);
    let mut our_moves: Vec<String> = ours
        .legal_moves()
        .into_iter()
        .map(|mv| UciMove::of(mv, mode).unwrap().to_string())
        .collect();
    let mut their_moves: Vec<String> =
        theirs.legal_moves().iter().map(|mv| mv.to_uci(castling_mode).to_string()).collect();
    our_moves.sort();
    their_moves.sort();
    assert_eq!(our_moves, their_moves, "{ours:?}");
    assert_eq!(ours.is_check(), theirs.is_check(), "{ours:?}");
    assert_eq!(ours.checkers().0, u64::from(theirs.checkers()), "{ours:?}");
    assert_eq!(ours.is_checkmate(), theirs.is_checkmate(), "{ours:?}");
    assert_eq!(ours.is_stalemate(), theirs.is_stalemate(), "{ours:?}");
    assert_eq!(
        ours.to_string(),
        Fen::from_position(theirs, EnPassantMode::Legal).to_string(),
        "{ours:?}"
    );
}

/// Plays the game that the numbers choose in both programs.
fn assert_agreement_in_game(mut ours: Position, choices: &[u16]) {
    let mut theirs = theirs(&ours);
    // Their counters know no 9999, and ours stop there.
    let plies_to_limit = Position::CLOCK_MAX - ours.halfmove_clock().max(ours.move_number());
    assert_agreement(&ours, &theirs);
    for &choice in choices.iter().take(usize::from(plies_to_limit)) {
        let moves = ours.legal_moves();
        if moves.is_empty() {
            return;
        }
        let mv = moves[usize::from(choice) % moves.len()];
        // King takes rook is read in every mode.
        let text = UciMove::of(mv, UciMode::Chess960).unwrap().to_string();
        let uci: shakmaty::uci::UciMove = text.parse().unwrap();
        let their_move = uci.to_move(&theirs).unwrap_or_else(|_| panic!("{text} in {ours:?}"));
        assert_eq!(their_move.is_castle(), mv.kind() == MoveKind::Castling, "{text} in {ours:?}");
        assert_eq!(
            their_move.is_en_passant(),
            mv.kind() == MoveKind::EnPassant,
            "{text} in {ours:?}"
        );
        let captured = ours.make(mv).captured();
        assert_eq!(captured.map(|role| role.char()), their_move.capture().map(|role| role.char()));
        theirs.play_unchecked(their_move);
        assert_agreement(&ours, &theirs);
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn random_games_agree((start, choices) in games(120)) {
        assert_agreement_in_game(start, &choices);
    }

    #[test]
    fn random_games_from_chess960_starts_agree(
        number in 0..960usize,
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        assert_agreement_in_game(chess960(number), &choices);
    }
}

proptest! {
    #![proptest_config(cases(60_000))]

    #[test]
    fn random_setups_agree(position in positions()) {
        assert_agreement(&position, &theirs(&position));
    }
}

#[test]
fn the_sample_and_all_that_follows_one_move_later_agree() {
    for mut position in (0..starts::SAMPLE.len()).map(sample) {
        assert_agreement(&position, &theirs(&position));
        for mv in position.legal_moves() {
            let undo = position.make(mv);
            assert_agreement(&position, &theirs(&position));
            position.unmake(mv, undo);
        }
    }
}
