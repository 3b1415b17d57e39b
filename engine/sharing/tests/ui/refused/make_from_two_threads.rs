//! Two threads make a move on one position at once.

use std::thread;

use touchmove::{Move, Position, Square};

fn main() {
    let mut position = Position::default();
    let (one, other) = (&mut position, &mut position);
    thread::scope(|threads| {
        threads.spawn(move || drop(one.make(Move::normal(Square::E2, Square::E4))));
        threads.spawn(move || drop(other.make(Move::normal(Square::D2, Square::D4))));
    });
}
