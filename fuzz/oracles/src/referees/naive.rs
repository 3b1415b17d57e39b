//! A slow, obvious second implementation of the rules of chess, Chess960 included.
//!
//! It is an independent witness: an array of eight times eight squares, rays walked step by step,
//! and every move tried on a copy of the position. It shares neither code nor ideas with the
//! engine; from there come only the types that all referees speak in.
//!
//! It trusts the FEN it is given to be a valid position, and judges only whether it can read it.

use touchmove::{Move, UciMode};

use self::situation::Situation;
use super::{Referee, Silence, Status};

mod attacks;
mod board;
mod fen;
mod moves;
mod play;
mod situation;
#[cfg(test)]
mod tests;

/// The referee that knows the rules as a beginner does, and takes its time.
#[derive(Clone, Default, Debug)]
pub struct Naive {
    /// The position set up, and the one after each move played since.
    situations: Vec<Situation>,
}

impl Naive {
    /// A referee with no position yet.
    pub fn new() -> Naive {
        Naive::default()
    }

    fn now(&self) -> Result<&Situation, Silence> {
        self.situations.last().ok_or_else(|| Silence::Failed("no position is set up".into()))
    }
}

impl Referee for Naive {
    fn name(&self) -> &str {
        "naive"
    }

    /// Castling is read and written with the rook's own square in mind, so both modes are one.
    fn set(&mut self, fen: &str, _: UciMode) -> Result<(), Silence> {
        self.situations.clear();
        let situation = Situation::read(fen).map_err(|why| Silence::Abstains(why.into()))?;
        self.situations.push(situation);
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), Silence> {
        let now = self.now()?;
        if !now.legal_moves().contains(&mv) {
            return Err(Silence::Failed(format!("{mv:?} is not legal in {}", now.write())));
        }
        let next = now.after(mv);
        self.situations.push(next);
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Silence> {
        assert!(self.situations.len() > 1, "no move is left to take back");
        self.situations.pop();
        Ok(())
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, Silence> {
        Ok(self.now()?.legal_moves())
    }

    fn status(&mut self) -> Result<Status, Silence> {
        let now = self.now()?;
        let check = now.king_is_attacked(now.turn);
        Ok(Status { turn: now.turn, check, stuck: now.legal_moves().is_empty() })
    }

    fn fen(&mut self) -> Result<String, Silence> {
        Ok(self.now()?.write())
    }

    fn divide(&mut self, depth: u32) -> Result<Vec<(Move, u64)>, Silence> {
        let now = self.now()?;
        let rest =
            depth.checked_sub(1).ok_or_else(|| Silence::Failed("divide by 0 plies".into()))?;
        Ok(now.legal_moves().into_iter().map(|mv| (mv, now.after(mv).paths(rest))).collect())
    }
}
