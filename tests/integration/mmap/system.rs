//! What the kernel says about this process.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;

/// The tests run where pages have this size.
pub(super) const PAGE: usize = 4096;

fn ranges() -> Vec<(usize, usize)> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let range = |line: &str| {
        let (from, to) = line.split_once(' ')?.0.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        Some((number(from)?, number(to)?))
    };
    maps.lines().filter_map(range).collect()
}

/// Returns how many mappings there are.
pub(super) fn mappings() -> usize {
    ranges().len()
}

pub(super) fn is_mapped(address: usize) -> bool {
    ranges().iter().any(|(from, to)| (*from..*to).contains(&address))
}

/// Returns whether the page at the address is in memory.
pub(super) fn is_resident(address: usize) -> bool {
    let mut entry = [0; 8];
    let pages = File::open("/proc/self/pagemap").unwrap();
    pages.read_exact_at(&mut entry, (address / PAGE * 8) as u64).unwrap();
    u64::from_ne_bytes(entry) >> 63 == 1
}
