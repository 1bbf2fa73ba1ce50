//! `Subject`: the pools that the model is held against, behind one face.
//!
//! A plain pool is one of one class, in which every request is of that class.

use std::convert::Infallible;
use std::sync::Arc;

use bp::{
    AnyPool, ByteRef, MmapBlock, MmapBytePool, MmapByteRef, MultiBytePool, MultiMmapBytePool,
    OnReturn, PoolStats, PutError,
};

use super::piece::{Census, Moment, MultiPiecePool, Piece, PiecePool, PieceRef, reach};
use super::plan::{LARGEST, Plan};

/// By which rules objects come to be and may stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pieces,
    Bytes,
    Maps,
}

/// What can be seen of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Which object it is, as long as it is alive.
    pub(super) who: usize,
    /// Where it is, as far as guards show that.
    pub(super) address: usize,
    pub(super) len: usize,
    /// How much it can serve, as far as guards show that.
    pub(super) held: usize,
    pub(super) used: usize,
    pub(super) is_blank: bool,
}

pub(super) trait Subject: Sized + Send + 'static {
    const KIND: Kind;
    /// Whether requests go by size.
    const MULTI: bool;
    /// The most classes of a plan.
    const CLASSES: usize = if Self::MULTI { 6 } else { 1 };

    type Pool: AnyPool + Clone + Send + Sync + 'static;
    type Guard: Send + 'static;
    type Item: Send + 'static;

    fn build(plan: &Plan, census: &Arc<Census>) -> Self::Pool;
    fn get(pool: &Self::Pool, size: usize) -> Self::Guard;
    fn try_get(pool: &Self::Pool, size: usize) -> Option<Self::Guard>;
    /// `make` is told the size that the pool asks for.
    fn get_with(
        pool: &Self::Pool,
        size: usize,
        make: impl FnOnce(usize) -> Self::Item,
    ) -> Self::Guard;
    fn refused(pool: &Self::Pool, size: usize) -> Option<Self::Guard>;
    fn take(pool: &Self::Pool, size: usize) -> Self::Item;
    fn put(pool: &Self::Pool, item: Self::Item) -> Result<(), PutError<Self::Item>>;
    fn release(guard: Self::Guard) -> Result<(), PutError<Self::Item>>;
    fn detach(guard: Self::Guard) -> Self::Item;
    fn discard(guard: Self::Guard);
    fn close(pool: &Self::Pool);
    /// The figures of each class, where there are several.
    fn classes(pool: &Self::Pool) -> Vec<PoolStats>;

    /// An object as new as one that the pool makes.
    fn make(census: &Arc<Census>, held: usize) -> Self::Item;
    /// An object that comes from elsewhere.
    fn foreign(census: &Arc<Census>, held: usize, fit: bool) -> Self::Item;
    fn see(guard: &Self::Guard) -> Seen;
    /// Whether a block of bytes holds nothing but zeros.
    fn is_zero(guard: &Self::Guard) -> bool;
    /// Which object an item is.
    fn who(item: &Self::Item) -> usize;
    fn held(item: &Self::Item) -> usize;
    /// Does a user's work; of pieces alone it also says what they hold then, and whether they may
    /// stay.
    fn write(guard: &mut Self::Guard, used: usize, held: usize, fit: bool);
}

macro_rules! calls_of_a_plain_pool {
    ($Pool:ident, $Guard:ident, $Item:ident, $size:expr) => {
        const MULTI: bool = false;

        fn get(pool: &$Pool, _: usize) -> $Guard {
            pool.get()
        }

        fn try_get(pool: &$Pool, _: usize) -> Option<$Guard> {
            pool.try_get()
        }

        fn get_with(pool: &$Pool, _: usize, make: impl FnOnce(usize) -> $Item) -> $Guard {
            pool.get_with(|| make($size(pool)))
        }

        fn refused(pool: &$Pool, _: usize) -> Option<$Guard> {
            pool.try_get_with(|| Err(())).ok()
        }

        fn take(pool: &$Pool, _: usize) -> $Item {
            pool.take()
        }

        fn classes(pool: &$Pool) -> Vec<PoolStats> {
            vec![pool.stats()]
        }
    };
}

macro_rules! calls_of_a_multi_pool {
    ($Pool:ident, $Guard:ident, $Item:ident) => {
        const MULTI: bool = true;

        fn get(pool: &$Pool, size: usize) -> $Guard {
            pool.get(size)
        }

        fn try_get(pool: &$Pool, size: usize) -> Option<$Guard> {
            pool.try_get(size)
        }

        fn get_with(pool: &$Pool, size: usize, make: impl FnOnce(usize) -> $Item) -> $Guard {
            let Ok(guard) = pool.try_get_with(size, |&size| Ok::<_, Infallible>(make(size)));
            guard
        }

        fn refused(pool: &$Pool, size: usize) -> Option<$Guard> {
            pool.try_get_with(size, |_| Err(())).ok()
        }

        fn take(pool: &$Pool, size: usize) -> $Item {
            pool.take(size)
        }

        fn classes(pool: &$Pool) -> Vec<PoolStats> {
            pool.classes().into_iter().map(|class| class.stats).collect()
        }
    };
}

macro_rules! calls_of_any_pool {
    ($Pool:ident, $Guard:ident, $Item:ident) => {
        type Pool = $Pool;
        type Guard = $Guard;
        type Item = $Item;

        fn put(pool: &$Pool, item: $Item) -> Result<(), PutError<$Item>> {
            pool.put(item)
        }

        fn release(guard: $Guard) -> Result<(), PutError<$Item>> {
            $Guard::release(guard)
        }

        fn detach(guard: $Guard) -> $Item {
            $Guard::detach(guard)
        }

        fn discard(guard: $Guard) {
            $Guard::discard(guard);
        }

        fn close(pool: &$Pool) {
            pool.close();
        }
    };
}

macro_rules! builds {
    ($builder:expr, $plan:expr) => {{
        let builder = $builder.preload(f64::from($plan.preload) / 4.0);
        let builder = if $plan.by_use { builder.retain_by_use() } else { builder };
        builder.build().expect("a plan that can be built")
    }};
}

macro_rules! builds_blocks {
    ($builder:expr, $plan:expr) => {{
        let on_return = if $plan.wipes { OnReturn::Zero } else { OnReturn::Leave };
        builds!($builder.on_return(on_return), $plan)
    }};
}

macro_rules! builds_classes {
    ($Multi:ident, $plan:expr) => {{
        // From the largest down: the order does not count.
        let classes = $plan.classes.iter().rev();
        classes.fold($Multi::builder(), |builder, class| builder.class(class.capacity, class.size))
    }};
}

macro_rules! calls_of_pieces {
    () => {
        const KIND: Kind = Kind::Pieces;

        fn make(census: &Arc<Census>, held: usize) -> Piece {
            Piece::new(census, held)
        }

        fn foreign(census: &Arc<Census>, held: usize, fit: bool) -> Piece {
            let mut piece = Piece::new(census, held);
            (piece.is_dirty, piece.is_fit) = (true, fit);
            piece
        }

        fn see(piece: &PieceRef) -> Seen {
            Seen {
                who: piece.id,
                address: std::ptr::from_ref::<Piece>(piece).addr(),
                len: piece.len,
                held: piece.held,
                used: piece.used,
                is_blank: !piece.is_dirty && piece.used == 0,
            }
        }

        fn is_zero(_: &PieceRef) -> bool {
            true
        }

        fn who(piece: &Piece) -> usize {
            piece.id
        }

        fn held(piece: &Piece) -> usize {
            piece.held
        }

        fn write(piece: &mut PieceRef, used: usize, held: usize, fit: bool) {
            (piece.is_dirty, piece.used, piece.held, piece.is_fit) = (true, used, held, fit);
        }
    };
}

macro_rules! calls_of_blocks {
    ($Guard:ident) => {
        fn see(block: &$Guard) -> Seen {
            let (address, len) = (block.as_ptr().addr(), block.len());
            Seen { who: address, address, len, held: len, used: len, is_blank: true }
        }

        fn is_zero(block: &$Guard) -> bool {
            block[..] == ZEROS[..block.len()]
        }

        fn write(block: &mut $Guard, used: usize, _: usize, _: bool) {
            $Guard::truncate(block, used);
            block.fill(0xbb);
        }
    };
}

/// More than any block is long.
static ZEROS: [u8; 2 * LARGEST] = [0; 2 * LARGEST];

/// A pool of pieces.
pub(super) struct Pieces;

impl Subject for Pieces {
    fn build(plan: &Plan, census: &Arc<Census>) -> PiecePool {
        let class = plan.classes[0];
        let builder = PiecePool::builder(class.capacity, class.size);
        builds!(builder.configure(|terms| terms.register_with(census)), plan)
    }

    calls_of_a_plain_pool! { PiecePool, PieceRef, Piece, |pool: &PiecePool| pool.config().size() }
    calls_of_any_pool! { PiecePool, PieceRef, Piece }
    calls_of_pieces! {}
}

/// A multi pool of pieces.
pub(super) struct PiecesBySize;

impl Subject for PiecesBySize {
    fn build(plan: &Plan, census: &Arc<Census>) -> MultiPiecePool {
        let census = Arc::clone(census);
        let builder = builds_classes!(MultiPiecePool, plan);
        builds!(builder.configure(move |terms| terms.register_with(&census)), plan)
    }

    calls_of_a_multi_pool! { MultiPiecePool, PieceRef, Piece }
    calls_of_any_pool! { MultiPiecePool, PieceRef, Piece }
    calls_of_pieces! {}
}

/// A multi pool of byte blocks.
pub(super) struct BytesBySize;

type Block = Vec<u8>;

impl Subject for BytesBySize {
    const KIND: Kind = Kind::Bytes;

    fn build(plan: &Plan, _: &Arc<Census>) -> MultiBytePool {
        builds_blocks!(builds_classes!(MultiBytePool, plan), plan)
    }

    fn make(_: &Arc<Census>, held: usize) -> Block {
        Vec::with_capacity(held)
    }

    fn foreign(census: &Arc<Census>, held: usize, _: bool) -> Block {
        Self::make(census, held)
    }

    fn who(block: &Block) -> usize {
        block.as_ptr().addr()
    }

    fn held(block: &Block) -> usize {
        block.capacity()
    }

    calls_of_a_multi_pool! { MultiBytePool, ByteRef, Block }
    calls_of_any_pool! { MultiBytePool, ByteRef, Block }
    calls_of_blocks! { ByteRef }
}

macro_rules! calls_of_maps {
    () => {
        const KIND: Kind = Kind::Maps;

        fn make(census: &Arc<Census>, held: usize) -> MmapBlock {
            Self::foreign(census, held, true)
        }

        /// Fit is one of a mapping of its own, unfit one that lies in another pool's.
        fn foreign(_: &Arc<Census>, held: usize, fit: bool) -> MmapBlock {
            let other = MmapBytePool::new(usize::from(!fit), held.max(1)).expect("maps little");
            other.take()
        }

        fn who(block: &MmapBlock) -> usize {
            block.as_ptr().addr()
        }

        fn held(block: &MmapBlock) -> usize {
            block.size()
        }
    };
}

/// A pool of mapped blocks.
pub(super) struct Maps;

impl Subject for Maps {
    fn build(plan: &Plan, _: &Arc<Census>) -> MmapBytePool {
        let class = plan.classes[0];
        builds_blocks!(MmapBytePool::builder(class.capacity, class.size), plan)
    }

    calls_of_a_plain_pool! {
        MmapBytePool, MmapByteRef, MmapBlock, |pool: &MmapBytePool| pool.config().size()
    }
    calls_of_any_pool! { MmapBytePool, MmapByteRef, MmapBlock }
    calls_of_maps! {}
    calls_of_blocks! { MmapByteRef }
}

/// A multi pool of mapped blocks.
pub(super) struct MapsBySize;

impl Subject for MapsBySize {
    fn build(plan: &Plan, _: &Arc<Census>) -> MultiMmapBytePool {
        builds_blocks!(builds_classes!(MultiMmapBytePool, plan), plan)
    }

    calls_of_a_multi_pool! { MultiMmapBytePool, MmapByteRef, MmapBlock }
    calls_of_any_pool! { MultiMmapBytePool, MmapByteRef, MmapBlock }
    calls_of_maps! {}
    calls_of_blocks! { MmapByteRef }
}

/// Makes what a closure of `get_with` returns, and panics where it is told to.
pub(super) fn made<S: Subject>(census: &Arc<Census>, held: usize) -> S::Item {
    reach(Moment::Closure);
    S::make(census, held)
}
