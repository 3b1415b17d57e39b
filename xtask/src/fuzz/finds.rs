//! Finds: an input that ended a target becomes a case, shrunk, with its bytes beside it.

use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use touchmove_oracles::case::{Case, shrink};
use touchmove_oracles::oracles::{Divergence, Honest, Verdict};
use touchmove_oracles::replay::judge;
use touchmove_oracles::targets::Target;

use super::lab::left_in;
use crate::console;

/// A find on disk.
#[derive(Clone)]
pub(super) struct Find {
    /// The target that met it.
    pub(super) target: &'static str,
    /// What it is, in a line: equal for finds that are the same fault by the look of it.
    pub(super) what: String,
    /// The bytes that lead there.
    pub(super) bytes: PathBuf,
}

impl Find {
    /// The one line that plays it again on stable Rust.
    pub(super) fn command(&self) -> String {
        format!("cargo xtask fuzz replay {}", self.bytes.display())
    }
}

/// Keeps what libFuzzer wrote: first the bytes, then what can be told about them.
pub(super) fn keep(target: &Target, artifact: &Path) -> io::Result<Find> {
    let folder = left_in().join("finds");
    fs::create_dir_all(&folder)?;
    let name = artifact.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (kind, hash) = name.rsplit_once('-').unwrap_or(("crash", &name));
    let stem = format!("{}-{}", target.name, &hash[..hash.len().min(12)]);
    let bytes = folder.join(format!("{stem}.bytes"));
    fs::rename(artifact, &bytes)?;
    let what = match kind {
        "crash" => told(target, &fs::read(&bytes)?, &folder.join(format!("{stem}.case")))?,
        // Playing it here would hang or swell here.
        other => format!("{other}: no verdict within the limits"),
    };
    console::status(format!("written: {}", bytes.display()));
    Ok(Find { target: target.name, what, bytes })
}

/// What the library says to the bytes, written as a case where that is a divergence.
fn told(target: &Target, bytes: &[u8], case: &Path) -> io::Result<String> {
    match judge(target, bytes) {
        Ok(Verdict::Diverges(divergence)) => {
            let divergence = shrunk(*divergence);
            fs::write(case, Case::from(divergence.clone()).to_string())?;
            let what = divergence.expected.split(':').next().unwrap_or_default();
            Ok(format!("{}, {what}", divergence.oracle))
        }
        Ok(Verdict::Pass) => Ok(String::from("an assertion or the sanitizer; clean without them")),
        Err(panicked) => Ok(panicked.lines().next().unwrap_or_default().to_string()),
    }
}

/// As small as it gets; a fault that panics on the way stays as it is.
fn shrunk(divergence: Divergence) -> Divergence {
    let attempt = || shrink(divergence.clone(), &Honest, || false);
    catch_unwind(AssertUnwindSafe(attempt)).unwrap_or(divergence)
}
