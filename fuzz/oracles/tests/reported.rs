//! The catalogue of reported faults (`reported.toml`), every case of it put to touchmove.
//!
//! Counts beyond [`NODES_MAX`] are left to a run with time: set `REPORTED_NODES_MAX` to a larger number.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use touchmove::{
    Epd, FenError, Game, IllegalMove, Key, Move, NullUndo, Policy, Position, San, SanError,
    UciMode, UciMove, Undo, perft,
};

/// The largest count that is worked out in an everyday run; some tens of millions of paths in all.
const NODES_MAX: u64 = 8_000_000;

const ROWS_MIN: usize = 152;
const CASES_MIN: usize = 314;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    fault: Vec<Fault>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    id: String,
    kind: String,
    what: String,
    source: Vec<String>,
    rule: Option<String>,
    note: Option<String>,
    test: Option<String>,
    #[serde(default)]
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    fen: Option<String>,
    epd: Option<String>,
    #[serde(default)]
    chess960: bool,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    taken_back: usize,
    fen_after: Option<String>,
    castling: Option<String>,
    board_after: Option<String>,
    count: Option<usize>,
    #[serde(default)]
    legal: Vec<String>,
    #[serde(default)]
    illegal: Vec<String>,
    #[serde(default)]
    refused_text: Vec<String>,
    #[serde(default)]
    read_text: Vec<(String, String)>,
    #[serde(default)]
    perft: Vec<(u32, u64)>,
    refused: Option<Refused>,
    same_key_as: Option<String>,
    different_key_from: Option<String>,
    opcodes: Option<BTreeMap<String, Vec<String>>>,
    #[serde(default)]
    san: Vec<(String, String)>,
    #[serde(default)]
    read_san: Vec<(String, String)>,
    #[serde(default)]
    refused_san: Vec<(String, String)>,
    #[serde(default)]
    operation_moves: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    best_moves: Vec<String>,
    epd_after: Option<String>,
    #[serde(default)]
    game: Vec<String>,
    #[serde(default)]
    online: bool,
    flag: Option<bool>,
    occurrences: Option<usize>,
    outcome: Option<String>,
    dead: Option<bool>,
    check: Option<bool>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum Refused {
    Syntax,
    Setup,
}

fn catalogue() -> Catalogue {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reported.toml");
    let text = std::fs::read_to_string(&path).expect("the catalogue is there");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What a case finds wrong: the first thing, in words.
type Finding = Result<(), String>;

fn ensure_eq<T: PartialEq + std::fmt::Debug>(what: &str, found: T, right: T) -> Finding {
    if found == right { Ok(()) } else { Err(format!("{what}: found {found:?}, right {right:?}")) }
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Finding {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// A move on the way of a case, ready to be taken back.
enum Played {
    Move(Move, Undo),
    Null(NullUndo),
}

impl Case {
    fn mode(&self) -> UciMode {
        if self.chess960 { UciMode::Chess960 } else { UciMode::Standard }
    }

    /// The position it sets up; `None` when it asks for a refusal, and gets it.
    fn set_up(&self) -> Result<Option<Position>, String> {
        let read = match (&self.fen, &self.epd) {
            (Some(_), Some(_)) => return Err("both `fen` and `epd` are given".into()),
            (Some(fen), None) => fen.parse::<Position>(),
            (None, Some(epd)) => epd.parse::<Epd>().map(|epd| *epd.position()),
            (None, None) => Ok(Position::default()),
        };
        let refused = match &read {
            Err(FenError::Syntax(_)) => Some(Refused::Syntax),
            Err(FenError::Setup(_)) => Some(Refused::Setup),
            Err(other) => return Err(format!("another kind of refusal: {other}")),
            Ok(_) => None,
        };
        match (refused, self.refused) {
            (found, right) if found == right => Ok(read.ok()),
            (Some(_), None) => Err(format!("the set-up is refused: {}", read.unwrap_err())),
            (found, right) => Err(format!("refused: found {found:?}, right {right:?}")),
        }
    }

    fn play(&self, position: &mut Position) -> Finding {
        let mut played = Vec::new();
        for text in &self.moves {
            let uci: UciMove = text.parse().map_err(|error| format!("{text}: {error}"))?;
            played.push(match uci {
                UciMove::Null => {
                    Played::Null(position.make_null().map_err(|error| format!("0000: {error}"))?)
                }
                _ => {
                    let mv = uci.resolve(position, self.mode());
                    let mv = mv.map_err(|why| format!("{text} in {position}: {why}"))?;
                    Played::Move(mv, position.make(mv))
                }
            });
        }
        for _ in 0..self.taken_back {
            match played.pop().ok_or("more moves are taken back than played")? {
                Played::Move(mv, undo) => position.unmake(mv, undo),
                Played::Null(undo) => position.unmake_null(undo),
            }
        }
        Ok(())
    }

    fn run(&self, nodes_max: u64) -> Finding {
        let Some(mut position) = self.set_up()? else {
            return ensure(!self.asserts_about_a_position(), || {
                "asserts beyond the refusal".into()
            });
        };
        self.play(&mut position)?;
        ensure(self.asserts_about_a_position(), || "asserts nothing".into())?;
        self.check_text(&position)?;
        self.check_moves(&position)?;
        self.check_uci(&position)?;
        self.check_keys(&position)?;
        self.check_operations()?;
        self.check_operation_moves()?;
        self.check_san(&position)?;
        self.check_game(&position)?;
        self.check_counts(&position, nodes_max)
    }

    fn asserts_about_a_position(&self) -> bool {
        self.fen_after.is_some()
            || self.castling.is_some()
            || self.board_after.is_some()
            || self.count.is_some()
            || self.same_key_as.is_some()
            || self.different_key_from.is_some()
            || self.opcodes.is_some()
            || self.outcome.is_some()
            || self.occurrences.is_some()
            || self.dead.is_some()
            || self.check.is_some()
            || self.epd_after.is_some()
            || !self.operation_moves.is_empty()
            || ![&self.san, &self.read_san, &self.refused_san].into_iter().all(Vec::is_empty)
            || !self.perft.is_empty()
            || ![&self.legal, &self.illegal, &self.refused_text].into_iter().all(Vec::is_empty)
            || !self.read_text.is_empty()
    }

    fn check_text(&self, position: &Position) -> Finding {
        let text = position.to_string();
        let mut fields = text.split(' ');
        let board = fields.next().unwrap_or_default();
        let castling = fields.nth(1).unwrap_or_default();
        ensure_eq("fen_after", &text, self.fen_after.as_ref().unwrap_or(&text))?;
        ensure_eq("board_after", board, self.board_after.as_deref().unwrap_or(board))?;
        ensure_eq("castling", castling, self.castling.as_deref().unwrap_or(castling))?;
        ensure_eq("reading what was written", text.parse(), Ok(*position))
    }

    /// The list of both routes, its length, and what must or must not be in it.
    fn check_moves(&self, position: &Position) -> Finding {
        let fast: BTreeSet<Move> = position.legal_moves().into_iter().collect();
        let by_trial: BTreeSet<Move> =
            position.clone().legal_moves_by_trial().into_iter().collect();
        ensure_eq("the two routes", &fast, &by_trial)?;
        ensure_eq("legal_count", position.legal_count(), fast.len())?;
        ensure_eq("count", fast.len(), self.count.unwrap_or(fast.len()))?;
        for text in &self.legal {
            let mv =
                resolve(position, text, self.mode())?.map_err(|why| format!("{text}: {why}"))?;
            ensure(fast.contains(&mv), || format!("{text} is resolved and not listed"))?;
        }
        for text in &self.illegal {
            ensure(resolve(position, text, self.mode())?.is_err(), || format!("{text} is legal"))?;
        }
        Ok(())
    }

    fn check_uci(&self, position: &Position) -> Finding {
        for text in &self.refused_text {
            match text.parse::<UciMove>().map(|uci| uci.resolve(position, self.mode())) {
                Err(_) | Ok(Err(IllegalMove::PromotionMissing)) => {}
                Ok(other) => return Err(format!("{text:?} is read as {other:?}")),
            }
        }
        for (text, right) in &self.read_text {
            let mv =
                resolve(position, text, self.mode())?.map_err(|why| format!("{text}: {why}"))?;
            let written = UciMove::of(mv, self.mode()).map_err(|error| error.to_string())?;
            ensure_eq(text, &written.to_string(), right)?;
        }
        Ok(())
    }

    fn check_keys(&self, position: &Position) -> Finding {
        ensure_eq("key from scratch", position.key(), Key::of(position))?;
        let key_of = |fen: &String| {
            fen.parse()
                .map(|other: Position| other.key())
                .map_err(|error| format!("{fen}: {error}"))
        };
        if let Some(fen) = &self.same_key_as {
            ensure_eq("same_key_as", position.key(), key_of(fen)?)?;
        }
        if let Some(fen) = &self.different_key_from {
            let key = key_of(fen)?;
            ensure(position.key() != key, || format!("the key is also that of {fen}"))?;
        }
        Ok(())
    }

    fn check_operations(&self) -> Finding {
        let Some(opcodes) = &self.opcodes else { return Ok(()) };
        let text = self.epd.as_ref().ok_or("`opcodes` without `epd`")?;
        let epd: Epd = text.parse().map_err(|error| format!("{text}: {error}"))?;
        for (opcode, right) in opcodes {
            let operands = epd.operands(opcode).ok_or_else(|| format!("{opcode} is missing"))?;
            let found: Vec<&str> = operands.iter().map(|operand| operand.text()).collect();
            ensure_eq(opcode, found, right.iter().map(String::as_str).collect())?;
        }
        ensure_eq("reading what was written", epd.to_string().parse(), Ok(epd))
    }

    fn check_operation_moves(&self) -> Finding {
        let epd = || -> Result<Epd, String> {
            let text = self.epd.as_ref().ok_or("operations without `epd`")?;
            text.parse().map_err(|error| format!("{text}: {error}"))
        };
        for (opcode, right) in &self.operation_moves {
            let moves = epd()?.moves(opcode).ok_or_else(|| format!("{opcode} is missing"))?;
            let moves = moves.map_err(|error| format!("{opcode}: {error}"))?;
            let written = moves.into_iter().map(|mv| UciMove::of(mv, self.mode()));
            let written: Vec<String> = written.map(|text| text.unwrap().to_string()).collect();
            ensure_eq(opcode, &written, right)?;
        }
        if let Some(right) = &self.epd_after {
            let mut epd = epd()?;
            let resolve = |text: &String| resolve(epd.position(), text, self.mode());
            let moves: Result<Vec<_>, String> = self.best_moves.iter().map(resolve).collect();
            let moves: Result<Vec<Move>, IllegalMove> = moves?.into_iter().collect();
            let moves = moves.map_err(|error| error.to_string())?;
            epd.set_best_moves(&moves).map_err(|error| error.to_string())?;
            ensure_eq("epd_after", &epd.to_string(), right)?;
            ensure_eq("reading what was written", right.parse(), Ok(epd))?;
        }
        Ok(())
    }

    /// The arbiter, from the position on: the moves of `game`, then the flag of the side to move.
    fn check_game(&self, position: &Position) -> Finding {
        let policy = if self.online { Policy::Online } else { Policy::Fide };
        let mut game = Game::new(*position).with_policy(policy);
        if self.flag.is_some() {
            game = game.with_clock("60".parse().expect("a time control"));
        }
        for text in &self.game {
            let played = game.play(game.turn(), text);
            played.map_err(|refusal| format!("{text}: {refusal}"))?;
        }
        if self.flag == Some(true) && game.outcome().is_none() {
            game.tick(Duration::from_secs(60)).map_err(|refusal| refusal.to_string())?;
        }
        let outcome = game.outcome().map_or("none".to_string(), |outcome| outcome.to_string());
        ensure_eq("outcome", &outcome, self.outcome.as_ref().unwrap_or(&outcome))?;
        let occurrences = game.repetitions();
        ensure_eq("occurrences", occurrences, self.occurrences.unwrap_or(occurrences))?;
        let dead = game.position().dead_position().is_some();
        ensure_eq("dead", dead, self.dead.unwrap_or(dead))?;
        let check = game.position().is_check();
        ensure_eq("check", check, self.check.unwrap_or(check))
    }

    fn check_san(&self, position: &Position) -> Finding {
        for (uci, right) in &self.san {
            let mv = resolve(position, uci, self.mode())?.map_err(|why| format!("{uci}: {why}"))?;
            ensure_eq(uci, &San::of(position, mv).to_string(), right)?;
            ensure_eq(right, read_san(position, right)?, Ok(mv))?;
        }
        for (text, uci) in &self.read_san {
            let mv = resolve(position, uci, self.mode())?.map_err(|why| format!("{uci}: {why}"))?;
            ensure_eq(text, read_san(position, text)?, Ok(mv))?;
        }
        for (text, code) in &self.refused_san {
            let found = read_san(position, text)?.map_err(|error| error.code());
            ensure_eq(text, found, Err(code))?;
        }
        Ok(())
    }

    fn check_counts(&self, position: &Position, nodes_max: u64) -> Finding {
        for &(depth, right) in self.perft.iter().filter(|&&(_, nodes)| nodes <= nodes_max) {
            ensure_eq(&format!("perft {depth}"), perft(position, depth), right)?;
            let by_trial = perft_by_trial(&mut position.clone(), depth);
            ensure_eq(&format!("perft {depth} by trial"), by_trial, right)?;
        }
        Ok(())
    }
}

/// What a well-formed text means: a legal move, or why none.
fn resolve(
    position: &Position,
    text: &str,
    mode: UciMode,
) -> Result<Result<Move, IllegalMove>, String> {
    let uci: UciMove = text.parse().map_err(|error| format!("{text:?}: {error}"))?;
    Ok(uci.resolve(position, mode))
}

/// What a well-formed text in algebraic notation means.
fn read_san(position: &Position, text: &str) -> Result<Result<Move, SanError>, String> {
    let san: San = text.parse().map_err(|error| format!("{text:?}: {error}"))?;
    Ok(san.resolve(position))
}

fn perft_by_trial(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves_by_trial();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for mv in moves {
        let undo = position.make(mv);
        nodes += perft_by_trial(position, depth - 1);
        position.unmake(mv, undo);
    }
    nodes
}

/// Every case of every row; all that fail are told, each with its row.
#[test]
fn touchmove_is_right_wherever_others_were_wrong() {
    let nodes_max = match std::env::var("REPORTED_NODES_MAX") {
        Ok(text) => text.parse().expect("REPORTED_NODES_MAX is a number"),
        Err(_) => NODES_MAX,
    };
    let mut failures = Vec::new();
    for fault in &catalogue().fault {
        for (index, case) in fault.case.iter().enumerate() {
            if let Err(finding) = case.run(nodes_max) {
                failures.push(format!("{}, case {}: {finding}", fault.id, index + 1));
            }
        }
    }
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// No row is lost, none is there twice, and each says what it must.
#[test]
fn the_catalogue_is_whole() {
    let faults = catalogue().fault;
    let cases: usize = faults.iter().map(|fault| fault.case.len()).sum();
    assert!(faults.len() >= ROWS_MIN, "{} rows", faults.len());
    assert!(cases >= CASES_MIN, "{cases} cases");
    let ids: BTreeSet<&str> = faults.iter().map(|fault| fault.id.as_str()).collect();
    assert_eq!(ids.len(), faults.len(), "an id is there twice");
    for fault in &faults {
        let id = &fault.id;
        assert!(![id, &fault.kind, &fault.what].into_iter().any(String::is_empty), "{id}");
        assert!(!fault.source.is_empty(), "{id} has no source");
        for rule in fault.rule.iter().flat_map(|rule| rule.split(", ")) {
            assert!(is_rule(rule), "{id} cites {rule:?}");
        }
        assert!(
            !fault.case.is_empty() || fault.note.is_some() || fault.test.is_some(),
            "{id} has neither case nor note nor test"
        );
    }
}

/// `R4`, `R12a`.
fn is_rule(text: &str) -> bool {
    let number = text.strip_prefix('R').unwrap_or_default();
    let number = number.strip_suffix('a').unwrap_or(number);
    number.parse().is_ok_and(|number: u8| (1..=24).contains(&number))
}

/// A row that names a test names one that exists.
#[test]
fn every_named_test_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut missing = Vec::new();
    for fault in catalogue().fault {
        let Some(test) = &fault.test else { continue };
        let (file, name) = test.split_once("::").expect("`test` is file::name");
        let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        if !text.contains(&format!("fn {name}(")) {
            missing.push(format!("{}: {test}", fault.id));
        }
    }
    assert!(missing.is_empty(), "{} missing:\n{}", missing.len(), missing.join("\n"));
}
