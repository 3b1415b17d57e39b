//! The alarm of `races load`: acknowledgements that are lost, doubled or altered are told, and so is what is heard wrongly.

use touchmove::{Event, Game, Move, Position, Square, Table};

use super::clients::honest;
use super::notes::{Deed, Heard, Note, Told};
use super::*;

fn load(games: u32) -> Load {
    Load {
        games,
        threads: Some(2),
        time: Duration::MAX,
        operations_max: Some(20_000),
        seed: 1,
        format: Format::Human,
    }
}

fn run(clerk: Clerk) -> (Sum, Verdict) {
    let (load, folder) = (load(20), tempfile::tempdir().unwrap());
    let sum = load.play(&counting::pool(Some(2)).unwrap(), clerk).unwrap();
    let verdict = load.close(&sum, 2, folder.path());
    let kept = folder.path().join("target/touchmove/races");
    assert_eq!(kept.exists(), verdict == Verdict::Fail, "the first difference is on disk");
    (sum, verdict)
}

/// What the first difference says, when an acknowledgement is noted down wrongly.
fn alarm(clerk: Clerk) -> String {
    let (sum, verdict) = run(clerk);
    assert_eq!((verdict, sum.found > 0), (Verdict::Fail, true));
    sum.differences.into_iter().next().unwrap().what
}

#[test]
fn honest_clients_agree_with_every_game_played_alone() {
    let (sum, verdict) = run(honest);
    let told: Vec<String> = sum.differences.iter().map(Difference::to_string).collect();
    assert_eq!((verdict, told.join("\n").as_str()), (Verdict::Pass, ""));
    assert!(sum.games >= 20 && sum.replayed.moves > 0 && sum.replayed.refereed > 0);
    assert!(sum.replayed.heard > 0 && sum.replayed.gaps > 0, "some watch and some lag");
    assert!(sum.replayed.missed >= sum.replayed.gaps);
}

#[test]
fn a_lost_acknowledgement_is_told() {
    let loses = |event: &Event, told: &mut Told| {
        if event.number() != 5 {
            honest(event, told);
        }
    };
    let what = alarm(loses);
    let lost = what == "event 5 was acknowledged to nobody"
        // The game may have ended with it.
        || what.starts_with("the number of the last event: 4 when it is played alone, 5");
    assert!(lost, "{what}");
}

#[test]
fn a_doubled_acknowledgement_is_told() {
    let doubles = |event: &Event, told: &mut Told| {
        honest(event, told);
        if event.number() == 5 {
            honest(event, told);
        }
    };
    assert_eq!(alarm(doubles), "event 5 was acknowledged twice");
}

/// No piece goes from a1 to h5.
#[test]
fn an_illegal_move_in_is_told() {
    let smuggles = |event: &Event, told: &mut Told| {
        honest(event, told);
        if let Some(Note { deed: Deed::Played(mv), .. }) = told.acknowledged.last_mut() {
            *mv = Move::normal(Square::A1, Square::H5);
        }
    };
    let what = alarm(smuggles);
    assert!(what.contains("refused when it is played alone"), "{what}");
}

#[test]
fn two_acknowledgements_in_the_wrong_order_are_told() {
    let swaps = |event: &Event, told: &mut Told| {
        honest(event, told);
        if let Some(note) = told.acknowledged.last_mut() {
            note.now.events = match note.now.events {
                3 => 4,
                4 => 3,
                number => number,
            };
        }
    };
    alarm(swaps);
}

#[test]
fn a_receive_time_that_is_not_the_one_acknowledged_is_told() {
    let hurries = |event: &Event, told: &mut Told| {
        honest(event, told);
        if let Some(note) = told.acknowledged.last_mut() {
            note.received += Duration::from_millis(1);
        }
    };
    alarm(hurries);
}

/// Those who watch read at once, and what they have heard is spoilt.
fn spoil(told: &mut Told, spoil: fn(&mut Vec<Heard>)) {
    for watcher in &mut told.watchers {
        watcher.read();
        spoil(&mut watcher.heard);
    }
}

#[test]
fn what_a_watcher_never_heard_or_heard_twice_is_told() {
    let forgets = |event: &Event, told: &mut Told| {
        honest(event, told);
        spoil(told, |heard| heard.truncate(2));
    };
    let doubles = |event: &Event, told: &mut Told| {
        honest(event, told);
        spoil(told, |heard| heard.extend(heard.last().copied()));
    };
    for spoils in [forgets as Clerk, doubles] {
        let what = alarm(spoils);
        assert!(what.contains("heard"), "{what}");
    }
}

/// A count of what was missed that is off by one.
#[test]
fn a_wrong_count_of_missed_events_is_told() {
    let miscounts = |event: &Event, told: &mut Told| {
        honest(event, told);
        for heard in told.watchers.iter_mut().flat_map(|watcher| &mut watcher.heard) {
            if let Heard::Missed(events, _) = heard {
                *events = 1_000_000;
            }
        }
    };
    let what = alarm(miscounts);
    assert!(what.contains("behind what was missed"), "{what}");
}

/// A hall that loses a table, or has one that nobody plays at; and a game that nobody has played again.
#[test]
fn a_hall_that_loses_a_table_or_a_game_is_told() {
    let club = Club::new(3, 1, honest);
    assert!(club.is_in_order() && club.begun() == 3);
    club.hall.remove(club.hall.ids()[1]).unwrap();
    assert!(!club.is_in_order());
    club.hall.create(Table::new(Game::new(Position::default())));
    assert!(!club.is_in_order());
    let told = [(3, 3, true), (3, 2, true), (3, 3, false)];
    assert_eq!(
        told.map(|(begun, replayed, order)| of_hall(begun, replayed, order).found),
        [0, 1, 1]
    );
}

#[test]
fn no_operation_is_no_pass() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(load(1).close(&Sum::new(), 2, folder.path()), Verdict::Unknown);
}

/// The first difference ends the run: nobody waits for the rest of a night.
#[test]
fn a_difference_ends_the_run() {
    let loses = |event: &Event, told: &mut Told| {
        if event.number() != 1 {
            honest(event, told);
        }
    };
    let load = Load { operations_max: None, ..load(20) };
    let sum = load.play(&counting::pool(Some(2)).unwrap(), loses).unwrap();
    assert!(sum.found > 0);
}
