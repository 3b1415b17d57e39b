//! Games that many threads share: tables, those who watch, the clock, halls; and positions that threads copy.
//!
//! Threads meet at barriers and are joined; nothing here waits for time to pass.

mod clock;
mod copies;
mod hall;
mod subscribers;
mod table;

use std::time::Duration;

use touchmove::{Color, Event, Game, Position, Table, TableRefusal};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;
/// The receive time where nobody asks for it.
const NOW: Duration = Duration::ZERO;

fn table() -> Table {
    Table::new(Game::new(Position::default()))
}

/// Plays moves in UCI, each by the side whose turn it is.
#[track_caller]
fn play(table: &Table, moves: &str) -> Vec<Event> {
    let play = |text| table.play(table.position().turn(), text, NOW);
    let played = moves.split_whitespace().map(|text| (text, play(text)));
    played.map(|(text, event)| event.unwrap_or_else(|why| panic!("{text}: {why}"))).collect()
}

fn code<T>(result: Result<T, TableRefusal>) -> Option<&'static str> {
    result.err().map(|refusal| refusal.code())
}
