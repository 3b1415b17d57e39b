//! A set of squares.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::square::{File, Rank, Square};

/// A set of squares, one bit each: bit 0 is `A1`, bit 63 is `H8`.
///
/// ```
/// use touchmove::{Bitboard, File, Rank, Square};
///
/// let corner = Bitboard::from(File::A) & Bitboard::from(Rank::First);
/// assert_eq!(corner, Bitboard::from(Square::A1));
/// assert_eq!((!corner).len(), 63);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All squares.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The first rank and the last.
    pub(crate) const BACK_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square as u8)
    }

    /// The squares of a file.
    pub const fn file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file as u8)
    }

    /// The squares of a rank.
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xff << (8 * rank as u8))
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Whether the set has no square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more. Cheaper than counting.
    #[inline(always)]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares, 0–64.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The first square in the order of [`Square::all`].
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_masked(self.0.trailing_zeros() as u8)) }
    }

    /// The last square in the order of [`Square::all`].
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_masked(63 - self.0.leading_zeros() as u8))
        }
    }

    /// The first square of a set that has one. On an empty set the answer is `A1`.
    #[inline(always)]
    pub(crate) const fn first_of_some(self) -> Square {
        debug_assert!(self.any());
        Square::from_masked(self.0.trailing_zeros() as u8)
    }

    /// The set without `other`'s squares.
    #[inline(always)]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// The set with the ranks in reverse order: seen from the other side of the board.
    pub const fn flip(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Every square moved by so many files (−1, 0 or 1) and ranks (−2 … 2); what leaves the board is lost.
    #[inline(always)]
    pub(crate) const fn shift(self, files: i8, ranks: i8) -> Bitboard {
        let kept = match files {
            -1 => self.0 & !Bitboard::file(File::A).0,
            1 => self.0 & !Bitboard::file(File::H).0,
            _ => self.0,
        };
        let steps = 8 * ranks + files;
        Bitboard(if steps >= 0 { kept << steps } else { kept >> -steps })
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Bitboard {
        Bitboard::of(square)
    }
}

impl From<File> for Bitboard {
    fn from(file: File) -> Bitboard {
        Bitboard::file(file)
    }
}

impl From<Rank> for Bitboard {
    fn from(rank: Rank) -> Bitboard {
        Bitboard::rank(rank)
    }
}

macro_rules! set_operation {
    ($($trait:ident $method:ident $assign_trait:ident $assign_method:ident $op:tt;)+) => {$(
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    )+};
}

set_operation! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// The squares of a set, `A1` first. Made by [`Bitboard::into_iter`].
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0.wrapping_sub(1);
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() as usize, Some(self.0.len() as usize))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.into())
    }
}

/// Draws the board, rank 8 on top: `1` for a square of the set, `.` for the others.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f)?;
            for file in File::ALL {
                f.write_str(if file == File::A { "" } else { " " })?;
                f.write_str(if self.contains(Square::new(file, rank)) { "1" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_knows_its_squares() {
        let set: Bitboard = [Square::H8, Square::C3, Square::A1].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::C3, Square::H8]);
        assert_eq!((set.len(), set.first(), set.last()), (3, Some(Square::A1), Some(Square::H8)));
        assert!(set.many() && set.any() && !set.is_empty());
        assert!(!Bitboard::of(Square::C3).many());
        assert_eq!(
            set.flip().into_iter().collect::<Vec<_>>(),
            [Square::H1, Square::C6, Square::A8]
        );
        assert_eq!((Bitboard::EMPTY.first(), Bitboard::EMPTY.last()), (None, None));
    }

    #[test]
    fn a_shift_agrees_with_the_offset_of_each_square() {
        for files in -1..=1 {
            for ranks in -2..=2 {
                for square in Square::all() {
                    let expected: Bitboard = square.offset(files, ranks).into_iter().collect();
                    assert_eq!(Bitboard::of(square).shift(files, ranks), expected);
                }
            }
        }
    }

    #[test]
    fn debug_draws_the_board() {
        let drawn = format!("{:?}", Bitboard::of(Square::B7));
        assert!(drawn.starts_with("\n. . . . . . . .\n. 1 . . . . . .\n"), "{drawn}");
    }
}
