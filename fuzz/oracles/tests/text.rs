//! Texts near valid ones, and the table of differences in what is read.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use touchmove::{Position, UciMove};
use touchmove_oracles::generators::{EpdText, FenText, UciText, from_seed};
use touchmove_oracles::oracles::{epd_text, fen_text, uci_text};
use touchmove_oracles::referees::differences::{SHAKMATY, TextKind, explain};

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
            TextKind::Uci => {
                (text.parse::<UciMove>().is_ok(), text.parse::<shakmaty::uci::UciMove>().is_ok())
            }
        };
        assert_eq!((ours, theirs), (difference.we_accept, !difference.we_accept), "{name}");
        let explained = explain(difference.kind, text, difference.we_accept).expect(name);
        assert_eq!(explained.name, name);
    }
}

#[test]
fn a_difference_that_is_not_in_the_table_is_not_excused() {
    assert!(explain(TextKind::Fen, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", true).is_none());
    assert!(explain(TextKind::Fen, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", false).is_none());
    assert!(explain(TextKind::Uci, "e2e4", false).is_none());
}
