//! One libFuzzer process: how it is called, where it reads and writes, and what it says of itself.

use std::cell::Cell;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use touchmove_oracles::targets::Target;

use super::tools::Tools;
use crate::job::workspace_root;
use crate::{child, console, interrupt};

/// What a process may not exceed: one input, in seconds, and its memory, in MiB.
const LIMITS: [&str; 2] = ["-timeout=25", "-rss_limit_mb=2048"];
/// How long after its time a process may still read its corpus.
const READING_MAX: Duration = Duration::from_secs(60);
/// How often a process is asked how far it is.
const PULSE_EVERY: Duration = Duration::from_secs(10);

/// How much a process is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Budget {
    /// So long.
    Time(Duration),
    /// So many executions.
    Runs(u64),
}

/// What came of one process.
pub(super) struct Ended {
    /// How it exited.
    pub(super) status: ExitStatus,
    /// How many inputs it executed.
    pub(super) executions: u64,
    /// Edges of the program that its inputs reach.
    pub(super) edges: u64,
    /// The inputs it has written because they ended it, and those of an earlier time that nobody has kept.
    pub(super) artifacts: Vec<PathBuf>,
}

/// Where processes run: their programs, and folders of what they leave.
pub(super) struct Lab {
    tools: Tools,
    disk_max: u64,
}

/// What fuzzing leaves: working corpora, artifacts, logs, finds.
pub(super) fn left_in() -> PathBuf {
    workspace_root().join("target/touchmove/fuzz")
}

/// What is committed of it.
pub(super) fn committed() -> PathBuf {
    workspace_root().join("fuzz")
}

impl Lab {
    /// A lab that stops adding to the disk beyond so many bytes.
    pub(super) fn new(tools: Tools, disk_max: u64) -> Lab {
        Lab { tools, disk_max }
    }

    /// Runs one process of a target; `lane` tells it from others that run beside it.
    pub(super) fn run(&self, target: &Target, lane: usize, budget: Budget) -> io::Result<Ended> {
        let log = self.folder("logs")?.join(format!("{}-{lane}.log", target.name));
        let artifacts = self.folder(&format!("artifacts/{}-{lane}", target.name))?;
        let is_full = size_of(&left_in()) >= self.disk_max;
        let mut command = self.command(target, &artifacts, budget);
        self.add_corpora(&mut command, target, is_full)?;
        let output = File::create(&log)?;
        command.stdout(output.try_clone()?).stderr(output);
        let status = child::wait(&mut command, self.watch(target, lane, &log, budget, is_full))?;
        let said = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        Ok(Ended {
            status,
            executions: executions(&said),
            edges: number_after(&said, "cov: "),
            artifacts: files(&artifacts)?,
        })
    }

    /// Keeps of the working corpus and the committed one what together reaches all that both do.
    pub(super) fn minimize(&self, target: &Target) -> io::Result<ExitStatus> {
        let (work, small) = (self.work(target)?, left_in().join("corpus-small").join(target.name));
        fs::create_dir_all(&small)?;
        let mut command = Command::new(self.tools.program(target));
        command.arg("-merge=1").args(LIMITS).arg(&small).arg(&work).args(self.seeds(target));
        let status = child::wait(&mut command, interrupt::is_interrupted)?;
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
        let mut command = Command::new(self.tools.program(target));
        command.args(["-minimize_crash=1", "-runs=100000"]).args(LIMITS);
        command.arg(format!("-exact_artifact_path={}", to.display())).arg(file);
        child::wait(&mut command, interrupt::is_interrupted)
    }

    fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let folder = left_in().join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    fn work(&self, target: &Target) -> io::Result<PathBuf> {
        self.folder(&format!("corpus/{}", target.name))
    }

    fn seeds(&self, target: &Target) -> Option<PathBuf> {
        let seeds = committed().join("corpus").join(target.name);
        seeds.is_dir().then_some(seeds)
    }

    fn command(&self, target: &Target, artifacts: &Path, budget: Budget) -> Command {
        let mut command = Command::new(self.tools.program(target));
        command.args(LIMITS).args(["-print_final_stats=1", "-reload=10"]).stdin(Stdio::null());
        command.arg(format!("-artifact_prefix={}/", artifacts.display()));
        command.arg(format!("-max_len={}", target.len_max));
        command.arg(match budget {
            // Zero would mean without end.
            Budget::Time(time) => format!("-max_total_time={}", time.as_secs().max(1)),
            Budget::Runs(runs) => format!("-runs={}", runs.max(1)),
        });
        let notation = target.name.split('_').next().unwrap_or_default();
        let dictionary = committed().join(format!("dictionaries/{notation}.dict"));
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
        log: &'a Path,
        budget: Budget,
        is_full: bool,
    ) -> impl Fn() -> bool + 'a {
        let start = Instant::now();
        let looked = Cell::new((start, false));
        move || {
            let (last, mut stop) = looked.get();
            if last.elapsed() >= PULSE_EVERY {
                stop |= !is_full && size_of(&left_in()) >= self.disk_max;
                looked.set((Instant::now(), stop));
                if lane == 0 {
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

/// Tells how far a process is: the last line of its log that says so.
fn tell_pulse(target: &Target, log: &Path) {
    let said = fs::read(log).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let pulse = said.lines().rfind(|line| line.starts_with('#'));
    let pulse = pulse.map_or(String::from("starting"), |line| line.replace('\t', " "));
    console::status(format!("… {}: {pulse}", target.name));
}

/// The executions that libFuzzer told last.
fn executions(said: &str) -> u64 {
    let told = number_after(said, "stat::number_of_executed_units:");
    let pulses = said.lines().filter_map(|line| line.strip_prefix('#')?.split('\t').next());
    told.max(pulses.filter_map(|number| number.parse().ok()).max().unwrap_or(0))
}

/// The number after the last of these words; zero where there is none.
fn number_after(said: &str, words: &str) -> u64 {
    let rest = said.rsplit_once(words).map_or("", |(_, rest)| rest).trim_start();
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().unwrap_or(0)
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
