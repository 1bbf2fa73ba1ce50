//! `Agenda`: which timer is due when. Exact removal, and no allocation per use.
//!
//! A binary heap by deadline in which every node knows its place, so that one is taken out or moved
//! without a search. A timeout that is set for each request and hardly ever reached would otherwise
//! stay until its deadline: at 10,000 requests a second and 30 seconds, 300,000 dead entries. A
//! `BTreeMap` is as exact, but allocates now and then.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::node::{Node, Place};

#[derive(Debug, Default)]
pub(super) struct Agenda {
    /// A heap: none is due before its parent, at half its index. Has room for all `timers`.
    entries: Vec<Entry>,
    /// Timers that exist, armed or not.
    timers: usize,
}

#[derive(Debug)]
struct Entry {
    at: Instant,
    /// The time from tick to tick, or zero for what fires once.
    every: Duration,
    node: Arc<Node>,
}

impl Agenda {
    /// Makes room for one more timer.
    pub(super) fn admit(&mut self) {
        let timers = self.timers + 1;
        self.entries.reserve(timers - self.entries.len());
        self.timers = timers;
    }

    /// Gives room back, when there is four times what is needed, so that a burst leaves little
    /// behind and no border can be crossed again and again.
    pub(super) fn dismiss(&mut self) {
        self.timers -= 1;
        if self.entries.capacity() > 64 && self.entries.capacity() / 4 >= self.timers {
            self.entries.shrink_to(2 * self.timers);
        }
    }

    /// Sets when a node fires next; `None` lies beyond what the clock can say. Returns whether it
    /// was armed before.
    pub(super) fn arm(&mut self, node: &Arc<Node>, at: Option<Instant>, every: Duration) -> bool {
        let before = node.place();
        match (before, at) {
            (Place::At(index), Some(at)) => {
                let entry = &mut self.entries[index];
                (entry.at, entry.every) = (at, every);
                self.settle(index);
            }
            (_, Some(at)) => {
                let index = self.entries.len();
                self.entries.push(Entry { at, every, node: Arc::clone(node) });
                self.rise(index);
            }
            (_, None) => {
                self.disarm(node);
                node.set_place(Place::Beyond);
            }
        }
        before != Place::Unarmed
    }

    /// Takes a node out. Returns whether it was armed.
    pub(super) fn disarm(&mut self, node: &Node) -> bool {
        let before = node.place();
        if let Place::At(index) = before {
            self.entries.swap_remove(index);
            if index < self.entries.len() {
                self.settle(index);
            }
        }
        node.set_place(Place::Unarmed);
        before != Place::Unarmed
    }

    /// Returns when something fires next.
    pub(super) fn first(&self) -> Option<Instant> {
        self.entries.first().map(|entry| entry.at)
    }

    /// Returns when a node fires next, if ever.
    pub(super) fn deadline(&self, node: &Node) -> Option<Instant> {
        match node.place() {
            Place::At(index) => Some(self.entries[index].at),
            Place::Unarmed | Place::Beyond => None,
        }
    }

    /// Fires the first node if its time has come. Returns whether it had.
    pub(super) fn fire_first(&mut self, now: Instant) -> bool {
        let Some(first) = self.entries.first_mut().filter(|first| first.at <= now) else {
            return false;
        };
        let node = Arc::clone(&first.node);
        if first.every.is_zero() {
            self.disarm(&node);
        } else {
            let (next, every) = (next_tick(first.at, first.every, now), first.every);
            self.arm(&node, next, every);
        }
        node.fire(now);
        true
    }

    /// Moves an entry whose deadline is new to where it belongs.
    fn settle(&mut self, index: usize) {
        if self.rise(index) == index {
            self.sink(index);
        }
    }

    /// Moves an entry up past those that are due later. Returns where it then is.
    fn rise(&mut self, mut index: usize) -> usize {
        while index > 0 {
            let parent = (index - 1) / 2;
            if self.entries[parent].at <= self.entries[index].at {
                break;
            }
            self.swap(index, parent);
            index = parent;
        }
        self.note_place(index);
        index
    }

    /// Moves an entry down past those that are due earlier.
    fn sink(&mut self, mut index: usize) {
        loop {
            let (left, right) = (2 * index + 1, 2 * index + 2);
            let Some(mut child) = self.entries.get(left).map(|entry| (left, entry.at)) else {
                break;
            };
            if let Some(entry) = self.entries.get(right).filter(|entry| entry.at < child.1) {
                child = (right, entry.at);
            }
            if self.entries[index].at <= child.1 {
                break;
            }
            self.swap(index, child.0);
            index = child.0;
        }
        self.note_place(index);
    }

    /// Swaps an entry that is on its way, which notes its place when it arrives, with another.
    fn swap(&mut self, moving: usize, other: usize) {
        self.entries.swap(moving, other);
        self.note_place(moving);
    }

    fn note_place(&self, index: usize) {
        self.entries[index].node.set_place(Place::At(index));
    }
}

/// Returns the first tick after `now`, of those that stand in the cadence of the last one: a
/// driver that was kept from its work makes up for nothing, and shifts nothing.
fn next_tick(last: Instant, every: Duration, now: Instant) -> Option<Instant> {
    let late = now.saturating_duration_since(last);
    if late < every {
        return last.checked_add(every);
    }
    // What does not fit is above 584 years, of a period above that: its cadence begins anew.
    let since_tick = late.as_nanos() % every.as_nanos();
    let since_tick = Duration::from_nanos(u64::try_from(since_tick).unwrap_or(0));
    now.checked_add(every.saturating_sub(since_tick))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// What every use must leave behind (I1).
    fn assert_is_heap(agenda: &Agenda) {
        for (index, entry) in agenda.entries.iter().enumerate() {
            assert_eq!(entry.node.place(), Place::At(index));
            let parent = index.saturating_sub(1) / 2;
            assert!(agenda.entries[parent].at <= entry.at, "{parent} is due after {index}");
        }
        assert!(agenda.entries.capacity() >= agenda.timers);
    }

    fn xorshift(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    /// Against the plainest thing that can be right: a list that is searched.
    #[test]
    fn any_sequence_of_uses_agrees_with_a_list() {
        let start = Instant::now();
        let mut random = 0x9e37_79b9_7f4a_7c15;
        for timers in [1, 2, 3, 10, 100] {
            let mut agenda = Agenda::default();
            let nodes: Vec<_> = (0..timers).map(|_| Arc::new(Node::new(0))).collect();
            for _ in &nodes {
                agenda.admit();
            }
            let capacity = agenda.entries.capacity();
            let mut list: Vec<Option<Instant>> = vec![None; timers];
            let mut now = start;

            for _ in 0..5_000 {
                let index = usize::try_from(xorshift(&mut random)).unwrap_or(0) % timers;
                let at = now + Duration::from_nanos(xorshift(&mut random) % 50);
                match xorshift(&mut random) % 4 {
                    0 | 1 => {
                        let was_armed = agenda.arm(&nodes[index], Some(at), Duration::ZERO);
                        assert_eq!(was_armed, list[index].replace(at).is_some());
                    }
                    2 => {
                        assert_eq!(agenda.disarm(&nodes[index]), list[index].take().is_some());
                    }
                    _ => {
                        now += Duration::from_nanos(5);
                        while agenda.fire_first(now) {}
                        for (node, at) in nodes.iter().zip(&mut list) {
                            let due = at.take_if(|at| *at <= now).is_some();
                            assert_eq!(node.receiver().try_recv().ok(), due.then_some(now));
                        }
                    }
                }
                assert_is_heap(&agenda);
                assert_eq!(agenda.first(), list.iter().flatten().min().copied());
                assert_eq!(agenda.deadline(&nodes[index]), list[index]);
            }
            assert_eq!(agenda.entries.capacity(), capacity, "arming allocates nothing");
        }
    }

    #[test]
    fn room_of_a_burst_is_given_back() {
        let mut agenda = Agenda::default();
        for _ in 0..10_000 {
            agenda.admit();
        }
        for _ in 0..9_999 {
            agenda.dismiss();
        }
        assert!(agenda.entries.capacity() <= 64, "{}", agenda.entries.capacity());
        assert_is_heap(&agenda);
    }

    #[test]
    fn ticks_keep_their_cadence_however_late_the_driver_is() {
        let (start, ms) = (Instant::now(), Duration::from_millis);
        let next = |late| next_tick(start, ms(10), start + late).map(|at| at - start);
        assert_eq!(next(ms(0)), Some(ms(10)));
        assert_eq!(next(ms(9)), Some(ms(10)));
        assert_eq!(next(ms(10)), Some(ms(20)));
        assert_eq!(next(ms(11)), Some(ms(20)));
        assert_eq!(next(ms(86_400_001)), Some(ms(86_400_010)));
        // Ticks in the past are all of one cadence as well.
        assert_eq!(next_tick(start + ms(7), ms(10), start), Some(start + ms(17)));
        assert_eq!(next_tick(start, Duration::MAX, start), None);
    }

    #[test]
    fn ticker_whose_next_tick_is_beyond_the_clock_stays_armed() {
        let mut agenda = Agenda::default();
        let node = Arc::new(Node::new(0));
        agenda.admit();
        let now = Instant::now();
        assert!(!agenda.arm(&node, Some(now), Duration::MAX));
        assert!(agenda.fire_first(now));
        assert_eq!((node.place(), agenda.first()), (Place::Beyond, None));
        assert_eq!(node.receiver().try_recv(), Ok(now));
        assert!(agenda.disarm(&node));
        assert!(!agenda.disarm(&node));
    }
}
