//! Two threads play in one game.

use std::thread;

use touchmove::{Color, Game, Position};

fn main() {
    let game = Game::new(Position::default());
    let shared = &game;
    thread::scope(|threads| {
        threads.spawn(move || shared.play(Color::White, "e2e4").is_ok());
        threads.spawn(move || shared.play(Color::Black, "e7e5").is_ok());
    });
}
