//! `pool!`: every form it takes, every step it knows.

use std::cell::Cell;
use std::sync::Arc;

use bp::{BufferPool, BuildError, Poolable, PutReason};
use bp_tests::watch::panic_of;

/// A line of text with a number, and nothing that can be derived.
#[derive(Default)]
struct Line {
    number: u64,
    text: String,
    cleaned: u32,
}

/// What lines share.
#[derive(Debug, PartialEq)]
struct LineConfig {
    width: usize,
    tabs: bool,
}

mod alone;
mod many;

bp::pool! {
    /// Every step at once.
    struct EveryPool(Line) -> EveryRef: Line {
        config: LineConfig,
        new: |width: usize, tabs: bool,| LineConfig { width, tabs },
        check: |config| if config.width == 0 {
            Err(BuildError::new("width", 0, "at least 1"))
        } else {
            Ok(())
        },
        create: |config| Line { text: String::with_capacity(config.width), ..Line::default() },
        reset: |line, config| {
            line.cleaned += 1 + u32::from(config.tabs);
            line.text.clear();
        },
        keep: |line, _config| line.number < 100,
        measure: |line| (line.text.len(), line.text.capacity()),
        limit: |config| 2 * config.width,
        get: |line, number: u64,| line.number = number,
    }
}

#[test]
fn all_steps_work_together() {
    assert_eq!(EveryPool::builder(2, 0, true).build().expect_err("no width").field(), "width");
    let pool = EveryPool::new(2, 10, true);
    let mut line = pool.get(7);
    assert_eq!((line.number, line.text.capacity(), line.cleaned), (7, 10, 0));
    line.text.push_str("text");
    drop(line);
    let line = pool.get(8);
    assert_eq!((line.number, &*line.text, line.cleaned), (8, "", 2));
    drop(line);
    assert_eq!(pool.stats().bytes_idle, 10);
    drop(pool.get(100));
    assert_eq!(pool.stats().discarded_unfit, 1);
    pool.get(1).text.reserve_exact(21);
    assert_eq!(pool.stats().discarded_unfit, 2);
}

mod paths;

mod poolable;

bp::pool! {}

bp::pool! {
    #[cfg(any())]
    struct NeverPool(NoSuchType) -> NeverRef { create: |_| no_such_function() }

    #[cfg(all())]
    /// Documented behind its `cfg`.
    #[cfg(not(any()))]
    struct AlwaysPool(String) -> AlwaysRef { create: |_| String::new() }

    #[cfg(any())]
    static NEVER: NoSuchPool = no_such_function();

    #[cfg(all())]
    static ALWAYS: AlwaysPool = AlwaysPool::new(1);

    #[cfg(any())]
    struct NeverPoolablePool(NoSuchType) -> NeverPoolableRef;
}

/// Were anything of the pools that are off emitted, these would be there twice.
type NeverPool = u8;
type NeverRef = u8;
static NEVER: u8 = 0;

#[test]
fn cfg_guards_all_that_a_declaration_emits() {
    let off: (NeverPool, NeverRef) = (NEVER, 0);
    assert_eq!(off, (0, 0));
    let on: AlwaysRef = ALWAYS.get();
    assert!(on.is_empty());
}

mod visibility {
    //! What is outside sees what it may.

    bp::pool! {
        /// For the parent.
        pub(super) struct ParentPool(String) -> ParentRef { create: |_| String::new() }
        /// For this crate.
        pub(crate) struct CratePool(String) -> CrateRef { create: |_| String::new() }
        /// For this path.
        pub(in crate::macros) struct PathPool(String) -> PathRef { create: |_| String::new() }
        /// For the parent.
        pub(super) static PARENT: ParentPool = ParentPool::new(1);
    }
}

#[test]
fn visibility_is_passed_on() {
    let guards: (visibility::ParentRef, visibility::CrateRef, visibility::PathRef) = (
        visibility::ParentPool::new(1).get(),
        visibility::CratePool::new(1).get(),
        visibility::PathPool::new(1).get(),
    );
    drop(guards);
    assert!(visibility::PARENT.try_get().is_none());
}

#[test]
fn attributes_are_passed_on() {
    #[deny(deprecated)]
    mod old {
        bp::pool! {
            #[deprecated = "to be seen where it is used, and nowhere else"]
            pub(super) struct OldPool(String) -> OldRef { create: |_| String::new() }
        }
    }

    #[expect(deprecated, reason = "the attribute is what is tested")]
    let pool = old::OldPool::new(1);
    drop(pool.get());
}

#[test]
fn a_function_may_declare_its_own() {
    struct Local(u8);

    impl Poolable for Local {
        type Config = ();

        fn create((): &()) -> Self {
            Local(7)
        }

        fn reset(&mut self, (): &()) {
            self.0 = 0;
        }
    }

    bp::pool! {
        struct LocalPool(Local) -> LocalRef;
        static LOCAL: LocalPool = LocalPool::new(1);
    }

    let local: LocalRef = LOCAL.get();
    assert_eq!(local.0, 7);
    drop(local);
    assert_eq!(LOCAL.get().0, 0);
}

#[test]
fn a_static_pool_is_built_when_it_is_first_used() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static BUILT: AtomicUsize = AtomicUsize::new(0);

    bp::pool! {
        /// Counts its building.
        static POOL: BufferPool = {
            BUILT.fetch_add(1, Ordering::SeqCst);
            BufferPool::new(1, 16)
        };
    }

    assert_eq!(BUILT.load(Ordering::SeqCst), 0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| POOL.get().push(1));
        }
    });
    assert_eq!(BUILT.load(Ordering::SeqCst), 1);
    assert_eq!(POOL.len(), 1);
}

#[test]
fn a_guard_hides_no_field_or_method_of_its_object() {
    /// Has what a guard has.
    struct Crowded(u8);

    impl Crowded {
        fn detach(&self) -> u8 {
            self.0
        }

        fn release(&self) -> u8 {
            self.0 + 1
        }

        fn discard(&self) -> u8 {
            self.0 + 2
        }
    }

    bp::pool! {
        struct CrowdedPool(Crowded) -> CrowdedRef { create: |_| Crowded(1) }
    }

    let mut guard = CrowdedPool::new(1).get();
    guard.0 = 5;
    assert_eq!((guard.0, guard.detach(), guard.release(), guard.discard()), (5, 5, 6, 7));
}

#[test]
fn pools_of_one_type_may_clean_it_differently() {
    bp::pool! {
        struct ClearingPool(String) -> ClearingRef {
            create: |_| String::new(),
            reset: |text, _| text.clear(),
        }
        struct KeepingPool(String) -> KeepingRef { create: |_| String::new() }
    }

    let (clearing, keeping) = (ClearingPool::new(1), KeepingPool::new(1));
    clearing.get().push('x');
    keeping.get().push('x');
    assert_eq!((&**clearing.get(), &**keeping.get()), ("", "x"));
}

#[test]
fn a_pool_may_hold_what_is_not_a_name() {
    bp::pool! {
        struct PairPool((u8, Option<&'static str>)) -> PairRef { create: |_| (1, None) }
        struct ArrayPool([u8; 4]) -> ArrayRef: [u8] { create: |_| [7; 4] }
        struct BoxedPool(Box<dyn Fn(u8) -> u8 + Send>) -> BoxedRef {
            create: |_| Box::new(|n| n + 1),
        }
        struct FunctionPool(fn(u8) -> u8) -> FunctionRef {
            config: fn(u8) -> u8,
            create: |function| *function,
        }
        struct CellPool(std::cell::RefCell<Vec<u8>>) -> CellRef {
            config: Cell<usize>,
            create: |made| {
                made.set(made.get() + 1);
                std::cell::RefCell::default()
            },
        }
    }

    assert_eq!(*PairPool::new(1).get(), (1, None));
    assert_eq!(ArrayPool::new(1).get().len(), 4);
    assert_eq!(BoxedPool::new(1).get()(1), 2);
    assert_eq!(FunctionPool::new(1, |n| n + 2).get()(1), 3);
    let cells = CellPool::new(1, Cell::new(0));
    cells.get().borrow_mut().push(1);
    assert_eq!((cells.get().borrow().len(), cells.config().get()), (1, 1));
}

#[test]
fn a_macro_of_a_user_may_declare_pools() {
    macro_rules! pool_of {
        ($Pool:ident, $Ref:ident, $Item:ty, $make:expr) => {
            bp::pool! {
                struct $Pool($Item) -> $Ref {
                    create: |_| $make,
                    reset: |item, _| *item = $make,
                    get: |item, more: u32| *item += more,
                }
            }
        };
    }

    pool_of!(SevenPool, SevenRef, u32, 7);
    let pool = SevenPool::new(1);
    let seven: SevenRef = pool.get(1);
    assert_eq!(*seven, 8);
    drop(seven);
    assert_eq!(*pool.get(2), 9);
}
