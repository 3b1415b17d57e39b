//! The suites of the repository are what their README says.

use std::collections::BTreeSet;
use std::path::Path;

use touchmove::UciMode;
use touchmove_oracles::census::Event;
use touchmove_oracles::suite::{Line, Suite};

fn suite(name: &str) -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../perft-data").join(name);
    let suite = Suite::read(path).unwrap();
    assert_eq!(suite.errors, []);
    suite.lines
}

fn is_constructed(line: &Line) -> bool {
    line.remark.as_deref().is_some_and(|remark| remark.starts_with("constructed"))
}

fn deepest(line: &Line) -> (u32, u64) {
    *line.counts.last().unwrap()
}

#[test]
fn there_are_enough_lines_and_most_are_constructed_for_a_reason() {
    let (standard, chess960) = (suite("standard.epd"), suite("chess960.epd"));
    assert!(standard.len() >= 128, "{}", standard.len());
    assert!(chess960.len() >= 96, "{}", chess960.len());
    assert!(standard.iter().filter(|line| is_constructed(line)).count() >= 64);
    assert!(standard.iter().all(|line| line.mode == UciMode::Standard));
    assert!(chess960.iter().all(|line| line.mode == UciMode::Chess960));
}

/// The counts that everybody publishes for the six positions that everybody knows.
#[test]
fn the_six_well_known_positions_have_their_published_counts() {
    let standard = suite("standard.epd");
    for (id, depth, nodes) in [
        ("startpos", 6, 119_060_324),
        ("kiwipete", 5, 193_690_690),
        ("position-3", 7, 178_633_661),
        ("position-4", 6, 706_045_033),
        ("position-5", 5, 89_941_194),
        ("position-6", 5, 164_075_551),
    ] {
        let line = standard.iter().find(|line| line.id.as_deref() == Some(id)).expect(id);
        assert_eq!(deepest(line), (depth, nodes), "{id}");
    }
}

#[test]
fn every_line_has_a_name_of_its_own_a_reason_and_all_depths() {
    let mut names = BTreeSet::new();
    let mut placements = BTreeSet::new();
    for line in suite("standard.epd").iter().chain(&suite("chess960.epd")) {
        let name = line.id.clone().expect("a name");
        assert!(line.remark.is_some() && !line.events.is_empty(), "{name}");
        let depths: Vec<u32> = line.counts.iter().map(|&(depth, _)| depth).collect();
        assert_eq!(depths, (1..=deepest(line).0).collect::<Vec<_>>(), "{name}");
        assert!(placements.insert((line.position.to_string(), line.mode)), "{name} is there twice");
        assert!(names.insert(name.clone()), "{name}");
    }
}

/// Listed to the deepest depth under 200 million nodes, and to depth 5 where that stays under a billion.
/// The fourth well-known position goes to its published depth.
#[test]
fn the_depths_follow_the_rule() {
    for line in suite("standard.epd").iter().chain(&suite("chess960.epd")) {
        let ((depth, nodes), name) = (deepest(line), line.name());
        assert!(depth >= 4, "{name}");
        if depth > 5 && name != "position-4" {
            assert!(nodes < 200_000_000, "{name}");
        }
        assert!(nodes < 1_000_000_000, "{name}");
    }
}

/// But for those that only long games have anything to do with, and those of how moves are written.
#[test]
fn every_rule_event_is_claimed_by_a_line() {
    let lines: Vec<Line> = [suite("standard.epd"), suite("chess960.epd")].concat();
    let claimed: BTreeSet<&str> =
        lines.iter().flat_map(|line| &line.events).map(String::as_str).collect();
    let of_long_games =
        [Event::MinorAgainstKing, Event::SameColoredBishops, Event::ClockAt99, Event::ClockAt100];
    let of_notation =
        [Event::SanFile, Event::SanRank, Event::SanFileAndRank, Event::SanRivalPinned];
    let of_counting =
        |event: &&Event| !of_long_games.contains(event) && !of_notation.contains(event);
    let known = Event::ALL.iter().filter(of_counting);
    assert_eq!(claimed, known.map(|event| event.name()).collect());
}
