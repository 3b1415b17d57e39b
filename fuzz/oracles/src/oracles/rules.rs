//! What oracles ask of the engine, and engines with one lie told on top.

use touchmove::{
    CastlingRights, Key, Move, MoveKind, MoveList, NullMoveInCheck, NullUndo, PgnGame, Position,
    San, SanPlay, Square, Undo, perft,
};

/// The engine as the oracles see it. Every method stands for the method of [`Position`] of that name.
#[allow(missing_docs, reason = "the names are those of the engine")]
pub trait Rules: Sync {
    fn legal_moves_into(&self, position: &Position, moves: &mut MoveList) {
        position.legal_moves_into(moves);
    }

    fn legal_moves_by_trial(&self, position: &mut Position) -> MoveList {
        position.legal_moves_by_trial()
    }

    fn is_legal(&self, position: &Position, mv: Move) -> bool {
        position.is_legal(mv)
    }

    fn make(&self, position: &mut Position, mv: Move) -> Undo {
        position.make(mv)
    }

    fn unmake(&self, position: &mut Position, mv: Move, undo: Undo) {
        position.unmake(mv, undo);
    }

    fn make_null(&self, position: &mut Position) -> Result<NullUndo, NullMoveInCheck> {
        position.make_null()
    }

    fn unmake_null(&self, position: &mut Position, undo: NullUndo) {
        position.unmake_null(undo);
    }

    fn key(&self, position: &Position) -> Key {
        position.key()
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        perft(position, depth)
    }

    fn san(&self, position: &Position, mv: Move) -> String {
        San::of(position, mv).to_string()
    }

    fn read_san(&self, position: &Position, text: &str) -> Option<Move> {
        text.parse::<San>().ok()?.resolve(position).ok()
    }

    fn write_game(&self, game: &PgnGame) -> String {
        game.to_string()
    }
}

/// The engine as it is.
#[derive(Clone, Copy, Debug)]
pub struct Honest;

impl Rules for Honest {}

/// The engine with one error, of a kind that has happened to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lies {
    /// The fast route never lists castling with a rook on this square.
    DropsCastling(Square),
    /// Unmake does not give a right back that the move has cost.
    KeepsRightLost,
    /// Unmake leaves the halfmove clock one too high.
    ClockOffByOne,
    /// Unmake forgets the en passant square.
    ForgetsEnPassant,
    /// Taking back a null move does not restore the halfmove clock.
    NullMoveLeavesClock,
    /// The trial route lists a capture en passant that the rank pins.
    TrialKeepsMoves,
    /// `is_legal` says yes to every castling.
    TrustsCastling,
    /// The key does not know the castling rights.
    KeyWithoutRights,
    /// The key does not know whose turn it is.
    KeyWithoutTurn,
    /// The count of three plies is one too many for Black.
    MiscountsForBlack,
    /// Make panics where it is to castle.
    PanicsOnCastling,
    /// Make never ends where it is to promote.
    HangsOnPromotion,
    /// A text in algebraic notation has a file where the rank tells.
    SanForgetsRanks,
    /// Castling has no mark for check.
    SanCastlesUnmarked,
    /// Where a text names two moves, the first is played.
    SanGuesses,
    /// A small b is read as a bishop where no pawn's move is meant.
    SanReadsSmallBishops,
    /// A promotion that does not name its piece is to a queen.
    SanPromotesUnasked,
    /// A king steps where it is asked to.
    SanTrustsKings,
    /// A game is written without its signs.
    PgnForgetsSigns,
    /// Quotation marks and backslashes stand in tags as they are.
    PgnWritesTagsBare,
}

impl Rules for Lies {
    fn legal_moves_into(&self, position: &Position, moves: &mut MoveList) {
        position.legal_moves_into(moves);
        if let Lies::DropsCastling(rook) = self {
            moves.retain(|mv| mv.kind() != MoveKind::Castling || mv.to() != *rook);
        }
    }

    fn legal_moves_by_trial(&self, position: &mut Position) -> MoveList {
        match self {
            Lies::TrialKeepsMoves => position.pseudo_legal_moves(),
            _ => position.legal_moves_by_trial(),
        }
    }

    fn is_legal(&self, position: &Position, mv: Move) -> bool {
        let trusted = *self == Lies::TrustsCastling && mv.kind() == MoveKind::Castling;
        position.is_legal(mv) || trusted && position.castling().rooks().contains(mv.to())
    }

    fn make(&self, position: &mut Position, mv: Move) -> Undo {
        match (self, mv.kind()) {
            (Lies::PanicsOnCastling, MoveKind::Castling) => panic!("planted: no castling"),
            (Lies::HangsOnPromotion, MoveKind::Promotion(_)) => loop {
                std::thread::park();
            },
            _ => position.make(mv),
        }
    }

    fn unmake(&self, position: &mut Position, mv: Move, undo: Undo) {
        let rights_after = position.castling();
        position.unmake(mv, undo);
        match self {
            Lies::KeepsRightLost => {
                change(position, |setup| {
                    setup.castling = only(setup.castling, rights_after);
                });
            }
            Lies::ClockOffByOne => change(position, |setup| setup.halfmove_clock += 1),
            Lies::ForgetsEnPassant => change(position, |setup| setup.en_passant = None),
            _ => {}
        }
    }

    fn unmake_null(&self, position: &mut Position, undo: NullUndo) {
        position.unmake_null(undo);
        if *self == Lies::NullMoveLeavesClock {
            change(position, |setup| setup.halfmove_clock += 1);
        }
    }

    fn key(&self, position: &Position) -> Key {
        let mut other = *position;
        match self {
            Lies::KeyWithoutRights => change(&mut other, |setup| {
                setup.castling = CastlingRights::EMPTY;
            }),
            Lies::KeyWithoutTurn if !position.is_check() => {
                change(&mut other, |setup| {
                    setup.turn = touchmove::Color::White;
                    setup.en_passant = None;
                });
            }
            _ => {}
        }
        other.key()
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        let black = position.turn() == touchmove::Color::Black;
        let extra = *self == Lies::MiscountsForBlack && black && depth == 3;
        perft(position, depth) + u64::from(extra)
    }

    fn san(&self, position: &Position, mv: Move) -> String {
        let mut san = San::of(position, mv);
        match (self, &mut san.play) {
            (Lies::SanForgetsRanks, SanPlay::Board { from_file, from_rank, .. }) => {
                *from_file = from_file.or(from_rank.map(|_| mv.from().file()));
                *from_rank = None;
            }
            (Lies::SanCastlesUnmarked, SanPlay::Castling(_)) => san.mark = None,
            _ => {}
        }
        san.to_string()
    }

    fn read_san(&self, position: &Position, text: &str) -> Option<Move> {
        let read = |text: &str| Some(text.parse::<San>().ok()?.resolve(position));
        let resolved = read(text);
        match self {
            Lies::SanGuesses => match resolved? {
                Err(ambiguous) => ambiguous.candidates().first().copied(),
                Ok(mv) => Some(mv),
            },
            Lies::SanReadsSmallBishops if text.starts_with('b') => {
                resolved.and_then(Result::ok).or_else(|| read(&text.replacen('b', "B", 1))?.ok())
            }
            Lies::SanPromotesUnasked => {
                resolved.and_then(Result::ok).or_else(|| read(&format!("{text}=Q"))?.ok())
            }
            Lies::SanTrustsKings => resolved.and_then(Result::ok).or_else(|| {
                let to = text.strip_prefix('K')?.parse().ok()?;
                Some(Move::normal(position.king(position.turn()), to))
            }),
            _ => resolved?.ok(),
        }
    }

    fn write_game(&self, game: &PgnGame) -> String {
        let text = game.to_string();
        match self {
            Lies::PgnForgetsSigns => {
                text.split(' ').filter(|word| !word.starts_with('$')).collect::<Vec<_>>().join(" ")
            }
            Lies::PgnWritesTagsBare => text.replace("\\\\", "\\").replace("\\\"", "\""),
            _ => text,
        }
    }
}

/// Those rights that are also among the others.
fn only(rights: CastlingRights, others: CastlingRights) -> CastlingRights {
    rights.without(!others.rooks())
}

/// Changes what a position says of itself, where the result is still a position.
fn change(position: &mut Position, change: impl FnOnce(&mut touchmove::Setup)) {
    let mut setup = position.to_setup();
    change(&mut setup);
    if let Ok(changed) = setup.validate() {
        *position = changed;
    }
}
