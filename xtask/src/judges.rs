//! The referees by name, as `--referee` takes them, and a place where they wait to be called.

use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use touchmove_oracles::referees::{
    Copy, CozyChess, Naive, Referee, Shakmaty, Touchmove, Trial, Uci, UciCommand,
};

use crate::interrupt;

/// A referee's name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Judge {
    Touchmove,
    Trial,
    Copy,
    Naive,
    Shakmaty,
    Cozy,
    Uci(UciCommand),
}

impl Judge {
    /// Calls the referee. An engine gets so long for each answer.
    pub(crate) fn call(&self, timeout: Duration) -> Box<dyn Referee + Send> {
        match self {
            Judge::Touchmove => Box::new(Touchmove::default()),
            Judge::Trial => Box::new(Trial::default()),
            Judge::Copy => Box::new(Copy::default()),
            Judge::Naive => Box::new(Naive::default()),
            Judge::Shakmaty => Box::new(Shakmaty::default()),
            Judge::Cozy => Box::new(CozyChess::default()),
            Judge::Uci(command) => {
                let command = command.clone().with_timeout(timeout);
                Box::new(Uci::new(command).stopped_by(interrupt::flag()))
            }
        }
    }

    /// Whether it shares no rule code with the engine.
    pub(crate) const fn is_independent(&self) -> bool {
        !matches!(self, Judge::Touchmove | Judge::Trial | Judge::Copy)
    }
}

impl fmt::Display for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Judge::Touchmove => f.write_str("touchmove"),
            Judge::Trial => f.write_str("trial"),
            Judge::Copy => f.write_str("copy"),
            Judge::Naive => f.write_str("naive"),
            Judge::Shakmaty => f.write_str("shakmaty"),
            Judge::Cozy => f.write_str("cozy"),
            Judge::Uci(command) => write!(f, "uci:{command}"),
        }
    }
}

impl FromStr for Judge {
    type Err = String;

    fn from_str(name: &str) -> Result<Judge, String> {
        Ok(match name {
            "touchmove" => Judge::Touchmove,
            "trial" => Judge::Trial,
            "copy" => Judge::Copy,
            "naive" => Judge::Naive,
            "shakmaty" => Judge::Shakmaty,
            "cozy" => Judge::Cozy,
            _ => match name.strip_prefix("uci:") {
                Some(command) => {
                    Judge::Uci(command.parse::<UciCommand>().map_err(|error| error.to_string())?)
                }
                None => {
                    let names = "touchmove, trial, copy, naive, shakmaty, cozy";
                    return Err(format!("expected one of {names}, or an engine as uci:COMMAND"));
                }
            },
        })
    }
}

/// Each referee once: one that is named twice is no second witness.
pub(crate) fn distinct(judges: &[Judge]) -> Vec<Judge> {
    let mut distinct: Vec<Judge> = Vec::new();
    for judge in judges {
        if !distinct.contains(judge) {
            distinct.push(judge.clone());
        }
    }
    distinct
}

/// Referees of one kind, each called once and used again: an engine need not start anew for each line.
pub(crate) struct Bench {
    pub(crate) judge: Judge,
    timeout: Duration,
    waiting: Mutex<Vec<Box<dyn Referee + Send>>>,
}

impl Bench {
    pub(crate) fn new(judge: Judge, timeout: Duration) -> Bench {
        Bench { judge, timeout, waiting: Mutex::default() }
    }

    /// Has one of the referees do something.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(&mut dyn Referee) -> T) -> T {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut referee = waiting.unwrap_or_else(|| self.judge.call(self.timeout));
        let answer = question(referee.as_mut());
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(referee);
        answer
    }
}
