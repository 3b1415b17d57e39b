//! The alarm is tested: every oracle catches its liars, by the same call that finds the engine clean.

use touchmove::{Position, Square};
use touchmove_oracles::generators::{
    Actions, FreeSetup, GameFile, GameTree, SanText, Walk, from_seed,
};
use touchmove_oracles::oracles::{
    ArbiterLie, Fingerprint, GameLog, Honest, KeyWatch, Lies, Met, Rules, Verdict, any_move_code,
    arbiter, game, mirror, perft_small, pgn_roundtrip, pgn_text, san, san_text, transpose, unmake,
};

/// So many games must do for any liar.
const SEEDS: u64 = 400;

fn play<R: Rules>(seed: u64, rules: &R) -> Verdict {
    game(from_seed::<Walk>(seed), rules, &mut GameLog::default())
}

fn position(seed: u64) -> Option<Position> {
    from_seed::<FreeSetup>(seed).0.validate().ok()
}

fn small<R: Rules>(seed: u64, rules: &R) -> Verdict {
    position(seed).map_or(Verdict::Pass, |position| perft_small(&position, 3, rules))
}

/// All codes from and to the squares of kings with rights, which is where liars lie.
fn codes<R: Rules>(seed: u64, rules: &R) -> Verdict {
    let Some(position) = position(seed) else { return Verdict::Pass };
    let king = position.king(position.turn()) as u16;
    let mut verdicts = (0..64).map(|to| any_move_code(&position, king << 6 | to, rules));
    verdicts.find(|verdict| !verdict.is_clean()).unwrap_or(Verdict::Pass)
}

/// The first divergence that an oracle finds with a liar.
fn caught(oracle: impl Fn(u64, &Lies) -> Verdict, lie: Lies) -> bool {
    (0..SEEDS).any(|seed| !oracle(seed, &lie).is_clean())
}

#[test]
fn the_engine_is_clean() {
    for seed in 0..SEEDS {
        play(seed, &Honest).expect_clean();
        unmake(from_seed::<Walk>(seed), &Honest).expect_clean();
        codes(seed, &Honest).expect_clean();
        transpose(from_seed::<Walk>(seed), &Honest).expect_clean();
    }
    for seed in 0..SEEDS / 10 {
        san(from_seed::<Walk>(seed), &Honest).expect_clean();
    }
    for seed in 0..SEEDS / 10 {
        mirror(from_seed::<Walk>(seed), &Honest).expect_clean();
        small(seed, &Honest).expect_clean();
    }
}

#[test]
fn games_catch_liars_about_lists_state_and_unmake() {
    for lie in [
        Lies::DropsCastling(Square::H1),
        Lies::DropsCastling(Square::A8),
        Lies::TrialKeepsMoves,
        Lies::KeepsRightLost,
        Lies::ClockOffByOne,
        Lies::ForgetsEnPassant,
        Lies::KeyWithoutRights,
        Lies::KeyWithoutTurn,
    ] {
        assert!(caught(play, lie), "{lie:?}");
    }
}

#[test]
fn nests_catch_liars_about_unmake_and_null_moves() {
    for lie in [
        Lies::KeepsRightLost,
        Lies::ClockOffByOne,
        Lies::ForgetsEnPassant,
        Lies::NullMoveLeavesClock,
        Lies::KeyWithoutRights,
    ] {
        assert!(caught(|seed, lie| unmake(from_seed::<Walk>(seed), lie), lie), "{lie:?}");
    }
}

#[test]
fn transpositions_catch_keys_that_know_too_little() {
    let oracle = |seed, lie: &Lies| transpose(from_seed::<Walk>(seed), lie);
    assert!(caught(oracle, Lies::KeyWithoutRights));
}

#[test]
fn codes_catch_a_castling_that_is_taken_on_trust() {
    assert!(caught(codes, Lies::TrustsCastling));
}

#[test]
fn the_mirror_catches_what_only_one_colour_does() {
    let oracle = |seed, lie: &Lies| mirror(from_seed::<Walk>(seed), lie);
    assert!(caught(oracle, Lies::DropsCastling(Square::H1)));
}

#[test]
fn small_counts_catch_a_count_that_is_one_too_many() {
    assert!(caught(small, Lies::MiscountsForBlack));
}

#[test]
fn games_written_down_catch_liars_about_algebraic_notation() {
    let oracle = |seed, lie: &Lies| san(from_seed::<Walk>(seed), lie);
    for lie in [
        Lies::SanForgetsRanks,
        Lies::SanCastlesUnmarked,
        Lies::SanPromotesUnasked,
        Lies::SanTrustsKings,
    ] {
        assert!(caught(oracle, lie), "{lie:?}");
    }
}

#[test]
fn near_texts_catch_liars_about_what_is_meant() {
    let oracle = |seed, lie: &Lies| {
        let SanText { position, text } = from_seed(seed);
        san_text(&position, &text, lie)
    };
    let caught = |lie| (0..20_000).any(|seed| !oracle(seed, &lie).is_clean());
    for lie in [Lies::SanGuesses, Lies::SanReadsSmallBishops] {
        assert!(caught(lie), "{lie:?}");
    }
}

#[test]
fn games_with_variations_catch_writers_that_leave_things_out() {
    let oracle = |seed, lie: &Lies| pgn_roundtrip(&from_seed::<GameTree>(seed).0, lie);
    let near = |seed, lie: &Lies| pgn_text(&from_seed::<GameFile>(seed).0, lie);
    for lie in [Lies::PgnForgetsSigns, Lies::PgnWritesTagsBare] {
        assert!(caught(oracle, lie), "{lie:?}");
        assert!(caught(near, lie), "{lie:?}");
    }
}

#[test]
fn games_of_all_actions_catch_arbiters_that_err() {
    let caught = |lie| {
        (0..40 * SEEDS).any(|seed| !arbiter(&from_seed::<Actions>(seed), Some(lie)).is_clean())
    };
    for lie in [
        ArbiterLie::KeepsOffers,
        ArbiterLie::KeepsTime,
        ArbiterLie::CountsFiftyMovesEarly,
        ArbiterLie::ClaimsTwofold,
        ArbiterLie::ForgetsOffersInRecords,
    ] {
        assert!(caught(lie), "{lie:?}");
    }
}

#[test]
fn the_watch_sees_two_positions_with_one_key() {
    let with_rights: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
    let without: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
    let later: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 7 9".parse().unwrap();
    let mut watch = KeyWatch::new();
    for (game, position) in [with_rights, without, later, with_rights].into_iter().enumerate() {
        let print = Fingerprint::of(&Honest, &position);
        assert_eq!(watch.see(Met { print, game: game as u64 }), Ok(()));
    }
    let print = Fingerprint::of(&Lies::KeyWithoutRights, &with_rights);
    let before = watch.see(Met { print, game: 9 }).unwrap_err();
    assert_eq!(before.game, 2, "the last that has this key");
    assert!(before.print.is_of(&without) && !before.print.is_of(&with_rights));
}
