//! Moves in a game: played from text of every kind, taken back, and played again.

use alloc::string::{String, ToString};
use core::time::Duration;

use crate::game::draws::MatingChance;
use crate::game::draws::horizon::AutomaticDraws;
use crate::game::outcome::{Draw, Outcome, Status, Victory};
use crate::game::refusal::Refusal;
use crate::game::{Game, Ply, Undone, uci};
use crate::moves::Move;
use crate::notation::san::{San, SanError};
use crate::notation::uci::{UciMode, UciMove};
use crate::piece::{Color, PromotionRole};
use crate::position::Position;
use crate::square::{File, Rank, Square};

/// A move that was played: what a spectator wants to know of it. Texts are made when they are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    mv: Move,
    before: Position,
    after: Position,
    mode: UciMode,
    status: Status,
}

impl Played {
    /// The move.
    pub const fn mv(&self) -> Move {
        self.mv
    }

    /// The position before it.
    pub const fn before(&self) -> &Position {
        &self.before
    }

    /// The position behind it.
    pub const fn after(&self) -> &Position {
        &self.after
    }

    /// How the game stands behind it.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// The move as UCI text.
    pub fn uci(&self) -> String {
        uci(self.mv, self.mode)
    }

    /// The move in algebraic notation.
    pub fn san(&self) -> String {
        San::of(&self.before, self.mv).to_string()
    }

    /// The position behind it as FEN.
    pub fn fen(&self) -> String {
        self.after.to_string()
    }
}

impl Game {
    /// Plays a move given as UCI text.
    ///
    /// # Errors
    ///
    /// When the game is over, it is not this player's turn, or no legal move is meant.
    pub fn play(&mut self, player: Color, text: &str) -> Result<Played, Refusal> {
        self.expect_turn(player)?;
        let mv = self.read_uci(text)?;
        Ok(self.play_legal(mv))
    }

    /// Plays a move given in algebraic notation.
    ///
    /// # Errors
    ///
    /// As [`Game::play`].
    pub fn play_san(&mut self, player: Color, text: &str) -> Result<Played, Refusal> {
        self.expect_turn(player)?;
        let san: San = text.parse().map_err(Refusal::NotAMove)?;
        let mv = san.resolve(self.position()).map_err(|why: SanError| Refusal::San(why))?;
        Ok(self.play_legal(mv))
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// As [`Game::play`].
    pub fn play_move(&mut self, player: Color, mv: Move) -> Result<Played, Refusal> {
        self.expect_turn(player)?;
        self.position.explain(mv).map_err(|why| {
            let (from, to) = (mv.from(), mv.to());
            let text = UciMove::of(mv, self.mode).unwrap_or(UciMove::Board {
                from,
                to,
                promotion: mv.promotion_role(),
            });
            Refusal::Illegal { text, why }
        })?;
        Ok(self.play_legal(mv))
    }

    /// Plays a move given as squares of a board on a screen: row 0 is the eighth rank, column 0 the a-file.
    ///
    /// Castling is the king's move, as in [UCI text](UciMove::resolve).
    ///
    /// # Errors
    ///
    /// As [`Game::play`], and when a square is none.
    pub fn play_at(
        &mut self,
        player: Color,
        from: (usize, usize),
        to: (usize, usize),
        promotion: Option<PromotionRole>,
    ) -> Result<Played, Refusal> {
        self.expect_turn(player)?;
        let (from, to) = (square_at(from)?, square_at(to)?);
        let mv = self.resolve(UciMove::Board { from, to, promotion })?;
        Ok(self.play_legal(mv))
    }

    pub(crate) fn read_uci(&self, text: &str) -> Result<Move, Refusal> {
        self.resolve(text.parse().map_err(Refusal::NotAMove)?)
    }

    fn resolve(&self, text: UciMove) -> Result<Move, Refusal> {
        text.resolve(&self.position, self.mode).map_err(|why| Refusal::Illegal { text, why })
    }

    pub(super) fn expect_running(&self) -> Result<(), Refusal> {
        match self.outcome {
            Some(outcome) => Err(Refusal::GameOver(outcome)),
            None => Ok(()),
        }
    }

    pub(super) fn expect_turn(&self, player: Color) -> Result<(), Refusal> {
        self.expect_running()?;
        match self.turn() {
            turn if turn == player => Ok(()),
            turn => Err(Refusal::NotYourTurn { turn }),
        }
    }

    /// Plays a move that was found legal, in a game that goes on.
    pub(super) fn play_legal(&mut self, mv: Move) -> Played {
        self.undone.clear();
        let (before, mover) = (self.position, self.turn());
        let clock = self.clock.as_ref().map(|clock| {
            let mut reading = clock.reading();
            reading.spent = Duration::ZERO;
            reading
        });
        self.played.push(Ply { mv, before, clock, offer: self.offer });
        if let Some(clock) = &mut self.clock {
            clock.press(mover);
        }
        // FIDE 9.1.2.1: the other side's offer lapses with a move, one's own stands.
        self.offer = self.offer.filter(|&offerer| offerer == mover);
        self.advance(mv);
        Played { mv, before, after: self.position, mode: self.mode, status: self.status() }
    }

    fn advance(&mut self, mv: Move) {
        let _kept_in_the_history = self.position.make(mv);
        self.outcome = self.judge();
        if self.outcome.is_some() {
            self.offer = None;
        }
    }

    /// Takes the last move back with everything it changed, time included: the turn begins again (R19). A game that ended on
    /// the board goes on.
    ///
    /// # Errors
    ///
    /// When there is no move, or the game was ended by resignation, agreement, claim or flag.
    pub fn undo(&mut self) -> Result<Move, Refusal> {
        if let Some(outcome) = self.outcome.filter(|outcome| !outcome.is_on_the_board()) {
            return Err(Refusal::GameOver(outcome));
        }
        let Ply { mv, before, clock, offer } = self.played.pop().ok_or(Refusal::NothingToUndo)?;
        let reading = self.clock.as_ref().map(|clock| clock.reading());
        self.undone.push(Undone { mv, clock: reading, offer: self.offer });
        self.position = before;
        self.offer = offer;
        self.set_clock(clock);
        self.outcome = None;
        Ok(mv)
    }

    /// Plays the move again that was taken back last: the game is as it was before that.
    ///
    /// # Errors
    ///
    /// When no move was taken back, another was made since, or the game is over.
    pub fn redo(&mut self) -> Result<Move, Refusal> {
        self.expect_running()?;
        let Undone { mv, clock, offer } = self.undone.pop().ok_or(Refusal::NothingToRedo)?;
        let undone = core::mem::take(&mut self.undone);
        self.play_legal(mv);
        self.undone = undone;
        self.offer = offer;
        self.set_clock(clock);
        Ok(mv)
    }

    /// Time passes at the turn of the side to move. Where its flag falls, the game is lost, or drawn if the other side
    /// cannot mate by any series of legal moves (FIDE 6.9, R17): the outcome then.
    ///
    /// Call it with the time at which an action came in, before the action: a move that comes too late is refused.
    ///
    /// # Errors
    ///
    /// When the game is over, or has no clock.
    pub fn tick(&mut self, elapsed: Duration) -> Result<Option<Outcome>, Refusal> {
        self.expect_running()?;
        let mover = self.turn();
        let clock = self.clock.as_mut().ok_or(Refusal::NoClock)?;
        if !clock.tick(mover, elapsed) {
            self.end(self.flag_fall(mover));
        }
        Ok(self.outcome)
    }

    fn flag_fall(&self, mover: Color) -> Outcome {
        let repeated = self.repeated_enough();
        let draws = AutomaticDraws { halfmove_clock: self.policy.clock_max(), repeated: &repeated };
        match self.position.mating_chance_before(!mover, &draws) {
            MatingChance::Unwinnable(_) => Outcome::Draw(Draw::FlagFallWithoutMate),
            _ => Outcome::Win { winner: !mover, by: Victory::FlagFall },
        }
    }

    /// Ends the game otherwise than by a move.
    pub(super) fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.offer = None;
    }
}

fn square_at((row, column): (usize, usize)) -> Result<Square, Refusal> {
    let rank = 7usize.checked_sub(row).and_then(|rank| Rank::ALL.get(rank));
    match (File::ALL.get(column), rank) {
        (Some(&file), Some(&rank)) => Ok(Square::new(file, rank)),
        _ => Err(Refusal::OffTheBoard { row, column }),
    }
}
