//! Answers that no server should give: each gets an error that names what is wrong, every buffer
//! back, and no further request.

use std::error::Error as _;
use std::io::ErrorKind;

use bp::{BytePool, ByteSource, Heap, MultiBytePool};
use bp_examples::memcached::{Client, Error, MAX_VALUE, Refusal};

use super::script::{Script, client, pool};
use crate::allocations::allocated_by;

/// Makes a request whose answer is at fault, with the answer in pieces of several sizes.
fn fails(
    script: impl Fn() -> Script,
    ask: impl Fn(&mut Client<Script>, &MultiBytePool) -> Result<(), Error>,
) -> Error {
    let errors = [1, 2, 7, 4096].map(|chunk| {
        let pool = pool();
        let (mut client, buffers) = client(Script { chunk, ..script() });
        let error = ask(&mut client, &pool).expect_err("the answer is at fault");
        assert_eq!((pool.stats().in_use, buffers.in_use()), (0, 0), "{error}");

        let message = error.to_string();
        assert!(!message.contains(|c: char| c.is_control()) && message.len() < 500, "{message}");

        let refused = matches!(error, Error::Refused { .. });
        let next = client.get("key", &pool);
        assert_eq!(matches!(next, Err(Error::OutOfStep)), !refused, "after {error}: {next:?}");
        error
    });
    // How the answer arrives makes no difference.
    let [first, .., last] = errors;
    assert_eq!(first.to_string(), last.to_string());
    last
}

/// Asks for `key` and `other`, and reads all there is.
fn get_many(answer: &[u8]) -> Error {
    let ask = |client: &mut Client<Script>, pool: &MultiBytePool| {
        // Those that arrived are still in use when the next one fails.
        let values = client.get_many(&["key", "other"], pool)?;
        values.collect::<Result<Vec<_>, _>>().map(drop)
    };
    fails(|| Script::new(&[answer, b"END\r\n"]), ask)
}

/// Asks for `key`.
fn get(answer: &[u8]) -> Error {
    fails(|| Script::new(&[answer, b"END\r\n"]), |client, pool| client.get("key", pool).map(drop))
}

/// Asks for `key` by the meta protocol.
fn meta(answer: &[u8]) -> Error {
    let ask = |client: &mut Client<Script>, pool: &_| client.meta_get("key", pool).map(drop);
    fails(|| Script::new(&[answer, b"END\r\n"]), ask)
}

/// Returns the line that is no answer.
fn unexpected(error: Error) -> String {
    match error {
        Error::Unexpected { line } => line,
        error => panic!("{error}"),
    }
}

#[test]
fn nothing_at_all() {
    assert!(matches!(get(b""), Error::LineEnded { start } if start.is_empty()));
}

#[test]
fn a_line_that_ends_too_early() {
    let error = get(b"VALUE ke");
    assert_eq!(error.to_string(), "the connection ended within a line, after `VALUE ke`");
    assert!(matches!(get(b"END\r"), Error::LineEnded { start } if start == "END\\r"));
}

#[test]
fn a_line_break_of_one_byte() {
    assert_eq!(unexpected(get(b"END\n")), "END\\n");
    assert_eq!(unexpected(get(b"VALUE key 0 5\nhello\r\nEND\r\n")), "VALUE key 0 5\\n");
    assert_eq!(unexpected(get(b"\n")), "\\n");
}

#[test]
fn a_line_that_is_too_long() {
    // One byte more than there may be, with the line break.
    let long = |len: usize| [&b"x".repeat(len), &b"\r\n"[..]].concat();
    assert!(matches!(get(&long(511)), Error::LineTooLong { .. }));
    assert_eq!(unexpected(get(&long(510))), "x".repeat(80));
}

#[test]
fn a_line_that_never_ends_takes_no_memory() {
    let endless = b"VALUE ".repeat(100_000);
    let (mut client, _) = client(Script::new(&[&endless, &endless]));
    let mut error = None;
    let allocated = allocated_by(|| error = client.get("key", &Heap).err());
    let error = error.expect("no line");
    assert!(matches!(&error, Error::LineTooLong { start } if start.starts_with("VALUE VALUE")));
    // The buffers of the connection, which stay, and the text of the error.
    assert!(allocated.bytes < 10_000, "{allocated:?}");
}

#[test]
fn a_word_that_is_none() {
    assert_eq!(unexpected(get(b"HELLO\r\n")), "HELLO");
    assert_eq!(unexpected(get(b"value key 0 5\r\nhello\r\nEND\r\n")), "value key 0 5");
    assert_eq!(unexpected(get(b"END \r\n")), "END ");
    assert_eq!(unexpected(get(b"\r\n")), "");
    assert_eq!(unexpected(get(b"ERRORS\r\n")), "ERRORS");
    // The binary protocol.
    assert_eq!(unexpected(get(b"\x81\x00\x00\r\n")), "\\x81\\x00\\x00");
    // The other of the two protocols.
    assert_eq!(unexpected(get(b"EN\r\n")), "EN");
    assert_eq!(unexpected(get(b"VA 5 kkey f0 c1\r\nhello\r\n")), "VA 5 kkey f0 c1");
}

#[test]
fn a_header_with_too_few_words() {
    for header in ["VALUE", "VALUE key", "VALUE key 0"] {
        assert_eq!(unexpected(get(format!("{header}\r\nhello\r\nEND\r\n").as_bytes())), header);
    }
}

#[test]
fn a_header_with_too_many_words() {
    assert_eq!(unexpected(get(b"VALUE key 0 5 1 2\r\nhello\r\nEND\r\n")), "VALUE key 0 5 1 2");
}

#[test]
fn a_header_with_a_space_too_many() {
    // The empty word is the key, the flags, the length and the cas.
    assert_eq!(unexpected(get(b"VALUE  key 0 5\r\nhello\r\nEND\r\n")), "VALUE  key 0 5");
    assert_eq!(get(b"VALUE key  0 5\r\nhello\r\n").to_string(), "`` for a number, the flags");
    assert_eq!(get(b"VALUE key 0  5\r\nhello\r\n").to_string(), "`` for a number, the length");
    assert_eq!(get(b"VALUE key 0 5 \r\nhello\r\n").to_string(), "`` for a number, the cas");
}

#[test]
fn a_key_that_is_none() {
    assert_eq!(unexpected(get(b"VALUE k\x01y 0 5\r\nhello\r\nEND\r\n")), "VALUE k\\x01y 0 5");
    let long = format!("VALUE {} 0 5\r\nhello\r\nEND\r\n", "k".repeat(251));
    assert!(unexpected(get(long.as_bytes())).starts_with("VALUE kkk"));
}

#[test]
fn flags_that_are_none() {
    for flags in ["-1", "+1", "0x1", "4294967296", "one", "1.5", "1\t"] {
        let answer = format!("VALUE key {flags} 5\r\nhello\r\nEND\r\n");
        let shown = flags.escape_default();
        let message = format!("`{shown}` for a number, the flags");
        assert_eq!(get(answer.as_bytes()).to_string(), message);
    }
}

#[test]
fn a_length_that_is_none() {
    for length in ["-1", "+5", "5x", " 5", "18446744073709551616", "٥"] {
        let answer = format!("VALUE key 0 {length}\r\nhello\r\nEND\r\n");
        let error = get(answer.as_bytes());
        assert!(matches!(error, Error::Number { field: "length", .. }), "{error}");
    }
}

#[test]
fn a_length_beyond_the_limit() {
    for length in [MAX_VALUE as u64 + 1, 1 << 40, u64::MAX] {
        let answer = format!("VALUE key 0 {length}\r\nhello\r\nEND\r\n");
        let error = get(answer.as_bytes());
        let message =
            format!("the value of `key` has {length} bytes, 1048576 are the most there may be");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_cas_that_is_none() {
    for cas in ["-1", "x", "18446744073709551616"] {
        let answer = format!("VALUE key 0 5 {cas}\r\nhello\r\nEND\r\n");
        let message = format!("`{cas}` for a number, the cas");
        assert_eq!(get(answer.as_bytes()).to_string(), message);
    }
}

#[test]
fn a_value_that_ends_too_early() {
    for value in ["", "h", "hell"] {
        let error = get(format!("VALUE key 0 5\r\n{value}").as_bytes());
        assert_eq!(error.to_string(), "the connection ended within the 5 bytes of `key`");
    }
    // Longer than a buffer, and than any class.
    let half = [b"VALUE key 0 1000000\r\n", &*b"x".repeat(500_000)].concat();
    assert!(matches!(get(&half), Error::ValueEnded { len: 1_000_000, .. }));
}

#[test]
fn a_value_without_all_of_its_line_break() {
    for end in ["", "\r"] {
        let error = get(format!("VALUE key 0 5\r\nhello{end}").as_bytes());
        assert!(matches!(error, Error::ValueEnded { len: 5, .. }), "{error}");
    }
}

#[test]
fn a_value_that_is_longer_than_its_length() {
    let error = get(b"VALUE key 0 4\r\nhello\r\nEND\r\n");
    assert_eq!(error.to_string(), "`o\\r` for a line break after the value of `key`");
    assert!(matches!(get(b"VALUE key 0 0\r\nhello\r\nEND\r\n"), Error::ValueEnd { .. }));
}

#[test]
fn a_value_that_is_shorter_than_its_length() {
    // The break of the line is the sixth byte; then the next line begins.
    let error = get(b"VALUE key 0 7\r\nhello\r\nEND\r\n");
    assert_eq!(error.to_string(), "`EN` for a line break after the value of `key`");
}

#[test]
fn a_line_break_the_wrong_way_round() {
    assert!(matches!(get(b"VALUE key 0 5\r\nhello\n\rEND\r\n"), Error::ValueEnd { .. }));
}

#[test]
fn an_answer_without_end() {
    let error = get(b"VALUE key 0 5\r\nhello\r\n");
    assert!(matches!(error, Error::LineEnded { start } if start.is_empty()));
}

#[test]
fn the_second_value_at_fault() {
    let whole = "VALUE key 0 5\r\nhello\r\n";
    let second = |text: &str| get_many(format!("{whole}{text}").as_bytes());
    assert!(matches!(second("VALUE other 0 5\r\nhel"), Error::ValueEnded { .. }));
    assert!(matches!(second("VALUE other 0 -5\r\nhel"), Error::Number { .. }));
    assert!(matches!(second("VALUE other 0 12\r\nhello\r\nEND\r\n"), Error::ValueEnded { .. }));
    assert!(matches!(second("VALUE other"), Error::LineEnded { .. }));
}

#[test]
fn a_key_that_was_not_asked_for() {
    // What a connection says that answers somebody else's question.
    let error = get(b"VALUE foreign 0 6\r\nsecret\r\nEND\r\n");
    assert_eq!(error.to_string(), "a value of `foreign`, which was not asked for");
    assert!(matches!(get(b"VALUE ke 0 1\r\nx\r\nEND\r\n"), Error::Unasked { .. }));
    assert!(matches!(get_many(b"VALUE keyother 0 1\r\nx\r\nEND\r\n"), Error::Unasked { .. }));
}

#[test]
fn more_values_than_keys() {
    let value = b"VALUE key 0 5\r\nhello\r\n";
    assert!(matches!(get(&value.repeat(2)), Error::TooMany { .. }));
    assert!(matches!(get_many(&value.repeat(3)), Error::TooMany { .. }));
}

#[test]
fn more_after_the_end() {
    let surplus = |answer: &[u8]| {
        let pool = pool();
        let (mut client, buffers) = client(Script::new(&[answer]));
        let error = client.get("key", &pool).expect_err("there is more");
        assert_eq!((pool.stats().in_use, buffers.in_use()), (0, 0));
        assert!(matches!(client.get("key", &pool), Err(Error::OutOfStep)));
        error.to_string()
    };
    let message = "more after the end of the answer, which begins `END\\r\\n`";
    assert_eq!(surplus(b"END\r\nEND\r\n"), message);
    assert_eq!(surplus(b"VALUE key 0 5\r\nhello\r\nEND\r\nEND\r\n"), message);

    // Also of a refusal, which by itself does no harm.
    let (mut client, _) = client(Script::new(&[b"ERROR\r\nEND\r\n"]));
    assert!(matches!(client.get("key", &Heap), Err(Error::Refused { .. })));
    assert!(matches!(client.get("key", &Heap), Err(Error::OutOfStep)));
}

#[test]
fn a_stream_that_fails_within_a_line_and_a_value() {
    for kind in [ErrorKind::ConnectionReset, ErrorKind::WouldBlock, ErrorKind::TimedOut] {
        for answer in [&b"VAL"[..], b"VALUE key 0 5\r\n", b"VALUE key 0 5\r\nhel"] {
            let script = || Script { error: Some(kind), ..Script::new(&[answer]) };
            let error = fails(script, |client, pool| client.get("key", pool).map(drop));
            assert!(matches!(&error, Error::Io(error) if error.kind() == kind), "{error}");
            assert!(error.source().is_some());
        }
    }
}

#[test]
fn a_source_without_memory() {
    let pool = BytePool::new(4, 1024);
    let (mut client, buffers) = client(Script::new(&[b"VALUE key 0 1025\r\nhello\r\nEND\r\n"]));
    let error = client.get("key", &pool).expect_err("the pool gives 1024 bytes");
    assert!(matches!(&error, Error::Memory { len: 1025, error }
        if error.kind() == ErrorKind::InvalidInput));
    assert!(error.to_string().starts_with("no memory for 1025 bytes: "), "{error}");
    assert_eq!((pool.stats().misses, pool.stats().in_use, buffers.in_use()), (0, 0, 0));
    assert!(matches!(client.get("key", &pool), Err(Error::OutOfStep)));
}

#[test]
fn refusals_of_the_server() {
    let refused = |answer: &[u8]| match get(answer) {
        Error::Refused { refusal, message } => (refusal, message),
        error => panic!("{error}"),
    };
    assert_eq!(refused(b"ERROR\r\n"), (Refusal::Command, String::new()));
    let (refusal, message) = refused(b"CLIENT_ERROR bad command line format\r\n");
    assert_eq!((refusal, &*message), (Refusal::Client, "bad command line format"));
    let (refusal, message) = refused(b"SERVER_ERROR out of memory \x1b[2J\r\n");
    assert_eq!((refusal, &*message), (Refusal::Server, "out of memory \\x1b[2J"));
}

#[test]
fn a_refusal_after_a_value_gives_the_value_back() {
    let error = get_many(b"VALUE key 0 5\r\nhello\r\nSERVER_ERROR out of memory\r\n");
    assert_eq!(error.to_string(), "the server failed: `out of memory`");
}

#[test]
fn meta_lines_that_are_no_answer() {
    let lines = [
        "HD",
        "END",
        "VA",
        "MN",
        "EN ",
        "EN f0",
        "EN kkey c1",
        "EN kkey kkey",
        "VALUE key 0 5",
        // The key, the flags are missing; the cas may be.
        "VA 5 f0 c1",
        "VA 5 kkey c1",
        // Twice, not asked for, empty, none.
        "VA 5 kkey kkey f0 c1",
        "VA 5 kkey f0 f0 c1",
        "VA 5 kkey f0 c1 c1",
        "VA 5 kkey f0 c1 t0",
        "VA 5 kkey f0 c1 ",
        "VA 5 k f0 c1",
        "VA 5 kk\u{1}y f0 c1",
        "VA 5 kkey f0 c1 W1",
    ];
    for line in lines {
        let shown = line.as_bytes().escape_ascii().to_string();
        assert_eq!(unexpected(meta(format!("{line}\r\nhello\r\n").as_bytes())), shown);
    }
}

#[test]
fn meta_numbers_that_are_none() {
    let numbers = [
        ("VA -5 kkey f0 c1", "length"),
        ("VA  5 kkey f0 c1", "length"),
        ("VA +5 kkey f0 c1", "length"),
        ("VA 5 kkey f-1 c1", "flags"),
        ("VA 5 kkey f c1", "flags"),
        ("VA 5 kkey f4294967296 c1", "flags"),
        ("VA 5 kkey f0 c+1", "cas"),
    ];
    for (line, at_fault) in numbers {
        let error = meta(format!("{line}\r\nhello\r\n").as_bytes());
        assert!(matches!(error, Error::Number { field, .. } if field == at_fault), "{error}");
    }
}

#[test]
fn meta_values_at_fault() {
    assert!(matches!(meta(b"VA 1048577 kkey f0 c1\r\nhello\r\n"), Error::TooLarge { .. }));
    assert!(matches!(meta(b"VA 5 kkey f0 c1\r\nhel"), Error::ValueEnded { .. }));
    assert!(matches!(meta(b"VA 4 kkey f0 c1\r\nhello\r\n"), Error::ValueEnd { .. }));
    assert!(matches!(meta(b"VA 5 kother f0 c1\r\nhello\r\n"), Error::Unasked { .. }));
    assert!(matches!(meta(b"EN kother\r\n"), Error::Unasked { .. }));
    assert!(matches!(meta(b"CLIENT_ERROR bad data chunk\r\n"), Error::Refused { .. }));
    assert!(matches!(meta(b""), Error::LineEnded { .. }));
}

#[test]
fn answers_to_set_and_delete_at_fault() {
    let set = |answer: &[u8]| {
        let script = || Script::new(&[answer, b"END\r\n"]);
        fails(script, |client, _| client.set("key", 0, 0, b"hello"))
    };
    assert_eq!(unexpected(set(b"NOT_STORED\r\n")), "NOT_STORED");
    assert_eq!(unexpected(set(b"STORED \r\n")), "STORED ");
    assert!(matches!(set(b""), Error::LineEnded { .. }));
    let refused = set(b"SERVER_ERROR object too large for cache\r\n");
    assert!(matches!(refused, Error::Refused { refusal: Refusal::Server, .. }));

    let delete = |answer: &[u8]| {
        let script = || Script::new(&[answer, b"END\r\n"]);
        fails(script, |client, _| client.delete("key").map(drop))
    };
    assert_eq!(unexpected(delete(b"STORED\r\n")), "STORED");
    assert!(matches!(delete(b"DELE"), Error::LineEnded { .. }));
}

#[test]
fn a_set_that_was_not_understood_ends_the_connection() {
    // The server takes the value for requests now, and answers those.
    for answer in [&b"ERROR\r\n"[..], b"CLIENT_ERROR bad command line format\r\n"] {
        let (mut client, _) = client(Script::new(&[answer, b"END\r\n"]));
        let refused = client.set("key", 0, 0, b"delete other");
        assert!(matches!(refused, Err(Error::Refused { .. })));
        assert!(matches!(client.get("key", &Heap), Err(Error::OutOfStep)));
    }
}

#[test]
fn a_source_that_panics_leaves_the_client_out_of_step() {
    struct Panics;

    impl ByteSource for Panics {
        type Buf = Vec<u8>;

        fn bytes(&self, _: usize) -> std::io::Result<Vec<u8>> {
            panic!("no memory is left")
        }
    }

    let (mut client, buffers) = client(Script::new(&[b"VALUE key 0 5\r\nhello\r\nEND\r\n"]));
    let panic = std::panic::AssertUnwindSafe(|| client.get("key", &Panics).map(drop));
    assert!(std::panic::catch_unwind(panic).is_err());
    assert_eq!(buffers.in_use(), 0);
    assert!(matches!(client.get("key", &Heap), Err(Error::OutOfStep)));
}
