//! Anything a FEN can say, and the judgement that makes it a position.

use alloc::vec::Vec;
use core::fmt;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide};
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::position::us::{Black, White};
use crate::shapes::Pawn;
use crate::square::{Rank, Square};
use crate::zobrist::Key;

/// Whatever a FEN can say. Nothing is promised yet; [`Setup::validate`] judges.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Which piece stands where.
    pub board: Board,
    /// Whose turn it is.
    pub turn: Color,
    /// Which rooks may still castle.
    pub castling: CastlingRights,
    /// The square behind a pawn that has just gone two squares.
    pub en_passant: Option<Square>,
    /// The plies since the last capture or pawn move, 0–9999.
    pub halfmove_clock: u16,
    /// The number of the move about to be played, 1–9999; 0 is taken for 1.
    pub move_number: u16,
}

impl Setup {
    /// No piece, White to move, no rights, clocks 0 and 1.
    pub const EMPTY: Setup = Setup {
        board: Board::EMPTY,
        turn: Color::White,
        castling: CastlingRights::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        move_number: 1,
    };

    /// Judges the set-up: the only door to a [`Position`].
    ///
    /// An en passant square that fits, but on which no capture is legal, is dropped (R3).
    ///
    /// # Errors
    ///
    /// Every reason for which there is no such position (R1), in the order of [`SetupFault`].
    pub fn validate(self) -> Result<Position, SetupError> {
        let faults = self.faults();
        if !faults.is_empty() {
            return Err(SetupError { faults });
        }
        let mut position = Position {
            board: self.board,
            castling: self.castling,
            key: Key::default(),
            halfmove_clock: self.halfmove_clock,
            move_number: self.move_number.max(1),
            turn: self.turn,
            en_passant: None,
        };
        position.en_passant =
            self.en_passant.filter(|&passed| position.some_en_passant_is_legal(passed));
        position.key = Key::of(&position);
        Ok(position)
    }

    /// The set-up seen from the other side of the board: colours and ranks exchanged.
    #[must_use]
    pub fn flip(&self) -> Setup {
        Setup {
            board: self.board.flip(),
            turn: !self.turn,
            castling: self.castling.flip(),
            en_passant: self.en_passant.map(Square::flip),
            ..*self
        }
    }

    fn faults(&self) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        self.judge_kings(&mut faults);
        self.judge_pawns(&mut faults);
        self.judge_check(&mut faults);
        self.judge_castling(&mut faults);
        self.judge_en_passant(&mut faults);
        if self.halfmove_clock > Position::CLOCK_MAX {
            faults.push(SetupFault::HalfmoveClock { plies: self.halfmove_clock });
        }
        if self.move_number > Position::CLOCK_MAX {
            faults.push(SetupFault::MoveNumber { number: self.move_number });
        }
        faults
    }

    fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.board.pieces(Piece { color, role })
    }

    fn only_king(&self, color: Color) -> Option<Square> {
        let kings = self.pieces(color, Role::King);
        kings.first().filter(|_| !kings.many())
    }

    fn judge_kings(&self, faults: &mut Vec<SetupFault>) {
        for color in Color::ALL {
            let count = self.pieces(color, Role::King).len();
            if count != 1 {
                faults.push(SetupFault::Kings { color, count });
            }
        }
    }

    fn judge_pawns(&self, faults: &mut Vec<SetupFault>) {
        let misplaced = self.board.role(Role::Pawn) & Bitboard::BACK_RANKS;
        faults.extend(misplaced.into_iter().map(|square| SetupFault::PawnOnBackRank { square }));
    }

    fn judge_check(&self, faults: &mut Vec<SetupFault>) {
        let Some(king) = self.only_king(!self.turn) else { return };
        let attackers = self.board.attackers_to(king, self.board.occupied());
        if let Some(attacker) = (attackers & self.board.color(self.turn)).first() {
            faults.push(SetupFault::OpponentInCheck { king, attacker });
        }
    }

    fn judge_castling(&self, faults: &mut Vec<SetupFault>) {
        for color in Color::ALL {
            let mut sides_seen = Vec::new();
            for rook in self.castling.rooks_of(color) {
                if !self.pieces(color, Role::Rook).contains(rook) {
                    faults.push(SetupFault::CastlingWithoutRook { color, square: rook });
                }
                // Without a single king the fault is told already.
                let Some(king) = self.only_king(color) else { continue };
                if king.rank() != color.back_rank() {
                    faults.push(SetupFault::CastlingWithoutKing { color, king, rook });
                    continue;
                }
                let side = CastlingSide::of(king, rook);
                if sides_seen.contains(&side) {
                    faults.push(SetupFault::TwoRightsOnOneSide { color, side });
                }
                sides_seen.push(side);
            }
        }
    }

    fn judge_en_passant(&self, faults: &mut Vec<SetupFault>) {
        let Some(square) = self.en_passant else { return };
        let passer = !self.turn;
        let mut fault = |obstacle| faults.push(SetupFault::EnPassant { square, obstacle });
        if square.rank() != passer.rank(Rank::Third) {
            return fault(EnPassantObstacle::WrongRank);
        }
        let ahead = square.offset(0, Pawn(passer).direction());
        let origin = square.offset(0, -Pawn(passer).direction());
        let occupied = self.board.occupied();
        if occupied.contains(square) {
            fault(EnPassantObstacle::Occupied);
        }
        if !ahead.is_some_and(|ahead| self.pieces(passer, Role::Pawn).contains(ahead)) {
            fault(EnPassantObstacle::NoPawnInFront);
        }
        if origin.is_some_and(|origin| occupied.contains(origin)) {
            fault(EnPassantObstacle::OriginOccupied);
        }
    }
}

impl Position {
    /// The set-up this position could have come from.
    pub const fn to_setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            move_number: self.move_number,
        }
    }

    fn some_en_passant_is_legal(&self, passed: Square) -> bool {
        self.board.pawn_attackers_to(passed, self.turn).into_iter().any(|from| match self.turn {
            Color::White => self.en_passant_leaves_king_safe::<White>(from, passed),
            Color::Black => self.en_passant_leaves_king_safe::<Black>(from, passed),
        })
    }
}

/// The start position.
impl Default for Setup {
    fn default() -> Setup {
        let castling = CastlingRights::EMPTY
            .with(Square::A1)
            .with(Square::H1)
            .with(Square::A8)
            .with(Square::H8);
        Setup { board: Board::default(), castling, ..Setup::EMPTY }
    }
}

/// Draws the board and writes the FEN.
impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}\n{self}", self.board)
    }
}

/// There is no such position, for one reason or more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    faults: Vec<SetupFault>,
}

impl SetupError {
    /// All the reasons, never none.
    pub fn faults(&self) -> &[SetupFault] {
        &self.faults
    }
}

/// The reasons, separated by semicolons.
impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "; " })?;
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl core::error::Error for SetupError {}

/// One reason why a set-up is no position (R1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SetupFault {
    /// A side has no king, or more than one.
    Kings {
        /// The side.
        color: Color,
        /// Its number of kings.
        count: u32,
    },
    /// A pawn stands on the first or the last rank (FIDE 3.7.3.3).
    PawnOnBackRank {
        /// Where.
        square: Square,
    },
    /// The side that does not move stands in check (FIDE 3.9.2); touching kings are such a case.
    OpponentInCheck {
        /// The attacked king.
        king: Square,
        /// One of the attackers.
        attacker: Square,
    },
    /// A castling right names a square where no rook of that side stands.
    CastlingWithoutRook {
        /// Whose right.
        color: Color,
        /// The square.
        square: Square,
    },
    /// A castling right is kept, but the king is not on its back rank.
    CastlingWithoutKing {
        /// Whose right.
        color: Color,
        /// Where the king is.
        king: Square,
        /// The rook that is said to have the right.
        rook: Square,
    },
    /// Two rooks on one side of the king are said to have the right.
    TwoRightsOnOneSide {
        /// Whose rights.
        color: Color,
        /// Which side.
        side: CastlingSide,
    },
    /// No pawn can just have passed the en passant square.
    EnPassant {
        /// The square.
        square: Square,
        /// Why not.
        obstacle: EnPassantObstacle,
    },
    /// The halfmove clock is above 9999.
    HalfmoveClock {
        /// What it says.
        plies: u16,
    },
    /// The move number is above 9999.
    MoveNumber {
        /// What it says.
        number: u16,
    },
}

/// Why no pawn can just have passed a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnPassantObstacle {
    /// It is not on the rank that a double push of the other side crosses.
    WrongRank,
    /// A piece stands on it.
    Occupied,
    /// No pawn stands in front of it.
    NoPawnInFront,
    /// A piece stands where the pawn would have come from.
    OriginOccupied,
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SetupFault::Kings { color, count: 0 } => write!(f, "{color} has no king"),
            SetupFault::Kings { color, count } => write!(f, "{color} has {count} kings"),
            SetupFault::PawnOnBackRank { square } => {
                write!(f, "a pawn stands on {square}, on the first or last rank")
            }
            SetupFault::OpponentInCheck { king, attacker } => write!(
                f,
                "the side that is not to move is in check: its king on {king} is attacked from {attacker}"
            ),
            SetupFault::CastlingWithoutRook { color, square } => {
                write!(f, "castling right of {color} for {square}, where it has no rook")
            }
            SetupFault::CastlingWithoutKing { color, king, rook } => write!(
                f,
                "castling right of {color} for the rook on {rook}, but its king is on {king}, \
                 off the back rank"
            ),
            SetupFault::TwoRightsOnOneSide { color, side } => {
                let side = match side {
                    CastlingSide::King => "king",
                    CastlingSide::Queen => "queen",
                };
                write!(f, "two castling rights of {color} on the {side} side")
            }
            SetupFault::EnPassant { square, obstacle } => {
                write!(f, "no pawn can have passed the en passant square {square}: ")?;
                f.write_str(match obstacle {
                    EnPassantObstacle::WrongRank => "it is on the wrong rank",
                    EnPassantObstacle::Occupied => "a piece stands on it",
                    EnPassantObstacle::NoPawnInFront => "no pawn stands in front of it",
                    EnPassantObstacle::OriginOccupied => "a piece stands where the pawn came from",
                })
            }
            SetupFault::HalfmoveClock { plies } => {
                write!(f, "the halfmove clock is {plies}, above {}", Position::CLOCK_MAX)
            }
            SetupFault::MoveNumber { number } => {
                write!(f, "the move number is {number}, above {}", Position::CLOCK_MAX)
            }
        }
    }
}
