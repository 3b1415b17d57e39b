//! Castling rights and the squares a castling needs, Chess960 being the general case.

use crate::bitboard::Bitboard;
use crate::piece::Color;
use crate::square::{File, Square};

/// To which side of its own square the king castles: where its rook stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastlingSide {
    /// Towards the h-file: the king goes to the g-file, the rook to the f-file.
    King,
    /// Towards the a-file: the king goes to the c-file, the rook to the d-file.
    Queen,
}

impl CastlingSide {
    /// King side, then queen side.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The side of the king on which the rook stands.
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> CastlingSide {
        if rook as u8 > king as u8 { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// The file on which the king ends, in every variant (FIDE 3.8.2, Chess960 guidelines II.3.2).
    #[inline(always)]
    pub const fn king_file(self) -> File {
        match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        }
    }

    /// The file on which the rook ends.
    #[inline(always)]
    pub const fn rook_file(self) -> File {
        match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        }
    }
}

/// Which rooks may still castle: the set of their squares (FIDE 3.8.2.1).
///
/// The squares are on the first rank for White and on the eighth for Black, so a square says whose right
/// it is; on which side it lies is a question of where the king stands. A right says that neither king nor rook
/// has moved, not that castling is possible now.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// No right.
    pub const EMPTY: CastlingRights = CastlingRights(Bitboard::EMPTY);

    /// The rooks that may castle, of both colours.
    #[inline(always)]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// The rooks of one colour that may castle.
    #[inline(always)]
    pub const fn rooks_of(self, color: Color) -> Bitboard {
        Bitboard(self.0.0 & Bitboard::rank(color.back_rank()).0)
    }

    /// These rights and that of one more rook.
    ///
    /// Its square must be on the first or the eighth rank; elsewhere a right means nothing, and
    /// the square is left out.
    #[must_use]
    pub const fn with(self, rook: Square) -> CastlingRights {
        CastlingRights(Bitboard(self.0.0 | Bitboard::of(rook).0 & Bitboard::BACK_RANKS.0))
    }

    /// These rights without those of rooks on these squares.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, squares: Bitboard) -> CastlingRights {
        CastlingRights(self.0.without(squares))
    }

    /// Whether there is none.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The rook that a colour's king on `king` may castle with on a side.
    pub fn rook(self, color: Color, king: Square, side: CastlingSide) -> Option<Square> {
        self.rooks_of(color).into_iter().find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// The rights seen from the other side of the board.
    #[must_use]
    pub const fn flip(self) -> CastlingRights {
        CastlingRights(self.0.flip())
    }
}

/// The squares of one castling: from where to where king and rook go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingPath {
    /// Where the king stands.
    pub king_from: Square,
    /// Where the king goes.
    pub king_to: Square,
    /// Where the rook stands.
    pub rook_from: Square,
    /// Where the rook goes.
    pub rook_to: Square,
}

impl CastlingPath {
    /// The path of a king and a rook on one rank.
    #[inline(always)]
    pub fn new(king: Square, rook: Square) -> CastlingPath {
        let side = CastlingSide::of(king, rook);
        CastlingPath {
            king_from: king,
            king_to: Square::new(side.king_file(), king.rank()),
            rook_from: rook,
            rook_to: Square::new(side.rook_file(), king.rank()),
        }
    }

    /// The squares that must be empty: all that king or rook crosses or reaches, but for the two
    /// themselves (FIDE 3.8.2.2, Chess960 guidelines II.3.2.2).
    #[inline(always)]
    pub fn must_be_empty(self) -> Bitboard {
        self.on_back_rank(self.files().must_be_empty)
    }

    /// The squares the king crosses or reaches, its own left out unless it stays there.
    #[inline(always)]
    pub fn king_visits(self) -> Bitboard {
        self.on_back_rank(self.files().king_visits)
    }

    /// The squares the king crosses, from its own to its destination, both left out.
    #[inline(always)]
    pub fn king_crosses(self) -> Bitboard {
        self.king_visits().without(self.king_to.into())
    }

    #[inline(always)]
    fn files(self) -> PathFiles {
        PATH_FILES[self.king_from.file().index()][self.rook_from.file().index()]
    }

    #[inline(always)]
    fn on_back_rank(self, files: u8) -> Bitboard {
        Bitboard(u64::from(files) << (8 * self.king_from.rank() as u8))
    }

    /// The occupied squares after castling.
    #[inline(always)]
    pub fn occupied_after(self, occupied: Bitboard) -> Bitboard {
        occupied.without(Bitboard::of(self.king_from) | self.rook_from.into())
            | self.king_to.into()
            | self.rook_to.into()
    }
}

/// The files of a castling that matter, one bit for each.
#[derive(Clone, Copy)]
struct PathFiles {
    must_be_empty: u8,
    king_visits: u8,
}

/// By the files of king and rook.
static PATH_FILES: [[PathFiles; 8]; 8] = path_files();

const fn path_files() -> [[PathFiles; 8]; 8] {
    let mut table = [[PathFiles { must_be_empty: 0, king_visits: 0 }; 8]; 8];
    let mut index = 0;
    while index < 64 {
        let (king, rook) = (index / 8, index % 8);
        let side =
            CastlingSide::of(Square::from_masked(king as u8), Square::from_masked(rook as u8));
        let (king_to, rook_to) = (side.king_file().index(), side.rook_file().index());
        let (king_path, rook_path) = (files_between(king, king_to), files_between(rook, rook_to));
        table[king][rook] = PathFiles {
            must_be_empty: (king_path | rook_path) & !(1 << king | 1 << rook),
            king_visits: king_path & !(1 << king) | 1 << king_to,
        };
        index += 1;
    }
    table
}

/// All files from one to another, both included.
const fn files_between(a: usize, b: usize) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    0xff >> (7 - high) & 0xff << low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(names: &str) -> Bitboard {
        names.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    /// R2: one path for standard chess and Chess960.
    #[test]
    fn a_castling_needs_its_squares_empty() {
        let empty = |king, rook| CastlingPath::new(king, rook).must_be_empty();
        assert_eq!(empty(Square::E1, Square::H1), squares("f1 g1"));
        assert_eq!(empty(Square::E8, Square::A8), squares("b8 c8 d8"));
        assert_eq!(empty(Square::F1, Square::G1), squares(""));
        assert_eq!(empty(Square::B1, Square::A1), squares("c1 d1"));
        assert_eq!(empty(Square::C1, Square::A1), squares("b1 d1"));
        assert_eq!(empty(Square::B1, Square::H1), squares("c1 d1 e1 f1 g1"));
        assert_eq!(empty(Square::G8, Square::B8), squares("c8 d8 e8 f8"));
    }

    #[test]
    fn the_king_crosses_the_squares_up_to_its_destination() {
        let crosses = |king, rook| CastlingPath::new(king, rook).king_crosses();
        assert_eq!(crosses(Square::E1, Square::A1), squares("d1"));
        assert_eq!(crosses(Square::G1, Square::H1), squares(""));
        assert_eq!(crosses(Square::B8, Square::C8), squares("c8 d8 e8 f8"));
    }

    #[test]
    fn the_king_visits_its_own_square_only_where_it_stays() {
        let visits = |king, rook| CastlingPath::new(king, rook).king_visits();
        assert_eq!(visits(Square::E1, Square::A1), squares("d1 c1"));
        assert_eq!(visits(Square::G1, Square::H1), squares("g1"));
        assert_eq!(visits(Square::C8, Square::A8), squares("c8"));
    }

    #[test]
    fn a_right_is_kept_for_each_rook() {
        let rights = CastlingRights::EMPTY.with(Square::A1).with(Square::H8).with(Square::D4);
        assert_eq!(rights.rooks(), squares("a1 h8"));
        assert_eq!(rights.with(Square::A1), rights, "a right is there or not");
        assert_eq!(rights.rooks_of(Color::Black), squares("h8"));
        assert_eq!(rights.rook(Color::White, Square::E1, CastlingSide::Queen), Some(Square::A1));
        assert_eq!(rights.rook(Color::White, Square::E1, CastlingSide::King), None);
        assert_eq!(rights.without(squares("a1")).rooks(), squares("h8"));
        assert_eq!(rights.flip().rooks(), squares("a8 h1"));
    }
}
