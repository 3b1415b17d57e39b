//! Who says that `touchmove` is right: referees that know the rules, and what is made of their answers.
//!
//! - [`referees`]: one interface for the engine's own routes, a second implementation, other libraries, and
//!   any UCI engine; and liars, which prove that errors are seen.
//! - [`suite`]: perft suites in the forms people have them.
//! - [`descent`]: from a wrong count to the first position whose move list differs.
//! - [`census`]: which events of the rules a tree of positions holds.
//! - [`generators`]: valid things from bytes or a seed; [`oracles`]: who judges them; [`targets`]: which meets
//!   which in a fuzz target and in its [`replay`]; [`case`]: a divergence as text, shrunk and played again.
//! - [`schedules`]: two questions on one board, their steps in every order.
//! - [`leaves`]: what the last plies of a perft were, by kind.

#![forbid(unsafe_code)]

pub mod case;
pub mod census;
pub mod descent;
pub mod generators;
pub mod leaves;
pub mod oracles;
pub mod referees;
pub mod replay;
pub mod schedules;
pub mod suite;
pub mod targets;
