//! Counts move paths of a given length, in one of three ways that agree.

mod factored;
mod hashed;

use alloc::vec::Vec;
use core::marker::PhantomData;

use self::factored::Factored;
pub use self::hashed::{PerftHash, PerftHashError};
use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::{Color, PromotionRole, Role};
use crate::position::us::{Black, Us, White};
use crate::position::{CountMoves, Position, Visitor, origin, show_legal_moves};
use crate::processor::with_fastest_sliders;
use crate::shapes::{Magic, SliderLookup, Task};
use crate::square::Square;

/// The deepest depth that is counted to: far beyond what any machine finishes, but for positions with hardly a move.
///
/// Each ply takes some hundred bytes of the stack in an optimised build, and some ten kilobytes in one without optimisation:
/// there, a thread of two megabytes goes thirty plies deep.
pub const PERFT_DEPTH_MAX: u32 = 255;

/// The number of sequences of `depth` legal moves from a position; 1 for depth 0.
///
/// Nothing else is counted and nothing prunes: not repetition, not the fifty-move rule, not a dead
/// position (R24). A mated or stalemated side has no move, so a path that ends early is not counted. Moves of the
/// last ply are counted, not played; all others are made and unmade as [`Position::make`] does it.
///
/// Costs about a nanosecond for each path.
///
/// # Panics
///
/// When the depth is above [`PERFT_DEPTH_MAX`], or the number exceeds 2⁶⁴ − 1. Walking so many paths takes centuries; with a hash
/// a bare pair of kings is there within the second.
///
/// ```
/// use touchmove::{Position, perft};
///
/// assert_eq!(perft(&Position::default(), 4), 197_281);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    count_paths(position, depth, Plain, Lookup::Fastest)
}

/// The same number, counted by factors: on the last ply but one, a quiet move that changes nothing for the other side is not played,
/// since it leaves as many replies as a pass.
///
/// Not to be compared in speed with plain counting: it does less.
///
/// # Panics
///
/// As [`perft`].
pub fn perft_factored(position: &Position, depth: u32) -> u64 {
    count_paths(position, depth, Factored, Lookup::Fastest)
}

/// The same number, with a hash that remembers what was counted behind a position before, but for a chance that [`PerftHash`]
/// names.
///
/// Not to be compared in speed with the others: most paths are never walked.
///
/// # Panics
///
/// As [`perft`].
pub fn perft_hashed(position: &Position, depth: u32, hash: &PerftHash) -> u64 {
    count_paths(position, depth, hash, Lookup::Fastest)
}

/// The same number by the slider look-up of processors without the instruction `pext`: magic multiplication.
///
/// For whoever wants to see on one machine that both agree; [`perft`] takes the faster of them.
///
/// # Panics
///
/// As [`perft`].
pub fn perft_by_magic(position: &Position, depth: u32) -> u64 {
    count_paths(position, depth, Plain, Lookup::Magic)
}

/// For each legal move the number of paths of `depth` moves that begin with it, in the order of
/// [`Position::legal_moves`]. Empty for depth 0.
///
/// # Panics
///
/// As [`perft`].
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    assert_depth(depth);
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

#[track_caller]
fn assert_depth(depth: u32) {
    assert!(depth <= PERFT_DEPTH_MAX, "depth {depth} is above {PERFT_DEPTH_MAX}");
}

/// How slider attacks are looked up.
#[derive(Clone, Copy)]
enum Lookup {
    Fastest,
    Magic,
}

fn count_paths<C: Counting>(position: &Position, depth: u32, counting: C, lookup: Lookup) -> u64 {
    assert_depth(depth);
    match (depth, position.turn()) {
        (0, _) => 1,
        (_, Color::White) => count_from::<White, C>(*position, depth, counting, lookup),
        (_, Color::Black) => count_from::<Black, C>(*position, depth, counting, lookup),
    }
}

/// Counts paths of a move or more, the first of which is `U`'s.
fn count_from<U: Us, C: Counting>(
    mut position: Position,
    depth: u32,
    counting: C,
    lookup: Lookup,
) -> u64 {
    let root = Root::<U, C> { position: &mut position, depth, counting, us: PhantomData };
    match lookup {
        Lookup::Fastest => with_fastest_sliders(root),
        Lookup::Magic => Magic.run(root),
    }
}

/// How the paths are counted that begin in a position in which it is `U`'s turn.
trait Counting: Copy {
    /// Paths of a move or more. The last ply is counted alike by all.
    #[inline(always)]
    fn count<U: Us, L: SliderLookup>(self, position: &mut Position, depth: u32, sliders: L) -> u64 {
        match depth {
            1 => sliders.run(LastPly::<U> { position, us: PhantomData }),
            _ => self.paths::<U, L>(position, depth, sliders),
        }
    }

    /// Paths of two moves or more.
    fn paths<U: Us, L: SliderLookup>(self, position: &mut Position, depth: u32, sliders: L) -> u64;
}

/// All moves but those of the last ply are played.
#[derive(Clone, Copy)]
struct Plain;

impl Counting for Plain {
    #[inline(always)]
    fn paths<U: Us, L: SliderLookup>(self, position: &mut Position, depth: u32, sliders: L) -> u64 {
        sliders.run(Ply::<U, Self>::new(position, depth, self))
    }
}

/// Counting as a task, once the look-up is chosen.
struct Root<'a, U, C> {
    position: &'a mut Position,
    depth: u32,
    counting: C,
    us: PhantomData<U>,
}

impl<U: Us, C: Counting> Task for Root<'_, U, C> {
    type Output = u64;

    #[inline(always)]
    fn run<L: SliderLookup>(self, sliders: L) -> u64 {
        self.counting.count::<U, L>(self.position, self.depth, sliders)
    }
}

/// One ply of counting, in which it is `U`'s turn.
struct Ply<'a, U, C> {
    position: &'a mut Position,
    /// The length of the paths from here.
    depth: u32,
    counting: C,
    us: PhantomData<U>,
}

impl<'a, U: Us, C: Counting> Ply<'a, U, C> {
    #[inline(always)]
    fn new(position: &'a mut Position, depth: u32, counting: C) -> Self {
        Ply { position, depth, counting, us: PhantomData }
    }
}

impl<U: Us, C: Counting> Task for Ply<'_, U, C> {
    type Output = u64;

    #[inline(always)]
    fn run<L: SliderLookup>(self, sliders: L) -> u64 {
        let Ply { position, depth, counting, .. } = self;
        // The generator looks at one position while moves are played in the other.
        let before = *position;
        let mut play = PlayMoves::<U, L, C>::new(position, depth - 1, sliders, counting);
        show_legal_moves::<U, L, _>(&before, Bitboard::ALL, sliders, &mut play);
        play.paths
    }
}

/// The last ply, whose moves are counted and not played. A task of its own, so that the compiler knows that all pieces are
/// asked for.
struct LastPly<'a, U> {
    position: &'a Position,
    us: PhantomData<U>,
}

impl<U: Us> Task for LastPly<'_, U> {
    type Output = u64;

    #[inline(always)]
    fn run<L: SliderLookup>(self, sliders: L) -> u64 {
        let mut count = CountMoves(0);
        show_legal_moves::<U, L, _>(self.position, Bitboard::ALL, sliders, &mut count);
        count.0
    }
}

/// Plays each move as the generator finds it, counts the paths behind it, and takes it back.
struct PlayMoves<'a, U, L, C> {
    position: &'a mut Position,
    /// The length of the paths behind a move.
    depth: u32,
    sliders: L,
    counting: C,
    paths: u64,
    us: PhantomData<U>,
}

impl<'a, U: Us, L: SliderLookup, C: Counting> PlayMoves<'a, U, L, C> {
    #[inline(always)]
    fn new(position: &'a mut Position, depth: u32, sliders: L, counting: C) -> Self {
        PlayMoves { position, depth, sliders, counting, paths: 0, us: PhantomData }
    }

    #[inline(always)]
    fn count_below(&mut self) {
        let counting = self.counting;
        let below = counting.count::<U::Them, L>(self.position, self.depth, self.sliders);
        self.add(below);
    }

    #[inline(always)]
    fn add(&mut self, paths: u64) {
        self.paths = self.paths.checked_add(paths).expect("fewer than 2^64 paths");
    }
}

impl<U: Us, L: SliderLookup, C: Counting> Visitor for PlayMoves<'_, U, L, C> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            let undo = self.position.make_piece::<U>(role, from, to);
            self.count_below();
            self.position.unmake_normal::<U>(role, from, to, undo);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            let from = origin(to, step);
            let undo = self.position.make_pawn::<U>(step, from, to);
            self.count_below();
            self.position.unmake_normal::<U>(Role::Pawn, from, to, undo);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            for role in PromotionRole::ALL {
                let from = origin(to, step);
                let undo = self.position.make_promotion::<U>(role, from, to);
                self.count_below();
                self.position.unmake_promotion::<U>(role, from, to, undo);
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        let undo = self.position.make_en_passant::<U>(from, to);
        self.count_below();
        self.position.unmake_en_passant::<U>(from, to, undo);
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        let undo = self.position.make_castling::<U>(king, rook);
        self.count_below();
        self.position.unmake_castling::<U>(king, rook, undo);
    }
}
