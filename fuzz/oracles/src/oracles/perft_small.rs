//! Small counts: all played, in each mode, by trial, and by two referees.

use touchmove::{PerftHash, Position, UciMode, perft_factored, perft_hashed};

use super::rules::Rules;
use super::{Comparison, Parting, Verdict, compare};
use crate::referees::{Naive, Referee, Shakmaty, Silence, Trial};

const ORACLE: &str = "perft_small";
/// Where there are more paths of three plies, those of four are not counted.
const FEW: u64 = 100_000;

/// Counts up to `depth` plies, 3 at most, in every way there is, and behind few paths of three plies those of four with the hash.
pub fn perft_small<R: Rules>(position: &Position, depth: u32, rules: &R) -> Verdict {
    let hash = PerftHash::new(0).expect("64 bytes");
    let compared = (1..=depth.min(3))
        .try_for_each(|depth| compare_counts(rules, position, depth, &hash))
        .and_then(|()| compare_four_plies(rules, position, depth, &hash));
    compared
        .map_or_else(|parting: Parting| parting.after(*position, Vec::new()), |()| Verdict::Pass)
}

/// The hash does remember this depth when it is asked once more.
fn compare_counts<R: Rules>(
    rules: &R,
    position: &Position,
    depth: u32,
    hash: &PerftHash,
) -> Comparison {
    let counted = rules.perft(position, depth);
    let played = play_all(rules, &mut position.clone(), depth);
    compare(ORACLE, &format!("{depth} plies, all played"), played, counted)?;
    compare(ORACLE, &format!("{depth} plies by factors"), played, perft_factored(position, depth))?;
    for time in ["for the first time", "once more"] {
        let what = format!("{depth} plies, hashed, {time}");
        compare(ORACLE, &what, played, perft_hashed(position, depth, hash))?;
    }
    let by_trial = Trial::at(*position).count(depth);
    compare(ORACLE, &format!("{depth} plies by trial"), by_trial, counted)?;
    let referees: [&mut dyn Referee; 2] = [&mut Shakmaty::default(), &mut Naive::default()];
    for referee in referees {
        let mode = UciMode::of(position);
        let answer = referee.set(&position.to_string(), mode).and_then(|()| referee.perft(depth));
        match answer {
            Ok(nodes) => {
                let what = format!("{depth} plies by {}", referee.name());
                compare(ORACLE, &what, nodes, counted)?;
            }
            Err(Silence::Abstains(_)) => {}
            Err(Silence::Failed(words)) => {
                compare(ORACLE, referee.name(), String::from("an answer"), words)?;
            }
        }
    }
    Ok(())
}

/// Where the hash remembers three plies of a position, it is not to give them for four.
fn compare_four_plies<R: Rules>(
    rules: &R,
    position: &Position,
    depth: u32,
    hash: &PerftHash,
) -> Comparison {
    if depth < 3 || perft_hashed(position, 3, hash) > FEW {
        return Ok(());
    }
    compare(ORACLE, "4 plies, hashed", rules.perft(position, 4), perft_hashed(position, 4, hash))
}

/// Counts by playing the moves of the last ply as well.
fn play_all<R: Rules>(rules: &R, position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        let undo = rules.make(position, mv);
        nodes += play_all(rules, position, depth - 1);
        rules.unmake(position, mv, undo);
    }
    nodes
}
