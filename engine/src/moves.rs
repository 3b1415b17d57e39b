//! A move in 16 bits, and a list of moves that needs no allocation.

use core::fmt;
use core::num::NonZeroU16;
use core::ops::Deref;

use crate::piece::PromotionRole;
use crate::square::Square;

/// What happens besides one piece going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveKind {
    /// A piece goes to an empty square or captures what stands there.
    Normal,
    /// A pawn reaches the last rank and becomes this (FIDE 3.7.3.3).
    Promotion(PromotionRole),
    /// A pawn captures the pawn that has just passed it (FIDE 3.7.3.1, 3.7.3.2).
    EnPassant,
    /// King and rook move together (FIDE 3.8.2): from the king's square to its own rook's.
    Castling,
}

/// A move in 16 bits: to (bits 0–5), from (6–11), promotion role (12–13: knight, bishop, rook,
/// queen), kind (14–15: castling, normal, promotion, en passant).
///
/// A move says what is meant, not that it is legal: ask the [`Position`](crate::Position). Castling is
/// the king's move to its own rook's square, so Chess960 needs no second encoding; how that is written
/// (`e1g1` or `e1h1`) is the business of [`UciMove`](crate::UciMove).
///
/// `Option<Move>` is two bytes as well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

// Only castling has kind 0, and from = to = a1 is refused there, so no move is the number 0; `| KIND` keeps
// the hot constructors free of a check for it.
const NORMAL: NonZeroU16 = NonZeroU16::new(1 << 14).unwrap();
const PROMOTION: NonZeroU16 = NonZeroU16::new(2 << 14).unwrap();
const EN_PASSANT: NonZeroU16 = NonZeroU16::new(3 << 14).unwrap();

#[inline(always)]
const fn path(from: Square, to: Square) -> u16 {
    (from as u16) << 6 | to as u16
}

impl Move {
    /// Any move that is neither promotion, en passant nor castling.
    ///
    /// # Panics
    ///
    /// With debug assertions, as the other constructors do, when the two squares are one.
    #[inline(always)]
    pub fn normal(from: Square, to: Square) -> Move {
        debug_assert!(from as u8 != to as u8, "a move goes somewhere");
        Move(NORMAL | path(from, to))
    }

    /// A pawn's move to the last rank.
    #[inline(always)]
    pub fn promotion(from: Square, to: Square, role: PromotionRole) -> Move {
        debug_assert!(from as u8 != to as u8, "a move goes somewhere");
        Move(PROMOTION | ((role as u16) << 12 | path(from, to)))
    }

    /// A pawn's capture en passant; `to` is the square behind the captured pawn.
    #[inline(always)]
    pub fn en_passant(from: Square, to: Square) -> Move {
        debug_assert!(from as u8 != to as u8, "a move goes somewhere");
        Move(EN_PASSANT | path(from, to))
    }

    /// Castling, named by the squares of the king and of the rook. None where they are one square.
    #[inline(always)]
    pub fn castling(king: Square, rook: Square) -> Option<Move> {
        if king == rook {
            return None;
        }
        NonZeroU16::new(path(king, rook)).map(Move)
    }

    /// The move of a 16-bit code, if one of the constructors builds it.
    ///
    /// Refused: promotion bits on a move that is no promotion, and a move from a square to itself.
    pub fn from_code(code: u16) -> Option<Move> {
        let mv = Move(NonZeroU16::new(code)?);
        let promotion_bits = code >> 12 & 3;
        let plain = promotion_bits == 0 || matches!(mv.kind(), MoveKind::Promotion(_));
        (plain && mv.from() != mv.to()).then_some(mv)
    }

    /// The 16-bit code, never 0.
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0.get()
    }

    /// The square the piece leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_masked((self.0.get() >> 6) as u8)
    }

    /// The square the piece goes to; for castling, the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_masked(self.0.get() as u8)
    }

    /// The kind.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 14 {
            0 => MoveKind::Castling,
            1 => MoveKind::Normal,
            2 => MoveKind::Promotion(PromotionRole::from_masked(self.0.get() >> 12)),
            _ => MoveKind::EnPassant,
        }
    }

    /// What the pawn becomes, if this is a promotion.
    pub const fn promotion_role(self) -> Option<PromotionRole> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }
}

/// For reading in a failing test, not a notation: `e2e4`, `e7e8q`, `e5d6 en passant`, `e1h1 castling`.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.kind() {
            MoveKind::Normal => Ok(()),
            MoveKind::Promotion(role) => write!(f, "{}", role.char()),
            MoveKind::EnPassant => f.write_str(" en passant"),
            MoveKind::Castling => f.write_str(" castling"),
        }
    }
}

/// The moves of one position, in a fixed array: no allocation, and no position overflows it.
///
/// Dereferences to a slice of moves. Filling one that was used before costs nothing extra, a new one
/// clears 1,152 bytes.
///
/// # Why 576 is enough
///
/// Count the pseudo-legal moves of any placement with one king a side by the lines they run along.
/// On a line of n squares every move of a slider, king or pawn goes from a piece to a square that
/// no own piece stands on, with nothing between. If one own piece stands on the line that is n − 1 at
/// most; with k ≥ 2, each of the other n − k squares is entered from two sides at most: 2(n − 2) or
/// fewer. Eight ranks and eight files give 12 each, 192; the diagonals of one direction give
/// 12 + 2·(10 + 8 + 6 + 4 + 2 + 1) = 74, both 148. There are 168 pairs of squares a knight's jump apart, and
/// a pair is a move in one direction at most, since own pieces are not captured: 168. Promotion turns
/// one move into four: eight pawns have 22 squares in front and aslant, 66 more moves. Castling adds
/// two. 192 + 148 + 168 + 66 + 2 = 576. (The most anyone has found in a valid position is about half of that.)
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [Move; MoveList::CAPACITY],
}

impl MoveList {
    /// More moves than any position has.
    pub const CAPACITY: usize = 576;

    /// An empty list.
    pub const fn new() -> MoveList {
        MoveList { len: 0, moves: [Move(NORMAL); MoveList::CAPACITY] }
    }

    /// Forgets all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a move.
    ///
    /// # Panics
    ///
    /// When the list is full, which no position makes it.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    /// Adds moves.
    ///
    /// # Panics
    ///
    /// As [`MoveList::push`].
    #[inline(always)]
    pub(crate) fn push_all(&mut self, moves: impl Iterator<Item = Move>) {
        // The length is written once, or each move would wait for the one before.
        let mut len = self.len;
        for mv in moves {
            self.moves[len] = mv;
            len += 1;
        }
        self.len = len;
    }

    /// Keeps the moves that `keep` says yes to, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let mv = self.moves[index];
            if keep(mv) {
                self.moves[kept] = mv;
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = core::iter::Copied<core::slice::Iter<'a, Move>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = core::iter::Take<core::array::IntoIter<Move, { MoveList::CAPACITY }>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for MoveList {
    fn eq(&self, other: &MoveList) -> bool {
        **self == **other
    }
}

impl Eq for MoveList {}

#[cfg(test)]
mod tests {
    use super::*;

    /// R11: of the 65,536 codes exactly those a constructor builds are moves.
    #[test]
    fn a_code_is_a_move_exactly_when_a_constructor_builds_it() {
        let mut built = vec![false; 1 << 16];
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let mut add = |mv: Move, kind| {
                    assert_eq!((mv.from(), mv.to(), mv.kind()), (from, to, kind));
                    assert!(!core::mem::replace(&mut built[usize::from(mv.code())], true));
                };
                add(Move::normal(from, to), MoveKind::Normal);
                add(Move::en_passant(from, to), MoveKind::EnPassant);
                add(Move::castling(from, to).unwrap(), MoveKind::Castling);
                for role in PromotionRole::ALL {
                    add(Move::promotion(from, to, role), MoveKind::Promotion(role));
                }
            }
        }
        for (code, built) in built.into_iter().enumerate() {
            let code = code as u16;
            assert_eq!(Move::from_code(code).map(Move::code), built.then_some(code), "{code:#06x}");
        }
    }

    #[test]
    fn lists_are_equal_by_the_moves_in_them() {
        let of = |targets: &[Square]| {
            let mut list = MoveList::new();
            targets.iter().for_each(|&to| list.push(Move::normal(Square::A1, to)));
            list
        };
        let mut shrunk = of(&[Square::A2, Square::A3]);
        shrunk.retain(|mv| mv.to() == Square::A2);
        assert_eq!(shrunk, of(&[Square::A2]));
        assert_ne!(shrunk, of(&[Square::A3]));
        assert_ne!(shrunk, of(&[]));
    }

    #[test]
    fn a_list_grows_shrinks_and_starts_again() {
        let mut list = MoveList::new();
        for to in Square::all().skip(1) {
            list.push(Move::normal(Square::A1, to));
        }
        assert_eq!(list.len(), 63);
        list.retain(|mv| mv.to().file() == crate::File::A);
        let targets: Vec<_> = list.iter().map(|mv| mv.to().to_string()).collect();
        assert_eq!(targets, ["a2", "a3", "a4", "a5", "a6", "a7", "a8"]);
        assert!((&list).into_iter().eq(list.iter().copied()));
        list.clear();
        assert!(list.is_empty());
        assert_eq!(size_of::<Option<Move>>(), 2);
    }
}
