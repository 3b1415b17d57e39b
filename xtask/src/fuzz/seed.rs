//! The seeds: long random games, the shortest game found for each rule event, and every reported position.
//!
//! The same files each time: nothing is drawn but from numbered seeds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;
use touchmove_oracles::census::Event;
use touchmove_oracles::generators::{
    GameTree, Walk, bytes_of_seed, from_bytes, from_seed, random_bytes,
};
use touchmove_oracles::oracles::{GameLog, Honest, game};

use crate::console;

/// Long games: the targets that play them, how many, and how many bytes they have.
const GAMES: &[(&str, u64, usize)] = &[
    ("game_diff", 600, 2_800),
    ("unmake_walk", 300, 2_000),
    ("transpose", 300, 2_000),
    ("mirror", 100, 240),
    ("san_diff", 100, 240),
    ("game_actions", 200, 480),
];
/// Random set-ups and codes: the targets that judge them, and how many.
const SETUPS: &[(&str, u64)] =
    &[("setup_diff", 200), ("any_move_code", 200), ("perft_small", 60), ("san_text", 200)];
/// Random games with variations, as bytes and as text.
const TREES: u64 = 150;
/// In so many games the events of the census are looked for at least …
const GAMES_SEARCHED: u64 = 20_000;
/// … and in so many at most, until all were met.
const GAMES_SEARCHED_MAX: u64 = 200_000;
/// Names of seeds begin with one of these; other files are not ours to replace.
const KINDS: [&str; 4] = ["game-", "setup-", "event-", "reported-"];

/// Where a case begins that does not say.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The seeds of all targets: target and name, and the bytes.
type Seeds = BTreeMap<(&'static str, String), Vec<u8>>;

/// Writes all seeds below `fuzz/corpus`, in place of those that are there, and returns their number and size.
pub(super) fn write(fuzz: &Path) -> anyhow::Result<(usize, usize)> {
    let mut seeds = Seeds::new();
    add_random(&mut seeds);
    add_events(&mut seeds);
    add_reported(&mut seeds, &fuzz.join("oracles/reported.toml"))?;
    let corpus = fuzz.join("corpus");
    let targets: BTreeSet<&str> = seeds.keys().map(|&(target, _)| target).collect();
    for target in targets {
        let folder = corpus.join(target);
        clear(&folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    for ((target, name), bytes) in &seeds {
        let path = corpus.join(target).join(name);
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok((seeds.len(), seeds.values().map(Vec::len).sum()))
}

/// Takes away the seeds of an earlier time.
fn clear(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if KINDS.iter().any(|kind| name.to_string_lossy().starts_with(kind)) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn add_random(seeds: &mut Seeds) {
    for &(target, games, len_max) in GAMES {
        for number in 0..games {
            let bytes = random_bytes(number, len_max / 2..=len_max);
            seeds.insert((target, format!("game-{number:03}")), bytes);
        }
    }
    for &(target, setups) in SETUPS {
        for number in 0..setups {
            seeds.insert((target, format!("setup-{number:03}")), random_bytes(number, 32..=160));
        }
    }
    for number in 0..TREES {
        let bytes = random_bytes(number, 64..=800);
        let GameTree(game) = from_bytes(&bytes);
        let name = format!("game-{number:03}");
        seeds.insert(("pgn_text", name.clone()), game.to_string().into_bytes());
        seeds.insert(("pgn_roundtrip", name), bytes);
    }
}

/// For each event of the census the game with the fewest bytes that meets it.
fn add_events(seeds: &mut Seeds) {
    let mut shortest: BTreeMap<Event, Vec<u8>> = BTreeMap::new();
    for seed in 0..GAMES_SEARCHED_MAX {
        if seed >= GAMES_SEARCHED && shortest.len() == Event::ALL.len() {
            break;
        }
        let bytes = bytes_of_seed(seed);
        for (event, len) in events_met(seed, bytes.len()) {
            if shortest.get(&event).is_none_or(|found| len < found.len()) {
                shortest.insert(event, bytes[..len].to_vec());
            }
        }
    }
    for &event in Event::ALL {
        let Some(bytes) = shortest.get(&event) else {
            console::status(format!("note: no game was found for {event}"));
            continue;
        };
        for target in ["game_diff", "unmake_walk", "transpose", "mirror", "san_diff"] {
            seeds.insert((target, format!("event-{event}")), bytes.clone());
        }
    }
}

/// The events of a game, each with the bytes that lead there.
fn events_met(seed: u64, len: usize) -> BTreeMap<Event, usize> {
    let walk = from_seed::<Walk>(seed);
    let mut log = GameLog::default();
    game(walk.clone(), &Honest, &mut log).expect_clean();
    let mut met = BTreeMap::new();
    // Of each ply first what its position is, then what its move does.
    for (index, events) in log.events.iter().enumerate() {
        for event in events.iter() {
            met.entry(event).or_insert_with(|| len - walk.bytes_unused_after(index.div_ceil(2)));
        }
    }
    met
}

/// Every position of the catalogue as text, and every move and text of it.
fn add_reported(seeds: &mut Seeds, path: &Path) -> anyhow::Result<()> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let catalogue: toml::Table = text.parse()?;
    for fault in tables(&catalogue, "fault") {
        let id = fault.get("id").and_then(toml::Value::as_str).unwrap_or("unnamed");
        for (index, case) in tables(fault, "case").enumerate() {
            add_reported_case(seeds, &format!("reported-{id}-{}", index + 1), case);
        }
    }
    Ok(())
}

fn add_reported_case(seeds: &mut Seeds, name: &str, case: &toml::Table) {
    let texts = |keys: &[&str]| keys.iter().filter_map(|key| case.get(*key)).collect::<Vec<_>>();
    for (index, fen) in texts(&["fen", "fen_after"]).into_iter().flat_map(strings).enumerate() {
        let name = format!("{name}-{index}");
        for target in ["fen_text", "setup_diff", "perft_small"] {
            seeds.insert((target, name.clone()), fen.clone().into_bytes());
        }
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        seeds.insert(("epd_text", name), fields.join(" ").into_bytes());
    }
    for epd in texts(&["epd"]).into_iter().flat_map(strings) {
        seeds.insert(("epd_text", name.to_string()), epd.into_bytes());
    }
    for san in texts(&["san", "read_san", "refused_san"]).into_iter().flat_map(strings) {
        let fen = case.get("fen").and_then(toml::Value::as_str).unwrap_or(START);
        let name = format!("{name}-{}", hex(&san));
        seeds.insert(("san_text", name), format!("{fen}\n{san}").into_bytes());
    }
    let moves = texts(&["moves", "legal", "illegal", "refused_text", "read_text"]);
    for text in moves.into_iter().flat_map(strings) {
        // A move stands in many cases; one file is enough.
        seeds.insert(("uci_text", format!("reported-{}", hex(&text))), text.into_bytes());
    }
}

/// A text as part of a file's name.
fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// The tables of an array of tables.
fn tables<'a>(table: &'a toml::Table, key: &str) -> impl Iterator<Item = &'a toml::Table> {
    let array = table.get(key).and_then(toml::Value::as_array);
    array.into_iter().flatten().filter_map(toml::Value::as_table)
}

/// The strings in a value, however deep.
fn strings(value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::String(text) => vec![text.clone()],
        toml::Value::Array(values) => values.iter().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}
