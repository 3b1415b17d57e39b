//! Where games begin: a sample of named kinds, the starts of Chess960, and random set-ups.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use touchmove::{
    Bitboard, CastlingRights, CastlingSide, Color, File, Pawn, Piece, Position, Rank, Role, Setup,
    Square,
};

/// So many cases, and the same ones in every run: what changes from run to run is a campaign's business.
pub(crate) fn cases(cases: u32) -> Config {
    let rng_seed = RngSeed::Fixed(0x746f_7563_686d_6f76);
    Config { cases, rng_seed, failure_persistence: None, ..Config::default() }
}

/// A game: where it begins, and numbers that choose a legal move each.
pub(crate) fn games(plies_max: usize) -> impl Strategy<Value = (Position, Vec<u16>)> {
    let starts = prop_oneof![
        2 => Just(Position::default()),
        2 => (0..960usize).prop_map(chess960),
        3 => (0..SAMPLE.len()).prop_map(sample),
        3 => positions(),
    ];
    (starts, prop::collection::vec(any::<u16>(), 0..=plies_max))
}

/// A position of the sample.
pub(crate) fn sample(index: usize) -> Position {
    SAMPLE[index].parse().expect("the sample is valid")
}

/// A start position of Chess960 by Scharnagl's number, 518 being the standard one.
pub(crate) fn chess960(number: usize) -> Position {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut roles = [None; 8];
    roles[number % 4 * 2 + 1] = Some(Role::Bishop);
    roles[number / 4 % 4 * 2] = Some(Role::Bishop);
    let free = |roles: &[Option<Role>; 8]| {
        (0..8).filter(|&file| roles[file].is_none()).collect::<Vec<_>>()
    };
    roles[free(&roles)[number / 16 % 6]] = Some(Role::Queen);
    let (one, other) = KNIGHTS[number / 96];
    let left = free(&roles);
    (roles[left[one]], roles[left[other]]) = (Some(Role::Knight), Some(Role::Knight));
    for (file, role) in free(&roles).into_iter().zip([Role::Rook, Role::King, Role::Rook]) {
        roles[file] = Some(role);
    }
    let mut setup = Setup { castling: CastlingRights::EMPTY, ..Setup::default() };
    for (file, role) in File::ALL.into_iter().zip(roles.into_iter().flatten()) {
        for color in Color::ALL {
            let square = Square::new(file, color.back_rank());
            setup.board.put(square, Piece { color, role });
            if role == Role::Rook {
                setup.castling = setup.castling.with(square);
            }
        }
    }
    setup.validate().expect("a start position is valid")
}

/// Random set-ups, made valid: castling rights and en passant squares appear wherever they fit.
pub(crate) fn positions() -> impl Strategy<Value = Position> {
    let king = || (0..64u8, any::<bool>(), 0..8u8, 0..8u8);
    let counters = prop_oneof![
        4 => (0..=150u16, 1..=300u16),
        1 => (9_990..=9_999u16, 9_990..=9_999u16),
    ];
    (
        [king(), king()],
        prop::collection::vec((0..PIECES.len(), 0..64u8), 0..22),
        prop::option::weighted(0.4, (1..7u8, any::<bool>())),
        any::<bool>(),
        any::<u8>(),
        counters,
    )
        .prop_map(|(kings, pieces, passed, black, rights, (halfmove_clock, move_number))| {
            let turn = if black { Color::Black } else { Color::White };
            let mut setup = Setup { turn, halfmove_clock, move_number, ..Setup::EMPTY };
            put_kings(&mut setup, kings);
            for (piece, square) in pieces {
                put_if_free(&mut setup, PIECES[piece], Square::from_index(square).unwrap());
            }
            if let Some((file, right)) = passed {
                put_passed_pawn(&mut setup, File::from_index(file).unwrap(), right);
            }
            remove_attackers(&mut setup);
            give_rights(&mut setup, rights);
            setup.validate().unwrap_or_else(|error| panic!("{setup:?}: {error}"))
        })
}

/// Pawns and rooks are the more frequent: they have the rules worth meeting.
const PIECES: [char; 16] =
    ['P', 'P', 'P', 'N', 'B', 'R', 'R', 'Q', 'p', 'p', 'p', 'n', 'b', 'r', 'r', 'q'];

/// The kings, not side by side; one in two on its back rank, with rooks there.
fn put_kings(setup: &mut Setup, kings: [(u8, bool, u8, u8); 2]) {
    let mut taken = Bitboard::EMPTY;
    for (color, (anywhere, at_home, file, rooks)) in Color::ALL.into_iter().zip(kings) {
        let king = Piece { color, role: Role::King };
        let wished = match at_home {
            true => Square::new(File::from_index(file).unwrap(), color.back_rank()),
            false => Square::from_index(anywhere).unwrap(),
        };
        let square = if taken.contains(wished) { wished.flip() } else { wished };
        let square = if taken.contains(square) { Square::E1 } else { square };
        setup.board.put(square, king);
        taken = king.attacks(square, Bitboard::EMPTY) | square.into();
        if at_home {
            for file in [rooks, 7 - rooks] {
                let corner = Square::new(File::from_index(file).unwrap(), color.back_rank());
                put_if_free(setup, if color == Color::White { 'R' } else { 'r' }, corner);
            }
        }
    }
}

fn put_if_free(setup: &mut Setup, letter: char, square: Square) {
    let piece = Piece::from_char(letter).unwrap();
    let on_back_rank = matches!(square.rank(), Rank::First | Rank::Eighth);
    if setup.board.piece_at(square).is_none() && !(piece.role == Role::Pawn && on_back_rank) {
        setup.board.put(square, piece);
    }
}

/// A pawn that has just gone two squares, with a pawn beside it that may want to capture it.
fn put_passed_pawn(setup: &mut Setup, file: File, right: bool) {
    let (mover, passer) = (setup.turn, !setup.turn);
    let passed = Square::new(file, passer.rank(Rank::Third));
    let pushed = passed.offset(0, Pawn(passer).direction()).unwrap();
    let origin = passed.offset(0, -Pawn(passer).direction()).unwrap();
    let beside = pushed.offset(if right { 1 } else { -1 }, 0).unwrap();
    let is_king = |square| setup.board.role_at(square) == Some(Role::King);
    if [passed, pushed, origin, beside].into_iter().any(is_king) {
        return;
    }
    setup.board.remove(passed);
    setup.board.remove(origin);
    setup.board.put(pushed, Piece { color: passer, role: Role::Pawn });
    setup.board.put(beside, Piece { color: mover, role: Role::Pawn });
    setup.en_passant = Some(passed);
}

/// Takes off what gives check to the side not to move, the en passant square with its pawn.
fn remove_attackers(setup: &mut Setup) {
    let king = setup.board.king(!setup.turn).unwrap();
    loop {
        let attackers = setup.board.attackers_to(king, setup.board.occupied());
        let Some(attacker) = (attackers & setup.board.color(setup.turn)).first() else { return };
        setup.board.remove(attacker);
    }
}

/// Rights for some of the rooks that fit, one a wing.
fn give_rights(setup: &mut Setup, wanted: u8) {
    for color in Color::ALL {
        let king = setup.board.king(color).unwrap();
        if king.rank() != color.back_rank() {
            continue;
        }
        let rooks = setup.board.pieces(Piece { color, role: Role::Rook });
        let rooks = rooks & Bitboard::from(color.back_rank());
        for side in CastlingSide::ALL {
            let bits = wanted >> (4 * color as u8 + 2 * side as u8);
            let beside: Vec<Square> =
                rooks.into_iter().filter(|&rook| CastlingSide::of(king, rook) == side).collect();
            if bits & 1 != 0 && !beside.is_empty() {
                let inner_or_outer = beside[usize::from(bits >> 1 & 1) % beside.len()];
                setup.castling = setup.castling.with(inner_or_outer);
            }
        }
    }
}

/// Positions of every kind: openings and endings, pins and checks, castling of both sorts, en passant,
/// promotions, mates.
pub(crate) const SAMPLE: [&str; 64] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",
    "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 10 18",
    "r1k1B2Q/bp1p2p1/p3b3/P3q3/Q7/5PP1/3p1N1P/1K4B1 b q - 0 20",
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
    "4k3/8/8/8/8/8/8/2RK4 w C - 0 1",
    "4k3/8/8/8/8/8/8/6KR w H - 0 1",
    "4k3/8/8/8/8/8/8/R1K5 w A - 0 1",
    "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1",
    "4k3/8/8/8/8/8/8/RK5R w HA - 0 1",
    "4k3/8/8/8/8/8/8/4K1RR w G - 0 1",
    "rr2k3/8/8/8/8/8/8/4K3 b b - 0 1",
    "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1",
    "3rk3/8/8/8/8/8/8/1K5R w H - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "4r2k/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "8/8/8/K2pPn1r/8/8/8/4k3 w - d6 0 1",
    "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
    "8/p2p1N2/8/4p2k/1p2P1Pp/1P1b3K/P6P/n7 b - g3 0 32",
    "5r2/8/5kp1/2p2p1p/1pPp1K2/pP1P4/P7/B7 b - c3 0 45",
    "k6b/6pp/pp1P4/1R6/5pP1/8/K6P/7B b - g3 0 19",
    "8/8/8/2k5/2pP4/8/5n2/4K3 b - d3 0 1",
    "rnbqkbnr/pppp2pp/8/4pP2/8/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 1",
    "3n1n2/4P2k/8/8/8/8/8/4K3 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/Pk6/8/8/8/8/6Kp/8 w - - 0 1",
    "4k3/1P6/8/8/8/8/K7/8 w - - 0 1",
    "3r4/4P2k/8/8/8/8/8/K7 w - - 0 1",
    "8/r3P1K1/8/8/8/8/8/k7 w - - 0 1",
    "4r1k1/8/8/8/8/5n2/6P1/4K3 w - - 0 1",
    "4r1k1/8/8/8/7b/8/8/r3K3 w - - 0 1",
    "4r1k1/8/8/8/7b/8/4R3/4K3 w - - 0 1",
    "8/1pp3p1/4pq1p/PP1bpk2/1Q2p3/4P1P1/2B2P2/6K1 b - - 2 33",
    "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1",
    "6k1/8/8/8/7b/8/5Q2/4K3 w - - 0 1",
    "rnbqkbnr/ppp1pppp/3p4/8/Q7/2P5/PP1PPPPP/RNB1KBNR b KQkq - 0 2",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "k7/n7/1K6/4B3/8/8/8/R7 b - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 150 100",
    "r3k3/8/8/8/8/8/8/4K2R w - - 9998 9999",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "knQQQQQ1/n6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQ1K w - - 0 1",
    "k7/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/K7 w - - 0 1",
    "q4Qnk/3q1Qpp/1q5Q/2q3Q1/4Q3/2q5/PP5q/KN3Q2 w - - 0 1",
    "8/8/8/3k4/8/3K4/8/8 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
];
