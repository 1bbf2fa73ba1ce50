//! Steps of several threads, one after another, each held against the books.

use std::collections::BTreeSet;
use std::mem;
use std::sync::Arc;

use bp::{AnyPool, PoolStats, PutReason};
use bp_tests::ledger::balance;

use super::books::{Books, Known, Place};
use super::crew::Crew;
use super::piece::{Census, Moment, panics_at, unwind_past};
use super::plan::{Deed, Ending, Plan, Step, Way};
use super::subject::{self, Kind, Subject};

/// A pool, all that is out of it, and the books.
struct World<S: Subject> {
    plan: Plan,
    books: Books,
    census: Arc<Census>,
    handles: Vec<S::Pool>,
    guards: Vec<Out<S>>,
    items: Vec<(S::Item, Known)>,
    forgotten: Vec<(Known, usize)>,
}

/// A guard and the class that it is of.
struct Out<S: Subject> {
    guard: S::Guard,
    known: Known,
    class: usize,
}

/// Takes all steps, each on its thread, then lets everything go.
pub(super) fn run<S: Subject>(crew: &Crew, plan: &Plan, steps: Vec<Step>) {
    let census = Arc::default();
    let mut world = World::<S> {
        plan: plan.clone(),
        books: Books::of::<S>(plan),
        handles: vec![S::build(plan, &census)],
        census,
        guards: Vec::new(),
        items: Vec::new(),
        forgotten: Vec::new(),
    };
    world.compare();
    for step in steps {
        if let Deed::ReplaceThread = step.deed {
            crew.replace(step.worker);
            continue;
        }
        world = crew.on(step.worker, move || {
            for _ in 0..step.times {
                world.take(&step);
                world.compare();
            }
            world
        });
    }
    crew.on(0, move || world.end());
}

impl<S: Subject> World<S> {
    fn take(&mut self, step: &Step) {
        let panics = step.panics;
        match step.deed {
            Deed::Get(way, size) => self.get(way, size, panics),
            Deed::Write { guard, used, held, fit } => {
                let Some(at) = guard.checked_rem(self.guards.len()) else { return };
                let out = &mut self.guards[at];
                S::write(&mut out.guard, used, held, fit);
                if S::KIND == Kind::Pieces {
                    (out.known.held, out.known.is_fit) = (held, fit);
                }
            }
            Deed::End(ending, which) => {
                if let Some(at) = which.checked_rem(self.guards.len()) {
                    let out = self.guards.swap_remove(at);
                    self.end_guard(ending, out, panics);
                }
            }
            Deed::Put(which) => {
                if let Some(at) = which.checked_rem(self.items.len()) {
                    let (item, known) = self.items.swap_remove(at);
                    self.put(item, known, panics);
                }
            }
            Deed::PutForeign { held, fit } => {
                if !self.handles.is_empty() {
                    let item = S::foreign(&self.census, held, fit);
                    let mut known = Known::foreign(S::who(&item), S::held(&item));
                    if !fit {
                        (known.is_fit, known.place) = (false, Place::Alien);
                    }
                    self.put(item, known, panics);
                }
            }
            Deed::DropItem(which) => {
                if let Some(at) = which.checked_rem(self.items.len()) {
                    let (item, known) = self.items.swap_remove(at);
                    drop(item);
                    self.books.died(&known);
                }
            }
            Deed::Trim => self.trim(panics),
            Deed::Clear => self.empty(panics, |pool| _ = pool.clear(), false),
            Deed::Close => self.empty(panics, S::close, true),
            Deed::Use { size, uses } => self.use_often(size, uses),
            Deed::ReplaceThread => unreachable!("not a step of a thread"),
            Deed::CloneHandle => self.handles.extend(self.handles.first().cloned()),
            Deed::DropHandle { even_the_last } => {
                if self.handles.len() > 1 {
                    self.handles.pop();
                } else if even_the_last {
                    self.drop_last_handle(panics);
                }
            }
        }
    }

    fn pool(&self, by: usize) -> Option<&S::Pool> {
        self.handles.get(by.checked_rem(self.handles.len())?)
    }

    // === Out ===

    fn get(&mut self, way: Way, size: usize, panics: Option<Moment>) {
        let Some(pool) = self.pool(size).cloned() else { return };
        let (at, idle_in) = self.books.route(size);
        let asked_for = self.books.created_size(at, size);
        let made = if way == (Way::GetWith { scant: true }) { size.max(1) } else { asked_for };
        let route = Route { way, at, idle_in, made };
        let census = &self.census;
        let closure = |of| {
            assert_eq!(of, asked_for, "what the closure is asked for");
            subject::made::<S>(census, made)
        };
        let got: Result<Option<Got<S>>, _> = panics_at(panics, || match way {
            Way::Get => Some(Got::Guard(S::get(&pool, size))),
            Way::TryGet => S::try_get(&pool, size).map(Got::Guard),
            Way::GetWith { .. } => Some(Got::Guard(S::get_with(&pool, size, closure))),
            Way::Refused => S::refused(&pool, size).map(Got::Guard),
            Way::Take => Some(Got::Item(S::take(&pool, size))),
        });
        match got {
            Ok(Some(Got::Guard(guard))) => {
                let seen = S::see(&guard);
                let mut known = self.leaves(&route, seen.who);
                if let Some(address) = known.address {
                    assert_eq!(seen.address, address, "{} has moved", seen.who);
                }
                known.address = Some(seen.address);
                known.asked = size;
                if S::MULTI {
                    assert_eq!(seen.len, size, "length");
                    known.held = known.held.max(size);
                } else if S::KIND == Kind::Maps {
                    assert_eq!(seen.len, known.held, "length");
                }
                let shows_held = S::KIND == Kind::Pieces;
                assert!(seen.held == known.held || !shows_held && seen.held < known.held);
                assert!(seen.is_blank, "not blank: {seen:?}");
                assert!(!self.plan.wipes || S::is_zero(&guard), "another user's bytes");
                if S::KIND == Kind::Maps {
                    self.books.locate(&known, seen.address);
                }
                self.guards.push(Out { guard, known, class: route.class() });
            }
            Ok(Some(Got::Item(item))) => {
                let mut known = self.leaves(&route, S::who(&item));
                if S::MULTI {
                    known.held = known.held.max(size);
                }
                *self.moved_out(&route) += 1;
                self.came_out(item, known);
            }
            Ok(None) => assert_eq!(idle_in, None, "nothing found"),
            // What is created is measured where objects stay by their use.
            Err(Moment::Create | Moment::Closure | Moment::Measure) => {
                assert_eq!(idle_in, None, "created in vain");
            }
            // It is gone, wherever it was on its way to.
            Err(Moment::Fit) => {
                if let Some(class) = idle_in {
                    self.books.stats(class).hits += 1;
                    self.books.idle_died(class, |who| self.census.is_alive(who));
                } else {
                    let newborn = self.leaves(&route, 0);
                    self.books.died(&newborn);
                }
                if way == Way::Take {
                    *self.moved_out(&route) += 1;
                } else {
                    self.books.stats(route.class()).discarded_panic += 1;
                }
            }
            Err(moment) => panic!("a get comes to {moment:?}"),
        }
    }

    /// Books an object that leaves the pool, or is created for that.
    fn leaves(&mut self, route: &Route, who: usize) -> Known {
        let &Route { way, at, idle_in, made } = route;
        if let Some(class) = idle_in {
            return self.books.hit(class, who);
        }
        self.books.missed(at);
        match way {
            // What is larger than all classes is created apart.
            _ if self.books.is_oversize(at) => self.books.create_of(at, who, made),
            Way::GetWith { .. } => Known::foreign(who, made),
            _ => self.books.create(at, who),
        }
    }

    /// The figure of what leaves by value.
    fn moved_out(&mut self, route: &Route) -> &mut usize {
        &mut self.books.stats(route.class()).taken
    }

    /// After a return, a thread that is alone is given the same object again.
    fn use_often(&mut self, size: usize, uses: usize) {
        let mut last = None;
        for _ in 0..uses {
            let before = self.guards.len();
            self.get(Way::Get, size, None);
            if self.guards.len() == before {
                return;
            }
            let out = self.guards.pop().expect("just got");
            let who = out.known.who;
            if let Some(last) = last {
                assert_eq!(who, last, "not what was returned last");
            }
            let class = out.class;
            let returned = self.books.stats(class).returned;
            self.end_guard(Ending::Drop, out, None);
            last = (self.books.stats(class).returned > returned).then_some(who);
        }
    }

    // === In ===

    fn end_guard(&mut self, ending: Ending, out: Out<S>, panics: Option<Moment>) {
        let Out { guard, mut known, class } = out;
        let used = S::see(&guard).used;
        // There the pool would drop one of its own, which is not what is meant to panic.
        let panics = panics.filter(|_| !self.books.lacks_floor(class));
        let room = self.books.room(class);
        match ending {
            Ending::Drop => {
                let done = panics_at(panics, || drop(guard));
                if let Err(Moment::Keep | Moment::Measure | Moment::Reset) = done {
                    self.books.stats(class).discarded_panic += 1;
                    return self.books.died(&known);
                }
                match self.books.judge(class, &mut known, used).and(room) {
                    Ok(()) => {
                        assert_eq!(done, Ok(()), "a return");
                        self.books.stats(class).returned += 1;
                        self.books.put_down(class, known);
                    }
                    Err(reason) => {
                        self.books.discarded(class, reason);
                        self.books.died(&known);
                    }
                }
            }
            Ending::Release => match panics_at(panics, || S::release(guard)) {
                Err(Moment::Keep | Moment::Measure | Moment::Reset) => {
                    assert_eq!(room, Ok(()), "asked although there is no room");
                    self.books.stats(class).discarded_panic += 1;
                    self.books.died(&known);
                }
                Err(moment) => panic!("a release comes to {moment:?}"),
                Ok(released) => {
                    let expected = room.and_then(|()| self.books.judge(class, &mut known, used));
                    assert_eq!(released.as_ref().map_err(|error| error.reason).copied(), expected);
                    match released {
                        Ok(()) => {
                            self.books.stats(class).returned += 1;
                            self.books.put_down(class, known);
                        }
                        Err(error) => {
                            self.books.discarded(class, error.reason);
                            self.came_out(error.into_item(), known);
                        }
                    }
                }
            },
            Ending::Discard => {
                let done = panics_at(panics, || S::discard(guard));
                assert!(matches!(done, Ok(()) | Err(Moment::Dispose | Moment::Drop)), "{done:?}");
                self.books.stats(class).discarded_by_user += 1;
                self.books.died(&known);
            }
            Ending::Detach => {
                let item = panics_at(panics, || S::detach(guard)).expect("runs nothing");
                self.books.stats(class).detached += 1;
                self.came_out(item, known);
            }
            Ending::Unwind => {
                unwind_past(guard);
                self.books.stats(class).discarded_panic += 1;
                self.books.died(&known);
            }
            Ending::Forget => {
                mem::forget(guard);
                self.forgotten.push((known, class));
            }
        }
    }

    /// Keeps an item. Where it lay, and how well it was used there, does not go with it.
    fn came_out(&mut self, item: S::Item, mut known: Known) {
        assert_eq!((S::who(&item), S::held(&item)), (known.who, known.held), "another one");
        (known.address, known.strikes) = (None, 0);
        self.items.push((item, known));
    }

    fn put(&mut self, item: S::Item, mut known: Known, panics: Option<Moment>) {
        let Some(pool) = self.pool(known.held).cloned() else {
            self.items.push((item, known));
            return;
        };
        let class = self.books.class_of(known.held);
        let room = class.map_or(Err(PutReason::Unfit), |class| self.books.room(class));
        let expected = room.and_then(|()| self.books.keeps(class.expect("has room"), &known));
        match panics_at(panics, || S::put(&pool, item)) {
            Err(Moment::Keep | Moment::Measure | Moment::Reset) => {
                assert_eq!(room, Ok(()), "asked although there is no room");
                self.books.died(&known);
            }
            Err(moment) => panic!("a put comes to {moment:?}"),
            Ok(done) => {
                assert_eq!(done.as_ref().map_err(|error| error.reason).copied(), expected);
                match done {
                    Ok(()) => {
                        let class = class.expect("it was stored");
                        self.books.stats(class).put += 1;
                        known.is_fit = true;
                        self.books.put_down(class, known);
                    }
                    // Of those without memory all are at the same place.
                    Err(error) if known.held == 0 => {
                        drop(error);
                        self.books.died(&known);
                    }
                    Err(error) => self.came_out(error.into_item(), known),
                }
            }
        }
    }

    // === Given back ===

    fn trim(&mut self, panics: Option<Moment>) {
        let Some(pool) = self.pool(0).cloned() else { return };
        let done = panics_at(panics, || pool.trim());
        let is_alive = |who| self.census.is_alive(who);
        let is_alive: Option<&dyn Fn(_) -> _> =
            if S::KIND == Kind::Pieces { Some(&is_alive) } else { None };
        let (all, is_clear) = self.books.trim(&Self::figures(&pool), is_alive);
        if let Ok(n) = done {
            assert_eq!(n, all, "trimmed");
        }
        if !is_clear {
            // It is not known which went, so the others go too.
            assert_eq!(pool.clear(), self.books.clear());
        }
    }

    /// Lets go of everything that is idle.
    fn empty(&mut self, panics: Option<Moment>, empty: impl FnOnce(&S::Pool), closes: bool) {
        let Some(pool) = self.pool(0).cloned() else { return };
        let done = panics_at(panics, || empty(&pool));
        assert!(matches!(done, Ok(()) | Err(Moment::Dispose | Moment::Drop)), "{done:?}");
        self.books.clear();
        self.books.is_closed |= closes;
    }

    fn drop_last_handle(&mut self, panics: Option<Moment>) {
        if let Some(last) = self.handles.pop() {
            assert!(self.handles.is_empty());
            let done = panics_at(panics, || drop(last));
            assert!(matches!(done, Ok(()) | Err(Moment::Dispose | Moment::Drop)), "{done:?}");
            self.books.clear();
            self.books.is_closed = true;
        }
    }

    // === The books ===

    /// The figures of each class, and of what is larger than all of them.
    fn figures(pool: &S::Pool) -> Vec<PoolStats> {
        let mut figures = S::classes(pool);
        if S::MULTI {
            let all = pool.stats();
            let among: PoolStats = figures.iter().copied().sum();
            figures.push(less(&all, &among));
        }
        figures
    }

    /// Compares the figures, and who is alive.
    fn compare(&self) {
        let mut in_use = vec![0; self.books.accounts()];
        let behind_guards = self.guards.iter().map(|out| out.class);
        for class in behind_guards.chain(self.forgotten.iter().map(|&(_, class)| class)) {
            in_use[class] += 1;
        }
        if let Some(pool) = self.handles.first() {
            let shown = Self::figures(pool);
            let expected = self.books.figures(&in_use);
            for (at, (shown, expected)) in shown.iter().zip(&expected).enumerate() {
                assert_eq!(shown, expected, "class {at}, left: shown, right: booked");
                balance(shown);
                assert!(shown.idle <= self.books.capacity(at), "{shown:?}");
            }
            let idle: usize = expected.iter().map(|stats| stats.idle).sum();
            assert_eq!((pool.len(), pool.is_empty()), (idle, idle == 0));
        }

        let (idle, unseen) = self.books.idle();
        let out = self.guards.iter().map(|out| out.known.who);
        let items = self.items.iter().map(|(_, known)| known.who);
        let forgotten = self.forgotten.iter().map(|(known, _)| known.who);
        let all: Vec<_> = idle.into_iter().chain(out).chain(items).chain(forgotten).collect();
        assert_eq!(
            all.iter().collect::<BTreeSet<_>>().len(),
            all.len(),
            "one in two places: {all:?}"
        );
        if S::KIND == Kind::Pieces {
            assert!(all.iter().all(|&who| self.census.is_alive(who)), "one is gone");
            assert_eq!(self.census.alive(), all.len() + unseen, "as many as there are");
        }
    }

    /// Lets everything go: the handles first where few guards are left, else the guards.
    fn end(mut self) {
        if self.guards.len().is_multiple_of(2) {
            self.handles.truncate(1);
            self.drop_last_handle(None);
            self.compare();
        }
        while let Some(out) = self.guards.pop() {
            self.end_guard(Ending::Drop, out, None);
            self.compare();
        }
        self.items.drain(..).for_each(|(_, known)| self.books.died(&known));
        self.compare();
        self.handles.truncate(1);
        self.drop_last_handle(None);
        self.compare();
        if S::KIND == Kind::Pieces {
            assert_eq!(self.census.alive(), self.forgotten.len());
            // Its own, one for each of the forgotten, and one for the store that these keep.
            let stores: BTreeSet<_> = self.forgotten.iter().map(|&(_, class)| class).collect();
            let kept = self.forgotten.len() + stores.len();
            assert_eq!(Arc::strong_count(&self.census), 1 + kept, "a store is left");
        }
    }
}

/// What a get must come to.
struct Route {
    way: Way,
    /// The class that the request is for.
    at: usize,
    /// The class that has an idle object for it.
    idle_in: Option<usize>,
    /// How much an object holds that is made for it.
    made: usize,
}

impl Route {
    /// The class that the object is of.
    fn class(&self) -> usize {
        self.idle_in.unwrap_or(self.at)
    }
}

enum Got<S: Subject> {
    Guard(S::Guard),
    Item(S::Item),
}

/// What one pool shows of the figures of two.
fn less(all: &PoolStats, among: &PoolStats) -> PoolStats {
    let mut left = *all;
    left.hits -= among.hits;
    left.misses -= among.misses;
    left.preloaded -= among.preloaded;
    left.put -= among.put;
    left.returned -= among.returned;
    left.discarded_full -= among.discarded_full;
    left.discarded_unfit -= among.discarded_unfit;
    left.discarded_panic -= among.discarded_panic;
    left.discarded_closed -= among.discarded_closed;
    left.discarded_by_user -= among.discarded_by_user;
    left.taken -= among.taken;
    left.detached -= among.detached;
    left.trimmed -= among.trimmed;
    left.cleared -= among.cleared;
    left.idle -= among.idle;
    left.in_use -= among.in_use;
    left.bytes_idle -= among.bytes_idle;
    left
}
