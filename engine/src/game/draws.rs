//! Whether anybody can still mate: dead positions (FIDE 5.2.2) and flag falls (FIDE 6.9).
//!
//! The question is put to one side at a time: can it mate by any series of legal moves, the other side
//! helping? There are three answers: no, and how that is proven; yes, and by which moves; not proven either way. Then
//! the game goes on, and a fallen flag loses (R16, R17). A position is dead when neither side can.
//!
//! The proofs go from cheap to dear, a room for each, and every room says why it is sound:
//!
//! 1. [`material`]: what is on the board rules it out.
//! 2. [`forced`]: the few moves there are end the matter within some plies.
//! 3. [`locked`]: what can still move can never mate ([`reach`], [`pattern`]).
//! 4. [`helpmate`]: a search for a mate, which at known [`theorems`] need not go on, and which having met
//!    everything ([`closure`]) proves that there is none.
//!
//! The first three are the test after every move, all four the question at a flag fall. Nothing looks at
//! a clock of any kind: every limit is a count of positions, so the same question has the same answer
//! everywhere. The proofs leave out counters and repetition, which only ever forbid a mate; [`horizon`] counts them.

mod closure;
mod forced;
mod helpmate;
pub(crate) mod horizon;
mod locked;
mod material;
mod pattern;
mod reach;
pub(crate) mod theorems;

use alloc::vec::Vec;

use self::forced::Fate;
use self::helpmate::{Found, Order, Search};
use self::horizon::AutomaticDraws;
use self::theorems::Ending;
use crate::moves::Move;
use crate::piece::{ByColor, Color};
use crate::position::Position;

/// How many positions the forced lines of the test after every move may have.
const FORCED_MAX: usize = 100;
/// How many at a flag fall.
const FORCED_AT_FLAG_FALL_MAX: usize = 300;
/// The searches of a flag fall, one after the other until one decides, and how many positions each may meet.
const SEARCHES: [(Order, usize); 4] = [
    (Order::Promising, 3_000),
    (Order::Descending, 20_000),
    (Order::Shuffled, 30_000),
    (Order::Promising, 120_000),
];

/// Whether a side can still mate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum MatingChance {
    /// By no series of legal moves.
    Unwinnable(Proof),
    /// By this one.
    Winnable(MatingLine),
    /// Neither was proven within the limits.
    NotProven,
}

/// How it is proven that a side can never mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Proof {
    /// The game is over: stalemate, or the side itself is mated (FIDE 5.1.1, 5.2.1).
    GameOver,
    /// What is on the board rules it out.
    Material,
    /// Every line ends within a few plies.
    Forced,
    /// What can still move can never come to mate.
    Locked,
    /// Every position that may follow was looked at.
    Exhausted,
    /// A counter ends the game before any mate (FIDE 9.6). Only [`Position::mating_chance_before`] says so.
    Counters,
}

/// Moves by which a side mates with the other's help.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatingLine {
    /// The moves, of both sides in turn; none where the mate is on the board.
    pub moves: Vec<Move>,
    /// The ending they lead to, which is known to be won from there; None when they mate.
    pub ending: Option<Ending>,
}

/// A position in which neither side can mate by any series of legal moves (FIDE 5.2.2), and how that is proven of
/// each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeadPosition {
    /// The proof for each side as the one that would mate.
    pub proofs: ByColor<Proof>,
}

impl Position {
    /// Whether a side can never mate for what is on the board, wherever it stands (R17).
    ///
    /// A bare king; a knight against king and queens; bishops where all bishops, the other side's too, stand on
    /// squares of one colour and there is no knight and no pawn. A lone knight or bishop with more on the board
    /// than that can mate a king hemmed in by its own pieces. A mate already on the board comes first (R13).
    pub fn has_insufficient_material(&self, winner: Color) -> bool {
        material::cannot_mate(self.board(), winner)
    }

    /// Whether neither side can ever mate for what is on the board: kings alone, one minor piece, or any bishops
    /// all on squares of one colour (FIDE 5.2.2, R16).
    ///
    /// ```
    /// use touchmove::Position;
    ///
    /// let bishop: Position = "8/8/4k3/8/8/3K4/8/5B2 w - - 0 1".parse()?;
    /// assert!(bishop.is_insufficient_material());
    /// let knights: Position = "8/8/4k3/8/8/3K4/8/4NN2 w - - 0 1".parse()?;
    /// assert!(!knights.is_insufficient_material());
    /// # Ok::<(), touchmove::FenError>(())
    /// ```
    pub fn is_insufficient_material(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.has_insufficient_material(color))
    }

    /// Whether this position is dead, as far as a test that is cheap enough for every move can prove it (FIDE
    /// 5.2.2, R16); None wherever that is not proven.
    ///
    /// By material, by forced lines of a few plies, and by locks that no piece can open. Stalemate counts as dead,
    /// checkmate does not. Costs about a microsecond in most positions, some ten where pawns are locked.
    ///
    /// ```
    /// use touchmove::{Color, Position, Proof};
    ///
    /// let wall: Position = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1".parse()?;
    /// let dead = wall.dead_position().expect("no king gets through");
    /// assert_eq!(dead.proofs[Color::White], Proof::Locked);
    /// assert!(Position::default().dead_position().is_none());
    /// # Ok::<(), touchmove::FenError>(())
    /// ```
    pub fn dead_position(&self) -> Option<DeadPosition> {
        if !self.has_legal_move() {
            let proofs = ByColor { white: Proof::GameOver, black: Proof::GameOver };
            return (!self.is_check()).then_some(DeadPosition { proofs });
        }
        let mut proofs = ByColor { white: Proof::Locked, black: Proof::Locked };
        let mut asked = ByColor::default();
        for winner in Color::ALL {
            if self.has_insufficient_material(winner) {
                proofs[winner] = Proof::Material;
            } else if matches!(forced::fate(self, winner, FORCED_MAX), Fate::Unwinnable) {
                proofs[winner] = Proof::Forced;
            } else if locked::may_be(self) {
                asked[winner] = true;
            } else {
                return None;
            }
        }
        let is_dead = asked == ByColor::default() || locked::is_proven(self, asked);
        is_dead.then_some(DeadPosition { proofs })
    }

    /// Whether a side can mate by any series of legal moves, the other side helping: the question when
    /// the other side's flag has fallen (FIDE 6.9). Counters and repetition are left out; with them it is
    /// [`Position::mating_chance_before`].
    ///
    /// Microseconds as a rule; at the limits of the search, which few positions outside of problems
    /// reach, some tenths of a second and megabytes.
    ///
    /// ```
    /// use touchmove::{Color, MatingChance, Position};
    ///
    /// // The rook gives check from the corner, and the king must take it.
    /// let position: Position = "r7/K1k5/8/8/8/8/8/8 w - - 4 3".parse()?;
    /// assert!(matches!(position.mating_chance(Color::Black), MatingChance::Unwinnable(_)));
    /// # Ok::<(), touchmove::FenError>(())
    /// ```
    pub fn mating_chance(&self, winner: Color) -> MatingChance {
        self.quick_chance(winner).unwrap_or_else(|| {
            let searches = SEARCHES.into_iter().map(|limits| self.searched_chance(winner, limits));
            let mut decided = searches.filter(|chance| *chance != MatingChance::NotProven);
            decided.next().unwrap_or(MatingChance::NotProven)
        })
    }

    /// Whether a side can mate before a counter ends the game by itself: the question when the other side's flag
    /// has fallen, asked in full (FIDE 6.9, R17).
    ///
    /// Decided where the counters leave a mate enough time, and where so few plies are left that everything that can
    /// happen in them is looked at; not proven in between. The line, if there is one, ends with mate. A mate
    /// comes before every counter (R13).
    pub fn mating_chance_before(&self, winner: Color, draws: &AutomaticDraws<'_>) -> MatingChance {
        match self.quick_chance(winner) {
            // A mate by force may still come too late for a counter.
            Some(decided) if !matches!(decided, MatingChance::Winnable(_)) => decided,
            Some(over) if !self.has_legal_move() => over,
            _ => horizon::chance(self, winner, draws),
        }
    }

    /// The answer without a search, where there is one.
    fn quick_chance(&self, winner: Color) -> Option<MatingChance> {
        if !self.has_legal_move() {
            let is_won = self.is_check() && self.turn() != winner;
            let mate = MatingLine { moves: Vec::new(), ending: None };
            return Some(match is_won {
                true => MatingChance::Winnable(mate),
                false => MatingChance::Unwinnable(Proof::GameOver),
            });
        }
        if self.has_insufficient_material(winner) {
            return Some(MatingChance::Unwinnable(Proof::Material));
        }
        match forced::fate(self, winner, FORCED_AT_FLAG_FALL_MAX) {
            Fate::Unwinnable => return Some(MatingChance::Unwinnable(Proof::Forced)),
            Fate::Mate(mut moves) => {
                moves.reverse();
                return Some(MatingChance::Winnable(MatingLine { moves, ending: None }));
            }
            Fate::Open => {}
        }
        locked::is_proven(self, locked::only(winner))
            .then_some(MatingChance::Unwinnable(Proof::Locked))
    }

    fn searched_chance(
        &self,
        winner: Color,
        (order, positions_max): (Order, usize),
    ) -> MatingChance {
        let search = Search { winner, order, positions_max, theorems: true, forbidden: &|_| false };
        match search.from(self) {
            Found::Mate(moves) => MatingChance::Winnable(MatingLine { moves, ending: None }),
            Found::Won(moves, ending) => {
                MatingChance::Winnable(MatingLine { moves, ending: Some(ending) })
            }
            Found::Nothing => MatingChance::Unwinnable(Proof::Exhausted),
            Found::Unknown => MatingChance::NotProven,
        }
    }
}
