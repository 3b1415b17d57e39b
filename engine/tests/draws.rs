//! Dead positions (FIDE 5.2.2, R16) and flag falls (FIDE 6.9, R17), through the public API.

use touchmove::{AutomaticDraws, Color, MatingChance, MatingLine, Position, Proof};

use Color::{Black, White};

#[track_caller]
fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Plays a line and returns where it ends; every move must be legal.
#[track_caller]
fn replay(start: &Position, line: &MatingLine) -> Position {
    let mut position = *start;
    for &mv in &line.moves {
        assert!(position.is_legal(mv), "{mv:?} in {position:?}");
        drop(position.make(mv));
    }
    position
}

#[track_caller]
fn assert_mates(start: &Position, winner: Color, line: &MatingLine) {
    let end = replay(start, line);
    assert_eq!(line.ending, None, "{start:?}");
    assert!(end.is_checkmate() && end.turn() != winner, "{start:?}: {line:?}");
}

/// No counter at all: the line is then played to its mate.
const NEVER: AutomaticDraws<'static> = AutomaticDraws { halfmove_clock: u16::MAX, repeated: &[] };

/// The side can mate: the line is replayed, and where it stops at an ending that is won, one is found that does
/// not.
#[track_caller]
fn assert_winnable(fen: &str, winner: Color) {
    let start = position(fen);
    let MatingChance::Winnable(line) = start.mating_chance(winner) else {
        panic!("{winner}: {:?} in {fen}", start.mating_chance(winner));
    };
    if line.ending.is_none() {
        assert_mates(&start, winner, &line);
    } else {
        let end = replay(&start, &line);
        assert!(end.board().occupied().len() <= 4 && end.has_legal_move(), "{end:?}");
        let MatingChance::Winnable(rest) = end.mating_chance_before(winner, &NEVER) else {
            panic!("{winner}: no mate from {end:?}, {:?}", line.ending);
        };
        assert_mates(&end, winner, &rest);
    }
    assert_eq!(start.dead_position(), None, "{fen}");
}

#[track_caller]
fn assert_unwinnable(fen: &str, winner: Color) -> Proof {
    match position(fen).mating_chance(winner) {
        MatingChance::Unwinnable(proof) => proof,
        other => panic!("{winner}: {other:?} in {fen}"),
    }
}

/// Positions, whether White and whether Black can mate; each held against a complete search or a line by
/// another program.
const KNOWN: [(&str, bool, bool); 24] = [
    ("8/8/8/4k3/5b2/3K4/8/2B5 w - - 0 1", false, false),
    ("7k/8/7K/2Bb4/8/8/8/8 b - - 0 1", true, true),
    ("8/8/4K3/8/1n6/8/5k1N/8 w - - 0 1", true, true),
    ("8/8/3B4/5k2/8/3r4/5K2/8 b - - 0 1", false, true),
    ("8/8/8/3k4/8/1N6/3K3q/8 w - - 0 1", false, true),
    ("k7/8/8/8/8/5K2/6pp/7N w - - 0 1", true, true),
    ("8/8/2k5/p1p2p1p/P1P2P1P/3K1P2/8/8 b - - 0 1", false, false),
    ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", false, false),
    ("8/8/1p1k3p/1Pp1p1pP/2P1P1P1/5B2/5K2/8 w - - 0 1", false, false),
    ("7k/5BpP/6Pb/4K3/8/8/8/8 w - - 0 1", false, false),
    ("8/8/1k1p1p2/3PpP2/3pKp2/b2P1P2/8/3B1B2 b - - 0 1", false, false),
    ("8/4k3/6p1/p1p1p1Pp/P1P1P2P/8/4K3/8 w - - 0 1", false, false),
    ("8/4k3/6p1/p1p1p1Pp/P1P1P2P/8/4K3/8 w - h6 0 1", true, true),
    ("8/8/8/2pkp1p1/p1P1P1P1/P2K4/8/8 b - - 0 1", false, false),
    ("5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1", true, false),
    ("7b/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N7 b - - 0 1", true, false),
    ("Bb2kb2/bKp1p1p1/1pP1P1P1/pP6/6P1/P7/8/8 b - - 0 1", true, false),
    ("Bb2kb2/bKp1p1p1/1pP1P1P1/1P6/p5P1/P7/8/8 b - - 0 1", false, false),
    ("1b3kBR/4pP1P/1p1pP2P/1P1P4/8/K5p1/6P1/1B6 b - - 0 1", true, false),
    ("kb6/2N5/1K6/8/8/8/8/8 b - - 0 1", false, false),
    ("7K/7q/5k2/8/8/8/8/8 w - - 0 1", false, false),
    ("8/p3k1p1/6Pp/7K/2rq4/7P/8/8 w - - 0 1", false, true),
    ("1Bb5/1p6/pPp3k1/2Pp3p/P2PpBpP/4P1P1/5K2/8 w - - 0 1", true, true),
    ("r7/8/2k5/p1p2p1p/P1P2P1P/3K1P2/8/R7 w - - 0 1", true, true),
];

/// FIDE 5.2.2, 6.9: each side of each position, with a line that mates or a proof that there is none.
#[test]
fn each_side_of_the_known_positions_is_decided_rightly() {
    for (fen, white, black) in KNOWN {
        for (winner, can_mate) in [(White, white), (Black, black)] {
            if can_mate {
                assert_winnable(fen, winner);
            } else {
                let _proof = assert_unwinnable(fen, winner);
            }
        }
    }
}
