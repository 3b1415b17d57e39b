//! The key of a position: a 64-bit hash, from scratch and step by step.

use core::fmt;
use core::ops::{BitXor, BitXorAssign};

use crate::castling::CastlingRights;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::square::{File, Square};

/// The Zobrist key of a position.
///
/// Placement, turn, castling rights and a legal en passant capture make the key, as they make the
/// position for the purposes of repetition (FIDE 9.2.3); the clocks do not. The same position always has the
/// same key, however it was reached; two different ones share a key with a chance of 2⁻⁶⁴.
///
/// The constants are fixed: keys may be stored, and are the same on every machine.
///
/// ```
/// use touchmove::{Key, Position};
///
/// let position = Position::default();
/// assert_eq!(position.key(), Key::of(&position));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Key(pub u64);

impl Key {
    /// The key from scratch. [`Position::key`] is kept up to date and costs nothing.
    pub fn of(position: &Position) -> Key {
        let board = position.board();
        let mut key = Key::of_rights(position.castling());
        for color in Color::ALL {
            for role in Role::ALL {
                for square in board.role(role) & board.color(color) {
                    key ^= Key::of_piece(color, role, square);
                }
            }
        }
        if position.turn() == Color::Black {
            key ^= Key::TURN;
        }
        if let Some(square) = position.en_passant() {
            key ^= Key::of_en_passant(square.file());
        }
        key
    }

    /// What changes when the turn passes.
    pub(crate) const TURN: Key = Key(RANDOM.turn);

    #[inline(always)]
    pub(crate) fn of_piece(color: Color, role: Role, square: Square) -> Key {
        Key(RANDOM.pieces[color as usize][role.index()][square.index()])
    }

    #[inline(always)]
    pub(crate) fn of_en_passant(file: File) -> Key {
        Key(RANDOM.en_passant[file.index()])
    }

    #[inline(always)]
    pub(crate) fn of_right(rook: Square) -> Key {
        Key(RANDOM.castling_rooks[rook.index()])
    }

    #[inline(always)]
    pub(crate) fn of_rights(rights: CastlingRights) -> Key {
        rights.rooks().into_iter().map(Key::of_right).fold(Key(0), Key::bitxor)
    }
}

impl BitXor for Key {
    type Output = Key;

    #[inline(always)]
    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}

/// Sixteen hexadecimal digits.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

struct Random {
    pieces: [[[u64; 64]; 6]; 2],
    castling_rooks: [u64; 64],
    en_passant: [u64; 8],
    turn: u64,
}

static RANDOM: Random = random();

const fn random() -> Random {
    let mut state = 0x7465_7563_686d_6f76;
    let mut table = Random {
        pieces: [[[0; 64]; 6]; 2],
        castling_rooks: [0; 64],
        en_passant: [0; 8],
        turn: split_mix(&mut state),
    };
    let mut index = 0;
    while index < 2 * 6 * 64 {
        table.pieces[index / 384][index / 64 % 6][index % 64] = split_mix(&mut state);
        index += 1;
    }
    index = 0;
    while index < 64 {
        table.castling_rooks[index] = split_mix(&mut state);
        index += 1;
    }
    index = 0;
    while index < 8 {
        table.en_passant[index] = split_mix(&mut state);
        index += 1;
    }
    table
}

/// The generator `SplitMix64` (Steele, Lea, Flood 2014): every 64-bit number once in its period.
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for the state 1234567, as published with the generator's reference code.
    #[test]
    fn the_generator_is_split_mix() {
        let mut state = 1_234_567;
        assert_eq!(split_mix(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(split_mix(&mut state), 3_203_168_211_198_807_973);
    }

    /// R4: a constant for each piece where it stands, and one when Black is to move.
    #[test]
    fn a_key_is_made_of_what_is_there() {
        let kings = Key::of_piece(Color::White, Role::King, Square::E1)
            ^ Key::of_piece(Color::Black, Role::King, Square::E8);
        let key = |fen: &str| Key::of(&fen.parse().unwrap());
        assert_eq!(key("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), kings);
        assert_eq!(key("4k3/8/8/8/8/8/8/4K3 b - - 0 1"), kings ^ Key::TURN);
        assert_eq!(Key(0xfa11).to_string(), "000000000000fa11");
    }

    #[test]
    fn all_constants_differ() {
        let mut constants: Vec<u64> = RANDOM.pieces.as_flattened().as_flattened().to_vec();
        constants.extend(RANDOM.castling_rooks);
        constants.extend(RANDOM.en_passant);
        constants.push(RANDOM.turn);
        let count = constants.len();
        constants.sort_unstable();
        constants.dedup();
        assert_eq!((count, constants.len()), (841, 841));
    }
}
