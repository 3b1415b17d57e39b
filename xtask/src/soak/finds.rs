//! Finds: what is told of one, and how it is kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use touchmove_oracles::case::Case;
use touchmove_oracles::oracles::Divergence;

use crate::{console, disk};

/// A game in which the engine and those it is held against part, or that does not come to an end.
#[derive(Clone, Debug)]
pub(super) struct Find {
    /// The number of the game.
    pub(super) game: u64,
    /// The oracle that found it.
    pub(super) oracle: &'static str,
    /// What it is, in a line: finds that have this in common are repeats.
    pub(super) what: String,
    /// All that is known, in lines.
    pub(super) told: String,
    /// The same to be played again, where it can be.
    pub(super) case: Option<Case>,
}

impl Find {
    pub(super) fn of(game: u64, divergence: Divergence) -> Find {
        let (oracle, what) = (divergence.oracle, divergence.what());
        let case = Case::from(divergence);
        Find { game, oracle, what, told: case.to_string(), case: Some(case) }
    }

    /// Something without a case.
    pub(super) fn told(game: u64, oracle: &'static str, what: &str, told: String) -> Find {
        Find { game, oracle, what: format!("{oracle}, {what}"), told, case: None }
    }
}

/// Where a run keeps its finds: each under the name of the target that plays its bytes again, the oracle, the seed of
/// the run and the number of the game.
pub(super) struct Shelf {
    pub(super) folder: PathBuf,
    pub(super) seed: u64,
}

impl Shelf {
    /// Writes a find at once, with the bytes of its game: nothing that comes later can lose it. Returns its place.
    pub(super) fn keep(&self, find: &Find, target: &str, bytes: &[u8]) -> PathBuf {
        let name = format!("{target}-{}-seed{}-game{}", find.oracle, self.seed, find.game);
        let path = self.free(&name);
        let written = fs::create_dir_all(&self.folder)
            .and_then(|()| disk::write(&path.with_extension("bytes"), bytes))
            .and_then(|()| write_case(&path, find));
        tell(&path, written);
        path
    }

    /// Puts what a find was made to in its place; what an earlier run has kept already is not kept twice.
    pub(super) fn replace(&self, path: &Path, find: &Find) {
        if let Err(error) = write_case(path, find) {
            return tell(path, Err(error));
        }
        let twin = |other: &PathBuf| {
            let same = |extension: &str| {
                let read = |path: &Path| fs::read(path.with_extension(extension)).ok();
                read(other) == read(path)
            };
            other != path && same("case") && same("bytes")
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.split('+').next().unwrap_or_default();
        if let Some(kept) = self.names(name).take_while(|name| name.exists()).find(twin) {
            let _ = fs::remove_file(path.with_extension("bytes"));
            let _ = fs::remove_file(path);
            console::status(format!("as before: {}", kept.display()));
        }
    }

    /// The first of its names that no earlier find has.
    fn free(&self, name: &str) -> PathBuf {
        let is_free = |path: &PathBuf| {
            !["case", "bytes"].iter().any(|extension| path.with_extension(extension).exists())
        };
        self.names(name).find(is_free).expect("there are always more numbers")
    }

    /// The names that such finds have: the first, and with numbers those that came later and are different.
    fn names(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        let folder = self.folder.clone();
        let first = folder.join(format!("{name}.case"));
        let name = name.to_string();
        let later = (2u32..).map(move |number| folder.join(format!("{name}+{number}.case")));
        std::iter::once(first).chain(later)
    }
}

fn write_case(path: &Path, find: &Find) -> io::Result<()> {
    find.case.as_ref().map_or(Ok(()), |case| disk::write(path, case.to_string()))
}

fn tell(path: &Path, written: io::Result<()>) {
    match written {
        Ok(()) => console::status(format!("written: {}", path.with_extension("*").display())),
        Err(error) => console::complain(&format!("cannot write {}: {error}", path.display())),
    }
}
