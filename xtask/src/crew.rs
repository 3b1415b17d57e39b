//! Work done by all cores: results taken as they come, progress told, Ctrl-C answered.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::console::Progress;
use crate::interrupt;
use crate::job::Job;

/// How often the printing thread looks up.
const GLANCE: Duration = Duration::from_millis(50);
/// How long the workers get to stop after Ctrl-C, so that engines are ended too. A library in the middle
/// of a long count cannot be stopped, only left behind.
const LAST_BREATH: Duration = Duration::from_millis(700);

/// Does the work for each job, prints each result in its turn, and returns them by the number of the
/// job; those of an interrupted run may be fewer.
///
/// `nodes` tells for the progress what was counted so far.
pub(crate) fn work_on<T: Send + 'static>(
    jobs: &Arc<Vec<Job>>,
    pool: ThreadPool,
    work: impl Fn(&Job) -> T + Send + Sync + 'static,
    nodes: impl Fn() -> u64,
    print: impl Fn(&Job, &T),
) -> BTreeMap<usize, T> {
    let results = start(Arc::clone(jobs), pool, work);
    let mut progress = Progress::of_positions(jobs.len());
    let mut done = BTreeMap::new();
    let mut printed = 0;
    receive(&results, |result| {
        done.extend(result);
        while let Some(result) = done.get(&printed) {
            progress.pause(|| print(&jobs[printed], result));
            printed += 1;
        }
        progress.tell(done.len() as u64, nodes());
    });
    progress.finish();
    for (&index, result) in done.range(printed..) {
        print(&jobs[index], result);
    }
    done
}

/// Starts a thread that nobody joins. It fails where the system has no room for one more.
pub(crate) fn hire(work: impl FnOnce() + Send + 'static) -> anyhow::Result<()> {
    thread::Builder::new().spawn(work).context("cannot start the threads")?;
    Ok(())
}

/// Hands results on as they come, and nothing now and then, until there are no more. After Ctrl-C it waits
/// for those who can still stop.
pub(crate) fn receive<T>(results: &Receiver<T>, mut take: impl FnMut(Option<T>)) {
    receive_while(results, |result| {
        take(result);
        true
    });
}

/// The same, until nobody wants more.
pub(crate) fn receive_while<T>(results: &Receiver<T>, mut take: impl FnMut(Option<T>) -> bool) {
    let _answering = interrupt::answering();
    let mut interrupted_at = None;
    loop {
        let wants_more = match results.recv_timeout(GLANCE) {
            Ok(result) => take(Some(result)),
            Err(RecvTimeoutError::Timeout) => take(None),
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if !wants_more {
            return;
        }
        if interrupt::is_interrupted() {
            let since = *interrupted_at.get_or_insert_with(Instant::now);
            if since.elapsed() > LAST_BREATH {
                return;
            }
        }
    }
}

fn start<T: Send + 'static>(
    jobs: Arc<Vec<Job>>,
    pool: ThreadPool,
    work: impl Fn(&Job) -> T + Send + Sync + 'static,
) -> Receiver<(usize, T)> {
    let (sender, receiver) = mpsc::channel();
    // Not joined: after Ctrl-C it may be left behind.
    std::thread::spawn(move || {
        pool.install(|| {
            jobs.iter().enumerate().par_bridge().for_each(|(index, job)| {
                if !interrupt::is_interrupted() {
                    // Nobody listens any more when the run was interrupted.
                    let _ = sender.send((index, work(job)));
                }
            });
        });
    });
    receiver
}
