//! From a wrong count to the first position whose move list differs.
//!
//! Counts only tell into which branch to go; what decides is the move list of each position on the way, held
//! against the other both ways. The way down is gone twice: once by playing and taking back moves, once by setting up
//! each position from its FEN. A fault in hidden state shows in one and not in the other.

use std::collections::BTreeMap;

use touchmove::{FenError, Move, MoveKind, Position, Role, Setup, Square, UciMode, between};

use crate::referees::{Referee, Silence};

/// Where two referees part: the moves that lead there and what only one of them lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The moves from the root.
    pub path: Vec<Move>,
    /// The position they lead to.
    pub position: Position,
    /// Its FEN as the referees were given it: with an en passant square after every double push, whether or
    /// not the capture is legal. A referee that is wrong about just that needs the square.
    pub fen: String,
    /// What the first referee lists and the second does not, by code.
    pub only_first: Vec<Move>,
    /// What the second lists and the first does not.
    pub only_second: Vec<Move>,
}

impl Difference {
    /// Whether the FEN names this square for a capture en passant, legal or not.
    pub fn offers_en_passant(&self, square: Square) -> bool {
        self.fen.parse::<Setup>().is_ok_and(|setup| setup.en_passant == Some(square))
    }
}

/// What going down found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Both count the same below the root, branch for branch.
    Same,
    /// The first position, in the order of the way down, whose move lists differ.
    Lists(Box<Difference>),
    /// Counts differ under equal lists all the way down: a referee counts otherwise than it lists.
    CountsOnly {
        /// The moves to the last position looked at.
        path: Vec<Move>,
        /// The position.
        position: Position,
        /// The count of the first referee below it, and of the second.
        counts: [u64; 2],
    },
}

/// How the referees are brought to each position on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The moves are played from the root.
    ByMoves,
    /// Each position is set up from its FEN.
    ByFen,
}

/// Goes down from a position, given as a FEN, in which two referees count differently at `depth`.
///
/// # Errors
///
/// When the text is no FEN of a position; when one of the two cannot hold a position on the way, or
/// fails.
pub fn descend(
    first: &mut dyn Referee,
    second: &mut dyn Referee,
    root: &str,
    mode: UciMode,
    depth: u32,
    way: Way,
) -> Result<Finding, Silence> {
    let mut position: Position =
        root.parse().map_err(|error: FenError| Silence::Abstains(error.to_string()))?;
    let fen = root.to_string();
    let mut descent = Descent { referees: [first, second], mode, way, path: Vec::new(), fen };
    descent.set_up()?;
    let mut depth = depth;
    let mut parting = None;
    loop {
        if let Some(difference) = descent.compare_lists(&position)? {
            return Ok(Finding::Lists(Box::new(difference)));
        }
        let branch = match depth {
            0 | 1 => None,
            _ => descent.parting_branch(depth)?,
        };
        let Some((mv, counts)) = branch else {
            let path = descent.path;
            return Ok(match parting {
                None => Finding::Same,
                Some(counts) => Finding::CountsOnly { path, position, counts },
            });
        };
        let _never_taken_back = position.make(mv);
        descent.fen = fen_after(&position, mv);
        descent.go_to(mv)?;
        parting = Some(counts);
        depth -= 1;
    }
}

struct Descent<'a> {
    referees: [&'a mut dyn Referee; 2],
    mode: UciMode,
    way: Way,
    path: Vec<Move>,
    fen: String,
}

/// The FEN of a position that a move has led to, with the en passant square of every double push.
fn fen_after(position: &Position, mv: Move) -> String {
    let mut setup = position.to_setup();
    let is_pawn = position.board().role_at(mv.to()) == Some(Role::Pawn);
    if is_pawn && mv.kind() == MoveKind::Normal && mv.from().file() == mv.to().file() {
        // Squares lie between the two only when the pawn has gone two.
        setup.en_passant = between(mv.from(), mv.to()).first();
    }
    setup.to_string()
}

impl Descent<'_> {
    fn set_up(&mut self) -> Result<(), Silence> {
        self.referees.iter_mut().try_for_each(|referee| referee.set(&self.fen, self.mode))
    }

    fn go_to(&mut self, mv: Move) -> Result<(), Silence> {
        self.path.push(mv);
        match self.way {
            Way::ByMoves => self.referees.iter_mut().try_for_each(|referee| referee.play(mv)),
            Way::ByFen => self.set_up(),
        }
    }

    fn compare_lists(&mut self, position: &Position) -> Result<Option<Difference>, Silence> {
        let first = self.referees[0].legal_moves()?;
        let second = self.referees[1].legal_moves()?;
        let only = |list: &[Move], other: &[Move]| {
            let mut only: Vec<Move> =
                list.iter().copied().filter(|mv| !other.contains(mv)).collect();
            only.sort_unstable();
            only
        };
        let (only_first, only_second) = (only(&first, &second), only(&second, &first));
        let same_length = first.len() == second.len();
        if only_first.is_empty() && only_second.is_empty() && same_length {
            return Ok(None);
        }
        let (path, position, fen) = (self.path.clone(), *position, self.fen.clone());
        Ok(Some(Difference { path, position, fen, only_first, only_second }))
    }

    /// The first move, by code, below which the two count differently.
    fn parting_branch(&mut self, depth: u32) -> Result<Option<(Move, [u64; 2])>, Silence> {
        let first: BTreeMap<Move, u64> = self.referees[0].divide(depth)?.into_iter().collect();
        let second: BTreeMap<Move, u64> = self.referees[1].divide(depth)?.into_iter().collect();
        let parts = |(&mv, &one): (&Move, &u64)| {
            let other = *second.get(&mv)?;
            (one != other).then_some((mv, [one, other]))
        };
        Ok(first.iter().find_map(parts))
    }
}
