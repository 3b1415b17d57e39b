//! The run-time choice of processor features: the one room of this crate with `unsafe` in it.
//!
//! An ordinary build runs on every processor, so the code that uses the `pext` instruction is compiled
//! beside the code that does not, and chosen when it runs. The safe twin is [`Magic`]; a test holds the two
//! against each other.

#![allow(unsafe_code)]

use crate::shapes::{Magic, SliderLookup, Task};

/// Runs a task with the fastest slider look-up of this processor.
#[inline(always)]
pub(crate) fn with_fastest_sliders<T: Task>(task: T) -> T::Output {
    #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "bmi2")))]
    if let Some(pext) = pext::Pext::detect() {
        return pext.run(task);
    }
    Magic.run(task)
}

#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "bmi2")))]
mod pext {
    use core::arch::x86_64::_pext_u64;

    use crate::bitboard::Bitboard;
    use crate::shapes::geometry::{GEOMETRY, OFFSETS, TABLE_LEN};
    use crate::shapes::occupancy::{LineOccupancies, OCCUPANCIES};
    use crate::shapes::{SliderLookup, Task};
    use crate::square::Square;

    /// The look-up by the instruction `pext`, which gathers the relevant occupied squares into an index.
    ///
    /// The private field makes this a proof: whoever has one has a processor with the features that
    /// [`Pext::detect`] asked for.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Pext(());

    impl Pext {
        /// A token, if the processor has what [`run_with_pext`] is compiled for.
        #[inline(always)]
        pub(super) fn detect() -> Option<Pext> {
            #[cfg(feature = "std")]
            let detected = std::arch::is_x86_feature_detected!("bmi2")
                && std::arch::is_x86_feature_detected!("bmi1")
                && std::arch::is_x86_feature_detected!("lzcnt")
                && std::arch::is_x86_feature_detected!("popcnt");
            #[cfg(not(feature = "std"))]
            let detected = cfg!(all(
                target_feature = "bmi2",
                target_feature = "bmi1",
                target_feature = "lzcnt",
                target_feature = "popcnt"
            ));
            detected.then_some(Pext(()))
        }

        #[inline(always)]
        fn index(self, occupied: Bitboard, mask: Bitboard) -> usize {
            // SAFETY: `_pext_u64` asks only for bmi2, and `detect`, which alone makes a `Pext`, has
            // found it.
            unsafe { _pext_u64(occupied.0, mask.0) as usize }
        }
    }

    impl SliderLookup for Pext {
        #[inline(always)]
        fn bishop(self, from: Square, occupied: Bitboard) -> Bitboard {
            let lookup = &LOOKUPS[from.index()];
            lookup.bishop[self.index(occupied, lookup.bishop_mask) % BISHOP_LEN]
        }

        #[inline(always)]
        fn rook(self, from: Square, occupied: Bitboard) -> Bitboard {
            let lookup = &LOOKUPS[from.index()];
            lookup.rook[self.index(occupied, lookup.rook_mask) % ROOK_LEN]
        }

        #[inline(always)]
        fn run<T: Task>(self, task: T) -> T::Output {
            // SAFETY: the features that `run_with_pext` is compiled for are those that `detect`, which
            // alone makes a `Pext`, has found.
            unsafe { run_with_pext(self, task) }
        }
    }

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    fn run_with_pext<T: Task>(pext: Pext, task: T) -> T::Output {
        task.run(pext)
    }

    /// What a bishop and a rook on one square need: two to a cache line.
    struct Lookup {
        bishop_mask: Bitboard,
        rook_mask: Bitboard,
        /// Where its attacks begin, and as many as the masks of any square can tell apart: an index into
        /// these need not be checked, and runs into those of other squares only if the mask is wrong.
        bishop: &'static [Bitboard; BISHOP_LEN],
        rook: &'static [Bitboard; ROOK_LEN],
    }

    /// The most occupations that matter to a bishop, and to a rook.
    const BISHOP_LEN: usize = 1 << 9;
    const ROOK_LEN: usize = 1 << 12;

    static LOOKUPS: [Lookup; 64] = lookups();

    const fn lookups() -> [Lookup; 64] {
        const A1: Lookup = lookup(0);
        let mut table = [A1; 64];
        let mut square = 1;
        while square < 64 {
            table[square] = lookup(square);
            square += 1;
        }
        table
    }

    const fn lookup(square: usize) -> Lookup {
        let geometry = &GEOMETRY[square];
        let (_, bishop) = ATTACKS.split_at(OFFSETS[square].bishop);
        let (_, rook) = ATTACKS.split_at(OFFSETS[square].rook);
        Lookup {
            bishop_mask: geometry.bishop_mask,
            rook_mask: geometry.rook_mask,
            bishop: bishop.first_chunk().expect("the table is longer"),
            rook: rook.first_chunk().expect("the table is longer"),
        }
    }

    /// The attacks of all squares, and room behind the last for a window of its full length.
    static ATTACKS: [Bitboard; PADDED_LEN] = attacks();

    const PADDED_LEN: usize = TABLE_LEN + ROOK_LEN;

    const fn attacks() -> [Bitboard; PADDED_LEN] {
        let mut table = [Bitboard::EMPTY; PADDED_LEN];
        let mut square = 0;
        while square < 64 {
            let geometry = &GEOMETRY[square];
            let [bishop, rook] = &OCCUPANCIES[square];
            fill(&mut table, bishop, OFFSETS[square].bishop, geometry.bishop_mask);
            fill(&mut table, rook, OFFSETS[square].rook, geometry.rook_mask);
            square += 1;
        }
        table
    }

    const fn fill(
        table: &mut [Bitboard; PADDED_LEN],
        [one, other]: &[LineOccupancies; 2],
        offset: usize,
        mask: Bitboard,
    ) {
        let (one_index, other_index) = (indices(one, mask), indices(other, mask));
        let mut i = 0;
        while i < one.len {
            let mut j = 0;
            while j < other.len {
                let index = offset + (one_index[i] | other_index[j]);
                table[index] = Bitboard(one.attacks[i].0 | other.attacks[j].0);
                j += 1;
            }
            i += 1;
        }
    }

    /// What `pext` will make of each occupation of a line, within the mask of both.
    const fn indices(line: &LineOccupancies, mask: Bitboard) -> [usize; 64] {
        let mut indices = [0; 64];
        let mut i = 0;
        while i < line.len {
            indices[i] = gathered(line.occupied[i], mask);
            i += 1;
        }
        indices
    }

    /// The instruction `pext`, for the compiler to run: the bits that the mask picks, moved together.
    const fn gathered(set: Bitboard, mut mask: Bitboard) -> usize {
        let (mut gathered, mut bit) = (0, 1);
        while let Some(square) = mask.first() {
            if set.contains(square) {
                gathered |= bit;
            }
            bit <<= 1;
            mask.0 &= mask.0 - 1;
        }
        gathered
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::shapes::Magic;

        /// Every square, every relevant occupation, with and without the squares beyond the mask.
        #[test]
        fn pext_and_its_safe_twin_agree_everywhere() {
            let Some(pext) = Pext::detect() else {
                println!("NOT RUN: this processor has no pext");
                return;
            };
            for from in Square::all() {
                let geometry = &GEOMETRY[from.index()];
                for mask in [geometry.bishop_mask, geometry.rook_mask] {
                    let mut occupied = Bitboard::EMPTY;
                    loop {
                        for all in [occupied, occupied | !mask] {
                            assert_eq!(pext.bishop(from, all), Magic.bishop(from, all));
                            assert_eq!(pext.rook(from, all), Magic.rook(from, all));
                        }
                        occupied = Bitboard(occupied.0.wrapping_sub(mask.0)) & mask;
                        if occupied.is_empty() {
                            break;
                        }
                    }
                }
            }
        }
    }
}
