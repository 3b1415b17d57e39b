//! A wrong count settled: down to the first position whose move list differs, and who is alone there.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;
use touchmove::{IllegalMove, Move, MoveKind, Position, Role, UciMode, UciMove};
use touchmove_oracles::descent::{Difference, Finding, Way, descend};
use touchmove_oracles::referees::{Referee, Silence};

use crate::console::{self, Format};
use crate::counting::Route;
use crate::job::Job;
use crate::judges::Judge;
use crate::verdict::Verdict;

/// A depth of a position for which not everyone has the same number.
pub(crate) struct Dispute<'a> {
    pub(crate) job: &'a Job,
    pub(crate) depth: u32,
    pub(crate) counted: u64,
    pub(crate) listed: Option<u64>,
    pub(crate) route: Route,
    /// Who was called to count; where nobody was, the default referees are called now.
    pub(crate) referees: &'a [Judge],
    pub(crate) timeout: Duration,
}

/// What going down with one referee came to.
struct Descended {
    judge: Judge,
    by_moves: Result<Finding, Silence>,
    by_fen: Result<Finding, Silence>,
}

impl Dispute<'_> {
    /// Finds out who is wrong and prints it.
    pub(crate) fn settle(&self, format: Format) -> Verdict {
        let descents: Vec<Descended> =
            self.judges().into_iter().map(|judge| self.descend_with(judge)).collect();
        let mut report = Report { dispute: self, lines: Vec::new() };
        let verdict = report.write(&descents);
        match format {
            Format::Human => report.lines.iter().for_each(console::result),
            Format::Json => console::json(&json!({
                "type": "difference", "id": self.job.name, "place": self.job.place(),
                "depth": self.depth, "report": report.lines,
            })),
        }
        verdict
    }

    fn judges(&self) -> Vec<Judge> {
        match self.referees {
            [] => vec![Judge::Shakmaty, Judge::Cozy],
            named => named.to_vec(),
        }
    }

    fn ours(&self) -> Judge {
        match self.route {
            Route::Fast => Judge::Touchmove,
            Route::Trial => Judge::Trial,
        }
    }

    fn descend_with(&self, judge: Judge) -> Descended {
        let go = |way| {
            let mut ours = self.ours().call(self.timeout);
            let mut theirs = judge.call(self.timeout);
            let (root, mode) = (&self.job.position, self.job.mode);
            descend(ours.as_mut(), theirs.as_mut(), root, mode, self.depth, way)
        };
        let (by_moves, by_fen) = (go(Way::ByMoves), go(Way::ByFen));
        Descended { judge, by_moves, by_fen }
    }

    /// The move lists of all who can say one, ours first.
    fn lists_at(&self, position: &Position) -> Vec<(String, BTreeSet<Move>)> {
        let mut judges = vec![self.ours(), Judge::Naive, Judge::Shakmaty, Judge::Cozy];
        judges.extend(self.referees.iter().filter(|judge| judge.is_independent()).cloned());
        judges.dedup();
        let mode = self.job.mode;
        let ask = |judge: Judge| {
            let mut referee: Box<dyn Referee + Send> = judge.call(self.timeout);
            referee.set(&position.to_string(), mode).ok()?;
            Some((judge.to_string(), referee.legal_moves().ok()?.into_iter().collect()))
        };
        judges.into_iter().filter_map(ask).collect()
    }
}

/// The report on one dispute, line by line.
struct Report<'a> {
    dispute: &'a Dispute<'a>,
    lines: Vec<String>,
}

impl Report<'_> {
    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn write(&mut self, descents: &[Descended]) -> Verdict {
        let (job, depth, counted) = (self.dispute.job, self.dispute.depth, self.dispute.counted);
        self.say("");
        self.say(format!("{}: {}, depth {depth}", job.place(), job.name));
        self.say(format!("  {}", job.position));
        if let Some(listed) = self.dispute.listed {
            self.say(format!("  listed {listed}, counted {counted}"));
        }
        let mut agreeing = Vec::new();
        let mut shown = None;
        for descent in descents {
            match (&descent.by_moves, &descent.by_fen) {
                (Ok(Finding::Same), Ok(Finding::Same)) => agreeing.push(descent.judge.to_string()),
                (Err(silence), _) | (_, Err(silence)) => {
                    self.say(format!("  {} {silence}", descent.judge));
                }
                (Ok(by_moves), Ok(by_fen)) => {
                    self.compare_ways(&descent.judge, by_moves, by_fen);
                    for finding in [by_moves, by_fen] {
                        if shown.as_ref() != Some(finding) {
                            self.finding(&descent.judge, finding);
                            shown = Some(finding.clone());
                        }
                    }
                }
            }
        }
        self.conclude(&agreeing, shown.is_some())
    }

    fn conclude(&mut self, agreeing: &[String], found: bool) -> Verdict {
        let (depth, counted) = (self.dispute.depth, self.dispute.counted);
        match (agreeing, self.dispute.listed) {
            ([], _) if !found => {
                self.say("  nobody could be asked; which count is right is unknown");
                Verdict::Unknown
            }
            ([_, ..], Some(listed)) if !found && listed != counted => {
                let names = agreeing.join(" and ");
                self.say(format!(
                    "  the file is wrong: depth {depth} has {counted} nodes; {names} count the same"
                ));
                Verdict::Fail
            }
            _ => Verdict::Fail,
        }
    }

    /// A fault in state that a FEN does not hold shows by one way and not by the other.
    fn compare_ways(&mut self, judge: &Judge, by_moves: &Finding, by_fen: &Finding) {
        if by_moves != by_fen {
            self.say(format!(
                "  with {judge}, playing the moves and setting up each FEN disagree: by moves {}, \
                 by FEN {}",
                describe(by_moves, self.dispute.job.mode),
                describe(by_fen, self.dispute.job.mode)
            ));
        }
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
        let root = &self.dispute.job.position;
        self.say(format!("  start: {root}"));
        let path = written(&difference.path, mode);
        self.say(format!("  moves: {}", if path.is_empty() { "none" } else { &path }));
        self.say(format!("  the move lists differ at: {position}"));
        for line in format!("{:?}", position.board()).lines() {
            self.say(format!("    {line}"));
        }
        let ours = self.dispute.ours();
        for &mv in &difference.only_first {
            self.single_move(position, mv, &format!("{ours} lists it, {judge} does not"));
        }
        for &mv in &difference.only_second {
            self.single_move(position, mv, &format!("{judge} lists it, {ours} does not"));
        }
        self.votes(position);
        self.say(format!("  {}", analysis_link(position, mode)));
        let chess960 = if mode == UciMode::Chess960 { " --chess960" } else { "" };
        self.say(format!(
            "  reproduce: cargo xtask perft --fen '{position}' --depth 1 --referee '{judge}'{chess960}"
        ));
    }

    fn single_move(&mut self, position: &Position, mv: Move, who: &str) {
        let text = written(&[mv], self.dispute.job.mode);
        let why = match position.explain(mv) {
            Ok(()) => format!("legal by touchmove (FIDE {})", rule_of(position, mv)),
            Err(reason) => match (reason, reason.article()) {
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
    fn votes(&mut self, position: &Position) {
        let mode = self.dispute.job.mode;
        let lists = self.dispute.lists_at(position);
        let support = |list: &BTreeSet<Move>| lists.iter().filter(|(_, l)| l == list).count();
        let most = lists.iter().map(|(_, list)| support(list)).max().unwrap_or(0);
        let mut leading: Vec<&BTreeSet<Move>> =
            lists.iter().map(|(_, list)| list).filter(|list| support(list) == most).collect();
        leading.sort();
        leading.dedup();
        let [right] = leading[..] else {
            self.say("  UNKNOWN: the referees split evenly");
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
                self.say(format!("  {name}: {} moves, as most", list.len()));
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

fn analysis_link(position: &Position, mode: UciMode) -> String {
    let fen = position.to_string().replace(' ', "_");
    let variant = match mode {
        UciMode::Standard => "standard",
        UciMode::Chess960 => "chess960",
    };
    format!("https://lichess.org/analysis/{variant}/{fen}")
}
