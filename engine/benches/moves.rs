//! What move generation is made of: counting, listing, judging, making and taking back, and reading and writing positions; the
//! route by trial beside the fast one.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use touchmove::{MoveList, Position, perft};

/// The six well-known positions, each with a depth of some hundred thousand to some million paths.
const POSITIONS: [(&str, &str, u32); 6] = [
    ("startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("position-3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
    ("position-4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4),
    ("position-5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
    ("position-6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];

fn positions() -> impl Iterator<Item = Position> {
    POSITIONS.iter().map(|(_, fen, _)| fen.parse().expect("a FEN"))
}

/// All positions one move behind these, with their legal moves.
fn mixed() -> Vec<(Position, MoveList)> {
    let mut mixed = Vec::new();
    for mut position in positions() {
        for mv in position.legal_moves() {
            let undo = position.make(mv);
            mixed.push((position, position.legal_moves()));
            position.unmake(mv, undo);
        }
    }
    mixed
}

fn counting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(20);
    for (name, fen, depth) in POSITIONS {
        let position: Position = fen.parse().expect("a FEN");
        group.throughput(Throughput::Elements(perft(&position, depth)));
        group.bench_function(name, |bencher| bencher.iter(|| perft(black_box(&position), depth)));
    }
    group.finish();
}

fn moves(criterion: &mut Criterion) {
    let mixed = mixed();
    let legal: u64 = mixed.iter().map(|(_, moves)| moves.len() as u64).sum();
    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(legal));
    group.bench_function("make and unmake", |bencher| {
        let mut copies = mixed.clone();
        bencher.iter(|| {
            for (position, moves) in &mut copies {
                for &mv in moves.iter() {
                    let undo = position.make(mv);
                    black_box(&*position);
                    position.unmake(mv, undo);
                }
            }
        });
    });
    group.bench_function("is_legal", |bencher| {
        let count_legal = |(position, moves): &(Position, MoveList)| {
            moves.iter().filter(|&&mv| position.is_legal(mv)).count()
        };
        bencher.iter(|| black_box(&mixed).iter().map(count_legal).sum::<usize>());
    });
    group.bench_function("legal_moves", |bencher| {
        let mut list = MoveList::new();
        bencher.iter(|| {
            for (position, _) in black_box(&mixed) {
                position.legal_moves_into(&mut list);
                black_box(&list);
            }
        });
    });
    group.bench_function("legal_moves by trial", |bencher| {
        let mut copies = mixed.clone();
        bencher.iter(|| {
            for (position, _) in &mut copies {
                black_box(position.legal_moves_by_trial());
            }
        });
    });
    group.finish();
}

fn fen(criterion: &mut Criterion) {
    let positions: Vec<Position> = mixed().into_iter().map(|(position, _)| position).collect();
    let texts: Vec<String> = positions.iter().map(Position::to_string).collect();
    let mut group = criterion.benchmark_group("fen");
    group.throughput(Throughput::Elements(texts.len() as u64));
    group.bench_function("read", |bencher| {
        let is_read = |text: &&String| text.parse::<Position>().is_ok();
        bencher.iter(|| black_box(&texts).iter().filter(is_read).count());
    });
    group.bench_function("write", |bencher| {
        let len = |position: &Position| position.to_string().len();
        bencher.iter(|| black_box(&positions).iter().map(len).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, counting, moves, fen);
criterion_main!(benches);
