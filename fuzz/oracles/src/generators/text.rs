//! Text near valid text: a FEN, an EPD line or a UCI move, with a few characters wrong.

use arbitrary::{Arbitrary, Result, Unstructured};
use touchmove::{Epd, Move, Position, San, SanPlay, Square, UciMove};

use super::setup::FreeSetup;

/// A text that is a FEN or nearly one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenText(pub String);

/// A text that is an EPD line or nearly one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdText(pub String);

/// A text that is a UCI move or nearly one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciText(pub String);

impl<'a> Arbitrary<'a> for FenText {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<FenText> {
        let fen = FreeSetup::arbitrary(bytes)?.0.to_string();
        Ok(FenText(edited(fen, bytes, "KQkqAHah pPrRnNbBqQkK12345678/-wb0 9\t\u{e9}")?))
    }
}

impl<'a> Arbitrary<'a> for EpdText {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<EpdText> {
        let position = FreeSetup::arbitrary(bytes)?.0.validate().unwrap_or_default();
        let mut line = Epd::from(position).to_string();
        const OPERATIONS: [&str; 6] =
            [" D1 20;", " id \"a; b\";", " bm e4 d4;", " hmvc 7;", " fmvn 12;", " c0 x;"];
        for _ in 0..bytes.arbitrary::<u8>()? % 4 {
            line.push_str(OPERATIONS[usize::from(bytes.arbitrary::<u8>()? % 6)]);
        }
        Ok(EpdText(edited(line, bytes, "; \"D1hmvcfmvnid09-\\\u{e9}")?))
    }
}

impl<'a> Arbitrary<'a> for UciText {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<UciText> {
        let (from, to) = (square(bytes.arbitrary()?), square(bytes.arbitrary()?));
        let mut text = UciMove::Board { from, to, promotion: None }.to_string();
        if bytes.arbitrary::<u8>()? % 4 == 0 {
            text.push(*bytes.choose(&['q', 'r', 'b', 'n', 'k', 'Q'])?);
        }
        Ok(UciText(edited(text, bytes, "abcdefgh12345678qrbnQRBN0 9\t\0\u{e9}")?))
    }
}

/// A position, and a text that is a move of it or nearly one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SanText {
    /// The position.
    pub position: Position,
    /// The text.
    pub text: String,
}

impl<'a> Arbitrary<'a> for SanText {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<SanText> {
        let position = FreeSetup::arbitrary(bytes)?.0.validate().unwrap_or_default();
        let legal = position.legal_moves();
        let text = match bytes.arbitrary::<u8>()? {
            choice if legal.is_empty() => format!("K{}", square(choice)),
            choice => {
                let mv = legal[usize::from(choice) * legal.len() / 256];
                wordy(&position, mv, bytes.arbitrary()?)
            }
        };
        let text = edited(text, bytes, "NBRQKPabcdefgh12345678xO0-=+#!?@ nbrq\u{e9}")?;
        Ok(SanText { position, text })
    }
}

/// A move with more or less of its origin than is needed.
fn wordy(position: &Position, mv: Move, choice: u8) -> String {
    let mut san = San::of(position, mv);
    if let SanPlay::Board { from_file, from_rank, .. } = &mut san.play {
        *from_file =
            from_file.filter(|_| choice & 7 != 0).or((choice & 8 != 0).then(|| mv.from().file()));
        *from_rank =
            from_rank.filter(|_| choice & 7 != 1).or((choice & 16 != 0).then(|| mv.from().rank()));
    }
    let text = san.to_string();
    match choice >> 5 {
        0 => text.replace('O', "0"),
        1 => text.replace('=', ""),
        2 => text.replace('x', "-"),
        3 => text + "!?",
        _ => text,
    }
}

fn square(choice: u8) -> Square {
    Square::from_index(choice % 64).expect("below 64")
}

/// Changes a text in up to three places; one in four stays as it is.
pub(super) fn edited(text: String, bytes: &mut Unstructured<'_>, alphabet: &str) -> Result<String> {
    let mut letters: Vec<char> = text.chars().collect();
    let alphabet: Vec<char> = alphabet.chars().collect();
    for _ in 0..bytes.arbitrary::<u8>()? % 4 {
        let at = bytes.choose_index(letters.len() + 1)?;
        let letter = *bytes.choose(&alphabet)?;
        match bytes.arbitrary::<u8>()? % 3 {
            0 => letters.insert(at, letter),
            1 if at < letters.len() => drop(letters.remove(at)),
            _ if at < letters.len() => letters[at] = letter,
            _ => letters.push(letter),
        }
    }
    Ok(letters.into_iter().collect())
}
