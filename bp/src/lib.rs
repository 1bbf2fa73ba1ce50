//! Bounded, typed object pools: keep what a service makes over and over, hand it out behind a
//! guard, take it back clean.
//!
//! ```
//! use bp::Poolable;
//!
//! #[derive(Poolable)]
//! #[pool(name = RequestPool, guard = RequestRef)]
//! pub struct Request {
//!     path: String,
//!     body: Vec<u8>,
//! }
//!
//! let pool = RequestPool::new(1000); // keeps at most 1000 idle requests
//! let mut request = pool.get(); // an idle one, or a new one
//! request.path.push_str("/index.html");
//! drop(request); // cleaned, and idle again
//! assert_eq!(pool.get().path, "");
//! ```
//!
//! # Choose a pool
//!
//! | for | take |
//! |---|---|
//! | reading into a slice of one size | [`BytePool`]; of many sizes [`MultiBytePool`] |
//! | building a message, collecting a body | [`BufferPool`], [`MultiBufferPool`] |
//! | `BufRead` and buffered writing, stream after stream | [`BufioReaderPool`], [`BufioWriterPool`] |
//! | copying a stream, reading all of it | [`copy`], [`read_all`], [`CopyIoPool`] |
//! | memory apart from the heap, page-aligned | `MmapBytePool` (feature `mmap`) |
//! | a parser that lets its caller choose the memory | [`ByteSource`] |
//! | timeouts that are re-armed, tickers | `TimerPool`, `TickerPool` (feature `timer`) |
//! | drawing, decoding, video frames | `ImageRgbaPool` and its kin, `ImageYCbCrPool` (feature `image`) |
//! | a struct of your own | [`#[derive(Poolable)]`](derive@Poolable), with `name` and `guard` |
//! | somebody else's type | [`pool!`] with its steps written out |
//! | several sizes of any of these | [`multi_pool!`] |
//! | one pool for the whole process | [`pool!`] with `static` |
//!
//! # What all pools have in common
//!
//! A pool keeps at most its *capacity* of idle objects; how many are in use is not limited.
//! [`get`](Pool::get) does not wait for an object: when nothing is idle, it creates one. Cloning a
//! pool clones the handle. When the last handle goes, the pool closes.
//!
//! An object that is reused went through the pool's `reset`. Buffers come empty. Byte blocks,
//! mappings and images show what their last user left, unless the builder says
//! [`on_return(OnReturn::Zero)`](OnReturn), and a [`pool!`] without `reset` cleans nothing.
//!
//! The guard is one pointer wide and `'static`: it may be stored, sent to another thread and
//! dropped there, and may outlive the pool. That of a buffered reader or writer holds the stream as
//! well, and is `'static` only if the stream is.
//!
//! The guard derefs to the object: `*guard` and `&mut guard` go where `Object` and `&mut Object`
//! are wanted. What belongs to the guard itself is an associated function of its own type, so that
//! it never hides a method of the object:
//!
//! ```
//! use bp::{BufferPool, BufferRef};
//!
//! let pool = BufferPool::new(8, 1024);
//! let mut buffer = pool.get();
//! buffer.extend_from_slice(b"kept");
//! let bytes: Vec<u8> = BufferRef::detach(buffer); // leaves the pool for good
//! assert_eq!(bytes, b"kept");
//!
//! BufferRef::discard(pool.get()); // dropped instead of returned
//! assert!(BufferRef::release(pool.get()).is_ok()); // as `drop`, and tells what became of it
//! assert_eq!(pool.len(), 1);
//! ```
//!
//! # Pool your own type
//!
//! The lifecycle of an object has three steps: **create** it when nothing is idle, ask whether to
//! **keep** it when it comes back, **reset** it if so. No step runs under a lock, so any of them may
//! use the same pool, and a step that panics costs one object and nothing else.
//!
//! [`#[derive(Poolable)]`](derive@Poolable) writes the steps of a struct field by field: a field is
//! made by [`Default`] and blanked by [`Clear`], unless it says something else. What all objects of
//! a pool share is their *config*, in scope in every expression:
//!
//! ```
//! use bp::Poolable;
//!
//! #[derive(Clone, Copy)]
//! struct Limits {
//!     body: usize,
//!     max_body: usize,
//! }
//!
//! #[derive(Poolable)]
//! #[pool(name = RequestPool, guard = RequestRef, config = Limits)]
//! #[pool(keep = self.body.capacity() <= config.max_body)]
//! struct Request {
//!     #[pool(create = Vec::with_capacity(config.body))]
//!     body: Vec<u8>,
//!     #[pool(reset = skip)] // survives
//!     served: u64,
//! }
//!
//! let pool = RequestPool::new(64, Limits { body: 512, max_body: 4096 });
//! let mut request: RequestRef = pool.get();
//! assert!(request.body.capacity() >= 512);
//! request.served += 1;
//! drop(request);
//! assert_eq!(pool.get().served, 1);
//! ```
//!
//! For somebody else's type, [`pool!`] takes the steps as closures, which get the config as their
//! last argument:
//!
//! ```
//! bp::pool! {
//!     /// Reusable text.
//!     pub struct TextPool(String) -> TextRef {
//!         create: |_| String::with_capacity(1024),
//!         reset: |text, _| text.clear(),
//!         keep: |text, _| text.capacity() <= 8192,
//!     }
//! }
//!
//! assert_eq!(*TextPool::new(64).get(), "");
//! ```
//!
//! A pool is shared by cloning the handle, by reference, or as a `static`, which [`pool!`] declares.
//!
//! # Tune it
//!
//! [`builder`](Pool::builder) takes what `new` takes and has setters: [`preload`](Builder::preload)
//! creates objects ahead, [`retain_by_use`](Builder::retain_by_use) lets go of those that outgrew
//! their use. Built-in pools add their own, see [`Builder`].
//!
//! The capacity counts objects, not bytes. Idle memory is at most the capacity times the largest
//! object that is kept, which `keep`, `limit` or the builder's `max_size_factor` bounds;
//! [`bytes_idle`](PoolStats::bytes_idle) is what it comes to. Begin with the peak of
//! [`in_use`](PoolStats::in_use) under load. If [`discarded_full`](PoolStats::discarded_full) and
//! [`misses`](PoolStats::misses) both keep growing, the capacity is too small; if every
//! [`trim`](Pool::trim) drops something, it may be smaller. The pool does not limit what is in use:
//! limit that where work comes in.
//!
//! # Watch it
//!
//! [`stats`](Pool::stats) counts hits, misses and what became of every object that came back; two
//! equations tie the figures together. [`AnyPool`] lists pools of any type.
//!
//! # Give memory back
//!
//! Nothing trims in the background: call [`trim`](Pool::trim) regularly. It drops what was idle for
//! the whole time since the last call and leaves the working set alone. [`clear`](Pool::clear)
//! drops all that is idle.
//!
//! # Threads, panics, errors
//!
//! A pool can be shared between threads, and a guard sent to another, where the object is [`Send`]
//! and the config is [`Send`] and [`Sync`]. Other objects can be pooled on one thread.
//!
//! A get or a return passes by a lock that another thread holds for more than a moment. It may wait
//! for a thread that is halfway through a push or a pop on the ring that takes what the shards have
//! no room for: a few ns, unless that thread was descheduled right there. [`trim`](Pool::trim),
//! [`clear`](Pool::clear), [`close`](Pool::close), dropping the last handle and, where objects are
//! measured, [`stats`](Pool::stats) wait in the same way for each lock. A timer is armed under a
//! mutex.
//!
//! A panic in `create` passes through `get` and changes nothing. One in `keep`, `measure` or
//! `reset` unwinds out of the guard's drop; the object is dropped and counted as
//! [`discarded_panic`](PoolStats::discarded_panic), as is one whose guard is dropped while its
//! thread panics. The pool goes on.
//!
//! Where settings cannot work, `new` panics and [`build`](Builder::build) returns a [`BuildError`]
//! that names the field and its value. [`put`](Pool::put) and [`Ref::release`] give an object that
//! they refuse back in a [`PutError`].
//!
//! # Coming from Go
//!
//! | `github.com/octu0/bp` | here |
//! |---|---|
//! | `Get`, `Put` | [`take`](Pool::take), [`put`](Pool::put), which says why it refuses |
//! | `GetRef`, `Release` | [`get`](Pool::get), and dropping the guard, or [`Ref::release`] |
//! | `Len`, `Cap` | [`len`](Pool::len), [`capacity`](Pool::capacity) |
//! | `Preload(true)`, `PreloadRate(r)` | [`preload(r)`](Builder::preload); Go's default rate is 0.25 |
//! | `MaxBufSizeFactor(f)` | [`max_size_factor(f)`](Builder::max_size_factor) on the builder, 1.25 there and here; beside it [`retain_by_use`](Builder::retain_by_use) |
//! | `AutoGrow(true)` | [`auto_grow(true)`](Builder::auto_grow) on the builder |
//! | `BytePool`, `ByteRef` | [`BytePool`], [`ByteRef`] |
//! | `BufferPool`, `BufferRef` | [`BufferPool`], [`BufferRef`]: a `Vec<u8>` in place of a `bytes.Buffer` |
//! | `NewBufioReaderPool`, `BufioReaderRef` | [`BufioReaderPool::new`], [`BufioReaderRef`] |
//! | `NewBufioReaderSizePool` | [`BufioReaderPool::with_size`] |
//! | `NewBufioWriterPool`, `BufioWriterRef` | [`BufioWriterPool::new`], [`BufioWriterRef`], which writes out what it holds when it is dropped; Go's loses that |
//! | `NewBufioWriterSizePool` | [`BufioWriterPool::with_size`] |
//! | `CopyIOPool` | [`CopyIoPool`]; the reader comes first, as in [`std::io::copy`] |
//! | `Copy`, `ReadAll` | [`copy`], [`read_all`] |
//! | `MmapBytePool`, a `ByteRef` | `MmapBytePool`, `MmapByteRef` (feature `mmap`) |
//! | `TimerPool`, `TimerRef` | `TimerPool`, `TimerRef` (feature `timer`) |
//! | `TickerPool`, `TickerRef` | `TickerPool`, `TickerRef` (feature `timer`) |
//! | `ImageNRGBAPool`, `ImageNRGBARef` | `ImageRgbaPool`, `ImageRgbaRef` (feature `image`): straight alpha is what Rust calls RGBA |
//! | `ImageRGBAPool`, `ImageRGBARef` | `ImageRgbaPremulPool`, `ImageRgbaPremulRef` (feature `image`) |
//! | `ImageYCbCrPool`, `ImageYCbCrRef` | `ImageYCbCrPool`, `ImageYCbCrRef` (feature `image`), in all six ratios |
//! | `MultiBytePool`, `MultiBytePoolSize(n, size)` | [`MultiBytePool`], [`class(n, size)`](MultiBuilder::class) on its builder |
//! | `MultiBufferPool` | [`MultiBufferPool`] |
//! | `MultiMmapBytePool` | `MultiMmapBytePool` (feature `mmap`) |
//! | `MultiImageNRGBAPool`, `MultiImageRGBAPool` | `MultiImageRgbaPool`, `MultiImageRgbaPremulPool` (feature `image`) |
//! | `MultiImageYCbCrPool` | `MultiImageYCbCrPool` (feature `image`) |
//! | gomemcache's `BytesPool`, `Allocator` | [`ByteSource`] |
//! | `sync.Pool`, emptied by the collector | [`trim`](Pool::trim), when you call it |
//!
//! # When not to
//!
//! A pool pays for objects whose memory must be zeroed or faulted in, that hold several
//! allocations, or that many threads make at once; and it bounds idle memory. For a small box on
//! one thread `malloc` is as good, and a `Vec` declared outside the loop is better than either. To
//! limit how many objects are in use, or to wait for a free one, use a connection pool.
//!
//! # Systems
//!
//! Works wherever std does. On Linux, a thread that uses a pool often takes its shard's lock
//! without an atomic read-modify-write; other threads then need the system call `membarrier` to
//! take that lock. Where there is no such call (other systems, Linux before 4.14, Miri), each get
//! and each return pays for one read-modify-write, some 5 ns.
//!
//! If a sandbox refuses the call after pools are in use, the operation that needs it panics, and
//! the object it held is lost and counted. If that can happen, or under `ThreadSanitizer`, which does
//! not know the call and reports races, build with `RUSTFLAGS="--cfg bp_no_membarrier"`: `bp` does
//! without it then.
//!
//! After a fork, the child of a process that had a single thread may use its pools. If there were
//! others, what they were in the middle of stays so: gets and returns pass by a lock that was held,
//! but can hang on a ring with a push or a pop halfway through, and what waits for each lock hangs
//! too. Such a child must not use pools before it calls `exec`. Timers never fire in a child, since
//! their thread is not there.
//!
//! # Features
//!
//! What needs a feature says so in its first line.
//!
//! | feature | brings |
//! |---|---|
//! | `mmap` (default) | `MmapBytePool`, `MultiMmapBytePool` |
//! | `timer` (default) | `TimerPool`, `TickerPool`, `Timer`, `Ticker`, over the channels of `crossbeam-channel`: that crate has the `select!` |
//! | `image` | `ImageRgbaPool` and its kin, `ImageRgbaPremulPool`, `ImageYCbCrPool`; multi pools of 8-bit RGBA and RGB and of the last two |
//! | `bytes` | `into_bytes` on the guards of bytes: back in the pool after the last clone |
//! | `tokio` | module `aio`: copying between tokio's streams, and pools of its timers |
//! | `zeroize` | `OnReturn::Zeroize`: a pool built with it wipes what it stores or drops; what leaves by `take`, `detach` or a refused `put` or `release` is yours to wipe |
//! | `full` | all of them |

// The page of an item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// The derives and `pool!` name this crate as `::bp`, also when it is `bp` that uses them.
#[allow(unused_extern_crates)]
extern crate self as bp;

#[macro_use]
mod macros;

#[macro_use]
mod around;

#[cfg(feature = "tokio")]
pub mod aio;
mod any;
mod builder;
mod builtin;
mod byte_source;
mod clear;
mod error;
mod guard;
mod keyed;
mod multi;
mod pool;
mod poolable;
#[doc(hidden)]
pub mod private;
mod stats;
mod store;
mod sync;

pub use any::AnyPool;
pub use bp_derive::{Clear, Poolable};
pub use builder::{Builder, TypedPool};
pub use builtin::*;
pub use byte_source::{ByteSource, Heap, Limited};
pub use clear::Clear;
pub use error::{BuildError, PutError, PutReason};
pub use guard::Ref;
pub use keyed::{KeyedPool, NoKey, SizeKey};
pub use multi::{Multi, MultiBuilder, MultiPool, SizeClass};
pub use pool::Pool;
pub use poolable::{Poolable, Recipe};
pub use stats::PoolStats;
