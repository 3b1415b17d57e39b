//! Two threads play in one game, with a lock for each move.

use std::sync::Mutex;
use std::thread;

use touchmove::{Color, Game, Position};

fn main() {
    let game = Mutex::new(Game::new(Position::default()));
    let shared = &game;
    thread::scope(|threads| {
        threads.spawn(move || shared.lock().unwrap().play(Color::White, "e2e4").is_ok());
        threads.spawn(move || shared.lock().unwrap().play(Color::Black, "e7e5").is_ok());
    });
}
