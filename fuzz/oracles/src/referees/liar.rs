//! Referees with one planted error, which must be caught through the same calls as honest ones: they
//! prove that the alarm rings.

use std::collections::HashMap;

use ::touchmove::{Key, Move, MoveKind, Position, Square, UciMode};

use super::{Referee, Silence, Status};

/// What a liar says that is not so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lie {
    /// Never lists castling with the rook on this square.
    DropsCastling(Square),
    /// Lists other moves than are legal in some positions, wherever they come from.
    Lists(HashMap<Key, WrongList>),
    /// The same, but only where moves led to the position: set up from its FEN the fault is gone, as with
    /// state that a FEN does not hold.
    ListsWhenPlayed(HashMap<Key, WrongList>),
    /// Says that the halfmove clock is one more than it is.
    ClockOffByOne,
}

/// How the move list of a position is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WrongList {
    /// Legal moves that are not listed.
    pub missing: Vec<Move>,
    /// Pseudo-legal moves that are listed and not legal.
    pub extra: Vec<Move>,
}

/// The engine's fast route with one lie told on top. It is consistent: what it lists it plays, and what it
/// counts are the paths through its own lists.
#[derive(Clone, Debug)]
pub struct Liar {
    lie: Lie,
    /// The position set up, and those that moves led to.
    positions: Vec<Position>,
}

impl Liar {
    /// A liar at the start position.
    pub fn new(lie: Lie) -> Liar {
        Liar { lie, positions: vec![Position::default()] }
    }

    fn position(&self) -> &Position {
        self.positions.last().expect("a position is always set up")
    }

    fn list(&self) -> Vec<Move> {
        let position = self.position();
        let mut moves = position.legal_moves().to_vec();
        match &self.lie {
            Lie::DropsCastling(rook) => {
                moves.retain(|mv| mv.kind() != MoveKind::Castling || mv.to() != *rook);
            }
            Lie::Lists(wrong) => distort(&mut moves, wrong.get(&position.key())),
            Lie::ListsWhenPlayed(wrong) if self.positions.len() > 1 => {
                distort(&mut moves, wrong.get(&position.key()));
            }
            Lie::ListsWhenPlayed(_) | Lie::ClockOffByOne => {}
        }
        moves
    }

    fn count(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.list().len() as u64,
            _ => self.list().into_iter().map(|mv| self.count_after(mv, depth - 1)).sum(),
        }
    }

    fn count_after(&mut self, mv: Move, depth: u32) -> u64 {
        let mut after = *self.position();
        let _never_taken_back = after.make(mv);
        self.positions.push(after);
        let nodes = self.count(depth);
        self.positions.pop();
        nodes
    }
}

fn distort(moves: &mut Vec<Move>, wrong: Option<&WrongList>) {
    if let Some(wrong) = wrong {
        moves.retain(|mv| !wrong.missing.contains(mv));
        moves.extend(&wrong.extra);
    }
}

impl Referee for Liar {
    fn name(&self) -> &str {
        "liar"
    }

    fn set(&mut self, fen: &str, _: UciMode) -> Result<(), Silence> {
        let position = fen.parse().map_err(|_| Silence::Abstains("not a FEN".into()))?;
        self.positions = vec![position];
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), Silence> {
        if !self.list().contains(&mv) {
            return Err(Silence::Failed(format!("asked to play {mv:?}, which it does not list")));
        }
        let mut after = *self.position();
        let _never_taken_back = after.make(mv);
        self.positions.push(after);
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Silence> {
        assert!(self.positions.len() > 1, "a move was played");
        self.positions.pop();
        Ok(())
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, Silence> {
        Ok(self.list())
    }

    fn status(&mut self) -> Result<Status, Silence> {
        let position = self.position();
        let (turn, check) = (position.turn(), position.is_check());
        Ok(Status { turn, check, stuck: self.list().is_empty() })
    }

    fn fen(&mut self) -> Result<String, Silence> {
        let mut setup = self.position().to_setup();
        if self.lie == Lie::ClockOffByOne {
            setup.halfmove_clock += 1;
        }
        Ok(setup.to_string())
    }

    fn divide(&mut self, depth: u32) -> Result<Vec<(Move, u64)>, Silence> {
        Ok(self.list().into_iter().map(|mv| (mv, self.count_after(mv, depth - 1))).collect())
    }
}
