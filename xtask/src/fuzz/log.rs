//! What a process of libFuzzer says: the end of it in memory, all of it in a file as far as the disk goes.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::console;

/// So many bytes of what was said last are remembered, at least.
const REMEMBERED: usize = 1 << 17;

/// A log that is written as it is heard.
pub(super) struct Log {
    path: PathBuf,
    heard: Mutex<Heard>,
}

struct Heard {
    /// None once the disk was full.
    file: Option<File>,
    last: Vec<u8>,
}

impl Log {
    /// A log in this file. That it cannot be written is told, and no reason not to listen.
    pub(super) fn new(path: &Path) -> Log {
        let file = File::create(path).map_err(|error| complain(path, &error)).ok();
        Log { path: path.to_owned(), heard: Mutex::new(Heard { file, last: Vec::new() }) }
    }

    pub(super) fn hear(&self, words: &[u8]) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Err(error)) = heard.file.as_mut().map(|file| file.write_all(words)) {
            complain(&self.path, &error);
            heard.file = None;
        }
        heard.last.extend(words);
        if heard.last.len() > 2 * REMEMBERED {
            let old = heard.last.len() - REMEMBERED;
            heard.last.drain(..old);
        }
    }

    /// What was said last.
    pub(super) fn said(&self) -> String {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&heard.last).into_owned()
    }

    /// Whether all of it is on disk.
    pub(super) fn is_written(&self) -> bool {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).file.is_some()
    }
}

fn complain(path: &Path, error: &std::io::Error) {
    console::complain(&format!("cannot write {}: {error}", path.display()));
}

/// The line that tells how far a process is, if one does.
pub(super) fn pulse(said: &str) -> Option<&str> {
    said.lines().rfind(|line| executed(line).is_some())
}

/// The executions of a line like `#4096<TAB>pulse …`.
fn executed(line: &str) -> Option<u64> {
    line.strip_prefix('#')?.split(['\t', ' ']).next()?.parse().ok()
}

/// The executions that libFuzzer told last.
pub(super) fn executions(said: &str) -> u64 {
    let told = number_after(said, "stat::number_of_executed_units:");
    told.max(said.lines().filter_map(executed).max().unwrap_or(0))
}

/// The number after the last of these words; zero where there is none.
pub(super) fn number_after(said: &str, words: &str) -> u64 {
    let rest = said.rsplit_once(words).map_or("", |(_, rest)| rest).trim_start();
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().unwrap_or(0)
}

/// The files of inputs that it says it has written, and the inputs themselves where they are short enough to be said.
pub(super) fn inputs(said: &str) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut lines = said.lines().peekable();
    let mut inputs = Vec::new();
    while let Some(line) = lines.next() {
        let Some((_, path)) = line.split_once("Test unit written to ") else { continue };
        let bytes = lines.peek().and_then(|line| from_base64(line.strip_prefix("Base64:")?.trim()));
        inputs.push((PathBuf::from(path), bytes));
    }
    inputs
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::new();
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let values = four.iter().map(|&letter| value(letter)).collect::<Option<Vec<u8>>>()?;
        let bits = values.iter().fold(0u32, |bits, &six| bits << 6 | u32::from(six));
        let bits = bits << (6 * (4 - values.len()));
        bytes.extend(&bits.to_be_bytes()[1..values.len()]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "###### End of recommended dictionary. ######\n#2\tINITED cov: 2\n\
        #4096\tpulse  cov: 77 ft: 3\n###### Recommended dictionary. ######\n\
        artifact_prefix='a/'; Test unit written to a/crash-1\nBase64: ZTJlNA==\n\
        artifact_prefix='a/'; Test unit written to a/crash-2\nBase64: \n\
        artifact_prefix='a/'; Test unit written to a/crash-3\nstat::peak_rss_mb: 3\n";

    #[test]
    fn a_log_tells_how_far_a_process_is() {
        assert_eq!(pulse(SAID), Some("#4096\tpulse  cov: 77 ft: 3"));
        assert_eq!((executions(SAID), number_after(SAID, "cov: ")), (4096, 77));
        assert_eq!(pulse("###### Recommended\n"), None);
    }

    /// On a full disk what libFuzzer says is all that there is of its input.
    #[test]
    fn a_log_tells_inputs_that_are_short() {
        let told = |name: &str, bytes: Option<&[u8]>| {
            (PathBuf::from(format!("a/{name}")), bytes.map(<[u8]>::to_vec))
        };
        let expected =
            [told("crash-1", Some(b"e2e4")), told("crash-2", Some(b"")), told("crash-3", None)];
        assert_eq!(inputs(SAID), expected);
        assert_eq!(from_base64("AP8Q"), Some(vec![0, 255, 16]));
        assert_eq!(from_base64("AP8="), Some(vec![0, 255]));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told_and_what_is_said_is_heard_all_the_same() {
        let log = Log::new(Path::new("/dev/full"));
        log.hear(b"#7\tpulse");
        assert_eq!((log.said().as_str(), log.is_written()), ("#7\tpulse", false));
    }
}
