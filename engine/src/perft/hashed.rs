//! A hash of counts that threads share without a lock.

use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

use super::factored::Factored;
use super::{Counting, Ply};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::position::us::Us;
use crate::shapes::SliderLookup;

/// Counts of paths behind positions that were met before, for [`perft_hashed`](super::perft_hashed).
///
/// Any number of threads may count with one hash at the same time. A count is found again by all that makes a position, clocks aside,
/// and by its depth, which is kept as it is: depths are never confused. Of the position 64 bits are kept that have nothing
/// to do with its [`Key`](crate::Key), which decides on the place. So two positions are taken for one where they share a place
/// and these bits: for each look at a place that four others share, with a chance of 2⁻⁶², unless somebody has chosen the
/// positions for it. Even at one look every ten nanoseconds, sooner than any machine, two cores look 2⁴⁴ times in a day.
///
/// A hash may be used for any positions and depths, one after another. What is full keeps the larger counts. Those of one and two
/// plies are not kept at all: they are counted, by factors, sooner than memory answers.
///
/// ```
/// use touchmove::{PerftHash, Position, perft_hashed};
///
/// let hash = PerftHash::new(16)?;
/// assert_eq!(perft_hashed(&Position::default(), 5, &hash), 4_865_609);
/// # Ok::<(), touchmove::PerftHashError>(())
/// ```
pub struct PerftHash {
    places: Vec<Place>,
}

/// There is not so much memory for a [`PerftHash`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftHashError {
    mebibytes: usize,
}

impl fmt::Display for PerftHashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no memory for a hash of {} MiB", self.mebibytes)
    }
}

impl core::error::Error for PerftHashError {}

/// As much as a cache line holds.
#[derive(Default)]
#[repr(align(64))]
struct Place([Entry; 4]);

/// A count. Two words are written one after the other; the first holds the second as well, so that halves of different entries
/// do not fit.
#[derive(Default)]
struct Entry {
    /// The bits of the position, by exclusive or with the count.
    check: AtomicU64,
    /// The number of paths, above the depth in the lowest byte.
    count: AtomicU64,
}

/// Larger counts are not kept.
const COUNT_MAX: u64 = u64::MAX >> 8;

impl PerftHash {
    /// A hash of so many mebibytes; of 64 bytes for 0.
    ///
    /// All of it is written to, which takes half a second to two seconds a gigabyte, by what memory the system has at hand.
    ///
    /// # Errors
    ///
    /// When the memory cannot be had. An operating system may promise more than it has.
    pub fn new(mebibytes: usize) -> Result<PerftHash, PerftHashError> {
        let error = PerftHashError { mebibytes };
        let bytes = mebibytes.checked_mul(1 << 20).ok_or(error)?;
        let len = (bytes / size_of::<Place>()).max(1);
        let mut places = Vec::new();
        places.try_reserve_exact(len).map_err(|_| error)?;
        places.resize_with(len, Place::default);
        Ok(PerftHash { places })
    }

    /// Where the count of so many plies behind a position is kept: every depth has a place of its own.
    #[inline(always)]
    fn place(&self, position: &Position, depth: u32) -> &Place {
        let key = position.key().0 ^ u64::from(depth).wrapping_mul(GOLDEN);
        let index = (u128::from(key) * self.places.len() as u128) >> 64;
        &self.places[index as usize]
    }
}

impl fmt::Debug for PerftHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PerftHash({} places of four counts)", self.places.len())
    }
}

impl Place {
    #[inline(always)]
    fn find(&self, check: u64, depth: u32) -> Option<u64> {
        self.0.iter().find_map(|entry| {
            let count = entry.count.load(Ordering::Relaxed);
            let is_it =
                entry.check.load(Ordering::Relaxed) ^ count == check && count as u8 == depth as u8;
            is_it.then_some(count >> 8)
        })
    }

    /// Keeps a count in the stead of the least that is kept here.
    #[inline(always)]
    fn keep(&self, check: u64, depth: u32, count: u64) {
        if count > COUNT_MAX {
            return;
        }
        let count = count << 8 | u64::from(depth);
        let of = |entry: &&Entry| entry.count.load(Ordering::Relaxed) >> 8;
        let [first, others @ ..] = &self.0;
        let least = others.iter().fold(first, |a, b| if of(&b) < of(&a) { b } else { a });
        least.check.store(check ^ count, Ordering::Relaxed);
        least.count.store(count, Ordering::Relaxed);
    }
}

impl Counting for &PerftHash {
    #[inline(always)]
    fn paths<U: Us, L: SliderLookup>(self, position: &mut Position, depth: u32, sliders: L) -> u64 {
        if depth == 2 {
            // Counted sooner than memory answers.
            return Factored.paths::<U, L>(position, depth, sliders);
        }
        let (place, check) = (self.place(position, depth), check(position));
        if let Some(count) = place.find(check, depth) {
            return count;
        }
        let count = sliders.run(Ply::<U, Self>::new(position, depth, self));
        place.keep(check, depth, count);
        count
    }
}

/// 2⁶⁴ by the golden ratio: its multiples are far from each other in their upper bits.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Numbers without a meaning: digits of π after the point, in hexadecimal.
const SALT: [u64; 9] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0,
    0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377,
    0xbe54_66cf_34e9_0c6c,
    0xc0ac_29b7_c97c_50dd,
    0x3f84_d5b5_b547_0917,
    0x9216_d5d9_8979_fb1b,
];

/// 64 bits of all that makes a position, clocks aside, which do not come from its key: sums of products, folded.
#[inline(always)]
fn check(position: &Position) -> u64 {
    let board = position.board();
    let set = |role| board.role(role).0;
    // Rights are on the back ranks, an en passant square is on the third or sixth, so there is room for the turn.
    let en_passant = position.en_passant().map_or(0, |square| 1 << square.index());
    let turn = u64::from(position.turn() == Color::Black) << 32;
    let rest = position.castling().rooks().0 | en_passant | turn;
    let pawns_and_knights = fold(set(Role::Pawn) ^ SALT[1], set(Role::Knight) ^ SALT[2]);
    let bishops_and_rooks = fold(set(Role::Bishop) ^ SALT[3], set(Role::Rook) ^ SALT[4]);
    let queens_and_kings = fold(set(Role::Queen) ^ SALT[5], set(Role::King) ^ SALT[6]);
    let colors_and_rest = fold(board.color(Color::White).0 ^ SALT[7], rest ^ SALT[8]);
    fold(pawns_and_knights ^ bishops_and_rooks.rotate_left(17), SALT[0] ^ colors_and_rest)
        ^ queens_and_kings.rotate_left(31)
}

/// Mixes two words. Any set of pieces may be a salt, and then a factor is nothing; what stands beside the product keeps the
/// other word in it all the same.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64 ^ a ^ b.rotate_left(32)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::super::perft_hashed;
    use super::*;
    use crate::piece::Piece;
    use crate::position::Setup;
    use crate::square::Square;

    /// Room for four counts: each depth comes to lie beside the others, and is thrown out by what is larger.
    #[test]
    fn depths_of_one_position_are_not_confused() {
        let hash = PerftHash::new(0).unwrap();
        let start = Position::default();
        for _ in 0..2 {
            for (depth, count) in
                [(5, 4_865_609), (3, 8_902), (4, 197_281), (2, 400), (1, 20), (0, 1)]
            {
                assert_eq!(perft_hashed(&start, depth, &hash), count, "depth {depth}");
            }
        }
    }

    #[test]
    fn a_place_keeps_the_largest_of_its_counts() {
        let place = Place::default();
        let counts = [(1, 500), (2, 7), (3, 1 << 48), (4, COUNT_MAX)];
        for (check, count) in counts {
            place.keep(check, 5, count);
        }
        for (check, count) in counts {
            assert_eq!(place.find(check, 5), Some(count));
            assert_eq!(place.find(check, 4), None, "another depth");
        }
        place.keep(5, 5, 300);
        assert_eq!(place.find(2, 5), None, "the least made room");
        assert_eq!(place.find(5, 5), Some(300));
        place.keep(6, 5, COUNT_MAX + 1);
        assert_eq!(place.find(6, 5), None, "too large to be kept");
    }

    /// Without legal moves there are no paths, which is remembered as well.
    #[test]
    fn a_mate_is_no_empty_place() {
        let hash = PerftHash::new(0).unwrap();
        let mated: Position = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
        for _ in 0..2 {
            assert_eq!(perft_hashed(&mated, 3, &hash), 0);
        }
    }

    /// All that makes a position tells two apart.
    #[test]
    fn what_differs_has_another_check() {
        let texts = [
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K1R1 w Qkq - 0 1",
        ];
        let mut checks = texts.map(|text| check(&text.parse().unwrap())).to_vec();
        checks.sort_unstable();
        checks.dedup();
        assert_eq!(checks.len(), texts.len());
        let later: Position = texts[0].replace("0 1", "7 9").parse().unwrap();
        assert!(checks.contains(&check(&later)), "clocks are not counted with");
    }

    /// A piece more makes another check, whatever it is and wherever it stands.
    #[test]
    fn every_piece_on_every_square_counts() {
        let mut checks = Vec::new();
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for color in Color::ALL {
                for square in Square::all() {
                    let mut setup: Setup = "7k/8/8/8/8/8/8/K7 w - - 0 1".parse().unwrap();
                    setup.board.put(square, Piece { color, role });
                    // Not in the place of a king, nor where it would attack one that may not be attacked.
                    checks.extend(setup.validate().map(|position| check(&position)));
                }
            }
        }
        let all = checks.len();
        assert!(all > 500, "{all}");
        checks.sort_unstable();
        checks.dedup();
        assert_eq!(checks.len(), all);
    }

    #[test]
    fn a_word_without_bits_hides_no_other() {
        let words = [0, 1, 2, 1 << 63, u64::MAX];
        for a in words {
            for b in words.into_iter().filter(|&b| b != a) {
                assert_ne!(fold(0, a), fold(0, b));
                assert_ne!(fold(a, 0), fold(b, 0));
            }
        }
    }

    /// Their knights, or white men, are a salt. The counts are Stockfish's and python-chess's.
    #[test]
    fn positions_chosen_against_the_salts_are_told_apart() {
        let hash = PerftHash::new(0).unwrap();
        for (text, count) in [
            ("2N2n1N/NP1n1p1p/pppNnn2/1n2kn2/n2n1npp/nnnnNpPn/n3nn1K/4n1nn w - - 0 1", 27_321),
            ("2N2n1N/NP1np3/1ppNnnp1/1np1kn2/n2npn2/nnnnN1Pn/n3nn1K/4n1nn w - - 0 1", 23_037),
            ("BNNNNB2/2P4P/P1P1P1PP/P1P1PP1P/P1P1PP1P/PPP3P1/P2P2k1/RNB1K3 w - - 0 1", 5_260),
            ("BNNNNB2/2P4P/P1P1P1PP/P1P1PP1P/P1P1PP1P/PPP3P1/P2P2k1/RNB1K3 b - - 0 1", 759),
        ] {
            assert_eq!(perft_hashed(&text.parse().unwrap(), 3, &hash), count, "{text}");
        }
    }

    #[test]
    fn threads_share_a_hash() {
        let hash = PerftHash::new(1).unwrap();
        thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| {
                    assert_eq!(perft_hashed(&Position::default(), 5, &hash), 4_865_609);
                });
            }
        });
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error() {
        for mebibytes in [usize::MAX, usize::MAX >> 20] {
            let error = PerftHash::new(mebibytes).unwrap_err();
            let told = format!("there is no memory for a hash of {mebibytes} MiB");
            assert_eq!(error.to_string(), told);
        }
    }
}
