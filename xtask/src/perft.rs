//! Counts legal move paths and compares them with a suite.

mod backing;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use rayon::ThreadPool;
use serde_json::json;
use touchmove_oracles::leaves::Leaves;

use self::backing::Backing;
use crate::console::{self, Format, json_count, quantity};
use crate::counting::{self, Counter, Lookup, Mode, Route};
use crate::crew;
use crate::dispute::{Dispute, settle_all};
use crate::fingerprints::{Likeness, likenesses};
use crate::job::{Job, LeftOut, keep_within, read_jobs};
use crate::judges::{self, Bench, Judge};
use crate::tally::{Bookkeeper, DepthTally, RefereeCount, RefereeTally, Tally};
use crate::verdict::Verdict;

/// The deepest depth that is counted; suites go no deeper either.
pub(crate) const DEPTH_MAX: i64 = 99;
/// The hash takes so much memory unless something else is asked for.
const HASH_MEBIBYTES: usize = 256;

/// Counts legal move paths to every listed depth of every line and compares.
///
/// Without paths: the suites of this repository. A folder means its *.epd. Each referee counts every
/// line as well; without one, referees are called only to explain a wrong count.
#[derive(clap::Args)]
pub(crate) struct Perft {
    /// EPD files or folders
    paths: Vec<PathBuf>,
    /// Counts this position instead, a FEN or `startpos`, to every depth up to --depth
    #[arg(long, conflicts_with = "paths", requires = "depth")]
    fen: Option<String>,
    /// The deepest depth that is counted
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=DEPTH_MAX))]
    depth: Option<u32>,
    /// Leaves out the depths for which more nodes are listed
    #[arg(long, value_name = "N", conflicts_with = "fen")]
    max_nodes: Option<u64>,
    /// How legal moves are found
    #[arg(long, value_enum, default_value_t = Route::Fast)]
    route: Route,
    /// How the fast route counts paths
    #[arg(long, value_enum, default_value_t = Mode::Plain)]
    mode: Mode,
    /// How plain counting looks slider attacks up
    #[arg(long, value_enum, default_value_t = Lookup::Fastest)]
    lookup: Lookup,
    /// How much memory the hash of --mode hashed takes; 0 is room for four counts [default: 256]
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,
    /// How many threads count [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Who counts as well; may be given several times: touchmove, trial, copy, naive, shakmaty, cozy, or
    /// uci:CMD, an engine that answers `go perft N`
    #[arg(long = "referee", value_name = "R")]
    referees: Vec<Judge>,
    /// How long an engine may take for each answer
    #[arg(long, value_parser = humantime::parse_duration, default_value = "60s")]
    timeout: Duration,
    /// Shows the kinds of the moves of the last ply: captures (en passant included, castling not), en passant,
    /// castles, promotions, checks (mates included), mates
    #[arg(long)]
    stats: bool,
    /// Takes all positions for Chess960
    #[arg(long)]
    chess960: bool,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl Perft {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        // What cannot be done is told before anything is begun.
        let counter = Arc::new(self.counter()?);
        let argument = self.argument()?;
        if self.format == Format::Json {
            console::json(&json!({
                "type": "run", "verb": "perft", "route": self.route.name(), "mode": self.mode.name(),
                "lookup": self.lookup.name(), "hash_mebibytes": self.hash_mebibytes(),
                "referees": self.referees.iter().map(Judge::to_string).collect::<Vec<_>>(),
            }));
        }
        let (mut jobs, input) = match argument {
            Some(job) => (vec![job], Verdict::Pass),
            None => read_jobs(&self.paths, self.chess960, self.format)?,
        };
        let left_out = keep_within(&mut jobs, self.depth, self.max_nodes);
        let jobs = Arc::new(jobs);
        let pool = counting::pool(self.threads.map(usize::from))?;
        let threads = pool.current_num_threads();
        let start = Instant::now();
        let tallies = self.count_all(&jobs, pool, &counter);
        let elapsed = start.elapsed();
        let counted = tallies.values().map(Tally::verdict).max().unwrap_or(Verdict::Unknown);
        let mut verdict = counted.max(input);
        if tallies.len() < jobs.len() {
            verdict = verdict.max(Verdict::Interrupted);
        }
        verdict = verdict.max(settle_all(self.disputes(&jobs, &tallies), self.format));
        likenesses(&jobs, &tallies).iter().for_each(|likeness| self.print_likeness(likeness));
        self.print_backing(&tallies, left_out);
        self.close(&jobs, &tallies, counter.nodes(), elapsed, threads, verdict);
        Ok(verdict)
    }

    const fn way(&self) -> &'static str {
        match self.lookup {
            Lookup::Fastest => self.mode.name(),
            Lookup::Magic => "plain by magics",
        }
    }

    const fn is_plain(&self) -> bool {
        matches!((self.mode, self.lookup), (Mode::Plain, Lookup::Fastest))
    }

    fn hash_mebibytes(&self) -> Option<usize> {
        (self.mode == Mode::Hashed).then(|| self.hash.unwrap_or(HASH_MEBIBYTES))
    }

    fn counter(&self) -> anyhow::Result<Counter> {
        if self.hash.is_some() && self.mode != Mode::Hashed {
            bail!("--hash is for --mode hashed");
        }
        if self.stats && !self.is_plain() {
            bail!("--stats looks at every move: it is not for --mode and --lookup");
        }
        match (self.route, self.mode, self.lookup) {
            (Route::Fast, mode, Lookup::Fastest) => {
                Counter::in_mode(mode, self.hash_mebibytes().unwrap_or(0))
            }
            (Route::Fast, Mode::Plain, Lookup::Magic) => Ok(Counter::by_magic()),
            (Route::Trial, Mode::Plain, Lookup::Fastest) => Ok(Counter::new(Route::Trial)),
            (Route::Trial, ..) => bail!("--mode and --lookup are for the fast route"),
            (_, _, Lookup::Magic) => bail!("--lookup magic is for --mode plain"),
        }
    }

    /// The position that is given as an argument.
    fn argument(&self) -> anyhow::Result<Option<Job>> {
        let job = |fen: &String| Job::of_argument(fen, self.chess960, self.depth.unwrap_or(1));
        self.fen.as_ref().map(job).transpose()
    }

    /// Counts all positions and prints each in its turn. Ends early when interrupted.
    fn count_all(
        &self,
        jobs: &Arc<Vec<Job>>,
        pool: ThreadPool,
        counter: &Arc<Counter>,
    ) -> BTreeMap<usize, Tally> {
        let judges = judges::distinct(&self.referees);
        let benches = judges.into_iter().map(|judge| Bench::new(judge, self.timeout)).collect();
        let bookkeeper =
            Bookkeeper { counter: Arc::clone(counter), benches, with_leaves: self.stats };
        let work = move |job: &Job| bookkeeper.tally(job);
        crew::work_on(jobs, pool, work, || counter.nodes(), |job, tally| self.print(job, tally))
    }

    fn print(&self, job: &Job, tally: &Tally) {
        if tally.depths.is_empty() {
            return;
        }
        match self.format {
            Format::Human => self.print_human(job, tally),
            Format::Json => console::json(&json!({
                "type": "position", "verdict": tally.verdict().word(), "place": job.place(),
                "id": job.name, "fen": job.position.to_string(), "variant": job.mode.to_string(),
                "counts": tally.depths.iter().map(depth_as_json).collect::<Vec<_>>(),
            })),
        }
    }

    fn print_human(&self, job: &Job, tally: &Tally) {
        let last = tally.depths.last().expect("something was counted");
        let depth =
            if job.is_listed() { format!("depth {}", last.depth) } else { String::from("counted") };
        console::result(format!(
            "{}  {}  {depth}  {}  {}",
            tally.verdict().painted(),
            job.name,
            last.counted,
            job.mode
        ));
        for tally in &tally.depths {
            let (depth, counted) = (tally.depth, tally.counted);
            match tally.listed {
                Some(listed) if listed != counted => console::result(format!(
                    "      {}: depth {depth}, listed {listed}, counted {counted}",
                    job.place()
                )),
                None => console::result(format!("      depth {depth}: {counted}")),
                Some(_) => {}
            }
            for RefereeTally { judge: name, count } in &tally.referees {
                match count {
                    Ok(RefereeCount { agrees: true, .. }) => {}
                    Ok(RefereeCount { total, .. }) if *total == counted => {
                        console::result(format!(
                            "      depth {depth}: {name} counts {total} too, but not move by move"
                        ));
                    }
                    Ok(RefereeCount { total, .. }) => console::result(format!(
                        "      depth {depth}: {name} counts {total}, touchmove {counted}"
                    )),
                    Err(silence) => {
                        console::result(format!("      depth {depth}: {name} {silence}"));
                    }
                }
            }
        }
        if self.stats {
            print_leaves(&tally.depths);
        }
    }

    fn print_likeness(&self, likeness: &Likeness) {
        let Likeness { who, job, faults } = likeness;
        match self.format {
            Format::Human => console::result(format!(
                "hint: {who}, {job}: same counts as planted fault {}",
                faults.join(", ")
            )),
            Format::Json => console::json(&json!({
                "type": "hint", "judge": who, "id": job, "planted_faults": faults,
            })),
        }
    }

    fn print_backing(&self, tallies: &BTreeMap<usize, Tally>, left_out: LeftOut) {
        let backing = Backing::of(&judges::distinct(&self.referees), tallies.values());
        match self.format {
            Format::Human => {
                for text in left_out.as_text().into_iter().chain(backing.as_text()) {
                    console::result(format!("      {text}"));
                }
            }
            Format::Json => console::json(&json!({
                "type": "backing", "left_out": left_out.as_json(),
                "referees": backing.referees_as_json(), "uncompared": backing.uncompared(),
            })),
        }
    }

    /// What has to be settled: every wrong count of the suites, and for each referee the first depth of each
    /// position at which it differs.
    fn disputes(&self, jobs: &[Job], tallies: &BTreeMap<usize, Tally>) -> Vec<Dispute> {
        let mut disputes = Vec::new();
        for (&index, tally) in tallies {
            let mut settled: Vec<Judge> = Vec::new();
            for tally in &tally.depths {
                let by_agreement = |agrees: bool| {
                    let judges = tally.referees.iter().filter(move |referee| {
                        referee.count.as_ref().is_ok_and(|count| count.agrees == agrees)
                    });
                    judges.map(|referee| referee.judge.clone())
                };
                let differing: Vec<Judge> =
                    by_agreement(false).filter(|judge| !settled.contains(judge)).collect();
                if differing.is_empty() && !tally.listed_wrongly() {
                    continue;
                }
                settled.extend(differing.iter().cloned());
                disputes.push(Dispute {
                    job: jobs[index].clone(),
                    depth: tally.depth,
                    counted: tally.counted,
                    listed: tally.listed,
                    route: self.route,
                    special_way: (!self.is_plain()).then(|| self.way()),
                    agreeing: by_agreement(true).collect(),
                    differing,
                    timeout: self.timeout,
                });
            }
        }
        disputes
    }

    fn close(
        &self,
        jobs: &[Job],
        tallies: &BTreeMap<usize, Tally>,
        nodes: u64,
        elapsed: Duration,
        threads: usize,
        verdict: Verdict,
    ) {
        let counts: usize = tallies.values().map(|tally| tally.depths.len()).sum();
        let passed = tallies.values().filter(|tally| tally.verdict() == Verdict::Pass).count();
        let seconds = elapsed.as_secs_f64();
        let rate = if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 };
        match self.format {
            Format::Human => console::result(format!(
                "{}: {passed} of {} positions passed, {counts} counts, {} nodes in {seconds:.1} s, \
                 {} nodes/s ({} route, {}, {threads} threads)",
                verdict.painted(),
                jobs.len(),
                quantity(nodes),
                quantity(rate as u64),
                self.route.name(),
                self.way(),
            )),
            Format::Json => console::json(&json!({
                "type": "summary", "verdict": verdict.word(), "passed": passed,
                "of": jobs.len(), "counts": counts, "nodes": json_count(nodes),
                "seconds": seconds, "nodes_per_second": rate as u64, "threads": threads,
            })),
        }
        if counts == 0 && verdict == Verdict::Unknown {
            console::status("nothing was counted: no line with a count within the limits");
        }
    }
}

fn depth_as_json(tally: &DepthTally) -> serde_json::Value {
    let referees = tally.referees.iter().map(|RefereeTally { judge, count }| match count {
        Ok(RefereeCount { total, agrees }) => {
            json!({ "name": judge.to_string(), "counted": json_count(*total), "agrees": agrees })
        }
        Err(silence) => json!({ "name": judge.to_string(), "silence": silence.to_string() }),
    });
    let mut value = json!({
        "depth": tally.depth, "counted": json_count(tally.counted),
        "listed": tally.listed.map(json_count), "referees": referees.collect::<Vec<_>>(),
    });
    if let Some(leaves) = &tally.leaves {
        for (name, count) in columns(leaves) {
            value[name.replace(' ', "_")] = json_count(count);
        }
    }
    value
}

fn columns(leaves: &Leaves) -> [(&'static str, u64); 6] {
    [
        ("captures", leaves.captures),
        ("en passant", leaves.en_passant),
        ("castles", leaves.castles),
        ("promotions", leaves.promotions),
        ("checks", leaves.checks),
        ("mates", leaves.mates),
    ]
}

fn print_leaves(depths: &[DepthTally]) {
    let mut header = format!("      {:>5} {:>12}", "depth", "nodes");
    for (name, _) in columns(&Leaves::default()) {
        header.push_str(&format!(" {name:>11}"));
    }
    console::result(header);
    for tally in depths {
        let Some(leaves) = &tally.leaves else { continue };
        let mut row = format!("      {:>5} {:>12}", tally.depth, leaves.nodes);
        for (_, count) in columns(leaves) {
            row.push_str(&format!(" {count:>11}"));
        }
        console::result(row);
    }
}
