//! Standard algebraic notation: `Nf3`, `exd5`, `O-O-O#`, read leniently and written in export form (R21).

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::moves::{Move, MoveKind};
use crate::notation::SyntaxError;
use crate::piece::{Piece, PromotionRole, Role};
use crate::position::{CastlingObstacle, IllegalMove, Position};
use crate::shapes::Pawn;
use crate::square::{File, Rank, Square};

/// A move as players write it down (FIDE appendix C), not yet held against a position.
///
/// Reading takes what is often found: check and quality marks that are missing, wrong or doubled, `0-0`,
/// `e8Q`, `Pe4`, `e2-e4` and more of the origin than is needed. Capital letters and the `x` of a capture
/// count: `bxc4` is a pawn's move and `Bxc4` a bishop's.
///
/// ```
/// use touchmove::{Position, San};
///
/// let position: Position = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1".parse()?;
/// let text: San = "Nbd2".parse()?;
/// let mv = text.resolve(&position)?;
/// assert_eq!(San::of(&position, mv).to_string(), "Nbd2");
///
/// let refused = "Nd2".parse::<San>()?.resolve(&position);
/// assert_eq!(refused.unwrap_err().to_string(), "more than one white knight can go to d2: from b1, f3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct San {
    /// Which move is meant.
    pub play: SanPlay,
    /// The mark behind it, if any. Reading a move, nobody relies on it.
    pub mark: Option<CheckMark>,
}

/// What a move in standard algebraic notation says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SanPlay {
    /// `--` or `Z0`: a null move, as analyses in PGN have it.
    Null,
    /// `O-O` or `O-O-O`.
    Castling(CastlingSide),
    /// A piece goes to a square.
    Board {
        /// What goes.
        role: Role,
        /// From which file, where it is said.
        from_file: Option<File>,
        /// From which rank, where it is said.
        from_rank: Option<Rank>,
        /// Whether it captures.
        captures: bool,
        /// Where to.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<PromotionRole>,
    },
}

/// What stands behind a move that attacks the king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CheckMark {
    /// `+`
    Check,
    /// `#`
    Mate,
}

impl San {
    /// A legal move in export form: as much of the origin as legal rivals require, the file before the rank before
    /// both, and the mark for check or mate.
    ///
    /// Lists the moves of one kind of piece and plays the move on a copy.
    ///
    /// # Panics
    ///
    /// May panic when the move is not legal in the position, as it does with debug assertions.
    pub fn of(position: &Position, mv: Move) -> San {
        debug_assert!(position.is_legal(mv), "{mv:?} is not legal in {position}");
        let play = match mv.kind() {
            MoveKind::Castling => SanPlay::Castling(CastlingSide::of(mv.from(), mv.to())),
            _ => SanPlay::of_board_move(position, mv),
        };
        let mut after = *position;
        let _never_taken_back = after.make(mv);
        let mark = match (after.is_check(), after.has_legal_move()) {
            (false, _) => None,
            (true, true) => Some(CheckMark::Check),
            (true, false) => Some(CheckMark::Mate),
        };
        San { play, mark }
    }

    /// The legal move of a position that the text means (R11).
    ///
    /// Looks at the moves of one kind of piece only and makes no list.
    ///
    /// # Errors
    ///
    /// When no legal move is meant, or more than one. A null move is no move: see [`IllegalMove::Null`].
    pub fn resolve(self, position: &Position) -> Result<Move, SanError> {
        match self.play {
            SanPlay::Null => Err(SanError::Illegal(IllegalMove::Null)),
            SanPlay::Castling(side) => castling(position, side).map_err(SanError::Illegal),
            SanPlay::Board { role, from_file, from_rank, captures, to, promotion } => {
                let said = of_origin(position, role, from_file, from_rank);
                BoardMove { position, role, said, captures, to, promotion }.resolve()
            }
        }
    }

    /// Reads the letters of a move, which must be all there are.
    pub(crate) fn read(text: &[u8]) -> Result<San, Misread> {
        let mut letters = Letters { text, at: 0 };
        let play = letters.play()?;
        let mark = letters.marks();
        match letters.peek() {
            None => Ok(San { play, mark }),
            Some(_) => Err(letters.misread("the end of the move, or one of `+#!?`")),
        }
    }
}

/// The legal castling to one side.
fn castling(position: &Position, side: CastlingSide) -> Result<Move, IllegalMove> {
    let king = position.king(position.turn());
    let mut rooks = position.castling().rooks_of(position.turn()).into_iter();
    let castling = rooks.find(|&rook| CastlingSide::of(king, rook) == side);
    match castling.and_then(|rook| Move::castling(king, rook)) {
        Some(castling) if position.is_legal(castling) => Ok(castling),
        Some(castling) => position.explain(castling).map(|()| castling),
        None => Err(IllegalMove::Castling(CastlingObstacle::NoRight)),
    }
}

/// The mover's pieces of a role, on a file and a rank where these are said.
fn of_origin(position: &Position, role: Role, file: Option<File>, rank: Option<Rank>) -> Bitboard {
    let pieces = position.board().pieces(Piece { color: position.turn(), role });
    pieces & file.map_or(Bitboard::ALL, Bitboard::file) & rank.map_or(Bitboard::ALL, Bitboard::rank)
}

/// A move of a piece to a square, held against a position.
struct BoardMove<'a> {
    position: &'a Position,
    role: Role,
    /// The pieces that the text may mean, as far as it says where from.
    said: Bitboard,
    captures: bool,
    to: Square,
    promotion: Option<PromotionRole>,
}

impl BoardMove<'_> {
    fn resolve(self) -> Result<Move, SanError> {
        let arrivals = self.position.arrivals(self.role, self.movers(), self.to);
        let promotes = self.role == Role::Pawn && self.to.rank() == self.pawn().promotion_rank();
        let captures = arrivals.is_en_passant || self.position.board().occupied().contains(self.to);
        let is_meant = self.captures == captures && promotes == self.promotion.is_some();
        match arrivals.from.first() {
            Some(_) if !is_meant => Err(self.refusal()),
            Some(_) if arrivals.from.many() => Err(SanError::Ambiguous {
                piece: self.piece(),
                from: arrivals.from,
                to: self.to,
                kind: self.from(arrivals.from.first_of_some()).kind(),
            }),
            Some(from) => Ok(self.from(from)),
            None => Err(self.refusal()),
        }
    }

    /// The pieces whose moves are looked at. A pawn's file says whether it captures.
    fn movers(&self) -> Bitboard {
        let file = Bitboard::file(self.to.file());
        match (self.role, self.captures) {
            (Role::Pawn, true) => self.said.without(file),
            (Role::Pawn, false) => self.said & file,
            _ => self.said,
        }
    }

    fn pawn(&self) -> Pawn {
        Pawn(self.position.turn())
    }

    fn piece(&self) -> Piece {
        Piece { color: self.position.turn(), role: self.role }
    }

    /// The move by the piece on one square.
    fn from(&self, from: Square) -> Move {
        let passes = self.position.en_passant() == Some(self.to) && from.file() != self.to.file();
        match self.promotion {
            Some(role) => Move::promotion(from, self.to, role),
            None if self.role == Role::Pawn && passes => Move::en_passant(from, self.to),
            None => Move::normal(from, self.to),
        }
    }

    /// Why no piece makes this move: of the pieces that may be meant the one that gets furthest tells.
    #[cold]
    fn refusal(&self) -> SanError {
        let own = self
            .position
            .board()
            .piece_at(self.to)
            .filter(|piece| piece.color == self.position.turn());
        if let Some(piece) = own {
            return SanError::Illegal(IllegalMove::OwnPieceOnTarget { square: self.to, piece });
        }
        let judged = |from| self.position.explain(self.from(from));
        if self.said.into_iter().any(|from| judged(from).is_ok()) {
            return SanError::CaptureMark { to: self.to, captures: self.captures };
        }
        let reasons = self.said.into_iter().filter_map(|from| judged(from).err());
        match reasons.max_by_key(progress) {
            Some(IllegalMove::Shape { .. }) if self.said.many() => self.no_such_move(),
            Some(reason) => SanError::Illegal(reason),
            None => self.no_such_move(),
        }
    }

    fn no_such_move(&self) -> SanError {
        SanError::NoSuchMove { piece: self.piece(), to: self.to }
    }
}

/// How much of the rules a move has got past that is refused for this.
fn progress(reason: &IllegalMove) -> u8 {
    match reason {
        IllegalMove::Shape { .. } => 0,
        IllegalMove::PromotionMissing | IllegalMove::PromotionNotAllowed => 2,
        IllegalMove::LeavesKingAttacked { .. } => 3,
        _ => 1,
    }
}

impl SanPlay {
    fn of_board_move(position: &Position, mv: Move) -> SanPlay {
        let (from, to) = (mv.from(), mv.to());
        let role = position.board().role_at(from).expect("a legal move moves a piece");
        let captures = mv.kind() == MoveKind::EnPassant || position.board().occupied().contains(to);
        let (from_file, from_rank) = match role {
            Role::Pawn => (captures.then(|| from.file()), None),
            Role::King => (None, None),
            _ => least_origin(position, role, from, to),
        };
        SanPlay::Board { role, from_file, from_rank, captures, to, promotion: mv.promotion_role() }
    }
}

/// As much of the origin as tells a move from those of its legal rivals.
fn least_origin(
    position: &Position,
    role: Role,
    from: Square,
    to: Square,
) -> (Option<File>, Option<Rank>) {
    let pieces = position.board().pieces(Piece { color: position.turn(), role });
    if !pieces.many() {
        return (None, None);
    }
    let rivals = position.arrivals(role, pieces, to).from.without(from.into());
    let (file, rank) = (Some(from.file()), Some(from.rank()));
    if rivals.is_empty() {
        (None, None)
    } else if (rivals & Bitboard::file(from.file())).is_empty() {
        (file, None)
    } else if (rivals & Bitboard::rank(from.rank())).is_empty() {
        (None, rank)
    } else {
        (file, rank)
    }
}

/// Why a move in standard algebraic notation is refused in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SanError {
    /// No piece of this sort, from where the text says, goes to that square.
    NoSuchMove {
        /// The piece that is meant.
        piece: Piece,
        /// Where it should go.
        to: Square,
    },
    /// The move that is meant is not legal.
    Illegal(IllegalMove),
    /// More than one legal move is meant.
    Ambiguous {
        /// The piece that is meant.
        piece: Piece,
        /// The squares from which such pieces go there.
        from: Bitboard,
        /// Where it should go.
        to: Square,
        /// What else happens, the same for all of them.
        kind: MoveKind,
    },
    /// The move is legal, but the text says `x` where nothing is captured, or leaves it out.
    CaptureMark {
        /// Where the piece goes.
        to: Square,
        /// Whether the text says that it captures.
        captures: bool,
    },
}

impl SanError {
    /// A code that stays the same in every version: `ambiguous`, `leaves-king-attacked`.
    pub const fn code(&self) -> &'static str {
        match self {
            SanError::NoSuchMove { .. } => "no-such-move",
            SanError::Illegal(reason) => reason.code(),
            SanError::Ambiguous { .. } => "ambiguous",
            SanError::CaptureMark { .. } => "capture-mark",
        }
    }

    /// The legal moves that an ambiguous text may mean; none for other errors.
    pub fn candidates(&self) -> Vec<Move> {
        let SanError::Ambiguous { from, to, kind, .. } = *self else { return Vec::new() };
        let mv = |from| match kind {
            MoveKind::Promotion(role) => Move::promotion(from, to, role),
            MoveKind::EnPassant => Move::en_passant(from, to),
            _ => Move::normal(from, to),
        };
        from.into_iter().map(mv).collect()
    }
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanError::NoSuchMove { piece, to } => write!(f, "no such {piece} goes to {to}"),
            SanError::Illegal(reason) => reason.fmt(f),
            SanError::Ambiguous { piece, from, to, .. } => {
                write!(f, "more than one {piece} can go to {to}: from ")?;
                for (index, from) in from.into_iter().enumerate() {
                    write!(f, "{}{from}", if index > 0 { ", " } else { "" })?;
                }
                Ok(())
            }
            SanError::CaptureMark { to, captures: true } => {
                write!(f, "nothing is captured on {to}, so the move is written without `x`")
            }
            SanError::CaptureMark { to, captures: false } => {
                write!(f, "the move captures on {to}, so it is written with `x`")
            }
        }
    }
}

impl core::error::Error for SanError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            SanError::Illegal(reason) => Some(reason),
            _ => None,
        }
    }
}

/// The letters are no move: at which of them, and what was expected there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Misread {
    pub(crate) at: usize,
    pub(crate) expected: &'static str,
}

/// The letters of a move and a place among them.
struct Letters<'a> {
    text: &'a [u8],
    at: usize,
}

impl Letters<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).map(|&letter| letter.into())
    }

    fn take(&mut self, wanted: char) -> bool {
        let taken = self.peek() == Some(wanted);
        self.at += usize::from(taken);
        taken
    }

    /// Takes the next letter if it means something.
    fn take_map<T>(&mut self, meaning: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let value = meaning(self.peek()?)?;
        self.at += 1;
        Some(value)
    }

    fn misread(&self, expected: &'static str) -> Misread {
        Misread { at: self.at, expected }
    }

    fn play(&mut self) -> Result<SanPlay, Misread> {
        match self.peek() {
            Some(letter @ ('O' | '0')) => self.castling(letter).map(SanPlay::Castling),
            Some('-' | 'Z') => self.null(),
            _ => self.board_move(),
        }
    }

    fn castling(&mut self, letter: char) -> Result<CastlingSide, Misread> {
        self.at += 1;
        if !(self.take('-') && self.take(letter)) {
            return Err(self.misread("castling, `O-O` or `O-O-O`"));
        }
        match self.take('-') {
            false => Ok(CastlingSide::King),
            true if self.take(letter) => Ok(CastlingSide::Queen),
            true => Err(self.misread("castling, `O-O` or `O-O-O`")),
        }
    }

    fn null(&mut self) -> Result<SanPlay, Misread> {
        let second = if self.take('Z') { '0' } else { '-' };
        if second == '-' {
            self.at += 1;
        }
        match self.take(second) {
            true => Ok(SanPlay::Null),
            false => Err(self.misread("a null move, `--` or `Z0`")),
        }
    }

    fn board_move(&mut self) -> Result<SanPlay, Misread> {
        let role = self.take_map(role_of).unwrap_or(Role::Pawn);
        let (file, rank) = (self.take_map(File::from_char), self.take_map(Rank::from_char));
        let captures = self.take('x');
        let is_long = captures || self.take('-');
        let (from_file, from_rank, to) = match (self.take_map(File::from_char), file, rank) {
            (Some(to_file), _, _) => {
                let to_rank = self.take_map(Rank::from_char);
                let to_rank = to_rank.ok_or_else(|| self.misread("a rank 1-8"))?;
                (file, rank, Square::new(to_file, to_rank))
            }
            (None, Some(to_file), Some(to_rank)) if !is_long => {
                (None, None, Square::new(to_file, to_rank))
            }
            (None, Some(_), None) if !is_long => return Err(self.misread("a rank 1-8")),
            (None, None, None) if self.at == 0 => return Err(self.misread("a move")),
            _ => return Err(self.misread("a file a-h")),
        };
        let promotion = self.promotion()?;
        Ok(SanPlay::Board { role, from_file, from_rank, captures, to, promotion })
    }

    /// `=Q`, `=q` or `Q`.
    fn promotion(&mut self) -> Result<Option<PromotionRole>, Misread> {
        if !self.take('=') {
            return Ok(self.take_map(upper_case_promotion));
        }
        let role = self.take_map(|letter| PromotionRole::from_char(letter.to_ascii_lowercase()));
        match role {
            Some(role) => Ok(Some(role)),
            None => Err(self.misread("a promotion to `Q`, `R`, `B` or `N`")),
        }
    }

    fn marks(&mut self) -> Option<CheckMark> {
        let mut mark = None;
        let mark_of = |letter| matches!(letter, '+' | '#' | '!' | '?').then_some(letter);
        while let Some(letter) = self.take_map(mark_of) {
            mark = match letter {
                '#' => Some(CheckMark::Mate),
                '+' => mark.or(Some(CheckMark::Check)),
                _ => mark,
            };
        }
        mark
    }
}

fn role_of(letter: char) -> Option<Role> {
    letter.is_ascii_uppercase().then(|| Role::from_char(letter.to_ascii_lowercase())).flatten()
}

fn upper_case_promotion(letter: char) -> Option<PromotionRole> {
    role_of(letter).and_then(|role| PromotionRole::from_char(role.char()))
}

/// Reads a move; ASCII blanks around it are left out.
impl FromStr for San {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<San, SyntaxError> {
        let trimmed = text.trim_ascii();
        San::read(trimmed.as_bytes()).map_err(|Misread { at, expected }| {
            let offset = text.len() - text.trim_ascii_start().len() + at;
            let found = trimmed[at..].chars().next();
            SyntaxError { offset, field: "move", found, expected }
        })
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.play.fmt(f)?;
        f.write_str(match self.mark {
            None => "",
            Some(CheckMark::Check) => "+",
            Some(CheckMark::Mate) => "#",
        })
    }
}

impl fmt::Display for SanPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use core::fmt::Write as _;
        match *self {
            SanPlay::Null => f.write_str("--"),
            SanPlay::Castling(CastlingSide::King) => f.write_str("O-O"),
            SanPlay::Castling(CastlingSide::Queen) => f.write_str("O-O-O"),
            SanPlay::Board { role, from_file, from_rank, captures, to, promotion } => {
                if role != Role::Pawn {
                    f.write_char(role.char().to_ascii_uppercase())?;
                }
                if let Some(file) = from_file {
                    write!(f, "{file}")?;
                }
                if let Some(rank) = from_rank {
                    write!(f, "{rank}")?;
                }
                f.write_str(if captures { "x" } else { "" })?;
                write!(f, "{to}")?;
                match promotion {
                    Some(role) => write!(f, "={}", role.char().to_ascii_uppercase()),
                    None => Ok(()),
                }
            }
        }
    }
}
