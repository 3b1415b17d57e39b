//! Counts move paths: `perft DEPTH [FEN]`, from the start position where no FEN is given.

use std::env;
use std::error::Error;

use touchmove::{PERFT_DEPTH_MAX, Position, perft};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let depth: u32 = arguments.next().ok_or("usage: perft DEPTH [FEN]")?.parse()?;
    if depth > PERFT_DEPTH_MAX {
        return Err(format!("the depth {depth} is above {PERFT_DEPTH_MAX}").into());
    }
    let position: Position = match arguments.next() {
        Some(fen) => fen.parse()?,
        None => Position::default(),
    };
    println!("{}", perft(&position, depth));
    Ok(())
}
