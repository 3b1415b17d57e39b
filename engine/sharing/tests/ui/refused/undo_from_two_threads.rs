//! Two threads take the same move back.

use std::sync::{Arc, Mutex};
use std::thread;

use touchmove::{Move, Position, Square};

fn main() {
    let board = Arc::new(Mutex::new(Position::default()));
    let mv = Move::normal(Square::E2, Square::E4);
    let undo = board.lock().unwrap().make(mv);
    let (one, other) = (Arc::clone(&board), board);
    thread::spawn(move || one.lock().unwrap().unmake(mv, undo)).join().unwrap();
    thread::spawn(move || other.lock().unwrap().unmake(mv, undo)).join().unwrap();
}
