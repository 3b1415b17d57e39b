//! Two questions on one board, their steps in every order: what becomes of the answers and of the board.
//!
//! "Is this move legal?", asked by trial, is three steps: make the move, look at the king, take the move back. A lock
//! that is taken for each step, not for the question, lets another question in between. Two times
//! three steps have twenty orders; here each is played by one thread on a real [`Position`], so every run tells the same.
//!
//! What the threads of others do with the same [`Question`] is up to them; nothing here locks anything.

mod survey;
mod trace;

use std::fmt;

use touchmove::{Move, Position, Undo};

use crate::oracles::caught;

pub use self::survey::{Example, Survey};

/// What a question does to the board, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The move is made.
    Make,
    /// Is the king of the side that moved attacked?
    Look,
    /// The move is taken back.
    Unmake,
}

impl Step {
    /// All three, in their order.
    pub const ALL: [Step; 3] = [Step::Make, Step::Look, Step::Unmake];
}

/// "Is this move legal?", asked by trial, step by step.
///
/// What only castling asks, whether the king starts from or crosses an attacked square, is no step of it: a
/// castling is to be asked about where neither is so.
#[derive(Debug)]
pub struct Question {
    mv: Move,
    undo: Option<Undo>,
    answer: Option<bool>,
}

impl Question {
    /// A question about a pseudo-legal move.
    pub const fn new(mv: Move) -> Question {
        Question { mv, undo: None, answer: None }
    }

    /// Takes one step.
    ///
    /// # Panics
    ///
    /// When a move is to be taken back that was not made; and where the engine does, on a board that somebody else
    /// changed meanwhile.
    pub fn take(&mut self, step: Step, position: &mut Position) {
        match step {
            Step::Make => self.undo = Some(position.make(self.mv)),
            Step::Look => self.answer = Some(!position.mover_left_in_check()),
            Step::Unmake => {
                position.unmake(self.mv, self.undo.take().expect("the move was made"));
            }
        }
    }

    /// Takes all three steps: a question as it should be asked.
    pub fn ask(mv: Move, position: &mut Position) -> bool {
        let mut question = Question::new(mv);
        Step::ALL.into_iter().for_each(|step| question.take(step, position));
        question.answer == Some(true)
    }

    /// Whether the move is legal, once the question has looked.
    pub const fn answer(&self) -> Option<bool> {
        self.answer
    }
}

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asker {
    /// The one.
    A,
    /// The other.
    B,
}

impl fmt::Display for Asker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// An order of the steps of two questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule([Asker; 6]);

/// How two questions lie in time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Order {
    /// One question is over when the other begins: all that one lock for each question allows.
    OneByOne,
    /// One question is asked while the move of the other is on the board, and is over before that is taken back.
    Nested,
    /// The move that was made first is taken back first.
    Crossed,
}

impl Order {
    /// All of them.
    pub const ALL: [Order; 3] = [Order::OneByOne, Order::Nested, Order::Crossed];
}

impl Schedule {
    /// All twenty, those with fewer changes of hands first.
    pub fn all() -> Vec<Schedule> {
        let steps_of_a = (0_u8..1 << 6).filter(|steps| steps.count_ones() == 3);
        let schedule = |steps: u8| {
            let asker = |at: u8| if steps >> at & 1 == 1 { Asker::A } else { Asker::B };
            Schedule([0, 1, 2, 3, 4, 5].map(asker))
        };
        let mut all: Vec<Schedule> = steps_of_a.map(schedule).collect();
        all.sort_by_key(|schedule| schedule.changes_of_hands());
        all
    }

    /// Who takes which step.
    pub fn steps(self) -> [(Asker, Step); 6] {
        let mut taken = [0, 0];
        self.0.map(|asker| {
            let step = Step::ALL[taken[asker as usize]];
            taken[asker as usize] += 1;
            (asker, step)
        })
    }

    /// How the questions lie in time.
    pub fn order(self) -> Order {
        match self.changes_of_hands() {
            1 => Order::OneByOne,
            // The first step of all is a make, and the last takes a move back.
            _ if self.0[0] == self.0[5] => Order::Nested,
            _ => Order::Crossed,
        }
    }

    /// How often the next step is another's.
    pub fn changes_of_hands(self) -> usize {
        self.0.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }
}

/// The askers in their turns: `AABBAB`.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|asker| write!(f, "{asker}"))
    }
}

/// Two questions about one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duel {
    /// The position both share.
    pub start: Position,
    /// What A asks about, and B.
    pub moves: [Move; 2],
}

/// The worst that a schedule does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Harm {
    /// Both answers are right, and the position is as before.
    Nothing,
    /// An answer is wrong; the position is as before.
    Answer,
    /// The pieces are where they were and the same side is to move; the key, a clock, a right or the en passant square differs.
    HiddenState,
    /// The pieces are not where they were, or the other side is to move.
    Board,
    /// The engine panics on the way.
    Panic,
}

impl Harm {
    /// All of them, from nothing to the worst.
    pub const ALL: [Harm; 5] =
        [Harm::Nothing, Harm::Answer, Harm::HiddenState, Harm::Board, Harm::Panic];
}

/// What came of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The worst of it.
    pub harm: Harm,
    /// Whether somebody was told wrongly, whatever else there was.
    pub answered_wrongly: bool,
    /// After how many steps it was beyond repair: the first wrong answer, a panic, or the end.
    pub steps: usize,
}

/// The board between two steps, as those see it who watch.
struct Moment<'a> {
    asker: Asker,
    step: Step,
    before: &'a Position,
    after: &'a Position,
    /// What the asker was told, if it has looked.
    answer: Option<bool>,
    /// Why the step was not taken to its end.
    panic: Option<&'a str>,
}

impl Duel {
    /// Plays a schedule.
    pub fn play(&self, schedule: Schedule) -> Played {
        self.watch(schedule, |_| {})
    }

    /// Plays a schedule and shows every step.
    fn watch(&self, schedule: Schedule, mut show: impl FnMut(&Moment<'_>)) -> Played {
        let mut position = self.start;
        let mut questions = self.moves.map(Question::new);
        let mut first_wrong = None;
        for (taken, (asker, step)) in (1..).zip(schedule.steps()) {
            let before = position;
            let question = &mut questions[asker as usize];
            let panic = caught(|| question.take(step, &mut position)).err();
            let answer = question.answer();
            let panic = panic.as_deref();
            show(&Moment { asker, step, before: &before, after: &position, answer, panic });
            if panic.is_some() {
                let answered_wrongly = first_wrong.is_some();
                return Played { harm: Harm::Panic, answered_wrongly, steps: taken };
            }
            if step == Step::Look && answer != Some(self.is_legal(asker)) {
                first_wrong.get_or_insert(taken);
            }
        }
        let harm = match self.left_by(&position) {
            Harm::Nothing if first_wrong.is_some() => Harm::Answer,
            harm => harm,
        };
        let steps = first_wrong.filter(|_| harm == Harm::Answer).unwrap_or(6);
        Played { harm, answered_wrongly: first_wrong.is_some(), steps }
    }

    /// What is right: the answer that one who asks alone gets from the route that touches nothing.
    fn is_legal(&self, asker: Asker) -> bool {
        self.start.is_legal(self.moves[asker as usize])
    }

    fn left_by(&self, position: &Position) -> Harm {
        let start = &self.start;
        if (start.board(), start.turn()) != (position.board(), position.turn()) {
            Harm::Board
        } else if start != position {
            Harm::HiddenState
        } else {
            Harm::Nothing
        }
    }
}
