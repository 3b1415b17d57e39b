//! Makers of valid things, from raw bytes or from a seed: games, set-ups, texts.
//!
//! A fuzzer hands bytes, a campaign on stable Rust a seed; a seed is stretched to bytes, so both
//! run the same code.

mod actions;
mod game_file;
mod scenes;
mod setup;
mod text;
mod walk;

use std::ops::RangeInclusive;

use arbitrary::{Arbitrary, Unstructured};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use self::actions::{Action, Actions};
pub use self::game_file::{GameFile, GameTree};
pub use self::setup::{FreeSetup, chess960_start};
pub use self::text::{EpdText, FenText, SanText, UciText};
pub use self::walk::{Script, Steps, Walk};

/// The most bytes a seed is stretched to: some more than the plies of the longest game.
const SEEDED_LEN_MAX: usize = 480;

/// Makes a thing from a seed; the same thing from the same seed, on every machine.
pub fn from_seed<T: for<'a> Arbitrary<'a>>(seed: u64) -> T {
    from_bytes(&bytes_of_seed(seed))
}

/// Makes a thing from bytes, whatever they are.
pub fn from_bytes<T: for<'a> Arbitrary<'a>>(bytes: &[u8]) -> T {
    T::arbitrary_take_rest(Unstructured::new(bytes))
        .expect("generators make do with what bytes there are")
}

/// The bytes a seed is stretched to: 16 to 480, lengths of all sizes alike.
pub fn bytes_of_seed(seed: u64) -> Vec<u8> {
    random_bytes(seed, 16..=SEEDED_LEN_MAX)
}

/// The bytes a seed is stretched to, their number in a range of one's own.
pub fn random_bytes(seed: u64, len: RangeInclusive<usize>) -> Vec<u8> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let len = random.random_range(len);
    (0..len).map(|_| random.random()).collect()
}

/// The seed of one of many things that a run makes: a mix of the run's seed and the thing's number.
pub fn seed_of(seed: u64, number: u64) -> u64 {
    (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
