//! What players and an arbiter do in a game: moves, claims, offers, time, undo, good and bad.

use std::time::Duration;

use arbitrary::{Arbitrary, Result, Unstructured};
use touchmove::{Claim, Color, Policy, Position};

use super::setup::{FreeSetup, chess960_start};

/// A start, how the game is played, and what is done in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Actions {
    /// Where the game begins.
    pub start: Position,
    /// Which draws end it by themselves.
    pub policy: Policy,
    /// The time control as text, if there is one.
    pub control: Option<&'static str>,
    /// What is done, in order.
    pub actions: Vec<Action>,
}

/// Something that is done in a game. A choice is one of the legal moves, in their order as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// The side to move plays a legal move.
    Play(u8),
    /// A side plays some legal move or a text that is none, whoever's turn it is.
    PlayAs(Color, Option<u8>),
    /// The last move is taken back.
    Undo,
    /// It is played again.
    Redo,
    /// A side resigns.
    Resign(Color),
    /// A side offers a draw.
    Offer(Color),
    /// A side accepts.
    Accept(Color),
    /// A side declines.
    Decline(Color),
    /// A side claims, perhaps with a move.
    Claim(Color, Claim, Option<u8>),
    /// Time passes.
    Tick(Duration),
    /// The game is kept as text and restored.
    Restore,
}

/// Starts from which something ends soon: counters, material, mate, stalemate, walls.
const NEAR_AN_END: [&str; 12] = [
    "8/R7/1r6/1k6/3KB3/8/8/8 b - - 95 111",
    "7k/8/2R3K1/8/8/8/8/8 b - - 146 100",
    "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1",
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
    "4k3/8/8/p2p2p1/P2P2P1/8/8/3RK2r w - - 0 1",
    "8/8/8/4k3/5b2/3K4/4P3/2B5 w - - 0 1",
    "8/2kr4/8/K7/8/8/8/8 w - - 0 1",
    "7k/8/6K1/8/8/8/8/R7 w - - 98 100",
    "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1",
    "8/8/8/8/4p3/8/R2P3k/K7 w - - 0 37",
    "8/5r2/p3k3/P7/8/1K6/8/8 w - - 148 100",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
];

impl<'a> Arbitrary<'a> for Actions {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Actions> {
        let start = match bytes.arbitrary::<u8>()? % 8 {
            0 | 1 => Position::default(),
            2 => chess960_start(bytes.arbitrary::<u16>()? % 960),
            3 => FreeSetup::arbitrary(bytes)?.0.validate().unwrap_or_default(),
            _ => bytes.choose(&NEAR_AN_END)?.parse().expect("the starts are positions"),
        };
        let policy = if bytes.arbitrary()? { Policy::Fide } else { Policy::Online };
        let controls = [None, None, Some("60+1"), Some("3/30b5:20d2"), Some("2/40"), Some("5")];
        let control = *bytes.choose(&controls)?;
        // A game in which pieces go to and fro meets repetitions and counters.
        let shuffles = bytes.arbitrary::<u8>()? % 2 == 0;
        let mut actions = Vec::new();
        while !bytes.is_empty() {
            actions.push(action(bytes, shuffles)?);
        }
        Ok(Actions { start, policy, control, actions })
    }
}

fn action(bytes: &mut Unstructured<'_>, shuffles: bool) -> Result<Action> {
    let color = |bytes: &mut Unstructured<'_>| -> Result<Color> {
        Ok(if bytes.arbitrary()? { Color::White } else { Color::Black })
    };
    let kind = bytes.arbitrary::<u8>()?;
    Ok(match kind % 32 {
        0 => Action::PlayAs(color(bytes)?, bytes.arbitrary()?),
        1 | 2 => Action::Undo,
        3 => Action::Redo,
        4 if kind > 224 => Action::Resign(color(bytes)?),
        5 => Action::Offer(color(bytes)?),
        6 if kind > 128 => Action::Accept(color(bytes)?),
        7 => Action::Decline(color(bytes)?),
        8 | 9 => {
            let claim = match bytes.arbitrary()? {
                true => Claim::ThreefoldRepetition,
                false => Claim::FiftyMoves,
            };
            Action::Claim(color(bytes)?, claim, bytes.arbitrary()?)
        }
        10 | 11 => Action::Tick(Duration::from_millis(u64::from(bytes.arbitrary::<u16>()? / 4))),
        12 => Action::Restore,
        _ if shuffles => Action::Play(kind % 2),
        _ => Action::Play(bytes.arbitrary()?),
    })
}
