//! Copying and reading all there is, through pooled buffers.

use std::collections::VecDeque;
use std::io::{self, Cursor, ErrorKind, Read, Write};
use std::panic::{self, AssertUnwindSafe};

use bp::{AnyPool, BufferPool, CopyIoPool, OnReturn};
use bp_tests::allocations::{Allocated, allocated_by};
use bp_tests::random::Random;

use crate::bufio::script::Overclaiming;

/// What a read of a [`Steps`] does.
#[derive(Clone, Debug)]
enum Step {
    Bytes(Vec<u8>),
    Fail(ErrorKind),
    Panic,
}

use Step::{Bytes, Fail, Panic};

/// A reader that does as it is told, one step a read, and then ends.
struct Steps(VecDeque<Step>);

impl Steps {
    fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Steps(steps.into_iter().collect())
    }
}

impl Read for Steps {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.pop_front() {
            None => Ok(0),
            Some(Fail(kind)) => Err(kind.into()),
            Some(Panic) => {
                out.fill(b'!');
                panic::resume_unwind(Box::new(()))
            }
            Some(Bytes(bytes)) => {
                let len = bytes.len().min(out.len());
                out[..len].copy_from_slice(&bytes[..len]);
                if len < bytes.len() {
                    self.0.push_front(Bytes(bytes[len..].to_vec()));
                }
                Ok(len)
            }
        }
    }
}

/// Bytes in pieces of random lengths, with interruptions between them.
fn pieces(data: &[u8], random: &mut Random) -> Steps {
    let mut steps = Vec::new();
    let mut rest = data;
    while !rest.is_empty() {
        let len = match random.below(3) {
            0 => 1,
            1 => 1 + random.below(100),
            _ => 1 + random.below(70_000),
        };
        let (piece, after) = rest.split_at(len.min(rest.len()));
        steps.push(Bytes(piece.to_vec()));
        rest = after;
        if random.below(3) == 0 {
            steps.push(Fail(ErrorKind::Interrupted));
        }
    }
    Steps::new(steps)
}

#[test]
fn every_byte_arrives_whatever_the_pieces() -> io::Result<()> {
    let mut random = Random::new(6);
    for size in [1, 31, 32, 33, 4096, 8191, 65_536] {
        let pool = CopyIoPool::new(2, size);
        for round in 0..40 {
            let end = if round % 4 == 0 { 400_000 } else { 3 * size.min(9000) };
            let len = random.below(end);
            let data = random.bytes(len);

            let mut copied = Vec::new();
            let count = pool.copy(&mut pieces(&data, &mut random), &mut copied)?;
            assert_eq!((count, copied.len()), (len as u64, len));
            assert!(copied == data, "copy, size {size}");

            assert!(*pool.read_all(&mut pieces(&data, &mut random))? == data, "size {size}");
            let limited = pool.read_all_limited(&mut pieces(&data, &mut random), len)?;
            assert!(*limited == data, "size {size}");
            drop(limited);
            if len > 0 {
                let over = pool.read_all_limited(&mut pieces(&data, &mut random), len - 1);
                assert_eq!(over.unwrap_err().kind(), ErrorKind::FileTooLarge);
            }

            let mut buffer = pool.read_all(&mut &b"before"[..])?;
            let count = pool.read_all_into(&mut pieces(&data, &mut random), &mut buffer)?;
            assert_eq!(count, len);
            assert!(buffer[..6] == *b"before" && buffer[6..] == data, "size {size}");
        }
        assert_eq!(pool.stats().in_use, 0);
    }
    Ok(())
}

/// Fills whatever it is given, and notes how much that was.
struct Noting {
    left: usize,
    asked: Vec<usize>,
}

impl Read for Noting {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.asked.push(out.len());
        let len = out.len().min(self.left);
        self.left -= len;
        Ok(len)
    }
}

#[test]
fn reads_grow_to_the_size_and_no_further() -> io::Result<()> {
    const K: usize = 1024;

    let copied = |size, len| {
        let mut reader = Noting { left: len, asked: Vec::new() };
        CopyIoPool::new(1, size).copy(&mut reader, &mut io::sink())?;
        io::Result::Ok(reader.asked)
    };
    assert_eq!(copied(64 * K, 10)?, [8 * K, 8 * K]);
    assert_eq!(copied(64 * K, 200 * K)?, [8 * K, 16 * K, 32 * K, 64 * K, 64 * K, 64 * K, 64 * K]);
    assert_eq!(copied(20 * K, 50 * K)?, [8 * K, 16 * K, 20 * K, 20 * K, 20 * K]);
    assert_eq!(copied(100, 150)?, [100, 100, 100]);

    let mut reader = Noting { left: 1024 * K, asked: Vec::new() };
    assert_eq!(CopyIoPool::new(1, 2048 * K).read_all(&mut reader)?.len(), 1024 * K);
    let grown = [8 * K, 16 * K, 32 * K, 64 * K, 128 * K, 256 * K, 256 * K];
    assert_eq!(reader.asked[..7], grown);
    assert!(reader.asked[7..].iter().all(|asked| *asked == 256 * K));
    Ok(())
}

#[test]
fn a_reader_may_be_a_trait_object_and_borrowed() -> io::Result<()> {
    let pool = CopyIoPool::new(2, 64);
    let (mut source, mut sink) = (Cursor::new(b"dynamic"), Vec::new());
    let (reader, writer): (&mut dyn Read, &mut dyn Write) = (&mut source, &mut sink);
    assert_eq!(pool.copy(reader, writer)?, 7);
    source.set_position(0);
    let reader: &mut dyn Read = &mut source;
    assert_eq!(*pool.read_all(reader)?, b"dynamic");
    assert_eq!(sink, b"dynamic");
    Ok(())
}

/// The original drops what comes with the end, and before an error.
#[test]
fn bytes_before_an_error_are_not_lost() -> io::Result<()> {
    let pool = CopyIoPool::new(2, 16);
    let broken =
        || Steps::new([Bytes(b"first".into()), Bytes(b"last".into()), Fail(ErrorKind::BrokenPipe)]);

    let mut sink = Vec::new();
    assert_eq!(pool.copy(&mut broken(), &mut sink).unwrap_err().kind(), ErrorKind::BrokenPipe);
    assert_eq!(sink, b"firstlast");

    let mut buffer = pool.read_all(&mut &b""[..])?;
    let result = pool.read_all_into(&mut broken(), &mut buffer);
    assert_eq!(result.unwrap_err().kind(), ErrorKind::BrokenPipe);
    assert_eq!(*buffer, b"firstlast");

    // Those who have no buffer to find it in are told.
    assert_eq!(pool.read_all(&mut broken()).unwrap_err().kind(), ErrorKind::BrokenPipe);
    Ok(())
}

#[test]
fn a_panic_of_the_reader_leaves_only_what_it_had_told() -> io::Result<()> {
    let pool = CopyIoPool::new(2, 16);
    let mut buffer = pool.read_all(&mut &b"kept, "[..])?;
    let mut reader = Steps::new([Bytes(b"told".into()), Panic]);
    let panicked =
        panic::catch_unwind(AssertUnwindSafe(|| pool.read_all_into(&mut reader, &mut buffer)));
    assert!(panicked.is_err());
    assert_eq!(*buffer, b"kept, told");
    Ok(())
}

#[test]
fn a_claim_of_more_bytes_than_given_is_an_error() -> io::Result<()> {
    let pool = CopyIoPool::new(2, 16);
    // Something to be leaked.
    drop(pool.read_all(&mut io::repeat(b's').take(100))?);

    let mut sink = Vec::new();
    let error = pool.copy(&mut Overclaiming, &mut sink).unwrap_err();
    assert_eq!((error.kind(), sink.len()), (ErrorKind::InvalidData, 0));
    let text = error.to_string();
    assert!(text.ends_with("are said to have moved, but only 16 were given"), "{text}");
    assert_eq!(pool.read_all(&mut Overclaiming).unwrap_err().kind(), ErrorKind::InvalidData);

    // Also beside a full buffer.
    let mut buffer = BufferPool::new(1, 8).get();
    let capacity = buffer.capacity();
    buffer.resize(capacity, b'x');
    let error = pool.read_all_into(&mut Overclaiming, &mut buffer).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert_eq!((buffer.len(), buffer.capacity()), (capacity, capacity));
    Ok(())
}

#[test]
fn a_writer_that_takes_nothing_or_fails_ends_the_copy() {
    struct Full(Option<ErrorKind>);

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            self.0.map_or(Ok(0), |kind| Err(kind.into()))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let pool = CopyIoPool::new(2, 16);
    let result = pool.copy(&mut io::repeat(1), &mut Full(None));
    assert_eq!(result.unwrap_err().kind(), ErrorKind::WriteZero);
    let result = pool.copy(&mut io::repeat(1), &mut Full(Some(ErrorKind::StorageFull)));
    assert_eq!(result.unwrap_err().kind(), ErrorKind::StorageFull);
    assert_eq!(pool.len(), 1);
}

#[test]
fn case_31_a_stream_beyond_the_limit_is_refused() -> io::Result<()> {
    let pool = CopyIoPool::new(1, 1024);
    let error = pool.read_all_limited(&mut io::repeat(0), 10_000).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    assert_eq!(error.to_string(), "more bytes than the limit of 10000");
    assert!(pool.stats().bytes_idle <= 10_000, "{:?}", pool.stats());

    // One byte more is asked for, and only one.
    let mut reader = Cursor::new([7; 20]);
    assert!(pool.read_all_limited(&mut reader, 10).is_err());
    assert_eq!(reader.position(), 11);

    assert_eq!(*pool.read_all_limited(&mut io::empty(), 0)?, b"");
    let result = pool.read_all_limited(&mut &b"x"[..], 0);
    assert_eq!(result.unwrap_err().kind(), ErrorKind::FileTooLarge);
    Ok(())
}

#[test]
fn case_31_memory_does_not_grow_beyond_the_limit() {
    for limit in [1, 1000, 5000, 100_000] {
        let pool = CopyIoPool::new(1, 1024);
        drop(pool.read_all(&mut io::empty()));
        let flood = || pool.read_all_limited(&mut io::repeat(1), limit).is_err();
        // Each doubling is counted in full, and the last step ends at the limit.
        let allocated = allocated_by(flood);
        assert!(allocated.bytes < 3 * limit + 200, "{allocated:?}, limit {limit}");
        assert!(pool.stats().bytes_idle <= limit.max(1024), "limit {limit}");
    }

    // Also where what is read beside a full buffer is more than the buffer would double by.
    let pool = CopyIoPool::new(1, 16);
    let body = pool.read_all_limited(&mut io::repeat(1).take(48), 50).expect("within the limit");
    assert!(body.len() == 48 && body.capacity() <= 50, "{}", body.capacity());

    // What a peer announces costs nothing, and what it sends no more than that.
    let pool = CopyIoPool::new(1, 1024);
    drop(pool.read_all(&mut io::empty()));
    let announced = usize::MAX;
    let short = || pool.read_all_limited(&mut &b"short"[..], announced).is_ok();
    assert_eq!(allocated_by(short), Allocated::NOTHING);
}

#[test]
fn copying_costs_nothing_once_warm() {
    let pool = CopyIoPool::new(4, 4096);
    let round = || {
        let mut reader = io::repeat(1).take(100_000);
        assert_eq!(pool.copy(&mut reader, &mut io::sink()).ok(), Some(100_000));
        let mut reader = io::repeat(1).take(100_000);
        assert_eq!(pool.read_all(&mut reader).map(|body| body.len()).ok(), Some(100_000));
    };
    round();
    assert_eq!(allocated_by(|| (0..100).for_each(|_| round())), Allocated::NOTHING);
}

#[test]
fn a_result_goes_back_and_is_used_again() -> io::Result<()> {
    let pool = CopyIoPool::new(2, 64);
    let body = pool.read_all(&mut &b"a body"[..])?;
    let memory = body.as_ptr();
    drop(body);
    assert_eq!(pool.len(), 1);
    let next = pool.read_all(&mut &b"b"[..])?;
    assert_eq!((next.as_ptr(), &next[..]), (memory, &b"b"[..]));
    drop(next);
    pool.copy(&mut &b"copied through the same"[..], &mut io::sink())?;
    assert_eq!((pool.stats().misses, pool.stats().hits), (1, 2));
    Ok(())
}

#[test]
fn large_results_stay_as_long_as_they_are_usual() -> io::Result<()> {
    let pool = CopyIoPool::new(2, 1024);
    for _ in 0..100 {
        drop(pool.read_all(&mut io::repeat(1).take(1 << 20))?);
    }
    assert_eq!((pool.stats().misses, pool.stats().hits), (1, 99));
    assert!(pool.stats().bytes_idle >= 1 << 20);

    for _ in 0..100 {
        drop(pool.read_all(&mut io::repeat(1).take(100))?);
    }
    assert_eq!(pool.stats().bytes_idle, 1024);
    Ok(())
}

#[test]
fn a_limit_on_what_is_kept_holds_beside_the_use() -> Result<(), Box<dyn std::error::Error>> {
    let pool = CopyIoPool::builder(2, 1024).max_size_factor(4.0).build()?;
    drop(pool.read_all(&mut io::repeat(1).take(4096))?);
    assert_eq!(pool.len(), 1);
    drop(pool.read_all(&mut io::repeat(1).take(4097))?);
    assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
    Ok(())
}

#[test]
fn bad_settings_are_refused() {
    let refused = |error: bp::BuildError| error.field();
    assert_eq!(CopyIoPool::builder(2, 0).build().map_err(refused).err(), Some("size"));
    for factor in [0.5, f64::NAN, f64::INFINITY] {
        let pool = CopyIoPool::builder(2, 16).max_size_factor(factor).build();
        assert_eq!(pool.map_err(refused).err(), Some("max_size_factor"));
    }
}

#[test]
#[should_panic(expected = "size is 0, but must be at least 1")]
fn a_size_of_zero_panics() {
    drop(CopyIoPool::new(4, 0));
}

#[test]
fn it_is_a_pool_like_any_other() -> Result<(), Box<dyn std::error::Error>> {
    let pool = CopyIoPool::builder(8, 64).preload(0.5).on_return(OnReturn::Zero).build()?;
    let all: &dyn AnyPool = &pool;
    assert_eq!((all.len(), all.capacity(), pool.size(), all.stats().preloaded), (4, 8, 64, 4));
    let clone = pool.clone();
    assert_eq!(clone.clear(), 4);
    clone.close();
    assert_eq!(*pool.read_all(&mut &b"still works"[..])?, b"still works");
    assert!(pool.is_empty());
    assert_eq!(format!("{pool:?}"), "CopyIoPool { len: 0, capacity: 8, size: 64, .. }");
    Ok(())
}

#[test]
fn the_free_functions_do_the_same() -> io::Result<()> {
    let data = Random::new(9).bytes(300_000);
    let mut sink = Vec::new();
    assert_eq!(bp::copy(&mut &data[..], &mut sink)?, 300_000);
    assert!(sink == data);
    assert!(*bp::read_all(&mut &data[..])? == data);
    Ok(())
}
