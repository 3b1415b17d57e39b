//! What move generators count beside each other: a position, and a depth with its listed number of paths.

use anyhow::{Context, bail};

use crate::console::Format;
use crate::job::read_jobs;

/// What is counted in a lap.
pub(super) struct Task {
    pub(super) name: String,
    pub(super) fen: String,
    pub(super) depth: u32,
    /// How many paths are listed.
    pub(super) nodes: u64,
}

impl Task {
    /// Each of these positions of `perft-data`, to the deepest listed depth with at most so many nodes.
    pub(super) fn read(names: &[&str], nodes_max: u64) -> anyhow::Result<Vec<Task>> {
        let (mut jobs, _) = read_jobs(&[], false, Format::Human)?;
        let find = |name: &&str| -> anyhow::Result<Task> {
            let job = jobs.iter_mut().find(|job| job.name == **name);
            let job = job.with_context(|| format!("{name} is no position of perft-data"))?;
            job.keep_counts(None, Some(nodes_max));
            let Some(&(depth, Some(nodes))) = job.depths.last() else {
                bail!("{name} has no depth with so few nodes");
            };
            Ok(Task { name: job.name.clone(), fen: job.position.to_string(), depth, nodes })
        };
        names.iter().map(find).collect()
    }
}
