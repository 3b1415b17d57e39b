//! `races`: many threads and one game, many threads and many games.

mod load;

use crate::verdict::Verdict;

/// Games that threads share.
#[derive(clap::Args)]
pub(crate) struct Races {
    #[command(subcommand)]
    verb: RacesVerb,
}

#[derive(clap::Subcommand)]
enum RacesVerb {
    Load(load::Load),
}

impl Races {
    pub(crate) fn run(self) -> anyhow::Result<Verdict> {
        match self.verb {
            RacesVerb::Load(load) => load.run(),
        }
    }
}
