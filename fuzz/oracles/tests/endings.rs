//! Endings of three and four pieces by going back from every mate: what `Ending` says of them is exact.
//!
//! A capture leaves each of these endings for one in which the side that would win cannot mate, so every line
//! that mates stays inside, and going back over moves without a capture finds them all.

use touchmove::{Bitboard, Color, Piece, Role, Square};

/// One side's piece, the other's if it has one. White is the side that would win.
struct Ending {
    winner: Role,
    loser: Option<Role>,
    /// The positions, those with White's pieces to move and with Black's, in which White can never mate.
    exceptions: usize,
}

/// White's king and piece, Black's king, and Black's piece, where it has one.
#[derive(Clone, Copy, PartialEq)]
struct Placement {
    turn: Color,
    squares: [Square; 4],
}

impl Ending {
    const fn new(winner: Role, loser: Option<Role>, exceptions: usize) -> Ending {
        Ending { winner, loser, exceptions }
    }

    fn men(&self) -> impl Iterator<Item = (usize, Piece)> {
        let man = |color, role| Some(Piece { color, role });
        let men = [
            man(Color::White, Role::King),
            man(Color::White, self.winner),
            man(Color::Black, Role::King),
            self.loser.map(|role| Piece { color: Color::Black, role }),
        ];
        men.into_iter().enumerate().filter_map(|(index, piece)| Some((index, piece?)))
    }

    fn len(&self) -> usize {
        if self.loser.is_some() { 2 << 24 } else { 2 << 18 }
    }

    fn placement(&self, index: usize) -> Placement {
        let square = |n: usize| Square::from_index((index >> (1 + 6 * n) & 63) as u8).unwrap();
        let turn = Color::ALL[index & 1];
        Placement { turn, squares: [square(0), square(1), square(2), square(3)] }
    }

    fn index(&self, placement: &Placement) -> usize {
        let squares = self.men().map(|(n, _)| (placement.squares[n] as usize) << (1 + 6 * n));
        placement.turn as usize + squares.sum::<usize>()
    }

    fn occupied(&self, placement: &Placement) -> Bitboard {
        self.men().map(|(n, _)| placement.squares[n]).collect()
    }

    /// Whether a colour's king is attacked; `gone` has been captured.
    fn in_check(&self, placement: &Placement, color: Color, gone: Option<usize>) -> bool {
        let king = placement.squares[if color == Color::White { 0 } else { 2 }];
        let occupied = self.men().filter(|&(n, _)| Some(n) != gone);
        let occupied: Bitboard = occupied.map(|(n, _)| placement.squares[n]).collect();
        self.men().any(|(n, man)| {
            man.color != color
                && Some(n) != gone
                && man.attacks(placement.squares[n], occupied).contains(king)
        })
    }

    fn is_valid(&self, placement: &Placement) -> bool {
        self.occupied(placement).len() as usize == self.men().count()
            && (self.winner != Role::Bishop
                || self.loser != Some(Role::Bishop)
                || shade(placement.squares[1]) != shade(placement.squares[3]))
            && !self.in_check(placement, !placement.turn, None)
    }

    /// The positions after each move that captures nothing, and whether there is a legal capture.
    fn moves(&self, placement: &Placement, after: &mut Vec<Placement>) -> bool {
        after.clear();
        let occupied = self.occupied(placement);
        let mut captures = false;
        for (n, man) in self.men().filter(|(_, man)| man.color == placement.turn) {
            for to in man.attacks(placement.squares[n], occupied) {
                let taken = self.men().find(|&(m, _)| placement.squares[m] == to);
                if taken.is_some_and(|(_, piece)| piece.color == man.color) {
                    continue;
                }
                let mut next = Placement { turn: !placement.turn, ..*placement };
                next.squares[n] = to;
                if self.in_check(&next, placement.turn, taken.map(|(m, _)| m)) {
                    continue;
                }
                match taken {
                    Some(_) => captures = true,
                    None => after.push(next),
                }
            }
        }
        captures
    }

    /// The positions from which a move without a capture leads here.
    fn before(&self, placement: &Placement) -> Vec<Placement> {
        let mover = !placement.turn;
        let occupied = self.occupied(placement);
        let mut before = Vec::new();
        for (n, man) in self.men().filter(|(_, man)| man.color == mover) {
            for from in man.attacks(placement.squares[n], occupied).without(occupied) {
                let mut earlier = Placement { turn: mover, ..*placement };
                earlier.squares[n] = from;
                if self.is_valid(&earlier) {
                    before.push(earlier);
                }
            }
        }
        before
    }

    fn check(&self) {
        const STUCK: u8 = 1; // no legal move, and Black is not mated
        const WON: u8 = 2;
        let mut marks = vec![0_u8; self.len()];
        let mut open = Vec::new();
        let mut after = Vec::new();
        for (index, mark) in marks.iter_mut().enumerate() {
            let placement = self.placement(index);
            if !self.is_valid(&placement) {
                continue;
            }
            let captures = self.moves(&placement, &mut after);
            if !captures && after.is_empty() {
                let mated = self.in_check(&placement, placement.turn, None);
                let is_won = mated && placement.turn == Color::Black;
                *mark = if is_won { WON } else { STUCK };
                open.extend(is_won.then_some(placement));
            }
        }
        while let Some(placement) = open.pop() {
            for earlier in self.before(&placement) {
                let mark = &mut marks[self.index(&earlier)];
                if *mark & WON == 0 {
                    *mark |= WON;
                    open.push(earlier);
                }
            }
        }
        let mut exceptions = 0;
        for index in 0..marks.len() {
            let placement = self.placement(index);
            if !self.is_valid(&placement) {
                continue;
            }
            self.moves(&placement, &mut after);
            let ends = after.iter().all(|after| marks[self.index(after)] & STUCK != 0);
            let is_mate = marks[index] & WON != 0 && after.is_empty();
            let is_won = marks[index] & WON != 0;
            assert_eq!(is_won, is_mate || !ends, "{:?} {:?}", placement.squares, placement.turn);
            exceptions += usize::from(!is_won);
        }
        assert_eq!(exceptions, self.exceptions, "{:?} against {:?}", self.winner, self.loser);
    }
}

fn shade(square: Square) -> usize {
    (square.file().index() + square.rank().index()) % 2
}

/// Every position but those that end within a ply is won, and those are so many.
#[test]
fn rook_and_queen_mate_a_bare_king_unless_it_is_over_within_a_ply() {
    Ending::new(Role::Rook, None, 480).check();
    Ending::new(Role::Queen, None, 3_292).check();
}

/// Takes some minutes.
#[test]
#[ignore = "goes through 33 million positions five times"]
fn minor_pieces_mate_with_a_piece_in_the_way_unless_it_is_over_within_a_ply() {
    Ending::new(Role::Knight, Some(Role::Knight), 8).check();
    Ending::new(Role::Knight, Some(Role::Bishop), 40).check();
    Ending::new(Role::Knight, Some(Role::Rook), 16_568).check();
    Ending::new(Role::Bishop, Some(Role::Knight), 40).check();
    Ending::new(Role::Bishop, Some(Role::Bishop), 112).check();
}
