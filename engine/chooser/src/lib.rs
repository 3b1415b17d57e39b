//! Somebody to play against: choosers of moves, hints, and the search behind them.
//!
//! A [`Chooser`] is shown a position and its past, and answers with a legal move. [`RandomChooser`] takes any of
//! them, from a seed; [`SearchChooser`] looks ahead with a [`Searcher`], which also gives [hints](Searcher::hints).
//! The rules are those of [`touchmove`]; here nothing decides what is legal.
//!
//! ```
//! use touchmove::{Position, San};
//! use touchmove_chooser::{Limits, Searcher};
//!
//! // Three moves before the end of Anderssen's game of 1851.
//! let immortal: Position =
//!     "r1b1k1nr/p2p1ppp/n2B4/1p1NPN1P/6P1/3P1Q2/P1P1K3/q5b1 w kq - 2 21".parse()?;
//! let mut searcher = Searcher::new(1);
//! let found = searcher.search(&immortal, &[], &Limits::depth(6), |_| {});
//! let found = found.expect("there are legal moves");
//! assert_eq!(San::of(&immortal, found.mv()).to_string(), "Nxg7+");
//! assert_eq!(found.score().mate(), Some(3));
//! # Ok::<(), touchmove::FenError>(())
//! ```
//!
//! No clock is read, no environment, and no random number drawn that is not passed in: the same questions in the
//! same order have the same answers. Who has a clock stops a search by the flag in its [`Limits`]. The example `uci`
//! does.

#![forbid(unsafe_code)]

mod chooser;
mod hints;
mod random;
mod score;
mod search;

pub use chooser::Chooser;
pub use hints::Hint;
pub use random::RandomChooser;
pub use score::Score;
pub use search::{DEPTH_MAX, Limits, Progress, SearchChooser, Searcher};
