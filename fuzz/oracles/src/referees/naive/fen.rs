//! A position read from a FEN and written as one. Whether it is valid is not judged.

use touchmove::{Color, MoveKind};

use super::board::{Man, Piece, Spot, back_rank};
use super::situation::{COUNTER_MAX, Right, Situation};

impl Situation {
    pub(super) fn read(fen: &str) -> Result<Situation, &'static str> {
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

    /// The outermost rook between a wing's edge and the king: the one X-FEN means by `K` or `Q`.
    fn outermost_rook(&self, color: Color, king_side: bool) -> Option<i8> {
        let king = self.find(color, Man::King).next()?;
        let is_rook = |&file: &i8| self.has(Spot { file, ..king }, color, Man::Rook);
        if king_side { (king.file..8).rev().find(is_rook) } else { (0..king.file).find(is_rook) }
    }

    pub(super) fn write(&self) -> String {
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
