//! A game played again, alone, from what people were told of it; and everything that must then agree.

use std::fmt::{self, Debug};
use std::ops::AddAssign;
use std::time::Duration;

use touchmove::{Color, Game, Move, Refusal, Standing, UciMode, UciMove};
use touchmove_oracles::referees::{Referee, Shakmaty};

use super::notes::{Came, Deed, GameUnderLoad, Heard, Note, State, Told, Watcher};

/// What a game that agrees came to.
#[derive(Clone, Copy, Default)]
pub(super) struct Replayed {
    pub(super) events: u64,
    pub(super) moves: u64,
    /// The moves that shakmaty played, too; it cannot hold every start.
    pub(super) refereed: u64,
    pub(super) heard: u64,
    /// How often a watcher missed something, and how many events.
    pub(super) gaps: u64,
    pub(super) missed: u64,
}

impl AddAssign for Replayed {
    fn add_assign(&mut self, other: Replayed) {
        self.events += other.events;
        self.moves += other.moves;
        self.refereed += other.refereed;
        self.heard += other.heard;
        self.gaps += other.gaps;
        self.missed += other.missed;
    }
}

/// Where what people were told and the game part.
#[derive(Debug)]
pub(super) struct Difference {
    /// Which game; none where a client was lost.
    pub(super) game: Option<u64>,
    pub(super) what: String,
    /// The beginning, and what was acknowledged, in its order.
    pub(super) told: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(game) = self.game {
            write!(f, "game {game}: ")?;
        }
        write!(f, "{}\n{}", self.what, self.told)
    }
}

/// Plays a game again from what was acknowledged, and compares it with what the table has and the watchers heard.
pub(super) fn replay(game: GameUnderLoad) -> Result<Replayed, Box<Difference>> {
    let (number, beginning) = (game.number, game.beginning.clone());
    let (table, standing) = (game.table.game(), game.table.standing());
    let mut told = game.into_told();
    told.watchers.iter_mut().for_each(Watcher::read);
    told.acknowledged.sort_by_key(|note| note.now.events);
    let mut alone = Alone::new(beginning.game());
    agrees(&mut alone, &told, &table, &standing).map(|()| alone.replayed).map_err(|what| {
        let mut lines = format!("start: {beginning}\n");
        for note in &told.acknowledged {
            lines += &format!("{}: {} at {:?}\n", note.now.events, note.deed, note.received);
        }
        Box::new(Difference { game: Some(number), what, told: lines })
    })
}

type Agreement = Result<(), String>;

fn agrees(alone: &mut Alone, told: &Told, table: &Game, standing: &Standing) -> Agreement {
    for (index, note) in told.acknowledged.iter().enumerate() {
        let expected = index as u64 + 1;
        match note.now.events {
            number if number < expected => {
                return Err(format!("event {number} was acknowledged twice"));
            }
            number if number > expected => {
                return Err(format!("event {expected} was acknowledged to nobody"));
            }
            _ => {}
        }
        alone.act(note).map_err(|why| format!("event {expected}, {}: {why}", note.deed))?;
    }
    let last = told.acknowledged.len() as u64;
    equal("the number of the last event", last, standing.events)?;
    equal(
        "how the game stands at the end",
        State::of_game(&alone.game, last),
        State::of(standing),
    )?;
    equal("the game with its past", &alone.game, table)?;
    alone.replayed.events = last;
    told.watchers.iter().try_for_each(|watcher| alone.compare(watcher, &told.acknowledged))
}

fn equal<T: PartialEq + Debug>(what: &str, alone: T, told: T) -> Agreement {
    match alone == told {
        true => Ok(()),
        false => Err(format!("{what}: {alone:?} when it is played alone, {told:?} under load")),
    }
}

/// A fresh game, and shakmaty beside it.
struct Alone {
    game: Game,
    begun: State,
    shakmaty: Option<Shakmaty>,
    /// The receive time up to which the clock has counted.
    counted_to: Duration,
    replayed: Replayed,
}

impl Alone {
    fn new(game: Game) -> Alone {
        let mut shakmaty = Shakmaty::default();
        let holds = shakmaty.set(&game.start().to_string(), UciMode::Chess960).is_ok();
        let shakmaty = holds.then_some(shakmaty);
        let begun = State::of_game(&game, 0);
        Alone { game, begun, shakmaty, counted_to: Duration::ZERO, replayed: Replayed::default() }
    }

    /// Does what was done, and compares how the game stands then.
    fn act(&mut self, note: &Note) -> Agreement {
        self.do_deed(note)
            .map_err(|refusal| format!("refused when it is played alone, {refusal}"))??;
        equal("how the game stands", State::of_game(&self.game, note.now.events), note.now)
    }

    /// The outer error is the game's refusal, the inner one of those who compare.
    fn do_deed(&mut self, note: &Note) -> Result<Agreement, Refusal> {
        let (received, mover) = (note.received, self.game.turn());
        Ok(match note.deed {
            Deed::Played(mv) => {
                self.count(received);
                self.game.play_move(mover, mv)?;
                self.referee(mv)
            }
            Deed::Undone(mv) => {
                let undone = self.game.undo()?;
                self.begin_turn(received);
                self.take_back().and_then(|()| equal("the move that was taken back", undone, mv))
            }
            Deed::Redone(mv) => {
                let redone = self.game.redo()?;
                self.begin_turn(received);
                self.referee(redone).and_then(|()| equal("the move played again", redone, mv))
            }
            Deed::Resigned(player) => self.game.resign(player).map(|_| Ok(()))?,
            Deed::Offered(player) => equal(
                "whether an offer is accepted",
                self.game.offer_draw(player)?.is_some(),
                false,
            ),
            Deed::Accepted(player) => self.game.accept(player).map(|_| Ok(()))?,
            Deed::Declined(player) => self.game.decline(player).map(Ok)?,
            Deed::Claimed(player, claim, announced, came) => {
                self.count(received);
                let text = announced.map(|mv| uci(&self.game, mv));
                let plies = self.game.plies();
                let claimed = self.game.claim(player, claim, text.as_deref())?;
                let refereed = match announced.filter(|_| self.game.plies() > plies) {
                    Some(mv) => self.referee(mv),
                    None => Ok(()),
                };
                refereed.and_then(|()| equal("what came of the claim", Came::of(&claimed), came))
            }
            Deed::FlagFell(player) => self.drop_flag(player, received)?,
        })
    }

    /// FIDE 6.9, R20: the clock shows zero whenever it was looked at.
    fn drop_flag(&mut self, player: Color, received: Duration) -> Result<Agreement, Refusal> {
        let mover = self.game.turn();
        let left = self.game.clock().ok_or(Refusal::NoClock)?.time_to_flag(mover);
        let outcome = self.game.tick(left)?;
        let in_time = received < self.counted_to + left;
        Ok(equal("whose flag fell", mover, player)
            .and_then(|()| equal("whether the flag fell", outcome.is_some(), true))
            .and_then(|()| equal("whether it fell before its time", false, in_time)))
    }

    /// Time passes at the turn of the mover.
    fn count(&mut self, received: Duration) {
        let _without_a_clock = self.game.tick(received.saturating_sub(self.counted_to));
        self.begin_turn(received);
    }

    fn begin_turn(&mut self, received: Duration) {
        self.counted_to = self.counted_to.max(received);
    }

    /// A move that was played must be legal for shakmaty, too, and lead to check and an end where ours does.
    fn referee(&mut self, mv: Move) -> Agreement {
        self.replayed.moves += 1;
        let Some(shakmaty) = &mut self.shakmaty else { return Ok(()) };
        shakmaty.play(mv).map_err(|_| format!("{mv:?} is illegal, says shakmaty"))?;
        let theirs = shakmaty.status().map_err(|why| format!("{why:?}"))?;
        self.replayed.refereed += 1;
        let position = self.game.position();
        equal("check, beside shakmaty", position.is_check(), theirs.check)?;
        equal("whether no move is left, beside shakmaty", !position.has_legal_move(), theirs.stuck)
    }

    fn take_back(&mut self) -> Agreement {
        match &mut self.shakmaty {
            Some(shakmaty) => shakmaty.take_back().map_err(|why| format!("{why:?}")),
            None => Ok(()),
        }
    }

    /// Every event was heard once and in order, as it was acknowledged, or is counted as missed.
    fn compare(&mut self, watcher: &Watcher, acknowledged: &[Note]) -> Agreement {
        let begun = self.begun;
        let state_after = |events: u64| match events {
            0 => Some(begun),
            _ => acknowledged.get(events as usize - 1).map(|note| note.now),
        };
        let mut last = watcher.joined.events;
        equal("how the game stood for a watcher", state_after(last), Some(watcher.joined))?;
        for &heard in &watcher.heard {
            match heard {
                Heard::Event(note) => {
                    last += 1;
                    self.replayed.heard += 1;
                    let right = acknowledged.get(last as usize - 1).copied();
                    equal(&format!("what a watcher heard of event {last}"), right, Some(note))?;
                }
                Heard::Missed(events, now) => {
                    last += events;
                    self.replayed.gaps += 1;
                    self.replayed.missed += events;
                    equal(
                        "how the game stood behind what was missed",
                        state_after(last),
                        Some(now),
                    )?;
                }
            }
        }
        match watcher.subscriber {
            Some(_) => equal("the last event heard of", acknowledged.len() as u64, last),
            None => Ok(()),
        }
    }
}

fn uci(game: &Game, mv: Move) -> String {
    UciMove::of(mv, game.mode()).map_or_else(|_| format!("{mv:?}"), |text| text.to_string())
}

/// In words, moves in Chess960 notation.
impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |mv| UciMove::of(mv, UciMode::Chess960).expect("any move has a text there");
        match *self {
            Deed::Played(mv) => write!(f, "{} is played", text(mv)),
            Deed::Undone(mv) => write!(f, "{} is taken back", text(mv)),
            Deed::Redone(mv) => write!(f, "{} is played again", text(mv)),
            Deed::Resigned(player) => write!(f, "{player} resigns"),
            Deed::Offered(player) => write!(f, "{player} offers a draw"),
            Deed::Accepted(player) => write!(f, "{player} accepts"),
            Deed::Declined(player) => write!(f, "{player} declines"),
            Deed::Claimed(player, claim, announced, came) => {
                let with = announced.map_or_else(String::new, |mv| format!(" with {}", text(mv)));
                write!(f, "{player} claims {claim}{with}: {came:?}")
            }
            Deed::FlagFell(player) => write!(f, "{player}'s flag falls"),
        }
    }
}
