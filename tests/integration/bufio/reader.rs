//! What a buffered reader from a pool does.

use std::io::{self, BufRead, Cursor, ErrorKind, IoSliceMut, Read, Seek, SeekFrom};
use std::panic::{self, AssertUnwindSafe};

use bp::{BufioReaderPool, BufioReaderRef, OnReturn};
use bp_tests::random::Random;

use super::script::{Call, Overclaiming, Scripted};

#[test]
fn case_23_thousands_of_files_are_read_through_one_buffer() -> io::Result<()> {
    let pool = BufioReaderPool::with_size(8, 64);
    let mut random = Random::new(23);
    let mut memory = None;
    for file in 0..5_000 {
        let content: Vec<u8> = match file % 3 {
            0 => random.bytes(200),
            1 => Vec::new(),
            // Shorter than what the buffer held before.
            _ => vec![b'.'; random.below(64)],
        };
        let mut reader = pool.get(&content[..]);
        assert_eq!(reader.buffer(), b"");

        // Only a few bytes, then away: the rest stays behind in the buffer.
        let ahead = reader.fill_buf()?;
        assert_eq!(ahead, &content[..content.len().min(64)]);
        if !ahead.is_empty() {
            assert_eq!(*memory.get_or_insert(ahead.as_ptr()), ahead.as_ptr());
        }
        reader.consume(5);
        if file % 2 == 0 {
            let mut rest = Vec::new();
            reader.read_to_end(&mut rest)?;
            assert_eq!(rest, content[content.len().min(5)..]);
        }
    }
    assert_eq!((pool.stats().misses, pool.stats().hits), (1, 4_999));
    Ok(())
}

#[test]
fn case_25_what_was_read_ahead_is_for_into_parts_and_nobody_else() -> io::Result<()> {
    let pool = BufioReaderPool::new(1);
    let mut reader = pool.get(&b"head|body of the first stream"[..]);
    let mut head = Vec::new();
    reader.read_until(b'|', &mut head)?;

    let (rest, ahead) = reader.into_parts();
    assert_eq!((rest, &*ahead), (&b""[..], &b"body of the first stream"[..]));
    drop(ahead);
    assert_eq!(pool.len(), 1);

    let mut next = pool.get(&b"second"[..]);
    assert_eq!(next.capacity(), 4096);
    assert_eq!(next.buffer(), b"");
    assert_eq!(next.fill_buf()?, b"second");
    next.consume(3);
    // `into_inner` loses it, as it does in std.
    assert_eq!(next.into_inner(), b"");

    let mut last = pool.get(io::empty());
    assert_eq!(last.fill_buf()?, b"");
    let mut out = [1; 8];
    assert_eq!(last.read(&mut out)?, 0);
    assert_eq!(out, [1; 8]);
    assert_eq!(pool.stats().misses, 1);
    Ok(())
}

#[test]
fn readers_of_different_types_share_a_pool() -> io::Result<()> {
    let pool = BufioReaderPool::new(4);
    let mut slice = &b"slice"[..];
    let mut text = String::new();
    pool.get(&mut slice).read_to_string(&mut text)?;
    pool.get(Cursor::new(" cursor")).read_to_string(&mut text)?;
    let boxed: Box<dyn Read> = Box::new(&b" box"[..]);
    pool.get(boxed).read_to_string(&mut text)?;
    assert_eq!(text, "slice cursor box");
    assert_eq!((pool.stats().misses, pool.stats().hits), (1, 2));
    Ok(())
}

#[test]
fn a_reader_may_be_used_through_an_unsized_one() -> io::Result<()> {
    let pool = BufioReaderPool::new(4);
    let mut reader = pool.get(&b"a line\nand more"[..]);
    let unsized_reader: &mut BufioReaderRef<dyn Read> = &mut reader;
    let mut line = String::new();
    unsized_reader.read_line(&mut line)?;
    assert_eq!(line, "a line\n");
    assert_eq!(unsized_reader.buffer(), b"and more");
    Ok(())
}

#[test]
fn a_large_read_goes_around_an_empty_buffer() -> io::Result<()> {
    let pool = BufioReaderPool::with_size(4, 16);
    let mut calls = Vec::new();
    let mut reader = pool.get(Recording { data: &[5; 100], calls: &mut calls });
    let mut out = [0; 16];
    assert_eq!(reader.read(&mut out)?, 16);
    assert_eq!(reader.buffer(), b"");
    assert_eq!(reader.read(&mut out[..4])?, 4);
    // What is buffered comes first, alone.
    assert_eq!(reader.read(&mut out)?, 12);
    let (mut one, mut two) = ([0; 8], [0; 9]);
    let mut outs = [IoSliceMut::new(&mut one), IoSliceMut::new(&mut two)];
    assert_eq!(reader.read_vectored(&mut outs)?, 17);
    drop(reader);
    assert_eq!(calls, [16, 16, 17]);
    Ok(())
}

/// Notes how much each read asks for; takes several slices at once.
struct Recording<'a> {
    data: &'a [u8],
    calls: &'a mut Vec<usize>,
}

impl Read for Recording<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.calls.push(out.len());
        self.data.read(out)
    }

    fn read_vectored(&mut self, outs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        self.calls.push(outs.iter().map(|out| out.len()).sum());
        self.data.read_vectored(outs)
    }
}

#[test]
fn a_claim_of_more_bytes_than_given_is_an_error() {
    let pool = BufioReaderPool::with_size(4, 8);
    // Something to be leaked.
    assert_eq!(pool.get(&b"secrets!"[..]).fill_buf().ok(), Some(&b"secrets!"[..]));

    let mut reader = pool.get(Overclaiming);
    assert_eq!(reader.fill_buf().unwrap_err().kind(), ErrorKind::InvalidData);
    assert_eq!(reader.buffer(), b"");
    assert_eq!(reader.read(&mut [0; 2]).unwrap_err().kind(), ErrorKind::InvalidData);
    assert_eq!(reader.read(&mut [0; 9]).unwrap_err().kind(), ErrorKind::InvalidData);
    assert_eq!(reader.read_exact(&mut [0; 9]).unwrap_err().kind(), ErrorKind::InvalidData);
    let mut out = [0; 9];
    let outs = &mut [IoSliceMut::new(&mut out)];
    assert_eq!(reader.read_vectored(outs).unwrap_err().kind(), ErrorKind::InvalidData);
    assert_eq!(
        reader.read_until(b'!', &mut Vec::new()).unwrap_err().kind(),
        ErrorKind::InvalidData
    );
}

/// Safe code cannot keep a reader from that; nothing of an earlier stream need be there.
#[test]
fn a_claim_of_bytes_that_were_not_written_shows_zeros_where_the_pool_wipes() -> io::Result<()> {
    struct Idle;

    impl Read for Idle {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            Ok(out.len())
        }
    }

    let pool = BufioReaderPool::builder(4).size(8).on_return(OnReturn::Zero).build().unwrap();
    assert_eq!(pool.get(&b"secrets!"[..]).fill_buf()?, b"secrets!");
    assert_eq!(pool.get(Idle).fill_buf()?, [0; 8]);
    assert_eq!(pool.stats().hits, 1);
    Ok(())
}

#[test]
fn a_panic_of_the_reader_leaves_an_empty_buffer() -> io::Result<()> {
    struct PanicsOnce(bool);

    impl Read for PanicsOnce {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            out[0] = b'x';
            if self.0 {
                self.0 = false;
                panic::resume_unwind(Box::new(()));
            }
            Ok(1)
        }
    }

    let pool = BufioReaderPool::new(4);
    let mut reader = pool.get(PanicsOnce(true));
    assert!(panic::catch_unwind(AssertUnwindSafe(|| reader.fill_buf().map(drop))).is_err());
    assert_eq!(reader.buffer(), b"");
    assert_eq!(reader.fill_buf()?, b"x");
    drop(reader);
    assert_eq!(pool.len(), 1);
    Ok(())
}

#[test]
fn a_seek_counts_from_what_was_read() -> io::Result<()> {
    let pool = BufioReaderPool::with_size(4, 8);
    let mut reader = pool.get(Cursor::new(b"0123456789abcdefghij"));
    let mut out = [0; 2];
    reader.read_exact(&mut out)?;
    assert_eq!((reader.stream_position()?, reader.get_ref().position()), (2, 8));
    assert_eq!(reader.seek(SeekFrom::Current(1))?, 3);
    assert_eq!(reader.buffer(), b"");
    reader.read_exact(&mut out)?;
    assert_eq!(&out, b"34");
    Ok(())
}

#[test]
fn a_relative_seek_within_the_buffer_does_not_reach_the_reader() -> io::Result<()> {
    let pool = BufioReaderPool::with_size(4, 8);
    let mut reader = pool.get(Cursor::new(b"0123456789abcdefghij"));
    assert_eq!(reader.fill_buf()?, b"01234567");
    reader.seek_relative(8)?;
    reader.seek_relative(-8)?;
    reader.seek_relative(5)?;
    assert_eq!(reader.buffer(), b"567");
    assert_eq!(reader.get_ref().position(), 8);

    reader.seek_relative(4)?;
    assert_eq!(reader.buffer(), b"");
    assert_eq!(reader.fill_buf()?, b"9abcdefg");
    Ok(())
}

#[test]
fn an_offset_that_does_not_fit_takes_two_seeks() {
    /// Accepts every seek, and notes it.
    struct Notes(Vec<SeekFrom>);

    impl Read for Notes {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            Ok(out.len())
        }
    }

    impl Seek for Notes {
        fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
            self.0.push(target);
            Ok(0)
        }
    }

    let pool = BufioReaderPool::with_size(4, 8);
    let mut reader = pool.get(Notes(Vec::new()));
    reader.read_exact(&mut [0; 3]).expect("endless");
    reader.seek(SeekFrom::Current(i64::MIN + 2)).expect("accepted");
    let expected = [SeekFrom::Current(-5), SeekFrom::Current(i64::MIN + 2)];
    assert_eq!(reader.into_inner().0, expected);
}

#[test]
fn a_position_before_what_was_read_is_an_error() {
    struct Lost;

    impl Read for Lost {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            Ok(out.len())
        }
    }

    impl Seek for Lost {
        fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
            Ok(0)
        }
    }

    let mut reader = BufioReaderPool::new(1).get(Lost);
    reader.fill_buf().expect("endless");
    assert_eq!(reader.stream_position().unwrap_err().kind(), ErrorKind::InvalidData);
}

#[test]
fn text_that_is_none_leaves_the_string_as_it_was() {
    let pool = BufioReaderPool::new(4);
    for before in ["", "kept"] {
        let mut text = before.to_owned();
        let result = pool.get(&b"\xff\xfe"[..]).read_to_string(&mut text);
        assert_eq!(result.unwrap_err().kind(), ErrorKind::InvalidData);
        assert_eq!(text, before);
    }
}

#[test]
fn an_error_is_told_once_and_the_reader_goes_on() {
    let pool = BufioReaderPool::with_size(4, 8);
    let mut reader = pool.get(Scripted::new(vec![9; 1000], 1));
    let mut read = Vec::new();
    while read.len() < 1000 {
        match reader.fill_buf() {
            Ok(bytes) => {
                read.extend_from_slice(bytes);
                let len = bytes.len();
                reader.consume(len);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
        }
    }
    assert_eq!(read, vec![9; 1000]);
    assert!(reader.into_inner().calls.iter().all(|call| *call == Call::Read(8)));
}

#[test]
fn debug_tells_how_full_the_buffer_is() -> io::Result<()> {
    let pool = BufioReaderPool::with_size(4, 8);
    let mut reader = pool.get(io::repeat(1));
    reader.read_exact(&mut [0; 3])?;
    assert_eq!(format!("{reader:?}"), "BufioReaderRef { reader: Repeat { .. }, buffer: 5/8, .. }");
    Ok(())
}
