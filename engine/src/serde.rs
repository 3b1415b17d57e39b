//! Serialisation with the optional crate `serde`: whatever has a text is that text.

use alloc::string::ToString;
use core::fmt::{self, Display};
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::game::clock::TimeControl;
use crate::game::outcome::Outcome;
use crate::game::record::GameRecord;
use crate::notation::epd::Epd;
use crate::notation::pgn::GameResult;
#[cfg(feature = "std")]
use crate::notation::pgn::game::PgnGame;
use crate::notation::san::San;
use crate::notation::uci::UciMove;
use crate::position::{Position, Setup};
use crate::square::Square;

/// Reads a text by the type's own notation.
struct Text<T> {
    expected: &'static str,
    of: PhantomData<T>,
}

impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($(#[$condition:meta])* $of:ty = $expected:literal),+ $(,)?) => {$(
        $(#[$condition])*
        impl Serialize for $of {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.to_string())
            }
        }

        $(#[$condition])*
        impl<'de> Deserialize<'de> for $of {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$of, D::Error> {
                deserializer.deserialize_str(Text { expected: $expected, of: PhantomData })
            }
        }
    )+};
}

as_text! {
    Square = "a square, `e4`",
    Setup = "a FEN",
    Position = "the FEN of a position",
    Epd = "an EPD line",
    UciMove = "a move as UCI text",
    San = "a move in algebraic notation",
    GameResult = "a result, `1-0`",
    Outcome = "how a game ended",
    TimeControl = "a time control, `300+2`",
    GameRecord = "the record of a game",
    #[cfg(feature = "std")]
    PgnGame = "a game in PGN",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::piece::Color;

    #[track_caller]
    fn assert_text<T>(value: T, json: &str)
    where
        T: Serialize + for<'a> Deserialize<'a> + PartialEq + fmt::Debug,
    {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn what_has_a_text_is_that_text() {
        assert_text(Square::E4, "\"e4\"");
        assert_text(
            Position::default(),
            "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"",
        );
        assert_text("e7e8q".parse::<UciMove>().unwrap(), "\"e7e8q\"");
        assert_text("300+2".parse::<TimeControl>().unwrap(), "\"300+2\"");
        let mut game = Game::new(Position::default());
        game.play(Color::White, "e2e4").unwrap();
        let json = serde_json::to_string(&game.record()).unwrap();
        assert_eq!(serde_json::from_str::<GameRecord>(&json).unwrap().restore(), Ok(game));
    }

    #[test]
    fn a_text_that_is_none_is_an_error_that_says_why() {
        let error = serde_json::from_str::<Square>("\"e9\"").unwrap_err().to_string();
        assert!(error.contains("e9") || error.contains("square"), "{error}");
        let error = serde_json::from_str::<Position>("7").unwrap_err().to_string();
        assert!(error.contains("expected the FEN of a position"), "{error}");
    }
}
