//! `Books`, the model: what is idle, what that is like, and what the figures must be.
//!
//! # What a trim takes
//!
//! Which idle objects go is not fixed to the last one by what is documented, as it depends on where
//! each waits: in a shard what was not used since the last trim goes, of the depot as many as were
//! not needed. So the model holds a trim to what is promised in either case:
//!
//! * What has been idle since before the last trim goes, each one of it.
//! * No more goes than were idle at each moment since the last trim.
//!
//! Between the two, which most often are the same, the figures tell how many went, and the
//! register of pieces which.

use std::collections::{BTreeMap, BTreeSet};

use bp::{PoolStats, PutReason};

use super::piece::Terms;
use super::plan::{Class, Plan};
use super::subject::{Kind, Subject};

/// An object that is seen for the first time has been idle since the pool was built: these stand
/// for its place in the books until then, counted down from here.
const NOT_SEEN_YET: usize = usize::MAX;

/// Uses in a row that fill less than a quarter, at which an object goes by use.
const STRIKES: u8 = 5;

/// What there is to know of an object that is not idle.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) who: usize,
    pub(super) held: usize,
    /// Where guards show it, if it was behind one since it was put in its place.
    pub(super) address: Option<usize>,
    pub(super) is_fit: bool,
    pub(super) strikes: u8,
    pub(super) place: Place,
    /// How large the request was that it serves, if it is behind a guard.
    pub(super) asked: usize,
}

impl Known {
    /// An object that was made elsewhere.
    pub(super) fn foreign(who: usize, held: usize) -> Self {
        Known { who, held, address: None, is_fit: true, strikes: 0, place: Place::Own, asked: 0 }
    }
}

/// Where the memory of an object lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the mapping of this class.
    Slot(usize),
    /// Anywhere else. Of a mapped block: in a mapping of its own.
    Own,
    /// In the mapping of another pool.
    Alien,
}

#[derive(Clone, Debug)]
struct Idle {
    known: Known,
    /// Whether the last trim found it here.
    is_old: bool,
}

/// The books of one class.
#[derive(Debug)]
struct Account {
    class: Class,
    stats: PoolStats,
    idle: BTreeMap<usize, Idle>,
    /// The fewest that were idle at a time since the last trim.
    low: usize,
    /// Bytes of a new object, once one was created.
    floor: Option<usize>,
    /// Objects that lie in the mapping of this class, wherever they are.
    slots: usize,
    /// Where they lie, as far as it was seen.
    slots_seen: BTreeSet<usize>,
}

#[derive(Debug)]
pub(super) struct Books {
    kind: Kind,
    is_multi: bool,
    by_use: bool,
    pub(super) is_closed: bool,
    /// In the order of their sizes. In a multi pool the last one is for what is larger than all
    /// others: its capacity is 0, and its size that of each request.
    accounts: Vec<Account>,
}

impl Books {
    pub(super) fn of<S: Subject>(plan: &Plan) -> Self {
        let account = |class| Account {
            class,
            stats: PoolStats::default(),
            idle: BTreeMap::new(),
            low: 0,
            floor: None,
            slots: 0,
            slots_seen: BTreeSet::new(),
        };
        let mut accounts: Vec<_> = plan.classes.iter().copied().map(account).collect();
        if S::MULTI {
            let size = accounts.last().expect("a class").class.size;
            accounts.push(account(Class { capacity: 0, size }));
        }
        let mut books = Books {
            kind: S::KIND,
            is_multi: S::MULTI,
            by_use: plan.by_use,
            is_closed: false,
            accounts,
        };
        for at in 0..plan.classes.len() {
            let preloaded = plan.classes[at].capacity * usize::from(plan.preload) / 4;
            for n in 0..preloaded {
                let known = books.create(at, NOT_SEEN_YET - n);
                books.accounts[at].put_down(known);
            }
            books.accounts[at].stats.preloaded = preloaded;
        }
        books
    }

    // === Where ===

    fn oversize(&self) -> Option<usize> {
        self.is_multi.then(|| self.accounts.len() - 1)
    }

    fn has_idle(&self, at: usize) -> bool {
        !self.accounts[at].idle.is_empty()
    }

    /// Returns the class of a request, and the class that has an idle object for it.
    pub(super) fn route(&self, size: usize) -> (usize, Option<usize>) {
        let Some(oversize) = self.oversize() else {
            return (0, self.has_idle(0).then_some(0));
        };
        let sizes = || self.accounts[..oversize].iter().map(|account| account.class.size);
        let Some(at) = sizes().position(|of| of >= size) else { return (oversize, None) };
        let next = at + 1;
        let lends = next < oversize && sizes().nth(next) <= sizes().nth(at).map(|size| 4 * size);
        let lender = (lends && self.has_idle(next)).then_some(next);
        (at, if self.has_idle(at) { Some(at) } else { lender })
    }

    /// Returns how large what a class creates is.
    pub(super) fn created_size(&self, at: usize, size: usize) -> usize {
        if Some(at) == self.oversize() { size } else { self.accounts[at].class.size }
    }

    pub(super) fn is_oversize(&self, at: usize) -> bool {
        Some(at) == self.oversize()
    }

    /// Returns the class that an item is put into.
    pub(super) fn class_of(&self, held: usize) -> Option<usize> {
        let Some(oversize) = self.oversize() else { return Some(0) };
        self.accounts[..oversize].iter().rposition(|account| account.class.size <= held)
    }

    // === Out ===

    /// An object that its class creates.
    pub(super) fn create(&mut self, at: usize, who: usize) -> Known {
        let held = self.accounts[at].class.size;
        self.accounts[at].floor = Some(held);
        self.create_of(at, who, held)
    }

    /// An object that is created apart from any class, or where one would be.
    pub(super) fn create_of(&mut self, at: usize, who: usize, held: usize) -> Known {
        let mut place = Place::Own;
        let account = &mut self.accounts[at];
        if self.kind == Kind::Maps && account.slots < account.class.capacity {
            place = Place::Slot(at);
            account.slots += 1;
        }
        Known { place, ..Known::foreign(who, held) }
    }

    pub(super) fn missed(&mut self, at: usize) {
        self.accounts[at].stats.misses += 1;
    }

    /// Takes down an idle object, which is the one that was booked under this name, or one that was
    /// not seen yet.
    pub(super) fn hit(&mut self, at: usize, who: usize) -> Known {
        let account = &mut self.accounts[at];
        account.stats.hits += 1;
        let idle = account.idle.remove(&who).or_else(|| account.take_unseen());
        let idle = idle.unwrap_or_else(|| panic!("{who} was not idle"));
        account.low = account.low.min(account.idle.len());
        Known { who, ..idle.known }
    }

    /// Looks where a block lies.
    pub(super) fn locate(&mut self, known: &Known, address: usize) {
        let Place::Slot(of) = known.place else { return };
        let account = &mut self.accounts[of];
        account.slots_seen.insert(address);
        assert!(
            account.slots_seen.len() <= account.class.capacity,
            "more slots than the mapping has"
        );
        let (first, last) = (account.slots_seen.first(), account.slots_seen.last());
        let span = last.zip(first).map_or(0, |(last, first)| last - first);
        let page = 4096;
        assert!(address.is_multiple_of(page), "not at a page");
        let page = if account.slots_seen.iter().all(|at| at.is_multiple_of(1 << 16)) {
            1 << 16
        } else {
            page
        };
        let stride = account.class.size.next_multiple_of(page);
        assert!(span < stride * account.class.capacity, "not in one mapping");
    }

    pub(super) fn stats(&mut self, at: usize) -> &mut PoolStats {
        &mut self.accounts[at].stats
    }

    /// An object that is no more.
    pub(super) fn died(&mut self, known: &Known) {
        if let Place::Slot(of) = known.place {
            self.accounts[of].slots -= 1;
        }
    }

    /// An object that was idle and is no more: the one that is not alive, if that can be told.
    pub(super) fn idle_died(&mut self, at: usize, is_alive: impl Fn(usize) -> bool) {
        let account = &mut self.accounts[at];
        let dead =
            account.idle.keys().copied().find(|&who| who < NOT_SEEN_YET / 2 && !is_alive(who));
        let dead = dead.and_then(|who| account.idle.remove(&who)).or_else(|| account.take_unseen());
        let dead = dead.expect("it was idle");
        account.low = account.low.min(account.idle.len());
        self.died(&dead.known);
    }

    // === In ===

    /// Whether there is room, and if not why.
    pub(super) fn room(&self, at: usize) -> Result<(), PutReason> {
        let account = &self.accounts[at];
        if self.is_closed {
            Err(PutReason::Closed)
        } else if account.idle.len() >= account.class.capacity {
            Err(PutReason::Full)
        } else {
            Ok(())
        }
    }

    /// Whether an object may stay, as far as that has nothing to do with its use.
    pub(super) fn keeps(&self, at: usize, known: &Known) -> Result<(), PutReason> {
        let account = &self.accounts[at];
        let Class { mut size, capacity } = account.class;
        if self.is_oversize(at) {
            // Its pool is made for it.
            size = known.asked;
        }
        let stays = match self.kind {
            Kind::Pieces => known.is_fit && (self.by_use || known.held <= Terms::limit(size)),
            Kind::Bytes => (size..=size.saturating_mul(5).div_ceil(4)).contains(&known.held),
            Kind::Maps => match known.place {
                Place::Slot(of) => of == at,
                Place::Own => known.held == size && account.slots == capacity,
                Place::Alien => false,
            },
        };
        if stays { Ok(()) } else { Err(PutReason::Unfit) }
    }

    /// Whether an object may stay that comes back and was used that much.
    pub(super) fn judge(
        &mut self,
        at: usize,
        known: &mut Known,
        used: usize,
    ) -> Result<(), PutReason> {
        self.keeps(at, known)?;
        if !self.by_use {
            return Ok(());
        }
        known.strikes = if used < known.held / 4 { known.strikes + 1 } else { 0 };
        if known.strikes < STRIKES {
            return Ok(());
        }
        known.strikes = 0;
        let account = &mut self.accounts[at];
        let floor = *account.floor.get_or_insert(account.class.size);
        if known.held <= floor { Ok(()) } else { Err(PutReason::Unfit) }
    }

    /// Whether a class would have to create an object only to know how large one is.
    pub(super) fn lacks_floor(&self, at: usize) -> bool {
        self.by_use && self.accounts[at].floor.is_none()
    }

    pub(super) fn put_down(&mut self, at: usize, known: Known) {
        self.accounts[at].put_down(known);
    }

    /// Books an object that did not come in.
    pub(super) fn discarded(&mut self, at: usize, reason: PutReason) {
        let stats = &mut self.accounts[at].stats;
        *match reason {
            PutReason::Full => &mut stats.discarded_full,
            PutReason::Unfit => &mut stats.discarded_unfit,
            _ => &mut stats.discarded_closed,
        } += 1;
    }

    // === Given back ===

    /// Books a trim by what the figures tell; returns how many went, and whether it is known which.
    pub(super) fn trim(
        &mut self,
        shown: &[PoolStats],
        is_alive: Option<&dyn Fn(usize) -> bool>,
    ) -> (usize, bool) {
        let (mut all, mut is_clear) = (0, true);
        for (at, shown) in shown.iter().enumerate() {
            let account = &mut self.accounts[at];
            let gone = shown.trimmed - account.stats.trimmed;
            let old = account.idle.values().filter(|idle| idle.is_old).count();
            assert!(gone >= old, "{gone} trimmed, but {old} were idle since the last trim");
            assert!(
                gone <= account.low,
                "{gone} trimmed, but only {} were not needed",
                account.low
            );
            account.stats.trimmed += gone;
            all += gone;

            let mut dead = account.take_out(|_, idle| idle.is_old);
            if let Some(is_alive) = is_alive {
                let dies = |who: usize, _: &Idle| who < NOT_SEEN_YET / 2 && !is_alive(who);
                dead.extend(account.take_out(dies));
                while dead.len() < gone {
                    dead.push(account.take_unseen().expect("more went than are known to be dead"));
                }
                assert_eq!(dead.len(), gone, "some of what was idle since the last trim is alive");
            } else if gone == old + account.idle.len() {
                dead.extend(account.take_out(|_, _| true));
            }
            is_clear &= dead.len() == gone;
            account.idle.values_mut().for_each(|idle| idle.is_old = true);
            account.low = account.idle.len() - (gone - dead.len());
            for dead in dead {
                self.died(&dead.known);
            }
        }
        (all, is_clear)
    }

    /// Forgets all that is idle, of which some went already in a trim where it is unknown which.
    pub(super) fn clear(&mut self) -> usize {
        let mut all = 0;
        for at in 0..self.accounts.len() {
            let account = &mut self.accounts[at];
            let n = account.expected_idle();
            account.stats.cleared += n;
            account.low = 0;
            all += n;
            let dead = account.take_out(|_, _| true);
            for dead in dead {
                self.died(&dead.known);
            }
        }
        all
    }

    // === The figures ===

    /// Returns what the figures of each class must be, given how many of its guards exist.
    pub(super) fn figures(&self, in_use: &[usize]) -> Vec<PoolStats> {
        let figures = self.accounts.iter().zip(in_use).map(|(account, &in_use)| {
            let mut stats = account.stats;
            stats.idle = account.idle.len();
            stats.in_use = in_use;
            stats.bytes_idle = account.idle.values().map(|idle| idle.known.held).sum();
            stats
        });
        figures.collect()
    }

    pub(super) fn accounts(&self) -> usize {
        self.accounts.len()
    }

    pub(super) fn capacity(&self, at: usize) -> usize {
        self.accounts[at].class.capacity
    }

    /// Returns who is idle, as far as it was seen, and how many were not seen.
    pub(super) fn idle(&self) -> (Vec<usize>, usize) {
        let all = || self.accounts.iter().flat_map(|account| account.idle.keys().copied());
        let seen: Vec<_> = all().filter(|&who| who < NOT_SEEN_YET / 2).collect();
        let unseen = all().count() - seen.len();
        (seen, unseen)
    }
}

impl Account {
    fn put_down(&mut self, known: Known) {
        let before = self.idle.insert(known.who, Idle { known, is_old: false });
        assert!(before.is_none(), "two of one name");
        assert!(self.idle.len() <= self.class.capacity);
    }

    fn take_unseen(&mut self) -> Option<Idle> {
        let (&who, _) = self.idle.range(NOT_SEEN_YET / 2..).next()?;
        self.idle.remove(&who)
    }

    fn take_out(&mut self, goes: impl Fn(usize, &Idle) -> bool) -> Vec<Idle> {
        let whos: Vec<_> = self.idle.iter().filter(|(who, idle)| goes(**who, idle)).collect();
        let whos: Vec<_> = whos.into_iter().map(|(&who, _)| who).collect();
        whos.iter().filter_map(|who| self.idle.remove(who)).collect()
    }

    /// Returns how many are idle by the figures alone.
    fn expected_idle(&self) -> usize {
        let s = &self.stats;
        s.preloaded + s.put + s.returned - s.hits - s.trimmed - s.cleared
    }
}
