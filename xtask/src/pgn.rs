//! `pgn check`: every game of a file read, every move judged.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::iter::Sum;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::{Duration, Instant};

use serde_json::json;
use touchmove::{PgnError, PgnFault, PgnJudge, PgnReader};

use crate::console::{self, BadText, Format, Progress, json_count, mebibytes, quantity};
use crate::verdict::Verdict;
use crate::{crew, interrupt, memory};

/// So many bytes of a file are read at a time.
const READ_AT_A_TIME: usize = 1 << 16;
/// So many errors may wait to be printed before reading waits for them.
const ERRORS_WAITING: usize = 64;

/// Game files.
#[derive(clap::Args)]
pub(crate) struct Pgn {
    #[command(subcommand)]
    verb: PgnVerb,
}

#[derive(clap::Subcommand)]
enum PgnVerb {
    Check(Check),
}

impl Pgn {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        match self.verb {
            PgnVerb::Check(check) => check.run(),
        }
    }
}

/// Reads every game and judges every move, those of variations as well.
///
/// A game that is broken or illegal is bad input. It is shown with its place, and costs no other game. A file without
/// a game is unknown. Files are read as streams: memory does not grow with them.
#[derive(clap::Args)]
struct Check {
    /// Game files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// What was read of a file or of several.
#[derive(Clone, Copy, Default)]
struct Tally {
    bytes: u64,
    /// The games that began, broken ones included.
    games: u64,
    /// The legal moves, with variations and null moves.
    moves: u64,
    /// The games that are broken or illegal.
    errors: u64,
    /// The files that could not be read to their end.
    unreadable: u64,
}

impl Tally {
    fn verdict(&self) -> Verdict {
        match self {
            Tally { errors: 0, unreadable: 0, games: 0, .. } => Verdict::Unknown,
            Tally { errors: 0, unreadable: 0, .. } => Verdict::Pass,
            _ => Verdict::BadInput,
        }
    }

    fn as_json(&self) -> serde_json::Value {
        json!({
            "games": json_count(self.games), "moves": json_count(self.moves),
            "errors": json_count(self.errors), "bytes": json_count(self.bytes),
        })
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { games, moves, errors, bytes, .. } = self;
        write!(f, "{games} games, {moves} moves, {errors} errors, {} MiB", mebibytes(*bytes))
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |sum, tally| Tally {
            bytes: sum.bytes + tally.bytes,
            games: sum.games + tally.games,
            moves: sum.moves + tally.moves,
            errors: sum.errors + tally.errors,
            unreadable: sum.unreadable + tally.unreadable,
        })
    }
}

/// A file that is being read, or was.
#[derive(Default)]
struct Gauge {
    bytes: AtomicU64,
    games: AtomicU64,
    moves: AtomicU64,
}

impl Gauge {
    fn tally(&self) -> Tally {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Tally {
            bytes: read(&self.bytes),
            games: read(&self.games),
            moves: read(&self.moves),
            ..Tally::default()
        }
    }
}

/// What is heard from the thread that reads; file after file.
enum News {
    /// A game is broken, or the file cannot be read any further.
    Error(Box<PgnError>),
    /// The file cannot be opened.
    Closed(io::Error),
    /// The file is done with.
    Done,
}

/// The files of a run as far as they were read.
struct Ledger {
    gauges: Arc<[Gauge]>,
    errors: Vec<u64>,
    unreadable: Vec<bool>,
    /// How many files are done with.
    done: usize,
}

impl Ledger {
    fn new(files: usize) -> Ledger {
        Ledger {
            gauges: (0..files).map(|_| Gauge::default()).collect(),
            errors: vec![0; files],
            unreadable: vec![false; files],
            done: 0,
        }
    }

    fn tally(&self, file: usize) -> Tally {
        let unreadable = self.unreadable[file].into();
        Tally { errors: self.errors[file], unreadable, ..self.gauges[file].tally() }
    }

    fn sum(&self) -> Tally {
        (0..self.gauges.len()).map(|file| self.tally(file)).sum()
    }
}

impl Check {
    fn run(self) -> anyhow::Result<Verdict> {
        let names: Vec<String> = self.files.iter().map(|file| name(file)).collect();
        if self.format == Format::Json {
            console::json(&json!({ "type": "run", "verb": "pgn check", "files": names }));
        }
        let start = Instant::now();
        let mut ledger = Ledger::new(self.files.len());
        let news = self.start(&ledger.gauges);
        let mut progress = Progress::of_bytes(bytes_of(&self.files));
        crew::receive(&news, |news| {
            if let Some(news) = news {
                progress.pause(|| self.take(news, &names, &mut ledger));
            }
            let Tally { bytes, games, .. } = ledger.sum();
            progress.tell(bytes, games);
        });
        progress.finish();
        let verdict = self.close(&names, &ledger);
        tell_rates(&ledger.sum(), start.elapsed());
        Ok(verdict)
    }

    /// Has all files read, one after another, by a thread of its own: one that waits for standard input cannot
    /// answer Ctrl-C.
    fn start(&self, gauges: &Arc<[Gauge]>) -> Receiver<News> {
        let (sender, receiver) = mpsc::sync_channel(ERRORS_WAITING);
        let (files, gauges) = (self.files.clone(), Arc::clone(gauges));
        std::thread::spawn(move || {
            for (index, file) in files.iter().enumerate() {
                read(file, &gauges, index, &sender);
                if interrupt::is_interrupted() || sender.send(News::Done).is_err() {
                    return;
                }
            }
        });
        receiver
    }

    /// Prints what was heard of the present file.
    fn take(&self, news: News, names: &[String], ledger: &mut Ledger) {
        let file = ledger.done;
        match news {
            News::Closed(error) => self.show_unreadable(&names[file], &error, ledger),
            News::Error(error) => match error.fault() {
                PgnFault::Io(error) => self.show_unreadable(&names[file], error, ledger),
                _ => {
                    ledger.errors[file] += 1;
                    self.show(&names[file], &error);
                }
            },
            News::Done => {
                let tally = ledger.tally(file);
                ledger.done += 1;
                self.show_file(&names[file], &tally, tally.verdict());
            }
        }
    }

    fn show_unreadable(&self, name: &str, error: &io::Error, ledger: &mut Ledger) {
        ledger.unreadable[ledger.done] = true;
        let message = format!("cannot read {name}: {error}");
        console::complain(&message);
        if self.format == Format::Json {
            console::json(&json!({
                "type": "error", "file": name, "code": "unreadable", "message": message,
            }));
        }
    }

    /// A broken game, as the compiler shows a line of code.
    fn show(&self, name: &str, error: &PgnError) {
        bad_text(name, error).show();
        if self.format == Format::Json {
            console::json(&json!({
                "type": "error", "file": name, "game": json_count(error.game()),
                "line": json_count(error.line()), "column": json_count(error.column()),
                "text": error.text(), "code": error.fault().code(),
                "message": error.fault().to_string(),
            }));
        }
    }

    /// The line of a file, where there are several.
    fn show_file(&self, name: &str, tally: &Tally, verdict: Verdict) {
        if self.files.len() == 1 {
            return;
        }
        match self.format {
            Format::Human => console::result(format!("{}  {name}  {tally}", verdict.painted())),
            Format::Json => {
                let mut line = json!({ "type": "file", "verdict": verdict.word(), "file": name });
                merge(&mut line, tally.as_json());
                console::json(&line);
            }
        }
    }

    fn close(&self, names: &[String], ledger: &Ledger) -> Verdict {
        let sum = ledger.sum();
        let done = (0..ledger.done).map(|file| ledger.tally(file).verdict());
        let mut verdict = done.max().unwrap_or(Verdict::Unknown).max(sum.verdict());
        if ledger.done < self.files.len() {
            verdict = verdict.max(Verdict::Interrupted);
            self.show_file(&names[ledger.done], &ledger.tally(ledger.done), Verdict::Interrupted);
        }
        match self.format {
            Format::Human => console::result(format!("{}: {sum}", verdict.painted())),
            Format::Json => {
                let mut line = json!({
                    "type": "summary", "verdict": verdict.word(), "files": self.files.len(),
                    "unreadable": sum.unreadable, "peak_memory": memory::peak().map(json_count),
                });
                merge(&mut line, sum.as_json());
                console::json(&line);
            }
        }
        for file in
            (0..ledger.done).filter(|&file| ledger.tally(file).verdict() == Verdict::Unknown)
        {
            console::status(format!("no game in {}", names[file]));
        }
        verdict
    }
}

/// Reads all games of a file.
fn read(file: &Path, gauges: &Arc<[Gauge]>, index: usize, news: &SyncSender<News>) {
    let source: Box<dyn Read> = match file {
        _ if is_standard_input(file) => Box::new(io::stdin()),
        _ => match File::open(file) {
            Ok(file) => Box::new(file),
            Err(error) => {
                // Nobody listens any more when the run was interrupted.
                let _ = news.send(News::Closed(error));
                return;
            }
        },
    };
    let gauge = &gauges[index];
    let source = Metered { source, bytes: &gauge.bytes };
    let mut reader = PgnReader::new(BufReader::with_capacity(READ_AT_A_TIME, source));
    let mut judge = PgnJudge::new();
    while !interrupt::is_interrupted() {
        let game = reader.read_game(&mut judge);
        gauge.games.store(reader.games_begun(), Ordering::Relaxed);
        gauge.moves.store(judge.moves(), Ordering::Relaxed);
        match game {
            Ok(Some(_)) => {}
            Ok(None) => return,
            Err(error) => {
                if news.send(News::Error(Box::new(error))).is_err() {
                    return;
                }
            }
        }
    }
}

/// A source whose bytes are counted as they are read.
struct Metered<'a, R> {
    source: R,
    bytes: &'a AtomicU64,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// What a file is called where it is spoken of.
fn name(file: &Path) -> String {
    match is_standard_input(file) {
        true => String::from("<stdin>"),
        false => file.display().to_string(),
    }
}

/// How large the files are together; unknown where one is a pipe. What cannot be read has no bytes.
fn bytes_of(files: &[PathBuf]) -> Option<u64> {
    let bytes = |file: &PathBuf| match fs::metadata(file) {
        _ if is_standard_input(file) => None,
        Ok(metadata) => metadata.is_file().then_some(metadata.len()),
        Err(_) => Some(0),
    };
    files.iter().map(bytes).sum()
}

/// A broken game to be shown. Of a long line only a part may be at hand; the place is that in the whole line.
fn bad_text(name: &str, error: &PgnError) -> BadText {
    let shown_before = error.excerpt()[..error.culprit().start].chars().count() as u64;
    let cut = if error.column() > shown_before + 1 { "…" } else { "" };
    let culprit = error.culprit();
    BadText {
        origin: name.to_string(),
        line: error.line() as usize,
        column: error.column() as usize,
        text: format!("{cut}{}", error.excerpt()),
        culprit: culprit.start + cut.len()..culprit.end + cut.len(),
        message: format!("game {}: {}", error.game(), error.fault()),
    }
}

/// Adds the fields of one JSON object to another.
fn merge(line: &mut serde_json::Value, fields: serde_json::Value) {
    if let (Some(line), serde_json::Value::Object(fields)) = (line.as_object_mut(), fields) {
        line.extend(fields);
    }
}

fn tell_rates(sum: &Tally, elapsed: Duration) {
    let seconds = elapsed.as_secs_f64().max(1e-9);
    let rate = |count: u64| (count as f64 / seconds) as u64;
    let peak = memory::peak().map_or(String::from("UNKNOWN"), |peak| mebibytes(peak) + " MiB");
    console::status(format!(
        "{seconds:.1} s: {} games/s, {} moves/s, {} MiB/s; peak memory {peak}",
        rate(sum.games),
        quantity(rate(sum.moves)),
        mebibytes(rate(sum.bytes)),
    ));
}
