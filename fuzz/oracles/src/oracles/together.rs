//! One game before all oracles that look at games.

use super::rules::Rules;
use super::{GameLog, Verdict, game, guarded, mirror, perft_small, san, transpose, unmake};
use crate::generators::{Script, Steps, Walk};

/// Plays a game before every oracle, up to the first that finds something; those that cost more than the game itself see
/// one game in so many, by its number. Each of these is told of before it begins, by the name of its target.
pub fn all_oracles<R: Rules>(
    number: u64,
    walk: &Walk,
    rules: &R,
    log: &mut GameLog,
    mut tell: impl FnMut(&'static str),
) -> Verdict {
    let walked = |judge: &dyn Fn(&mut dyn Steps) -> Verdict| guarded(walk.clone(), judge);
    let others: [(u64, &'static str, &dyn Fn() -> Verdict); 5] = [
        (4, "unmake_walk", &|| walked(&|walk| unmake(walk, rules))),
        (4, "transpose", &|| walked(&|walk| transpose(walk, rules))),
        (64, "san_diff", &|| walked(&|walk| san(walk, rules))),
        (64, "mirror", &|| walked(&|walk| mirror(walk, rules))),
        (64, "perft_small", &|| {
            let start = walk.start();
            guarded(Script::new(start, Vec::new()), |_| perft_small(&start, 3, rules))
        }),
    ];
    let mut verdict = guarded(walk.clone(), |walk| game(walk, rules, log));
    for (every, target, oracle) in others {
        if verdict.is_clean() && number.is_multiple_of(every) {
            tell(target);
            verdict = oracle();
        }
    }
    verdict
}
