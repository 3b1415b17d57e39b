//! Counts move paths of a given length.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveList};
use crate::piece::Color;
use crate::position::us::{Black, Us, White};
use crate::position::{CountMoves, ListMoves, Position, show_legal_moves};
use crate::processor::with_fastest_sliders;
use crate::shapes::{SliderLookup, Task};

/// The deepest depth that [`perft`] and [`divide`] count to: far beyond what any machine finishes, and no
/// strain on the stack.
pub const PERFT_DEPTH_MAX: u32 = 255;

/// The number of sequences of `depth` legal moves from a position; 1 for depth 0.
///
/// Nothing else is counted and nothing prunes: not repetition, not the fifty-move rule, not a dead
/// position (R24). A mated or stalemated side has no move, so a path that ends early is not counted. Moves of the
/// last ply are counted, not played; all others are made and unmade by [`Position::make`].
///
/// Costs some nanoseconds for each path, and memory only for `depth` move lists.
///
/// # Panics
///
/// When the depth is above [`PERFT_DEPTH_MAX`], or the number exceeds 2⁶⁴ − 1, which would take centuries.
///
/// ```
/// use touchmove::{Position, perft};
///
/// assert_eq!(perft(&Position::default(), 4), 197_281);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    assert!(depth <= PERFT_DEPTH_MAX, "depth {depth} is above {PERFT_DEPTH_MAX}");
    match depth {
        0 => 1,
        1 => position.legal_count() as u64,
        _ => {
            let mut lists = vec![MoveList::new(); depth as usize - 1];
            perft_into(&mut position.clone(), &mut lists)
        }
    }
}

/// For each legal move the number of paths of `depth` moves that begin with it, in the order of
/// [`Position::legal_moves`]. Empty for depth 0.
///
/// # Panics
///
/// As [`perft`].
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(depth_below) = depth.checked_sub(1) else { return Vec::new() };
    let mut after = *position;
    let count_below = |mv| {
        let undo = after.make(mv);
        let count = perft(&after, depth_below);
        after.unmake(mv, undo);
        (mv, count)
    };
    position.legal_moves().into_iter().map(count_below).collect()
}

/// Counts paths one move longer than there are lists; the lists hold the moves of each ply but the last.
fn perft_into(position: &mut Position, lists: &mut [MoveList]) -> u64 {
    match position.turn() {
        Color::White => with_fastest_sliders(Ply::<White>::new(position, lists)),
        Color::Black => with_fastest_sliders(Ply::<Black>::new(position, lists)),
    }
}

/// One ply of counting, in which it is `U`'s turn.
struct Ply<'a, U> {
    position: &'a mut Position,
    lists: &'a mut [MoveList],
    us: PhantomData<U>,
}

impl<'a, U: Us> Ply<'a, U> {
    #[inline(always)]
    fn new(position: &'a mut Position, lists: &'a mut [MoveList]) -> Self {
        Ply { position, lists, us: PhantomData }
    }
}

impl<U: Us> Task for Ply<'_, U> {
    type Output = u64;

    #[inline(always)]
    fn run<L: SliderLookup>(self, sliders: L) -> u64 {
        let Some((moves, lists)) = self.lists.split_first_mut() else {
            let mut count = CountMoves(0);
            show_legal_moves::<U, L, _>(self.position, Bitboard::ALL, sliders, &mut count);
            return count.0;
        };
        moves.clear();
        show_legal_moves::<U, L, _>(self.position, Bitboard::ALL, sliders, &mut ListMoves(moves));
        let mut nodes: u64 = 0;
        for mv in &*moves {
            let undo = self.position.make_for::<U>(mv);
            let below = sliders.run(Ply::<U::Them>::new(self.position, lists));
            nodes = nodes.checked_add(below).expect("fewer than 2^64 paths");
            self.position.unmake_for::<U>(mv, undo);
        }
        nodes
    }
}
