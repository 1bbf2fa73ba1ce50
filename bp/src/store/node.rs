//! A node: one object's place for life, and the reference that it holds to its store.

use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

use super::Store;
use crate::Recipe;

/// An object with what the store keeps beside it.
///
/// Pointers to nodes move, objects never do: moving an object by value after a partial write
/// stalls store forwarding (15 ns per use against 6). A node fills whole cache lines, so that two
/// threads' objects never share one.
///
/// A node has one owner at a time: a guard, a shard, the depot, a chain or a function. Only the
/// owner touches its fields.
#[repr(C, align(64))]
pub(crate) struct Node<R: Recipe> {
    /// The store that made the node. Counted in `refs` for as long as the node lives, so the
    /// pointer is good that long.
    store: NonNull<Store<R>>,
    /// The next node while this one is part of a [`Chain`] or of [`Spares`]; of no meaning otherwise.
    pub(super) next: *mut Node<R>,
    /// Bytes that the object held when it was last returned. Only kept up where the recipe
    /// measures.
    pub(super) held: usize,
    /// Returns in a row that found the object larger than its use. Only used where the pool
    /// retains by use.
    pub(super) strikes: u8,
    /// Initialised, except in nodes that are spare and between `take_item` and their end.
    item: MaybeUninit<R::Item>,
}

impl<R: Recipe> Node<R> {
    /// Allocates a node around `item`.
    ///
    /// # Safety
    ///
    /// The caller has counted a reference to the store in `refs`, and gives it to the node.
    pub(super) unsafe fn boxed(store: NonNull<Store<R>>, item: R::Item) -> NonNull<Self> {
        NonNull::from(Box::leak(Box::new(Node {
            store,
            next: ptr::null_mut(),
            held: 0,
            strikes: 0,
            item: MaybeUninit::new(item),
        })))
    }

    #[inline]
    pub(super) fn store(&self) -> NonNull<Store<R>> {
        self.store
    }

    /// # Safety
    ///
    /// The node is not spare: its item is initialised.
    #[inline]
    pub(crate) unsafe fn item(&self) -> &R::Item {
        // SAFETY: initialised, as the caller promises.
        unsafe { self.item.assume_init_ref() }
    }

    /// # Safety
    ///
    /// As for [`item`](Self::item).
    #[inline]
    pub(crate) unsafe fn item_mut(&mut self) -> &mut R::Item {
        // SAFETY: initialised, as the caller promises.
        unsafe { self.item.assume_init_mut() }
    }

    /// Notes what the item holds, where the recipe measures.
    ///
    /// # Safety
    ///
    /// As for [`item`](Self::item).
    #[inline]
    pub(super) unsafe fn note_held(&mut self) {
        if R::MEASURED {
            // SAFETY: as the caller promises.
            self.held = R::measure(unsafe { self.item() }).1;
        }
    }

    /// Moves the item out.
    ///
    /// # Safety
    ///
    /// As for [`item`](Self::item). To the caller the node is spare from here on.
    pub(super) unsafe fn take_item(&mut self) -> R::Item {
        // SAFETY: initialised, as the caller promises, and not read again: the node is spare now.
        unsafe { self.item.assume_init_read() }
    }

    /// Gives a spare node an item.
    #[inline]
    pub(super) fn set_item(&mut self, item: R::Item) {
        self.held = 0;
        self.strikes = 0;
        self.item.write(item);
    }
}

/// Shows a node's item to `dispose`, drops it, then its memory, then the reference to its store;
/// also when one of these steps unwinds.
///
/// # Safety
///
/// The caller owns the node, which is not spare, and never uses it again.
pub(super) unsafe fn drop_node<R: Recipe>(node: NonNull<Node<R>>) {
    /// An item that goes, whatever `dispose` does.
    struct Last<'a, T>(&'a mut MaybeUninit<T>);

    impl<T> Drop for Last<'_, T> {
        fn drop(&mut self) {
            // SAFETY: initialised, see below, and never used again.
            unsafe { self.0.assume_init_drop() };
        }
    }

    // SAFETY: the node came from `Node::boxed` and this call owns it.
    let mut emptied = unsafe { Emptied::new(node) };
    // SAFETY: alive, as `emptied` has the node's reference (I2).
    let store = unsafe { emptied.node.store.as_ref() };
    let last = Last(&mut emptied.node.item);
    // SAFETY: not spare, says the caller; `emptied` frees the memory but does not look at the item.
    let item = unsafe { last.0.assume_init_mut() };
    R::dispose(item, store.config());
}

/// A spare node with an owner; freed on drop, with the reference that it holds.
pub(super) struct Spare<R: Recipe>(NonNull<Node<R>>);

impl<R: Recipe> Spare<R> {
    /// # Safety
    ///
    /// The caller owns the node, which is spare, and gives it to this value, or takes it back by
    /// forgetting that.
    pub(super) unsafe fn new(node: NonNull<Node<R>>) -> Self {
        Spare(node)
    }
}

impl<R: Recipe> Drop for Spare<R> {
    fn drop(&mut self) {
        // SAFETY: owned by this value.
        drop(unsafe { Emptied::new(self.0) });
    }
}

/// A node on its way out whose item is somebody else's business.
struct Emptied<R: Recipe> {
    // Declared first, so dropped first: the memory goes before the reference to the store.
    node: Box<Node<R>>,
    _reference: Reference<R>,
}

impl<R: Recipe> Emptied<R> {
    /// # Safety
    ///
    /// The node came from `Node::boxed` and belongs to the caller, who never uses it again.
    unsafe fn new(node: NonNull<Node<R>>) -> Self {
        // SAFETY: leaked by `Node::boxed`, and owned by the caller.
        let node = unsafe { Box::from_raw(node.as_ptr()) };
        // SAFETY: the node's, which ends with it.
        let reference = unsafe { Reference::new(node.store) };
        Emptied { node, _reference: reference }
    }
}

/// One of the counted references to a store, given up on drop.
pub(super) struct Reference<R: Recipe>(NonNull<Store<R>>);

impl<R: Recipe> Reference<R> {
    /// # Safety
    ///
    /// The caller has one of the references that are counted in `refs`, and gives it to this value.
    pub(super) unsafe fn new(store: NonNull<Store<R>>) -> Self {
        Reference(store)
    }
}

impl<R: Recipe> Drop for Reference<R> {
    fn drop(&mut self) {
        // SAFETY: this value is one of the references that are counted in `refs`.
        unsafe { Store::release(self.0) }
    }
}

/// Idle nodes taken out of the store, linked through their `next`; dropped with their items.
///
/// Objects are dropped here, after all locks are released, since their `Drop` may use the pool.
pub(super) struct Chain<R: Recipe> {
    head: *mut Node<R>,
    len: usize,
}

impl<R: Recipe> Chain<R> {
    pub(super) fn new() -> Self {
        Chain { head: ptr::null_mut(), len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// # Safety
    ///
    /// The caller owns the node, which is not spare, and gives it to the chain.
    pub(super) unsafe fn push(&mut self, mut node: NonNull<Node<R>>) {
        // SAFETY: owned by the caller until this call, by the chain from here on.
        unsafe { node.as_mut() }.next = self.head;
        self.head = node.as_ptr();
        self.len += 1;
    }

    pub(super) fn pop(&mut self) -> Option<NonNull<Node<R>>> {
        let node = NonNull::new(self.head)?;
        // SAFETY: nodes of a chain are owned by it.
        self.head = unsafe { node.as_ref() }.next;
        self.len -= 1;
        Some(node)
    }
}

impl<R: Recipe> Drop for Chain<R> {
    fn drop(&mut self) {
        /// Goes on with the rest where an object's `Drop` unwinds.
        struct Rest<'a, R: Recipe>(&'a mut Chain<R>);

        impl<R: Recipe> Drop for Rest<'_, R> {
            fn drop(&mut self) {
                while let Some(node) = self.0.pop() {
                    // SAFETY: taken out of the chain, which owned it; chains hold no spare nodes.
                    unsafe { drop_node(node) }
                }
            }
        }

        let rest = Rest(self);
        while let Some(node) = rest.0.pop() {
            // SAFETY: as above.
            unsafe { drop_node(node) }
        }
    }
}

/// Emptied nodes kept for later, linked through their `next`; dropped with the references that
/// they hold.
pub(super) struct Spares<R: Recipe> {
    head: *mut Node<R>,
}

impl<R: Recipe> Spares<R> {
    pub(super) fn new() -> Self {
        Spares { head: ptr::null_mut() }
    }

    #[cfg(all(test, loom))]
    pub(super) fn is_empty(&self) -> bool {
        self.head.is_null()
    }

    /// # Safety
    ///
    /// The caller owns the node, which is spare, and gives it to the list.
    pub(super) unsafe fn push(&mut self, mut node: NonNull<Node<R>>) {
        // SAFETY: owned by the caller until this call, by the list from here on.
        unsafe { node.as_mut() }.next = self.head;
        self.head = node.as_ptr();
    }

    pub(super) fn pop(&mut self) -> Option<NonNull<Node<R>>> {
        let node = NonNull::new(self.head)?;
        // SAFETY: nodes of a list are owned by it.
        self.head = unsafe { node.as_ref() }.next;
        Some(node)
    }
}

impl<R: Recipe> Drop for Spares<R> {
    fn drop(&mut self) {
        while let Some(node) = self.pop() {
            // SAFETY: taken out of the list, which owned it and holds spare nodes only.
            drop(unsafe { Spare::new(node) });
        }
    }
}
