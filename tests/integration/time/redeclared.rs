//! What the library does, a user can: the pool once more, with names of its own.

use super::{Duration, Ticker, catch_unwind};

bp::pool! {
    /// Tickers, declared outside the library.
    pub struct HeartbeatPool(Ticker) -> HeartbeatRef {
        create: |()| Ticker::unarmed().expect("the driver starts"),
        reset: |ticker, ()| { ticker.stop(); },
        admit: |period: &Duration| assert!(!period.is_zero(), "zero"),
        get: |ticker, period: Duration| ticker.reset(period),
    }
}

#[test]
fn admit_refuses_before_an_object_is_taken() {
    let pool = HeartbeatPool::new(1);
    drop(pool.get(super::SOON));
    let before = pool.stats();
    catch_unwind(|| drop(pool.get(Duration::ZERO))).expect_err("refused");
    assert_eq!((pool.stats(), pool.len()), (before, 1));
    assert!(pool.get(super::SOON).wait().is_some());
}
