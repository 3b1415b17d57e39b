//! What sharing costs: two readers beside one, without a lock and through a table.

use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use touchmove::{Game, MoveList, Position, Table};

use crate::bench::median;
use crate::console::{self, Format, quantity};
use crate::interrupt;

/// How often each number of readers is timed; the median is told.
const LAPS: u16 = 5;
/// How long a lap is.
const LAP: Duration = Duration::from_millis(200);
/// How many calls are made between two looks at the clock.
const CALLS_AT_A_TIME: u64 = 256;

/// Calls per second of one reader and of two.
struct Pace {
    one: f64,
    two: f64,
    ratio: f64,
}

/// Times readers and prints what came of it; nothing depends on it.
pub(super) fn report(start: &Position, format: Format) {
    let table = Table::new(Game::new(*start));
    let readers = [
        ("legal_moves(&self), no lock", pace(|| start.legal_moves())),
        ("the same through a Table", pace(|| table.legal_moves())),
    ];
    if interrupt::is_interrupted() {
        return;
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if format == Format::Human {
        console::result(format!(
            "\nTwo readers beside one, calls per second, median of {LAPS}, {cores} cores"
        ));
        console::result(format!("{:<38}{:>12}{:>12}{:>8}", "way", "one", "two", "ratio"));
    }
    for (name, Pace { one, two, ratio }) in readers {
        match format {
            Format::Human => console::result(format!(
                "{name:<38}{:>12}{:>12}{ratio:>8.2}",
                quantity(one as u64),
                quantity(two as u64)
            )),
            Format::Json => console::json(&json!({
                "type": "scaling", "way": name, "cores": cores, "one_reader": one, "two_readers": two,
                "ratio": ratio,
            })),
        }
    }
}

/// One reader and two in turns; the ratio is that of neighbours in time.
fn pace(ask: impl Fn() -> MoveList + Sync) -> Pace {
    let laps: Vec<[f64; 2]> = (0..LAPS).map(|_| [1, 2].map(|readers| lap(readers, &ask))).collect();
    Pace {
        one: median(laps.iter().map(|[one, _]| *one)),
        two: median(laps.iter().map(|[_, two]| *two)),
        ratio: median(laps.iter().map(|[one, two]| two / one)),
    }
}

/// Calls per second of so many readers together.
fn lap(readers: usize, ask: &(impl Fn() -> MoveList + Sync)) -> f64 {
    let together = Barrier::new(readers);
    thread::scope(|scope| {
        let read = || {
            together.wait();
            let (began, mut calls) = (Instant::now(), 0);
            while began.elapsed() < LAP && !interrupt::is_interrupted() {
                for _ in 0..CALLS_AT_A_TIME {
                    black_box(ask());
                }
                calls += CALLS_AT_A_TIME;
            }
            calls as f64 / began.elapsed().as_secs_f64()
        };
        let readers: Vec<_> = (0..readers).map(|_| scope.spawn(read)).collect();
        readers.into_iter().map(|reader| reader.join().expect("reading does not panic")).sum()
    })
}
