//! Questions, moves and null moves nested along a game, and nothing left behind.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::unmake_walk(bytes).expect_clean());
