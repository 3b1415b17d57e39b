//! A table that two threads share, beside the same game at a table of one thread's own.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use touchmove::{Color, Game, Move, Position, Standing, Status, Table, TableRefusal};

use super::{Verdict, compare};
use crate::generators::Steps;

const ORACLE: &str = "shared_table";

/// Each move is received so long after the one before: what a turn costs.
const TURN: Duration = Duration::from_secs(10);
/// More refusals than anybody meets whose turn will come.
const REFUSALS_MAX: u32 = 20_000_000;

/// Two players who send their moves from threads of their own, each move again and again until its turn has come: in the end the
/// game stands as it does where they wait for each other, clocks included.
///
/// Which of them wins the lock is for the machine to say, so what is found here may not be found again.
pub fn shared_table<S: Steps>(steps: S) -> Verdict {
    let start = steps.start();
    let (moves, alone) = played_alone(steps);
    let together = table_at(start);
    let barrier = Barrier::new(2);
    let sent = thread::scope(|threads| {
        let players = Color::ALL.map(|player| {
            let (together, moves, barrier) = (&together, &moves, &barrier);
            threads.spawn(move || {
                barrier.wait();
                send(together, player, start.turn(), moves)
            })
        });
        let sent = players.map(|player| player.join().expect("a player does not panic"));
        sent.into_iter().collect::<Result<(), String>>()
    });
    let comparison = compare(ORACLE, "what became of the moves", Ok(()), sent)
        .and_then(|()| compare(ORACLE, "how the game stands", alone, together.standing()));
    match comparison {
        Ok(()) => Verdict::Pass,
        Err(parting) => parting.after(start, moves),
    }
}

fn table_at(start: Position) -> Table {
    // Nobody's flag falls.
    let control = "100000".parse().expect("a time control");
    Table::new(Game::new(start).with_clock(control))
}

/// When the move of this number is received.
fn received(ply: usize) -> Duration {
    TURN * (ply as u32 + 1)
}

/// The moves up to the end of the game, and how it stands.
fn played_alone<S: Steps>(mut steps: S) -> (Vec<Move>, Standing) {
    let table = table_at(steps.start());
    let mut moves = Vec::new();
    loop {
        let standing = table.standing();
        let legal = standing.position.legal_moves();
        let next = steps.next_move(&standing.position, &legal);
        let next = next.filter(|_| !matches!(standing.status, Status::Over(_)));
        let Some(mv) = next else { return (moves, standing) };
        let played = table.play_move(standing.position.turn(), mv, received(moves.len()));
        moves.push(mv);
        if played.is_err() {
            // Whoever sends this move will be refused as well, and will say so.
            return (moves, standing);
        }
    }
}

/// Sends a player's moves; the first move of all is `first`'s.
fn send(table: &Table, player: Color, first: Color, moves: &[Move]) -> Result<(), String> {
    let skipped = usize::from(player != first);
    for (ply, &mv) in moves.iter().enumerate().skip(skipped).step_by(2) {
        let mut refusals = 0;
        while let Err(refusal) = table.play_move(player, mv, received(ply)) {
            refusals += 1;
            let waits =
                matches!(&refusal, TableRefusal::Refused(why) if why.code() == "not-your-turn");
            if !waits || refusals == REFUSALS_MAX {
                return Err(format!("{player} {mv:?} at ply {ply}: {refusal}"));
            }
        }
    }
    Ok(())
}
