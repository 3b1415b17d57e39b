//! Legality: the fast route, the definition and shakmaty list the same moves, none twice.

use shakmaty::{Chess, Position as _};
use touchmove::{Key, Move, MoveList, Position};

use super::rules::Rules;
use super::{Comparison, Parting, Verdict, compare};
use crate::referees::shakmaty_move;

const ORACLE: &str = "legality";
/// The name under which a code is judged.
pub(super) const CODE: &str = "any_move_code";

/// Codes that nobody generated, asked of `is_legal` in each position.
const STRAY_CODES: u32 = 4;

/// Compares the list of the fast route with the definition, with shakmaty, and with `is_legal`.
pub(super) fn compare_lists<R: Rules>(
    rules: &R,
    position: &mut Position,
    legal: &MoveList,
    chess: Option<&Chess>,
) -> Comparison {
    let ours = Sorted::of(legal.iter().copied());
    if let Some(twice) = ours.codes().windows(2).find(|pair| pair[0] == pair[1]) {
        let twice = Move::from_code(twice[0]);
        return compare(ORACLE, "a move listed twice", None, twice);
    }
    let by_trial = Sorted::of(rules.legal_moves_by_trial(position).iter().copied());
    compare_sorted("by trial", &by_trial, &ours)?;
    if let Some(chess) = chess {
        let theirs = Sorted::of(chess.legal_moves().iter().filter_map(|&mv| shakmaty_move(mv)));
        compare_sorted("by shakmaty", &theirs, &ours)?;
    }
    for &mv in legal.iter().take(3) {
        compare(ORACLE, &format!("is_legal {mv:?}"), true, rules.is_legal(position, mv))?;
    }
    let Key(mut stray) = position.key();
    for _ in 0..STRAY_CODES {
        if let Some(mv) = Move::from_code(stray as u16) {
            let listed = ours.codes().binary_search(&mv.code()).is_ok();
            compare(ORACLE, &format!("is_legal {mv:?}"), listed, rules.is_legal(position, mv))?;
        }
        stray >>= 16;
    }
    Ok(())
}

/// The codes of a list of moves in order, without allocation.
struct Sorted {
    codes: [u16; MoveList::CAPACITY],
    len: usize,
}

impl Sorted {
    fn of(moves: impl Iterator<Item = Move>) -> Sorted {
        let mut sorted = Sorted { codes: [0; MoveList::CAPACITY], len: 0 };
        for mv in moves {
            sorted.codes[sorted.len] = mv.code();
            sorted.len += 1;
        }
        sorted.codes[..sorted.len].sort_unstable();
        sorted
    }

    fn codes(&self) -> &[u16] {
        &self.codes[..self.len]
    }

    /// The moves that the other list does not have.
    fn beyond(&self, other: &Sorted) -> Vec<Move> {
        let missing = |code: &&u16| other.codes().binary_search(code).is_err();
        self.codes().iter().filter(missing).filter_map(|&code| Move::from_code(code)).collect()
    }
}

fn compare_sorted(by: &str, right: &Sorted, ours: &Sorted) -> Comparison {
    if right.codes() == ours.codes() {
        return Ok(());
    }
    Err(Parting {
        oracle: ORACLE,
        expected: format!("{} moves {by}", right.len),
        got: format!(
            "{} moves by the fast route: missing {:?}, extra {:?}",
            ours.len,
            right.beyond(ours),
            ours.beyond(right)
        ),
    })
}

/// Every 16-bit code, and none of them by list: `is_legal` and `explain` say yes exactly to the moves
/// listed.
pub fn any_move_code<R: Rules>(position: &Position, code: u16, rules: &R) -> Verdict {
    let Some(mv) = Move::from_code(code) else { return Verdict::Pass };
    let mut legal = MoveList::new();
    rules.legal_moves_into(position, &mut legal);
    let listed = legal.contains(&mv);
    compare(CODE, &format!("is_legal {mv:?}"), listed, rules.is_legal(position, mv))
        .and_then(|()| {
            compare(CODE, &format!("explain {mv:?}"), listed, position.explain(mv).is_ok())
        })
        .map_or_else(
            |parting| parting.of_text(*position, &format!("{code:#06x}")),
            |()| Verdict::Pass,
        )
}

/// The code that a case holds as text.
pub(super) fn code_of(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}
