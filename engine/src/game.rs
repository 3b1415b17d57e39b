//! The arbiter: a position with its past, whose turn it is, and how the game ends.
//!
//! This room holds the game and what can be asked of it. What the players do is the rooms [`moves`] and
//! [`agreement`]; endings are [`outcome`], [`draws`] and [`repetition`]; time is [`clock`]; what a server keeps is
//! [`record`].

mod agreement;
pub(crate) mod clock;
pub(crate) mod draws;
pub(crate) mod moves;
pub(crate) mod outcome;
pub(crate) mod record;
pub(crate) mod refusal;
mod repetition;

pub use self::agreement::Claimed;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use self::clock::{Clock, ClockReading, TimeControl};
use self::outcome::{Draw, Outcome, Policy, Status, Victory};
use crate::moves::Move;
use crate::notation::pgn::GameResult;
use crate::notation::pgn::builder::PgnBuilder;
use crate::notation::san::San;
use crate::notation::uci::{UciMode, UciMove};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::square::{File, Rank, Square};

/// What a wrong claim gives the other side, if there is a clock (FIDE 9.5.3); one minute in rapid and blitz.
pub const CLAIM_PENALTY: Duration = Duration::from_secs(120);

/// A game of chess, as an arbiter follows it.
///
/// Every action is judged, in the order of [`Refusal`](crate::Refusal); one that is refused changes nothing. The position is
/// never handed out to be changed.
///
/// ```
/// use touchmove::{Color, Game, Position};
///
/// let mut game = Game::new(Position::default());
/// game.play(Color::White, "f2f3")?;
/// assert_eq!(game.play(Color::White, "g2g4").unwrap_err().code(), "not-your-turn");
/// game.play(Color::Black, "e7e5")?;
/// game.play_san(Color::White, "g4")?;
/// assert_eq!(game.play(Color::Black, "d8h4")?.status().code(), "checkmate");
///
/// game.undo()?;
/// assert_eq!(game.legal().len(), 30);
/// # Ok::<(), touchmove::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    mode: UciMode,
    policy: Policy,
    clock: Option<Clock>,
    claim_penalty: Duration,
    /// Whose draw offer stands.
    offer: Option<Color>,
    outcome: Option<Outcome>,
    played: Vec<Ply>,
    /// Moves that were taken back, the last one first to be played again.
    undone: Vec<Undone>,
}

/// A move that was played, and the game before it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ply {
    mv: Move,
    before: Position,
    /// The clock when the turn began.
    clock: Option<ClockReading>,
    offer: Option<Color>,
}

/// A move that was taken back, and the game behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Undone {
    mv: Move,
    clock: Option<ClockReading>,
    offer: Option<Color>,
}

/// Which en passant square a FEN names (R3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EnPassantFen {
    /// One on which a capture is legal.
    #[default]
    Legal,
    /// One which a pawn of the other side attacks.
    PseudoLegal,
    /// One after every double push, as the FEN standard has it.
    Always,
}

impl Game {
    /// A game from a position, by the Laws and without a clock. Where the position ends it, it is over at once (R14).
    ///
    /// Moves are written in Chess960 notation where the position needs that.
    pub fn new(start: Position) -> Game {
        let mut game = Game {
            start,
            position: start,
            mode: UciMode::of(&start),
            policy: Policy::Fide,
            clock: None,
            claim_penalty: CLAIM_PENALTY,
            offer: None,
            outcome: None,
            played: Vec::new(),
            undone: Vec::new(),
        };
        game.outcome = game.judge();
        game
    }

    /// The same game with other automatic draws; for one that has not begun.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Game {
        self.policy = policy;
        self.outcome = self.judge();
        self
    }

    /// The same game with a clock that is set to its start. Moves that were played already count as made at that time.
    #[must_use]
    pub fn with_clock(mut self, control: TimeControl) -> Game {
        let clock = Clock::new(control);
        let reading = Some(clock.reading());
        self.played.iter_mut().for_each(|ply| ply.clock = reading);
        self.undone.iter_mut().for_each(|undone| undone.clock = reading);
        self.clock = Some(clock);
        self
    }

    /// The same game in which a wrong claim gives the other side so much time.
    #[must_use]
    pub const fn with_claim_penalty(mut self, time: Duration) -> Game {
        self.claim_penalty = time;
        self
    }

    /// The same game with its moves written in Chess960 notation, whatever the start (R9).
    #[must_use]
    pub const fn in_chess960_notation(mut self) -> Game {
        self.mode = UciMode::Chess960;
        self
    }

    /// Where the game began.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The position reached.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Whose turn it is; in a game that is over, whose it would be.
    pub const fn turn(&self) -> Color {
        self.position.turn()
    }

    /// How moves are written.
    pub const fn mode(&self) -> UciMode {
        self.mode
    }

    /// Which draws end the game by themselves.
    pub const fn policy(&self) -> Policy {
        self.policy
    }

    /// The clock, if there is one.
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// The time left to a player; `None` without a clock.
    pub fn time_left(&self, color: Color) -> Option<Duration> {
        self.clock.as_ref().map(|clock| clock.left(color, self.turn()))
    }

    /// Whose draw offer stands (FIDE 9.1.2).
    pub const fn offer(&self) -> Option<Color> {
        self.offer
    }

    /// How the game ended, if it is over.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The result as a game file has it; unknown while the game goes on.
    pub fn result(&self) -> GameResult {
        self.outcome.map_or(GameResult::Unknown, Outcome::result)
    }

    /// How the game stands.
    pub fn status(&self) -> Status {
        match self.outcome {
            Some(outcome) => Status::Over(outcome),
            None if self.position.is_check() => Status::Check,
            None => Status::Active,
        }
    }

    /// The legal moves as UCI text, in the order of their letters; none when the game is over.
    pub fn legal(&self) -> Vec<String> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let mut legal: Vec<String> =
            self.position.legal_moves().iter().map(|&mv| self.uci(mv)).collect();
        legal.sort_unstable();
        legal
    }

    /// The legal moves of the piece on a square; none when the game is over.
    pub fn legal_from(&self, square: Square) -> Vec<Move> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let moves = self.position.legal_moves().into_iter();
        moves.filter(|mv| mv.from() == square).collect()
    }

    fn uci(&self, mv: Move) -> String {
        uci(mv, self.mode)
    }

    /// The board as eight lines, the eighth rank first: letters as in FEN, a point for an empty square.
    pub fn board(&self) -> String {
        let letter =
            |square| self.position.board().piece_at(square).map_or('.', |piece| piece.char());
        let line = |rank| File::ALL.map(|file| letter(Square::new(file, rank)));
        let lines =
            Rank::ALL.into_iter().rev().map(|rank| line(rank).into_iter().collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The FEN of the position.
    pub fn fen(&self, en_passant: EnPassantFen) -> String {
        let mut setup = self.position.to_setup();
        if setup.en_passant.is_none() && en_passant != EnPassantFen::Legal {
            setup.en_passant = self.passed_square().filter(|&passed| {
                let pawns = self.position.board().role(Role::Pawn);
                let own = self.position.board().color(self.turn());
                let attackers = crate::shapes::Pawn(!self.turn()).attacks(passed) & pawns & own;
                en_passant == EnPassantFen::Always || attackers.any()
            });
        }
        setup.to_string()
    }

    /// The square that the last move's pawn has passed.
    fn passed_square(&self) -> Option<Square> {
        let last = self.played.last()?;
        let (from, to) = (last.mv.from(), last.mv.to());
        let is_pawn = last.before.board().role_at(from) == Some(Role::Pawn);
        let ranks = (from.rank() as u8).abs_diff(to.rank() as u8);
        (is_pawn && ranks == 2).then(|| crate::shapes::between(from, to).first()).flatten()
    }

    /// The moves played so far.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.played.iter().map(|ply| ply.mv)
    }

    /// How many they are.
    pub fn plies(&self) -> usize {
        self.played.len()
    }

    /// The moves played so far as UCI text.
    pub fn moves_as_uci(&self) -> Vec<String> {
        self.moves().map(|mv| self.uci(mv)).collect()
    }

    /// The moves played so far in algebraic notation.
    pub fn moves_as_san(&self) -> Vec<String> {
        self.played.iter().map(|ply| San::of(&ply.before, ply.mv).to_string()).collect()
    }

    /// The position after so many moves; 0 is the start.
    pub fn position_after(&self, plies: usize) -> Option<&Position> {
        match self.played.get(plies) {
            Some(ply) => Some(&ply.before),
            None => (plies == self.played.len()).then_some(&self.position),
        }
    }

    /// The game as it was after so many moves, when the next turn began.
    pub fn prefix(&self, plies: usize) -> Option<Game> {
        let position = *self.position_after(plies)?;
        let mut prefix = Game { position, undone: Vec::new(), ..self.clone() };
        prefix.played.truncate(plies);
        if let Some(next) = self.played.get(plies) {
            prefix.offer = next.offer;
            prefix.set_clock(next.clock);
            prefix.outcome = prefix.judge();
        }
        Some(prefix)
    }

    fn set_clock(&mut self, reading: Option<ClockReading>) {
        if let (Some(clock), Some(reading)) = (&mut self.clock, reading) {
            clock.set(reading);
        }
    }

    /// The game as a game file has it: the seven tags and the moves. Names and dates can be filled in before it is
    /// [finished](PgnBuilder::finish) with [`Game::result`].
    pub fn pgn(&self) -> PgnBuilder {
        let mut pgn = PgnBuilder::new(self.start);
        for mv in self.moves() {
            pgn.play(mv).expect("a game holds legal moves, and fewer than a file may have");
        }
        pgn
    }

    /// How the moves so far end the game, mate and stalemate before every counter (R13).
    fn judge(&self) -> Option<Outcome> {
        let position = &self.position;
        if !position.has_legal_move() {
            let winner = !position.turn();
            return Some(match position.is_check() {
                true => Outcome::Win { winner, by: Victory::Checkmate },
                false => Outcome::Draw(Draw::Stalemate),
            });
        }
        if position.dead_position().is_some() {
            return Some(Outcome::Draw(Draw::DeadPosition));
        }
        let occurrences = self.occurrences(position);
        let clock = position.halfmove_clock();
        let (repetition, moves) = match self.policy {
            Policy::Fide => (Draw::FivefoldRepetition, Draw::SeventyFiveMoves),
            Policy::Online => (Draw::ThreefoldRepetition, Draw::FiftyMoves),
        };
        if occurrences >= self.policy.occurrences_max() {
            return Some(Outcome::Draw(repetition));
        }
        (clock >= self.policy.clock_max()).then_some(Outcome::Draw(moves))
    }
}

/// A legal move as text. A castling that standard notation has no text for is written as in Chess960.
fn uci(mv: Move, mode: UciMode) -> String {
    let text = UciMove::of(mv, mode).or_else(|_| UciMove::of(mv, UciMode::Chess960));
    text.expect("any move has a text in Chess960 notation").to_string()
}
