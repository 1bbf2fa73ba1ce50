//! What a buffered writer from a pool does.

use std::cell::RefCell;
use std::io::{self, Cursor, ErrorKind, IoSlice, Seek, SeekFrom, Write};
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;

use bp::{BufioWriterPool, BufioWriterRef};

use super::script::Overclaiming;

/// A sink whose every call does as the next step says; takes all once there is none left.
#[derive(Default)]
struct Steps {
    left: Vec<Step>,
    written: Vec<u8>,
    flushed: usize,
}

enum Step {
    Take(usize),
    Fail(ErrorKind),
    Panic,
}

use Step::{Fail, Panic, Take};

impl Steps {
    fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        let mut steps: Vec<_> = steps.into_iter().collect();
        steps.reverse();
        Steps { left: steps, ..Steps::default() }
    }
}

impl Write for Steps {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = match self.left.pop() {
            None => bytes.len(),
            Some(Take(len)) => len,
            Some(Fail(kind)) => return Err(kind.into()),
            Some(Panic) => {
                // The worst of it: written, and not told.
                self.written.extend_from_slice(bytes);
                panic::resume_unwind(Box::new(()))
            }
        };
        self.written.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed += 1;
        Ok(())
    }
}

/// A sink that outlives its writer.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Steps>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

#[test]
fn case_24_what_was_written_arrives_when_the_writer_goes_back() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let mut sink = Vec::new();
    let mut writer = pool.get(&mut sink);
    writer.write_all(b"ten bytes!")?;
    assert_eq!(writer.get_ref().len(), 0);
    drop(writer);
    assert_eq!(sink, b"ten bytes!");

    // The error of a sink reaches who asks, and only them.
    let mut writer = pool.get(Steps::new([Fail(ErrorKind::StorageFull)]));
    writer.write_all(b"ten others")?;
    let failed = writer.finish().unwrap_err();
    assert_eq!(failed.error().kind(), ErrorKind::StorageFull);
    drop(failed.into_inner().abandon());

    let mut writer = pool.get(Vec::new());
    assert_eq!(writer.buffer(), b"");
    writer.write_all(b"clean")?;
    assert_eq!(writer.finish()?, b"clean");
    assert_eq!((pool.stats().misses, pool.stats().hits), (1, 2));
    Ok(())
}

#[test]
fn an_error_on_drop_stays_with_its_sink() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let mut writer = pool.get(Steps::new([Fail(ErrorKind::BrokenPipe)]));
    writer.write_all(b"lost with its sink")?;
    drop(writer);
    assert_eq!(pool.len(), 1);
    assert_eq!(pool.get(Vec::new()).finish()?, b"");
    Ok(())
}

#[test]
fn finish_flushes_the_sink_and_into_inner_does_not() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let mut writer = pool.get(Steps::default());
    writer.write_all(b"one")?;
    let sink = writer.finish()?;
    assert_eq!((&sink.written[..], sink.flushed), (&b"one"[..], 1));

    let mut writer = pool.get(sink);
    writer.write_all(b"two")?;
    let sink = writer.into_inner()?;
    assert_eq!((&sink.written[..], sink.flushed), (&b"onetwo"[..], 1));
    Ok(())
}

#[test]
fn a_writer_that_could_not_finish_can_try_again() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let mut writer = pool.get(Steps::new([Take(4), Fail(ErrorKind::TimedOut)]));
    writer.write_all(b"nothing twice")?;
    let (error, writer) = writer.finish().unwrap_err().into_parts();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert_eq!(writer.buffer(), b"ing twice");
    assert_eq!(writer.finish()?.written, b"nothing twice");
    Ok(())
}

#[test]
fn abandon_does_not_write() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let mut writer = pool.get(Vec::new());
    writer.write_all(b"not wanted any more")?;
    assert_eq!(writer.abandon(), b"");
    assert_eq!(pool.len(), 1);
    Ok(())
}

#[test]
fn into_parts_keeps_what_was_not_written() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let mut writer = pool.get(Vec::new());
    writer.write_all(b"kept")?;
    let (sink, waiting) = writer.into_parts();
    assert_eq!((&sink[..], &*waiting.expect("no panic")), (&b""[..], &b"kept"[..]));
    assert_eq!(pool.len(), 1);
    // The buffer has its full length again.
    assert_eq!(pool.get(sink).capacity(), 4096);
    Ok(())
}

#[test]
fn nothing_is_written_again_after_a_panic_of_the_sink() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let sink = Shared(Rc::new(RefCell::new(Steps::new([Panic]))));
    let mut writer = pool.get(sink.clone());
    writer.write_all(b"once")?;
    assert!(panic::catch_unwind(AssertUnwindSafe(|| writer.flush())).is_err());
    drop(writer);
    assert_eq!(sink.0.borrow().written, b"once");

    // Nor is it hidden from those who take the writer apart.
    let mut writer = pool.get(Steps::new([Panic]));
    writer.write_all(b"perhaps")?;
    assert!(panic::catch_unwind(AssertUnwindSafe(|| writer.flush())).is_err());
    let (sink, waiting) = writer.into_parts();
    assert_eq!(sink.written, b"perhaps");
    assert_eq!(*waiting.unwrap_err().into_inner(), b"perhaps"[..]);

    // The next user of the buffer is none the wiser.
    assert_eq!(pool.len(), 1);
    assert_eq!(pool.get(Vec::new()).finish()?, b"");
    Ok(())
}

#[test]
fn what_was_written_before_a_panic_is_not_kept() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let mut writer = pool.get(Steps::new([Take(3), Panic]));
    writer.write_all(b"oneTWO")?;
    assert!(panic::catch_unwind(AssertUnwindSafe(|| writer.flush())).is_err());
    assert_eq!(writer.buffer(), b"TWO");
    drop(writer.abandon());
    Ok(())
}

#[test]
fn a_panic_elsewhere_still_writes() {
    let pool = BufioWriterPool::new(1);
    let mut sink = Vec::new();
    let panicked = panic::catch_unwind(AssertUnwindSafe(|| {
        let mut writer = pool.get(&mut sink);
        writer.write_all(b"what was said before").expect("room");
        panic::resume_unwind(Box::new(()));
    }));
    assert!(panicked.is_err());
    assert_eq!(sink, b"what was said before");
    assert_eq!(pool.stats().discarded_panic, 1);
}

#[test]
fn interruptions_are_repeated_and_a_sink_that_takes_nothing_is_an_error() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let interrupted = || Fail(ErrorKind::Interrupted);
    let mut writer = pool.get(Steps::new([interrupted(), Take(1), interrupted(), Take(0)]));
    writer.write_all(b"abc")?;
    assert_eq!(writer.flush().unwrap_err().kind(), ErrorKind::WriteZero);
    assert_eq!(writer.buffer(), b"bc");
    assert_eq!(writer.finish()?.written, b"abc");
    Ok(())
}

#[test]
fn a_claim_of_more_bytes_than_given_is_an_error() -> io::Result<()> {
    let pool = BufioWriterPool::with_size(1, 8);
    let mut writer = pool.get(Overclaiming);
    writer.write_all(b"abc")?;
    assert_eq!(writer.flush().unwrap_err().kind(), ErrorKind::InvalidData);
    // They count as written: better lost with a sink that lies than written twice.
    assert_eq!(writer.buffer(), b"");
    assert_eq!(writer.write(&[0; 8]).unwrap_err().kind(), ErrorKind::InvalidData);
    let slices = [IoSlice::new(&[0; 9])];
    assert_eq!(writer.write_vectored(&slices).unwrap_err().kind(), ErrorKind::InvalidData);
    Ok(())
}

#[test]
fn a_large_write_goes_around_the_buffer_in_order() -> io::Result<()> {
    let pool = BufioWriterPool::with_size(1, 8);
    let mut writer = pool.get(Vec::new());
    writer.write_all(b"ab")?;
    writer.write_all(b"longer than that")?;
    assert_eq!((writer.buffer(), &writer.get_ref()[..]), (&b""[..], &b"ablonger than that"[..]));
    writer.write_all(b"cd")?;
    assert_eq!(writer.finish()?, b"ablonger than thatcd");
    Ok(())
}

/// Vectored writes that reach it.
#[derive(Default)]
struct Gathering(Vec<Vec<u8>>);

impl Write for Gathering {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        let bytes: Vec<u8> = slices.iter().flat_map(|slice| slice.iter().copied()).collect();
        self.write(&bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn short_slices_are_gathered_and_long_ones_go_out_together() -> io::Result<()> {
    let pool = BufioWriterPool::with_size(1, 8);
    let mut writer = pool.get(Gathering::default());
    let short = [IoSlice::new(b"a"), IoSlice::new(b""), IoSlice::new(b"bc")];
    assert_eq!(writer.write_vectored(&short)?, 3);
    assert!(writer.get_ref().0.is_empty());

    // More than the buffer holds, in short slices: as many as fit, to save calls.
    let many = [IoSlice::new(b"def"), IoSlice::new(b"gh"), IoSlice::new(b"ijklm")];
    assert_eq!(writer.write_vectored(&many)?, 5);
    assert_eq!(writer.buffer(), b"abcdefgh");

    let long = [IoSlice::new(b"head"), IoSlice::new(b"a long body")];
    assert_eq!(writer.write_vectored(&long)?, 15);
    assert_eq!(writer.write_vectored(&[])?, 0);
    assert_eq!(writer.finish()?.0, [&b"abcdefgh"[..], b"heada long body"]);
    Ok(())
}

#[test]
fn a_seek_writes_first() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let mut writer = pool.get(Cursor::new(Vec::new()));
    writer.write_all(b"abcdef")?;
    assert_eq!(writer.stream_position()?, 6);
    writer.seek(SeekFrom::Start(2))?;
    writer.write_all(b"XY")?;
    assert_eq!(writer.finish()?.into_inner(), b"abXYef");
    Ok(())
}

#[test]
fn a_writer_may_be_used_through_an_unsized_one() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let mut sink = Vec::new();
    let mut writer = pool.get(&mut sink);
    let unsized_writer: &mut BufioWriterRef<dyn Write> = &mut writer;
    write!(unsized_writer, "{}", 42)?;
    unsized_writer.flush()?;
    drop(writer);
    assert_eq!(sink, b"42");
    Ok(())
}

#[test]
fn sinks_are_dropped_once_on_every_way_out() -> io::Result<()> {
    struct Witness(#[expect(dead_code, reason = "held to be counted")] Rc<()>);

    impl Write for Witness {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let pool = BufioWriterPool::new(1);
    let witness = Rc::new(());
    let writer = || pool.get(Witness(Rc::clone(&witness)));
    let count = || Rc::strong_count(&witness);

    drop(writer());
    assert_eq!(count(), 1);
    let sinks =
        [writer().finish()?, writer().into_inner()?, writer().abandon(), writer().into_parts().0];
    assert_eq!(count(), 5);
    drop(sinks);
    assert_eq!(count(), 1);
    Ok(())
}

#[test]
fn errors_read_well() -> io::Result<()> {
    let pool = BufioWriterPool::new(1);
    let mut writer = pool.get(Steps::new([Take(0)]));
    writer.write_all(b"x")?;
    assert!(format!("{writer:?}").ends_with("buffer: 1/4096, .. }"));
    let failed = writer.finish().unwrap_err();
    assert_eq!(failed.to_string(), "failed to write the buffered data");
    assert!(format!("{failed:?}").starts_with("IntoInnerError { error: "));
    assert_eq!(io::Error::from(failed).kind(), ErrorKind::WriteZero);

    let mut writer = pool.get(Steps::new([Panic]));
    writer.write_all(b"x")?;
    assert!(panic::catch_unwind(AssertUnwindSafe(|| writer.flush())).is_err());
    let panicked = writer.into_parts().1.unwrap_err();
    assert_eq!(format!("{panicked:?}"), "WriterPanicked { len: 1 }");
    assert!(panicked.to_string().starts_with("the sink panicked"));
    Ok(())
}

impl std::fmt::Debug for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Steps")
    }
}
