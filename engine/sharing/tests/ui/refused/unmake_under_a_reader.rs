//! One thread takes a move back while another looks.

use std::thread;

use touchmove::{Move, Position, Square};

fn main() {
    let mut position = Position::default();
    let mv = Move::normal(Square::E2, Square::E4);
    let undo = position.make(mv);
    let reader = &position;
    thread::scope(|threads| {
        threads.spawn(|| reader.legal_moves());
        threads.spawn(|| position.unmake(mv, undo));
    });
}
