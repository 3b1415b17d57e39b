//! Operations that hold moves: `bm` and `am` are sets, `pv` is a line (R23).

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{Epd, Operand, Operation};
use crate::moves::Move;
use crate::notation::SyntaxError;
use crate::notation::san::{San, SanError};
use crate::position::{IllegalMove, Position};

/// The opcode whose moves follow one another.
const LINE: &str = "pv";

/// An operand is no legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdMoveError {
    text: String,
    why: EpdMoveFault,
}

/// Why an operand is no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EpdMoveFault {
    /// It is no move in standard algebraic notation.
    Syntax(SyntaxError),
    /// It means no legal move, or more than one.
    San(SanError),
}

impl EpdMoveError {
    /// The operand.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why it is refused.
    pub const fn why(&self) -> &EpdMoveFault {
        &self.why
    }
}

impl fmt::Display for EpdMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: ", self.text)?;
        match &self.why {
            EpdMoveFault::Syntax(error) => error.fmt(f),
            EpdMoveFault::San(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for EpdMoveError {}

impl Epd {
    /// The moves of an operation. Those of `bm`, `am` and any other are moves of the position; those of `pv` follow
    /// one another. `None` where there is no such operation.
    ///
    /// ```
    /// use touchmove::Epd;
    ///
    /// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    /// let epd: Epd = format!("{start} bm e4 d4; pv e4 e5 Nf3;").parse()?;
    /// assert_eq!(epd.moves("bm").unwrap()?.len(), 2);
    /// assert_eq!(epd.moves("pv").unwrap()?.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&self, opcode: &str) -> Option<Result<Vec<Move>, EpdMoveError>> {
        let operands = self.operands(opcode)?;
        let mut position = *self.position();
        let resolve = |operand: &Operand| {
            let mv = resolve(operand.text(), &position)
                .map_err(|why| EpdMoveError { text: operand.text().to_owned(), why })?;
            if opcode == LINE {
                let _never_taken_back = position.make(mv);
            }
            Ok(mv)
        };
        Some(operands.iter().map(resolve).collect())
    }

    /// Replaces the best moves, `bm`, or adds them. They are written in the order of their letters, so that any two
    /// writers write the same.
    ///
    /// # Errors
    ///
    /// When a move is not legal; nothing is changed.
    pub fn set_best_moves(&mut self, moves: &[Move]) -> Result<(), IllegalMove> {
        self.set_moves("bm", moves)
    }

    /// Replaces the moves to avoid, `am`, as [`Epd::set_best_moves`] does.
    ///
    /// # Errors
    ///
    /// When a move is not legal; nothing is changed.
    pub fn set_moves_to_avoid(&mut self, moves: &[Move]) -> Result<(), IllegalMove> {
        self.set_moves("am", moves)
    }

    /// Replaces the line, `pv`, or adds it.
    ///
    /// # Errors
    ///
    /// When a move is not legal where its turn comes; nothing is changed.
    pub fn set_line(&mut self, moves: &[Move]) -> Result<(), IllegalMove> {
        self.set_moves(LINE, moves)
    }

    fn set_moves(&mut self, opcode: &str, moves: &[Move]) -> Result<(), IllegalMove> {
        let mut position = *self.position();
        let mut texts = Vec::new();
        for &mv in moves {
            position.explain(mv)?;
            texts.push(San::of(&position, mv).to_string());
            if opcode == LINE {
                let _never_taken_back = position.make(mv);
            }
        }
        if opcode != LINE {
            texts.sort_unstable();
            texts.dedup();
        }
        let operands = texts.into_iter().map(|text| Operand { text, quoted: false }).collect();
        match self.operations.iter_mut().find(|operation| operation.opcode == opcode) {
            Some(operation) => operation.operands = operands,
            None => self.operations.push(Operation { opcode: opcode.to_owned(), operands }),
        }
        Ok(())
    }
}

fn resolve(text: &str, position: &Position) -> Result<Move, EpdMoveFault> {
    let san: San = text.parse().map_err(EpdMoveFault::Syntax)?;
    san.resolve(position).map_err(EpdMoveFault::San)
}
