//! The pools of buffered readers and writers, as pools.

use std::io::{self, BufRead, Read, Write};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::thread;

use bp::{
    AnyPool, BufioReaderPool, BufioReaderRef, BufioWriterPool, BufioWriterRef, IntoInnerError,
    OnReturn, WriterPanicked,
};
use bp_tests::allocations::{Allocated, allocated_by};

#[test]
fn sizes_and_rates_are_checked_when_a_pool_is_built() {
    let refused = |error: bp::BuildError| error.field();
    assert_eq!(BufioReaderPool::builder(4).size(0).build().map_err(refused).err(), Some("size"));
    assert_eq!(BufioWriterPool::builder(4).size(0).build().map_err(refused).err(), Some("size"));
    let huge = BufioReaderPool::builder(4).size(usize::MAX).build();
    assert_eq!(huge.map_err(refused).err(), Some("size"));
    let over = BufioWriterPool::builder(4).preload(2.0).build();
    assert_eq!(over.map_err(refused).err(), Some("preload"));
}

#[test]
#[should_panic(expected = "size is 0, but must be at least 1")]
fn a_size_of_zero_panics() {
    drop(BufioReaderPool::with_size(4, 0));
}

#[test]
fn preloaded_buffers_are_there() -> Result<(), bp::BuildError> {
    let pool = BufioReaderPool::builder(8).size(100).preload(0.5).build()?;
    assert_eq!((pool.len(), pool.capacity(), pool.size()), (4, 8, 100));
    drop(pool.get(io::empty()));
    assert_eq!((pool.stats().hits, pool.stats().misses), (1, 0));
    Ok(())
}

/// The original's readers grow to 16 bytes behind its back, and none is ever reused.
#[test]
fn the_smallest_buffers_are_reused_too() -> io::Result<()> {
    for size in [1, 2, 15, 16] {
        let (readers, writers) =
            (BufioReaderPool::with_size(2, size), BufioWriterPool::with_size(2, size));
        for _ in 0..3 {
            let mut text = String::new();
            readers.get(&b"text"[..]).read_to_string(&mut text)?;
            let mut writer = writers.get(Vec::new());
            writer.write_all(text.as_bytes())?;
            assert_eq!(writer.finish()?, b"text");
        }
        assert_eq!((readers.stats().misses, readers.stats().hits), (1, 2));
        assert_eq!((writers.stats().misses, writers.stats().hits), (1, 2));
    }
    Ok(())
}

#[test]
fn a_closed_pool_keeps_nothing_and_still_serves() -> io::Result<()> {
    let pool = BufioReaderPool::new(4);
    let clone = pool.clone();
    let early = pool.get(&b"early"[..]);
    clone.close();
    drop(early);
    let mut text = String::new();
    pool.get(&b"late"[..]).read_to_string(&mut text)?;
    assert_eq!(text, "late");
    assert_eq!((pool.len(), pool.stats().discarded_closed), (0, 2));
    Ok(())
}

#[test]
fn idle_buffers_can_be_trimmed_and_cleared() {
    let pool = BufioWriterPool::new(4);
    let all: &dyn AnyPool = &pool;
    drop([pool.get(io::sink()), pool.get(io::sink())]);
    assert_eq!((all.len(), all.trim(), all.trim()), (2, 0, 2));
    drop(pool.get(io::sink()));
    assert_eq!((pool.clear(), pool.is_empty()), (1, true));
}

#[test]
fn a_guard_may_outlive_its_pool_and_end_elsewhere() {
    let pool = BufioWriterPool::new(4);
    let mut writer = pool.get(Vec::new());
    drop(pool);
    let written = thread::spawn(move || {
        writer.write_all(b"elsewhere")?;
        writer.finish().map_err(io::Error::from)
    });
    assert_eq!(written.join().expect("no panic").ok(), Some(b"elsewhere".to_vec()));
}

/// `into_parts` is the one way to see the memory behind a buffer's content, and shows none of it.
#[test]
fn contents_can_be_wiped_on_return() -> Result<(), Box<dyn std::error::Error>> {
    let pool = BufioReaderPool::builder(1).size(16).on_return(OnReturn::Zero).build()?;
    let mut reader = pool.get(&b"the password"[..]);
    reader.fill_buf()?;
    drop(reader);
    let block = bp::TypedPool::as_pool(&pool).take();
    assert_eq!(block, [0; 16]);
    Ok(())
}

#[test]
fn guards_are_lean() {
    let word = size_of::<usize>();
    assert_eq!(size_of::<BufioReaderRef<()>>(), 3 * word);
    assert_eq!(size_of::<BufioWriterRef<io::Sink>>(), 3 * word);
    assert_eq!(size_of::<Option<BufioReaderRef<()>>>(), 3 * word);
}

#[test]
fn markers_follow_the_stream() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    fn unwind<T: UnwindSafe + RefUnwindSafe>() {}

    send::<BufioReaderPool>();
    sync::<BufioReaderPool>();
    unwind::<BufioReaderPool>();
    send::<BufioWriterPool>();
    sync::<BufioWriterPool>();
    send::<BufioReaderRef<io::Empty>>();
    sync::<BufioReaderRef<io::Empty>>();
    unwind::<BufioReaderRef<io::Empty>>();
    send::<BufioWriterRef<io::Sink>>();
    sync::<BufioWriterRef<io::Sink>>();
    unwind::<BufioWriterRef<io::Sink>>();
    send::<IntoInnerError<BufioWriterRef<io::Sink>>>();
    send::<WriterPanicked>();
}

#[test]
fn streams_cost_nothing_once_warm() {
    let (readers, writers) = (BufioReaderPool::new(4), BufioWriterPool::new(4));
    let mut sink = Vec::with_capacity(64);
    let mut round = || {
        let mut out = [0; 4];
        readers.get(&b"some bytes"[..]).read_exact(&mut out).expect("enough");
        sink.clear();
        writers.get(&mut sink).write_all(&out).expect("endless room");
        assert_eq!(sink, b"some");
        let mut writer = writers.get(io::sink());
        writer.write_all(&out).expect("endless room");
        writer.finish().expect("endless room");
    };
    round();
    assert_eq!(allocated_by(|| (0..100).for_each(|_| round())), Allocated::NOTHING);
}
