//! One run of one way: threads ask, panics are counted, and nobody waits for who hangs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier, mpsc};
use std::time::{Duration, Instant};

use touchmove::{MoveList, Position};
use touchmove_oracles::oracles::caught;

use super::way::{Shared, Yields};
use crate::{crew, interrupt};

/// A call takes some microseconds, a torn board and other people's work included; where none ends for so long, it hangs.
const CALL_MAX: Duration = Duration::from_secs(20);

/// How many threads ask how often.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) threads: u16,
    pub(super) calls: u32,
}

/// What came of a run.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Count {
    pub(super) calls: u64,
    pub(super) panics: u64,
    pub(super) wrong: u64,
}

impl Count {
    pub(super) fn add(&mut self, other: Count) {
        self.calls += other.calls;
        self.panics += other.panics;
        self.wrong += other.wrong;
    }
}

/// A run that has ended.
pub(super) struct Round {
    pub(super) count: Count,
    /// Whether every field of the position is as before; unknown where a thread still asks.
    pub(super) is_same: Option<bool>,
    pub(super) took: Duration,
    /// No call ended for a long time.
    pub(super) hangs: bool,
    /// Every thread has made all its calls.
    pub(super) is_whole: bool,
}

impl Round {
    /// Whether something went wrong.
    pub(super) fn is_corrupt(&self) -> bool {
        let Count { panics, wrong, .. } = self.count;
        self.hangs || panics > 0 || wrong > 0 || self.is_same == Some(false)
    }
}

/// What every answer must be, and the position afterwards.
#[derive(Clone)]
pub(super) struct Right {
    pub(super) moves: MoveList,
    pub(super) position: Position,
}

/// What the threads of a run have in common.
struct Asked {
    shared: Shared,
    right: Right,
    calls: u32,
    together: Barrier,
    ended: AtomicU64,
    is_over: AtomicBool,
}

/// Has threads ask, and waits for them as long as calls end. It fails where there cannot be so many threads; those that wait for the
/// others are left behind.
pub(super) fn run(shared: Shared, right: Right, size: Size, seed: u64) -> anyhow::Result<Round> {
    let asked = Arc::new(Asked {
        shared,
        right,
        calls: size.calls,
        together: Barrier::new(usize::from(size.threads)),
        ended: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
    });
    let (sender, counts) = mpsc::channel();
    let began = Instant::now();
    for thread in 0..u64::from(size.threads) {
        let (asked, sender) = (Arc::clone(&asked), sender.clone());
        let yields = Yields::new(seed ^ thread << 32);
        // Not joined: one that hangs is left behind.
        crew::hire(move || {
            let count = asked.by_one_thread(yields);
            // Nobody listens any more when the run was given up.
            let _ = sender.send(count);
        })?;
    }
    drop(sender);
    Ok(asked.gather(size, &counts, began))
}

impl Asked {
    fn by_one_thread(&self, mut yields: Yields) -> Count {
        let mut count = Count::default();
        self.together.wait();
        while count.calls < u64::from(self.calls) && !self.is_over.load(Ordering::Relaxed) {
            match caught(|| self.shared.ask(&mut yields)) {
                Ok(moves) => count.wrong += u64::from(moves != self.right.moves),
                Err(_) => count.panics += 1,
            }
            count.calls += 1;
            self.ended.fetch_add(1, Ordering::Relaxed);
        }
        count
    }

    fn gather(&self, size: Size, counts: &mpsc::Receiver<Count>, began: Instant) -> Round {
        let (mut count, mut finished) = (Count::default(), 0);
        let (mut ended, mut since, mut hangs) = (0, began, false);
        crew::receive_while(counts, |result| {
            if let Some(of_thread) = result {
                count.add(of_thread);
                finished += 1;
            }
            if self.ended.load(Ordering::Relaxed) > ended {
                (ended, since) = (self.ended.load(Ordering::Relaxed), Instant::now());
            }
            hangs = since.elapsed() > CALL_MAX;
            if hangs || interrupt::is_interrupted() {
                self.is_over.store(true, Ordering::Relaxed);
            }
            !hangs
        });
        let is_quiet = finished == size.threads;
        Round {
            count,
            is_same: is_quiet.then(|| self.shared.position() == self.right.position),
            took: began.elapsed(),
            hangs,
            is_whole: is_quiet && count.calls == u64::from(size.threads) * u64::from(size.calls),
        }
    }
}
