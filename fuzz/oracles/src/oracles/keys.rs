//! Keys: the same position by another order of moves has the same key, a different one another.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use touchmove::{Board, CastlingRights, Color, Key, Move, MoveList, Position, Square};

use super::rules::Rules;
use super::{Comparison, Verdict, compare};
use crate::generators::Steps;

const ORACLE: &str = "keys";

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
pub fn transpose<S: Steps, R: Rules>(mut steps: S, rules: &R) -> Verdict {
    let start = steps.start();
    let (mut position, mut moves) = (start, Vec::new());
    let mut legal = MoveList::new();
    loop {
        rules.legal_moves_into(&position, &mut legal);
        if let Err(parting) = compare_orders(rules, &position, &legal) {
            return parting.after(start, moves);
        }
        let Some(mv) = steps.next_move(&position, &legal) else { return Verdict::Pass };
        let _kept = rules.make(&mut position, mv);
        moves.push(mv);
    }
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
        // Zero marks an empty slot of the watch.
        let identity = hasher.hash_one(Identity::of(position)) | 1;
        Fingerprint { key: rules.key(position).0, identity }
    }
}

/// Watches that different positions have different keys and the same position always the same: over the
/// last 2^20 positions, and over one in 256 of all, as far as memory goes.
pub struct KeyWatch {
    by_key: Vec<Option<Fingerprint>>,
    by_identity: Vec<Option<Fingerprint>>,
    sample: HashMap<u64, u64>,
}

impl KeyWatch {
    /// How many of the last positions are remembered.
    pub const RECENT: usize = 1 << 20;
    /// How many of the sample are remembered.
    pub const SAMPLE_MAX: usize = 1 << 24;

    /// A watch that has seen nothing; some 50 MiB.
    pub fn new() -> KeyWatch {
        KeyWatch {
            by_key: vec![None; KeyWatch::RECENT],
            by_identity: vec![None; KeyWatch::RECENT],
            sample: HashMap::new(),
        }
    }

    /// Takes note of a position; false when a key is shared by two positions, or a position has two keys.
    #[must_use]
    pub fn see(&mut self, print: Fingerprint) -> bool {
        let slot = |number: u64| number as usize % KeyWatch::RECENT;
        let met_key = self.by_key[slot(print.key)].replace(print);
        let met_identity = self.by_identity[slot(print.identity >> 1)].replace(print);
        let shared = met_key.is_some_and(|met| met.key == print.key && met != print);
        let changed =
            met_identity.is_some_and(|met| met.identity == print.identity && met != print);
        !(shared || changed || self.shared_in_sample(print))
    }

    fn shared_in_sample(&mut self, print: Fingerprint) -> bool {
        let in_sample = print.key.is_multiple_of(256) && self.sample.len() < KeyWatch::SAMPLE_MAX;
        in_sample && *self.sample.entry(print.key).or_insert(print.identity) != print.identity
    }
}

impl Default for KeyWatch {
    fn default() -> KeyWatch {
        KeyWatch::new()
    }
}
