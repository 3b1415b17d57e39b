//! The checks that faults are held against: their names, what each can see, and how each is run in a copy of the tree.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use serde_json::Value;
use touchmove_oracles::checks::CHECKS;

use super::catalogue::Kind;
use super::guided::{self, GUIDED};
use crate::{child, interrupt};

/// The row of the tree without a fault.
pub(super) const CLEAN: &str = "clean";
/// The tests of the engine, which come before all other checks: its unit tests, those through its public API, and
/// the catalogue of reported faults.
pub(super) const TESTS: [&str; 3] = ["unit", "rules", "reported"];
/// How long tests may take; they take some seconds. Longer, and they hang.
const TESTS_MAX: Duration = Duration::from_secs(600);
/// So much of what a process says last is kept, in bytes.
const SAID_MAX: usize = 1 << 23;
/// How much memory a program with a fault in it may take, in KiB: checks take some hundred MiB.
#[cfg(unix)]
const MEMORY_MAX_KIB: u64 = 4 << 20;
/// How much longer than asked for a check may take before it hangs.
const GRACE: Duration = Duration::from_secs(90);

/// The names of all checks, from cheap to dear.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TESTS.into_iter().chain(CHECKS.iter().map(|check| check.name)).chain([GUIDED])
}

/// The checks that can see such a fault.
pub(super) fn seers(kind: Kind) -> impl Iterator<Item = &'static str> {
    names().filter(move |name| sees(kind, name))
}

/// Whether a check depends on a seed.
pub(super) fn is_random(name: &str) -> bool {
    CHECKS.iter().any(|check| check.name == name && check.is_random)
}

/// Whether a check can see such a fault at all. Where it cannot, nothing follows from its silence.
pub(super) fn sees(kind: Kind, check: &str) -> bool {
    let seers: &[&str] = match kind {
        Kind::Moves | Kind::Shapes => {
            &["perft", "state", "symmetry", "counts", "codes", "san", "soak"]
        }
        Kind::Trial => &["perft", "unmake", "state", "counts", "soak"],
        Kind::Make => &["perft", "unmake", "state", "keys", "symmetry", "counts", "soak"],
        Kind::Unmake => &["perft", "unmake", "state", "counts", "soak"],
        Kind::Null => &["unmake", "soak"],
        Kind::Key => &["unmake", "state", "keys", "arbiter", "soak"],
        Kind::Legality => &["state", "codes", "arbiter", "soak"],
        Kind::Game => &["state", "arbiter", "soak"],
        Kind::Table => &["races"],
        Kind::Counting => &["perft", "counts", "soak"],
        Kind::San => &["san", "pgn", "arbiter", "soak"],
        Kind::Uci => &["text", "arbiter"],
        Kind::Fen => &["text", "state", "soak"],
        Kind::Epd => &["text"],
        Kind::Pgn => &["pgn"],
    };
    if check == GUIDED {
        return !guided::targets_of(Some(kind)).is_empty();
    }
    // Tests and past inputs are of every kind.
    let of_every_kind = TESTS.contains(&check) || check == "replay";
    of_every_kind || seers.contains(&check)
}

/// What came of a check.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Outcome {
    /// It raised something, in words.
    Caught(String, Measure),
    /// It found nothing in its time.
    Censored(Measure),
    /// It could not be run.
    Unknown(String),
}

/// How far a check got until then.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Measure {
    pub(super) seconds: f64,
    /// How much was done, and in what: nodes, inputs, games, tests.
    pub(super) done: u64,
    pub(super) unit: String,
    /// The depth of a wrong count, or of the deepest that was right everywhere.
    pub(super) depth: Option<u64>,
}

/// How a process ended, and what it said.
pub(super) struct Ended {
    /// The last of it.
    pub(super) said: String,
    /// None for one that a signal ended.
    pub(super) code: Option<i32>,
    /// Ended by somebody else than itself or us: by hand, or where memory is short.
    pub(super) is_killed: bool,
    pub(super) how: String,
    pub(super) took: Duration,
}

/// Runs a command to its end or its limit, and keeps what it says.
pub(super) fn run(mut command: Command, limit: Duration) -> io::Result<Ended> {
    let (reader, writer) = io::pipe()?;
    command.stdout(writer);
    let (start, mut said) = (Instant::now(), Vec::new());
    let was_late = Cell::new(false);
    let stop = || {
        was_late.set(start.elapsed() > limit);
        was_late.get() || interrupt::is_interrupted()
    };
    let status = child::listen(command, reader, b"", stop, |bytes| {
        said.extend(bytes);
        if said.len() > 2 * SAID_MAX {
            said.drain(..said.len() - SAID_MAX);
        }
    })?;
    let is_late = was_late.get() && !status.success();
    Ok(Ended {
        said: String::from_utf8_lossy(&said).into_owned(),
        code: status.code(),
        is_killed: !is_late && was_killed(status),
        how: match is_late {
            true => format!("no end within {} s", limit.as_secs()),
            false => status.to_string(),
        },
        took: start.elapsed(),
    })
}

#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt;
    let by_others = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP];
    status.signal().is_some_and(|signal| by_others.iter().any(|other| other.as_raw() == signal))
}

#[cfg(not(unix))]
fn was_killed(_: ExitStatus) -> bool {
    false
}

/// A program with a fault in it: one that eats memory ends itself, and nobody else.
#[cfg(unix)]
pub(super) fn with_little_memory(program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY_MAX_KIB}; exec \"$0\" \"$@\"")]).arg(program);
    command
}

#[cfg(not(unix))]
pub(super) fn with_little_memory(program: &Path) -> Command {
    Command::new(program)
}

/// One of the checks of `touchmove_oracles::checks`, run by the program `check` of a copy.
pub(super) fn run_check(
    program: &Path,
    name: &str,
    seed: u64,
    time: Duration,
) -> io::Result<Outcome> {
    let mut command = with_little_memory(program);
    command.args(["run", name, &seed.to_string(), &time.as_millis().to_string()]);
    command.stderr(std::process::Stdio::null());
    Ok(outcome_of_check(&run(command, time + GRACE)?))
}

fn outcome_of_check(ended: &Ended) -> Outcome {
    let seconds = ended.took.as_secs_f64();
    if ended.is_killed {
        return Outcome::Unknown(format!("ended by somebody else: {}", ended.how));
    }
    match (ended.code, serde_json::from_str::<Value>(&ended.said)) {
        (Some(0), Ok(told)) => {
            let measure = Measure {
                seconds: told["seconds"].as_f64().unwrap_or(seconds),
                done: told["done"].as_u64().unwrap_or(0),
                unit: told["unit"].as_str().unwrap_or_default().to_string(),
                depth: told["depth"].as_u64(),
            };
            match told["find"].as_str() {
                Some(find) => Outcome::Caught(find.to_string(), measure),
                None if measure.done == 0 => Outcome::Unknown(String::from("nothing was done")),
                None => Outcome::Censored(measure),
            }
        }
        (Some(0 | 2), _) => Outcome::Unknown(ended.how.clone()),
        // It crashed or hangs, which nobody overlooks.
        _ => Outcome::Caught(ended.how.clone(), Measure { seconds, ..Measure::default() }),
    }
}

/// Test programs one after another, up to the first that fails.
pub(super) fn run_tests(programs: &[PathBuf], folder: &Path) -> io::Result<Outcome> {
    let mut measure = Measure { unit: String::from("tests"), ..Measure::default() };
    for program in programs {
        let mut command = with_little_memory(program);
        command.current_dir(folder).stderr(std::process::Stdio::null());
        let ended = run(command, TESTS_MAX)?;
        measure.seconds += ended.took.as_secs_f64();
        measure.done += tests_run(&ended.said);
        if ended.is_killed {
            return Ok(Outcome::Unknown(format!("ended by somebody else: {}", ended.how)));
        }
        if ended.code != Some(0) {
            let find = failed_test(&ended.said).unwrap_or(ended.how);
            return Ok(Outcome::Caught(find, measure));
        }
    }
    Ok(match measure.done {
        0 => Outcome::Unknown(String::from("no test was run")),
        _ => Outcome::Censored(measure),
    })
}

fn tests_run(said: &str) -> u64 {
    let of_line = |line: &str| line.strip_prefix("running ")?.split(' ').next()?.parse().ok();
    said.lines().find_map(of_line).unwrap_or(0)
}

fn failed_test(said: &str) -> Option<String> {
    let of_line = |line: &str| {
        let name = line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?;
        Some(name.to_string())
    };
    said.lines().find_map(of_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(said: &str, code: Option<i32>) -> Ended {
        let how = String::from("signal: 11");
        let took = Duration::from_secs(2);
        Ended { said: said.to_string(), code, is_killed: false, how, took }
    }

    #[test]
    fn a_crash_and_a_hang_are_caught() {
        let measure = Measure { seconds: 2.0, ..Measure::default() };
        let caught = Outcome::Caught(String::from("signal: 11"), measure);
        assert_eq!(outcome_of_check(&ended("", None)), caught);
        assert_eq!(outcome_of_check(&ended("", Some(101))), caught);
    }

    #[test]
    fn a_check_that_could_not_begin_says_nothing_of_the_fault() {
        let unknown = Outcome::Unknown(String::from("signal: 11"));
        assert_eq!(outcome_of_check(&ended("", Some(2))), unknown);
    }

    /// By the one who frees memory, say: it is not the fault's doing, or nobody knows.
    #[test]
    fn who_was_killed_has_caught_nothing() {
        let killed = Ended { is_killed: true, ..ended("", None) };
        assert!(matches!(outcome_of_check(&killed), Outcome::Unknown(_)));
    }

    #[test]
    fn a_check_that_did_nothing_says_nothing() {
        let said = r#"{"find":null,"done":0,"unit":"games","depth":null,"seconds":0.0}"#;
        assert!(matches!(outcome_of_check(&ended(said, Some(0))), Outcome::Unknown(_)));
    }

    #[cfg(unix)]
    #[test]
    fn how_a_program_ends_is_told_from_how_it_is_ended() {
        let run = |script: &str| {
            let mut command = with_little_memory(Path::new("sh"));
            command.args(["-c", script]).stderr(std::process::Stdio::null());
            run(command, Duration::from_millis(300)).unwrap()
        };
        assert!(run("kill -9 $$").is_killed);
        assert!(!run("kill -ABRT $$").is_killed);
        let late = run("sleep 60");
        assert!(!late.is_killed && late.how.starts_with("no end within"), "{}", late.how);
        assert_eq!((run("ulimit -v").said.as_str(), run("exit 3").code), ("4194304\n", Some(3)));
    }

    #[test]
    fn a_find_is_told_with_its_depth() {
        let said = r#"{"find":"x","done":7,"unit":"nodes","depth":3,"seconds":0.5}"#;
        let measure = Measure { seconds: 0.5, done: 7, unit: "nodes".into(), depth: Some(3) };
        assert_eq!(outcome_of_check(&ended(said, Some(0))), Outcome::Caught("x".into(), measure));
        let said = r#"{"find":null,"done":7,"unit":"nodes","depth":3,"seconds":0.5}"#;
        assert!(matches!(outcome_of_check(&ended(said, Some(0))), Outcome::Censored(_)));
    }

    #[test]
    fn the_first_failed_test_is_named() {
        let said = "\nrunning 3 tests\ntest a ... ok\ntest b::c ... FAILED\ntest d ... FAILED\n";
        assert_eq!((tests_run(said), failed_test(said).as_deref()), (3, Some("b::c")));
    }

    #[test]
    fn every_kind_has_seers_among_the_checks() {
        assert!(sees(Kind::Pgn, "pgn") && !sees(Kind::Pgn, "perft"));
        assert!(names().all(|name| sees(Kind::Moves, name)
            || sees(Kind::Make, name)
            || ["text", "pgn", "arbiter", "races"].contains(&name)));
    }
}
