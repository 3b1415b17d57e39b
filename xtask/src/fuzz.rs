//! Fuzzing guided by coverage: the targets, their seeds, and the replay of both on stable Rust.

mod apart;
mod campaign;
mod finds;
pub(crate) mod lab;
mod log;
mod seed;
pub(crate) mod tools;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Subcommand;
use serde_json::json;
use touchmove_oracles::case::Case;
use touchmove_oracles::replay::{CASES_MIN, INPUTS_MIN, Input, Replayed, kept, replay, replay_by};
use touchmove_oracles::targets::{CANARY, TARGETS, Target, named};

use self::apart::{Judge, Told};
use self::campaign::Tally;
use self::lab::{Budget, Lab};
use crate::console::{self, BadText, Format, json_count, quantity};
use crate::interrupt;
use crate::job::workspace_root;
use crate::verdict::Verdict;

/// How long a campaign takes for which neither time nor executions are given.
const TIME_DEFAULT: Duration = Duration::from_secs(10 * 60);

/// libFuzzer counts no further.
const RUNS_MAX: u64 = i32::MAX as u64;

/// Searches for inputs on which the engine and its referees part, guided by coverage.
///
/// Needs nightly Rust and cargo-fuzz, but for `list`, `replay` and `seed`. What a run leaves is under
/// target/touchmove/fuzz: working corpora, logs, and finds as cases with their bytes.
#[derive(clap::Args)]
pub(crate) struct Fuzz {
    #[command(subcommand)]
    verb: FuzzVerb,
}

#[derive(Subcommand)]
enum FuzzVerb {
    /// Lists the targets
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Runs one target
    Run {
        #[arg(value_parser = target)]
        target: &'static Target,
        #[command(flatten)]
        effort: Effort,
        #[command(flatten)]
        output: Output,
    },
    /// Runs the canary, which must crash, then all targets, which share the time by weight
    All {
        #[command(flatten)]
        effort: Effort,
        #[command(flatten)]
        output: Output,
    },
    /// Plays the committed corpus and all past finds again, on stable Rust; or these files
    Replay {
        /// Cases, or bytes named after their target as `fuzz` leaves them
        files: Vec<PathBuf>,
        #[command(flatten)]
        output: Output,
    },
    /// Keeps of a target's working corpus what adds to its coverage
    Cmin {
        #[arg(value_parser = target)]
        target: &'static Target,
    },
    /// Shortens an input that ends a target; the result is FILE.min
    Tmin {
        #[arg(value_parser = target)]
        target: &'static Target,
        file: PathBuf,
    },
    /// Writes the seeds of fuzz/corpus, the same each time
    Seed,
    /// Judges what it reads: what `run` and `replay` ask another process
    #[command(hide = true)]
    Judge(Judge),
}

#[derive(clap::Args)]
struct Output {
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(clap::Args)]
struct Effort {
    /// How long, for all targets together [default: 10m]
    #[arg(long, value_parser = console::time, conflicts_with = "runs")]
    time: Option<Duration>,
    /// How many executions of each target, instead of a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=RUNS_MAX))]
    runs: Option<u64>,
    /// How many processes search [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Beyond so many MiB under target/touchmove/fuzz nothing is added to the corpora
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    disk_max: u64,
}

impl Effort {
    fn budget(&self) -> Budget {
        self.runs.map_or(Budget::Time(self.time.unwrap_or(TIME_DEFAULT)), Budget::Runs)
    }

    fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }
}

/// Reads the name of a target.
fn target(name: &str) -> Result<&'static Target, String> {
    named(name).ok_or_else(|| String::from("no such target; `cargo xtask fuzz list` names them"))
}

impl Fuzz {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        match self.verb {
            FuzzVerb::List { output } => Ok(list(output.format)),
            FuzzVerb::Run { target, effort, output } => {
                with_lab(Some(target), effort.disk_max, |lab| {
                    begin(output.format, "run");
                    let tally = campaign::turn(lab, target, effort.budget(), effort.threads());
                    close(output.format, &[(target.name, tally)], Verdict::Pass)
                })
            }
            FuzzVerb::All { effort, output } => {
                with_lab(None, effort.disk_max, |lab| all(lab, &effort, output.format))
            }
            FuzzVerb::Replay { files, output } => play_again(&files, output.format),
            FuzzVerb::Cmin { target } => {
                with_lab(Some(target), u64::MAX, |lab| Ok(verdict_of(lab.minimize(target)?)))
            }
            FuzzVerb::Tmin { target, file } => {
                read(&file)?;
                with_lab(Some(target), u64::MAX, |lab| shorten(lab, target, &file))
            }
            FuzzVerb::Judge(judge) => judge.run(),
            FuzzVerb::Seed => {
                let (files, bytes) = seed::write(&lab::committed(&workspace_root()))?;
                console::result(format!("{files} seeds, {} KiB", bytes / 1024));
                Ok(Verdict::Pass)
            }
        }
    }
}

/// Finds the tools and builds; where that does not go, its verdict is the end.
fn with_lab(
    target: Option<&'static Target>,
    disk_max_mib: u64,
    run: impl FnOnce(&Lab) -> anyhow::Result<Verdict>,
) -> anyhow::Result<Verdict> {
    let Some(tools) = tools::find() else { return Ok(Verdict::Unknown) };
    match tools.build(target)? {
        Verdict::Pass => run(&Lab::new(tools, disk_max_mib.saturating_mul(1 << 20))),
        verdict => Ok(verdict),
    }
}

fn verdict_of(status: std::process::ExitStatus) -> Verdict {
    match status.success() {
        true => Verdict::Pass,
        false if interrupt::is_interrupted() => Verdict::Interrupted,
        false => Verdict::Unknown,
    }
}

/// The result is told where there is one: of an input that does not end the target there is none.
fn shorten(lab: &Lab, target: &Target, file: &Path) -> anyhow::Result<Verdict> {
    let to = PathBuf::from(format!("{}.min", file.display()));
    if to.exists() {
        fs::remove_file(&to).with_context(|| format!("cannot replace {}", to.display()))?;
    }
    let verdict = verdict_of(lab.shorten(target, file, &to)?);
    match (to.exists(), verdict) {
        (true, _) => console::result(to.display()),
        (false, Verdict::Interrupted) => {}
        (false, _) => bail!("{}: expected an input that ends {}", file.display(), target.name),
    }
    Ok(verdict)
}

/// Reads a file that was named.
fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path.is_dir() {
        bail!("{}: expected a file, this is a folder", path.display());
    }
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn list(format: Format) -> Verdict {
    for target in TARGETS.iter().chain([&CANARY]) {
        match format {
            Format::Human => console::result(format!("{:<14} {}", target.name, target.does)),
            Format::Json => console::json(&json!({
                "type": "target", "name": target.name, "does": target.does, "weight": target.weight,
            })),
        }
    }
    Verdict::Pass
}

fn begin(format: Format, verb: &str) {
    if format == Format::Json {
        console::json(&json!({ "type": "run", "verb": format!("fuzz {verb}") }));
    }
}

fn all(lab: &Lab, effort: &Effort, format: Format) -> anyhow::Result<Verdict> {
    begin(format, "all");
    let canary = campaign::canary(lab);
    match format {
        Format::Human => console::result(match canary {
            Verdict::Pass => "canary: found, as it must be",
            _ => "canary: NOT found; what follows proves nothing",
        }),
        Format::Json => {
            console::json(&json!({ "type": "canary", "verdict": canary.word() }));
        }
    }
    let tallies = campaign::all(lab, effort.budget(), effort.threads());
    close(format, &tallies, canary)
}

/// One summary at the end: what each target did and found.
fn close(format: Format, tallies: &[(&str, Tally)], canary: Verdict) -> anyhow::Result<Verdict> {
    for (name, tally) in tallies {
        print(format, name, tally);
    }
    let verdicts = tallies.iter().map(|(_, tally)| tally.verdict());
    let mut verdict = verdicts.max().unwrap_or(Verdict::Unknown).max(canary);
    if interrupt::is_interrupted() {
        verdict = verdict.max(Verdict::Interrupted);
    }
    let executions: u64 = tallies.iter().map(|(_, tally)| tally.executions).sum();
    let finds: usize = tallies.iter().map(|(_, tally)| tally.distinct()).sum();
    match format {
        Format::Human => console::result(format!(
            "{}: {} targets, {} executions, {finds} finds",
            verdict.painted(),
            tallies.len(),
            quantity(executions),
        )),
        Format::Json => console::json(&json!({
            "type": "summary", "verdict": verdict.word(), "targets": tallies.len(),
            "executions": json_count(executions), "finds": finds,
        })),
    }
    Ok(verdict)
}

fn print(format: Format, name: &str, tally: &Tally) {
    let (verdict, finds) = (tally.verdict(), tally.distinct());
    match format {
        Format::Human => console::result(format!(
            "{}  {name:<14} {:>9} executions  {:>7}/s  {:>5} edges  {finds} finds",
            verdict.painted(),
            quantity(tally.executions),
            quantity(tally.rate() as u64),
            tally.edges,
        )),
        Format::Json => console::json(&json!({
            "type": "target", "name": name, "verdict": verdict.word(),
            "executions": json_count(tally.executions), "per_second": tally.rate(),
            "edges": tally.edges, "finds": finds, "deaths": tally.deaths,
        })),
    }
    if let Some(why) = tally.doubt() {
        console::status(format!("{name}: {why}"));
    }
    for (what, (times, find)) in tally.grouped() {
        match format {
            Format::Human => {
                console::result(format!("      {} times: {what}", times));
                console::result(format!("      reproduce: {}", find.command));
            }
            Format::Json => console::json(&json!({
                "type": "find", "target": find.target, "what": what, "times": times,
                "bytes": find.bytes.display().to_string(), "reproduce": find.command,
            })),
        }
    }
}

/// Plays files again, or all that is kept, which must not be too little.
fn play_again(files: &[PathBuf], format: Format) -> anyhow::Result<Verdict> {
    begin(format, "replay");
    let inputs = match files {
        [] => kept(&lab::committed(&workspace_root()))?,
        files => files.iter().map(|path| input(path)).collect::<anyhow::Result<_>>()?,
    };
    inputs.iter().try_for_each(check)?;
    let start = Instant::now();
    let _answering = interrupt::answering();
    let replayed = match files {
        [] => replay(&inputs, interrupt::is_interrupted),
        // Files of which nobody knows what they do are played by somebody else.
        _ => replay_by(&inputs, play_apart, interrupt::is_interrupted),
    };
    let floor = files.is_empty() && replayed.is_below_floor();
    let verdict = match (replayed.troubles.is_empty(), interrupt::is_interrupted()) {
        (false, _) => Verdict::Fail,
        (true, true) => Verdict::Interrupted,
        (true, false) if floor => Verdict::Fail,
        (true, false) => Verdict::Pass,
    };
    print_replayed(format, &replayed, verdict, start.elapsed());
    if floor && verdict == Verdict::Fail {
        console::status(format!(
            "below the floor: at least {INPUTS_MIN} inputs, some for each target, and {CASES_MIN} \
             cases are kept"
        ));
    }
    Ok(verdict)
}

fn input(path: &Path) -> anyhow::Result<Input> {
    read(path)?;
    let input = Input::of(path.to_owned());
    input.with_context(|| format!("{}: neither a case nor named after a target", path.display()))
}

/// A case must be one.
fn check(input: &Input) -> anyhow::Result<()> {
    let Input::Case(path) = input else { return Ok(()) };
    let text = String::from_utf8(read(path)?)
        .with_context(|| format!("{}: expected a case, which is text", path.display()))?;
    text.parse::<Case>().map_err(|error| BadText::of_suite(path, &error))?;
    Ok(())
}

fn play_apart(input: &Input) -> Result<u64, String> {
    let bytes = read(input.path()).map_err(|error| format!("{error:#}"))?;
    let name = match input {
        Input::Bytes(target, _) => target.name,
        Input::Case(_) => apart::CASE,
    };
    match apart::judged(name, &bytes, None).map_err(|error| error.to_string())? {
        Told::Clean => Ok(bytes.len() as u64),
        Told::Diverges { told, .. } => Err(told),
        Told::NoVerdict(why) => Err(why),
    }
}

fn print_replayed(format: Format, replayed: &Replayed, verdict: Verdict, took: Duration) {
    for (path, trouble) in &replayed.troubles {
        match format {
            Format::Human => {
                console::result(format!("FAIL  {}", path.display()));
                trouble.lines().for_each(|line| console::result(format!("      {line}")));
            }
            Format::Json => console::json(&json!({
                "type": "find", "file": path.display().to_string(), "what": trouble,
            })),
        }
    }
    let (inputs, cases) = (replayed.inputs_in_all(), replayed.cases);
    let (kib, seconds) = (replayed.bytes / 1024, took.as_secs_f64());
    match format {
        Format::Human => {
            for (name, files) in &replayed.inputs {
                console::result(format!("{files:>6}  {name}"));
            }
            console::result(format!(
                "{}: {inputs} inputs ({kib} KiB) and {cases} cases in {seconds:.1} s",
                verdict.painted()
            ));
        }
        Format::Json => console::json(&json!({
            "type": "summary", "verdict": verdict.word(), "inputs": inputs, "cases": cases,
            "by_target": replayed.inputs, "seconds": seconds,
        })),
    }
}
