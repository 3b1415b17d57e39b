//! The catalogue `xtask/faults.toml`: which faults are planted, and whether each edit still finds its place.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use toml::Spanned;

use crate::console::BadText;
use crate::faults::checks;

/// Where the catalogue is, from the root of the workspace.
pub(super) const PATH: &str = "xtask/faults.toml";
/// The faults reported for other programs, which the catalogue names.
const REPORTED: &str = "fuzz/oracles/reported.toml";

/// A fault: an edit that breaks a rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fault {
    id: Spanned<String>,
    /// What is broken, which decides on the checks that can see it.
    pub(super) kind: Kind,
    /// The file, from the root of the workspace.
    pub(super) file: String,
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
#[derive(Clone, Debug, Deserialize)]
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

    /// The file with the fault planted, given as it is without.
    pub(super) fn plant(&self, clean: &str) -> String {
        clean.replacen(self.find.get_ref().as_str(), &self.put, 1)
    }

    /// All that makes the fault what it is, for whoever keeps results of it.
    pub(super) fn edit(&self) -> [&str; 3] {
        [&self.file, self.find.get_ref(), &self.put]
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
    let reported: Reported = toml::from_str(&read(REPORTED)?)?;
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
            let kind = fault.kind;
            return refuse(&fault.caught_by, format!("expected a check that sees {kind:?}"));
        }
        if let Some(unknown) = fault.reported.iter().find(|id| !reported.contains(id.get_ref())) {
            return refuse(unknown, format!("expected an id of {REPORTED}"));
        }
        let times =
            file(&fault.file).map_or(0, |clean| clean.matches(fault.find.get_ref()).count());
        if times != 1 {
            let (id, file) = (fault.id(), &fault.file);
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
            "[[fault]]\nid = 'a'\nkind = 'moves'\nfile = 'f'\nfind = '{find}'\nput = '1'\n\
             rule = 'R7'\ncaught_by = 'perft'\nwell_known = true\n{more}"
        );
        let reported = BTreeSet::from([String::from("known")]);
        parse(&text, &reported, |file| (file == "f").then(|| CLEAN.to_string()))
    }

    fn refusal(find: &str, more: &str) -> (usize, String) {
        let error = parsed(find, more).unwrap_err().downcast::<BadText>().unwrap();
        (error.line, error.message)
    }

    #[test]
    fn a_fault_is_planted_where_its_text_is() {
        let faults = parsed("one", "reported = ['known']").unwrap();
        assert_eq!((faults[0].id(), faults[0].plant(CLEAN).as_str()), ("a", "1 two two"));
    }

    #[test]
    fn a_text_that_is_not_there_once_is_refused_with_its_line() {
        let told = "a: expected this text exactly once in f, found it";
        assert_eq!(refusal("two", ""), (5, format!("{told} 2 times")));
        assert_eq!(refusal("three", ""), (5, format!("{told} 0 times")));
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
