//! The arbiter: a game of all kinds of actions beside a model that keeps every position as text, knows the rules from
//! shakmaty, and counts everything anew each time.

use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup as _, Position as _, PositionError};
use touchmove::{
    AutomaticDraws, Bonus, CLAIM_PENALTY, Claim, Color, Draw, Game, GameRecord, MatingChance,
    Outcome, Policy, Position, Refusal, TimeControl, UciMode, Victory,
};

use super::{Comparison, Verdict, compare};
use crate::generators::{Action, Actions};

const ORACLE: &str = "arbiter";

/// An arbiter with one error, of a kind that has happened to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArbiterLie {
    /// A draw offer stays when the other side has moved.
    KeepsOffers,
    /// Taking a move back keeps the time that it took.
    KeepsTime,
    /// Fifty moves may be claimed a ply too early.
    CountsFiftyMovesEarly,
    /// A repetition is claimed with the second occurrence.
    ClaimsTwofold,
    /// A record forgets whose draw offer stands.
    ForgetsOffersInRecords,
}

/// Does what is to be done in a game and compares all that can be seen of it after each action.
pub fn arbiter(actions: &Actions, lie: Option<ArbiterLie>) -> Verdict {
    let mut game = Game::new(actions.start).with_policy(actions.policy);
    if let Some(control) = actions.control {
        game = game.with_clock(control.parse().expect("generated controls are sound"));
    }
    let Some(model) = Model::new(&game, actions) else { return Verdict::Pass };
    let mut table = Table { game, model, lie };
    let mut comparison = table.compare_all();
    for &action in &actions.actions {
        comparison = comparison.and_then(|()| table.act(action));
    }
    match comparison {
        Ok(()) => Verdict::Pass,
        Err(parting) => parting.after(actions.start, table.game.moves().collect()),
    }
}

/// A game and its model side by side.
struct Table {
    game: Game,
    model: Model,
    lie: Option<ArbiterLie>,
}

impl Table {
    fn act(&mut self, action: Action) -> Comparison {
        let expected = self.model.act(action);
        let got = self.act_in_game(action).map_err(|refusal| refusal.code());
        match (&expected, &got) {
            // The model knows that a move is not legal, not why.
            (Err("illegal"), Err(_)) => {}
            _ => compare(ORACLE, &format!("{action:?}"), &expected, &got)?,
        }
        self.compare_all()
    }

    fn act_in_game(&mut self, action: Action) -> Result<(), Refusal> {
        let (game, lie) = (&mut self.game, self.lie);
        match action {
            Action::Play(choice) => {
                let Some(text) = chosen(&game.legal(), choice) else { return Ok(()) };
                let offer = game.offer();
                game.play(game.turn(), &text)?;
                if let (Some(ArbiterLie::KeepsOffers), Some(offerer)) = (lie, offer) {
                    // The offer that has lapsed is made again.
                    let _already_stands = game.offer_draw(offerer);
                }
                Ok(())
            }
            Action::PlayAs(player, choice) => {
                let text = choice.and_then(|choice| chosen(&game.legal(), choice));
                game.play(player, text.as_deref().unwrap_or("e9e4")).map(drop)
            }
            Action::Undo => {
                let spent = game.clock().map(|clock| clock.reading().spent);
                game.undo()?;
                if let (Some(ArbiterLie::KeepsTime), Some(spent)) = (lie, spent) {
                    let _fallen = game.tick(spent + Duration::from_millis(1));
                }
                Ok(())
            }
            Action::Redo => game.redo().map(drop),
            Action::Resign(player) => game.resign(player).map(drop),
            Action::Offer(player) => game.offer_draw(player).map(drop),
            Action::Accept(player) => game.accept(player).map(drop),
            Action::Decline(player) => game.decline(player),
            Action::Claim(player, claim, choice) => {
                let announced = choice.and_then(|choice| chosen(&game.legal(), choice));
                let early = match lie {
                    Some(ArbiterLie::CountsFiftyMovesEarly) => {
                        claim == Claim::FiftyMoves && game.position().halfmove_clock() == 99
                    }
                    Some(ArbiterLie::ClaimsTwofold) => {
                        claim == Claim::ThreefoldRepetition && game.repetitions() == 2
                    }
                    _ => false,
                };
                if early && game.turn() == player && game.outcome().is_none() {
                    return game.resign(player).map(drop);
                }
                game.claim(player, claim, announced.as_deref()).map(|_| ())
            }
            Action::Tick(time) => game.tick(time).map(drop),
            Action::Restore => {
                let mut text = game.record().to_string();
                if lie == Some(ArbiterLie::ForgetsOffersInRecords) {
                    text = text
                        .lines()
                        .filter(|line| !line.starts_with("offer"))
                        .fold(String::new(), |text, line| text + line + "\n");
                }
                let record: GameRecord = text.parse().expect("what is written reads back");
                *game = record.restore().expect("what was kept goes together");
                Ok(())
            }
        }
    }

    fn compare_all(&self) -> Comparison {
        let (game, now) = (&self.game, &self.model.now);
        let mut fen: Vec<&str> =
            now.fens.last().map(|fen| fen.split(' ').collect()).unwrap_or_default();
        let written = game.position().to_string();
        let mut ours: Vec<&str> = written.split(' ').collect();
        // How rights are written is compared elsewhere, structurally.
        (fen[2], ours[2]) = ("", "");
        compare(ORACLE, "position", fen, ours)?;
        compare(ORACLE, "outcome", now.outcome, game.outcome())?;
        compare(ORACLE, "offer", now.offer, game.offer())?;
        compare(ORACLE, "moves", &now.moves, &game.moves_as_uci())?;
        let legal = if now.outcome.is_some() { Vec::new() } else { self.model.legal() };
        compare(ORACLE, "legal moves", legal, game.legal())?;
        compare(ORACLE, "occurrences", self.model.occurrences(), game.repetitions())?;
        for color in Color::ALL {
            let left = self.model.control.as_ref().map(|_| self.model.left(color));
            compare(ORACLE, &format!("{color}'s time"), left, game.time_left(color))?;
        }
        Ok(())
    }
}

fn chosen(legal: &[String], choice: u8) -> Option<String> {
    legal.get(usize::from(choice) * legal.len() / 256).cloned()
}

/// What a simple person would note down of a game.
struct Model {
    policy: Policy,
    control: Option<TimeControl>,
    chess960: bool,
    now: Notes,
    /// The notes before each move, and those before each move taken back.
    past: Vec<Notes>,
    future: Vec<Notes>,
}

#[derive(Clone)]
struct Notes {
    /// Every position from the start, as FEN.
    fens: Vec<String>,
    moves: Vec<String>,
    /// What each turn took, and the time given to the other side in it.
    turns: Vec<(Duration, Duration)>,
    /// The same of the present turn.
    turn: (Duration, Duration),
    offer: Option<Color>,
    outcome: Option<Outcome>,
}

impl Model {
    /// None where shakmaty cannot hold the start.
    fn new(game: &Game, actions: &Actions) -> Option<Model> {
        let now = Notes {
            fens: vec![actions.start.to_string()],
            moves: Vec::new(),
            turns: Vec::new(),
            turn: Default::default(),
            offer: None,
            outcome: None,
        };
        let mut model = Model {
            policy: actions.policy,
            control: game.clock().map(|clock| clock.control().clone()),
            chess960: game.mode() == UciMode::Chess960,
            now,
            past: Vec::new(),
            future: Vec::new(),
        };
        held(&actions.start.to_string())?;
        model.now.outcome = model.judge();
        Some(model)
    }

    fn chess(&self) -> Chess {
        held(self.fen()).expect("shakmaty holds what follows from what it held")
    }

    fn fen(&self) -> &str {
        self.now.fens.last().expect("there is a start")
    }

    fn turn(&self) -> Color {
        if self.fen().contains(" w ") { Color::White } else { Color::Black }
    }

    fn mode(&self) -> CastlingMode {
        if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    fn legal(&self) -> Vec<String> {
        let moves = self.chess().legal_moves();
        let mut legal: Vec<String> =
            moves.iter().map(|mv| mv.to_uci(self.mode()).to_string()).collect();
        legal.sort();
        legal
    }

    /// The position that a move makes, as FEN.
    fn after(&self, text: &str) -> String {
        let chess = self.chess();
        let uci: UciMove = text.parse().expect("a legal move is a move");
        let mv = uci.to_move(&chess).expect("and legal");
        let after = chess.play(mv).expect("so it can be played");
        saturated(&Fen::from_position(&after, EnPassantMode::Legal).to_string())
    }

    fn act(&mut self, action: Action) -> Result<(), &'static str> {
        match action {
            Action::Play(choice) => {
                if let Some(text) = self.choose(choice) {
                    self.play(&text);
                }
                Ok(())
            }
            Action::PlayAs(player, choice) => {
                self.expect_turn(player)?;
                let text = choice.and_then(|choice| self.choose(choice)).ok_or("not-a-move")?;
                self.play(&text);
                Ok(())
            }
            Action::Undo => self.undo(),
            Action::Redo => {
                self.expect_running()?;
                let next = self.future.pop().ok_or("nothing-to-redo")?;
                self.past
                    .push(Notes { turn: (Duration::ZERO, self.now.turn.1), ..self.now.clone() });
                self.now = next;
                Ok(())
            }
            Action::Resign(player) => {
                self.expect_running()?;
                self.end(Outcome::Win { winner: !player, by: Victory::Resignation });
                Ok(())
            }
            Action::Offer(player) => {
                self.expect_running()?;
                match self.now.offer {
                    Some(offerer) if offerer == player => return Err("offer-stands"),
                    Some(_) => self.end(Outcome::Draw(Draw::Agreement)),
                    None => self.now.offer = Some(player),
                }
                Ok(())
            }
            Action::Accept(player) => {
                self.expect_offer_to(player)?;
                self.end(Outcome::Draw(Draw::Agreement));
                Ok(())
            }
            Action::Decline(player) => {
                self.expect_offer_to(player)?;
                self.now.offer = None;
                Ok(())
            }
            Action::Claim(player, claim, choice) => self.claim(player, claim, choice),
            Action::Tick(time) => self.tick(time),
            Action::Restore => Ok(()),
        }
    }

    fn choose(&self, choice: u8) -> Option<String> {
        match self.now.outcome {
            Some(_) => None,
            None => chosen(&self.legal(), choice),
        }
    }

    fn expect_running(&self) -> Result<(), &'static str> {
        if self.now.outcome.is_some() { Err("game-over") } else { Ok(()) }
    }

    fn expect_turn(&self, player: Color) -> Result<(), &'static str> {
        self.expect_running()?;
        if self.turn() == player { Ok(()) } else { Err("not-your-turn") }
    }

    fn expect_offer_to(&self, player: Color) -> Result<(), &'static str> {
        self.expect_running()?;
        if self.now.offer == Some(!player) { Ok(()) } else { Err("no-offer") }
    }

    fn end(&mut self, outcome: Outcome) {
        (self.now.outcome, self.now.offer) = (Some(outcome), None);
    }

    fn play(&mut self, text: &str) {
        let (mover, fen) = (self.turn(), self.after(text));
        self.future.clear();
        self.past.push(Notes { turn: (Duration::ZERO, self.now.turn.1), ..self.now.clone() });
        let now = &mut self.now;
        now.fens.push(fen);
        now.moves.push(text.to_string());
        now.turns.push(std::mem::take(&mut now.turn));
        now.offer = now.offer.filter(|&offerer| offerer == mover);
        if let Some(outcome) = self.judge() {
            self.end(outcome);
        }
    }

    fn undo(&mut self) -> Result<(), &'static str> {
        let by_move = |outcome: Outcome| match outcome {
            Outcome::Win { by, .. } => by == Victory::Checkmate,
            Outcome::Draw(draw) => {
                !matches!(draw, Draw::Agreement | Draw::Claimed(_) | Draw::FlagFallWithoutMate)
            }
        };
        if self.now.outcome.is_some_and(|outcome| !by_move(outcome)) {
            return Err("game-over");
        }
        let before = self.past.pop().ok_or("nothing-to-undo")?;
        self.future.push(std::mem::replace(&mut self.now, before));
        Ok(())
    }

    fn claim(
        &mut self,
        player: Color,
        claim: Claim,
        choice: Option<u8>,
    ) -> Result<(), &'static str> {
        self.expect_turn(player)?;
        let announced = choice.and_then(|choice| self.choose(choice));
        let fen =
            announced.as_ref().map_or_else(|| self.fen().to_string(), |text| self.after(text));
        let chess = held(&fen).expect("shakmaty holds what follows");
        let mates = announced.is_some() && chess.is_checkmate();
        let is_right = !mates
            && match claim {
                Claim::ThreefoldRepetition => {
                    let now = usize::from(announced.is_some());
                    self.now.fens.iter().filter(|other| same(other, &fen)).count() + now >= 3
                }
                Claim::FiftyMoves => chess.halfmoves() >= 100,
            };
        if is_right {
            self.end(Outcome::Draw(Draw::Claimed(claim)));
            return Ok(());
        }
        if !mates {
            if self.control.is_some() {
                self.now.turn.1 += CLAIM_PENALTY;
            }
            if self.now.offer == Some(!player) {
                self.end(Outcome::Draw(Draw::Agreement));
                return Ok(());
            }
            self.now.offer = Some(player);
        }
        if let Some(text) = announced {
            self.play(&text);
        }
        Ok(())
    }

    fn tick(&mut self, time: Duration) -> Result<(), &'static str> {
        self.expect_running()?;
        if self.control.is_none() {
            return Err("no-clock");
        }
        self.now.turn.0 += time;
        if self.left(self.turn()) == Duration::ZERO {
            let (winner, repeated) = (!self.turn(), self.repeated_enough());
            let draws = AutomaticDraws {
                halfmove_clock: if self.policy == Policy::Fide { 150 } else { 100 },
                repeated: &repeated,
            };
            let position: Position = self.fen().parse().expect("a position of the game");
            self.end(match position.mating_chance_before(winner, &draws) {
                MatingChance::Unwinnable(_) => Outcome::Draw(Draw::FlagFallWithoutMate),
                _ => Outcome::Win { winner, by: Victory::FlagFall },
            });
        }
        Ok(())
    }

    /// Each player's turns one after the other, from the start.
    fn left(&self, color: Color) -> Duration {
        let Some(control) = &self.control else { return Duration::ZERO };
        let starts_white = self.now.fens[0].contains(" w ");
        let (mut left, mut moves) = (control.stages()[0].time, 0);
        let turns = self.now.turns.iter().chain([&self.now.turn]);
        for (index, &(spent, given)) in turns.enumerate() {
            let is_own = (index % 2 == 0) == (starts_white == (color == Color::White));
            let is_over = index < self.now.turns.len();
            if !is_own {
                left += given;
                continue;
            }
            let bonus = stage_of(control, moves).0;
            left = match (bonus, is_over) {
                (Bonus::Fischer(increment), true) => left.saturating_sub(spent) + increment,
                (Bonus::Bronstein(delay), true) => left.saturating_sub(spent) + spent.min(delay),
                (Bonus::Delay(delay), _) => left.saturating_sub(spent.saturating_sub(delay)),
                (_, false) => left.saturating_sub(spent),
            };
            if is_over {
                moves += 1;
                left += stage_of(control, moves).1;
            }
        }
        left
    }

    fn occurrences(&self) -> usize {
        self.now.fens.iter().filter(|fen| same(fen, self.fen())).count()
    }

    fn repeated_enough(&self) -> Vec<Position> {
        let enough = if self.policy == Policy::Fide { 4 } else { 2 };
        let fens = &self.now.fens;
        let count = |fen: &str| fens.iter().filter(|other| same(other, fen)).count();
        let repeated = fens.iter().filter(|fen| count(fen) >= enough);
        repeated.map(|fen| fen.parse().expect("a position of the game")).collect()
    }

    fn judge(&self) -> Option<Outcome> {
        let chess = self.chess();
        let online = self.policy == Policy::Online;
        let position: Position = self.fen().parse().expect("a position of the game");
        let (occurrences, clock) = (self.occurrences(), chess.halfmoves());
        if chess.is_checkmate() {
            return Some(Outcome::Win { winner: !self.turn(), by: Victory::Checkmate });
        }
        let draws = [
            (Draw::Stalemate, chess.is_stalemate()),
            (
                Draw::DeadPosition,
                chess.is_insufficient_material() || position.dead_position().is_some(),
            ),
            (Draw::FivefoldRepetition, !online && occurrences >= 5),
            (Draw::SeventyFiveMoves, !online && clock >= 150),
            (Draw::ThreefoldRepetition, online && occurrences >= 3),
            (Draw::FiftyMoves, online && clock >= 100),
        ];
        draws.into_iter().find(|(_, holds)| *holds).map(|(draw, _)| Outcome::Draw(draw))
    }
}

/// A position as shakmaty holds it, if it does.
fn held(fen: &str) -> Option<Chess> {
    let setup = fen.parse::<Fen>().ok()?.into_setup();
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// A FEN whose counters stay at 9999 (R5).
fn saturated(fen: &str) -> String {
    let counter = |field: &str| field.parse().map(|count: u32| count.min(9999).to_string());
    let fields = fen.split(' ').map(|field| counter(field).unwrap_or_else(|_| field.to_string()));
    fields.collect::<Vec<_>>().join(" ")
}

/// Whether two FENs agree but for their counters (FIDE 9.2.3).
fn same(one: &str, other: &str) -> bool {
    one.split(' ').take(4).eq(other.split(' ').take(4))
}

/// The bonus of the stage in which the next move is made after so many, and the time that is added if a later stage
/// begins with it.
fn stage_of(control: &TimeControl, moves: u32) -> (Bonus, Duration) {
    let stages = control.stages();
    let mut begins = 0;
    let mut index = 0;
    loop {
        let stage = stages[index.min(stages.len() - 1)];
        match stage.moves {
            Some(count) if begins + count <= moves => (begins, index) = (begins + count, index + 1),
            _ if moves == begins && index > 0 => return (stage.bonus, stage.time),
            _ => return (stage.bonus, Duration::ZERO),
        }
    }
}
