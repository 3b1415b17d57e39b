//! Two threads take back a move each.

use std::sync::{Arc, Mutex};
use std::thread;

use touchmove::{Move, Position, Square};

fn main() {
    let board = Arc::new(Mutex::new(Position::default()));
    let (mv, reply) =
        (Move::normal(Square::E2, Square::E4), Move::normal(Square::E7, Square::E5));
    let undo = board.lock().unwrap().make(mv);
    let undo_reply = board.lock().unwrap().make(reply);
    let (one, other) = (Arc::clone(&board), board);
    thread::spawn(move || one.lock().unwrap().unmake(reply, undo_reply)).join().unwrap();
    thread::spawn(move || other.lock().unwrap().unmake(mv, undo)).join().unwrap();
}
