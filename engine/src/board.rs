//! Which piece stands where; no turn, no rights, no rules.

use core::fmt;

use crate::bitboard::Bitboard;
use crate::piece::{ByColor, Color, Piece, Role};
use crate::shapes::{Magic, Pawn, SliderLookup, Stepper};
use crate::square::{File, Rank, Square};

/// Which piece stands on which square: one set of squares for each role and each colour.
///
/// Any placement can be held, sensible or not. Finding the piece on a square takes a few bit tests;
/// finding all knights takes none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Board {
    roles: [Bitboard; 6],
    colors: ByColor<Bitboard>,
}

impl Board {
    /// No piece at all.
    pub const EMPTY: Board = Board {
        roles: [Bitboard::EMPTY; 6],
        colors: ByColor { white: Bitboard::EMPTY, black: Bitboard::EMPTY },
    };

    /// All squares with a piece of this role, of both colours.
    #[inline(always)]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// All squares with a piece of this colour.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// All squares with this piece.
    #[inline(always)]
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        self.role(piece.role) & self.color(piece.color)
    }

    /// All squares with a piece.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors.white | self.colors.black
    }

    /// The squares of bishops and queens.
    #[inline(always)]
    pub(crate) const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.role(Role::Bishop).0 | self.role(Role::Queen).0)
    }

    /// The squares of rooks and queens.
    #[inline(always)]
    pub(crate) const fn line_sliders(&self) -> Bitboard {
        Bitboard(self.role(Role::Rook).0 | self.role(Role::Queen).0)
    }

    /// The square of a colour's king; the first one if a placement has several.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        (self.role(Role::King) & self.color(color)).first()
    }

    /// The role of the piece on a square.
    #[inline(always)]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.role(role).contains(square))
    }

    /// The colour of the piece on a square.
    #[inline(always)]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.color(color).contains(square))
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Some(Piece { color: self.color_at(square)?, role: self.role_at(square)? })
    }

    /// Puts a piece on a square. What stood there is gone, and returned.
    pub fn put(&mut self, square: Square, piece: Piece) -> Option<Piece> {
        let before = self.remove(square);
        self.toggle(piece.color, piece.role, square.into());
        before
    }

    /// Clears a square and returns what stood there.
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.toggle(piece.color, piece.role, square.into());
        Some(piece)
    }

    /// Puts a piece on the empty ones of these squares and takes it from the others, where it must stand.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, color: Color, role: Role, squares: Bitboard) {
        self.roles[role.index()] ^= squares;
        self.colors[color] ^= squares;
    }

    /// The pieces of both colours that attack a square, with sliders stopped by `occupied`.
    ///
    /// With an occupation other than the board's own this answers "what if": without the king, say.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.attackers_by(Magic, square, occupied)
    }

    /// The same by another look-up of slider attacks.
    #[inline(always)]
    pub(crate) fn attackers_by<L: SliderLookup>(
        &self,
        sliders: L,
        square: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        self.role(Role::Knight) & Stepper::Knight.attacks(square)
            | self.role(Role::King) & Stepper::King.attacks(square)
            | self.diagonal_sliders() & sliders.bishop(square, occupied)
            | self.line_sliders() & sliders.rook(square, occupied)
            | self.pawn_attackers_to(square, Color::White)
            | self.pawn_attackers_to(square, Color::Black)
    }

    /// The pawns of a colour that attack a square: they stand where an enemy pawn on it would attack.
    #[inline(always)]
    pub(crate) fn pawn_attackers_to(&self, square: Square, color: Color) -> Bitboard {
        self.role(Role::Pawn) & self.color(color) & Pawn(!color).attacks(square)
    }

    /// The same placement seen from the other side: ranks reversed, colours exchanged.
    pub fn flip(&self) -> Board {
        Board {
            roles: self.roles.map(Bitboard::flip),
            colors: ByColor { white: self.colors.black.flip(), black: self.colors.white.flip() },
        }
    }
}

/// The start position's placement.
impl Default for Board {
    fn default() -> Board {
        use Role::{Bishop, King, Knight, Queen, Rook};
        let mut board = Board::EMPTY;
        let pieces = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        for (file, role) in File::ALL.into_iter().zip(pieces) {
            for color in Color::ALL {
                board.put(Square::new(file, color.back_rank()), Piece { color, role });
                let second = Square::new(file, color.rank(Rank::Second));
                board.put(second, Piece { color, role: Role::Pawn });
            }
        }
        board
    }
}

/// The placement field of a FEN: `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                let Some(piece) = self.piece_at(Square::new(file, rank)) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{}", piece.char())?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

/// Draws the board in letters, rank 8 on top, with its coordinates.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{rank} ")?;
            for file in File::ALL {
                let letter = self.piece_at(Square::new(file, rank)).map_or('.', Piece::char);
                write!(f, " {letter}")?;
            }
            writeln!(f)?;
        }
        f.write_str("   a b c d e f g h")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE_QUEEN: Piece = Piece { color: Color::White, role: Role::Queen };

    #[test]
    fn what_is_put_stands_there_until_it_is_removed() {
        let mut board = Board::EMPTY;
        assert_eq!(board.put(Square::D4, WHITE_QUEEN), None);
        let black_pawn = Piece { color: Color::Black, role: Role::Pawn };
        assert_eq!(board.put(Square::D4, black_pawn), Some(WHITE_QUEEN));
        assert_eq!(board.piece_at(Square::D4), Some(black_pawn));
        assert_eq!(board.pieces(black_pawn), Square::D4.into());
        assert_eq!(board.remove(Square::D4), Some(black_pawn));
        assert_eq!(board, Board::EMPTY);
    }

    #[test]
    fn the_start_position_is_written_and_drawn() {
        let board = Board::default();
        assert_eq!(board.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        assert_eq!(board.flip(), board);
        let drawn = format!("{board:?}");
        assert!(drawn.starts_with("8  r n b q k b n r\n7  p p"), "{drawn}");
        assert!(drawn.ends_with("1  R N B Q K B N R\n   a b c d e f g h"), "{drawn}");
        assert_eq!(Board::EMPTY.to_string(), "8/8/8/8/8/8/8/8");
    }

    #[test]
    fn seen_from_the_other_side_a_piece_keeps_its_file_and_changes_its_colour() {
        let mut board = Board::EMPTY;
        board.put(Square::B3, WHITE_QUEEN);
        assert_eq!(board.flip().to_string(), "8/8/1q6/8/8/8/8/8");
    }

    #[test]
    fn attackers_of_both_colours_are_found() {
        let mut board = Board::EMPTY;
        for (square, letter) in [
            (Square::D4, 'q'),
            (Square::D8, 'R'),
            (Square::A1, 'b'),
            (Square::C3, 'P'),
            (Square::E5, 'p'),
            (Square::E3, 'k'),
            (Square::B5, 'N'),
            (Square::H4, 'r'),
            (Square::F4, 'n'),
        ] {
            board.put(square, Piece::from_char(letter).unwrap());
        }
        let attackers = board.attackers_to(Square::D4, board.occupied());
        let expected = [Square::D8, Square::C3, Square::E5, Square::E3, Square::B5];
        assert_eq!(attackers, expected.into_iter().collect());
        let without_knight = board.occupied() ^ Square::F4.into();
        assert!(board.attackers_to(Square::D4, without_knight).contains(Square::H4));
    }
}
