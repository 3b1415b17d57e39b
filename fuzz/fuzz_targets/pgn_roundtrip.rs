//! Games with variations and comments: written and read again.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::pgn_roundtrip(bytes).expect_clean());
