//! `cargo xtask <verb>`: the verbs of the harness and their exit codes.

#![forbid(unsafe_code)]

mod bench;
mod child;
mod ci;
mod console;
mod counting;
mod crew;
mod disk;
mod dispute;
mod divide;
mod fuzz;
mod interrupt;
mod job;
mod judges;
mod memory;
mod perft;
mod pgn;
mod races;
mod soak;
mod suite;
mod tally;
mod verdict;

use std::process::ExitCode;

use clap::Parser;

use crate::console::{BadText, ConsoleOptions};
use crate::verdict::Verdict;

/// The harness that proves touchmove right.
///
/// Exit codes of every verb, the first that applies: 1 a divergence; 130 interrupted; 2 bad usage or
/// bad input; 3 unknown, nothing done included; 0 all passed. 101 is a bug of the harness.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    console: ConsoleOptions,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    Perft(perft::Perft),
    Divide(divide::Divide),
    Suite(suite::Suite),
    Soak(soak::Soak),
    Fuzz(fuzz::Fuzz),
    Pgn(pgn::Pgn),
    Races(races::Races),
    Bench(bench::Bench),
    Ci(ci::Ci),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    arguments.console.apply();
    interrupt::listen();
    let outcome = match arguments.verb {
        Verb::Perft(perft) => perft.run(),
        Verb::Divide(divide) => divide.run(),
        Verb::Suite(suite) => suite.run(),
        Verb::Soak(soak) => soak.run(),
        Verb::Fuzz(fuzz) => fuzz.run(),
        Verb::Pgn(pgn) => pgn.run(),
        Verb::Races(races) => races.run(),
        Verb::Bench(bench) => bench.run(),
        Verb::Ci(ci) => ci.run(),
    };
    let verdict = outcome.unwrap_or_else(|error| {
        match error.downcast_ref::<BadText>() {
            Some(text) => text.show(),
            None => console::complain(&format!("{error:#}")),
        }
        Verdict::BadInput
    });
    verdict.into()
}
