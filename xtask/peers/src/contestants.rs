//! The move generators, each by the fastest way that it offers to everybody.

use std::error::Error;
use std::str::FromStr;

use chess::MoveGen;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Position as _};
use touchmove::{MoveList, Position, perft, perft_factored};

/// Who counts.
pub(crate) trait Contestant: Sized {
    /// Sets up a position.
    fn at(fen: &str) -> Result<Self, Box<dyn Error>>;

    /// Counts paths; the moves of the last ply need not be played.
    fn perft(&mut self, depth: u32) -> u64;

    /// Counts paths by factors, where it can.
    fn factored(&mut self, depth: u32) -> u64 {
        self.perft(depth)
    }

    /// Counts paths and plays every move of each.
    fn walk(&mut self, depth: u32) -> u64;
}

/// This project's.
pub(crate) struct Touchmove(Position);

impl Contestant for Touchmove {
    fn at(fen: &str) -> Result<Touchmove, Box<dyn Error>> {
        Ok(Touchmove(fen.parse()?))
    }

    fn perft(&mut self, depth: u32) -> u64 {
        perft(&self.0, depth)
    }

    fn factored(&mut self, depth: u32) -> u64 {
        perft_factored(&self.0, depth)
    }

    fn walk(&mut self, depth: u32) -> u64 {
        walk(&mut self.0, &mut vec![MoveList::new(); depth as usize])
    }
}

fn walk(position: &mut Position, lists: &mut [MoveList]) -> u64 {
    let Some((moves, lists)) = lists.split_first_mut() else { return 1 };
    position.legal_moves_into(moves);
    let mut paths = 0;
    for &mv in moves.iter() {
        let undo = position.make(mv);
        paths += walk(position, lists);
        position.unmake(mv, undo);
    }
    paths
}

/// cozy-chess, which copies the board for each move.
pub(crate) struct Cozy(cozy_chess::Board);

impl Contestant for Cozy {
    fn at(fen: &str) -> Result<Cozy, Box<dyn Error>> {
        let board = cozy_chess::Board::from_fen(fen, false);
        Ok(Cozy(board.map_err(|error| error.to_string())?))
    }

    fn perft(&mut self, depth: u32) -> u64 {
        count_by_cozy(&self.0, depth, 1)
    }

    fn walk(&mut self, depth: u32) -> u64 {
        count_by_cozy(&self.0, depth, 0)
    }
}

/// Plays moves until so many plies are left, which are counted: one, or none.
fn count_by_cozy(board: &cozy_chess::Board, depth: u32, counted: u32) -> u64 {
    let mut paths = 0;
    if depth == 0 {
        return 1;
    }
    board.generate_moves(|moves| {
        if depth == counted {
            paths += moves.len() as u64;
        } else {
            for mv in moves {
                let mut after = board.clone();
                after.play_unchecked(mv);
                paths += count_by_cozy(&after, depth - 1, counted);
            }
        }
        false
    });
    paths
}

/// shakmaty, which copies as well.
pub(crate) struct Shakmaty(shakmaty::Chess);

impl Contestant for Shakmaty {
    fn at(fen: &str) -> Result<Shakmaty, Box<dyn Error>> {
        Ok(Shakmaty(fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?))
    }

    fn perft(&mut self, depth: u32) -> u64 {
        shakmaty::perft(&self.0, depth)
    }

    fn walk(&mut self, depth: u32) -> u64 {
        walk_by_shakmaty(&self.0, depth)
    }
}

fn walk_by_shakmaty(position: &shakmaty::Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let below = |&mv: &shakmaty::Move| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        walk_by_shakmaty(&after, depth - 1)
    };
    position.legal_moves().iter().map(below).sum()
}

/// The crate `chess`, which copies as well.
pub(crate) struct Chess(chess::Board);

impl Contestant for Chess {
    fn at(fen: &str) -> Result<Chess, Box<dyn Error>> {
        let board = chess::Board::from_str(fen);
        Ok(Chess(board.map_err(|error| error.to_string())?))
    }

    fn perft(&mut self, depth: u32) -> u64 {
        MoveGen::movegen_perft_test(&self.0, depth as usize) as u64
    }

    fn walk(&mut self, depth: u32) -> u64 {
        walk_by_chess(&self.0, depth)
    }
}

fn walk_by_chess(board: &chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    MoveGen::new_legal(board).map(|mv| walk_by_chess(&board.make_move_new(mv), depth - 1)).sum()
}
