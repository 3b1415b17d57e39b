//! Plants each fault of the catalogue in a copy of the tree, runs the checks, and prints who caught it and when.

mod catalogue;
mod checks;
mod copy;
mod guided;
mod matrix;
mod records;
mod suite_pays;
mod worker;

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::json;

use self::catalogue::Fault;
use self::copy::Copy;
use self::guided::When;
use self::matrix::{Measured, Numbers, Trouble};
use self::records::{Records, Row, outcome_to_json};
use self::suite_pays::SuitePays;
use self::worker::{FIRST_SEED, News, Task, Waiting, Way, Worker};
use crate::console::{self, Format, Progress};
use crate::fingerprints::Fingerprints;
use crate::fuzz::tools::{self, Tools};
use crate::job::workspace_root;
use crate::verdict::Verdict;
use crate::{crew, disk, interrupt};

/// Plants the faults of xtask/faults.toml, one at a time, and measures which check catches each, and when.
///
/// Each is planted in a copy of the tree, under target/touchmove/faults, and built there. The checks run from cheap to dear,
/// each by itself until it finds something or its time is up. The tree without a fault, `clean`, is a row like
/// others and must raise nothing. Results are kept as they come: a run that was interrupted goes on where it was.
///
/// Exit codes: 1 a fault that survives, or is not what the catalogue says, or an alarm on the clean tree; 2 a catalogue
/// whose texts are not found exactly once; 3 nothing could be run.
#[derive(clap::Args)]
pub(crate) struct Faults {
    /// The faults to plant, or `clean` [default: all, and clean]
    ids: Vec<String>,
    /// How long a check may take
    #[arg(long, value_parser = console::time, default_value = "10s")]
    time: Duration,
    /// With how many seeds the clean tree passes the random checks
    #[arg(long, value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// How many copies are worked on at once, some hundred MB each [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Counts only: the figures and fingerprints of the faults, no other check
    #[arg(long)]
    counts: bool,
    /// Looks only whether every text of the catalogue is found exactly once
    #[arg(long, conflicts_with_all = ["ids", "counts"])]
    list: bool,
    /// Fuzzes every fault as well, by nightly Rust and cargo-fuzz [default: those that fewer than two other checks catch,
    /// where the tools are there]
    #[arg(long, conflicts_with_all = ["counts", "list"])]
    guided: bool,
    /// Measures again what is measured already
    #[arg(long)]
    fresh: bool,
    /// Writes perft-data/fingerprints.json and the table of perft-data/README.md
    #[arg(long)]
    write: bool,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl Faults {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        let faults = catalogue::read(&workspace_root())?;
        if self.format == Format::Json {
            console::json(&json!({
                "type": "run", "verb": "faults", "faults": faults.len(),
                "seconds_a_check": self.time.as_secs_f64(), "seeds": self.seeds,
            }));
        }
        if self.list {
            faults.iter().for_each(|fault| self.print_fault(fault));
            return Ok(Verdict::Pass);
        }
        let tools = self.tools();
        if self.guided && tools.is_none() {
            return Ok(Verdict::Unknown);
        }
        let tasks = self.tasks(&faults)?;
        let rows = self.measure(&tasks, tools.as_ref())?;
        self.close(&faults, &tasks, &rows)
    }

    fn print_fault(&self, fault: &Fault) {
        match self.format {
            Format::Human => {
                console::result(format!("{:<44} {}", fault.id(), fault.caught_by()));
            }
            Format::Json => console::json(&json!({
                "type": "fault", "fault": fault.id(), "file": fault.file,
                "caught_by": fault.caught_by(),
            })),
        }
    }

    fn way(&self, tools: Option<&Tools>) -> Way {
        let guided = match tools {
            None => When::Never,
            Some(_) if self.guided => When::Always,
            Some(_) => When::Hidden,
        };
        Way { time: (!self.counts).then_some(self.time), guided }
    }

    /// The tools of guided fuzzing, unless nobody needs them; what is missing is told.
    fn tools(&self) -> Option<Tools> {
        if self.counts { None } else { tools::find() }
    }

    /// What is to be measured: the clean tree first.
    fn tasks<'a>(&self, faults: &'a [Fault]) -> anyhow::Result<Vec<Task<'a>>> {
        let is_known = |id: &str| id == checks::CLEAN || faults.iter().any(|f| f.id() == id);
        if let Some(unknown) = self.ids.iter().find(|id| !is_known(id)) {
            bail!("no fault `{unknown}`; `cargo xtask faults --list` names them");
        }
        let is_wanted =
            |id: &str| self.ids.is_empty() || self.ids.iter().any(|wanted| wanted == id);
        let seeds = if self.counts { 1 } else { self.seeds };
        let seeds = if is_wanted(checks::CLEAN) { seeds } else { 0 };
        let clean = (FIRST_SEED..FIRST_SEED + seeds).map(|seed| Task { fault: None, seed });
        let planted = faults
            .iter()
            .filter(|fault| is_wanted(fault.id()))
            .map(|fault| Task { fault: Some(fault), seed: FIRST_SEED });
        Ok(clean.chain(planted).collect())
    }

    /// The rows of these tasks, by their numbers; fewer when interrupted.
    fn measure(
        &self,
        tasks: &[Task<'_>],
        tools: Option<&Tools>,
    ) -> anyhow::Result<BTreeMap<usize, Row>> {
        let workspace = workspace_root();
        let folder = workspace.join("target/touchmove/faults");
        fs::create_dir_all(&folder).context("cannot make target/touchmove/faults")?;
        let tree = records::hash_of_tree(&workspace).context("cannot read the tree")?;
        let path = folder.join("results.jsonl");
        let mut records = Records::open(&path, tree, self.fresh)
            .with_context(|| format!("cannot open {}", path.display()))?;
        let way = self.way(tools);
        let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
        let mut waiting = VecDeque::new();
        for (number, task) in tasks.iter().enumerate() {
            match records.earlier(task.fault, task.seed, &way.word()) {
                Some(row) => drop(rows.insert(number, row)),
                None => waiting.push_back((number, task)),
            }
        }
        if !rows.is_empty() {
            console::status(format!("{} of {} rows are measured already", rows.len(), tasks.len()));
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = self.threads.map_or(cores, usize::from).min(waiting.len());
        let jobs = (cores / workers.max(1)).max(1);
        let copies: Vec<Copy> = (0..workers)
            .map(|number| Copy::new(&workspace, &folder, &format!("copy-{number}"), jobs))
            .collect::<std::io::Result<_>>()
            .context("cannot copy the tree")?;
        let waiting: Waiting<'_> = Mutex::new(waiting);
        let mut progress = Progress::of_faults(tasks.len());
        let mut died = None;
        std::thread::scope(|scope| {
            let (sender, news) = mpsc::channel();
            for copy in copies {
                let (worker, waiting) = (Worker::new(copy, tools, way, sender.clone()), &waiting);
                scope.spawn(move || worker.work(waiting));
            }
            drop(sender);
            crew::receive(&news, |told| {
                match told {
                    Some(News::Checked(row, check, outcome)) if self.format == Format::Json => {
                        let mut value = outcome_to_json(&check, &outcome);
                        value["type"] = "check".into();
                        value["fault"] = row.into();
                        progress.pause(|| console::json(&value));
                    }
                    Some(News::Measured(number, row)) => {
                        let written = records.add(&row, tasks[number].fault, &way.word());
                        died = died.take().or(written.err());
                        progress.pause(|| self.print_row(&row));
                        rows.insert(number, *row);
                    }
                    Some(News::Died(error)) => died = Some(error),
                    _ => {}
                }
                let caught = rows.values().filter(|row| row.catches().next().is_some()).count();
                progress.tell(rows.len() as u64, caught as u64);
            });
        });
        progress.finish();
        match died {
            Some(error) => Err(error).context("a copy cannot be worked on"),
            None => Ok(rows),
        }
    }

    /// A row as soon as it is whole; the matrix comes at the end.
    fn print_row(&self, row: &Row) {
        if self.format == Format::Json {
            return;
        }
        let catches: Vec<&str> = row.catches().map(|(check, ..)| check).collect();
        let told = match (&row.unbuildable, catches.as_slice()) {
            (Some(_), _) => String::from("does not compile"),
            (None, []) if self.counts => String::from("counted"),
            (None, []) => String::from("nothing raised"),
            (None, catches) => format!("caught by {}", catches.join(", ")),
        };
        let (id, seed, built) = (&row.id, row.seed, row.built);
        console::result(format!("{id}, seed {seed}: {told} (built in {built:.0} s)"));
    }

    fn close(
        &self,
        faults: &[Fault],
        tasks: &[Task<'_>],
        rows: &BTreeMap<usize, Row>,
    ) -> anyhow::Result<Verdict> {
        let measured: Vec<Measured<'_>> = rows
            .iter()
            .filter_map(|(&number, row)| Some(Measured { fault: tasks[number].fault?, row }))
            .collect();
        let clean = rows.iter().filter(|&(&number, _)| tasks[number].fault.is_none());
        let clean: Vec<&Row> = clean.map(|(_, row)| row).collect();
        let mut troubles: Vec<Trouble> = clean.iter().flat_map(|row| matrix::alarms(row)).collect();
        let with_checks = !self.counts;
        troubles.extend(measured.iter().flat_map(|one| matrix::troubles(one, with_checks)));
        troubles.extend(self.fingerprints(faults, &measured)?);
        let mut verdict =
            troubles.iter().map(|trouble| trouble.verdict).max().unwrap_or(Verdict::Pass);
        if rows.is_empty() {
            verdict = verdict.max(Verdict::Unknown);
        }
        if interrupt::is_interrupted() {
            verdict = verdict.max(Verdict::Interrupted);
        }
        match self.format {
            Format::Human => self.print(&measured, &clean, &troubles, verdict),
            Format::Json => print_json(&measured, &clean, &troubles, verdict),
        }
        Ok(verdict)
    }

    /// Writes the fingerprints, or says which of those that are kept are others than were measured; and which lines of the
    /// suites could go.
    fn fingerprints(
        &self,
        faults: &[Fault],
        measured: &[Measured<'_>],
    ) -> anyhow::Result<Vec<Trouble>> {
        let workspace = workspace_root();
        let is_there = |id: &str| faults.iter().any(|fault| fault.id() == id);
        let counted =
            measured.iter().filter_map(|one| Some((one.fault.id(), one.row.counts.as_ref()?)));
        let kept = Fingerprints::read(&workspace);
        if self.write {
            let mut fingerprints = kept.unwrap_or_default();
            fingerprints.retain(is_there);
            counted.for_each(|(id, counts)| fingerprints.note(id, counts));
            let path = workspace.join(crate::fingerprints::PATH);
            disk::write(&path, fingerprints.to_text())?;
            let pays = SuitePays::of(&workspace, &fingerprints)?;
            pays.write(&workspace)?;
            return Ok(pays.idle().map(idle_line).collect());
        }
        let kept = kept?;
        let others =
            counted.filter(|(id, counts)| !kept.agrees(id, counts)).map(|(id, _)| Trouble {
                verdict: Verdict::Fail,
                told: format!("{id}: other counts than in {}: --write", crate::fingerprints::PATH),
            });
        let mut troubles: Vec<Trouble> = others.collect();
        troubles.extend(SuitePays::of(&workspace, &kept)?.idle().map(idle_line));
        Ok(troubles)
    }

    fn print(
        &self,
        measured: &[Measured<'_>],
        clean: &[&Row],
        troubles: &[Trouble],
        verdict: Verdict,
    ) {
        for Trouble { verdict, told } in troubles {
            console::result(format!("{}  {told}", verdict.painted()));
        }
        for Measured { fault, row } in measured {
            if let Some(figures) = &fault.figures {
                let (expected, counted) = (&figures.counts, &row.figures);
                console::result(format!("{}: {}", fault.id(), figures.fen));
                console::result(format!("      expected {expected:?}, counted {counted:?}"));
            }
        }
        if !self.counts && !measured.is_empty() {
            for (id, check, reason) in matrix::fragile(measured) {
                let reason = reason.unwrap_or("no second catcher, and no reason given");
                console::result(format!("fragile: {id}, caught by {check} alone: {reason}"));
            }
            matrix::print(measured);
            Numbers::of(measured).print();
        }
        if !clean.is_empty() {
            let raised: usize = clean.iter().map(|row| row.catches().count()).sum();
            console::result(format!("clean: {} seeds, {raised} alarms", clean.len()));
        }
        console::result(format!("{}: {} faults", verdict.painted(), measured.len()));
    }
}

fn idle_line((idle, by): (&str, &str)) -> Trouble {
    Trouble {
        verdict: Verdict::Fail,
        told: format!(
            "perft line {idle} shows nothing that {by} does not, for no more nodes: drop or replace it"
        ),
    }
}

fn print_json(measured: &[Measured<'_>], clean: &[&Row], troubles: &[Trouble], verdict: Verdict) {
    let numbers = Numbers::of(measured);
    console::json(&json!({
        "type": "summary", "verdict": verdict.word(), "faults": numbers.faults,
        "caught": numbers.caught, "unseen_by_well_known": numbers.unseen_by_well_known,
        "median_detection_seconds": numbers.median_detection,
        "perft_depths": numbers.perft_depths.iter()
            .map(|(depth, faults)| json!({ "depth": depth, "faults": faults })).collect::<Vec<_>>(),
        "fragile": matrix::fragile(measured).into_iter().map(|(id, check, reason)|
            json!({ "fault": id, "check": check, "reason": reason })).collect::<Vec<_>>(),
        "clean_seeds": clean.len(),
        "clean_alarms": clean.iter().map(|row| row.catches().count()).sum::<usize>(),
        "troubles": troubles.iter().map(|trouble| trouble.told.as_str()).collect::<Vec<_>>(),
    }));
}
