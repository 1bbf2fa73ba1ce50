//! What is asked of the system: mappings, on the pool's terms.

use std::io;
use std::sync::OnceLock;

use memmap2::{MmapMut, MmapOptions};

/// How a pool maps, for all blocks at once and for single ones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    pub(super) populate: bool,
    pub(super) huge_pages: bool,
    pub(super) lock: bool,
}

impl Terms {
    /// Maps `len` bytes, which read as 0. They are not locked yet.
    pub(super) fn map(self, len: usize) -> io::Result<MmapMut> {
        let mut options = MmapOptions::new();
        options.len(len);
        if self.populate {
            // Huge pages must be asked for before the first page is there; see `advise`.
            if !(self.huge_pages && cfg!(target_os = "linux")) {
                options.populate();
            }
        } else if !self.lock {
            // Memory is for the blocks that are used, not for the capacity. Without this the
            // system may refuse a mapping that is larger than its memory.
            options.no_reserve_swap();
        }
        let map = options.map_anon()?;
        self.advise(&map);
        Ok(map)
    }

    /// Asks for huge pages. Nothing is lost where there are none, so errors are no news.
    #[cfg(target_os = "linux")]
    fn advise(self, map: &MmapMut) {
        use memmap2::Advice;

        if self.huge_pages {
            let _ = map.advise(Advice::HugePage);
            if self.populate {
                let _ = map.advise(Advice::PopulateWrite);
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn advise(self, _: &MmapMut) {}
}

/// Keeps a mapping in memory.
#[cfg(unix)]
pub(super) fn lock(map: &MmapMut) -> io::Result<()> {
    map.lock()
}

#[cfg(not(unix))]
pub(super) fn lock(_: &MmapMut) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns the size of a page; asks the system once.
pub(super) fn page() -> usize {
    static PAGE: OnceLock<usize> = OnceLock::new();
    *PAGE.get_or_init(ask_for_page)
}

#[cfg(target_os = "linux")]
fn ask_for_page() -> usize {
    // SAFETY: no pointers; an unknown name is an error, not a fault.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(page).expect("a system with pages knows their size")
}

/// The largest in use, as far as is known: only the alignment of blocks hangs on it here.
#[cfg(not(target_os = "linux"))]
fn ask_for_page() -> usize {
    if cfg!(target_vendor = "apple") { 16 << 10 } else { 4 << 10 }
}
