//! How a game stands and how it ends, each ending with its article.

use core::fmt;
use core::str::FromStr;

use crate::notation::pgn::GameResult;
use crate::piece::Color;

/// Which draws end a game by themselves (R14).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Policy {
    /// The Laws: threefold repetition and fifty moves are claims; fivefold repetition and seventy-five moves end the
    /// game.
    #[default]
    Fide,
    /// As game servers do: threefold repetition and fifty moves end the game.
    Online,
}

impl Policy {
    /// The halfmove clock, in plies, at which a game is drawn by itself: 150 or 100.
    pub const fn clock_max(self) -> u16 {
        match self {
            Policy::Fide => 150,
            Policy::Online => 100,
        }
    }

    /// The occurrences of one position with which a game is drawn by itself: 5 or 3.
    pub const fn occurrences_max(self) -> usize {
        match self {
            Policy::Fide => 5,
            Policy::Online => 3,
        }
    }
}

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side has won.
    Win {
        /// Which.
        winner: Color,
        /// By what.
        by: Victory,
    },
    /// Nobody has.
    Draw(Draw),
}

/// By what a game is won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Victory {
    /// FIDE 5.1.1.
    Checkmate,
    /// FIDE 5.1.2.
    Resignation,
    /// FIDE 6.9.
    FlagFall,
}

/// By what a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Draw {
    /// FIDE 5.2.1.
    Stalemate,
    /// FIDE 5.2.2: nobody can mate any more, as far as that is proven (R16).
    DeadPosition,
    /// FIDE 5.2.3.
    Agreement,
    /// FIDE 9.2, 9.3.
    Claimed(Claim),
    /// FIDE 6.9: a flag has fallen, and the other side cannot mate by any series of legal moves (R17).
    FlagFallWithoutMate,
    /// FIDE 9.6.1.
    FivefoldRepetition,
    /// FIDE 9.6.2.
    SeventyFiveMoves,
    /// By itself under [`Policy::Online`] alone.
    ThreefoldRepetition,
    /// By itself under [`Policy::Online`] alone.
    FiftyMoves,
}

/// What the player to move may claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// FIDE 9.2: the position is there for the third time.
    ThreefoldRepetition,
    /// FIDE 9.3: fifty moves by each player without a capture or a pawn's move.
    FiftyMoves,
}

impl Outcome {
    /// The side that has won, if one has.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw(_) => None,
        }
    }

    /// As a game file has it.
    pub const fn result(self) -> GameResult {
        match self {
            Outcome::Win { winner: Color::White, .. } => GameResult::WhiteWins,
            Outcome::Win { winner: Color::Black, .. } => GameResult::BlackWins,
            Outcome::Draw(_) => GameResult::Draw,
        }
    }

    /// Whether it follows from the moves alone. Such a game is open again when its last move is taken back (R19).
    pub const fn is_on_the_board(self) -> bool {
        match self {
            Outcome::Win { by, .. } => matches!(by, Victory::Checkmate),
            Outcome::Draw(draw) => {
                !matches!(draw, Draw::Agreement | Draw::Claimed(_) | Draw::FlagFallWithoutMate)
            }
        }
    }

    /// All of them.
    fn all() -> impl Iterator<Item = Outcome> {
        const VICTORIES: [Victory; 3] =
            [Victory::Checkmate, Victory::Resignation, Victory::FlagFall];
        const DRAWS: [Draw; 10] = [
            Draw::Stalemate,
            Draw::DeadPosition,
            Draw::Agreement,
            Draw::Claimed(Claim::ThreefoldRepetition),
            Draw::Claimed(Claim::FiftyMoves),
            Draw::FlagFallWithoutMate,
            Draw::FivefoldRepetition,
            Draw::SeventyFiveMoves,
            Draw::ThreefoldRepetition,
            Draw::FiftyMoves,
        ];
        let wins = Color::ALL
            .into_iter()
            .flat_map(|winner| VICTORIES.into_iter().map(move |by| Outcome::Win { winner, by }));
        wins.chain(DRAWS.into_iter().map(Outcome::Draw))
    }
}

/// `white wins by checkmate`, `draw by agreement`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win { winner, by } => write!(f, "{winner} wins by {by}"),
            Outcome::Draw(draw) => write!(f, "draw by {draw}"),
        }
    }
}

/// The text is no outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutcomeError;

impl fmt::Display for OutcomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an outcome, such as `white wins by checkmate` or `draw by agreement`")
    }
}

impl core::error::Error for OutcomeError {}

impl FromStr for Outcome {
    type Err = OutcomeError;

    fn from_str(text: &str) -> Result<Outcome, OutcomeError> {
        use alloc::string::ToString as _;
        Outcome::all().find(|outcome| outcome.to_string() == text).ok_or(OutcomeError)
    }
}

impl fmt::Display for Victory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Victory::Checkmate => "checkmate",
            Victory::Resignation => "resignation",
            Victory::FlagFall => "flag fall",
        })
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Draw::Stalemate => "stalemate",
            Draw::DeadPosition => "dead position",
            Draw::Agreement => "agreement",
            Draw::Claimed(Claim::ThreefoldRepetition) => "a claim of threefold repetition",
            Draw::Claimed(Claim::FiftyMoves) => "a claim of fifty moves",
            Draw::FlagFallWithoutMate => "flag fall, as the other side cannot mate",
            Draw::FivefoldRepetition => "fivefold repetition",
            Draw::SeventyFiveMoves => "seventy-five moves",
            Draw::ThreefoldRepetition => "threefold repetition",
            Draw::FiftyMoves => "fifty moves",
        })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Claim::ThreefoldRepetition => "threefold repetition",
            Claim::FiftyMoves => "fifty moves",
        })
    }
}

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It goes on, and nobody is in check.
    Active,
    /// It goes on, and the side to move is in check.
    Check,
    /// It is over.
    Over(Outcome),
}

impl Status {
    /// A word that stays the same in every version: `active`, `check`, `checkmate`, `stalemate`, `resigned`, `flag`, or
    /// `draw`.
    pub const fn code(self) -> &'static str {
        match self {
            Status::Active => "active",
            Status::Check => "check",
            Status::Over(Outcome::Win { by: Victory::Checkmate, .. }) => "checkmate",
            Status::Over(Outcome::Win { by: Victory::Resignation, .. }) => "resigned",
            Status::Over(Outcome::Win { by: Victory::FlagFall, .. }) => "flag",
            Status::Over(Outcome::Draw(Draw::Stalemate)) => "stalemate",
            Status::Over(Outcome::Draw(_)) => "draw",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Over(outcome) => outcome.fmt(f),
            other => f.write_str(other.code()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_read_back() {
        for outcome in Outcome::all() {
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
        }
        assert_eq!(Outcome::all().count(), 16);
        assert_eq!("white wins".parse::<Outcome>(), Err(OutcomeError));
    }
}
