//! In which order moves are tried: the sooner a good one comes, the more of the tree is left out.

use touchmove::{Color, Move, MoveKind, Position, PromotionRole, Role};

use super::evaluate::value;

/// Moves that are taken out one by one, the most promising first.
#[derive(Clone, Default)]
pub(super) struct OrderedMoves {
    moves: Vec<(i32, Move)>,
    taken: usize,
}

impl OrderedMoves {
    /// Replaces all moves.
    pub(super) fn fill(
        &mut self,
        position: &Position,
        moves: impl Iterator<Item = Move>,
        priorities: &Priorities<'_>,
    ) {
        self.taken = 0;
        self.moves.clear();
        self.moves.extend(moves.map(|mv| (priorities.of(position, mv), mv)));
    }

    /// Whether there was none to begin with.
    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Takes out the move that promises most. Few are ever taken, so they are not sorted beforehand.
    pub(super) fn next(&mut self) -> Option<Move> {
        let left = self.moves.get_mut(self.taken..)?;
        let mut best = 0;
        for index in 1..left.len() {
            if left[index].0 > left[best].0 {
                best = index;
            }
        }
        if left.is_empty() {
            return None;
        }
        left.swap(0, best);
        self.taken += 1;
        Some(left[0].1)
    }
}

/// What speaks for a move.
pub(super) struct Priorities<'a> {
    /// The move that was best when the position was met before.
    pub(super) first: Option<Move>,
    pub(super) killers: [Option<Move>; 2],
    pub(super) history: &'a History,
}

impl Priorities<'_> {
    const FIRST: i32 = 1 << 30;
    const CAPTURE: i32 = 1 << 24;
    const KILLER: i32 = 1 << 23;

    /// The best move known; captures, the dearest piece by the cheapest first, and promotions to a queen; refutations of
    /// siblings; quiet moves by what they did elsewhere; other promotions.
    fn of(&self, position: &Position, mv: Move) -> i32 {
        if self.first == Some(mv) {
            return Priorities::FIRST;
        }
        match (captured(position, mv), mv.promotion_role()) {
            (_, Some(role)) if role != PromotionRole::Queen => value(role.role()) - 10_000,
            (None, Some(role)) => Priorities::CAPTURE + 16 * value(role.role()),
            (Some(victim), _) => {
                let capturer = position.board().role_at(mv.from()).map_or(0, Role::index);
                Priorities::CAPTURE + 16 * value(victim) - capturer as i32
            }
            _ if self.killers[0] == Some(mv) => Priorities::KILLER + 1,
            _ if self.killers[1] == Some(mv) => Priorities::KILLER,
            _ => self.history.of(position.turn(), mv),
        }
    }
}

/// The role of the piece that a legal move captures.
pub(super) fn captured(position: &Position, mv: Move) -> Option<Role> {
    match mv.kind() {
        MoveKind::EnPassant => Some(Role::Pawn),
        MoveKind::Castling => None, // What stands there is the own rook.
        MoveKind::Normal | MoveKind::Promotion(_) => position.board().role_at(mv.to()),
    }
}

/// How often, and how high in the tree, quiet moves were the refutation: by colour, origin and target.
pub(super) struct History {
    rewards: Vec<i32>,
}

impl History {
    const REWARD_MAX: i32 = 1 << 22;

    pub(super) fn new() -> History {
        History { rewards: vec![0; 2 * 64 * 64] }
    }

    pub(super) fn reward(&mut self, mover: Color, mv: Move, depth: i32) {
        let reward = &mut self.rewards[History::index(mover, mv)];
        *reward += depth * depth;
        if *reward > History::REWARD_MAX {
            self.rewards.iter_mut().for_each(|reward| *reward /= 2);
        }
    }

    fn of(&self, mover: Color, mv: Move) -> i32 {
        self.rewards[History::index(mover, mv)]
    }

    fn index(mover: Color, mv: Move) -> usize {
        (mover as usize * 64 + mv.from().index()) * 64 + mv.to().index()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_move_comes_first_then_captures_then_killers() {
        let position: Position = "4k3/3p4/4r3/3P4/8/8/4R3/4K1N1 w - - 0 1".parse().unwrap();
        let text = |mv: Move| format!("{mv:?}");
        let find = |name: &str| position.legal_moves().into_iter().find(|&mv| text(mv) == name);
        let mut history = History::new();
        history.reward(Color::White, find("e1f2").unwrap(), 3);
        let killers = [find("g1h3"), None];
        let priorities = Priorities { first: find("e1d2"), killers, history: &history };
        let mut moves = OrderedMoves::default();
        moves.fill(&position, position.legal_moves().into_iter(), &priorities);
        let ordered: Vec<String> = std::iter::from_fn(|| moves.next()).map(text).collect();
        assert_eq!(ordered.len(), position.legal_moves().len());
        assert_eq!(ordered[..5], ["e1d2", "d5e6", "e2e6", "g1h3", "e1f2"]);
    }
}
