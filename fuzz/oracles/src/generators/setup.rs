//! Free set-ups: any valid position, not only those that games lead to.

use super::scenes::arrange;
use arbitrary::{Arbitrary, Result, Unstructured};
use touchmove::{
    Bitboard, CastlingRights, CastlingSide, Color, File, Pawn, Piece, Position, Rank, Role, Setup,
    Square,
};

/// A set-up that is valid most of the time: kings apart, no pawns on the back ranks, rights where king and
/// rook allow them, now and then a pawn that has just passed another.
#[derive(Clone, Copy, Debug)]
pub struct FreeSetup(pub Setup);

impl<'a> Arbitrary<'a> for FreeSetup {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<FreeSetup> {
        let mut setup = Setup { turn: color(bytes)?, ..Setup::EMPTY };
        put_kings(&mut setup, bytes)?;
        for _ in 0..number(bytes, 28)? {
            put_piece(&mut setup, bytes)?;
        }
        if number(bytes, 3)? == 0 {
            put_passed_pawn(&mut setup, bytes)?;
        }
        arrange(&mut setup, bytes)?;
        grant_rights(&mut setup, bytes)?;
        setup.halfmove_clock = clock(bytes)?;
        setup.move_number = clock(bytes)?.max(1);
        // One in eight stays as it came, fault or not.
        if number(bytes, 8)? != 0 {
            take_away_attackers(&mut setup);
        }
        Ok(FreeSetup(setup))
    }
}

pub(super) fn number(bytes: &mut Unstructured<'_>, below: u8) -> Result<u8> {
    Ok(bytes.arbitrary::<u8>()? % below)
}

fn color(bytes: &mut Unstructured<'_>) -> Result<Color> {
    Ok(Color::ALL[usize::from(number(bytes, 2)?)])
}

fn square(bytes: &mut Unstructured<'_>) -> Result<Square> {
    Ok(Square::from_index(number(bytes, 64)?).expect("below 64"))
}

/// Mostly small, sometimes around the numbers at which rules change or counters end.
fn clock(bytes: &mut Unstructured<'_>) -> Result<u16> {
    Ok(match number(bytes, 8)? {
        0 => 98 + u16::from(number(bytes, 4)?),
        1 => 148 + u16::from(number(bytes, 4)?),
        2 => 9996 + u16::from(number(bytes, 4)?),
        _ => u16::from(number(bytes, 60)?),
    })
}

/// Every other king stands on its back rank, so that castling is not rare.
fn put_kings(setup: &mut Setup, bytes: &mut Unstructured<'_>) -> Result<()> {
    for color in Color::ALL {
        let mut at = square(bytes)?;
        if number(bytes, 2)? == 0 {
            at = Square::new(at.file(), color.back_rank());
        }
        let beside_the_other = |at: Square| {
            let near = Piece { color, role: Role::King }.attacks(at, Bitboard::EMPTY);
            ((near | at.into()) & setup.board.role(Role::King)).any()
        };
        while beside_the_other(at) {
            at = Square::from_index((at.index() as u8 + 19) % 64).expect("below 64");
        }
        setup.board.put(at, Piece { color, role: Role::King });
    }
    Ok(())
}

/// Pawns and rooks come more often than others: most rules are theirs.
fn put_piece(setup: &mut Setup, bytes: &mut Unstructured<'_>) -> Result<()> {
    use Role::{Bishop, Knight, Pawn, Queen, Rook};
    let role =
        [Pawn, Pawn, Pawn, Rook, Rook, Knight, Bishop, Queen][usize::from(number(bytes, 8)?)];
    let (color, mut at) = (color(bytes)?, square(bytes)?);
    if role == Rook && number(bytes, 2)? == 0 {
        at = Square::new(at.file(), color.back_rank());
    }
    let on_back_rank = matches!(at.rank(), Rank::First | Rank::Eighth);
    if setup.board.role_at(at).is_none() && !(role == Pawn && on_back_rank) {
        setup.board.put(at, Piece { color, role });
    }
    Ok(())
}

/// A pawn of the side not to move that has just gone two squares, and one beside it that may capture.
pub(super) fn put_passed_pawn(setup: &mut Setup, bytes: &mut Unstructured<'_>) -> Result<()> {
    let (mover, passer) = (setup.turn, !setup.turn);
    let file = File::from_index(number(bytes, 8)?).expect("below 8");
    let passed = Square::new(file, passer.rank(Rank::Third));
    let forward = Pawn(passer).direction();
    let ahead = passed.offset(0, forward).expect("on the board");
    let origin = passed.offset(0, -forward).expect("on the board");
    let side = if number(bytes, 2)? == 0 { -1 } else { 1 };
    let beside = ahead.offset(side, 0);
    let kings = setup.board.role(Role::King);
    let needed = [Some(passed), Some(ahead), Some(origin), beside];
    if needed.into_iter().flatten().any(|square| kings.contains(square)) {
        return Ok(());
    }
    setup.board.remove(passed);
    setup.board.remove(origin);
    setup.board.put(ahead, Piece { color: passer, role: Role::Pawn });
    if let Some(beside) = beside {
        setup.board.put(beside, Piece { color: mover, role: Role::Pawn });
    }
    setup.en_passant = Some(passed);
    Ok(())
}

/// Lets some of the rooks castle that stand beside a king on its back rank.
fn grant_rights(setup: &mut Setup, bytes: &mut Unstructured<'_>) -> Result<()> {
    for color in Color::ALL {
        let king = setup.board.king(color).filter(|king| king.rank() == color.back_rank());
        let rooks = setup.board.pieces(Piece { color, role: Role::Rook });
        let Some(king) = king else { continue };
        for side in CastlingSide::ALL {
            let on_side = |rook: &Square| CastlingSide::of(king, *rook) == side;
            let candidates: Vec<Square> =
                (rooks & king.rank().into()).into_iter().filter(on_side).collect();
            let chosen = usize::from(number(bytes, 3)?);
            if let Some(&rook) = candidates.get(chosen) {
                setup.castling = setup.castling.with(rook);
            }
        }
    }
    Ok(())
}

/// Takes away what gives check to the side not to move; what depends on it goes with it.
fn take_away_attackers(setup: &mut Setup) {
    let Some(king) = setup.board.king(!setup.turn) else { return };
    loop {
        let attackers = setup.board.attackers_to(king, setup.board.occupied());
        let Some(attacker) = (attackers & setup.board.color(setup.turn)).first() else { return };
        setup.board.remove(attacker);
        setup.castling = setup.castling.without(attacker.into());
    }
}

/// A start position of Chess960 by its number, 0–959; 518 is the standard one (Scharnagl's numbering).
///
/// # Panics
///
/// When the number is above 959.
pub fn chess960_start(number: u16) -> Position {
    assert!(number < 960, "start positions are numbered from 0 to 959");
    let number = usize::from(number);
    let mut roles = [None; 8];
    roles[2 * (number % 4) + 1] = Some(Role::Bishop);
    roles[2 * (number / 4 % 4)] = Some(Role::Bishop);
    put_on_free(&mut roles, number / 16 % 6, Role::Queen);
    let (first, second) = knights(number / 96);
    put_on_free(&mut roles, second, Role::Knight);
    put_on_free(&mut roles, first, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        put_on_free(&mut roles, 0, role);
    }
    let mut setup = Setup { castling: CastlingRights::EMPTY, ..Setup::default() };
    for (file, role) in File::ALL.into_iter().zip(roles.into_iter().flatten()) {
        for color in Color::ALL {
            let square = Square::new(file, color.back_rank());
            setup.board.put(square, Piece { color, role });
            if role == Role::Rook {
                setup.castling = setup.castling.with(square);
            }
        }
    }
    setup.validate().expect("a start position is valid")
}

/// Puts a piece on the free file with this number, counted from the a-file.
fn put_on_free(roles: &mut [Option<Role>; 8], free: usize, role: Role) {
    let slot = roles.iter_mut().filter(|slot| slot.is_none()).nth(free);
    *slot.expect("there are as many free files") = Some(role);
}

/// Two of the five files that are free for the knights, in the order of the numbering.
fn knights(number: usize) -> (usize, usize) {
    let pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
    pairs.into_iter().nth(number).expect("ten pairs")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::from_seed;

    /// Numbers and positions as Scharnagl's table has them.
    #[test]
    fn chess960_starts_have_their_numbers() {
        for (number, back_rank) in [(0, "BBQNNRKR"), (518, "RNBQKBNR"), (959, "RKRNNQBB")] {
            let fen = chess960_start(number).to_string();
            assert!(fen.contains(&format!("/{back_rank} w")), "{number}: {fen}");
        }
        let all: std::collections::BTreeSet<String> =
            (0..960).map(|number| chess960_start(number).to_string()).collect();
        assert_eq!(all.len(), 960);
    }

    #[test]
    fn free_set_ups_are_valid_most_of_the_time_and_not_always() {
        let valid = (0..4000).filter(|&seed| from_seed::<FreeSetup>(seed).0.validate().is_ok());
        let valid = valid.count();
        assert!((2800..4000).contains(&valid), "{valid} of 4000");
    }
}
