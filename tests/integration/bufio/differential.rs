//! The same random operations on std's types and on ours, over sources and sinks that misbehave in
//! the same way: results, buffers and every call that reaches the inner stream must be equal.

use std::fmt::Debug;
use std::io::{self, BufRead, BufReader, BufWriter, IoSlice, IoSliceMut, Seek, SeekFrom, Write};
use std::panic::{self, AssertUnwindSafe};

use bp::{BufioReaderPool, BufioReaderRef, BufioWriterPool, BufioWriterRef};
use bp_tests::random::Random;

use super::script::Scripted;

const SEEDS: u64 = 100;
const SIZES: [usize; 5] = [1, 2, 7, 64, 300];

/// What an operation came to: its value, the kind and text of its error, or a panic.
fn outcome<T: Debug>(operation: impl FnOnce() -> io::Result<T>) -> String {
    match panic::catch_unwind(AssertUnwindSafe(operation)) {
        Ok(Ok(value)) => format!("{value:?}"),
        Ok(Err(error)) => format!("{:?}: {error}", error.kind()),
        Err(_) => "panic".to_owned(),
    }
}

/// What both readers can do, beyond their common traits.
trait Reader: BufRead + Seek {
    fn ahead(&self) -> &[u8];
    fn skip(&mut self, offset: i64) -> io::Result<()>;
    fn source(&self) -> &Scripted;
}

impl Reader for BufReader<Scripted> {
    fn ahead(&self) -> &[u8] {
        self.buffer()
    }

    fn skip(&mut self, offset: i64) -> io::Result<()> {
        self.seek_relative(offset)
    }

    fn source(&self) -> &Scripted {
        self.get_ref()
    }
}

impl Reader for BufioReaderRef<Scripted> {
    fn ahead(&self) -> &[u8] {
        self.buffer()
    }

    fn skip(&mut self, offset: i64) -> io::Result<()> {
        self.seek_relative(offset)
    }

    fn source(&self) -> &Scripted {
        self.get_ref()
    }
}

/// An offset: mostly near, now and then so far that 64 bits do not hold the sum.
fn offset(random: &mut Random) -> i64 {
    match random.below(12) {
        0 => i64::MIN,
        1 => i64::MIN + 3,
        2 => i64::MAX,
        _ => i64::try_from(random.below(160)).expect("small") - 80,
    }
}

fn read(reader: &mut impl Reader, random: &mut Random) -> String {
    let len = random.below(90);
    match random.below(11) {
        0..3 => outcome(|| {
            let mut out = vec![0; len];
            let read = reader.read(&mut out)?;
            Ok((read, out))
        }),
        3 => outcome(|| {
            let (mut one, mut two, mut three) = (vec![0; len / 3], vec![], vec![0; len]);
            let mut outs =
                [IoSliceMut::new(&mut one), IoSliceMut::new(&mut two), IoSliceMut::new(&mut three)];
            let read = reader.read_vectored(&mut outs)?;
            Ok((read, one, three))
        }),
        4 => outcome(|| {
            let mut out = vec![0; len];
            // What the bytes are after a failure is not promised, by std neither.
            reader.read_exact(&mut out)?;
            Ok(out)
        }),
        5 => outcome(|| {
            let amount = reader.fill_buf()?.len().min(len);
            let bytes = reader.fill_buf()?.to_vec();
            reader.consume(amount);
            Ok(bytes)
        }),
        6 => {
            let mut line = Vec::new();
            let result = outcome(|| reader.read_until(b'\n', &mut line));
            format!("{result} {line:?}")
        }
        7 => outcome(|| reader.skip(offset(random))),
        8 => outcome(|| reader.stream_position()),
        9 => {
            let offset = offset(random);
            outcome(|| match offset.rem_euclid(3) {
                0 => reader.seek(SeekFrom::Current(offset)),
                1 => reader.seek(SeekFrom::Start(offset.unsigned_abs())),
                _ => reader.seek(SeekFrom::End(offset)),
            })
        }
        _ if random.below(4) == 0 => {
            let mut text = "x".repeat(random.below(2));
            let result = outcome(|| reader.read_to_string(&mut text));
            format!("{result} {text:?}")
        }
        _ if random.below(4) == 0 => {
            let mut rest = vec![7];
            let result = outcome(|| reader.read_to_end(&mut rest));
            format!("{result} {rest:?}")
        }
        _ => String::new(),
    }
}

#[test]
fn a_reader_does_what_stds_does() {
    for size in SIZES {
        let pool = BufioReaderPool::with_size(4, size);
        for seed in 0..SEEDS {
            let mut random = Random::new(seed);
            let mut data = random.bytes(500);
            if seed % 2 == 0 {
                // Text, so that reading it as such succeeds, with lines.
                for byte in &mut data {
                    *byte = b"abc\n"[usize::from(*byte % 4)];
                }
            }
            let mut source = Scripted::new(data, seed);
            if seed % 3 == 0 {
                source = source.with_panics();
            }
            let mut std = BufReader::with_capacity(size, source.clone());
            let mut ours = pool.get(source);

            for step in 0..60 {
                let mut same = random.clone();
                let expected = read(&mut std, &mut random);
                let found = read(&mut ours, &mut same);
                assert_eq!(found, expected, "size {size}, seed {seed}, step {step}");
                assert_eq!(ours.ahead(), std.ahead(), "size {size}, seed {seed}, step {step}");
            }
            assert_eq!(ours.source().calls, std.source().calls, "size {size}, seed {seed}");
            assert_eq!(ours.source().position, std.source().position);
        }
        assert_eq!(pool.stats().misses, 1);
    }
}

/// What both writers can do, beyond their common traits.
trait Writer: Write + Seek {
    fn waiting(&self) -> &[u8];
    fn sink(&self) -> &Scripted;
}

impl Writer for BufWriter<Scripted> {
    fn waiting(&self) -> &[u8] {
        self.buffer()
    }

    fn sink(&self) -> &Scripted {
        self.get_ref()
    }
}

impl Writer for BufioWriterRef<Scripted> {
    fn waiting(&self) -> &[u8] {
        self.buffer()
    }

    fn sink(&self) -> &Scripted {
        self.get_ref()
    }
}

fn write(writer: &mut impl Writer, random: &mut Random) -> String {
    let len = random.below(90);
    let bytes = random.bytes(len);
    match random.below(9) {
        0..4 => outcome(|| writer.write(&bytes)),
        4..7 => outcome(|| writer.write_all(&bytes)),
        7 => outcome(|| writer.flush()),
        _ => outcome(|| writer.seek(SeekFrom::Start(len as u64))),
    }
}

#[test]
fn a_writer_does_what_stds_does() {
    for size in SIZES {
        let pool = BufioWriterPool::with_size(4, size);
        for seed in 0..SEEDS {
            let mut random = Random::new(seed);
            let mut sink = Scripted::new(Vec::new(), seed);
            if seed % 3 == 0 {
                sink = sink.with_panics();
            }
            let mut std = BufWriter::with_capacity(size, sink.clone());
            let mut ours = pool.get(sink);

            for step in 0..60 {
                let mut same = random.clone();
                let expected = write(&mut std, &mut random);
                let found = write(&mut ours, &mut same);
                assert_eq!(found, expected, "size {size}, seed {seed}, step {step}");
                assert_eq!(ours.waiting(), std.waiting(), "size {size}, seed {seed}, step {step}");
            }
            assert_eq!(ours.sink().calls, std.sink().calls, "size {size}, seed {seed}");

            if seed % 2 == 0 {
                let ((std, expected), (ours, found)) = (std.into_parts(), ours.into_parts());
                assert_eq!(ours.data, std.data);
                match (found, expected) {
                    (Ok(found), Ok(expected)) => assert_eq!(*found, expected),
                    (Err(found), Err(expected)) => {
                        assert_eq!(*found.into_inner(), expected.into_inner());
                    }
                    (found, expected) => panic!("{found:?}, but std has {expected:?}"),
                }
            } else {
                let ended = outcome(|| match std.into_inner() {
                    Ok(sink) => Ok((sink.calls, sink.data)),
                    Err(failed) => Err(failed.into_error()),
                });
                let found = outcome(|| match ours.into_inner() {
                    Ok(sink) => Ok((sink.calls, sink.data)),
                    Err(failed) => Err(failed.into_error()),
                });
                assert_eq!(found, ended, "size {size}, seed {seed}");
            }
        }
    }
}

/// Which slices go out together may differ from std, since stable Rust does not tell whether the
/// sink can take several; what arrives may not.
#[test]
fn slices_arrive_in_order_whatever_their_lengths() -> io::Result<()> {
    let pool = BufioWriterPool::with_size(4, 32);
    for seed in 0..SEEDS {
        let mut random = Random::new(seed);
        let mut expected = Vec::new();
        let mut writer = pool.get(Vec::new());
        for _ in 0..40 {
            let count = random.below(5);
            let pieces: Vec<_> = (0..count)
                .map(|_| {
                    let len = random.below(if seed % 2 == 0 { 12 } else { 60 });
                    random.bytes(len)
                })
                .collect();
            let mut slices: Vec<_> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
            let mut rest = &mut slices[..];
            let total = pieces.concat();
            expected.extend_from_slice(&total);
            let mut left = total.len();
            while left > 0 {
                let written = writer.write_vectored(rest)?;
                assert!((1..=left).contains(&written), "seed {seed}: {written} of {left}");
                IoSlice::advance_slices(&mut rest, written);
                left -= written;
            }
        }
        assert_eq!(writer.finish()?, expected, "seed {seed}");
    }
    Ok(())
}
