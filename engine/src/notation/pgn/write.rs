//! Writes a game in export form: tags, then movetext in lines of fewer than 80 characters.

use alloc::format;
use alloc::string::ToString;
use core::fmt;

use super::game::{PgnAnnotation, PgnGame, PgnLine, PgnRemark};
use super::replay::Replay;
use crate::notation::san::San;
use crate::piece::Color;
use crate::position::Position;

/// A line has no more characters than this, unless one word is longer.
const COLUMNS: usize = 79;

/// Writes tags, an empty line, the movetext and a line end. A file is such texts with an empty line between.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags() {
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{escaped}\"]")?;
        }
        if self.tags().next().is_some() {
            f.write_str("\n")?;
        }
        let mut movetext = Movetext { out: f, column: 0, replay: Replay::new(self.start) };
        movetext.line(&self.line)?;
        movetext.word(self.result.as_str())?;
        f.write_str("\n")
    }
}

struct Movetext<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    /// The characters in the line so far.
    column: usize,
    replay: Replay,
}

impl Movetext<'_, '_> {
    fn line(&mut self, line: &PgnLine) -> fmt::Result {
        let mut is_numbered = true;
        line.before.iter().try_for_each(|remark| self.remark(remark))?;
        for played in &line.moves {
            self.number(is_numbered)?;
            let position = *self.replay.position();
            match played.mv {
                Some(mv) => {
                    self.word(&San::of(&position, mv).to_string())?;
                    self.replay.play_legal(mv);
                }
                None => {
                    self.word("--")?;
                    self.replay.play_null().expect("a game holds no null move in check");
                }
            }
            is_numbered = false;
            for annotation in &played.after {
                // A sign alone does not part a move from the next.
                is_numbered |= !matches!(annotation, PgnAnnotation::Remark(PgnRemark::Nag(_)));
                self.annotation(annotation)?;
            }
        }
        Ok(())
    }

    /// `12.` before White's move, `12...` before Black's where it does not follow White's at once.
    fn number(&mut self, is_numbered: bool) -> fmt::Result {
        let position: &Position = self.replay.position();
        let number = position.move_number();
        match (position.turn(), is_numbered) {
            (Color::White, _) => self.word(&format!("{number}.")),
            (Color::Black, true) => self.word(&format!("{number}...")),
            (Color::Black, false) => Ok(()),
        }
    }

    fn annotation(&mut self, annotation: &PgnAnnotation) -> fmt::Result {
        match annotation {
            PgnAnnotation::Remark(remark) => self.remark(remark),
            PgnAnnotation::Variation(line) => {
                self.word("(")?;
                self.replay.begin_variation();
                self.line(line)?;
                self.replay.end_variation();
                self.word(")")
            }
        }
    }

    fn remark(&mut self, remark: &PgnRemark) -> fmt::Result {
        match remark {
            PgnRemark::Nag(nag) => self.word(&nag.to_string()),
            PgnRemark::Comment(comment) if comment.as_str().contains('}') => {
                // Only a comment to the end of its line can hold a brace that closes.
                self.word(&format!("; {}", comment.as_str()))?;
                self.break_line()
            }
            PgnRemark::Comment(comment) => self.comment(comment.as_str()),
        }
    }

    /// In braces; where a line is full, it is broken at a blank of the comment.
    fn comment(&mut self, text: &str) -> fmt::Result {
        if text.is_empty() {
            return self.word("{ }");
        }
        self.word("{")?;
        for word in text.split(' ') {
            let fits = self.column + 1 + word.chars().count() <= COLUMNS;
            // At the start of a line these would mean something to some readers.
            let stays = word.starts_with(['%', '[', ';']);
            match fits || stays {
                true => self.put(" ")?,
                false => self.break_line()?,
            }
            self.put(word)?;
        }
        self.word("}")
    }

    /// A word, after a blank or a line end.
    fn word(&mut self, word: &str) -> fmt::Result {
        let len = word.chars().count();
        if self.column > 0 && self.column + 1 + len > COLUMNS {
            self.break_line()?;
        } else if self.column > 0 {
            self.put(" ")?;
        }
        self.put(word)
    }

    fn put(&mut self, text: &str) -> fmt::Result {
        self.column += text.chars().count();
        self.out.write_str(text)
    }

    fn break_line(&mut self) -> fmt::Result {
        self.column = 0;
        self.out.write_str("\n")
    }
}
