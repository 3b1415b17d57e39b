//! The experiment sees what is wrong, and says what it saw.

use std::sync::Mutex;
use std::time::Duration;

use touchmove::{Move, MoveList, Position, Square};

use super::experiment::{Row, judge};
use super::raw::{self, Said};
use super::round::{self, Count, Right, Round, Size};
use super::way::{Shared, Way};
use crate::verdict::Verdict;

const SIZE: Size = Size { threads: 2, calls: 50 };
const ALL_CALLS: u64 = 100;

/// The start position, with all that is right about it.
fn right(way: Way) -> Right {
    let position = Position::default();
    Right { moves: way.alone(position), position }
}

fn run(way: Way, right: Right, size: Size) -> Round {
    round::run(Shared::new(way, Position::default()), right, size, 1).unwrap()
}

#[test]
fn a_way_that_must_hold_holds_and_makes_every_call() {
    for way in Way::ALL.into_iter().filter(|way| way.is_control()) {
        let round = run(way, right(way), SIZE);
        assert_eq!(round.count, Count { calls: ALL_CALLS, panics: 0, wrong: 0 }, "{way:?}");
        assert!(round.is_whole && round.is_same == Some(true) && !round.is_corrupt(), "{way:?}");
    }
}

/// Nobody races alone.
#[test]
fn one_thread_is_answered_rightly_step_by_step() {
    let round = run(Way::StepLock, right(Way::StepLock), Size { threads: 1, calls: 50 });
    assert_eq!(round.count, Count { calls: 50, panics: 0, wrong: 0 });
    assert!(!round.is_corrupt());
}

#[test]
fn a_wrong_answer_is_counted() {
    let none = Right { moves: MoveList::new(), ..right(Way::Readers) };
    let round = run(Way::Readers, none, SIZE);
    assert_eq!(round.count, Count { calls: ALL_CALLS, panics: 0, wrong: ALL_CALLS });
    assert!(round.is_same == Some(true) && round.is_corrupt());
}

/// A clock alone: no piece tells.
#[test]
fn a_changed_field_is_seen() {
    let later = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2 2".parse().unwrap();
    let round = run(Way::Copies, Right { position: later, ..right(Way::Copies) }, SIZE);
    assert_eq!(round.count.wrong, 0);
    assert!(round.is_same == Some(false) && round.is_corrupt());
}

/// The king stepped beside the rook and was taken. With debug assertions whoever then looks for it panics; its pawn stays where
/// the question put it, and from then on it is Black who moves.
#[test]
#[cfg(debug_assertions)]
fn a_panic_is_counted_and_the_asking_goes_on() {
    let mut kingless: Position = "4k3/8/8/8/8/8/P6r/4K3 w - - 0 1".parse().unwrap();
    let _stepped = kingless.make(Move::normal(Square::E1, Square::E2));
    let _taken = kingless.make(Move::normal(Square::H2, Square::E2));
    let shared = Shared::StepLock(Mutex::new(kingless));
    let round =
        round::run(shared, right(Way::StepLock), Size { threads: 1, calls: 50 }, 1).unwrap();
    assert_eq!((round.count.calls, round.count.panics), (50, 1));
    assert!(round.is_whole && round.is_corrupt());
}

fn row(rounds: &[Round]) -> Row {
    let mut row = Row::default();
    rounds.iter().for_each(|round| row.add(round));
    row
}

fn round(wrong: u64, is_same: bool) -> Round {
    Round {
        count: Count { calls: ALL_CALLS, panics: 0, wrong },
        is_same: Some(is_same),
        took: Duration::from_millis(1),
        hangs: false,
        is_whole: true,
    }
}

#[test]
fn a_control_fails_by_one_wrong_answer_or_one_changed_field() {
    for way in Way::ALL.into_iter().filter(|way| way.is_control()) {
        assert_eq!(judge(way, &row(&[round(0, true), round(0, true)]), 2), Verdict::Pass);
        assert_eq!(judge(way, &row(&[round(0, true), round(1, true)]), 2), Verdict::Fail);
        assert_eq!(judge(way, &row(&[round(0, true), round(0, false)]), 2), Verdict::Fail);
        assert_eq!(judge(way, &row(&[round(0, true)]), 2), Verdict::Unknown, "a run is missing");
    }
}

#[test]
fn the_lock_for_each_step_must_be_seen_to_fail_in_every_run() {
    let judged = |rounds: &[Round]| judge(Way::StepLock, &row(rounds), 2);
    assert_eq!(judged(&[round(7, false), round(0, false)]), Verdict::Pass);
    assert_eq!(judged(&[round(7, false), round(0, true)]), Verdict::Unknown);
    assert_eq!(judged(&[round(0, true), round(0, true)]), Verdict::Unknown);
    let hung = Round { hangs: true, is_whole: false, is_same: None, ..round(7, false) };
    assert_eq!(judged(&[round(7, false), hung]), Verdict::Unknown);
}

#[test]
fn what_the_raw_program_prints_is_read_and_nothing_else() {
    let Some(Said::Counted { count, is_same, seconds }) = raw::read("8000 1 35 false 0.25\n")
    else {
        panic!("it was not read");
    };
    assert_eq!(count, Count { calls: 8000, panics: 1, wrong: 35 });
    assert!(!is_same && seconds == 0.25);
    for torn in ["", "8000 1 35 false", "8000 1 35 maybe 0.25", "x 1 35 false 0.25"] {
        assert!(raw::read(torn).is_none(), "{torn}");
    }
}
