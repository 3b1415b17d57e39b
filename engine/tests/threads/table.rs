//! One game, many threads: every action happens once and whole.

use std::sync::Barrier;
use std::thread;

use touchmove::{
    Claim, Claimed, Draw, EnPassantFen, GameResult, Hall, Happening, Outcome, Status, Table,
    Victory,
};

use super::{BLACK, NOW, WHITE, code, play, table};

#[test]
fn tables_and_halls_can_be_shared_and_sent() {
    fn shared<T: Send + Sync>() {}
    shared::<Table>();
    shared::<Hall>();
}

/// Of eight who send the same move, one has played it; for the others it is not their turn any more.
#[test]
fn a_move_that_many_send_at_once_is_played_once() {
    for _ in 0..200 {
        let (table, barrier) = (table(), Barrier::new(8));
        let send = || {
            barrier.wait();
            table.play(WHITE, "e2e4", NOW)
        };
        let answers: Vec<_> = thread::scope(|threads| {
            let senders: Vec<_> = (0..8).map(|_| threads.spawn(send)).collect();
            senders.into_iter().map(|sender| sender.join().unwrap()).collect()
        });
        let codes: Vec<_> = answers.into_iter().filter_map(code).collect();
        assert_eq!(codes, ["not-your-turn"; 7]);
        assert_eq!(table.game().moves_as_uci(), ["e2e4"]);
    }
}

/// FIDE 5.1.2, 9.1.2: both at once, and one of them is first. The other is told that the game is over.
#[test]
fn a_game_ends_once_whoever_ends_it_at_the_same_time() {
    for _ in 0..200 {
        let (table, barrier) = (table(), Barrier::new(2));
        let [one, other] = thread::scope(|threads| {
            let resigns = [WHITE, BLACK].map(|player| {
                let (table, barrier) = (&table, &barrier);
                threads.spawn(move || {
                    barrier.wait();
                    table.resign(player, NOW)
                })
            });
            resigns.map(|resigns| resigns.join().unwrap())
        });
        let winner = if one.is_ok() { BLACK } else { WHITE };
        let outcome = Outcome::Win { winner, by: Victory::Resignation };
        assert_eq!(table.status(), Status::Over(outcome));
        assert_eq!([code(one), code(other)].iter().flatten().collect::<Vec<_>>(), [&"game-over"]);
    }
}

/// What one question answers belongs to one moment, while the game goes to and fro.
#[test]
fn no_answer_mixes_two_moments() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let table = table();
    thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(|| {
                // Not until the other is done: where that fails, the test fails and does not hang.
                for _ in 0..2_000 {
                    let standing = table.standing();
                    let right = if standing.events % 2 == 1 { E4 } else { START };
                    assert_eq!(standing.fen(), right);
                    assert!([START, E4].contains(&table.position().to_string().as_str()));
                    assert_eq!(table.legal_moves().len(), 20);
                    assert_eq!(table.legal_moves_by_trial().len(), 20);
                }
            });
        }
        for _ in 0..2_000 {
            table.play(WHITE, "e2e4", NOW).unwrap();
            table.undo(NOW).unwrap();
        }
    });
    assert_eq!(table.fen(EnPassantFen::Legal), START);
}

/// A refused action has no event, no number, and leaves the game equal to what it was.
#[test]
fn what_is_refused_changes_nothing() {
    let table = table();
    play(&table, "e2e4 e7e5");
    let before = (table.game(), table.standing());
    assert_eq!(code(table.play(BLACK, "g8f6", NOW)), Some("not-your-turn"));
    assert_eq!(code(table.play(WHITE, "e4e5", NOW)), Some("blocked"));
    assert_eq!(code(table.play_san(WHITE, "Ke3", NOW)), Some("shape"));
    assert_eq!(code(table.accept(WHITE, NOW)), Some("no-offer"));
    assert_eq!(code(table.decline(BLACK, NOW)), Some("no-offer"));
    assert_eq!(code(table.redo(NOW)), Some("nothing-to-redo"));
    assert_eq!(table.flag(NOW).unwrap_err().code(), "no-clock");
    assert_eq!((table.game(), table.standing()), before);
    assert_eq!(table.play_san(WHITE, "Nf3", NOW).unwrap().number(), 3);
}

/// FIDE 9.1.2.1, 9.5.3: each kind of action, and what those who watch are told of it.
#[test]
fn every_action_is_an_event_with_the_next_number() {
    let table = table();
    let mut told = Vec::new();
    let mut tell = |event: touchmove::Event| {
        told.push(event.number());
        event.happening
    };
    let played = |happening| match happening {
        Happening::Played(played) => played.san(),
        other => panic!("{other:?}"),
    };
    assert_eq!(played(tell(table.play(WHITE, "g1f3", NOW).unwrap())), "Nf3");
    assert_eq!(played(tell(table.play_san(BLACK, "d5", NOW).unwrap())), "d5");
    let undone = tell(table.undo(NOW).unwrap());
    assert!(matches!(undone, Happening::Undone(mv) if mv.to().to_string() == "d5"));
    let redone = tell(table.redo(NOW).unwrap());
    assert!(matches!(redone, Happening::Redone(mv) if mv.to().to_string() == "d5"));
    assert_eq!(tell(table.offer_draw(WHITE, NOW).unwrap()), Happening::Offered(WHITE));
    assert_eq!(tell(table.decline(BLACK, NOW).unwrap()), Happening::Declined(BLACK));
    let claim = table.claim(WHITE, Claim::FiftyMoves, Some("b1c3"), NOW).unwrap();
    let Happening::Claimed { announced: Some(mv), came: Claimed::Refused(Some(played)), .. } =
        tell(claim)
    else {
        panic!("{claim:?}")
    };
    assert_eq!((played.mv(), played.san().as_str(), claim.now.offer), (mv, "Nc3", Some(WHITE)));
    let agreed = table.offer_draw(BLACK, NOW).unwrap();
    assert_eq!(tell(agreed), Happening::Accepted(BLACK));
    assert_eq!(agreed.now.status, Status::Over(Outcome::Draw(Draw::Agreement)));
    assert_eq!(told, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(code(table.resign(WHITE, NOW)), Some("game-over"));

    assert_eq!(table.legal(), [""; 0]);
    assert_eq!(table.fen(EnPassantFen::Legal), agreed.now.fen());
    assert_eq!(table.record().restore().unwrap(), table.game());
    let pgn = table.pgn().finish(GameResult::Draw).to_string();
    assert!(pgn.ends_with("1. Nf3 d5 2. Nc3 1/2-1/2\n"), "{pgn}");
}
