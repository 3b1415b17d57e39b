//! `races`: a question that is asked by trial is a write, and what comes of forgetting that; and many games at once.

mod experiment;
mod load;
mod raw;
mod round;
mod scaling;
mod schedules;
#[cfg(test)]
mod tests;
mod way;

use crate::verdict::Verdict;

/// Asks one position from many threads: locked for each step, for each question, and not at all.
///
/// First every order of the steps of two questions, with the shortest that go wrong told step by step. Then threads, each way a
/// number of runs; exit code 0 when the lock for each step is corrupted in every run and no control ever is, 1 when a
/// control is, 3 when the corruption did not show. Last what sharing costs, which decides nothing.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Races {
    #[command(subcommand)]
    verb: Option<RacesVerb>,
    #[command(flatten)]
    experiment: experiment::Experiment,
}

#[derive(clap::Subcommand)]
enum RacesVerb {
    Load(load::Load),
    Sanitize(raw::Sanitize),
}

impl Races {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        match self.verb {
            None => self.experiment.run(),
            Some(RacesVerb::Load(load)) => load.run(),
            Some(RacesVerb::Sanitize(sanitize)) => sanitize.run(),
        }
    }
}
