//! Moves as UCI engines write them: `e2e4`, `e7e8q`, and the one room that knows `e1g1` (R9, R10).

use core::fmt;
use core::str::FromStr;

use crate::castling::{CastlingPath, CastlingSide};
use crate::moves::{Move, MoveKind};
use crate::notation::{Cursor, SyntaxError};
use crate::piece::{Color, PromotionRole, Role};
use crate::position::{CastlingObstacle, IllegalMove, Position};
use crate::square::{File, Rank, Square};

/// How castling is written: the setting of the UCI option `UCI_Chess960`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum UciMode {
    /// The king's square and its destination: `e1g1`. King takes rook, `e1h1`, is read as well.
    #[default]
    Standard,
    /// The king's square and its rook's: `e1h1`. Nothing else is read.
    Chess960,
}

impl UciMode {
    /// The mode a position needs: Chess960 as soon as a king with castling rights is not on the
    /// e-file, or a rook with the right not on the a- or h-file.
    pub fn of(position: &Position) -> UciMode {
        let standard = Color::ALL.into_iter().all(|color| {
            let king = position.king(color);
            let mut rooks = position.castling().rooks_of(color).into_iter();
            rooks.all(|rook| is_standard_castling(king, rook))
        });
        if standard { UciMode::Standard } else { UciMode::Chess960 }
    }
}

impl fmt::Display for UciMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UciMode::Standard => "standard",
            UciMode::Chess960 => "chess960",
        })
    }
}

/// A king on e1 or e8 and a rook in a corner of that rank.
fn is_standard_castling(king: Square, rook: Square) -> bool {
    king.file() == File::E
        && matches!(king.rank(), Rank::First | Rank::Eighth)
        && rook.rank() == king.rank()
        && matches!(rook.file(), File::A | File::H)
}

/// A move as text, not yet held against a position.
///
/// ```
/// use touchmove::{Position, UciMode, UciMove};
///
/// let position = Position::default();
/// let text: UciMove = "g1f3".parse()?;
/// let mv = text.resolve(&position, UciMode::Standard)?;
/// assert!(position.is_legal(mv));
///
/// let refused = "g1g3".parse::<UciMove>()?.resolve(&position, UciMode::Standard);
/// assert_eq!(refused.unwrap_err().to_string(), "a white knight does not go from g1 to g3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UciMove {
    /// `0000`, the null move.
    Null,
    /// From a square to a square, with what a pawn becomes there.
    Board {
        /// Where the piece stands.
        from: Square,
        /// Where it goes.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<PromotionRole>,
    },
}

impl UciMove {
    /// A move as it is written in a mode.
    ///
    /// # Errors
    ///
    /// In standard mode for a castling that does not start on e1 or e8 with a rook in the corner: it has no
    /// such text.
    pub fn of(mv: Move, mode: UciMode) -> Result<UciMove, UnwritableCastling> {
        let (from, to) = (mv.from(), mv.to());
        let written_to = match (mv.kind(), mode) {
            (MoveKind::Castling, UciMode::Standard) if is_standard_castling(from, to) => {
                CastlingPath::new(from, to).king_to
            }
            (MoveKind::Castling, UciMode::Standard) => {
                return Err(UnwritableCastling { king: from, rook: to });
            }
            _ => to,
        };
        Ok(UciMove::Board { from, to: written_to, promotion: mv.promotion_role() })
    }

    /// The legal move of a position that the text means (R11).
    ///
    /// # Errors
    ///
    /// Why there is none, in the order of [`IllegalMove`].
    pub fn resolve(self, position: &Position, mode: UciMode) -> Result<Move, IllegalMove> {
        let UciMove::Board { from, to, promotion } = self else {
            return Err(IllegalMove::Null);
        };
        let piece = position.board().piece_at(from).ok_or(IllegalMove::NoPiece { square: from })?;
        if piece.color != position.turn() {
            return Err(IllegalMove::NotYourPiece { square: from, piece });
        }
        if from == to {
            return Err(IllegalMove::OwnPieceOnTarget { square: to, piece });
        }
        let castling_rook = match piece.role {
            Role::King => castling_rook(position, from, to, mode)?,
            _ => None,
        };
        let mv = match (castling_rook.and_then(|rook| Move::castling(from, rook)), promotion) {
            (Some(castling), None) => castling,
            (_, Some(role)) => Move::promotion(from, to, role),
            (None, None) if piece.role == Role::Pawn && captures_en_passant(position, from, to) => {
                Move::en_passant(from, to)
            }
            (None, None) => Move::normal(from, to),
        };
        position.explain(mv).map(|()| mv)
    }
}

fn captures_en_passant(position: &Position, from: Square, to: Square) -> bool {
    position.en_passant() == Some(to) && from.file() != to.file()
}

/// The rook that a king's move from square to square means to castle with, if it means that.
fn castling_rook(
    position: &Position,
    king: Square,
    to: Square,
    mode: UciMode,
) -> Result<Option<Square>, IllegalMove> {
    if position.castling().rooks_of(position.turn()).contains(to) {
        return match mode {
            UciMode::Standard if !is_standard_castling(king, to) => {
                Err(IllegalMove::Castling(CastlingObstacle::NotStandard))
            }
            _ => Ok(Some(to)),
        };
    }
    let back_rank = position.turn().back_rank();
    let from_home = king == Square::new(File::E, back_rank) && to.rank() == back_rank;
    let side = CastlingSide::ALL.into_iter().find(|side| side.king_file() == to.file());
    Ok(match (mode, side) {
        (UciMode::Standard, Some(CastlingSide::King)) if from_home => {
            Some(Square::new(File::H, back_rank))
        }
        (UciMode::Standard, Some(CastlingSide::Queen)) if from_home => {
            Some(Square::new(File::A, back_rank))
        }
        _ => None,
    })
}

/// Reads `e2e4`, `e7e8q` or `0000`; ASCII blanks around it are left out.
impl FromStr for UciMove {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<UciMove, SyntaxError> {
        let mut cursor = Cursor::new(text, "move");
        if cursor.rest() == "0000" {
            return Ok(UciMove::Null);
        }
        let from = read_square(&mut cursor)?;
        let to = read_square(&mut cursor)?;
        let promotion =
            match cursor.peek() {
                None => None,
                Some(_) => Some(cursor.take_map(PromotionRole::from_char).ok_or_else(|| {
                    cursor.error("the end, or a promotion to `q`, `r`, `b` or `n`")
                })?),
            };
        cursor.expect_end("the end of the move")?;
        Ok(UciMove::Board { from, to, promotion })
    }
}

fn read_square(cursor: &mut Cursor<'_>) -> Result<Square, SyntaxError> {
    let file = cursor.take_map(File::from_char).ok_or_else(|| cursor.error("a file a-h"))?;
    let rank = cursor.take_map(Rank::from_char).ok_or_else(|| cursor.error("a rank 1-8"))?;
    Ok(Square::new(file, rank))
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciMove::Null => f.write_str("0000"),
            UciMove::Board { from, to, promotion: None } => write!(f, "{from}{to}"),
            UciMove::Board { from, to, promotion: Some(role) } => {
                write!(f, "{from}{to}{}", role.char())
            }
        }
    }
}

/// A castling that standard UCI text cannot express (R9).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnwritableCastling {
    king: Square,
    rook: Square,
}

impl fmt::Display for UnwritableCastling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "castling of the king on {} with the rook on {} can only be written in Chess960 mode",
            self.king, self.rook
        )
    }
}

impl core::error::Error for UnwritableCastling {}
