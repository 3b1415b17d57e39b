//! A position as a FEN says it, what stands where, and the rights to castle. No move is known here.

use touchmove::Color;

use super::board::{Man, Piece, Spot, back_rank};

/// The most either counter says.
pub(super) const COUNTER_MAX: u16 = 9999;

/// A position: all that a FEN says, and nothing that could be worked out from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Situation {
    /// By rank, then by file.
    pub(super) squares: [[Option<Piece>; 8]; 8],
    pub(super) turn: Color,
    pub(super) rights: [Option<Right>; 4],
    /// The square that a pawn has just passed in its double step, or that the FEN names as such.
    pub(super) passed: Option<Spot>,
    pub(super) halfmove_clock: u16,
    pub(super) move_number: u16,
}

impl Situation {
    pub(super) fn at(&self, spot: Spot) -> Option<Piece> {
        self.squares[spot.rank as usize][spot.file as usize]
    }

    pub(super) fn put(&mut self, spot: Spot, piece: Option<Piece>) {
        self.squares[spot.rank as usize][spot.file as usize] = piece;
    }

    pub(super) fn has(&self, spot: Spot, color: Color, man: Man) -> bool {
        self.at(spot) == Some(Piece { color, man })
    }

    pub(super) fn find(&self, color: Color, man: Man) -> impl Iterator<Item = Spot> {
        Spot::all().filter(move |&spot| self.has(spot, color, man))
    }
}

/// What a right to castle names: a king's colour, its wing, and the rook on that wing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Right {
    pub(super) color: Color,
    pub(super) king_side: bool,
    pub(super) rook_file: i8,
}

impl Right {
    pub(super) fn rook(self) -> Spot {
        Spot { file: self.rook_file, rank: back_rank(self.color) }
    }

    /// Where king and rook stand after castling (FIDE 3.8.2; the same squares in Chess960).
    pub(super) fn destinations(self) -> (Spot, Spot) {
        let (king, rook) = if self.king_side { (6, 5) } else { (2, 3) };
        let rank = back_rank(self.color);
        (Spot { file: king, rank }, Spot { file: rook, rank })
    }

    /// The place in FEN's order: White before Black, king side before queen side.
    pub(super) fn place(self) -> usize {
        2 * usize::from(self.color == Color::Black) + usize::from(!self.king_side)
    }
}
