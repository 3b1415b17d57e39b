//! Rule events are seen where they are, and not where they are not.

use touchmove::{Position, UciMode, UciMove};
use touchmove_oracles::census::{Event, Events, events_of_move, events_of_position, refusals};

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

fn of_move(fen: &str, text: &str) -> Events {
    let position = position(fen);
    let mode = UciMode::of(&position);
    let mv = text.parse::<UciMove>().unwrap().resolve(&position, mode).unwrap();
    events_of_move(&position, mv)
}

/// A name and a set of events for each move, both written out from the Laws.
#[test]
fn a_move_is_described_by_its_events_and_no_others() {
    use Event::*;
    let cases: &[(&str, &str, &[Event])] = &[
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", &[CastleShort]),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", &[Check, CastleShort, CastleCheck]),
        ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", &[CastleLong, CastleRookPathAttacked]),
        ("r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", &[CastleLong, CastleRookAttacked]),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", &[CastleShort, CastleSwap]),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", &[CastleShort, CastleKingStill]),
        ("4k3/8/8/8/8/8/8/1K3R2 w F - 0 1", "b1f1", &[CastleShort, CastleRookStill]),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", &[DoublePush]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", &[Capture, EnPassant]),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8b", &[Promotion, BishopPromotion]),
        (
            "7k/P7/8/8/8/8/8/K7 w - - 0 1",
            "a7a8q",
            &[Promotion, QueenPromotion, Check, QueenPromotionCheck],
        ),
        ("r6k/8/8/8/8/8/8/R3K3 b Q - 0 1", "a8a1", &[Capture, Check, RookWithRightCapturedByRook]),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1e2", &[RightLostByKingMove]),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a2", &[RightLostByRookMove]),
        ("3r2k1/8/8/8/8/8/3R4/3K4 w - - 0 1", "d2d3", &[PinnedPieceMoves]),
        ("4k3/4N3/8/8/8/8/4R3/4K3 w - - 0 1", "e7c6", &[Check, DiscoveredCheck]),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "g5g6", &[Stalemate]),
        ("7k/8/6K1/8/8/8/Q7/8 w - - 0 1", "a2a8", &[Check, Checkmate]),
        ("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "b1d2", &[SanFile]),
        ("4k3/8/8/R7/8/8/8/R4K2 w - - 0 1", "a1a3", &[SanRank]),
        ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", &[SanFileAndRank]),
        ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", &[SanFile]),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", &[SanRivalPinned]),
    ];
    for (fen, text, expected) in cases {
        let expected: Events = expected.iter().copied().collect();
        assert_eq!(of_move(fen, text), expected, "{text} in {fen}");
    }
}

#[test]
fn what_is_refused_in_a_position_is_told_by_its_reason() {
    use Event::*;
    let cases: &[(&str, &[Event])] = &[
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &[]),
        ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", &[CastleRefusedCrossing]),
        ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", &[CastleRefusedDestination]),
        ("4kr2/8/8/8/8/8/8/4KB1R w K - 0 1", &[CastleRefusedBlocked]),
        ("3k4/4r3/8/8/8/8/8/4K2R w K - 0 1", &[CastleRefusedInCheck]),
        ("4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", &[CastleRefusedRookShield, PinnedPieceRefused]),
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", &[PinnedPieceRefused]),
        ("r7/8/8/8/K7/8/8/7k w - - 0 1", &[KingRefusedAlongRay]),
        ("4r1k1/8/8/8/8/5n2/6P1/4K3 w - - 0 1", &[DoubleCheckRefusedNonKing]),
    ];
    for (fen, expected) in cases {
        let expected: Events = expected.iter().copied().collect();
        let position = position(fen);
        assert_eq!(refusals(&position, &position.legal_moves()), expected, "{fen}");
    }
}

/// A position forgets an en passant square on which no capture is legal, so the double push tells.
#[test]
fn a_refused_capture_en_passant_is_told_with_the_double_push() {
    let rank = of_move("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4");
    assert!(rank.contains(Event::EnPassantRefusedRank), "{rank:?}");
    let diagonal = of_move("8/8/8/4k3/3p4/8/4P3/B3K3 w - - 0 1", "e2e4");
    assert!(diagonal.contains(Event::EnPassantRefusedDiagonal), "{diagonal:?}");
    let legal = of_move("8/8/k7/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4");
    assert_eq!(legal, Events::from_iter([Event::DoublePush]));
}

#[test]
fn a_position_is_described_whichever_way_it_was_reached() {
    use Event::*;
    let cases: &[(&str, &[Event])] = &[
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", &[OnlyKings]),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &[]),
        ("4k3/8/QQQQQQQQ/8/8/8/8/Q2K4 b - - 0 1", &[NineQueens, ThreeCheckers]),
        ("4k3/8/3N1N2/8/8/8/4R3/4K3 b - - 0 1", &[ThreeCheckers]),
        ("4k3/8/8/PPPPPPPP/PPPPPPPP/8/8/4K3 w - - 0 1", &[SeventeenMen]),
    ];
    for (fen, expected) in cases {
        assert_eq!(events_of_position(&position(fen)), expected.iter().copied().collect(), "{fen}");
    }
}

#[test]
fn names_and_events_are_one_to_one() {
    let mut names: Vec<&str> = Event::ALL.iter().map(|event| event.name()).collect();
    assert!(Event::ALL.iter().all(|event| event.name().parse() == Ok(*event)));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Event::ALL.len());
    assert!("castling".parse::<Event>().is_err());
}
