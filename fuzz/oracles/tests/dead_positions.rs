//! Dead positions and flag falls held against others: chasolver, which searches helpmates, and a plain walk through
//! everything that may follow, by shakmaty's rules.
//!
//! `DEAD_POSITIONS_SIDES` sets how many questions each test asks; without it they take a few seconds.

use std::collections::HashSet;
use std::env;

use chasolver::Winnability;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _, PositionError};
use touchmove::{
    AutomaticDraws, Color, File, MatingChance, MatingLine, Piece, Position, Proof, Rank, Role,
    Setup, Square, UciMode, UciMove,
};

fn sides(default: usize) -> usize {
    let set = env::var("DEAD_POSITIONS_SIDES").ok();
    set.map_or(default, |text| text.parse().expect("DEAD_POSITIONS_SIDES is a number"))
}

/// The same position in shakmaty.
fn theirs(position: &Position) -> Chess {
    let fen: Fen = position.to_string().parse().expect("shakmaty reads our FEN");
    fen.into_position(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{position:?}: {error}"))
}

fn is_white(color: Color) -> bool {
    color == Color::White
}

/// Plays our line by shakmaty's rules: every move legal, mate at the end.
fn assert_line_mates(start: &Position, winner: Color, line: &MatingLine) {
    let mut ours = *start;
    let mut chess = theirs(start);
    for &mv in &line.moves {
        let text = UciMove::of(mv, UciMode::Standard).expect("a standard position").to_string();
        let uci: shakmaty::uci::UciMove = text.parse().expect("shakmaty reads our UCI");
        let their_move = uci.to_move(&chess).unwrap_or_else(|_| panic!("{text} from {start:?}"));
        chess.play_unchecked(their_move);
        drop(ours.make(mv));
    }
    if line.ending.is_none() {
        assert!(chess.is_checkmate(), "{line:?} from {start:?}");
        assert_ne!(chess.turn().is_white(), is_white(winner), "{line:?} from {start:?}");
    } else {
        let never = AutomaticDraws { halfmove_clock: u16::MAX, repeated: &[] };
        match ours.mating_chance_before(winner, &never) {
            MatingChance::Winnable(rest) => {
                assert_eq!(rest.ending, None, "{ours:?}");
                assert_line_mates(&ours, winner, &rest);
            }
            MatingChance::NotProven => {}
            MatingChance::Unwinnable(proof) => panic!("{proof:?} against {line:?} in {ours:?}"),
        }
    }
}

/// What a walk through everything that may follow has seen: whether White and whether Black mates. None where
/// the walk was not finished and no mate met.
fn walk(start: &Position, positions_max: usize) -> [Option<bool>; 2] {
    let first = theirs(start);
    let mut mates = [false; 2];
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(chess) = open.pop() {
        let moves = chess.legal_moves();
        if moves.is_empty() && chess.is_check() {
            mates[usize::from(chess.turn().is_white())] = true;
        }
        for mv in moves {
            let mut after = chess.clone();
            after.play_unchecked(mv);
            if seen.insert(after.clone()) {
                open.push(after);
            }
        }
        if mates == [true; 2] || seen.len() > positions_max {
            return mates.map(|mates| mates.then_some(true));
        }
    }
    mates.map(Some)
}

/// Holds every answer about a position against a walk; how many sides the walk decided.
fn compare_with_walk(position: &Position, positions_max: usize) -> usize {
    let walked = walk(position, positions_max);
    let dead = position.dead_position();
    let mut decided = 0;
    for winner in Color::ALL {
        let Some(mates) = walked[winner as usize] else { continue };
        decided += 1;
        match position.mating_chance(winner) {
            MatingChance::Unwinnable(proof) => {
                assert!(!mates, "{winner} mates, and not by {proof:?}: {position:?}");
            }
            MatingChance::Winnable(line) => {
                assert!(mates, "{winner} mates by {line:?}, and never: {position:?}");
                assert_line_mates(position, winner, &line);
            }
            MatingChance::NotProven => {}
        }
        let is_proven_dead = dead.is_some_and(|dead| dead.proofs[winner] != Proof::GameOver);
        assert!(!(is_proven_dead && mates), "{dead:?}, and {winner} mates: {position:?}");
    }
    decided
}

/// Asks chasolver the same; whether both had an answer.
fn compare_with_chasolver(position: &Position, winner: Color) -> bool {
    let Ok(board) = position.to_string().parse::<chess::Board>() else { return false };
    let their_color = if is_white(winner) { chess::Color::White } else { chess::Color::Black };
    let ours = position.mating_chance(winner);
    if let MatingChance::Winnable(line) = &ours {
        assert_line_mates(position, winner, line);
    }
    match (&ours, chasolver::winnability(&board, their_color)) {
        (MatingChance::NotProven, _) | (_, None) => false,
        (MatingChance::Unwinnable(proof), Some(Winnability::Winnable { helpmate })) => {
            let line: Vec<String> = helpmate.iter().map(ToString::to_string).collect();
            panic!("{winner} mates by {line:?}, and not by {proof:?}: {position:?}")
        }
        (MatingChance::Winnable(line), Some(Winnability::Unwinnable)) => {
            panic!("{winner} mates by {line:?}, and never: {position:?}")
        }
        _ => true,
    }
}

/// Seeded choices.
struct Dice(ChaCha8Rng);

impl Dice {
    fn seeded(seed: u64) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    /// A position some way into a random game; captures are liked, so that there are endings.
    fn game_position(&mut self) -> Position {
        let mut position = Position::default();
        for _ in 0..self.below(300) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut mv = moves[self.below(moves.len())];
            for _ in 0..2 {
                if !position.board().occupied().contains(mv.to()) {
                    mv = moves[self.below(moves.len())];
                }
            }
            let mut after = position;
            drop(after.make(mv));
            if !after.has_legal_move() {
                break;
            }
            position = after;
        }
        position
    }

    fn square(&mut self) -> Square {
        Square::from_index(self.below(64) as u8).expect("below 64")
    }

    /// Pawns that face each other across the board, loose ones, few pieces, kings anywhere.
    fn locked_position(&mut self) -> Position {
        loop {
            let mut setup = Setup::EMPTY;
            let (density, base) = (4 + self.below(4), 1 + self.below(4));
            for file in File::ALL {
                let rank = (base + self.below(2)) as u8;
                let at = |rank| Square::new(file, Rank::from_index(rank).expect("below 8"));
                if self.below(8) < density {
                    setup.board.put(at(rank), PAWNS[0]);
                    setup.board.put(at(rank + 1), PAWNS[1]);
                } else if self.below(12) == 0 {
                    setup.board.put(at(rank), PAWNS[self.below(2)]);
                }
            }
            for _ in 0..self.below(4) {
                let square = self.square();
                let role = [Role::Bishop, Role::Bishop, Role::Knight, Role::Pawn][self.below(4)];
                if setup.board.piece_at(square).is_none() {
                    setup.board.put(square, Piece { color: Color::ALL[self.below(2)], role });
                }
            }
            for color in Color::ALL {
                setup.board.put(self.square(), Piece { color, role: Role::King });
            }
            setup.turn = Color::ALL[self.below(2)];
            if let Ok(position) = setup.validate() {
                return position;
            }
        }
    }

    /// Three to six pieces anywhere.
    fn ending(&mut self) -> Position {
        loop {
            let mut setup = Setup::EMPTY;
            for _ in 0..1 + self.below(4) {
                let role = Role::ALL[self.below(5)];
                setup.board.put(self.square(), Piece { color: Color::ALL[self.below(2)], role });
            }
            for color in Color::ALL {
                setup.board.put(self.square(), Piece { color, role: Role::King });
            }
            setup.turn = Color::ALL[self.below(2)];
            if let Ok(position) = setup.validate() {
                return position;
            }
        }
    }
}

const PAWNS: [Piece; 2] = [
    Piece { color: Color::White, role: Role::Pawn },
    Piece { color: Color::Black, role: Role::Pawn },
];

/// FIDE 5.2.2, 6.9.
#[test]
fn no_answer_contradicts_an_independent_solver() {
    let mut dice = Dice::seeded(1);
    let sides = sides(600);
    let mut decided = 0;
    for nth in 0..sides.div_ceil(2) {
        let position = match nth % 3 {
            0 => dice.game_position(),
            1 => dice.locked_position(),
            _ => dice.ending(),
        };
        for winner in Color::ALL {
            decided += usize::from(compare_with_chasolver(&position, winner));
        }
    }
    println!("{decided} sides decided by both");
    assert!(10 * decided >= 9 * sides, "only {decided} of {sides} were decided by both");
}

/// FIDE 5.2.2: what is proven of a locked position is true of everything that follows it.
#[test]
fn no_proof_about_a_locked_position_is_refuted_by_what_may_follow() {
    let mut dice = Dice::seeded(2);
    let positions = sides(400).div_ceil(2);
    let (mut proven, mut decided) = (0, 0);
    while proven < positions {
        let position = dice.locked_position();
        let locked = MatingChance::Unwinnable(Proof::Locked);
        // One position in eight for a side alone: finding those takes a search of the others.
        let is_locked = position.dead_position().is_some()
            || dice.below(8) == 0
                && Color::ALL.iter().any(|&c| position.mating_chance(c) == locked);
        if is_locked {
            proven += 1;
            decided += compare_with_walk(&position, 10_000);
        }
    }
    println!("{decided} sides of {proven} locked positions decided by walking");
    assert!(decided >= positions, "only {decided} sides of {positions} positions were decided");
}

/// FIDE 5.2.2, 6.9.
#[test]
fn no_answer_about_a_small_ending_is_refuted_by_what_may_follow() {
    let mut dice = Dice::seeded(3);
    let decided: usize =
        (0..sides(200).div_ceil(2)).map(|_| compare_with_walk(&dice.ending(), 10_000)).sum();
    println!("{decided} sides decided by walking");
    assert!(decided > 0);
}
