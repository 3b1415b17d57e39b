//! Men, squares by their coordinates, and which way a colour looks. What stands where is not known here.

use touchmove::{Color, File, PromotionRole, Rank, Square};

/// What a piece is, whichever its colour; each is known by its letter in FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Man {
    Pawn = b'p',
    Knight = b'n',
    Bishop = b'b',
    Rook = b'r',
    Queen = b'q',
    King = b'k',
}

impl Man {
    pub(super) const ALL: [Man; 6] =
        [Man::Pawn, Man::Knight, Man::Bishop, Man::Rook, Man::Queen, Man::King];

    pub(super) fn letter(self) -> char {
        self as u8 as char
    }

    pub(super) fn promoted(role: PromotionRole) -> Man {
        match role {
            PromotionRole::Knight => Man::Knight,
            PromotionRole::Bishop => Man::Bishop,
            PromotionRole::Rook => Man::Rook,
            PromotionRole::Queen => Man::Queen,
        }
    }
}

/// A man of a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) color: Color,
    pub(super) man: Man,
}

/// A square by its coordinates, both 0–7.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    pub(super) file: i8,
    pub(super) rank: i8,
}

impl Spot {
    pub(super) fn all() -> impl Iterator<Item = Spot> {
        (0..8).flat_map(|rank| (0..8).map(move |file| Spot { file, rank }))
    }

    pub(super) fn of(square: Square) -> Spot {
        Spot { file: square.file() as i8, rank: square.rank() as i8 }
    }

    pub(super) fn square(self) -> Square {
        Square::new(File::ALL[self.file as usize], Rank::ALL[self.rank as usize])
    }

    /// The spot so many files to the right and ranks up, unless that leaves the board.
    pub(super) fn step(self, (files, ranks): (i8, i8)) -> Option<Spot> {
        let (file, rank) = (self.file + files, self.rank + ranks);
        ((0..8).contains(&file) && (0..8).contains(&rank)).then_some(Spot { file, rank })
    }
}

pub(super) fn opponent(color: Color) -> Color {
    if color == Color::White { Color::Black } else { Color::White }
}

pub(super) fn back_rank(color: Color) -> i8 {
    if color == Color::White { 0 } else { 7 }
}

/// The step in ranks of this colour's pawns.
pub(super) fn forward(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}
