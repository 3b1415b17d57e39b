//! The positions of a run, read from suites: files and folders of them.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::json;
use touchmove::{FenError, Position, UciMode};
use touchmove_oracles::suite::{Line, Suite};

use crate::console::{self, BadText, Format};
use crate::verdict::Verdict;

/// The positions that everybody counts, by their names in `perft-data`.
pub(crate) const WELL_KNOWN: [&str; 6] =
    ["startpos", "kiwipete", "position-3", "position-4", "position-5", "position-6"];

/// One position to count, and where it comes from.
#[derive(Clone)]
pub(crate) struct Job {
    place: Option<(PathBuf, usize)>,
    pub(crate) name: String,
    pub(crate) position: Position,
    /// The FEN as it was given, for the referees.
    pub(crate) fen: String,
    pub(crate) mode: UciMode,
    /// The depths to count, with the listed number of nodes where there is one.
    pub(crate) depths: Vec<(u32, Option<u64>)>,
    /// The deepest depth of the line, counted or not.
    pub(crate) depth_listed: u32,
    /// The rule events that the line claims.
    pub(crate) events: Vec<String>,
}

impl Job {
    /// A position given as an argument, to be counted to every depth up to this.
    pub(crate) fn of_argument(fen: &str, chess960: bool, depth: u32) -> anyhow::Result<Job> {
        let position = read_position(fen)?;
        let fen = match fen {
            "startpos" => position.to_string(),
            _ => fen.trim().to_string(),
        };
        let depths = (depth.min(1)..=depth).map(|depth| (depth, None)).collect();
        Ok(Job {
            place: None,
            name: position.to_string(),
            position,
            fen,
            mode: if chess960 { UciMode::Chess960 } else { UciMode::of(&position) },
            depths,
            depth_listed: depth,
            events: Vec::new(),
        })
    }

    fn of_line(path: &Path, line: &Line, chess960: bool) -> Job {
        let mode = if chess960 { UciMode::Chess960 } else { line.mode };
        Job {
            place: Some((path.to_owned(), line.number)),
            name: line.id.clone().unwrap_or_else(|| format!("{}:{}", path.display(), line.number)),
            position: line.position,
            fen: line.fen.clone(),
            mode,
            depths: line.counts.iter().map(|&(depth, nodes)| (depth, Some(nodes))).collect(),
            depth_listed: line.counts.last().map_or(0, |&(depth, _)| depth),
            events: line.events.clone(),
        }
    }

    /// Leaves out what is deeper or has more nodes listed.
    pub(crate) fn keep_counts(&mut self, depth_max: Option<u32>, nodes_max: Option<u64>) {
        self.depths.retain(|&(depth, listed)| {
            depth_max.is_none_or(|max| depth <= max)
                && nodes_max.is_none_or(|max| listed.is_none_or(|nodes| nodes <= max))
        });
    }

    /// `file:line`, where it stands in one.
    pub(crate) fn place(&self) -> String {
        match &self.place {
            Some((path, line)) => format!("{}:{line}", path.display()),
            None => String::from("--fen"),
        }
    }

    /// Whether it comes with counts to compare with.
    pub(crate) fn is_listed(&self) -> bool {
        self.place.is_some()
    }
}

/// What the limits of a run left out.
#[derive(Clone, Copy)]
pub(crate) struct LeftOut {
    counts: usize,
    /// Lines of which nothing is left.
    lines: usize,
}

impl LeftOut {
    /// In words, where there is anything to tell.
    pub(crate) fn as_text(self) -> Option<String> {
        let LeftOut { counts, lines } = self;
        (counts + lines > 0).then(|| {
            format!("left out: {counts} counts beyond the limits, {lines} lines without any other")
        })
    }

    pub(crate) fn as_json(self) -> serde_json::Value {
        json!({ "counts": self.counts, "lines": self.lines })
    }
}

/// Leaves out the counts that are deeper or have more nodes listed, and the lines that have no other.
pub(crate) fn keep_within(
    jobs: &mut Vec<Job>,
    depth_max: Option<u32>,
    nodes_max: Option<u64>,
) -> LeftOut {
    let counts = |jobs: &[Job]| jobs.iter().map(|job| job.depths.len()).sum::<usize>();
    let (all_counts, all_lines) = (counts(jobs), jobs.len());
    jobs.iter_mut().for_each(|job| job.keep_counts(depth_max, nodes_max));
    jobs.retain(|job| !job.depths.is_empty());
    LeftOut { counts: all_counts - counts(jobs), lines: all_lines - jobs.len() }
}

/// Reads all lines of these suites, and of the workspace's own where none is named.
///
/// Lines that cannot be read are shown, and the verdict is then [`Verdict::BadInput`].
pub(crate) fn read_jobs(
    paths: &[PathBuf],
    chess960: bool,
    format: Format,
) -> anyhow::Result<(Vec<Job>, Verdict)> {
    let own = [workspace_root().join("perft-data")];
    let paths = if paths.is_empty() { own.as_slice() } else { paths };
    let (mut jobs, mut verdict) = (Vec::new(), Verdict::Pass);
    for file in files(paths)? {
        let suite = match Suite::read(&file) {
            Ok(suite) => suite,
            Err(error) => {
                let message = format!("cannot read {}: {error}", file.display());
                console::complain(&message);
                if format == Format::Json {
                    console::json(&json!({ "type": "error", "message": message }));
                }
                verdict = Verdict::BadInput;
                continue;
            }
        };
        for error in &suite.errors {
            BadText::of_suite(&file, error).show();
            if format == Format::Json {
                console::json(&json!({
                    "type": "error", "file": file.display().to_string(), "line": error.line,
                    "column": error.column, "message": error.message,
                }));
            }
            verdict = Verdict::BadInput;
        }
        jobs.extend(suite.lines.iter().map(|line| Job::of_line(&file, line, chess960)));
    }
    Ok((jobs, verdict))
}

/// Reads a FEN given as an argument, or `startpos`.
pub(crate) fn read_position(fen: &str) -> anyhow::Result<Position> {
    if fen == "startpos" {
        return Ok(Position::default());
    }
    fen.parse().map_err(|error: FenError| {
        let culprit = match &error {
            FenError::Syntax(error) => {
                let from = error.offset().min(fen.len());
                let length = fen[from..].find(' ').unwrap_or(fen.len() - from);
                from..from + length
            }
            // Several places may be wrong together.
            _ => 0..fen.len(),
        };
        let column = fen[..culprit.start].chars().count() + 1;
        let (origin, text, message) = ("FEN".into(), fen.to_string(), error.to_string());
        BadText { origin, line: 1, column, text, culprit, message }.into()
    })
}

/// The files meant by paths, a folder meaning its `*.epd`. What lies in the workspace is named from its root.
fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = path
            .read_dir()
            .and_then(Iterator::collect::<io::Result<Vec<_>>>)
            .with_context(|| format!("cannot read the folder {}", path.display()))?;
        let mut suites: Vec<PathBuf> = entries
            .into_iter()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "epd"))
            .collect();
        if suites.is_empty() {
            console::status(format!("no *.epd in the folder {}", path.display()));
        }
        suites.sort();
        files.extend(suites);
    }
    Ok(files.into_iter().map(|file| relative_to_here(&file)).collect())
}

fn relative_to_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).map_or_else(|_| path.to_owned(), Path::to_owned)
}

/// The root of the workspace that this binary was built from.
pub(crate) fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}
