//! Play a move, take it back, and the record between.
//!
//! Placement changes by exclusive or, so taking back is playing again; what that cannot bring back is
//! in the [`Undo`].

use core::fmt;
use core::hint::cold_path;

use crate::bitboard::Bitboard;
use crate::castling::{CastlingPath, CastlingRights};
use crate::moves::{Move, MoveKind};
use crate::piece::{Color, PromotionRole, Role};
use crate::position::Position;
use crate::position::us::{Black, Us, White};
use crate::square::Square;
use crate::zobrist::Key;

/// What [`Position::make`] changed beyond recomputing. One make, one unmake: it is not `Clone`.
#[derive(PartialEq, Eq, Debug)]
#[must_use = "give it back to `unmake`"]
pub struct Undo {
    /// The role of what moved, the king's when it castled.
    moved: Role,
    captured: Option<Role>,
    irreversible: Irreversible,
}

impl Undo {
    /// The role of the captured piece: a pawn where it was taken en passant.
    pub const fn captured(&self) -> Option<Role> {
        self.captured
    }
}

/// What [`Position::make_null`] changed.
#[derive(PartialEq, Eq, Debug)]
#[must_use = "give it back to `unmake_null`"]
pub struct NullUndo(Irreversible);

/// The fields that no later move tells how to restore.
#[derive(PartialEq, Eq, Debug)]
struct Irreversible {
    key: Key,
    castling: CastlingRights,
    halfmove_clock: u16,
    move_number: u16,
    en_passant: Option<Square>,
}

/// A null move was asked for in check, where passing would leave the king to be captured (R12a).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NullMoveInCheck;

impl fmt::Display for NullMoveInCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no null move in check")
    }
}

impl core::error::Error for NullMoveInCheck {}

impl Position {
    /// Plays a move.
    ///
    /// The move must be pseudo-legal here: one of [`Position::pseudo_legal_moves`]. After a move that is
    /// not legal the mover's king may be attacked, which is what [`Position::mover_left_in_check`] asks; the
    /// other promises of a position hold. For any other move the outcome is unspecified, though
    /// never undefined behaviour: text and codes from outside go through [`Position::is_legal`] or a notation first.
    ///
    /// # Panics
    ///
    /// With debug assertions, when the move is not pseudo-legal. Without them it may.
    ///
    /// ```
    /// use touchmove::{Move, Position, Square};
    ///
    /// let mut position = Position::default();
    /// let undo = position.make(Move::normal(Square::E2, Square::E4));
    /// assert_eq!(
    ///     position.to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    /// );
    /// position.unmake(Move::normal(Square::E2, Square::E4), undo);
    /// assert_eq!(position, Position::default());
    /// ```
    #[inline]
    pub fn make(&mut self, mv: Move) -> Undo {
        match self.turn {
            Color::White => self.make_for::<White>(mv),
            Color::Black => self.make_for::<Black>(mv),
        }
    }

    /// Takes back the move that was played last and gave this record: everything is as before, clocks, key
    /// and en passant square included.
    ///
    /// # Panics
    ///
    /// With debug assertions it may, when the move or the record belongs to another position.
    #[inline]
    pub fn unmake(&mut self, mv: Move, undo: Undo) {
        match self.turn {
            Color::White => self.unmake_for::<Black>(mv, undo),
            Color::Black => self.unmake_for::<White>(mv, undo),
        }
    }

    /// Passes the turn. The en passant right lapses, the halfmove clock goes up, and after Black the move
    /// number (R12a).
    ///
    /// # Errors
    ///
    /// In check.
    pub fn make_null(&mut self) -> Result<NullUndo, NullMoveInCheck> {
        if self.is_check() {
            return Err(NullMoveInCheck);
        }
        let undo = NullUndo(self.irreversible());
        self.drop_en_passant();
        self.count_ply(self.turn);
        self.pass_turn();
        Ok(undo)
    }

    /// Takes back a null move.
    pub fn unmake_null(&mut self, undo: NullUndo) {
        match self.turn {
            Color::White => self.restore::<Black>(undo.0),
            Color::Black => self.restore::<White>(undo.0),
        }
    }

    // Few moves are other than normal. `cold_path` says so to the compiler, which keeps the way of the normal ones straight.

    #[inline(always)]
    pub(crate) fn make_for<U: Us>(&mut self, mv: Move) -> Undo {
        debug_assert!(self.is_pseudo_legal(mv), "{mv:?} is not pseudo-legal in {self:?}");
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal => self.make_normal::<U>(from, to),
            MoveKind::Promotion(role) => {
                cold_path();
                self.make_promotion::<U>(role, from, to)
            }
            MoveKind::EnPassant => {
                cold_path();
                self.make_en_passant::<U>(from, to)
            }
            MoveKind::Castling => {
                cold_path();
                self.make_castling::<U>(from, to)
            }
        }
    }

    #[inline(always)]
    pub(crate) fn unmake_for<U: Us>(&mut self, mv: Move, undo: Undo) {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal => self.unmake_normal::<U>(undo.moved, from, to, undo),
            MoveKind::Promotion(role) => {
                cold_path();
                self.unmake_promotion::<U>(role, from, to, undo)
            }
            MoveKind::EnPassant => {
                cold_path();
                self.unmake_en_passant::<U>(from, to, undo)
            }
            MoveKind::Castling => {
                cold_path();
                self.unmake_castling::<U>(from, to, undo)
            }
        }
    }

    /// Plays a normal move of whichever piece it is. One that is known costs less than one that is looked up: a processor guesses
    /// well which it will be.
    #[inline(always)]
    fn make_normal<U: Us>(&mut self, from: Square, to: Square) -> Undo {
        match self.board.role_at(from).unwrap_or(Role::Pawn) {
            Role::Pawn => self.make_pawn::<U>(to as i8 - from as i8, from, to),
            Role::Knight => self.make_piece::<U>(Role::Knight, from, to),
            Role::Bishop => self.make_piece::<U>(Role::Bishop, from, to),
            Role::Rook => self.make_piece::<U>(Role::Rook, from, to),
            Role::Queen => self.make_piece::<U>(Role::Queen, from, to),
            Role::King => self.make_piece::<U>(Role::King, from, to),
        }
    }

    /// Plays a pawn's move that goes `step` further in the order of squares and neither promotes nor captures en passant.
    ///
    /// Where the step is constant, the compiler makes the most of it. A pawn on its way loses no castling right: none is kept
    /// off the back ranks.
    #[inline(always)]
    pub(crate) fn make_pawn<U: Us>(&mut self, step: i8, from: Square, to: Square) -> Undo {
        let irreversible = self.begin_ply::<U>();
        let captured = match step % 8 {
            0 => None,
            _ => self.capture_on::<U::Them>(to),
        };
        self.move_piece::<U>(Role::Pawn, from, to);
        self.halfmove_clock = 0;
        if step.abs() == 16 {
            self.set_en_passant::<U>(from, to);
        }
        self.pass_turn();
        Undo { moved: Role::Pawn, captured, irreversible }
    }

    /// Plays a normal move of a piece that is no pawn.
    #[inline(always)]
    pub(crate) fn make_piece<U: Us>(&mut self, role: Role, from: Square, to: Square) -> Undo {
        let irreversible = self.begin_ply::<U>();
        let captured = self.capture_on::<U::Them>(to);
        self.move_piece::<U>(role, from, to);
        match role {
            Role::Rook => self.lose_rights(from.into()),
            Role::King => self.lose_rights(U::BACK_RANK),
            _ => {}
        }
        self.pass_turn();
        Undo { moved: role, captured, irreversible }
    }

    #[inline(always)]
    pub(crate) fn unmake_normal<U: Us>(
        &mut self,
        role: Role,
        from: Square,
        to: Square,
        undo: Undo,
    ) {
        self.board.toggle(U::COLOR, role, Bitboard::of(from) | to.into());
        self.put_back::<U::Them>(undo.captured, to);
        self.restore::<U>(undo.irreversible);
    }

    #[inline(always)]
    pub(crate) fn make_promotion<U: Us>(
        &mut self,
        role: PromotionRole,
        from: Square,
        to: Square,
    ) -> Undo {
        let irreversible = self.begin_ply::<U>();
        let captured = self.capture_on::<U::Them>(to);
        self.toggle(U::COLOR, Role::Pawn, from);
        self.toggle(U::COLOR, role.role(), to);
        self.halfmove_clock = 0;
        self.pass_turn();
        Undo { moved: Role::Pawn, captured, irreversible }
    }

    #[inline(always)]
    pub(crate) fn unmake_promotion<U: Us>(
        &mut self,
        role: PromotionRole,
        from: Square,
        to: Square,
        undo: Undo,
    ) {
        self.board.toggle(U::COLOR, role.role(), to.into());
        self.board.toggle(U::COLOR, Role::Pawn, from.into());
        self.put_back::<U::Them>(undo.captured, to);
        self.restore::<U>(undo.irreversible);
    }

    #[inline(always)]
    pub(crate) fn make_en_passant<U: Us>(&mut self, from: Square, to: Square) -> Undo {
        let irreversible = self.begin_ply::<U>();
        self.toggle(!U::COLOR, Role::Pawn, passed_pawn::<U>(to));
        self.move_piece::<U>(Role::Pawn, from, to);
        self.halfmove_clock = 0;
        self.pass_turn();
        Undo { moved: Role::Pawn, captured: Some(Role::Pawn), irreversible }
    }

    #[inline(always)]
    pub(crate) fn unmake_en_passant<U: Us>(&mut self, from: Square, to: Square, undo: Undo) {
        self.board.toggle(U::COLOR, Role::Pawn, Bitboard::of(from) | to.into());
        self.put_back::<U::Them>(undo.captured, passed_pawn::<U>(to));
        self.restore::<U>(undo.irreversible);
    }

    #[inline(always)]
    pub(crate) fn make_castling<U: Us>(&mut self, king: Square, rook: Square) -> Undo {
        let irreversible = self.begin_ply::<U>();
        let path = CastlingPath::new(king, rook);
        // In Chess960 the two may exchange squares, or one may stay: exclusive or minds neither.
        self.move_piece::<U>(Role::King, path.king_from, path.king_to);
        self.move_piece::<U>(Role::Rook, path.rook_from, path.rook_to);
        self.lose_rights(U::BACK_RANK);
        self.pass_turn();
        Undo { moved: Role::King, captured: None, irreversible }
    }

    #[inline(always)]
    pub(crate) fn unmake_castling<U: Us>(&mut self, king: Square, rook: Square, undo: Undo) {
        let path = CastlingPath::new(king, rook);
        let king = Bitboard::of(path.king_from) ^ path.king_to.into();
        let rook = Bitboard::of(path.rook_from) ^ path.rook_to.into();
        self.board.toggle(U::COLOR, Role::King, king);
        self.board.toggle(U::COLOR, Role::Rook, rook);
        self.restore::<U>(undo.irreversible);
    }

    /// What every move begins with: the en passant right lapses and the counters go up.
    #[inline(always)]
    fn begin_ply<U: Us>(&mut self) -> Irreversible {
        let irreversible = self.irreversible();
        self.drop_en_passant();
        self.count_ply(U::COLOR);
        irreversible
    }

    /// A piece goes to an empty square; its own square, if it stays.
    #[inline(always)]
    fn move_piece<U: Us>(&mut self, role: Role, from: Square, to: Square) {
        self.board.toggle(U::COLOR, role, Bitboard::of(from) ^ to.into());
        self.key ^= Key::of_piece(U::COLOR, role, from) ^ Key::of_piece(U::COLOR, role, to);
    }

    /// Takes the piece of `T`'s side off a square, if one stands there.
    #[inline(always)]
    fn capture_on<T: Us>(&mut self, square: Square) -> Option<Role> {
        if !self.board.color(T::COLOR).contains(square) {
            return None;
        }
        let role = self.board.role_at(square)?;
        self.toggle(T::COLOR, role, square);
        self.lose_rights(square.into());
        self.halfmove_clock = 0;
        Some(role)
    }

    #[inline(always)]
    fn put_back<T: Us>(&mut self, captured: Option<Role>, square: Square) {
        if let Some(role) = captured {
            self.board.toggle(T::COLOR, role, square.into());
        }
    }

    /// After a double push: the passed square, if a capture on it is legal (R3).
    #[inline(always)]
    fn set_en_passant<U: Us>(&mut self, from: Square, to: Square) {
        let passed = Square::from_masked((from as u8 + to as u8) / 2);
        let capturers = self.board.pawn_attackers_to(passed, !U::COLOR);
        if capturers.any() && self.en_passant_is_legal::<U::Them>(capturers, passed) {
            self.en_passant = Some(passed);
            self.key ^= Key::of_en_passant(passed.file());
        }
    }

    /// Whether one of these pawns of `U`'s side may capture on the passed square.
    #[cold]
    fn en_passant_is_legal<U: Us>(&self, capturers: Bitboard, passed: Square) -> bool {
        capturers.into_iter().any(|from| self.en_passant_leaves_king_safe::<U>(from, passed))
    }

    /// Whether the king is unattacked after a capture en passant: two pawns are gone, one stands elsewhere.
    ///
    /// FIDE 3.9.2. The one place where two pieces leave a rank at once, so no pin tells; the question is put
    /// to the board as it would be.
    #[cold]
    pub(super) fn en_passant_leaves_king_safe<U: Us>(&self, from: Square, to: Square) -> bool {
        let captured = Bitboard::of(passed_pawn::<U>(to));
        let occupied = self.board.occupied().without(captured | from.into()) | to.into();
        let enemies = self.board.color(!U::COLOR).without(captured);
        (self.board.attackers_to(self.king(U::COLOR), occupied) & enemies).is_empty()
    }

    #[inline(always)]
    fn toggle(&mut self, color: Color, role: Role, square: Square) {
        self.board.toggle(color, role, square.into());
        self.key ^= Key::of_piece(color, role, square);
    }

    #[inline(always)]
    fn lose_rights(&mut self, squares: Bitboard) {
        for rook in self.castling.rooks() & squares {
            self.castling = self.castling.without(rook.into());
            self.key ^= Key::of_right(rook);
        }
    }

    #[inline(always)]
    fn drop_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            cold_path();
            self.key ^= Key::of_en_passant(square.file());
        }
    }

    #[inline(always)]
    fn count_ply(&mut self, mover: Color) {
        let next = |counter: u16| counter + u16::from(counter < Position::CLOCK_MAX);
        self.halfmove_clock = next(self.halfmove_clock);
        if mover == Color::Black {
            self.move_number = next(self.move_number);
        }
    }

    #[inline(always)]
    fn pass_turn(&mut self) {
        self.turn = !self.turn;
        self.key ^= Key::TURN;
    }

    #[inline(always)]
    fn irreversible(&self) -> Irreversible {
        Irreversible {
            key: self.key,
            castling: self.castling,
            halfmove_clock: self.halfmove_clock,
            move_number: self.move_number,
            en_passant: self.en_passant,
        }
    }

    /// Everything as before a move of `U`'s side, but for the placement.
    #[inline(always)]
    fn restore<U: Us>(&mut self, before: Irreversible) {
        self.turn = U::COLOR;
        self.key = before.key;
        self.castling = before.castling;
        self.halfmove_clock = before.halfmove_clock;
        self.move_number = before.move_number;
        self.en_passant = before.en_passant;
    }
}

/// The square of the pawn that `U` captures en passant by going to `to`: one step behind.
#[inline(always)]
fn passed_pawn<U: Us>(to: Square) -> Square {
    Square::from_masked((to as u8).wrapping_add_signed(-U::PUSH))
}
