//! Any engine that speaks UCI, as a child process asked by `go perft`.
//!
//! What is read of an answer: lines `MOVE: N`, then one line `Nodes searched: N` or `nodes N` that
//! ends it (upper and lower case alike, blanks and colon as one likes). All other lines are passed
//! over, but for `bestmove`, which only an engine sends that took the question for a search.
//!
//! Moves are made out by which piece stands where and nothing else, so that an illegal move of a
//! faulty engine arrives as the move it is. The engine's word alone decides what is legal here.
//!
//! No wait is without a deadline, and no flood of output is kept: an engine may hang, die, or
//! never stop talking.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use touchmove::{
    File, Move, MoveKind, MoveList, Piece, Position, PromotionRole, Rank, Role, Square, UciMode,
};

use super::{Referee, Silence, Status};

/// How often an engine is started again after it has failed.
const RESTARTS_MAX: u32 = 3;
/// The longest line that is kept, in bytes; what goes beyond is cut off.
const LINE_MAX: u64 = 4096;
/// How many lines may wait between a pipe and us; then the engine has to wait.
const QUEUE_MAX: usize = 1024;
/// How many of the last lines are told of an engine that failed.
const LAST_WORDS_MAX: usize = 5;
/// How often a silent engine is looked at, whether it still lives.
const GLANCE: Duration = Duration::from_millis(50);
/// How long the end of a process that was killed is waited for.
const BURIAL: Duration = Duration::from_secs(1);

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

    /// The same command with this much time for each answer.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> UciCommand {
        UciCommand { timeout, ..self }
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

/// An engine that speaks UCI; the program is started by the first [`Referee::set`].
///
/// Once it has failed, its process group is ended and every question answered with the same failure
/// until the next `set`, which starts it again, three times at most. A child that left the group
/// is not ended, and not waited for. It holds valid positions only, and those of Chess960
/// only with an option `UCI_Chess960`; it never says how a game stands.
#[derive(Debug)]
pub struct Uci {
    name: String,
    command: UciCommand,
    starts: u32,
    engine: Option<Engine>,
    last_failure: String,
    state: State,
    stop: Arc<AtomicBool>,
}

#[derive(Debug)]
enum State {
    Silent(Silence),
    Holding { fen: String, mode: UciMode, now: Standing, past: Vec<(String, Standing)> },
}

/// A position as far as the engine's moves have to be understood in it.
#[derive(Clone, Debug)]
struct Standing {
    placement: Placement,
    /// The legal moves with the engine's own text, once it has been asked.
    listed: Option<Vec<(Move, String)>>,
}

/// One answer: each move as text and as a move, with its count.
type Counts = Vec<(Move, String, u64)>;

impl Uci {
    /// A referee that will start this program.
    pub fn new(command: UciCommand) -> Uci {
        let nothing_set = "no position was set".to_string();
        Uci {
            name: format!("uci:{command}"),
            command,
            starts: 0,
            engine: None,
            last_failure: nothing_set.clone(),
            state: State::Silent(Silence::Failed(nothing_set)),
            stop: Arc::default(),
        }
    }

    /// The same referee, which gives up waiting and ends its program as soon as this is true.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> Uci {
        Uci { stop, ..self }
    }

    /// The engine, started if need be.
    fn engine(&mut self) -> Result<&mut Engine, String> {
        match &mut self.engine {
            Some(engine) => Ok(engine),
            slot => {
                self.starts += 1;
                Ok(slot.insert(Engine::start(&self.command, &self.stop)?))
            }
        }
    }

    fn has_given_up(&self) -> bool {
        self.engine.is_none() && self.starts > RESTARTS_MAX
    }

    fn set_up(&mut self, fen: &str, mode: UciMode) -> Result<Standing, Silence> {
        let position: Position = fen.parse().map_err(|error: touchmove::FenError| {
            Silence::Abstains(format!("is only asked about valid positions: {error}"))
        })?;
        if mode == UciMode::Standard && UciMode::of(&position) == UciMode::Chess960 {
            let why = "is not asked in standard mode about castling rights of Chess960";
            return Err(Silence::Abstains(why.to_string()));
        }
        let timeout = self.command.timeout;
        let engine = self.engine().map_err(Silence::Failed)?;
        if mode == UciMode::Chess960 && !engine.plays_chess960 {
            return Err(Silence::Abstains("has no option UCI_Chess960".to_string()));
        }
        engine.prepare(mode, timeout).map_err(Silence::Failed)?;
        Ok(Standing { placement: Placement::of(&position), listed: None })
    }

    /// Asks `go perft`; a failure is kept, and ends the engine.
    fn ask(&mut self, depth: u32) -> Result<Counts, Silence> {
        let (fen, mode, now, past) = match &self.state {
            State::Silent(silence) => return Err(silence.clone()),
            State::Holding { fen, mode, now, past } => (fen, *mode, now, past),
        };
        let mut position = format!("position fen {fen}");
        for (index, (text, _)) in past.iter().enumerate() {
            position.push_str(if index == 0 { " moves " } else { " " });
            position.push_str(text);
        }
        let Some(engine) = &mut self.engine else { unreachable!("held without an engine") };
        let answer = engine.perft(&position, depth, self.command.timeout, &now.placement, mode);
        answer.map_err(|words| self.fail(words))
    }

    fn fail(&mut self, words: String) -> Silence {
        self.engine = None;
        self.last_failure.clone_from(&words);
        let silence = Silence::Failed(words);
        self.state = State::Silent(silence.clone());
        silence
    }

    /// The legal moves with the engine's text, asked for once in each position.
    fn listed(&mut self) -> Result<&[(Move, String)], Silence> {
        if let State::Holding { now: Standing { listed: None, .. }, .. } = self.state {
            let moves = self.ask(1)?.into_iter().map(|(mv, text, _)| (mv, text)).collect();
            if let State::Holding { now, .. } = &mut self.state {
                now.listed = Some(moves);
            }
        }
        match &self.state {
            State::Holding { now, .. } => Ok(now.listed.as_deref().unwrap_or_default()),
            State::Silent(silence) => Err(silence.clone()),
        }
    }
}

impl Referee for Uci {
    fn name(&self) -> &str {
        &self.name
    }

    fn set(&mut self, fen: &str, mode: UciMode) -> Result<(), Silence> {
        if self.has_given_up() {
            let (failures, last) = (self.starts, &self.last_failure);
            let words = format!("given up after {failures} failures, the last: {last}");
            self.state = State::Silent(Silence::Failed(words.clone()));
            return Err(Silence::Failed(words));
        }
        match self.set_up(fen, mode) {
            Ok(now) => {
                let fen = fen.trim().to_string();
                self.state = State::Holding { fen, mode, now, past: Vec::new() };
                Ok(())
            }
            Err(Silence::Failed(words)) => Err(self.fail(words)),
            Err(silence) => {
                self.state = State::Silent(silence.clone());
                Err(silence)
            }
        }
    }

    fn play(&mut self, mv: Move) -> Result<(), Silence> {
        let text =
            self.listed()?.iter().find(|(listed, _)| *listed == mv).map(|(_, text)| text.clone());
        let text = text.ok_or_else(|| Silence::Failed(format!("does not list {mv:?}")))?;
        if let State::Holding { now, past, .. } = &mut self.state {
            let next = Standing { placement: now.placement.after(mv), listed: None };
            past.push((text, std::mem::replace(now, next)));
        }
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Silence> {
        match &mut self.state {
            State::Silent(silence) => Err(silence.clone()),
            State::Holding { now, past, .. } => {
                let (_, before) = past.pop().expect("no move is left to take back");
                *now = before;
                Ok(())
            }
        }
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, Silence> {
        Ok(self.listed()?.iter().map(|(mv, _)| *mv).collect())
    }

    fn status(&mut self) -> Result<Status, Silence> {
        Err(self.does_not_say("how the game stands"))
    }

    fn fen(&mut self) -> Result<String, Silence> {
        Err(self.does_not_say("its FEN"))
    }

    fn divide(&mut self, depth: u32) -> Result<Vec<(Move, u64)>, Silence> {
        Ok(self.ask(depth)?.into_iter().map(|(mv, _, nodes)| (mv, nodes)).collect())
    }
}

impl Uci {
    fn does_not_say(&self, what: &str) -> Silence {
        match &self.state {
            State::Silent(silence) => silence.clone(),
            State::Holding { .. } => Silence::Abstains(format!("UCI has no question for {what}")),
        }
    }
}

/// Which piece stands where. No turn, no rights and no rules, so that it follows any move whatever.
#[derive(Clone, Debug)]
struct Placement([Option<Piece>; 64]);

impl Placement {
    fn of(position: &Position) -> Placement {
        let mut squares = [None; 64];
        for square in Square::all() {
            squares[square.index()] = position.board().piece_at(square);
        }
        Placement(squares)
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.0[square.index()]
    }

    fn after(&self, mv: Move) -> Placement {
        let mut next = self.clone();
        let (from, to) = (mv.from(), mv.to());
        let piece = next.0[from.index()].take();
        match mv.kind() {
            MoveKind::Normal => next.0[to.index()] = piece,
            MoveKind::Promotion(role) => {
                next.0[to.index()] = piece.map(|pawn| Piece { role: role.role(), ..pawn });
            }
            MoveKind::EnPassant => {
                next.0[to.index()] = piece;
                next.0[Square::new(to.file(), from.rank()).index()] = None;
            }
            MoveKind::Castling => {
                let rook = next.0[to.index()].take();
                let (king_file, rook_file) =
                    if to.file() > from.file() { (File::G, File::F) } else { (File::C, File::D) };
                next.0[Square::new(king_file, from.rank()).index()] = piece;
                next.0[Square::new(rook_file, from.rank()).index()] = rook;
            }
        }
        next
    }

    /// The move a UCI text means here, legal or not; none where no move can mean it: no piece to
    /// move, a promotion by something else than a pawn, a king that leaps but does not castle.
    fn read_move(&self, text: &str, mode: UciMode) -> Option<Move> {
        let from: Square = text.get(0..2)?.parse().ok()?;
        let to: Square = text.get(2..4)?.parse().ok()?;
        let piece = self.at(from).filter(|_| from != to)?;
        if let Some(letter) = text.get(4..).filter(|letter| !letter.is_empty()) {
            let mut letters = letter.chars();
            let role = PromotionRole::from_char(letters.next()?)?;
            let promotes =
                piece.role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
            let whole = letters.next().is_none();
            return (promotes && whole).then(|| Move::promotion(from, to, role));
        }
        match piece.role {
            Role::King => self.read_king_move(from, to, mode),
            Role::Pawn if from.file() != to.file() && self.at(to).is_none() => {
                Some(Move::en_passant(from, to))
            }
            _ => Some(Move::normal(from, to)),
        }
    }

    /// Castling is written king-takes-rook, in standard chess also as two steps of the king (R9).
    fn read_king_move(&self, from: Square, to: Square, mode: UciMode) -> Option<Move> {
        let king = self.at(from)?;
        if self.at(to) == Some(Piece { role: Role::Rook, ..king }) {
            return Move::castling(from, to);
        }
        let steps = (from.file().index().abs_diff(to.file().index()))
            .max(from.rank().index().abs_diff(to.rank().index()));
        if steps < 2 {
            return Some(Move::normal(from, to));
        }
        let corner = match (from.file(), to.file()) {
            (File::E, File::G) => File::H,
            (File::E, File::C) => File::A,
            _ => return None,
        };
        let castles = mode == UciMode::Standard && from.rank() == to.rank();
        castles.then(|| Move::castling(from, Square::new(corner, from.rank())))?
    }
}

/// A running engine. Dropped, it is ended with its whole process group.
#[derive(Debug)]
struct Engine {
    child: Child,
    /// Lines for its standard input; a thread writes them, for a pipe that is full would block us.
    questions: SyncSender<String>,
    /// Lines of its standard output.
    lines: Receiver<String>,
    /// The last lines it said, and its last complaints.
    said: VecDeque<String>,
    complaints: Arc<Mutex<VecDeque<String>>>,
    complaining: JoinHandle<()>,
    plays_chess960: bool,
    /// Its process is gone, and the number of its group no longer ours.
    buried: bool,
    /// Nobody wants an answer any more.
    stop: Arc<AtomicBool>,
}

impl Engine {
    /// Starts the program and shakes hands: `uci`, `uciok`.
    fn start(command: &UciCommand, stop: &Arc<AtomicBool>) -> Result<Engine, String> {
        let mut engine = Engine::spawn(command, stop)
            .map_err(|error| format!("cannot start `{}`: {}", command.program, plain(&error)))?;
        let deadline = Deadline::after(command.handshake);
        engine.send("uci", &deadline)?;
        while let line = engine.line("uci", &deadline)?
            && line.trim() != "uciok"
        {
            engine.plays_chess960 |= names_chess960(&line);
        }
        Ok(engine)
    }

    fn spawn(command: &UciCommand, stop: &Arc<AtomicBool>) -> io::Result<Engine> {
        let mut builder = Command::new(&command.program);
        builder.args(&command.args);
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: so its children can be ended with it, and Ctrl-C reaches only us.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        let mut child = builder.spawn()?;
        let (Some(input), Some(output), Some(complaint)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three are piped");
        };
        let complaints = Arc::default();
        Ok(Engine {
            child,
            questions: write_lines(input),
            lines: read_lines(output),
            said: VecDeque::new(),
            complaining: keep_last_lines(complaint, Arc::clone(&complaints)),
            complaints,
            plays_chess960: false,
            buried: false,
            stop: Arc::clone(stop),
        })
    }

    /// Chooses how castling is written and waits until the engine is ready.
    fn prepare(&mut self, mode: UciMode, timeout: Duration) -> Result<(), String> {
        let deadline = Deadline::after(timeout);
        if self.plays_chess960 {
            let value = mode == UciMode::Chess960;
            self.send(&format!("setoption name UCI_Chess960 value {value}"), &deadline)?;
        }
        self.send("ucinewgame", &deadline)?;
        self.synchronise(&deadline)
    }

    /// Passes over what is left of earlier answers.
    fn synchronise(&mut self, deadline: &Deadline) -> Result<(), String> {
        self.send("isready", deadline)?;
        while self.line("isready", deadline)?.trim() != "readyok" {}
        Ok(())
    }

    fn perft(
        &mut self,
        position: &str,
        depth: u32,
        timeout: Duration,
        placement: &Placement,
        mode: UciMode,
    ) -> Result<Counts, String> {
        let deadline = Deadline::after(timeout);
        let question = format!("go perft {depth}");
        self.said.clear(); // last words are of this answer
        self.send(position, &deadline)?;
        self.send(&question, &deadline)?;
        let mut counts = Counts::new();
        let total = loop {
            let line = self.line(&question, &deadline)?;
            match Answer::read(&line) {
                Answer::Total(total) => break total,
                Answer::Count(text, nodes) => {
                    let mv = placement.read_move(text, mode);
                    let mv = mv.ok_or_else(|| {
                        self.failure(&format!("`{text}` is no move here in {mode} mode"))
                    })?;
                    self.expect_new(mv, text, &counts)?;
                    counts.push((mv, text.to_string(), nodes));
                }
                Answer::Search => {
                    return Err(self.failure(&format!("took `{question}` for a search")));
                }
                Answer::Other => {}
            }
        };
        self.expect_sum(&counts, total)?;
        self.synchronise(&deadline)?;
        Ok(counts)
    }

    fn expect_new(&mut self, mv: Move, text: &str, counts: &Counts) -> Result<(), String> {
        if counts.iter().any(|(other, ..)| *other == mv) {
            return Err(self.failure(&format!("lists {text} twice")));
        }
        // Each move is there once, but a flood could bring all 16-bit moves there are.
        if counts.len() >= MoveList::CAPACITY {
            return Err(self.failure("lists more moves than any position has"));
        }
        Ok(())
    }

    fn expect_sum(&mut self, counts: &Counts, total: u64) -> Result<(), String> {
        let sum: u128 = counts.iter().map(|(.., nodes)| u128::from(*nodes)).sum();
        if sum == u128::from(total) {
            return Ok(());
        }
        Err(self.failure(&format!("its counts add up to {sum}, its total is {total}")))
    }

    /// Writes a line.
    fn send(&mut self, line: &str, deadline: &Deadline) -> Result<(), String> {
        match self.questions.try_send(format!("{line}\n")) {
            Ok(()) => Ok(()),
            Err(mpsc::TrySendError::Full(_)) => Err(self.failure("does not read its questions")),
            // It closed its input. If it ended, its output says so, and how.
            Err(mpsc::TrySendError::Disconnected(_)) => loop {
                self.line(line, deadline)?;
            },
        }
    }

    /// The next line of the answer to a question.
    fn line(&mut self, question: &str, deadline: &Deadline) -> Result<String, String> {
        let mut ended = false;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(self.failure(&format!("interrupted, `{question}` unanswered")));
            }
            // Asked in every round: an engine that never stops talking runs out of time as well.
            let Some(left) = deadline.left() else {
                let limit = deadline.limit;
                return Err(self.failure(&format!("no answer to `{question}` within {limit:?}")));
            };
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => {
                    push_last(&mut self.said, line.clone());
                    return Ok(line);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.await_end();
                    return Err(self.failure(&format!("no more output, `{question}` unanswered")));
                }
                // A child of its own may hold the pipe open: then there is no end to read. What is
                // still in the pipe gets one more glance of time.
                Err(RecvTimeoutError::Timeout) if ended => {
                    return Err(self.failure(&format!("ended, `{question}` unanswered")));
                }
                Err(RecvTimeoutError::Timeout) => ended = self.has_ended(),
            }
        }
    }

    /// Ends the engine and tells its last words after what is wrong.
    fn failure(&mut self, what: &str) -> String {
        let status = self.end();
        let until = Instant::now() + GLANCE;
        while !self.complaining.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let mut words = what.to_string();
        if let Some(status) = status {
            words.push_str(&format!("; {status}"));
        }
        words.push_str(&quote_lines("last output", &self.said));
        words.push_str(&quote_lines("last errors", &complaints));
        words
    }

    /// Whether the program itself has ended, its own children aside. It is not buried yet, so that
    /// the number of its group cannot become somebody else's.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    #[cfg(unix)]
    fn kill(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        // It fails only where nobody is left to end.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
    }

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _ = self.child.kill();
    }

    /// Gives a program that closed its output the time to end by itself.
    fn await_end(&mut self) {
        let until = Instant::now() + GLANCE;
        while !self.has_ended() && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends the process group. The status is that of a program that had ended by itself.
    fn end(&mut self) -> Option<ExitStatus> {
        if self.buried {
            return None;
        }
        let by_itself = self.has_ended();
        self.kill();
        self.buried = true;
        let until = Instant::now() + BURIAL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return by_itself.then_some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.end();
    }
}

/// The end of the time an answer has.
struct Deadline {
    limit: Duration,
    /// None where the limit is beyond what the clock can say.
    at: Option<Instant>,
}

impl Deadline {
    fn after(limit: Duration) -> Deadline {
        Deadline { limit, at: Instant::now().checked_add(limit) }
    }

    /// The time that is left, if any is.
    fn left(&self) -> Option<Duration> {
        let Some(at) = self.at else { return Some(Duration::MAX) };
        at.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }
}

/// What a line of an answer to `go perft` says.
#[derive(PartialEq, Eq, Debug)]
enum Answer<'a> {
    Count(&'a str, u64),
    Total(u64),
    Search,
    Other,
}

impl Answer<'_> {
    fn read(line: &str) -> Answer<'_> {
        let line = line.trim();
        if line.split_whitespace().next() == Some("bestmove") {
            return Answer::Search;
        }
        if let Some(total) = read_total(line) {
            return Answer::Total(total);
        }
        match line.split_once(':').map(|(text, nodes)| (text.trim_end(), nodes.trim().parse())) {
            Some((text, Ok(nodes))) if is_move_text(text) => Answer::Count(text, nodes),
            _ => Answer::Other,
        }
    }
}

/// Reads `Nodes searched: 20`, `Nodes searched  : 20`, `nodes: 20`, `nodes 20`.
fn read_total(line: &str) -> Option<u64> {
    let rest = strip_word(line, "nodes")?;
    let rest = strip_word(rest.trim_start(), "searched").unwrap_or(rest).trim_start();
    rest.strip_prefix(':').unwrap_or(rest).trim_start().parse().ok()
}

/// What follows a word at the beginning, whatever its case.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(rest)
}

/// Two squares and perhaps a letter: other words before a colon are no moves.
fn is_move_text(text: &str) -> bool {
    let squares = |text: &str| text.parse::<Square>().is_ok();
    text.is_ascii()
        && matches!(text.len(), 4 | 5)
        && squares(&text[..2])
        && squares(&text[2..4])
        && text[4..].bytes().all(|letter| letter.is_ascii_alphabetic())
}

/// Whether a line of the handshake is `option name UCI_Chess960 …`.
fn names_chess960(line: &str) -> bool {
    let mut words = line.split_whitespace();
    (words.next(), words.next()) == (Some("option"), Some("name"))
        && words.next().is_some_and(|name| name.eq_ignore_ascii_case("UCI_Chess960"))
}

/// Writes what is sent into a pipe, until either end is closed.
fn write_lines(mut input: ChildStdin) -> SyncSender<String> {
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
fn read_lines(output: ChildStdout) -> Receiver<String> {
    let (sender, lines) = mpsc::sync_channel(QUEUE_MAX);
    thread::spawn(move || for_each_line(output, |line| sender.send(line).is_ok()));
    lines
}

/// Keeps the last lines that come out of a pipe.
fn keep_last_lines(pipe: ChildStderr, lines: Arc<Mutex<VecDeque<String>>>) -> JoinHandle<()> {
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

fn push_last(lines: &mut VecDeque<String>, line: String) {
    if lines.len() == LAST_WORDS_MAX {
        lines.pop_front();
    }
    lines.push_back(line);
}

/// Lines for a message, cut to what a reader bears, with nothing in them that a terminal would obey.
fn quote_lines(label: &str, lines: &VecDeque<String>) -> String {
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

/// The message of the system without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
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

    #[test]
    fn answers_are_read_in_the_documented_forms_only() {
        for line in ["Nodes searched: 20", "nodes searched  :20", " Nodes: 20\r", "nodes 20"] {
            assert_eq!(Answer::read(line), Answer::Total(20), "{line}");
        }
        assert_eq!(Answer::read("e2e4: 20"), Answer::Count("e2e4", 20));
        assert_eq!(Answer::read("e7e8q : 1"), Answer::Count("e7e8q", 1));
        assert_eq!(Answer::read("bestmove e2e4"), Answer::Search);
        let others = [
            "",
            "info string nodes=20",
            "nodes 20 nps 3",
            "nodes",
            "depth: 3",
            "e2e4",
            "e2e4: x",
            "e2é: 1",
            "É",
        ];
        for line in others {
            assert_eq!(Answer::read(line), Answer::Other, "{line}");
        }
        assert!(names_chess960("option name uci_chess960 type check default false"));
        assert!(!names_chess960("option name Chess960 type check"));
    }

    fn read(fen: &str, text: &str, mode: UciMode) -> Option<Move> {
        Placement::of(&fen.parse().unwrap()).read_move(text, mode)
    }

    /// R9: e1g1 in standard chess, e1h1 in Chess960 mode.
    #[test]
    fn castling_is_read_as_the_mode_writes_it() {
        use UciMode::{Chess960, Standard};
        const FEN: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let short = Move::castling(Square::E1, Square::H1);
        assert_eq!(read(FEN, "e1g1", Standard), short);
        assert_eq!(read(FEN, "e1h1", Standard), short);
        assert_eq!(read(FEN, "e1h1", Chess960), short);
        assert_eq!(read(FEN, "e1g1", Chess960), None);
        assert_eq!(read(FEN, "e8c8", Standard), Move::castling(Square::E8, Square::A8));
        assert_eq!(read(FEN, "e1f1", Standard), Some(Move::normal(Square::E1, Square::F1)));
        assert_eq!(read(FEN, "e1e3", Standard), None);
    }

    #[test]
    fn pawn_moves_are_read_by_what_stands_where() {
        const FEN: &str = "4k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let read = |text| read(FEN, text, UciMode::Standard);
        assert_eq!(read("e5d6"), Some(Move::en_passant(Square::E5, Square::D6)));
        assert_eq!(read("e5e6"), Some(Move::normal(Square::E5, Square::E6)));
        assert_eq!(
            read("a7a8n"),
            Some(Move::promotion(Square::A7, Square::A8, PromotionRole::Knight))
        );
        for text in ["a7a8k", "a7a8Q", "e5e6q", "e1e2q", "b1b2", "e5e5"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("e1d1"), Some(Move::normal(Square::E1, Square::D1)));
    }

    #[test]
    fn the_placement_follows_every_kind_of_move() {
        let after = |fen: &str, mv: Move| {
            let next = Placement::of(&fen.parse().unwrap()).after(mv);
            let men = Square::all().filter_map(|square| {
                next.at(square).map(|piece| format!("{}{square}", piece.char()))
            });
            men.collect::<Vec<_>>().join(" ")
        };
        let castle = Move::castling(Square::F1, Square::G1).unwrap();
        assert_eq!(after("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", castle), "Rf1 Kg1 ke8");
        let castle = Move::castling(Square::C1, Square::A1).unwrap();
        assert_eq!(after("4k3/8/8/8/8/8/8/R1K5 w A - 0 1", castle), "Kc1 Rd1 ke8");
        let capture = Move::en_passant(Square::E5, Square::D6);
        assert_eq!(after("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", capture), "Ke1 Pd6 ke8");
        let promotion = Move::promotion(Square::A7, Square::A8, PromotionRole::Rook);
        assert_eq!(after("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", promotion), "Ke1 Ra8 ke8");
    }

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

    #[test]
    fn a_referee_can_go_to_another_thread() {
        fn assert_send<T: Send>() {}
        assert_send::<Uci>();
    }
}
