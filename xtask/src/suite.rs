//! `suite verify`: every line of a suite confirmed by referees, and the rule events it claims found.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use touchmove_oracles::census::{Event, Events, UnknownEvent, unreached};
use touchmove_oracles::referees::Silence;

use crate::console::{self, Format};
use crate::counting::{self, Counter, Route, Stopped};
use crate::job::{Job, LeftOut, keep_within, read_jobs};
use crate::judges::{self, Bench, Judge};
use crate::perft::DEPTH_MAX;
use crate::tally::Branches;
use crate::verdict::Verdict;
use crate::{crew, interrupt};

/// How many independent referees must confirm a count.
const CONFIRMATIONS_MIN: usize = 2;

/// Perft suites.
#[derive(clap::Args)]
pub(crate) struct Suite {
    #[command(subcommand)]
    verb: SuiteVerb,
}

#[derive(clap::Subcommand)]
enum SuiteVerb {
    Verify(Verify),
}

impl Suite {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        match self.verb {
            SuiteVerb::Verify(verify) => verify.run(),
        }
    }
}

/// Recounts every line with each referee, and looks for the rule events that it claims.
///
/// A referee that cannot hold a position abstains by name. Each line needs two referees that share no code
/// with the engine and do not abstain; where the default ones are fewer, `naive` stands in.
#[derive(clap::Args)]
struct Verify {
    /// EPD files or folders [default: the suites of this repository]
    paths: Vec<PathBuf>,
    /// Who counts, instead of trial, shakmaty and cozy; may be given several times
    #[arg(long = "referee", value_name = "R")]
    referees: Vec<Judge>,
    /// The deepest depth that is counted
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=DEPTH_MAX))]
    depth: Option<u32>,
    /// Leaves out the depths for which more nodes are listed
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// How many lines are counted at a time [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// How long an engine may take for each answer
    #[arg(long, value_parser = humantime::parse_duration, default_value = "60s")]
    timeout: Duration,
    /// Takes all positions for Chess960
    #[arg(long)]
    chess960: bool,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// What verifying one line came to.
#[derive(Default)]
struct Findings {
    confirmed_by: Vec<String>,
    independent: usize,
    abstained: Vec<(String, Silence)>,
    differences: Vec<String>,
    unknown_events: Vec<String>,
    missing_events: Vec<String>,
    /// The counts on which everyone was heard.
    counts: usize,
    stopped: bool,
}

impl Findings {
    fn verdict(&self) -> Verdict {
        let failed = |(_, silence): &(String, Silence)| matches!(silence, Silence::Failed(_));
        if !self.differences.is_empty() || !self.missing_events.is_empty() {
            Verdict::Fail
        } else if self.stopped {
            Verdict::Interrupted
        } else if !self.unknown_events.is_empty() {
            Verdict::BadInput
        } else if self.independent < CONFIRMATIONS_MIN || self.abstained.iter().any(failed) {
            Verdict::Unknown
        } else {
            Verdict::Pass
        }
    }
}

impl Verify {
    fn run(self) -> anyhow::Result<Verdict> {
        let (benches, stand_in) = self.benches();
        if self.format == Format::Json {
            let names = benches.iter().map(|bench| bench.judge.to_string());
            console::json(&json!({
                "type": "run", "verb": "suite verify", "referees": names.collect::<Vec<_>>(),
            }));
        }
        let (mut jobs, input) = read_jobs(&self.paths, self.chess960, self.format)?;
        let left_out = keep_within(&mut jobs, self.depth, self.max_nodes);
        let start = Instant::now();
        let pool = counting::pool(self.threads.map(usize::from))?;
        let jobs = Arc::new(jobs);
        let work = move |job: &Job| verify(job, &benches, stand_in.as_ref());
        let print = |job: &Job, findings: &Findings| self.print(job, findings);
        let findings = crew::work_on(&jobs, pool, work, || 0, print);
        let verified = findings.values().map(Findings::verdict).max().unwrap_or(Verdict::Unknown);
        let mut verdict = verified.max(input);
        if findings.len() < jobs.len() {
            verdict = verdict.max(Verdict::Interrupted);
        }
        self.close(&jobs, left_out, &findings, start.elapsed(), verdict);
        Ok(verdict)
    }

    /// Who counts, and who stands in when one of them abstains.
    fn benches(&self) -> (Vec<Bench>, Option<Bench>) {
        let default = [Judge::Trial, Judge::Shakmaty, Judge::Cozy];
        let judges = match self.referees.as_slice() {
            [] => default.to_vec(),
            named => judges::distinct(named),
        };
        let bench = |judge: &Judge| Bench::new(judge.clone(), self.timeout);
        let stand_in = self.referees.is_empty().then(|| bench(&Judge::Naive));
        (judges.iter().map(bench).collect(), stand_in)
    }

    fn print(&self, job: &Job, findings: &Findings) {
        let verdict = findings.verdict();
        if self.format == Format::Json {
            let abstained = findings.abstained.iter();
            return console::json(&json!({
                "type": "position", "verdict": verdict.word(), "place": job.place(),
                "id": job.name, "fen": job.position.to_string(), "variant": job.mode.to_string(),
                "confirmed_by": findings.confirmed_by, "differences": findings.differences,
                "events": job.events, "missing_events": findings.missing_events,
                "unknown_events": findings.unknown_events,
                "abstained": abstained.map(|(name, silence)| format!("{name} {silence}"))
                    .collect::<Vec<_>>(),
            }));
        }
        let depth = job.depths.last().map_or(0, |&(depth, _)| depth);
        let by = findings.confirmed_by.join(", ");
        let (name, mode) = (&job.name, job.mode);
        let line = format!("{}  {name}  depth {depth}  {mode}  {by}", verdict.painted());
        console::result(line.trim_end());
        let place = job.place();
        for difference in &findings.differences {
            console::result(format!("      {place}: {difference}"));
        }
        for event in &findings.missing_events {
            console::result(format!(
                "      {place}: `{event}` is claimed and not reached in {} plies",
                job.depth_listed
            ));
        }
        for event in &findings.unknown_events {
            console::result(format!("      {place}: `{event}` in c0: no such rule event"));
        }
        for (name, silence) in &findings.abstained {
            console::result(format!("      {name} {silence}"));
        }
        if verdict == Verdict::Unknown && findings.independent < CONFIRMATIONS_MIN {
            console::result(format!(
                "      confirmed by {} independent referees, {CONFIRMATIONS_MIN} are needed",
                findings.independent
            ));
        }
    }

    fn close(
        &self,
        jobs: &[Job],
        left_out: LeftOut,
        findings: &BTreeMap<usize, Findings>,
        elapsed: Duration,
        verdict: Verdict,
    ) {
        let passed = findings.values().filter(|f| f.verdict() == Verdict::Pass).count();
        let counts: usize = findings.values().map(|findings| findings.counts).sum();
        let whole = findings.iter().filter(|(_, findings)| !findings.stopped);
        let events: usize = whole.map(|(&index, _)| jobs[index].events.len()).sum();
        let seconds = elapsed.as_secs_f64();
        match self.format {
            Format::Human => {
                if let Some(text) = left_out.as_text() {
                    console::result(format!("      {text}"));
                }
                console::result(format!(
                    "{}: {passed} of {} positions verified, {counts} counts, {events} rule events \
                     in {seconds:.1} s",
                    verdict.painted(),
                    jobs.len()
                ));
            }
            Format::Json => console::json(&json!({
                "type": "summary", "verdict": verdict.word(), "passed": passed,
                "of": jobs.len(), "counts": counts, "events": events, "seconds": seconds,
                "left_out": left_out.as_json(),
            })),
        }
    }
}

fn verify(job: &Job, benches: &[Bench], stand_in: Option<&Bench>) -> Findings {
    let mut findings = Findings::default();
    let counter = Counter::new(Route::Fast);
    let ours: Result<Vec<Branches>, Stopped> = job
        .depths
        .iter()
        .map(|&(depth, _)| Branches::ours(&counter, &job.position, depth))
        .collect();
    let Ok(ours) = ours else {
        findings.stopped = true;
        return findings;
    };
    for bench in benches {
        recount(job, &ours, bench, &mut findings);
    }
    if let Some(stand_in) = stand_in
        && findings.independent < CONFIRMATIONS_MIN
        && !findings.abstained.is_empty()
    {
        recount(job, &ours, stand_in, &mut findings);
    }
    if findings.stopped {
        return findings;
    }
    findings.counts = job.depths.len();
    look_for_events(job, &mut findings);
    findings
}

/// Has a referee count every depth, and holds that against the suite and, move by move, against us: totals
/// alone may agree by errors that cancel.
fn recount(job: &Job, ours: &[Branches], bench: &Bench, findings: &mut Findings) {
    let name = bench.judge.to_string();
    let mut confirmed = true;
    for (&(depth, listed), ours) in job.depths.iter().zip(ours) {
        let theirs = bench.ask(|referee| {
            referee.set(&job.fen, job.mode)?;
            Branches::theirs(referee, depth)
        });
        if interrupt::is_interrupted() {
            findings.stopped = true;
            return;
        }
        let theirs = match theirs {
            Ok(theirs) => theirs,
            Err(silence) => {
                findings.abstained.push((name, silence));
                return;
            }
        };
        let total = theirs.total();
        let difference = match listed {
            Some(listed) if listed != total => format!("listed {listed}, {name} {total}"),
            _ if theirs != *ours => {
                format!("{name} counts {total}, but not move by move as touchmove does")
            }
            _ => continue,
        };
        findings.differences.push(format!("depth {depth}, {difference}"));
        confirmed = false;
    }
    if confirmed {
        findings.independent += usize::from(bench.judge.is_independent());
        findings.confirmed_by.push(name);
    }
}

fn look_for_events(job: &Job, findings: &mut Findings) {
    let mut wanted = Events::NONE;
    for name in &job.events {
        match name.parse::<Event>() {
            Ok(event) => wanted.insert(event),
            Err(UnknownEvent) => findings.unknown_events.push(name.clone()),
        }
    }
    let missing = unreached(&job.position, job.depth_listed, wanted);
    findings.missing_events = missing.iter().map(|event| event.to_string()).collect();
}
