//! The library shakmaty, which keeps the rules of lichess.

use ::shakmaty::fen::Fen;
use ::shakmaty::{self as sm, CastlingMode, Chess, EnPassantMode, Position as _, PositionError};
use ::touchmove::{Color, Move, Position, PromotionRole, Square, UciMode};

use super::{Referee, Silence, Status};

/// shakmaty, set up so that it also takes positions with too much material or impossible checks: their
/// move lists are worth comparing.
#[derive(Debug, Default)]
pub struct Shakmaty {
    position: Chess,
    before: Vec<Chess>,
}

impl Shakmaty {
    fn perft(position: &Chess, depth: u32) -> u64 {
        let moves = position.legal_moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.into_iter().map(|mv| Shakmaty::count_after(position, mv, depth - 1)).sum(),
        }
    }

    fn count_after(position: &Chess, mv: sm::Move, depth: u32) -> u64 {
        let mut after = position.clone();
        after.play_unchecked(mv);
        Shakmaty::perft(&after, depth)
    }

    fn find(&self, mv: Move) -> Option<sm::Move> {
        self.position.legal_moves().into_iter().find(|&theirs| to_move(theirs) == Some(mv))
    }
}

impl Referee for Shakmaty {
    fn name(&self) -> &str {
        "shakmaty"
    }

    fn set(&mut self, fen: &str, mode: UciMode) -> Result<(), Silence> {
        let abstains = |why: String| Silence::Abstains(why);
        let fen: Fen = fen.parse().map_err(|error| abstains(format!("{error}")))?;
        let mode = match mode {
            UciMode::Standard => CastlingMode::Standard,
            UciMode::Chess960 => CastlingMode::Chess960,
        };
        self.position = fen
            .into_position(mode)
            .or_else(PositionError::<Chess>::ignore_too_much_material)
            .or_else(PositionError::<Chess>::ignore_impossible_check)
            .map_err(|error| abstains(error.to_string()))?;
        self.before.clear();
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), Silence> {
        let theirs = self.find(mv).ok_or_else(|| {
            Silence::Failed(format!("asked to play {mv:?}, which it does not list"))
        })?;
        self.before.push(self.position.clone());
        self.position.play_unchecked(theirs);
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Silence> {
        self.position = self.before.pop().expect("a move was played");
        Ok(())
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, Silence> {
        self.position
            .legal_moves()
            .into_iter()
            .map(|mv| to_move(mv).ok_or_else(|| Silence::Failed(format!("lists {mv:?}"))))
            .collect()
    }

    fn status(&mut self) -> Result<Status, Silence> {
        Ok(Status {
            turn: match self.position.turn() {
                sm::Color::White => Color::White,
                sm::Color::Black => Color::Black,
            },
            check: self.position.is_check(),
            stuck: self.position.legal_moves().is_empty(),
        })
    }

    fn fen(&mut self) -> Result<String, Silence> {
        Ok(Fen::from_position(&self.position, EnPassantMode::Legal).to_string())
    }

    fn divide(&mut self, depth: u32) -> Result<Vec<(Move, u64)>, Silence> {
        let moves = self.position.legal_moves().into_iter();
        moves
            .map(|theirs| {
                let mv =
                    to_move(theirs).ok_or_else(|| Silence::Failed(format!("lists {theirs:?}")))?;
                Ok((mv, Shakmaty::count_after(&self.position, theirs, depth - 1)))
            })
            .collect()
    }
}

/// A move of shakmaty's in our words; none for a dropped piece or a promotion to king or pawn.
pub(crate) fn to_move(mv: sm::Move) -> Option<Move> {
    Some(match mv {
        sm::Move::Normal { from, to, promotion: None, .. } => {
            Move::normal(to_square(from), to_square(to))
        }
        sm::Move::Normal { from, to, promotion: Some(role), .. } => {
            let role = PromotionRole::from_char(role.char())?;
            Move::promotion(to_square(from), to_square(to), role)
        }
        sm::Move::EnPassant { from, to } => Move::en_passant(to_square(from), to_square(to)),
        sm::Move::Castle { king, rook } => Move::castling(to_square(king), to_square(rook))?,
        sm::Move::Put { .. } => return None,
    })
}

/// A position as shakmaty's set-up, built without text.
pub(crate) fn to_setup(position: &Position) -> Option<sm::Setup> {
    let mut setup = sm::Setup::empty();
    for square in position.board().occupied() {
        let piece = position.board().piece_at(square)?;
        let role = sm::Role::from_char(piece.role.char())?;
        let color = sm::Color::from_white(piece.color == Color::White);
        setup.board.set_piece_at(from_square(square), role.of(color));
    }
    setup.turn = sm::Color::from_white(position.turn() == Color::White);
    setup.castling_rights = sm::Bitboard(position.castling().rooks().0);
    setup.ep_square = position.en_passant().map(from_square);
    setup.halfmoves = position.halfmove_clock().into();
    setup.fullmoves = u32::from(position.move_number()).try_into().ok()?;
    Some(setup)
}

fn from_square(square: Square) -> sm::Square {
    sm::Square::new(square.index() as u32)
}

fn to_square(square: sm::Square) -> Square {
    Square::from_index(u8::from(square)).expect("both number squares from a1 to h8")
}
