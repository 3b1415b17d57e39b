//! Keys: the same position by another order of moves has the same key, a different one another.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use touchmove::{Board, CastlingRights, Color, Key, Move, MoveList, Position, Square};

use super::rules::{Honest, Rules};
use super::{Comparison, Verdict, at_every_ply, compare};
use crate::generators::Steps;

const ORACLE: &str = "keys";
/// The name under which two positions are judged.
pub(super) const PAIR: &str = "key_pair";

/// What makes a position the same for the purposes of repetition (R4): no clocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Identity {
    board: Board,
    turn: Color,
    castling: CastlingRights,
    en_passant: Option<Square>,
}

impl Identity {
    fn of(position: &Position) -> Identity {
        Identity {
            board: *position.board(),
            turn: position.turn(),
            castling: position.castling(),
            en_passant: position.en_passant(),
        }
    }
}

/// Plays a game; at every ply two moves of the mover are tried in both orders around one reply: where both
/// orders are legal and lead to the same position, the keys must be the same, and else they must not.
pub fn transpose<S: Steps, R: Rules>(steps: S, rules: &R) -> Verdict {
    at_every_ply(steps, rules, |position, legal| compare_orders(rules, position, legal))
}

fn compare_orders<R: Rules>(rules: &R, position: &Position, legal: &MoveList) -> Comparison {
    let Key(number) = position.key();
    let pick = |shift: u32, list: &MoveList| {
        let index = (number >> shift & 0xffff) as usize * list.len() / 0x1_0000;
        list.get(index).copied()
    };
    let (Some(one), Some(other)) = (pick(0, legal), pick(16, legal)) else { return Ok(()) };
    let Some(middle) = played(rules, position, &[one]) else { return Ok(()) };
    let Some(reply) = pick(32, &middle.legal_moves()) else { return Ok(()) };
    let (Some(first), Some(second)) = (
        played(rules, position, &[one, reply, other]),
        played(rules, position, &[other, reply, one]),
    ) else {
        return Ok(());
    };
    let same = Identity::of(&first) == Identity::of(&second);
    let same_key = rules.key(&first) == rules.key(&second);
    let orders =
        format!("same key after {one:?} {reply:?} {other:?} and {other:?} {reply:?} {one:?}");
    compare(ORACLE, &orders, same, same_key)?;
    compare(ORACLE, "key from scratch", Key::of(&first), rules.key(&first))
}

/// The position after these moves, if all are legal.
fn played<R: Rules>(rules: &R, position: &Position, moves: &[Move]) -> Option<Position> {
    let mut position = *position;
    for &mv in moves {
        if !position.is_legal(mv) {
            return None;
        }
        let _never_taken_back = rules.make(&mut position, mv);
    }
    Some(position)
}

/// Two positions: the same for the purposes of repetition, or with keys of their own.
pub fn key_pair<R: Rules>(position: &Position, other: &Position, rules: &R) -> Verdict {
    let same = Identity::of(position) == Identity::of(other);
    let same_key = rules.key(position) == rules.key(other);
    match compare(PAIR, "same key", same, same_key) {
        Ok(()) => Verdict::Pass,
        Err(parting) => parting.of_text(*position, &other.to_string()),
    }
}

/// A position as the watch remembers it: its key, and a hash of what makes it the same that has nothing to do
/// with the key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    key: u64,
    identity: u64,
}

impl Fingerprint {
    /// The fingerprint of a position.
    pub fn of<R: Rules>(rules: &R, position: &Position) -> Fingerprint {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        // Never zero; the last bit tells nothing.
        let identity = hasher.hash_one(Identity::of(position)) | 1;
        Fingerprint { key: rules.key(position).0, identity }
    }

    /// Whether this is a fingerprint of that position, whatever key it has.
    pub fn is_of(&self, position: &Position) -> bool {
        self.identity == Fingerprint::of(&Honest, position).identity
    }

    /// The key.
    pub fn key(&self) -> Key {
        Key(self.key)
    }
}

/// A fingerprint, and the number of the game in which it was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// The position.
    pub print: Fingerprint,
    /// The game.
    pub game: u64,
}

/// Watches that different positions have different keys and the same position always the same: over the
/// last 2^20 positions, and over one in 256 of all, as far as memory goes.
pub struct KeyWatch {
    by_key: Vec<Option<Met>>,
    by_identity: Vec<Option<Met>>,
    sample: HashMap<u64, Met>,
}

impl KeyWatch {
    /// How many of the last positions are remembered.
    pub const RECENT: usize = 1 << 20;
    /// How many of the sample are remembered.
    pub const SAMPLE_MAX: usize = 1 << 23;

    /// A watch that has seen nothing; some 64 MiB.
    pub fn new() -> KeyWatch {
        KeyWatch {
            by_key: vec![None; KeyWatch::RECENT],
            by_identity: vec![None; KeyWatch::RECENT],
            sample: HashMap::new(),
        }
    }

    /// Takes note of a position.
    ///
    /// # Errors
    ///
    /// What was met before, where both share a key and are different, or are the same with different keys.
    pub fn see(&mut self, met: Met) -> Result<(), Met> {
        let slot = |number: u64| number as usize % KeyWatch::RECENT;
        let Fingerprint { key, identity } = met.print;
        let of_key = self.by_key[slot(key)].replace(met);
        let of_identity = self.by_identity[slot(identity >> 1)].replace(met);
        let in_sample = key.is_multiple_of(256) && self.sample.len() < KeyWatch::SAMPLE_MAX;
        let sampled = in_sample.then(|| *self.sample.entry(key).or_insert(met));
        let parts = |before: &Met| (before.print.key == key) != (before.print.identity == identity);
        [of_key, of_identity, sampled].into_iter().flatten().find(parts).map_or(Ok(()), Err)
    }
}

impl Default for KeyWatch {
    fn default() -> KeyWatch {
        KeyWatch::new()
    }
}
