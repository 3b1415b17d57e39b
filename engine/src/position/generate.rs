//! Legality the fast way: checkers, pins and target squares, nothing touched.
//!
//! There is one generator. What is done with the moves it finds is the business of a [`Visitor`]: list
//! them, count them, stop at the first, look for one. So what one of them proves, the others use.

mod visitor;

use core::marker::PhantomData;

use self::visitor::{AnyMove, ThisMove};
pub(crate) use self::visitor::{CountMoves, ListMoves, Visitor, origin};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingPath;
use crate::moves::{Move, MoveList};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::position::us::{Black, Us, White};
use crate::processor::with_fastest_sliders;
use crate::shapes::geometry::GEOMETRY;
use crate::shapes::{SliderLookup, Stepper, Task, between};
use crate::square::{File, Square};

impl Position {
    /// The legal moves (FIDE 3.1–3.9), castling last, otherwise in no promised order.
    ///
    /// Nothing is touched: any number of readers may ask at once. [`Position::legal_moves_into`] does the
    /// same into a list that is there already.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Replaces the moves in the list by the legal ones of this position.
    pub fn legal_moves_into(&self, moves: &mut MoveList) {
        moves.clear();
        self.visit_legal_moves(Bitboard::ALL, ListMoves(moves));
    }

    /// The number of legal moves, 0–576. Cheaper than listing them.
    pub fn legal_count(&self) -> usize {
        self.visit_legal_moves(Bitboard::ALL, CountMoves(0)).0 as usize
    }

    /// Whether there is a legal move. Stops at the first it finds.
    pub fn has_legal_move(&self) -> bool {
        self.visit_legal_moves(Bitboard::ALL, AnyMove { found: false }).found
    }

    /// Whether a move is legal here; any move may be asked for, whatever its 16 bits say (R11).
    ///
    /// Looks at the moves of one piece and makes no list.
    ///
    /// ```
    /// use touchmove::{Move, Position, Square};
    ///
    /// let position = Position::default();
    /// assert!(position.is_legal(Move::normal(Square::G1, Square::F3)));
    /// assert!(!position.is_legal(Move::normal(Square::G8, Square::F6)));
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        self.visit_legal_moves(mv.from().into(), ThisMove { mv, found: false }).found
    }

    /// Shows a visitor the legal moves of the pieces on some squares.
    fn visit_legal_moves<V: Visitor>(&self, movers: Bitboard, visitor: V) -> V {
        match self.turn {
            Color::White => self.visit_legal_moves_of::<White, V>(movers, visitor),
            Color::Black => self.visit_legal_moves_of::<Black, V>(movers, visitor),
        }
    }

    fn visit_legal_moves_of<U: Us, V: Visitor>(&self, movers: Bitboard, visitor: V) -> V {
        with_fastest_sliders(Visit::<U, V> { position: self, movers, visitor, us: PhantomData })
    }
}

/// The generator as a task: the legal moves of `U`'s pieces on some squares, shown to a visitor.
struct Visit<'a, U, V> {
    position: &'a Position,
    movers: Bitboard,
    visitor: V,
    us: PhantomData<U>,
}

impl<U: Us, V: Visitor> Task for Visit<'_, U, V> {
    type Output = V;

    #[inline(always)]
    fn run<L: SliderLookup>(mut self, sliders: L) -> V {
        show_legal_moves::<U, L, V>(self.position, self.movers, sliders, &mut self.visitor);
        self.visitor
    }
}

/// Shows a visitor the legal moves of `U`, whose turn it is, by the pieces on some squares.
#[inline(always)]
pub(crate) fn show_legal_moves<U: Us, L: SliderLookup, V: Visitor>(
    position: &Position,
    movers: Bitboard,
    sliders: L,
    visitor: &mut V,
) {
    let generator = Generator::<U, L>::new(position, movers, sliders);
    let attacked = generator.attacked_if_the_king_may_go();
    generator.king(attacked, visitor);
    if generator.checkers.many() || visitor.is_done() {
        return; // FIDE 3.9: only the king's own move answers two checks.
    }
    generator.pawns(visitor);
    generator.knights(visitor);
    generator.sliders(visitor);
    if generator.checkers.is_empty() {
        generator.castling(attacked, visitor);
    }
}

/// What the moves of one position have in common.
struct Generator<'a, U, L> {
    position: &'a Position,
    board: &'a Board,
    sliders: L,
    king: Square,
    own: Bitboard,
    theirs: Bitboard,
    /// The squares whose pieces are asked for.
    movers: Bitboard,
    /// The enemy pieces that give check.
    checkers: Bitboard,
    /// Where a piece other than the king may go: not onto its own, and in check onto or before the checker.
    targets: Bitboard,
    /// Files and ranks from the king to an enemy slider with one piece between; ours is pinned there.
    pin_lines: Bitboard,
    /// The same for diagonals.
    pin_diagonals: Bitboard,
    us: PhantomData<U>,
}

impl<'a, U: Us, L: SliderLookup> Generator<'a, U, L> {
    #[inline(always)]
    fn new(position: &'a Position, movers: Bitboard, sliders: L) -> Self {
        let board = &position.board;
        let (own, theirs) = (board.color(U::COLOR), board.color(!U::COLOR));
        let king = position.king(U::COLOR);
        let mut generator = Generator {
            position,
            board,
            sliders,
            king,
            own,
            theirs,
            movers,
            checkers: Bitboard::EMPTY,
            targets: !own,
            pin_lines: Bitboard::EMPTY,
            pin_diagonals: Bitboard::EMPTY,
            us: PhantomData,
        };
        generator.find_checkers_and_pins();
        generator
    }

    /// Looks from the king along its lines for enemy sliders: with nothing between, check; with one piece
    /// between, a pin.
    #[inline(always)]
    fn find_checkers_and_pins(&mut self) {
        let geometry = &GEOMETRY[self.king.index()];
        let board = self.board;
        let occupied = board.occupied();
        self.checkers = geometry.knight & board.role(Role::Knight) & self.theirs
            | board.pawn_attackers_to(self.king, !U::COLOR);
        for sniper in geometry.lines & board.line_sliders() & self.theirs {
            let between = between(self.king, sniper);
            match between & occupied {
                blockers if blockers.is_empty() => self.checkers |= sniper.into(),
                blockers if !blockers.many() => self.pin_lines |= between | sniper.into(),
                _ => {}
            }
        }
        for sniper in geometry.diagonals & board.diagonal_sliders() & self.theirs {
            let between = between(self.king, sniper);
            match between & occupied {
                blockers if blockers.is_empty() => self.checkers |= sniper.into(),
                blockers if !blockers.many() => self.pin_diagonals |= between | sniper.into(),
                _ => {}
            }
        }
        if self.checkers.any() {
            // With two checkers nobody asks for these targets.
            let checker = self.checkers.first_of_some();
            self.targets &= between(self.king, checker) | checker.into();
        }
    }

    #[inline(always)]
    fn our(&self, role: Role) -> Bitboard {
        self.board.role(role) & self.own & self.movers
    }

    /// FIDE 3.8.1, 3.9.2: to squares that the enemy does not attack once the king has left its own.
    #[inline(always)]
    fn king<V: Visitor>(&self, attacked: Bitboard, visitor: &mut V) {
        visitor.piece(Role::King, self.king, self.king_targets().without(attacked));
    }

    /// The squares next to the king, if its moves are asked for, without those of its own pieces.
    #[inline(always)]
    fn king_targets(&self) -> Bitboard {
        match self.movers.contains(self.king) {
            true => Stepper::King.attacks(self.king).without(self.own),
            false => Bitboard::EMPTY,
        }
    }

    /// What the enemy attacks, where that matters. A king that can castle can step aside as well, or in Chess960 need not move.
    #[inline(always)]
    fn attacked_if_the_king_may_go(&self) -> Bitboard {
        match self.king_targets().any() {
            true => self.attacked_without_king(),
            false => Bitboard::EMPTY,
        }
    }

    /// The squares the enemy attacks if our king is not there to stop a ray.
    #[inline(always)]
    fn attacked_without_king(&self) -> Bitboard {
        let occupied = self.board.occupied() ^ self.king.into();
        let theirs = |role| self.board.role(role) & self.theirs;
        let mut attacked = U::Them::PAWN.attacks_of_all(theirs(Role::Pawn));
        for square in theirs(Role::Knight) {
            attacked |= Stepper::Knight.attacks(square);
        }
        for square in self.board.diagonal_sliders() & self.theirs {
            attacked |= self.sliders.bishop(square, occupied);
        }
        for square in self.board.line_sliders() & self.theirs {
            attacked |= self.sliders.rook(square, occupied);
        }
        attacked | Stepper::King.attacks(self.position.king(!U::COLOR))
    }

    /// A pinned pawn stays on the line of its pin: on a file it may push, on a diagonal capture.
    #[inline(always)]
    fn pawns<V: Visitor>(&self, visitor: &mut V) {
        let pawns = self.our(Role::Pawn);
        let free = pawns.without(self.pin_lines | self.pin_diagonals);
        self.pushes(free, self.targets, visitor);
        self.captures(free, self.targets, visitor);
        if free != pawns {
            let (lines, diagonals) = (self.pin_lines, self.pin_diagonals);
            self.pushes(pawns & lines, self.targets & lines, visitor);
            self.captures(pawns & diagonals, self.targets & diagonals, visitor);
        }
        if let Some(passed) = self.position.en_passant {
            self.en_passant(pawns, passed, visitor);
        }
    }

    /// FIDE 3.7.1, 3.7.2.
    #[inline(always)]
    fn pushes<V: Visitor>(&self, pawns: Bitboard, targets: Bitboard, visitor: &mut V) {
        let ahead = |pawns: Bitboard| pawns.shift(0, U::PAWN.direction());
        let empty = !self.board.occupied();
        let single = ahead(pawns.without(U::SEVENTH_RANK)) & empty;
        let double = ahead(single & U::THIRD_RANK) & empty;
        visitor.pawns(U::PUSH, single & targets);
        visitor.pawns(2 * U::PUSH, double & targets);
        let promoting = pawns & U::SEVENTH_RANK;
        if promoting.any() {
            visitor.promotions(U::PUSH, ahead(promoting) & empty & targets);
        }
    }

    /// FIDE 3.7.3.
    #[inline(always)]
    fn captures<V: Visitor>(&self, pawns: Bitboard, targets: Bitboard, visitor: &mut V) {
        let targets = targets & self.theirs;
        let promoting = pawns & U::SEVENTH_RANK;
        for files in [-1, 1] {
            let aslant = |pawns: Bitboard| pawns.shift(files, U::PAWN.direction()) & targets;
            visitor.pawns(U::PUSH + files, aslant(pawns.without(U::SEVENTH_RANK)));
            if promoting.any() {
                visitor.promotions(U::PUSH + files, aslant(promoting));
            }
        }
    }

    /// FIDE 3.7.3.1, 3.7.3.2.
    #[inline(always)]
    fn en_passant<V: Visitor>(&self, pawns: Bitboard, passed: Square, visitor: &mut V) {
        for from in pawns & U::Them::PAWN.attacks(passed) {
            if self.position.en_passant_leaves_king_safe::<U>(from, passed) {
                visitor.en_passant(from, passed);
            }
        }
    }

    /// FIDE 3.6. A pinned knight has no move: every jump leaves its line.
    #[inline(always)]
    fn knights<V: Visitor>(&self, visitor: &mut V) {
        for from in self.our(Role::Knight).without(self.pin_lines | self.pin_diagonals) {
            visitor.piece(Role::Knight, from, Stepper::Knight.attacks(from) & self.targets);
        }
    }

    /// FIDE 3.2–3.4. A pinned slider stays on the line of its pin, if that is one of its own.
    #[inline(always)]
    fn sliders<V: Visitor>(&self, visitor: &mut V) {
        let pinned = self.pin_lines | self.pin_diagonals;
        for from in self.our(Role::Bishop).without(pinned) {
            visitor.piece(Role::Bishop, from, self.bishop_attacks(from) & self.targets);
        }
        for from in self.our(Role::Rook).without(pinned) {
            visitor.piece(Role::Rook, from, self.rook_attacks(from) & self.targets);
        }
        for from in self.our(Role::Queen).without(pinned) {
            let attacks = self.bishop_attacks(from) | self.rook_attacks(from);
            visitor.piece(Role::Queen, from, attacks & self.targets);
        }
        if pinned.any() {
            self.pinned_sliders(visitor);
        }
    }

    #[inline(always)]
    fn pinned_sliders<V: Visitor>(&self, visitor: &mut V) {
        let diagonal = self.targets & self.pin_diagonals;
        let line = self.targets & self.pin_lines;
        for role in [Role::Bishop, Role::Queen] {
            for from in self.our(role) & self.pin_diagonals {
                visitor.piece(role, from, self.bishop_attacks(from) & diagonal);
            }
        }
        for role in [Role::Rook, Role::Queen] {
            for from in self.our(role) & self.pin_lines {
                visitor.piece(role, from, self.rook_attacks(from) & line);
            }
        }
    }

    #[inline(always)]
    fn bishop_attacks(&self, from: Square) -> Bitboard {
        self.sliders.bishop(from, self.board.occupied())
    }

    #[inline(always)]
    fn rook_attacks(&self, from: Square) -> Bitboard {
        self.sliders.rook(from, self.board.occupied())
    }

    #[inline(always)]
    fn castling<V: Visitor>(&self, attacked: Bitboard, visitor: &mut V) {
        let rooks = self.position.castling.rooks_of(U::COLOR);
        if !self.movers.contains(self.king) {
            return;
        }
        // Where it stands if there is a right; written so, the compiler knows the rank.
        let king = Square::new(self.king.file(), U::COLOR.back_rank());
        for rook in rooks {
            // The right is taken on trust: looking for the rook would hide a right that was kept too long.
            debug_assert!((self.board.role(Role::Rook) & self.own).contains(rook));
            let path = CastlingPath::new(king, rook);
            if (path.must_be_empty() & self.board.occupied()).is_empty()
                && self.castling_is_safe(path, attacked)
            {
                visitor.castling(self.king, rook);
            }
        }
    }

    /// FIDE 3.8.2.2, R8. The king is not in check, or nobody would ask.
    ///
    /// The squares the king visits are attacked as the enemy attacks them now, but for the last: the rook may have stood before an
    /// attacker, if there is room behind it, which there is in Chess960 alone.
    #[inline(always)]
    fn castling_is_safe(&self, path: CastlingPath, attacked: Bitboard) -> bool {
        if self.king_targets().is_empty() || !matches!(path.rook_from.file(), File::A | File::H) {
            return hemmed_or_shielded_castling_is_safe::<U>(self.board, path);
        }
        (attacked & path.king_visits()).is_empty()
    }
}

/// The same where the king has no square next to it, yet can castle, or where something may stand behind the rook: each square is
/// looked at by itself.
#[cold]
fn hemmed_or_shielded_castling_is_safe<U: Us>(board: &Board, path: CastlingPath) -> bool {
    let is_attacked =
        |square, occupied| (board.attackers_to(square, occupied) & board.color(!U::COLOR)).any();
    let occupied = board.occupied();
    !path.king_crosses().into_iter().any(|square| is_attacked(square, occupied))
        && !is_attacked(path.king_to, path.occupied_after(occupied))
}
