//! `bench instructions`: how many instructions a counted path costs, which no noise of a clock can touch.

use std::process::Command;

use anyhow::{Context, bail};
use serde_json::json;

use super::task::Task;
use crate::console::{self, Format};
use crate::verdict::Verdict;
use crate::{child, interrupt};

/// More instructions for each path than this are too many.
const LIMITS: [(&str, f64); 2] = [("startpos", 17.0), ("kiwipete", 12.0)];
/// Each is counted to the deepest listed depth with at most so many nodes: depth 5 and depth 4.
const NODES_MAX: u64 = 5_000_000;

/// Counts the instructions for each path of plain counting under valgrind's callgrind, and holds them against limits.
///
/// What a count to one ply less costs is taken off, so that only the counting is left. The limits are for a release build that
/// looks slider attacks up by `pext`. Exit codes: 1 more than a limit; 3 where there is no valgrind or no `pext`.
#[derive(clap::Args)]
pub(super) struct InstructionsBench {
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl InstructionsBench {
    pub(super) fn run(self) -> anyhow::Result<Verdict> {
        let mut verdict = match why_not() {
            None => Verdict::Pass,
            Some(why) => {
                console::status(format!("not run: {why}"));
                Verdict::Unknown
            }
        };
        if self.format == Format::Json {
            console::json(&json!({ "type": "run", "verb": "bench instructions" }));
        }
        if verdict == Verdict::Pass {
            verdict = self.measure()?;
        }
        match self.format {
            Format::Human => console::result(verdict.painted()),
            Format::Json => console::json(&json!({ "type": "summary", "verdict": verdict.word() })),
        }
        Ok(verdict)
    }

    fn measure(&self) -> anyhow::Result<Verdict> {
        let tasks = Task::read(&LIMITS.map(|(position, _)| position), NODES_MAX)?;
        let mut verdict = Verdict::Pass;
        for (task, (position, instructions_max)) in tasks.iter().zip(LIMITS) {
            let depth = task.depth;
            let all = instructions(&task.fen, depth)?;
            let (Some(all), Some(less)) = (all, instructions(&task.fen, depth - 1)?) else {
                return Ok(verdict.max(Verdict::Interrupted));
            };
            let instructions = all.saturating_sub(less) as f64 / task.nodes as f64;
            let of_this =
                if instructions > instructions_max { Verdict::Fail } else { Verdict::Pass };
            verdict = verdict.max(of_this);
            match self.format {
                Format::Human => console::result(format!(
                    "{}  {position}, depth {depth}: {instructions:.2} instructions a path, at most {instructions_max}",
                    of_this.painted()
                )),
                Format::Json => console::json(&json!({
                    "type": "position", "verdict": of_this.word(), "id": position, "depth": depth,
                    "instructions": instructions, "instructions_max": instructions_max,
                })),
            }
        }
        Ok(verdict)
    }
}

/// What is missing for the limits to mean anything.
fn why_not() -> Option<&'static str> {
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.is_ok_and(|output| output.status.success()) {
        Some("no valgrind on the PATH (Debian: valgrind)")
    } else if !has_pext() {
        Some("this processor has no pext, and the limits are for it")
    } else if cfg!(debug_assertions) {
        Some("the limits are for a release build")
    } else {
        None
    }
}

fn has_pext() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// What this program executes to count a position to a depth and all below; none when interrupted.
fn instructions(fen: &str, depth: u32) -> anyhow::Result<Option<u64>> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let (reader, writer) = std::io::pipe()?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    command.args(["perft", "--fen", fen, "--depth", &depth.to_string()]);
    command.args(["--threads", "1", "--progress", "none"]);
    command.stdout(std::process::Stdio::null()).stderr(writer);
    let mut said = Vec::new();
    let hear = |bytes: &[u8]| said.extend(bytes);
    let status = child::listen(command, reader, b"", interrupt::is_interrupted, hear)?;
    if interrupt::is_interrupted() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&said);
    let collected =
        said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    match collected {
        Some(instructions) if status.success() => Ok(Some(instructions)),
        _ => bail!("valgrind says no number of instructions: {said}"),
    }
}
