//! Two questions on one board: what is certain of their schedules, by enumeration; `shuttle.rs` has
//! threads take them.
//!
//! Tests marked for a build without debug assertions are run by `cargo xtask ci races`: with them the engine refuses to
//! make a move on a torn board, which is a fact of its own and stands here as well.

use touchmove::{Move, Position, UciMode, UciMove};
use touchmove_oracles::schedules::{Duel, Harm, Order, Schedule, Survey};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// All 48 moves that the shapes allow are legal: no pin, no check, no castling through one.
const MOVES: u64 = 48;
const PAIRS: u64 = MOVES * MOVES;

fn kiwipete() -> Position {
    KIWIPETE.parse().unwrap()
}

fn mv(text: &str) -> Move {
    text.parse::<UciMove>().unwrap().resolve(&kiwipete(), UciMode::Standard).unwrap()
}

fn duel(a: &str, b: &str) -> Duel {
    Duel { start: kiwipete(), moves: [mv(a), mv(b)] }
}

fn schedule(text: &str) -> Schedule {
    Schedule::all().into_iter().find(|schedule| schedule.to_string() == text).unwrap()
}

fn harms(duel: &Duel, order: Order) -> Vec<Harm> {
    let schedules = Schedule::all().into_iter().filter(|schedule| schedule.order() == order);
    schedules.map(|schedule| duel.play(schedule).harm).collect()
}

/// Six choose three. A question inside another: the outer one's look is in one of four places, times two askers. The
/// rest crosses.
#[test]
fn two_questions_of_three_steps_have_twenty_orders() {
    let all = Schedule::all();
    let count = |order| all.iter().filter(|schedule| schedule.order() == order).count();
    assert_eq!(Order::ALL.map(count), [2, 8, 10]);
    let mut texts: Vec<String> = all.iter().map(Schedule::to_string).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), 20);
}

/// The control. One lock for each question allows these orders and no other.
#[test]
fn questions_one_by_one_are_answered_rightly_and_leave_nothing_behind() {
    let survey = Survey::of(&kiwipete());
    assert_eq!(survey.pairs, PAIRS);
    assert_eq!(survey.count(Order::OneByOne, Harm::Nothing), 2 * PAIRS);
    assert_eq!(survey.answered_wrongly(Order::OneByOne), 0);
}

/// Who takes back last made second, so the key put back is one with the other's move on the board: half of all schedules
/// do harm, whatever the moves.
#[test]
fn whoever_crosses_does_harm() {
    let survey = Survey::of(&kiwipete());
    assert_eq!(survey.count(Order::Crossed, Harm::Nothing), 0);
    assert_eq!(survey.count(Order::Crossed, Harm::Answer), 0);
    let harmful: u64 = Harm::ALL.iter().map(|&harm| survey.count(Order::Crossed, harm)).sum();
    assert_eq!(harmful, 10 * PAIRS);
}

/// The second move is White's and it is Black's turn: no such move is pseudo-legal.
#[test]
#[cfg_attr(not(debug_assertions), ignore = "it is about debug assertions")]
fn with_debug_assertions_no_second_move_is_made() {
    let survey = Survey::of(&kiwipete());
    assert_eq!(survey.count(Order::Nested, Harm::Panic), 8 * PAIRS);
    assert_eq!(survey.count(Order::Crossed, Harm::Panic), 10 * PAIRS);
}

/// The engine indexes nothing by what it finds on a board, so a board that cannot be gives no panic, only nonsense.
#[test]
#[cfg_attr(debug_assertions, ignore = "cargo xtask ci races runs it without debug assertions")]
fn without_debug_assertions_nothing_tells_that_the_board_is_torn() {
    let survey = Survey::of(&kiwipete());
    let panics: u64 = Order::ALL.iter().map(|&order| survey.count(order, Harm::Panic)).sum();
    assert_eq!(panics, 0);
}

/// B's king is moved as a black one, to d1, where the white knight on c3 attacks it. King moves come and go in pairs, so
/// the board is as before.
#[test]
#[cfg_attr(debug_assertions, ignore = "cargo xtask ci races runs it without debug assertions")]
fn a_question_inside_another_can_be_answered_wrongly_and_leave_no_trace() {
    let played = duel("a1b1", "e1d1").play(schedule("AABBBA"));
    assert_eq!(played.harm, Harm::Answer);
    assert_eq!(played.steps, 4, "B's look is the fourth step");
}

/// What is taken back is what was made last: the record says what moved and what was captured, whatever stands on the board by then.
/// So no question inside another leaves a trace.
#[test]
#[cfg_attr(debug_assertions, ignore = "cargo xtask ci races runs it without debug assertions")]
fn a_question_inside_another_is_wrong_in_its_answer_or_not_at_all() {
    let survey = Survey::of(&kiwipete());
    let count = |harm| survey.count(Order::Nested, harm);
    assert_eq!(count(Harm::Nothing) + count(Harm::Answer), 8 * PAIRS);
    assert!(count(Harm::Answer) > 0);
}

/// Crossed, each taking back undoes what was made with the kinds of pieces, but as a move of the other side. So the colours come
/// back right only of who asks the same question twice, and captures both times or neither. The second finds the
/// origin empty, which is taken for a pawn, and its own piece at the end: a pawn that goes straight ahead captures nothing, any other
/// captures that. So captures are spared that do not go straight ahead, other moves that do, and castling, which captures nothing.
/// What is put back last, key and all, is that after one move.
#[test]
#[cfg_attr(debug_assertions, ignore = "cargo xtask ci races runs it without debug assertions")]
fn a_crossing_spares_the_board_only_of_three_kinds_of_moves() {
    let captures = ["d5e6", "g2h3", "e2a6", "e5d7", "e5f7", "e5g6", "f3h3"];
    let castlings = ["e1g1", "e1c1"];
    let straight_ahead = ["a2a3", "a2a4", "b2b3", "d5d6", "g2g3", "g2g4", "f3f4", "f3f5"];
    let spared = [&captures[..], &castlings, &straight_ahead].concat();
    for &text in &spared {
        assert_eq!(harms(&duel(text, text), Order::Crossed), [Harm::HiddenState; 10], "{text}");
    }
    let survey = Survey::of(&kiwipete());
    assert_eq!(survey.count(Order::Crossed, Harm::HiddenState), 10 * spared.len() as u64);
    let straight_capture = duel("f3f6", "f3f6");
    assert_eq!(harms(&straight_capture, Order::Crossed), [Harm::Board; 10]);
}

#[test]
fn the_shortest_example_of_each_harm_says_what_is_wrong() {
    let survey = Survey::of(&kiwipete());
    for harm in Harm::ALL.into_iter().skip(1) {
        let Some(example) = survey.shortest(harm) else { continue };
        let (told, end) = (example.to_string(), example.played.steps);
        assert_eq!(example.played.harm, harm);
        assert!(told.contains(&format!("\n{end}. ")), "{told}");
        match harm {
            Harm::Nothing => unreachable!("it is skipped"),
            Harm::Answer => assert!(told.contains("That is WRONG."), "{told}"),
            Harm::HiddenState | Harm::Board => assert!(told.contains("At the end: "), "{told}"),
            Harm::Panic => assert!(told.contains("The engine panicked at "), "{told}"),
        }
    }
}
