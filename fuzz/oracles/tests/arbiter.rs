//! Games of all kinds of actions beside the model that counts everything anew.

use std::collections::BTreeMap;

use proptest::prelude::*;
use touchmove::{Game, Outcome};
use touchmove_oracles::generators::{Action, Actions, from_bytes, from_seed};
use touchmove_oracles::oracles::arbiter;

/// R12 to R20. Every ending is met on the way.
#[test]
fn the_arbiter_does_as_the_model_says() {
    let mut endings: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..2_000 {
        let actions: Actions = from_seed(seed);
        arbiter(&actions, None).expect_clean();
        if let Some(outcome) = ending(&actions) {
            *endings.entry(outcome.to_string()).or_default() += 1;
        }
    }
    let kinds = [
        "checkmate",
        "resignation",
        "by flag fall",
        "stalemate",
        "dead position",
        "agreement",
        "a claim of threefold repetition",
        "a claim of fifty moves",
        "fivefold repetition",
        "seventy-five moves",
        "draw by threefold repetition",
        "draw by fifty moves",
        "cannot mate",
    ];
    for kind in kinds {
        assert!(endings.keys().any(|ending| ending.contains(kind)), "{kind} in {endings:#?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The same from bytes, which shrink to the shortest game that shows a fault.
    #[test]
    fn any_actions_do_as_the_model_says(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let verdict = arbiter(&from_bytes::<Actions>(&bytes), None);
        prop_assert!(verdict.is_clean(), "{verdict:?}");
    }
}

/// How the game ends, played by the library alone.
fn ending(actions: &Actions) -> Option<Outcome> {
    let mut game = Game::new(actions.start).with_policy(actions.policy);
    if let Some(control) = actions.control {
        game = game.with_clock(control.parse().unwrap());
    }
    for &action in &actions.actions {
        let (turn, legal) = (game.turn(), game.legal());
        let chosen = |choice: u8| legal.get(usize::from(choice) * legal.len() / 256).cloned();
        let _refused = match action {
            Action::Play(choice) => {
                chosen(choice).is_some_and(|text| game.play(turn, &text).is_ok())
            }
            Action::Resign(player) => game.resign(player).is_ok(),
            Action::Offer(player) => game.offer_draw(player).is_ok(),
            Action::Accept(player) => game.accept(player).is_ok(),
            Action::Claim(player, claim, choice) => {
                game.claim(player, claim, choice.and_then(chosen).as_deref()).is_ok()
            }
            Action::Tick(time) => game.tick(time).is_ok(),
            _ => false,
        };
        if game.outcome().is_some() {
            break;
        }
    }
    game.outcome()
}
