//! How a run ends: one verdict, one exit code.

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

/// What came of a check or of a whole run; of several, the greatest is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Verdict {
    /// Everything asked for was done and agreed.
    Pass,
    /// Not run, timed out, no referee, nothing done: never a pass.
    Unknown,
    /// Bad usage, or input that could not be read.
    BadInput,
    /// Stopped by Ctrl-C before the end.
    Interrupted,
    /// Two sides differ.
    Fail,
}

impl Verdict {
    pub(crate) const fn exit_code(self) -> u8 {
        match self {
            Verdict::Pass => 0,
            Verdict::Fail => 1,
            Verdict::BadInput => 2,
            Verdict::Unknown => 3,
            Verdict::Interrupted => 130,
        }
    }

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Unknown => "UNKNOWN",
            Verdict::BadInput => "BAD INPUT",
            Verdict::Interrupted => "INTERRUPTED",
            Verdict::Fail => "FAIL",
        }
    }

    /// The word in its colour.
    pub(crate) fn painted(self) -> String {
        let color = match self {
            Verdict::Pass => AnsiColor::Green,
            Verdict::Fail | Verdict::BadInput => AnsiColor::Red,
            Verdict::Unknown | Verdict::Interrupted => AnsiColor::Yellow,
        };
        let style = Style::new().bold().fg_color(Some(color.into()));
        format!("{style}{}{style:#}", self.word())
    }
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> ExitCode {
        ExitCode::from(verdict.exit_code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which the command contract lists the exit codes.
    #[test]
    fn of_several_verdicts_the_contract_names_the_first() {
        use Verdict::{BadInput, Fail, Interrupted, Pass, Unknown};
        let mut verdicts = [Unknown, Pass, Fail, BadInput, Interrupted];
        verdicts.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(verdicts.map(Verdict::exit_code), [1, 130, 2, 3, 0]);
    }
}
