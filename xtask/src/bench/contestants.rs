//! Who takes part: programs that are built with flags of their own and count on demand.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

use super::task::Task;
use crate::job::workspace_root;
use crate::{child, interrupt};

/// Ours first; the others are measured against it.
pub(super) const CONTESTANTS: [Contestant; 6] = [
    Contestant { name: "touchmove", who: "touchmove", build: Build::Ours },
    Contestant { name: "touchmove, default profile", who: "touchmove", build: Build::Default },
    Contestant { name: "cozy-chess, pext", who: "cozy-chess", build: Build::NativeWithPext },
    Contestant { name: "cozy-chess", who: "cozy-chess", build: Build::Native },
    Contestant { name: "shakmaty", who: "shakmaty", build: Build::Native },
    Contestant { name: "chess", who: "chess", build: Build::Native },
];

/// A move generator in a build.
pub(super) struct Contestant {
    pub(super) name: &'static str,
    /// Its name in the program.
    who: &'static str,
    pub(super) build: Build,
}

/// How a program is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Build {
    /// The release profile of this workspace, no flags.
    Ours,
    /// Cargo's default release profile, no flags: what users of the crate have.
    Default,
    /// The release profile of this workspace, for the native processor.
    Native,
    /// The same, with the feature `pext` of cozy-chess.
    NativeWithPext,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Perft,
    Factored,
    Walk,
}

impl Work {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Work::Perft => "perft",
            Work::Factored => "factored",
            Work::Walk => "walk",
        }
    }

    pub(super) const fn said(self) -> &'static str {
        match self {
            Work::Perft => "plain counting",
            Work::Factored => "ours by factors, the others plain",
            Work::Walk => "every move played",
        }
    }
}

impl Build {
    pub(super) const fn flags(self) -> &'static str {
        match self {
            Build::Ours => "fat LTO, one codegen unit, no flags",
            Build::Default => "Cargo's default release profile, no flags",
            Build::Native => "fat LTO, one codegen unit, target-cpu=native",
            Build::NativeWithPext => "fat LTO, one codegen unit, target-cpu=native, feature pext",
        }
    }

    /// Each build has a folder of its own, so that none undoes another.
    const fn folder(self) -> &'static str {
        match self {
            Build::Ours => "target/peers/ours",
            Build::Default => "target/peers/default-profile",
            Build::Native => "target/peers/native",
            Build::NativeWithPext => "target/peers/native-pext",
        }
    }

    fn command(self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(workspace_root()).args(["build", "--quiet", "--release"]);
        cargo.args(["--package", "touchmove-peers", "--target-dir", self.folder()]);
        // What is set around us is not what is printed.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_none_or(sets_how_to_build) {
                cargo.env_remove(name);
            }
        }
        match self {
            Build::Ours => {}
            Build::Default => {
                cargo.env("CARGO_PROFILE_RELEASE_LTO", "false");
                cargo.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
            }
            Build::Native => {
                cargo.env("RUSTFLAGS", "-Ctarget-cpu=native");
            }
            Build::NativeWithPext => {
                cargo.env("RUSTFLAGS", "-Ctarget-cpu=native").args(["--features", "pext"]);
            }
        }
        cargo
    }
}

/// Whether a variable of the environment changes what cargo builds.
fn sets_how_to_build(name: &str) -> bool {
    ["CARGO_BUILD_", "CARGO_PROFILE_", "CARGO_TARGET_"].iter().any(|start| name.starts_with(start))
        || name.ends_with("RUSTFLAGS")
}

impl Contestant {
    /// Builds the program and starts it.
    pub(super) fn start(&self) -> anyhow::Result<Program> {
        let ended = child::wait(&mut self.build.command(), interrupt::is_interrupted)
            .context("cannot run cargo")?;
        ensure!(ended.success(), "{} cannot be built", self.name);
        let program = workspace_root().join(self.build.folder()).join("release/touchmove-peers");
        let mut command = Command::new(program);
        command.arg(self.who).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start {}", self.name))?;
        let questions = child.stdin.take().context("no way in")?;
        let answers = BufReader::new(child.stdout.take().context("no way out")?);
        Ok(Program { name: self.name, child, questions, answers })
    }
}

/// A contestant that runs and waits for questions.
pub(super) struct Program {
    name: &'static str,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Program {
    /// Has it count, and says what and for how long.
    pub(super) fn count(&mut self, work: Work, task: &Task) -> anyhow::Result<(u64, Duration)> {
        let mut answer = String::new();
        writeln!(self.questions, "{} {} {}", work.word(), task.depth, task.fen)
            .and_then(|()| self.answers.read_line(&mut answer))
            .with_context(|| format!("{} does not answer", self.name))?;
        let mut words = answer.split_whitespace();
        let (Some(nodes), Some(nanoseconds)) = (words.next(), words.next()) else {
            bail!("{} cannot count {}: it answers {answer:?}", self.name, task.name);
        };
        Ok((nodes.parse()?, Duration::from_nanos(nanoseconds.parse()?)))
    }
}

/// It ends where it has nothing more to read; this is for one that is in the middle of a count.
impl Drop for Program {
    fn drop(&mut self) {
        let _ended_before = self.child.kill();
        let _how = self.child.wait();
    }
}
