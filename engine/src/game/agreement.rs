//! How players end a game without a move: resignation, draw offers and claims (R15, R18).

use crate::game::Game;
use crate::game::moves::Played;
use crate::game::outcome::{Claim, Draw, Outcome, Victory};
use crate::game::refusal::Refusal;
use crate::moves::Move;
use crate::piece::Color;
use crate::position::Position;

/// What came of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "it is looked at once and kept nowhere")]
pub enum Claimed {
    /// It was right, and the game is drawn; an announced move stays on paper.
    Granted,
    /// It was wrong, and stands as a draw offer (FIDE 9.5.3). The announced move was played.
    Refused(Option<Played>),
    /// The announced move mates, or ends the game in another way by itself (R13, R15).
    Ended(Played),
}

impl Game {
    /// Resigns, also when it is the other side's turn (FIDE 5.1.2).
    ///
    /// # Errors
    ///
    /// When the game is over.
    pub fn resign(&mut self, player: Color) -> Result<Outcome, Refusal> {
        self.expect_running()?;
        let outcome = Outcome::Win { winner: !player, by: Victory::Resignation };
        self.end(outcome);
        Ok(outcome)
    }

    /// Offers a draw (FIDE 9.1.2). It stands until it is accepted or declined, the other side has moved, or the game ends.
    /// Where the other side's offer stands, this accepts it: the outcome then.
    ///
    /// # Errors
    ///
    /// When the game is over, or the player's own offer stands.
    pub fn offer_draw(&mut self, player: Color) -> Result<Option<Outcome>, Refusal> {
        self.expect_running()?;
        match self.offer {
            Some(offerer) if offerer == player => Err(Refusal::OfferStands),
            Some(_) => self.accept(player).map(Some),
            None => {
                self.offer = Some(player);
                Ok(None)
            }
        }
    }

    /// Accepts the other side's draw offer (FIDE 5.2.3).
    ///
    /// # Errors
    ///
    /// When the game is over, or no offer of the other side stands.
    pub fn accept(&mut self, player: Color) -> Result<Outcome, Refusal> {
        self.expect_offer_to(player)?;
        let outcome = Outcome::Draw(Draw::Agreement);
        self.end(outcome);
        Ok(outcome)
    }

    /// Declines the other side's draw offer.
    ///
    /// # Errors
    ///
    /// When the game is over, or no offer of the other side stands.
    pub fn decline(&mut self, player: Color) -> Result<(), Refusal> {
        self.expect_offer_to(player)?;
        self.offer = None;
        Ok(())
    }

    fn expect_offer_to(&self, player: Color) -> Result<(), Refusal> {
        self.expect_running()?;
        match self.offer {
            Some(offerer) if offerer != player => Ok(()),
            _ => Err(Refusal::NoOffer),
        }
    }

    /// Claims a draw (FIDE 9.2, 9.3), for the position on the board or the one that an announced move, as UCI text,
    /// would make. A wrong claim gives the other side time, stands as a draw offer, and an announced move is played
    /// (FIDE 9.5.3).
    ///
    /// # Errors
    ///
    /// When the game is over, it is not this player's turn, or the announced move is not legal.
    pub fn claim(
        &mut self,
        player: Color,
        claim: Claim,
        announced: Option<&str>,
    ) -> Result<Claimed, Refusal> {
        self.expect_turn(player)?;
        let announced = announced.map(|text| self.read_uci(text)).transpose()?;
        let claimed_for = self.after(announced);
        if let Some(mv) = announced
            && claimed_for.is_checkmate()
        {
            return Ok(Claimed::Ended(self.play_legal(mv)));
        }
        if self.is_right(claim, &claimed_for) {
            self.end(Outcome::Draw(Draw::Claimed(claim)));
            return Ok(Claimed::Granted);
        }
        if let Some(clock) = &mut self.clock {
            clock.add(!player, self.claim_penalty);
        }
        if self.offer == Some(!player) {
            // Both want the draw.
            self.end(Outcome::Draw(Draw::Agreement));
            return Ok(Claimed::Granted);
        }
        self.offer = Some(player);
        let played = announced.map(|mv| self.play_legal(mv));
        Ok(match played {
            Some(played) if self.outcome.is_some() => Claimed::Ended(played),
            played => Claimed::Refused(played),
        })
    }

    fn after(&self, announced: Option<Move>) -> Position {
        let mut position = self.position;
        if let Some(mv) = announced {
            let _never_taken_back = position.make(mv);
        }
        position
    }

    /// Whether the player to move may claim this draw, for the position on the board or the one that a legal move makes.
    pub fn may_claim(&self, claim: Claim, announced: Option<Move>) -> bool {
        let is_legal = announced.is_none_or(|mv| self.position.is_legal(mv));
        self.outcome.is_none() && is_legal && {
            let claimed_for = self.after(announced);
            !claimed_for.is_checkmate() && self.is_right(claim, &claimed_for)
        }
    }

    fn is_right(&self, claim: Claim, position: &Position) -> bool {
        match claim {
            Claim::ThreefoldRepetition => self.occurrences(position) >= 3,
            Claim::FiftyMoves => position.halfmove_clock() >= 100,
        }
    }
}
