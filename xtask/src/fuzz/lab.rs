//! One libFuzzer process: how it is called, where it reads and writes, and what it says of itself.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use touchmove_oracles::targets::Target;

use super::log::{self, Log};
use super::tools::Tools;
use crate::verdict::Verdict;
use crate::{child, console, interrupt};

/// What a process may not exceed: one input, in seconds, and its memory, in MiB.
pub(super) const LIMITS: [&str; 2] = ["-timeout=25", "-rss_limit_mb=2048"];
/// How long after its time a process may still read its corpus.
const READING_MAX: Duration = Duration::from_secs(60);
/// How often a process is asked how far it is.
const PULSE_EVERY: Duration = Duration::from_secs(10);

/// How much a process is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    /// So long.
    Time(Duration),
    /// So many executions.
    Runs(u64),
}

/// What came of one process.
pub(crate) struct Ended {
    /// How it exited.
    pub(crate) status: ExitStatus,
    /// How many inputs it executed.
    pub(crate) executions: u64,
    /// Edges of the program that its inputs reach.
    pub(super) edges: u64,
    /// The inputs it has written because they ended it, and those of an earlier time that nobody has kept.
    pub(crate) artifacts: Vec<Artifact>,
    /// Whether the disk held what it had to write.
    pub(super) is_written: bool,
}

/// An input that ended a process.
pub(crate) struct Artifact {
    /// Where it was to be written.
    pub(super) path: PathBuf,
    /// The input, unless a full disk has lost it.
    pub(super) bytes: Option<Vec<u8>>,
}

/// Where processes run: their programs, and folders of what they leave.
pub(crate) struct Lab {
    tools: Tools,
    disk_max: u64,
    /// Whether it tells how far it is.
    is_telling: bool,
    /// Whether it was told that nothing more is added.
    told_full: AtomicBool,
}

/// What fuzzing leaves in a tree: working corpora, artifacts, logs, finds.
pub(super) fn left_in(tree: &Path) -> PathBuf {
    tree.join("target/touchmove/fuzz")
}

/// What is committed of it.
pub(super) fn committed(tree: &Path) -> PathBuf {
    tree.join("fuzz")
}

impl Lab {
    /// A lab that stops adding to the disk beyond so many bytes.
    pub(super) fn new(tools: Tools, disk_max: u64) -> Lab {
        Lab { tools, disk_max, is_telling: true, told_full: AtomicBool::new(false) }
    }

    /// The same, for somebody who has to say something else meanwhile.
    pub(crate) fn silent(tools: Tools) -> Lab {
        Lab { is_telling: false, ..Lab::new(tools, u64::MAX) }
    }

    /// Builds a target.
    pub(crate) fn build(&self, target: &Target) -> io::Result<Verdict> {
        self.tools.build(Some(target))
    }

    /// Runs one process of a target; `lane` tells it from others that run beside it.
    pub(crate) fn run(&self, target: &Target, lane: usize, budget: Budget) -> io::Result<Ended> {
        let log = self.folder("logs")?.join(format!("{}-{lane}.log", target.name));
        let artifacts = self.folder(&format!("artifacts/{}-{lane}", target.name))?;
        let is_full = self.is_full();
        let mut command = self.command(target, &artifacts, budget);
        self.add_corpora(&mut command, target, is_full)?;
        let (reader, writer) = io::pipe()?;
        command.stdout(writer.try_clone()?).stderr(writer);
        let log = Log::new(&log);
        let stop = self.watch(target, lane, &log, budget, is_full);
        let status = child::listen(command, reader, b"", stop, |words| log.hear(words))?;
        let said = log.said();
        Ok(Ended {
            status,
            executions: log::executions(&said),
            edges: log::number_after(&said, "cov: "),
            artifacts: found(&artifacts, &said)?,
            is_written: log.is_written(),
        })
    }

    /// Whether nothing more may be added to the disk; told once.
    fn is_full(&self) -> bool {
        let is_full = size_of(&self.left_in()) >= self.disk_max;
        if is_full && !self.told_full.swap(true, Ordering::Relaxed) {
            let mib = self.disk_max >> 20;
            console::status(format!(
                "note: {mib} MiB are used (--disk-max): nothing more is added to the corpora"
            ));
        }
        is_full
    }

    /// The program of a target.
    pub(super) fn program(&self, target: &Target) -> PathBuf {
        self.tools.program(target)
    }

    /// Takes away what earlier runs of a target have left.
    pub(crate) fn clear(&self, target: &Target, lane: usize) -> io::Result<()> {
        for folder in
            [self.work(target)?, self.folder(&format!("artifacts/{}-{lane}", target.name))?]
        {
            fs::remove_dir_all(folder)?;
        }
        Ok(())
    }

    /// Keeps of the working corpus and the committed one what together reaches all that both do.
    pub(super) fn minimize(&self, target: &Target) -> io::Result<ExitStatus> {
        let (work, small) =
            (self.work(target)?, self.left_in().join("corpus-small").join(target.name));
        fs::create_dir_all(&small)?;
        let mut command = self.start(target)?;
        command.arg("-merge=1").args(LIMITS).arg(&small).arg(&work).args(self.seeds(target));
        let status = child::wait(&mut command, interrupt::is_interrupted);
        // Of a merge that was stopped its lists of files stay.
        fs::remove_dir_all(self.folder("tmp")?)?;
        let status = status?;
        if status.success() {
            fs::remove_dir_all(&work)?;
            fs::rename(&small, &work)?;
        }
        Ok(status)
    }

    /// Shortens an input that ends a target.
    pub(super) fn shorten(
        &self,
        target: &Target,
        file: &Path,
        to: &Path,
    ) -> io::Result<ExitStatus> {
        let mut command = self.start(target)?;
        command.args(["-minimize_crash=1", "-runs=100000"]).args(LIMITS);
        command.arg(format!("-exact_artifact_path={}", to.display())).arg(file);
        child::wait(&mut command, interrupt::is_interrupted)
    }

    /// A target's program, which keeps what it needs for a while among the rest.
    fn start(&self, target: &Target) -> io::Result<Command> {
        let mut command = Command::new(self.program(target));
        command.env("TMPDIR", self.folder("tmp")?);
        Ok(command)
    }

    fn left_in(&self) -> PathBuf {
        left_in(self.tools.tree())
    }

    fn committed(&self) -> PathBuf {
        committed(self.tools.tree())
    }

    fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.left_in().join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    fn work(&self, target: &Target) -> io::Result<PathBuf> {
        self.folder(&format!("corpus/{}", target.name))
    }

    fn seeds(&self, target: &Target) -> Option<PathBuf> {
        let seeds = self.committed().join("corpus").join(target.name);
        seeds.is_dir().then_some(seeds)
    }

    fn command(&self, target: &Target, artifacts: &Path, budget: Budget) -> Command {
        let mut command = Command::new(self.program(target));
        command.args(LIMITS).args(["-print_final_stats=1", "-reload=10"]);
        command.arg(format!("-artifact_prefix={}/", artifacts.display()));
        command.arg(format!("-max_len={}", target.len_max));
        command.arg(match budget {
            // Zero would mean without end.
            Budget::Time(time) => format!("-max_total_time={}", time.as_secs().max(1)),
            Budget::Runs(runs) => format!("-runs={}", runs.max(1)),
        });
        let notation = target.name.split('_').next().unwrap_or_default();
        let dictionary = self.committed().join(format!("dictionaries/{notation}.dict"));
        if dictionary.is_file() {
            command.arg(format!("-dict={}", dictionary.display()));
        }
        command
    }

    /// The folder to write to and the seeds; where the disk is full, only what to read.
    fn add_corpora(&self, command: &mut Command, target: &Target, is_full: bool) -> io::Result<()> {
        let work = self.work(target)?;
        if !is_full {
            command.arg(work).args(self.seeds(target));
            return Ok(());
        }
        let mut inputs = files(&work)?;
        if let Some(seeds) = self.seeds(target) {
            inputs.extend(files(&seeds)?);
        }
        let names: Vec<String> = inputs.iter().map(|path| path.display().to_string()).collect();
        let list = self.folder("logs")?.join(format!("{}.inputs", target.name));
        fs::write(&list, names.join(","))?;
        command.arg(format!("-seed_inputs=@{}", list.display()));
        Ok(())
    }

    /// Whether a process is to end: on Ctrl-C, when its time is long over, or when the disk has filled up.
    fn watch<'a>(
        &'a self,
        target: &'a Target,
        lane: usize,
        log: &'a Log,
        budget: Budget,
        is_full: bool,
    ) -> impl Fn() -> bool + 'a {
        let start = Instant::now();
        let looked = Cell::new((start, false));
        move || {
            let (last, mut stop) = looked.get();
            if last.elapsed() >= PULSE_EVERY {
                stop |= !is_full && self.is_full();
                looked.set((Instant::now(), stop));
                if lane == 0 && self.is_telling {
                    tell_pulse(target, log);
                }
            }
            let late = match budget {
                Budget::Time(time) => start.elapsed() > time + READING_MAX,
                Budget::Runs(_) => false,
            };
            stop || late || interrupt::is_interrupted()
        }
    }
}

/// Tells how far a process is.
fn tell_pulse(target: &Target, log: &Log) {
    let said = log.said();
    let pulse = log::pulse(&said).map_or(String::from("starting"), |line| line.replace('\t', " "));
    console::status(format!("… {}: {pulse}", target.name));
}

/// The inputs in a folder, and those that a process says it has written: what it says counts, where it says them.
fn found(folder: &Path, said: &str) -> io::Result<Vec<Artifact>> {
    let mut told: BTreeMap<PathBuf, Option<Vec<u8>>> = log::inputs(said).into_iter().collect();
    for path in files(folder)? {
        told.entry(path).or_insert(None);
    }
    let read = |path: &Path| fs::read(path).ok().filter(|bytes| !bytes.is_empty());
    let artifacts =
        told.into_iter().map(|(path, said)| Artifact { bytes: said.or_else(|| read(&path)), path });
    // Slow inputs are written, too, and end nothing.
    let is_end = |artifact: &Artifact| {
        !artifact
            .path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("slow-unit"))
    };
    Ok(artifacts.filter(is_end).collect())
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// The bytes of all files below a folder, as far as they can be seen: they come and go.
fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size_of(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a full disk libFuzzer writes an empty file, or none, and says the input where it is short.
    #[test]
    fn an_input_that_the_disk_did_not_take_is_taken_from_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, bytes) in
            [("crash-1", ""), ("crash-2", ""), ("crash-3", "whole"), ("slow-unit-4", "")]
        {
            fs::write(path(name), bytes).unwrap();
        }
        let said = |name: &str, rest: &str| {
            format!("artifact_prefix='x'; Test unit written to {}\n{rest}\n", path(name).display())
        };
        let said = said("crash-0", "Base64: ZTJlNA==")
            + &said("crash-1", "Base64: ZTJlNA==")
            + &said("crash-2", "stat::x");
        let found = found(folder.path(), &said).unwrap();
        let bytes: Vec<_> = found.iter().map(|artifact| artifact.bytes.as_deref()).collect();
        let short: Option<&[u8]> = Some(b"e2e4");
        assert_eq!(bytes, [short, short, None, Some(b"whole")]);
    }
}
