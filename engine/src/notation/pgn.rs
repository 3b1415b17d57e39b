//! Portable game notation (R22): what a game file consists of, and how large its parts may be.
//!
//! Reading is the room [`reader`], a stream with a [`visitor`], on the words that [`scanner`] finds. [`replay`] plays what
//! is read, [`tree`] makes a [`game`] of it, as [`builder`] does for programs, and [`write`](mod@write) puts a game
//! into text.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

pub(crate) mod builder;
#[cfg(feature = "std")]
pub(crate) mod error;
pub(crate) mod game;
#[cfg(feature = "std")]
pub(crate) mod judge;
#[cfg(feature = "std")]
pub(crate) mod reader;
pub(crate) mod replay;
#[cfg(feature = "std")]
mod scanner;
#[cfg(feature = "std")]
pub(crate) mod tree;
#[cfg(feature = "std")]
pub(crate) mod visitor;
mod write;

/// The most variations that may be open at one place.
pub const PGN_NESTING_MAX: usize = 100;
/// The most characters a tag's value may have.
pub const PGN_TAG_MAX: usize = 8_192;
/// The most characters a comment may have.
pub const PGN_COMMENT_MAX: usize = 1 << 18;
/// The most moves, NAGs, comments and variations a game may have, all counted together.
pub const PGN_ITEMS_MAX: usize = 1 << 18;
/// The most characters all comments and tags of a game may have together.
pub const PGN_CHARS_MAX: usize = 1 << 22;

/// How a game ended, as the last word of its movetext says it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game goes on, or nobody knows.
    #[default]
    Unknown,
}

impl GameResult {
    /// All four.
    pub const ALL: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

    /// As it stands in a game file.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is none of `1-0`, `0-1`, `1/2-1/2` and `*`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResultError;

impl fmt::Display for GameResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a result, `1-0`, `0-1`, `1/2-1/2` or `*`")
    }
}

impl core::error::Error for GameResultError {}

impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<GameResult, GameResultError> {
        GameResult::ALL.into_iter().find(|result| result.as_str() == text).ok_or(GameResultError)
    }
}

/// A numeric annotation glyph: `$1` for a good move, `$10` for an even position.
///
/// ```
/// use touchmove::Nag;
///
/// assert_eq!(Nag::of_glyph("!?"), Some(Nag(5)));
/// assert_eq!(Nag(5).to_string(), "$5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u8);

/// Signs in place of numbers, as annotators and databases write them.
const GLYPHS: &[(&str, u8)] = &[
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("+=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("-+", 19),
    ("−+", 19),
    ("⨀", 22),
    ("⟳", 32),
    ("→", 36),
    ("↑", 40),
    ("=/∞", 44),
    ("⇆", 132),
    ("⨁", 138),
    ("∆", 140),
    ("N", 146),
];

impl Nag {
    /// What a sign stands for: `!`, `?!`, `±`, `+-`. Three or more of `!` or `?` say no more than two.
    pub fn of_glyph(glyph: &str) -> Option<Nag> {
        let known = GLYPHS.iter().find(|(sign, _)| *sign == glyph).map(|&(_, number)| Nag(number));
        let is_all = |letter: char| glyph.len() > 2 && glyph.chars().all(|sign| sign == letter);
        known.or_else(|| match (is_all('!'), is_all('?')) {
            (true, _) => Some(Nag(3)),
            (_, true) => Some(Nag(4)),
            _ => None,
        })
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// A comment: one line of text, no blanks around it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PgnComment(String);

impl PgnComment {
    /// Makes a comment of a text. Line ends become blanks, since a writer breaks lines where it must.
    ///
    /// # Errors
    ///
    /// When it has more than [`PGN_COMMENT_MAX`] characters.
    pub fn new(text: &str) -> Result<PgnComment, PgnTooLarge> {
        let text = text.trim_matches(is_blank);
        if text.len() > PGN_COMMENT_MAX && text.chars().count() > PGN_COMMENT_MAX {
            return Err(PgnTooLarge::Comment);
        }
        if !text.contains(['\n', '\r']) {
            return Ok(PgnComment(text.to_owned()));
        }
        Ok(PgnComment(text.replace("\r\n", " ").replace(['\n', '\r'], " ")))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c')
}

/// Part of a game is larger than it may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PgnTooLarge {
    /// A tag's value has more than [`PGN_TAG_MAX`] characters.
    Tag,
    /// A comment has more than [`PGN_COMMENT_MAX`] characters.
    Comment,
    /// More than [`PGN_NESTING_MAX`] variations are open.
    Nesting,
    /// The game has more than [`PGN_ITEMS_MAX`] items, or more than [`PGN_CHARS_MAX`] characters in comments and tags.
    Game,
}

impl fmt::Display for PgnTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnTooLarge::Tag => write!(f, "a tag has more than {PGN_TAG_MAX} characters"),
            PgnTooLarge::Comment => {
                write!(f, "a comment has more than {PGN_COMMENT_MAX} characters")
            }
            PgnTooLarge::Nesting => {
                write!(f, "variations are nested more than {PGN_NESTING_MAX} deep")
            }
            PgnTooLarge::Game => write!(
                f,
                "the game has more than {PGN_ITEMS_MAX} moves and annotations, or more than \
                 {PGN_CHARS_MAX} characters of text"
            ),
        }
    }
}

impl core::error::Error for PgnTooLarge {}

/// How much of a game there is so far: reading and building stop at the same size, so that what is written
/// reads back.
#[derive(Clone, Copy, Default, Debug)]
struct Size {
    items: usize,
    chars: usize,
    /// So many characters more are allowed.
    spare: usize,
}

impl Size {
    /// A little room is left for the result, which a builder learns last.
    #[cfg(feature = "std")]
    const fn of_reading() -> Size {
        Size { items: 0, chars: 0, spare: 16 }
    }

    fn add_item(&mut self) -> Result<(), PgnTooLarge> {
        self.items += 1;
        if self.items > PGN_ITEMS_MAX { Err(PgnTooLarge::Game) } else { Ok(()) }
    }

    fn add_tag(&mut self, chars: usize) -> Result<(), PgnTooLarge> {
        self.add_text(chars, PGN_TAG_MAX, PgnTooLarge::Tag)
    }

    fn add_comment(&mut self, chars: usize) -> Result<(), PgnTooLarge> {
        self.add_text(chars, PGN_COMMENT_MAX, PgnTooLarge::Comment)
    }

    fn add_text(&mut self, chars: usize, max: usize, part: PgnTooLarge) -> Result<(), PgnTooLarge> {
        self.add_item()?;
        self.chars += chars;
        match self.chars {
            _ if chars > max => Err(part),
            chars if chars <= PGN_CHARS_MAX + self.spare => Ok(()),
            _ => Err(PgnTooLarge::Game),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_read_back() {
        for result in GameResult::ALL {
            assert_eq!(result.to_string().parse(), Ok(result));
        }
        assert_eq!("1/2".parse::<GameResult>(), Err(GameResultError));
    }

    /// The numbers of the standard, section 10, and of its later additions.
    #[test]
    fn signs_have_the_numbers_of_the_standard() {
        for (sign, number) in [("!", 1), ("??", 4), ("?!", 6), ("±", 16), ("-+", 19), ("N", 146)] {
            assert_eq!(Nag::of_glyph(sign), Some(Nag(number)), "{sign}");
        }
        assert_eq!(Nag::of_glyph("!!!!"), Some(Nag(3)));
        assert_eq!(Nag::of_glyph("???"), Some(Nag(4)));
        assert_eq!(Nag::of_glyph("Nf3"), None);
    }

    #[test]
    fn a_comment_is_one_line() {
        let comment = |text: &str| PgnComment::new(text).unwrap().as_str().to_owned();
        assert_eq!(comment(" a\r\nb\nc\rd  e "), "a b c d  e");
        assert_eq!(PgnComment::new(&"é".repeat(PGN_COMMENT_MAX)).map(drop), Ok(()));
        assert_eq!(PgnComment::new(&"é".repeat(PGN_COMMENT_MAX + 1)), Err(PgnTooLarge::Comment));
    }
}
