//! Lines through pipes, each pipe with a thread of its own, and how much of them is kept. What they say is not read.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// The longest line that is kept, in bytes; what goes beyond is cut off.
const LINE_MAX: u64 = 4096;
/// How many lines may wait between a pipe and us; then the engine has to wait.
const QUEUE_MAX: usize = 1024;
/// How many of the last lines are told of an engine that failed.
const LAST_WORDS_MAX: usize = 5;

/// Writes what is sent into a pipe, until either end is closed.
pub(super) fn write_lines(mut input: ChildStdin) -> SyncSender<String> {
    let (sender, lines) = mpsc::sync_channel::<String>(QUEUE_MAX);
    thread::spawn(move || {
        for line in lines {
            if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// Sends the lines that come out of a pipe, until either end is closed.
pub(super) fn read_lines(output: ChildStdout) -> Receiver<String> {
    let (sender, lines) = mpsc::sync_channel(QUEUE_MAX);
    thread::spawn(move || for_each_line(output, |line| sender.send(line).is_ok()));
    lines
}

/// Keeps the last lines that come out of a pipe.
pub(super) fn keep_last_lines(
    pipe: ChildStderr,
    lines: Arc<Mutex<VecDeque<String>>>,
) -> JoinHandle<()> {
    thread::spawn(move || {
        for_each_line(pipe, |line| {
            push_last(&mut lines.lock().unwrap_or_else(PoisonError::into_inner), line);
            true
        });
    })
}

/// Calls `keep` with each line, cut to [`LINE_MAX`], until it says no or there are no more.
fn for_each_line(pipe: impl Read, mut keep: impl FnMut(String) -> bool) {
    let mut pipe = BufReader::new(pipe);
    let mut bytes = Vec::new();
    let mut is_rest = false;
    loop {
        bytes.clear();
        match pipe.by_ref().take(LINE_MAX).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let was_rest = std::mem::replace(&mut is_rest, !bytes.ends_with(b"\n"));
        if !was_rest && !keep(String::from_utf8_lossy(bytes.trim_ascii_end()).into_owned()) {
            return;
        }
    }
}

pub(super) fn push_last(lines: &mut VecDeque<String>, line: String) {
    if lines.len() == LAST_WORDS_MAX {
        lines.pop_front();
    }
    lines.push_back(line);
}

/// Lines for a message, cut to what a reader bears, with nothing in them that a terminal would obey.
pub(super) fn quote_lines(label: &str, lines: &VecDeque<String>) -> String {
    const CHARS_MAX: usize = 200;
    let quoted: Vec<String> = lines
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| format!("{:?}", line.chars().take(CHARS_MAX).collect::<String>()))
        .collect();
    match quoted.is_empty() {
        true => String::new(),
        false => format!("; {label}: {}", quoted.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_their_rest_is_no_line() {
        let mut text = vec![b'x'; 3 * LINE_MAX as usize + 5];
        text.extend(b"\r\nshort\n\nlast");
        let mut lengths = Vec::new();
        for_each_line(&text[..], |line| {
            lengths.push(line.len());
            true
        });
        assert_eq!(lengths, [LINE_MAX as usize, 5, 0, 4]);
    }

    #[test]
    fn last_words_cannot_drive_a_terminal() {
        let lines = VecDeque::from(["\u{1b}[2J".to_string(), String::new(), "x".repeat(500)]);
        let quoted = quote_lines("last output", &lines);
        assert!(quoted.starts_with("; last output: \"\\u{1b}[2J\" \"xxx"), "{quoted}");
        assert!(quoted.len() < 300 && quote_lines("x", &VecDeque::new()).is_empty());
    }
}
