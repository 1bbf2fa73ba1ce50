//! `Probe`, an object that tells what is done with it, and `Steps`, who is told.

use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bp::Poolable;

/// A moment at which a pool calls code that is not its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The config is checked.
    Check,
    /// An object is made.
    Create,
    /// An object is asked whether it may stay.
    Keep,
    /// An object is asked what it holds.
    Measure,
    /// An object is cleaned.
    Reset,
    /// An object is made ready for a get.
    Get,
    /// An object is dropped.
    Drop,
}

impl Step {
    /// Every step.
    pub const ALL: [Step; 7] =
        [Step::Check, Step::Create, Step::Keep, Step::Measure, Step::Reset, Step::Get, Step::Drop];
}

type Deed = Box<dyn FnOnce() + Send>;

/// The steps of the probes of one test: counted, and able to do what a test asks for.
#[derive(Default)]
pub struct Steps {
    counts: [AtomicUsize; Step::ALL.len()],
    deeds: [Mutex<Option<Deed>>; Step::ALL.len()],
}

impl Steps {
    /// Starts with nothing counted.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Returns how often the step was taken.
    pub fn count(&self, step: Step) -> usize {
        self.counts[step as usize].load(Ordering::SeqCst)
    }

    /// Returns how many probes exist; while threads make and drop some, never more than do.
    pub fn alive(&self) -> usize {
        // Creations first: those that come and go in between would else count as never made.
        let created = self.count(Step::Create);
        created.saturating_sub(self.count(Step::Drop))
    }

    /// Does `deed` when the step is taken next, and only then.
    pub fn once(&self, step: Step, deed: impl FnOnce() + Send + 'static) {
        *self.deed(step) = Some(Box::new(deed));
    }

    /// Returns whether a deed still waits for the step.
    pub fn awaits(&self, step: Step) -> bool {
        self.deed(step).is_some()
    }

    /// Panics when the step is taken next.
    pub fn panic_once(&self, step: Step) {
        self.once(step, move || panic!("{step:?} panics"));
    }

    fn deed(&self, step: Step) -> std::sync::MutexGuard<'_, Option<Deed>> {
        self.deeds[step as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, step: Step) {
        let count = || self.counts[step as usize].fetch_add(1, Ordering::SeqCst);
        // A create that panics makes nothing; every other step counts from its beginning.
        if step != Step::Create {
            count();
        }
        // Taken out first: the deed may well lead to the same step.
        let deed = self.deed(step).take();
        if let Some(deed) = deed {
            deed();
        }
        if step == Step::Create {
            count();
        }
    }
}

impl Debug for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(Step::ALL.map(|step| (step, self.count(step)))).finish()
    }
}

/// An object that tells its [`Steps`] what is done with it.
#[derive(Debug)]
pub struct Probe {
    /// What a user wrote; reset writes 0.
    pub mark: usize,
    /// Whether it may stay.
    pub fit: bool,
    /// Bytes used and held, as it tells them; reset writes 0 used.
    pub bytes: (usize, usize),
    steps: Arc<Steps>,
}

impl Probe {
    /// Makes a probe, as a pool does.
    pub fn new(steps: &Arc<Steps>) -> Self {
        steps.take(Step::Create);
        Probe { mark: 0, fit: true, bytes: (0, 0), steps: Arc::clone(steps) }
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.steps.take(Step::Drop);
    }
}

impl Poolable for Probe {
    type Config = Arc<Steps>;

    fn create(steps: &Arc<Steps>) -> Self {
        Probe::new(steps)
    }

    fn reset(&mut self, steps: &Arc<Steps>) {
        steps.take(Step::Reset);
        self.mark = 0;
        self.bytes.0 = 0;
    }

    fn keep(&self, steps: &Arc<Steps>) -> bool {
        steps.take(Step::Keep);
        self.fit
    }
}

bp::pool! {
    /// A pool of probes, with every step that a pool can have.
    pub struct ProbePool(Probe) -> ProbeRef {
        config: Arc<Steps>,
        check: |steps| {
            steps.take(Step::Check);
            Ok(())
        },
        measure: |probe| {
            probe.steps.take(Step::Measure);
            probe.bytes
        },
        get: |probe| probe.steps.take(Step::Get),
    }
}

/// Makes a pool of probes and what tells of them.
pub fn probes(capacity: usize) -> (ProbePool, Arc<Steps>) {
    let steps = Steps::new();
    (ProbePool::new(capacity, Arc::clone(&steps)), steps)
}
