//! What the pools of timers have in common: how a timer of the right runtime is found.

/// Declares a pool of timers around one made by `pool!`, which looks at the runtime before it
/// takes anything out.
macro_rules! timer_pool {
    ($(#[$attr:meta])* $Pool:ident { $inner:ident -> $Guard:ident }) => {
        $(#[$attr])*
        #[derive(Clone)]
        pub struct $Pool {
            $inner: beneath::$Pool,
        }

        impl $Pool {
            /// Returns an object of this runtime. Objects of others that are met on the way are
            /// dropped: they would fire by another clock, or not at all.
            #[track_caller]
            fn of_this_runtime(
                &self,
                create: impl Fn(Home) -> <beneath::$Pool as Recipe>::Item,
            ) -> $Guard {
                // Panics before anything is taken.
                let home = Home::current();
                loop {
                    let guard = self.$inner.get_with(|| create(home));
                    if guard.home == home {
                        return guard;
                    }
                    $Guard::discard(guard);
                }
            }

            pool_around! { methods: $inner of "timers" }
        }

        pool_around! { traits: $Pool { $inner: beneath::$Pool } }
    };
}
