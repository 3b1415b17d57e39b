//! Text near a file of games: read, written, read again.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::pgn_text(bytes).expect_clean());
