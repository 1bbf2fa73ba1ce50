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

mod alone {
    //! Each step beside `create`, by itself.

    use super::*;

    bp::pool! {
        struct CreatePool(Line) -> CreateRef { create: |_| Line::default() }
        struct ConfigPool(Line) -> ConfigRef {
            config: LineConfig,
            create: |config| Line { number: config.width as u64, ..Line::default() },
        }
        struct NewPool(Line) -> NewRef {
            config: LineConfig,
            new: |width: usize, tabs: bool| LineConfig { width, tabs },
            create: |_| Line::default(),
        }
        struct NewWithoutArgumentsPool(Line) -> NewWithoutArgumentsRef {
            config: LineConfig,
            new: || LineConfig { width: 7, tabs: true },
            create: |_| Line::default(),
        }
        struct CheckPool(Line) -> CheckRef {
            config: usize,
            check: |&width| match width {
                0 => Err(BuildError::new("width", width, "at least 1")),
                _ => Ok(()),
            },
            create: |_| Line::default(),
        }
        struct ResetPool(Line) -> ResetRef {
            create: |_| Line::default(),
            reset: |line, ()| line.cleaned += 1,
        }
        struct KeepPool(Line) -> KeepRef {
            create: |_| Line::default(),
            keep: |Line { number, .. }, _| *number < 10,
        }
        struct MeasurePool(Line) -> MeasureRef {
            create: |_| Line::default(),
            measure: |line| (line.text.len(), line.text.capacity()),
        }
        struct LimitPool(Line) -> LimitRef {
            config: usize,
            create: |_| Line::default(),
            measure: |line| (line.text.len(), line.text.capacity()),
            limit: |config| *config,
        }
        struct GetPool(Line) -> GetRef {
            create: |_| Line::default(),
            get: |line| line.number += 1,
        }
        struct GetWithArgumentsPool(Line) -> GetWithArgumentsRef {
            create: |_| Line::default(),
            get: |line, number: u64, text: &str| {
                line.number = number;
                line.text.push_str(text);
            },
        }
        struct TargetPool(String) -> TargetRef: str { create: |_| String::from("text") }
    }

    #[test]
    fn create() {
        let pool = CreatePool::new(1);
        pool.get().number = 7;
        assert_eq!(pool.get().number, 7, "without a reset it stays as it is");
    }

    #[test]
    fn config() {
        let pool = ConfigPool::new(1, LineConfig { width: 80, tabs: false });
        assert_eq!(pool.get().number, 80);
        assert_eq!(pool.config(), &LineConfig { width: 80, tabs: false });
    }

    #[test]
    fn new() {
        assert_eq!(NewPool::new(1, 80, true).config(), &LineConfig { width: 80, tabs: true });
        let built = NewPool::builder(1, 81, false).build().expect("nothing to refuse");
        assert_eq!(built.config(), &LineConfig { width: 81, tabs: false });
        drop(built.get());
    }

    #[test]
    fn new_without_arguments() {
        let pool = NewWithoutArgumentsPool::new(1);
        assert_eq!(pool.config(), &LineConfig { width: 7, tabs: true });
        drop(pool.get());
    }

    #[test]
    fn check() {
        let error = CheckPool::builder(1, 0).build().expect_err("no width");
        assert_eq!(error.to_string(), "width is 0, but must be at least 1");
        assert_eq!(panic_of(|| CheckPool::new(1, 0)), "width is 0, but must be at least 1");
        // What is checked is what was configured in the end.
        let built = CheckPool::builder(1, 0).configure(|width| *width = 1).build();
        drop(built.expect("a width").get());
    }

    #[test]
    fn reset() {
        let pool = ResetPool::new(1);
        assert_eq!(pool.get().cleaned, 0);
        assert_eq!(pool.get().cleaned, 1);
    }

    #[test]
    fn keep() {
        let pool = KeepPool::new(1);
        pool.get().number = 9;
        assert_eq!((pool.len(), pool.get().number), (1, 9));
        pool.get().number = 10;
        assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
    }

    #[test]
    fn measure() {
        let pool = MeasurePool::new(1);
        pool.get().text = String::with_capacity(100);
        assert_eq!(pool.stats().bytes_idle, 100);
        assert!(MeasurePool::builder(1).retain_by_use().build().is_ok());
    }

    #[test]
    fn limit() {
        let pool = LimitPool::new(1, 100);
        pool.get().text = String::with_capacity(100);
        assert_eq!(pool.len(), 1);
        pool.get().text = String::with_capacity(101);
        assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
        let large = Line { text: String::with_capacity(101), ..Line::default() };
        assert_eq!(pool.put(large).expect_err("too large").reason, PutReason::Unfit);

        let pool = LimitPool::builder(1, 100).retain_by_use().build().expect("measures");
        pool.get().text = String::with_capacity(101);
        assert_eq!(pool.len(), 1, "retention by use takes its place");
    }

    #[test]
    fn get() {
        let pool = GetPool::new(1);
        assert_eq!(pool.get().number, 1);
        assert_eq!(pool.try_get().expect("idle").number, 2);
        assert_eq!(pool.take().number, 3);
        assert_eq!(pool.get_with(|| Line { number: 10, ..Line::default() }).number, 11);
        let taken = pool.try_get_with(|| -> Result<_, ()> { unreachable!("one is idle") });
        assert_eq!(taken.expect("a hit").number, 12);
    }

    #[test]
    fn get_with_arguments() {
        let pool = GetWithArgumentsPool::new(1);
        let shows = |line: &Line| (line.number, line.text.clone());
        assert!(pool.try_get(1, "a").is_none());
        assert_eq!(shows(&pool.get(1, "a")), (1, "a".into()), "on a miss");
        assert_eq!(shows(&pool.get(2, "b")), (2, "ab".into()), "on a hit");
        assert_eq!(shows(&pool.try_get(3, "c").expect("idle")), (3, "abc".into()));
        assert_eq!(shows(&pool.take(4, "d")), (4, "abcd".into()));
        let line = || Line { text: "new ".into(), ..Line::default() };
        assert_eq!(shows(&pool.get_with(5, "e", line)), (5, "new e".into()));
        pool.clear();
        let line = pool.try_get_with(6, "f", || Err("refused"));
        assert_eq!(line.map(drop).expect_err("refused"), "refused");
        let line = pool.try_get_with(7, "g", || Ok::<_, ()>(Line::default()));
        assert_eq!(shows(&line.expect("created")), (7, "g".into()));
    }

    #[test]
    fn target() {
        let pool = TargetPool::new(1);
        let mut text = pool.get();
        text.make_ascii_uppercase();
        let shown: &str = &text;
        assert_eq!(shown, "TEXT");
        assert_eq!(format!("{text:?}"), "\"TEXT\"");
        // The object is the whole of it, the guard shows less.
        let whole: String = TargetRef::detach(text);
        pool.put(whole).expect("room");
    }
}

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

mod paths {
    //! Functions in place of closures.

    use super::*;

    fn check(config: &LineConfig) -> Result<(), BuildError> {
        if config.tabs { Err(BuildError::new("tabs", true, "false")) } else { Ok(()) }
    }

    fn keep(line: &Line, config: &LineConfig) -> bool {
        line.number < config.width as u64
    }

    impl Line {
        fn of(config: &LineConfig) -> Self {
            Line { number: config.width as u64 - 1, ..Line::default() }
        }

        fn clean(&mut self, _: &LineConfig) {
            self.cleaned += 1;
        }

        fn bytes(&self) -> (usize, usize) {
            (self.text.len(), self.text.capacity())
        }
    }

    impl LineConfig {
        fn most(&self) -> usize {
            self.width
        }
    }

    bp::pool! {
        struct PathPool(Line) -> PathRef {
            config: super::LineConfig,
            check: check,
            create: Line::of,
            reset: Line::clean,
            keep: self::keep,
            measure: Line::bytes,
            limit: LineConfig::most,
        }
        struct DefaultPool(Vec<Line>) -> DefaultRef {
            create: |_| Default::default(),
            reset: |lines: &mut Vec<Line>, _: &()| lines.clear(),
            measure: |lines: &Vec<_>| (lines.len(), lines.capacity()),
        }
    }

    #[test]
    fn functions_are_steps_as_closures_are() {
        let with = |tabs| PathPool::builder(2, LineConfig { width: 5, tabs }).build();
        assert_eq!(with(true).expect_err("tabs").field(), "tabs");
        let pool = with(false).expect("no tabs");
        assert_eq!(pool.get().number, 4);
        assert_eq!(pool.get().cleaned, 1);
        pool.get().text.reserve_exact(6);
        pool.get().number = 5;
        assert_eq!(pool.stats().discarded_unfit, 2);
    }

    #[test]
    fn closures_may_have_types() {
        let pool = DefaultPool::new(2);
        pool.get().push(Line::default());
        assert!(pool.get().is_empty());
        assert!(pool.stats().bytes_idle > 0);
    }
}

mod poolable {
    //! Pools of a type that has its steps.

    use super::*;

    impl Poolable for Line {
        type Config = ();

        fn create((): &()) -> Self {
            Line::default()
        }

        fn reset(&mut self, (): &()) {
            self.cleaned += 1;
        }
    }

    /// With a config of its own.
    struct Wide(usize);

    impl Poolable for Wide {
        type Config = Arc<usize>;

        fn create(width: &Arc<usize>) -> Self {
            Wide(**width)
        }

        fn reset(&mut self, width: &Arc<usize>) {
            self.0 = **width;
        }

        fn keep(&self, width: &Arc<usize>) -> bool {
            self.0 <= 2 * **width
        }
    }

    bp::pool! {
        struct WithSemicolonPool(Line) -> WithSemicolonRef;
        struct WithBracesPool(Line) -> WithBracesRef {}
        struct WithConfigPool(Wide) -> WithConfigRef { config: Arc<usize>, }
        struct WithNewPool(Wide) -> WithNewRef {
            config: Arc<usize>,
            new: |width: usize| Arc::new(width),
            check: |width| match **width {
                0 => Err(BuildError::new("width", 0, "at least 1")),
                _ => Ok(()),
            },
            measure: |wide| (0, wide.0),
            limit: |_| 50,
            get: |wide, more: usize| wide.0 += more,
        }
        struct OfStrPool(Line) -> OfStrRef: Line;
        struct LastPool(Line) -> LastRef
    }

    #[test]
    fn every_form_of_declaration_makes_a_pool() {
        fn is_cleaned<P: bp::TypedPool<Recipe = R>, R: bp::Recipe<Item = Line>>(pool: &P) -> bool {
            drop(pool.as_pool().get());
            pool.as_pool().get().cleaned == 1
        }

        assert!(is_cleaned(&WithSemicolonPool::new(1)));
        assert!(is_cleaned(&WithBracesPool::new(1)));
        assert!(is_cleaned(&OfStrPool::new(1)));
        assert!(is_cleaned(&LastPool::new(1)));
        let guards: (WithSemicolonRef, WithBracesRef, OfStrRef, LastRef) = (
            WithSemicolonPool::new(1).get(),
            WithBracesPool::new(1).get(),
            OfStrPool::new(1).get(),
            LastPool::new(1).get(),
        );
        drop(guards);
    }

    #[test]
    fn the_steps_are_those_of_the_type() {
        let pool = WithConfigPool::new(1, Arc::new(10));
        let mut wide: WithConfigRef = pool.get();
        wide.0 = 20;
        drop(wide);
        assert_eq!(pool.get().0, 10);
        pool.get().0 = 21;
        assert_eq!(pool.stats().discarded_unfit, 1);
    }

    #[test]
    fn other_steps_may_stand_beside_them() {
        assert_eq!(WithNewPool::builder(1, 0).build().expect_err("no width").field(), "width");
        let pool = WithNewPool::new(1, 30);
        let wide: WithNewRef = pool.get(5);
        assert_eq!(wide.0, 35);
        drop(wide);
        assert_eq!((pool.len(), pool.stats().bytes_idle), (1, 30));
        drop(pool.get(21));
        assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
    }
}

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
