//! `bench`: side by side with the peers, in one run and as ratios.

mod contestants;
mod games;
mod hashed;
mod instructions;
mod perft;
mod pgn;
mod race;
mod task;

pub(crate) use self::race::median;
use crate::verdict::Verdict;

/// Measures touchmove and its peers side by side.
#[derive(clap::Args)]
pub(crate) struct Bench {
    #[command(subcommand)]
    verb: BenchVerb,
}

#[derive(clap::Subcommand)]
enum BenchVerb {
    Perft(perft::PerftBench),
    Hashed(hashed::HashedBench),
    Instructions(instructions::InstructionsBench),
    Pgn(pgn::PgnBench),
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        match self.verb {
            BenchVerb::Perft(perft) => perft.run(),
            BenchVerb::Hashed(hashed) => hashed.run(),
            BenchVerb::Instructions(instructions) => instructions.run(),
            BenchVerb::Pgn(pgn) => pgn.run(),
        }
    }
}
