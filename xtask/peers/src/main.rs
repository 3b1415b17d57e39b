//! Counts move paths with one of several move generators, as often as it is asked, and says how long each count took.
//!
//! Reads lines `perft DEPTH FEN`, `factored DEPTH FEN` or `walk DEPTH FEN`; answers each with the number of paths and the nanoseconds.
//! It is a program of its own because the flags of a build hold for the whole of it.

mod contestants;

use std::env;
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use self::contestants::{Chess, Contestant, Cozy, Shakmaty, Touchmove};

fn main() -> Result<(), Box<dyn Error>> {
    match env::args().nth(1).as_deref() {
        Some("touchmove") => answer::<Touchmove>(),
        Some("cozy-chess") => answer::<Cozy>(),
        Some("shakmaty") => answer::<Shakmaty>(),
        Some("chess") => answer::<Chess>(),
        other => {
            Err(format!("expected touchmove, cozy-chess, shakmaty or chess, found {other:?}")
                .into())
        }
    }
}

fn answer<C: Contestant>() -> Result<(), Box<dyn Error>> {
    let mut answers = io::stdout().lock();
    for question in io::stdin().lock().lines() {
        let question = question?;
        let mut words = question.splitn(3, ' ');
        let (Some(work), Some(depth), Some(fen)) = (words.next(), words.next(), words.next())
        else {
            return Err(format!("expected a task, a depth and a FEN, found {question:?}").into());
        };
        let (depth, mut contestant) = (depth.parse()?, C::at(fen)?);
        let start = Instant::now();
        let paths = match work {
            "perft" => contestant.perft(depth),
            "factored" => contestant.factored(depth),
            "walk" => contestant.walk(depth),
            other => {
                return Err(format!("expected perft, factored or walk, found {other:?}").into());
            }
        };
        writeln!(answers, "{paths} {}", start.elapsed().as_nanos())?;
        answers.flush()?;
    }
    Ok(())
}
