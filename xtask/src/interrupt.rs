//! Ctrl-C: the first asks the run to stop and say what it has, the second kills it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Starts listening. Where no handler can be set, Ctrl-C kills at once, as everywhere.
pub(crate) fn listen() {
    let stop = flag();
    let set = ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
    if let Err(error) = set {
        crate::console::status(format!("note: Ctrl-C will not be answered: {error}"));
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
