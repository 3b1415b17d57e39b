//! One position, many threads that ask it by trial, and no lock: undefined behaviour on purpose.
//!
//! Safe Rust refuses this program, so it needs `unsafe`, and so it stands apart: nothing links it, `cargo xtask races` runs
//! it as a child that may crash or hang, and judges nothing it says. Behind a lock the same program is
//! sound. That ThreadSanitizer tells the two apart is a step of the gate; the lock spins on an atomic, since the sanitizer
//! does not see into the locks of a standard library that was built without it.

use std::cell::UnsafeCell;
use std::hint;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use touchmove::{MoveList, Position};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const USAGE: &str = "usage: touchmove-raw-race unlocked|spin THREADS CALLS";

/// A position that says it can be shared.
struct Shared {
    position: UnsafeCell<Position>,
    is_taken: AtomicBool,
    is_locked: bool,
}

// SAFETY: with `is_locked` one thread at a time reaches the position. Without it there is no proof, for it is not sound:
// that is what this program is for.
unsafe impl Sync for Shared {}

impl Shared {
    fn legal_moves_by_trial(&self) -> MoveList {
        let _held = self.is_locked.then(|| SpinLock::take(&self.is_taken));
        // SAFETY: with the lock held nobody else has a reference. Without it others have: undefined behaviour.
        unsafe { &mut *self.position.get() }.legal_moves_by_trial()
    }
}

/// Holds the lock as long as it lives, a panic included.
struct SpinLock<'a>(&'a AtomicBool);

impl<'a> SpinLock<'a> {
    fn take(is_taken: &'a AtomicBool) -> SpinLock<'a> {
        while is_taken.swap(true, Ordering::Acquire) {
            hint::spin_loop();
            thread::yield_now();
        }
        SpinLock(is_taken)
    }
}

impl Drop for SpinLock<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [way, threads, calls] = arguments.as_slice() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match (way.as_str(), threads.parse(), calls.parse()) {
        ("unlocked", Ok(threads), Ok(calls)) => race(false, threads, calls),
        ("spin", Ok(threads), Ok(calls)) => race(true, threads, calls),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Prints the calls, the panics, the wrong answers, whether the position is the same afterwards, and the seconds.
fn race(is_locked: bool, threads: u16, calls: u32) {
    panic::set_hook(Box::new(|_| {}));
    let start: Position = KIWIPETE.parse().expect("Kiwipete is a position");
    let right = { start }.legal_moves_by_trial();
    let shared =
        Shared { position: UnsafeCell::new(start), is_taken: AtomicBool::new(false), is_locked };
    let began = Instant::now();
    let counts = thread::scope(|scope| {
        let askers: Vec<_> =
            (0..threads).map(|_| scope.spawn(|| ask(&shared, &right, calls))).collect();
        askers.into_iter().map(|asker| asker.join().unwrap_or_default()).collect::<Vec<_>>()
    });
    let seconds = began.elapsed().as_secs_f64();
    let panics: u64 = counts.iter().map(|&(panics, _)| panics).sum();
    let wrong: u64 = counts.iter().map(|&(_, wrong)| wrong).sum();
    let same = shared.position.into_inner() == start;
    println!("{} {panics} {wrong} {same} {seconds}", u64::from(threads) * u64::from(calls));
}

/// How many calls of one thread panicked, and how many were answered wrongly.
fn ask(shared: &Shared, right: &MoveList, calls: u32) -> (u64, u64) {
    let (mut panics, mut wrong) = (0, 0);
    for _ in 0..calls {
        match panic::catch_unwind(AssertUnwindSafe(|| shared.legal_moves_by_trial())) {
            Ok(moves) => wrong += u64::from(moves != *right),
            Err(_) => panics += 1,
        }
    }
    (panics, wrong)
}
