//! Many threads ask one position, each way a number of runs, and one way that only a program of its own may try.

use std::time::Duration;

use serde_json::{Value, json};
use touchmove::Position;

use super::raw::{self, Said};
use super::round::{self, Count, Right, Round, Size};
use super::way::{Shared, Way};
use super::{scaling, schedules};
use crate::console::{self, Format, json_count, quantity};
use crate::interrupt;
use crate::verdict::Verdict;

/// A position rich in moves of every kind: 48, castling on both sides among them.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[derive(clap::Args)]
pub(super) struct Experiment {
    /// How many threads ask
    #[arg(long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// How often each of them asks in a run
    #[arg(long, value_name = "N", default_value_t = 2000,
        value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    calls: u32,
    /// How many runs each way has
    #[arg(long, value_name = "N", default_value_t = 5,
        value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Decides after which steps a thread lets another go on
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// What came of the runs of one way.
#[derive(Default)]
pub(super) struct Row {
    runs: u16,
    corrupt: u16,
    same: u16,
    count: Count,
    took: Duration,
    hangs: bool,
}

impl Experiment {
    pub(super) fn run(self) -> anyhow::Result<Verdict> {
        // From the first line to the last: a Ctrl-C between two runs is answered with the summary, too.
        let _answering = interrupt::answering();
        let start: Position = KIWIPETE.parse()?;
        if self.format == Format::Json {
            console::json(&json!({
                "type": "run", "verb": "races", "fen": KIWIPETE, "threads": self.threads,
                "calls": self.calls, "runs": self.runs, "seed": self.seed.to_string(),
            }));
        }
        let mut verdict = schedules::report(&start, self.format);
        self.print_head();
        for way in Way::ALL {
            let row = self.rounds(way, start)?;
            self.print_row(way.name(), &row, "");
            verdict = verdict.max(judge(way, &row, self.runs));
            if verdict == Verdict::Fail {
                interrupt::found();
            }
            // Whoever hangs is left behind and would disturb the others.
            if interrupt::is_interrupted() || row.hangs {
                break;
            }
        }
        if !interrupt::is_interrupted() {
            self.run_raw()?;
            scaling::report(&start, self.format);
        }
        if interrupt::is_interrupted() {
            verdict = verdict.max(Verdict::Interrupted);
        }
        self.close(verdict);
        Ok(verdict)
    }

    const fn size(&self) -> Size {
        Size { threads: self.threads, calls: self.calls }
    }

    fn rounds(&self, way: Way, start: Position) -> anyhow::Result<Row> {
        let mut row = Row::default();
        for run in 0..self.runs {
            let seed = self.seed.wrapping_add(u64::from(run));
            let right = Right { moves: way.alone(start), position: start };
            let round = round::run(Shared::new(way, start), right, self.size(), seed)?;
            row.add(&round);
            if round.hangs || !round.is_whole {
                break;
            }
        }
        Ok(row)
    }

    /// The race itself. Whatever comes of it is told and nothing more.
    fn run_raw(&self) -> anyhow::Result<()> {
        const NAME: &str = "by trial, no lock: undefined behaviour";
        if let Err(why) = raw::build() {
            self.print_note(NAME, &why);
            return Ok(());
        }
        let mut row = Row::default();
        for _ in 0..self.runs {
            match raw::run(self.size())? {
                _ if interrupt::is_interrupted() => return Ok(()),
                Said::Ended(how) => self.print_note(NAME, &how),
                Said::Counted { count, is_same, seconds } => {
                    row.runs += 1;
                    row.count.add(count);
                    row.same += u16::from(is_same);
                    row.took += Duration::from_secs_f64(seconds);
                }
            }
        }
        if row.runs > 0 {
            self.print_row(NAME, &row, "not judged");
        }
        Ok(())
    }

    fn print_head(&self) {
        if self.format == Format::Human {
            let Experiment { threads, calls, runs, .. } = self;
            console::result(format!(
                "{threads} threads ask Kiwipete {calls} times each, {runs} runs of each way"
            ));
            console::result(format!(
                "{:<40}{:>9}{:>9}{:>15}{:>24}{:>12}",
                "way", "calls", "panics", "wrong answers", "same position after", "calls/s"
            ));
        }
    }

    fn print_row(&self, name: &str, row: &Row, remark: &str) {
        let Row { runs, same, count: Count { calls, panics, wrong }, .. } = *row;
        let rate = (calls as f64 / row.took.as_secs_f64()) as u64;
        match self.format {
            Format::Human => {
                let same = format!("{same} of {runs} runs");
                let remark = if row.hangs { "a call did not end" } else { remark };
                let line = format!(
                    "{name:<40}{calls:>9}{panics:>9}{wrong:>15}{same:>24}{:>12}  {remark}",
                    quantity(rate)
                );
                console::result(line.trim_end());
            }
            Format::Json => console::json(&json!({
                "type": "way", "way": name, "runs": runs, "calls": json_count(calls),
                "panics": json_count(panics), "wrong_answers": json_count(wrong),
                "runs_with_same_position": same, "calls_per_second": rate, "hangs": row.hangs,
                "judged": remark.is_empty(),
            })),
        }
    }

    fn print_note(&self, name: &str, note: &str) {
        match self.format {
            Format::Human => console::result(format!("{name:<40}  {note}, not judged")),
            Format::Json => {
                let runs: Value =
                    json!({ "type": "way", "way": name, "note": note, "judged": false });
                console::json(&runs);
            }
        }
    }

    fn close(&self, verdict: Verdict) {
        if self.format == Format::Json {
            return console::json(&json!({ "type": "summary", "verdict": verdict.word() }));
        }
        let told = match verdict {
            Verdict::Pass => {
                "the lock per step was corrupted in every run, and no control ever was"
            }
            Verdict::Fail => "a way that must hold did not",
            Verdict::Interrupted => "stopped before the end",
            Verdict::Unknown | Verdict::BadInput => "the corruption did not show in every run",
        };
        console::result(format!("\n{}: {told}", verdict.painted()));
    }
}

/// The lock for each step must be seen to fail, in every run; the others must hold in every run.
pub(super) fn judge(way: Way, row: &Row, runs: u16) -> Verdict {
    match way.is_control() {
        true if row.corrupt > 0 => Verdict::Fail,
        true if row.runs == runs => Verdict::Pass,
        false if row.corrupt == runs && !row.hangs => Verdict::Pass,
        _ => Verdict::Unknown,
    }
}

impl Row {
    pub(super) fn add(&mut self, round: &Round) {
        self.count.add(round.count);
        self.took += round.took;
        self.hangs |= round.hangs;
        // A run that was given up may still have shown what is wrong, and has not shown that all is well.
        self.corrupt += u16::from(round.is_corrupt());
        self.runs += u16::from(round.is_whole);
        self.same += u16::from(round.is_whole && round.is_same == Some(true));
    }
}
