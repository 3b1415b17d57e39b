//! The example `uci`, driven from outside: what it answers, and that nothing makes it fall or hang.

mod engine;

use std::thread;
use std::time::{Duration, Instant};

use touchmove::{Key, Position, UciMode, UciMove};

use self::engine::Engine;

const START: &str = "position startpos";
const KIWIPETE: &str =
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ERROR: &str = "info string error: ";

#[test]
fn it_says_who_it_is_and_when_it_is_ready() {
    let mut engine = Engine::touchmove();
    engine.send("uci");
    let lines = engine.lines_to("uciok");
    assert!(lines[0].starts_with("id name Touchmove"), "{lines:?}");
    let options = ["option name Hash type spin", "option name UCI_Chess960 type check"];
    for option in options {
        assert!(lines.iter().any(|line| line.starts_with(option)), "{lines:?}");
    }
    assert_eq!(engine.ask("isready", "readyok"), "readyok");
}

/// Known counts where Stockfish is not there to be asked.
#[test]
fn perft_counts_as_stockfish_does() {
    let mut engine = Engine::touchmove();
    let ours = [START, KIWIPETE].map(|position| engine.perft(position, 5));
    assert_eq!((ours[0].len(), ours[1].len()), (21, 49));
    assert_eq!(ours[0].last().unwrap(), "Nodes searched: 4865609");
    assert_eq!(ours[1].last().unwrap(), "Nodes searched: 193690690");
    assert!(ours[0].contains(&"e2e4: 405385".to_string()), "{ours:?}");
    let Some(mut stockfish) = Engine::stockfish("perft 5 move by move") else { return };
    for (position, ours) in [START, KIWIPETE].into_iter().zip(ours) {
        assert_eq!(ours, stockfish.perft(position, 5), "{position}");
    }
}

/// R9: castling is written as the option says. Depth 0 is one path (R24).
#[test]
fn perft_writes_castling_in_the_mode() {
    let mut engine = Engine::touchmove();
    let castles = "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert!(engine.perft(castles, 1).contains(&"e1g1: 1".to_string()));
    engine.send("setoption name UCI_Chess960 value true");
    assert!(engine.perft(castles, 1).contains(&"e1h1: 1".to_string()));
    let both = engine.perft("position fen 4k3/8/8/8/8/8/8/RK5R w HA - 0 1", 1);
    assert!(both.contains(&"b1a1: 1".to_string()) && both.contains(&"b1h1: 1".to_string()));
    assert_eq!(both.last().unwrap(), "Nodes searched: 25"); // As python-chess counts.
    assert_eq!(engine.perft(START, 0), ["Nodes searched: 1"]);
}

#[test]
fn it_draws_the_board() {
    let mut engine = Engine::touchmove();
    engine.send("position startpos moves e2e4");
    engine.send("d");
    let lines = engine.lines_to("Key: ");
    assert_eq!(lines[4], "4  . . . . P . . .");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(lines.contains(&format!("Fen: {fen}")), "{lines:?}");
    let position: Position = fen.parse().unwrap();
    assert_eq!(lines.last().unwrap(), &format!("Key: {}", position.key()));
}

#[test]
fn a_search_tells_of_each_depth_and_ends_with_a_move() {
    let mut engine = Engine::touchmove();
    for go in ["go depth 4", "go nodes 3000", "go movetime 50", "go wtime 1000 btime 1000 winc 10"]
    {
        engine.send(START);
        engine.send(go);
        let lines = engine.lines_to("bestmove ");
        assert!(lines[0].starts_with("info depth 1 score cp "), "{go}: {lines:?}");
        for word in [" nodes ", " nps ", " time ", " pv "] {
            assert!(lines[0].contains(word), "{go}: {lines:?}");
        }
        let best: UciMove = lines.last().unwrap()["bestmove ".len()..].parse().unwrap();
        best.resolve(&Position::default(), UciMode::Standard).unwrap();
    }
}

#[test]
fn a_mate_is_announced_in_moves() {
    let mut engine = Engine::touchmove();
    engine.send("position fen b7/PP6/8/8/7K/6B1/6N1/4R1bk w - - 0 1");
    engine.send("go depth 7");
    let lines = engine.lines_to("bestmove ");
    assert_eq!(lines.last().unwrap(), "bestmove b7a8n");
    assert!(lines[lines.len() - 2].contains(" score mate 3 "), "{lines:?}");
    engine.send("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    engine.send("go depth 3");
    assert_eq!(engine.lines_to("bestmove "), ["info depth 0 score mate 0", "bestmove (none)"]);
}

#[test]
fn several_lines_are_shown_if_wanted() {
    let mut engine = Engine::touchmove();
    engine.send("setoption name MultiPV value 3");
    engine.send(START);
    engine.send("go depth 2");
    let lines = engine.lines_to("bestmove ");
    assert_eq!(lines.len(), 7, "{lines:?}");
    assert!(lines[5].starts_with("info depth 2 multipv 3 score cp "), "{lines:?}");
}

/// The search has a thread of its own.
#[test]
fn it_listens_while_it_thinks() {
    let mut engine = Engine::touchmove();
    engine.send(START);
    engine.send("go infinite");
    engine.lines_to("info depth 2");
    engine.send("isready");
    assert!(!engine.lines_to("readyok").iter().any(|line| line.starts_with("bestmove")));
    engine.send("stop");
    assert_ne!(engine.lines_to("bestmove ").last().unwrap(), "bestmove (none)");
}

/// Even when all there is to see has been seen: UCI says that the answer waits for `stop`.
#[test]
fn an_endless_search_ends_only_by_stop() {
    let mut engine = Engine::touchmove();
    engine.send("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    engine.send("go infinite");
    engine.lines_to("info depth 0 score mate 0");
    thread::sleep(Duration::from_millis(100));
    assert_eq!(engine.ask("isready", ""), "readyok");
    assert_eq!(engine.ask("stop", ""), "bestmove (none)");
}

#[test]
fn a_count_can_be_stopped() {
    let mut engine = Engine::touchmove();
    engine.send(KIWIPETE);
    engine.send("go perft 30");
    assert_eq!(engine.ask("isready", ""), "readyok");
    assert_eq!(engine.ask("stop", ""), format!("{ERROR}go perft 30: stopped before the end"));
    assert_eq!(engine.perft(START, 3).last().unwrap(), "Nodes searched: 8902");
}

#[test]
fn stop_without_a_search_is_nothing() {
    let mut engine = Engine::touchmove();
    engine.send("stop");
    engine.send("ucinewgame");
    engine.send("stop");
    assert_eq!(engine.ask("isready", ""), "readyok");
}

/// What came while it was searching comes to its turn.
#[test]
fn commands_wait_for_the_search_before_them() {
    let mut engine = Engine::touchmove();
    engine.send_bytes(
        b"position startpos\ngo depth 5\nposition startpos moves e2e4\nsetoption name Hash value 1\n\
          ucinewgame\ngo perft 1\nd\n",
    );
    let lines = engine.lines_to("Key: ");
    let place = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
    assert!(place("bestmove ") < place("a7a5: 1"), "{lines:?}");
    assert!(place("Nodes searched: 20") < place("Fen: "), "{lines:?}");
}

#[test]
fn quit_ends_it_while_it_searches() {
    for end in ["quit", ""] {
        for go in ["go infinite", "go depth 60", "go movetime 600000"] {
            let mut engine = Engine::touchmove();
            engine.send(go);
            engine.lines_to("info depth 1 ");
            let start = Instant::now();
            if end.is_empty() {
                engine.end_input();
            } else {
                engine.send(end);
            }
            let (lines, status) = engine.last_words();
            assert!(status.success(), "{status}");
            assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
            assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
        }
    }
}

/// A script asks, and its end comes at once.
#[test]
fn what_was_counted_is_said_before_the_end() {
    for script in ["go perft 4\nposition startpos moves e2e4\ngo perft 4\n", "go perft 4\nquit\n"] {
        let mut engine = Engine::touchmove();
        engine.send_bytes(script.as_bytes());
        engine.end_input();
        let (lines, status) = engine.last_words();
        assert!(status.success(), "{status}");
        let totals = lines.iter().filter(|line| line.starts_with("Nodes searched: "));
        assert_eq!(totals.count(), script.matches("perft").count(), "{script}: {lines:?}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let mut engine = Engine::touchmove();
    let mut refused = |line: &str| {
        let answer = engine.ask(line, ERROR);
        answer[ERROR.len()..].to_string()
    };
    assert_eq!(refused("xyzzy"), "unknown command `xyzzy`");
    assert_eq!(refused("isready now"), "isready: `now` is too much");
    assert_eq!(refused("go depth"), "go depth: expected a number, found the end");
    assert_eq!(refused("go depth -1"), "go depth: expected a number, found `-1`");
    assert_eq!(refused("go perft 256"), "go perft: at most 255 plies");
    assert_eq!(refused("go fast"), "go: unknown word `fast`");
    assert_eq!(
        refused("setoption name Hash value 99999"),
        "setoption Hash: expected a number from 1 to 1024, found `99999`"
    );
    assert_eq!(refused("setoption name Style value 1"), "setoption: there is no option `Style`");
    assert_eq!(refused("position"), "position: expected `startpos` or `fen FEN`");
    assert_eq!(
        refused("position startpos moves e2e4 e7e5 e4e5 g1f3"),
        "position: move 3 `e4e5`: the way is blocked on e5"
    );
    assert_eq!(
        refused("position startpos moves e2e9"),
        "position: move 1 `e2e9`: byte 3, move: expected a rank 1-8, found '9'"
    );
    assert_eq!(
        refused("position fen 4k3/8/8/8/8/8/8/RK5R w HA - 0 1"),
        "position: castling rights of Chess960, and UCI_Chess960 is false"
    );
    assert!(refused("position fen 8/8/8/8/8/8/8/8 w - - 0 1").contains("king"));
    assert_eq!(refused("d"), "d: the last position was refused");
    assert_eq!(refused("go depth 3"), "go: the last position was refused");
    assert_eq!(engine.perft(START, 1).len(), 21);
}

/// Nothing of this makes it fall; it still counts when all is over.
#[test]
fn garbage_does_no_harm() {
    let mut engine = Engine::touchmove();
    let mut state = 1u64;
    for _ in 0..300 {
        let mut bytes = Vec::new();
        for _ in 0..40 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            bytes.push((state >> 56) as u8);
        }
        bytes.push(b'\n');
        engine.send_bytes(&bytes);
    }
    for words in [
        "",
        " ",
        "\t\t",
        "position fen",
        "position fen moves",
        "position moves e2e4",
        "go perft",
        "position startpos moves \u{1F60A}",
        "setoption",
        "setoption name",
        "go nodes 99999999999999999999",
        "setoption name UCI_Chess960 value maybe",
        "position startpos startpos",
        "go movetime -5",
        "position startpos moves 0000",
        "go depth 0",
        "go nodes 0",
        "go wtime -100 btime -100 depth 1",
    ] {
        engine.send(words);
    }
    engine.send(&"position startpos moves ".repeat(100_000)); // Longer than any line that is read.
    engine.send(&format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(5_000)));
    engine.send("isready");
    engine.lines_to("readyok");
    engine.send("go depth 2");
    engine.lines_to("bestmove ");
    assert_eq!(engine.perft(START, 2).last().unwrap(), "Nodes searched: 400");
}

/// A whole game: every move of both sides is legal by the library, and the engine answers to the end.
#[test]
fn a_game_against_stockfish_is_legal_to_its_end() {
    let starts = [
        (UciMode::Standard, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        (UciMode::Chess960, "bbrkrnnq/pppppppp/8/8/8/8/PPPPPPPP/BBRKRNNQ w ECec - 0 1"),
    ];
    let Some(mut stockfish) = Engine::stockfish("games against it") else { return };
    let mut touchmove = Engine::touchmove();
    for (game, (mode, start)) in starts.into_iter().enumerate() {
        for engine in [&mut stockfish, &mut touchmove] {
            let chess960 = mode == UciMode::Chess960;
            engine.send("ucinewgame");
            engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
            engine.ask("isready", "readyok");
        }
        let mut position: Position = start.parse().unwrap();
        let mut line = format!("position fen {start} moves");
        let mut past: Vec<Key> = Vec::new();
        while !is_over(&position, &past) && past.len() < 200 {
            let ours = past.len() % 2 == game % 2;
            let engine = if ours { &mut touchmove } else { &mut stockfish };
            engine.send(&line);
            let text = engine.best_move("go nodes 2000");
            let read: UciMove = text.parse().unwrap_or_else(|e| panic!("{text}: {e} after {line}"));
            let mv = read.resolve(&position, mode).unwrap_or_else(|e| panic!("{e} after {line}"));
            past.push(position.key());
            let _kept = position.make(mv);
            line = format!("{line} {text}");
        }
        println!("game {game}: {} plies, {position}", past.len());
        assert!(past.len() >= 8, "{line}");
        if !position.has_legal_move() {
            touchmove.send(&line);
            assert_eq!(touchmove.best_move("go nodes 100"), "(none)");
        }
    }
}

/// Mate, stalemate, the third repetition or the fiftieth move without progress.
fn is_over(position: &Position, past: &[Key]) -> bool {
    !position.has_legal_move()
        || position.halfmove_clock() >= 100
        || past.iter().filter(|&&key| key == position.key()).count() >= 2
}
