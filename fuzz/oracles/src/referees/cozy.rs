//! The library cozy-chess.

use ::touchmove::{Color, Move, Position, PromotionRole, Square, UciMode};
use cozy_chess::{self as cozy, Board};

use super::{Referee, Silence, Status};

/// cozy-chess. It holds sixteen men a side, two checkers and a halfmove clock of a hundred at most,
/// and abstains beyond.
#[derive(Debug, Default)]
pub struct CozyChess {
    board: Board,
    before: Vec<Board>,
}

impl CozyChess {
    fn list(&self) -> Vec<cozy::Move> {
        let mut list = Vec::new();
        self.board.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        list
    }

    fn perft(board: &Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            nodes += match depth {
                1 => moves.len() as u64,
                _ => moves.into_iter().map(|mv| CozyChess::count_after(board, mv, depth - 1)).sum(),
            };
            false
        });
        nodes
    }

    fn count_after(board: &Board, mv: cozy::Move, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut after = board.clone();
        after.play_unchecked(mv);
        CozyChess::perft(&after, depth)
    }

    fn to_move(&self, mv: cozy::Move) -> Result<Move, Silence> {
        let (from, to) = (to_square(mv.from), to_square(mv.to));
        let piece = self.board.piece_on(mv.from);
        let same_file = mv.from.file() == mv.to.file();
        if let Some(role) = mv.promotion {
            let role = PromotionRole::ALL[match role {
                cozy::Piece::Queen => 0,
                cozy::Piece::Rook => 1,
                cozy::Piece::Bishop => 2,
                cozy::Piece::Knight => 3,
                _ => return Err(Silence::Failed(format!("lists {mv:?}"))),
            }];
            return Ok(Move::promotion(from, to, role));
        }
        match (piece, self.board.color_on(mv.to)) {
            (Some(cozy::Piece::King), Some(color)) if color == self.board.side_to_move() => {
                Move::castling(from, to).ok_or_else(|| Silence::Failed(format!("lists {mv:?}")))
            }
            (Some(cozy::Piece::Pawn), None) if !same_file => Ok(Move::en_passant(from, to)),
            _ => Ok(Move::normal(from, to)),
        }
    }
}

impl Referee for CozyChess {
    fn name(&self) -> &str {
        "cozy"
    }

    fn set(&mut self, fen: &str, _: UciMode) -> Result<(), Silence> {
        let position: Position =
            fen.parse().map_err(|_| Silence::Abstains("not a FEN of a position".into()))?;
        self.board = Board::from_fen(&shredder_fen(&position), true)
            .map_err(|error| Silence::Abstains(error.to_string()))?;
        self.before.clear();
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), Silence> {
        let theirs =
            self.list().into_iter().find(|&theirs| self.to_move(theirs) == Ok(mv)).ok_or_else(
                || Silence::Failed(format!("asked to play {mv:?}, which it does not list")),
            )?;
        self.before.push(self.board.clone());
        self.board.play_unchecked(theirs);
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Silence> {
        self.board = self.before.pop().expect("a move was played");
        Ok(())
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, Silence> {
        self.list().into_iter().map(|mv| self.to_move(mv)).collect()
    }

    fn status(&mut self) -> Result<Status, Silence> {
        Ok(Status {
            turn: match self.board.side_to_move() {
                cozy::Color::White => Color::White,
                cozy::Color::Black => Color::Black,
            },
            check: !self.board.checkers().is_empty(),
            stuck: self.list().is_empty(),
        })
    }

    /// cozy-chess keeps an en passant square that nobody can capture on, and writes rook files.
    fn fen(&mut self) -> Result<String, Silence> {
        Err(Silence::Abstains("writes FENs another way".into()))
    }

    fn divide(&mut self, depth: u32) -> Result<Vec<(Move, u64)>, Silence> {
        let count =
            |mv| Ok((self.to_move(mv)?, CozyChess::count_after(&self.board, mv, depth - 1)));
        self.list().into_iter().map(count).collect()
    }
}

/// The FEN with the files of the rooks as castling rights, the one form that cozy-chess always reads.
fn shredder_fen(position: &Position) -> String {
    let rights: String = Color::ALL
        .into_iter()
        .flat_map(|color| {
            let rooks = position.castling().rooks_of(color).into_iter();
            rooks.map(move |rook| match color {
                Color::White => rook.file().char().to_ascii_uppercase(),
                Color::Black => rook.file().char(),
            })
        })
        .collect();
    let fen = position.to_string();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    if !rights.is_empty() {
        fields[2] = &rights;
    }
    fields.join(" ")
}

fn to_square(square: cozy::Square) -> Square {
    Square::from_index(square as u8).expect("both number squares from a1 to h8")
}
