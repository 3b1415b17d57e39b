//! Counts of up to three plies from one set-up, in every way there is.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::perft_small(bytes).expect_clean());
