//! What guided fuzzing needs beyond stable Rust, and what to install where it is missing.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use touchmove_oracles::targets::Target;

use crate::job::workspace_root;
use crate::verdict::Verdict;
use crate::{child, console, interrupt};

/// Nightly Rust and cargo-fuzz, found, and the tree whose targets they build.
pub(crate) struct Tools {
    /// The platform that the compiler compiles for.
    host: String,
    tree: PathBuf,
    /// Where it is built, apart from other builds, which have other flags.
    builds: PathBuf,
    /// Where the compiler's words go, if not to whoever looks on.
    log: Option<PathBuf>,
}

/// Looks for the tools, for the workspace; where one is missing, says what to install.
pub(crate) fn find() -> Option<Tools> {
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
        (Some(host), []) => {
            let tree = workspace_root();
            let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
            let builds = tree.join(target).join("fuzz");
            Some(Tools { host, tree, builds, log: None })
        }
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
    /// The same tools for a copy of the workspace; what the compiler says goes to a file.
    pub(crate) fn for_copy(&self, tree: &Path, log: PathBuf) -> Tools {
        let (host, builds) = (self.host.clone(), tree.join("target/fuzz"));
        Tools { host, tree: tree.to_owned(), builds, log: Some(log) }
    }

    /// The tree whose targets are built.
    pub(super) fn tree(&self) -> &Path {
        &self.tree
    }

    /// Builds a target, or all of them, with the sanitizer and all assertions on.
    ///
    /// What cannot be fetched is unknown; what does not compile has failed.
    pub(crate) fn build(&self, target: Option<&Target>) -> io::Result<Verdict> {
        if !self.cargo(&["fetch", "--target", &self.host])?.success() {
            console::status("not run: what the targets are built from could not be fetched");
            return Ok(Verdict::Unknown);
        }
        let builds = self.builds.display().to_string();
        let mut build = vec!["fuzz", "build", "--fuzz-dir", "fuzz"];
        build.extend(["--codegen-units", "16", "--target-dir", &builds]);
        build.extend(target.map(|target| target.name));
        let status = self.cargo(&build)?;
        Ok(match status.success() {
            true => Verdict::Pass,
            false if interrupt::is_interrupted() => Verdict::Interrupted,
            false => {
                console::complain("the fuzz targets do not build");
                Verdict::Fail
            }
        })
    }

    fn cargo(&self, arguments: &[&str]) -> io::Result<ExitStatus> {
        let mut command = Command::new("rustup");
        command.args(["run", "nightly", "cargo"]).args(arguments).current_dir(&self.tree);
        // Many programs: what linking them slowly would gain, building them loses.
        command.env("CARGO_PROFILE_RELEASE_LTO", "off");
        if let Some(log) = &self.log {
            let log = OpenOptions::new().create(true).append(true).open(log)?;
            command.stdout(log.try_clone()?).stderr(log);
        }
        child::wait(&mut command, interrupt::is_interrupted)
    }

    /// Where the program of a target is, once it is built.
    pub(super) fn program(&self, target: &Target) -> PathBuf {
        self.builds.join(&self.host).join("release").join(target.name)
    }
}
