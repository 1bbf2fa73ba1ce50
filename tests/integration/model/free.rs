//! The same steps by threads that run at once. What holds in any order is looked at: how many objects
//! there are at every moment, that each is in one place, and in the end every figure that follows
//! from what the threads did.

use std::collections::BTreeSet;
use std::mem;
use std::ops::AddAssign;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, MutexGuard, PoisonError};
use std::thread;

use bp::{AnyPool, PoolStats, PutReason};
use bp_tests::ledger::balance;

use super::crew::{Begun, Crew};
use super::piece::{Census, Moment, Terms, panics_at, unwind_past};
use super::plan::{Deed, Ending, Plan, Step, WORKERS, Way};
use super::subject::{Kind, Subject, made};

/// What all threads see.
struct Scene<S: Subject> {
    plan: Plan,
    census: Arc<Census>,
    guards: Mutex<Vec<Out<S>>>,
    items: Mutex<Vec<S::Item>>,
    /// Who is behind a guard, or an item.
    out: Mutex<BTreeSet<usize>>,
    /// How many objects may have come out so far, counted before they can,
    may_be_out: AtomicUsize,
    /// and how many of those are not out any more, counted when they cannot be.
    not_out: AtomicUsize,
    is_closed: AtomicBool,
    is_done: AtomicBool,
    start: Barrier,
}

struct Out<S: Subject> {
    guard: S::Guard,
    /// Whether the pool keeps it, where that is known.
    is_kept: Option<bool>,
}

/// What a thread did.
#[derive(Debug, Default)]
struct Tally {
    /// Objects that left the pool.
    left: usize,
    /// By value, in one way or the other.
    moved_out: usize,
    /// Guards that ended in order.
    ended: usize,
    /// Of these, those whose object the pool does not keep.
    unfit: usize,
    put: usize,
    discarded: usize,
    lost_to_panics: usize,
    forgotten: usize,
    trimmed: usize,
    cleared: usize,
    /// Whether a count was lost to a panic, or to closing.
    is_vague: bool,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.left += other.left;
        self.moved_out += other.moved_out;
        self.ended += other.ended;
        self.unfit += other.unfit;
        self.put += other.put;
        self.discarded += other.discarded;
        self.lost_to_panics += other.lost_to_panics;
        self.forgotten += other.forgotten;
        self.trimmed += other.trimmed;
        self.cleared += other.cleared;
        self.is_vague |= other.is_vague;
    }
}

/// Lets each thread take its steps, then looks at what came of it.
pub(super) fn run<S: Subject>(crew: &Crew, plan: &Plan, steps: Vec<Step>) {
    let scene = Arc::new(Scene::<S> {
        plan: plan.clone(),
        census: Arc::default(),
        guards: Mutex::default(),
        items: Mutex::default(),
        out: Mutex::default(),
        may_be_out: AtomicUsize::new(0),
        not_out: AtomicUsize::new(0),
        is_closed: AtomicBool::new(false),
        is_done: AtomicBool::new(false),
        start: Barrier::new(WORKERS + 1),
    });
    let pool = S::build(plan, &scene.census);
    let mut shares: [Vec<Step>; WORKERS] = Default::default();
    for step in steps {
        shares[step.worker].push(step);
    }
    let (watched, watching) = (pool.clone(), Arc::clone(&scene));
    let onlooker = crew.begin(WORKERS, move || watching.watch(&watched));
    let mut begun = Vec::new();
    for (worker, steps) in shares.into_iter().enumerate() {
        let scene = Arc::clone(&scene);
        let mut hands = Hands { handles: vec![pool.clone()], tally: Tally::default() };
        begun.push(crew.begin(worker, move || {
            scene.start.wait();
            for step in &steps {
                for _ in 0..step.times {
                    hands.take(&scene, step);
                }
            }
            hands.tally
        }));
    }
    let done: Vec<_> = begun.into_iter().map(Begun::outcome).collect();
    scene.is_done.store(true, Ordering::SeqCst);
    onlooker.end();
    let mut tally = Tally::default();
    for done in done {
        tally += done.unwrap_or_else(|payload| resume_unwind(payload));
    }
    let Ok(scene) = Arc::try_unwrap(scene) else { panic!("all have let go of it") };
    scene.end(pool, &tally);
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: Subject> Scene<S> {
    fn capacity(&self) -> usize {
        self.plan.classes.iter().map(|class| class.capacity).sum()
    }

    // === Meanwhile ===

    /// Looks on until all is done: what is alive is out, or one of as many as may be idle.
    fn watch(&self, pool: &S::Pool) {
        self.start.wait();
        while !self.is_done.load(Ordering::SeqCst) {
            // In this order: what comes out or goes back in between only makes the bound wider.
            let not_out = self.not_out.load(Ordering::SeqCst);
            let alive = self.census.alive();
            let out = self.may_be_out.load(Ordering::SeqCst) - not_out;
            assert!(alive <= self.capacity() + out, "{alive} are alive, {out} may be out");

            assert!(pool.len() <= self.capacity());
            for (class, stats) in self.plan.classes.iter().zip(S::classes(pool)) {
                assert!(stats.idle <= class.capacity, "{stats:?}");
            }
            thread::yield_now();
        }
    }

    fn may_come_out(&self, n: usize) {
        self.may_be_out.fetch_add(n, Ordering::SeqCst);
    }

    fn is_not_out(&self, n: usize) {
        self.not_out.fetch_add(n, Ordering::SeqCst);
    }

    fn came_out(&self, who: usize) {
        assert!(lock(&self.out).insert(who), "{who} is in two hands");
    }

    /// Before the object is let go: another may be in its place at once.
    fn goes_back(&self, who: usize) {
        assert!(lock(&self.out).remove(&who), "{who} was not out");
    }

    fn some_guard(&self, which: usize) -> Option<Out<S>> {
        let mut guards = lock(&self.guards);
        let at = which.checked_rem(guards.len())?;
        Some(guards.swap_remove(at))
    }

    fn some_item(&self, which: usize) -> Option<S::Item> {
        let mut items = lock(&self.items);
        let at = which.checked_rem(items.len())?;
        Some(items.swap_remove(at))
    }

    fn keep_item(&self, item: S::Item) {
        self.came_out(S::who(&item));
        lock(&self.items).push(item);
    }

    /// Whether the pool keeps such an object, where that hangs on nothing else.
    fn is_kept(&self, held: usize, fit: bool) -> Option<bool> {
        let known = S::KIND == Kind::Pieces && !S::MULTI && !self.plan.by_use;
        known.then(|| fit && held <= Terms::limit(self.plan.classes[0].size))
    }

    // === The end ===

    fn end(self, pool: S::Pool, tally: &Tally) {
        let Scene { plan, census, guards, items, .. } = &self;
        let (guards, items) = (mem::take(&mut *lock(guards)), mem::take(&mut *lock(items)));
        let stats = pool.stats();
        let classes = S::classes(&pool);
        classes.iter().chain([&stats]).for_each(balance);
        let discarded = stats.discarded_full + stats.discarded_unfit + stats.discarded_closed;
        assert_eq!(stats.hits + stats.misses, tally.left, "{stats:?}");
        assert_eq!(stats.taken + stats.detached, tally.moved_out, "{stats:?}");
        assert_eq!(stats.returned + discarded, tally.ended, "{stats:?}");
        assert_eq!(stats.put, tally.put, "{stats:?}");
        assert_eq!(stats.discarded_by_user, tally.discarded, "{stats:?}");
        assert_eq!(stats.discarded_panic, tally.lost_to_panics, "{stats:?}");
        assert_eq!(stats.in_use, guards.len() + tally.forgotten, "{stats:?}");
        if self.is_kept(0, true).is_some() {
            assert_eq!(stats.discarded_unfit, tally.unfit, "{stats:?}");
        }
        if !tally.is_vague {
            assert_eq!((stats.trimmed, stats.cleared), (tally.trimmed, tally.cleared), "{stats:?}");
        }
        if self.is_closed.load(Ordering::SeqCst) {
            assert_eq!((stats.idle, pool.len()), (0, 0));
        }
        let out = guards.len() + items.len() + tally.forgotten;
        if S::KIND == Kind::Pieces {
            assert_eq!(census.alive(), stats.idle + out, "{stats:?}");
        }

        // With nobody in the way all that is idle is found, and fits where it was.
        let mut found = Vec::new();
        for class in &plan.classes {
            found.extend(std::iter::from_fn(|| S::try_get(&pool, class.size)));
        }
        assert_eq!((found.len(), pool.len()), (stats.idle, 0));
        for guard in &found {
            self.came_out(S::see(guard).who);
        }
        let left = pool.stats();
        assert_eq!(left, stats_after_draining(&stats), "left: shown");

        if guards.len() % 2 == 0 {
            drop(guards);
            drop(found);
            balance(&pool.stats());
            assert_eq!(pool.stats().in_use, tally.forgotten);
            drop(pool);
        } else {
            drop(pool);
            drop(found);
            drop(guards);
        }
        drop(items);
        if S::KIND == Kind::Pieces {
            assert_eq!(census.alive(), tally.forgotten);
            if tally.forgotten == 0 {
                assert_eq!(Arc::strong_count(census), 1, "a store is left");
            }
        }
    }
}

fn stats_after_draining(stats: &PoolStats) -> PoolStats {
    let mut after = *stats;
    after.hits += stats.idle;
    after.in_use += stats.idle;
    (after.idle, after.bytes_idle) = (0, 0);
    after
}

/// What one thread has.
struct Hands<S: Subject> {
    handles: Vec<S::Pool>,
    tally: Tally,
}

impl<S: Subject> Hands<S> {
    fn take(&mut self, scene: &Scene<S>, step: &Step) {
        let panics = step.panics;
        match step.deed {
            Deed::Get(way, size) => self.get(scene, way, size, panics),
            Deed::Write { guard, used, held, fit } => {
                if let Some(mut out) = scene.some_guard(guard) {
                    S::write(&mut out.guard, used, held, fit);
                    out.is_kept = scene.is_kept(held, fit);
                    lock(&scene.guards).push(out);
                }
            }
            Deed::End(ending, which) => {
                if let Some(out) = scene.some_guard(which) {
                    // A pool that retains by use may have to create an object to compare with.
                    scene.may_come_out(1);
                    self.end_guard(scene, ending, out, panics);
                    scene.is_not_out(1);
                }
            }
            Deed::Put(which) => {
                if let Some(item) = scene.some_item(which) {
                    self.put(scene, item, panics);
                }
            }
            Deed::PutForeign { held, fit } => {
                scene.may_come_out(1);
                let item = S::foreign(&scene.census, held, fit);
                // Of those without memory all are at the same place.
                if held == 0 && S::KIND == Kind::Bytes {
                    drop(item);
                    return scene.is_not_out(1);
                }
                scene.came_out(S::who(&item));
                self.put(scene, item, panics);
            }
            Deed::DropItem(which) => {
                if let Some(item) = scene.some_item(which) {
                    scene.goes_back(S::who(&item));
                    drop(item);
                    scene.is_not_out(1);
                }
            }
            Deed::Trim => {
                let trimmed = self.empty(scene, panics, AnyPool::trim);
                self.tally.trimmed += trimmed;
            }
            Deed::Clear => {
                let cleared = self.empty(scene, panics, AnyPool::clear);
                self.tally.cleared += cleared;
            }
            Deed::Close => {
                if !self.handles.is_empty() {
                    self.tally.is_vague = true;
                    self.empty(scene, panics, |pool| {
                        S::close(pool);
                        0
                    });
                    scene.is_closed.store(true, Ordering::SeqCst);
                }
            }
            Deed::Use { size, uses } => self.use_often(scene, size, uses),
            // Not while all of them run.
            Deed::ReplaceThread => {}
            Deed::CloneHandle => self.handles.extend(self.handles.first().cloned()),
            Deed::DropHandle { even_the_last } => {
                if self.handles.len() > 1 || even_the_last {
                    self.handles.pop();
                }
            }
        }
    }

    fn get(&mut self, scene: &Scene<S>, way: Way, size: usize, panics: Option<Moment>) {
        let Some(pool) = self.handles.last() else { return };
        scene.may_come_out(1);
        let was_closed = scene.is_closed.load(Ordering::SeqCst);
        let is_scant = way == Way::GetWith { scant: true };
        let make = |of| made::<S>(&scene.census, if is_scant { size.max(1) } else { of });
        let got = panics_at(panics, || match way {
            Way::Get => Some(S::get(pool, size)),
            Way::TryGet => S::try_get(pool, size),
            Way::GetWith { .. } => Some(S::get_with(pool, size, make)),
            Way::Refused => S::refused(pool, size),
            Way::Take => {
                scene.keep_item(S::take(pool, size));
                None
            }
        });
        match got {
            Ok(Some(guard)) => {
                assert!(
                    !was_closed || !matches!(way, Way::TryGet | Way::Refused),
                    "idle, though closed"
                );
                let seen = S::see(&guard);
                scene.came_out(seen.who);
                assert!(seen.is_blank, "not blank: {seen:?}");
                assert!(!scene.plan.wipes || S::is_zero(&guard), "another user's bytes");
                assert!(!S::MULTI || seen.len == size, "not of the length {size}: {seen:?}");
                self.tally.left += 1;
                let is_kept = scene.is_kept(seen.held, true);
                lock(&scene.guards).push(Out { guard, is_kept });
            }
            Ok(None) if way == Way::Take => {
                self.tally.left += 1;
                self.tally.moved_out += 1;
            }
            Err(Moment::Fit) => {
                self.tally.left += 1;
                *if way == Way::Take {
                    &mut self.tally.moved_out
                } else {
                    &mut self.tally.lost_to_panics
                } += 1;
                scene.is_not_out(1);
            }
            Ok(None) | Err(_) => scene.is_not_out(1),
        }
    }

    fn use_often(&mut self, scene: &Scene<S>, size: usize, uses: usize) {
        let Some(pool) = self.handles.last() else { return };
        // One in use, one to compare with.
        scene.may_come_out(2);
        for _ in 0..uses {
            let guard = S::get(pool, size);
            let seen = S::see(&guard);
            assert!(seen.is_blank, "not blank: {seen:?}");
            scene.came_out(seen.who);
            scene.goes_back(seen.who);
            drop(guard);
        }
        scene.is_not_out(2);
        self.tally.left += uses;
        self.tally.ended += uses;
    }

    fn end_guard(&mut self, scene: &Scene<S>, ending: Ending, out: Out<S>, panics: Option<Moment>) {
        let Out { guard, is_kept } = out;
        let was_closed = scene.is_closed.load(Ordering::SeqCst);
        // What a pool that retains by use creates to compare with must not be what panics.
        let own = |moment: &Moment| matches!(moment, Moment::Create | Moment::Drop);
        let panics = panics.filter(|moment| !(scene.plan.by_use && own(moment)));
        if ending != Ending::Forget {
            scene.goes_back(S::see(&guard).who);
        }
        let tally = &mut self.tally;
        match ending {
            Ending::Drop => {
                match panics_at(panics, || drop(guard)) {
                    Ok(()) | Err(Moment::Dispose | Moment::Drop) => {
                        tally.ended += 1;
                        tally.unfit += usize::from(is_kept == Some(false));
                    }
                    Err(_) => tally.lost_to_panics += 1,
                }
                scene.is_not_out(1);
            }
            Ending::Release => match panics_at(panics, || S::release(guard)) {
                Ok(Ok(())) => {
                    assert!(!was_closed && is_kept != Some(false));
                    tally.ended += 1;
                    scene.is_not_out(1);
                }
                Ok(Err(error)) => {
                    let is_unfit = error.reason == PutReason::Unfit;
                    assert!(!was_closed || error.reason == PutReason::Closed);
                    assert!(!is_unfit || is_kept != Some(true));
                    tally.ended += 1;
                    tally.unfit += usize::from(is_unfit);
                    scene.keep_item(error.into_item());
                }
                Err(_) => {
                    tally.lost_to_panics += 1;
                    scene.is_not_out(1);
                }
            },
            Ending::Discard => {
                // The object is gone, with a panic and without.
                let _ = panics_at(panics, || S::discard(guard));
                tally.discarded += 1;
                scene.is_not_out(1);
            }
            Ending::Detach => {
                scene.keep_item(S::detach(guard));
                tally.moved_out += 1;
            }
            Ending::Unwind => {
                unwind_past(guard);
                tally.lost_to_panics += 1;
                scene.is_not_out(1);
            }
            Ending::Forget => {
                mem::forget(guard);
                tally.forgotten += 1;
            }
        }
    }

    /// Puts an item that is out.
    fn put(&mut self, scene: &Scene<S>, item: S::Item, panics: Option<Moment>) {
        let Some(pool) = self.handles.last() else { return lock(&scene.items).push(item) };
        let was_closed = scene.is_closed.load(Ordering::SeqCst);
        scene.goes_back(S::who(&item));
        match panics_at(panics, || S::put(pool, item)) {
            Ok(Ok(())) => {
                assert!(!was_closed, "stored, though closed");
                self.tally.put += 1;
                scene.is_not_out(1);
            }
            Ok(Err(error)) => scene.keep_item(error.into_item()),
            Err(_) => scene.is_not_out(1),
        }
    }

    /// Lets go of idle objects, and returns how many.
    fn empty(
        &mut self,
        scene: &Scene<S>,
        panics: Option<Moment>,
        empty: impl FnOnce(&S::Pool) -> usize,
    ) -> usize {
        let Some(pool) = self.handles.last() else { return 0 };
        // What goes is not idle any more, and not dropped yet.
        scene.may_come_out(scene.capacity());
        let done = panics_at(panics, || empty(pool));
        scene.is_not_out(scene.capacity());
        self.tally.is_vague |= done.is_err();
        done.unwrap_or(0)
    }
}
