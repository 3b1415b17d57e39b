//! A large file of random games: the same games from the same seed.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::Context;
use rayon::prelude::*;
use touchmove::{Color, GameResult, PgnBuilder, PgnGame, Position};
use touchmove_oracles::generators::{random_bytes, seed_of};

use crate::console::Progress;
use crate::job::workspace_root;
use crate::{console, interrupt};

/// A game has about as many plies as one between people, and with its tags some 600 bytes.
const PLIES: RangeInclusive<usize> = 30..=130;
/// So many games are made before they are written.
const LOT: u64 = 2_000;

/// The file with these games under `target/touchmove/bench/`, made unless it is there; none when interrupted.
pub(super) fn file(games: u64, seed: u64) -> anyhow::Result<Option<PathBuf>> {
    let folder = workspace_root().join("target/touchmove/bench");
    let path = folder.join(format!("random-games-{games}-seed-{seed}.pgn"));
    if path.exists() {
        return Ok(Some(path));
    }
    console::status(format!("writing {}", path.display()));
    let written = fs::create_dir_all(&folder)
        .map_err(anyhow::Error::from)
        .and_then(|()| write(&path, games, seed))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(written.then_some(path))
}

/// Whether all games were written. Until they are, the file has another name.
fn write(path: &Path, games: u64, seed: u64) -> anyhow::Result<bool> {
    let part = path.with_extension(format!("{}.part", std::process::id()));
    let mut out = BufWriter::new(File::create(&part)?);
    let mut progress = Progress::of_games(Some(games));
    let mut plies = 0;
    for from in (0..games).step_by(LOT as usize) {
        let lot = from..games.min(from + LOT);
        let lot: Vec<(String, usize)> = lot
            .into_par_iter()
            .map(|number| {
                let game = random_game(seed, number);
                (game.to_string(), game.line().moves.len())
            })
            .collect();
        for (number, (text, moves)) in (from..).zip(&lot) {
            let parting = if number > 0 { "\n" } else { "" };
            write!(out, "{parting}{text}")?;
            plies += *moves as u64;
        }
        progress.tell(from + lot.len() as u64, plies);
        if interrupt::is_interrupted() {
            progress.finish();
            fs::remove_file(&part)?;
            return Ok(false);
        }
    }
    progress.finish();
    out.into_inner()?.sync_all()?;
    fs::rename(&part, path)?;
    Ok(true)
}

/// A game of random legal moves. The first random byte is for the result, each other for a ply.
fn random_game(seed: u64, number: u64) -> PgnGame {
    let bytes = random_bytes(seed_of(seed, number), PLIES);
    let mut game = PgnBuilder::new(Position::default());
    let round = (number + 1).to_string();
    let (white, black) =
        (format!("Random, White {}", bytes[0]), format!("Random, Black {}", bytes[1]));
    let tags = [
        ("Event", "Random games"),
        ("Site", "touchmove"),
        ("Date", "2026.01.01"),
        ("Round", &round),
        ("White", &white),
        ("Black", &black),
    ];
    for (name, value) in tags {
        game.tag(name, value).expect("these are tags of a game file");
    }
    for &byte in &bytes[1..] {
        let legal = game.position().legal_moves();
        if legal.is_empty() {
            break;
        }
        let choice = usize::from(byte) * legal.len() / 256;
        game.play(legal[choice]).expect("it is one of the legal moves");
    }
    let result = result(game.position(), bytes[0]);
    game.finish(result)
}

/// What the position says, else anything: players resign, agree on a draw or go on elsewhere.
fn result(position: &Position, byte: u8) -> GameResult {
    match position.turn() {
        _ if position.is_stalemate() => GameResult::Draw,
        Color::White if position.is_checkmate() => GameResult::BlackWins,
        Color::Black if position.is_checkmate() => GameResult::WhiteWins,
        _ => GameResult::ALL[usize::from(byte) % GameResult::ALL.len()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_games() {
        assert_eq!(random_game(7, 3), random_game(7, 3));
        assert_ne!(random_game(7, 3), random_game(8, 3));
        assert_ne!(random_game(7, 3), random_game(7, 4));
    }

    /// FIDE 5.1.1 and 5.2.1: mate wins and stalemate draws, whatever was thrown.
    #[test]
    fn a_game_that_is_over_has_the_result_of_its_position() {
        let position = |fen: &str| fen.parse::<Position>().unwrap();
        let mated = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        let stalemated = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        for byte in 0..8 {
            assert_eq!(result(&mated, byte), GameResult::BlackWins);
            assert_eq!(result(&stalemated, byte), GameResult::Draw);
        }
    }
}
