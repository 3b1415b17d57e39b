//! `check`: one check of this tree in a process of its own, which may panic, hang, and be ended.
//!
//! `check run NAME SEED MILLISECONDS`, `check count FEN DEPTH`, `check counts NODES_MAX`. Each prints JSON, a line of it for every
//! line of the suites where these are counted. Planted faults are measured with it; `cargo xtask faults` builds it in a copy of
//! the tree.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use touchmove::{Position, perft};
use touchmove_oracles::checks::{self, Effort};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let answer = match words.as_slice() {
        ["run", name, seed, millis] => run(name, seed, millis),
        ["count", fen, depth] => count(fen, depth),
        ["counts", nodes_max] => counts(nodes_max),
        _ => {
            Err("expected: run NAME SEED MILLISECONDS | count FEN DEPTH | counts NODES_MAX".into())
        }
    };
    match answer {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

type Answer = Result<Value, Box<dyn std::error::Error>>;

/// What a check finds, after how much and how long.
fn run(name: &str, seed: &str, millis: &str) -> Answer {
    let check = checks::named(name).ok_or_else(|| format!("no check `{name}`"))?;
    let (seed, time) = (seed.parse()?, Duration::from_millis(millis.parse()?));
    let start = Instant::now();
    let report = check.run(&Effort::of(seed, time))?;
    Ok(json!({
        "find": report.find, "done": report.done, "depth": report.depth, "unit": check.unit,
        "seconds": start.elapsed().as_secs_f64(),
    }))
}

/// The counts of a position to every depth from 1 on.
fn count(fen: &str, depth: &str) -> Answer {
    let position: Position = fen.parse()?;
    let counts: Vec<u64> = (1..=depth.parse()?).map(|depth| perft(&position, depth)).collect();
    Ok(json!(counts))
}

/// The wrong counts of the suites, line by line as they come: what is told stands, whatever becomes of the rest.
fn counts(nodes_max: &str) -> Answer {
    let mut lines = 0;
    checks::count_lines(nodes_max.parse()?, |name, wrong| {
        println!("{}", json!({ "line": name, "wrong": wrong }));
        lines += 1;
    })?;
    Ok(json!({ "lines": lines }))
}
