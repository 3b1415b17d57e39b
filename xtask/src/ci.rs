//! The merge gate, step by step: the README's test command, and what the workflows call.

use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::job::workspace_root;
use crate::verdict::Verdict;
use crate::{console, interrupt};

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
        does: "every listed count, and depth 4 by trial",
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
        name: "stockfish",
        does: "counts up to five million nodes by Stockfish",
        required: false,
        run: stockfish,
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
            for step in STEPS {
                let kind = if step.required { "required" } else { "optional" };
                console::result(format!("{:<10} {kind}  {}", step.name, step.does));
            }
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

    fn close(&self, steps: &[&'static Step], outcomes: &[Outcome]) -> Verdict {
        for Outcome { step, verdict, took } in outcomes {
            let seconds = took.as_secs_f64();
            console::result(format!("{}  {}  {seconds:.1} s", verdict.painted(), step.name));
        }
        let not_run = |step: &&&Step| outcomes.iter().all(|outcome| outcome.step.name != step.name);
        let left: Vec<&str> = steps.iter().filter(not_run).map(|step| step.name).collect();
        if !left.is_empty() {
            console::result(format!("not reached: {}", left.join(", ")));
        }
        let optional: Vec<&str> = outcomes
            .iter()
            .filter(|outcome| outcome.verdict == Verdict::Unknown && !self.counts(outcome.step))
            .map(|outcome| outcome.step.name)
            .collect();
        let none = String::from("none");
        let optional = if optional.is_empty() { none } else { optional.join(", ") };
        console::result(format!("optional, not run: {optional}"));
        // A divergence counts wherever it shows; that an optional step could not run does not.
        let verdicts = outcomes
            .iter()
            .filter(|outcome| self.counts(outcome.step) || outcome.verdict != Verdict::Unknown)
            .map(|outcome| outcome.verdict);
        let verdict = verdicts.max().unwrap_or(Verdict::Unknown);
        let verdict =
            if interrupt::is_interrupted() { verdict.max(Verdict::Interrupted) } else { verdict };
        console::result(format!("ci: {}", verdict.painted()));
        verdict
    }
}

/// Runs cargo in the workspace; what it prints goes through.
fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> io::Result<Verdict> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(workspace_root())
        .stdin(Stdio::null())
        .status()?;
    Ok(match status.code() {
        Some(0) => Verdict::Pass,
        _ => Verdict::Fail,
    })
}

/// Runs a verb of this very program, and keeps its verdict.
fn verb(arguments: &[&str]) -> io::Result<Verdict> {
    let status = Command::new(std::env::current_exe()?)
        .args(arguments)
        .current_dir(workspace_root())
        .stdin(Stdio::null())
        .status()?;
    Ok(match status.code() {
        Some(0) => Verdict::Pass,
        Some(3) => Verdict::Unknown,
        Some(130) => Verdict::Interrupted,
        _ => Verdict::Fail,
    })
}

fn fmt() -> io::Result<Verdict> {
    cargo(&["fmt", "--all", "--check"], &[])
}

fn clippy() -> io::Result<Verdict> {
    let mut arguments = vec!["clippy", "--workspace", "--all-targets"];
    // Other compilers know other lints; there they are printed and decide nothing.
    if is_rust_version()? {
        arguments.extend(["--", "-D", "warnings"]);
    }
    cargo(&arguments, &[])
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
        return cargo(&["nextest", "run", "--workspace", "--no-fail-fast"], &[]);
    }
    cargo(&["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"], &[])
}

fn doc_test() -> io::Result<Verdict> {
    cargo(&["test", "--workspace", "--doc"], &[])
}

fn doc() -> io::Result<Verdict> {
    let warnings_are_errors = [("RUSTDOCFLAGS", "-D warnings")];
    cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"], &warnings_are_errors)
}

fn no_std() -> io::Result<Verdict> {
    cargo(&["check", "-p", "touchmove", "--lib", "--no-default-features"], &[])
}

fn perft() -> io::Result<Verdict> {
    let fast = verb(&["perft"])?;
    let trial = verb(&["perft", "--route", "trial", "--depth", "4"])?;
    Ok(fast.max(trial))
}

fn suite() -> io::Result<Verdict> {
    verb(&["suite", "verify", "--max-nodes", "2000000"])
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
