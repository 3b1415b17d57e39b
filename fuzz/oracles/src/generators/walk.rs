//! Walks: games of legal moves from any start, some of them with a leaning.

use arbitrary::{Arbitrary, Result, Unstructured};
use touchmove::{Move, MoveKind, MoveList, Pawn, Position, Role, Setup};

use super::setup::{FreeSetup, chess960_start};

/// A start and the moves that follow it.
pub trait Steps {
    /// Where it begins.
    fn start(&self) -> Position;

    /// The next move, one of the legal moves of the position reached; none at the end.
    fn next_move(&mut self, position: &Position, legal: &MoveList) -> Option<Move>;
}

impl<S: Steps + ?Sized> Steps for &mut S {
    fn start(&self) -> Position {
        (**self).start()
    }

    fn next_move(&mut self, position: &Position, legal: &MoveList) -> Option<Move> {
        (**self).next_move(position, legal)
    }
}

/// A game of legal moves: the start, a leaning, and a byte for each choice.
///
/// It ends with its bytes, or where there is no legal move.
#[derive(Clone, Debug)]
pub struct Walk {
    start: Position,
    /// A move that is played first whatever the bytes say.
    opening: Option<Move>,
    leaning: Leaning,
    choices: Vec<u8>,
    made: usize,
}

/// What a walk prefers wherever it can: a game that only ever moves pawns, or never captures, meets rules that
/// an even game hardly does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leaning {
    None,
    Pawns,
    NoCaptures,
    Captures,
    Castling,
    Promotion,
    Checks,
    Kings,
    EnPassant,
}

impl<'a> Arbitrary<'a> for Walk {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Walk> {
        let (start, opening) = match bytes.arbitrary::<u8>()? % 8 {
            0..=2 => (Position::default(), None),
            3 | 4 => (chess960_start(bytes.arbitrary::<u16>()? % 960), None),
            _ => start_of(FreeSetup::arbitrary(bytes)?.0),
        };
        let leaning = match bytes.arbitrary::<u8>()? % 16 {
            0 => Leaning::Pawns,
            1 => Leaning::NoCaptures,
            2 => Leaning::Captures,
            3 | 4 => Leaning::Castling,
            5 | 6 => Leaning::Promotion,
            7 => Leaning::Checks,
            8 => Leaning::Kings,
            9 | 10 => Leaning::EnPassant,
            11..=13 if opening.is_some() => Leaning::EnPassant,
            _ => Leaning::None,
        };
        let choices = bytes.bytes(bytes.len())?.to_vec();
        Ok(Walk { start, opening, leaning, choices, made: 0 })
    }
}

/// Where a set-up begins a walk: one ply earlier, where a pawn has just passed another. A position in which no
/// capture of it is legal has forgotten the square (R3), so that the refusal is met only with the push.
fn start_of(setup: Setup) -> (Position, Option<Move>) {
    if let Some(passed) = setup.en_passant
        && let forward = Pawn(!setup.turn).direction()
        && let (Some(from), Some(to)) = (passed.offset(0, -forward), passed.offset(0, forward))
    {
        let mut before = Setup { turn: !setup.turn, en_passant: None, ..setup };
        if let Some(pawn) = before.board.remove(to) {
            before.board.put(from, pawn);
        }
        let push = Move::normal(from, to);
        if let Some(before) = before.validate().ok().filter(|before| before.is_legal(push)) {
            return (before, Some(push));
        }
    }
    (setup.validate().unwrap_or_default(), None)
}

impl Walk {
    /// How many of its bytes are not needed for a walk of so many plies.
    pub fn bytes_unused_after(&self, plies: usize) -> usize {
        let chosen = plies - usize::from(self.opening.is_some() && plies > 0);
        self.choices.len() - chosen
    }
}

impl Steps for Walk {
    fn start(&self) -> Position {
        self.start
    }

    fn next_move(&mut self, position: &Position, legal: &MoveList) -> Option<Move> {
        if let Some(opening) = self.opening.take() {
            return Some(opening);
        }
        let choice = usize::from(*self.choices.get(self.made)?);
        self.made += 1;
        let preferred = self.leaning.among(position, legal);
        match (preferred.as_slice(), &legal[..]) {
            (_, []) => None,
            ([], all) => Some(all[choice * all.len() / 256]),
            (some, _) => Some(some[choice % some.len()]),
        }
    }
}

impl Leaning {
    /// The legal moves that it prefers; none where it has no say.
    fn among(self, position: &Position, legal: &MoveList) -> Vec<Move> {
        if self == Leaning::None {
            return Vec::new();
        }
        legal.iter().copied().filter(|&mv| self.likes(position, mv)).collect()
    }

    fn likes(self, position: &Position, mv: Move) -> bool {
        let board = position.board();
        let role = board.role_at(mv.from());
        let enemies = board.color(!position.turn());
        let captures = enemies.contains(mv.to()) || mv.kind() == MoveKind::EnPassant;
        match self {
            Leaning::None => false,
            Leaning::Pawns => role == Some(Role::Pawn),
            Leaning::NoCaptures => !captures,
            Leaning::Captures => captures,
            Leaning::Castling => mv.kind() == MoveKind::Castling,
            Leaning::Promotion => {
                let forward = Pawn(position.turn()).direction();
                let far = mv.to().offset(0, 3 * forward).is_none();
                role == Some(Role::Pawn) && far
            }
            Leaning::Checks => {
                let mut after = *position;
                let _never_taken_back = after.make(mv);
                after.is_check()
            }
            Leaning::Kings => role == Some(Role::King),
            Leaning::EnPassant => mv.kind() == MoveKind::EnPassant,
        }
    }
}

/// Moves written down beforehand: a case that is played again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    start: Position,
    moves: Vec<Move>,
    made: usize,
}

impl Script {
    /// These moves from this start.
    pub fn new(start: Position, moves: Vec<Move>) -> Script {
        Script { start, moves, made: 0 }
    }
}

impl Steps for Script {
    fn start(&self) -> Position {
        self.start
    }

    /// It ends where the next move written down is not legal.
    fn next_move(&mut self, _: &Position, legal: &MoveList) -> Option<Move> {
        let mv = *self.moves.get(self.made)?;
        self.made += 1;
        legal.contains(&mv).then_some(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::from_seed;

    fn moves_of(mut walk: Walk) -> Vec<Move> {
        let (mut position, mut moves) = (walk.start(), Vec::new());
        while let Some(mv) = walk.next_move(&position, &position.legal_moves()) {
            let _never_taken_back = position.make(mv);
            moves.push(mv);
        }
        moves
    }

    #[test]
    fn the_same_seed_walks_the_same_way() {
        for seed in 0..50 {
            assert_eq!(moves_of(from_seed(seed)), moves_of(from_seed(seed)));
        }
        assert_ne!(moves_of(from_seed(1)), moves_of(from_seed(2)));
    }

    #[test]
    fn walks_are_long_and_of_every_leaning() {
        let plies: usize = (0..200).map(|seed| moves_of(from_seed(seed)).len()).sum();
        assert!(plies > 200 * 60, "{plies} plies");
        let leanings: Vec<Leaning> = (0..400).map(|seed| from_seed::<Walk>(seed).leaning).collect();
        for leaning in [Leaning::Pawns, Leaning::Castling, Leaning::Promotion, Leaning::Kings] {
            assert!(leanings.contains(&leaning), "{leaning:?}");
        }
    }
}
