//! A slow, obvious second implementation of the rules of chess, Chess960 included.
//!
//! It is an independent witness: an array of eight times eight squares, rays walked step by step,
//! and every move tried on a copy of the position. It shares neither code nor ideas with the
//! engine; from there come only the types that all referees speak in.
//!
//! It trusts the FEN it is given to be a valid position, and judges only whether it can read it.

use touchmove::{Color, File, Move, MoveKind, PromotionRole, Rank, Square, UciMode};

use super::{Referee, Silence, Status};

/// The referee that knows the rules as a beginner does, and takes its time.
#[derive(Clone, Default, Debug)]
pub struct Naive {
    /// The position set up, and the one after each move played since.
    situations: Vec<Situation>,
}

impl Naive {
    /// A referee with no position yet.
    pub fn new() -> Naive {
        Naive::default()
    }

    fn now(&self) -> Result<&Situation, Silence> {
        self.situations.last().ok_or_else(|| Silence::Failed("no position is set up".into()))
    }
}

impl Referee for Naive {
    fn name(&self) -> &str {
        "naive"
    }

    /// Castling is read and written with the rook's own square in mind, so both modes are one.
    fn set(&mut self, fen: &str, _: UciMode) -> Result<(), Silence> {
        self.situations.clear();
        let situation = Situation::read(fen).map_err(|why| Silence::Abstains(why.into()))?;
        self.situations.push(situation);
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), Silence> {
        let now = self.now()?;
        if !now.legal_moves().contains(&mv) {
            return Err(Silence::Failed(format!("{mv:?} is not legal in {}", now.write())));
        }
        let next = now.after(mv);
        self.situations.push(next);
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Silence> {
        assert!(self.situations.len() > 1, "no move is left to take back");
        self.situations.pop();
        Ok(())
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, Silence> {
        Ok(self.now()?.legal_moves())
    }

    fn status(&mut self) -> Result<Status, Silence> {
        let now = self.now()?;
        let check = now.king_is_attacked(now.turn);
        Ok(Status { turn: now.turn, check, stuck: now.legal_moves().is_empty() })
    }

    fn fen(&mut self) -> Result<String, Silence> {
        Ok(self.now()?.write())
    }

    fn divide(&mut self, depth: u32) -> Result<Vec<(Move, u64)>, Silence> {
        let now = self.now()?;
        let rest =
            depth.checked_sub(1).ok_or_else(|| Silence::Failed("divide by 0 plies".into()))?;
        Ok(now.legal_moves().into_iter().map(|mv| (mv, now.after(mv).paths(rest))).collect())
    }
}

// ---- What stands where ----

/// What a piece is, whichever its colour; each is known by its letter in FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Man {
    Pawn = b'p',
    Knight = b'n',
    Bishop = b'b',
    Rook = b'r',
    Queen = b'q',
    King = b'k',
}

impl Man {
    const ALL: [Man; 6] = [Man::Pawn, Man::Knight, Man::Bishop, Man::Rook, Man::Queen, Man::King];

    fn letter(self) -> char {
        self as u8 as char
    }

    fn promoted(role: PromotionRole) -> Man {
        match role {
            PromotionRole::Knight => Man::Knight,
            PromotionRole::Bishop => Man::Bishop,
            PromotionRole::Rook => Man::Rook,
            PromotionRole::Queen => Man::Queen,
        }
    }
}

/// A man of a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    color: Color,
    man: Man,
}

/// A square by its coordinates, both 0–7.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Spot {
    file: i8,
    rank: i8,
}

impl Spot {
    fn all() -> impl Iterator<Item = Spot> {
        (0..8).flat_map(|rank| (0..8).map(move |file| Spot { file, rank }))
    }

    fn of(square: Square) -> Spot {
        Spot { file: square.file() as i8, rank: square.rank() as i8 }
    }

    fn square(self) -> Square {
        Square::new(File::ALL[self.file as usize], Rank::ALL[self.rank as usize])
    }

    /// The spot so many files to the right and ranks up, unless that leaves the board.
    fn step(self, (files, ranks): (i8, i8)) -> Option<Spot> {
        let (file, rank) = (self.file + files, self.rank + ranks);
        ((0..8).contains(&file) && (0..8).contains(&rank)).then_some(Spot { file, rank })
    }
}

/// What a right to castle names: a king's colour, its wing, and the rook on that wing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Right {
    color: Color,
    king_side: bool,
    rook_file: i8,
}

impl Right {
    fn rook(self) -> Spot {
        Spot { file: self.rook_file, rank: back_rank(self.color) }
    }

    /// Where king and rook stand after castling (FIDE 3.8.2; the same squares in Chess960).
    fn destinations(self) -> (Spot, Spot) {
        let (king, rook) = if self.king_side { (6, 5) } else { (2, 3) };
        let rank = back_rank(self.color);
        (Spot { file: king, rank }, Spot { file: rook, rank })
    }

    /// The place in FEN's order: White before Black, king side before queen side.
    fn place(self) -> usize {
        2 * usize::from(self.color == Color::Black) + usize::from(!self.king_side)
    }
}

fn opponent(color: Color) -> Color {
    if color == Color::White { Color::Black } else { Color::White }
}

fn back_rank(color: Color) -> i8 {
    if color == Color::White { 0 } else { 7 }
}

/// The step in ranks of this colour's pawns.
fn forward(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

/// A position: all that a FEN says, and nothing that could be worked out from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Situation {
    /// By rank, then by file.
    squares: [[Option<Piece>; 8]; 8],
    turn: Color,
    rights: [Option<Right>; 4],
    /// The square that a pawn has just passed in its double step, or that the FEN names as such.
    passed: Option<Spot>,
    halfmove_clock: u16,
    move_number: u16,
}

impl Situation {
    fn at(&self, spot: Spot) -> Option<Piece> {
        self.squares[spot.rank as usize][spot.file as usize]
    }

    fn put(&mut self, spot: Spot, piece: Option<Piece>) {
        self.squares[spot.rank as usize][spot.file as usize] = piece;
    }

    fn has(&self, spot: Spot, color: Color, man: Man) -> bool {
        self.at(spot) == Some(Piece { color, man })
    }

    fn find(&self, color: Color, man: Man) -> impl Iterator<Item = Spot> {
        Spot::all().filter(move |&spot| self.has(spot, color, man))
    }

    /// The outermost rook between a wing's edge and the king: the one X-FEN means by `K` or `Q`.
    fn outermost_rook(&self, color: Color, king_side: bool) -> Option<i8> {
        let king = self.find(color, Man::King).next()?;
        let is_rook = |&file: &i8| self.has(Spot { file, ..king }, color, Man::Rook);
        if king_side { (king.file..8).rev().find(is_rook) } else { (0..king.file).find(is_rook) }
    }
}

// ---- Attacks ----

impl Situation {
    /// Whether any piece of this colour attacks the square (FIDE 3.1.2): ask each of them.
    fn is_attacked(&self, target: Spot, by: Color) -> bool {
        Spot::all().any(|from| {
            self.at(from)
                .is_some_and(|piece| piece.color == by && self.attacks(piece, from, target))
        })
    }

    fn king_is_attacked(&self, color: Color) -> bool {
        self.find(color, Man::King).any(|king| self.is_attacked(king, opponent(color)))
    }

    /// Whether this piece, standing on `from`, attacks the target.
    fn attacks(&self, piece: Piece, from: Spot, target: Spot) -> bool {
        let (files, ranks) = (target.file - from.file, target.rank - from.rank);
        let straight = (files == 0) != (ranks == 0);
        let aslant = files.abs() == ranks.abs() && files != 0;
        match piece.man {
            Man::Pawn => files.abs() == 1 && ranks == forward(piece.color),
            Man::Knight => files.abs() * ranks.abs() == 2,
            Man::Bishop => aslant && self.is_clear(from, target),
            Man::Rook => straight && self.is_clear(from, target),
            Man::Queen => (straight || aslant) && self.is_clear(from, target),
            Man::King => files.abs().max(ranks.abs()) == 1,
        }
    }

    /// Whether nothing stands between two squares of one line.
    fn is_clear(&self, from: Spot, target: Spot) -> bool {
        let direction = ((target.file - from.file).signum(), (target.rank - from.rank).signum());
        let mut spot = from.step(direction);
        while let Some(between) = spot.filter(|&spot| spot != target) {
            if self.at(between).is_some() {
                return false;
            }
            spot = between.step(direction);
        }
        true
    }
}

// ---- Moves ----

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const ASLANT: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ROUND: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const JUMPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const PROMOTIONS: [PromotionRole; 4] =
    [PromotionRole::Queen, PromotionRole::Rook, PromotionRole::Bishop, PromotionRole::Knight];

impl Situation {
    /// Moves that do not leave the own king attacked (FIDE 3.9.2): play each on a copy and look.
    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| !self.after(mv).king_is_attacked(self.turn));
        moves
    }

    fn paths(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves().len() as u64,
            _ => self.legal_moves().into_iter().map(|mv| self.after(mv).paths(depth - 1)).sum(),
        }
    }

    fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        for from in Spot::all() {
            match self.at(from).filter(|piece| piece.color == self.turn).map(|piece| piece.man) {
                None => {}
                Some(Man::Pawn) => self.pawn_moves(from, &mut moves),
                Some(Man::Knight) => self.walk(from, &JUMPS, 1, &mut moves),
                Some(Man::Bishop) => self.walk(from, &ASLANT, 7, &mut moves),
                Some(Man::Rook) => self.walk(from, &STRAIGHT, 7, &mut moves),
                Some(Man::Queen) => self.walk(from, &ROUND, 7, &mut moves),
                Some(Man::King) => {
                    self.walk(from, &ROUND, 1, &mut moves);
                    self.castlings(from, &mut moves);
                }
            }
        }
        moves
    }

    /// So many steps in each direction, up to the edge, before an own piece, or onto an enemy one.
    fn walk(&self, from: Spot, directions: &[(i8, i8)], steps_max: u8, moves: &mut Vec<Move>) {
        for &direction in directions {
            let mut here = from;
            for _ in 0..steps_max {
                let Some(to) = here.step(direction) else { break };
                let standing = self.at(to);
                if standing.is_none_or(|piece| piece.color != self.turn) {
                    moves.push(Move::normal(from.square(), to.square()));
                }
                if standing.is_some() {
                    break;
                }
                here = to;
            }
        }
    }

    /// FIDE 3.7: one step, two from where it started, aslant to capture, and en passant.
    fn pawn_moves(&self, from: Spot, moves: &mut Vec<Move>) {
        let ahead = forward(self.turn);
        if let Some(one) = from.step((0, ahead)).filter(|&one| self.at(one).is_none()) {
            self.pawn_arrives(from, one, moves);
            let is_first_move = from.rank == back_rank(self.turn) + ahead;
            let two = one.step((0, ahead)).filter(|&two| is_first_move && self.at(two).is_none());
            moves.extend(two.map(|two| Move::normal(from.square(), two.square())));
        }
        for to in [-1, 1].into_iter().filter_map(|aside| from.step((aside, ahead))) {
            match self.at(to) {
                Some(piece) if piece.color != self.turn => self.pawn_arrives(from, to, moves),
                None if self.is_en_passant(from, to) => {
                    moves.push(Move::en_passant(from.square(), to.square()));
                }
                _ => {}
            }
        }
    }

    /// FIDE 3.7.3.1: the square was passed by an enemy pawn, which now stands beside this one.
    fn is_en_passant(&self, from: Spot, to: Spot) -> bool {
        let beside = Spot { file: to.file, rank: from.rank };
        self.passed == Some(to) && self.has(beside, opponent(self.turn), Man::Pawn)
    }

    /// FIDE 3.7.3.3: on the last rank a pawn becomes one of four.
    fn pawn_arrives(&self, from: Spot, to: Spot, moves: &mut Vec<Move>) {
        let (from, to, last_rank) = (from.square(), to.square(), back_rank(opponent(self.turn)));
        if Spot::of(to).rank == last_rank {
            moves.extend(PROMOTIONS.map(|role| Move::promotion(from, to, role)));
        } else {
            moves.push(Move::normal(from, to));
        }
    }

    fn castlings(&self, king: Spot, moves: &mut Vec<Move>) {
        for right in self.rights.into_iter().flatten() {
            if right.color == self.turn && self.castling_is_free(right, king) {
                moves.extend(Move::castling(king.square(), right.rook().square()));
            }
        }
    }

    /// FIDE 3.8.2: nothing but the two in the way of either, no attack on the king's way.
    ///
    /// The king's destination is judged here as the board stands, and once more by `legal_moves`
    /// with both moved: in Chess960 the rook may have been the king's shield.
    fn castling_is_free(&self, right: Right, king: Spot) -> bool {
        let rook = right.rook();
        let (king_to, rook_to) = right.destinations();
        let is_free = |spot| spot == king || spot == rook || self.at(spot).is_none();
        way(king, king_to).all(is_free)
            && way(rook, rook_to).all(is_free)
            && way(king, rook).all(is_free)
            && !way(king, king_to).any(|spot| self.is_attacked(spot, opponent(self.turn)))
    }
}

/// The squares of a rank from one to another, both included.
fn way(from: Spot, to: Spot) -> impl Iterator<Item = Spot> {
    let files = from.file.min(to.file)..=from.file.max(to.file);
    files.map(move |file| Spot { file, ..from })
}

// ---- Playing a move ----

/// The most either counter says.
const COUNTER_MAX: u16 = 9999;

impl Situation {
    fn after(&self, mv: Move) -> Situation {
        let (from, to) = (Spot::of(mv.from()), Spot::of(mv.to()));
        let mut next = *self;
        match mv.kind() {
            MoveKind::Normal => next.shift(from, to),
            MoveKind::Promotion(role) => {
                next.put(from, None);
                next.put(to, Some(Piece { color: self.turn, man: Man::promoted(role) }));
            }
            MoveKind::EnPassant => {
                next.shift(from, to);
                next.put(Spot { file: to.file, rank: from.rank }, None);
            }
            MoveKind::Castling => next.castle(from, to),
        }
        next.passed = self.passed_by(from, to);
        next.rights = self.rights_after(from, to);
        next.count(self.has(from, self.turn, Man::Pawn), self.men() != next.men());
        next.turn = opponent(self.turn);
        next
    }

    fn shift(&mut self, from: Spot, to: Spot) {
        self.put(to, self.at(from));
        self.put(from, None);
    }

    /// Both leave the board before either returns: in Chess960 one may go where the other stood.
    fn castle(&mut self, king: Spot, rook: Spot) {
        let right =
            Right { color: self.turn, king_side: rook.file > king.file, rook_file: rook.file };
        let (king_to, rook_to) = right.destinations();
        self.put(king, None);
        self.put(rook, None);
        self.put(king_to, Some(Piece { color: self.turn, man: Man::King }));
        self.put(rook_to, Some(Piece { color: self.turn, man: Man::Rook }));
    }

    /// The square in the middle of a pawn's double step.
    fn passed_by(&self, from: Spot, to: Spot) -> Option<Spot> {
        let double = self.has(from, self.turn, Man::Pawn) && (to.rank - from.rank).abs() == 2;
        double.then_some(Spot { file: from.file, rank: (from.rank + to.rank) / 2 })
    }

    /// FIDE 3.8.2.1: a right is gone once its king or its rook has moved, or the rook was captured.
    fn rights_after(&self, from: Spot, to: Spot) -> [Option<Right>; 4] {
        let is_kept = |right: &Right| {
            let king_moves = self.has(from, right.color, Man::King);
            !king_moves && right.rook() != from && right.rook() != to
        };
        self.rights.map(|right| right.filter(is_kept))
    }

    fn men(&self) -> usize {
        self.squares.iter().flatten().flatten().count()
    }

    /// FIDE 9.3: the halfmove clock starts again with a pawn's move or a capture.
    fn count(&mut self, pawn_moved: bool, captured: bool) {
        let clock = if pawn_moved || captured { 0 } else { self.halfmove_clock + 1 };
        self.halfmove_clock = clock.min(COUNTER_MAX);
        let black_moved = u16::from(self.turn == Color::Black);
        self.move_number = (self.move_number + black_moved).min(COUNTER_MAX);
    }
}

// ---- FEN ----

impl Situation {
    fn read(fen: &str) -> Result<Situation, &'static str> {
        let fields: Vec<&str> = fen.split(' ').collect();
        let [placement, turn, castling, passed, halfmove_clock, move_number] = fields[..] else {
            return Err("not six fields");
        };
        let mut read = Situation {
            squares: read_placement(placement).ok_or("cannot read the placement")?,
            turn: read_turn(turn).ok_or("cannot read the turn")?,
            rights: [None; 4],
            passed: read_passed(passed).ok_or("cannot read the en passant square")?,
            halfmove_clock: read_counter(halfmove_clock).ok_or("cannot read the halfmove clock")?,
            move_number: read_counter(move_number).ok_or("cannot read the move number")?.max(1),
        };
        let kings = [Color::White, Color::Black].map(|color| read.find(color, Man::King).count());
        if kings != [1, 1] {
            return Err("not exactly one king a side");
        }
        read.read_rights(castling).ok_or("cannot read the castling rights")?;
        Ok(read)
    }

    fn read_rights(&mut self, field: &str) -> Option<()> {
        if field == "-" {
            return Some(());
        }
        for letter in field.chars() {
            let right = self.right_named(letter)?;
            if self.rights[right.place()].replace(right).is_some() {
                return None;
            }
        }
        (!field.is_empty()).then_some(())
    }

    /// The right that a letter of X-FEN means: `K`, `Q`, or the file of the rook.
    fn right_named(&self, letter: char) -> Option<Right> {
        let color = color_of(letter);
        let king = self.find(color, Man::King).find(|king| king.rank == back_rank(color))?;
        let rook_file = match letter.to_ascii_lowercase() {
            'k' => self.outermost_rook(color, true)?,
            'q' => self.outermost_rook(color, false)?,
            file @ 'a'..='h' => file as i8 - 'a' as i8,
            _ => return None,
        };
        let right = Right { color, king_side: rook_file > king.file, rook_file };
        self.has(right.rook(), color, Man::Rook).then_some(right)
    }

    fn write(&self) -> String {
        let turn = if self.turn == Color::White { 'w' } else { 'b' };
        let rights: String = self.rights.into_iter().flatten().map(|r| self.letter_of(r)).collect();
        let rights = if rights.is_empty() { "-" } else { &rights };
        let (placement, passed) = (self.write_placement(), self.write_passed());
        let (clock, number) = (self.halfmove_clock, self.move_number);
        format!("{placement} {turn} {rights} {passed} {clock} {number}")
    }

    /// Each empty square as a 1, then the ones counted, long runs first.
    fn write_placement(&self) -> String {
        let letter =
            |square: &Option<Piece>| square.map_or('1', |p| in_case_of(p.color, p.man.letter()));
        let ranks = self.squares.iter().rev().map(|rank| rank.iter().map(letter).collect());
        let ones = ranks.collect::<Vec<String>>().join("/");
        (2..=8).rev().fold(ones, |text, run| text.replace(&"1".repeat(run), &run.to_string()))
    }

    fn letter_of(&self, right: Right) -> char {
        let is_outermost =
            self.outermost_rook(right.color, right.king_side) == Some(right.rook_file);
        let letter = match (is_outermost, right.king_side) {
            (true, true) => 'k',
            (true, false) => 'q',
            (false, _) => file_letter(right.rook_file),
        };
        in_case_of(right.color, letter)
    }

    /// The passed square, where somebody may really capture on it.
    fn write_passed(&self) -> String {
        let is_of_use = self.legal_moves().iter().any(|mv| mv.kind() == MoveKind::EnPassant);
        match self.passed {
            Some(spot) if is_of_use => format!("{}{}", file_letter(spot.file), spot.rank + 1),
            _ => "-".into(),
        }
    }
}

fn read_placement(field: &str) -> Option<[[Option<Piece>; 8]; 8]> {
    let mut ranks: Vec<_> = field.split('/').map(read_rank).collect::<Option<_>>()?;
    ranks.reverse();
    ranks.try_into().ok()
}

fn read_rank(text: &str) -> Option<[Option<Piece>; 8]> {
    let mut rank = Vec::new();
    for letter in text.chars() {
        match letter {
            '1'..='8' => rank.extend((0..letter as u8 - b'0').map(|_| None)),
            _ => rank.push(Some(read_piece(letter)?)),
        }
    }
    rank.try_into().ok()
}

fn read_piece(letter: char) -> Option<Piece> {
    let color = color_of(letter);
    let man = Man::ALL.into_iter().find(|man| man.letter() == letter.to_ascii_lowercase())?;
    Some(Piece { color, man })
}

fn read_turn(field: &str) -> Option<Color> {
    match field {
        "w" => Some(Color::White),
        "b" => Some(Color::Black),
        _ => None,
    }
}

fn read_passed(field: &str) -> Option<Option<Spot>> {
    match field.as_bytes() {
        b"-" => Some(None),
        &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Some(Some(Spot { file: (file - b'a') as i8, rank: (rank - b'1') as i8 }))
        }
        _ => None,
    }
}

fn read_counter(field: &str) -> Option<u16> {
    let number: u16 = field.parse().ok()?;
    Some(number.min(COUNTER_MAX))
}

/// FEN writes White in upper case.
fn color_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() { Color::White } else { Color::Black }
}

fn in_case_of(color: Color, letter: char) -> char {
    if color == Color::White { letter.to_ascii_uppercase() } else { letter }
}

fn file_letter(file: i8) -> char {
    (b'a' + file as u8) as char
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(fen: &str) -> Naive {
        let mut naive = Naive::new();
        naive.set(fen, UciMode::Chess960).unwrap();
        naive
    }

    #[track_caller]
    fn assert_perft(fen: &str, depth: u32, nodes: u64) {
        assert_eq!(naive(fen).perft(depth), Ok(nodes), "{fen}");
    }

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    /// Counts that everybody agrees on.
    #[test]
    fn the_well_known_positions_have_their_well_known_counts() {
        assert_perft(START, 0, 1);
        assert_perft(START, 4, 197_281);
        assert_perft(KIWIPETE, 3, 97_862);
        assert_perft("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238);
        let position_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
        assert_perft(position_4, 3, 9_467);
        let position_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
        assert_perft(position_5, 3, 62_379);
    }

    /// Counted by Stockfish 15.1 with `UCI_Chess960`.
    #[test]
    fn chess960_castling_is_counted_as_stockfish_does() {
        let start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        assert_perft(start, 3, 12_189);
        let king_and_rook_change_places = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
        assert_perft(king_and_rook_change_places, 3, 1_033);
        let the_rook_shields_its_king = "4k3/8/8/8/8/8/8/rRK5 w B - 0 1";
        assert_perft(the_rook_shields_its_king, 1, 5);
        assert_perft(the_rook_shields_its_king, 3, 821);
        let inner_rooks = "rk2r1r1/8/8/8/8/8/8/RK2R1R1 w EAea - 0 1";
        assert_perft(inner_rooks, 3, 22_955);
    }

    #[test]
    fn a_fen_is_written_as_it_was_read() {
        for fen in [
            START,
            KIWIPETE,
            "rk2r1r1/8/8/8/8/8/8/RK2R1R1 w EQeq - 0 1",
            "8/8/8/K2pP2k/8/8/8/8 w - d6 0 9999",
            "QQQQQQQQ/8/8/3K4/8/8/3k4/8 w - - 9999 3",
        ] {
            assert_eq!(naive(fen).fen().unwrap(), fen);
        }
    }

    /// R3: the pawn on e5 is pinned, so d6 is of use to nobody. R5: there is no move 0.
    #[test]
    fn what_a_fen_says_in_vain_is_not_written() {
        let pinned = "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 0";
        assert_eq!(naive(pinned).fen().unwrap(), "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1");
    }

    #[test]
    fn a_move_changes_all_fields_and_taking_back_restores_them() {
        let before = "r3k2r/8/8/8/3p4/8/4P3/R3K2R w KQkq - 9999 9999";
        let mut naive = naive(before);
        for (mv, after) in [
            (
                Move::normal(square("e2"), square("e4")),
                "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 9999",
            ),
            (
                Move::en_passant(square("d4"), square("e3")),
                "r3k2r/8/8/8/8/4p3/8/R3K2R w KQkq - 0 9999",
            ),
            (Move::normal(square("h1"), square("h8")), "r3k2R/8/8/8/8/4p3/8/R3K3 b Qq - 0 9999"),
        ] {
            naive.play(mv).unwrap();
            assert_eq!(naive.fen().unwrap(), after);
        }
        (0..3).for_each(|_| naive.take_back().unwrap());
        assert_eq!(naive.fen().unwrap(), before);
        naive.play(Move::castling(square("e1"), square("a1")).unwrap()).unwrap();
        assert_eq!(naive.fen().unwrap(), "r3k2r/8/8/8/3p4/8/4P3/2KR3R b kq - 9999 9999");
    }

    #[test]
    fn a_move_that_is_not_listed_is_not_played() {
        let mut naive = naive(START);
        let refused = naive.play(Move::normal(square("e2"), square("e5")));
        assert!(matches!(refused, Err(Silence::Failed(_))));
        assert_eq!(naive.fen().unwrap(), START);
    }

    #[test]
    fn check_and_stalemate_are_told_apart() {
        let mate = naive("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").status().unwrap();
        assert!(mate.is_checkmate());
        let stalemate = naive("7k/5Q2/8/8/8/8/8/K7 b - - 0 1").status().unwrap();
        assert!(stalemate.is_stalemate());
    }

    #[test]
    fn an_unreadable_fen_is_abstained_from_and_leaves_no_position() {
        let mut naive = naive(START);
        for fen in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "kk6/8/8/8/8/8/8/K7 w - - 0 1",
            "k7/8/8/8/8/8/8/K w - - 0 1",
            "k7/8/8/8/8/8/8/K7 w K - 0 1",
            "k7/8/8/8/8/8/8/K6R w KH - 0 1",
            "k7/8/8/8/8/8/8/K7 w - é6 0 1",
            "k7/8/8/8/8/8/8/K7 w - - 0 -1",
        ] {
            let answer = naive.set(fen, UciMode::Standard);
            assert!(matches!(answer, Err(Silence::Abstains(_))), "{fen}");
            assert!(matches!(naive.fen(), Err(Silence::Failed(_))));
        }
    }
}
