//! Games as trees, step by step, and files of them with a few characters wrong.

use arbitrary::{Arbitrary, Result, Unstructured};
use touchmove::{GameResult, Nag, PgnBuilder, PgnComment, PgnGame};

use super::setup::FreeSetup;
use super::text::edited;

/// A game with variations, comments and signs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTree(pub PgnGame);

/// A file of such games, or nearly one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFile(pub String);

/// What a comment or a tag is made of: words that mean something elsewhere, and letters of all lengths.
const WORDS: [&str; 24] = [
    "a",
    "the queen's pawn",
    "%",
    "[%clk 0:01:02]",
    "[Event \"x\"]",
    ";",
    "{",
    "}",
    "}}",
    "\"",
    "\\",
    "\\\"",
    "(",
    ")",
    "1-0",
    "$5",
    "",
    " ",
    "  ",
    "\t",
    "\u{e9}",
    "\u{265e}\u{fe0e}",
    "\u{feff}",
    "longer words, and more of them than one line holds",
];

impl<'a> Arbitrary<'a> for GameTree {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<GameTree> {
        let start = match bytes.arbitrary::<u8>()? % 2 {
            0 => Default::default(),
            _ => FreeSetup::arbitrary(bytes)?.0.validate().unwrap_or_default(),
        };
        let mut game = PgnBuilder::new(start);
        for _ in 0..bytes.arbitrary::<u8>()? % 4 {
            let name = *bytes.choose(&["White", "ECO", "A", "x-y_Z:1"])?;
            game.tag(name, &words(bytes)?).expect("words have no line ends");
        }
        while !bytes.is_empty() {
            step(&mut game, bytes)?;
        }
        let result = *bytes.choose(&GameResult::ALL)?;
        Ok(GameTree(game.finish(result)))
    }
}

/// One more thing in the game; what the game refuses is left out.
fn step(game: &mut PgnBuilder, bytes: &mut Unstructured<'_>) -> Result<()> {
    // Only what is not possible here is refused, and then there is nothing to do.
    let _refused = match bytes.arbitrary::<u8>()? % 16 {
        0 => game.nag(Nag(bytes.arbitrary()?)),
        1 | 2 => {
            let comment = PgnComment::new(&words(bytes)?).expect("a few words are short");
            game.comment(comment)
        }
        3 | 4 => game.begin_variation(),
        5 | 6 => game.end_variation(),
        7 => game.play_null(),
        _ => {
            let legal = game.position().legal_moves();
            let choice = usize::from(bytes.arbitrary::<u8>()?);
            match legal.is_empty() {
                true => game.end_variation(),
                false => game.play(legal[choice * legal.len() / 256]),
            }
        }
    };
    Ok(())
}

fn words(bytes: &mut Unstructured<'_>) -> Result<String> {
    let count = bytes.arbitrary::<u8>()? % 8;
    (0..count).map(|_| bytes.choose(&WORDS).copied()).collect()
}

impl<'a> Arbitrary<'a> for GameFile {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<GameFile> {
        let games = 1 + bytes.arbitrary::<u8>()? % 3;
        let mut file = String::new();
        for left in (1..=usize::from(games)).rev() {
            let mut own = Unstructured::new(bytes.bytes(bytes.len() / (left + 1))?);
            file.push_str(&GameTree::arbitrary(&mut own)?.0.to_string());
            file.push('\n');
        }
        const SIGNS: &str =
            "()[]{};%$*.!?\"\\\n\r \u{feff}\u{e9}\u{b1}Nx=O-0123456789abcdefgh+#<>~";
        let line_end = *bytes.choose(&["\n", "\r\n", "\r"])?;
        Ok(GameFile(edited(file.replace('\n', line_end), bytes, SIGNS)?))
    }
}
