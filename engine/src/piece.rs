//! Colours, roles, and pieces, which are a role of a colour.

use core::fmt;
use core::ops::{Index, IndexMut, Not};

use crate::square::Rank;

/// The colour of a piece, and of the player who has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The rank on which this colour's king and rooks start: the first or the eighth.
    pub const fn back_rank(self) -> Rank {
        self.rank(Rank::First)
    }

    /// The rank that this colour counts as `rank`, its own back rank being the first.
    pub const fn rank(self, rank: Rank) -> Rank {
        match self {
            Color::White => rank,
            Color::Black => Rank::from_masked(7 - rank as u8),
        }
    }

    /// The letter of FEN's second field: `w` or `b`.
    pub const fn char(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// One value for each colour, indexed by [`Color`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline(always)]
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}

/// What a piece is, whichever its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// All roles, pawn first, king last.
    pub const ALL: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// The index, 0–5, in the order of [`Role::ALL`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case English letter: `p`, `n`, `b`, `r`, `q`, `k`.
    pub const fn char(self) -> char {
        match self {
            Role::Pawn => 'p',
            Role::Knight => 'n',
            Role::Bishop => 'b',
            Role::Rook => 'r',
            Role::Queen => 'q',
            Role::King => 'k',
        }
    }

    /// The role a lower-case English letter names.
    pub const fn from_char(letter: char) -> Option<Role> {
        Some(match letter {
            'p' => Role::Pawn,
            'n' => Role::Knight,
            'b' => Role::Bishop,
            'r' => Role::Rook,
            'q' => Role::Queen,
            'k' => Role::King,
            _ => return None,
        })
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        })
    }
}

/// What a pawn may become on the last rank (FIDE 3.7.3.3): never a king, never a pawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum PromotionRole {
    Knight,
    Bishop,
    Rook,
    Queen,
}

impl PromotionRole {
    /// All four, queen first.
    pub const ALL: [PromotionRole; 4] =
        [PromotionRole::Queen, PromotionRole::Rook, PromotionRole::Bishop, PromotionRole::Knight];

    /// The lower-case English letter: `n`, `b`, `r`, `q`.
    pub const fn char(self) -> char {
        self.role().char()
    }

    /// The role a lower-case English letter names, if a pawn may become it.
    pub const fn from_char(letter: char) -> Option<PromotionRole> {
        Some(match letter {
            'n' => PromotionRole::Knight,
            'b' => PromotionRole::Bishop,
            'r' => PromotionRole::Rook,
            'q' => PromotionRole::Queen,
            _ => return None,
        })
    }

    /// The same role among all six.
    #[inline(always)]
    pub const fn role(self) -> Role {
        match self {
            PromotionRole::Knight => Role::Knight,
            PromotionRole::Bishop => Role::Bishop,
            PromotionRole::Rook => Role::Rook,
            PromotionRole::Queen => Role::Queen,
        }
    }

    #[inline(always)]
    pub(crate) const fn from_masked(index: u16) -> PromotionRole {
        match index & 3 {
            0 => PromotionRole::Knight,
            1 => PromotionRole::Bishop,
            2 => PromotionRole::Rook,
            _ => PromotionRole::Queen,
        }
    }
}

impl From<PromotionRole> for Role {
    fn from(role: PromotionRole) -> Role {
        role.role()
    }
}

/// A role of a colour: a white knight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Piece {
    pub color: Color,
    pub role: Role,
}

impl Piece {
    /// The FEN letter: upper case for White, lower case for Black.
    pub const fn char(self) -> char {
        match self.color {
            Color::White => self.role.char().to_ascii_uppercase(),
            Color::Black => self.role.char(),
        }
    }

    /// The piece a FEN letter names.
    pub const fn from_char(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_char(letter.to_ascii_lowercase()) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color, self.role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_name_pieces_and_pieces_have_letters() {
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = Piece { color, role };
                assert_eq!(Piece::from_char(piece.char()), Some(piece));
            }
        }
        assert_eq!(Piece::from_char('N').unwrap().to_string(), "white knight");
        for letter in ['x', '1', 'é', '♞', ' '] {
            assert_eq!(Piece::from_char(letter), None);
        }
    }

    #[test]
    fn a_pawn_becomes_neither_king_nor_pawn() {
        assert_eq!(PromotionRole::from_char('k'), None);
        assert_eq!(PromotionRole::from_char('p'), None);
        for role in PromotionRole::ALL {
            assert_eq!(PromotionRole::from_masked(role as u16), role);
            assert_eq!(PromotionRole::from_char(role.char()), Some(role));
        }
    }
}
