//! Slider attacks by multiplication: works on every processor, in a handful of instructions.

use crate::bitboard::Bitboard;
use crate::shapes::geometry::{GEOMETRY, OFFSETS, TABLE_LEN};
use crate::shapes::occupancy::{LineOccupancies, OCCUPANCIES};
use crate::shapes::{SliderLookup, Task};
use crate::square::Square;

/// The look-up by magic multiplication.
///
/// The relevant occupied squares, multiplied by a number made for the square, bring every occupation
/// that matters to different top bits, which index a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Magic;

impl SliderLookup for Magic {
    #[inline(always)]
    fn bishop(self, from: Square, occupied: Bitboard) -> Bitboard {
        let geometry = &GEOMETRY[from.index()];
        let relevant = occupied & geometry.bishop_mask;
        let index = index(relevant, BISHOP_MAGICS[from.index()], geometry.bishop_mask.len());
        ATTACKS[OFFSETS[from.index()].bishop + index]
    }

    #[inline(always)]
    fn rook(self, from: Square, occupied: Bitboard) -> Bitboard {
        let geometry = &GEOMETRY[from.index()];
        let relevant = occupied & geometry.rook_mask;
        let index = index(relevant, ROOK_MAGICS[from.index()], geometry.rook_mask.len());
        ATTACKS[OFFSETS[from.index()].rook + index]
    }

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        run_with_magic(task)
    }
}

/// Tasks that run others, as the plies of perft do, would be inlined into one another without end.
#[inline(never)]
fn run_with_magic<T: Task>(task: T) -> T::Output {
    task.run(Magic)
}

#[inline(always)]
const fn index(relevant: Bitboard, magic: u64, bits: u32) -> usize {
    (relevant.0.wrapping_mul(magic) >> (64 - bits)) as usize
}

static ATTACKS: [Bitboard; TABLE_LEN] = attacks();

const fn attacks() -> [Bitboard; TABLE_LEN] {
    let mut table = [Bitboard::EMPTY; TABLE_LEN];
    let mut square = 0;
    while square < 64 {
        let geometry = &GEOMETRY[square];
        let bishop = (OFFSETS[square].bishop, geometry.bishop_mask, BISHOP_MAGICS[square]);
        let rook = (OFFSETS[square].rook, geometry.rook_mask, ROOK_MAGICS[square]);
        fill(&mut table, &OCCUPANCIES[square][0], bishop);
        fill(&mut table, &OCCUPANCIES[square][1], rook);
        square += 1;
    }
    table
}

const fn fill(
    table: &mut [Bitboard; TABLE_LEN],
    [one, other]: &[LineOccupancies; 2],
    (offset, mask, magic): (usize, Bitboard, u64),
) {
    let bits = mask.len();
    let mut i = 0;
    while i < one.len {
        let mut j = 0;
        while j < other.len {
            let occupied = Bitboard(one.occupied[i].0 | other.occupied[j].0);
            let attacks = one.attacks[i].0 | other.attacks[j].0;
            let entry = &mut table[offset + index(occupied, magic, bits)];
            assert!(entry.0 == 0 || entry.0 == attacks, "two occupations share an entry");
            entry.0 = attacks;
            j += 1;
        }
        i += 1;
    }
}

// Found by random search, square by square; any numbers will do for which `fill` finds no clash.

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x40041000a2140142, 0x0c08102400404001, 0x4004084200490008, 0x4824440080100020,
    0x04220210a0000000, 0x4380822020050044, 0x8044048804130000, 0x000e0210490c1001,
    0x0800081014282040, 0x0000040800c1020a, 0x0008102102043800, 0x6000424081002010,
    0x9101040420c00104, 0x0109142420080030, 0x0002c10818220888, 0x8002010388842000,
    0x1010802004100080, 0x1008502002046044, 0x0008001040440124, 0x8408048402410800,
    0x0022012412020000, 0x2888400080602002, 0x0402004c062a0201, 0x0842009101010180,
    0x8110c189103e0202, 0x010208c020c12408, 0x0000880070002020, 0x4422080404004008,
    0x408884000080200a, 0x0050084000805000, 0x8082404846080200, 0x8004002100808430,
    0x81042020010a0200, 0x300f080280208420, 0x0003104810040800, 0x4082008020820201,
    0x0010020200202008, 0x00901e00600200a1, 0x0002080050022204, 0x0008008028010100,
    0x4804440440140418, 0x1f04010402101110, 0x0422020022040410, 0x2400054208040280,
    0x0001084104002440, 0x0220041040911200, 0x00109022064040a0, 0x008c0102120c0228,
    0x42021104a0040008, 0x00c42206122000a0, 0x0421110405240000, 0x0000000020882009,
    0x0204002142048001, 0x2040100290810024, 0x1011024888008002, 0x80021c41040100a4,
    0x4802020842025000, 0x0841003404020850, 0x84400202084e2822, 0x42809a0040840424,
    0x8600008011020204, 0x1107500810410210, 0x1000200210150312, 0x2102040114040080,
];

#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x1d80021040002482, 0x0440002000401000, 0x8480100082200008, 0x02000420100a0040,
    0x3200041020020148, 0x4700010042082400, 0x0880008002000100, 0x0100004081001022,
    0x0480800020804008, 0x2044400840201002, 0xa408802000801008, 0x0041000821001000,
    0x8040808004000800, 0x0102000411020008, 0x8002000824016200, 0xd0820001004400b6,
    0x008000c000402000, 0x8040210040008100, 0x0000808020001000, 0x2000808010000800,
    0x0004008004080082, 0x0824808004000201, 0x2002440090220801, 0x80010a0014840041,
    0x0090208880004009, 0x0011048200422200, 0x4228104100200100, 0x0400080080100080,
    0x1000080080040080, 0x8020020080040080, 0x0300108400010802, 0xc200010200004084,
    0x0340204000800082, 0x8010002000404000, 0x6080804202001023, 0x0014100084800800,
    0x698a080045001100, 0x0002800200800400, 0x0000810804001a30, 0xc008012042001884,
    0x0040104020888001, 0x00c0042000828041, 0x1800402486020011, 0x081100a010030008,
    0xa402002008120004, 0x4002001020040400, 0x0020019022040008, 0x1022008400420001,
    0x0000408001002100, 0x008c410082220200, 0x0008441020030100, 0xa001801000480280,
    0x0400080004008080, 0x0001000400024900, 0x6010420810014400, 0x20c0010840840a00,
    0x2004281080010041, 0x1102188202210042, 0x4011002000084011, 0x0800040810002101,
    0x0812000409201002, 0x0006003024010822, 0x2240081000c11204, 0x4000004025048412,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Slider;
    use crate::shapes::occupancy::relevant_squares;

    /// Every square, every relevant occupation, and squares beyond the mask, which must not matter.
    #[test]
    fn the_look_up_agrees_with_walking_everywhere() {
        for from in Square::all() {
            for slider in [Slider::Bishop, Slider::Rook] {
                let mask = relevant_squares(slider, from);
                let mut occupied = Bitboard::EMPTY;
                loop {
                    let walked = slider.attacks_by_walking(from, occupied);
                    assert_eq!(slider.attacks(from, occupied), walked);
                    assert_eq!(slider.attacks(from, occupied | !(mask | walked)), walked);
                    occupied = Bitboard(occupied.0.wrapping_sub(mask.0)) & mask;
                    if occupied.is_empty() {
                        break;
                    }
                }
            }
        }
    }
}
