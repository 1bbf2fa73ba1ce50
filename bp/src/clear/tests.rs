//! What is blank, and whose memory is kept.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::rc::Rc;

use super::*;

/// Clears through the trait alone: in a generic function there is no inherent `clear`.
fn cleared<T: Clear>(mut value: T) -> T {
    value.clear();
    value
}

/// An element that has no `Clear`.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Opaque;

#[test]
fn numbers_become_zero() {
    macro_rules! check {
        ($($number:ty),+) => {$(
            assert_eq!(cleared(<$number>::MAX), 0, stringify!($number));
        )+};
    }
    check!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
    // By bits, which tell 0.0 from -0.0.
    assert_eq!(cleared(f32::NAN).to_bits(), 0);
    assert_eq!(cleared(-0.0_f64).to_bits(), 0);
}

#[test]
fn plain_values_become_blank() {
    assert!(!cleared(true));
    assert_eq!(cleared('x'), '\0');
    assert_eq!(cleared(Duration::from_secs(1)), Duration::ZERO);
    assert_eq!(cleared("text"), "");
    assert_eq!(cleared(&[1, 2][..]), &[]);
}

#[test]
fn types_without_a_value_can_stand_in_fields() {
    cleared(());
    cleared(PhantomData::<Opaque>);
    cleared(PhantomData::<dyn Fn(&str)>);
}

#[test]
fn atomics_become_blank() {
    macro_rules! check {
        ($($width:literal => $($atomic:ident),+;)+) => {$($(
            #[cfg(target_has_atomic = $width)]
            assert_eq!(cleared(atomic::$atomic::new(7)).into_inner(), 0, stringify!($atomic));
        )+)+};
    }
    check! {
        "8" => AtomicU8, AtomicI8;
        "16" => AtomicU16, AtomicI16;
        "32" => AtomicU32, AtomicI32;
        "64" => AtomicU64, AtomicI64;
        "ptr" => AtomicUsize, AtomicIsize;
    }
    assert!(!cleared(atomic::AtomicBool::new(true)).into_inner());
    assert!(cleared(atomic::AtomicPtr::new(&raw mut *Box::new(7))).into_inner().is_null());
}

#[test]
fn strings_keep_their_memory() {
    let text = String::from("a longer text");
    let (memory, capacity) = (text.as_ptr(), text.capacity());
    let text = cleared(text);
    assert_eq!(text, "");
    assert_eq!((text.as_ptr(), text.capacity()), (memory, capacity));

    let path = PathBuf::from("/a/longer/path");
    let (memory, capacity) = (path.as_os_str().as_encoded_bytes().as_ptr(), path.capacity());
    let path = cleared(path);
    assert_eq!(path, Path::new(""));
    assert_eq!(path.as_os_str().as_encoded_bytes().as_ptr(), memory);
    assert_eq!(path.capacity(), capacity);

    let text = OsString::from("a longer text");
    let (memory, capacity) = (text.as_encoded_bytes().as_ptr(), text.capacity());
    let text = cleared(text);
    assert_eq!(text, "");
    assert_eq!((text.as_encoded_bytes().as_ptr(), text.capacity()), (memory, capacity));
}

#[test]
fn sequences_keep_their_memory() {
    let list = vec![1, 2, 3];
    let (memory, capacity) = (list.as_ptr(), list.capacity());
    let list = cleared(list);
    assert_eq!(list, []);
    assert_eq!((list.as_ptr(), list.capacity()), (memory, capacity));

    let heap = BinaryHeap::from([1, 2, 3]);
    let (memory, capacity) = (heap.as_slice().as_ptr(), heap.capacity());
    let heap = cleared(heap);
    assert!(heap.is_empty());
    assert_eq!((heap.as_slice().as_ptr(), heap.capacity()), (memory, capacity));

    let queue = VecDeque::from([1, 2, 3]);
    let (memory, capacity) = (queue.as_slices().0.as_ptr(), queue.capacity());
    let queue = cleared(queue);
    assert!(queue.is_empty());
    assert_eq!((queue.as_slices().0.as_ptr(), queue.capacity()), (memory, capacity));
}

#[test]
fn hash_tables_keep_their_memory_and_their_hasher() {
    let map = HashMap::from([(1, 'a'), (2, 'b')]);
    let (capacity, hash) = (map.capacity(), map.hasher().hash_one(7));
    let map = cleared(map);
    assert!(map.is_empty());
    assert_eq!((map.capacity(), map.hasher().hash_one(7)), (capacity, hash));

    let set = HashSet::from([1, 2]);
    let (capacity, hash) = (set.capacity(), set.hasher().hash_one(7));
    let set = cleared(set);
    assert!(set.is_empty());
    assert_eq!((set.capacity(), set.hasher().hash_one(7)), (capacity, hash));
}

#[test]
fn hash_tables_may_have_any_hasher() {
    type Fixed = BuildHasherDefault<DefaultHasher>;

    let map: HashMap<_, _, Fixed> = HashMap::from_iter([(Opaque, 1)]);
    assert!(cleared(map).is_empty());
    let set: HashSet<_, Fixed> = HashSet::from_iter([Opaque]);
    assert!(cleared(set).is_empty());
}

#[test]
fn trees_and_lists_become_empty() {
    assert!(cleared(BTreeMap::from([(Opaque, 1)])).is_empty());
    assert!(cleared(BTreeSet::from([Opaque])).is_empty());
    assert!(cleared(LinkedList::from([Opaque])).is_empty());
}

#[test]
fn collections_drop_what_they_held() {
    let witness = Rc::new(());
    let list = cleared(vec![Rc::clone(&witness), Rc::clone(&witness)]);
    assert_eq!(Rc::strong_count(&witness), 1);
    drop(list);
}

#[test]
fn absent_means_dropped() {
    let witness = Rc::new(());

    let option = cleared(Some(Rc::clone(&witness)));
    assert_eq!(option, None);
    assert_eq!(Rc::strong_count(&witness), 1);

    let cell = cleared(OnceCell::from(Rc::clone(&witness)));
    assert_eq!(cell.get(), None);
    assert_eq!(Rc::strong_count(&witness), 1);

    let lock = cleared(OnceLock::from(Rc::clone(&witness)));
    assert_eq!(lock.get(), None);
    assert_eq!(Rc::strong_count(&witness), 1);
}

#[test]
fn arrays_and_slices_clear_each_element() {
    assert_eq!(cleared([1, 2, 3]), [0; 3]);
    assert_eq!(cleared([0_u8; 0]), []);

    let mut list = vec![1, 2, 3];
    list[1..].clear();
    assert_eq!(list, [1, 0, 0]);
}

#[test]
fn tuples_clear_each_element() {
    assert_eq!(cleared((1,)), (0,));
    assert_eq!(cleared((1, 'x')), (0, '\0'));
    assert_eq!(
        cleared((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    );
}

#[test]
fn a_box_keeps_its_allocation() {
    let number = Box::new(7);
    let memory = &raw const *number;
    let number = cleared(number);
    assert_eq!(*number, 0);
    assert_eq!(&raw const *number, memory);

    let slice: Box<[i32]> = Box::new([1, 2, 3]);
    let memory = slice.as_ptr();
    let slice = cleared(slice);
    assert_eq!(*slice, [0; 3]);
    assert_eq!(slice.as_ptr(), memory);
}

#[test]
fn a_boxed_trait_object_clears_what_is_inside() {
    struct Lamp(Rc<Cell<bool>>);

    impl Clear for Lamp {
        fn clear(&mut self) {
            self.0.set(false);
        }
    }

    let lit = Rc::new(Cell::new(true));
    let lamp: Box<dyn Clear> = Box::new(Lamp(Rc::clone(&lit)));
    cleared(lamp);
    assert!(!lit.get());
}

#[test]
fn a_cow_stays_what_it_was() {
    assert!(matches!(cleared(Cow::Borrowed("text")), Cow::Borrowed("")));

    let text = String::from("text");
    let memory = text.as_ptr();
    let Cow::<str>::Owned(text) = cleared(Cow::Owned(text)) else {
        panic!("owned text became borrowed");
    };
    assert_eq!(text, "");
    assert_eq!(text.as_ptr(), memory);

    assert!(cleared(Cow::Borrowed(&[1, 2][..])).is_empty());
}

#[test]
fn cells_clear_what_is_inside() {
    assert_eq!(cleared(Cell::new(7)).get(), 0);
    assert_eq!(cleared(RefCell::new(vec![7])).into_inner(), []);
}

#[test]
fn locks_clear_what_is_inside() {
    assert_eq!(cleared(Mutex::new(7)).into_inner().unwrap(), 0);
    assert_eq!(cleared(RwLock::new(7)).into_inner().unwrap(), 0);
}

#[test]
fn a_poisoned_lock_is_usable_again() {
    let mutex = Mutex::new(vec![7]);
    let rw_lock = RwLock::new(vec![7]);
    let poisoning = panic::catch_unwind(AssertUnwindSafe(|| {
        let _held = (mutex.lock().unwrap(), rw_lock.write().unwrap());
        panic::resume_unwind(Box::new(()));
    }));
    assert!(poisoning.is_err());
    assert!(mutex.is_poisoned() && rw_lock.is_poisoned());

    assert_eq!(*cleared(mutex).lock().unwrap(), []);
    assert_eq!(*cleared(rw_lock).read().unwrap(), []);
}

#[test]
fn a_lock_whose_value_cannot_be_cleared_stays_poisoned() {
    struct Stubborn;

    impl Clear for Stubborn {
        fn clear(&mut self) {
            panic::resume_unwind(Box::new(()));
        }
    }

    let mut mutex = Mutex::new(Stubborn);
    let poisoning = panic::catch_unwind(AssertUnwindSafe(|| {
        let _held = mutex.lock().unwrap();
        panic::resume_unwind(Box::new(()));
    }));
    assert!(poisoning.is_err());
    let clearing = panic::catch_unwind(AssertUnwindSafe(|| mutex.clear()));
    assert!(clearing.is_err());
    assert!(mutex.is_poisoned());
}

#[test]
fn a_cursor_is_rewound_and_emptied() {
    let mut cursor = Cursor::new(vec![1_u8, 2, 3]);
    let memory = cursor.get_ref().as_ptr();
    cursor.set_position(2);
    let cursor = cleared(cursor);
    assert_eq!(cursor.position(), 0);
    assert_eq!(cursor.get_ref(), &[]);
    assert_eq!(cursor.get_ref().as_ptr(), memory);
}

#[test]
fn nested_values_are_cleared_in_place() {
    let nested = Box::new([(Mutex::new(vec![1, 2]), Cell::new(3)), Default::default()]);
    let memory = nested[0].0.lock().unwrap().as_ptr();

    let nested = cleared(nested);
    let list = nested[0].0.lock().unwrap();
    assert_eq!(*list, []);
    assert_eq!(list.as_ptr(), memory);
    assert_eq!(nested[0].1.get(), 0);
}

#[test]
fn the_trait_in_scope_leaves_other_calls_alone() {
    // Each would be ambiguous, or clear something else, if the trait got in the way.
    let mut list = vec![1];
    list.clear();
    assert_eq!(list, []);

    let mut list = vec![1];
    let borrowed = &mut list;
    borrowed.clear();
    assert_eq!(list, []);

    let mut boxed = Box::new(vec![Opaque]);
    boxed.clear();
    assert_eq!(*boxed, []);

    let cell = RefCell::new(vec![Opaque]);
    cell.borrow_mut().clear();
    assert_eq!(cell.into_inner(), []);

    let mutex = Mutex::new(HashMap::from([(Opaque, 1)]));
    mutex.lock().unwrap().clear();
    assert!(mutex.into_inner().unwrap().is_empty());
}
