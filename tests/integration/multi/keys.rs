//! The keys that requests name their sizes by.

use bp::{KeyedPool, SizeKey};

use super::{TablePool, TextPool};

#[test]
fn the_key_is_what_new_takes() {
    fn key_of<P: KeyedPool<Key = K>, K>() {}
    key_of::<bp::BytePool, usize>();
    key_of::<bp::BufferPool, usize>();
    key_of::<TextPool, usize>();
    key_of::<TablePool, (usize, &'static str)>();
    let pool = TablePool::builder_for(3, (10, "ten")).build().expect("a config");
    assert_eq!((pool.capacity(), pool.get().made_for), (3, (10, "ten")));
}

#[test]
fn sizes_of_keys_are_products_and_never_wrap() {
    assert_eq!(7_u8.size(), Some(7));
    assert_eq!((3_u32, 5_u16).size(), Some(15));
    assert_eq!((2_usize, 3_usize, 4_usize).size(), Some(24));
    assert_eq!((usize::MAX, 2_usize).size(), None);
    assert_eq!((usize::MAX, 0_usize).size(), Some(0));
    assert_eq!((usize::MAX / 2, 1_usize, 3_usize).size(), None);
}

bp::pool! {
    /// Grids of `width` and `height`.
    struct GridPool(Vec<u32>) -> GridRef {
        config: (u32, u32),
        create: |&(width, height)| vec![0; width as usize * height as usize],
    }
}
bp::multi_pool! {
    /// Grids by area.
    struct MultiGridPool(GridPool) -> GridRef {
        size: |grid| grid.capacity(),
        fit: |grid, &(width, height)| grid.resize(width as usize * height as usize, 0),
    }
}

/// octu0/bp, mimagepool: the first class by width and height served a request, not the smallest.
#[test]
fn keys_of_two_sides_choose_the_smallest_area() {
    let pool = MultiGridPool::builder().class(1, (100, 10_000)).class(1, (200, 200));
    let pool = pool.build().expect("different areas");
    assert_eq!(pool.get((50, 50)).capacity(), 200 * 200);
    let classes: Vec<_> = pool.classes().iter().map(|class| class.size).collect();
    assert_eq!(classes, [(200, 200), (100, 10_000)]);
    // The area decides, so a shape that no class has is served as well.
    assert_eq!(pool.get((1, 40_000)).len(), 40_000);

    let same = MultiGridPool::builder().class(1, (20, 10)).class(1, (10, 20)).build();
    assert_eq!(same.expect_err("one area").value(), "(10, 20)");
    let none = MultiGridPool::builder().class(1, (20, 0)).build();
    assert_eq!(none.expect_err("no area").value(), "(20, 0)");
}
