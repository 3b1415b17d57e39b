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

/// FIDE 5.2.2: every row of which neither side can mate is dead, by the test after every move where that is
/// cheap; no other row is.
#[test]
fn the_test_after_every_move_finds_dead_what_is_locked_forced_or_without_material() {
    for (fen, white, black) in KNOWN {
        // The one that takes a walk through everything is left to the flag fall.
        let takes_a_search = fen.starts_with("Bb2kb2/bKp1p1p1/1pP1P1P1/1P6");
        let is_dead = !white && !black && !takes_a_search;
        assert_eq!(position(fen).dead_position().is_some(), is_dead, "{fen}");
    }
}

/// Dead by the literature after some hundred million positions: beyond the limits here, and never called alive.
#[test]
fn what_is_not_proven_is_not_claimed() {
    let studies = [
        "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1",
        "1k6/b1b5/7p/5p1P/5p2/5PpK/6P1/8 w - - 0 1",
        "k7/3p4/5p1p/1p6/1P6/KP6/PP1P1P1P/8 w - - 0 1",
    ];
    for winner in Color::ALL {
        let chance = position(studies[0]).mating_chance(winner);
        assert!(!matches!(chance, MatingChance::Winnable(_)), "{winner}: {chance:?}");
        for fen in studies {
            if let MatingChance::Winnable(line) = position(fen).mating_chance(winner) {
                let end = replay(&position(fen), &line);
                assert!(line.ending.is_some() || end.is_checkmate(), "{fen}: {line:?}");
            }
        }
    }
    assert_eq!(position(studies[0]).dead_position(), None);
}

/// FIDE 5.2.2, R16: kings alone, one minor piece, any bishops on squares of one colour.
#[test]
fn material_alone_makes_these_positions_dead() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/8/5B2 w - - 0 1",
        "8/8/4k3/8/8/3K4/8/5n2 w - - 0 1",
        "8/8/4k3/8/4b3/8/8/2K2B2 b - - 0 1",
        "8/8/4k3/8/4b1b1/8/2B5/K4B2 b - - 0 1",
    ] {
        let position = position(fen);
        assert!(position.is_insufficient_material(), "{fen}");
        let dead = position.dead_position().unwrap_or_else(|| panic!("{fen}"));
        assert_eq!((dead.proofs.white, dead.proofs.black), (Proof::Material, Proof::Material));
    }
}

/// FIDE 5.2.2, R16: a mate needs the other side's help here, and there is one.
#[test]
fn two_knights_or_minor_pieces_on_both_sides_are_not_dead() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/4NN2 w - - 0 1",
        "8/8/4k3/8/5n2/3K4/8/5N2 w - - 0 1",
        "8/8/4k3/8/5n2/3K4/8/5B2 w - - 0 1",
        "8/8/4k3/8/5b2/3K4/8/5B2 w - - 0 1",
        "8/8/4k3/8/8/3K4/2B5/4NB2 w - - 0 1",
    ] {
        assert!(!position(fen).is_insufficient_material(), "{fen}");
        assert_eq!(position(fen).dead_position(), None, "{fen}");
        assert_winnable(fen, White);
    }
}

/// FIDE 5.2.2: neither king gets through, and no pawn can move.
#[test]
fn a_locked_wall_of_pawns_is_dead() {
    for fen in
        ["4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", "8/8/2k5/1p2p2p/1P2P2P/8/5K2/8 b - - 0 34"]
    {
        let dead = position(fen).dead_position().unwrap_or_else(|| panic!("{fen}"));
        assert_eq!((dead.proofs.white, dead.proofs.black), (Proof::Locked, Proof::Locked), "{fen}");
        assert!(!position(fen).is_insufficient_material(), "{fen}");
    }
}

/// FIDE 5.2.1, R13: a finished game is over, whatever might have come.
#[test]
fn stalemate_is_dead_and_checkmate_is_won() {
    let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert!(stalemate.dead_position().is_some());
    assert_eq!(stalemate.mating_chance(White), MatingChance::Unwinnable(Proof::GameOver));
    let checkmate = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(checkmate.dead_position(), None);
    let on_the_board = MatingLine { moves: vec![], ending: None };
    assert_eq!(checkmate.mating_chance(White), MatingChance::Winnable(on_the_board));
    assert_eq!(checkmate.mating_chance(Black), MatingChance::Unwinnable(Proof::GameOver));
}

/// FIDE 6.9, R17: White's own pawn may shut its king in, so a lone bishop wins on time.
#[test]
fn a_lone_bishop_may_mate_a_king_with_a_pawn() {
    let fen = "8/8/8/4k3/5b2/3K4/4P3/2B5 w - - 0 1";
    assert!(!position(fen).has_insufficient_material(Black));
    assert_winnable(fen, Black);
    assert!(position("8/8/8/4k3/5b2/3K4/8/2B5 w - - 0 1").has_insufficient_material(Black));
}

/// FIDE 6.9, R17: the only legal move takes the rook, <https://github.com/lichess-org/lila/issues/7039>.
#[test]
fn a_rook_that_must_be_taken_does_not_win_on_time() {
    let fen = "r7/K1k5/8/8/8/8/8/8 w - - 4 3";
    assert_eq!(assert_unwinnable(fen, Black), Proof::Forced);
    assert!(position(fen).dead_position().is_some());
}

/// FIDE 6.9, 9.6.2, R17: <https://github.com/miguel-ambrona/D3-Chess/issues/15>.
#[test]
fn a_mate_that_seventy_five_moves_forestall_does_not_win_on_time() {
    let position = position("8/5r2/p3k3/P7/8/1K6/8/8 w - - 148 100");
    assert!(matches!(position.mating_chance(Black), MatingChance::Winnable(_)));
    let chance = position.mating_chance_before(Black, &AutomaticDraws::SEVENTY_FIVE_MOVES);
    assert_eq!(chance, MatingChance::Unwinnable(Proof::Counters));
}

/// FIDE 9.6.2, R14: fifty moves are automatic online, seventy-five over the board.
#[test]
fn the_counters_of_the_policy_decide() {
    let fen = |clock| format!("8/5r2/4k3/8/8/1K6/8/8 w - - {clock} 100");
    let chance = |clock, draws| position(&fen(clock)).mating_chance_before(Black, draws);
    let (seventy_five, fifty) = (&AutomaticDraws::SEVENTY_FIVE_MOVES, &AutomaticDraws::FIFTY_MOVES);
    assert_eq!(chance(98, fifty), MatingChance::Unwinnable(Proof::Counters));
    assert_eq!(chance(100, fifty), MatingChance::Unwinnable(Proof::Counters));
    let MatingChance::Winnable(line) = chance(98, seventy_five) else { panic!("time enough") };
    assert_mates(&position(&fen(98)), Black, &line);
    assert!(98 + line.moves.len() <= 150);
}

/// R17: where all that can follow was looked at, no counter decides; where a game has repeated something, it may. The 1980
/// positions that follow, none a mate, are python-chess's. Neither king can cross the pawns, though Black's takes one.
#[test]
fn what_is_exhausted_needs_no_counter() {
    let start = position("8/k7/4p3/4P3/2p1p3/1pP1P1p1/1P1K2P1/8 w - - 0 1");
    let draws = AutomaticDraws::SEVENTY_FIVE_MOVES;
    let met = [start];
    for winner in Color::ALL {
        let chance = |draws| start.mating_chance_before(winner, draws);
        assert_eq!(start.mating_chance(winner), MatingChance::Unwinnable(Proof::Exhausted));
        assert_eq!(chance(&draws), MatingChance::Unwinnable(Proof::Exhausted));
        let draws = AutomaticDraws { repeated: &met, ..draws };
        assert_eq!(chance(&draws), MatingChance::Unwinnable(Proof::Counters));
    }
}

/// FIDE 9.6.2: with its last move before the counter Black takes the rook, and what follows is hopeless for White: a bare king;
/// or the walls of the test above, where no line mates (python-chess).
#[test]
fn what_a_capture_leaves_at_the_end_of_the_clock_is_looked_at() {
    for fen in [
        "k7/1R6/8/8/8/qrbn4/8/6K1 b - - 149 90",
        "8/k7/1R2p3/4P3/2p1p3/1pP1P1p1/1P1K2P1/8 b - - 149 90",
    ] {
        let chance = position(fen).mating_chance_before(White, &AutomaticDraws::SEVENTY_FIVE_MOVES);
        assert_eq!(chance, MatingChance::Unwinnable(Proof::Counters), "{fen}");
    }
}

/// R17: walls that no king passes, until the other side's pawn has become a piece and opens them by what it takes.
#[test]
fn what_a_pawn_becomes_opens_a_lock_for_the_other_side() {
    assert_winnable("2k5/2p1P3/p1Pp4/P2Pp1p1/2K1PpPp/5P1P/8/8 b - - 0 90", Black);
    assert_winnable("5k2/8/2p5/p1Pp1p2/P2PpPp1/4P1Pp/2p4P/2K5 w - - 1 91", White);
}

/// R16: locked after each reply to a check, and after the only move there is; python-chess finds no mate among the 785, 729 and
/// 661 positions that can follow.
#[test]
fn a_lock_is_seen_behind_a_forced_reply() {
    for fen in [
        "8/1pk5/1P1p3p/KP1Pp1pP/4P1P1/8/8/8 b - - 0 90",
        "kB6/1p1p4/1PpPp3/2P1P1p1/6Pp/7P/8/5K2 b - - 1 90",
        "6Bk/3p1p1p/2pP1PpP/1pP3P1/1P6/2K5/8/8 b - - 1 90",
    ] {
        let dead = position(fen).dead_position();
        assert_eq!(dead.map(|dead| dead.proofs[White]), Some(Proof::Locked), "{fen}");
    }
}

/// R13: a mate on the hundred-and-fiftieth half-move wins.
#[test]
fn a_mate_with_the_last_move_before_the_counter_counts() {
    let start = position("k7/8/1K6/8/8/8/8/7R w - - 149 120");
    let draws = &AutomaticDraws::SEVENTY_FIVE_MOVES;
    let MatingChance::Winnable(line) = start.mating_chance_before(White, draws) else {
        panic!("the rook mates at once")
    };
    assert_mates(&start, White, &line);
    let chance = position("k7/8/2K5/8/8/8/8/7R w - - 148 120").mating_chance_before(White, draws);
    assert_eq!(chance, MatingChance::Unwinnable(Proof::Counters));
}

/// FIDE 9.6.2: a pawn move or a capture sets the counter back.
#[test]
fn a_pawn_move_gives_a_mate_its_time_again() {
    let start = position("7k/8/8/8/8/P7/8/K7 w - - 149 120");
    let draws = &AutomaticDraws::SEVENTY_FIVE_MOVES;
    let MatingChance::Winnable(line) = start.mating_chance_before(White, draws) else {
        panic!("the pawn may move")
    };
    assert_mates(&start, White, &line);
    assert_eq!(line.moves[0].from(), touchmove::Square::A3);
}

/// FIDE 9.6.1, R17: every way to the mate leads through a position that ends the game when it comes again.
#[test]
fn a_position_met_too_often_is_no_way_to_a_mate() {
    let start = position("k7/8/2K5/8/8/8/8/7R w - - 146 120");
    let draws = AutomaticDraws::SEVENTY_FIVE_MOVES;
    let MatingChance::Winnable(line) = start.mating_chance_before(White, &draws) else {
        panic!("four plies are enough")
    };
    assert_mates(&start, White, &line);
    // Each position after White's first move, met often enough before.
    let met: Vec<Position> = start
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut after = start;
            drop(after.make(mv));
            after
        })
        .collect();
    let draws = AutomaticDraws { repeated: &met, ..draws };
    let chance = start.mating_chance_before(White, &draws);
    assert_eq!(chance, MatingChance::Unwinnable(Proof::Counters));
}

/// FIDE 9.6.2: the nearest mate comes too late, and the pawn gives it its time.
#[test]
fn a_pawn_move_gives_time_to_a_mate_that_comes_too_late() {
    let start = position("k7/8/2K5/8/8/8/P7/7R w - - 149 120");
    let chance = start.mating_chance_before(White, &AutomaticDraws::SEVENTY_FIVE_MOVES);
    let MatingChance::Winnable(line) = chance else { panic!("{chance:?}") };
    assert_mates(&start, White, &line);
    assert_eq!(line.moves[0].from(), touchmove::Square::A2);
}

/// FIDE 9.6.2: where two half-moves without progress end the game, every move of White but the mate is one of the pawn. So it goes:
/// a4 Kb8 a5 Kc8 a6 Kd8 a7 Kc8 a8=Q#, by python-chess.
#[test]
fn a_line_that_is_named_mates_before_the_counter() {
    let draws = AutomaticDraws { halfmove_clock: 2, repeated: &[] };
    let start = position("k7/8/2K5/8/8/8/P7/7R w - - 1 120");
    let chance = start.mating_chance_before(White, &draws);
    assert!(!matches!(chance, MatingChance::Unwinnable(_)), "{chance:?}");
    // What is not decided names no line.
    let MatingChance::Winnable(line) = chance else { return };
    assert_mates(&start, White, &line);
    let mut at = start;
    for &mv in &line.moves[..line.moves.len() - 1] {
        drop(at.make(mv));
        assert!(at.halfmove_clock() < draws.halfmove_clock, "{line:?}");
    }
}

/// FIDE 9.6.1, 9.6.2: two ways to mate in time, by python-chess; both lead through what was met too often.
#[test]
fn mates_in_time_through_a_position_met_too_often_do_not_count() {
    let start = position("k7/8/2K5/8/8/8/8/7R w - - 147 120");
    let draws = AutomaticDraws::SEVENTY_FIVE_MOVES;
    assert!(matches!(start.mating_chance_before(White, &draws), MatingChance::Winnable(_)));
    let met =
        [position("k7/8/1K6/8/8/8/8/7R b - - 0 1"), position("k7/2K5/8/8/8/8/8/7R b - - 0 1")];
    let chance = |repeated| {
        start.mating_chance_before(
            White,
            &AutomaticDraws { repeated, ..AutomaticDraws::SEVENTY_FIVE_MOVES },
        )
    };
    assert_eq!(chance(&met), MatingChance::Unwinnable(Proof::Counters));
    assert!(matches!(chance(&met[..1]), MatingChance::Winnable(_)));
}

/// What needs no counter says so, with counters as without.
#[test]
fn counters_change_nothing_where_it_is_over_or_hopeless() {
    let draws = &AutomaticDraws::SEVENTY_FIVE_MOVES;
    let chance = |fen, winner| position(fen).mating_chance_before(winner, draws);
    let bare = "8/8/4k3/8/8/3K4/8/8 w - - 0 1";
    assert_eq!(chance(bare, White), MatingChance::Unwinnable(Proof::Material));
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let nothing_to_play = MatingLine { moves: Vec::new(), ending: None };
    assert_eq!(chance(mated, White), MatingChance::Winnable(nothing_to_play));
    let stalemated = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(chance(stalemated, White), MatingChance::Unwinnable(Proof::GameOver));
}

/// An ending that is known to be won is named, and not played out.
#[test]
fn an_ending_that_is_won_is_named() {
    let chance = position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1").mating_chance(White);
    let MatingChance::Winnable(line) = chance else { panic!("{chance:?}") };
    assert_eq!(line.ending, Some(touchmove::Ending::RookAgainstKing));
    assert!(line.moves.len() <= 2, "{line:?}");
}
