//! The merge gate, step by step: the README's test command, and what the workflows call.

use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::console::Format;
use crate::job::workspace_root;
use crate::verdict::Verdict;
use crate::{child, console, interrupt};

/// Runs every step of the merge gate, or one of them.
///
/// Exits 0 when every required step passed. A required step that could not run is unknown, and so is any
/// step under --strict: exit code 3.
#[derive(clap::Args)]
pub(crate) struct Ci {
    /// The one step to run
    step: Option<String>,
    /// Lists the steps
    #[arg(long)]
    list: bool,
    /// Goes on after a step that failed
    #[arg(long)]
    keep_going: bool,
    /// Takes optional steps for required ones
    #[arg(long)]
    strict: bool,
    /// How results are printed; what the steps print themselves is for reading
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// A step of the gate.
struct Step {
    name: &'static str,
    does: &'static str,
    required: bool,
    run: fn() -> io::Result<Verdict>,
}

const STEPS: &[Step] = &[
    Step { name: "fmt", does: "formatting", required: true, run: fmt },
    Step {
        name: "clippy",
        does: "lints; errors on the compiler of rust-version",
        required: true,
        run: clippy,
    },
    Step { name: "test", does: "unit and integration tests", required: true, run: test },
    Step {
        name: "doc-test",
        does: "the examples in the documentation",
        required: true,
        run: doc_test,
    },
    Step { name: "doc", does: "documentation without warnings", required: true, run: doc },
    Step {
        name: "no-std",
        does: "the engine without the standard library",
        required: true,
        run: no_std,
    },
    Step {
        name: "perft",
        does: "every listed count in each mode and by both look-ups, and depth 4 by trial",
        required: true,
        run: perft,
    },
    Step {
        name: "suite",
        does: "counts up to two million nodes confirmed by referees, and all rule events",
        required: true,
        run: suite,
    },
    Step {
        name: "replay",
        does: "the corpus of the fuzzer and all past finds",
        required: true,
        run: replay,
    },
    Step {
        name: "soak",
        does: "random games against the referees; every rule event often enough",
        required: true,
        run: soak,
    },
    Step {
        name: "races",
        does: "a lock for each step is seen to fail, every other way holds, and games at once are what they are alone",
        required: true,
        run: races,
    },
    Step {
        name: "faults",
        does: "planted faults: every text found once, and two with well-known wrong counts",
        required: true,
        run: faults,
    },
    Step {
        name: "fuzz",
        does: "every target built and run a little; the canary must crash",
        required: false,
        run: fuzz,
    },
    Step {
        name: "stockfish",
        does: "counts up to five million nodes by Stockfish",
        required: false,
        run: stockfish,
    },
    Step {
        name: "instructions",
        does: "instructions for each counted path, under callgrind, against their limits",
        required: false,
        run: instructions,
    },
    Step {
        name: "tsan",
        does: "ThreadSanitizer reports the race without a lock and no other",
        required: false,
        run: tsan,
    },
];

/// How a step ended and how long it took.
struct Outcome {
    step: &'static Step,
    verdict: Verdict,
    took: Duration,
}

impl Ci {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        if self.list {
            STEPS.iter().for_each(|step| self.print_step(step));
            return Ok(Verdict::Pass);
        }
        let steps: Vec<&'static Step> = match &self.step {
            None => STEPS.iter().collect(),
            Some(name) => match STEPS.iter().find(|step| step.name == name) {
                Some(step) => vec![step],
                None => anyhow::bail!("no step `{name}`; `cargo xtask ci --list` names them"),
            },
        };
        let outcomes = self.run_steps(&steps);
        Ok(self.close(&steps, &outcomes))
    }

    fn run_steps(&self, steps: &[&'static Step]) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = Vec::new();
        for &step in steps {
            if interrupt::is_interrupted() {
                break;
            }
            console::status(format!("── {}: {}", step.name, step.does));
            let start = Instant::now();
            let verdict = (step.run)().unwrap_or_else(|error| {
                console::complain(&format!("the step `{}` could not run: {error}", step.name));
                Verdict::Unknown
            });
            outcomes.push(Outcome { step, verdict, took: start.elapsed() });
            if verdict != Verdict::Pass && self.counts(step) && !self.keep_going {
                break;
            }
        }
        outcomes
    }

    /// Whether the step decides on the gate.
    fn counts(&self, step: &Step) -> bool {
        step.required || self.strict || self.step.is_some()
    }

    fn print_step(&self, step: &Step) {
        let kind = if step.required { "required" } else { "optional" };
        match self.format {
            Format::Human => console::result(format!("{:<10} {kind}  {}", step.name, step.does)),
            Format::Json => console::json(&json!({
                "type": "step", "name": step.name, "required": step.required, "does": step.does,
            })),
        }
    }

    fn close(&self, steps: &[&'static Step], outcomes: &[Outcome]) -> Verdict {
        let not_reached: Vec<&'static Step> = steps[outcomes.len()..].to_vec();
        let unknown = outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Unknown);
        let not_run: Vec<&str> = unknown
            .map(|outcome| outcome.step)
            .chain(not_reached.iter().copied())
            .filter(|step| !self.counts(step))
            .map(|step| step.name)
            .collect();
        // A divergence counts wherever it shows; that an optional step could not run does not.
        let verdicts = outcomes
            .iter()
            .filter(|outcome| self.counts(outcome.step) || outcome.verdict != Verdict::Unknown)
            .map(|outcome| outcome.verdict);
        let verdict = verdicts.max().unwrap_or(Verdict::Unknown);
        let stopped = interrupt::is_interrupted();
        let verdict = if stopped { verdict.max(Verdict::Interrupted) } else { verdict };
        match self.format {
            Format::Human => print_human(outcomes, &not_reached, &not_run, verdict),
            Format::Json => print_json(outcomes, &not_reached, &not_run, verdict),
        }
        verdict
    }
}

fn print_human(outcomes: &[Outcome], not_reached: &[&Step], not_run: &[&str], verdict: Verdict) {
    for Outcome { step, verdict, took } in outcomes {
        let seconds = took.as_secs_f64();
        console::result(format!("{}  {}  {seconds:.1} s", verdict.painted(), step.name));
    }
    for step in not_reached {
        console::result(format!("not reached  {}", step.name));
    }
    let not_run = if not_run.is_empty() { String::from("none") } else { not_run.join(", ") };
    console::result(format!("optional, not run: {not_run}"));
    console::result(format!("ci: {}", verdict.painted()));
}

fn print_json(outcomes: &[Outcome], not_reached: &[&Step], not_run: &[&str], verdict: Verdict) {
    console::json(&json!({ "type": "run", "verb": "ci" }));
    for Outcome { step, verdict, took } in outcomes {
        console::json(&json!({
            "type": "step", "name": step.name, "required": step.required,
            "verdict": verdict.word(), "seconds": took.as_secs_f64(),
        }));
    }
    console::json(&json!({
        "type": "summary", "verdict": verdict.word(), "optional_not_run": not_run,
        "not_reached": not_reached.iter().map(|step| step.name).collect::<Vec<_>>(),
    }));
}

/// Runs cargo in the workspace; what it prints goes through.
fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> io::Result<Verdict> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).envs(environment.iter().copied());
    Ok(match wait_for(command)?.code() {
        Some(0) => Verdict::Pass,
        _ if interrupt::is_interrupted() => Verdict::Interrupted,
        _ => Verdict::Fail,
    })
}

/// The same with a part of the toolchain that may not be installed.
fn cargo_component(component: &str, arguments: &[&str]) -> io::Result<Verdict> {
    let mut version = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    version.args([arguments[0], "--version"]).stdin(Stdio::null());
    if !version.output().is_ok_and(|output| output.status.success()) {
        console::status(format!("not run: install it by `rustup component add {component}`"));
        return Ok(Verdict::Unknown);
    }
    cargo(arguments, &[])
}

/// Runs a verb of this very program, and keeps its verdict.
fn verb(arguments: &[&str]) -> io::Result<Verdict> {
    if interrupt::is_interrupted() {
        return Ok(Verdict::Interrupted);
    }
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments);
    Ok(match wait_for(command)?.code() {
        Some(0) => Verdict::Pass,
        Some(2) => Verdict::BadInput,
        Some(3) => Verdict::Unknown,
        Some(130) => Verdict::Interrupted,
        _ if interrupt::is_interrupted() => Verdict::Interrupted,
        _ => Verdict::Fail,
    })
}

/// Runs a command in the workspace to its end; what it prints goes through.
fn wait_for(mut command: Command) -> io::Result<ExitStatus> {
    child::wait(command.current_dir(workspace_root()), interrupt::is_interrupted)
}

/// The feature of the engine that is off by default.
const SERDE: &str = "touchmove/serde";

fn fmt() -> io::Result<Verdict> {
    cargo_component("rustfmt", &["fmt", "--all", "--check"])
}

fn clippy() -> io::Result<Verdict> {
    let mut arguments = vec!["clippy", "--all-targets", "--features", SERDE];
    // Other compilers know other lints; there they are printed and decide nothing.
    if is_rust_version()? {
        arguments.extend(["--", "-D", "warnings"]);
    }
    cargo_component("clippy", &arguments)
}

/// Whether the compiler is the one that `rust-version` names.
fn is_rust_version() -> io::Result<bool> {
    let output = Command::new("rustc").arg("--version").current_dir(workspace_root()).output()?;
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(version.starts_with(concat!("rustc ", env!("CARGO_PKG_RUST_VERSION"), ".")))
}

fn test() -> io::Result<Verdict> {
    let nextest = Command::new("cargo-nextest").arg("--version").output();
    if nextest.is_ok_and(|output| output.status.success()) {
        return cargo(&["nextest", "run", "--no-fail-fast", "--features", SERDE], &[]);
    }
    let kinds = ["--lib", "--bins", "--tests", "--no-fail-fast", "--features", SERDE];
    cargo(&[&["test"], &kinds[..]].concat(), &[])
}

fn doc_test() -> io::Result<Verdict> {
    cargo(&["test", "--doc"], &[])
}

fn doc() -> io::Result<Verdict> {
    let warnings_are_errors = [("RUSTDOCFLAGS", "-D warnings")];
    cargo(&["doc", "--no-deps", "--document-private-items"], &warnings_are_errors)
}

fn no_std() -> io::Result<Verdict> {
    cargo(&["check", "-p", "touchmove", "--lib", "--no-default-features"], &[])
}

fn perft() -> io::Result<Verdict> {
    let runs: [&[&str]; 5] = [
        &["perft"],
        &["perft", "--lookup", "magic"],
        &["perft", "--mode", "factored"],
        &["perft", "--mode", "hashed"],
        &["perft", "--route", "trial", "--depth", "4"],
    ];
    runs.into_iter().try_fold(Verdict::Pass, |verdict, run| Ok(verdict.max(verb(run)?)))
}

fn suite() -> io::Result<Verdict> {
    verb(&["suite", "verify", "--max-nodes", "2000000"])
}

fn replay() -> io::Result<Verdict> {
    verb(&["fuzz", "replay"])
}

fn soak() -> io::Result<Verdict> {
    verb(&["soak", "--seed", "1", "--games", "60000", "--floors"])
}

fn races() -> io::Result<Verdict> {
    // In release: with debug assertions the engine refuses to go on with a torn board.
    let tests = ["--test", "schedules", "--test", "shuttle"];
    let facts =
        cargo(&[&["test", "--release", "-p", "touchmove-oracles"], &tests[..]].concat(), &[])?;
    let experiment = verb(&["races", "--runs", "2", "--calls", "500"])?;
    let load = verb(&["races", "load", "--games", "500", "--threads", "4", "--time", "3s"])?;
    Ok(facts.max(experiment).max(load))
}

fn instructions() -> io::Result<Verdict> {
    verb(&["bench", "instructions"])
}

fn tsan() -> io::Result<Verdict> {
    verb(&["races", "sanitize"])
}

/// The king castles through check, and a right outlives its rook: their counts of Kiwipete are known from elsewhere.
fn faults() -> io::Result<Verdict> {
    verb(&[
        "faults",
        "castle-through-check",
        "right-kept-when-rook-captured",
        "--counts",
        "--fresh",
        "--threads",
        "1",
    ])
}

fn fuzz() -> io::Result<Verdict> {
    verb(&["fuzz", "all", "--runs", "1000"])
}

fn stockfish() -> io::Result<Verdict> {
    let Some(stockfish) = find_stockfish() else {
        console::status("not run: no stockfish on the PATH or in /usr/games (Debian: stockfish)");
        return Ok(Verdict::Unknown);
    };
    let referee = format!("uci:'{}'", stockfish.display());
    verb(&["perft", "--max-nodes", "5000000", "--referee", &referee])
}

/// Debian puts games outside of many a PATH.
fn find_stockfish() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join("stockfish")).find(|program| program.is_file())
}
