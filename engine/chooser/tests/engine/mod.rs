//! A UCI engine as a child process that is asked line by line; no wait is without end.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    /// The example, in the profile of this test.
    pub(crate) fn touchmove() -> Engine {
        static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
        Engine::start(PROGRAM.get_or_init(build_example))
    }

    /// Stockfish, if the machine has it; if not, what is not compared is said to be unknown.
    pub(crate) fn stockfish(what: &str) -> Option<Engine> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
        let program = folders
            .find_map(|folder| Some(folder.join("stockfish")).filter(|program| program.is_file()));
        if program.is_none() {
            eprintln!("UNKNOWN: {what}: no stockfish on PATH or in /usr/games");
        }
        let mut engine = Engine::start(&program?);
        engine.ask("isready", "readyok"); // Behind its greeting.
        Some(engine)
    }

    fn start(program: &Path) -> Engine {
        let mut command = Command::new(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|e| panic!("{}: {e}", program.display()));
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _nobody_listens = sender.send(line);
            }
        });
        Engine { input: child.stdin.take(), child, lines }
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads");
    }

    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// All lines up to the first that begins like this, which is the last.
    pub(crate) fn lines_to(&mut self, beginning: &str) -> Vec<String> {
        let until = Instant::now() + PATIENCE;
        let mut lines: Vec<String> = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("no `{beginning}`: {error}, after {lines:#?}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(beginning)) {
                return lines;
            }
        }
    }

    /// Sends a line and returns the first answer that begins like this.
    pub(crate) fn ask(&mut self, line: &str, beginning: &str) -> String {
        self.send(line);
        self.lines_to(beginning).pop().unwrap()
    }

    /// The move after `bestmove`.
    pub(crate) fn best_move(&mut self, go: &str) -> String {
        let answer = self.ask(go, "bestmove ");
        answer.split(' ').nth(1).unwrap().to_string()
    }

    /// The lines of a count, sorted, the total last.
    pub(crate) fn perft(&mut self, position: &str, depth: u32) -> Vec<String> {
        self.send(position);
        self.send(&format!("go perft {depth}"));
        let mut lines = self.lines_to("Nodes searched: ");
        lines.retain(|line| !line.is_empty() && !line.starts_with("info"));
        let total = lines.pop().unwrap();
        lines.sort_unstable();
        lines.push(total);
        lines
    }

    /// What is still to come, and how the program ends.
    pub(crate) fn last_words(mut self) -> (Vec<String>, ExitStatus) {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (self.lines.iter().collect(), status);
            }
            assert!(Instant::now() < until, "the engine does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Builds the example: cargo does so unasked only where all targets are tested.
fn build_example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).expect("tests are in TARGET/PROFILE/deps");
    let profile = match folder.file_name().and_then(OsStr::to_str) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--package", "touchmove-chooser", "--example", "uci"]);
    cargo.args(["--profile", profile, "--target-dir"]).arg(folder.parent().unwrap());
    assert!(cargo.status().unwrap().success(), "{cargo:?}");
    folder.join("examples").join(format!("uci{}", std::env::consts::EXE_SUFFIX))
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _has_ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}
