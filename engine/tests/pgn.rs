//! Portable game notation: what is read from files as they occur, what is refused and where, and what is written (R22).

use std::error::Error;
use std::io::{self, BufReader, Read};

use touchmove::{
    BrokenPgn, Color, GameFault, GameResult, Nag, PGN_COMMENT_MAX, PGN_ITEMS_MAX, PGN_NESTING_MAX,
    PGN_TAG_MAX, PgnAnnotation, PgnBuildError, PgnBuilder, PgnComment, PgnFault, PgnFlow, PgnGame,
    PgnJudge, PgnLine, PgnMove, PgnReader, PgnTooLarge, PgnVisitor, Position, Replay, San, UciMode,
    UciMove,
};

fn read(text: &[u8]) -> Vec<Result<PgnGame, Box<BrokenPgn>>> {
    PgnReader::new(text).collect()
}

#[track_caller]
fn games(text: impl AsRef<[u8]>) -> Vec<PgnGame> {
    let read = read(text.as_ref()).into_iter();
    read.map(|game| game.unwrap_or_else(|broken| panic!("{broken}"))).collect()
}

#[track_caller]
fn game(text: impl AsRef<[u8]>) -> PgnGame {
    let mut games = games(text);
    assert_eq!(games.len(), 1);
    games.pop().unwrap()
}

/// A line as its moves in UCI, `0000` for a null move.
fn uci(line: &PgnLine) -> String {
    let write = |played: &PgnMove| match played.mv {
        Some(mv) => UciMove::of(mv, UciMode::Standard).unwrap().to_string(),
        None => UciMove::Null.to_string(),
    };
    line.moves.iter().map(write).collect::<Vec<_>>().join(" ")
}

fn main_line(text: impl AsRef<[u8]>) -> String {
    uci(game(text).line())
}

fn variations(played: &PgnMove) -> Vec<String> {
    played.variations().map(uci).collect()
}

/// Each line with its whole tree: the shape that any reader must find.
#[test]
fn nested_variations_hang_where_they_begin() {
    let nested = game("1. e4 (1. d4 d5 (1... Nf6 2. c4)) 1... e5 *");
    assert_eq!(uci(nested.line()), "e2e4 e7e5");
    assert_eq!(variations(&nested.line().moves[0]), ["d2d4 d7d5"]);
    let variation = nested.line().moves[0].variations().next().unwrap();
    assert_eq!(variations(&variation.moves[1]), ["g8f6 c2c4"]);

    let siblings = game(
        "1. d4 f5 2. Nc3 Nf6 3. Bg5 d5 4. f3 c5 5. dxc5 (5. e4 Nc6 6. Bb5 a6 (6... h6 7. Bxf6 gxf6 \
         8. exd5) 7. Bxc6+ bxc6 8. e5) (5. e3 e6) 5... d4 *",
    );
    let fifth = &siblings.line().moves[8];
    assert_eq!(variations(fifth), ["e2e4 b8c6 f1b5 a7a6 b5c6 b7c6 e4e5", "e2e3 e7e6"]);
    assert_eq!(uci(siblings.line()).split(' ').count(), 10);
}

#[test]
fn comments_of_both_kinds_hide_what_stands_in_them() {
    let comments = |text: &str| -> Vec<String> {
        let game = game(text);
        game.line().moves.iter().flat_map(|m| m.comments()).map(String::from).collect()
    };
    let semicolon = "1. e4 {a; b} e5 *";
    assert_eq!(
        (main_line(semicolon), comments(semicolon)),
        ("e2e4 e7e5".into(), vec!["a; b".into()])
    );
    let brace = "1. e4 ; rest (of {line\n e5 *";
    assert_eq!(
        (main_line(brace), comments(brace)),
        ("e2e4 e7e5".into(), vec!["rest (of {line".into()])
    );
    let two = "1. e4 (1. d4 {A} {[%eval 0.25]} d5) 1... e5 *";
    let variation = game(two).line().moves[0].variations().next().unwrap().clone();
    assert_eq!(variation.moves[0].comments().collect::<Vec<_>>(), ["A", "[%eval 0.25]"]);
    assert_eq!(
        comments("1. e4 { two\nlines } e5 { three\r\nmore\rlines } *"),
        ["two lines", "three more lines"]
    );
    let before = game("{ before } 1. e4 *");
    assert_eq!(before.line().before.len(), 1);
    let before_tags = game("; made by hand\n[Event \"x\"]\n\n1. e4 *");
    assert_eq!((before_tags.line().before.len(), before_tags.tag("Event")), (1, Some("x")));
}

#[test]
fn signs_are_numbers_wherever_they_are_glued() {
    let nags = |text: &str| -> Vec<Vec<u8>> {
        game(text).line().moves.iter().map(|m| m.nags().map(|nag| nag.0).collect()).collect()
    };
    assert_eq!(
        nags("1. e4! e5?! 2. f4!? $14 exf4 $ 13 *".replace("$ 13", "$13").as_str()),
        [vec![1], vec![6], vec![5, 14], vec![13]]
    );
    assert_eq!(
        nags("1. f3 e6 2. g4?? \u{2213} Qh4#!! 0-1"),
        [vec![], vec![], vec![4, 17], vec![3]]
    );
    assert_eq!(nags("1. e4 +- e5 = 2. Nf3 \u{2694} N *"), [vec![18], vec![10], vec![146]]);
    let glued = game("1. e4 (1. d4 $13) 1... e5 *");
    let variation = glued.line().moves[0].variations().next().unwrap();
    assert_eq!(variation.moves[0].nags().collect::<Vec<_>>(), [Nag(13)]);
    assert_eq!(nags("1. e4 e5 (=) 2. d4 ({nothing}) *"), [vec![], vec![], vec![]]);
}

#[test]
fn tags_keep_their_text() {
    let tag = |text: &str| game(format!("{text}\n\n*")).tags().next().unwrap().1.to_string();
    assert_eq!(tag(r#"[Event "The \"Closed\" \\ Dragon"]"#), r#"The "Closed" \ Dragon"#);
    assert_eq!(tag(r#"[Black "[=0040.34h5a4]"]"#), "[=0040.34h5a4]");
    assert_eq!(tag(r#"[Opening "St. George (Baker) defense"]"#), "St. George (Baker) defense");
    assert_eq!(tag(r#"[ Event  "x"  ]"#), "x");
    assert_eq!(tag(r#"[Event ""]"#), "");
    assert_eq!(tag(r#"[Event "a "big" one"]"#), r#"a "big" one"#);
    assert_eq!(tag("[Event \"C:\\\\games\\new\"]"), "C:\\games\\new");
    let latin_1 = game(b"[White \"M\xfcller\"]\n\n1. e4 {sch\xf6n} *");
    assert_eq!(latin_1.tag("White"), Some("Müller"));
    assert_eq!(latin_1.line().moves[0].comments().next(), Some("schön"));
    let one_line = game("[Event \"a\"][Site \"b\"] 1. e4 *");
    assert_eq!((one_line.tag("Site"), uci(one_line.line())), (Some("b"), "e2e4".into()));
}

/// Every file is the same with any line ends, and with a byte order mark.
#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    let text = "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5\n2. Nf3 {a\nb} ; c\n% not here\nNc6 *\n\n[Event \"y\"]\n\n*\n";
    let right = games(text);
    assert_eq!((right.len(), uci(right[0].line()).as_str()), (2, "e2e4 e7e5 g1f3 b8c6"));
    for line_end in ["\r\n", "\r"] {
        assert_eq!(games(text.replace('\n', line_end)), right, "{line_end:?}");
    }
    assert_eq!(games(format!("\u{feff}{text}")), right);
    assert_eq!(games(text.trim_end()), right);
}

/// However the bytes arrive, the games are the same.
#[test]
fn where_the_source_breaks_off_does_not_matter() {
    struct Trickle<'a>(&'a [u8], usize);
    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = self.1.min(buffer.len()).min(self.0.len());
            buffer[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }
    let long = "x".repeat(400);
    let text = format!(
        "\u{feff}[Event \"{long}\"]\r\n\r\n1. e4 {{{long}}} e5 ({long}) *\r\n\r\n[Event \"b\"]\r\n\r\n\
         1. d4 {{\r\n}} d5 $1 (1... Nf6) 1/2-1/2\r\n\r\n1. e4 Ke7 *\r\n\r\n{{{long}"
    );
    let shown = |source: &mut dyn Iterator<Item = Result<PgnGame, Box<BrokenPgn>>>| -> Vec<String> {
        source
            .map(|game| game.map_or_else(|broken| broken.to_string(), |game| game.to_string()))
            .collect()
    };
    let right = shown(&mut PgnReader::new(text.as_bytes()));
    assert_eq!(right.len(), 4);
    for step in [1, 2, 3, 7, 64, 255] {
        let source = BufReader::with_capacity(step, Trickle(text.as_bytes(), step));
        assert_eq!(shown(&mut PgnReader::new(source)), right, "in steps of {step}");
    }
}

#[test]
fn games_end_with_their_result_or_the_next_game() {
    let ends = |text: &str| -> Vec<(usize, GameResult)> {
        games(text).iter().map(|game| (game.line().moves.len(), game.result())).collect()
    };
    use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
    assert_eq!(ends("[Result \"0-1\"]\n\n1. e4 e5"), [(2, BlackWins)]);
    let empty = "[Result \"0-1\"]\n\n 0-1\n\n[Event \"b\"]\n\n1. e4 1/2-1/2";
    assert_eq!(ends(empty), [(0, BlackWins), (1, Draw)]);
    let skipped = "[Event \"a\"][Result \"*\"]\n\n[Event \"b\"]\n\n1. e4 1-0";
    assert_eq!(ends(skipped), [(0, Unknown), (1, WhiteWins)]);
    assert_eq!(ends("[Event \"a\"]\n[Event \"b\"]\n\n1. e4 1-0"), [(0, Unknown), (1, WhiteWins)]);
    assert_eq!(ends("1. e4 1-0 1. d4 d5 0-1\n*\n"), [(1, WhiteWins), (2, BlackWins), (0, Unknown)]);
    assert_eq!(ends("1. e4 e5\n[Event \"b\"]\n1. d4 *"), [(2, Unknown), (1, Unknown)]);
    assert_eq!(ends("[Event \"a\"]"), [(0, Unknown)]);
    for nothing in ["", " \r\n\t\n", "\u{feff}", "% only this"] {
        assert_eq!(ends(nothing), [], "{nothing:?}");
    }
    // How another game ended is no end of this one.
    assert_eq!(ends("1. e4 (1. d4 d5 1-0) 1... e5 0-1"), [(2, BlackWins)]);
}

#[test]
fn move_numbers_are_taken_as_they_come() {
    for text in [
        "1.e4 e5 2.Nf3 *",
        "1 e4 e5 2 Nf3 *",
        "e4 e5 Nf3 *",
        "1. e4 1... e5 7. Nf3 *",
        "1. ... 1.e4 1...e5 2.. Nf3 *",
        "1\u{2026} e4 e5 2.\u{2026}Nf3 *",
        "0001.e4 e5 ... Nf3 *",
    ] {
        assert_eq!(main_line(text), "e2e4 e7e5 g1f3", "{text}");
    }
    assert_eq!(main_line("1. e4 d5 2. e5 f5 3. exf6 e.p. *"), "e2e4 d7d5 e4e5 f7f5 e5f6");
    let castles = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. 0-0 0-0-0 *";
    assert_eq!(main_line(castles), "e1g1 e8c8");
}

#[test]
fn a_game_begins_where_its_tag_says() {
    let black_first = game(
        "[FEN \"3r2k1/2rP1pp1/2q4p/2N5/7Q/4P2P/6P1/3R2K1 b - - 5 38\"]\n\n38... g5 39. Qe4 Qxc5 *",
    );
    assert_eq!(uci(black_first.line()), "g7g5 h4e4 c6c5");
    assert!(black_first.to_string().ends_with("\n\n38... g5 39. Qe4 Qxc5 *\n"));
    let chess960 = game(
        "[SetUp \"1\"]\n[FEN \"1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 1\"]\n[Variant \"Chess960\"]\n\n\
         1... O-O-O *",
    );
    assert_eq!(chess960.start().turn(), touchmove::Color::Black);
    for name in ["Standard", "From Position", "chess 960", "Fischerandom"] {
        assert_eq!(main_line(format!("[Variant \"{name}\"]\n\n1. e4 *")), "e2e4");
    }
}

/// R12a, R21: a null move passes the turn, except in check.
#[test]
fn a_null_move_passes() {
    assert_eq!(main_line("1. e4 -- 2. d4 Z0 *"), "e2e4 0000 d2d4 0000");
    let error = error_of("1. e4 d6 2. Bb5+ -- *");
    let right = "column 18: `--`: ply 4, move 2...: a null move is refused in check";
    assert_eq!(error, format!("game 1, line 1, {right}"));
}

#[track_caller]
fn error_of(text: &str) -> String {
    read(text.as_bytes()).remove(0).unwrap_err().error.to_string()
}

/// What was read before an illegal move is kept, and nothing behind it is joined to it.
#[test]
fn nothing_is_spliced_behind_an_illegal_move() {
    let text = "1. Nf3 f5 2. c4 Nf6 3. g3 e6 4. Ka1 d5 5. O-O c6 6. d3 Bd6 *";
    let broken = read(text.as_bytes()).remove(0).unwrap_err();
    let right = "column 33: `Ka1`: ply 7, move 4.: the mover's own rook stands on a1";
    assert_eq!(broken.to_string(), format!("game 1, line 1, {right}"));
    let PgnFault::Game(GameFault::Move(illegal)) = broken.error.fault() else { panic!("{broken}") };
    assert_eq!((illegal.ply(), illegal.move_number(), illegal.turn()), (7, 4, Color::White));
    assert_eq!(uci(broken.game.line()), "g1f3 f7f5 c2c4 g8f6 g2g3 e7e6");
}

/// Fourteen ways to break a game. Each costs that game alone, and each is told with line and column.
#[test]
fn a_broken_game_costs_no_other() {
    // The line is counted from the first of the broken game.
    let ways = [
        ("illegal move", "[Site \"x\"]\n\n1. e4 e5 2. Ke3 d6 1-0", (4, 13), "shape"),
        ("ambiguous move", "[Site \"x\"]\n\n1. Nf3 d6 2. d3 e5\n3. Nd2 a6 *", (5, 4), "ambiguous"),
        ("not a move", "[Site \"x\"]\n\n1. e4 hello 2. d4 *", (4, 9), "not-a-move"),
        ("variation not closed", "[Site \"x\"]\n\n1. e4 (1. d4 d5 1-0", (6, 1), "variation-open"),
        ("variation not open", "[Site \"x\"]\n\n1. e4 e5) 2. d4 *", (4, 9), "variation-not-open"),
        (
            "variation before a move",
            "[Site \"x\"]\n\n(1. d4) 1. e4 *",
            (4, 1),
            "variation-before-move",
        ),
        ("comment not closed", "[Site \"x\"]\n\n1. e4 {good 1... e5 1-0", (4, 7), "comment-open"),
        ("comment not open", "[Site \"x\"]\n\n1. e4 e5} 2. d4 1-0", (4, 9), "stray-character"),
        ("sign out of range", "[Site \"x\"]\n\n1. e4 $256 e5 1-0", (4, 7), "nag"),
        (
            "stray character",
            "[Site \"x\"]\n\n1. \u{e9}\u{e9} e4 <e5> 1-0",
            (4, 10),
            "stray-character",
        ),
        ("tag not closed", "[Site \"x]\n[Date \"?\"]\n\n1. e4 *", (2, 1), "tag-open"),
        ("tag without a value", "[Site x]\n\n1. e4 *", (2, 1), "tag"),
        (
            "no position",
            "[FEN \"8/8/8/8/8/8/8/K7 w - - 0 1\"]\n[Site \"x\"]\n\n1. e4 *",
            (2, 1),
            "start-position",
        ),
        ("another game", "[Variant \"Atomic\"]\n\n1. e4 *", (2, 1), "variant"),
    ];
    let good = |name: &str| format!("[Event \"{name}\"]\n[Site \"x\"]\n\n1. d4 d5 1/2-1/2\n\n");
    for (name, broken, (line, column), code) in ways {
        let broken = format!("[Event \"broken\"]\n{broken}\n\n");
        let read = read([good("a"), broken, good("b"), good("c")].concat().as_bytes());
        assert_eq!(read.len(), 4, "{name}");
        for (index, event) in [(0, "a"), (2, "b"), (3, "c")] {
            let game = read[index].as_ref().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((game.tag("Event"), uci(game.line()).as_str()), (Some(event), "d2d4 d7d5"));
        }
        let error = &read[1].as_ref().unwrap_err().error;
        let place = (error.game(), error.line(), error.column());
        assert_eq!(place, (2, line + 5, column), "{name}: {error}");
        assert_eq!(error.fault().code(), code, "{name}");
    }
}

/// Games without tags are parted by their results and by empty lines.
#[test]
fn a_broken_game_without_tags_costs_no_other() {
    let shape = |text: &str| -> Vec<Option<String>> {
        read(text.as_bytes())
            .iter()
            .map(|game| game.as_ref().ok().map(|game| uci(game.line())))
            .collect()
    };
    let good = |uci: &str| Some(uci.to_string());
    assert_eq!(shape("1. e4 Ke7 1-0 1. d4 *"), [None, good("d2d4")]);
    assert_eq!(shape("1. e4 (1. d4 Kd7 1-0) e5 1-0 1. d4 *"), [None, good("d2d4")]);
    assert_eq!(shape("1. e4 hello 1-0\n\n1. d4 *"), [None, good("d2d4")]);
    assert_eq!(shape("1. e4 {\n\n[Event \"b\"]\n\n1. d4 *"), [None, good("d2d4")]);
}

/// What stands where a game could begin, and begins none or costs none.
#[test]
fn what_stands_between_games_is_no_game() {
    let shape = |text: &str| -> Vec<Option<String>> {
        let name = |game: PgnGame| game.tag("Event").map_or_else(|| uci(game.line()), String::from);
        read(text.as_bytes()).into_iter().map(|game| game.ok().map(name)).collect()
    };
    let good = |name: &str| Some(name.to_string());
    let [b, c] = ["[Event \"b\"]\n\n1. d4 *\n", "[Event \"c\"]\n\n1. c4 *\n"];
    // A stray character costs itself alone.
    assert_eq!(shape(&format!("}}\n{b}\n{c}")), [None, good("b"), good("c")]);
    assert_eq!(shape(&format!("{b}\n<p>\n{c}")), [good("b"), None, good("c")]);
    // Comments, signs and results behind a result belong to the game that is over.
    for behind in [" {White won}", "\n; resigned", " 1-0", " $1", " *", "!?"] {
        assert_eq!(
            shape(&format!("1. e4 1-0{behind}\n\n{c}")),
            [good("e2e4"), good("c")],
            "{behind}"
        );
    }
    assert_eq!(
        shape(&format!("1. e4 1-0\n\n{{next}} 1. d4 *\n{c}")),
        [good("e2e4"), good("d2d4"), good("c")]
    );
    // A comment among the tags parts nothing, nor does a mark of another file that was joined on.
    assert_eq!(shape("[Event \"a\"]\n; in tags\n[White \"w\"]\n\n1. e4 *"), [good("a")]);
    assert_eq!(shape(&format!("{b}\n\u{feff}{c}")), [good("b"), good("c")]);
    // A star needs no blank, and a number alone is nothing.
    assert_eq!(shape("1. e4 e5*\n1. d4*"), [good("e2e4 e7e5"), good("d2d4")]);
    assert_eq!(shape(&format!("{b}1.\n 7 12...")), [good("b")]);
    // A brace that is never closed costs its own game.
    let open = format!("[Event \"a\"]\n1. e4 {{never\n{b}{c}");
    assert_eq!(shape(&open), [None, good("b"), good("c")]);
    let many = shape(&"1. e4 {\n[Event \"x\"]\n".repeat(300));
    assert_eq!(many.iter().filter(|game| game.is_none()).count(), 300);
    assert_eq!((many.len(), &many[300]), (301, &good("x")));
}

#[test]
fn a_file_in_utf_16_says_so() {
    let utf_16: Vec<u8> = "\u{feff}1. e4 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let read = read(&utf_16);
    assert_eq!(read.len(), 1);
    let error = read[0].as_ref().unwrap_err().to_string();
    assert!(error.ends_with("expected UTF-8 or ISO 8859-1, found UTF-16"), "{error}");
}

/// What is as large as it may be is written and read.
#[test]
fn the_largest_game_reads_back() {
    let mut game = PgnBuilder::new(Position::default());
    let comment = PgnComment::new(&"x".repeat(PGN_COMMENT_MAX)).unwrap();
    for _ in 0..15 {
        game.comment(comment.clone()).unwrap();
    }
    while game.tag("A", "x").is_ok() && game.comment(PgnComment::new("xxx").unwrap()).is_ok() {}
    let game = game.finish(GameResult::Draw);
    assert_eq!(game.to_string().parse::<PgnGame>().unwrap(), game);
    let long_name = "N".repeat(256);
    assert_eq!(
        PgnBuilder::new(Position::default()).tag(&long_name, "x"),
        Err(PgnBuildError::TagName)
    );
}

#[test]
fn errors_point_at_what_they_mean() {
    let open = "game 1, line 1, column 7: `{`: expected `}` before the end of the game";
    assert_eq!(error_of("1. e4 {open"), open);
    assert_eq!(error_of("\u{feff}1. e4 {open"), open, "a mark of the encoding is no column");
    let minus = read("1. e4 1\u{2212}0".as_bytes()).remove(0).unwrap_err();
    assert_eq!(minus.error.text(), "\u{2212}");
    assert_eq!(
        error_of("1. e4 Nf9 *"),
        "game 1, line 1, column 9: \"Nf9\" is no move: expected a rank 1-8"
    );
    assert_eq!(
        error_of("[Variant \"Atomic\"]\n\n*"),
        "game 1, line 1, column 1: `[Variant \"Atomic\"]`: expected chess or Chess960, found the variant \
         \"Atomic\""
    );
    let broken = read(b"1. d4 d5 2. c4 Nc5 3. a3 *").remove(0).unwrap_err();
    assert_eq!(broken.error.excerpt(), "1. d4 d5 2. c4 Nc5 3. a3 *");
    assert_eq!(broken.error.culprit(), 15..18);
    let long = format!("1. d4 {{{}}} d5 2. Qe8 c6 {{{}}} *", "x".repeat(5000), "y".repeat(5000));
    let broken = read(long.as_bytes()).remove(0).unwrap_err();
    assert_eq!((broken.error.column(), broken.error.text()), (5016, "Qe8"));
    assert!(broken.error.excerpt().len() < 300);
}

/// An error hands on what caused it.
#[test]
fn causes_are_told() {
    let cause = |text: &str| {
        let error = read(text.as_bytes()).remove(0).unwrap_err().error;
        let fault = error.source().map(ToString::to_string);
        let why = error.source().and_then(|fault| fault.source()).map(ToString::to_string);
        (fault, why)
    };
    let illegal = "ply 1, move 1.: no such white pawn goes to e5".to_string();
    assert_eq!(cause("1. e5 *"), (Some(illegal.clone()), Some(illegal)));
    let (fen, why) = cause("[FEN \"8/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n*");
    assert_eq!(fen, why.map(|why| format!("the start position: {why}")));
    assert!(matches!(cause("[Variant \"Atomic\"]\n\n*"), (Some(_), None)));
    assert_eq!(cause("1. e4 hello *"), (None, None));
    let (large, _) = cause(&format!("[Site \"{}\"]\n\n*", "x".repeat(PGN_TAG_MAX + 1)));
    assert_eq!(large.as_deref(), Some("a tag has more than 8192 characters"));
}

/// A replay knows how many variations are open, and how many moves led to where it is.
#[test]
fn variations_that_are_open_are_counted() {
    let play = |replay: &mut Replay, san: &str| replay.play(san.parse::<San>().unwrap()).unwrap();
    let mut replay = Replay::new(Position::default());
    assert!(!replay.begin_variation());
    assert_eq!((replay.depth(), replay.plies()), (0, 0));
    play(&mut replay, "e4");
    play(&mut replay, "e5");
    assert!(replay.begin_variation());
    assert_eq!((replay.depth(), replay.plies()), (1, 1));
    play(&mut replay, "c5");
    assert!(replay.begin_variation());
    assert_eq!((replay.depth(), replay.plies()), (2, 1));
    assert!(replay.end_variation());
    assert_eq!((replay.depth(), replay.plies()), (1, 2));
    assert!(replay.end_variation() && !replay.end_variation());
    assert_eq!((replay.depth(), replay.plies()), (0, 2));
}

/// A source that cannot be read ends the games, once.
#[test]
fn a_source_that_fails_is_told_once() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let source = BufReader::new("1. e4 * 1. d4 d5".as_bytes().chain(Broken));
    let shown: Vec<_> =
        PgnReader::new(source).map(|game| game.map_err(|e| e.to_string())).collect();
    assert_eq!(shown.len(), 2);
    assert!(shown[1].as_ref().unwrap_err().ends_with("the disk is gone"), "{shown:?}");
    let error = PgnReader::new(BufReader::new(Broken)).next().unwrap().unwrap_err().error;
    assert_eq!(error.fault().code(), "unreadable");
    assert_eq!(error.source().unwrap().to_string(), "the disk is gone");
}

/// What a visitor sees, in order, and how it ends a game.
#[test]
fn a_visitor_sees_all_of_a_game_or_leaves_it() {
    #[derive(Default)]
    struct Log {
        seen: Vec<String>,
        leaves_at: Option<(&'static str, PgnFlow)>,
    }
    impl Log {
        fn see(&mut self, what: String) -> Result<PgnFlow, String> {
            let leaves = self.leaves_at.filter(|(at, _)| what == *at);
            self.seen.push(what);
            Ok(leaves.map_or(PgnFlow::GoOn, |(_, flow)| flow))
        }
    }
    impl PgnVisitor for Log {
        type Error = String;
        fn begin_game(&mut self) -> Result<PgnFlow, String> {
            self.see("game".into())
        }
        fn tag(&mut self, name: &str, _: touchmove::PgnText<'_>) -> Result<PgnFlow, String> {
            self.see(name.into())
        }
        fn play(&mut self, san: San) -> Result<PgnFlow, String> {
            self.see(san.to_string())
        }
        fn nag(&mut self, nag: Nag) -> Result<PgnFlow, String> {
            self.see(nag.to_string())
        }
        fn comment(&mut self, comment: touchmove::PgnText<'_>) -> Result<PgnFlow, String> {
            self.see(comment.to_str().into_owned())
        }
        fn begin_variation(&mut self) -> Result<PgnFlow, String> {
            self.see("(".into())
        }
        fn end_variation(&mut self) -> Result<PgnFlow, String> {
            self.see(")".into())
        }
        fn result(&mut self, result: GameResult) -> Result<PgnFlow, String> {
            self.see(result.to_string())
        }
    }
    let text = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4! {c} (1. d4 *) e5 1-0\n\n*\n\n[Event \"z\"]\n\n1. c4 *";
    let all = ["game", "Event", "Site", "e4", "$1", "c", "(", "d4", ")", "e5", "1-0"];
    let rest = ["game", "*", "game", "Event", "c4", "*"];
    for flow in [PgnFlow::SkipGame, PgnFlow::Stop] {
        for (index, at) in all.iter().enumerate() {
            let mut log = Log { leaves_at: Some((at, flow)), ..Log::default() };
            let mut reader = PgnReader::new(text.as_bytes());
            assert!(reader.read_game(&mut log).unwrap().is_some());
            assert_eq!(log.seen, all[..=index], "{at} {flow:?}");
            log = Log::default();
            while reader.read_game(&mut log).unwrap().is_some() {}
            assert_eq!(log.seen, rest, "behind {at} {flow:?}");
        }
    }
}

/// Leaves each game at its start, or at its first tag.
struct Leave {
    at_first_tag: bool,
}

impl PgnVisitor for Leave {
    type Error = ();

    fn begin_game(&mut self) -> Result<PgnFlow, ()> {
        Ok(if self.at_first_tag { PgnFlow::GoOn } else { PgnFlow::SkipGame })
    }

    fn tag(&mut self, _: &str, _: touchmove::PgnText<'_>) -> Result<PgnFlow, ()> {
        Ok(PgnFlow::SkipGame)
    }
}

/// How many games begin for somebody who leaves each.
fn games_left(text: &str, at_first_tag: bool) -> u64 {
    let mut reader = PgnReader::new(text.as_bytes());
    while reader.read_game(&mut Leave { at_first_tag }).unwrap().is_some() {}
    reader.games_begun()
}

/// An empty line among tags begins the next game, however lines end and whether or not anybody reads them.
#[test]
fn games_that_are_passed_over_begin_where_others_do() {
    let mut gaps = vec![String::new()];
    for len in 0..5 {
        let longest = gaps.iter().filter(|gap| gap.len() == len);
        let longer = longest.flat_map(|gap| ["\n", "\r", " ", "\t"].map(|end| gap.clone() + end));
        gaps.extend(longer.collect::<Vec<_>>());
    }
    for gap in gaps {
        let line_ends = gap.replace("\r\n", "\n").replace('\r', "\n").matches('\n').count();
        let expected = if line_ends > 1 { 2 } else { 1 };
        for tags in ["[Site \"b\"]", "[Event \"a\"]\n[Site \"b\"]", "[Event \"a\"]\r\n[Site \"b\"]"]
        {
            let text = format!("{tags}{gap}[Date \"c\"]\n\n*");
            assert_eq!(games(&text).len(), expected, "{text:?}");
            for at_first_tag in [false, true] {
                assert_eq!(games_left(&text, at_first_tag), expected as u64, "{text:?}");
            }
        }
    }
}

/// What is hidden from who reads a game is hidden from who passes it over: results that are none, and tags that share a line.
#[test]
fn what_is_passed_over_ends_where_it_would_be_read_to() {
    for text in [
        "[Event \"a\"]\n\n1. e4\n% 1-0 1. d4 *\n1... e5 1-0 1. c4 *",
        "[Event \"a\"]\n\n1. e4 {1-0 *} e5 ; 0-1 *\n2. d4 1-0 1. c4 *",
        "[Event \"a\"]\n\n1. e4 (1. d4 1-0) e5 1-0 1. c4 *",
        "[Event \"a\"]\n[Site \"x\"] [Event \"b\"]\n\n1. c4 *",
        "[Event \"a\"]\n[Site \"x\"] [Event \"b\"]\n[Site \"y\"]\n\n1. c4 *",
    ] {
        assert_eq!(games(text).len(), 2, "{text:?}");
        for at_first_tag in [false, true] {
            assert_eq!(games_left(text, at_first_tag), 2, "{text:?}");
        }
    }
}

/// Games longer than what is read at once: their result, and the tag behind a broken one, come to lie anywhere across the seam.
#[test]
fn a_long_game_is_passed_over_to_its_end() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat((1 << 16) / 16 - 4);
    for shift in 0..64 {
        let blanks = " ".repeat(shift);
        for result in ["1/2-1/2", "1-0", "*"] {
            let text = format!("[Event \"a\"]\n\n{blanks}{shuffle}{result} 1. d4 d5 *");
            assert_eq!(games_left(&text, false), 2, "{result} behind {shift} blanks");
        }
        let text = format!("[Event \"a\"]\n\n1. hello {blanks}{shuffle}\n[Event \"b\"]\n\n1. d4 *");
        let read = read(text.as_bytes());
        assert_eq!(read.len(), 2, "behind {shift} blanks");
        assert!(read[0].is_err() && read[1].is_ok(), "behind {shift} blanks");
    }
}

/// A tag that a line end breaks is one for nobody, from wherever the game is passed over.
#[test]
fn a_broken_tag_is_passed_over_alike_from_everywhere() {
    for broken in
        ["\"\r\"", "\"\n\"", "\"\r\n\"", "\r\"\"", "\"\"\r", "\"a\rb\"", "\"\"\"", "\"\\\""]
    {
        for behind in ["", "\n", "\r", "\n\n"] {
            let text = format!(
                "[FEN \"\"]\n[Site {broken}]\n[Date \"\"]{behind}\n1. e4 *\n\n[Event \"b\"]\n\n*"
            );
            assert_eq!(games_left(&text, true), games_left(&text, false), "{text:?}");
        }
    }
}

#[test]
fn what_is_too_large_is_refused_and_costs_that_game_alone() {
    let ends = |broken: String, why: &str| {
        let text = format!("{broken}\n\n[Event \"b\"]\n\n1. d4 *");
        let read = read(text.as_bytes());
        assert_eq!(read.len(), 2, "{why}");
        let error = read[0].as_ref().unwrap_err().to_string();
        assert!(error.ends_with(why), "{error}");
        assert_eq!(uci(read[1].as_ref().unwrap().line()), "d2d4");
    };
    let nested = "1. e4 ".to_string() + &"(1. d4 ".repeat(PGN_NESTING_MAX + 1);
    ends(nested, "variations are nested more than 100 deep");
    ends(format!("1. e4 {{{}}} *", "x".repeat(PGN_COMMENT_MAX + 1)), "more than 262144 characters");
    ends(format!("1. e4 {{{}", "x".repeat(8 * PGN_COMMENT_MAX)), "more than 262144 characters");
    ends(format!("1. e4 ;{}\n*", "x".repeat(8 * PGN_COMMENT_MAX)), "more than 262144 characters");
    ends("1. e4 ".to_string() + &"x".repeat(1000), "no word here has more than 255 bytes");
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(PGN_ITEMS_MAX / 4);
    ends(shuffle + "e4 *", "or more than 4194304 characters of text");
    ends(format!("{{{}}}", "x".repeat(200_000)).repeat(30), "4194304 characters of text");
    let tag = format!("[Site \"{}\"]\n\n*", "x".repeat(PGN_TAG_MAX + 1));
    ends(tag.clone(), "a tag has more than 8192 characters");
    ends(format!("[Site \"{}", "x".repeat(1 << 20)), "a tag has more than 8192 characters");
    assert_eq!(games("[Event \"y\"]\n".to_string() + &tag.replacen('x', "", 1)).len(), 1);
    // Characters are counted, not bytes.
    let clefs = |len: usize| "\u{1d11e}".repeat(len);
    assert_eq!(games(format!("[Site \"{}\"]\n\n*", clefs(PGN_TAG_MAX))).len(), 1);
    assert_eq!(games(format!("1. e4 {{{}}} *", clefs(PGN_COMMENT_MAX))).len(), 1);
}

/// Section 8.2 of the standard: lines of fewer than 80 characters, the roster first.
#[test]
fn a_game_is_written_in_export_form() {
    let mut game = PgnBuilder::new(Position::default());
    game.tag("White", "A \"B\" \\ C").unwrap();
    game.tag("Round", "1").unwrap();
    game.tag("ECO", "C20").unwrap();
    for san in ["e4", "e5", "Ke2"] {
        let mv = san.parse::<San>().unwrap().resolve(game.position()).unwrap();
        game.play(mv).unwrap();
    }
    game.nag(Nag(4)).unwrap();
    game.comment(PgnComment::new("the king walks, and walks, and walks, and walks on").unwrap())
        .unwrap();
    game.begin_variation().unwrap();
    game.comment(PgnComment::new("a brace } here").unwrap()).unwrap();
    game.play_null().unwrap();
    game.end_variation().unwrap();
    let game = game.finish(GameResult::Draw);
    let right = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n\
                 [White \"A \\\"B\\\" \\\\ C\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n[ECO \"C20\"]\n\n\
                 1. e4 e5 2. Ke2 $4 { the king walks, and walks, and walks, and walks on } (\n\
                 ; a brace } here\n2. -- ) 1/2-1/2\n";
    assert_eq!(game.to_string(), right);
    assert_eq!(right.parse::<PgnGame>().unwrap(), game);
}

/// Lines are broken between words, in comments as well, and nothing is lost by it.
#[test]
fn no_line_has_eighty_characters() {
    let mut game = PgnBuilder::new(Position::default());
    for number in 0..400 {
        let legal = game.position().legal_moves();
        let Some(&mv) = legal.get(number * 7 % legal.len().max(1)) else { break };
        game.play(mv).unwrap();
        let words = vec!["words"; number % 23].join(" ");
        game.comment(PgnComment::new(&format!("{words} \u{e9}  {words}")).unwrap()).unwrap();
    }
    let game = game.finish(GameResult::Unknown);
    let text = game.to_string();
    assert!(text.lines().count() > 300);
    for line in text.lines() {
        assert!(line.chars().count() < 80, "{line:?}");
    }
    assert_eq!(text.parse::<PgnGame>().unwrap(), game);
}

/// Section 8.2.1 of the standard: a line ends where the next token would reach beyond column 79.
#[test]
fn every_line_holds_what_fits() {
    for first in 0..20 {
        let mut game = PgnBuilder::new(Position::default());
        for number in first..first + 300 {
            let legal = game.position().legal_moves();
            let Some(&mv) = legal.get(number * 7 % legal.len().max(1)) else { break };
            game.play(mv).unwrap();
        }
        let text = game.finish(GameResult::Unknown).to_string();
        let lines: Vec<&str> = text.lines().skip_while(|line| !line.is_empty()).skip(1).collect();
        assert!(lines.len() > 5, "{text}");
        for pair in lines.windows(2) {
            let next = pair[1].split(' ').next().unwrap();
            assert!(pair[0].len() < 80 && pair[0].len() + 1 + next.len() > 79, "{pair:?}");
        }
    }
}

#[test]
fn a_builder_refuses_what_a_file_could_not_say() {
    let mut game = PgnBuilder::new(Position::default());
    let start = game.clone().finish(GameResult::Unknown);
    assert_eq!(game.tag("", "x"), Err(PgnBuildError::TagName));
    assert_eq!(game.tag("My Tag", "x"), Err(PgnBuildError::TagName));
    assert_eq!(game.tag("FEN", "x"), Err(PgnBuildError::StartTag));
    assert_eq!(game.tag("Site", "a\nb"), Err(PgnBuildError::TagValue));
    let too_large = Err(PgnBuildError::TooLarge(PgnTooLarge::Tag));
    assert_eq!(game.tag("Site", &"x".repeat(PGN_TAG_MAX + 1)), too_large);
    assert_eq!(game.begin_variation(), Err(PgnBuildError::Variation));
    assert_eq!(game.end_variation(), Err(PgnBuildError::Variation));
    let castles = touchmove::Move::castling(touchmove::Square::E1, touchmove::Square::H1).unwrap();
    assert!(matches!(game.play(castles), Err(PgnBuildError::IllegalMove(_))));
    assert_eq!(game.finish(GameResult::Unknown), start);
}

/// Another start than the usual one is said in tags, and the game begins there when it is read.
#[test]
fn another_start_is_written_and_read() {
    for fen in ["4k3/8/8/8/8/8/4P3/4K3 b - - 3 12", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"] {
        let start: Position = fen.parse().unwrap();
        let mut game = PgnBuilder::new(start);
        game.play(start.legal_moves()[0]).unwrap();
        let game = game.finish(GameResult::Unknown);
        assert_eq!(game.tag("FEN"), Some(start.to_string().as_str()));
        assert_eq!(game.tag("Variant").is_some(), UciMode::of(&start) == UciMode::Chess960);
        assert_eq!(game.to_string().parse::<PgnGame>().unwrap(), game);
    }
}

/// The judge sees what the tree sees, and keeps nothing.
#[test]
fn the_judge_counts_legal_moves_in_variations_too() {
    let mut judge = PgnJudge::new();
    let text = "1. e4 (1. d4 d5 (1... Nf6 2. c4)) 1... e5 *\n\n1. e4 Ke7 *\n\n1. d4 *";
    let mut reader = PgnReader::new(text.as_bytes());
    let mut verdicts = Vec::new();
    while let Some(verdict) = reader.read_game(&mut judge).transpose() {
        verdicts.push(verdict.is_ok());
    }
    assert_eq!((verdicts, judge.moves()), (vec![true, false, true], 8));
    let tree = game("1. e4 (1. d4 d5 (1... Nf6 2. c4)) 1... e5 *");
    assert!(matches!(tree.line().moves[0].after[..], [PgnAnnotation::Variation(_)]));
}

#[test]
fn a_text_is_one_game_and_nothing_else() {
    let error = |text: &str| text.parse::<PgnGame>().unwrap_err().to_string();
    assert_eq!(error(""), "expected a game, found none");
    assert_eq!(error("1. e4 * 1. d4 *"), "expected one game, found another behind it");
    let right = "game 1, line 1, column 4: `e5`: ply 1, move 1.: no such white pawn goes to e5";
    assert_eq!(error("1. e5 *"), right);
}
