//! Counts of each root move, as Stockfish prints them.

use std::sync::{Arc, mpsc};

use anyhow::{Context, bail};
use serde_json::json;
use touchmove::{Move, Position, UciMode, UciMove};
use touchmove_oracles::referees::total;

use crate::console::{self, Format, Progress, json_count};
use crate::counting::{self, Counter, Route};
use crate::job::read_position;
use crate::perft::DEPTH_MAX;
use crate::verdict::Verdict;
use crate::{crew, interrupt};

/// Counts the move paths that begin with each legal move; the last line is `Nodes searched: N`.
#[derive(clap::Args)]
pub(crate) struct Divide {
    /// A FEN in one argument, or `startpos`
    #[arg(value_name = "FEN|startpos")]
    fen: String,
    /// The length of the paths
    #[arg(value_parser = clap::value_parser!(u32).range(0..=DEPTH_MAX))]
    depth: u32,
    /// Moves in UCI text that are played first
    moves: Vec<String>,
    /// Writes and reads castling as king takes rook
    #[arg(long)]
    chess960: bool,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl Divide {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        let start = read_position(&self.fen)?;
        let mode = if self.chess960 { UciMode::Chess960 } else { UciMode::of(&start) };
        let position = self.after_moves(start, mode)?;
        let counts = self.count(&position)?;
        let mut lines = Vec::new();
        for (mv, nodes) in counts {
            lines.push((UciMove::of(mv, mode)?.to_string(), nodes));
        }
        lines.sort_unstable();
        let counted = lines.len();
        let complete = !interrupt::is_interrupted();
        let nodes = match self.depth {
            0 => 1,
            _ => total(lines.iter().map(|&(_, nodes)| nodes)),
        };
        match self.format {
            Format::Human => print_human(&lines, complete.then_some(nodes)),
            Format::Json => self.print_json(&position, &lines, complete.then_some(nodes)),
        }
        if complete {
            return Ok(Verdict::Pass);
        }
        let all = position.legal_count();
        console::status(format!("interrupted: {counted} of {all} moves were counted"));
        Ok(Verdict::Interrupted)
    }

    /// The counts by first move; fewer when interrupted.
    fn count(&self, position: &Position) -> anyhow::Result<Vec<(Move, u64)>> {
        if self.depth == 0 {
            return Ok(Vec::new());
        }
        let pool = counting::pool(None)?;
        let counter = Arc::new(Counter::new(Route::Fast));
        let (sender, receiver) = mpsc::channel();
        let (position, depth, counting) = (*position, self.depth, Arc::clone(&counter));
        std::thread::spawn(move || {
            let counts = pool.install(|| counting.divide(&position, depth));
            // Nobody listens any more when the run was interrupted.
            let _ = sender.send(counts);
        });
        let (mut counts, mut progress) = (Vec::new(), Progress::of_positions(1));
        crew::receive(&receiver, |counted| {
            counts.extend(counted.into_iter().flatten());
            progress.tell(0, counter.nodes());
        });
        progress.finish();
        Ok(counts)
    }

    fn print_json(&self, position: &Position, lines: &[(String, u64)], total: Option<u64>) {
        console::json(&json!({
            "type": "run", "verb": "divide", "fen": position.to_string(), "depth": self.depth,
        }));
        for (mv, nodes) in lines {
            console::json(&json!({ "type": "move", "move": mv, "nodes": json_count(*nodes) }));
        }
        let verdict = if total.is_some() { Verdict::Pass } else { Verdict::Interrupted };
        console::json(&json!({
            "type": "summary", "verdict": verdict.word(), "nodes": total.map(json_count),
        }));
    }

    fn after_moves(&self, mut position: Position, mode: UciMode) -> anyhow::Result<Position> {
        for (index, text) in self.moves.iter().enumerate() {
            let number = index + 1;
            let wrong = || format!("move {number} of the list, `{text}`, after {position}");
            let parsed: UciMove = text.parse().with_context(wrong)?;
            match parsed.resolve(&position, mode) {
                Ok(mv) => drop(position.make(mv)),
                Err(reason) => bail!("{}: {reason} [{}]", wrong(), reason.code()),
            }
        }
        Ok(position)
    }
}

/// As Stockfish prints them. What was interrupted has no total.
fn print_human(lines: &[(String, u64)], total: Option<u64>) {
    for (mv, nodes) in lines {
        console::result(format!("{mv}: {nodes}"));
    }
    if let Some(total) = total {
        if !lines.is_empty() {
            console::result("");
        }
        console::result(format!("Nodes searched: {total}"));
    }
}
