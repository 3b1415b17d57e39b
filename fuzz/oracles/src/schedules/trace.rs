//! A schedule told step by step, for one who has never seen a race.

use std::fmt;

use touchmove::{Bitboard, Color, File, Key, Piece, Position, Rank, Role, Square};

use super::{Asker, Example, Harm, Moment, Step};

/// Who does what, what they see, and what is wrong at the end.
impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.duel.moves;
        let is_legal = |asker| if self.duel.is_legal(asker) { "it is" } else { "it is not" };
        writeln!(f, "Two threads share this position, and the lock is taken for each step alone:")?;
        draw(f, &self.duel.start)?;
        writeln!(f, "A asks whether {a:?} is legal ({}).", is_legal(Asker::A))?;
        writeln!(f, "B asks whether {b:?} is legal ({}).", is_legal(Asker::B))?;
        let (mut told, mut end, mut makers) = (Ok(()), self.duel.start, Vec::new());
        let mut number = 0;
        self.duel.watch(self.schedule, |moment| {
            number += 1;
            told = told.and_then(|()| self.tell(f, number, &makers, moment));
            end = *moment.after;
            match moment.step {
                Step::Make => makers.push(moment.asker),
                Step::Look => {}
                Step::Unmake => makers.retain(|&maker| maker != moment.asker),
            }
        });
        told?;
        for difference in differences(&self.duel.start, &end) {
            writeln!(f, "At the end: {difference}.")?;
        }
        write!(f, "{}", self.moral())
    }
}

impl Example {
    /// One step; `makers` are those whose moves are on the board.
    fn tell(
        &self,
        f: &mut fmt::Formatter<'_>,
        number: u32,
        makers: &[Asker],
        moment: &Moment<'_>,
    ) -> fmt::Result {
        write!(f, "\n{number}. ")?;
        let other = makers.iter().find(|&&maker| maker != moment.asker);
        match moment.step {
            Step::Make => self.tell_make(f, other, moment)?,
            Step::Look => self.tell_look(f, moment)?,
            Step::Unmake => self.tell_unmake(f, moment)?,
        }
        if let Some(panic) = moment.panic {
            return writeln!(f, " The engine {}.", panic.lines().next().unwrap_or(panic));
        }
        writeln!(f)?;
        match moment.step {
            Step::Look => Ok(()),
            Step::Make | Step::Unmake => draw(f, moment.after),
        }
    }

    fn tell_make(
        &self,
        f: &mut fmt::Formatter<'_>,
        other: Option<&Asker>,
        moment: &Moment<'_>,
    ) -> fmt::Result {
        let mv = self.duel.moves[moment.asker as usize];
        write!(f, "{} makes {mv:?}.", moment.asker)?;
        let Some(other) = other else { return Ok(()) };
        let (turn, from) = (moment.before.turn(), mv.from());
        write!(f, " {other}'s move is still on the board, and so it is {turn}'s turn: ")?;
        write!(f, "what stands on {from} is moved as if it were {turn}'s.")?;
        tell_nothing_found(f, moment.before, from)?;
        if let Some(met) = moment.before.board().piece_at(mv.to()).filter(|met| met.color == turn) {
            write!(f, " The {met} on {} is not taken for a capture.", mv.to())?;
        }
        write!(f, " (A piece put where one like it stands wipes out both; `?` is half a piece.)")
    }

    fn tell_unmake(&self, f: &mut fmt::Formatter<'_>, moment: &Moment<'_>) -> fmt::Result {
        let asker = moment.asker;
        let (mv, mover) = (self.duel.moves[asker as usize], !moment.before.turn());
        write!(f, "{asker} takes {mv:?} back, as a move of the side that moved last: {mover}.")?;
        write!(f, " Clocks, castling rights, en passant and key become what {asker} found")?;
        match self.found_made(asker) {
            true => write!(f, ": those with {}'s move on the board.", asker.other()),
            false => write!(f, "."),
        }
    }

    fn tell_look(&self, f: &mut fmt::Formatter<'_>, moment: &Moment<'_>) -> fmt::Result {
        let (asker, judged) = (moment.asker, !moment.before.turn());
        write!(f, "{asker} looks at the king of the side that moved last: {judged}'s, ")?;
        match moment.before.board().king(judged) {
            Some(king) => write!(f, "on {king}.")?,
            None => write!(f, "which is nowhere.")?,
        }
        if judged != self.duel.start.turn() {
            write!(f, " That is the wrong king.")?;
        }
        let legal = moment.answer == Some(true);
        let (state, answer) = if legal { ("safe", "legal") } else { ("attacked", "not legal") };
        let right = if legal == self.duel.is_legal(asker) { "right" } else { "WRONG" };
        write!(f, " It is {state}, so {asker} is told: {answer}. That is {right}.")
    }

    /// Whether the asker's move was made while the other's was on the board.
    fn found_made(&self, asker: Asker) -> bool {
        let steps = self.schedule.steps();
        let at = |who, what| steps.iter().position(|&step| step == (who, what));
        let made = at(asker, Step::Make);
        at(asker.other(), Step::Make) < made && made < at(asker.other(), Step::Unmake)
    }

    fn moral(&self) -> &'static str {
        match self.played.harm {
            Harm::Nothing => "Nothing is wrong, by luck.",
            Harm::Answer => {
                "The board is as before, and nobody will ever see it; but an answer was wrong. \
                 One lock for all three steps, and neither sees the other's move."
            }
            Harm::HiddenState => {
                "Every piece is back. What cannot be seen on a board is not: repetition, the fifty-move rule or castling \
                 will go wrong some time later. One lock for all three steps, and there is nothing to put back wrongly."
            }
            Harm::Board => {
                "The board is not what it was, though both only asked. \
                 One lock for all three steps, and each finds the board as the other found it."
            }
            Harm::Panic => {
                "The engine met a board that cannot be. \
                 One lock for all three steps, and there is none."
            }
        }
    }
}

impl Asker {
    const fn other(self) -> Asker {
        match self {
            Asker::A => Asker::B,
            Asker::B => Asker::A,
        }
    }
}

/// Where a piece should be and is none, the engine goes on as with a pawn.
fn tell_nothing_found(
    f: &mut fmt::Formatter<'_>,
    position: &Position,
    square: Square,
) -> fmt::Result {
    match position.board().role_at(square) {
        Some(_) => Ok(()),
        None => write!(f, " There is no piece on {square}, which the engine takes for a pawn."),
    }
}

/// What is not as it was.
fn differences(start: &Position, end: &Position) -> Vec<String> {
    let mut differences = Vec::new();
    for square in Bitboard::ALL {
        let (was, is) = (standing(start, square), standing(end, square));
        if was != is {
            differences.push(format!("{square} has {is}, and had {was}"));
        }
    }
    let mut compare = |what: &str, was: String, is: String| {
        if was != is {
            differences.push(format!("{what} is {is}, and was {was}"));
        }
    };
    compare("the turn", start.turn().to_string(), end.turn().to_string());
    let clock = |position: &Position| position.halfmove_clock().to_string();
    compare("the halfmove clock", clock(start), clock(end));
    let number = |position: &Position| position.move_number().to_string();
    compare("the move number", number(start), number(end));
    let rooks = |position: &Position| squares(position.castling().rooks());
    compare("the set of castling rooks", rooks(start), rooks(end));
    compare("the en passant square", passed(start), passed(end));
    compare("the key", start.key().to_string(), end.key().to_string());
    differences
}

/// The board in letters, `?` where it contradicts itself, and beside it what a board does not show.
fn draw(f: &mut fmt::Formatter<'_>, position: &Position) -> fmt::Result {
    let beside = beside(position);
    for (line, rank) in Rank::ALL.into_iter().rev().enumerate() {
        write!(f, "    {rank} ")?;
        for file in File::ALL {
            let letter = match standing(position, Square::new(file, rank)) {
                Standing::Nothing => '.',
                Standing::One(piece) => piece.char(),
                Standing::Torn(..) => '?',
            };
            write!(f, " {letter}")?;
        }
        match beside.get(line) {
            Some(told) => writeln!(f, "    {told}")?,
            None => writeln!(f)?,
        }
    }
    writeln!(f, "       a b c d e f g h")
}

fn beside(position: &Position) -> Vec<String> {
    let key = if position.key() == Key::of(position) { "right" } else { "WRONG for this board" };
    let mut beside = vec![
        format!("{} to move, move {}", position.turn(), position.move_number()),
        format!("halfmove clock {}, en passant {}", position.halfmove_clock(), passed(position)),
        format!("castling rooks: {}", squares(position.castling().rooks())),
        format!("key {key}"),
    ];
    for square in Bitboard::ALL {
        let standing = standing(position, square);
        if matches!(standing, Standing::Torn(..)) {
            beside.push(format!("? on {square}: {standing}"));
        }
    }
    beside
}

/// What the sets of a board say of one square.
#[derive(PartialEq)]
enum Standing {
    Nothing,
    One(Piece),
    Torn(Vec<Color>, Vec<Role>),
}

fn standing(position: &Position, square: Square) -> Standing {
    let board = position.board();
    let of_color = |color: &Color| board.color(*color).contains(square);
    let of_role = |role: &Role| board.role(*role).contains(square);
    let colors: Vec<Color> = Color::ALL.into_iter().filter(of_color).collect();
    let roles: Vec<Role> = Role::ALL.into_iter().filter(of_role).collect();
    match (colors.as_slice(), roles.as_slice()) {
        ([], []) => Standing::Nothing,
        (&[color], &[role]) => Standing::One(Piece { color, role }),
        _ => Standing::Torn(colors, roles),
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Nothing => write!(f, "nothing"),
            Standing::One(piece) => write!(f, "a {piece}"),
            Standing::Torn(colors, roles) => {
                let color = match colors.as_slice() {
                    [] => String::from("no colour"),
                    [color] => color.to_string(),
                    _ => String::from("both colours"),
                };
                let roles: Vec<String> = roles.iter().map(Role::to_string).collect();
                let role =
                    if roles.is_empty() { String::from("no piece") } else { roles.join("+") };
                write!(f, "{color}, {role}")
            }
        }
    }
}

fn passed(position: &Position) -> String {
    position.en_passant().map_or_else(|| String::from("none"), |square| square.to_string())
}

fn squares(set: Bitboard) -> String {
    let squares: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
    if squares.is_empty() { String::from("none") } else { squares.join(" ") }
}
