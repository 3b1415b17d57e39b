//! Two threads share a position and ask the route that touches nothing.

use std::thread;

use touchmove::Position;

fn main() {
    let position = Position::default();
    let shared = &position;
    thread::scope(|threads| {
        threads.spawn(move || shared.legal_moves());
        threads.spawn(move || shared.legal_moves());
    });
}
