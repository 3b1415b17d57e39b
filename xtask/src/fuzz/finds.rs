//! Finds: an input that ended a target becomes a case, shrunk, with its bytes beside it.

use std::fs;
use std::path::{Path, PathBuf};

use touchmove_oracles::targets::Target;

use super::apart::{self, Told};
use super::lab::{Artifact, LIMITS, left_in};
use crate::job::workspace_root;
use crate::{console, disk};

/// A find, on disk where the disk was not full.
#[derive(Clone, Debug)]
pub(super) struct Find {
    /// The target that met it.
    pub(super) target: &'static str,
    /// What it is, in a line: equal for finds that are the same fault by the look of it.
    pub(super) what: String,
    /// The bytes that lead there.
    pub(super) bytes: PathBuf,
    /// The one line that plays it again.
    pub(super) command: String,
}

/// Keeps what libFuzzer wrote: first the bytes, then what can be told about them. `program` is the target's own.
pub(super) fn keep(target: &'static Target, artifact: &Artifact, program: &Path) -> Find {
    let name = artifact.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (kind, hash) = name.rsplit_once('-').unwrap_or(("crash", &name));
    let stem = format!("{}-{}", target.name, &hash[..hash.len().min(12)]);
    let path = left_in(&workspace_root()).join("finds").join(format!("{stem}.bytes"));
    let with_program = format!("{} {} {}", program.display(), LIMITS.join(" "), path.display());
    let find = |what: String, command: String| Find {
        target: target.name,
        what,
        bytes: path.clone(),
        command,
    };
    if fs::metadata(&artifact.path).is_ok_and(|file| file.len() == 0) {
        // What a full disk left of it holds nothing, and would be found again by the next process.
        let _ = fs::remove_file(&artifact.path);
    }
    let Some(bytes) = &artifact.bytes else {
        console::complain(&format!(
            "disk full: {} was found and could not be written; it is too long for the log",
            artifact.path.display()
        ));
        return find(String::from("disk full: the input is lost"), with_program);
    };
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    match made.and_then(|()| disk::write(&path, bytes)) {
        Ok(()) => {
            let _was_never_written = fs::remove_file(&artifact.path);
            console::status(format!("written: {}", path.display()));
        }
        Err(error) => console::complain(&format!(
            "cannot write {}: {error}; its bytes in hexadecimal: {}",
            path.display(),
            bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        )),
    }
    if kind != "crash" {
        return find(format!("{kind}: no verdict within the limits"), with_program);
    }
    let on_stable = format!("cargo xtask fuzz replay {}", path.display());
    match apart::judged(target.name, bytes, Some(&path.with_extension("case"))) {
        Ok(Told::Diverges { what, .. }) => find(what, on_stable),
        Ok(Told::NoVerdict(what)) => find(what, on_stable),
        Ok(Told::Clean) => {
            find(String::from("an assertion or the sanitizer; clean without them"), with_program)
        }
        Err(error) => find(format!("cannot be judged here: {error}"), with_program),
    }
}
