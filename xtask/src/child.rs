//! Child processes, each with all that it starts in a group of its own: waited for, and ended when nobody needs them.

use std::collections::BTreeSet;
use std::io::{self, PipeReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::interrupt;

/// How often a child is looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a child that was asked to end gets to do so with its own children.
const GRACE: Duration = Duration::from_secs(5);
/// How long it gets where we leave at once.
const LAST_BREATH: Duration = Duration::from_millis(300);

/// The groups of the children that run, by their leaders.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a command to its end, asking at every glance whether it is to stop. Then its group is asked to, and
/// ended where it does not. It reads nothing.
pub(crate) fn wait(command: &mut Command, stop: impl Fn() -> bool) -> io::Result<ExitStatus> {
    feed(command, b"", stop)
}

/// The same with something to read, which must fit into a pipe.
pub(crate) fn feed(
    command: &mut Command,
    input: &[u8],
    stop: impl Fn() -> bool,
) -> io::Result<ExitStatus> {
    let _answering = interrupt::answering();
    command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = {
        // Held until it is noted: nobody who leaves overlooks it.
        let mut running = running();
        let child = command.spawn()?;
        running.insert(child.id());
        child
    };
    if let Some(mut stdin) = child.stdin.take() {
        // One that does not read ends all the same.
        let _ = stdin.write_all(input);
    }
    let status = end_of(&mut child, stop);
    running().remove(&child.id());
    status
}

/// The same, and hears all that the command says into a pipe whose other end it holds.
pub(crate) fn listen(
    mut command: Command,
    mut said: PipeReader,
    input: &[u8],
    stop: impl Fn() -> bool,
    mut hear: impl FnMut(&[u8]) + Send,
) -> io::Result<ExitStatus> {
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(len @ 1..) = said.read(&mut buffer) {
                hear(&buffer[..len]);
            }
        });
        let status = feed(&mut command, input, stop);
        // Our copy of the other end goes with it: else the pipe would never close.
        drop(command);
        status
    })
}

fn end_of(child: &mut Child, stop: impl Fn() -> bool) -> io::Result<ExitStatus> {
    let mut stopped_at = None;
    loop {
        if let Some(status) = child.try_wait()? {
            if stopped_at.is_some() {
                signal::kill(child.id());
            }
            return Ok(status);
        }
        match stopped_at {
            None if stop() => {
                stopped_at = Some(Instant::now());
                signal::ask_to_end(child.id());
            }
            Some(since) if Instant::elapsed(&since) > GRACE => {
                signal::kill(child.id());
                let _ = child.kill();
            }
            _ => {}
        }
        thread::sleep(GLANCE);
    }
}

/// Ends every child of this process and all that they have started, for one that leaves at once.
pub(crate) fn end_all() {
    let running = running();
    if !running.is_empty() {
        running.iter().for_each(|&leader| signal::ask_to_end(leader));
        thread::sleep(LAST_BREATH);
        running.iter().for_each(|&leader| signal::kill(leader));
    }
}

#[cfg(unix)]
mod signal {
    use rustix::process::{Pid, Signal, kill_process_group};

    pub(super) fn ask_to_end(leader: u32) {
        send(leader, Signal::TERM);
    }

    pub(super) fn kill(leader: u32) {
        send(leader, Signal::KILL);
    }

    /// It fails only where nobody is left to end.
    fn send(leader: u32, signal: Signal) {
        let leader = leader.try_into().ok().and_then(Pid::from_raw);
        let _ = leader.map(|leader| kill_process_group(leader, signal));
    }
}

#[cfg(not(unix))]
mod signal {
    pub(super) fn ask_to_end(_: u32) {}

    pub(super) fn kill(_: u32) {}
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A grandchild writes as long as it lives, and its parent does not listen.
    fn noisy_family(file: &std::path::Path) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' TERM; (while :; do echo x >> $0; sleep 0.02; done) & wait"]);
        command.arg(file);
        command
    }

    #[test]
    fn who_is_stopped_takes_its_children_along() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("alive");
        let start = Instant::now();
        let stop = || start.elapsed() > Duration::from_millis(200);
        let status = wait(&mut noisy_family(&file), stop).unwrap();
        assert!(!status.success());
        let size = || std::fs::metadata(&file).unwrap().len();
        thread::sleep(Duration::from_millis(100));
        let (before, after) = (size(), {
            thread::sleep(Duration::from_millis(200));
            size()
        });
        assert_eq!(before, after, "nobody writes any more");
    }

    #[test]
    fn what_is_fed_is_read() {
        let mut command = Command::new("sh");
        command.args(["-c", "test \"$(cat)\" = e2e4"]);
        assert!(feed(&mut command, b"e2e4", || false).unwrap().success());
    }
}
