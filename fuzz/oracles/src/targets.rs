//! What a fuzz target does with its bytes: which generator meets which oracle.
//!
//! The targets of libFuzzer and the replay on stable Rust call the same functions, so that nothing is judged
//! in two ways.

use arbitrary::Arbitrary;
use touchmove::{Setup, perft};

use crate::generators::{
    Actions, EpdText, FenText, FreeSetup, GameFile, GameTree, SanText, Script, UciText, Walk,
    from_bytes,
};
use crate::oracles::{self, GameLog, Honest, Verdict};

/// One target of the fuzzer.
pub struct Target {
    /// Its name, that of its file and of its corpus.
    pub name: &'static str,
    /// What it looks at, in a few words.
    pub does: &'static str,
    /// Judges what the bytes make.
    pub judge: fn(&[u8]) -> Verdict,
    /// Its share of a campaign's time, beside the shares of the others.
    pub weight: u32,
    /// The most bytes that are of use to a search; longer seeds are cut for it, and played whole by the replay.
    pub len_max: usize,
}

/// All targets but the canary, in the order in which they are listed.
pub const TARGETS: &[Target] = &[
    Target {
        name: "game_diff",
        does: "games beside shakmaty",
        judge: game_diff,
        weight: 6,
        len_max: 512,
    },
    Target {
        name: "unmake_walk",
        does: "nothing left behind by unmake",
        judge: unmake_walk,
        weight: 4,
        len_max: 256,
    },
    Target {
        name: "setup_diff",
        does: "set-ups: refusal, moves, state",
        judge: setup_diff,
        weight: 4,
        len_max: 256,
    },
    Target {
        name: "any_move_code",
        does: "codes that nobody generated",
        judge: any_move_code,
        weight: 2,
        len_max: 256,
    },
    Target { name: "fen_text", does: "texts near a FEN", judge: fen_text, weight: 2, len_max: 256 },
    Target {
        name: "epd_text",
        does: "texts near an EPD line",
        judge: epd_text,
        weight: 2,
        len_max: 512,
    },
    Target {
        name: "uci_text",
        does: "texts near a UCI move",
        judge: uci_text,
        weight: 1,
        len_max: 64,
    },
    Target { name: "san_diff", does: "moves as text", judge: san_diff, weight: 2, len_max: 256 },
    Target {
        name: "san_text",
        does: "texts near a move as text",
        judge: san_text,
        weight: 2,
        len_max: 256,
    },
    Target {
        name: "pgn_text",
        does: "texts near a game file",
        judge: pgn_text,
        weight: 3,
        len_max: 2048,
    },
    Target {
        name: "pgn_roundtrip",
        does: "games with variations",
        judge: pgn_roundtrip,
        weight: 2,
        len_max: 1024,
    },
    Target {
        name: "game_actions",
        does: "the arbiter beside a model",
        judge: game_actions,
        weight: 3,
        len_max: 512,
    },
    Target {
        name: "perft_small",
        does: "counts of three plies",
        judge: perft_small,
        weight: 3,
        len_max: 256,
    },
    Target {
        name: "transpose",
        does: "keys by two orders of moves",
        judge: transpose,
        weight: 2,
        len_max: 1024,
    },
    Target { name: "mirror", does: "colours exchanged", judge: mirror, weight: 2, len_max: 256 },
];

/// The target that must crash: what shows that a find is found.
pub const CANARY: Target = Target {
    name: "canary",
    does: "a planted find: it must crash",
    judge: canary,
    weight: 0,
    len_max: 64,
};

/// The target of this name, the canary included.
pub fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().chain([&CANARY]).find(|target| target.name == name)
}

/// Set-ups with more positions than this two plies on are counted to two plies alone.
const SMALL_POSITIONS_MAX: u64 = 300;

/// A game: legality and state at every ply, and every ply taken back.
pub fn game_diff(bytes: &[u8]) -> Verdict {
    oracles::game(from_bytes::<Walk>(bytes), &Honest, &mut GameLog::default())
}

/// A game with questions, moves and null moves nested on the way.
pub fn unmake_walk(bytes: &[u8]) -> Verdict {
    oracles::unmake(from_bytes::<Walk>(bytes), &Honest)
}

/// One set-up: whether it is a position, and then its legality and state.
pub fn setup_diff(bytes: &[u8]) -> Verdict {
    let setup = setup(bytes);
    let judged = oracles::fen_text(&setup.to_string());
    match setup.validate() {
        Ok(position) if judged.is_clean() => {
            oracles::game(Script::new(position, Vec::new()), &Honest, &mut GameLog::default())
        }
        _ => judged,
    }
}

/// A set-up and a code, which comes first.
pub fn any_move_code(bytes: &[u8]) -> Verdict {
    let (code, rest) = bytes.split_at(bytes.len().min(2));
    let code = code.iter().fold(0, |code, &byte| code << 8 | u16::from(byte));
    let Ok(position) = setup(rest).validate() else { return Verdict::Pass };
    oracles::any_move_code(&position, code, &Honest)
}

/// A text that is a FEN or nearly one.
pub fn fen_text(bytes: &[u8]) -> Verdict {
    oracles::fen_text(&text(bytes, |FenText(text)| text))
}

/// A text that is an EPD line or nearly one.
pub fn epd_text(bytes: &[u8]) -> Verdict {
    oracles::epd_text(&text(bytes, |EpdText(text)| text))
}

/// A text that is a UCI move or nearly one.
pub fn uci_text(bytes: &[u8]) -> Verdict {
    oracles::uci_text(&text(bytes, |UciText(text)| text))
}

/// A game, every legal move of it in algebraic notation.
pub fn san_diff(bytes: &[u8]) -> Verdict {
    oracles::san(from_bytes::<Walk>(bytes), &Honest)
}

/// A position and a text that is one of its moves or nearly one. Bytes that are text are a FEN, a line end, and the
/// move.
pub fn san_text(bytes: &[u8]) -> Verdict {
    let written = std::str::from_utf8(bytes).ok().and_then(|text| text.split_once('\n'));
    let read = written.and_then(|(fen, text)| Some((fen.parse().ok()?, text.to_string())));
    let (position, text) = read.unwrap_or_else(|| {
        let SanText { position, text } = from_bytes(bytes);
        (position, text)
    });
    oracles::san_text(&position, &text, &Honest)
}

/// A text that is a file of games or nearly one.
pub fn pgn_text(bytes: &[u8]) -> Verdict {
    oracles::pgn_text(&text(bytes, |GameFile(text)| text), &Honest)
}

/// A game with variations, comments and signs.
pub fn pgn_roundtrip(bytes: &[u8]) -> Verdict {
    oracles::pgn_roundtrip(&from_bytes::<GameTree>(bytes).0, &Honest)
}

/// A game of all kinds of actions, beside a model of the arbiter.
pub fn game_actions(bytes: &[u8]) -> Verdict {
    oracles::arbiter(&from_bytes::<Actions>(bytes), None)
}

/// A set-up, counted to three plies where they are few, else to two.
pub fn perft_small(bytes: &[u8]) -> Verdict {
    let Ok(position) = setup(bytes).validate() else { return Verdict::Pass };
    let depth = if perft(&position, 2) > SMALL_POSITIONS_MAX { 2 } else { 3 };
    oracles::perft_small(&position, depth, &Honest)
}

/// A game, with two moves in both orders at every ply.
pub fn transpose(bytes: &[u8]) -> Verdict {
    oracles::transpose(from_bytes::<Walk>(bytes), &Honest)
}

/// A game and its mirror image.
pub fn mirror(bytes: &[u8]) -> Verdict {
    oracles::mirror(from_bytes::<Walk>(bytes), &Honest)
}

/// The planted find.
pub fn canary(bytes: &[u8]) -> Verdict {
    oracles::canary(bytes)
}

/// Bytes that are a FEN are that set-up, others make one.
fn setup(bytes: &[u8]) -> Setup {
    let text = std::str::from_utf8(bytes).ok();
    let read = text.and_then(|text| text.parse().ok());
    read.unwrap_or_else(|| from_bytes::<FreeSetup>(bytes).0)
}

/// Bytes that are text are that text, others make one near a valid one.
fn text<T: for<'a> Arbitrary<'a>>(bytes: &[u8], inner: impl Fn(T) -> String) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| inner(from_bytes(bytes)), str::to_string)
}
