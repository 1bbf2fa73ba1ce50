//! The one mapping of a pool, and its slots.
//!
//! # Invariants
//!
//! * **M1, shape.** The mapping is `slots * stride` bytes, at most `isize::MAX`; `size <= stride`,
//!   and `stride` is whole pages. So slot `at` is the `stride` bytes from `at * stride` on, two
//!   slots share no page, and all of it lies in the mapping.
//! * **M2, one owner.** The number of a slot below `slots` is in one place at a time: not claimed
//!   yet (`fresh` or above), in `returned`, or in one [`Slot`]. So a `Slot` that is borrowed
//!   mutably is the only way to its bytes; nothing ever borrows the mapping as a whole.
//! * **M3, life.** A `Slot` holds its `Slab`, which is unmapped as a whole when it is dropped,
//!   never in part.
//! * **M4, contents.** All bytes are initialised at all times: the system maps zeros, and what a
//!   slot gives back to it reads as 0 again. The slots that no `Slot` owns read as 0.

use std::io;
use std::ops::{Deref, DerefMut};
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crossbeam_queue::SegQueue;
use memmap2::MmapRaw;

use super::mapping::{self, Terms};
use crate::BuildError;

/// A mapping carved into slots of one size.
#[derive(Debug)]
pub(super) struct Slab {
    map: MmapRaw,
    /// Bytes of a slot that are shown.
    size: usize,
    /// Bytes from one slot to the next.
    stride: usize,
    slots: usize,
    locked: bool,
    /// The lowest slot that was never claimed. Above `slots` never.
    fresh: AtomicUsize,
    /// Slots that were claimed once and are free.
    returned: SegQueue<usize>,
}

impl Slab {
    /// Maps a slab. `None` where no slot is asked for, or the system knows no mappings.
    pub(super) fn map(slots: usize, size: usize, terms: Terms) -> Result<Option<Self>, BuildError> {
        let stride = size.next_multiple_of(mapping::page());
        let total = stride.checked_mul(slots).filter(|total| isize::try_from(*total).is_ok());
        let Some(total) = total else {
            let rule = "at most isize::MAX bytes in whole pages";
            return Err(BuildError::new(
                "capacity",
                format_args!("{slots} blocks of {size} bytes"),
                rule,
            ));
        };
        if total == 0 {
            return Ok(None);
        }
        let refused = |field, error| {
            let rule = "no more than the system grants";
            BuildError::new(field, format_args!("{total} bytes"), rule).with_source(error)
        };
        let map = match terms.map(total) {
            Ok(map) => map,
            Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(None),
            Err(error) => return Err(refused("mapping", error)),
        };
        if terms.lock {
            mapping::lock(&map).map_err(|error| refused("lock", error))?;
        }
        Ok(Some(Slab {
            map: MmapRaw::from(map),
            size,
            stride,
            slots,
            locked: terms.lock,
            fresh: AtomicUsize::new(0),
            returned: SegQueue::new(),
        }))
    }

    /// Takes a free slot, one that was used before if there is one.
    pub(super) fn claim(self: &Arc<Self>) -> Option<Slot> {
        let at = self.returned.pop().or_else(|| self.claim_fresh())?;
        Some(Slot { slab: Arc::clone(self), at })
    }

    fn claim_fresh(&self) -> Option<usize> {
        let next = |at| if at < self.slots { Some(at + 1) } else { None };
        // Relaxed: only the number counts, and no other thread gets the same one (M2); whoever
        // has the slab sees it mapped.
        self.fresh.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()
    }

    /// Returns whether a slot is free; a guess while others use the slab.
    pub(super) fn has_free(&self) -> bool {
        // Relaxed: a guess.
        self.fresh.load(Ordering::Relaxed) < self.slots || !self.returned.is_empty()
    }
}

/// A slot in use: its bytes, for as long as this exists.
#[derive(Debug)]
pub(super) struct Slot {
    slab: Arc<Slab>,
    /// Below `slots`, and in no other place (M2).
    at: usize,
}

impl Slot {
    #[inline]
    pub(super) fn is_of(&self, slab: &Arc<Slab>) -> bool {
        Arc::ptr_eq(&self.slab, slab)
    }

    pub(super) fn is_locked(&self) -> bool {
        self.slab.locked
    }

    #[inline]
    fn start(&self) -> *mut u8 {
        let offset = self.at * self.slab.stride;
        // SAFETY: `at < slots`, so the offset is within the mapping, which is no larger than
        // `isize::MAX` (M1) and exists (M3).
        unsafe { self.slab.map.as_mut_ptr().add(offset) }
    }

    /// Hands the pages back to the kernel; the address space stays. Returns whether they read as
    /// 0 now, which locked ones do not.
    #[cfg(target_os = "linux")]
    fn give_back_pages(&mut self) -> bool {
        let (offset, len) = (self.at * self.slab.stride, self.slab.stride);
        let advice = memmap2::UncheckedAdvice::DontNeed;
        // SAFETY: the pages are this slot's alone (M1), no reference to them exists as `self` is
        // borrowed mutably (M2), and zeros are bytes as good as any (M4).
        unsafe { self.slab.map.unchecked_advise_range(advice, offset, len) }.is_ok()
    }

    /// Other systems do not promise zeros.
    #[cfg(not(target_os = "linux"))]
    fn give_back_pages(&mut self) -> bool {
        false
    }
}

impl Deref for Slot {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: the first `size` bytes of the slot lie in the mapping (M1), which lives as long
        // as `self` (M3), are initialised (M4), and are written to through `&mut self` only (M2).
        unsafe { slice::from_raw_parts(self.start(), self.slab.size) }
    }
}

impl DerefMut for Slot {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `deref`, and no other reference to these bytes exists, since `self` is
        // borrowed mutably (M2).
        unsafe { slice::from_raw_parts_mut(self.start(), self.slab.size) }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if !self.give_back_pages() {
            self.fill(0);
        }
        // The next owner sees the zeros: a pop of the queue synchronises with its push.
        self.slab.returned.push(self.at);
    }
}
