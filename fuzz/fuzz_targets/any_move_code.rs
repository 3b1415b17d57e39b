//! A 16-bit code that nobody generated, put to one set-up.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::any_move_code(bytes).expect_clean());
