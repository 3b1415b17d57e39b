//! Panics of the engine, caught and told: where it panics, it gives no answer that could be compared.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use touchmove::{Move, MoveList, Position};

use super::{Parting, Verdict};
use crate::generators::Steps;

/// The name under which a panic is told.
pub(crate) const PANIC: &str = "panic";

thread_local! {
    /// How many times over this thread is being caught.
    static CATCHING: Cell<u32> = const { Cell::new(0) };
    /// Where it panicked last.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Does the work; where it panics, in words where and why, and nothing is printed.
///
/// # Errors
///
/// The place and the message of the panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| match CATCHING.get() {
            0 => before(panic),
            _ => {
                PLACE.set(panic.location().map(|place| format!(" at {place}")).unwrap_or_default())
            }
        }));
    });
    CATCHING.set(CATCHING.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(CATCHING.get() - 1);
    outcome.map_err(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
        format!("panicked{}: {}", PLACE.take(), message.unwrap_or("without a word"))
    })
}

/// Has a game judged; a panic on the way is a divergence as well, after the moves that led there.
pub fn guarded<S: Steps>(steps: S, judge: impl FnOnce(&mut dyn Steps) -> Verdict) -> Verdict {
    let start = steps.start();
    let mut noted = Noted { steps, moves: Vec::new() };
    caught(|| judge(&mut noted)).unwrap_or_else(|told| of_panic(start, noted.moves, told))
}

/// What is told of a panic.
pub fn of_panic(start: Position, moves: Vec<Move>, told: String) -> Verdict {
    Parting { oracle: PANIC, expected: String::from("an answer"), got: told }.after(start, moves)
}

/// Steps, and the moves they have given so far.
struct Noted<S> {
    steps: S,
    moves: Vec<Move>,
}

impl<S: Steps> Steps for Noted<S> {
    fn start(&self) -> Position {
        self.steps.start()
    }

    fn next_move(&mut self, position: &Position, legal: &MoveList) -> Option<Move> {
        let mv = self.steps.next_move(position, legal)?;
        self.moves.push(mv);
        Some(mv)
    }
}
