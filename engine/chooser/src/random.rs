//! Any legal move, from a seed.

use touchmove::{Key, Move, Position};

use crate::Chooser;

/// Takes each legal move with the same chance. The same seed makes the same choices on every machine.
#[derive(Clone, Debug)]
pub struct RandomChooser {
    state: u64,
}

impl RandomChooser {
    /// A chooser that begins with this seed; every number is a good one.
    pub const fn new(seed: u64) -> RandomChooser {
        RandomChooser { state: seed }
    }

    /// The generator `SplitMix64` (Steele, Lea, Flood 2014): every 64-bit number once in its period.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0. Of 2⁶⁴ draws no number has two more than another.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

impl Chooser for RandomChooser {
    fn choose(&mut self, position: &Position, _past: &[Key]) -> Option<Move> {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        Some(moves[self.below(moves.len())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for the state 1234567, as published with the generator's reference code.
    #[test]
    fn the_generator_is_split_mix() {
        let mut chooser = RandomChooser::new(1_234_567);
        assert_eq!(chooser.next(), 6_457_827_717_110_365_317);
        assert_eq!(chooser.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn every_legal_move_is_chosen_about_as_often() {
        let position = Position::default();
        let mut chooser = RandomChooser::new(7);
        let mut chosen = [0u32; 20];
        for _ in 0..20_000 {
            let mv = chooser.choose(&position, &[]).unwrap();
            chosen[position.legal_moves().iter().position(|&legal| legal == mv).unwrap()] += 1;
        }
        assert!(chosen.iter().all(|count| (850..1150).contains(count)), "{chosen:?}");
    }
}
