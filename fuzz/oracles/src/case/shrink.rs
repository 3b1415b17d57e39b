//! A divergence made as small as chess, or text, allows.

use touchmove::{CastlingRights, Move, Position, Role, Setup};

use super::{judge, played};
use crate::oracles::{Divergence, Rules, Verdict, of_text};

/// The smallest game that can be found in which the same oracle still finds fault: a shorter end, a later
/// start, fewer moves, fewer pieces, no clocks and no rights. Of a text, the shortest.
pub fn shrink<R: Rules>(divergence: Divergence, rules: &R) -> Divergence {
    match divergence.text.clone() {
        Some(text) => shrink_text(divergence, text),
        None => shrink_game(divergence, rules),
    }
}

fn shrink_game<R: Rules>(divergence: Divergence, rules: &R) -> Divergence {
    let mut smallest = divergence;
    loop {
        let before = (smallest.moves.len(), smallest.start);
        for attempt in attempts(&smallest) {
            let (start, moves) = attempt;
            if let Verdict::Diverges(found) = judge(smallest.oracle, start, &moves, rules)
                && found.oracle == smallest.oracle
                && weight(&found) < weight(&smallest)
            {
                smallest = *found;
                break;
            }
        }
        if (smallest.moves.len(), smallest.start) == before {
            return smallest;
        }
    }
}

/// What counts when two cases are compared: moves first, then pieces, then all else that is set.
fn weight(divergence: &Divergence) -> (usize, u32, u32) {
    let setup = divergence.start.to_setup();
    let rights = setup.castling.rooks().len() + u32::from(setup.en_passant.is_some());
    let clocks = u32::from(setup.halfmove_clock != 0) + u32::from(setup.move_number != 1);
    (divergence.moves.len(), setup.board.occupied().len(), rights + clocks)
}

/// Smaller games to try, the much smaller ones first.
fn attempts(divergence: &Divergence) -> Vec<(Position, Vec<Move>)> {
    let (start, moves) = (divergence.start, &divergence.moves);
    let len = moves.len();
    let mut attempts = Vec::new();
    for later in (1..=len).rev() {
        attempts.push((played(start, &moves[..later]), moves[later..].to_vec()));
    }
    for shorter in 0..len {
        attempts.push((start, moves[..shorter].to_vec()));
    }
    for dropped in 0..len {
        for width in [2, 1] {
            if dropped + width <= len {
                let rest = [&moves[..dropped], &moves[dropped + width..]].concat();
                attempts.push((start, rest));
            }
        }
    }
    for simpler in simpler_starts(start) {
        attempts.push((simpler, moves.clone()));
    }
    attempts
}

fn simpler_starts(start: Position) -> Vec<Position> {
    let setup = start.to_setup();
    let mut simpler = vec![
        Setup { halfmove_clock: 0, ..setup },
        Setup { move_number: 1, ..setup },
        Setup { castling: CastlingRights::EMPTY, ..setup },
        Setup { en_passant: None, ..setup },
    ];
    for rook in setup.castling.rooks() {
        simpler.push(Setup { castling: setup.castling.without(rook.into()), ..setup });
    }
    for square in setup.board.occupied().without(setup.board.role(Role::King)) {
        let mut fewer = setup;
        fewer.board.remove(square);
        fewer.castling = fewer.castling.without(square.into());
        simpler.push(fewer);
    }
    simpler.into_iter().filter_map(|setup| setup.validate().ok()).collect()
}

/// The shortest text that can be found with which the same oracle still finds fault.
fn shrink_text(divergence: Divergence, text: String) -> Divergence {
    let judged = |text: &str| match of_text(divergence.oracle, &divergence.start, text) {
        Verdict::Diverges(found) if found.oracle == divergence.oracle => Some(*found),
        _ => None,
    };
    let shortest = shortest(text, |text| judged(text).is_some());
    judged(&shortest).unwrap_or(divergence)
}

/// Leaves out ever shorter pieces of a text, as long as the rest still shows what it should.
fn shortest(text: String, still_shows: impl Fn(&str) -> bool) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let mut width = letters.len().div_ceil(2);
    while width > 0 {
        let mut from = 0;
        while from < letters.len() {
            let to = letters.len().min(from + width);
            let rest = [&letters[..from], &letters[to..]].concat();
            if still_shows(&rest.iter().collect::<String>()) {
                letters = rest;
            } else {
                from = to;
            }
        }
        width /= 2;
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_down_to_what_still_shows_the_fault() {
        let shows = |text: &str| text.contains('a') && text.contains("\u{e9}b");
        assert_eq!(shortest(String::from("xxaxx yyyyy\u{e9}bz"), shows), "a\u{e9}b");
        assert_eq!(shortest(String::from("xyz"), |_| true), "");
        assert_eq!(shortest(String::from("xyz"), |_| false), "xyz");
    }
}
