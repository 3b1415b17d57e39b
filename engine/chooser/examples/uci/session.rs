//! The engine's side of the conversation: what it holds, what runs, and what waits.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use touchmove::{Key, Move, Position, UciMode, UciMove};
use touchmove_chooser::{Hint, Limits, Progress, Searcher};

use crate::command::{Command, Go, Line, Refusal, Setting, quoted};
use crate::{count, say, say_error};

/// What the session answers to.
pub(crate) enum Event {
    Line(String),
    EndOfInput,
    /// A search is done, and gives the searcher back. No move: mate or stalemate.
    Searched {
        searcher: Searcher,
        best: Option<Move>,
    },
    Counted,
}

/// A position with its past.
#[derive(Clone, Default)]
struct Game {
    position: Position,
    past: Vec<Key>,
}

/// What runs in its own thread.
struct Running {
    stop: Arc<AtomicBool>,
    /// When it is to be stopped.
    until: Option<Instant>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Count,
    BoundedSearch,
    EndlessSearch,
}

pub(crate) struct Session {
    events: Sender<Event>,
    /// None after a `position` that was refused.
    game: Option<Game>,
    mode: UciMode,
    hints_max: usize,
    /// None while it searches.
    searcher: Option<Searcher>,
    running: Option<Running>,
    /// The answer of an endless search that has come to its end all the same.
    held_back: Option<Option<Move>>,
    /// What came while something runs.
    waiting: VecDeque<Command>,
    /// After `quit` or the end of input: when to leave at the latest.
    leaves_at: Option<Instant>,
}

impl Session {
    const HASH_MIB: usize = 16;

    /// How long what was asked before the end may still take.
    const GRACE: Duration = Duration::from_secs(10);

    pub(crate) fn new(events: Sender<Event>) -> Session {
        Session {
            events,
            game: Some(Game::default()),
            mode: UciMode::Standard,
            hints_max: 1,
            searcher: Some(Searcher::new(Session::HASH_MIB)),
            running: None,
            held_back: None,
            waiting: VecDeque::new(),
            leaves_at: None,
        }
    }

    /// Answers events until the end.
    pub(crate) fn run(mut self, events: &Receiver<Event>) {
        while !self.is_over() {
            let event = events.recv_timeout(self.time_to_next_deadline());
            if self.running.as_ref().is_some_and(Running::is_late) {
                self.stop();
            }
            match event {
                Ok(Event::Line(line)) => self.hear(&line),
                Ok(Event::EndOfInput) => self.end(),
                Ok(Event::Searched { searcher, best }) => self.searched(searcher, best),
                Ok(Event::Counted) => self.go_on(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn is_over(&self) -> bool {
        let idle = self.running.is_none() && self.waiting.is_empty();
        self.leaves_at.is_some_and(|time| idle || Instant::now() >= time)
    }

    fn time_to_next_deadline(&self) -> Duration {
        const LONG: Duration = Duration::from_secs(3600);
        let until = self.running.as_ref().and_then(|running| running.until);
        let next = until.into_iter().chain(self.leaves_at).min();
        next.map_or(LONG, |time| time.saturating_duration_since(Instant::now()))
    }

    /// Obeys a line, or lets it wait until what runs is done.
    fn hear(&mut self, line: &str) {
        if self.leaves_at.is_some() {
            return;
        }
        let result = match Command::read(line) {
            Ok(None) => Ok(()),
            Ok(Some(command)) if command.may_wait() && self.running.is_some() => {
                self.waiting.push_back(command);
                Ok(())
            }
            Ok(Some(command)) => self.obey(command),
            Err(refusal) => Err(refusal),
        };
        if let Err(refusal) = result {
            say_error(refusal);
        }
    }

    fn obey(&mut self, command: Command) -> Result<(), Refusal> {
        match command {
            Command::Uci => say(format_args!(
                "id name Touchmove {}\n\
                 id author the authors of Touchmove\n\
                 option name Hash type spin default {} min 1 max {}\n\
                 option name MultiPV type spin default 1 min 1 max {}\n\
                 option name UCI_Chess960 type check default false\n\
                 uciok",
                env!("CARGO_PKG_VERSION"),
                Session::HASH_MIB,
                Setting::HASH_MIB_MAX,
                Setting::HINTS_MAX,
            )),
            Command::NewGame => self.searcher.iter_mut().for_each(Searcher::forget),
            Command::SetOption(Setting::Chess960(true)) => self.mode = UciMode::Chess960,
            Command::SetOption(Setting::Chess960(false)) => self.mode = UciMode::Standard,
            Command::SetOption(Setting::Hints(hints_max)) => self.hints_max = hints_max,
            Command::SetOption(Setting::HashMib(mib)) => {
                self.searcher = None; // Its memory first.
                self.searcher = Some(Searcher::new(mib));
            }
            Command::Position(line) => {
                self.game = None;
                self.game = Some(line.and_then(|line| Game::read(&line, self.mode))?);
            }
            Command::Draw => {
                let position = self.game("d")?.position;
                let key = position.key();
                say(format_args!("{:?}\n\nFen: {position}\nKey: {key}", position.board()));
            }
            Command::Count { depth } => {
                let position = self.game("go perft")?.position;
                self.start_counting(position, depth);
            }
            Command::Search(go) => match self.game("go").cloned() {
                Ok(game) => self.start_searching(game, &go),
                Err(refusal) => {
                    say(NO_MOVE); // Somebody may be waiting for an answer.
                    return Err(refusal);
                }
            },
            Command::IsReady => say("readyok"),
            Command::Stop => self.stop(),
            Command::Quit => self.end(),
        }
        Ok(())
    }

    fn game(&self, command: &str) -> Result<&Game, Refusal> {
        let why = || Refusal::new(format!("{command}: the last position was refused"));
        self.game.as_ref().ok_or_else(why)
    }

    fn start_counting(&mut self, position: Position, depth: u32) {
        let stop = Arc::new(AtomicBool::new(false));
        let (events, mode, flag) = (self.events.clone(), self.mode, Arc::clone(&stop));
        thread::spawn(move || {
            match count::divide(&position, depth, &flag) {
                Some(divided) => say(written_counts(&divided, depth, mode)),
                None => say_error(format_args!("go perft {depth}: stopped before the end")),
            }
            let _session_has_ended = events.send(Event::Counted);
        });
        self.running = Some(Running { stop, until: None, kind: Kind::Count });
    }

    fn start_searching(&mut self, game: Game, go: &Go) {
        let Some(mut searcher) = self.searcher.take() else { return };
        let start = Instant::now();
        let stop = Arc::new(AtomicBool::new(false));
        let (events, mode, flag) = (self.events.clone(), self.mode, Arc::clone(&stop));
        let (depth_max, nodes_max) = (go.depth_max, go.nodes_max);
        let hints_max = self.hints_max;
        let mover = game.position.turn();
        let time = go.thinking_time(mover);
        thread::spawn(move || {
            let limits = Limits { depth_max, nodes_max, stop: Some(&flag) };
            let tell = |progress: &Progress<'_>| say(written_progress(progress, start, mode));
            let hints = searcher.hints(&game.position, &game.past, &limits, hints_max, tell);
            if hints.is_empty() {
                let score = if game.position.is_check() { "mate 0" } else { "cp 0" };
                say(format_args!("info depth 0 score {score}"));
            }
            let best = hints.first().map(Hint::mv);
            let _session_has_ended = events.send(Event::Searched { searcher, best });
        });
        let kind = if go.is_bounded(mover) { Kind::BoundedSearch } else { Kind::EndlessSearch };
        self.running = Some(Running { stop, until: time.map(|time| start + time), kind });
    }

    /// The answer of an endless search is held back until it is stopped.
    fn searched(&mut self, searcher: Searcher, best: Option<Move>) {
        self.searcher = Some(searcher);
        match &self.running {
            Some(Running { kind: Kind::EndlessSearch, stop, .. })
                if !stop.load(Ordering::Relaxed) =>
            {
                self.held_back = Some(best);
            }
            _ => self.answer(best),
        }
    }

    fn answer(&mut self, best: Option<Move>) {
        match best {
            Some(mv) => say(format_args!("bestmove {}", written(mv, self.mode))),
            None => say(NO_MOVE),
        }
        self.go_on();
    }

    /// What ran is done: what waited comes to its turn.
    fn go_on(&mut self) {
        self.running = None;
        while self.running.is_none()
            && let Some(command) = self.waiting.pop_front()
        {
            if let Err(refusal) = self.obey(command) {
                say_error(refusal);
            }
        }
        self.hurry();
    }

    fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.stop.store(true, Ordering::Relaxed);
            running.until = None;
        }
        if let Some(best) = self.held_back.take() {
            self.answer(best);
        }
    }

    /// After `quit` or the end of input: a search is stopped. A count has some seconds, and so has what others are
    /// waiting behind, since scripts end as soon as they have asked.
    fn end(&mut self) {
        self.leaves_at = Some(Instant::now() + Session::GRACE);
        self.hurry();
    }

    fn hurry(&mut self) {
        let Some(Running { kind, .. }) = self.running else { return };
        let is_waited_for =
            kind == Kind::Count || kind == Kind::BoundedSearch && !self.waiting.is_empty();
        if self.leaves_at.is_some() && !is_waited_for {
            self.stop();
        }
    }
}

impl Running {
    fn is_late(&self) -> bool {
        self.until.is_some_and(|time| Instant::now() >= time)
    }
}

impl Game {
    /// Plays the moves of a `position` command.
    fn read(line: &Line, mode: UciMode) -> Result<Game, Refusal> {
        let mut game = Game { position: line.start, past: Vec::new() };
        if mode == UciMode::Standard && UciMode::of(&game.position) == UciMode::Chess960 {
            return Err(Refusal::new(
                "position: castling rights of Chess960, and UCI_Chess960 is false",
            ));
        }
        for (index, text) in line.moves.iter().enumerate() {
            let mv = read_move(text, &game.position, mode).map_err(|why| {
                Refusal::new(format!("position: move {} {}: {why}", index + 1, quoted(text)))
            })?;
            game.past.push(game.position.key());
            let _kept = game.position.make(mv);
        }
        Ok(game)
    }
}

fn read_move(text: &str, position: &Position, mode: UciMode) -> Result<Move, String> {
    let read: UciMove = text.parse().map_err(|error| format!("{error}"))?;
    read.resolve(position, mode).map_err(|error| error.to_string())
}

const NO_MOVE: &str = "bestmove (none)";

/// A move in the mode; a castling that standard chess does not know as Chess960 writes it.
fn written(mv: Move, mode: UciMode) -> String {
    let in_mode = UciMove::of(mv, mode).or_else(|_| UciMove::of(mv, UciMode::Chess960));
    in_mode.map_or_else(|error| error.to_string(), |text| text.to_string())
}

/// As Stockfish prints them, sorted.
fn written_counts(divided: &[(Move, u64)], depth: u32, mode: UciMode) -> String {
    let mut lines: Vec<String> =
        divided.iter().map(|&(mv, paths)| format!("{}: {paths}\n", written(mv, mode))).collect();
    lines.sort_unstable();
    let total: u64 = if depth == 0 { 1 } else { divided.iter().map(|&(_, paths)| paths).sum() };
    format!("{}\nNodes searched: {total}\n", lines.concat())
}

fn written_progress(progress: &Progress<'_>, start: Instant, mode: UciMode) -> String {
    let &Progress { depth, nodes, hints } = progress;
    let time = start.elapsed();
    let nps = (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    let milliseconds = time.as_millis();
    let line = |(index, hint): (usize, &Hint)| {
        let place = match hints.len() {
            1 => String::new(),
            _ => format!(" multipv {}", index + 1),
        };
        let pv: String = hint.line().iter().map(|&mv| format!(" {}", written(mv, mode))).collect();
        format!(
            "info depth {depth}{place} score {} nodes {nodes} nps {nps} time {milliseconds} pv{pv}",
            hint.score()
        )
    };
    hints.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}
