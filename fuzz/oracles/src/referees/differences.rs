//! Where shakmaty reads a text that we refuse, or refuses one that we read: known, harmless, and nothing
//! else.
//!
//! Each entry has an example that must still differ, or the entry has outlived its reason. None excuses
//! the move list of a position that both accept.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup as _, PositionErrorKinds};

/// What a text is meant to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextKind {
    /// A FEN of a position.
    Fen,
    /// A UCI move.
    Uci,
    /// A move in algebraic notation.
    San,
}

/// A known difference in what is read.
#[derive(Clone, Copy, Debug)]
pub struct TextDifference {
    /// What differs, in a few words.
    pub name: &'static str,
    /// What the text is meant to be.
    pub kind: TextKind,
    /// Whether we accept it and shakmaty does not, or the other way round.
    pub we_accept: bool,
    /// Whether a text of this sort is so read by us for certain, and not only where other things are as well.
    pub certain: bool,
    /// Whether a text is of this sort.
    pub condition: fn(&str) -> bool,
    /// A text that differs for this reason.
    pub example: &'static str,
}

/// The known differences from shakmaty 0.30.1.
pub const SHAKMATY: &[TextDifference] = &[
    TextDifference {
        name: "another number of fields than four or six (R5)",
        kind: TextKind::Fen,
        we_accept: false,
        certain: true,
        condition: |text| !matches!(fields(text).len(), 4 | 6),
        example: "4k3/8/8/8/8/8/8/4K3 w - - 0",
    },
    TextDifference {
        name: "more than one blank between fields, or another separator (R5)",
        kind: TextKind::Fen,
        we_accept: false,
        certain: true,
        condition: |text| text.trim_ascii().contains("  ") || text.contains('_'),
        example: "4k3/8/8/8/8/8/8/4K3 w  - - 0 1",
    },
    TextDifference {
        name: "two digits in a row (R5)",
        kind: TextKind::Fen,
        we_accept: false,
        certain: true,
        condition: |text| {
            let placement = fields(text).first().copied().unwrap_or_default().as_bytes();
            placement.windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit))
        },
        example: "4k3/44/8/8/8/8/8/4K3 w - - 0 1",
    },
    TextDifference {
        name: "a castling right named twice (R6)",
        kind: TextKind::Fen,
        we_accept: false,
        certain: false,
        condition: |text| fields(text).get(2).is_some_and(|rights| may_name_twice(rights)),
        example: "4k3/8/8/8/8/8/8/4K2R w KK - 0 1",
    },
    TextDifference {
        name: "a counter above 9999, or with a leading zero (R5)",
        kind: TextKind::Fen,
        we_accept: false,
        certain: true,
        condition: |text| {
            let odd = |counter: &&str| {
                counter.len() > 4 || counter.len() > 1 && counter.starts_with(['0', '+'])
            };
            fields(text).iter().skip(4).any(odd)
        },
        example: "4k3/8/8/8/8/8/8/4K3 w - - 00 1",
    },
    TextDifference {
        name: "a slash after the last rank, and what follows it (R5)",
        kind: TextKind::Fen,
        we_accept: false,
        certain: true,
        condition: |text| fields(text).first().is_some_and(|ranks| ranks.matches('/').count() > 7),
        example: "4k3/8/8/8/8/8/8/4K3/ w - - 0 1",
    },
    TextDifference {
        name: "a promoted piece marked as such, or pieces in a pocket, as in other variants (R5)",
        kind: TextKind::Fen,
        we_accept: false,
        certain: true,
        condition: |text| {
            fields(text).first().is_some_and(|placement| placement.contains(['~', '[']))
        },
        example: "4k3/8/8/8/8/8/8/4KQ~2 w - - 0 1",
    },
    TextDifference {
        name: "a tab or a line end around the text (R5)",
        kind: TextKind::Fen,
        we_accept: true,
        certain: false,
        condition: |text| text.trim_ascii() != text.trim_matches(' '),
        example: "4k3/8/8/8/8/8/8/4K3 w - - 0 1\t",
    },
    TextDifference {
        name: "more material than a game can have (R1)",
        kind: TextKind::Fen,
        we_accept: true,
        certain: false,
        condition: |text| strict_fault(text) == Some(StrictFault::TooMuchMaterial),
        example: "4k3/8/8/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
    },
    TextDifference {
        name: "a check that no game leads to (R1)",
        kind: TextKind::Fen,
        we_accept: true,
        certain: false,
        condition: |text| strict_fault(text) == Some(StrictFault::ImpossibleCheck),
        example: "4k3/4R3/3N1N2/8/8/8/8/4K3 b - - 0 1",
    },
    TextDifference {
        name: "blanks around the move (R9)",
        kind: TextKind::Uci,
        we_accept: true,
        certain: false,
        condition: |text| text.trim_ascii() != text,
        example: " e2e4 ",
    },
    TextDifference {
        name: "a promotion in upper case, or to a king or pawn (R10)",
        kind: TextKind::Uci,
        we_accept: false,
        certain: true,
        condition: |text| {
            text.len() == 5 && text.ends_with(['N', 'B', 'R', 'Q', 'K', 'P', 'k', 'p'])
        },
        example: "e7e8Q",
    },
    TextDifference {
        name: "a piece dropped, as in other variants",
        kind: TextKind::Uci,
        we_accept: false,
        certain: true,
        condition: |text| text.contains('@'),
        example: "Q@e4",
    },
    TextDifference {
        name: "blanks around the move (R21)",
        kind: TextKind::San,
        we_accept: true,
        certain: false,
        condition: |text| text.trim_ascii() != text,
        example: " e4 ",
    },
    TextDifference {
        name: "marks other than one `+` or `#` (R21)",
        kind: TextKind::San,
        we_accept: true,
        certain: false,
        condition: |text| {
            let marks = text.len() - text.trim_end_matches(['+', '#', '!', '?']).len();
            marks > 1 || text.ends_with(['!', '?'])
        },
        example: "e4!?",
    },
    TextDifference {
        name: "castling with zeros (R21)",
        kind: TextKind::San,
        we_accept: true,
        certain: false,
        condition: |text| text.starts_with("0-0"),
        example: "0-0",
    },
    TextDifference {
        name: "a hyphen between origin and target (R21)",
        kind: TextKind::San,
        we_accept: true,
        certain: false,
        condition: |text| text.contains('-') && !text.starts_with(['O', '0']),
        example: "e2-e4",
    },
    TextDifference {
        name: "a promotion without `=` (R21)",
        kind: TextKind::San,
        we_accept: true,
        certain: false,
        condition: |text| {
            text.trim_end_matches(['+', '#']).ends_with(['N', 'B', 'R', 'Q']) && !text.contains('=')
        },
        example: "a8Q",
    },
];

/// The entry that explains why one of the two reads a text and the other does not.
pub fn explain(kind: TextKind, text: &str, we_accept: bool) -> Option<&'static TextDifference> {
    SHAKMATY.iter().find(|difference| {
        difference.kind == kind && difference.we_accept == we_accept && (difference.condition)(text)
    })
}

/// The entry that says that we refuse a text, whatever others do.
pub fn forbids(kind: TextKind, text: &str) -> Option<&'static TextDifference> {
    explain(kind, text, false).filter(|difference| difference.certain)
}

fn fields(text: &str) -> Vec<&str> {
    text.trim_ascii().split([' ', '_']).filter(|field| !field.is_empty()).collect()
}

/// Whether a letter stands twice, or a wing's letter beside a file's, which may mean the same rook.
fn may_name_twice(rights: &str) -> bool {
    let twice = |letter: char| rights.matches(letter).count() > 1;
    let both = |wings: [char; 2], files: std::ops::RangeInclusive<char>| {
        rights.contains(wings) && rights.contains(|letter| files.contains(&letter))
    };
    rights.chars().any(twice) || both(['K', 'Q'], 'A'..='H') || both(['k', 'q'], 'a'..='h')
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StrictFault {
    TooMuchMaterial,
    ImpossibleCheck,
}

/// Why shakmaty, which asks whether a game leads there, refuses a position.
fn strict_fault(text: &str) -> Option<StrictFault> {
    let setup = text.trim_ascii().parse::<Fen>().ok()?.into_setup();
    let mode = CastlingMode::detect(&setup);
    let kinds = Chess::from_setup(setup, mode).err()?.kinds();
    if kinds.contains(PositionErrorKinds::TOO_MUCH_MATERIAL) {
        Some(StrictFault::TooMuchMaterial)
    } else if kinds.contains(PositionErrorKinds::IMPOSSIBLE_CHECK) {
        Some(StrictFault::ImpossibleCheck)
    } else {
        None
    }
}
