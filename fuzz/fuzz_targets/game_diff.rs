//! Whole games beside shakmaty, every ply taken back.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::game_diff(bytes).expect_clean());
