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
