//! How to start an engine, and how that is written. Nothing is started here.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How to start an engine, and how long to wait for it.
///
/// ```
/// # use touchmove_oracles::referees::UciCommand;
/// let command: UciCommand = "'/opt/my engine/bin' --quiet".parse()?;
/// assert_eq!(command.program(), "/opt/my engine/bin");
/// assert_eq!(command.args(), ["--quiet"]);
/// # Ok::<(), touchmove_oracles::referees::UciCommandError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciCommand {
    /// How long each answer may take: 60 s unless set.
    pub timeout: Duration,
    /// How long `uciok` may take: 10 s unless set.
    pub handshake: Duration,
    text: String,
    program: String,
    args: Vec<String>,
}

impl UciCommand {
    /// The program, looked for as the system does: a path, or a name found through `PATH`.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Its arguments.
    pub fn args(&self) -> &[String] {
        &self.args
    }

    /// The same command with this much time for each answer, `uciok` included.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> UciCommand {
        UciCommand { handshake: self.handshake.min(timeout), timeout, ..self }
    }

    /// The same command with this much time for `uciok`.
    #[must_use]
    pub fn with_handshake(self, handshake: Duration) -> UciCommand {
        UciCommand { handshake, ..self }
    }
}

impl fmt::Display for UciCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The text is no command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UciCommandError {
    /// It names no program.
    Empty,
    /// The quotation mark at this byte is never closed.
    OpenQuote(usize),
}

impl fmt::Display for UciCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciCommandError::Empty => f.write_str("expected the command of an engine"),
            UciCommandError::OpenQuote(at) => {
                write!(f, "the quotation mark at byte {at} is never closed")
            }
        }
    }
}

impl std::error::Error for UciCommandError {}

/// Splits at blanks; `'…'` and `"…"` hold blanks together and are taken off. There are no escapes, no
/// variables, and no shell.
impl FromStr for UciCommand {
    type Err = UciCommandError;

    fn from_str(text: &str) -> Result<UciCommand, UciCommandError> {
        let mut words = split_words(text)?;
        if words.first().is_none_or(String::is_empty) {
            return Err(UciCommandError::Empty);
        }
        let program = words.remove(0);
        Ok(UciCommand {
            timeout: Duration::from_secs(60),
            handshake: Duration::from_secs(10),
            text: text.trim().to_string(),
            program,
            args: words,
        })
    }
}

fn split_words(text: &str) -> Result<Vec<String>, UciCommandError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<(usize, char)> = None;
    for (at, char) in text.char_indices() {
        match (char, quote) {
            (_, Some((_, mark))) if char == mark => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(char),
            ('\'' | '"', None) => {
                quote = Some((at, char));
                word.get_or_insert_default(); // '' is a word, an empty one
            }
            (_, None) if char.is_whitespace() => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    match quote {
        None => Ok(words),
        Some((at, _)) => Err(UciCommandError::OpenQuote(at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let command: UciCommand = text.parse().unwrap();
        std::iter::once(command.program())
            .chain(command.args().iter().map(String::as_str))
            .map(str::to_string)
            .collect()
    }

    #[test]
    fn a_command_is_split_at_blanks_outside_of_quotes() {
        assert_eq!(words(" stockfish "), ["stockfish"]);
        assert_eq!(
            words("'/a b/c'  --x=\"1 2\" '' \"it's\" C:\\d"),
            ["/a b/c", "--x=1 2", "", "it's", "C:\\d"]
        );
        assert_eq!(" ".parse::<UciCommand>(), Err(UciCommandError::Empty));
        assert_eq!("''".parse::<UciCommand>(), Err(UciCommandError::Empty));
        assert_eq!("a 'b".parse::<UciCommand>(), Err(UciCommandError::OpenQuote(2)));
    }
}
