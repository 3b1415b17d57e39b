//! What a position is worth by the look of it: material, activity, pawns, the safety of the kings.
//!
//! Two sums are kept, for the middlegame and for the ending, and mixed by how many pieces are left. All numbers
//! are hundredths of a pawn.

use core::ops::{AddAssign, Mul, Neg};

use touchmove::{Bitboard, Board, Color, File, Piece, Position, Rank, Role, Square};

use crate::score::Score;

/// What the position is worth to its mover. Nobody asks what the moves would be.
pub(super) fn evaluate(position: &Position) -> Score {
    let board = position.board();
    if neither_can_mate(board) {
        return Score::DRAW;
    }
    let mut sum = Side::new(board, Color::White).worth();
    sum += -Side::new(board, Color::Black).worth();
    let white = sum.mix(pieces_left(board));
    let mover = if position.turn() == Color::White { white } else { -white };
    Score::of_centipawns(mover + TURN)
}

/// Whether no series of moves can mate for lack of material: kings and at most one knight or bishop
/// (FIDE 5.2.2, in part).
pub(super) fn neither_can_mate(board: &Board) -> bool {
    board.occupied().len() <= 3
        && (board.role(Role::Pawn) | board.role(Role::Rook) | board.role(Role::Queen)).is_empty()
}

/// What a piece is worth in general; a king nothing, since it is not for sale.
pub(super) fn value(role: Role) -> i32 {
    MATERIAL[role.index()].middlegame
}

/// Two sums in one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Worth {
    middlegame: i32,
    ending: i32,
}

impl Worth {
    const fn of(middlegame: i32, ending: i32) -> Worth {
        Worth { middlegame, ending }
    }

    /// The sum that counts with so many [`pieces_left`].
    fn mix(self, pieces: i32) -> i32 {
        (self.middlegame * pieces + self.ending * (PIECES_AT_START - pieces)) / PIECES_AT_START
    }
}

impl AddAssign for Worth {
    fn add_assign(&mut self, other: Worth) {
        self.middlegame += other.middlegame;
        self.ending += other.ending;
    }
}

impl Mul<i32> for Worth {
    type Output = Worth;

    fn mul(self, times: i32) -> Worth {
        Worth::of(self.middlegame * times, self.ending * times)
    }
}

impl Neg for Worth {
    type Output = Worth;

    fn neg(self) -> Worth {
        self * -1
    }
}

/// To be the one to move.
const TURN: i32 = 10;

const MATERIAL: [Worth; 6] = [
    Worth::of(90, 115),
    Worth::of(325, 300),
    Worth::of(335, 320),
    Worth::of(490, 540),
    Worth::of(970, 990),
    Worth::of(0, 0),
];

/// For each square a piece can go to without being taken by a pawn, from the usual number on.
const MOBILITY: [Worth; 6] = [
    Worth::of(0, 0),
    Worth::of(5, 5),
    Worth::of(5, 5),
    Worth::of(2, 4),
    Worth::of(1, 2),
    Worth::of(0, 0),
];
const MOBILITY_USUAL: [i32; 6] = [0, 4, 6, 7, 13, 0];

/// For each step nearer to the centre than the corner is, 0–6.
const CENTRALITY: [Worth; 6] = [
    Worth::of(3, 0),
    Worth::of(5, 4),
    Worth::of(3, 3),
    Worth::of(0, 1),
    Worth::of(0, 3),
    Worth::of(-8, 9),
];

const BISHOP_PAIR: Worth = Worth::of(25, 45);
const DOUBLED_PAWN: Worth = Worth::of(-8, -18);
const ISOLATED_PAWN: Worth = Worth::of(-12, -12);
/// A pawn that no enemy pawn can stop, by the rank it has reached.
const PASSED_PAWN: [Worth; 8] = [
    Worth::of(0, 0),
    Worth::of(2, 8),
    Worth::of(4, 14),
    Worth::of(10, 28),
    Worth::of(24, 52),
    Worth::of(48, 90),
    Worth::of(80, 140),
    Worth::of(0, 0),
];
const ROOK_ON_OPEN_FILE: Worth = Worth::of(22, 8);
const ROOK_ON_HALF_OPEN_FILE: Worth = Worth::of(10, 6);
/// A pawn on one of the six squares in front of its king.
const SHIELD_PAWN: Worth = Worth::of(9, 0);

/// How much an attack on a square beside the enemy king weighs.
const KING_ATTACK: [i32; 6] = [0, 2, 2, 3, 4, 0];
const KING_ATTACK_MAX: i32 = 40;

/// A side with nothing left but pawns or less is driven to the edge, and the winner's king comes near.
const DRIVEN_FROM_CENTRE: Worth = Worth::of(0, 10);
const KING_COMES_NEAR: Worth = Worth::of(0, 6);

/// How many pieces are left, a minor piece counting 1, a rook 2, a queen 4; 24 is as many as at the start.
fn pieces_left(board: &Board) -> i32 {
    const COUNTS: [u32; 6] = [0, 1, 1, 2, 4, 0];
    let count = |role: Role| board.role(role).len() * COUNTS[role.index()];
    (Role::ALL.into_iter().map(count).sum::<u32>() as i32).min(PIECES_AT_START)
}

const PIECES_AT_START: i32 = 24;

/// One side of the board, as far as its worth is concerned.
struct Side<'a> {
    board: &'a Board,
    color: Color,
    own: Bitboard,
    pawns: Bitboard,
    enemy_pawns: Bitboard,
    enemy_pawn_attacks: Bitboard,
    king: Square,
    enemy_king: Square,
}

impl<'a> Side<'a> {
    fn new(board: &'a Board, color: Color) -> Side<'a> {
        let pawns = |color| board.role(Role::Pawn) & board.color(color);
        // A position has both kings; a bare board is worth nothing whatever square is taken.
        let king = |color| board.king(color).unwrap_or(Square::A1);
        Side {
            board,
            color,
            own: board.color(color),
            pawns: pawns(color),
            enemy_pawns: pawns(!color),
            enemy_pawn_attacks: pawn_attacks(pawns(!color), !color),
            king: king(color),
            enemy_king: king(!color),
        }
    }

    fn worth(&self) -> Worth {
        let mut worth = self.pieces();
        worth += self.pawn_structure();
        worth += SHIELD_PAWN * self.shield_pawns();
        worth += self.hunt();
        worth
    }

    /// Material, place and mobility of all pieces, and what they attack beside the enemy king.
    fn pieces(&self) -> Worth {
        let occupied = self.board.occupied();
        let beside_king = king_attacks(self.enemy_king);
        let mut worth = Worth::default();
        let mut attack = 0;
        let mut attackers = 0;
        for role in Role::ALL {
            for square in self.board.role(role) & self.own {
                worth += MATERIAL[role.index()];
                worth += CENTRALITY[role.index()] * centrality(square);
                if matches!(role, Role::Pawn | Role::King) {
                    continue;
                }
                let attacks = Piece { color: self.color, role }.attacks(square, occupied);
                let free = attacks.without(self.own | self.enemy_pawn_attacks).len() as i32;
                worth += MOBILITY[role.index()] * (free - MOBILITY_USUAL[role.index()]);
                let on_king = (attacks & beside_king).len() as i32;
                attack += KING_ATTACK[role.index()] * on_king;
                attackers += i32::from(on_king > 0);
                if role == Role::Rook {
                    worth += self.rook_file(square.file());
                }
            }
        }
        if (self.board.role(Role::Bishop) & self.own).many() {
            worth += BISHOP_PAIR;
        }
        if attackers >= 2 {
            let attack = attack.min(KING_ATTACK_MAX);
            worth += Worth::of(attack * attack / 4, attack);
        }
        worth
    }

    fn rook_file(&self, file: File) -> Worth {
        let file = Bitboard::from(file);
        match ((file & self.pawns).is_empty(), (file & self.enemy_pawns).is_empty()) {
            (true, true) => ROOK_ON_OPEN_FILE,
            (true, false) => ROOK_ON_HALF_OPEN_FILE,
            _ => Worth::default(),
        }
    }

    fn pawn_structure(&self) -> Worth {
        let mut worth = Worth::default();
        for pawn in self.pawns {
            let file = Bitboard::from(pawn.file());
            let beside = beside(file);
            let ahead = ranks_ahead(self.color, pawn.rank());
            if (file & ahead & self.pawns).any() {
                worth += DOUBLED_PAWN;
            }
            if (beside & self.pawns).is_empty() {
                worth += ISOLATED_PAWN;
            }
            if ((file | beside) & ahead & self.enemy_pawns).is_empty() {
                worth += PASSED_PAWN[self.color.rank(pawn.rank()).index()];
            }
        }
        worth
    }

    fn shield_pawns(&self) -> i32 {
        let files = Bitboard::from(self.king.file());
        let two_ranks = [Rank::Second, Rank::Third].map(|rank| self.color.rank(rank));
        let near = two_ranks.into_iter().fold(Bitboard::EMPTY, |set, rank| set | rank.into());
        let ahead = ranks_ahead(self.color, self.king.rank());
        ((files | beside(files)) & near & ahead & self.pawns).len() as i32
    }

    /// How far the enemy king has been driven, if it has no piece and we have a mating one.
    fn hunt(&self) -> Worth {
        let pawns_and_kings = self.board.role(Role::Pawn) | self.board.role(Role::King);
        let enemy_pieces = self.board.color(!self.color).without(pawns_and_kings);
        let heavy = (self.board.role(Role::Rook) | self.board.role(Role::Queen)) & self.own;
        let minors = self.own.without(pawns_and_kings);
        if enemy_pieces.any() || self.enemy_pawns.any() || heavy.is_empty() && !minors.many() {
            return Worth::default();
        }
        let mut worth = DRIVEN_FROM_CENTRE * (6 - centrality(self.enemy_king));
        worth += KING_COMES_NEAR * (7 - distance(self.king, self.enemy_king));
        worth
    }
}

/// How many steps of a king's file and rank a square lies nearer to the centre than a corner: 0–6.
fn centrality(square: Square) -> i32 {
    let from_edge = |index: usize| index.min(7 - index) as i32;
    from_edge(square.file().index()) + from_edge(square.rank().index())
}

/// How many moves a king needs on an empty board.
fn distance(a: Square, b: Square) -> i32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks) as i32
}

fn king_attacks(square: Square) -> Bitboard {
    touchmove::Stepper::King.attacks(square)
}

/// The squares one file to the left and to the right.
fn beside(squares: Bitboard) -> Bitboard {
    let left = squares.without(File::A.into()).0 >> 1;
    let right = squares.without(File::H.into()).0 << 1;
    Bitboard(left | right)
}

fn pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(beside(pawns).0 << 8),
        Color::Black => Bitboard(beside(pawns).0 >> 8),
    }
}

/// All ranks in front of one.
fn ranks_ahead(color: Color, rank: Rank) -> Bitboard {
    let above_own = u64::MAX.checked_shl(8 * (color.rank(rank) as u32 + 1));
    let ahead = Bitboard(above_own.unwrap_or(0));
    if color == Color::White { ahead } else { ahead.flip() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn centipawns(fen: &str) -> i32 {
        evaluate(&fen.parse().unwrap()).centipawns().unwrap()
    }

    #[test]
    fn the_start_is_worth_the_turn_alone() {
        assert_eq!(evaluate(&Position::default()).centipawns(), Some(TURN));
    }

    /// What White is worth, Black is worth on the same board seen from the other side.
    #[test]
    fn both_colours_are_judged_alike() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/8/8/3k4/8/3K4/3Q4/8 b - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let setup = touchmove::Setup {
                board: *position.board(),
                turn: position.turn(),
                castling: position.castling(),
                en_passant: position.en_passant(),
                halfmove_clock: 0,
                move_number: 1,
            };
            let flipped = setup.flip().validate().unwrap();
            assert_eq!(evaluate(&position), evaluate(&flipped), "{fen}");
        }
    }

    #[test]
    fn more_material_is_worth_more() {
        let without_queen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(centipawns(without_queen) > 800);
        let black_to_move = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        assert!(centipawns(black_to_move) < -800);
    }

    #[test]
    fn a_passed_pawn_is_worth_more_the_farther_it_is() {
        let on_sixth = centipawns("4k3/8/P7/8/8/8/8/4K3 w - - 0 1");
        let on_second = centipawns("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
        assert!(on_sixth > on_second + 50, "{on_sixth} {on_second}");
    }

    #[test]
    fn a_lone_minor_piece_mates_nobody() {
        assert_eq!(centipawns("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1"), 0);
        assert!(centipawns("4k3/8/8/8/8/8/8/2R1K3 w - - 0 1") > 400);
    }

    #[test]
    fn a_board_of_queens_is_no_mate() {
        let fen = "knQQQQQ1/n6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQ1K w - - 0 1";
        assert!(centipawns(fen) > 20_000);
    }
}
