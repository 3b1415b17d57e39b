//! What a line of UCI asks for: read, and not yet obeyed.

use std::fmt::{self, Display};
use std::str::{FromStr, SplitWhitespace};
use std::time::Duration;

use touchmove::{ByColor, Color, PERFT_DEPTH_MAX, Position};

/// A line of UCI.
pub(crate) enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption(Setting),
    /// Also where it cannot be read: then there is none.
    Position(Result<Line, Refusal>),
    Count {
        depth: u32,
    },
    Search(Go),
    /// Draw the board.
    Draw,
    Stop,
    Quit,
}

/// Where a game began, and the moves since: to be read in the mode of the day.
pub(crate) struct Line {
    pub(crate) start: Position,
    pub(crate) moves: Vec<String>,
}

/// An option and its new value.
#[derive(Clone, Copy)]
pub(crate) enum Setting {
    Chess960(bool),
    HashMib(usize),
    Hints(usize),
}

/// How long to search.
#[derive(Default)]
pub(crate) struct Go {
    pub(crate) depth_max: Option<u32>,
    pub(crate) nodes_max: Option<u64>,
    pub(crate) move_time: Option<Duration>,
    pub(crate) clocks: ByColor<Clock>,
    pub(crate) moves_to_go: Option<u32>,
    /// Asked for in so many words: the answer is held back until `stop`.
    pub(crate) infinite: bool,
}

/// What a player's clock shows, and what each move adds.
#[derive(Clone, Copy, Default)]
pub(crate) struct Clock {
    pub(crate) left: Option<Duration>,
    pub(crate) increment: Duration,
}

impl Go {
    /// Whether it ends by itself when this player is to move.
    pub(crate) fn is_bounded(&self, mover: Color) -> bool {
        !self.infinite
            && (self.depth_max.is_some()
                || self.nodes_max.is_some()
                || self.thinking_time(mover).is_some())
    }

    /// How long to think about a move of this player.
    pub(crate) fn thinking_time(&self, mover: Color) -> Option<Duration> {
        if self.infinite {
            return None;
        }
        let by_clock = self.clocks[mover].thinking_time(self.moves_to_go);
        self.move_time.into_iter().chain(by_clock).min()
    }
}

impl Clock {
    /// The moves that are still to come where nobody says how many.
    const MOVES_TO_GO: u32 = 25;

    /// The time that is lost on the way.
    const DELAY: Duration = Duration::from_millis(20);

    fn thinking_time(self, moves_to_go: Option<u32>) -> Option<Duration> {
        let left = self.left?;
        let share = left / moves_to_go.unwrap_or(Clock::MOVES_TO_GO).clamp(1, Clock::MOVES_TO_GO);
        let wanted = share + self.increment * 3 / 4;
        Some(wanted.min((left * 9 / 10).saturating_sub(Clock::DELAY)))
    }
}

/// Why a line is not obeyed: what is wrong in it, in words.
#[derive(Debug)]
pub(crate) struct Refusal(String);

impl Refusal {
    pub(crate) fn new(why: impl Into<String>) -> Refusal {
        Refusal(why.into())
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text from outside between back quotes, on one line and not too long.
pub(crate) fn quoted(text: &str) -> String {
    const CHARS_MAX: usize = 100;
    let shown: String = text.chars().take(CHARS_MAX).flat_map(char::escape_debug).collect();
    let more = if text.chars().nth(CHARS_MAX).is_some() { "…" } else { "" };
    format!("`{shown}{more}`")
}

impl Command {
    /// Whether it is obeyed only when nothing runs.
    pub(crate) fn may_wait(&self) -> bool {
        !matches!(self, Command::IsReady | Command::Stop | Command::Quit)
    }

    /// Reads a line; none if it is blank.
    pub(crate) fn read(line: &str) -> Result<Option<Command>, Refusal> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Ok(None) };
        let command = match first {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "setoption" => return read_setting(words).map(Command::SetOption).map(Some),
            "position" => return Ok(Some(Command::Position(read_position(words)))),
            "go" => return read_go(words).map(Some),
            "d" => Command::Draw,
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            _ => return Err(Refusal(format!("unknown command {}", quoted(first)))),
        };
        match words.next() {
            Some(word) => Err(Refusal(format!("{first}: {} is too much", quoted(word)))),
            None => Ok(Some(command)),
        }
    }
}

fn read_setting(mut words: SplitWhitespace<'_>) -> Result<Setting, Refusal> {
    let (Some("name"), Some(name), Some("value"), Some(value), None) =
        (words.next(), words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Refusal::new("setoption: expected `name NAME value VALUE`"));
    };
    let wrong = |expected: &str| {
        Refusal(format!("setoption {name}: expected {expected}, found {}", quoted(value)))
    };
    let number = |max: usize| {
        let number = value.parse().ok().filter(|number| (1..=max).contains(number));
        number.ok_or_else(|| wrong(&format!("a number from 1 to {max}")))
    };
    match name.to_ascii_lowercase().as_str() {
        "uci_chess960" => match value {
            "true" => Ok(Setting::Chess960(true)),
            "false" => Ok(Setting::Chess960(false)),
            _ => Err(wrong("`true` or `false`")),
        },
        "hash" => number(Setting::HASH_MIB_MAX).map(Setting::HashMib),
        "multipv" => number(Setting::HINTS_MAX).map(Setting::Hints),
        _ => Err(Refusal(format!("setoption: there is no option {}", quoted(name)))),
    }
}

impl Setting {
    pub(crate) const HASH_MIB_MAX: usize = 1024;
    pub(crate) const HINTS_MAX: usize = 256;
}

fn read_position(words: SplitWhitespace<'_>) -> Result<Line, Refusal> {
    let words: Vec<&str> = words.collect();
    let (start, moves) = match words.iter().position(|&word| word == "moves") {
        Some(place) => (&words[..place], &words[place + 1..]),
        None => (&words[..], [].as_slice()),
    };
    let start = match start {
        ["startpos"] => Position::default(),
        ["startpos", word, ..] => {
            return Err(Refusal(format!("position: expected `moves`, found {}", quoted(word))));
        }
        ["fen", fields @ ..] => {
            let fen = fields.join(" ");
            fen.parse()
                .map_err(|error| Refusal(format!("position: fen {}: {error}", quoted(&fen))))?
        }
        _ => return Err(Refusal::new("position: expected `startpos` or `fen FEN`")),
    };
    let moves = moves.iter().map(|&word| word.to_string()).collect();
    Ok(Line { start, moves })
}

fn read_go(mut words: SplitWhitespace<'_>) -> Result<Command, Refusal> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "perft" => {
                let depth = read_number(word, &mut words)?;
                if depth > PERFT_DEPTH_MAX {
                    return Err(Refusal(format!("go perft: at most {PERFT_DEPTH_MAX} plies")));
                }
                return match words.next() {
                    Some(word) => Err(Refusal(format!("go perft: {} is too much", quoted(word)))),
                    None => Ok(Command::Count { depth }),
                };
            }
            "depth" => go.depth_max = Some(read_number(word, &mut words)?),
            "nodes" => go.nodes_max = Some(read_number(word, &mut words)?),
            "movetime" => go.move_time = Some(read_time(word, &mut words)?),
            "wtime" => go.clocks.white.left = Some(read_time(word, &mut words)?),
            "btime" => go.clocks.black.left = Some(read_time(word, &mut words)?),
            "winc" => go.clocks.white.increment = read_time(word, &mut words)?,
            "binc" => go.clocks.black.increment = read_time(word, &mut words)?,
            "movestogo" => go.moves_to_go = Some(read_number(word, &mut words)?),
            "infinite" => go.infinite = true,
            _ => return Err(Refusal(format!("go: unknown word {}", quoted(word)))),
        }
    }
    Ok(Command::Search(go))
}

fn read_number<N: FromStr>(name: &str, words: &mut SplitWhitespace<'_>) -> Result<N, Refusal> {
    let Some(word) = words.next() else {
        return Err(Refusal(format!("go {name}: expected a number, found the end")));
    };
    word.parse()
        .map_err(|_| Refusal(format!("go {name}: expected a number, found {}", quoted(word))))
}

/// Milliseconds. Some programs send a negative time when a flag is about to fall; it is taken for none.
fn read_time(name: &str, words: &mut SplitWhitespace<'_>) -> Result<Duration, Refusal> {
    let milliseconds: i32 = read_number(name, words)?;
    Ok(Duration::from_millis(milliseconds.max(0).unsigned_abs().into()))
}
