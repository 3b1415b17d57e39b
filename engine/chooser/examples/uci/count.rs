//! `go perft N`: counting that can be stopped.

use std::sync::atomic::{AtomicBool, Ordering};

use touchmove::{Move, Position, perft};

/// So deep the library counts in one go: it does not look at a flag, and is soon done.
const DEPTH_AT_ONCE: u32 = 3;

/// The number of paths behind each legal move; none if it was stopped.
pub(crate) fn divide(
    position: &Position,
    depth: u32,
    stop: &AtomicBool,
) -> Option<Vec<(Move, u64)>> {
    let Some(depth_below) = depth.checked_sub(1) else { return Some(Vec::new()) };
    let count = |mv| {
        let mut after = *position;
        let _kept = after.make(mv);
        Some((mv, count_paths(&mut after, depth_below, stop)?))
    };
    position.legal_moves().into_iter().map(count).collect()
}

fn count_paths(position: &mut Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= DEPTH_AT_ONCE {
        return Some(perft(position, depth));
    }
    let mut paths: u64 = 0;
    for mv in position.legal_moves() {
        let undo = position.make(mv);
        let below = count_paths(position, depth - 1, stop)?;
        paths = paths.checked_add(below).expect("fewer than 2^64 paths");
        position.unmake(mv, undo);
    }
    Some(paths)
}
