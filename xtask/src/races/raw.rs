//! The race without any lock: a program of its own, run as a child; and what ThreadSanitizer says of it.

use std::io::{self, pipe};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use super::round::{Count, Size};
use crate::job::workspace_root;
use crate::verdict::Verdict;
use crate::{child, console, interrupt};

/// A child that takes longer hangs, or was asked for very many calls; as a rule it takes a hundredth of a second.
const RUN_MAX: Duration = Duration::from_secs(30);
/// The package of the program.
const PACKAGE: &str = "touchmove-raw-race";
/// The exit code of ThreadSanitizer where it has something to report.
const REPORTED: i32 = 66;
/// How it begins a report.
const REPORT: &str = "WARNING: ThreadSanitizer: data race";

/// What a child has said, or how it ended without a word.
pub(super) enum Said {
    Counted { count: Count, is_same: bool, seconds: f64 },
    Ended(String),
}

/// Builds the program. Where that fails, why there is none to run.
pub(super) fn build() -> Result<(), String> {
    let mut build = cargo();
    build.args(["build", "--quiet", "--release", "--package", PACKAGE]);
    let status = child::wait(&mut build, interrupt::is_interrupted);
    let built = status.map_err(|error| format!("not run: no cargo: {error}"))?.success();
    built.then_some(()).ok_or_else(|| String::from("not run: it could not be built"))
}

/// Runs the program as often as asked, however it ends.
pub(super) fn run(size: Size) -> io::Result<Said> {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", PACKAGE, "--", "unlocked"]);
    command.args([size.threads.to_string(), size.calls.to_string()]);
    let (said, stdout) = pipe()?;
    command.stdout(stdout);
    let heard = listen(command, said)?;
    Ok(match (read(&heard.words), heard.killed) {
        (Some(said), _) => said,
        (None, true) => Said::Ended(format!("not at its end in {} s, killed", RUN_MAX.as_secs())),
        (None, false) => Said::Ended(format!("ended without a word, {}", heard.status)),
    })
}

/// The line that the program prints.
pub(super) fn read(words: &str) -> Option<Said> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let [calls, panics, wrong, is_same, seconds] = words.as_slice() else { return None };
    let count = Count {
        calls: calls.parse().ok()?,
        panics: panics.parse().ok()?,
        wrong: wrong.parse().ok()?,
    };
    Some(Said::Counted { count, is_same: is_same.parse().ok()?, seconds: seconds.parse().ok()? })
}

/// A child that has ended.
struct Heard {
    words: String,
    status: ExitStatus,
    killed: bool,
}

/// Runs a child to its end, at most [`RUN_MAX`], and hears what it says into the pipe.
fn listen(command: Command, said: io::PipeReader) -> io::Result<Heard> {
    let began = Instant::now();
    let mut words = Vec::new();
    let hangs = || began.elapsed() > RUN_MAX;
    let stop = || hangs() || interrupt::is_interrupted();
    let status = child::listen(command, said, b"", stop, |heard| words.extend_from_slice(heard))?;
    Ok(Heard { words: String::from_utf8_lossy(&words).into_owned(), status, killed: hangs() })
}

fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace_root());
    cargo
}

/// Has ThreadSanitizer watch the race without a lock, which it must report, and the same behind a lock, which it
/// must not.
///
/// It asks for nightly Rust. Where there is none, or none that runs the sanitizer, the verdict is unknown.
#[derive(clap::Args)]
pub(super) struct Sanitize {}

impl Sanitize {
    pub(super) fn run(self) -> anyhow::Result<Verdict> {
        let Some(host) = nightly_host() else {
            console::status("not run: it asks for `rustup toolchain install nightly`");
            return Ok(Verdict::Unknown);
        };
        if !child::wait(&mut watched("build", &host), interrupt::is_interrupted)?.success() {
            console::status("not run: this nightly does not build it with the sanitizer");
            return Ok(Verdict::Unknown);
        }
        let unlocked = watch(&host, "unlocked")?;
        let locked = watch(&host, "spin")?;
        let verdict = judge(&unlocked).max(judge_control(&locked));
        console::result(format!("{}: ThreadSanitizer on the raw race", verdict.painted()));
        Ok(verdict)
    }
}

/// The platform that nightly compiles for, if it is there.
fn nightly_host() -> Option<String> {
    let mut rustc = Command::new("rustup");
    let output = rustc.args(["run", "nightly", "rustc", "-vV"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.split("host: ").nth(1)?.lines().next()?.to_string())
}

/// A command of nightly cargo for the program with the sanitizer in it.
fn watched(verb: &str, host: &str) -> Command {
    let mut cargo = Command::new("rustup");
    cargo.args(["run", "nightly", "cargo", verb, "--quiet", "--package", PACKAGE]);
    // Apart from other builds, which have other flags; these go into what is built for a target named by name only.
    cargo.args(["--target", host, "--target-dir", "target/touchmove/races/sanitized"]);
    cargo.env("RUSTFLAGS", "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer");
    cargo.env("TSAN_OPTIONS", format!("halt_on_error=1 exitcode={REPORTED}"));
    cargo.current_dir(workspace_root());
    cargo
}

fn watch(host: &str, way: &str) -> io::Result<Heard> {
    let mut command = watched("run", host);
    command.args(["--", way, "4", "200"]);
    let (said, stderr) = pipe()?;
    command.stdout(stderr.try_clone()?).stderr(stderr);
    listen(command, said)
}

fn judge(unlocked: &Heard) -> Verdict {
    let report = unlocked.words.lines().skip_while(|line| !line.starts_with(REPORT));
    let report: Vec<&str> = report.take(4).collect();
    if unlocked.status.code() == Some(REPORTED) && !report.is_empty() {
        console::result("without a lock: reported");
        report.iter().for_each(|line| console::result(format!("    {line}")));
        return Verdict::Pass;
    }
    told_otherwise("without a lock", "not reported", unlocked, unlocked.status.success())
}

fn judge_control(locked: &Heard) -> Verdict {
    if locked.status.success() && !locked.words.contains("ThreadSanitizer") {
        console::result("behind a spin lock: silent");
        return Verdict::Pass;
    }
    let reported = locked.status.code() == Some(REPORTED) && locked.words.contains(REPORT);
    told_otherwise("behind a spin lock", "reported", locked, reported)
}

/// It failed if the sanitizer is wrong about the race; where it did not run, nothing is known.
fn told_otherwise(way: &str, told: &str, heard: &Heard, is_wrong: bool) -> Verdict {
    if interrupt::is_interrupted() {
        return Verdict::Interrupted;
    }
    console::status(&heard.words);
    let told = if is_wrong { told } else { "the sanitizer did not run" };
    console::result(format!("{way}: {told} ({})", heard.status));
    if is_wrong { Verdict::Fail } else { Verdict::Unknown }
}
