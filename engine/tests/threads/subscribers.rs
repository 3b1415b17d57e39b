//! Those who watch: everything in order, exact counts of what was missed, and no harm to the game whatever they do.

use std::sync::Barrier;
use std::sync::mpsc::TryRecvError;
use std::thread;

use proptest::prelude::*;
use touchmove::{EVENTS_WAITING_MAX, Event, Game, Happening, News, Position, Subscriber, Table};

use super::{BLACK, NOW, WHITE, play, table};

/// A move that is played and taken back, until there are so many events.
fn make_events(table: &Table, count: usize) -> Vec<Event> {
    let mover = table.position().turn();
    let text = if mover == WHITE { "e2e4" } else { "e7e5" };
    let moves = (0..count).map(|index| match index % 2 {
        0 => table.play(mover, text, NOW).unwrap(),
        _ => table.undo(NOW).unwrap(),
    });
    moves.collect()
}

/// Everything that waits.
fn heard(subscriber: &mut Subscriber) -> Vec<News> {
    std::iter::from_fn(|| subscriber.try_recv().ok()).collect()
}

fn as_news(events: &[Event]) -> Vec<News> {
    events.iter().copied().map(News::Event).collect()
}

#[test]
fn a_subscriber_hears_what_the_players_were_acknowledged() {
    let table = table();
    let mut subscriber = table.subscribe();
    let events = play(&table, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!(heard(&mut subscriber), as_news(&events));
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(events.iter().map(Event::number).collect::<Vec<_>>(), [1, 2, 3, 4]);
}

#[test]
fn one_who_comes_late_knows_where_the_game_stands() {
    let table = table();
    let last = play(&table, "e2e4 e7e5")[1];
    let mut late = table.subscribe();
    assert_eq!(*late.joined(), last.now);
    let next = play(&table, "g1f3");
    assert_eq!(heard(&mut late), as_news(&next));
    assert_eq!(next[0].number(), late.joined().events + 1);
}

/// The count and the newest FEN are found although nothing happens any more.
#[test]
fn one_who_lags_finds_how_many_were_missed_and_the_newest_fen() {
    let table = table();
    let mut laggard = table.subscribe();
    let mut events = make_events(&table, EVENTS_WAITING_MAX + 4);
    events.push(table.resign(BLACK, NOW).unwrap());
    let (kept, missed) = events.split_at(EVENTS_WAITING_MAX);
    let mut found = heard(&mut laggard);
    let Some(News::Missed { events, now }) = found.pop() else { panic!("{found:?}") };
    assert_eq!(found, as_news(kept));
    assert_eq!((events, now), (5, missed[4].now));
    assert_eq!(
        (now.events, now.fen()),
        (EVENTS_WAITING_MAX as u64 + 5, table.position().to_string())
    );
    assert_eq!(laggard.try_recv(), Err(TryRecvError::Empty));
}

#[test]
fn at_the_bound_nothing_is_missed() {
    let table = table();
    let mut subscriber = table.subscribe();
    let events = make_events(&table, EVENTS_WAITING_MAX);
    assert_eq!(heard(&mut subscriber), as_news(&events));
}

/// What the documentation says of the room that a subscriber who never reads can take.
#[test]
fn what_waits_for_a_laggard_takes_no_more_than_24_kib() {
    let bytes = EVENTS_WAITING_MAX * size_of::<Event>();
    assert!((20 * 1024..=24 * 1024).contains(&bytes), "{bytes}");
}

/// Once something is missed, everything is until the laggard has read what waited: the order stays.
#[test]
fn after_the_count_the_events_go_on() {
    let table = table();
    let mut laggard = table.subscribe();
    make_events(&table, EVENTS_WAITING_MAX + 2);
    assert!(matches!(laggard.try_recv(), Ok(News::Event(event)) if event.number() == 1));
    make_events(&table, 2);
    let found = heard(&mut laggard);
    assert_eq!(found.len(), EVENTS_WAITING_MAX);
    assert!(matches!(found.last(), Some(News::Missed { events: 4, .. })), "{found:?}");
    let next = make_events(&table, 2);
    assert_eq!(heard(&mut laggard), as_news(&next));
}

/// One panics while it watches, one is dropped, one is leaked, one never reads: the game and the others do not notice.
#[test]
fn subscribers_that_panic_stop_or_sleep_do_no_harm() {
    let table = table();
    let (mut faithful, mut asleep) = (table.subscribe(), table.subscribe());
    let mut panics = table.subscribe();
    drop(table.subscribe());
    std::mem::forget(table.subscribe());
    let barrier = Barrier::new(2);
    thread::scope(|threads| {
        let watcher = threads.spawn(|| {
            let _event = panics.recv();
            barrier.wait();
            panic!("planted: a subscriber that panics");
        });
        play(&table, "e2e4");
        barrier.wait();
        assert!(watcher.join().is_err());
    });
    let events = make_events(&table, 100);
    assert_eq!(table.standing().events, 101);
    assert_eq!(heard(&mut faithful).len(), EVENTS_WAITING_MAX + 1);
    let News::Missed { events: missed, now } = heard(&mut asleep)[EVENTS_WAITING_MAX] else {
        panic!("too many waited")
    };
    assert_eq!((missed, now), (101 - EVENTS_WAITING_MAX as u64, events[99].now));
}

/// Subscribers read while two players play in their own threads; each hears every event in order, or how many it missed.
#[test]
fn subscribers_in_other_threads_lose_nothing_and_the_table_ends_them() {
    let table = table();
    let watchers: Vec<Subscriber> = (0..3).map(|_| table.subscribe()).collect();
    thread::scope(|threads| {
        let watchers = watchers.into_iter().map(|watcher| threads.spawn(|| add_up(watcher)));
        let watchers: Vec<_> = watchers.collect();
        make_events(&table, 5_000);
        // Those who wait are told that nothing more comes.
        drop(table);
        for watcher in watchers {
            assert_eq!(watcher.join().unwrap(), 5_000);
        }
    });
}

/// Many act at once: all that is told is told under the lock, so nobody hears of a later event first.
#[test]
fn events_are_heard_in_their_order_while_many_threads_act() {
    const THREADS: u64 = 4;
    const OFFERS: u64 = 100_000;
    let table = table();
    let watcher = table.subscribe();
    let watcher = thread::spawn(|| add_up(watcher));
    let act = || {
        let act = |_: &u64| match table.offer_draw(WHITE, NOW) {
            Ok(_) => true,
            Err(_) => table.decline(BLACK, NOW).is_ok(),
        };
        (0..OFFERS).filter(act).count() as u64
    };
    let acknowledged: u64 = thread::scope(|threads| {
        let actors: Vec<_> = (0..THREADS).map(|_| threads.spawn(act)).collect();
        actors.into_iter().map(|actor| actor.join().unwrap()).sum()
    });
    drop(table);
    assert_eq!(watcher.join().unwrap(), acknowledged);
}

/// The number of the last event; every number is heard of once.
fn add_up(watcher: Subscriber) -> u64 {
    let mut last = watcher.joined().events;
    for news in watcher {
        match news {
            News::Event(event) => {
                last += 1;
                assert_eq!(event.number(), last);
            }
            News::Missed { events, now } => {
                last += events;
                assert_eq!(now.events, last);
            }
        }
    }
    last
}

/// What may be done in the property below.
#[derive(Clone, Copy, Debug)]
enum Step {
    Play(u8),
    Undo,
    Redo,
    Offer(bool),
    Decline(bool),
    Subscribe,
    /// A subscriber reads so many news.
    Read(prop::sample::Index, u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        12 => any::<u8>().prop_map(Step::Play),
        3 => Just(Step::Undo),
        2 => Just(Step::Redo),
        2 => any::<bool>().prop_map(Step::Offer),
        2 => any::<bool>().prop_map(Step::Decline),
        1 => Just(Step::Subscribe),
        2 => (any::<prop::sample::Index>(), 0_u8..50).prop_map(|(who, n)| Step::Read(who, n)),
    ];
    prop::collection::vec(step, 0..300)
}

/// A subscriber, and a model of what waits for it: the numbers of events, then how many were missed.
struct Watched {
    subscriber: Subscriber,
    waiting: usize,
    missed: u64,
    last: u64,
    /// The game as it is known to this subscriber, as long as it missed nothing.
    replayed: Option<Game>,
}

impl Watched {
    fn told(&mut self) {
        match self.missed {
            0 if self.waiting < EVENTS_WAITING_MAX => self.waiting += 1,
            _ => self.missed += 1,
        }
    }

    fn read(&mut self, acknowledged: &[Event]) {
        match self.subscriber.try_recv() {
            Ok(News::Event(event)) => {
                assert!(self.waiting > 0);
                (self.waiting, self.last) = (self.waiting - 1, self.last + 1);
                assert_eq!(event, acknowledged[self.last as usize - 1]);
                if let Some(game) = &mut self.replayed {
                    replay(game, event);
                }
            }
            Ok(News::Missed { events, now }) => {
                assert_eq!((self.waiting, self.missed), (0, events));
                (self.missed, self.last) = (0, self.last + events);
                assert_eq!(now, acknowledged[self.last as usize - 1].now);
                self.replayed = None;
            }
            Err(_) => assert_eq!((self.waiting, self.missed), (0, 0)),
        }
    }
}

/// Does in a game what was heard, and compares how it stands then.
fn replay(game: &mut Game, event: Event) {
    match event.happening {
        Happening::Played(played) => {
            assert_eq!(game.play_move(game.turn(), played.mv()), Ok(played));
        }
        Happening::Undone(mv) => assert_eq!(game.undo(), Ok(mv)),
        Happening::Redone(mv) => assert_eq!(game.redo(), Ok(mv)),
        Happening::Offered(player) => assert_eq!(game.offer_draw(player), Ok(None)),
        Happening::Accepted(player) => drop(game.accept(player).unwrap()),
        Happening::Declined(player) => game.decline(player).unwrap(),
        other => panic!("nobody did that: {other:?}"),
    }
    assert_eq!(*game.position(), event.now.position);
    assert_eq!((game.status(), game.offer()), (event.now.status, event.now.offer));
}

proptest! {
    #[test]
    fn what_a_subscriber_hears_is_the_game_and_what_it_missed_is_exact(steps in steps()) {
        let table = table();
        let (mut watched, mut acknowledged) = (Vec::<Watched>::new(), Vec::new());
        let color = |white| if white { WHITE } else { BLACK };
        for step in steps.into_iter().chain([Step::Subscribe]) {
            let event = match step {
                Step::Play(choice) => {
                    let legal = table.legal();
                    let text = legal.get(usize::from(choice) * legal.len() / 256);
                    text.and_then(|text| table.play(table.position().turn(), text, NOW).ok())
                }
                Step::Undo => table.undo(NOW).ok(),
                Step::Redo => table.redo(NOW).ok(),
                Step::Offer(white) => table.offer_draw(color(white), NOW).ok(),
                Step::Decline(white) => table.decline(color(white), NOW).ok(),
                Step::Subscribe => {
                    let subscriber = table.subscribe();
                    let last = subscriber.joined().events;
                    let replayed = (last == 0).then(|| Game::new(Position::default()));
                    watched.push(Watched { subscriber, waiting: 0, missed: 0, last, replayed });
                    None
                }
                Step::Read(_, _) if watched.is_empty() => None,
                Step::Read(who, news) => {
                    let who = who.index(watched.len());
                    (0..news).for_each(|_| watched[who].read(&acknowledged));
                    None
                }
            };
            if let Some(event) = event {
                acknowledged.push(event);
                prop_assert_eq!(event.number(), acknowledged.len() as u64);
                watched.iter_mut().for_each(Watched::told);
            }
        }
        for watched in &mut watched {
            (0..=EVENTS_WAITING_MAX + 1).for_each(|_| watched.read(&acknowledged));
            prop_assert_eq!(watched.last, acknowledged.len() as u64);
            if let Some(game) = &watched.replayed {
                prop_assert_eq!(game, &table.game());
            }
        }
    }
}
