//! Why a move is refused.

use core::fmt;

use crate::bitboard::Bitboard;
use crate::castling::CastlingPath;
use crate::moves::{Move, MoveKind};
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::shapes::{Pawn, Shape, between};
use crate::square::Square;

/// Why a move is not legal in a position. Where several reasons hold, the first in this order is told
/// (R12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IllegalMove {
    /// A null move is no move of the game.
    Null,
    /// No piece stands on the square the move starts from.
    NoPiece {
        /// That square.
        square: Square,
    },
    /// The piece belongs to the other side.
    NotYourPiece {
        /// Where it stands.
        square: Square,
        /// What it is.
        piece: Piece,
    },
    /// A piece of the mover stands on the target, and it is not the rook to castle with (FIDE 3.1).
    OwnPieceOnTarget {
        /// The target.
        square: Square,
        /// What stands there.
        piece: Piece,
    },
    /// Such a piece does not move like that (FIDE 3.2–3.8).
    Shape {
        /// The piece.
        piece: Piece,
        /// Where it stands.
        from: Square,
        /// Where it should go.
        to: Square,
    },
    /// A pawn goes diagonally only to capture what stands there (FIDE 3.7.3).
    NothingToCapture {
        /// The empty square.
        square: Square,
    },
    /// A capture en passant where no pawn has just passed (FIDE 3.7.3.1).
    NotEnPassant {
        /// The square.
        square: Square,
    },
    /// The way is blocked (FIDE 3.5, 3.7.1, 3.7.2).
    Blocked {
        /// The first square in the way.
        square: Square,
    },
    /// One of the conditions of castling is not met (FIDE 3.8.2).
    Castling(CastlingObstacle),
    /// A pawn reaches the last rank and the move does not say what it becomes (FIDE 3.7.3.3).
    PromotionMissing,
    /// Only a pawn that reaches the last rank becomes another piece (FIDE 3.7.3.3).
    PromotionNotAllowed,
    /// After the move the mover's king would be attacked (FIDE 3.9.2).
    LeavesKingAttacked {
        /// The king's square after the move.
        king: Square,
        /// An attacking piece.
        by: Piece,
        /// Where that stands.
        from: Square,
    },
}

/// Which condition of castling is not met (FIDE 3.8.2.1, 3.8.2.2, R8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CastlingObstacle {
    /// King or rook has moved, or there is no such rook.
    NoRight,
    /// A square that king or rook needs is occupied.
    Blocked {
        /// The square.
        square: Square,
    },
    /// The king stands in check.
    InCheck {
        /// A checker.
        by: Piece,
        /// Where it stands.
        from: Square,
    },
    /// The king would cross an attacked square.
    CrossesAttack {
        /// The square.
        square: Square,
        /// An attacker.
        by: Piece,
        /// Where it stands.
        from: Square,
    },
    /// The king would arrive on an attacked square.
    EndsAttacked {
        /// The square.
        square: Square,
        /// An attacker.
        by: Piece,
        /// Where it stands.
        from: Square,
    },
    /// Standard UCI text knows only castling from e1 and e8 with a rook in the corner (R9).
    NotStandard,
}

impl IllegalMove {
    /// A code that stays the same in every version: `no-piece`, `castling-in-check`.
    pub const fn code(&self) -> &'static str {
        match self {
            IllegalMove::Null => "null-move",
            IllegalMove::NoPiece { .. } => "no-piece",
            IllegalMove::NotYourPiece { .. } => "not-your-piece",
            IllegalMove::OwnPieceOnTarget { .. } => "own-piece-on-target",
            IllegalMove::Shape { .. } => "shape",
            IllegalMove::NothingToCapture { .. } => "nothing-to-capture",
            IllegalMove::NotEnPassant { .. } => "not-en-passant",
            IllegalMove::Blocked { .. } => "blocked",
            IllegalMove::Castling(obstacle) => match obstacle {
                CastlingObstacle::NoRight => "castling-no-right",
                CastlingObstacle::Blocked { .. } => "castling-blocked",
                CastlingObstacle::InCheck { .. } => "castling-in-check",
                CastlingObstacle::CrossesAttack { .. } => "castling-crosses-attack",
                CastlingObstacle::EndsAttacked { .. } => "castling-ends-attacked",
                CastlingObstacle::NotStandard => "castling-not-standard",
            },
            IllegalMove::PromotionMissing => "promotion-missing",
            IllegalMove::PromotionNotAllowed => "promotion-not-allowed",
            IllegalMove::LeavesKingAttacked { .. } => "leaves-king-attacked",
        }
    }

    /// The article of the Laws of Chess that decides, where there is one.
    pub const fn article(&self) -> Option<&'static str> {
        Some(match self {
            IllegalMove::Null
            | IllegalMove::NoPiece { .. }
            | IllegalMove::NotYourPiece { .. }
            | IllegalMove::Castling(CastlingObstacle::NotStandard) => return None,
            IllegalMove::OwnPieceOnTarget { .. } => "3.1",
            IllegalMove::Shape { piece, .. } => match piece.role {
                Role::Pawn => "3.7",
                Role::Knight => "3.6",
                Role::Bishop => "3.2",
                Role::Rook => "3.3",
                Role::Queen => "3.4",
                Role::King => "3.8",
            },
            IllegalMove::NothingToCapture { .. } => "3.7.3",
            IllegalMove::NotEnPassant { .. } => "3.7.3.1",
            IllegalMove::Blocked { .. } => "3.5",
            IllegalMove::Castling(CastlingObstacle::NoRight) => "3.8.2.1",
            IllegalMove::Castling(_) => "3.8.2.2",
            IllegalMove::PromotionMissing | IllegalMove::PromotionNotAllowed => "3.7.3.3",
            IllegalMove::LeavesKingAttacked { .. } => "3.9.2",
        })
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::Null => f.write_str("a null move is no move of the game"),
            IllegalMove::NoPiece { square } => write!(f, "no piece stands on {square}"),
            IllegalMove::NotYourPiece { square, piece } => {
                write!(f, "the {piece} on {square} is not the mover's")
            }
            IllegalMove::OwnPieceOnTarget { square, piece } => {
                write!(f, "the mover's own {} stands on {square}", piece.role)
            }
            IllegalMove::Shape { piece, from, to } => {
                write!(f, "a {piece} does not go from {from} to {to}")
            }
            IllegalMove::NothingToCapture { square } => {
                write!(f, "no enemy piece stands on {square} for the pawn to capture")
            }
            IllegalMove::NotEnPassant { square } => {
                write!(f, "no pawn can be captured en passant on {square}")
            }
            IllegalMove::Blocked { square } => write!(f, "the way is blocked on {square}"),
            IllegalMove::Castling(obstacle) => obstacle.fmt(f),
            IllegalMove::PromotionMissing => {
                f.write_str("the move does not say what the pawn becomes on the last rank")
            }
            IllegalMove::PromotionNotAllowed => {
                f.write_str("only a pawn that reaches the last rank becomes another piece")
            }
            IllegalMove::LeavesKingAttacked { king, by, from } => {
                write!(f, "the king on {king} would be attacked by the {by} on {from}")
            }
        }
    }
}

impl fmt::Display for CastlingObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CastlingObstacle::NoRight => f.write_str("the right to castle there is not kept"),
            CastlingObstacle::Blocked { square } => {
                write!(f, "castling is blocked by the piece on {square}")
            }
            CastlingObstacle::InCheck { by: Piece { role, .. }, from } => {
                write!(f, "castling out of check: the king is attacked by the {role} on {from}")
            }
            CastlingObstacle::CrossesAttack { square, by: Piece { role, .. }, from } => {
                write!(f, "castling through check: {square} is attacked by the {role} on {from}")
            }
            CastlingObstacle::EndsAttacked { square, by: Piece { role, .. }, from } => {
                write!(f, "castling into check: {square} is attacked by the {role} on {from}")
            }
            CastlingObstacle::NotStandard => f.write_str(
                "standard notation knows only castling from e1 or e8 with a rook in the corner",
            ),
        }
    }
}

impl core::error::Error for IllegalMove {}

impl Position {
    /// Whether a move is legal, and if not, why.
    ///
    /// Ok for exactly the moves that [`Position::is_legal`] says yes to.
    ///
    /// # Errors
    ///
    /// The first reason in the order of [`IllegalMove`].
    ///
    /// ```
    /// use touchmove::{Move, Position, Square};
    ///
    /// let position: Position = "4k3/8/8/8/8/8/3q4/4K3 w - - 0 1".parse()?;
    /// let refused = position.explain(Move::normal(Square::E1, Square::D1)).unwrap_err();
    /// assert_eq!(refused.code(), "leaves-king-attacked");
    /// # Ok::<(), touchmove::FenError>(())
    /// ```
    pub fn explain(&self, mv: Move) -> Result<(), IllegalMove> {
        let from = mv.from();
        let piece = self.board.piece_at(from).ok_or(IllegalMove::NoPiece { square: from })?;
        if piece.color != self.turn {
            return Err(IllegalMove::NotYourPiece { square: from, piece });
        }
        if mv.kind() == MoveKind::Castling {
            return self.explain_castling(piece, mv);
        }
        self.explain_shape(piece, mv)?;
        explain_promotion(piece, mv)?;
        self.explain_king_safety(mv)
    }

    fn explain_shape(&self, piece: Piece, mv: Move) -> Result<(), IllegalMove> {
        let (from, to) = (mv.from(), mv.to());
        self.explain_target(to)?;
        let shape = IllegalMove::Shape { piece, from, to };
        if let Shape::Pawn(pawn) = piece.shape() {
            return self.explain_pawn(pawn, mv, shape);
        }
        if mv.kind() == MoveKind::EnPassant || !piece.attacks(from, Bitboard::EMPTY).contains(to) {
            return Err(shape);
        }
        self.explain_way(from, between(from, to))
    }

    fn explain_target(&self, square: Square) -> Result<(), IllegalMove> {
        match self.board.piece_at(square).filter(|target| target.color == self.turn) {
            Some(piece) => Err(IllegalMove::OwnPieceOnTarget { square, piece }),
            None => Ok(()),
        }
    }

    fn explain_pawn(&self, pawn: Pawn, mv: Move, shape: IllegalMove) -> Result<(), IllegalMove> {
        let (from, to) = (mv.from(), mv.to());
        if pawn.attacks(from).contains(to) {
            let captures = self.board.color(!self.turn).contains(to);
            return match mv.kind() {
                MoveKind::EnPassant if self.en_passant == Some(to) => Ok(()),
                MoveKind::EnPassant => Err(IllegalMove::NotEnPassant { square: to }),
                _ if captures => Ok(()),
                _ => Err(IllegalMove::NothingToCapture { square: to }),
            };
        }
        if mv.kind() == MoveKind::EnPassant || !pawn.pushes(from, Bitboard::EMPTY).contains(to) {
            return Err(shape);
        }
        self.explain_way(from, between(from, to) | to.into())
    }

    /// Blocked by the piece on the way that is nearest to its start.
    fn explain_way(&self, from: Square, way: Bitboard) -> Result<(), IllegalMove> {
        let distance = |square: &Square| from.index().abs_diff(square.index());
        match (way & self.board.occupied()).into_iter().min_by_key(distance) {
            Some(square) => Err(IllegalMove::Blocked { square }),
            None => Ok(()),
        }
    }

    fn explain_castling(&self, piece: Piece, mv: Move) -> Result<(), IllegalMove> {
        let (king, rook) = (mv.from(), mv.to());
        if piece.role != Role::King || self.board.role_at(rook) != Some(Role::Rook) {
            self.explain_target(rook)?;
        }
        if piece.role != Role::King {
            return Err(IllegalMove::Shape { piece, from: king, to: rook });
        }
        let castling = IllegalMove::Castling;
        if !self.castling.rooks_of(self.turn).contains(rook) {
            return Err(castling(CastlingObstacle::NoRight));
        }
        let path = CastlingPath::new(king, rook);
        let occupied = self.board.occupied();
        if let Some(square) = (path.must_be_empty() & occupied).first() {
            return Err(castling(CastlingObstacle::Blocked { square }));
        }
        let attacker = |square, occupied| {
            let theirs = self.board.color(!self.turn);
            let from = (self.board.attackers_to(square, occupied) & theirs).first()?;
            Some((self.board.piece_at(from)?, from))
        };
        if let Some((by, from)) = attacker(king, occupied) {
            return Err(castling(CastlingObstacle::InCheck { by, from }));
        }
        for square in path.king_crosses() {
            if let Some((by, from)) = attacker(square, occupied) {
                return Err(castling(CastlingObstacle::CrossesAttack { square, by, from }));
            }
        }
        let square = path.king_to;
        match attacker(square, path.occupied_after(occupied)) {
            Some((by, from)) => Err(castling(CastlingObstacle::EndsAttacked { square, by, from })),
            None => Ok(()),
        }
    }

    fn explain_king_safety(&self, mv: Move) -> Result<(), IllegalMove> {
        let mut after = *self;
        let _kept = after.make(mv);
        let king = after.king(self.turn);
        let attacker = after.attackers_of_king(self.turn).first();
        match attacker.and_then(|from| Some((from, after.board.piece_at(from)?))) {
            Some((from, by)) => Err(IllegalMove::LeavesKingAttacked { king, by, from }),
            None => Ok(()),
        }
    }
}

fn explain_promotion(piece: Piece, mv: Move) -> Result<(), IllegalMove> {
    let promotes = match piece.shape() {
        Shape::Pawn(pawn) => mv.to().rank() == pawn.promotion_rank(),
        _ => false,
    };
    match (promotes, mv.promotion_role()) {
        (true, None) => Err(IllegalMove::PromotionMissing),
        (false, Some(_)) => Err(IllegalMove::PromotionNotAllowed),
        _ => Ok(()),
    }
}
