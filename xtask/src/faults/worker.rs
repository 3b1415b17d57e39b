//! Who plants, builds and runs: each worker in a copy of its own, all of them from one list of tasks.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use touchmove_oracles::checks::CHECKS;

use super::catalogue::Fault;
use super::checks::{self, Outcome};
use super::copy::{Copy, NotBuilt, TestPrograms};
use super::guided::{self, GUIDED, When};
use super::records::Row;
use super::suite_counts::{count_position, count_suites};
use crate::fuzz::lab::Lab;
use crate::fuzz::tools::Tools;
use crate::interrupt;

/// The seed of faults, and the one with which the tree without a fault passes all checks; with others, the random ones.
pub(super) const FIRST_SEED: u64 = 1;

/// One row to measure.
pub(super) struct Task<'a> {
    /// None is the tree as it is.
    pub(super) fault: Option<&'a Fault>,
    pub(super) seed: u64,
}

/// What the workers tell.
pub(super) enum News {
    /// A check of a row has ended.
    Checked(String, String, Outcome),
    /// A row is whole: the number of its task.
    Measured(usize, Box<Row>),
    /// A worker cannot go on.
    Died(io::Error),
}

/// How rows are measured.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// How long a check may take; none where only counts are asked for.
    pub(super) time: Option<Duration>,
    /// Which rows are fuzzed.
    pub(super) guided: When,
}

impl Way {
    /// The way in a word, for whoever keeps results.
    pub(super) fn word(self) -> String {
        match (self.time, self.guided) {
            (None, _) => String::from("counts"),
            (Some(time), When::Never) => format!("{}ms", time.as_millis()),
            (Some(time), guided) => format!("{}ms-{guided:?}", time.as_millis()),
        }
    }
}

/// Tasks that wait, by their numbers.
pub(super) type Waiting<'a> = Mutex<VecDeque<(usize, &'a Task<'a>)>>;

/// A worker with its copy.
pub(super) struct Worker {
    copy: Copy,
    /// Where it is fuzzed, if the tools for it are there.
    lab: Option<Lab>,
    way: Way,
    news: Sender<News>,
}

impl Worker {
    pub(super) fn new(copy: Copy, tools: Option<&Tools>, way: Way, news: Sender<News>) -> Worker {
        let lab = tools.map(|tools| Lab::silent(copy.fuzzed_with(tools)));
        Worker { copy, lab, way, news }
    }

    /// Measures rows until there are no more, or Ctrl-C.
    pub(super) fn work(mut self, waiting: &Waiting<'_>) {
        while !interrupt::is_interrupted() {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some((number, task)) = next else { return };
            let news = match self.measure(task) {
                // What was interrupted is measured again the next time.
                Ok(_) if interrupt::is_interrupted() => return,
                Ok(row) => News::Measured(number, Box::new(row)),
                Err(error) => News::Died(error),
            };
            let is_over = matches!(news, News::Died(_));
            if self.news.send(news).is_err() || is_over {
                return;
            }
        }
    }

    fn measure(&mut self, task: &Task<'_>) -> io::Result<Row> {
        let id = task.fault.map_or(checks::CLEAN, Fault::id).to_string();
        let mut row = Row { id, seed: task.seed, ..Row::default() };
        self.copy.plant(task.fault)?;
        let start = Instant::now();
        let program = match self.copy.build_check() {
            Ok(program) => program,
            Err(NotBuilt::Wrong(log)) => return Ok(Row { unbuildable: Some(log), ..row }),
            Err(NotBuilt::Other(error)) => return Err(error),
        };
        row.built = start.elapsed().as_secs_f64();
        if task.seed == FIRST_SEED {
            row.counts = Some(count_suites(&program)?);
            let figures = task.fault.and_then(|fault| fault.figures.as_ref());
            if let Some(figures) = figures {
                row.figures = count_position(&program, &figures.fen, figures.counts.len())?;
            }
        }
        let Some(time) = self.way.time else { return Ok(row) };
        if task.seed == FIRST_SEED {
            let start = Instant::now();
            match self.copy.build_tests() {
                Ok(tests) => {
                    row.built += start.elapsed().as_secs_f64();
                    self.run_tests(&mut row, &tests)?;
                }
                Err(NotBuilt::Wrong(log)) => return Ok(Row { unbuildable: Some(log), ..row }),
                Err(NotBuilt::Other(error)) => return Err(error),
            }
        }
        self.run_checks(&mut row, task, &program, time)?;
        self.fuzz(&mut row, task, time)?;
        Ok(row)
    }

    fn run_tests(&self, row: &mut Row, tests: &TestPrograms) -> io::Result<()> {
        for (name, programs, folder) in tests {
            if interrupt::is_interrupted() {
                break;
            }
            let outcome = checks::run_tests(programs, folder)?;
            self.note(row, name, outcome);
        }
        Ok(())
    }

    fn run_checks(
        &self,
        row: &mut Row,
        task: &Task<'_>,
        program: &Path,
        time: Duration,
    ) -> io::Result<()> {
        for check in CHECKS {
            let is_asked = task.seed == FIRST_SEED || checks::is_random(check.name);
            let can_see = task.fault.is_none_or(|fault| checks::sees(fault.kind, check.name));
            if is_asked && can_see && !interrupt::is_interrupted() {
                let outcome = checks::run_check(program, check.name, task.seed, time)?;
                self.note(row, check.name, outcome);
            }
        }
        Ok(())
    }

    fn fuzz(&self, row: &mut Row, task: &Task<'_>, time: Duration) -> io::Result<()> {
        let targets = guided::targets_of(task.fault.map(|fault| fault.kind));
        let is_asked = task.seed == FIRST_SEED
            && !targets.is_empty()
            && self.way.guided.asks_for(task.fault.is_none(), row.catches().count());
        if let Some(lab) = self.lab.as_ref().filter(|_| is_asked)
            && !interrupt::is_interrupted()
        {
            let outcome = guided::run(lab, &targets, time)?;
            self.note(row, GUIDED, outcome);
        }
        Ok(())
    }

    fn note(&self, row: &mut Row, check: &str, outcome: Outcome) {
        // What Ctrl-C has ended has caught nothing.
        if interrupt::is_interrupted() {
            return;
        }
        let _ = self.news.send(News::Checked(row.id.clone(), check.to_string(), outcome.clone()));
        row.outcomes.push((check.to_string(), outcome));
    }
}
