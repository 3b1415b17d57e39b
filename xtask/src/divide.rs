//! Counts of each root move, as Stockfish prints them.

use anyhow::{Context, bail};
use touchmove::{Position, UciMode, UciMove};

use crate::console;
use crate::counting::{self, Counter, Route};
use crate::interrupt;
use crate::job::read_position;
use crate::verdict::Verdict;

/// Counts the move paths that begin with each legal move; the last line is `Nodes searched: N`.
#[derive(clap::Args)]
pub(crate) struct Divide {
    /// A FEN in one argument, or `startpos`
    #[arg(value_name = "FEN|startpos")]
    fen: String,
    /// The length of the paths
    depth: u32,
    /// Moves in UCI text that are played first
    moves: Vec<String>,
    /// Writes and reads castling as king takes rook
    #[arg(long)]
    chess960: bool,
}

impl Divide {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        let start = read_position(&self.fen)?;
        let mode = if self.chess960 { UciMode::Chess960 } else { UciMode::of(&start) };
        let position = self.after_moves(start, mode)?;
        if self.depth == 0 {
            console::result("Nodes searched: 1");
            return Ok(Verdict::Pass);
        }
        let pool = counting::pool(None)?;
        let counter = Counter::new(Route::Fast);
        let counts = pool.install(|| counter.divide(&position, self.depth));
        let mut lines = Vec::new();
        for &(mv, nodes) in &counts {
            lines.push(format!("{}: {nodes}", UciMove::of(mv, mode)?));
        }
        lines.sort_unstable();
        for line in lines {
            console::result(line);
        }
        console::result("");
        let nodes: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
        console::result(format!("Nodes searched: {nodes}"));
        if interrupt::is_interrupted() {
            let (counted, all) = (counts.len(), position.legal_count());
            console::status(format!("interrupted: {counted} of {all} moves were counted"));
            return Ok(Verdict::Interrupted);
        }
        Ok(Verdict::Pass)
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
