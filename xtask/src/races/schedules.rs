//! Every order of the steps of two questions: the table, and the shortest that go wrong.

use serde_json::json;
use touchmove::Position;
use touchmove_oracles::schedules::{Harm, Order, Survey};

use crate::console::{self, Format, json_count};
use crate::verdict::Verdict;

/// Prints what comes of every schedule.
///
/// It fails where questions one by one do harm, and is unknown where no others do.
pub(super) fn report(start: &Position, format: Format) -> Verdict {
    let survey = Survey::of(start);
    match format {
        Format::Human => print_human(&survey),
        Format::Json => print_json(&survey),
    }
    let harmful = |order: &Order| harmful(&survey, *order);
    match (harmful(&Order::OneByOne), harmful(&Order::Nested) + harmful(&Order::Crossed)) {
        (1.., _) => Verdict::Fail,
        (0, 0) => Verdict::Unknown,
        (0, _) => Verdict::Pass,
    }
}

fn harmful(survey: &Survey, order: Order) -> u64 {
    let harms = Harm::ALL.into_iter().filter(|&harm| harm != Harm::Nothing);
    harms.map(|harm| survey.count(order, harm)).sum()
}

const fn name_of_order(order: Order) -> &'static str {
    match order {
        Order::OneByOne => "one by one",
        Order::Nested => "one inside the other",
        Order::Crossed => "crossed",
    }
}

const fn name_of_harm(harm: Harm) -> &'static str {
    match harm {
        Harm::Nothing => "harmless",
        Harm::Answer => "answer",
        Harm::HiddenState => "hidden state",
        Harm::Board => "board",
        Harm::Panic => "panic",
    }
}

fn print_human(survey: &Survey) {
    console::result(format!(
        "Two questions by trial, each make, look, unmake, the lock taken for each step: {} pairs of moves, 20 orders of steps.",
        survey.pairs
    ));
    console::result(
        "By the worst that comes of it: a wrong answer alone, a wrong key, clock or right alone, a wrong board, a panic.",
    );
    let harms: String =
        Harm::ALL.into_iter().map(|harm| format!("{:>14}", name_of_harm(harm))).collect();
    console::result(format!("{:<22}{:>10}{harms}{:>18}", "order", "schedules", "answered wrongly"));
    let mut sums = [0; Harm::ALL.len() + 1];
    for order in Order::ALL {
        let counts = Harm::ALL.map(|harm| survey.count(order, harm));
        let wrongly = survey.answered_wrongly(order);
        for (sum, count) in sums.iter_mut().zip(counts.iter().chain([&wrongly])) {
            *sum += count;
        }
        print_row(name_of_order(order), counts, wrongly);
    }
    let [harmless, answer, hidden, board, panic, wrongly] = sums;
    print_row("all", [harmless, answer, hidden, board, panic], wrongly);
    console::result("One lock for each question allows the first row and no other.");
    if cfg!(debug_assertions) {
        console::result("With debug assertions, as here, the engine stops at the second make.");
    }
    for harm in Harm::ALL.into_iter().filter(|&harm| harm != Harm::Nothing) {
        match survey.shortest(harm) {
            Some(example) => {
                console::result(format!("\nThe shortest: {}\n\n{example}", name_of_harm(harm)));
            }
            None => {
                console::result(format!("\nThe shortest: {}: there is none", name_of_harm(harm)))
            }
        }
    }
    console::result("");
}

fn print_row(name: &str, counts: [u64; Harm::ALL.len()], wrongly: u64) {
    let schedules: u64 = counts.iter().sum();
    let counts: String = counts.iter().map(|count| format!("{count:>14}")).collect();
    console::result(format!("{name:<22}{schedules:>10}{counts}{wrongly:>18}"));
}

fn print_json(survey: &Survey) {
    for order in Order::ALL {
        let counts = Harm::ALL
            .map(|harm| (name_of_harm(harm).to_string(), json_count(survey.count(order, harm))));
        console::json(&json!({
            "type": "schedules", "order": name_of_order(order), "pairs": survey.pairs,
            "counts": serde_json::Map::from_iter(counts),
            "answered_wrongly": json_count(survey.answered_wrongly(order)),
        }));
    }
    for harm in Harm::ALL.into_iter().filter(|&harm| harm != Harm::Nothing) {
        if let Some(example) = survey.shortest(harm) {
            console::json(&json!({
                "type": "example", "harm": name_of_harm(harm), "schedule": example.schedule.to_string(),
                "moves": example.duel.moves.map(|mv| format!("{mv:?}")), "trace": example.to_string(),
            }));
        }
    }
}
