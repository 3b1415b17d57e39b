//! What guided fuzzing needs beyond stable Rust, and what to install where it is missing.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use touchmove_oracles::targets::Target;

use crate::job::workspace_root;
use crate::verdict::Verdict;
use crate::{child, console, interrupt};

/// Nightly Rust and cargo-fuzz, found.
pub(super) struct Tools {
    /// The platform that the compiler compiles for.
    host: String,
}

/// Looks for the tools; where one is missing, says what to install.
pub(super) fn find() -> Option<Tools> {
    let nightly = output("rustup", &["run", "nightly", "rustc", "-vV"]);
    let host =
        nightly.and_then(|text| Some(text.split("host: ").nth(1)?.lines().next()?.to_string()));
    let mut missing = Vec::new();
    if host.is_none() {
        missing.push("rustup toolchain install nightly");
    }
    if output("cargo-fuzz", &["--version"]).is_none() {
        missing.push("cargo install cargo-fuzz");
    }
    if output("c++", &["--version"]).is_none() {
        missing.push("a C++ compiler named `c++` (Debian: apt-get install g++)");
    }
    match (host, missing.as_slice()) {
        (Some(host), []) => Some(Tools { host }),
        _ => {
            console::status("not run: guided fuzzing needs more than stable Rust; install");
            missing.iter().for_each(|what| console::status(format!("    {what}")));
            None
        }
    }
}

/// What a program prints, if it is there and content.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Tools {
    /// Builds a target, or all of them, with the sanitizer and all assertions on.
    ///
    /// What cannot be fetched is unknown; what does not compile has failed.
    pub(super) fn build(&self, target: Option<&Target>) -> io::Result<Verdict> {
        let mut fetch = Command::new("rustup");
        fetch.args(["run", "nightly", "cargo", "fetch", "--target", &self.host]);
        if !child::wait(fetch.current_dir(workspace_root()), interrupt::is_interrupted)?.success() {
            console::status("not run: what the targets are built from could not be fetched");
            return Ok(Verdict::Unknown);
        }
        let mut build = Command::new("rustup");
        build.args(["run", "nightly", "cargo", "fuzz", "build", "--fuzz-dir", "fuzz"]);
        build.args(["--codegen-units", "16", "--target-dir"]).arg(build_folder());
        build.args(target.map(|target| target.name));
        // Eleven programs: what linking them slowly would gain, building them loses.
        build.env("CARGO_PROFILE_RELEASE_LTO", "off");
        let status = child::wait(build.current_dir(workspace_root()), interrupt::is_interrupted)?;
        Ok(match status.success() {
            true => Verdict::Pass,
            false if interrupt::is_interrupted() => Verdict::Interrupted,
            false => {
                console::complain("the fuzz targets do not build");
                Verdict::Fail
            }
        })
    }

    /// Where the program of a target is, once it is built.
    pub(super) fn program(&self, target: &Target) -> PathBuf {
        build_folder().join(&self.host).join("release").join(target.name)
    }
}

/// Apart from other builds, which have other flags.
fn build_folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| OsString::from("target"));
    workspace_root().join(target).join("fuzz")
}
