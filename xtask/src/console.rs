//! What people and programs see: results on standard output, everything else on standard error.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use anstream::ColorChoice;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use touchmove_oracles::suite::LineError;

use crate::interrupt;
use crate::verdict::Verdict;

/// How often progress is told in lines.
const LINES_EVERY: Duration = Duration::from_secs(10);

#[derive(clap::Args)]
pub(crate) struct ConsoleOptions {
    /// When to use colour; `NO_COLOR` is honoured. No meaning is carried by colour alone
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    color: Color,
    /// How to show progress: a bar on a terminal, a line now and then elsewhere
    #[arg(long, global = true, value_enum, default_value_t = ProgressKind::Auto)]
    progress: ProgressKind,
}

/// The longest time that can be asked for.
const TIME_MAX: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// Reads a time as it is written everywhere: `30s`, `10m`, `8h`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    let is_short = time <= TIME_MAX;
    is_short.then_some(time).ok_or_else(|| String::from("expected at most 366 days"))
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProgressKind {
    Auto,
    Bar,
    Lines,
    None,
}

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For reading.
    Human,
    /// JSON Lines: first a `run`, last a `summary`; counts above 2^53 are strings.
    Json,
}

static PROGRESS: std::sync::OnceLock<ProgressKind> = std::sync::OnceLock::new();

impl ConsoleOptions {
    pub(crate) fn apply(&self) {
        let choice = match self.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        choice.write_global();
        PROGRESS.get_or_init(|| self.progress);
    }
}

/// Prints a line of results. Where nobody reads them any more the run ends, quietly and without a verdict.
pub(crate) fn result(line: impl Display) {
    let mut stdout = anstream::stdout().lock();
    if let Err(error) = writeln!(stdout, "{line}").and_then(|()| stdout.flush()) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            complain(&format!("cannot write the results: {error}"));
        }
        interrupt::leave(Verdict::Unknown);
    }
}

/// Prints a line of results for programs.
pub(crate) fn json(value: &Value) {
    result(value);
}

/// A count as JSON: numbers above 2^53 are strings, since many readers would round them.
pub(crate) fn json_count(count: u64) -> Value {
    if count <= 1 << 53 { count.into() } else { count.to_string().into() }
}

/// Tells how things go. Nothing is lost when nobody listens.
pub(crate) fn status(line: impl Display) {
    let _nobody_listens = writeln!(anstream::stderr().lock(), "{line}");
}

/// Tells what is wrong.
pub(crate) fn complain(message: &str) {
    let title = Level::ERROR.primary_title(message);
    status(Renderer::styled().render(&[annotate_snippets::Group::with_title(title)]));
}

/// A text that could not be read, to be shown as a compiler would: its place, and the culprit underlined.
#[derive(Debug)]
pub(crate) struct BadText {
    /// The file, or the argument.
    pub(crate) origin: String,
    /// The number of the line in it.
    pub(crate) line: usize,
    /// Where in the line the culprit begins, in characters from 1.
    pub(crate) column: usize,
    /// The line, or the part of it that is shown.
    pub(crate) text: String,
    /// The bytes of the culprit in the text.
    pub(crate) culprit: Range<usize>,
    /// What was expected.
    pub(crate) message: String,
}

impl BadText {
    pub(crate) fn of_suite(path: &Path, error: &LineError) -> BadText {
        let byte_of = |column: usize| {
            error.text.char_indices().nth(column).map_or(error.text.len(), |(byte, _)| byte)
        };
        let start = error.column.saturating_sub(1);
        BadText {
            origin: path.display().to_string(),
            line: error.line,
            column: error.column,
            text: error.text.clone(),
            culprit: byte_of(start)..byte_of(start + error.length.max(1)),
            message: error.message.clone(),
        }
    }

    pub(crate) fn show(&self) {
        let snippet = Snippet::source(&self.text)
            .line_start(self.line)
            .path(&self.origin)
            .annotation(AnnotationKind::Primary.span(self.culprit.clone()));
        let report = [Level::ERROR.primary_title(&self.message).element(snippet)];
        let report = Renderer::styled().render(&report);
        // The renderer counts columns from the start of what is shown, which may be the middle of the line.
        let column_shown = self.text[..self.culprit.start].chars().count() + 1;
        let place = |column| format!("{}:{}:{column}", self.origin, self.line);
        status(report.replacen(&place(column_shown), &place(self.column), 1));
    }
}

impl fmt::Display for BadText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.origin, self.line, self.column, self.message)
    }
}

impl std::error::Error for BadText {}

/// What the work of a run consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Positions, in which nodes are counted.
    Positions,
    /// Games, in which plies are counted.
    Games,
    /// Games under load, at which operations are counted.
    GamesUnderLoad,
    /// Bytes of files, in which games are counted.
    Bytes,
}

impl Work {
    /// How far it is: `3/12 positions, 4.07 M nodes`.
    fn told(self, done: u64, all: Option<u64>, counted: u64) -> String {
        let amount = |number: u64| match self {
            Work::Bytes => mebibytes(number),
            Work::Positions | Work::Games | Work::GamesUnderLoad => number.to_string(),
        };
        let all = all.map_or_else(String::new, |all| format!("/{}", amount(all)));
        let (unit, counted_unit) = match self {
            Work::Positions => ("positions", "nodes"),
            Work::Games => ("games", "plies"),
            Work::GamesUnderLoad => ("games over", "operations"),
            Work::Bytes => ("MiB", "games"),
        };
        format!("{}{all} {unit}, {} {counted_unit}", amount(done), quantity(counted))
    }
}

/// Progress of a run, told as the options say.
pub(crate) struct Progress {
    bar: ProgressBar,
    lines: bool,
    told: std::time::Instant,
    work: Work,
}

impl Progress {
    /// Of so many positions, in which nodes are counted.
    pub(crate) fn of_positions(count: usize) -> Progress {
        Progress::new(Some(count as u64), Work::Positions)
    }

    /// Of games in which plies are counted, where their number is known or not.
    pub(crate) fn of_games(count: Option<u64>) -> Progress {
        Progress::new(count, Work::Games)
    }

    /// Of games at which operations are counted, as many as there are time for.
    pub(crate) fn of_games_under_load() -> Progress {
        Progress::new(None, Work::GamesUnderLoad)
    }

    /// Of bytes in which games are counted, where their number is known or not.
    pub(crate) fn of_bytes(count: Option<u64>) -> Progress {
        Progress::new(count, Work::Bytes)
    }

    fn new(count: Option<u64>, work: Work) -> Progress {
        let kind = PROGRESS.get().copied().unwrap_or(ProgressKind::Auto);
        let on_terminal = io::IsTerminal::is_terminal(&io::stderr());
        let (bar, lines) = match kind {
            ProgressKind::Auto => (on_terminal, !on_terminal),
            ProgressKind::Bar => (true, false),
            ProgressKind::Lines => (false, true),
            ProgressKind::None => (false, false),
        };
        let target = if bar { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template(match count {
            Some(_) => "{elapsed_precise} [{bar:30}] {msg}",
            None => "{elapsed_precise} {msg}",
        });
        let bar = ProgressBar::with_draw_target(count, target);
        bar.set_style(style.expect("the template is well formed").progress_chars("=> "));
        Progress { bar, lines, told: std::time::Instant::now(), work }
    }

    /// Tells how far the run is.
    pub(crate) fn tell(&mut self, done: u64, counted: u64) {
        let message = self.work.told(done, self.bar.length(), counted);
        if self.lines && self.told.elapsed() >= LINES_EVERY {
            self.told = std::time::Instant::now();
            status(format!("… {message}"));
        }
        self.bar.set_position(done);
        self.bar.set_message(message);
    }

    /// Prints results without tearing the bar.
    pub(crate) fn pause<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Bytes as mebibytes, without the unit: `57.31`.
pub(crate) fn mebibytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / f64::from(1 << 20))
}

/// A large number to be read at a glance: `9.84 G`.
pub(crate) fn quantity(number: u64) -> String {
    let scales = [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    match scales.into_iter().find(|(scale, _)| number >= *scale) {
        Some((scale, letter)) => format!("{:.2} {letter}", number as f64 / scale as f64),
        None => number.to_string(),
    }
}
