//! The last two plies by factors: a quiet move that changes nothing for the other side leaves it as many replies as a pass.
//!
//! What changes nothing is decided for a whole set of squares at once, and only where it is certain: all other moves are
//! played, as in plain counting.

use core::marker::PhantomData;

use super::{Counting, LastPly, PlayMoves, Ply};
use crate::bitboard::Bitboard;
use crate::castling::CastlingPath;
use crate::piece::Role;
use crate::position::us::Us;
use crate::position::{Position, Visitor, show_legal_moves};
use crate::shapes::geometry::GEOMETRY;
use crate::shapes::{SliderLookup, Stepper, Task, between};
use crate::square::{Rank, Square};

/// Counting by factors.
#[derive(Clone, Copy)]
pub(super) struct Factored;

impl Counting for Factored {
    #[inline(always)]
    fn paths<U: Us, L: SliderLookup>(self, position: &mut Position, depth: u32, sliders: L) -> u64 {
        match depth {
            2 => sliders.run(LastTwoPlies::<U> { position, us: PhantomData }),
            _ => sliders.run(Ply::<U, Self>::new(position, depth, self)),
        }
    }
}

/// The last two plies, the first of which is `U`'s.
struct LastTwoPlies<'a, U> {
    position: &'a mut Position,
    us: PhantomData<U>,
}

impl<U: Us> Task for LastTwoPlies<'_, U> {
    type Output = u64;

    #[inline(always)]
    fn run<L: SliderLookup>(self, sliders: L) -> u64 {
        let before = *self.position;
        let play = PlayMoves::<U, L, Factored>::new(self.position, 1, sliders, Factored);
        // In check there is no pass, and nothing is quiet.
        let (quiet, replies) = match replies_to_a_pass::<U, L>(before, sliders) {
            Some(replies) => (Quiet::of::<U, L>(&before, sliders), replies),
            None => (Quiet::NOTHING, 0),
        };
        let mut play = PlayLoudMoves { quiet, replies, play };
        show_legal_moves::<U, L, _>(&before, Bitboard::ALL, sliders, &mut play);
        play.play.paths
    }
}

fn replies_to_a_pass<U: Us, L: SliderLookup>(mut position: Position, sliders: L) -> Option<u64> {
    let _never_taken_back = position.make_null().ok()?;
    Some(sliders.run(LastPly::<U::Them> { position: &position, us: PhantomData }))
}

/// Where a move of each role may begin and end that takes nothing and changes no reply.
struct Quiet {
    by_role: [Bitboard; 6],
}

impl Quiet {
    const NOTHING: Quiet = Quiet { by_role: [Bitboard::EMPTY; 6] };

    /// What matters to the other side's moves is where its sliders and pawns go, what its king may step on and castle over, and
    /// what is pinned; so none of that may depend on the squares that are left and reached, nor on what is seen from there.
    #[inline(always)]
    fn of<U: Us, L: SliderLookup>(position: &Position, sliders: L) -> Quiet {
        let board = position.board();
        let (own, theirs) = (board.color(U::COLOR), board.color(!U::COLOR));
        let occupied = board.occupied();
        let king = position.king(!U::COLOR);
        let seen_from_king = &GEOMETRY[king.index()];

        let mut mattering = theirs;
        for from in board.diagonal_sliders() & theirs {
            mattering |= sliders.bishop(from, occupied);
        }
        for from in board.line_sliders() & theirs {
            mattering |= sliders.rook(from, occupied);
        }
        let pawns = board.role(Role::Pawn) & theirs;
        let ahead = |pawns: Bitboard| pawns.shift(0, U::Them::PAWN.direction());
        let third_rank = Bitboard::rank((!U::COLOR).rank(Rank::Third));
        mattering |= U::Them::PAWN.attacks_of_all(pawns);
        mattering |= ahead(pawns) | ahead(ahead(pawns) & third_rank);

        // Where the king may go, if we do not attack it.
        let mut zone = Stepper::King.attacks(king).without(theirs);
        for rook in position.castling().rooks_of(!U::COLOR) {
            let path = CastlingPath::new(king, rook);
            mattering |= path.must_be_empty();
            zone |= path.king_visits();
        }
        mattering |= zone;

        let our_diagonals = board.diagonal_sliders() & own;
        let our_lines = board.line_sliders() & own;
        for sniper in seen_from_king.diagonals & our_diagonals {
            mattering |= between(king, sniper);
        }
        for sniper in seen_from_king.lines & our_lines {
            mattering |= between(king, sniper);
        }

        let mut knights = seen_from_king.knight;
        let mut kings = Bitboard::EMPTY;
        let (mut diagonals, mut lines) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for square in zone {
            knights |= Stepper::Knight.attacks(square);
            kings |= Stepper::King.attacks(square);
            diagonals |= sliders.bishop(square, occupied);
            lines |= sliders.rook(square, occupied);
        }
        // Between one of our sliders and the zone.
        for from in our_diagonals {
            mattering |= sliders.bishop(from, occupied) & diagonals;
        }
        for from in our_lines {
            mattering |= sliders.rook(from, occupied) & lines;
        }
        diagonals |= seen_from_king.diagonals;
        lines |= seen_from_king.lines;
        let pawns = U::Them::PAWN.attacks_of_all(zone | king.into());
        let by_role = [pawns, knights, diagonals, lines, diagonals | lines, kings];
        Quiet { by_role: by_role.map(|seen| !(mattering | seen)) }
    }

    #[inline(always)]
    fn squares(&self, role: Role) -> Bitboard {
        self.by_role[role.index()]
    }
}

/// Counts the replies to quiet moves as those to a pass, and plays the others.
struct PlayLoudMoves<'a, U, L> {
    quiet: Quiet,
    /// How many the other side has if we pass.
    replies: u64,
    play: PlayMoves<'a, U, L, Factored>,
}

impl<U: Us, L: SliderLookup> PlayLoudMoves<'_, U, L> {
    #[inline(always)]
    fn count_quiet(&mut self, targets: Bitboard) {
        self.play.add(self.replies * u64::from(targets.len()));
    }
}

impl<U: Us, L: SliderLookup> Visitor for PlayLoudMoves<'_, U, L> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        let squares = self.quiet.squares(role);
        let quiet = if squares.contains(from) { targets & squares } else { Bitboard::EMPTY };
        self.count_quiet(quiet);
        self.play.piece(role, from, targets.without(quiet));
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        let squares = self.quiet.squares(Role::Pawn);
        let quiet = match step == U::PUSH {
            true => targets & squares & squares.shift(0, U::PAWN.direction()),
            // A double push may be answered en passant.
            false => Bitboard::EMPTY,
        };
        self.count_quiet(quiet);
        self.play.pawns(step, targets.without(quiet));
    }

    #[inline(always)]
    fn promotions(&mut self, step: i8, targets: Bitboard) {
        self.play.promotions(step, targets);
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.play.en_passant(from, to);
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.play.castling(king, rook);
    }
}
