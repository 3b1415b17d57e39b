//! Text near valid text: a FEN, an EPD line or a UCI move, with a few characters wrong.

use arbitrary::{Arbitrary, Result, Unstructured};
use touchmove::{Epd, Square, UciMove};

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
        let mut square = || -> Result<Square> {
            Ok(Square::from_index(bytes.arbitrary::<u8>()? % 64).expect("below 64"))
        };
        let (from, to) = (square()?, square()?);
        let mut text = UciMove::Board { from, to, promotion: None }.to_string();
        if bytes.arbitrary::<u8>()? % 4 == 0 {
            text.push(*bytes.choose(&['q', 'r', 'b', 'n', 'k', 'Q'])?);
        }
        Ok(UciText(edited(text, bytes, "abcdefgh12345678qrbnQRBN0 9\t\0\u{e9}")?))
    }
}

/// Changes a text in up to three places; one in four stays as it is.
fn edited(text: String, bytes: &mut Unstructured<'_>, alphabet: &str) -> Result<String> {
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
