//! What a server asks of a game, on positions of the middle of games: moves with the status behind them, and the list of
//! legal moves.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use touchmove::{Game, Move, Position};

/// The plies before and the plies that are measured.
const BEFORE: usize = 40;
const MEASURED: usize = 40;

/// A random game and the moves that it goes on with.
fn middle_game(seed: u64) -> (Game, Vec<Move>) {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut game = Game::new(Position::default());
    while game.plies() < BEFORE + MEASURED && game.outcome().is_none() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let moves = game.position().legal_moves();
        let mv = moves[(random >> 33) as usize % moves.len()];
        game.play_move(game.turn(), mv).expect("a listed move is legal");
    }
    let moves = game.moves().skip(BEFORE).collect();
    (game.prefix(BEFORE).expect("so long it is"), moves)
}

fn games() -> Vec<(Game, Vec<Move>)> {
    let games = (0..64).map(middle_game);
    games.filter(|(_, moves)| moves.len() == MEASURED).collect()
}

fn play(criterion: &mut Criterion) {
    let games = games();
    let mut group = criterion.benchmark_group("game");
    group.throughput(Throughput::Elements((games.len() * MEASURED) as u64));
    group.bench_function("play and status", |bencher| {
        let copies = || games.clone();
        bencher.iter_batched_ref(
            copies,
            |games| games.iter_mut().for_each(play_on),
            BatchSize::SmallInput,
        );
    });
    group.throughput(Throughput::Elements(games.len() as u64));
    group.bench_function("legal", |bencher| {
        bencher.iter(|| games.iter().map(|(game, _)| black_box(game.legal()).len()).sum::<usize>());
    });
    group.bench_function("legal moves without their texts", |bencher| {
        let count = |(game, _): &(Game, Vec<Move>)| black_box(game.position().legal_moves()).len();
        bencher.iter(|| games.iter().map(count).sum::<usize>());
    });
    group.finish();
}

fn play_on((game, moves): &mut (Game, Vec<Move>)) {
    for &mv in moves.iter() {
        let played = game.play_move(game.turn(), mv).expect("the moves of the game are legal");
        black_box((played, game.status()));
    }
}

criterion_group!(benches, play);
criterion_main!(benches);
