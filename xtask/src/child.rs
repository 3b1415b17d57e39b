//! Child processes: waited for, and asked to end when nobody needs them any more.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::interrupt;

/// How often a child is looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a child gets to end by itself. At a terminal it was told by the same Ctrl-C.
const GRACE: Duration = Duration::from_secs(1);

/// Runs a command to its end, asking at every glance whether it is to stop. One that does not stop by itself
/// is asked to.
pub(crate) fn wait(command: &mut Command, stop: impl Fn() -> bool) -> io::Result<ExitStatus> {
    let _answering = interrupt::answering();
    let mut child = command.stdin(Stdio::null()).spawn()?;
    let mut asked_to_end = false;
    let mut stopped_at = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if stop() {
            let since = *stopped_at.get_or_insert_with(Instant::now);
            if !asked_to_end && since.elapsed() > GRACE {
                asked_to_end = true;
                ask_to_end(&mut child);
            }
        }
        std::thread::sleep(GLANCE);
    }
}

#[cfg(unix)]
fn ask_to_end(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    // It fails only where the child has just ended.
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
}

#[cfg(not(unix))]
fn ask_to_end(child: &mut Child) {
    let _ = child.kill();
}
