//! Which pieces of one role may go to one square: what a move in algebraic notation asks.
//!
//! The look goes from the square to the pieces that reach it, mostly one, and for each the board as it would be
//! says whether the king is safe. That is less work than to find what is pinned. With debug assertions the generator is
//! held against every answer.

use core::marker::PhantomData;

use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::position::us::{Black, Us, White};
use crate::processor::with_fastest_sliders;
use crate::shapes::{SliderLookup, Stepper, Task};
use crate::square::{Rank, Square};

/// Where the legal moves to one square come from; castling goes to no square in this sense.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrivals {
    /// The origins.
    pub(crate) from: Bitboard,
    /// Whether they are captures en passant.
    pub(crate) is_en_passant: bool,
}

impl Position {
    /// From where pieces of one role on some squares legally go to a square; castling is left out.
    pub(crate) fn arrivals(&self, role: Role, movers: Bitboard, to: Square) -> Arrivals {
        let arrivals = match self.turn {
            Color::White => self.arrivals_of::<White>(role, movers, to),
            Color::Black => self.arrivals_of::<Black>(role, movers, to),
        };
        debug_assert_eq!(arrivals.from, self.arrivals_by_generator(role, movers, to));
        arrivals
    }

    fn arrivals_of<U: Us>(&self, role: Role, movers: Bitboard, to: Square) -> Arrivals {
        let movers = movers & self.board.color(U::COLOR) & self.board.role(role);
        let is_en_passant = role == Role::Pawn && self.en_passant == Some(to);
        if is_en_passant {
            let capturers = (movers & U::Them::PAWN.attacks(to)).into_iter();
            let is_legal = |&from: &Square| self.en_passant_leaves_king_safe::<U>(from, to);
            return Arrivals { from: capturers.filter(is_legal).collect(), is_en_passant };
        }
        let arrive = Arrive::<U> { position: self, role, movers, to, us: PhantomData };
        Arrivals { from: with_fastest_sliders(arrive), is_en_passant }
    }

    /// The same by the generator.
    fn arrivals_by_generator(&self, role: Role, movers: Bitboard, to: Square) -> Bitboard {
        let arrives = |mv: &Move| mv.kind() != MoveKind::Castling && mv.to() == to;
        let moves = self.legal_moves().into_iter().filter(arrives);
        moves.map(|mv| mv.from()).collect::<Bitboard>() & movers & self.board.role(role)
    }
}

/// The question as a task: the pieces of `U` among the movers, all of one role, that may go to a square.
struct Arrive<'a, U> {
    position: &'a Position,
    role: Role,
    movers: Bitboard,
    to: Square,
    us: PhantomData<U>,
}

impl<U: Us> Task for Arrive<'_, U> {
    type Output = Bitboard;

    #[inline(always)]
    fn run<L: SliderLookup>(self, sliders: L) -> Bitboard {
        if self.position.board.color(U::COLOR).contains(self.to) {
            return Bitboard::EMPTY;
        }
        let mut arrivals = self.reaching(sliders);
        for from in arrivals {
            if !self.leaves_king_safe(from, sliders) {
                arrivals = arrivals.without(from.into());
            }
        }
        arrivals
    }
}

impl<U: Us> Arrive<'_, U> {
    /// The pieces that reach the square by their shape.
    #[inline(always)]
    fn reaching<L: SliderLookup>(&self, sliders: L) -> Bitboard {
        let occupied = self.position.board.occupied();
        self.movers
            & match self.role {
                Role::Pawn => return self.pawns_reaching(),
                Role::Knight => Stepper::Knight.attacks(self.to),
                Role::King => Stepper::King.attacks(self.to),
                Role::Bishop => sliders.bishop(self.to, occupied),
                Role::Rook => sliders.rook(self.to, occupied),
                Role::Queen => sliders.bishop(self.to, occupied) | sliders.rook(self.to, occupied),
            }
    }

    /// FIDE 3.7.1–3.7.3.
    #[inline(always)]
    fn pawns_reaching(&self) -> Bitboard {
        let occupied = self.position.board.occupied();
        let to = Bitboard::of(self.to);
        if (to & occupied).any() {
            return self.movers & U::Them::PAWN.attacks(self.to);
        }
        let back = -U::PAWN.direction();
        let behind = to.shift(0, back);
        let fourth = Bitboard::rank(U::COLOR.rank(Rank::Fourth));
        let two_behind = (to & fourth).shift(0, 2 * back);
        let double = if (behind & occupied).is_empty() { two_behind } else { Bitboard::EMPTY };
        self.movers & (behind | double)
    }

    /// Whether the king is unattacked once the piece has gone from its square to the other (FIDE 3.9.2).
    #[inline(always)]
    fn leaves_king_safe<L: SliderLookup>(&self, from: Square, sliders: L) -> bool {
        let (board, to) = (&self.position.board, Bitboard::of(self.to));
        let king = match self.role {
            Role::King => self.to,
            _ => self.position.king(U::COLOR),
        };
        let occupied = board.occupied().without(from.into()) | to;
        let attackers = board.attackers_by(sliders, king, occupied);
        (attackers & board.color(!U::COLOR)).without(to).is_empty()
    }
}
