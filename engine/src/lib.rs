//! The rules of chess, Chess960 included: positions, legal moves, make and unmake, perft.
//!
//! A [`Position`] is always valid. It is read from FEN, knows its [legal moves](Position::legal_moves), and
//! changes by [`make`](Position::make) and [`unmake`](Position::unmake), which restores every bit.
//!
//! ```
//! use touchmove::{Position, UciMode, UciMove, perft};
//!
//! let mut position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse()?;
//! assert_eq!(position.legal_moves().len(), 26);
//!
//! let castles: UciMove = "e1g1".parse()?;
//! let castles = castles.resolve(&position, UciMode::Standard)?;
//! let undo = position.make(castles);
//! assert_eq!(position.to_string(), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
//!
//! position.unmake(castles, undo);
//! assert_eq!(perft(&position, 3), 13_744);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules are those of the FIDE Laws of Chess in force from 1 January 2023, cited by article.
//! Where FEN, EPD, UCI, SAN or PGN leave room, ARCHITECTURE.md lists what was decided.
//!
//! # Features
//!
//! - `std` (default): finds out at run time what the processor can do, reads game files ([`PgnReader`]), and has games
//!   that many threads share ([`Table`], [`Hall`]). Without it the crate needs `alloc` only.
//! - `serde`: what has a text, [`Position`] to [`GameRecord`], is serialised as that text.

#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

mod bitboard;
mod board;
mod castling;
mod game;
#[cfg(feature = "std")]
mod hall;
mod moves;
mod notation;
mod perft;
mod piece;
mod position;
mod processor;
#[cfg(feature = "serde")]
mod serde;
mod shapes;
mod square;
#[cfg(feature = "std")]
mod table;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::{CastlingPath, CastlingRights, CastlingSide};
pub use game::clock::{Bonus, Clock, ClockReading, Stage, TimeControl, TimeControlError};
pub use game::draws::horizon::AutomaticDraws;
pub use game::draws::theorems::Ending;
pub use game::draws::{DeadPosition, MatingChance, MatingLine, Proof};
pub use game::moves::Played;
pub use game::outcome::{Claim, Draw, Outcome, OutcomeError, Policy, Status, Victory};
pub use game::record::{GameRecord, RecordError, RestoreError};
pub use game::refusal::Refusal;
pub use game::{CLAIM_PENALTY, Claimed, EnPassantFen, Game};
#[cfg(feature = "std")]
pub use hall::{Hall, TableId};
pub use moves::{Move, MoveKind, MoveList};
pub use notation::SyntaxError;
pub use notation::epd::moves::{EpdMoveError, EpdMoveFault};
pub use notation::epd::{Epd, Operand, Operation};
pub use notation::fen::FenError;
pub use notation::pgn::builder::{PgnBuildError, PgnBuilder};
pub use notation::pgn::game::{PgnAnnotation, PgnGame, PgnLine, PgnMove, PgnRemark};
pub use notation::pgn::replay::{IllegalPly, PlyFault, Replay};
pub use notation::pgn::{
    GameResult, GameResultError, Nag, PGN_CHARS_MAX, PGN_COMMENT_MAX, PGN_ITEMS_MAX,
    PGN_NESTING_MAX, PGN_TAG_MAX, PgnComment, PgnTooLarge,
};
#[cfg(feature = "std")]
pub use notation::pgn::{
    error::{PgnError, PgnFault},
    judge::{GameFault, PgnJudge},
    reader::PgnReader,
    tree::{BrokenPgn, PgnGameError},
    visitor::{PgnFlow, PgnText, PgnVisitor},
};
pub use notation::san::{CheckMark, San, SanError, SanPlay};
pub use notation::uci::{UciMode, UciMove, UnwritableCastling};
pub use perft::{
    PERFT_DEPTH_MAX, PerftHash, PerftHashError, divide, perft, perft_by_magic, perft_factored,
    perft_hashed,
};
pub use piece::{ByColor, Color, Piece, PromotionRole, Role};
pub use position::{
    CastlingObstacle, EnPassantObstacle, IllegalMove, NullMoveInCheck, NullUndo, Position, Setup,
    SetupError, SetupFault, Undo,
};
pub use shapes::{Pawn, Shape, Slider, Stepper, between, line};
pub use square::{File, Rank, Square, SquareError};
#[cfg(feature = "std")]
pub use table::{
    LAG_MAX, Table,
    event::{Event, Happening, News, Standing, TableRefusal},
    feed::{EVENTS_WAITING_MAX, Subscriber},
};
pub use zobrist::Key;

/// The example in the README is a test, too.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
