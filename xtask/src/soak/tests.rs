//! The alarm of `soak`: engines that lie, panic and hang are told, kept, and never a pass.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use touchmove_oracles::case::Case;
use touchmove_oracles::generators::{Steps, Walk, from_bytes};
use touchmove_oracles::oracles::{Fingerprint, Honest, Lies, Met, Rules};
use touchmove_oracles::replay::Input;

use super::*;

fn soak(games: u64, threads: u16, max_finds: u16) -> Soak {
    Soak {
        time: None,
        games: Some(games),
        seed: 1,
        from: 0,
        threads: Some(threads),
        max_finds: Some(max_finds),
        floors: false,
        format: Format::Human,
    }
}

fn run<R>(soak: &Soak, rules: R, folder: &Path, game_max: Duration) -> (Lot, RunVerdict)
where
    R: Rules + Send + 'static,
{
    let threads = usize::from(soak.threads.unwrap());
    let mut players = soak.players(rules, folder.to_owned(), threads);
    players.game_max = game_max;
    let players = Arc::new(players);
    let news = players.start(counting::pool(Some(threads)).unwrap());
    let (sum, verdict) = soak.gather(&players, &news);
    let verdict = soak.close(&sum, verdict);
    (sum, verdict)
}

/// The names in a folder that end so, in order.
fn names(folder: &Path, extension: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(extension));
    names.sort();
    names
}

#[test]
fn a_panic_is_a_find_with_its_game_its_bytes_and_its_case() {
    let folder = tempfile::tempdir().unwrap();
    let soak = soak(500, 2, 1);
    let (sum, verdict) = run(&soak, Lies::PanicsOnCastling, folder.path(), GAME_MAX);
    assert_eq!((verdict, sum.finds.len()), (RunVerdict::Fail, 1));
    let find = &sum.finds[0];
    assert!(find.what.starts_with("panic, panicked at "), "{}", find.what);
    assert!(find.told.contains("planted: no castling"), "{}", find.told);
    // Whichever oracle met it first.
    let ending = format!("-panic-seed1-game{}.case", find.game);
    let name = names(folder.path(), &ending).pop().expect("the find has its case");
    let case: Case = fs::read_to_string(folder.path().join(name)).unwrap().parse().unwrap();
    assert!(case.start.board().occupied().len() <= 4, "it is the small one: {case}");
    assert!(!case.replay(&Lies::PanicsOnCastling).is_clean());
}

/// Which finds are told depends on their games alone, not on who was faster.
#[test]
fn the_same_finds_are_told_at_any_number_of_threads() {
    let found = |threads| {
        let folder = tempfile::tempdir().unwrap();
        let (sum, _) = run(&soak(2_000, threads, 3), Lies::ClockOffByOne, folder.path(), GAME_MAX);
        let finds = sum.finds.into_iter().map(|find| (find.game, find.told));
        (sum.games, sum.plies, finds.collect::<Vec<_>>())
    };
    assert_eq!(found(1), found(4));
    assert_eq!(found(2).2.len(), 3);
}

/// First the bytes and the case as it is, then the small one in its place: whoever ends the run in between has the find.
#[test]
fn a_find_is_on_disk_and_told_before_it_is_made_small() {
    let folder = tempfile::tempdir().unwrap();
    let players = Arc::new(soak(64, 1, 1).players(Lies::ClockOffByOne, folder.path().into(), 1));
    let news = players.start(counting::pool(Some(1)).unwrap());
    let Ok(News::Found(found)) = news.recv() else { panic!("no find") };
    assert_eq!((names(folder.path(), ".case").len(), names(folder.path(), ".bytes").len()), (1, 1));
    let Ok(News::Played(0, lot)) = news.recv() else { panic!("no lot") };
    assert_eq!(lot.finds[0].game, found.game);
    assert!(lot.finds[0].told.len() < found.told.len());
    let kept = fs::read_to_string(folder.path().join(&names(folder.path(), ".case")[0])).unwrap();
    assert_eq!(kept, lot.finds[0].told);
}

/// What soak keeps is played again by `fuzz replay`: the name tells the target, and its bytes are the same game.
#[test]
fn what_is_kept_is_played_again_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let soak = soak(64, 1, 1);
    let (sum, _) = run(&soak, Lies::DropsCastling(touchmove::Square::H1), folder.path(), GAME_MAX);
    let path = folder.path().join(&names(folder.path(), ".bytes")[0]);
    let walk: Walk = from_bytes(&fs::read(&path).unwrap());
    let players = soak.players(Honest, folder.path().into(), 1);
    let played: Walk = from_bytes(&players.bytes_of(sum.finds[0].game));
    assert_eq!(walk.start(), played.start());
    assert!(matches!(Input::of(path), Some(Input::Bytes(target, _)) if target.name == "game_diff"));
}

#[test]
fn finds_of_other_seeds_and_other_faults_stay() {
    let folder = tempfile::tempdir().unwrap();
    let first =
        |seed, lie: Lies| run(&Soak { seed, ..soak(64, 1, 1) }, lie, folder.path(), GAME_MAX);
    first(1, Lies::ClockOffByOne);
    first(2, Lies::ClockOffByOne);
    assert_eq!(names(folder.path(), ".case").len(), 2);
    // The same once more is no other find; another fault in the same game is one.
    first(1, Lies::ClockOffByOne);
    assert_eq!(names(folder.path(), ".case").len(), 2);
    let (sum, _) = first(1, Lies::NullMoveLeavesClock);
    assert_eq!(sum.finds.len(), 1);
    assert_eq!(names(folder.path(), ".case").len(), 3);
    assert_eq!(names(folder.path(), ".part"), [""; 0]);
}

/// A game that never ends is a find, with the bytes that lead into it; the run does not wait for it.
#[test]
fn a_game_that_does_not_end_is_told_and_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let patience = Duration::from_secs(2);
    let (sum, verdict) = run(&soak(5_000, 1, 1), Lies::HangsOnPromotion, folder.path(), patience);
    assert_eq!((verdict, sum.finds.len()), (RunVerdict::Fail, 1));
    assert_eq!(sum.finds[0].what, "hang, no end within 2 s");
    let name = format!("game_diff-hang-seed1-game{}.bytes", sum.finds[0].game);
    assert_eq!(names(folder.path(), ".bytes"), [name]);
}

/// What the players told before they fell silent.
fn gathered(told: Vec<News>) -> (Lot, RunVerdict) {
    let folder = tempfile::tempdir().unwrap();
    let soak = soak(128, 1, 5);
    let players = soak.players(Honest, folder.path().into(), 1);
    let (sender, receiver) = mpsc::channel();
    told.into_iter().for_each(|news| sender.send(news).unwrap());
    drop(sender);
    soak.gather(&players, &receiver)
}

fn lot(met: Vec<Met>, finds: Vec<Find>) -> Box<Lot> {
    Box::new(Lot { games: 64, met, finds, ..Lot::default() })
}

#[test]
fn a_lot_that_never_came_is_no_pass() {
    assert_eq!(gathered(vec![News::Played(0, Box::default()), News::Done]).1, RunVerdict::Pass);
    assert_eq!(gathered(vec![News::Played(0, Box::default())]).1, RunVerdict::Unknown);
    assert_eq!(gathered(vec![]).1, RunVerdict::Unknown);
}

#[test]
fn finds_count_that_wait_for_their_turn_or_for_their_lot() {
    let find = |game| Find::told(game, "hang", "of a test", String::new());
    let (sum, verdict) = gathered(vec![News::Found(find(3).into())]);
    assert_eq!((sum.finds.len(), verdict), (1, RunVerdict::Fail));
    let told = vec![News::Found(find(70).into()), News::Played(1, lot(vec![], vec![find(70)]))];
    let (sum, verdict) = gathered(told);
    assert_eq!((sum.finds.len(), sum.games, verdict), (1, 64, RunVerdict::Fail));
}

/// A key that two positions share is a find like others: both positions, a case, counted.
#[test]
fn a_shared_key_is_a_find_with_both_positions() {
    let folder = tempfile::tempdir().unwrap();
    let soak = soak(64, 1, 1);
    let lie = Lies::KeyWithoutRights;
    let players = soak.players(lie, folder.path().into(), 1);
    // Two positions of one game with the same key, for this liar: before and after a right is lost.
    let pairs = (0..3_000).find_map(|game| {
        let (one, other) = shared_by(&players, game)?;
        Some((Met { print: one, game }, Met { print: other, game }))
    });
    let (one, other) = pairs.expect("some game comes back without a right");
    let (sender, news) = mpsc::channel();
    sender.send(News::Played(0, lot(vec![one, other], vec![]))).unwrap();
    sender.send(News::Done).unwrap();
    let (sum, verdict) = soak.gather(&players, &news);
    assert_eq!((sum.finds.len(), verdict), (1, RunVerdict::Fail));
    let told = &sum.finds[0].told;
    assert_eq!(told.matches(&format!("with the key {}", one.print.key())).count(), 2, "{told}");
    let path = folder.path().join(&names(folder.path(), ".case")[0]);
    let case: Case = fs::read_to_string(path).unwrap().parse().unwrap();
    assert!(!case.replay(&lie).is_clean());
    case.replay(&Honest).expect_clean();
}

fn shared_by(players: &Players<Lies>, game: u64) -> Option<(Fingerprint, Fingerprint)> {
    let mut walk: Walk = from_bytes(&players.bytes_of(game));
    let (mut position, mut prints) = (walk.start(), Vec::<Fingerprint>::new());
    loop {
        let print = Fingerprint::of(&players.rules, &position);
        if let Some(&twin) = prints.iter().find(|met| met.key() == print.key() && **met != print) {
            return Some((twin, print));
        }
        prints.push(print);
        let mv = walk.next_move(&position, &position.legal_moves())?;
        let _never_taken_back = position.make(mv);
    }
}
