//! Played again on stable Rust: every file of the corpus, and every case that was once a find.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::case::Case;
use crate::oracles::{Honest, Verdict, caught};
use crate::suite::LineError;
use crate::targets::{TARGETS, Target, named};

/// The corpus has no fewer files than this.
pub const INPUTS_MIN: usize = 4_300;
/// There are no fewer cases than this.
pub const CASES_MIN: usize = 7;

/// What was played again, and what came of it.
#[derive(Default)]
pub struct Replayed {
    /// The files of each target.
    pub inputs: BTreeMap<&'static str, usize>,
    /// The cases.
    pub cases: usize,
    /// The bytes of all of them.
    pub bytes: u64,
    /// What diverged, panicked, or could not be read, and how.
    pub troubles: Vec<(PathBuf, String)>,
}

impl Replayed {
    /// The files of all targets.
    pub fn inputs_in_all(&self) -> usize {
        self.inputs.values().sum()
    }

    /// Whether so little was played again that it proves less than it says: below the floor in all, or
    /// a target without any file.
    pub fn is_below_floor(&self) -> bool {
        let has_files = |target: &Target| self.inputs.contains_key(target.name);
        self.inputs_in_all() < INPUTS_MIN
            || self.cases < CASES_MIN
            || !TARGETS.iter().all(has_files)
    }
}

/// Something to play again.
pub enum Input {
    /// Bytes for a target.
    Bytes(&'static Target, PathBuf),
    /// A case as text.
    Case(PathBuf),
}

impl Input {
    /// What a file is, by its name: a case, or bytes for the target after which it or its folder is named.
    pub fn of(path: PathBuf) -> Option<Input> {
        if path.extension().is_some_and(|extension| extension == "case") {
            return Some(Input::Case(path));
        }
        let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
        let by_name = name(&path).and_then(|name| named(name.split('-').next()?));
        let target = by_name.or_else(|| named(&name(path.parent()?)?))?;
        Some(Input::Bytes(target, path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            Input::Bytes(_, path) | Input::Case(path) => path,
        }
    }

    /// Plays it again; in words, what is wrong.
    ///
    /// # Errors
    ///
    /// What diverged or panicked, or why it cannot be read.
    pub fn play(&self) -> Result<u64, String> {
        let bytes = fs::read(self.path()).map_err(|error| error.to_string())?;
        let verdict = match self {
            Input::Bytes(target, _) => judge(target, &bytes)?,
            Input::Case(_) => {
                let text = std::str::from_utf8(&bytes).map_err(|error| error.to_string())?;
                judge_case(&text.parse().map_err(|error: LineError| error.to_string())?)?
            }
        };
        match verdict {
            Verdict::Pass => Ok(bytes.len() as u64),
            Verdict::Diverges(divergence) => Err(divergence.to_string()),
        }
    }
}

/// The verdict of a target on bytes; in words, where it panicked.
///
/// # Errors
///
/// The message of the panic.
pub fn judge(target: &Target, bytes: &[u8]) -> Result<Verdict, String> {
    caught(|| (target.judge)(bytes))
}

/// The verdict on a case; in words, where it panicked.
///
/// # Errors
///
/// The message of the panic.
pub fn judge_case(case: &Case) -> Result<Verdict, String> {
    caught(|| case.replay(&Honest))
}

/// All that is kept in the folder `fuzz` of the workspace: its corpus and its regressions.
///
/// # Errors
///
/// When a folder cannot be read.
pub fn kept(fuzz: &Path) -> io::Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for target in TARGETS {
        let files = files(&fuzz.join("corpus").join(target.name))?;
        inputs.extend(files.into_iter().map(|path| Input::Bytes(target, path)));
    }
    inputs.extend(files(&fuzz.join("regressions"))?.into_iter().filter_map(Input::of));
    Ok(inputs)
}

/// The files of a folder, in the order of their names; none where there is no folder.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut files = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    files.sort();
    Ok(files)
}

/// Plays these again on all cores, until `stop` says so.
pub fn replay(inputs: &[Input], stop: impl Fn() -> bool + Sync) -> Replayed {
    replay_by(inputs, Input::play, stop)
}

/// The same in another way: what plays an input returns its bytes, or in words what is wrong.
pub fn replay_by(
    inputs: &[Input],
    play: impl Fn(&Input) -> Result<u64, String> + Sync,
    stop: impl Fn() -> bool + Sync,
) -> Replayed {
    let (next, replayed) = (AtomicUsize::new(0), Mutex::new(Replayed::default()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(input) = inputs.get(next.fetch_add(1, Ordering::Relaxed))
                    && !stop()
                {
                    let played = play(input);
                    replayed.lock().expect("nobody panics holding it").add(input, played);
                }
            });
        }
    });
    let mut replayed = replayed.into_inner().expect("nobody panics holding it");
    replayed.troubles.sort();
    replayed
}

impl Replayed {
    fn add(&mut self, input: &Input, played: Result<u64, String>) {
        match input {
            Input::Bytes(target, _) => *self.inputs.entry(target.name).or_default() += 1,
            Input::Case(_) => self.cases += 1,
        }
        match played {
            Ok(bytes) => self.bytes += bytes,
            Err(trouble) => self.troubles.push((input.path().to_owned(), trouble)),
        }
    }
}
