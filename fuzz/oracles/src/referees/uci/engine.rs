//! The child process of an engine: its start, questions, answers in time, and its end. What a
//! line says, what a move means, and what follows from a failure is known elsewhere.

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use touchmove::{Move, MoveList, UciMode};

use super::answer::{Answer, names_chess960};
use super::command::UciCommand;
use super::pipes::{keep_last_lines, push_last, quote_lines, read_lines, write_lines};
use super::placement::Placement;

/// How often a silent engine is looked at, whether it still lives.
const GLANCE: Duration = Duration::from_millis(50);
/// How long the end of a process that was killed is waited for.
const BURIAL: Duration = Duration::from_secs(1);

/// The process groups of the engines that run, by their leaders.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Ends every engine of this process, for one that leaves without dropping its referees.
pub fn end_all_engines() {
    for &leader in running().iter() {
        kill_group(leader);
    }
}

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // It fails only where nobody is left to end.
    let _ = leader
        .try_into()
        .ok()
        .and_then(Pid::from_raw)
        .map(|leader| kill_process_group(leader, Signal::KILL));
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// One answer: each move as text and as a move, with its count.
pub(super) type Counts = Vec<(Move, String, u64)>;

/// A running engine. Dropped, it is ended with its whole process group.
#[derive(Debug)]
pub(super) struct Engine {
    child: Child,
    /// Lines for its standard input; a thread writes them, for a pipe that is full would block us.
    questions: SyncSender<String>,
    /// Lines of its standard output.
    lines: Receiver<String>,
    /// The last lines it said, and its last complaints.
    said: VecDeque<String>,
    complaints: Arc<Mutex<VecDeque<String>>>,
    complaining: JoinHandle<()>,
    pub(super) plays_chess960: bool,
    /// Its process is gone, and the number of its group no longer ours.
    buried: bool,
    /// Nobody wants an answer any more.
    stop: Arc<AtomicBool>,
}

impl Engine {
    /// Starts the program and shakes hands: `uci`, `uciok`.
    pub(super) fn start(command: &UciCommand, stop: &Arc<AtomicBool>) -> Result<Engine, String> {
        let mut engine = Engine::spawn(command, stop)
            .map_err(|error| format!("cannot start `{}`: {}", command.program(), plain(&error)))?;
        let deadline = Deadline::after(command.handshake);
        engine.send("uci", &deadline)?;
        while let line = engine.line("uci", &deadline)?
            && line.trim() != "uciok"
        {
            engine.plays_chess960 |= names_chess960(&line);
        }
        Ok(engine)
    }

    fn spawn(command: &UciCommand, stop: &Arc<AtomicBool>) -> io::Result<Engine> {
        let mut builder = Command::new(command.program());
        builder.args(command.args());
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: so its children can be ended with it, and Ctrl-C reaches only us.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        let mut child = builder.spawn()?;
        running().insert(child.id());
        let (Some(input), Some(output), Some(complaint)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three are piped");
        };
        let complaints = Arc::default();
        Ok(Engine {
            child,
            questions: write_lines(input),
            lines: read_lines(output),
            said: VecDeque::new(),
            complaining: keep_last_lines(complaint, Arc::clone(&complaints)),
            complaints,
            plays_chess960: false,
            buried: false,
            stop: Arc::clone(stop),
        })
    }

    /// Chooses how castling is written and waits until the engine is ready.
    pub(super) fn prepare(&mut self, mode: UciMode, timeout: Duration) -> Result<(), String> {
        let deadline = Deadline::after(timeout);
        if self.plays_chess960 {
            let value = mode == UciMode::Chess960;
            self.send(&format!("setoption name UCI_Chess960 value {value}"), &deadline)?;
        }
        self.send("ucinewgame", &deadline)?;
        self.synchronise(&deadline)
    }

    /// Passes over what is left of earlier answers.
    fn synchronise(&mut self, deadline: &Deadline) -> Result<(), String> {
        self.send("isready", deadline)?;
        while self.line("isready", deadline)?.trim() != "readyok" {}
        Ok(())
    }

    pub(super) fn perft(
        &mut self,
        position: &str,
        depth: u32,
        timeout: Duration,
        placement: &Placement,
        mode: UciMode,
    ) -> Result<Counts, String> {
        let deadline = Deadline::after(timeout);
        let question = format!("go perft {depth}");
        self.said.clear(); // last words are of this answer
        self.send(position, &deadline)?;
        self.send(&question, &deadline)?;
        let mut counts = Counts::new();
        let total = loop {
            let line = self.line(&question, &deadline)?;
            match Answer::read(&line) {
                Answer::Total(total) => break total,
                Answer::Count(text, nodes) => {
                    let mv = placement.read_move(text, mode);
                    let mv = mv.ok_or_else(|| {
                        self.failure(&format!("`{text}` is no move here in {mode} mode"))
                    })?;
                    self.expect_new(mv, text, &counts)?;
                    counts.push((mv, text.to_string(), nodes));
                }
                Answer::Search => {
                    return Err(self.failure(&format!("took `{question}` for a search")));
                }
                Answer::Other => {}
            }
        };
        self.expect_sum(&counts, total)?;
        self.synchronise(&deadline)?;
        Ok(counts)
    }

    fn expect_new(&mut self, mv: Move, text: &str, counts: &Counts) -> Result<(), String> {
        if counts.iter().any(|(other, ..)| *other == mv) {
            return Err(self.failure(&format!("lists {text} twice")));
        }
        // Each move is there once, but a flood could bring all 16-bit moves there are.
        if counts.len() >= MoveList::CAPACITY {
            return Err(self.failure("lists more moves than any position has"));
        }
        Ok(())
    }

    fn expect_sum(&mut self, counts: &Counts, total: u64) -> Result<(), String> {
        let sum: u128 = counts.iter().map(|(.., nodes)| u128::from(*nodes)).sum();
        if sum == u128::from(total) {
            return Ok(());
        }
        Err(self.failure(&format!("its counts add up to {sum}, its total is {total}")))
    }

    /// Writes a line.
    fn send(&mut self, line: &str, deadline: &Deadline) -> Result<(), String> {
        match self.questions.try_send(format!("{line}\n")) {
            Ok(()) => Ok(()),
            Err(mpsc::TrySendError::Full(_)) => Err(self.failure("does not read its questions")),
            // It closed its input. If it ended, its output says so, and how.
            Err(mpsc::TrySendError::Disconnected(_)) => loop {
                self.line(line, deadline)?;
            },
        }
    }

    /// The next line of the answer to a question.
    fn line(&mut self, question: &str, deadline: &Deadline) -> Result<String, String> {
        let mut ended = false;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(self.failure(&format!("interrupted, `{question}` unanswered")));
            }
            // Asked in every round: an engine that never stops talking runs out of time as well.
            let Some(left) = deadline.left() else {
                let limit = deadline.limit;
                return Err(self.failure(&format!("no answer to `{question}` within {limit:?}")));
            };
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => {
                    push_last(&mut self.said, line.clone());
                    return Ok(line);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.await_end();
                    return Err(self.failure(&format!("no more output, `{question}` unanswered")));
                }
                // A child of its own may hold the pipe open: then there is no end to read. What is
                // still in the pipe gets one more glance of time.
                Err(RecvTimeoutError::Timeout) if ended => {
                    return Err(self.failure(&format!("ended, `{question}` unanswered")));
                }
                Err(RecvTimeoutError::Timeout) => ended = self.has_ended(),
            }
        }
    }

    /// Ends the engine and tells its last words after what is wrong.
    fn failure(&mut self, what: &str) -> String {
        let status = self.end();
        let until = Instant::now() + GLANCE;
        while !self.complaining.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let mut words = what.to_string();
        if let Some(status) = status {
            words.push_str(&format!("; {status}"));
        }
        words.push_str(&quote_lines("last output", &self.said));
        words.push_str(&quote_lines("last errors", &complaints));
        words
    }

    /// Whether the program itself has ended, its own children aside. It is not buried yet, so that
    /// the number of its group cannot become somebody else's.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    #[cfg(unix)]
    fn kill(&mut self) {
        kill_group(self.child.id());
    }

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _ = self.child.kill();
    }

    /// Gives a program that closed its output the time to end by itself.
    fn await_end(&mut self) {
        let until = Instant::now() + GLANCE;
        while !self.has_ended() && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends the process group. The status is that of a program that had ended by itself.
    fn end(&mut self) -> Option<ExitStatus> {
        if self.buried {
            return None;
        }
        let by_itself = self.has_ended();
        self.kill();
        self.buried = true;
        // Before it is reaped: afterwards its number may be somebody else's.
        running().remove(&self.child.id());
        let until = Instant::now() + BURIAL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return by_itself.then_some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.end();
    }
}

/// The end of the time an answer has.
struct Deadline {
    limit: Duration,
    /// None where the limit is beyond what the clock can say.
    at: Option<Instant>,
}

impl Deadline {
    fn after(limit: Duration) -> Deadline {
        Deadline { limit, at: Instant::now().checked_add(limit) }
    }

    /// The time that is left, if any is.
    fn left(&self) -> Option<Duration> {
        let Some(at) = self.at else { return Some(Duration::MAX) };
        at.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }
}

/// The message of the system without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
}
