//! Which events of the rules a tree of positions holds: castling that gives check, en passant refused by
//! a pin, mate by promotion to a knight.
//!
//! A suite or a campaign that never meets an event has proved nothing about it. Events are looked for with the
//! public look-ups of [`Board`] and by making moves, not by asking the fast generator for its reasons.

use std::fmt;
use std::str::FromStr;

use touchmove::{
    Bitboard, Board, CastlingPath, Color, Move, MoveKind, MoveList, Pawn, Piece, Position,
    PromotionRole, Role, Slider, Square, between, line,
};

/// Defines the events, their names and their meanings in one place.
macro_rules! events {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?) => {
        /// An event of the rules, met in a tree of positions.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Event { $($(#[$doc])* $variant,)+ }

        impl Event {
            /// All events.
            pub const ALL: &[Event] = &[$(Event::$variant,)+];

            /// The name, as it stands in `;c0` of a suite.
            pub const fn name(self) -> &'static str {
                match self { $(Event::$variant => $name,)+ }
            }
        }
    };
}

events! {
    /// A piece is captured, en passant included.
    Capture = "capture",
    /// A pawn captures en passant.
    EnPassant = "en-passant",
    /// A pawn goes two squares.
    DoublePush = "double-push",
    /// The king castles to the g-file.
    CastleShort = "castle-short",
    /// The king castles to the c-file.
    CastleLong = "castle-long",
    /// A pawn promotes.
    Promotion = "promotion",
    /// A pawn promotes by capturing.
    PromotionCapture = "promotion-capture",
    /// A move gives check.
    Check = "check",
    /// A move gives check by two pieces or more.
    DoubleCheck = "double-check",
    /// A piece that did not move gives check.
    DiscoveredCheck = "discovered-check",
    /// A move gives mate.
    Checkmate = "checkmate",
    /// A move leaves the other side without a legal move, not in check.
    Stalemate = "stalemate",
    /// Castling gives check.
    CastleCheck = "castle-check",
    /// Castling gives mate.
    CastleMate = "castle-mate",
    /// Castling with a rook that stands attacked.
    CastleRookAttacked = "castle-rook-attacked",
    /// Castling although a square is attacked that only the rook crosses.
    CastleRookPathAttacked = "castle-rook-path-attacked",
    /// Castling in which the king stays on its square.
    CastleKingStill = "castle-king-still",
    /// Castling in which the rook stays on its square.
    CastleRookStill = "castle-rook-still",
    /// Castling in which king and rook exchange squares.
    CastleSwap = "castle-swap",
    /// A capture en passant gives check.
    EnPassantCheck = "en-passant-check",
    /// A capture en passant gives check by two pieces.
    EnPassantDoubleCheck = "en-passant-double-check",
    /// A capture en passant uncovers a check.
    EnPassantDiscoveredCheck = "en-passant-discovered-check",
    /// A capture en passant gives mate.
    EnPassantMate = "en-passant-mate",
    /// A capture en passant takes the pawn that gave check.
    EnPassantCapturesChecker = "en-passant-captures-checker",
    /// A capture en passant lands between a checking slider and the king.
    EnPassantBlocksCheck = "en-passant-blocks-check",
    /// A pinned pawn captures en passant along its pin.
    EnPassantAlongPin = "en-passant-along-pin",
    /// A pawn becomes a queen.
    QueenPromotion = "queen-promotion",
    /// A pawn becomes a rook.
    RookPromotion = "rook-promotion",
    /// A pawn becomes a bishop.
    BishopPromotion = "bishop-promotion",
    /// A pawn becomes a knight.
    KnightPromotion = "knight-promotion",
    /// … and gives check.
    QueenPromotionCheck = "queen-promotion-check",
    /// … and gives check.
    RookPromotionCheck = "rook-promotion-check",
    /// … and gives check.
    BishopPromotionCheck = "bishop-promotion-check",
    /// … and gives check.
    KnightPromotionCheck = "knight-promotion-check",
    /// … and gives mate.
    QueenPromotionMate = "queen-promotion-mate",
    /// … and gives mate.
    RookPromotionMate = "rook-promotion-mate",
    /// … and gives mate.
    BishopPromotionMate = "bishop-promotion-mate",
    /// … and gives mate.
    KnightPromotionMate = "knight-promotion-mate",
    /// A promotion gives check by two pieces.
    PromotionDoubleCheck = "promotion-double-check",
    /// A promotion uncovers a check.
    PromotionDiscoveredCheck = "promotion-discovered-check",
    /// A rook with its castling right is captured by a knight.
    RookWithRightCapturedByKnight = "rook-with-right-captured-by-knight",
    /// … by a bishop.
    RookWithRightCapturedByBishop = "rook-with-right-captured-by-bishop",
    /// … by a rook.
    RookWithRightCapturedByRook = "rook-with-right-captured-by-rook",
    /// … by a queen.
    RookWithRightCapturedByQueen = "rook-with-right-captured-by-queen",
    /// … by a king.
    RookWithRightCapturedByKing = "rook-with-right-captured-by-king",
    /// … by a pawn, which then promotes: such rooks stand on the last rank.
    RookWithRightCapturedByPromotion = "rook-with-right-captured-by-promotion",
    /// A king with a castling right moves, not castling.
    RightLostByKingMove = "right-lost-by-king-move",
    /// A rook with its castling right moves, not castling.
    RightLostByRookMove = "right-lost-by-rook-move",
    /// A pinned piece moves along its pin.
    PinnedPieceMoves = "pinned-piece-moves",
    /// The king captures.
    KingCaptures = "king-captures",
    /// En passant is refused: both pawns leave the rank of the king and uncover a rook or queen.
    EnPassantRefusedRank = "en-passant-refused-rank",
    /// En passant is refused: it uncovers a bishop or queen on a diagonal.
    EnPassantRefusedDiagonal = "en-passant-refused-diagonal",
    /// En passant is refused: it uncovers a rook or queen on the file.
    EnPassantRefusedFile = "en-passant-refused-file",
    /// En passant is refused: it does not answer a check.
    EnPassantRefusedInCheck = "en-passant-refused-in-check",
    /// Castling with all squares empty is refused: the king is in check.
    CastleRefusedInCheck = "castle-refused-in-check",
    /// … the king would cross an attacked square.
    CastleRefusedCrossing = "castle-refused-crossing",
    /// … its destination is attacked, and was before.
    CastleRefusedDestination = "castle-refused-destination",
    /// … the rook leaves its square and uncovers an attack on the king's destination.
    CastleRefusedRookShield = "castle-refused-rook-shield",
    /// Castling is refused: a square that king or rook needs is occupied, the king not being in check.
    CastleRefusedBlocked = "castle-refused-blocked",
    /// The king may not step away from a checking slider along its line.
    KingRefusedAlongRay = "king-refused-along-ray",
    /// A pinned piece may not leave its pin.
    PinnedPieceRefused = "pinned-piece-refused",
    /// In double check no piece but the king may move, though one could block or capture.
    DoubleCheckRefusedNonKing = "double-check-refused-non-king",
    /// A side has nine queens or more.
    NineQueens = "nine-queens",
    /// The king is attacked by three pieces or more.
    ThreeCheckers = "three-checkers",
    /// Two bare kings.
    OnlyKings = "only-kings",
    /// A side has more than sixteen men.
    SeventeenMen = "seventeen-men",
    /// A king with one knight or one bishop against a bare king (FIDE 5.2.2).
    MinorAgainstKing = "minor-against-king",
    /// Kings and bishops alone, at least two, all bishops on squares of one colour (FIDE 5.2.2).
    SameColoredBishops = "same-colored-bishops",
    /// Algebraic notation needs the file: a legal rival goes to the same square.
    SanFile = "san-file",
    /// … the rank: a rival stands on the same file.
    SanRank = "san-rank",
    /// … both: one rival stands on the same file, another on the same rank.
    SanFileAndRank = "san-file-and-rank",
    /// A piece of the same kind could go to the square, but leaving it would give the king away.
    SanRivalPinned = "san-rival-pinned",
    /// Ninety-nine plies without capture or pawn move: one short of the claim (FIDE 9.3).
    ClockAt99 = "clock-at-99",
    /// A hundred of them: fifty moves by each side.
    ClockAt100 = "clock-at-100",
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name is no event's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownEvent;

impl fmt::Display for UnknownEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such rule event")
    }
}

impl std::error::Error for UnknownEvent {}

impl FromStr for Event {
    type Err = UnknownEvent;

    fn from_str(name: &str) -> Result<Event, UnknownEvent> {
        Event::ALL.iter().copied().find(|event| event.name() == name).ok_or(UnknownEvent)
    }
}

/// A set of events, one bit each: a campaign describes hundreds of thousands of moves a second.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Events(u128);

const _: () = assert!(Event::ALL.len() <= 128);

impl Events {
    /// No event.
    pub const NONE: Events = Events(0);

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the event is among them.
    pub const fn contains(self, event: Event) -> bool {
        self.0 >> event as u32 & 1 != 0
    }

    /// Adds an event.
    pub const fn insert(&mut self, event: Event) {
        self.0 |= 1 << event as u32;
    }

    /// Those that are not among the others.
    #[must_use]
    pub const fn without(self, others: Events) -> Events {
        Events(self.0 & !others.0)
    }

    /// The events of both sets.
    #[must_use]
    pub const fn and(self, others: Events) -> Events {
        Events(self.0 | others.0)
    }

    /// The events, in the order of [`Event::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Event> {
        Event::ALL.iter().copied().filter(move |&event| self.contains(event))
    }
}

impl FromIterator<Event> for Events {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Events {
        let mut set = Events::NONE;
        events.into_iter().for_each(|event| set.insert(event));
        set
    }
}

/// How often each event was met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census([u64; Event::ALL.len()]);

impl Census {
    /// Counts each of these events once.
    pub fn count(&mut self, events: Events) {
        let mut left = events.0;
        while left != 0 {
            self.0[left.trailing_zeros() as usize] += 1;
            left &= left - 1;
        }
    }

    /// Adds what another census has counted.
    pub fn add(&mut self, other: &Census) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum += count;
        }
    }

    /// Each event with its count.
    pub fn iter(&self) -> impl Iterator<Item = (Event, u64)> {
        Event::ALL.iter().copied().zip(self.0)
    }
}

impl Default for Census {
    fn default() -> Census {
        Census([0; Event::ALL.len()])
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Event::name)).finish()
    }
}

/// Those of the wanted events that the tree of `depth` plies below a position does not hold.
///
/// Looks at one ply after another and stops as soon as all are found.
pub fn unreached(position: &Position, depth: u32, wanted: Events) -> Events {
    let mut missing = wanted.without(events_of_position(position));
    for plies in 1..=depth {
        if missing.is_empty() {
            break;
        }
        look_below(&mut position.clone(), plies, &mut missing);
    }
    missing
}

/// Looks at the moves of the last of `plies` plies.
fn look_below(position: &mut Position, plies: u32, missing: &mut Events) {
    if missing.is_empty() {
        return;
    }
    if plies == 1 {
        *missing = missing.without(refusals(position, &position.legal_moves()));
    }
    for mv in position.legal_moves() {
        if plies == 1 {
            *missing = missing.without(events_of_move(position, mv));
        }
        let undo = position.make(mv);
        match plies {
            1 => *missing = missing.without(events_of_position(position)),
            _ => look_below(position, plies - 1, missing),
        }
        position.unmake(mv, undo);
    }
}

/// What a position is, whichever way it was reached.
pub fn events_of_position(position: &Position) -> Events {
    let board = position.board();
    let mut events = Events::NONE;
    for color in Color::ALL {
        if board.pieces(Piece { color, role: Role::Queen }).len() >= 9 {
            events.insert(Event::NineQueens);
        }
        if board.color(color).len() > 16 {
            events.insert(Event::SeventeenMen);
        }
    }
    if position.checkers().len() >= 3 {
        events.insert(Event::ThreeCheckers);
    }
    let facts = [
        (Event::ClockAt99, position.halfmove_clock() == 99),
        (Event::ClockAt100, position.halfmove_clock() == 100),
    ];
    insert_true(&mut events, &facts);
    events.and(material_draws(board))
}

/// By which material alone nobody can mate (FIDE 5.2.2); no event where somebody may.
pub fn material_draws(board: &Board) -> Events {
    let minors = board.role(Role::Knight) | board.role(Role::Bishop);
    let bishops = board.role(Role::Bishop);
    let only = |others: Bitboard| board.occupied() == board.role(Role::King) | others;
    let on_one_color =
        (bishops & DARK_SQUARES).is_empty() || bishops.without(DARK_SQUARES).is_empty();
    let mut events = Events::NONE;
    let facts = [
        (Event::OnlyKings, board.occupied().len() == 2),
        (Event::MinorAgainstKing, minors.len() == 1 && only(minors)),
        (Event::SameColoredBishops, bishops.many() && only(bishops) && on_one_color),
    ];
    insert_true(&mut events, &facts);
    events
}

/// The squares of a1's colour.
const DARK_SQUARES: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// What happens when a legal move is played.
pub fn events_of_move(before: &Position, mv: Move) -> Events {
    let mut after = *before;
    let undo = after.make(mv);
    let scene = Scene {
        before,
        after: &after,
        mv,
        role: before.board().role_at(mv.from()).expect("a legal move moves a piece"),
        captured: undo.captured(),
        checkers: after.checkers(),
        stuck: !after.has_legal_move(),
    };
    let mut events = Events::NONE;
    scene.of_any_move(&mut events);
    match mv.kind() {
        MoveKind::Castling => scene.of_castling(&mut events),
        MoveKind::EnPassant => scene.of_en_passant(&mut events),
        MoveKind::Promotion(role) => scene.of_promotion(role, &mut events),
        MoveKind::Normal => {}
    }
    scene.of_rights(&mut events);
    events
}

/// A legal move and what is needed to describe it.
struct Scene<'a> {
    before: &'a Position,
    after: &'a Position,
    mv: Move,
    role: Role,
    captured: Option<Role>,
    checkers: Bitboard,
    stuck: bool,
}

impl Scene<'_> {
    fn of_any_move(&self, events: &mut Events) {
        let (from, to) = (self.mv.from(), self.mv.to());
        let ranks = (from.rank() as u8).abs_diff(to.rank() as u8);
        let normal = self.mv.kind() == MoveKind::Normal;
        let pinned = pins(self.before).contains(from);
        let facts = [
            (Event::Capture, self.captured.is_some()),
            (Event::DoublePush, normal && self.role == Role::Pawn && ranks == 2),
            (Event::Check, self.checkers.any()),
            (Event::DoubleCheck, self.checkers.many()),
            (Event::DiscoveredCheck, self.discovers_check()),
            (Event::Checkmate, self.is_mate()),
            (Event::Stalemate, self.stuck && self.checkers.is_empty()),
            (Event::PinnedPieceMoves, pinned),
            (Event::KingCaptures, self.role == Role::King && self.captured.is_some()),
        ];
        insert_true(events, &facts);
        if normal && !matches!(self.role, Role::Pawn | Role::King) {
            self.of_rivals(events);
        }
        if normal && self.role == Role::Pawn && ranks == 2 {
            let passed = between(from, to).first().expect("a double push passes a square");
            refused_after_double_push(self.after, passed, events);
        }
    }

    /// What algebraic notation must say of the origin (FIDE C.10), looked for with the squares that pieces attack.
    fn of_rivals(&self, events: &mut Events) {
        let (from, to) = (self.mv.from(), self.mv.to());
        let (board, color) = (self.before.board(), self.before.turn());
        let alike = board.pieces(Piece { color, role: self.role }).without(from.into());
        let rivals = board.attackers_to(to, board.occupied()) & alike;
        if rivals.is_empty() {
            return;
        }
        let is_legal = |rival: &Square| self.before.is_legal(Move::normal(*rival, to));
        let legal: Bitboard = rivals.into_iter().filter(is_legal).collect();
        let on_file = (legal & Bitboard::file(from.file())).any();
        let on_rank = (legal & Bitboard::rank(from.rank())).any();
        let facts = [
            (Event::SanFile, legal.any() && !on_file),
            (Event::SanRank, on_file && !on_rank),
            (Event::SanFileAndRank, on_file && on_rank),
            (Event::SanRivalPinned, legal != rivals),
        ];
        insert_true(events, &facts);
    }

    fn is_mate(&self) -> bool {
        self.stuck && self.checkers.any()
    }

    /// Whether a checker is none of the pieces that moved.
    fn discovers_check(&self) -> bool {
        let moved = match self.mv.kind() {
            MoveKind::Castling => {
                let path = CastlingPath::new(self.mv.from(), self.mv.to());
                Bitboard::of(path.king_to) | path.rook_to.into()
            }
            _ => self.mv.to().into(),
        };
        self.checkers.without(moved).any()
    }

    fn of_castling(&self, events: &mut Events) {
        let path = CastlingPath::new(self.mv.from(), self.mv.to());
        let enemy = !self.before.turn();
        let board = self.before.board();
        let attacked = |square| attackers(board, enemy, square, board.occupied()).any();
        let king_walks =
            between(path.king_from, path.king_to) | path.king_from.into() | path.king_to.into();
        let rook_only = (between(path.rook_from, path.rook_to) | path.rook_to.into())
            .without(king_walks | path.rook_from.into());
        let still = (path.king_from == path.king_to, path.rook_from == path.rook_to);
        let swap = path.king_to == path.rook_from && path.rook_to == path.king_from;
        let short = path.rook_from > path.king_from;
        let facts = [
            (Event::CastleShort, short),
            (Event::CastleLong, !short),
            (Event::CastleCheck, self.checkers.any()),
            (Event::CastleMate, self.is_mate()),
            (Event::CastleRookAttacked, attacked(path.rook_from)),
            (Event::CastleRookPathAttacked, rook_only.into_iter().any(attacked)),
            (Event::CastleKingStill, still.0),
            (Event::CastleRookStill, still.1),
            (Event::CastleSwap, swap),
        ];
        insert_true(events, &facts);
    }

    fn of_en_passant(&self, events: &mut Events) {
        let king = self.before.king(self.before.turn());
        let captured = Square::new(self.mv.to().file(), self.mv.from().rank());
        let checkers = self.before.checkers();
        let facts = [
            (Event::EnPassant, true),
            (Event::EnPassantCheck, self.checkers.any()),
            (Event::EnPassantDoubleCheck, self.checkers.many()),
            (Event::EnPassantDiscoveredCheck, self.discovers_check()),
            (Event::EnPassantMate, self.is_mate()),
            (Event::EnPassantCapturesChecker, checkers.contains(captured)),
            (
                Event::EnPassantBlocksCheck,
                checkers.into_iter().any(|from| between(king, from).contains(self.mv.to())),
            ),
            (Event::EnPassantAlongPin, pins(self.before).contains(self.mv.from())),
        ];
        insert_true(events, &facts);
    }

    fn of_promotion(&self, role: PromotionRole, events: &mut Events) {
        let (plain, check, mate) = match role {
            PromotionRole::Queen => {
                (Event::QueenPromotion, Event::QueenPromotionCheck, Event::QueenPromotionMate)
            }
            PromotionRole::Rook => {
                (Event::RookPromotion, Event::RookPromotionCheck, Event::RookPromotionMate)
            }
            PromotionRole::Bishop => {
                (Event::BishopPromotion, Event::BishopPromotionCheck, Event::BishopPromotionMate)
            }
            PromotionRole::Knight => {
                (Event::KnightPromotion, Event::KnightPromotionCheck, Event::KnightPromotionMate)
            }
        };
        let facts = [
            (Event::Promotion, true),
            (Event::PromotionCapture, self.captured.is_some()),
            (plain, true),
            (check, self.checkers.any()),
            (mate, self.is_mate()),
            (Event::PromotionDoubleCheck, self.checkers.many()),
            (Event::PromotionDiscoveredCheck, self.discovers_check()),
        ];
        insert_true(events, &facts);
    }

    fn of_rights(&self, events: &mut Events) {
        let rights = self.before.castling();
        let theirs = rights.rooks_of(!self.before.turn());
        if self.captured == Some(Role::Rook) && theirs.contains(self.mv.to()) {
            events.insert(match self.role {
                Role::Pawn => Event::RookWithRightCapturedByPromotion,
                Role::Knight => Event::RookWithRightCapturedByKnight,
                Role::Bishop => Event::RookWithRightCapturedByBishop,
                Role::Rook => Event::RookWithRightCapturedByRook,
                Role::Queen => Event::RookWithRightCapturedByQueen,
                Role::King => Event::RookWithRightCapturedByKing,
            });
        }
        if self.mv.kind() == MoveKind::Normal {
            let own = rights.rooks_of(self.before.turn());
            let rook_moves = self.role == Role::Rook && own.contains(self.mv.from());
            let facts = [
                (Event::RightLostByKingMove, self.role == Role::King && own.any()),
                (Event::RightLostByRookMove, rook_moves),
            ];
            insert_true(events, &facts);
        }
    }
}

/// What the rules refuse in a position: pseudo-legal moves that are not legal, and castlings whose right
/// is kept.
pub fn refusals(position: &Position, legal: &MoveList) -> Events {
    let mut events = Events::NONE;
    blocked_castlings(position, &mut events);
    let pseudo_legal = position.pseudo_legal_moves();
    if pseudo_legal.len() == legal.len() {
        return events;
    }
    let pinned = pins(position);
    for &mv in pseudo_legal.iter().filter(|mv| !legal.contains(mv)) {
        match mv.kind() {
            MoveKind::EnPassant => refused_en_passant(position, mv.from(), mv.to(), &mut events),
            MoveKind::Castling => refused_castling(position, mv, &mut events),
            MoveKind::Normal | MoveKind::Promotion(_) => {
                refused_move(position, mv, pinned, &mut events);
            }
        }
    }
    events
}

fn refused_move(position: &Position, mv: Move, pinned: Bitboard, events: &mut Events) {
    let king = position.king(position.turn());
    let checkers = position.checkers();
    if mv.from() == king {
        let along = |checker: Square| {
            let slides = position.board().role_at(checker).is_some_and(is_slider);
            slides
                && line(king, checker).contains(mv.to())
                && mv.to() != checker
                && !between(king, checker).contains(mv.to())
        };
        if checkers.into_iter().any(along) {
            events.insert(Event::KingRefusedAlongRay);
        }
        return;
    }
    if pinned.contains(mv.from()) && !checkers.any() {
        events.insert(Event::PinnedPieceRefused);
    }
    let answers = |checker| between(king, checker).contains(mv.to()) || checker == mv.to();
    if checkers.many() && checkers.into_iter().any(answers) {
        events.insert(Event::DoubleCheckRefusedNonKing);
    }
}

/// Why this capture en passant, which leaves the king attacked, does so.
fn refused_en_passant(position: &Position, from: Square, to: Square, events: &mut Events) {
    let king = position.king(position.turn());
    if position.is_check() {
        events.insert(Event::EnPassantRefusedInCheck);
        return;
    }
    for attacker in attackers_after_en_passant(position, from, to) {
        if attacker.rank() == king.rank() {
            events.insert(Event::EnPassantRefusedRank);
        } else if attacker.file() == king.file() {
            events.insert(Event::EnPassantRefusedFile);
        } else {
            events.insert(Event::EnPassantRefusedDiagonal);
        }
    }
}

/// The enemy pieces that attack the king after a capture en passant.
fn attackers_after_en_passant(position: &Position, from: Square, to: Square) -> Bitboard {
    let (board, us) = (position.board(), position.turn());
    let captured = Bitboard::of(Square::new(to.file(), from.rank()));
    let occupied = board.occupied().without(captured | from.into()) | to.into();
    attackers(board, !us, position.king(us), occupied).without(captured)
}

/// The captures en passant that a double push offers by shape and the king's safety forbids.
///
/// They are told when the pawn passes: a position in which no capture is legal forgets the square (R3).
fn refused_after_double_push(after: &Position, passed: Square, events: &mut Events) {
    let pawns = Piece { color: after.turn(), role: Role::Pawn };
    let from_passed = Pawn(!after.turn()).attacks(passed);
    for from in after.board().pieces(pawns) & from_passed {
        if attackers_after_en_passant(after, from, passed).any() {
            refused_en_passant(after, from, passed, events);
        }
    }
}

/// Why this castling, for which all squares are empty, is not legal.
fn refused_castling(position: &Position, castling: Move, events: &mut Events) {
    let path = CastlingPath::new(castling.from(), castling.to());
    let (board, enemy) = (position.board(), !position.turn());
    let attacked = |square, occupied| attackers(board, enemy, square, occupied).any();
    let without_king = board.occupied().without(path.king_from.into());
    let crosses = between(path.king_from, path.king_to).into_iter();
    events.insert(if position.is_check() {
        Event::CastleRefusedInCheck
    } else if crosses.into_iter().any(|square| attacked(square, without_king)) {
        Event::CastleRefusedCrossing
    } else if attacked(path.king_to, without_king) {
        Event::CastleRefusedDestination
    } else {
        Event::CastleRefusedRookShield
    });
}

fn blocked_castlings(position: &Position, events: &mut Events) {
    let king = position.king(position.turn());
    let occupied = position.board().occupied();
    let blocked = |rook| (CastlingPath::new(king, rook).must_be_empty() & occupied).any();
    let mut rooks = position.castling().rooks_of(position.turn()).into_iter();
    if !position.is_check() && rooks.any(blocked) {
        events.insert(Event::CastleRefusedBlocked);
    }
}

/// The pieces of the side to move that alone stand between their king and an enemy slider.
fn pins(position: &Position) -> Bitboard {
    let (board, us) = (position.board(), position.turn());
    let king = position.king(us);
    let of_slider = |slider: Slider, roles: [Role; 2]| {
        let snipers = board.role(roles[0]) | board.role(roles[1]);
        (slider.attacks(king, board.color(!us)) & snipers & board.color(!us))
            .into_iter()
            .map(|sniper| between(king, sniper) & board.occupied())
            .filter(|blockers| blockers.len() == 1)
            .fold(Bitboard::EMPTY, |pins, blocker| pins | blocker)
    };
    of_slider(Slider::Bishop, [Role::Bishop, Role::Queen])
        | of_slider(Slider::Rook, [Role::Rook, Role::Queen])
}

fn attackers(board: &Board, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    board.attackers_to(square, occupied) & board.color(color)
}

fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

fn insert_true(events: &mut Events, facts: &[(Event, bool)]) {
    for &(event, is_true) in facts {
        if is_true {
            events.insert(event);
        }
    }
}
