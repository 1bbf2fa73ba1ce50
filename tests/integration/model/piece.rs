//! `Piece`, an object whose birth and death are on record, and whose steps panic where they are told to.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A moment at which a pool runs code of its user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Create,
    /// The closure of a `get_with`.
    Closure,
    Fit,
    Keep,
    Measure,
    Reset,
    Dispose,
    Drop,
}

thread_local! {
    /// Where this thread panics next. Steps run on the thread that calls.
    static PANICS: Cell<Option<Moment>> = const { Cell::new(None) };
}

/// Does the work, which panics when it reaches `moment`. Returns the moment if it did.
pub(super) fn panics_at<T>(moment: Option<Moment>, work: impl FnOnce() -> T) -> Result<T, Moment> {
    PANICS.set(moment);
    let done = catch_unwind(AssertUnwindSafe(work));
    PANICS.set(None);
    done.map_err(|payload| match payload.downcast::<Moment>() {
        Ok(moment) => *moment,
        Err(payload) => resume_unwind(payload),
    })
}

/// Panics if this is the moment. Without a message, of which a long test would print thousands.
pub(super) fn reach(moment: Moment) {
    if PANICS.get() == Some(moment) {
        PANICS.set(None);
        resume_unwind(Box::new(moment));
    }
}

/// Drops something the way a panic does.
pub(super) fn unwind_past<T>(held: T) {
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        let _held = held;
        resume_unwind(Box::new("past a guard"));
    }));
    assert!(unwound.is_err());
}

/// Who is alive. Each piece is born once and dies once.
#[derive(Debug, Default)]
pub(super) struct Census(Mutex<Register>);

#[derive(Debug, Default)]
struct Register {
    born: usize,
    alive: BTreeSet<usize>,
    died_twice: Vec<usize>,
}

impl Census {
    fn register(&self) -> MutexGuard<'_, Register> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn born(&self) -> usize {
        let mut register = self.register();
        register.born += 1;
        let id = register.born;
        register.alive.insert(id);
        id
    }

    /// Returns whether it was alive.
    fn died(&self, id: usize) -> bool {
        let mut register = self.register();
        let was_alive = register.alive.remove(&id);
        if !was_alive {
            register.died_twice.push(id);
        }
        was_alive
    }

    pub(super) fn is_alive(&self, id: usize) -> bool {
        self.register().alive.contains(&id)
    }

    /// Returns how many are alive.
    #[track_caller]
    pub(super) fn alive(&self) -> usize {
        let register = self.register();
        assert!(register.died_twice.is_empty(), "dropped twice: {:?}", register.died_twice);
        register.alive.len()
    }
}

/// An object of a pool.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) id: usize,
    /// What it can serve.
    pub(super) held: usize,
    /// What it was asked to serve last.
    pub(super) len: usize,
    /// How much of it was used.
    pub(super) used: usize,
    /// Whether a user was here since it was cleaned.
    pub(super) is_dirty: bool,
    /// Whether it may stay.
    pub(super) is_fit: bool,
    census: Arc<Census>,
}

impl Piece {
    pub(super) fn new(census: &Arc<Census>, held: usize) -> Self {
        Piece {
            id: census.born(),
            held,
            len: held,
            used: 0,
            is_dirty: false,
            is_fit: true,
            census: Arc::clone(census),
        }
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        if !self.census.died(self.id) {
            // A second drop gives up this reference a second time.
            mem::forget(Arc::clone(&self.census));
        }
        reach(Moment::Drop);
    }
}

/// What the pieces of one pool share.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    size: usize,
    census: Arc<Census>,
}

impl Terms {
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn register_with(&mut self, census: &Arc<Census>) {
        self.census = Arc::clone(census);
    }

    /// Returns the most that a piece of this size may hold, where its use does not count.
    pub(super) fn limit(size: usize) -> usize {
        2 * size
    }
}

bp::pool! {
    /// Pieces of one size, with every step that can panic.
    pub(super) struct PiecePool(Piece) -> PieceRef {
        config: Terms,
        new: |size: usize| Terms { size, census: Arc::default() },
        create: |terms| {
            reach(Moment::Create);
            Piece::new(&terms.census, terms.size)
        },
        reset: |piece, _terms| {
            reach(Moment::Reset);
            piece.is_dirty = false;
            piece.used = 0;
        },
        keep: |piece, _terms| {
            reach(Moment::Keep);
            piece.is_fit
        },
        dispose: |_piece, _terms| reach(Moment::Dispose),
        measure: |piece| {
            reach(Moment::Measure);
            (piece.used, piece.held)
        },
        limit: |terms| Terms::limit(terms.size),
    }
}

bp::multi_pool! {
    /// Pieces by size.
    pub(super) struct MultiPiecePool(PiecePool) -> PieceRef {
        size: |piece| piece.held,
        fit: |piece, size| {
            reach(Moment::Fit);
            piece.len = *size;
            piece.held = piece.held.max(*size);
        },
    }
}
