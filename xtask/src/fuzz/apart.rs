//! Judged in a process of its own: an engine that aborts or never answers takes nobody along.

use std::io::{self, PipeReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use touchmove_oracles::case::{Case, shrink};
use touchmove_oracles::oracles::Verdict as Judged;
use touchmove_oracles::oracles::{Divergence, Honest};
use touchmove_oracles::replay::{judge, judge_case};
use touchmove_oracles::targets::named;

use crate::verdict::Verdict;
use crate::{child, console, disk, interrupt};

/// How long an input may take; most take a thousandth of a second.
const JUDGING_MAX: Duration = Duration::from_secs(60);
/// How long a find may take to become small.
const SHRINKING_MAX: Duration = Duration::from_secs(20);
/// What is judged when it is no target: a case.
pub(super) const CASE: &str = "case";

/// What came of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Told {
    Clean,
    /// What it is, in a line, and all that is known.
    Diverges {
        what: String,
        told: String,
    },
    /// It came to no end, or to a bad one.
    NoVerdict(String),
}

/// Bytes for a target, or a case as text, judged by this very program in another process.
pub(super) fn judged(name: &str, bytes: &[u8], case: Option<&Path>) -> io::Result<Told> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["fuzz", "judge", name]);
    case.map(|case| command.arg("--case").arg(case));
    told_by(command, bytes, JUDGING_MAX)
}

fn told_by(mut command: Command, bytes: &[u8], limit: Duration) -> io::Result<Told> {
    let (reader, writer): (PipeReader, _) = io::pipe()?;
    command.stdout(writer);
    let (start, mut said) = (Instant::now(), Vec::new());
    let is_late = || start.elapsed() > limit;
    let stop = || is_late() || interrupt::is_interrupted();
    let status = child::listen(command, reader, bytes, stop, |words| said.extend(words))?;
    let said = String::from_utf8_lossy(&said);
    let (what, told) = said.split_once('\n').unwrap_or((&said, ""));
    Ok(match status.code() {
        Some(0) => Told::Clean,
        Some(1) => Told::Diverges { what: what.to_string(), told: told.to_string() },
        _ if is_late() => Told::NoVerdict(format!("no verdict within {} s", limit.as_secs())),
        _ if interrupt::is_interrupted() => Told::NoVerdict(String::from("interrupted")),
        _ => Told::NoVerdict(format!("no verdict: the judge ended by {status}")),
    })
}

/// The judge: reads an input and tells what it is about. A divergence is written as a case, first as it is and then
/// made small.
#[derive(clap::Args)]
pub(super) struct Judge {
    /// A target, or `case`
    name: String,
    /// Where a divergence is written
    #[arg(long)]
    case: Option<PathBuf>,
}

impl Judge {
    pub(super) fn run(&self) -> anyhow::Result<Verdict> {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes)?;
        let judged = match named(&self.name) {
            Some(target) => judge(target, &bytes),
            None => judge_case(&std::str::from_utf8(&bytes)?.parse()?),
        };
        let (what, told) = match judged {
            Ok(Judged::Pass) => return Ok(Verdict::Pass),
            Ok(Judged::Diverges(divergence)) => {
                let divergence = self.kept(*divergence);
                (divergence.what(), divergence.to_string())
            }
            Err(panicked) => (panicked.lines().next().unwrap_or_default().to_string(), panicked),
        };
        write!(io::stdout(), "{what}\n{told}")?;
        Ok(Verdict::Fail)
    }

    fn kept(&self, divergence: Divergence) -> Divergence {
        let Some(path) = &self.case else { return divergence };
        let write = |divergence: &Divergence| {
            let written = disk::write(path, Case::from(divergence.clone()).to_string());
            if let Err(error) = written {
                console::complain(&format!("cannot write {}: {error}", path.display()));
            }
        };
        write(&divergence);
        let start = Instant::now();
        let stop = || start.elapsed() > SHRINKING_MAX || interrupt::is_interrupted();
        let small = shrink(divergence, &Honest, stop);
        write(&small);
        small
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str, limit: Duration) -> Told {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        told_by(command, b"bytes", limit).unwrap()
    }

    /// Whatever becomes of the judge, the one who asks goes on.
    #[test]
    fn a_judge_that_aborts_or_hangs_gives_no_verdict() {
        let long = Duration::from_secs(30);
        assert_eq!(sh("cat > /dev/null", long), Told::Clean);
        let (what, told) = (String::from("oracle, what"), String::from("told\n"));
        assert_eq!(
            sh("printf 'oracle, what\ntold\n'; exit 1", long),
            Told::Diverges { what, told }
        );
        let aborted =
            Told::NoVerdict(String::from("no verdict: the judge ended by signal: 9 (SIGKILL)"));
        assert_eq!(sh("kill -9 $$", long), aborted);
        let late = Told::NoVerdict(String::from("no verdict within 1 s"));
        assert_eq!(sh("sleep 60 & sleep 60", Duration::from_secs(1)), late);
    }
}
