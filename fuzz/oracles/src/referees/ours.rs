//! What the engine's own referees share: a position, the moves that led to it, and a route to legality.

use std::marker::PhantomData;

use ::touchmove::{Move, MoveList, Position, UciMode, Undo};

use super::{Referee, Silence, Status, total};

/// A way in which the engine computes legal moves.
pub trait Route {
    /// The referee's name.
    const NAME: &'static str;

    /// The legal moves; the position is as before when they are returned.
    fn legal_moves(position: &mut Position) -> MoveList;
}

/// The engine as a referee, by one of its routes. Moves are played by `make` and taken back by `unmake`.
#[derive(Debug)]
pub struct Ours<R> {
    position: Position,
    played: Vec<(Move, Undo)>,
    route: PhantomData<R>,
}

impl<R> Default for Ours<R> {
    fn default() -> Ours<R> {
        Ours { position: Position::default(), played: Vec::new(), route: PhantomData }
    }
}

impl<R: Route> Ours<R> {
    /// A referee that holds this position.
    pub fn at(position: Position) -> Ours<R> {
        Ours { position, ..Ours::default() }
    }

    /// The number of move paths of this length, by this route at every ply.
    pub fn count(&mut self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = R::legal_moves(&mut self.position);
        match depth {
            1 => moves.len() as u64,
            _ => total(moves.into_iter().map(|mv| self.count_after(mv, depth - 1))),
        }
    }

    fn count_after(&mut self, mv: Move, depth: u32) -> u64 {
        let undo = self.position.make(mv);
        let nodes = self.count(depth);
        self.position.unmake(mv, undo);
        nodes
    }
}

impl<R: Route> Referee for Ours<R> {
    fn name(&self) -> &str {
        R::NAME
    }

    fn set(&mut self, fen: &str, _: UciMode) -> Result<(), Silence> {
        self.position = fen
            .parse()
            .map_err(|error: ::touchmove::FenError| Silence::Abstains(error.to_string()))?;
        self.played.clear();
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), Silence> {
        if !R::legal_moves(&mut self.position).contains(&mv) {
            return Err(Silence::Failed(format!("asked to play {mv:?}, which it does not list")));
        }
        let undo = self.position.make(mv);
        self.played.push((mv, undo));
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Silence> {
        let (mv, undo) = self.played.pop().expect("a move was played");
        self.position.unmake(mv, undo);
        Ok(())
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, Silence> {
        Ok(R::legal_moves(&mut self.position).to_vec())
    }

    fn status(&mut self) -> Result<Status, Silence> {
        Ok(Status {
            turn: self.position.turn(),
            check: self.position.is_check(),
            stuck: R::legal_moves(&mut self.position).is_empty(),
        })
    }

    fn fen(&mut self) -> Result<String, Silence> {
        Ok(self.position.to_string())
    }

    fn divide(&mut self, depth: u32) -> Result<Vec<(Move, u64)>, Silence> {
        let moves = R::legal_moves(&mut self.position);
        Ok(moves.into_iter().map(|mv| (mv, self.count_after(mv, depth - 1))).collect())
    }
}
