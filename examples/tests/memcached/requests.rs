//! What a client sends, and what it makes of an answer that is as it should be.

use bp::{BytePool, Heap};
use bp_examples::memcached::{Error, Key, MAX_KEY};

use super::script::{Script, client, pool};
use crate::allocations::{Allocated, allocated_by};

#[test]
fn requests_are_as_the_protocol_says() {
    let end: &[u8] = b"END\r\n";
    let (mut client, _) =
        client(Script::new(&[end, end, end, end, b"EN\r\n", b"STORED\r\n", b"DELETED\r\n"]));
    assert!(client.get("one", &Heap).expect("an answer").is_none());
    assert!(client.gets("one", &Heap).expect("an answer").is_none());
    assert_eq!(client.get_many(&["one", "two"], &Heap).expect("sent").count(), 0);
    assert_eq!(client.gets_many(&["one", "two"], &Heap).expect("sent").count(), 0);
    assert!(client.meta_get("one", &Heap).expect("an answer").is_none());
    client.set("one", 7, 60, b"set two 0 0 0\r\n").expect("stored");
    assert!(client.delete("one").expect("an answer"));

    let sent = str::from_utf8(&client.get_ref().sent).expect("requests are text");
    let requests = "get one\r\ngets one\r\nget one two\r\ngets one two\r\nmg one k f c v\r\n\
        set one 7 60 15\r\nset two 0 0 0\r\n\r\ndelete one\r\n";
    assert_eq!(sent, requests);
}

#[test]
fn answers_are_read_however_they_arrive() {
    let text =
        b"VALUE one 4294967295 5\r\nhello\r\nVALUE two 0 0 18446744073709551615\r\n\r\nEND\r\n";
    let meta = b"VA 5 c9 kone f1\r\nhello\r\n";
    for chunk in 1..100 {
        let script = Script { chunk, interrupts: true, ..Script::new(&[text, meta]) };
        let (pool, (mut client, buffers)) = (pool(), client(script));

        let values = client.get_many(&["one", "none", "two"], &pool).expect("sent");
        let items = values.collect::<Result<Vec<_>, _>>().expect("a whole answer");
        let [one, two] = &items[..] else { panic!("{items:?}") };
        assert_eq!((&*one.key, one.flags, one.cas), (&b"one"[..], u32::MAX, None));
        assert_eq!((&*two.key, two.flags, two.cas), (&b"two"[..], 0, Some(u64::MAX)));
        assert_eq!((&*one.value, &*two.value), (&b"hello"[..], &b""[..]));

        let one = client.meta_get("one", &pool).expect("a whole answer").expect("a value");
        assert_eq!((&*one.key, one.flags, one.cas), (&b"one"[..], 1, Some(9)));
        assert_eq!(*one.value, *b"hello");
        assert_eq!((pool.stats().in_use, buffers.in_use()), (3, 0));
        drop((items, one));
        assert_eq!(pool.stats().in_use, 0);
    }
}

#[test]
fn a_meta_answer_may_leave_out_or_add_what_versions_differ_in() {
    let answers: [&[u8]; 4] =
        [b"EN\r\n", b"EN kkey\r\n", b"VA 1 f0 kkey\r\nx\r\n", b"VA 1 kkey c2 f0 W\r\nx\r\n"];
    let (mut client, _) = client(Script::new(&answers));
    let got = answers.map(|_| client.meta_get("key", &Heap).expect("an answer"));
    let got = got.map(|item| item.map(|item| (item.value, item.cas)));
    assert_eq!(got, [None, None, Some((b"x".to_vec(), None)), Some((b"x".to_vec(), Some(2)))]);
}

#[test]
fn values_may_come_in_any_order() {
    // As of a proxy that asked several servers.
    let answer = b"VALUE c 0 1\r\nC\r\nVALUE a 0 1\r\nA\r\nVALUE b 0 1\r\nB\r\nEND\r\n";
    let (mut client, _) = client(Script::new(&[answer]));
    let values = client.get_many(&["a", "b", "c"], &Heap).expect("sent");
    let values: Vec<_> = values.map(|item| item.expect("asked for").value).collect();
    assert_eq!(values, [b"C", b"A", b"B"]);
}

#[test]
fn a_key_may_be_asked_for_twice() {
    let (mut client, _) =
        client(Script::new(&[b"VALUE a 0 1\r\nA\r\nVALUE a 0 1\r\nA\r\nEND\r\n"]));
    let values = client.get_many(&["a", "a"], &Heap).expect("sent");
    assert_eq!(values.inspect(|item| assert!(item.is_ok())).count(), 2);
}

#[test]
fn what_is_no_key_is_not_sent() {
    let long = "k".repeat(MAX_KEY + 1);
    for key in ["", " ", "a b", "a\r\ndelete b", "a\0", "a\x7f", &long] {
        let (mut client, _) = client(Script::new(&[b"END\r\n"]));
        let is_refused = |result: Result<(), Error>| {
            let error = result.expect_err("no key");
            assert!(matches!(error, Error::Key { .. }), "{error}");
            assert!(!error.to_string().contains(|c: char| c.is_control()));
        };
        is_refused(client.get(key, &Heap).map(drop));
        is_refused(client.get_many(&["key", key], &Heap).map(drop));
        is_refused(client.meta_get(key, &Heap).map(drop));
        is_refused(client.set(key, 0, 0, b"").map(drop));
        is_refused(client.delete(key).map(drop));
        is_refused(Key::new(key.as_bytes()).map(drop));
        assert!(client.get_ref().sent.is_empty());
        // Nothing happened to the connection.
        assert!(client.get("key", &Heap).expect("in step").is_none());
    }
    let longest = "k".repeat(MAX_KEY);
    assert_eq!(*Key::new(longest.as_bytes()).expect("not too long"), *longest.as_bytes());
}

#[test]
fn no_keys_are_no_request() {
    let (mut client, buffers) = client(Script::new(&[b"END\r\n"]));
    let none: [&str; 0] = [];
    assert_eq!(client.get_many(&none, &Heap).expect("nothing to send").count(), 0);
    assert!(client.get_ref().sent.is_empty() && buffers.in_use() == 0);
    assert!(client.get("key", &Heap).expect("in step").is_none());
}

#[test]
fn a_value_of_the_size_of_a_class_fits_it() {
    // The line break after it takes no room in its memory.
    let pool = BytePool::new(4, 1024);
    let value = b"x".repeat(1024);
    let answer = [b"VALUE key 0 1024\r\n", &*value, b"\r\nEND\r\n"].concat();
    let (mut client, _) = client(Script::new(&[&answer]));
    let item = client.get("key", &pool).expect("fits").expect("a value");
    assert!(*item.value == *value);
}

#[test]
fn the_limit_on_values_is_the_users() {
    let answer = b"VALUE key 0 5\r\nhello\r\nEND\r\n";
    let answer_of_limit = |max| {
        let (client, _) = client(Script::new(&[answer]));
        client.with_max_value(max).get("key", &Heap).map(|item| item.expect("a value").value)
    };
    assert_eq!(answer_of_limit(5).expect("within the limit"), b"hello");
    assert!(matches!(answer_of_limit(4), Err(Error::TooLarge { len: 5, max: 4, .. })));
}

#[test]
fn a_value_costs_its_memory_or_nothing() {
    let value = "x".repeat(1000);
    let text = format!("VALUE key 0 1000 1\r\n{value}\r\nEND\r\n").into_bytes();
    let meta = format!("VA 1000 kkey f0 c1\r\n{value}\r\n").into_bytes();
    let (pool, (mut client, _)) =
        (pool(), client(Script::new(&[&text, &text, &meta, &text, &meta])));
    // The first finds nothing idle.
    drop(client.get("key", &pool).expect("an answer"));

    let pooled = allocated_by(|| client.get("key", &pool).expect("an answer"));
    assert_eq!(pooled, Allocated::NOTHING);
    let pooled = allocated_by(|| client.meta_get("key", &pool).expect("an answer"));
    assert_eq!(pooled, Allocated::NOTHING);

    let fresh = allocated_by(|| client.get("key", &Heap).expect("an answer"));
    assert_eq!(fresh, Allocated { times: 1, bytes: 1000 });
    let fresh = allocated_by(|| client.meta_get("key", &Heap).expect("an answer"));
    assert_eq!(fresh, Allocated { times: 1, bytes: 1000 });
}
