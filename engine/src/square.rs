//! The 64 squares, their files and ranks, and nothing that stands on them.

use core::fmt;
use core::str::FromStr;

/// Writes a `match` arm for each value, so that no `transmute` and no table is needed: masked, it
/// compiles to a single instruction.
macro_rules! from_low_bits {
    ($index:expr, $mask:literal, $($value:literal => $name:ident),+ $(,)?) => {
        match $index & $mask {
            $($value => Self::$name,)+
            _ => unreachable!(),
        }
    };
}

/// A file (column) of the board: `A` = 0 … `H` = 7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files, from `A` to `H`.
    pub const ALL: [File; 8] =
        [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

    /// The file with this index, if it is in 0–7.
    pub const fn from_index(index: u8) -> Option<File> {
        if index < 8 { Some(File::from_masked(index)) } else { None }
    }

    pub(crate) const fn from_masked(index: u8) -> File {
        from_low_bits!(index, 7, 0 => A, 1 => B, 2 => C, 3 => D, 4 => E, 5 => F, 6 => G, 7 => H)
    }

    /// The file a letter `a`–`h` names.
    pub const fn from_char(letter: char) -> Option<File> {
        match letter {
            'a'..='h' => Some(File::from_masked(letter as u8 - b'a')),
            _ => None,
        }
    }

    /// The index, 0–7.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter, `a`–`h`.
    pub const fn char(self) -> char {
        (b'a' + self as u8) as char
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.char())
    }
}

/// A rank (row) of the board: `First` = 0 … `Eighth` = 7, counted from White's side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks, from the first to the eighth.
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

    /// The rank with this index, if it is in 0–7.
    pub const fn from_index(index: u8) -> Option<Rank> {
        if index < 8 { Some(Rank::from_masked(index)) } else { None }
    }

    pub(crate) const fn from_masked(index: u8) -> Rank {
        from_low_bits!(index, 7, 0 => First, 1 => Second, 2 => Third, 3 => Fourth,
            4 => Fifth, 5 => Sixth, 6 => Seventh, 7 => Eighth)
    }

    /// The rank a digit `1`–`8` names.
    pub const fn from_char(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Some(Rank::from_masked(digit as u8 - b'1')),
            _ => None,
        }
    }

    /// The index, 0–7.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The digit, `1`–`8`.
    pub const fn char(self) -> char {
        (b'1' + self as u8) as char
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.char())
    }
}

/// One of the 64 squares: `A1` = 0, `B1` = 1, … `H8` = 63.
///
/// `Option<Square>` is one byte; there is no square that means "none".
///
/// ```
/// use touchmove::{File, Rank, Square};
///
/// let square: Square = "e4".parse()?;
/// assert_eq!(square, Square::new(File::E, Rank::Fourth));
/// assert_eq!(square.to_string(), "e4");
/// # Ok::<(), touchmove::SquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs, reason = "the names say it")]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// The square where a file and a rank meet.
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::from_masked(((rank as u8) << 3) | file as u8)
    }

    /// The square with this index, if it is in 0–63.
    pub const fn from_index(index: u8) -> Option<Square> {
        if index < 64 { Some(Square::from_masked(index)) } else { None }
    }

    /// The square of the six low bits; the others are ignored.
    #[rustfmt::skip]
    #[inline(always)]
    pub(crate) const fn from_masked(index: u8) -> Square {
        from_low_bits!(index, 63,
            0 => A1, 1 => B1, 2 => C1, 3 => D1, 4 => E1, 5 => F1, 6 => G1, 7 => H1,
            8 => A2, 9 => B2, 10 => C2, 11 => D2, 12 => E2, 13 => F2, 14 => G2, 15 => H2,
            16 => A3, 17 => B3, 18 => C3, 19 => D3, 20 => E3, 21 => F3, 22 => G3, 23 => H3,
            24 => A4, 25 => B4, 26 => C4, 27 => D4, 28 => E4, 29 => F4, 30 => G4, 31 => H4,
            32 => A5, 33 => B5, 34 => C5, 35 => D5, 36 => E5, 37 => F5, 38 => G5, 39 => H5,
            40 => A6, 41 => B6, 42 => C6, 43 => D6, 44 => E6, 45 => F6, 46 => G6, 47 => H6,
            48 => A7, 49 => B7, 50 => C7, 51 => D7, 52 => E7, 53 => F7, 54 => G7, 55 => H7,
            56 => A8, 57 => B8, 58 => C8, 59 => D8, 60 => E8, 61 => F8, 62 => G8, 63 => H8,
        )
    }

    /// All squares, `A1` first, rank by rank.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0u8..64).map(Square::from_masked)
    }

    /// The index, 0–63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file.
    pub const fn file(self) -> File {
        File::from_masked(self as u8)
    }

    /// The rank.
    pub const fn rank(self) -> Rank {
        Rank::from_masked(self as u8 >> 3)
    }

    /// The square so many files to the right and ranks up (from White's side), if the board has it.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        // On the bare numbers: the compiler runs this some hundred thousand times to build the tables.
        let file = (self as u8 & 7) as i16 + files as i16;
        let rank = (self as u8 >> 3) as i16 + ranks as i16;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square::from_masked((rank << 3 | file) as u8))
    }

    /// The square seen from the other side of the board: `e2` for `e7`.
    pub const fn flip(self) -> Square {
        Square::from_masked(self as u8 ^ 56)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text does not name a square: a letter `a`–`h` and a digit `1`–`8` were expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquareError;

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a square, expected a letter a-h and a digit 1-8")
    }
}

impl core::error::Error for SquareError {}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        let mut chars = text.chars();
        let (Some(file), Some(rank), None) = (chars.next(), chars.next(), chars.next()) else {
            return Err(SquareError);
        };
        match (File::from_char(file), Rank::from_char(rank)) {
            (Some(file), Some(rank)) => Ok(Square::new(file, rank)),
            _ => Err(SquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_its_name_and_index() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::from_index(index as u8), Some(square));
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        assert_eq!(Square::from_index(64), None);
        assert_eq!((Square::A1.index(), Square::H1.index(), Square::A8.index()), (0, 7, 56));
        assert_eq!(size_of::<Option<Square>>(), 1);
    }

    #[test]
    fn files_and_ranks_have_the_indices_from_0_to_7() {
        for index in 0..=u8::MAX {
            let expected = (index < 8).then_some(index as usize);
            assert_eq!(File::from_index(index).map(|file| file.index()), expected);
            assert_eq!(Rank::from_index(index).map(|rank| rank.index()), expected);
        }
    }

    #[test]
    fn an_offset_never_wraps_round_the_edge() {
        assert_eq!(Square::H4.offset(1, 0), None);
        assert_eq!(Square::A4.offset(-1, 1), None);
        assert_eq!(Square::D1.offset(0, -1), None);
        assert_eq!(Square::G7.offset(1, 1), Some(Square::H8));
        for far in [i8::MIN, i8::MAX] {
            assert_eq!((Square::B2.offset(far, 0), Square::B2.offset(0, far)), (None, None));
        }
    }

    #[test]
    fn text_that_names_no_square_is_refused() {
        for text in ["", "e", "e9", "i4", "e44", "E4", "é4", "4e"] {
            assert_eq!(text.parse::<Square>(), Err(SquareError), "{text}");
        }
    }
}
