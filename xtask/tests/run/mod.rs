//! The program as a user runs it, for the tests of its verbs.

use std::process::{Command, Output, Stdio};

/// How a run ended, and what it said.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A verb with its arguments, nothing to read, and both outputs kept.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it to its end.
pub(crate) fn xtask(arguments: &[&str]) -> Run {
    ended(command(arguments).output().unwrap())
}

/// The end of a run that was waited for.
pub(crate) fn ended(output: Output) -> Run {
    Run {
        code: output.status.code().expect("it ends by itself"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
