//! What a line of an engine says. One line at a time: what came before is not known.

use touchmove::Square;

/// What a line of an answer to `go perft` says.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Answer<'a> {
    Count(&'a str, u64),
    Total(u64),
    Search,
    Other,
}

impl Answer<'_> {
    pub(super) fn read(line: &str) -> Answer<'_> {
        let line = line.trim();
        if line.split_whitespace().next() == Some("bestmove") {
            return Answer::Search;
        }
        if let Some(total) = read_total(line) {
            return Answer::Total(total);
        }
        match line.split_once(':').map(|(text, nodes)| (text.trim_end(), nodes.trim().parse())) {
            Some((text, Ok(nodes))) if is_move_text(text) => Answer::Count(text, nodes),
            _ => Answer::Other,
        }
    }
}

/// Reads `Nodes searched: 20`, `Nodes searched  : 20`, `nodes: 20`, `nodes 20`.
fn read_total(line: &str) -> Option<u64> {
    let rest = strip_word(line, "nodes")?;
    let rest = strip_word(rest.trim_start(), "searched").unwrap_or(rest).trim_start();
    rest.strip_prefix(':').unwrap_or(rest).trim_start().parse().ok()
}

/// What follows a word at the beginning, whatever its case.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(rest)
}

/// Two squares and perhaps a letter: other words before a colon are no moves.
fn is_move_text(text: &str) -> bool {
    let squares = |text: &str| text.parse::<Square>().is_ok();
    text.is_ascii()
        && matches!(text.len(), 4 | 5)
        && squares(&text[..2])
        && squares(&text[2..4])
        && text[4..].bytes().all(|letter| letter.is_ascii_alphabetic())
}

/// Whether a line of the handshake is `option name UCI_Chess960 …`.
pub(super) fn names_chess960(line: &str) -> bool {
    let mut words = line.split_whitespace();
    (words.next(), words.next()) == (Some("option"), Some("name"))
        && words.next().is_some_and(|name| name.eq_ignore_ascii_case("UCI_Chess960"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_the_documented_forms_only() {
        for line in ["Nodes searched: 20", "nodes searched  :20", " Nodes: 20\r", "nodes 20"] {
            assert_eq!(Answer::read(line), Answer::Total(20), "{line}");
        }
        assert_eq!(Answer::read("e2e4: 20"), Answer::Count("e2e4", 20));
        assert_eq!(Answer::read("e7e8q : 1"), Answer::Count("e7e8q", 1));
        assert_eq!(Answer::read("bestmove e2e4"), Answer::Search);
        let others = [
            "",
            "info string nodes=20",
            "nodes 20 nps 3",
            "nodes",
            "depth: 3",
            "e2e4",
            "e2e4: x",
            "e2é: 1",
            "É",
        ];
        for line in others {
            assert_eq!(Answer::read(line), Answer::Other, "{line}");
        }
        assert!(names_chess960("option name uci_chess960 type check default false"));
        assert!(!names_chess960("option name Chess960 type check"));
    }
}
