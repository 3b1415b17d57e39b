//! Plants each fault of the catalogue in a copy of the tree, runs the checks, and prints who caught it and when.

mod catalogue;
mod checks;
mod copy;
mod guided;
mod matrix;
mod records;
mod suite_counts;
mod suite_pays;
mod worker;

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::json;

use self::catalogue::Fault;
use self::copy::Copy;
use self::guided::When;
use self::matrix::{Measured, Numbers, Trouble};
use self::records::{Records, Row, outcome_to_json};
use self::suite_counts::{End, SuiteCounts};
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
    /// How long a check may search; building it, a minute or so, and counting the suites for fingerprints come on top
    #[arg(long, value_parser = time_of_check, default_value = "10s")]
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
    /// Lists the faults, each with the check that must catch it, after making sure that every text is found exactly once
    #[arg(long, conflicts_with_all = ["ids", "counts"])]
    list: bool,
    /// Fuzzes every fault as well, by nightly Rust and cargo-fuzz [default: those that fewer than two other checks catch,
    /// where the tools are there]
    #[arg(long, conflicts_with_all = ["counts", "list"])]
    guided: bool,
    /// Measures again what is measured already
    #[arg(long)]
    fresh: bool,
    /// Writes perft-data/fingerprints.json and the table of perft-data/README.md, with what was measured; the rest stays
    #[arg(long)]
    write: bool,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// In less than a second nothing is done.
fn time_of_check(text: &str) -> Result<Duration, String> {
    let time = console::time(text)?;
    let is_enough = time >= Duration::from_secs(1);
    is_enough.then_some(time).ok_or_else(|| String::from("expected a second or more"))
}

impl Faults {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        let faults = catalogue::read(&workspace_root())?;
        let tasks = self.tasks(&faults)?;
        let kept = Fingerprints::kept(&workspace_root(), self.write)?;
        if self.format == Format::Json {
            console::json(&json!({
                "type": "run", "verb": "faults", "rows": tasks.len(),
                "seconds_a_check": self.time.as_secs_f64(), "seeds": self.seeds,
            }));
        }
        if self.list {
            faults.iter().for_each(|fault| self.print_fault(fault));
            if self.format == Format::Json {
                let verdict = Verdict::Pass.word();
                console::json(
                    &json!({ "type": "summary", "verdict": verdict, "faults": faults.len() }),
                );
            }
            return Ok(Verdict::Pass);
        }
        let tools = self.tools();
        if self.guided && tools.is_none() {
            return Ok(Verdict::Unknown);
        }
        let mut rows = BTreeMap::new();
        let measured = self.measure(&tasks, tools.as_ref(), &mut rows);
        self.close(&faults, &tasks, &rows, kept, measured.err())
    }

    fn print_fault(&self, fault: &Fault) {
        match self.format {
            Format::Human => {
                console::result(format!("{:<44} {}", fault.id(), fault.caught_by()));
            }
            Format::Json => console::json(&json!({
                "type": "fault", "fault": fault.id(), "file": fault.file(),
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

    /// Measures these tasks, up to Ctrl-C or to what keeps it from going on: their rows, by their numbers.
    fn measure(
        &self,
        tasks: &[Task<'_>],
        tools: Option<&Tools>,
        rows: &mut BTreeMap<usize, Row>,
    ) -> anyhow::Result<()> {
        let workspace = workspace_root();
        let folder = workspace.join("target/touchmove/faults");
        fs::create_dir_all(&folder).context("cannot make target/touchmove/faults")?;
        let tree = records::hash_of_tree(&workspace).context("cannot read the tree")?;
        let path = folder.join("results.jsonl");
        let mut records = Records::open(&path, tree, self.fresh)
            .with_context(|| format!("cannot open {}", path.display()))?;
        let way = self.way(tools);
        let mut waiting = VecDeque::new();
        for (number, task) in tasks.iter().enumerate() {
            match records.earlier(task.fault, task.seed, &way.word()) {
                Some(row) => {
                    self.print_row_for_programs(&row);
                    rows.insert(number, row);
                }
                None => waiting.push_back((number, task)),
            }
        }
        if !rows.is_empty() {
            console::status(format!("{} of {} rows are measured already", rows.len(), tasks.len()));
        }
        let copies = self.copies(waiting.len(), &folder, tree)?;
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
        died.map_or(Ok(()), |error| Err(error).context("not all is measured"))
    }

    /// The copies in which so many rows are measured; all of them are the tree of this hash.
    fn copies(&self, rows: usize, folder: &Path, tree: u64) -> anyhow::Result<Vec<Copy>> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = self.threads.map_or(cores, usize::from).min(rows);
        let jobs = (cores / workers.max(1)).max(1);
        let copies: Vec<Copy> = (0..workers)
            .map(|number| Copy::new(&workspace_root(), folder, &format!("copy-{number}"), jobs))
            .collect::<std::io::Result<_>>()
            .context("cannot copy the tree")?;
        for copy in &copies {
            if records::hash_of_tree(copy.root()).context("cannot read a copy")? != tree {
                bail!("the tree has changed while it was copied");
            }
        }
        Ok(copies)
    }

    fn print_row_for_programs(&self, row: &Row) {
        if self.format == Format::Json {
            console::json(&row.to_json());
        }
    }

    /// A row as soon as it is whole; the matrix comes at the end.
    fn print_row(&self, row: &Row) {
        if self.format == Format::Json {
            return self.print_row_for_programs(row);
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
        if let Some(End::Broken(how)) = row.counts.as_ref().map(|counts| &counts.end) {
            console::result(format!("      counting the suites: {how}"));
        }
        if let Some((check, find, _)) = row.catches().next() {
            console::result(format!("      {check}: {find}"));
        }
    }

    fn close(
        &self,
        faults: &[Fault],
        tasks: &[Task<'_>],
        rows: &BTreeMap<usize, Row>,
        kept: Fingerprints,
        died: Option<anyhow::Error>,
    ) -> anyhow::Result<Verdict> {
        let measured: Vec<Measured<'_>> = rows
            .iter()
            .filter_map(|(&number, row)| Some(Measured { fault: tasks[number].fault?, row }))
            .collect();
        let clean = rows.iter().filter(|&(&number, _)| tasks[number].fault.is_none());
        let clean: Vec<&Row> = clean.map(|(_, row)| row).collect();
        let mut troubles: Vec<Trouble> = clean.iter().flat_map(|row| matrix::alarms(row)).collect();
        let clean = Clean { seeds: clean.len(), alarms: troubles.len() };
        let mut renewed = kept.clone();
        renewed.retain(|id| faults.iter().any(|fault| fault.id() == id));
        for one in &measured {
            let of_fault = matrix::troubles(one, !self.counts);
            // What is not as it must be is no fingerprint either.
            if let Some(counts) = one.row.counts.as_ref().and_then(SuiteCounts::fingerprint)
                && of_fault.is_empty()
                && clean.alarms == 0
            {
                renewed.note(one.fault.id(), &counts);
            }
            troubles.extend(of_fault);
        }
        troubles.extend(died.map(|error| Trouble::unknown(format!("{error:#}"))));
        let told = match self.write {
            true => write(&renewed),
            false => compare(&kept, &renewed, faults),
        };
        troubles.extend(told.unwrap_or_else(|error| vec![Trouble::unknown(format!("{error:#}"))]));
        let mut verdict =
            troubles.iter().map(|trouble| trouble.verdict).max().unwrap_or(Verdict::Pass);
        if rows.is_empty() {
            verdict = verdict.max(Verdict::Unknown);
        }
        if interrupt::is_interrupted() {
            verdict = verdict.max(Verdict::Interrupted);
        }
        match self.format {
            Format::Human => self.print(&measured, clean, &troubles, verdict),
            Format::Json => print_json(&measured, clean, &troubles, verdict),
        }
        Ok(verdict)
    }

    fn print(
        &self,
        measured: &[Measured<'_>],
        clean: Clean,
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
        if clean.seeds > 0 {
            console::result(format!("clean: {} seeds, {} alarms", clean.seeds, clean.alarms));
        }
        console::result(format!("{}: {} faults", verdict.painted(), measured.len()));
    }
}

/// What became of the tree without a fault.
#[derive(Clone, Copy)]
struct Clean {
    seeds: usize,
    alarms: usize,
}

/// Writes the fingerprints and the table of lines, and says which lines could go.
fn write(renewed: &Fingerprints) -> anyhow::Result<Vec<Trouble>> {
    let workspace = workspace_root();
    let pays = SuitePays::of(&workspace, renewed)?;
    // First what may have no place.
    pays.write(&workspace)?;
    let path = crate::fingerprints::PATH;
    disk::write(&workspace.join(path), renewed.to_text())
        .with_context(|| format!("cannot write {path}"))?;
    Ok(pays.idle().map(idle_line).collect())
}

/// Which of the kept fingerprints are others than were measured, or nobody's; and which lines of the suites could go.
fn compare(
    kept: &Fingerprints,
    renewed: &Fingerprints,
    faults: &[Fault],
) -> anyhow::Result<Vec<Trouble>> {
    let path = crate::fingerprints::PATH;
    let differing = faults.iter().map(Fault::id).filter(|id| kept.of(id) != renewed.of(id));
    let others = differing.map(|id| match kept.of(id) {
        Some(_) => format!("{id}: other counts than in {path}: --write renews them"),
        None => format!("{id}: {path} has no counts of it yet: --write adds them"),
    });
    let is_unknown = |id: &&str| !faults.iter().any(|fault| fault.id() == *id);
    let unknown = kept.names().filter(is_unknown);
    let unknown =
        unknown.map(|id| format!("{path} has counts of {id}, which is no fault: --write"));
    let mut troubles: Vec<Trouble> = others.chain(unknown).map(Trouble::fail).collect();
    troubles.extend(SuitePays::of(&workspace_root(), kept)?.idle().map(idle_line));
    Ok(troubles)
}

fn idle_line((idle, by): (&str, &str)) -> Trouble {
    Trouble::fail(format!(
        "perft line {idle} shows nothing that {by} does not, for no more nodes: drop or replace it"
    ))
}

fn print_json(measured: &[Measured<'_>], clean: Clean, troubles: &[Trouble], verdict: Verdict) {
    let numbers = Numbers::of(measured);
    console::json(&json!({
        "type": "summary", "verdict": verdict.word(), "faults": numbers.faults,
        "caught": numbers.caught, "unseen_by_well_known": numbers.unseen_by_well_known,
        "median_detection_seconds": numbers.median_detection,
        "perft_depths": numbers.perft_depths.iter()
            .map(|(depth, faults)| json!({ "depth": depth, "faults": faults })).collect::<Vec<_>>(),
        "fragile": matrix::fragile(measured).into_iter().map(|(id, check, reason)|
            json!({ "fault": id, "check": check, "reason": reason })).collect::<Vec<_>>(),
        "clean_seeds": clean.seeds,
        "clean_alarms": clean.alarms,
        "figures": measured.iter().filter_map(|Measured { fault, row }| Some(json!({
            "fault": fault.id(), "expected": fault.figures.as_ref()?.counts, "counted": row.figures,
        }))).collect::<Vec<_>>(),
        "troubles": troubles.iter().map(|Trouble { verdict, told }|
            json!({ "verdict": verdict.word(), "told": told })).collect::<Vec<_>>(),
    }));
}
