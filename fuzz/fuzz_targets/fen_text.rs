//! Text near a FEN: read, written, and read again.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::fen_text(bytes).expect_clean());
