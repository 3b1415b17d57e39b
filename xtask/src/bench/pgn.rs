//! `bench pgn`: a large file of games read by ours and by pgn-reader with shakmaty, every move judged.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};
use touchmove::{PgnError, PgnFault, PgnFlow, PgnJudge, PgnReader, PgnVisitor};

use super::games;
use super::race::{Race, Ratio};
use crate::console::{self, Format, json_count, mebibytes};
use crate::job::workspace_root;
use crate::verdict::Verdict;
use crate::{child, interrupt};

/// The games of a run for which no number is given.
const GAMES_DEFAULT: u64 = 100_000;
/// So many bytes of the file are read at a time.
const READ_AT_A_TIME: usize = 1 << 16;
/// Who reads.
const NAMES: [&str; 2] = ["touchmove", "pgn-reader with shakmaty"];

/// Reads a file of games end to end, every move judged, in turns with pgn-reader and shakmaty.
///
/// Both read in one thread of this process and judge every move of every line. That they count the same
/// games and moves is checked: otherwise exit code 1. The file is made from a seed by touchmove's own
/// writer, unless it is there already.
#[derive(clap::Args)]
pub(super) struct PgnBench {
    /// How many random games are in the file
    #[arg(long, default_value_t = GAMES_DEFAULT, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How often each reads the file
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Reads this file instead
    #[arg(long, value_name = "PATH", conflicts_with_all = ["games", "seed"])]
    file: Option<PathBuf>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// What somebody found in the file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Found {
    games: u64,
    /// The legal moves of all games, up to the first that is refused in a game.
    moves: u64,
    /// The games that are refused.
    refused: u64,
}

/// What both did with the file, and how long it took them.
struct Comparison {
    bytes: u64,
    judged: Race,
    /// What ours and the peer found.
    found: [Found; 2],
    skipped: Race,
    /// How many games ours and the peer skipped.
    games_skipped: [u64; 2],
    /// The peak memory of `pgn check` on the file, where the system tells.
    peak_memory: Option<u64>,
}

impl PgnBench {
    pub(super) fn run(self) -> anyhow::Result<Verdict> {
        if self.format == Format::Json {
            console::json(&json!({
                "type": "run", "verb": "bench pgn", "rounds": self.rounds, "names": NAMES,
                "seed": self.file.is_none().then(|| self.seed.to_string()),
            }));
        }
        let _answering = interrupt::answering();
        let compared = match &self.file {
            Some(file) => self.compare(file).map(Some),
            None => games::file(self.games, self.seed)
                .and_then(|file| file.map(|file| self.compare(&file)).transpose()),
        };
        let (comparison, mut verdict) = match compared {
            Ok(Some(comparison)) => {
                let verdict = comparison.verdict();
                (Some(comparison), verdict)
            }
            Ok(None) => (None, Verdict::Unknown),
            Err(error) => {
                console::complain(&format!("{error:#}"));
                (None, Verdict::BadInput)
            }
        };
        if interrupt::is_interrupted() {
            verdict = verdict.max(Verdict::Interrupted);
        }
        match self.format {
            Format::Human => print(comparison.as_ref(), verdict),
            Format::Json => print_json(comparison.as_ref(), verdict),
        }
        Ok(verdict)
    }

    fn compare(&self, file: &Path) -> anyhow::Result<Comparison> {
        let cannot = |who: &str| format!("{who} cannot read {}", file.display());
        // Read once before the first round, so that it finds the file in memory as the others do.
        let bytes = File::open(file)
            .and_then(|mut source| io::copy(&mut source, &mut io::sink()))
            .with_context(|| cannot("this system"))?;
        console::status(format!("{}: {} MB", file.display(), megabytes(bytes as f64)));
        let (judged, found) = Race::run(
            self.rounds,
            || judged_by_ours(file).with_context(|| cannot(NAMES[0])),
            || judged_by_peer(file).with_context(|| cannot(NAMES[1])),
        )?;
        let (skipped, games_skipped) = Race::run(
            self.rounds,
            || skipped_by_ours(file).with_context(|| cannot(NAMES[0])),
            || skipped_by_peer(file).with_context(|| cannot(NAMES[1])),
        )?;
        let peak_memory = peak_memory_of_check(file).unwrap_or_else(|error| {
            console::status(format!("the memory of `pgn check` is unknown: {error:#}"));
            None
        });
        Ok(Comparison { bytes, judged, found, skipped, games_skipped, peak_memory })
    }
}

impl Comparison {
    fn verdict(&self) -> Verdict {
        let [ours, peer] = self.found;
        let is_skipping_compared = self.skipped.rounds() > 0;
        if ours != peer || is_skipping_compared && self.games_skipped != [ours.games; 2] {
            Verdict::Fail
        } else if ours.refused > 0 {
            Verdict::BadInput
        } else if ours.games == 0 {
            Verdict::Unknown
        } else {
            Verdict::Pass
        }
    }
}

/// The file as both read it.
fn open(file: &Path) -> io::Result<BufReader<File>> {
    Ok(BufReader::with_capacity(READ_AT_A_TIME, File::open(file)?))
}

fn judged_by_ours(file: &Path) -> io::Result<Found> {
    let mut reader = PgnReader::new(open(file)?);
    let (mut judge, mut refused) = (PgnJudge::new(), 0);
    while !interrupt::is_interrupted() {
        match reader.read_game(&mut judge) {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => {
                readable(&error)?;
                refused += 1;
            }
        }
    }
    Ok(Found { games: reader.games_begun(), moves: judge.moves(), refused })
}

fn judged_by_peer(file: &Path) -> io::Result<Found> {
    let mut reader = Reader::new(open(file)?);
    let mut judge = PeerJudge::default();
    while !interrupt::is_interrupted() {
        match reader.read_game(&mut judge)? {
            Some(Legal(true)) => {}
            Some(Legal(false)) => judge.found.refused += 1,
            None => break,
        }
    }
    Ok(judge.found)
}

fn skipped_by_ours(file: &Path) -> io::Result<u64> {
    let mut reader = PgnReader::new(open(file)?);
    while !interrupt::is_interrupted() {
        match reader.read_game(&mut SkipAll) {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => readable(&error)?,
        }
    }
    Ok(reader.games_begun())
}

fn skipped_by_peer(file: &Path) -> io::Result<u64> {
    let mut reader = Reader::new(open(file)?);
    let mut games = 0;
    while !interrupt::is_interrupted() && reader.skip_game()? {
        games += 1;
    }
    Ok(games)
}

/// An error if the file cannot be read any further; a broken game is none.
fn readable<E>(error: &PgnError<E>) -> io::Result<()> {
    match error.fault() {
        PgnFault::Io(error) => Err(io::Error::new(error.kind(), error.to_string())),
        _ => Ok(()),
    }
}

/// Wants nothing of any game.
struct SkipAll;

impl PgnVisitor for SkipAll {
    type Error = std::convert::Infallible;

    fn begin_game(&mut self) -> Result<PgnFlow, Self::Error> {
        Ok(PgnFlow::SkipGame)
    }
}

/// Does with shakmaty what [`PgnJudge`] does.
#[derive(Default)]
struct PeerJudge {
    found: Found,
}

/// Whether all moves of a game are legal.
struct Legal(bool);

/// A game as the peer plays it through.
#[derive(Default)]
struct PeerGame {
    place: PeerPlace,
    /// Where the lines go on in which variations are open.
    open: Vec<PeerPlace>,
}

#[derive(Clone, Default)]
struct PeerPlace {
    position: Chess,
    /// The position before the last move of the line.
    before: Option<Chess>,
}

impl Visitor for PeerJudge {
    type Tags = Chess;
    type Movetext = PeerGame;
    type Output = Legal;

    fn begin_tags(&mut self) -> ControlFlow<Legal, Chess> {
        self.found.games += 1;
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<Legal> {
        let value = value.decode_utf8_lossy();
        if name != b"FEN" {
            // The value was read; nothing follows from it.
            std::hint::black_box(&value);
            return ControlFlow::Continue(());
        }
        let fen = value.parse::<Fen>().ok();
        match fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) {
            Some(position) => {
                *start = position;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(Legal(false)),
        }
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Legal, PeerGame> {
        let place = PeerPlace { position: start, before: None };
        ControlFlow::Continue(PeerGame { place, open: Vec::new() })
    }

    fn san(&mut self, game: &mut PeerGame, san: SanPlus) -> ControlFlow<Legal> {
        let place = &mut game.place;
        match san.san.to_move(&place.position) {
            Ok(mv) => {
                place.before = Some(place.position.clone());
                place.position.play_unchecked(mv);
                self.found.moves += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(Legal(false)),
        }
    }

    fn begin_variation(&mut self, game: &mut PeerGame) -> ControlFlow<Legal, Skip> {
        let Some(before) = game.place.before.clone() else {
            return ControlFlow::Break(Legal(false));
        };
        game.open.push(game.place.clone());
        game.place = PeerPlace { position: before, before: None };
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, game: &mut PeerGame) -> ControlFlow<Legal> {
        match game.open.pop() {
            Some(place) => {
                game.place = place;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(Legal(false)),
        }
    }

    fn end_game(&mut self, _: PeerGame) -> Legal {
        Legal(true)
    }
}

/// Runs `pgn check` on the file as a program of its own, and has it say how much memory that took.
fn peak_memory_of_check(file: &Path) -> anyhow::Result<Option<u64>> {
    let folder = workspace_root().join("target/touchmove/bench");
    fs::create_dir_all(&folder)?;
    let said = folder.join(format!("check-{}.json", std::process::id()));
    let mut check = Command::new(std::env::current_exe()?);
    check.args(["pgn", "check", "--format", "json", "--progress", "none"]).arg(file);
    check.stdout(File::create(&said)?).stderr(std::process::Stdio::null());
    let ended = child::wait(&mut check, interrupt::is_interrupted);
    let lines = fs::read_to_string(&said)?;
    fs::remove_file(&said)?;
    ended?;
    let summary: Value = serde_json::from_str(lines.lines().last().unwrap_or_default())?;
    Ok(summary["peak_memory"].as_u64())
}

fn megabytes(bytes: f64) -> String {
    format!("{:.1}", bytes / 1e6)
}

fn print(comparison: Option<&Comparison>, verdict: Verdict) {
    let Some(comparison) = comparison else {
        return console::result(format!("{}: nothing was compared", verdict.painted()));
    };
    let Comparison { bytes, judged, found, skipped, games_skipped, peak_memory } = comparison;
    let lap = |name: &str, found: Found, seconds: f64| {
        let (games, moves) = (found.games as f64, found.moves as f64);
        console::result(format!(
            "      {name:<24} {:>9.0} games/s {:>8} MB/s {:>8.1} ns/move",
            games / seconds,
            megabytes(*bytes as f64 / seconds),
            seconds * 1e9 / moves
        ));
    };
    if judged.rounds() > 0 {
        console::result(format!("every move judged, {} rounds", judged.rounds()));
        lap(NAMES[0], found[0], judged.ours());
        lap(NAMES[1], found[1], judged.peer());
        print_ratio(&judged.ratio());
    }
    if skipped.rounds() > 0 {
        console::result(format!("every game skipped, {} rounds", skipped.rounds()));
        for (name, seconds) in NAMES.into_iter().zip([skipped.ours(), skipped.peer()]) {
            let rate = megabytes(*bytes as f64 / seconds);
            console::result(format!("      {name:<24} {rate:>26} MB/s"));
        }
        print_ratio(&skipped.ratio());
    }
    let peak = peak_memory.map_or(String::from("UNKNOWN"), |peak| mebibytes(peak) + " MiB");
    console::result(format!("peak memory of `pgn check` on this file: {peak}"));
    let [ours, peer] = found;
    if ours != peer || verdict == Verdict::Fail {
        for (name, (found, skipped)) in NAMES.iter().zip(found.iter().zip(games_skipped)) {
            console::result(format!(
                "      {name}: {} games, {} moves, {} games refused; {skipped} games skipped",
                found.games, found.moves, found.refused
            ));
        }
    }
    let Found { games, moves, refused } = ours;
    let refused = if *refused > 0 { format!(", {refused} games refused") } else { String::new() };
    console::result(format!(
        "{}: {games} games, {moves} moves{refused}, {} MB",
        verdict.painted(),
        megabytes(*bytes as f64)
    ));
}

fn print_ratio(ratio: &Ratio) {
    let Ratio { median, min, max } = ratio;
    console::result(format!("      touchmove is {median:.2} times as fast ({min:.2}–{max:.2})"));
}

fn print_json(comparison: Option<&Comparison>, verdict: Verdict) {
    let Some(comparison) = comparison else {
        return console::json(&json!({ "type": "summary", "verdict": verdict.word() }));
    };
    let bytes = comparison.bytes as f64;
    let found = |index: usize| {
        let Found { games, moves, refused } = comparison.found[index];
        json!({
            "name": NAMES[index], "games": json_count(games), "moves": json_count(moves),
            "refused": json_count(refused),
            "games_skipped": json_count(comparison.games_skipped[index]),
        })
    };
    let ratio =
        |ratio: Ratio| json!({ "median": ratio.median, "min": ratio.min, "max": ratio.max });
    let judged = |index: usize, seconds: f64| {
        let Found { games, moves, .. } = comparison.found[index];
        json!({
            "name": NAMES[index], "games_per_second": games as f64 / seconds,
            "bytes_per_second": bytes / seconds, "ns_per_move": seconds * 1e9 / moves as f64,
        })
    };
    let skipped = |index: usize, seconds: f64| json!({ "name": NAMES[index], "bytes_per_second": bytes / seconds });
    let race = |work: &str, race: &Race, lap: &dyn Fn(usize, f64) -> Value| {
        console::json(&json!({
            "type": "race", "work": work, "rounds": race.rounds(),
            "ours": lap(0, race.ours()), "peer": lap(1, race.peer()), "ratio": ratio(race.ratio()),
        }));
    };
    race("judge", &comparison.judged, &judged);
    race("skip", &comparison.skipped, &skipped);
    console::json(&json!({
        "type": "summary", "verdict": verdict.word(), "bytes": json_count(comparison.bytes),
        "found": [found(0), found(1)],
        "check_peak_memory": comparison.peak_memory.map(json_count),
    }));
}
