//! The checks of the merge gate one at a time, each against a clock: what planted faults are measured by.
//!
//! A check ends with its first find, or when its time is up. What it judges with is what the gate, the soak and the
//! fuzzer judge with: suites, targets, oracles.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use touchmove::{PerftHash, perft, perft_factored, perft_hashed};

use crate::generators::{Walk, bytes_of_seed, from_seed, seed_of};
use crate::oracles::{GameLog, Honest, KeyWatch, Met, Verdict, all_oracles, caught, shared_table};
use crate::referees::Trial;
use crate::replay::{self, Input, kept, replay_by};
use crate::suite::{Line, Suite};
use crate::targets;

/// The trial route counts to this depth, as it does in the gate.
const TRIAL_DEPTH_MAX: u32 = 4;
/// Counts of the trial route with more nodes than this are left out.
const TRIAL_NODES_MAX: u64 = 200_000;

/// The hash of counts has so much memory: enough for most of what is counted in some seconds.
const HASH_MEBIBYTES: usize = 16;

/// A check: its name, what it counts its work in, and whether it depends on a seed.
pub struct Check {
    /// The name, by which it is asked for.
    pub name: &'static str,
    /// What it counts: `nodes`, `inputs`, `games`.
    pub unit: &'static str,
    /// Whether its work follows from a seed.
    pub is_random: bool,
    /// The targets of guided fuzzing that judge the same.
    pub targets: &'static [&'static str],
    run: Run,
}

/// From cheap to dear.
pub const CHECKS: &[Check] = &[
    of_counts("perft", count_suites),
    of_targets("unmake", &["unmake_walk"]),
    of_targets("state", &["game_diff", "setup_diff"]),
    of_targets("keys", &["transpose"]),
    of_targets("symmetry", &["mirror"]),
    of_targets("counts", &["perft_small"]),
    of_targets("codes", &["any_move_code"]),
    of_targets("text", &["fen_text", "epd_text", "uci_text"]),
    of_targets("san", &["san_diff", "san_text"]),
    of_targets("pgn", &["pgn_text", "pgn_roundtrip"]),
    of_targets("arbiter", &["game_actions"]),
    of_games("races", share_tables),
    Check { name: "replay", unit: "inputs", is_random: false, targets: &[], run: replay_kept },
    of_games("soak", play_games),
];

type Run = fn(&Check, &Effort) -> io::Result<Report>;

const fn of_counts(name: &'static str, run: Run) -> Check {
    Check { name, unit: "nodes", is_random: false, targets: &[], run }
}

const fn of_targets(name: &'static str, targets: &'static [&'static str]) -> Check {
    Check { name, unit: "inputs", is_random: true, targets, run: judge_inputs }
}

const fn of_games(name: &'static str, run: Run) -> Check {
    Check { name, unit: "games", is_random: true, targets: &[], run }
}

/// What a check may spend.
pub struct Effort {
    /// Where the random numbers begin.
    pub seed: u64,
    /// When it ends, if it has found nothing before.
    pub until: Instant,
}

impl Effort {
    /// So much time from now.
    pub fn of(seed: u64, time: Duration) -> Effort {
        Effort { seed, until: Instant::now() + time }
    }

    fn has_time(&self) -> bool {
        Instant::now() < self.until
    }
}

/// What came of a check.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// What was found, in a line.
    pub find: Option<String>,
    /// How much was done up to then.
    pub done: u64,
    /// For counts: the depth that differs, or the deepest that was counted whole.
    pub depth: Option<u32>,
}

/// The check of this name.
pub fn named(name: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.name == name)
}

impl Check {
    /// Runs it to its first find, or until the time is up.
    ///
    /// # Errors
    ///
    /// When a suite or the corpus cannot be read.
    pub fn run(&self, effort: &Effort) -> io::Result<Report> {
        (self.run)(self, effort)
    }
}

/// Every line of the suites of a workspace.
fn suite_lines(workspace: &Path) -> io::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for name in ["standard.epd", "chess960.epd"] {
        lines.extend(Suite::read(workspace.join("perft-data").join(name))?.lines);
    }
    Ok(lines)
}

/// Counts all lines to depth 1, then all to depth 2, and so on: by the fast route in each mode, and small counts by trial.
fn count_suites(_: &Check, effort: &Effort) -> io::Result<Report> {
    let lines = suite_lines(&workspace())?;
    let hash = PerftHash::new(HASH_MEBIBYTES).map_err(io::Error::other)?;
    let mut report = Report::default();
    for depth in 1.. {
        let mut is_listed = false;
        for line in &lines {
            let Some(listed) = listed(line, depth) else { continue };
            if !effort.has_time() {
                return Ok(report);
            }
            is_listed = true;
            report.done += listed;
            if let Some(find) = compare_count(line, depth, listed, &hash) {
                return Ok(Report { find: Some(find), depth: Some(depth), ..report });
            }
        }
        if !is_listed {
            break;
        }
        report.depth = Some(depth);
    }
    Ok(report)
}

/// The counts of a line of the suites that are wrong: by depth, and none where counting panics.
pub type WrongCounts = BTreeMap<u32, Option<u64>>;

/// Counts line after line of the suites by the fast route, to the depths with so many nodes listed at most, and tells
/// after each what is wrong with it.
///
/// # Errors
///
/// When a suite cannot be read.
pub fn count_lines(nodes_max: u64, mut tell: impl FnMut(&str, WrongCounts)) -> io::Result<()> {
    for line in suite_lines(&workspace())? {
        let listed = line.counts.iter().filter(|&&(_, listed)| listed <= nodes_max);
        let counted = listed
            .map(|&(depth, listed)| (depth, listed, caught(|| perft(&line.position, depth)).ok()));
        let wrong = counted.filter(|&(_, listed, counted)| counted != Some(listed));
        tell(&line.name(), wrong.map(|(depth, _, counted)| (depth, counted)).collect());
    }
    Ok(())
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn listed(line: &Line, depth: u32) -> Option<u64> {
    line.counts.iter().find(|&&(at, _)| at == depth).map(|&(_, nodes)| nodes)
}

fn compare_count(line: &Line, depth: u32, listed: u64, hash: &PerftHash) -> Option<String> {
    let name = line.id.as_deref().unwrap_or_default();
    let told = |counted: Result<u64, String>, route: &str| match counted {
        Ok(counted) if counted == listed => None,
        Ok(counted) => Some(format!("{name}: depth {depth}, {route}: {counted}, not {listed}")),
        Err(panic) => Some(format!("{name}: depth {depth}, {route}: {panic}")),
    };
    let position = &line.position;
    let by_trial = depth <= TRIAL_DEPTH_MAX && listed <= TRIAL_NODES_MAX;
    told(caught(|| perft(position, depth)), "fast")
        .or_else(|| told(caught(|| perft_factored(position, depth)), "factored"))
        .or_else(|| told(caught(|| perft_hashed(position, depth, hash)), "hashed"))
        .or_else(|| {
            let count = || Trial::at(*position).count(depth);
            by_trial.then(|| told(caught(count), "by trial")).flatten()
        })
}

/// What seeds make, judged by the targets of the check in turns.
fn judge_inputs(check: &Check, effort: &Effort) -> io::Result<Report> {
    let targets: Vec<_> = check.targets.iter().filter_map(|name| targets::named(name)).collect();
    let mut report = Report::default();
    while effort.has_time() {
        let target = targets[report.done as usize % targets.len()];
        let bytes = bytes_of_seed(seed_of(effort.seed, report.done));
        report.done += 1;
        if let Some(find) = find_in(replay::judge(target, &bytes)) {
            return Ok(Report { find: Some(find), ..report });
        }
    }
    Ok(report)
}

fn find_in(judged: Result<Verdict, String>) -> Option<String> {
    match judged {
        Ok(Verdict::Pass) => None,
        Ok(Verdict::Diverges(divergence)) => Some(divergence.what()),
        Err(panic) => Some(panic),
    }
}

/// The corpus and all past finds, those of all targets mixed, so that a part of them is a sample.
fn replay_kept(_: &Check, effort: &Effort) -> io::Result<Report> {
    let mut inputs = kept(&workspace().join("fuzz"))?;
    inputs.shuffle(&mut ChaCha8Rng::seed_from_u64(effort.seed));
    let (done, find) = (AtomicU64::new(0), Mutex::new(None));
    let has_find = || find.lock().is_ok_and(|find| find.is_some());
    let play = |input: &Input| {
        let played = input.play();
        done.fetch_add(1, Ordering::Relaxed);
        if let Err(trouble) = &played {
            let file = input.path().file_name().unwrap_or_default().display();
            let line = trouble.lines().next().unwrap_or_default();
            *find.lock().expect("nobody panics holding it") = Some(format!("{file}: {line}"));
        }
        played
    };
    replay_by(&inputs, play, || has_find() || !effort.has_time());
    let find = find.into_inner().expect("nobody panics holding it");
    Ok(Report { find, done: done.into_inner(), depth: None })
}

/// Games at tables that two threads share.
fn share_tables(_: &Check, effort: &Effort) -> io::Result<Report> {
    let mut report = Report::default();
    while effort.has_time() {
        let walk = from_seed::<Walk>(seed_of(effort.seed, report.done));
        report.done += 1;
        if let Some(find) = find_in(caught(|| shared_table(walk))) {
            return Ok(Report { find: Some(find), ..report });
        }
    }
    Ok(report)
}

/// Games as the soak plays them, with its watch on keys.
fn play_games(_: &Check, effort: &Effort) -> io::Result<Report> {
    let (mut report, mut watch) = (Report::default(), KeyWatch::new());
    while effort.has_time() {
        let (game, mut log) = (report.done, GameLog::default());
        report.done += 1;
        let play = || {
            let walk = from_seed::<Walk>(seed_of(effort.seed, game));
            all_oracles(game, &walk, &Honest, &mut log, |_| {})
        };
        let found = find_in(caught(play));
        let met = log.fingerprints.into_iter().map(|print| Met { print, game });
        let mut met_before = met.filter_map(|met| watch.see(met).err());
        let find = found.or_else(|| {
            met_before.next().map(|before| format!("keys, as in game {}", before.game))
        });
        if find.is_some() {
            return Ok(Report { find, ..report });
        }
    }
    Ok(report)
}
