//! Where each piece can ever come, and which pieces can never move: what a locked position keeps for good.
//!
//! The least fixpoint over individual pieces: each has the squares it may come to, as itself and, a pawn, as
//! what it becomes; whether it may have moved; whether it may be captured. At first each is at home and
//! nothing has happened. A piece of which neither is possible is *fixed*: it stands at home for good, blocks its
//! square, and attacks what it attacks from there whatever else happens. The rules are applied until nothing new
//! follows:
//!
//! 1. Knight, bishop, rook and queen go on by single steps or jumps, but not onto a fixed piece of their own, nor
//!    onto a fixed enemy king. A fixed enemy piece may be entered: captured, that is, by rule 4.
//! 2. So does a king, but never onto a square that a fixed enemy piece attacks for good.
//! 3. A pawn goes ahead where no fixed piece stands, and aslant where an enemy other than the king may come. On the
//!    last rank it becomes what goes on by a queen's steps and a knight's jumps.
//! 4. A piece has moved once its squares are more than its home. It is captured where its squares meet those on
//!    which the enemy may capture: a pawn's diagonals, and all squares of other pieces that have moved.
//!
//! # Why it is sound
//!
//! Claim: in every game from here, each piece stands on one of its squares, and what moved or was captured is
//! flagged. Take the first move that breaks it. Before that move everything was true, so the fixed pieces were at
//! home: their squares occupied, the squares they attack from there attacked. The rules hold back no move but onto
//! or across an occupied square of that kind, and of a king onto an attacked one; pins, checks, whose turn it is
//! and which of several pieces comes first are ignored, which only allows more. More facts make fewer pieces
//! fixed and so allow more moves: the rules are monotone, and the move had been derived. A double step is two
//! single ones, and leaves the pawn's squares on the one it passed, where rule 4 finds the capture en
//! passant. Castling is not among the rules, nor an en passant capture that is already possible: such
//! positions are not to be asked about ([`Reach::covers`]).

use crate::bitboard::Bitboard;
use crate::piece::{ByColor, Color, Role};
use crate::position::Position;
use crate::shapes::Pawn;
use crate::square::Square;

/// A piece of a position, and what may become of it.
#[derive(Clone, Copy)]
pub(super) struct Man {
    pub(super) color: Color,
    pub(super) role: Role,
    pub(super) home: Square,
    /// Where it may stand as what it is; its home included.
    pub(super) squares: Bitboard,
    /// Where a pawn may stand as what it became.
    pub(super) promoted: Bitboard,
    captured: bool,
}

impl Man {
    /// Whether it may have moved.
    fn moved(&self) -> bool {
        self.squares != self.home.into()
    }

    /// Whether it stands at home for good.
    pub(super) fn is_fixed(&self) -> bool {
        !self.moved() && !self.captured
    }

    /// Where it may stand as anything.
    pub(super) fn anywhere(&self) -> Bitboard {
        self.squares | self.promoted
    }

    /// Where it may capture.
    fn captures(&self) -> Bitboard {
        match self.role {
            Role::Pawn => Pawn(self.color).attacks_of_all(self.squares) | self.promoted,
            _ if self.moved() => self.squares,
            _ => Bitboard::EMPTY,
        }
    }

    /// Applies the rules once; whether something new came of it.
    fn learn(&mut self, facts: &ByColor<Facts>) -> bool {
        let before = (self.squares, self.promoted, self.captured);
        let (ours, theirs) = (&facts[self.color], &facts[!self.color]);
        let enterable = !(ours.fixed | theirs.fixed_king);
        match self.role {
            Role::Pawn => self.advance(ours, theirs),
            Role::King => {
                self.squares = flood(self.squares, enterable.without(theirs.attacked), king_steps);
            }
            Role::Knight => self.squares = flood(self.squares, enterable, knight_jumps),
            Role::Bishop => self.squares = flood(self.squares, enterable, diagonal_steps),
            Role::Rook => self.squares = flood(self.squares, enterable, straight_steps),
            Role::Queen => self.squares = flood(self.squares, enterable, king_steps),
        }
        if self.role != Role::King {
            self.captured |= (self.anywhere() & theirs.captures).any();
        }
        before != (self.squares, self.promoted, self.captured)
    }

    fn advance(&mut self, ours: &Facts, theirs: &Facts) {
        let pawn = Pawn(self.color);
        let free = !(ours.fixed | theirs.fixed);
        loop {
            let ahead = self.squares.shift(0, pawn.direction()) & free;
            let aslant = pawn.attacks_of_all(self.squares) & theirs.present;
            let grown = self.squares | ahead | aslant;
            if grown == self.squares {
                break;
            }
            self.squares = grown;
        }
        let last = self.squares & Bitboard::rank(pawn.promotion_rank());
        if last.any() {
            let enterable = !(ours.fixed | theirs.fixed_king);
            let steps = |from| king_steps(from) | knight_jumps(from);
            self.promoted = flood(self.promoted | last, enterable, steps);
        }
    }
}

/// What is known of all pieces of one side together.
#[derive(Clone, Copy, Default)]
struct Facts {
    /// The homes of its fixed pieces.
    fixed: Bitboard,
    /// Its king's home, if that is fixed.
    fixed_king: Bitboard,
    /// What its fixed pieces attack, whatever stands around them.
    attacked: Bitboard,
    /// Where its pieces other than the king may stand.
    present: Bitboard,
    /// Where it may capture.
    captures: Bitboard,
}

impl Facts {
    fn add(&mut self, man: &Man) {
        self.captures |= man.captures();
        if man.role != Role::King {
            self.present |= man.anywhere();
        }
        if !man.is_fixed() {
            return;
        }
        let home = Bitboard::of(man.home);
        self.fixed |= home;
        self.attacked |= match man.role {
            Role::Pawn => Pawn(man.color).attacks_of_all(home),
            Role::Knight => knight_jumps(home),
            Role::Bishop => diagonal_steps(home),
            Role::Rook => straight_steps(home),
            Role::Queen => king_steps(home),
            Role::King => {
                self.fixed_king = home;
                king_steps(home)
            }
        };
    }
}

/// The fixpoint, or as much of it as was needed.
pub(super) struct Reach {
    men: [Man; 64],
    len: usize,
}

impl Reach {
    /// Whether the rules cover all that may happen: no castling to come, no capture en passant.
    pub(super) fn covers(position: &Position) -> bool {
        position.castling().is_empty() && position.en_passant().is_none()
    }

    /// Applies the rules until nothing new follows, or `is_enough` says to stop; None in the second case.
    pub(super) fn of(
        position: &Position,
        mut is_enough: impl FnMut(&Reach) -> bool,
    ) -> Option<Reach> {
        debug_assert!(Reach::covers(position));
        let mut reach = Reach::at_home(position);
        loop {
            let mut facts = ByColor::<Facts>::default();
            for man in reach.men() {
                facts[man.color].add(man);
            }
            let mut is_new = false;
            for man in &mut reach.men[..reach.len] {
                is_new |= man.learn(&facts);
            }
            if !is_new {
                return Some(reach);
            }
            if is_enough(&reach) {
                return None;
            }
        }
    }

    fn at_home(position: &Position) -> Reach {
        let nobody = Man {
            color: Color::White,
            role: Role::Pawn,
            home: Square::A1,
            squares: Bitboard::EMPTY,
            promoted: Bitboard::EMPTY,
            captured: false,
        };
        let mut reach = Reach { men: [nobody; 64], len: 0 };
        let board = position.board();
        for color in Color::ALL {
            for role in Role::ALL {
                for home in board.role(role) & board.color(color) {
                    let squares = home.into();
                    reach.men[reach.len] = Man { color, role, home, squares, ..nobody };
                    reach.len += 1;
                }
            }
        }
        reach
    }

    /// All pieces.
    pub(super) fn men(&self) -> &[Man] {
        &self.men[..self.len]
    }

    /// Whether a pawn of this side may promote.
    pub(super) fn promotes(&self, color: Color) -> bool {
        self.men().iter().any(|man| man.color == color && man.promoted.any())
    }

    /// The homes of all fixed pieces.
    pub(super) fn fixed(&self) -> Bitboard {
        self.men().iter().filter(|man| man.is_fixed()).map(|man| man.home).collect()
    }
}

/// All squares that steps from a set lead to, again and again, without leaving `enterable`.
#[inline(always)]
fn flood(from: Bitboard, enterable: Bitboard, steps: impl Fn(Bitboard) -> Bitboard) -> Bitboard {
    let mut reached = from;
    loop {
        let grown = reached | steps(reached) & enterable;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

fn straight_steps(from: Bitboard) -> Bitboard {
    from.shift(1, 0) | from.shift(-1, 0) | from.shift(0, 1) | from.shift(0, -1)
}

fn diagonal_steps(from: Bitboard) -> Bitboard {
    let beside = from.shift(1, 0) | from.shift(-1, 0);
    beside.shift(0, 1) | beside.shift(0, -1)
}

fn king_steps(from: Bitboard) -> Bitboard {
    straight_steps(from) | diagonal_steps(from)
}

fn knight_jumps(from: Bitboard) -> Bitboard {
    let one = from.shift(1, 0) | from.shift(-1, 0);
    let two = from.shift(1, 0).shift(1, 0) | from.shift(-1, 0).shift(-1, 0);
    one.shift(0, 2) | one.shift(0, -2) | two.shift(0, 1) | two.shift(0, -1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::{Move, MoveKind};

    /// Locked and half-locked positions: most pieces stay, some get loose late or by a capture en passant.
    const STARTS: [&str; 14] = [
        "8/8/2k5/p1p2p1p/P1P2P1P/3K1P2/8/8 b - - 0 1",
        "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
        "8/8/1p1k3p/1Pp1p1pP/2P1P1P1/5B2/5K2/8 w - - 0 1",
        "7k/5BpP/6Pb/4K3/8/8/8/8 w - - 0 1",
        "8/8/1k1p1p2/3PpP2/3pKp2/b2P1P2/8/3B1B2 b - - 0 1",
        "8/8/8/2pkp1p1/p1P1P1P1/P2K4/8/8 b - - 0 1",
        "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1",
        "7b/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N7 b - - 0 1",
        "Bb2kb2/bKp1p1p1/1pP1P1P1/pP6/6P1/P7/8/8 b - - 0 1",
        "1b3kBR/4pP1P/1p1pP2P/1P1P4/8/K5p1/6P1/1B6 b - - 0 1",
        "1Bb5/1p6/pPp3k1/2Pp3p/P2PpBpP/4P1P1/5K2/8 w - - 0 1",
        "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        "4k3/2p1p1p1/2P1P1P1/3N4/8/1p1p1p1p/1P1P1P1P/4K3 w - - 0 1",
    ];

    /// A piece in play: its place among the men, where it stands, and whether it promoted.
    #[derive(Clone, Copy)]
    struct Track {
        man: usize,
        at: Square,
        promoted: bool,
    }

    /// Follows the pieces through a move.
    fn follow(tracks: &mut Vec<Track>, reach: &Reach, position: &Position, mv: Move) {
        let taken = match mv.kind() {
            MoveKind::EnPassant => Square::new(mv.to().file(), mv.from().rank()),
            _ => mv.to(),
        };
        tracks.retain(|track| {
            let is_taken = track.at == taken && track.at != mv.from();
            let man = &reach.men()[track.man];
            assert!(!is_taken || man.captured, "{mv:?} captures a piece for good in {position:?}");
            !is_taken
        });
        let mover = tracks.iter_mut().find(|track| track.at == mv.from()).expect("a piece moves");
        mover.at = mv.to();
        mover.promoted |= mv.promotion_role().is_some();
        let man = &reach.men()[mover.man];
        let squares = if mover.promoted { man.promoted } else { man.squares };
        assert!(man.moved(), "{mv:?} moves a fixed piece in {position:?}");
        assert!(squares.contains(mv.to()), "{mv:?} is out of reach in {position:?}");
    }

    #[test]
    fn every_piece_stays_on_its_squares_and_whatever_moved_or_was_captured_is_flagged() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |below: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 33) as usize % below
        };
        let mut fixed_moves = 0;
        for game in 0..600 {
            let mut position: Position = STARTS[game % STARTS.len()].parse().unwrap();
            let reach = Reach::of(&position, |_| false).unwrap();
            let men = reach.men().iter().enumerate();
            let mut tracks: Vec<Track> =
                men.map(|(man, piece)| Track { man, at: piece.home, promoted: false }).collect();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random(moves.len())];
                follow(&mut tracks, &reach, &position, mv);
                drop(position.make(mv));
                fixed_moves += reach.fixed().len();
            }
        }
        assert!(fixed_moves > 100_000, "hardly anything was fixed: {fixed_moves}");
    }

    /// Steps and jumps of a set are those of its squares: the shapes' on the empty board, one step far.
    #[test]
    fn a_set_steps_where_its_squares_do() {
        use crate::shapes::Stepper;
        let of_all = |set: Bitboard, steps: &dyn Fn(Square) -> Bitboard| {
            set.into_iter().map(steps).fold(Bitboard::EMPTY, |all, one| all | one)
        };
        let straight = |from: Square| -> Bitboard {
            let near = Stepper::King.attacks(from).into_iter();
            near.filter(|to| to.file() == from.file() || to.rank() == from.rank()).collect()
        };
        let diagonal = |from| Stepper::King.attacks(from).without(straight(from));
        let mut sets: Vec<Bitboard> = Square::all().map(Bitboard::of).collect();
        for one in Square::all() {
            sets.extend(Square::all().map(|other| Bitboard::of(one) | other.into()));
        }
        for set in sets {
            assert_eq!(straight_steps(set), of_all(set, &straight), "{set:?}");
            assert_eq!(diagonal_steps(set), of_all(set, &diagonal), "{set:?}");
            assert_eq!(
                king_steps(set),
                of_all(set, &|from| Stepper::King.attacks(from)),
                "{set:?}"
            );
            let jumps = of_all(set, &|from| Stepper::Knight.attacks(from));
            assert_eq!(knight_jumps(set), jumps, "{set:?}");
        }
    }

    fn pawn_of(fen: &str, color: Color) -> (Reach, Man) {
        let reach = Reach::of(&fen.parse().unwrap(), |_| false).unwrap();
        let is_it = |man: &&Man| man.role == Role::Pawn && man.color == color;
        let pawn = *reach.men().iter().find(is_it).unwrap();
        (reach, pawn)
    }

    /// As a queen and as a knight it comes everywhere, where it stood as a pawn as well.
    #[test]
    fn a_pawn_that_promotes_comes_everywhere_and_captures_there() {
        let (reach, pawn) = pawn_of("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", Color::White);
        assert!(reach.promotes(Color::White) && !reach.promotes(Color::Black));
        assert_eq!(pawn.promoted, Bitboard::ALL);
        assert_eq!((pawn.anywhere(), pawn.captures()), (Bitboard::ALL, Bitboard::ALL));
    }

    #[test]
    fn a_pawn_that_is_stopped_captures_aslant_all_the_same() {
        let (reach, pawn) = pawn_of("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", Color::White);
        assert!(pawn.is_fixed() && !reach.promotes(Color::White));
        assert_eq!(pawn.captures(), Square::B5.into());
    }

    /// Pawns do not capture kings, so they are not among what may be captured.
    #[test]
    fn a_king_is_not_present_for_pawns() {
        let (reach, _) = pawn_of("4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1", Color::White);
        let facts = |role| {
            let is_it = |man: &&Man| man.color == Color::White && man.role == role;
            let mut facts = Facts::default();
            facts.add(reach.men().iter().find(is_it).unwrap());
            facts
        };
        assert!(facts(Role::King).present.is_empty());
        assert!(facts(Role::Rook).present.contains(Square::D1));
    }

    #[test]
    fn a_wall_of_pawns_is_fixed_and_keeps_the_kings_apart() {
        let position = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1".parse().unwrap();
        let reach = Reach::of(&position, |_| false).unwrap();
        assert_eq!(reach.fixed(), position.board().role(Role::Pawn));
        let king = reach.men().iter().find(|man| man.role == Role::King).unwrap();
        assert!(king.squares.into_iter().all(|square| square.rank() < crate::Rank::Fifth));
    }
}
