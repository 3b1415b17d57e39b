//! A game and its mirror image.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::mirror(bytes).expect_clean());
