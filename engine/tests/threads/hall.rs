//! Many games at once.

use std::sync::{Arc, Barrier};
use std::thread;

use touchmove::{Hall, TableId};

use super::{NOW, WHITE, play, table};

#[test]
fn a_table_is_found_until_it_is_removed() {
    let hall = Hall::new();
    let ids: Vec<TableId> = (0..1_000).map(|_| hall.create(table())).collect();
    assert_eq!((hall.len(), hall.ids()), (1_000, ids.clone()));
    let numbers: Vec<u64> = ids.iter().map(|id| id.number()).collect();
    assert_eq!(numbers, (0..1_000).collect::<Vec<_>>());
    let table = hall.find(ids[700]).unwrap();
    assert!(Arc::ptr_eq(&table, &hall.remove(ids[700]).unwrap()));
    assert!(hall.find(ids[700]).is_none() && hall.remove(ids[700]).is_none());
    assert!(hall.find(TableId::new(1_000)).is_none());
    assert_eq!((hall.len(), hall.is_empty()), (999, false));
    // Whoever still holds it plays on.
    play(&table, "e2e4");
}

/// No id is given twice, and of two who remove a table one has it.
#[test]
fn eight_threads_create_and_remove_and_nothing_is_lost_or_doubled() {
    let (hall, barrier) = (Hall::new(), Barrier::new(8));
    let mut ids: Vec<TableId> = thread::scope(|threads| {
        let create = || {
            barrier.wait();
            (0..500).map(|_| hall.create(table())).collect::<Vec<_>>()
        };
        let creators: Vec<_> = (0..8).map(|_| threads.spawn(create)).collect();
        creators.into_iter().flat_map(|creator| creator.join().unwrap()).collect()
    });
    ids.sort();
    assert_eq!(hall.ids(), ids);
    ids.dedup();
    assert_eq!(ids.len(), 4_000);

    let removed: usize = thread::scope(|threads| {
        let remove = || {
            barrier.wait();
            ids.iter().filter(|&&id| hall.remove(id).is_some()).count()
        };
        let removers: Vec<_> = (0..8).map(|_| threads.spawn(remove)).collect();
        removers.into_iter().map(|remover| remover.join().unwrap()).sum()
    });
    assert_eq!((removed, hall.is_empty()), (4_000, true));
}

/// Eight threads play a move in each of two thousand games; each game has it once.
#[test]
fn thousands_of_games_go_on_at_once() {
    let hall = Hall::new();
    let ids: Vec<TableId> = (0..2_000).map(|_| hall.create(table())).collect();
    let played: usize = thread::scope(|threads| {
        let play = || {
            let play = |&&id: &&TableId| hall.find(id).unwrap().play(WHITE, "e2e4", NOW).is_ok();
            ids.iter().filter(play).count()
        };
        let players: Vec<_> = (0..8).map(|_| threads.spawn(play)).collect();
        players.into_iter().map(|player| player.join().unwrap()).sum()
    });
    assert_eq!(played, 2_000);
    assert!(ids.iter().all(|&id| hall.find(id).unwrap().game().moves_as_uci() == ["e2e4"]));
}
