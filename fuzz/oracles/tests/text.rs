//! Texts near valid ones, and the table of differences in what is read.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use touchmove::{PgnReader, Position, San, UciMove};
use touchmove_oracles::generators::{
    EpdText, FenText, GameFile, GameTree, SanText, UciText, from_seed,
};
use touchmove_oracles::oracles::{
    Honest, epd_text, fen_text, pgn_roundtrip, pgn_text, san_text, uci_text,
};
use touchmove_oracles::referees::differences::{SHAKMATY, TextKind, explain, forbids};

/// R21: what shakmaty reads we read as the same move, and what only we read is in the table.
#[test]
fn texts_near_a_move_mean_what_they_mean_to_shakmaty() {
    let (mut read, mut refused) = (0, 0);
    for seed in 0..20_000 {
        let SanText { position, text } = from_seed(seed);
        san_text(&position, &text, &Honest).expect_clean();
        let resolved = text.parse::<San>().is_ok_and(|san| san.resolve(&position).is_ok());
        *(if resolved { &mut read } else { &mut refused }) += 1;
    }
    assert!(read > 5_000 && refused > 5_000, "{read} read, {refused} refused");
}

#[test]
fn files_near_a_game_file_are_read_and_written_again() {
    let (mut whole, mut broken) = (0, 0);
    for seed in 0..5_000 {
        let file: GameFile = from_seed(seed);
        pgn_text(&file.0, &Honest).expect_clean();
        for game in PgnReader::new(file.0.as_bytes()) {
            *(if game.is_ok() { &mut whole } else { &mut broken }) += 1;
        }
    }
    assert!(whole > 3_000 && broken > 1_000, "{whole} games read, {broken} broken");
}

#[test]
fn games_with_variations_read_back_as_they_were_made() {
    let (mut variations, mut comments) = (0, 0);
    for seed in 0..5_000 {
        let game: GameTree = from_seed(seed);
        pgn_roundtrip(&game.0, &Honest).expect_clean();
        variations += game.0.to_string().matches(" ( ").count();
        comments += game.0.to_string().matches(" { ").count();
    }
    assert!(variations > 5_000 && comments > 5_000, "{variations}, {comments}");
}

#[test]
fn near_texts_are_read_or_refused_as_shakmaty_does() {
    let mut read = [0; 3];
    for seed in 0..20_000 {
        let (fen, epd, uci): (FenText, EpdText, UciText) =
            (from_seed(seed), from_seed(seed), from_seed(seed));
        fen_text(&fen.0).expect_clean();
        epd_text(&epd.0).expect_clean();
        uci_text(&uci.0).expect_clean();
        read[0] += u32::from(fen.0.parse::<Position>().is_ok());
        read[1] += u32::from(epd.0.parse::<touchmove::Epd>().is_ok());
        read[2] += u32::from(uci.0.parse::<UciMove>().is_ok());
    }
    // Both sides of the line are met.
    assert!(read.iter().all(|&read| (2_000..18_000).contains(&read)), "{read:?}");
}

/// Where the examples of algebraic notation are moves.
const SAN_EXAMPLES: &str = "8/P5k1/8/8/8/8/4P3/4K2R w K - 0 1";

/// An entry that no longer differs has outlived its reason.
#[test]
fn every_difference_still_differs_as_it_says() {
    for difference in SHAKMATY {
        let (name, text) = (difference.name, difference.example);
        let (ours, theirs) = match difference.kind {
            TextKind::Fen => {
                let theirs = text
                    .parse::<Fen>()
                    .is_ok_and(|fen| fen.into_position::<Chess>(CastlingMode::Standard).is_ok());
                (text.parse::<Position>().is_ok(), theirs)
            }
            TextKind::San => {
                let position: Position = SAN_EXAMPLES.parse().unwrap();
                let chess = SAN_EXAMPLES.parse::<Fen>().unwrap();
                let chess: Chess = chess.into_position(CastlingMode::Standard).unwrap();
                let ours = text.parse::<San>().is_ok_and(|san| san.resolve(&position).is_ok());
                let theirs = shakmaty::san::San::from_ascii(text.as_bytes());
                (ours, theirs.is_ok_and(|san| san.to_move(&chess).is_ok()))
            }
            TextKind::Uci => {
                (text.parse::<UciMove>().is_ok(), text.parse::<shakmaty::uci::UciMove>().is_ok())
            }
        };
        assert_eq!((ours, theirs), (difference.we_accept, !difference.we_accept), "{name}");
        let explained = explain(difference.kind, text, difference.we_accept).expect(name);
        assert_eq!(explained.name, name);
        assert_eq!(forbids(difference.kind, text).is_some(), difference.certain, "{name}");
    }
}

#[test]
fn a_difference_that_is_not_in_the_table_is_not_excused() {
    assert!(explain(TextKind::Fen, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", true).is_none());
    assert!(explain(TextKind::Fen, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", false).is_none());
    assert!(explain(TextKind::Uci, "e2e4", false).is_none());
}
