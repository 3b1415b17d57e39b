//! A chess engine that speaks UCI: `cargo run --release -p touchmove-chooser --example uci`.
//!
//! Lines from standard input, the end of a search and the passing of time are events, and the [`session`] answers them
//! one by one. A search or a count runs in its own thread, so `stop`, `isready` and `quit` are heard while it
//! does; all other commands wait until it is done. What is wrong with a line is told by
//! `info string error: …`, and such a line changes nothing else, but for `position`: after one that
//! was refused there is no position.

#[path = "uci/command.rs"]
mod command;
#[path = "uci/count.rs"]
mod count;
#[path = "uci/session.rs"]
mod session;

use std::fmt::Display;
use std::io::{BufRead, ErrorKind, Read, Write};
use std::sync::mpsc::{Sender, channel};

use self::session::{Event, Session};

/// The longest line that is read, in bytes: a game of more than a hundred thousand moves.
const LINE_MAX: u64 = 1 << 20;

fn main() {
    let (events, queue) = channel();
    let lines = events.clone();
    std::thread::spawn(move || read_lines(&lines));
    Session::new(events).run(&queue);
}

/// Sends each line of standard input, and then that it has ended.
fn read_lines(events: &Sender<Event>) {
    let mut input = std::io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        match input.by_ref().take(LINE_MAX).read_until(b'\n', &mut bytes) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break,
        }
        let is_whole = bytes.ends_with(b"\n") || (bytes.len() as u64) < LINE_MAX;
        if !is_whole {
            say_error(format_args!("a line is longer than {LINE_MAX} bytes"));
            if input.skip_until(b'\n').is_err() {
                break;
            }
            continue;
        }
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _nobody_listens = events.send(Event::EndOfInput);
}

/// Writes a line to standard output. When nobody reads it any more the program ends.
fn say(line: impl Display) {
    let mut output = std::io::stdout().lock();
    if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Says what was wrong.
fn say_error(error: impl Display) {
    say(format_args!("info string error: {error}"));
}
