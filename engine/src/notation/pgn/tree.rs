//! Reads whole games, every move judged: [`PgnReader`] as an iterator, and text as a [`PgnGame`].

use alloc::boxed::Box;
use core::fmt;
use core::mem;
use core::str::FromStr;
use std::io::BufRead;

use super::builder::{PgnBuildError, PgnBuilder};
use super::error::PgnError;
use super::game::PgnGame;
use super::judge::{GameFault, start_of_tag};
use super::reader::PgnReader;
use super::replay::IllegalPly;
use super::visitor::{PgnFlow, PgnText, PgnVisitor};
use super::{GameResult, Nag, PgnComment};
use crate::notation::san::San;
use crate::position::Position;

/// A game that is broken or illegal somewhere: what is wrong, and what was read before.
#[derive(Debug)]
pub struct BrokenPgn {
    /// What is wrong, and where.
    pub error: PgnError,
    /// The game up to there. Nothing behind the error is in it.
    pub game: PgnGame,
}

impl fmt::Display for BrokenPgn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for BrokenPgn {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Makes a game of what it is shown.
struct TreeVisitor {
    game: PgnBuilder,
    result: Option<GameResult>,
}

impl TreeVisitor {
    fn new() -> TreeVisitor {
        TreeVisitor { game: PgnBuilder::without_tags(Position::default()), result: None }
    }

    fn finish(&mut self) -> PgnGame {
        let game = mem::replace(&mut self.game, PgnBuilder::without_tags(Position::default()));
        let of_tag = game.value("Result").and_then(|value| value.parse().ok());
        game.close(self.result.take().or(of_tag).unwrap_or_default())
    }
}

/// What only a reader does: it has judged sizes already.
impl PgnBuilder {
    fn set_start(&mut self, start: Position) {
        self.start = start;
        self.replay.restart(start);
    }

    /// Plays the move that a text means.
    fn play_san(&mut self, san: San) -> Result<(), IllegalPly> {
        let mv = self.replay.play(san)?;
        self.push_move(mv);
        Ok(())
    }

    /// The value of the first tag with this name.
    fn value(&self, name: &str) -> Option<&str> {
        self.tags.iter().find_map(|(tag, value)| (tag == name).then_some(value.as_str()))
    }
}

/// The reader has counted already, and knows which variations are open.
fn fits<E: fmt::Debug>(built: Result<(), E>) -> Result<PgnFlow, GameFault> {
    built.expect("reader and builder keep to the same limits");
    Ok(PgnFlow::GoOn)
}

impl PgnVisitor for TreeVisitor {
    type Error = GameFault;

    fn tag(&mut self, name: &str, value: PgnText<'_>) -> Result<PgnFlow, GameFault> {
        let value = value.to_str();
        if let Some(start) = start_of_tag(name, &value)? {
            self.game.set_start(start);
        }
        fits(self.game.push_tag(name, &value))
    }

    fn play(&mut self, san: San) -> Result<PgnFlow, GameFault> {
        self.game.play_san(san).map_err(GameFault::Move)?;
        Ok(PgnFlow::GoOn)
    }

    fn nag(&mut self, nag: Nag) -> Result<PgnFlow, GameFault> {
        fits(self.game.nag(nag))
    }

    fn comment(&mut self, comment: PgnText<'_>) -> Result<PgnFlow, GameFault> {
        let comment = PgnComment::new(&comment.to_str()).map_err(PgnBuildError::from);
        fits(comment.and_then(|comment| self.game.comment(comment)))
    }

    fn begin_variation(&mut self) -> Result<PgnFlow, GameFault> {
        fits(self.game.begin_variation())
    }

    fn end_variation(&mut self) -> Result<PgnFlow, GameFault> {
        fits(self.game.end_variation())
    }

    fn result(&mut self, result: GameResult) -> Result<PgnFlow, GameFault> {
        self.result = Some(result);
        Ok(PgnFlow::GoOn)
    }
}

/// The games of a file, one after another; a broken one does not end them.
///
/// ```
/// use touchmove::PgnReader;
///
/// let file = b"1. e4 e5 1/2-1/2\n\n1. e4 Ke7 1-0\n\n1. d4 *";
/// let games: Vec<_> = PgnReader::new(&file[..]).collect();
/// assert_eq!(games.len(), 3);
/// let broken = games[1].as_ref().unwrap_err();
/// assert_eq!(
///     broken.to_string(),
///     "game 2, line 3, column 7: `Ke7`: ply 2, move 1...: the mover's own pawn stands on e7"
/// );
/// assert_eq!(broken.game.line().moves.len(), 1);
/// ```
impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, Box<BrokenPgn>>;

    fn next(&mut self) -> Option<Result<PgnGame, Box<BrokenPgn>>> {
        let mut visitor = TreeVisitor::new();
        match self.read_game(&mut visitor) {
            Ok(None) => None,
            Ok(Some(_)) => Some(Ok(visitor.finish())),
            Err(error) => Some(Err(Box::new(BrokenPgn { error, game: visitor.finish() }))),
        }
    }
}

/// Why a text is not one game.
#[derive(Debug)]
pub enum PgnGameError {
    /// There is no game in it.
    Empty,
    /// The game is broken.
    Broken(Box<BrokenPgn>),
    /// Another game follows.
    Many,
}

impl fmt::Display for PgnGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnGameError::Empty => f.write_str("expected a game, found none"),
            PgnGameError::Broken(broken) => broken.fmt(f),
            PgnGameError::Many => f.write_str("expected one game, found another behind it"),
        }
    }
}

impl core::error::Error for PgnGameError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            PgnGameError::Broken(broken) => Some(broken),
            PgnGameError::Empty | PgnGameError::Many => None,
        }
    }
}

/// Reads one game, which must be all there is.
impl FromStr for PgnGame {
    type Err = PgnGameError;

    fn from_str(text: &str) -> Result<PgnGame, PgnGameError> {
        let mut games = PgnReader::new(text.as_bytes());
        let game = games.next().ok_or(PgnGameError::Empty)?.map_err(PgnGameError::Broken)?;
        match games.next() {
            None => Ok(game),
            Some(_) => Err(PgnGameError::Many),
        }
    }
}
