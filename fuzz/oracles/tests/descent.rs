//! The way down to the first wrong list, held against referees that lie.

use std::collections::HashMap;

use touchmove::{Key, Move, Position, Square, UciMode, UciMove};
use touchmove_oracles::descent::{Difference, Finding, Way, descend};
use touchmove_oracles::referees::{
    Liar, Lie, Naive, Referee, Shakmaty, Silence, Status, Touchmove, WrongList,
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const POSITION_5: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";

/// A move as text in a position; pseudo-legal is enough, so that liars can be told to list it.
fn pseudo_legal(position: &Position, text: &str) -> Move {
    let named = |mv: &Move| UciMove::of(*mv, UciMode::Standard).unwrap().to_string() == text;
    position.pseudo_legal_moves().into_iter().find(named).expect("a pseudo-legal move")
}

fn path(start: &str, moves: &str) -> (Vec<Move>, Position) {
    let mut position: Position = start.parse().unwrap();
    let mut path = Vec::new();
    for text in moves.split_whitespace() {
        let mv = text.parse::<UciMove>().unwrap().resolve(&position, UciMode::Standard).unwrap();
        drop(position.make(mv));
        path.push(mv);
    }
    (path, position)
}

/// A wrong list for the position after some moves: `-e2e4` is missing, `+e1e2` is extra.
fn wrong_list(start: &str, moves: &str, changes: &str) -> (Key, WrongList) {
    let (_, position) = path(start, moves);
    let mut wrong = WrongList::default();
    for change in changes.split_whitespace() {
        let mv = pseudo_legal(&position, &change[1..]);
        match &change[..1] {
            "-" => wrong.missing.push(mv),
            _ => wrong.extra.push(mv),
        }
    }
    (position.key(), wrong)
}

fn go(liar: Lie, start: &str, depth: u32, way: Way) -> Finding {
    let mut honest = Touchmove::default();
    let mut liar = Liar::new(liar);
    descend(&mut honest, &mut liar, start, UciMode::Standard, depth, way).unwrap()
}

fn lists_after(start: &str, moves: &str, only_honest: &str, only_liar: &str) -> Finding {
    let (path, position) = path(start, moves);
    let moves = |texts: &str| {
        let mut moves: Vec<Move> =
            texts.split_whitespace().map(|text| pseudo_legal(&position, text)).collect();
        moves.sort_unstable();
        moves
    };
    let (only_first, only_second) = (moves(only_honest), moves(only_liar));
    let fen = position.to_string();
    Finding::Lists(Box::new(Difference { path, position, fen, only_first, only_second }))
}

fn total(referee: &mut dyn Referee, fen: &str, depth: u32) -> u64 {
    referee.set(fen, UciMode::Standard).unwrap();
    referee.perft(depth).unwrap()
}

#[test]
fn honest_referees_are_the_same_all_the_way_down() {
    for way in [Way::ByMoves, Way::ByFen] {
        for other in [&mut Shakmaty::default() as &mut dyn Referee, &mut Naive::default()] {
            let mut ours = Touchmove::default();
            let found = descend(&mut ours, other, KIWIPETE, UciMode::Standard, 3, way);
            assert_eq!(found, Ok(Finding::Same));
        }
    }
}

#[test]
fn an_error_at_ply_four_is_found_with_its_path_and_list() {
    let moves = "e1g1 e8c8 d2h6";
    let lie = Lie::Lists(HashMap::from([wrong_list(KIWIPETE, moves, "-b6d5")]));
    assert_eq!(total(&mut Liar::new(lie.clone()), KIWIPETE, 3), 97_862);
    assert!(total(&mut Liar::new(lie.clone()), KIWIPETE, 4) < 4_085_603);
    for way in [Way::ByMoves, Way::ByFen] {
        assert_eq!(go(lie.clone(), KIWIPETE, 4, way), lists_after(KIWIPETE, moves, "b6d5", ""));
    }
}

/// Fault `perft-bisect-stops-wrongly`: one branch has a move too few, another one too many.
#[test]
fn two_errors_that_cancel_in_the_count_do_not_stop_the_descent() {
    let lie = Lie::Lists(HashMap::from([
        wrong_list(POSITION_5, "c4d3", "-e7a3"),
        wrong_list(POSITION_5, "c4b3", "+f8e8"),
    ]));
    assert_eq!(total(&mut Liar::new(lie.clone()), POSITION_5, 2), 1486, "the errors cancel");
    assert_eq!(total(&mut Touchmove::default(), POSITION_5, 2), 1486);
    for way in [Way::ByMoves, Way::ByFen] {
        let found = go(lie.clone(), POSITION_5, 2, way);
        assert_eq!(found, lists_after(POSITION_5, "c4b3", "", "f8e8"));
    }
}

/// One list with a move missing and another in its place: no count of this position tells.
#[test]
fn a_list_of_the_right_length_with_a_wrong_move_is_a_difference() {
    let lie = Lie::Lists(HashMap::from([wrong_list(POSITION_5, "c4b3", "-e7a3 +f8e8")]));
    assert_eq!(total(&mut Liar::new(lie.clone()), POSITION_5, 2), 1486, "the errors cancel");
    assert_ne!(total(&mut Liar::new(lie.clone()), POSITION_5, 3), 62_379);
    for way in [Way::ByMoves, Way::ByFen] {
        let found = go(lie.clone(), POSITION_5, 3, way);
        assert_eq!(found, lists_after(POSITION_5, "c4b3", "e7a3", "f8e8"));
    }
}

#[test]
fn a_fault_that_a_fen_does_not_hold_shows_by_moves_alone() {
    let moves = "e1g1 e8c8";
    let lie = Lie::ListsWhenPlayed(HashMap::from([wrong_list(KIWIPETE, moves, "-d2h6")]));
    let by_moves = go(lie.clone(), KIWIPETE, 3, Way::ByMoves);
    assert_eq!(by_moves, lists_after(KIWIPETE, moves, "d2h6", ""));
    let Finding::CountsOnly { path: found, position, counts } = go(lie, KIWIPETE, 3, Way::ByFen)
    else {
        panic!("the lists agree where positions are set up from FENs");
    };
    assert!(path(KIWIPETE, moves).0.starts_with(&found), "{found:?}");
    assert_eq!(counts[0], counts[1] + 1, "{position:?}");
}

/// The classic fault: en passant by a pawn that the rank pins. After the double push our own position has
/// forgotten the square (R3); the referees are told it, or the culprit would look innocent.
#[test]
fn en_passant_against_the_pin_is_found_by_moves_and_by_fen() {
    let start = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let (path, position) = path(start, "e2e4");
    let capture = Move::en_passant(Square::F4, Square::E3);
    let wrong = WrongList { missing: Vec::new(), extra: vec![capture] };
    let lie = Lie::Lists(HashMap::from([(position.key(), wrong)]));
    for way in [Way::ByMoves, Way::ByFen] {
        let fen = "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1".to_string();
        let (path, only_first, only_second) = (path.clone(), Vec::new(), vec![capture]);
        let difference = Difference { path, position, fen, only_first, only_second };
        let found = go(lie.clone(), start, 2, way);
        assert_eq!(found, Finding::Lists(Box::new(difference)), "{way:?}");
    }
}

#[test]
fn a_castling_that_is_never_listed_is_missed_at_once() {
    let found = go(Lie::DropsCastling(Square::H1), KIWIPETE, 1, Way::ByMoves);
    assert_eq!(found, lists_after(KIWIPETE, "", "e1g1", ""));
}

/// Not a count, and so not the descent's to find: the state is asked for.
#[test]
fn a_clock_that_is_off_by_one_shows_in_the_fen() {
    let mut liar = Liar::new(Lie::ClockOffByOne);
    liar.set(KIWIPETE, UciMode::Standard).unwrap();
    assert_ne!(liar.fen(), Ok(KIWIPETE.to_string()));
    assert_eq!(go(Lie::ClockOffByOne, KIWIPETE, 2, Way::ByMoves), Finding::Same);
}

/// A referee that counts otherwise than it lists: every total one too many.
struct Miscounts(Touchmove);

impl Referee for Miscounts {
    fn name(&self) -> &str {
        "miscounts"
    }

    fn set(&mut self, fen: &str, mode: UciMode) -> Result<(), Silence> {
        self.0.set(fen, mode)
    }

    fn play(&mut self, mv: Move) -> Result<(), Silence> {
        self.0.play(mv)
    }

    fn take_back(&mut self) -> Result<(), Silence> {
        self.0.take_back()
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, Silence> {
        self.0.legal_moves()
    }

    fn status(&mut self) -> Result<Status, Silence> {
        self.0.status()
    }

    fn fen(&mut self) -> Result<String, Silence> {
        self.0.fen()
    }

    fn divide(&mut self, depth: u32) -> Result<Vec<(Move, u64)>, Silence> {
        let counts = self.0.divide(depth)?.into_iter();
        Ok(counts.map(|(mv, nodes)| (mv, nodes + 1)).collect())
    }
}

#[test]
fn a_wrong_count_over_right_lists_is_told_as_such() {
    let (mut ours, mut other) = (Touchmove::default(), Miscounts(Touchmove::default()));
    for way in [Way::ByMoves, Way::ByFen] {
        let found = descend(&mut ours, &mut other, KIWIPETE, UciMode::Standard, 3, way).unwrap();
        assert!(matches!(found, Finding::CountsOnly { .. }), "{found:?}");
    }
}
