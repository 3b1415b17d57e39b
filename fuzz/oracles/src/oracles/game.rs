//! A whole game: legality and state at every ply beside shakmaty, then every move taken back.

use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Chess, FromSetup, Position as _, PositionError};
use touchmove::{Move, MoveList, Position, Undo};

use super::keys::Fingerprint;
use super::rules::Rules;
use super::{Comparison, Verdict, compare_positions, legality, state};
use crate::census::{Events, events_of_move, events_of_position, refusals};
use crate::generators::{Steps, bytes_of_seed};
use crate::referees::{shakmaty_move, shakmaty_setup};

/// What a game went through.
#[derive(Clone, Debug, Default)]
pub struct GameLog {
    /// The plies played.
    pub plies: u64,
    /// The positions compared with shakmaty; it cannot hold every start.
    pub refereed: u64,
    /// The events of each ply.
    pub events: Vec<Events>,
    /// The positions met, for whoever watches their keys.
    pub fingerprints: Vec<Fingerprint>,
}

/// Plays a game and compares everything at every ply; `log` is told what it went through.
pub fn game<S: Steps, R: Rules>(mut steps: S, rules: &R, log: &mut GameLog) -> Verdict {
    let start = steps.start();
    let mut game =
        Game { rules, position: start, chess: held_by_shakmaty(&start), played: Vec::new() };
    let mut legal = MoveList::new();
    loop {
        rules.legal_moves_into(&game.position, &mut legal);
        if let Err(parting) = game.compare(&legal) {
            return parting.after(start, game.moves());
        }
        log.refereed += u64::from(game.chess.is_some());
        log.fingerprints.push(Fingerprint::of(rules, &game.position));
        log.events.push(refusals(&game.position, &legal).and(events_of_position(&game.position)));
        let Some(mv) = steps.next_move(&game.position, &legal) else { break };
        log.events.push(events_of_move(&game.position, mv));
        log.plies += 1;
        game.play(mv);
    }
    let moves = game.moves();
    match game.take_all_back() {
        Ok(()) => Verdict::Pass,
        Err(parting) => parting.after(start, moves),
    }
}

/// How many plies a second shakmaty walks alone, list and play, through the games of some seeds.
///
/// The measure for what comparing costs: nothing is compared here.
pub fn shakmaty_alone(time: Duration) -> f64 {
    let (begin, mut plies) = (Instant::now(), 0u64);
    for seed in 0.. {
        let mut bytes = bytes_of_seed(seed).into_iter();
        let mut chess = Chess::default();
        while let (moves, Some(byte)) = (chess.legal_moves(), bytes.next())
            && !moves.is_empty()
        {
            chess.play_unchecked(moves[usize::from(byte) * moves.len() / 256]);
            plies += 1;
        }
        if begin.elapsed() >= time {
            break;
        }
    }
    plies as f64 / begin.elapsed().as_secs_f64()
}

/// A position as shakmaty holds it, if it does.
pub(super) fn held_by_shakmaty(position: &Position) -> Option<Chess> {
    Chess::from_setup(shakmaty_setup(position)?, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

struct Game<'a, R> {
    rules: &'a R,
    position: Position,
    chess: Option<Chess>,
    /// Each move with what it changed and the position before it.
    played: Vec<(Move, Undo, Position)>,
}

impl<R: Rules> Game<'_, R> {
    fn moves(&self) -> Vec<Move> {
        self.played.iter().map(|&(mv, ..)| mv).collect()
    }

    fn compare(&mut self, legal: &MoveList) -> Comparison {
        let before = self.position;
        let chess = self.chess.as_ref();
        legality::compare_lists(self.rules, &mut self.position, legal, chess)?;
        compare_positions("unmake", "after asking by trial", &before, &self.position)?;
        state::compare_state(self.rules, &self.position, legal, chess)
    }

    fn play(&mut self, mv: Move) {
        let before = self.position;
        let undo = self.rules.make(&mut self.position, mv);
        self.played.push((mv, undo, before));
        if let Some(chess) = &mut self.chess {
            let theirs = chess.legal_moves().into_iter().find(|&t| shakmaty_move(t) == Some(mv));
            chess.play_unchecked(theirs.expect("the lists were compared"));
        }
    }

    /// Back to the start; every level must be what it was, bit for bit.
    fn take_all_back(mut self) -> Comparison {
        while let Some((mv, undo, before)) = self.played.pop() {
            self.rules.unmake(&mut self.position, mv, undo);
            compare_positions("unmake", "taken back", &before, &self.position)?;
        }
        Ok(())
    }
}
