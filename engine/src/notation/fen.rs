//! Forsyth–Edwards Notation: a set-up as one line of text (R3, R5, R6).

use core::fmt;
use core::str::FromStr;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide};
use crate::notation::{Cursor, SyntaxError};
use crate::piece::{Color, Piece, Role};
use crate::position::{Position, Setup, SetupError};
use crate::square::{File, Rank, Square};

/// A text is no FEN of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenError {
    /// It is not well formed.
    Syntax(SyntaxError),
    /// It is well formed, and there is no such position.
    Setup(SetupError),
}

impl FenError {
    /// Where the text is wrong: bytes from its start; 0 where the set-up as a whole is.
    pub const fn offset(&self) -> usize {
        match self {
            FenError::Syntax(error) => error.offset(),
            FenError::Setup(_) => 0,
        }
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Syntax(error) => error.fmt(f),
            FenError::Setup(error) => write!(f, "there is no such position: {error}"),
        }
    }
}

impl core::error::Error for FenError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            FenError::Syntax(error) => Some(error),
            FenError::Setup(error) => Some(error),
        }
    }
}

impl From<SyntaxError> for FenError {
    fn from(error: SyntaxError) -> FenError {
        FenError::Syntax(error)
    }
}

impl From<SetupError> for FenError {
    fn from(error: SetupError) -> FenError {
        FenError::Setup(error)
    }
}

/// Reads a FEN of four or six fields, the clocks being 0 and 1 where they are not given.
///
/// Strict on syntax (R5): exactly one blank between fields, no leading zeros, no trailing slash. Castling
/// rights may be `KQkq`, meaning the outermost rook, or file letters (`HAha`), in any order (R6).
impl FromStr for Setup {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Setup, SyntaxError> {
        let mut cursor = Cursor::new(text, "piece placement");
        let setup = read_four_fields(&mut cursor)?;
        if cursor.rest().is_empty() {
            return Ok(setup);
        }
        next_field(&mut cursor, "halfmove clock")?;
        let halfmove_clock = read_counter(&mut cursor)?;
        next_field(&mut cursor, "move number")?;
        let move_number = read_counter(&mut cursor)?;
        cursor.expect_end("the end after six fields")?;
        Ok(Setup { halfmove_clock, move_number: move_number.max(1), ..setup })
    }
}

/// Reads a FEN as [`Setup`] does, and judges it.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        Ok(text.parse::<Setup>()?.validate()?)
    }
}

/// Placement, turn, castling rights and en passant square: what FEN and EPD have in common.
pub(super) fn read_four_fields(cursor: &mut Cursor<'_>) -> Result<Setup, SyntaxError> {
    let board = read_board(cursor)?;
    next_field(cursor, "turn")?;
    let turn = cursor
        .take_map(|letter| Color::ALL.into_iter().find(|color| color.char() == letter))
        .ok_or_else(|| cursor.error("`w` or `b`"))?;
    next_field(cursor, "castling rights")?;
    let castling = read_castling(cursor, &board)?;
    next_field(cursor, "en passant square")?;
    let en_passant = read_en_passant(cursor)?;
    Ok(Setup { board, turn, castling, en_passant, ..Setup::EMPTY })
}

fn next_field(cursor: &mut Cursor<'_>, field: &'static str) -> Result<(), SyntaxError> {
    cursor.expect(' ', "one blank and the next field")?;
    cursor.field = field;
    Ok(())
}

fn read_board(cursor: &mut Cursor<'_>) -> Result<Board, SyntaxError> {
    let mut board = Board::EMPTY;
    for rank in Rank::ALL.into_iter().rev() {
        if rank != Rank::Eighth {
            cursor.expect('/', "`/` after eight files")?;
        }
        read_rank(cursor, rank, &mut board)?;
    }
    Ok(board)
}

fn read_rank(cursor: &mut Cursor<'_>, rank: Rank, board: &mut Board) -> Result<(), SyntaxError> {
    const EXPECTED: &str = "a piece letter or a digit 1-8, eight files to a rank";
    let mut file = 0;
    let mut after_digit = false;
    while file < 8 {
        if let Some(piece) = cursor.take_map(Piece::from_char) {
            board.put(Square::new(File::from_masked(file), rank), piece);
            file += 1;
            after_digit = false;
            continue;
        }
        if after_digit && cursor.peek().is_some_and(|found| found.is_ascii_digit()) {
            return Err(cursor.error("no digit after a digit"));
        }
        let files_left = 8 - file;
        let empty =
            |digit: char| digit.to_digit(10).filter(|n| (1..=files_left).contains(&(*n as u8)));
        file += cursor.take_map(empty).ok_or_else(|| cursor.error(EXPECTED))? as u8;
        after_digit = true;
    }
    Ok(())
}

fn read_castling(cursor: &mut Cursor<'_>, board: &Board) -> Result<CastlingRights, SyntaxError> {
    const EXPECTED: &str = "`-`, or letters of `KQkq` or of rook files (`HAha`)";
    if cursor.take('-') {
        return Ok(CastlingRights::EMPTY);
    }
    let mut rights = CastlingRights::EMPTY;
    loop {
        let before = *cursor;
        let rook = cursor
            .take_map(|letter| castling_rook(letter, board))
            .ok_or_else(|| cursor.error(EXPECTED))?;
        if rights.rooks().contains(rook) {
            return Err(before.error("each castling right once"));
        }
        rights = rights.with(rook);
        if matches!(cursor.peek(), None | Some(' ')) {
            return Ok(rights);
        }
    }
}

/// The rook that a letter of the castling field means.
///
/// Where `K` or `Q` finds no rook beside the king, the corner is meant, so that the judgement can say
/// what is missing there.
fn castling_rook(letter: char, board: &Board) -> Option<Square> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let back_rank = color.back_rank();
    let side = match letter.to_ascii_lowercase() {
        'k' => CastlingSide::King,
        'q' => CastlingSide::Queen,
        file => return File::from_char(file).map(|file| Square::new(file, back_rank)),
    };
    let corner = match side {
        CastlingSide::King => File::H,
        CastlingSide::Queen => File::A,
    };
    let king = board.king(color).filter(|king| king.rank() == back_rank);
    let outermost = king.and_then(|king| outermost_rook(board, color, king, side));
    Some(outermost.unwrap_or(Square::new(corner, back_rank)))
}

fn outermost_rook(board: &Board, color: Color, king: Square, side: CastlingSide) -> Option<Square> {
    let rooks = board.pieces(Piece { color, role: Role::Rook });
    let on_back_rank = rooks & Bitboard::rank(color.back_rank());
    let outermost = match side {
        CastlingSide::King => on_back_rank.last(),
        CastlingSide::Queen => on_back_rank.first(),
    };
    outermost.filter(|&rook| CastlingSide::of(king, rook) == side)
}

fn read_en_passant(cursor: &mut Cursor<'_>) -> Result<Option<Square>, SyntaxError> {
    const EXPECTED: &str = "`-` or a square such as `e3`";
    if cursor.take('-') {
        return Ok(None);
    }
    let file = cursor.take_map(File::from_char).ok_or_else(|| cursor.error(EXPECTED))?;
    let rank = cursor.take_map(Rank::from_char).ok_or_else(|| cursor.error(EXPECTED))?;
    Ok(Some(Square::new(file, rank)))
}

/// A number 0–9999 without sign or leading zero.
pub(super) fn read_counter(cursor: &mut Cursor<'_>) -> Result<u16, SyntaxError> {
    const EXPECTED: &str = "a number from 0 to 9999 without leading zero";
    let start = *cursor;
    let mut number: u16 = 0;
    while let Some(digit) = cursor.take_map(|c| c.to_digit(10)) {
        let leading_zero = number == 0 && cursor.offset > start.offset + 1;
        number = number.saturating_mul(10).saturating_add(digit as u16);
        if leading_zero || number > Position::CLOCK_MAX {
            return Err(start.error(EXPECTED));
        }
    }
    if cursor.offset == start.offset { Err(start.error(EXPECTED)) } else { Ok(number) }
}

/// Writes six fields, castling rights as X-FEN: `K` and `Q` for the outermost rook, the file letter for
/// an inner one (R6).
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_four_fields(self, f)?;
        write!(f, " {} {}", self.halfmove_clock, self.move_number)
    }
}

/// Writes the FEN; an en passant square only where such a capture is legal (R3).
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fmt(f)
    }
}

pub(super) fn write_four_fields(setup: &Setup, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{} {} ", setup.board, setup.turn.char())?;
    write_castling(setup, f)?;
    match setup.en_passant {
        Some(square) => write!(f, " {square}"),
        None => f.write_str(" -"),
    }
}

fn write_castling(setup: &Setup, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if setup.castling.is_empty() {
        return f.write_str("-");
    }
    for color in Color::ALL {
        // The h-file first, so that the king side comes before the queen side.
        let rooks = setup.castling.rooks_of(color);
        for file in File::ALL.into_iter().rev() {
            let rook = Square::new(file, color.back_rank());
            if rooks.contains(rook) {
                let letter = castling_letter(&setup.board, color, rook);
                write!(f, "{letter}")?;
            }
        }
    }
    Ok(())
}

fn castling_letter(board: &Board, color: Color, rook: Square) -> char {
    let king = board.king(color).filter(|king| king.rank() == color.back_rank());
    let side = king.map(|king| (king, CastlingSide::of(king, rook)));
    let letter = match side {
        Some((king, side)) if outermost_rook(board, color, king, side) == Some(rook) => {
            match side {
                CastlingSide::King => 'k',
                CastlingSide::Queen => 'q',
            }
        }
        _ => rook.file().char(),
    };
    if color == Color::White { letter.to_ascii_uppercase() } else { letter }
}
