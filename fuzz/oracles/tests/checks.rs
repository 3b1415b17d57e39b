//! The checks of the gate one at a time: quiet on the engine as it is, and ended by their time.

use std::time::Duration;

use touchmove_oracles::checks::{CHECKS, Effort, count_lines, named};

const A_MOMENT: Duration = Duration::from_secs(2);

#[test]
fn every_check_does_something_and_finds_nothing() {
    for check in CHECKS {
        let report = check.run(&Effort::of(1, A_MOMENT)).unwrap();
        assert_eq!(report.find, None, "{}", check.name);
        assert!(report.done > 0, "{}", check.name);
    }
}

#[test]
fn without_time_nothing_is_done() {
    for check in CHECKS {
        let report = check.run(&Effort::of(1, Duration::ZERO)).unwrap();
        assert_eq!((report.find, report.done), (None, 0), "{}", check.name);
    }
}

#[test]
fn checks_are_asked_for_by_name() {
    assert!(CHECKS.iter().all(|check| named(check.name).is_some_and(|it| it.name == check.name)));
    assert!(named("rumours").is_none());
}

#[test]
fn no_small_count_is_wrong() {
    let mut lines = 0;
    count_lines(2_000, |line, wrong| {
        assert!(wrong.is_empty(), "{line}: {wrong:?}");
        lines += 1;
    })
    .unwrap();
    assert!(lines >= 224, "{lines}");
}
