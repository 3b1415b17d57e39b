//! A game: a position with its past. So far only how it can be drawn.

pub(crate) mod draws;
