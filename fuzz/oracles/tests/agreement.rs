//! All referees say the same of the same positions: random games and random set-ups, standard and Chess960.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use touchmove::{Color, File, Key, Move, Piece, Position, Role, Setup, Square, UciMode, UciMove};
use touchmove_oracles::referees::{
    Copy, CozyChess, Naive, Referee, Shakmaty, Silence, Status, Touchmove, Trial,
};

/// Starts from which games are played: the standard one, some of Chess960, and a few crowded boards.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
    "rkrbbnnq/pppppppp/8/8/8/8/PPPPPPPP/RKRBBNNQ w KQkq - 0 1",
    "nrkrqbbn/pppppppp/8/8/8/8/PPPPPPPP/NRKRQBBN w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/PPP3PP/8/8/8/8/ppp3pp/4K3 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/pppppppp/4k3/8/3K4/8/PPPPPPPP/8 w - - 0 1",
];

fn mode_of(position: &Position) -> UciMode {
    UciMode::of(position)
}

fn all() -> Vec<Box<dyn Referee>> {
    vec![
        Box::new(Touchmove::default()),
        Box::new(Trial::default()),
        Box::new(Copy::default()),
        Box::new(Naive::default()),
        Box::new(Shakmaty::default()),
        Box::new(CozyChess::default()),
    ]
}

/// What a referee says of its position; nothing where it abstains.
#[derive(Debug, PartialEq)]
struct Word {
    moves: BTreeSet<Move>,
    length: usize,
    status: Status,
}

fn ask(referee: &mut dyn Referee) -> Word {
    let moves = referee.legal_moves().unwrap();
    let length = moves.len();
    Word { moves: moves.into_iter().collect(), length, status: referee.status().unwrap() }
}

/// Asks everyone, and returns how many independent ones gave an answer.
fn compare(referees: &mut [Box<dyn Referee>], position: &Position) -> usize {
    let expected = ask(referees[0].as_mut());
    assert_eq!(expected.length, expected.moves.len(), "a move twice in {position:?}");
    assert_eq!(position.key(), Key::of(position), "{position:?}");
    for referee in &mut referees[1..] {
        assert_eq!(ask(referee.as_mut()), expected, "{} in {position:?}", referee.name());
        match referee.fen() {
            Ok(fen) => assert_eq!(fen, position.to_string(), "{}", referee.name()),
            Err(silence) => assert!(matches!(silence, Silence::Abstains(_)), "{silence}"),
        }
    }
    referees.len() - 3
}

/// Sets a position up with everyone who can hold it.
fn set_up(position: &Position, mode: UciMode) -> Vec<Box<dyn Referee>> {
    let fen = position.to_string();
    let holds = |referee: &mut Box<dyn Referee>| match referee.set(&fen, mode) {
        Ok(()) => true,
        Err(Silence::Abstains(_)) => false,
        Err(failed) => panic!("{} {failed}", referee.name()),
    };
    let mut referees = all();
    referees.retain_mut(holds);
    referees
}

fn random_board() -> impl Strategy<Value = Setup> {
    let square = || (0u8..64).prop_map(|index| Square::from_index(index).unwrap());
    let piece = (select(&Role::ALL[..5]), select(&Color::ALL[..]))
        .prop_map(|(role, color)| Piece { color, role });
    let pieces = prop::collection::vec((square(), piece), 0..40);
    let home = || select(vec![None, Some(File::E), Some(File::B), Some(File::G)]);
    (square(), square(), home(), home(), pieces, any::<bool>(), any::<u8>()).prop_map(
        |(white, black, white_home, black_home, pieces, black_moves, rights)| {
            let mut setup = Setup::EMPTY;
            for (square, piece) in pieces {
                setup.board.put(square, piece);
            }
            let at_home = |color: Color, home: Option<File>, anywhere| {
                home.map_or(anywhere, |file| Square::new(file, color.back_rank()))
            };
            for (color, square) in [
                (Color::White, at_home(Color::White, white_home, white)),
                (Color::Black, at_home(Color::Black, black_home, black)),
            ] {
                setup.board.put(square, Piece { color, role: Role::King });
            }
            setup.turn = if black_moves { Color::Black } else { Color::White };
            grant_rights(&mut setup, rights);
            setup
        },
    )
}

/// Gives rooks beside their king the right to castle, as the bits say.
fn grant_rights(setup: &mut Setup, bits: u8) {
    let mut bit = 1;
    for color in Color::ALL {
        let rank = color.back_rank();
        let Some(king) = setup.board.king(color).filter(|king| king.rank() == rank) else {
            continue;
        };
        let mut sides = [false; 2];
        for file in File::ALL {
            let square = Square::new(file, rank);
            let side = usize::from(square > king);
            let rook = setup.board.piece_at(square) == Some(Piece { color, role: Role::Rook });
            if rook && !sides[side] && bits & bit != 0 {
                sides[side] = true;
                setup.castling = setup.castling.with(square);
            }
        }
        bit <<= 1;
    }
}

/// Walks from a position; each step is asked of everyone, then all moves are taken back.
fn walk(start: Position, choices: &[Index]) -> usize {
    let mode = mode_of(&start);
    let mut referees = set_up(&start, mode);
    let (mut position, mut path) = (start, Vec::new());
    let mut independent = compare(&mut referees, &position);
    for choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[choice.index(moves.len())];
        path.push((mv, position));
        drop(position.make(mv));
        for referee in &mut referees {
            referee.play(mv).unwrap_or_else(|error| panic!("{} {error}", referee.name()));
        }
        independent = independent.min(compare(&mut referees, &position));
    }
    while let Some((_, before)) = path.pop() {
        for referee in &mut referees {
            referee.take_back().unwrap();
        }
        position = before;
    }
    compare(&mut referees, &position);
    independent
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    /// R7, R4: fast = trial = copy = naive = shakmaty = cozy, by lists, status, FEN and key, at every ply.
    #[test]
    fn everyone_agrees_over_random_games(
        start in select(&STARTS[..]),
        choices in prop::collection::vec(any::<Index>(), 0..120),
    ) {
        let independent = walk(start.parse().unwrap(), &choices);
        prop_assert!(independent >= 2, "three other programs hold these starts");
    }

    /// The same from positions that no game leads to.
    #[test]
    fn everyone_agrees_over_random_set_ups(
        setup in random_board(),
        choices in prop::collection::vec(any::<Index>(), 0..6),
    ) {
        prop_assume!(setup.validate().is_ok());
        walk(setup.validate().unwrap(), &choices);
    }
}

/// FIDE 3.8.2, R2: the same text may be castling or a king's step; each mode has its own.
#[test]
fn castling_is_one_move_and_two_texts() {
    let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    let castling = Move::castling(Square::E1, Square::H1).unwrap();
    for mut referee in set_up(&position, UciMode::Chess960) {
        assert!(referee.legal_moves().unwrap().contains(&castling), "{}", referee.name());
    }
    let text = |mode| UciMove::of(castling, mode).unwrap().to_string();
    assert_eq!((text(UciMode::Standard), text(UciMode::Chess960)), ("e1g1".into(), "e1h1".into()));
}

/// The second opinion is worth something only as long as it shares nothing with the first.
#[test]
fn naive_uses_nothing_of_the_engine_but_the_types_of_the_interface() {
    let referees = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/referees");
    let rooms: BTreeSet<String> = fs::read_dir(referees.join("naive"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_string())
        .collect();
    for expected in ["attacks", "board", "fen", "moves", "play", "situation", "tests"] {
        assert!(rooms.contains(&format!("{expected}.rs")), "{expected} is not in {rooms:?}");
    }
    let own: BTreeSet<&str> =
        rooms.iter().map(|room| room.strip_suffix(".rs").expect("naive has no folders")).collect();
    for file in rooms.iter().map(|room| format!("naive/{room}")).chain(["naive.rs".to_string()]) {
        let source = fs::read_to_string(referees.join(&file)).unwrap();
        assert_engine_lends_only_types(&file, &source);
        assert_paths_stay_at_home(&file, &source, &own);
    }
    let naive = fs::read_to_string(referees.join("naive.rs")).unwrap();
    let from_referees: Vec<&str> = imports(&naive, "super::").collect();
    assert_eq!(from_referees, ["{Referee, Silence, Status}"], "naive.rs knows the interface only");
    assert_eq!(naive.matches("super::").count(), 1, "naive.rs knows the interface only");
}

/// What a source imports from below this root, as it is written there.
fn imports<'a>(source: &'a str, root: &'a str) -> impl Iterator<Item = &'a str> {
    let imports = source.split(';').filter_map(|statement| statement.trim().split("use ").last());
    imports.filter_map(move |import| import.trim_start_matches(':').strip_prefix(root))
}

/// One import from the engine at most, of types that all referees speak in; no other mention of it.
fn assert_engine_lends_only_types(file: &str, source: &str) {
    const ALLOWED: [&str; 8] =
        ["Color", "File", "Move", "MoveKind", "PromotionRole", "Rank", "Square", "UciMode"];
    let lent: Vec<&str> = imports(source, "touchmove::").collect();
    assert!(lent.len() <= 1, "one import from the engine: {file} has {lent:?}");
    assert_eq!(
        source.matches("touchmove").count(),
        lent.len(),
        "{file} names the engine elsewhere"
    );
    for names in lent {
        for name in names.trim_matches(['{', '}', '\n', ' ']).split(',').map(str::trim) {
            assert!(name.is_empty() || ALLOWED.contains(&name), "{file} imports {name}");
        }
    }
}

/// No path goes through another module of this crate, or another crate: `a::` is a room of naive's
/// own, a number, or one of the few words below.
fn assert_paths_stay_at_home(file: &str, source: &str, own: &BTreeSet<&str>) {
    const WORDS: [&str; 6] = ["touchmove", "super", "self", "std", "u16", "usize"];
    assert!(!source.contains("super::super"), "{file} reaches beyond naive");
    assert!(!source.contains("#[path"), "{file} has a module from elsewhere");
    for (at, _) in source.match_indices("::") {
        let before = &source[..at];
        let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
        let is_module = word.starts_with(|c: char| c.is_lowercase() || c == '_')
            && !source[at..].starts_with("::<");
        assert!(
            !is_module || WORDS.contains(&word) || own.contains(word),
            "{file} names `{word}::`"
        );
    }
}
