//! Size classes: get a block for a frame whose length came before it, look at a byte of it or fill
//! it, give it back.

use std::cell::{Cell, RefCell};
use std::hint::black_box;

use bp::{BytePool, MultiBytePool};
use bp_benches::per_thread::PerThread;
use bp_benches::table::Table;

const WORKERS: usize = 10;

const SMALLEST: usize = 64;
const LARGEST: usize = 65_536;

thread_local! {
    static IDLE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    static TURN: Cell<usize> = const { Cell::new(0) };
}

/// Lengths that each thread asks for by turns.
struct Lengths(Vec<usize>);

impl Lengths {
    /// As many of each power of two and what lies above it: short frames are common, long ones
    /// are not.
    fn mixed() -> Self {
        let mut state = 0x9E37_79B9_u32;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state as usize
        };
        let powers = SMALLEST.ilog2()..LARGEST.ilog2();
        let length = |power: u32, random: usize| (1 << power) + random % (1 << power);
        let mut lengths: Vec<_> =
            powers.cycle().take(1000).map(|power| length(power, random())).collect();
        for at in 0..lengths.len() {
            lengths.swap(at, random() % 1000);
        }
        Lengths(lengths)
    }

    fn next(&self) -> usize {
        let turn = TURN.get();
        TURN.set(if turn + 1 < self.0.len() { turn + 1 } else { 0 });
        self.0[turn.min(self.0.len() - 1)]
    }
}

/// What is done with a block.
type Use = fn(&mut [u8]);

fn look(block: &mut [u8]) {
    block[0] = 1;
    black_box(block);
}

fn fill(block: &mut [u8]) {
    block.fill(black_box(1));
    black_box(block);
}

fn main() {
    let title = "Get a block for a frame, look at it or fill it, give it back";
    let mut table = Table::new("size_classes", title).workers(WORKERS);
    let uses: [(_, _, Use); 3] = [
        ("4,096 bytes, looked at", Lengths(vec![4096]), look),
        ("64 to 65,536 bytes, looked at", Lengths::mixed(), look),
        ("64 to 65,536 bytes, filled", Lengths::mixed(), fill),
    ];
    for (what, lengths, work) in uses {
        let classes = || {
            let builder = MultiBytePool::builder();
            builder.classes_geometric(WORKERS, SMALLEST, LARGEST, 2.0).build().expect("classes")
        };
        let pool = classes();
        table.row("bp guard", what, || work(&mut pool.get(lengths.next())));

        let pool = classes();
        table.row("bp take/put", what, || {
            let mut block = pool.take(lengths.next());
            work(&mut block);
            drop(pool.put(block));
        });

        let pool = BytePool::new(WORKERS, LARGEST);
        table.row("bp, one size, cut", what, || work(&mut pool.get()[..lengths.next()]));

        table.row("default", what, || work(&mut vec![0; lengths.next()]));

        let idle = PerThread::new(&IDLE, Vec::new);
        table.row("thread-local", what, || {
            let len = lengths.next();
            idle.with(|block| {
                if block.len() < len {
                    block.resize(len, 0);
                }
                work(&mut block[..len]);
            });
        });
    }
    table.nothing();
    table.finish();
}
