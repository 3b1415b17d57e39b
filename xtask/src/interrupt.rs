//! Ctrl-C: the first asks the run to stop and say what it has, the second kills it.
//!
//! Where nobody is there to answer the first, it kills as well: a run that waits for a pipe to be
//! written has nothing to say yet.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use touchmove_oracles::referees::end_all_engines;

use crate::child;
use crate::verdict::Verdict;

static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static FOUND: AtomicBool = AtomicBool::new(false);
static ANSWERING: AtomicUsize = AtomicUsize::new(0);

/// Starts listening. Where no handler can be set, Ctrl-C kills at once, as everywhere.
pub(crate) fn listen() {
    let stop = flag();
    let set = ctrlc::set_handler(move || {
        let is_second = stop.swap(true, Ordering::SeqCst);
        if is_second || ANSWERING.load(Ordering::SeqCst) == 0 {
            leave(Verdict::Interrupted);
        }
    });
    if let Err(error) = set {
        crate::console::status(format!("note: Ctrl-C will not be answered: {error}"));
    }
}

/// Ends the process, and with it the engines and all children. A find that was told before is not forgotten.
pub(crate) fn leave(verdict: Verdict) -> ! {
    end_all_engines();
    child::end_all();
    let found = if FOUND.load(Ordering::SeqCst) { Verdict::Fail } else { Verdict::Pass };
    std::process::exit(verdict.max(found).exit_code().into());
}

/// A divergence is on disk: from now on the process fails, however it ends.
pub(crate) fn found() {
    FOUND.store(true, Ordering::SeqCst);
}

/// Somebody looks at [`is_interrupted`] again and again, as long as this lives.
pub(crate) struct Answering(());

/// Promises to answer Ctrl-C.
pub(crate) fn answering() -> Answering {
    ANSWERING.fetch_add(1, Ordering::SeqCst);
    Answering(())
}

impl Drop for Answering {
    fn drop(&mut self) {
        ANSWERING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether the run was asked to stop.
pub(crate) fn is_interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// The flag itself, for those who wait elsewhere.
pub(crate) fn flag() -> Arc<AtomicBool> {
    Arc::clone(&STOP)
}
