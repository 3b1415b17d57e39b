//! Every legal move of a game in algebraic notation.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::san_diff(bytes).expect_clean());
