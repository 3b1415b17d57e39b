//! Two threads play in one game, at a table.

use std::thread;
use std::time::Duration;

use touchmove::{Color, Game, Position, Table};

fn main() {
    let table = Table::new(Game::new(Position::default()));
    let shared = &table;
    thread::scope(|threads| {
        threads.spawn(move || shared.play(Color::White, "e2e4", Duration::ZERO).is_ok());
        threads.spawn(move || shared.legal_moves_by_trial().len());
    });
}
