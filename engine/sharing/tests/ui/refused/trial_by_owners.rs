//! Two threads own a position together, and each asks by trial.

use std::sync::Arc;
use std::thread;

use touchmove::Position;

fn main() {
    let position = Arc::new(Position::default());
    let askers = [(); 2].map(|()| {
        let position = Arc::clone(&position);
        thread::spawn(move || position.legal_moves_by_trial().len())
    });
    assert_eq!(askers.map(|asker| asker.join().unwrap()), [20, 20]);
}
