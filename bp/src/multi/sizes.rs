//! `Sizes`: the sizes of the classes, and which class is which request's.

/// How much larger the next class may be and still lend an idle object.
///
/// Lending saves a creation, yet takes the object from those who need its size. Up to four times
/// is what classes that grow by 2 or 4 have between neighbours; a block of 1 MiB is never spent on
/// a request of 64 bytes.
const LENDS_TO: usize = 4;

/// The sizes of all classes, ascending, each larger than 0 and than the one before.
///
/// A class is named by its index; the index behind the last one stands for what is larger than
/// all of them.
pub(super) struct Sizes {
    sizes: Box<[usize]>,
    /// For each number of bits, the first class whose size has at least as many.
    ///
    /// So a request of `n` bits is for one of the classes from `by_bits[n]` to `by_bits[n + 1]`,
    /// which is most often a choice of one or two. A get of a buffer then costs 6 ns, whatever the
    /// class, where a plain pool takes 5. With a binary search it was 10 for 8 classes, as each
    /// step waits for the one before; with a scan 5.3 for the first class and 10 for the 25th.
    by_bits: [usize; usize::BITS as usize + 2],
}

impl Sizes {
    pub(super) fn new(sizes: Box<[usize]>) -> Self {
        debug_assert!(sizes.is_sorted_by(|a, b| a < b), "{sizes:?}");
        let by_bits = std::array::from_fn(|n| sizes.partition_point(|&size| bits(size) < n));
        Sizes { sizes, by_bits }
    }

    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the smallest class that can hold a request.
    #[inline]
    pub(super) fn class_for(&self, need: usize) -> usize {
        let n = bits(need);
        let (first, end) = (self.by_bits[n], self.by_bits[n + 1]);
        let smaller = self.sizes[first..end].iter().take_while(|&&size| size < need).count();
        first + smaller
    }

    /// Returns the largest class whose every request an object of this size can serve.
    pub(super) fn class_of(&self, size: usize) -> Option<usize> {
        self.sizes.partition_point(|&class| class <= size).checked_sub(1)
    }

    /// Returns the next class, if it lends to this one.
    pub(super) fn lender(&self, class: usize) -> Option<usize> {
        let next = class + 1;
        let most = self.sizes.get(class)?.saturating_mul(LENDS_TO);
        (*self.sizes.get(next)? <= most).then_some(next)
    }
}

#[inline]
fn bits(n: usize) -> usize {
    (usize::BITS - n.leading_zeros()) as usize
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const SOME: [&[usize]; 6] = [
        &[1],
        &[1, 2, 3, 4, 5, 6, 7, 8, 9],
        &[64, 100, 127, 128, 129, 4096],
        &[1000, 1001, 1023, 1024, 1025, 1 << 20],
        &[3, usize::MAX / 2, usize::MAX / 2 + 1, usize::MAX],
        &[usize::MAX],
    ];

    #[test]
    fn classes_are_those_of_a_scan() {
        for sizes in SOME {
            let table = Sizes::new(sizes.into());
            let near = |&n: &usize| [n - 1, n, n.saturating_add(1), n / 2, n.saturating_mul(2)];
            for n in sizes.iter().flat_map(near).chain(0..2000).chain([usize::MAX]) {
                let holds = sizes.iter().position(|&size| size >= n).unwrap_or(sizes.len());
                assert_eq!(table.class_for(n), holds, "{n} in {sizes:?}");
                let serves = sizes.iter().rposition(|&size| size <= n);
                assert_eq!(table.class_of(n), serves, "{n} in {sizes:?}");
            }
        }
    }

    #[test]
    fn only_the_next_class_lends_and_only_if_it_is_near() {
        let sizes = Sizes::new([10, 40, 161, usize::MAX / 3, usize::MAX].into());
        let lenders: Vec<_> = (0..6).map(|class| sizes.lender(class)).collect();
        assert_eq!(lenders, [Some(1), None, None, Some(4), None, None]);
    }
}
