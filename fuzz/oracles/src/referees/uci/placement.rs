//! Which piece stands where, and which move a text means there. No turn, no rights, no rules.

use touchmove::{
    File, Move, MoveKind, Piece, Position, PromotionRole, Rank, Role, Square, UciMode,
};

/// Which piece stands where. No turn, no rights and no rules, so that it follows any move whatever.
#[derive(Clone, Debug)]
pub(super) struct Placement([Option<Piece>; 64]);

impl Placement {
    pub(super) fn of(position: &Position) -> Placement {
        let mut squares = [None; 64];
        for square in Square::all() {
            squares[square.index()] = position.board().piece_at(square);
        }
        Placement(squares)
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.0[square.index()]
    }

    pub(super) fn after(&self, mv: Move) -> Placement {
        let mut next = self.clone();
        let (from, to) = (mv.from(), mv.to());
        let piece = next.0[from.index()].take();
        match mv.kind() {
            MoveKind::Normal => next.0[to.index()] = piece,
            MoveKind::Promotion(role) => {
                next.0[to.index()] = piece.map(|pawn| Piece { role: role.role(), ..pawn });
            }
            MoveKind::EnPassant => {
                next.0[to.index()] = piece;
                next.0[Square::new(to.file(), from.rank()).index()] = None;
            }
            MoveKind::Castling => {
                let rook = next.0[to.index()].take();
                let (king_file, rook_file) =
                    if to.file() > from.file() { (File::G, File::F) } else { (File::C, File::D) };
                next.0[Square::new(king_file, from.rank()).index()] = piece;
                next.0[Square::new(rook_file, from.rank()).index()] = rook;
            }
        }
        next
    }

    /// The move a UCI text means here, legal or not; none where no move can mean it: no piece to
    /// move, a promotion by something else than a pawn, a king that leaps but does not castle.
    pub(super) fn read_move(&self, text: &str, mode: UciMode) -> Option<Move> {
        let from: Square = text.get(0..2)?.parse().ok()?;
        let to: Square = text.get(2..4)?.parse().ok()?;
        let piece = self.at(from).filter(|_| from != to)?;
        if let Some(letter) = text.get(4..).filter(|letter| !letter.is_empty()) {
            let mut letters = letter.chars();
            let role = PromotionRole::from_char(letters.next()?)?;
            let promotes =
                piece.role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
            let whole = letters.next().is_none();
            return (promotes && whole).then(|| Move::promotion(from, to, role));
        }
        match piece.role {
            Role::King => self.read_king_move(from, to, mode),
            Role::Pawn if from.file() != to.file() && self.at(to).is_none() => {
                Some(Move::en_passant(from, to))
            }
            _ => Some(Move::normal(from, to)),
        }
    }

    /// Castling is written king-takes-rook, in standard chess also as two steps of the king (R9).
    fn read_king_move(&self, from: Square, to: Square, mode: UciMode) -> Option<Move> {
        let king = self.at(from)?;
        if self.at(to) == Some(Piece { role: Role::Rook, ..king }) {
            return Move::castling(from, to);
        }
        let steps = (from.file().index().abs_diff(to.file().index()))
            .max(from.rank().index().abs_diff(to.rank().index()));
        if steps < 2 {
            return Some(Move::normal(from, to));
        }
        let corner = match (from.file(), to.file()) {
            (File::E, File::G) => File::H,
            (File::E, File::C) => File::A,
            _ => return None,
        };
        let castles = mode == UciMode::Standard && from.rank() == to.rank();
        castles.then(|| Move::castling(from, Square::new(corner, from.rank())))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, text: &str, mode: UciMode) -> Option<Move> {
        Placement::of(&fen.parse().unwrap()).read_move(text, mode)
    }

    /// R9: e1g1 in standard chess, e1h1 in Chess960 mode.
    #[test]
    fn castling_is_read_as_the_mode_writes_it() {
        use UciMode::{Chess960, Standard};
        const FEN: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let short = Move::castling(Square::E1, Square::H1);
        assert_eq!(read(FEN, "e1g1", Standard), short);
        assert_eq!(read(FEN, "e1h1", Standard), short);
        assert_eq!(read(FEN, "e1h1", Chess960), short);
        assert_eq!(read(FEN, "e1g1", Chess960), None);
        assert_eq!(read(FEN, "e8c8", Standard), Move::castling(Square::E8, Square::A8));
        assert_eq!(read(FEN, "e1f1", Standard), Some(Move::normal(Square::E1, Square::F1)));
        assert_eq!(read(FEN, "e1e3", Standard), None);
    }

    #[test]
    fn pawn_moves_are_read_by_what_stands_where() {
        const FEN: &str = "4k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let read = |text| read(FEN, text, UciMode::Standard);
        assert_eq!(read("e5d6"), Some(Move::en_passant(Square::E5, Square::D6)));
        assert_eq!(read("e5e6"), Some(Move::normal(Square::E5, Square::E6)));
        assert_eq!(
            read("a7a8n"),
            Some(Move::promotion(Square::A7, Square::A8, PromotionRole::Knight))
        );
        for text in ["a7a8k", "a7a8Q", "e5e6q", "e1e2q", "b1b2", "e5e5"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("e1d1"), Some(Move::normal(Square::E1, Square::D1)));
    }

    #[test]
    fn the_placement_follows_every_kind_of_move() {
        let after = |fen: &str, mv: Move| {
            let next = Placement::of(&fen.parse().unwrap()).after(mv);
            let men = Square::all().filter_map(|square| {
                next.at(square).map(|piece| format!("{}{square}", piece.char()))
            });
            men.collect::<Vec<_>>().join(" ")
        };
        let castle = Move::castling(Square::F1, Square::G1).unwrap();
        assert_eq!(after("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", castle), "Rf1 Kg1 ke8");
        let castle = Move::castling(Square::C1, Square::A1).unwrap();
        assert_eq!(after("4k3/8/8/8/8/8/8/R1K5 w A - 0 1", castle), "Kc1 Rd1 ke8");
        let capture = Move::en_passant(Square::E5, Square::D6);
        assert_eq!(after("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", capture), "Ke1 Pd6 ke8");
        let promotion = Move::promotion(Square::A7, Square::A8, PromotionRole::Rook);
        assert_eq!(after("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", promotion), "Ke1 Ra8 ke8");
    }
}
