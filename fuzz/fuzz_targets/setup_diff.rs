//! One set-up: accepted or refused, its moves and its state.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::setup_diff(bytes).expect_clean());
