//! How long the questions about dead positions and flag falls take over the positions of random games.
//!
//! ```sh
//! cargo run --release -p touchmove-oracles --example draw_times -- 1000 8
//! ```
//!
//! Games, and every how many positions the flag-fall question is asked for both sides.

use std::env;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use touchmove::{Color, MatingChance, Position};

/// The longest game, in plies.
const PLIES_MAX: usize = 400;

fn main() {
    let mut arguments = env::args().skip(1).map(|text| text.parse().expect("a number"));
    let (games, every) = (arguments.next().unwrap_or(1_000), arguments.next().unwrap_or(8));
    let mut dice = ChaCha8Rng::seed_from_u64(52);
    let (mut per_move, mut flag_falls) = (Times::default(), Times::default());
    let (mut dead, mut not_proven) = (0, 0);
    for _ in 0..games {
        let mut position = Position::default();
        for _ in 0..PLIES_MAX {
            let moves = position.legal_moves();
            let start = Instant::now();
            let is_dead = position.dead_position().is_some();
            per_move.add(start.elapsed(), position);
            if per_move.0.len() % every == 0 {
                for winner in Color::ALL {
                    let start = Instant::now();
                    let chance = position.mating_chance(winner);
                    flag_falls.add(start.elapsed(), position);
                    if chance == MatingChance::NotProven {
                        not_proven += 1;
                        println!("not proven: {winner} in {position}");
                    }
                }
            }
            dead += usize::from(is_dead);
            if is_dead || moves.is_empty() {
                break;
            }
            drop(position.make(moves[dice.random_range(0..moves.len())]));
        }
    }
    println!("{games} games, {dead} of them dead at the end, {not_proven} questions not proven");
    per_move.print("after each move");
    flag_falls.print("at a flag fall");
}

#[derive(Default)]
struct Times(Vec<(Duration, Position)>);

impl Times {
    fn add(&mut self, time: Duration, position: Position) {
        self.0.push((time, position));
    }

    fn print(mut self, question: &str) {
        self.0.sort_by_key(|&(time, _)| time);
        let at = |share: f64| self.0[((self.0.len() - 1) as f64 * share) as usize];
        println!("{question}: {} times", self.0.len());
        for (name, share) in [("median", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("99.9 %", 0.999)] {
            println!("  {name}: {:?}", at(share).0);
        }
        println!("  most: {:?} in {}", at(1.0).0, at(1.0).1);
    }
}
