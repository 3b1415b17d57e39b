//! Text near a UCI move: read, written, and read again.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::uci_text(bytes).expect_clean());
