//! The pools of timers and tickers: armed by a get, stopped by a return.

use std::io;
use std::time::Duration;

use super::ticker::check_period;
use super::{Ticker, Timer};
use crate::BuildError;

crate::pool! {
    /// Keeps timers: for a timeout that is armed again with every request.
    ///
    /// [`get`](Self::get) takes the time after which the timer fires, and hands out a [`Timer`]
    /// that is armed with it. Dropping the guard stops the timer. One that fires at that very
    /// moment does not show: what the next user receives is its own.
    ///
    /// A get and a return cost 71 ns and allocate nothing; making a timer costs 261. What is left
    /// is arming and stopping it: see [`Timer`] for when something else is cheaper still.
    ///
    /// # Panics
    ///
    /// `new` panics if this is the first use of timers in the process and the thread that drives
    /// them cannot be started; `builder` returns that as an error.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use bp::TimerPool;
    /// use crossbeam_channel::{select, unbounded};
    ///
    /// let timers = TimerPool::new(64);
    /// let (sender, replies) = unbounded();
    /// sender.send("pong")?;
    ///
    /// let timeout = timers.get(Duration::from_secs(30));
    /// select! {
    ///     recv(replies) -> reply => assert_eq!(reply, Ok("pong")),
    ///     recv(timeout.receiver()) -> _ => panic!("no reply"),
    /// }
    /// drop(timeout); // stopped; the next get arms it again
    /// assert_eq!(timers.len(), 1);
    /// # Ok::<(), crossbeam_channel::SendError<&str>>(())
    /// ```
    pub struct TimerPool(Timer) -> TimerRef {
        check: |()| Timer::unarmed().map(drop).map_err(refused),
        create: |()| Timer::unarmed().expect(RUNNING),
        reset: |timer, ()| { timer.stop(); },
        get: |timer, after: Duration| timer.reset(after),
    }

    /// Keeps tickers: for a heartbeat or a rate that lasts as long as a connection.
    ///
    /// [`get`](Self::get) takes the period, and hands out a [`Ticker`] that runs with it. Dropping
    /// the guard stops the ticker; no tick of before shows to the next user.
    ///
    /// # Panics
    ///
    /// `get` and the others that take a period panic if it is zero, before they take anything from
    /// the pool. `new` panics as that of [`TimerPool`] does.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let tickers = bp::TickerPool::new(64);
    /// let heartbeat = tickers.get(Duration::from_millis(1));
    /// let first = heartbeat.wait();
    /// assert!(heartbeat.wait() > first);
    /// ```
    pub struct TickerPool(Ticker) -> TickerRef {
        check: |()| Ticker::unarmed().map(drop).map_err(refused),
        create: |()| Ticker::unarmed().expect(RUNNING),
        reset: |ticker, ()| { ticker.stop(); },
        admit: check_period,
        get: |ticker, period: Duration| ticker.reset(period),
    }
}

const RUNNING: &str = "the thread runs since the pool was built";

fn refused(error: io::Error) -> BuildError {
    BuildError::new("driver", &error, "a thread that can be started").with_source(error)
}
