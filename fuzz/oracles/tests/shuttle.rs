//! Two threads ask about one board, and shuttle decides who goes on at every lock.
//!
//! Which of its schedulers to trust was measured on [`asked_step_by_step`], without debug assertions, up to 10,000 schedules:
//!
//! | scheduler | schedules until the race is found |
//! |---|---|
//! | depth first | 30, always; all of the control's 51 pass |
//! | at random | 1 or 2 |
//! | uniform random walk | 2 |
//! | PCT, depth 1 | never: without a change of priority each question runs to its end |
//! | PCT, depth 2, 3 and 4 | 2 to 4 |
//!
//! So depth first it is: it alone is exhaustive, and there is little to exhaust. A scheduler that is too shallow would
//! pass the faulty lock as readily as the right one.

use std::collections::BTreeSet;
use std::sync::Mutex as Notes;

use shuttle::sync::{Arc, Mutex};
use shuttle::thread;
use touchmove::{Move, Position, UciMode, UciMove};
use touchmove_oracles::oracles::caught;
use touchmove_oracles::schedules::{Asker, Duel, Harm, Order, Question, Schedule, Step};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// What a run asserts at its end.
const AS_BEFORE: &str = "the position is as before";

/// Rook a1 to b1, and bishop e2 takes a6: both are legal.
fn duel() -> Duel {
    let start: Position = KIWIPETE.parse().unwrap();
    let mv = |text: &str| -> Move {
        text.parse::<UciMove>().unwrap().resolve(&start, UciMode::Standard).unwrap()
    };
    Duel { start, moves: ["a1b1", "e2a6"].map(mv) }
}

/// A thread for each question; it fails unless both are answered rightly and the position is as before.
fn asked_at_once(ask: fn(Move, &Mutex<Position>) -> bool) {
    let duel = duel();
    let board = Arc::new(Mutex::new(duel.start));
    let askers = duel.moves.map(|mv| {
        let board = Arc::clone(&board);
        thread::spawn(move || ask(mv, &board))
    });
    for asker in askers {
        assert!(asker.join().unwrap(), "the move is legal");
    }
    assert_eq!(*board.lock().unwrap(), duel.start, "{AS_BEFORE}");
}

fn asked_step_by_step() {
    asked_at_once(|mv, board| {
        let mut question = Question::new(mv);
        for step in Step::ALL {
            question.take(step, &mut board.lock().unwrap());
        }
        question.answer() == Some(true)
    });
}

fn asked_as_a_whole() {
    asked_at_once(|mv, board| Question::ask(mv, &mut board.lock().unwrap()));
}

#[test]
fn a_lock_for_each_step_does_not_hold() {
    expect_torn(caught(|| shuttle::check_dfs(asked_step_by_step, None)));
}

/// The control, exhausted.
#[test]
fn a_lock_for_each_question_holds_in_every_schedule() {
    shuttle::check_dfs(asked_as_a_whole, None);
}

/// The schedule that depth first finds first: the two cross.
#[test]
fn the_failing_schedule_fails_again() {
    const FAILING: &str = "910216f8acd19101002449a42881240100";
    expect_torn(caught(|| shuttle::replay(asked_step_by_step, FAILING)));
}

/// The position is not as before; with debug assertions the engine has refused the second move already.
fn expect_torn(outcome: Result<(), String>) {
    let why = outcome.expect_err("the race was not found");
    let expected = if cfg!(debug_assertions) { "is not pseudo-legal" } else { AS_BEFORE };
    assert!(why.contains(expected), "{why}");
}

/// What shuttle's threads do and what the enumeration says they do.
#[test]
fn shuttle_and_the_enumeration_know_the_same_schedules_and_the_same_harm() {
    let harmful = |steps: &str| {
        let played = schedule(steps).map(|schedule| duel().play(schedule));
        played.expect("it is one of the twenty").harm != Harm::Nothing
    };
    let seen = exhaust(&[&[Step::Make], &[Step::Look], &[Step::Unmake]]);
    let all: BTreeSet<(String, bool)> = Schedule::all()
        .iter()
        .map(|schedule| (schedule.to_string(), harmful(&schedule.to_string())))
        .collect();
    assert_eq!(seen, all);

    let seen = exhaust(&[&Step::ALL]);
    let one_by_one = Schedule::all().into_iter().filter(|one| one.order() == Order::OneByOne);
    assert_eq!(seen, one_by_one.map(|schedule| (schedule.to_string(), false)).collect());
}

fn schedule(text: &str) -> Option<Schedule> {
    Schedule::all().into_iter().find(|schedule| schedule.to_string() == text)
}

/// The steps that are taken under one lock.
type Locked = &'static [Step];

/// Every schedule of two threads that take these locks, and whether it does harm.
fn exhaust(locked: &'static [Locked]) -> BTreeSet<(String, bool)> {
    let seen = Arc::new(Notes::new(BTreeSet::new()));
    let notes = Arc::clone(&seen);
    let note = move || {
        notes.lock().unwrap().insert(noted(locked));
    };
    shuttle::check_dfs(note, None);
    let seen = seen.lock().unwrap();
    seen.clone()
}

/// One run: who took the steps, and whether somebody was told wrongly, the engine panicked or the position changed.
fn noted(locked: &'static [Locked]) -> (String, bool) {
    let duel = duel();
    let shared = Arc::new(Mutex::new((duel.start, String::new())));
    let askers = [Asker::A, Asker::B].map(|asker| {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            let (mut question, mut sound) = (Question::new(duel.moves[asker as usize]), true);
            for steps in locked {
                let (position, taken) = &mut *shared.lock().unwrap();
                for &step in *steps {
                    taken.push_str(&asker.to_string());
                    sound &= caught(|| question.take(step, position)).is_ok();
                }
            }
            sound && question.answer() == Some(true)
        })
    });
    let sound = askers.map(|asker| asker.join().unwrap()) == [true, true];
    let (position, taken) = &*shared.lock().unwrap();
    (taken.clone(), !sound || *position != duel.start)
}
