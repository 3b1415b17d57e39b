//! What is told of a dispute: the way down, the position drawn, who lists what and why it is wrong.

use std::collections::BTreeSet;

use touchmove::{IllegalMove, Move, MoveKind, Position, Role, Square, UciMode, UciMove};
use touchmove_oracles::descent::{Difference, Finding};

use super::Dispute;
use crate::judges::Judge;
use crate::verdict::Verdict;

/// The report on one dispute, line by line.
pub(super) struct Report<'a> {
    dispute: &'a Dispute,
    lines: Vec<String>,
}

impl<'a> Report<'a> {
    /// Goes down with everyone who differs, and says what is found.
    pub(super) fn of(dispute: &'a Dispute) -> (Verdict, Vec<String>) {
        let mut report = Report { dispute, lines: Vec::new() };
        let verdict = report.write();
        (verdict, report.lines)
    }

    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn write(&mut self) -> Verdict {
        let dispute = self.dispute;
        let (job, depth, counted) = (&dispute.job, dispute.depth, dispute.counted);
        self.say("");
        self.say(format!("{}: {}, depth {depth}", job.place(), job.name));
        self.say(format!("  {}", job.fen));
        if let Some(listed) = dispute.listed.filter(|&listed| listed != counted) {
            self.say(format!("  listed {listed}, counted {counted}"));
        }
        if let Some(way) = dispute.special_way {
            match dispute.counted_plainly() {
                Some(plain) if plain == counted => {}
                Some(plain) => {
                    self.say(format!(
                        "  counting {way} is wrong: {plain} nodes are counted plainly"
                    ));
                    return Verdict::Fail;
                }
                None => return Verdict::Interrupted,
            }
        }
        let mut agreeing: Vec<String> = dispute.agreeing.iter().map(Judge::to_string).collect();
        let mut found = false;
        for judge in dispute.opponents() {
            let descent = dispute.descend_with(judge);
            match (&descent.by_moves, &descent.by_fen) {
                (Ok(Finding::Same), Ok(Finding::Same)) => agreeing.push(descent.judge.to_string()),
                (Ok(by_moves), Ok(by_fen)) => {
                    found = true;
                    self.findings(&descent.judge, by_moves, by_fen);
                }
                (Err(silence), _) | (_, Err(silence)) => {
                    self.say(format!("  {} {silence}", descent.judge));
                }
            }
        }
        self.conclude(&agreeing, found)
    }

    fn findings(&mut self, judge: &Judge, by_moves: &Finding, by_fen: &Finding) {
        self.finding(judge, by_moves);
        if by_moves != by_fen {
            self.compare_ways(judge, by_moves, by_fen);
            self.finding(judge, by_fen);
        }
    }

    fn conclude(&mut self, agreeing: &[String], found: bool) -> Verdict {
        let (depth, counted) = (self.dispute.depth, self.dispute.counted);
        match self.dispute.listed {
            _ if agreeing.is_empty() && !found => {
                self.say("  nobody could be asked; which count is right is unknown");
                Verdict::Unknown
            }
            Some(listed) if listed != counted && !found => {
                let names = agreeing.join(" and ");
                self.say(format!(
                    "  the file is wrong: depth {depth} has {counted} nodes, by {names} as well"
                ));
                Verdict::Fail
            }
            _ => Verdict::Fail,
        }
    }

    /// A fault in state that a FEN does not hold shows by one way and not by the other.
    fn compare_ways(&mut self, judge: &Judge, by_moves: &Finding, by_fen: &Finding) {
        let mode = self.dispute.job.mode;
        self.say(format!(
            "  with {judge}, playing the moves and setting up each FEN disagree: by moves {}, by FEN {}",
            describe(by_moves, mode),
            describe(by_fen, mode)
        ));
    }

    fn finding(&mut self, judge: &Judge, finding: &Finding) {
        match finding {
            Finding::Same => {}
            Finding::Lists(difference) => self.difference(judge, difference),
            Finding::CountsOnly { path, position, counts: [ours, theirs] } => {
                let path = written(path, self.dispute.job.mode);
                self.say(format!(
                    "  after `{path}` all lists agree, and yet {} counts {ours} and {judge} {theirs}",
                    self.dispute.ours()
                ));
                self.say(format!("  {position}"));
            }
        }
    }

    fn difference(&mut self, judge: &Judge, difference: &Difference) {
        let (position, mode) = (&difference.position, self.dispute.job.mode);
        self.say(format!("  start: {}", self.dispute.job.fen));
        let path = written(&difference.path, mode);
        self.say(format!("  moves: {}", if path.is_empty() { "none" } else { &path }));
        self.say(format!("  the move lists differ at: {}", difference.fen));
        for line in format!("{:?}", position.board()).lines() {
            self.say(format!("    {line}"));
        }
        let ours = self.dispute.ours();
        for &mv in &difference.only_first {
            self.single_move(difference, mv, &format!("{ours} lists it, {judge} does not"));
        }
        for &mv in &difference.only_second {
            self.single_move(difference, mv, &format!("{judge} lists it, {ours} does not"));
        }
        self.votes(&difference.fen);
        self.say(format!("  {}", analysis_link(&difference.fen, mode)));
        let chess960 = if mode == UciMode::Chess960 { " --chess960" } else { "" };
        let (fen, judge) = (quoted(&difference.fen), quoted(&judge.to_string()));
        self.say(format!(
            "  reproduce: cargo xtask perft --fen {fen} --depth 1 --referee {judge}{chess960}"
        ));
    }

    fn single_move(&mut self, difference: &Difference, mv: Move, who: &str) {
        let position = &difference.position;
        let text = written(&[mv], self.dispute.job.mode);
        let why = match position.explain(mv) {
            Ok(()) => format!("legal by touchmove (FIDE {})", rule_of(position, mv)),
            Err(reason) => match (reason, reason.article()) {
                (IllegalMove::NotEnPassant { .. }, _) if difference.offers_en_passant(mv.to()) => {
                    refused_en_passant(position, mv)
                }
                (IllegalMove::Castling(_), Some(article)) => {
                    format!("{reason} (FIDE {article}, R8)")
                }
                (_, Some(article)) => format!("{reason} (FIDE {article}, R7)"),
                (_, None) => reason.to_string(),
            },
        };
        self.say(format!("    {text}: {who}; {why}"));
    }

    /// Names those who are alone, where most agree.
    fn votes(&mut self, fen: &str) {
        let mode = self.dispute.job.mode;
        let lists = self.dispute.lists_at(fen);
        let support = |list: &BTreeSet<Move>| lists.iter().filter(|(_, l)| l == list).count();
        let most = lists.iter().map(|(_, list)| support(list)).max().unwrap_or(0);
        let mut leading: Vec<&BTreeSet<Move>> =
            lists.iter().map(|(_, list)| list).filter(|list| support(list) == most).collect();
        leading.sort();
        leading.dedup();
        let [right] = leading[..] else {
            self.say("  who is right is UNKNOWN: the referees split evenly");
            return;
        };
        let right = right.clone();
        for (name, list) in lists {
            let text = |moves: Vec<Move>| match moves.is_empty() {
                true => String::from("none"),
                false => written(&moves, mode),
            };
            let missing: Vec<Move> = right.difference(&list).copied().collect();
            let extra: Vec<Move> = list.difference(&right).copied().collect();
            if missing.is_empty() && extra.is_empty() {
                self.say(format!("  {name}: {} moves, as the majority", list.len()));
            } else {
                let (missing, extra) = (text(missing), text(extra));
                self.say(format!("  {name}: missing {missing}; extra {extra}"));
            }
        }
    }
}

/// The article of the Laws that a legal move stands on, and the decision that goes with it.
fn rule_of(position: &Position, mv: Move) -> &'static str {
    match (mv.kind(), position.board().role_at(mv.from())) {
        (MoveKind::Castling, _) => "3.8.2, R8",
        (MoveKind::EnPassant, _) => "3.7.3.1, R3",
        (MoveKind::Promotion(_), _) => "3.7.3.3, R10",
        (MoveKind::Normal, Some(Role::Pawn)) => "3.7, R7",
        (MoveKind::Normal, Some(Role::Knight)) => "3.6, R7",
        (MoveKind::Normal, Some(Role::Bishop)) => "3.2, R7",
        (MoveKind::Normal, Some(Role::Rook)) => "3.3, R7",
        (MoveKind::Normal, Some(Role::Queen)) => "3.4, R7",
        (MoveKind::Normal, Some(Role::King) | None) => "3.8.1, R7",
    }
}

fn describe(finding: &Finding, mode: UciMode) -> String {
    match finding {
        Finding::Same => String::from("no difference"),
        Finding::Lists(difference) => {
            format!("other lists after `{}`", written(&difference.path, mode))
        }
        Finding::CountsOnly { path, .. } => format!("other counts after `{}`", written(path, mode)),
    }
}

/// Moves as UCI text; a castling that standard text cannot express is written king takes rook.
fn written(moves: &[Move], mode: UciMode) -> String {
    let write = |&mv: &Move| {
        let text = UciMove::of(mv, mode).or_else(|_| UciMove::of(mv, UciMode::Chess960));
        text.map_or_else(|_| format!("{mv:?}"), |text| text.to_string())
    };
    moves.iter().map(write).collect::<Vec<_>>().join(" ")
}

/// Why a capture en passant that a double push offers leaves the king attacked. The position itself has
/// forgotten the square (R3), so the board after the capture is looked at.
fn refused_en_passant(position: &Position, mv: Move) -> String {
    let mut board = *position.board();
    let king = position.king(position.turn());
    board.remove(Square::new(mv.to().file(), mv.from().rank()));
    if let Some(pawn) = board.remove(mv.from()) {
        board.put(mv.to(), pawn);
    }
    let enemies = board.color(!position.turn());
    let attacker = (board.attackers_to(king, board.occupied()) & enemies).first();
    match attacker.and_then(|from| Some((board.piece_at(from)?, from))) {
        Some((by, from)) => {
            format!("the king on {king} would be attacked by the {by} on {from} (FIDE 3.9.2, R3)")
        }
        None => String::from("not legal by touchmove, for no reason it can name"),
    }
}

/// A word of a shell command.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn analysis_link(fen: &str, mode: UciMode) -> String {
    let fen = fen.replace(' ', "_");
    let variant = match mode {
        UciMode::Standard => "standard",
        UciMode::Chess960 => "chess960",
    };
    format!("https://lichess.org/analysis/{variant}/{fen}")
}
