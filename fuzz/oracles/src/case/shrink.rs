//! A divergence made as small as chess, or text, allows.

use touchmove::{CastlingRights, Move, Position, Role, Setup};

use super::{judge, judge_text, played};
use crate::oracles::{Divergence, Rules, Verdict, caught, fen_text, is_free_text};

/// The smallest game that can be found in which the same oracle still finds fault: a shorter end, a later
/// start, fewer moves, fewer pieces, no clocks and no rights. Of a text, the shortest.
///
/// It ends early, with what it has, when `stop` says so; an engine that panics on the way does not end it.
pub fn shrink<R: Rules>(divergence: Divergence, rules: &R, stop: impl Fn() -> bool) -> Divergence {
    let Divergence { oracle, start, .. } = divergence;
    match &divergence.text {
        // Where readers part over the start, that is the fault: once it is mended, no game begins there.
        None => match caught(|| fen_text(&start.to_string())) {
            Ok(Verdict::Diverges(of_start)) => shrink(*of_start, rules, stop),
            _ => shrink_game(divergence, rules, &stop),
        },
        Some(text) if is_free_text(oracle) => {
            let judged = |text: &str| found(oracle, judge_text(oracle, start, text, rules));
            let shortest = shortest(text.clone(), |text| !stop() && judged(text).is_some());
            let shortest = judged(&shortest).unwrap_or(divergence);
            shrink_game(shortest, rules, &stop)
        }
        Some(_) => shrink_game(divergence, rules, &stop),
    }
}

/// What the same oracle finds.
fn found(oracle: &str, verdict: Verdict) -> Option<Divergence> {
    match verdict {
        Verdict::Diverges(found) if found.oracle == oracle => Some(*found),
        _ => None,
    }
}

fn shrink_game<R: Rules>(
    mut smallest: Divergence,
    rules: &R,
    stop: &impl Fn() -> bool,
) -> Divergence {
    loop {
        let smaller = |(start, moves): (Position, Vec<Move>)| {
            let oracle = smallest.oracle;
            let verdict = match &smallest.text {
                Some(text) => judge_text(oracle, start, text, rules),
                None => judge(oracle, start, &moves, rules),
            };
            found(oracle, verdict).filter(|found| weight(found) < weight(&smallest))
        };
        let attempts = caught(|| attempts(&smallest)).unwrap_or_default();
        match attempts.into_iter().take_while(|_| !stop()).find_map(smaller) {
            Some(smaller) => smallest = smaller,
            None => return smallest,
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
    let starts = simpler.into_iter().filter_map(|setup| setup.validate().ok());
    // A start that only an engine with a fault accepts would be no case once the fault is mended.
    starts.filter(|start| fen_text(&start.to_string()).is_clean()).collect()
}

/// Leaves out ever shorter pieces of a text and puts simpler words for others, as long as the rest still shows what
/// it should.
fn shortest(text: String, still_shows: impl Fn(&str) -> bool) -> String {
    let mut shortest = text;
    loop {
        let cut = cut(&shortest, &still_shows);
        let simpler = simpler_texts(&cut).into_iter().find(|text| still_shows(text));
        match simpler {
            Some(simpler) => shortest = simpler,
            None if cut == shortest => return shortest,
            None => shortest = cut,
        }
    }
}

/// Leaves out ever shorter pieces, wherever they begin.
fn cut(text: &str, still_shows: impl Fn(&str) -> bool) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let mut width = letters.len().div_ceil(2);
    while width > 0 {
        let mut from = 0;
        while from + width <= letters.len() {
            let rest = [&letters[..from], &letters[from + width..]].concat();
            if still_shows(&rest.iter().collect::<String>()) {
                letters = rest;
            } else {
                from += 1;
            }
        }
        width /= 2;
    }
    letters.into_iter().collect()
}

/// The text without one of its words, or with a plain word for it, or with an empty rank for one that is not.
fn simpler_texts(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let with = |at: usize, word: &str| {
        let mut words = words.clone();
        words[at] = word;
        words.join(" ")
    };
    let mut simpler = Vec::new();
    for (at, word) in words.iter().enumerate() {
        simpler.push([&words[..at], &words[at + 1..]].concat().join(" "));
        simpler.extend(["-", "0", "1", "w"].map(|plain| with(at, plain)));
        let ranks: Vec<&str> = word.split('/').collect();
        for rank in 0..ranks.len() {
            let mut ranks = ranks.clone();
            ranks[rank] = "8";
            simpler.push(with(at, &ranks.join("/")));
        }
    }
    simpler.retain(|simpler| text_weight(simpler) < text_weight(text));
    simpler
}

/// What counts when two texts are compared: their letters, then those that a text without a meaning would not have.
fn text_weight(text: &str) -> (usize, usize) {
    let plain = |letter: &char| " -/018w".contains(*letter);
    (text.chars().count(), text.chars().filter(|letter| !plain(letter)).count())
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

    /// What must stay a FEN keeps the fields it needs, and they are made plain.
    #[test]
    fn a_fen_is_made_plain_where_it_must_stay_one() {
        let shows = |text: &str| {
            text.parse::<Setup>().is_ok_and(|setup| setup.board.role(Role::Queen).any())
        };
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 31 17";
        let plain = shortest(String::from(fen), shows);
        assert_eq!(plain, "8/8/8/8/8/8/8/RNBQKBNR w - -");
    }
}
