//! Moves and flags that race: the receive times decide, not the order in which threads win the lock (R17, R20, FIDE 6.8, 6.9).

use std::error::Error;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use touchmove::{
    Color, Draw, Game, Happening, LAG_MAX, Move, Outcome, Position, Standing, Status, Table,
    TableRefusal, Victory,
};

use super::{BLACK, WHITE, code};

const NANO: Duration = Duration::from_nanos(1);
/// White's flag falls here, if White does not move.
const FALL: Duration = Duration::from_secs(60);

fn timed(control: &str) -> Table {
    Table::new(Game::new(Position::default()).with_clock(control.parse().unwrap()))
}

fn lost(winner: Color) -> Status {
    Status::Over(Outcome::Win { winner, by: Victory::FlagFall })
}

/// How a game stands when all is told, its number aside.
fn end(table: &Table) -> Standing {
    Standing { events: 0, ..table.standing() }
}

/// What comes too late hears how the game ended; any other refusal says what it says without a table.
#[test]
fn refusals_are_told() {
    let table = timed("60");
    let told =
        |refusal: TableRefusal| (refusal.to_string(), refusal.source().map(|e| e.to_string()));
    let (shape, cause) = told(table.play(WHITE, "e2e5", FALL - NANO).unwrap_err());
    assert_eq!(shape, "e2e5: a white pawn does not go from e2 to e5");
    assert_eq!(cause, Some(shape));
    let (late, cause) = told(table.play(WHITE, "e2e4", FALL).unwrap_err());
    assert_eq!((late, cause), (format!("too late: {}", lost(BLACK)), None));
}

#[test]
fn a_move_is_in_time_until_the_flag_falls_and_not_at_that_time() {
    for control in ["60", "60+5", "60b5", "55d5"] {
        let in_time = timed(control);
        in_time.play(WHITE, "e2e4", FALL - NANO).unwrap();
        assert_eq!(in_time.status(), Status::Active, "{control}");

        let late = timed(control);
        let Err(TableRefusal::TooLate(event)) = late.play(WHITE, "e2e4", FALL) else {
            panic!("{control}: the flag has fallen")
        };
        assert_eq!((event.happening, event.number()), (Happening::FlagFell(WHITE), 1));
        assert_eq!((late.status(), late.position()), (lost(BLACK), Position::default()));
        assert_eq!(code(late.play(WHITE, "e2e4", FALL - NANO)), Some("game-over"));
    }
}

/// FIDE 6.9: the same game whichever of the two wins the lock.
#[test]
fn the_earlier_receive_time_wins_in_both_orders_of_the_lock() {
    let flags = [FALL - NANO, FALL, FALL + LAG_MAX - NANO];
    for (received, is_in_time) in [(FALL - NANO, true), (FALL, false), (FALL + NANO, false)] {
        for flag in flags {
            let [move_first, flag_first] = [(); 2].map(|()| timed("60"));
            let _perhaps_late = move_first.play(WHITE, "e2e4", received);
            let _perhaps_early = move_first.flag(flag);
            assert_eq!(flag_first.flag(flag), Ok(None), "a move may be on its way");
            let _perhaps_late = flag_first.play(WHITE, "e2e4", received);
            assert_eq!(end(&move_first), end(&flag_first), "{received:?} {flag:?}");
            let right = if is_in_time { Status::Active } else { lost(BLACK) };
            assert_eq!(move_first.status(), right, "{received:?} {flag:?}");
        }
    }
}

#[test]
fn a_flag_is_decided_once_when_it_is_due() {
    let table = timed("60").with_lag_max(Duration::from_millis(50));
    assert_eq!(table.flag_due(), Some(FALL + Duration::from_millis(50)));
    let due = table.flag_due().unwrap();
    assert_eq!(table.flag(due - NANO), Ok(None));
    let event = table.flag(due).unwrap().unwrap();
    assert_eq!((event.happening, event.now.status), (Happening::FlagFell(WHITE), lost(BLACK)));
    assert_eq!(table.flag(due).unwrap_err().code(), "game-over");
    assert_eq!(code(table.play(WHITE, "e2e4", FALL - NANO)), Some("game-over"));
    assert_eq!((table.standing().events, table.flag_due()), (1, None));
}

/// Not only the timer: whoever comes when the flag is due finds it fallen.
#[test]
fn what_others_do_decides_a_flag_that_is_due_and_none_before() {
    let due = FALL + LAG_MAX;
    let early = timed("60");
    early.offer_draw(BLACK, due - NANO).unwrap();
    early.play(WHITE, "e2e4", FALL - NANO).unwrap();
    assert_eq!(early.status(), Status::Active);
    for late in [Table::resign, Table::offer_draw, Table::accept, Table::decline] {
        let table = timed("60");
        assert_eq!(code(late(&table, BLACK, due)), Some("too-late"));
        assert_eq!(table.status(), lost(BLACK));
    }
    for late in [Table::undo, Table::redo] {
        let table = timed("60");
        assert_eq!(code(late(&table, due)), Some("too-late"));
    }
}

/// FIDE 6.9: a bare king cannot mate, so that the fall is a draw.
#[test]
fn a_flag_that_falls_before_a_bare_king_is_a_draw() {
    let start: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    let table = Table::new(Game::new(start).with_clock("60".parse().unwrap()));
    let event = table.flag(FALL + LAG_MAX).unwrap().unwrap();
    assert_eq!(event.now.status, Status::Over(Outcome::Draw(Draw::FlagFallWithoutMate)));
}

/// White's turn ends when its move was received, and Black's begins then, however late the lock was won.
#[test]
fn waiting_for_the_lock_costs_nobody_any_time() {
    let seconds = Duration::from_secs;
    let table = timed("60+2");
    table.play(WHITE, "e2e4", seconds(10)).unwrap();
    // Received before that move was: Black has thought for no time.
    table.play(BLACK, "e7e5", seconds(9)).unwrap();
    let event = table.play(WHITE, "g1f3", seconds(15)).unwrap();
    let left = event.now.clock.unwrap().left;
    assert_eq!((left.white, left.black), (seconds(60 - 10 + 2 - 5 + 2), seconds(62)));
    // R19: the turn begins again when the move is taken back.
    table.undo(seconds(20)).unwrap();
    assert_eq!(table.flag_due(), Some(seconds(20 + 52) + LAG_MAX));
    let again = table.play(WHITE, "b1c3", seconds(21)).unwrap();
    assert_eq!(again.now.clock.unwrap().left.white, seconds(52 - 1 + 2));
}

/// A move that is refused has cost no time, and its player may try again.
#[test]
fn a_refused_move_leaves_the_clock_running() {
    let table = timed("60");
    assert_eq!(code(table.play(WHITE, "e2e5", FALL - NANO)), Some("shape"));
    let event = table.play(WHITE, "e2e4", Duration::from_secs(1)).unwrap();
    assert_eq!(event.now.clock.unwrap().left.white, Duration::from_secs(59));
}

#[test]
fn no_receive_time_is_too_large() {
    let table = timed("60");
    assert_eq!(code(table.play(WHITE, "e2e4", Duration::MAX)), Some("too-late"));
    let never = timed("60").with_lag_max(Duration::MAX);
    assert_eq!((never.flag_due(), never.flag(Duration::MAX)), (None, Ok(None)));
}

/// With threads that race in earnest, two hundred times.
#[test]
fn threads_that_race_agree_with_the_receive_times() {
    for round in 0..200 {
        let (table, barrier) = (timed("60"), Barrier::new(3));
        let received = if round % 2 == 0 { FALL - NANO } else { FALL };
        thread::scope(|threads| {
            threads.spawn(|| {
                barrier.wait();
                let _perhaps_late = table.play(WHITE, "e2e4", received);
            });
            for at in [FALL, FALL + LAG_MAX - NANO] {
                let (table, barrier) = (&table, &barrier);
                threads.spawn(move || {
                    barrier.wait();
                    assert!(table.flag(at).is_ok_and(|event| event.is_none()) || received == FALL);
                });
            }
        });
        let right = if round % 2 == 0 { Status::Active } else { lost(BLACK) };
        assert_eq!(table.status(), right, "round {round}");
    }
}

/// Each player sends its move again and again until its turn has come: whoever wins the lock, a turn costs its ten seconds. A move that
/// was looked at in one turn and played in the next would cost none.
#[test]
fn players_who_cannot_wait_for_their_turn_pay_for_it_all_the_same() {
    const TURN: Duration = Duration::from_secs(10);
    for seed in 0..60 {
        let moves = game_of(seed);
        let (table, barrier) = (timed("3600"), Barrier::new(2));
        thread::scope(|threads| {
            for player in Color::ALL {
                let (table, barrier, moves) = (&table, &barrier, &moves);
                threads.spawn(move || {
                    barrier.wait();
                    for (ply, &mv) in moves.iter().enumerate().skip(player as usize).step_by(2) {
                        let received = TURN * (ply as u32 + 1);
                        let mut refusals = 0;
                        while let Err(refusal) = table.play_move(player, mv, received) {
                            assert_eq!(refusal.code(), "not-your-turn");
                            refusals += 1;
                            assert!(refusals < 20_000_000, "the other side's move was lost");
                        }
                    }
                });
            }
        });
        let left = table.standing().clock.unwrap().left;
        let right = Duration::from_secs(3600) - TURN * (moves.len() as u32 / 2);
        assert_eq!((left.white, left.black), (right, right), "game {seed}");
    }
}

/// Forty moves without an end.
fn game_of(seed: usize) -> Vec<Move> {
    let (mut game, mut draw) = (Game::new(Position::default()), seed);
    while game.outcome().is_none() && game.plies() < 80 {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let legal = game.position().legal_moves();
        game.play_move(game.turn(), legal[(draw >> 33) % legal.len()]).unwrap();
    }
    match game.outcome() {
        None => game.moves().collect(),
        Some(_) => game_of(seed + 1_000),
    }
}

proptest! {
    /// White's one move and any number of looks at the clock, in any order that keeps the promise that nothing is on its way
    /// for longer than `LAG_MAX`: all end alike.
    #[test]
    fn every_order_of_the_lock_ends_in_the_same_game(
        received in 59_000_u64..62_000,
        looks in prop::collection::vec(59_000_u64..63_000, 0..6),
        order in any::<prop::sample::Index>(),
    ) {
        let ms = Duration::from_millis;
        let play = |table: &Table| drop(table.play(WHITE, "e2e4", ms(received)));
        let look = |table: &Table, at| {
            let _perhaps_early = table.flag(ms(at));
        };
        let by_time = timed("60");
        for &at in looks.iter().filter(|&&at| at < received) {
            look(&by_time, at);
        }
        play(&by_time);
        for &at in looks.iter().filter(|&&at| at >= received) {
            look(&by_time, at);
        }
        let raced = timed("60");
        let before = order.index(looks.len() + 1);
        // A look that comes later than a move may be on its way cannot win the lock before it.
        let can_win = |at: u64| ms(at) < ms(received) + LAG_MAX;
        let (first, then): (Vec<u64>, Vec<u64>) =
            (looks[..before].to_vec(), looks[before..].to_vec());
        let (first, overtaken): (Vec<u64>, Vec<u64>) = first.into_iter().partition(|&at| can_win(at));
        first.into_iter().for_each(|at| look(&raced, at));
        play(&raced);
        overtaken.into_iter().chain(then).for_each(|at| look(&raced, at));
        prop_assert_eq!(end(&raced), end(&by_time));
        let in_time = received < 60_000;
        prop_assert_eq!(raced.status(), if in_time { Status::Active } else { lost(BLACK) });
    }
}
