//! Nothing left behind: questions, moves and null moves nested at will, and every level as it was.

use touchmove::{Key, Move, MoveList, Position};

use super::rules::Rules;
use super::{Comparison, Verdict, compare, compare_positions};
use crate::generators::Steps;

const ORACLE: &str = "unmake";

/// How many plies a nest goes down.
const NEST_PLIES_MAX: u32 = 3;

/// Walks a game; in every position it asks by trial and fast, passes where that is allowed, and goes some
/// plies down and up again, all on the one position, which must be the same after each.
pub fn unmake<S: Steps, R: Rules>(mut steps: S, rules: &R) -> Verdict {
    let start = steps.start();
    let (mut position, mut moves) = (start, Vec::new());
    let mut legal = MoveList::new();
    loop {
        if let Err(parting) = nest(rules, &mut position, NEST_PLIES_MAX) {
            return parting.after(start, moves);
        }
        rules.legal_moves_into(&position, &mut legal);
        let Some(mv) = steps.next_move(&position, &legal) else { return Verdict::Pass };
        let _kept = rules.make(&mut position, mv);
        moves.push(mv);
    }
}

/// Down and up again from a position; which way is decided by its key.
fn nest<R: Rules>(rules: &R, position: &mut Position, plies: u32) -> Comparison {
    let before = *position;
    let legal = rules.legal_moves_by_trial(position);
    compare_positions(ORACLE, "after asking by trial", &before, position)?;
    compare(ORACLE, "key", Key::of(position), rules.key(position))?;
    if plies == 0 {
        return Ok(());
    }
    for (branch, shift) in [0, 16].into_iter().enumerate() {
        let Some(mv) = pick(&legal, position.key().0 >> shift) else { break };
        let undo = rules.make(position, mv);
        nest(rules, position, plies - 1 - branch as u32 % plies)?;
        rules.unmake(position, mv, undo);
        compare_positions(ORACLE, &format!("after taking back {mv:?}"), &before, position)?;
    }
    if let Ok(undo) = rules.make_null(position) {
        nest(rules, position, 0)?;
        rules.unmake_null(position, undo);
        compare_positions(ORACLE, "after taking back a null move", &before, position)?;
    }
    Ok(())
}

fn pick(legal: &MoveList, number: u64) -> Option<Move> {
    let index = (number & 0xffff) as usize * legal.len() / 0x1_0000;
    legal.get(index).copied()
}
