//! The corpus of the fuzzer and all past finds, played again on stable Rust.

use std::path::Path;

use touchmove_oracles::replay::{judge, kept, replay};
use touchmove_oracles::targets::{CANARY, TARGETS, named};

/// Every file and every case is clean, and there are as many as there were.
#[test]
fn the_corpus_and_the_regressions_are_clean() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let replayed = replay(&kept(&fuzz).unwrap(), || false);
    for (path, trouble) in &replayed.troubles {
        eprintln!("{}:\n{trouble}\n", path.display());
    }
    assert_eq!(replayed.troubles.len(), 0);
    let counts = (&replayed.inputs, replayed.cases);
    assert!(!replayed.is_below_floor(), "fewer than there were: {counts:?}");
}

/// What the search for the canary ends with is a find on stable, too, and a step before it is none.
#[test]
fn the_canary_is_a_find() {
    assert!(!judge(&CANARY, b"e2e4!").unwrap().is_clean());
    assert!(judge(&CANARY, b"e2e5").unwrap().is_clean());
}

/// No bytes at all, and bytes of one kind, are inputs like others.
#[test]
fn every_target_makes_do_with_what_bytes_there_are() {
    for target in TARGETS {
        assert!(named(target.name).is_some());
        for byte in [0, 1, b'8', 0x7f, 0xff] {
            for len in [0, 1, 2, 40, 300] {
                let verdict = judge(target, &vec![byte; len]);
                assert!(verdict.is_ok_and(|verdict| verdict.is_clean()), "{}", target.name);
            }
        }
    }
}
