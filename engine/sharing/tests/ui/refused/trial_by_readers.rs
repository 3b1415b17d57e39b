//! Two threads share a position and ask by trial.

use std::thread;

use touchmove::Position;

fn main() {
    let position = Position::default();
    let shared = &position;
    thread::scope(|threads| {
        threads.spawn(move || shared.legal_moves_by_trial());
        threads.spawn(move || shared.legal_moves_by_trial());
    });
}
