//! The rows that timers and tickers share: their pools differ in name only.

/// Writes `rows`, which adds the rows of one way to use them.
macro_rules! armed_rows {
    ($Pool:ident, $Armed:ident, $crossbeam:ident) => {
        thread_local! {
            static IDLE: RefCell<Vec<$Armed>> = const { RefCell::new(Vec::new()) };
        }

        /// Adds the rows for one duration, where each receiver is used as `waits` says.
        fn rows(
            table: &mut Table,
            what: &'static str,
            duration: Duration,
            waits: fn(&Receiver<Instant>),
        ) {
            let pool = $Pool::new(WORKERS);
            table.row("bp guard", what, || waits(pool.get(duration).receiver()));

            let pool = $Pool::new(WORKERS);
            table.row("bp take/put", what, || {
                let armed = pool.take(duration);
                waits(armed.receiver());
                drop(pool.put(armed));
            });

            table.row("default", what, || waits($Armed::new(duration).receiver()));
            table.row(concat!("default, crossbeam's `", stringify!($crossbeam), "`"), what, || {
                waits(&$crossbeam(duration))
            });

            let idle = PerThread::new(&IDLE, || $Armed::new(duration));
            table.row("thread-local", what, || {
                idle.with(|armed| {
                    armed.reset(duration);
                    waits(armed.receiver());
                    armed.stop();
                });
            });
        }
    };
}
