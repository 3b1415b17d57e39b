//! The verbs as a user meets them: exit codes, where results and complaints go, and what happens when
//! things go wrong.

#![cfg(unix)]

mod interrupts;
mod run;
mod suite_verify;

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use self::run::xtask;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A folder for one test, and files in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path: PathBuf = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// A program that stands in for an engine.
    fn engine(&self, name: &str, script: &str) -> String {
        let path = self.file(name, format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        format!("uci:{path}")
    }
}

#[test]
fn right_counts_pass() {
    let folder = Folder::new();
    let suite = folder.file("right.epd", format!("{START} ;D1 20 ;D2 400 ;D3 8902 ;id start\n"));
    let run = xtask(&["perft", &suite]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("PASS  start  depth 3  8902  standard"), "{}", run.out);
    let last = run.out.lines().last().unwrap();
    assert!(
        last.starts_with("PASS: 1 of 1 positions passed, 3 counts, 9.32 k nodes in "),
        "{last}"
    );
    assert!(last.contains("nodes/s"), "{last}");
}

#[test]
fn a_wrong_count_fails_with_the_true_one_and_the_rest_is_counted() {
    let folder = Folder::new();
    let suite = folder.file(
        "wrong.epd",
        format!("{KIWIPETE} ;D1 48 ;D2 2038 ;id kiwipete\n{START} ;D2 400 ;id start\n"),
    );
    let run = xtask(&["perft", &suite]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("wrong.epd:1: depth 2, listed 2038, counted 2039"), "{}", run.out);
    assert!(run.out.contains("the file is wrong: depth 2 has 2039 nodes"), "{}", run.out);
    assert!(run.out.contains("by shakmaty and cozy as well"), "{}", run.out);
    assert!(run.out.contains("PASS  start  depth 2  400"), "{}", run.out);
}

#[test]
fn a_garbage_line_is_shown_with_its_place_and_the_rest_is_counted() {
    let folder = Folder::new();
    let suite = folder.file(
        "garbage.epd",
        format!(
            "{START} ;D2 400 ;id start\n4k3/8/8/9/8/8/8/4K3 w - - 0 1 ;D1 5\n{KIWIPETE} ;D1 48\n"
        ),
    );
    let run = xtask(&["perft", &suite]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("garbage.epd:2:9"), "{}", run.err);
    assert!(run.err.contains("expected a piece letter or a digit 1-8"), "{}", run.err);
    assert!(run.out.contains("BAD INPUT: 2 of 2 positions passed"), "{}", run.out);
}

#[test]
fn a_difference_outranks_bad_input() {
    let folder = Folder::new();
    let suite = folder.file("both.epd", format!("{START} ;D1 21\nnonsense\n"));
    assert_eq!(xtask(&["perft", &suite]).code, 1);
}

#[test]
fn a_suite_in_which_nothing_is_counted_is_unknown() {
    let folder = Folder::new();
    for text in ["", "# only a remark\n\n", "\u{feff}\r\n"] {
        let suite = folder.file("nothing.epd", text);
        let run = xtask(&["perft", &suite]);
        assert_eq!(run.code, 3, "{text:?}");
        assert!(run.out.contains("UNKNOWN: 0 of 0 positions passed"), "{}", run.out);
        assert!(run.err.contains("nothing was counted"), "{}", run.err);
    }
    let suite = folder.file("deep.epd", format!("{START} ;D5 4865609\n"));
    assert_eq!(xtask(&["perft", &suite, "--depth", "4"]).code, 3);
    let empty_folder = folder.0.path().join("empty");
    fs::create_dir(&empty_folder).unwrap();
    assert_eq!(xtask(&["perft", empty_folder.to_str().unwrap()]).code, 3);
    assert_eq!(xtask(&["suite", "verify", &folder.file("none.epd", "")]).code, 3);
}

#[test]
fn bad_usage_is_told_and_ends_with_two() {
    for arguments in [
        &["perft", "--fen", START][..],
        &["perft", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--depth", "1"],
        &["perft", "--depth", "-1"],
        &["perft", "--fen", "startpos", "--depth", "100"],
        &["divide", "startpos", "4294967295"],
        &["perft", "--threads", "0"],
        &["perft", "--referee", "nobody"],
        &["divide", "startpos", "-1"],
        &["divide", "startpos", "2", "e2e4", "e2e4"],
        &["divide", "startpos", "2", "e2"],
        &["divide", "start", "2"],
        &["ci", "nonsense"],
        &["nonsense"],
        &[],
    ] {
        let run = xtask(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
        assert!(!run.err.is_empty() && run.out.is_empty(), "{arguments:?}");
    }
    let run = xtask(&["perft", "/no/such/file.epd"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot read /no/such/file.epd: No such file"), "{}", run.err);
    let run = xtask(&["divide", "startpos", "2", "e2e4", "e2e4"]);
    assert!(run.err.contains("move 2 of the list, `e2e4`"), "{}", run.err);
    assert!(run.err.contains("no piece stands on e2 [no-piece]"), "{}", run.err);
}

/// The four forms of the contract, with all their blanks.
#[test]
fn the_forms_in_which_people_have_suites_are_read() {
    let folder = Folder::new();
    let forms = [
        format!("{START} ;D1 20 ;D2 400\n"),
        String::from(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20; D2 400; id \"a; b\";\n",
        ),
        format!("id start\nepd {START}\nperft 1 20\nperft 2 400\n"),
        format!("{START}; perft 2 = 400\n"),
        format!("\u{feff}# remark\r\n% remark\r\n\r\n{START}\t;D1 20\t;D2 400   \r\n"),
        format!("{START} ;D2 400"),
    ];
    for form in forms {
        let run = xtask(&["perft", &folder.file("form.epd", &form)]);
        assert_eq!(run.code, 0, "{form}: {}", run.err);
        assert!(run.out.contains("depth 2  400"), "{}", run.out);
    }
}

#[test]
fn an_engine_that_hangs_dies_or_says_something_else_is_unknown_with_its_last_words() {
    let folder = Folder::new();
    let suite = folder.file("one.epd", format!("{START} ;D1 20\n"));
    let hello = "read l; echo uciok; ";
    let answers = "while read l; do case $l in isready) echo readyok;; go*)";
    let engines = [
        ("mute", String::from("sleep 100"), "no answer to `uci`"),
        ("hangs", format!("{hello}{answers} sleep 100;; esac; done"), "no answer to `go perft 1`"),
        ("dies", format!("{hello}{answers} echo dying >&2; exit 7;; esac; done"), "dying"),
        ("odd", format!("{hello}{answers} echo 20 moves;; esac; done"), "20 moves"),
        ("searches", format!("{hello}{answers} echo bestmove e2e4;; esac; done"), "bestmove"),
    ];
    let engine = |name, script: &String| folder.engine(name, script);
    for (name, script, last_words) in &engines {
        let start = Instant::now();
        let referee = engine(name, script);
        let run = xtask(&["perft", &suite, "--referee", &referee, "--timeout", "500ms"]);
        assert_eq!(run.code, 3, "{name}: {}{}", run.out, run.err);
        assert!(run.out.contains("UNKNOWN"), "{name}: {}", run.out);
        assert!(run.out.contains(last_words), "{name}: {}", run.out);
        assert!(start.elapsed() < Duration::from_secs(20), "{name} is not waited for");
    }
    let run = xtask(&["perft", &suite, "--referee", "uci:/no/such/engine"]);
    assert_eq!(run.code, 3);
    assert!(run.out.contains("cannot start `/no/such/engine`"), "{}", run.out);
}

/// One move missing and another too many, under a right count: the alarm rings all the same.
#[test]
fn an_engine_that_counts_otherwise_is_a_difference() {
    let folder = Folder::new();
    let suite = folder.file("one.epd", "7k/8/8/8/8/8/8/KN6 w - - 0 1 ;D1 5\n");
    let script = "read l; echo uciok; while read l; do case $l in isready) echo readyok;; go*) \
                  for m in a1a2 a1b2 b1a3 b1c3 b1b3; do echo $m: 1; done; echo Nodes searched: 5;; \
                  esac; done";
    let run = xtask(&["perft", &suite, "--referee", &folder.engine("liar", script)]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    for part in [
        "a white knight does not go from b1 to b3 (FIDE 3.6, R7)",
        "missing b1d2; extra b1b3",
        "https://lichess.org/analysis/standard/7k/8/8/8/8/8/8/KN6_w_-_-_0_1",
        "reproduce: cargo xtask perft --fen '7k/8/8/8/8/8/8/KN6 w - - 0 1' --depth 1",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
}

/// A script's answer to `go perft`: these moves, one path each.
fn answers(moves: &str) -> String {
    format!(
        "n=0; read l; echo uciok; while read l; do case $l in isready) echo readyok;; go*) \
         for m in {moves}; do echo $m: 1; n=$((n+1)); done; echo Nodes searched: $n;; esac; done"
    )
}

/// A wrong number in the file at one depth, a wrong engine at another: both are told.
#[test]
fn a_wrong_number_does_not_hide_a_wrong_engine() {
    let folder = Folder::new();
    let suite = folder.file("one.epd", "7k/8/8/8/8/8/8/KN6 w - - 0 1 ;D0 2 ;D1 5\n");
    let liar = folder.engine("liar", &answers("a1a2 a1b2 b1a3 b1c3"));
    let run = xtask(&["perft", &suite, "--referee", &liar]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("the file is wrong: depth 0 has 1 nodes, by "), "{}", run.out);
    assert!(run.out.contains("missing b1d2; extra none"), "{}", run.out);
}

/// The classic fault: en passant although the rank pins the pawn. The position itself forgets the square, so the
/// referees are told of it, and the command that is printed shows the difference again.
#[test]
fn an_engine_that_captures_en_passant_against_the_pin_is_named() {
    let folder = Folder::new();
    let fen = "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1";
    let legal = "f4f3 h4g3 h4g4 h4g5 h5g5 h5f5 h5e5 h5d5 h5c5 h5b5 h5h6 h5h7 h5h8 d6d5 c7c6 c7c5";
    let honest = folder.engine("honest", &answers(legal));
    let liar = folder.engine("liar", &answers(&format!("{legal} f4e3")));
    let ask = |engine: &str| xtask(&["perft", "--fen", fen, "--depth", "1", "--referee", engine]);
    assert_eq!(ask(&honest).code, 0, "{}", ask(&honest).out);
    let run = ask(&liar);
    assert_eq!(run.code, 1, "{}", run.out);
    let reason = "the king on h4 would be attacked by the white rook on b4 (FIDE 3.9.2, R3)";
    for part in [reason, "missing none; extra f4e3", &format!("--fen '{fen}' --depth 1")] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
}

/// The position is one of our suites under another name; the hint is no verdict, which is there without it.
#[test]
fn an_engine_that_counts_like_a_planted_fault_is_likened_to_it() {
    let folder = Folder::new();
    let suite = folder.file("one.epd", "4k3/8/b5p1/6P1/7p/7P/8/4K2R w K - 0 1 ;D1 6 ;id home\n");
    let legal = "e1d1 e1d2 e1f2 h1f1 h1g1 h1h2";
    let ask = |moves: &str| {
        let engine = folder.engine("engine", &answers(moves));
        xtask(&["perft", &suite, "--referee", &engine])
    };
    assert_eq!(ask(legal).code, 0, "{}", ask(legal).out);
    let through = ask(&format!("{legal} e1g1"));
    assert_eq!(through.code, 1, "{}", through.out);
    let hint = through.out.lines().find(|line| line.starts_with("hint: ")).expect("a hint");
    assert!(
        hint.contains("home: same counts as planted fault ")
            && hint.contains("castle-through-check")
    );
    let otherwise = ask("e1d1 e1d2 e1f2 h1f1");
    assert_eq!((otherwise.code, otherwise.out.contains("hint: ")), (1, false), "{}", otherwise.out);
}

/// Somebody's suite may come from an engine with a fault in it.
#[test]
fn a_file_that_lists_what_a_planted_fault_counts_is_likened_to_it() {
    let folder = Folder::new();
    let suite = folder.file("one.epd", format!("{KIWIPETE} ;D1 48 ;D2 2043 ;D3 98196 ;id mine\n"));
    let run = xtask(&["perft", &suite]);
    assert_eq!(run.code, 1, "{}", run.out);
    let hint = "hint: the file, mine: same counts as planted fault castle-through-check";
    assert!(run.out.contains(hint), "{}", run.out);
}

#[test]
fn statistics_by_trial_are_those_of_the_fast_route() {
    let stats = |route| {
        let arguments = ["perft", "--fen", KIWIPETE, "--depth", "3", "--stats", "--route", route];
        let out = xtask(&arguments).out;
        out.lines().filter(|line| line.starts_with("   ")).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(stats("trial"), stats("fast"));
    assert!(stats("trial").len() > 4);
}

#[test]
fn divide_prints_sorted_counts_and_the_total_last() {
    let run = xtask(&["divide", "startpos", "3", "e2e4", "e7e5"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    // The total after 1. e4 e5, by Stockfish and python-chess.
    assert_eq!(lines.last(), Some(&"Nodes searched: 24825"));
    let counts = &lines[..lines.len() - 2];
    assert_eq!(counts.len(), 29);
    assert!(counts.is_sorted() && counts.iter().all(|line| line.contains(": ")));
    let run = xtask(&["divide", "startpos", "0"]);
    assert_eq!(run.out, "Nodes searched: 1\n");
}

#[test]
fn chess960_castling_is_written_king_takes_rook() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let standard = xtask(&["divide", fen, "1"]).out;
    assert!(standard.contains("e1g1: 1") && !standard.contains("e1h1"), "{standard}");
    let chess960 = xtask(&["divide", fen, "1", "--chess960"]).out;
    assert!(chess960.contains("e1h1: 1") && !chess960.contains("e1g1"), "{chess960}");
}

/// Fault `perft-depth-zero`.
#[test]
fn depth_zero_counts_one_and_a_negative_depth_is_bad_usage() {
    let run = xtask(&["perft", "--fen", "startpos", "--depth", "0"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("depth 0: 1"), "{}", run.out);
    assert_eq!(xtask(&["perft", "--fen", "startpos", "--depth", "-1"]).code, 2);
}

/// Fault `perft-stats-all-plies`. The figures are those of python-chess.
#[test]
fn statistics_count_the_last_ply_only() {
    let run = xtask(&["perft", "--fen", "startpos", "--depth", "4", "--stats"]);
    let row = run.out.lines().rfind(|line| line.trim_start().starts_with('4')).unwrap();
    let columns: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(columns, ["4", "197281", "1576", "0", "0", "0", "469", "8"]);
}

/// Fault `perft-castling-as-capture`. The figures are those of python-chess.
#[test]
fn castling_is_not_counted_as_a_capture() {
    let run = xtask(&["perft", "--fen", KIWIPETE, "--depth", "2", "--stats"]);
    let rows: Vec<Vec<&str>> =
        run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.contains(&vec!["1", "48", "8", "0", "2", "0", "0", "0"]), "{}", run.out);
    assert!(rows.contains(&vec!["2", "2039", "351", "1", "91", "0", "3", "0"]), "{}", run.out);
}

/// Fault `perft-int32-overflow`: seven plies are 3,195,901,860 paths, more than 31 bits hold.
#[test]
fn a_total_beyond_32_bits_is_counted_and_printed_whole() {
    let folder = Folder::new();
    let suite = folder.file("deep.epd", format!("{START} ;D7 3195901860 ;id deep\n"));
    let run = xtask(&["perft", &suite, "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains(r#""counted":3195901860"#), "{}", run.out);
}

/// What was not counted, who agreed and what nobody else counted is told, in words and in JSON.
#[test]
fn a_verdict_says_what_it_rests_on() {
    let folder = Folder::new();
    let suite = folder.file("two.epd", format!("{START} ;D1 20 ;D2 400\n{KIWIPETE} ;D2 2039\n"));
    let told = |arguments: &[&str], words: &[&str], json: serde_json::Value| {
        let run = xtask(&[&["perft"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.out);
        let notes: Vec<&str> = run.out.lines().rev().skip(1).take(words.len()).collect();
        assert!(
            notes.iter().rev().map(|line| line.trim()).eq(words.iter().copied()),
            "{}",
            run.out
        );
        let run = xtask(&[&["perft", "--format", "json"], arguments].concat());
        let backing = run.out.lines().rev().nth(1).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(backing).unwrap(), json);
    };
    told(
        &[&suite, "--referee", "shakmaty", "--referee", "naive"],
        &["shakmaty agrees on 3 of 3 counts", "naive agrees on 3 of 3 counts"],
        serde_json::json!({
            "type": "backing", "left_out": { "counts": 0, "lines": 0 }, "uncompared": 0,
            "referees": [
                { "name": "shakmaty", "agrees_on": 3, "counted": 3 },
                { "name": "naive", "agrees_on": 3, "counted": 3 },
            ],
        }),
    );
    told(
        &[&suite, "--depth", "1"],
        &["left out: 2 counts beyond the limits, 1 lines without any other"],
        serde_json::json!({
            "type": "backing", "left_out": { "counts": 2, "lines": 1 }, "uncompared": 0,
            "referees": [],
        }),
    );
    told(
        &["--fen", "startpos", "--depth", "2"],
        &["compared with nothing: 2 counts; --referee shakmaty counts them as well"],
        serde_json::json!({
            "type": "backing", "left_out": { "counts": 0, "lines": 0 }, "uncompared": 2,
            "referees": [],
        }),
    );
    let run = xtask(&["suite", "verify", &suite, "--max-nodes", "400"]);
    assert!(run.out.contains("left out: 1 counts beyond the limits, 1 lines"), "{}", run.out);
    let run = xtask(&["suite", "verify", &suite, "--max-nodes", "400", "--format", "json"]);
    assert!(run.out.contains(r#""left_out":{"counts":1,"lines":1}"#), "{}", run.out);
}

/// Seventeen men are more than cozy holds: it agrees on nothing, and the verdict is no PASS.
#[test]
fn a_silent_referee_agrees_on_nothing() {
    let run = xtask(&[
        "perft",
        "--fen",
        "rnbqkbnr/pppppppp/8/8/4N3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "--depth",
        "1",
        "--referee",
        "cozy",
    ]);
    assert_eq!(run.code, 3, "{}", run.out);
    assert!(run.out.contains("cozy agrees on 0 of 0 counts"), "{}", run.out);
    assert!(run.out.contains("compared with nothing: 1 counts"), "{}", run.out);
}

#[test]
fn json_begins_with_run_and_ends_with_summary() {
    let folder = Folder::new();
    let suite = folder.file("two.epd", format!("{START} ;D1 20\n{START} ;D1 21\n"));
    let cases = [
        (&["perft", &suite][..], 1, "FAIL"),
        (&["suite", "verify", &suite], 1, "FAIL"),
        (&["divide", "startpos", "2"], 0, "PASS"),
        (&["ci", "no-std"], 0, "PASS"),
    ];
    for (arguments, code, verdict) in cases {
        let run = xtask(&[arguments, &["--format", "json"]].concat());
        assert_eq!(run.code, code);
        let lines: Vec<serde_json::Value> =
            run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.first().unwrap()["type"], "run");
        assert_eq!(lines.last().unwrap()["type"], "summary");
        assert_eq!(lines.last().unwrap()["verdict"], verdict);
    }
}

#[test]
fn totals_are_equal_at_any_number_of_threads() {
    let counted = |threads| {
        let run = xtask(&["perft", "--fen", KIWIPETE, "--depth", "4", "--threads", threads]);
        assert!(run.out.contains("depth 4: 4085603"), "{}", run.out);
    };
    ["1", "2", "7"].into_iter().for_each(counted);
}

#[test]
fn files_that_are_no_text_are_told_and_nothing_panics() {
    let folder = Folder::new();
    let mut noise = Vec::new();
    for index in 0..4096u32 {
        noise.write_all(&[(index.wrapping_mul(2_654_435_761) >> 24) as u8]).unwrap();
    }
    let run = xtask(&["perft", &folder.file("noise.epd", noise)]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert_eq!(xtask(&["perft", "/dev/null"]).code, 2);
}

#[test]
fn colour_is_used_only_when_wanted() {
    let run = xtask(&["perft", "--fen", "startpos", "--depth", "1", "--color", "always"]);
    assert!(run.out.contains("\u{1b}["), "{}", run.out);
    let run = xtask(&["perft", "--fen", "startpos", "--depth", "1"]);
    assert!(!run.out.contains('\u{1b}'), "{}", run.out);
}
