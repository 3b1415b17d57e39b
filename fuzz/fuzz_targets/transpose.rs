//! Two orders of moves along a game: the same position has the same key.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::transpose(bytes).expect_clean());
