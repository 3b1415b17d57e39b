//! The referee that asks a child process, against engines that hang, die, babble and lie.
//!
//! The engines are shell scripts; at the end there is a real one, where the machine has it.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use touchmove::{Move, MoveKind, Position, Square, UciMode};
use touchmove_oracles::referees::{Referee, Silence, Uci, UciCommand};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Enough for any script that answers at all.
const PATIENCE: Duration = Duration::from_secs(20);
/// For those that never do.
const HURRY: Duration = Duration::from_millis(500);

/// A folder of its own for a script and what it writes; removed at the end.
struct Fake {
    folder: PathBuf,
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Fake {
    /// An engine that is nothing but this script. It runs in its folder.
    fn script(script: &str) -> Fake {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("uci referee {}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        let script = format!("cd '{}'\necho start >>starts\n{script}\n", folder.display());
        fs::write(folder.join("engine.sh"), script).unwrap();
        Fake { folder }
    }

    /// An engine with decent manners that does this when asked for `go perft`; `$moves` is what
    /// was played.
    fn perft(answer: &str) -> Fake {
        Fake::script(&format!(
            "while read -r line; do
               echo \"$line\" >>heard
               case \"$line\" in
                 uci) echo 'option name UCI_Chess960 type check default false'; echo uciok;;
                 isready) echo readyok;;
                 position*moves*) moves=${{line#*moves }};;
                 position*) moves=;;
                 'go perft'*) {answer};;
               esac
             done"
        ))
    }

    fn command(&self, handshake: Duration, timeout: Duration) -> UciCommand {
        let command = format!("sh '{}'", self.folder.join("engine.sh").display());
        let command: UciCommand = command.parse().unwrap();
        command.with_handshake(handshake).with_timeout(timeout)
    }

    fn referee(&self, timeout: Duration) -> Uci {
        Uci::new(self.command(PATIENCE, timeout))
    }

    /// The referee, holding the start position.
    fn at_start(&self, timeout: Duration) -> Uci {
        let mut referee = self.referee(timeout);
        referee.set(START, UciMode::Standard).unwrap();
        referee
    }

    /// What the script wrote into a file, waited for.
    fn written(&self, name: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            match fs::read_to_string(self.folder.join(name)) {
                Ok(text) if text.ends_with('\n') => return text,
                _ if Instant::now() > until => panic!("{name} was not written"),
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Waits until the process whose number the script wrote into a file is gone.
    #[track_caller]
    fn assert_ends(&self, name: &str) {
        let pid = self.written(name).trim().to_string();
        let until = Instant::now() + Duration::from_secs(5);
        while is_running(&pid) {
            assert!(Instant::now() < until, "{name} is still running");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Whether a process runs; one that ended and was not asked for its status does not.
fn is_running(pid: &str) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat.rsplit(") ").next().is_some_and(|rest| !rest.starts_with('Z')),
        Err(_) if Path::new("/proc/self/stat").exists() => false,
        Err(_) => {
            let pid = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
            rustix::process::test_kill_process(pid).is_ok()
        }
    }
}

/// The words of a failure, which comes soon.
#[track_caller]
fn failure<T: std::fmt::Debug>(ask: impl FnOnce() -> Result<T, Silence>) -> String {
    let asked = Instant::now();
    let answer = ask();
    assert!(asked.elapsed() < Duration::from_secs(10), "took {:?}", asked.elapsed());
    match answer {
        Err(Silence::Failed(words)) => words,
        other => panic!("expected a failure, got {other:?}"),
    }
}

#[track_caller]
fn assert_says(words: &str, parts: &[&str]) {
    for part in parts {
        assert!(words.contains(part), "expected `{part}` in: {words}");
    }
}

fn normal(from: Square, to: Square) -> Move {
    Move::normal(from, to)
}

#[test]
fn a_missing_program_is_a_failure() {
    let mut referee = Uci::new("no-such-engine-anywhere --x".parse().unwrap());
    assert_eq!(referee.name(), "uci:no-such-engine-anywhere --x");
    let words = failure(|| referee.set(START, UciMode::Standard));
    assert_eq!(words, "cannot start `no-such-engine-anywhere`: No such file or directory");
    assert_eq!(failure(|| referee.perft(1)), words);
}

#[test]
fn an_engine_that_hangs_on_uci_is_ended() {
    let fake = Fake::script("echo $$ >pid; echo hello; exec sleep 1000");
    let mut referee = Uci::new(fake.command(HURRY, PATIENCE));
    let words = failure(|| referee.set(START, UciMode::Standard));
    assert_says(&words, &["no answer to `uci` within 500ms", "\"hello\""]);
    fake.assert_ends("pid");
}

#[test]
fn an_engine_that_hangs_on_perft_is_ended_with_its_children() {
    let fake = Fake::perft("trap '' TERM; echo $$ >pid; sleep 1000 & echo $! >child; wait");
    let mut referee = fake.at_start(HURRY);
    let words = failure(|| referee.divide(3));
    assert_says(&words, &["no answer to `go perft 3` within 500ms"]);
    fake.assert_ends("pid");
    fake.assert_ends("child");
    assert_eq!(failure(|| referee.legal_moves()), words);
    assert_eq!(failure(|| referee.take_back()), words);
    assert_eq!(failure(|| referee.play(normal(Square::E2, Square::E4))), words);
    assert_eq!(failure(|| referee.fen()), words);
}

#[test]
fn an_engine_that_dies_in_the_middle_leaves_its_last_words() {
    let fake = Fake::perft("echo e2e4: 1; echo out of memory >&2; exit 3");
    let words = failure(|| fake.at_start(PATIENCE).divide(1));
    let parts = ["`go perft 1` unanswered", "exit status: 3", "\"e2e4: 1\"", "\"out of memory\""];
    assert_says(&words, &parts);
}

#[test]
fn an_engine_killed_by_a_signal_says_which() {
    let fake = Fake::perft("kill -SEGV $$");
    assert_says(&failure(|| fake.at_start(PATIENCE).divide(1)), &["signal: 11"]);
}

#[test]
fn an_engine_that_dies_between_questions_is_noticed() {
    let fake = Fake::perft("echo 'nodes 0'; read -r line; echo readyok; exit 0");
    let mut referee = fake.at_start(PATIENCE);
    assert_eq!(referee.perft(1), Ok(0));
    assert_says(&failure(|| referee.perft(1)), &["unanswered", "exit status: 0"]);
}

#[test]
fn another_format_is_a_failure_and_is_shown() {
    let fake = Fake::perft("echo info string nodes=20");
    let words = failure(|| fake.at_start(HURRY).divide(1));
    assert_says(&words, &["no answer to `go perft 1`", "\"info string nodes=20\""]);
    let fake = Fake::perft("echo info depth 1; echo bestmove e2e4");
    let words = failure(|| fake.at_start(PATIENCE).divide(1));
    assert_says(&words, &["took `go perft 1` for a search", "\"bestmove e2e4\""]);
}

#[test]
fn a_flood_of_output_ends_at_the_deadline() {
    for flood in ["yes", "cat /dev/zero", "yes >&2", "yes e2e4 | tr '\\n' ' '"] {
        let fake = Fake::perft(&format!("{{ {flood}; }}"));
        let words = failure(|| fake.at_start(HURRY).divide(1));
        assert_says(&words, &["no answer to `go perft 1` within 500ms"]);
        assert!(words.len() < 5000, "{}", words.len());
    }
}

#[test]
fn a_flood_of_moves_is_cut_short() {
    let fake = Fake::perft("yes e2e4: 1");
    assert_says(&failure(|| fake.at_start(PATIENCE).divide(1)), &["lists e2e4 twice"]);
    let all = "for a in a b c d f g h; do for b in 1 2; do for c in a b c d e f g h; do
               for d in 3 4 5 6 7 8; do echo $a$b$c$d: 1; done; done; done; done";
    let fake = Fake::perft(all);
    let words = failure(|| fake.at_start(PATIENCE).divide(1));
    assert_says(&words, &["more moves than any position has"]);
}

#[test]
fn a_child_that_keeps_the_pipe_open_delays_nothing() {
    let fake = Fake::perft("sleep 1000 & echo $! >child; echo e2e4: 1; exit 4");
    let words = failure(|| fake.at_start(PATIENCE).divide(1));
    assert_says(&words, &["ended, `go perft 1` unanswered", "exit status: 4", "\"e2e4: 1\""]);
    fake.assert_ends("child");
}

/// Such a child cannot be found and ended, but nobody waits for it.
#[test]
fn a_child_that_left_the_group_delays_nothing() {
    let fake = Fake::perft("setsid sleep 100 & echo $! >child; exit 4");
    assert_says(&failure(|| fake.at_start(PATIENCE).divide(1)), &["unanswered"]);
    let pid = fake.written("child").trim().to_string();
    if is_running(&pid) {
        let pid = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }
}

#[test]
fn an_engine_that_closes_its_output_and_lives_is_ended() {
    let fake = Fake::perft("echo $$ >pid; exec sleep 1000 >&- 2>&-");
    let words = failure(|| fake.at_start(PATIENCE).divide(1));
    assert_eq!(words, "no more output, `go perft 1` unanswered");
    fake.assert_ends("pid");
}

#[test]
fn counts_that_do_not_add_up_are_a_failure() {
    let fake = Fake::perft("echo e2e4: 1; echo d2d4: 1; echo Nodes searched: 3");
    let words = failure(|| fake.at_start(PATIENCE).divide(1));
    assert_says(&words, &["its counts add up to 2, its total is 3"]);
}

#[test]
fn a_move_of_no_shape_is_a_failure() {
    for text in ["e3e4", "e1g3", "a1a2q", "e2e2"] {
        let fake = Fake::perft(&format!("echo {text}: 1; echo Nodes searched: 1"));
        let words = failure(|| fake.at_start(PATIENCE).divide(1));
        assert_says(&words, &[&format!("`{text}` is no move here")]);
    }
}

/// An illegal move is what such an engine is asked for; it must arrive.
#[test]
fn an_illegal_move_arrives_as_the_move_it_is() {
    let fake = Fake::perft("echo a1a5: 1; echo e1g1: 1; echo Nodes searched: 2");
    let moves = fake.at_start(PATIENCE).legal_moves().unwrap();
    let castling = Move::castling(Square::E1, Square::H1).unwrap();
    assert_eq!(moves, [normal(Square::A1, Square::A5), castling]);
}

#[test]
fn after_a_failure_each_set_starts_it_again_nine_times_in_a_row_at_most() {
    let fake = Fake::perft("exit 9");
    let mut referee = fake.referee(PATIENCE);
    for _ in 0..10 {
        referee.set(START, UciMode::Standard).unwrap();
        assert_says(&failure(|| referee.perft(2)), &["exit status: 9"]);
    }
    let words = failure(|| referee.set(START, UciMode::Standard));
    assert_says(&words, &["given up after 10 failures, the last: ", "exit status: 9"]);
    assert_eq!(failure(|| referee.set(START, UciMode::Standard)), words);
    assert_eq!(fake.written("starts").lines().count(), 10);
}

#[test]
fn an_answer_forgives_earlier_failures() {
    let fake = Fake::perft("case $moves in a2a3) exit 9;; *) echo a2a3: 1; echo nodes 1;; esac");
    let mut referee = fake.referee(PATIENCE);
    for _ in 0..12 {
        referee.set(START, UciMode::Standard).unwrap();
        assert_eq!(referee.perft(1), Ok(1));
        referee.play(normal(Square::A2, Square::A3)).unwrap();
        assert_says(&failure(|| referee.perft(1)), &["exit status: 9"]);
    }
}

#[test]
fn the_mode_is_told_as_an_option() {
    let fake = Fake::perft("echo nodes 0");
    let mut referee = fake.referee(PATIENCE);
    referee.set(START, UciMode::Chess960).unwrap();
    referee.set(START, UciMode::Standard).unwrap();
    let heard = fake.written("heard");
    let options: Vec<_> = heard.lines().filter(|line| line.starts_with("setoption")).collect();
    let expected =
        ["setoption name UCI_Chess960 value true", "setoption name UCI_Chess960 value false"];
    assert_eq!(options, expected);
    assert_eq!(fake.written("starts").lines().count(), 1);
}

/// Fault `uci-empty-moves-list`: an engine may stumble over `moves` with nothing after it, so it is not sent.
#[test]
fn an_empty_list_of_moves_is_the_start_position() {
    let fake = Fake::perft("echo a2a3: 1; echo nodes 1");
    let mut referee = fake.at_start(PATIENCE);
    let pawn_moves = normal(Square::A2, Square::A3);
    assert_eq!(referee.divide(1), Ok(vec![(pawn_moves, 1)]));
    referee.play(pawn_moves).unwrap();
    referee.take_back().unwrap();
    assert_eq!(referee.divide(1), Ok(vec![(pawn_moves, 1)]));
    let heard = fake.written("heard");
    let positions: Vec<&str> = heard.lines().filter(|line| line.starts_with("position")).collect();
    assert!(!positions.is_empty());
    assert!(positions.iter().all(|line| *line == format!("position fen {START}")), "{positions:?}");
}

#[test]
fn what_an_engine_cannot_hold_it_abstains_from() {
    let fake = Fake::script("while read -r line; do echo uciok; echo readyok; done");
    let mut referee = fake.referee(PATIENCE);
    let no_option = Err(Silence::Abstains("has no option UCI_Chess960".to_string()));
    assert_eq!(referee.set(START, UciMode::Chess960), no_option);
    assert_eq!(referee.legal_moves().err(), no_option.err());
    let inner_rook = "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1";
    for (fen, mode) in
        [(inner_rook, UciMode::Standard), ("8/8/8/8/8/8/8/8 w - - 0 1", UciMode::Standard)]
    {
        let silence = referee.set(fen, mode);
        assert!(matches!(silence, Err(Silence::Abstains(_))), "{silence:?}");
    }
    assert_eq!(referee.set(START, UciMode::Standard), Ok(()));
    assert!(matches!(referee.status(), Err(Silence::Abstains(_))));
    assert!(matches!(referee.fen(), Err(Silence::Abstains(_))));
    assert_eq!(fake.written("starts").lines().count(), 1);
}

#[test]
fn moves_are_played_and_taken_back_by_the_list() {
    let fake = Fake::perft(
        "case \"$moves\" in
           '') echo e2e4: 1; echo g1f3: 1; echo nodes 2;;
           e2e4) echo e7e5: 1; echo nodes 1;;
           'e2e4 e7e5') echo nodes 0;;
         esac",
    );
    let (e4, e5) = (normal(Square::E2, Square::E4), normal(Square::E7, Square::E5));
    let mut referee = fake.at_start(PATIENCE);
    referee.play(e4).unwrap();
    assert_eq!(referee.legal_moves(), Ok(vec![e5]));
    referee.play(e5).unwrap();
    assert_eq!(referee.divide(1), Ok(vec![]));
    referee.take_back().unwrap();
    assert_says(&failure(|| referee.play(e4)), &["does not list e2e4"]);
    assert_eq!(referee.divide(1), Ok(vec![(e5, 1)]));
    referee.take_back().unwrap();
    assert_eq!(referee.perft(1), Ok(2));
    let heard = fake.written("heard");
    assert!(heard.contains(&format!("position fen {START} moves e2e4 e7e5\n")), "{heard}");
}

#[test]
#[should_panic(expected = "no move is left to take back")]
fn there_is_nothing_to_take_back_at_the_start() {
    let _ = Fake::perft("echo nodes 0").at_start(PATIENCE).take_back();
}

#[test]
fn dropping_the_referee_ends_the_process_group() {
    let fake = Fake::perft("sleep 1000 & echo $! >child; echo $$ >pid; echo nodes 0");
    let mut referee = fake.at_start(PATIENCE);
    referee.perft(1).unwrap();
    drop(referee);
    fake.assert_ends("pid");
    fake.assert_ends("child");
}

/// Stockfish, if the machine has it.
fn stockfish() -> Option<Uci> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let program = folders.map(|folder| folder.join("stockfish")).find(|program| program.is_file());
    if program.is_none() {
        eprintln!("skipped: no stockfish on PATH or in /usr/games");
    }
    Some(Uci::new(format!("'{}'", program?.display()).parse().unwrap()))
}

#[test]
fn stockfish_counts_the_known_counts() {
    let Some(mut referee) = stockfish() else { return };
    referee.set(START, UciMode::Standard).unwrap();
    assert_eq!(referee.perft(0), Ok(1));
    assert_eq!(referee.perft(4), Ok(197_281));
    let divide = referee.divide(3).unwrap();
    assert!(divide.contains(&(normal(Square::E2, Square::E4), 600)), "{divide:?}");
    referee.set("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", UciMode::Standard).unwrap();
    assert_eq!(referee.legal_moves(), Ok(vec![]));
}

/// R9: the same moves, whichever way castling is written.
#[test]
fn stockfish_castles_in_both_modes() {
    let Some(mut referee) = stockfish() else { return };
    for mode in [UciMode::Standard, UciMode::Chess960] {
        referee.set(KIWIPETE, mode).unwrap();
        assert_eq!(referee.perft(2), Ok(2039));
        let moves = referee.legal_moves().unwrap();
        let castles = moves.iter().filter(|mv| mv.kind() == MoveKind::Castling);
        assert_eq!(castles.count(), 2);
        referee.play(Move::castling(Square::E1, Square::A1).unwrap()).unwrap();
        referee.play(Move::castling(Square::E8, Square::H8).unwrap()).unwrap();
        assert!(referee.legal_moves().unwrap().contains(&normal(Square::C1, Square::B1)));
        referee.take_back().unwrap();
        referee.take_back().unwrap();
        assert_eq!(referee.perft(1), Ok(48));
    }
}

/// Its text is understood as the moves that are meant, wherever a game goes, and back again.
#[test]
fn stockfish_is_understood_along_a_game_in_both_modes() {
    let Some(mut referee) = stockfish() else { return };
    for mode in [UciMode::Standard, UciMode::Chess960] {
        referee.set(KIWIPETE, mode).unwrap();
        let mut position: Position = KIWIPETE.parse().unwrap();
        let root = sorted(&position.legal_moves());
        let mut played = 0;
        for ply in 0..60 {
            let moves = sorted(&position.legal_moves());
            assert_eq!(sorted(&referee.legal_moves().unwrap()), moves, "{position}");
            let Some(&mv) = moves.get(ply * 37 % moves.len().max(1)) else { break };
            referee.play(mv).unwrap();
            let _kept = position.make(mv);
            played += 1;
        }
        (0..played).for_each(|_| referee.take_back().unwrap());
        assert_eq!(sorted(&referee.legal_moves().unwrap()), root);
    }
}

fn sorted(moves: &[Move]) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    moves
}
