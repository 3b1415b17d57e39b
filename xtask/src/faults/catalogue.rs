//! The catalogue `xtask/faults.toml`: which faults are planted, and whether each edit still finds its place.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path};

use anyhow::Context;
use serde::Deserialize;
use toml::Spanned;

use crate::console::BadText;
use crate::faults::checks;

/// Where the catalogue is, from the root of the workspace.
pub(super) const PATH: &str = "xtask/faults.toml";
/// The faults reported for other programs, which the catalogue names.
const REPORTED: &str = "fuzz/oracles/reported.toml";
/// Where faults are planted: never in those who judge.
const ENGINE: &str = "engine/src";

/// A fault: an edit that breaks a rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fault {
    id: Spanned<String>,
    /// What is broken, which decides on the checks that can see it.
    pub(super) kind: Kind,
    /// The file of the engine, from the root of the workspace.
    pub(super) file: Spanned<String>,
    /// The text that is there once …
    find: Spanned<String>,
    /// … and the text in its place.
    put: String,
    /// The rule that is broken.
    #[allow(dead_code, reason = "for readers of the catalogue")]
    rule: Spanned<String>,
    /// Where it was seen: ids of `reported.toml`.
    #[serde(default)]
    reported: Vec<Spanned<String>>,
    /// The check that must catch it.
    caught_by: Spanned<String>,
    /// Whether perft to depth 3 of the six well-known positions sees it, where that was measured once.
    pub(super) well_known: Option<bool>,
    /// The counts of a position to depth 1, 2 … with this fault.
    pub(super) figures: Option<Figures>,
    /// Why it is enough that one check catches it.
    pub(super) one_catcher: Option<String>,
    #[allow(dead_code, reason = "for readers of the catalogue")]
    note: Option<String>,
}

/// Counts that are known from elsewhere.
#[derive(Clone, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Figures {
    pub(super) fen: String,
    pub(super) counts: Vec<u64>,
}

/// What a fault breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// The generator.
    Moves,
    /// Attacks and look-ups.
    Shapes,
    /// The definition of legality.
    Trial,
    /// What `make` leaves.
    Make,
    /// What `unmake` leaves.
    Unmake,
    /// Null moves.
    Null,
    /// The key.
    Key,
    /// What is let in from outside.
    Legality,
    /// The arbiter.
    Game,
    /// The game that threads share.
    Table,
    /// The ways of counting beside the plain one.
    Counting,
    /// Algebraic notation.
    San,
    /// UCI text.
    Uci,
    /// FEN text and set-ups.
    Fen,
    /// EPD text.
    Epd,
    /// Files of games.
    Pgn,
}

impl Fault {
    pub(crate) fn id(&self) -> &str {
        self.id.get_ref()
    }

    pub(super) fn caught_by(&self) -> &str {
        self.caught_by.get_ref()
    }

    pub(super) fn file(&self) -> &str {
        self.file.get_ref()
    }

    /// The file with the fault planted, given as it is without; none where its text is not there once.
    pub(super) fn plant(&self, clean: &str) -> Option<String> {
        let find = self.find.get_ref().as_str();
        (clean.matches(find).count() == 1).then(|| clean.replacen(find, &self.put, 1))
    }

    /// All that makes the fault what it is, for whoever keeps results of it.
    pub(super) fn edit(&self) -> [&str; 3] {
        [self.file(), self.find.get_ref(), &self.put]
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    fault: Vec<Fault>,
}

#[derive(Deserialize)]
struct Reported {
    fault: Vec<ReportedFault>,
}

#[derive(Deserialize)]
struct ReportedFault {
    id: String,
}

/// Reads the catalogue of a workspace.
///
/// # Errors
///
/// Where it is no catalogue, as a [`BadText`] with its place: a text that is not to be found exactly once, an id
/// twice, a name that nobody has.
pub(super) fn read(workspace: &Path) -> anyhow::Result<Vec<Fault>> {
    let read = |path: &str| {
        fs::read_to_string(workspace.join(path)).with_context(|| format!("cannot read {path}"))
    };
    let reported: Reported =
        toml::from_str(&read(REPORTED)?).with_context(|| format!("{REPORTED} is no catalogue"))?;
    let reported = reported.fault.into_iter().map(|fault| fault.id).collect();
    parse(&read(PATH)?, &reported, |file| fs::read_to_string(workspace.join(file)).ok())
}

fn parse(
    text: &str,
    reported: &BTreeSet<String>,
    file: impl Fn(&str) -> Option<String>,
) -> anyhow::Result<Vec<Fault>> {
    let catalogue: Catalogue = toml::from_str(text).map_err(|error| {
        bad_text(text, error.span().unwrap_or_default(), error.message().to_string())
    })?;
    let mut ids = BTreeSet::new();
    for fault in &catalogue.fault {
        let refuse = |spanned: &Spanned<String>, message: String| {
            Err(anyhow::Error::from(bad_text(text, spanned.span(), message)))
        };
        if !ids.insert(fault.id()) || fault.id() == checks::CLEAN {
            return refuse(&fault.id, String::from("expected an id of its own"));
        }
        if !checks::sees(fault.kind, fault.caught_by()) {
            let seers = checks::seers(fault.kind).collect::<Vec<_>>().join(", ");
            return refuse(&fault.caught_by, format!("expected a check that can see it: {seers}"));
        }
        let is_normal = |part| matches!(part, Component::Normal(_));
        let path = Path::new(fault.file());
        if !path.starts_with(ENGINE) || !path.components().all(is_normal) {
            return refuse(&fault.file, format!("expected a file below {ENGINE}"));
        }
        if fault.put == *fault.find.get_ref() {
            return refuse(
                &fault.find,
                String::from("expected another text than is put in its place"),
            );
        }
        if let Some(unknown) = fault.reported.iter().find(|id| !reported.contains(id.get_ref())) {
            return refuse(unknown, format!("expected an id of {REPORTED}"));
        }
        let Some(clean) = file(fault.file()) else {
            return refuse(&fault.file, String::from("expected a file that is there"));
        };
        let times = clean.matches(fault.find.get_ref()).count();
        if times != 1 {
            let (id, file) = (fault.id(), fault.file());
            return refuse(
                &fault.find,
                format!("{id}: expected this text exactly once in {file}, found it {times} times"),
            );
        }
    }
    Ok(catalogue.fault)
}

/// Where in the catalogue something is wrong.
fn bad_text(text: &str, span: std::ops::Range<usize>, message: String) -> BadText {
    let start = span.start.min(text.len());
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[line_start..].find('\n').map_or(text.len(), |at| line_start + at);
    BadText {
        origin: String::from(PATH),
        line: text[..start].matches('\n').count() + 1,
        column: text[line_start..start].chars().count() + 1,
        text: text[line_start..line_end].to_string(),
        culprit: start - line_start..span.end.clamp(start, line_end) - line_start,
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLEAN: &str = "one two two";

    fn parsed(find: &str, more: &str) -> anyhow::Result<Vec<Fault>> {
        let text = format!(
            "[[fault]]\nid = 'a'\nkind = 'moves'\nfile = 'engine/src/f'\nfind = '{find}'\nput = '1'\n\
             rule = 'R7'\ncaught_by = 'perft'\nwell_known = true\n{more}"
        );
        let reported = BTreeSet::from([String::from("known")]);
        parse(&text, &reported, |file| (file == "engine/src/f").then(|| CLEAN.to_string()))
    }

    fn refusal(find: &str, more: &str) -> (usize, String) {
        let error = parsed(find, more).unwrap_err().downcast::<BadText>().unwrap();
        (error.line, error.message)
    }

    #[test]
    fn a_fault_is_planted_where_its_text_is() {
        let faults = parsed("one", "reported = ['known']").unwrap();
        assert_eq!(faults[0].id(), "a");
        assert_eq!(faults[0].plant(CLEAN).as_deref(), Some("1 two two"));
        assert_eq!(faults[0].plant("one one"), None);
    }

    #[test]
    fn a_text_that_is_not_there_once_is_refused_with_its_line() {
        let told = "a: expected this text exactly once in engine/src/f, found it";
        assert_eq!(refusal("two", ""), (5, format!("{told} 2 times")));
        assert_eq!(refusal("three", ""), (5, format!("{told} 0 times")));
    }

    #[test]
    fn a_fault_changes_something_and_nothing_but_the_engine() {
        assert_eq!(refusal("1", "").0, 5, "as it was");
        for file in ["/engine/src/f", "engine/src/../../f", "fuzz/oracles/src/f", "engine/src/g"] {
            let text = format!(
                "[[fault]]\nid = 'a'\nkind = 'moves'\nfile = '{file}'\nfind = 'one'\nput = '1'\nrule = 'R7'\n\
                 caught_by = 'perft'"
            );
            let there = |file: &str| (file != "engine/src/g").then(|| CLEAN.to_string());
            let error = parse(&text, &BTreeSet::new(), there).unwrap_err();
            assert_eq!(error.downcast::<BadText>().unwrap().line, 4, "{file}");
        }
    }

    /// Every text is found exactly once; of the faults, a third are not seen by what everybody counts.
    #[test]
    fn the_catalogue_of_this_tree_is_sound() {
        let faults = read(&crate::job::workspace_root()).unwrap();
        let unseen = faults.iter().filter(|fault| fault.well_known == Some(false)).count();
        assert!(faults.len() >= 60 && unseen >= 20, "{} faults, {unseen} unseen", faults.len());
    }

    #[test]
    fn names_that_nobody_has_are_refused() {
        let (line, message) = refusal("one", "reported = ['unheard-of']");
        assert_eq!((line, message.as_str()), (10, "expected an id of fuzz/oracles/reported.toml"));
        assert_eq!(refusal("one", "seen_by = 'nobody'").0, 10);
    }
}
