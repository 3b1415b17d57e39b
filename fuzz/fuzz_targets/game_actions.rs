//! Games of all kinds of actions beside a model of the arbiter.
#![no_main]
use libfuzzer_sys::fuzz_target;
use touchmove_oracles::targets;
fuzz_target!(|bytes: &[u8]| targets::game_actions(bytes).expect_clean());
