//! A planted find that only guided search reaches: it must crash.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::canary(bytes).expect_clean());
