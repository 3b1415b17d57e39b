//! Reads game files as a stream: one game after another, each shown to a visitor as it comes.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;
use core::str;
use std::io::{self, BufRead};

use super::builder::is_tag_name;
use super::error::{PgnError, PgnFault};
use super::scanner::{Scanner, Token, Trouble};
use super::visitor::{PgnFlow, PgnText, PgnVisitor};
use super::{GameResult, Nag, PGN_NESTING_MAX, PgnTooLarge, Size};
use crate::notation::san::{Misread, San};

/// Reads a file of games.
///
/// Lenient (R22): any line ends, a byte order mark, tags in any number, text that is no UTF-8, missing or wrong
/// move numbers, missing results and signs such as `±` are taken. A game ends with its result, or where the tags of the next
/// begin; tags without moves are a game, too. After an error the next game is read, so that one broken
/// game costs no other.
///
/// Memory is bounded by the largest comment, not by the file: a few MiB at most.
///
/// ```
/// use touchmove::{PgnFlow, PgnReader, PgnVisitor, San};
///
/// #[derive(Default)]
/// struct CountMoves(u32);
///
/// impl PgnVisitor for CountMoves {
///     type Error = std::convert::Infallible;
///
///     fn play(&mut self, _: San) -> Result<PgnFlow, Self::Error> {
///         self.0 += 1;
///         Ok(PgnFlow::GoOn)
///     }
/// }
///
/// let mut count = CountMoves::default();
/// let mut reader = PgnReader::new(&b"1. e4 e5 {Open} *"[..]);
/// while reader.read_game(&mut count)?.is_some() {}
/// assert_eq!(count.0, 2);
/// # Ok::<(), touchmove::PgnError<std::convert::Infallible>>(())
/// ```
pub struct PgnReader<R> {
    scanner: Scanner<R>,
    games: u64,
    state: State,
    /// Whether the main line, and each variation that is open in it, has a move by now.
    lines: Vec<bool>,
    /// Whether the game has a tag `Event`: a second one begins another game.
    has_event: bool,
    size: Size,
}

/// Where the reader stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// At the start of the file.
    Start,
    /// Between two games; the first word of the next may be read already.
    Between(Option<Token>),
    /// Within a game that the visitor has left, in its tags or behind them; a word may be read and not yet passed.
    Left { is_in_tags: bool, word: Option<Token> },
    /// Within a game that is broken, in its tags or behind them.
    Broken { is_in_tags: bool },
    /// Nothing more comes.
    Ended,
}

/// Why a game is not read to its end.
enum Halt<E> {
    /// The visitor has seen enough.
    Flow(PgnFlow),
    /// The file cannot be read.
    Io(io::Error),
    /// Something is wrong with these bytes of the present word.
    Fault(PgnFault<E>, Range<usize>),
}

impl<E> From<io::Error> for Halt<E> {
    fn from(error: io::Error) -> Halt<E> {
        Halt::Io(error)
    }
}

impl<R: BufRead> PgnReader<R> {
    /// Reads from a source.
    pub fn new(source: R) -> PgnReader<R> {
        PgnReader {
            scanner: Scanner::new(source),
            games: 0,
            state: State::Start,
            lines: Vec::new(),
            has_event: false,
            size: Size::default(),
        }
    }

    /// How many games have begun so far.
    pub const fn games_begun(&self) -> u64 {
        self.games
    }

    /// Shows the next game to a visitor. `None` at the end of the file, else what the visitor wanted last.
    ///
    /// # Errors
    ///
    /// When the game is broken, or refused by the visitor; the next call reads the next game. When the file cannot be
    /// read; then nothing more comes.
    pub fn read_game<V: PgnVisitor>(
        &mut self,
        visitor: &mut V,
    ) -> Result<Option<PgnFlow>, PgnError<V::Error>> {
        match self.show_next_game(visitor) {
            Ok(true) => Ok(Some(PgnFlow::GoOn)),
            Ok(false) => Ok(None),
            Err(Halt::Flow(flow)) => {
                self.leave_game();
                Ok(Some(flow))
            }
            Err(Halt::Io(error)) => {
                self.state = State::Ended;
                Err(self.error(PgnFault::Io(error), 0..0))
            }
            Err(Halt::Fault(fault, culprit)) => {
                if let PgnFault::Game(_) = fault {
                    self.leave_game();
                }
                Err(self.error(fault, culprit))
            }
        }
    }

    /// The visitor has left the game: what is left of it is well written, for all we know.
    fn leave_game(&mut self) {
        if let State::Broken { is_in_tags } = self.state {
            self.state = State::Left { is_in_tags, word: None };
        }
    }

    fn error<E>(&mut self, fault: PgnFault<E>, culprit: Range<usize>) -> PgnError<E> {
        let place = self.scanner.place_of(culprit.start);
        let (excerpt, culprit) = self.scanner.excerpt(culprit);
        let game = self.games;
        PgnError { game, line: place.line, column: place.column, excerpt, culprit, fault }
    }

    /// Whether there was a game.
    fn show_next_game<V: PgnVisitor>(&mut self, visitor: &mut V) -> Result<bool, Halt<V::Error>> {
        let first = match mem::replace(&mut self.state, State::Ended) {
            State::Start => {
                if !self.scanner.skip_byte_order_mark()? {
                    return Err(Halt::Fault(PgnFault::Utf16, 0..0));
                }
                self.scanner.next()?
            }
            State::Between(Some(first)) => Ok(first),
            State::Between(None) => self.first_behind_result()?,
            State::Left { is_in_tags, word } => match self.pass_over_rest(is_in_tags, word)? {
                Some(first) => Ok(first),
                None => self.first_behind_result()?,
            },
            State::Broken { is_in_tags } => {
                self.scanner.skip_to_next_game(is_in_tags)?;
                self.scanner.next()?
            }
            State::Ended => return Ok(false),
        };
        if first == Ok(Token::End) {
            return Ok(false);
        }
        self.games += 1;
        self.lines.clear();
        self.lines.push(false);
        self.size = Size::of_reading();
        self.state = State::Left { is_in_tags: true, word: first.ok() };
        self.has_event = false;
        self.go_on(visitor.begin_game())?;
        self.state = State::Broken { is_in_tags: false };
        let next = self.show_tags(first, visitor)?;
        self.state = State::Broken { is_in_tags: false };
        self.show_movetext(next, visitor)?;
        Ok(true)
    }

    /// Shows the tags, and comments among them. Returns what comes then.
    fn show_tags<V: PgnVisitor>(
        &mut self,
        first: Result<Token, Trouble>,
        visitor: &mut V,
    ) -> Result<Token, Halt<V::Error>> {
        let (mut token, mut has_tags) = (first, false);
        loop {
            if matches!(
                token,
                Ok(Token::Tag) | Err(Trouble::TagOpen | Trouble::TooLong(Token::Tag))
            ) {
                self.state = State::Broken { is_in_tags: true };
            }
            match self.sound(token)? {
                Token::Comment => self.comment(visitor)?,
                Token::Tag if has_tags && self.begins_next_game() => return Ok(Token::Tag),
                Token::Tag => {
                    has_tags = true;
                    self.has_event |= self.is_event();
                    self.tag(visitor)?;
                }
                other => return Ok(other),
            }
            token = self.scanner.next()?;
        }
    }

    fn is_event(&self) -> bool {
        tag_name(self.scanner.text()) == b"Event"
    }

    /// Whether this tag, behind others, is of the next game: an empty line stands before it, or it is a second `Event`.
    fn begins_next_game(&self) -> bool {
        self.scanner.is_after_empty_line() || self.has_event && self.is_event()
    }

    /// The first word behind a result. Comments, signs and results right behind it say nothing of another game.
    fn first_behind_result(&mut self) -> io::Result<Result<Token, Trouble>> {
        loop {
            let token = self.scanner.next()?;
            let belongs = match token {
                Ok(Token::Comment | Token::Marks | Token::Nag) => {
                    !self.scanner.is_after_empty_line()
                }
                Ok(Token::Word) => {
                    !self.scanner.is_after_line_end() && result_of(self.scanner.text()).is_some()
                }
                _ => false,
            };
            if !belongs {
                return Ok(token);
            }
        }
    }

    fn show_movetext<V: PgnVisitor>(
        &mut self,
        first: Token,
        visitor: &mut V,
    ) -> Result<(), Halt<V::Error>> {
        let mut token = first;
        loop {
            match token {
                Token::Word => {
                    if self.word(visitor)? {
                        self.state = State::Between(None);
                        return Ok(());
                    }
                }
                Token::Marks => {
                    let nag =
                        self.of_word(Nag::of_glyph).or_else(|| first_two(self.scanner.text()));
                    self.nag(nag, visitor)?;
                }
                Token::Nag => {
                    let nag = self.of_word(|word| word[1..].parse().ok().map(Nag));
                    self.nag(nag, visitor)?;
                }
                Token::Comment => self.comment(visitor)?,
                Token::OpenVariation => self.begin_variation(visitor)?,
                Token::CloseVariation => self.end_variation(visitor)?,
                Token::Tag | Token::End => {
                    self.state = State::Between(Some(token));
                    return self.expect_closed();
                }
            }
            let next = self.scanner.next()?;
            token = self.sound(next)?;
        }
    }

    /// A token, unless there is trouble with it.
    fn sound<E>(&self, token: Result<Token, Trouble>) -> Result<Token, Halt<E>> {
        let fault = match token {
            Ok(token) => return Ok(token),
            Err(Trouble::Stray) => PgnFault::Stray,
            Err(Trouble::CommentOpen) => PgnFault::CommentOpen,
            Err(Trouble::TagOpen) => PgnFault::TagOpen,
            Err(Trouble::TooLong(Token::Comment)) => PgnFault::TooLarge(PgnTooLarge::Comment),
            Err(Trouble::TooLong(Token::Tag)) => PgnFault::TooLarge(PgnTooLarge::Tag),
            Err(Trouble::TooLong(_)) => PgnFault::LongWord,
        };
        Err(self.fault(fault))
    }

    /// A fault of the whole present word.
    fn fault<E>(&self, fault: PgnFault<E>) -> Halt<E> {
        Halt::Fault(fault, 0..self.scanner.text().len())
    }

    /// Whether the visitor wants more.
    #[inline(always)]
    fn go_on<E>(&self, answer: Result<PgnFlow, E>) -> Result<(), Halt<E>> {
        match answer {
            Ok(PgnFlow::GoOn) => Ok(()),
            Ok(flow) => Err(Halt::Flow(flow)),
            Err(error) => Err(self.fault(PgnFault::Game(error))),
        }
    }

    #[inline(always)]
    fn count_item<E>(&mut self) -> Result<(), Halt<E>> {
        self.size.add_item().map_err(|part| self.fault(PgnFault::TooLarge(part)))
    }

    fn tag<V: PgnVisitor>(&mut self, visitor: &mut V) -> Result<(), Halt<V::Error>> {
        let Some((name, value)) = tag_parts(self.scanner.text()) else {
            return Err(self.fault(PgnFault::Tag));
        };
        let answer = match self.size.add_tag(PgnText(&value).chars()) {
            Ok(()) => visitor.tag(name, PgnText(&value)),
            Err(part) => return Err(self.fault(PgnFault::TooLarge(part))),
        };
        self.go_on(answer)
    }

    fn comment<V: PgnVisitor>(&mut self, visitor: &mut V) -> Result<(), Halt<V::Error>> {
        let comment = PgnText(self.scanner.text()).trimmed();
        let answer = match self.size.add_comment(comment.chars()) {
            Ok(()) => visitor.comment(comment),
            Err(part) => return Err(self.fault(PgnFault::TooLarge(part))),
        };
        self.go_on(answer)
    }

    /// A sign or number that was read as such, or its absence.
    fn nag<V: PgnVisitor>(
        &mut self,
        nag: Option<Nag>,
        visitor: &mut V,
    ) -> Result<(), Halt<V::Error>> {
        self.count_item()?;
        match nag {
            Some(nag) => self.go_on(visitor.nag(nag)),
            None => Err(self.fault(PgnFault::Nag)),
        }
    }

    fn begin_variation<V: PgnVisitor>(&mut self, visitor: &mut V) -> Result<(), Halt<V::Error>> {
        self.count_item()?;
        if self.lines.len() > PGN_NESTING_MAX {
            return Err(self.fault(PgnFault::TooLarge(PgnTooLarge::Nesting)));
        }
        if self.lines.last() != Some(&true) {
            return Err(self.fault(PgnFault::VariationBeforeMove));
        }
        self.lines.push(false);
        self.go_on(visitor.begin_variation())
    }

    fn end_variation<V: PgnVisitor>(&mut self, visitor: &mut V) -> Result<(), Halt<V::Error>> {
        if self.lines.len() == 1 {
            return Err(self.fault(PgnFault::VariationNotOpen));
        }
        self.lines.pop();
        self.go_on(visitor.end_variation())
    }

    fn expect_closed<E>(&self) -> Result<(), Halt<E>> {
        match self.lines.len() {
            1 => Ok(()),
            _ => Err(self.fault(PgnFault::VariationOpen)),
        }
    }

    /// A move, a number, a result or a sign. Whether it was the result, which ends the game.
    fn word<V: PgnVisitor>(&mut self, visitor: &mut V) -> Result<bool, Halt<V::Error>> {
        let text = self.scanner.text();
        if text[0].is_ascii_alphabetic() {
            return self.play(0, visitor).map(|()| false);
        }
        if let Some(result) = result_of(text) {
            return match self.lines.len() {
                1 => {
                    self.state = State::Between(None);
                    match self.go_on(visitor.result(result)) {
                        Ok(()) | Err(Halt::Flow(PgnFlow::SkipGame)) => Ok(true),
                        stopped => stopped.map(|()| true),
                    }
                }
                // Annotators say in a variation how another game ended.
                _ => Ok(false),
            };
        }
        let number = number_len(text);
        match text.len() - number {
            0 => Ok(false),
            _ => self.play(number, visitor).map(|()| false),
        }
    }

    /// The move in the present word from this byte on, if it is none of the signs.
    #[inline(always)]
    fn play<V: PgnVisitor>(&mut self, from: usize, visitor: &mut V) -> Result<(), Halt<V::Error>> {
        match San::read(&self.scanner.text()[from..]) {
            Ok(san) => {
                self.count_item()?;
                if let Some(has_move) = self.lines.last_mut() {
                    *has_move = true;
                }
                match visitor.play(san) {
                    Ok(PgnFlow::GoOn) => Ok(()),
                    Ok(flow) => Err(Halt::Flow(flow)),
                    Err(error) => {
                        let culprit = from..self.scanner.text().len();
                        Err(Halt::Fault(PgnFault::Game(error), culprit))
                    }
                }
            }
            Err(misread) => self.no_move(from, misread, visitor),
        }
    }

    /// A word that is no move: a sign, something that cannot be meant as a move, or an error.
    #[cold]
    fn no_move<V: PgnVisitor>(
        &mut self,
        from: usize,
        misread: Misread,
        visitor: &mut V,
    ) -> Result<(), Halt<V::Error>> {
        let word = PgnText(&self.scanner.text()[from..]).to_str();
        if let Some(nag) = Nag::of_glyph(&word) {
            return self.nag(Some(nag), visitor);
        }
        // Signs without a number; and that a capture was en passant, which the move says itself.
        if !word.contains(|letter: char| letter.is_ascii()) || word == "e.p." {
            return Ok(());
        }
        let word = word.into_owned();
        let at = from + misread.at;
        let len = self.scanner.text().len();
        // All bytes of one character.
        let text = &self.scanner.text()[at.min(len)..];
        let inside = text.iter().skip(1).take_while(|byte| matches!(byte, 0x80..=0xbf)).count();
        let culprit = if misread.at == 0 { from..len } else { at..len.min(at + 1 + inside) };
        Err(Halt::Fault(PgnFault::NotAMove { word, expected: misread.expected }, culprit))
    }

    /// What the present word means as text.
    fn of_word<T>(&self, meaning: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        str::from_utf8(self.scanner.text()).ok().and_then(meaning)
    }

    /// Passes over the rest of a game that the visitor has left. Returns the first word of the next, if it was read.
    fn pass_over_rest(
        &mut self,
        is_in_tags: bool,
        word: Option<Token>,
    ) -> io::Result<Option<Token>> {
        let mut depth = self.lines.len();
        let mut first = word;
        let (mut passes_tags, mut has_tags) = (is_in_tags, is_in_tags && word.is_none());
        while passes_tags {
            let is_first = first.is_some();
            let token = match first.take() {
                Some(word) => Ok(word),
                None => self.scanner.next()?,
            };
            match token {
                Ok(Token::Tag) if is_first || !has_tags || !self.begins_next_game() => {
                    has_tags = true;
                    self.has_event |= self.is_event();
                    self.scanner.skip_tag_lines()?;
                }
                Ok(Token::Comment) => {}
                Ok(next @ (Token::Tag | Token::End)) => return Ok(Some(next)),
                Ok(Token::Word) if result_of(self.scanner.text()).is_some() => return Ok(None),
                Ok(other) => {
                    depth += usize::from(other == Token::OpenVariation);
                    passes_tags = false;
                }
                Err(_) => {
                    self.scanner.skip_to_next_game(true)?;
                    return Ok(None);
                }
            }
        }
        self.scanner.skip_movetext(depth)?;
        Ok(None)
    }
}

pub(super) fn result_of(word: &[u8]) -> Option<GameResult> {
    GameResult::ALL.into_iter().find(|result| result.as_str().as_bytes() == word)
}

/// Of more than two `!` and `?` in a row the first two count.
fn first_two(marks: &[u8]) -> Option<Nag> {
    str::from_utf8(marks.get(..2)?).ok().and_then(Nag::of_glyph)
}

/// How many bytes at the start of a word are a move number and its dots: `12.`, `12...`, `12…`, `...`. Digits alone
/// are one, too; in `0-0` they are not.
fn number_len(word: &[u8]) -> usize {
    const ELLIPSIS: &[u8] = "\u{2026}".as_bytes();
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut len = digits;
    loop {
        match &word[len..] {
            [] => return len,
            [b'.', ..] => len += 1,
            rest if rest.starts_with(ELLIPSIS) => len += ELLIPSIS.len(),
            _ if len > digits => return len,
            _ => return 0,
        }
    }
}

/// The name in a tag.
pub(super) fn tag_name(tag: &[u8]) -> &[u8] {
    let inside = inside_of(tag);
    let end = inside.iter().position(|&byte| byte.is_ascii_whitespace() || byte == b'"');
    &inside[..end.unwrap_or(inside.len())]
}

/// What stands between the brackets.
fn inside_of(tag: &[u8]) -> &[u8] {
    tag[1..tag.len() - 1].trim_ascii()
}

/// Name and value of a tag, if it is `[Name "value"]`.
fn tag_parts(tag: &[u8]) -> Option<(&str, Cow<'_, [u8]>)> {
    let name = tag_name(tag);
    let behind = inside_of(tag).strip_prefix(name)?.trim_ascii_start();
    let value = behind.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let name = str::from_utf8(name).ok().filter(|_| is_tag_name(name))?;
    Some((name, unescaped(value)))
}

/// Without the backslash before each quotation mark and backslash.
fn unescaped(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.contains(&b'\\') {
        return Cow::Borrowed(value);
    }
    let mut plain = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [byte, behind @ ..] = rest {
        rest = behind;
        match (byte, behind) {
            (b'\\', [escaped @ (b'"' | b'\\'), after @ ..]) => {
                plain.push(*escaped);
                rest = after;
            }
            _ => plain.push(*byte),
        }
    }
    Cow::Owned(plain)
}
