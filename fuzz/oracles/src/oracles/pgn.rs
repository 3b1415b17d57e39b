//! Game files: what is read is written and read again, whatever the text; games that were made read back equal.

use std::convert::Infallible;
use std::io::BufReader;

use touchmove::{PgnFault, PgnFlow, PgnGame, PgnJudge, PgnLine, PgnReader, PgnVisitor, Position};

use super::rules::Rules;
use super::{Comparison, Parting, Verdict, compare};

/// The name under which a file is judged.
pub(super) const TEXT: &str = "pgn_text";

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A file of games, or a text that is none: nothing panics, tree and judge agree on every game, however its bytes arrive, every
/// line is legal where it begins, and each game that is read reads back.
pub fn pgn_text<R: Rules>(text: &str, rules: &R) -> Verdict {
    judged(text, read_file(text.as_bytes(), rules))
}

/// A game that was made step by step, alone in its file and between others.
pub fn pgn_roundtrip<R: Rules>(game: &PgnGame, rules: &R) -> Verdict {
    let written = rules.write_game(game);
    judged(&written, read_again(game, rules).and_then(|()| read_among_others(game, &written)))
}

fn judged(text: &str, comparison: Comparison) -> Verdict {
    match comparison {
        Ok(()) => Verdict::Pass,
        Err(parting) => Parting { oracle: TEXT, ..parting }.of_text(Position::default(), text),
    }
}

fn read_file<R: Rules>(bytes: &[u8], rules: &R) -> Comparison {
    let mut judge = PgnJudge::new();
    let mut judged = PgnReader::new(bytes);
    let mut trees = PgnReader::new(bytes);
    let mut trickle = PgnReader::new(BufReader::with_capacity(3, bytes));
    let marked = [BYTE_ORDER_MARK, bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)].concat();
    let mut marked = PgnReader::new(marked.as_slice());
    let mut is_well_written = true;
    loop {
        let verdict = judged.read_game(&mut judge);
        let verdict = verdict.map(|flow| flow.is_some()).map_err(|error| error.to_string());
        let tree = trees.next().transpose();
        let told = match &tree {
            Ok(tree) => Ok(tree.is_some()),
            Err(broken) => Err(broken.to_string()),
        };
        compare(TEXT, "what is wrong with a game", &told, &verdict)?;
        let behind_mark = marked.next().transpose().map_err(|broken| broken.to_string());
        compare(TEXT, "behind a byte order mark", &told, &behind_mark.map(|game| game.is_some()))?;
        let trickled = trickle.next().transpose().map_err(|broken| broken.to_string());
        let expected = tree.as_ref().map_err(|broken| broken.to_string());
        compare(
            TEXT,
            "read three bytes at a time",
            expected,
            trickled.as_ref().map_err(Clone::clone),
        )?;
        let game = match tree {
            Ok(None) => break,
            Ok(Some(game)) => game,
            Err(broken) => {
                is_well_written &= matches!(broken.error.fault(), PgnFault::Game(_));
                broken.game
            }
        };
        read_again(&game, rules)?;
    }
    // Where a game is broken, each way of reading may find its end elsewhere.
    match is_well_written {
        true => {
            compare(TEXT, "games that are passed over", judged.games_begun(), passed_over(bytes))
        }
        false => Ok(()),
    }
}

/// Whether the moves of a line can be played from where it begins, and those of each variation in the place of its move.
fn is_legal(line: &PgnLine, start: &Position) -> bool {
    let mut position = *start;
    line.moves.iter().all(|played| {
        let before = position;
        let is_played = match played.mv {
            Some(mv) => position.is_legal(mv).then(|| drop(position.make(mv))).is_some(),
            None => position.make_null().is_ok(),
        };
        is_played && played.variations().all(|variation| is_legal(variation, &before))
    })
}

/// How many games there are for somebody who reads none of them.
fn passed_over(bytes: &[u8]) -> u64 {
    struct Skip;
    impl PgnVisitor for Skip {
        type Error = Infallible;

        fn begin_game(&mut self) -> Result<PgnFlow, Infallible> {
            Ok(PgnFlow::SkipGame)
        }
    }
    let mut reader = PgnReader::new(bytes);
    while let Ok(Some(_)) = reader.read_game(&mut Skip) {}
    reader.games_begun()
}

fn read_again<R: Rules>(game: &PgnGame, rules: &R) -> Comparison {
    compare(TEXT, "each line legal where it begins", true, is_legal(game.line(), game.start()))?;
    let written = rules.write_game(game);
    let read = written.parse::<PgnGame>().map_err(|error| error.to_string());
    compare(TEXT, "written and read again", Ok(game), read.as_ref())
}

fn read_among_others(game: &PgnGame, written: &str) -> Comparison {
    let other = "[Event \"?\"]\n\n1. e4 *\n";
    let file = format!("{other}\n{written}\n{other}");
    let read = PgnReader::new(file.as_bytes()).map(|game| game.map_err(|error| error.to_string()));
    let read: Vec<_> = read.collect();
    compare(TEXT, "games in a file", 3, read.len())?;
    compare(TEXT, "read among others", Ok(game), read[1].as_ref())
}
