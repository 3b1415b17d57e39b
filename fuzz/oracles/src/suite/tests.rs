//! Suites in every form, read as users have them, and random bytes; through `Suite` only.

use super::reader::LINE_MAX;
use super::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
/// Kings on e1 and e8, rooks on b1 and b8.
const INNER_ROOKS: &str = "1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1";

fn parse(text: &str) -> Suite {
    Suite::parse("test.epd", text.as_bytes())
}

fn clean(text: &str) -> Vec<Line> {
    let suite = parse(text);
    assert_eq!(suite.errors, [], "{text}");
    suite.lines
}

fn only(text: &str) -> Line {
    let mut lines = clean(text);
    assert_eq!(lines.len(), 1, "{text}");
    lines.remove(0)
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

#[test]
fn our_form_is_read() {
    let line = only(&format!(
        "{START} ;D2 400 ;D1 20 ;id start position ;c0 check, capture ,,mate ;c1 as of 1851"
    ));
    assert_eq!(line.position, position(START));
    assert_eq!(line.counts, [(1, 20), (2, 400)]);
    assert_eq!(
        (line.id.as_deref(), line.name().as_str()),
        (Some("start position"), "start position")
    );
    assert_eq!(line.events, ["check", "capture", "mate"]);
    assert_eq!(line.remark.as_deref(), Some("as of 1851"));
    assert_eq!((line.number, line.mode), (1, UciMode::Standard));
    assert_eq!(line.mode_source, ModeSource::Position);
}

#[test]
fn our_form_is_read_with_four_fields_and_without_blanks() {
    let line = only(&format!("{KIWIPETE};D0 1;D1 48;perft 2 2039;;"));
    assert_eq!(line.position, position(&format!("{KIWIPETE} 0 1")));
    assert_eq!(line.counts, [(0, 1), (1, 48), (2, 2039)]);
    assert_eq!((line.id.as_deref(), line.name().as_str()), (None, "line 1"));
}

/// R23: quoted strings may hold `;`, `hmvc` and `fmvn` set the clocks, unknown opcodes do no harm.
#[test]
fn epd_is_read() {
    let line = only(&format!(
        "{KIWIPETE} id \"kiwi; pete\"; D1 48; bm O-O e2a6; d2 2039; hmvc 7; fmvn 9; c0 \"a;b,c\"; c1 \"\";"
    ));
    assert_eq!(line.position, position(&format!("{KIWIPETE} 7 9")));
    assert_eq!(line.counts, [(1, 48), (2, 2039)]);
    assert_eq!(line.id.as_deref(), Some("kiwi; pete"));
    assert_eq!(line.events, ["a;b", "c"]);
    assert_eq!(line.remark, None);
}

#[test]
fn opcodes_directly_behind_six_fields_are_read() {
    assert_eq!(only(&format!("{START} D1 20; id five\" disk")).id.as_deref(), Some("five\" disk"));
}

#[test]
fn blocks_are_read() {
    let lines = clean(&format!(
        "id gentest-1\nepd {START}\nperft 1 20\n\n# between\nperft 2 400\n\n\
         epd {KIWIPETE}\nperft 1 48\nid \"last; one\"\n\nepd {KIWIPETE} D1 48\n"
    ));
    let read: Vec<_> =
        lines.iter().map(|line| (line.number, line.name(), &line.counts[..])).collect();
    type Expected<'a> = (usize, String, &'a [(u32, u64)]);
    let expected: [Expected<'_>; 3] = [
        (2, "gentest-1".to_string(), &[(1, 20), (2, 400)]),
        (8, "line 8".to_string(), &[(1, 48)]),
        (12, "last; one".to_string(), &[(1, 48)]),
    ];
    assert_eq!(read, expected);
}

#[test]
fn counts_by_the_word_are_read() {
    let line = only(&format!("{START}; perft 6 = 119060324; Perft 1=20"));
    assert_eq!(line.counts, [(1, 20), (6, 119_060_324)]);
}

#[test]
fn forms_mix_and_file_ends_of_every_system_do_no_harm() {
    let tabs = START.replace(' ', "\t");
    let lines = clean(&format!(
        "\u{feff}# comment\r\n\r\n% note \r\n  {tabs}\t;\tD1\t20\t\r\nepd {START}\r\nperft 1 20\r\n\
         {START}; perft 1 = 20\r\n\t\r\n{KIWIPETE} D1 48;"
    ));
    assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [4, 5, 7, 9]);
    assert!(clean("").is_empty());
}

#[test]
fn a_variant_line_sets_the_mode_until_another_does() {
    let lines = clean(&format!(
        "{INNER_ROOKS} ;D1 1\n{START} ;D1 20\n# Variant : Chess960\n{START} ;D1 20\nepd {START}\nperft 1 20\n\
         #variant:standard\n{START} ;D1 20\n# variant unnamed\n# a: b\n"
    ));
    let modes: Vec<_> = lines.iter().map(|line| (line.mode, line.mode_source)).collect();
    assert_eq!(
        modes,
        [
            (UciMode::Chess960, ModeSource::Position),
            (UciMode::Standard, ModeSource::Position),
            (UciMode::Chess960, ModeSource::Variant(3)),
            (UciMode::Chess960, ModeSource::Variant(3)),
            (UciMode::Standard, ModeSource::Variant(7)),
        ]
    );
}

/// What an error underlines, and that its message holds `message`.
#[track_caller]
fn assert_error(text: &str, line: usize, underlined: &str, message: &str) {
    let suite = parse(text);
    let [error] = &suite.errors[..] else { panic!("{:?}\n{text}", suite.errors) };
    assert_eq!(error.line, line, "{error}");
    assert!(error.message.contains(message), "{error}");
    let chars = error.text.chars().skip(error.column - 1).take(error.length);
    assert_eq!(chars.collect::<String>(), underlined, "{error}");
}

#[test]
fn a_malformed_count_is_shown_where_it_stands() {
    let at = |tail: &str| format!("# é\n{START} ;id é ;{tail}");
    assert_error(&at("D1"), 2, "", "expected a count");
    assert_error(&at("D1 2O"), 2, "O", "digits only, found `O`");
    assert_error(&at("D1 -20"), 2, "-", "digits only, found `-`");
    assert_error(&at("perft 6 = 119,060,324"), 2, ",", "digits only, found `,`");
    assert_error(&at("D1 20 D2 400"), 2, "D2 400", "expected `;` or the end");
    assert_error(&at("D1 18446744073709551616"), 2, "18446744073709551616", "at most");
    assert_error(&at("D100 20"), 2, "100", "a depth of at most 99");
    assert_error(&at("D99999999999999999999 20"), 2, "99999999999999999999", "at most 99");
    assert_error(&at("D 1 20"), 2, " ", "expected a depth");
    assert_error(&at("D1=20"), 2, "D1=20", "expected an opcode");
    assert_error(&at("D1 20 ;D2 400 ;perft 1 20"), 2, "1", "one count for depth 1");
    assert_error(&at("D1 20 ;D2 400 ;D01 20"), 2, "D01", "one count for depth 1");
    assert_error(&at("perft = 20"), 2, "=", "expected a depth");
    assert_error(&at("perft 1 ="), 2, "", "expected a count");
    assert_error(&at("20"), 2, "20", "expected an opcode");
    assert_error(&at("bm e4"), 2, "", "at least one count");
    assert_eq!(clean(&at("D1 18446744073709551615"))[0].counts, [(1, u64::MAX)]);
}

#[test]
fn a_malformed_opcode_is_shown_where_it_stands() {
    assert_error(&format!("{START} ;D1 20 ;id \"a;b"), 1, "\"a;b", "closing quotation mark");
    assert_error(&format!("{START} ;id a ;D1 20 ;id b"), 1, "id", "once");
    assert_error(&format!("{KIWIPETE} D1 48; hmvc x;"), 1, "x", "digits only");
    assert_error(&format!("{KIWIPETE} D1 48; fmvn 10000;"), 1, "10000", "at most 9999");
}

#[test]
fn a_wrong_fen_is_shown_where_it_stands() {
    assert_error("  8/8/8/8/8/8/8/9 w - - 0 1 ;D1 20", 1, "9", "");
    assert_error("é ;D1 20", 1, "é", "");
    assert_error("hello world, this is é no suite at all", 1, "hello", "");
    assert_error(&format!("{START} 5 ;D1 20"), 1, " ", "six fields");
    assert_error("8/8/8/8/8/8/8/8 w - - 0 1; D1 20", 1, "8/8/8/8/8/8/8/8 w - - 0 1", "king");
    assert_error(&format!("{KIWIPETE} 0  1 ;D1 20"), 1, " ", "move number: expected");
    assert_error(&START.replace("KQkq", "KQxq"), 1, "xq", "");
    assert_error(&format!("epd {}\nperft 1 20", START.replace('w', "x")), 1, "x", "");
}

/// R2: standard chess has its king on e1 and its rooks on a1 and h1.
#[test]
fn rights_of_chess960_are_refused_in_a_standard_file() {
    let text = format!("# variant: standard\n{INNER_ROOKS} ;D1 1");
    assert_error(&text, 2, "Bb", "castling rights of standard chess");
    assert_error("# variant: atomic\n", 1, "atomic", "`standard` or `chess960`");
    assert_error("# variant:\n", 1, "", "`standard` or `chess960`");
}

#[test]
fn what_a_block_lacks_is_an_error_of_its_first_line() {
    assert_error("perft 1 20\n", 1, "perft 1 20", "an `epd` line before");
    assert_error("id a\nperft 1 20", 2, "perft 1 20", "an `epd` line before");
    assert_error(&format!("id a\n\n{START} ;D1 20"), 1, "", "an `epd` line after");
    assert_error(
        &format!("id a\nepd {START}\n\nid b\nepd {START}\nperft 1 20"),
        2,
        "",
        "one count",
    );
    assert_error(&format!("epd {START}\nperft 1 20\nperft 2 4OO"), 3, "O", "digits only");
    assert_error(&format!("epd {START}\nperft 1 2o"), 2, "o", "digits only");
    assert_error(&format!("epd {START}\nperft 1 20\nperft 1 20"), 3, "1", "one count");
}

#[test]
fn a_block_with_one_wrong_count_keeps_the_others() {
    let suite = parse(&format!("epd {START}\nperft 1 20\nperft 2 x\nperft 3 8902"));
    assert_eq!(suite.lines[0].counts, [(1, 20), (3, 8902)]);
    assert_eq!(suite.errors.len(), 1);
}

#[test]
fn errors_come_in_the_order_of_the_file_and_the_rest_is_read() {
    let suite = parse(&format!("id a\n# \n\nrubbish\n{START} ;D1 20\nid b\nrubbish\nid c"));
    assert_eq!(suite.errors.iter().map(|error| error.line).collect::<Vec<_>>(), [1, 4, 6, 7, 8]);
    assert_eq!(suite.lines[0].number, 5);
}

#[test]
fn bytes_that_are_no_text_are_an_error_of_their_line() {
    let mut bytes = format!("# caf\u{e9}\n{START} ;c1 ab").into_bytes();
    bytes.extend(b"\xff\xfe ;D1 20\n");
    bytes.extend(format!("{START} ;D1 20 ;c1 \0\n{START} ;D1 20\n# latin caf").bytes());
    bytes.push(b'\xe9');
    let suite = Suite::parse("x", &bytes);
    let places: Vec<_> = suite.errors.iter().map(|error| (error.line, error.column)).collect();
    assert_eq!(places, [(2, START.len() + 8), (3, START.len() + 13)]);
    assert!(suite.errors[1].message.contains("U+0000"), "{}", suite.errors[1]);
    assert!(!suite.errors[1].text.contains('\0'));
    assert_eq!(suite.lines[0].number, 4);
    assert!(parse("\0\x01\x02").errors[0].message.contains("U+0000"));
    let utf16 = Suite::parse("x", b"\xff\xfer\0n\0");
    assert!(utf16.errors[0].message.contains("UTF-16"));
}

#[test]
fn an_overlong_line_is_an_error_of_that_line() {
    let long = format!("{START} ;D1 20 ;c1 {}", "é".repeat(LINE_MAX / 2));
    let suite = parse(&format!("{long}\n{START} ;D1 20"));
    assert!(suite.errors[0].message.contains("65536"), "{}", suite.errors[0]);
    assert!(suite.errors[0].text.len() < 300);
    assert_eq!((suite.errors.len(), suite.lines.len()), (1, 1));
}

#[test]
fn a_file_that_is_no_suite_is_given_up() {
    let suite = parse(&"x\n".repeat(5000));
    assert_eq!(suite.errors.len(), ERRORS_MAX + 1);
    assert!(suite.errors[ERRORS_MAX].message.contains("no more is read"));
}

#[test]
fn files_that_are_no_files_are_refused() {
    let folder = std::env::temp_dir();
    assert_eq!(Suite::read(&folder).unwrap_err().kind(), io::ErrorKind::IsADirectory);
    let missing = folder.join(format!("no-such-suite-{}", std::process::id()));
    assert_eq!(Suite::read(&missing).unwrap_err().kind(), io::ErrorKind::NotFound);
    if cfg!(unix) {
        assert!(Suite::read("/dev/zero").unwrap_err().to_string().contains("nor a pipe"));
    }
}

#[test]
fn a_file_is_read_and_a_huge_one_refused() {
    let path = std::env::temp_dir().join(format!("suite-{}.epd", std::process::id()));
    std::fs::write(&path, format!("{START} ;D1 20")).unwrap();
    let small = Suite::read(&path).unwrap();
    // Sparse: it takes no room on the disk.
    File::options().write(true).open(&path).unwrap().set_len(FILE_MAX + 1).unwrap();
    let huge = Suite::read(&path).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert_eq!((small.lines.len(), small.path), (1, path));
    assert!(huge.to_string().contains("256 MiB"), "{huge}");
}

/// xorshift64*, so that each run feeds the same bytes.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        const SPICE: &[&[u8]] = &[
            b";",
            b"\"",
            b" ",
            b"\t",
            b"\n",
            b"\r",
            b"=",
            b"D1 1",
            b"id",
            b"epd ",
            b"perft 1 1",
            b"# variant: standard\n",
            b"#",
            b"\0",
            b"\xff",
            b"\xef\xbb\xbf",
            "é".as_bytes(),
            b"9999999999",
        ];
        for _ in 0..self.below(6) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(12)).min(bytes.len());
            match self.below(4) {
                0 => drop(bytes.drain(at..end)),
                1 if at < end => bytes[at] = self.below(256) as u8,
                2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
                _ => drop(bytes.splice(at..at, SPICE[self.below(SPICE.len())].to_vec())),
            }
        }
        let len = bytes.len();
        if self.below(8) == 0 {
            bytes.truncate(self.below(len + 1));
        }
    }
}

#[track_caller]
fn assert_sane(bytes: &[u8]) {
    let suite = Suite::parse("random", bytes);
    let lines = bytes.split(|&byte| byte == b'\n').count();
    for error in &suite.errors {
        let width = error.text.chars().count();
        assert!((1..=lines).contains(&error.line), "{error}");
        assert!((1..=width + 1).contains(&error.column) && error.length >= 1, "{error}");
        assert!(error.column + error.length <= width + 2, "{error}");
        assert!(!error.message.is_empty());
    }
    for line in &suite.lines {
        assert!((1..=lines).contains(&line.number) && !line.counts.is_empty());
        assert!(line.counts.is_sorted_by(|a, b| a.0 < b.0), "{line:?}");
    }
}

#[test]
fn no_bytes_make_it_panic() {
    let seed = format!(
        "# variant: chess960\n{START} ;D1 20 ;id a\r\n{KIWIPETE} D1 48; id \"x;y\"; hmvc 3;\n\
         id b\nepd {KIWIPETE}\nperft 1 48\n{START}; perft 1 = 20\n"
    );
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..6000 {
        let mut bytes = seed.clone().into_bytes();
        random.mutate(&mut bytes);
        assert_sane(&bytes);
    }
    for _ in 0..2000 {
        let len = random.below(200);
        let bytes: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
        assert_sane(&bytes);
    }
}
