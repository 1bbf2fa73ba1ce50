//! Answers that chance wrote. Whatever they are: no panic, no more memory than the keys that were
//! asked for may take, every buffer back, and what was not damaged is read as it was written.

use bp::{ByteSource, Heap};
use bp_examples::memcached::{Client, Error};

use super::script::{Script, client, pool};
use crate::allocations::allocated_by;
use crate::random::Random;

/// The limit on values.
const MAX: usize = 6000;

const KEYS: [&str; 3] = ["a", "key", "another_key"];

/// What an error and the first block of each kind may take.
const OVERHEAD: usize = 20_000;

#[derive(Clone, Copy, Debug)]
enum Protocol {
    Text,
    Meta,
}

type Parsed = Vec<(Vec<u8>, u32, Option<u64>, Vec<u8>)>;

/// Writes an answer without fault, and what it means.
fn answer(random: &mut Random, protocol: Protocol) -> (Vec<u8>, Parsed) {
    let (mut wire, mut parsed) = (Vec::new(), Parsed::new());
    let keys = match protocol {
        Protocol::Text => &KEYS[..],
        Protocol::Meta => &KEYS[1..2],
    };
    for key in keys {
        if random.below(4) == 0 {
            continue; // there is no value
        }
        let len = [0, 1, 63, 64, 65, 1024, 4095, 4097, random.below(MAX)][random.below(9)];
        let mut value = random.bytes(len);
        if random.below(4) == 0 {
            let protocol_text = b"\r\nEND\r\nVALUE key 0 5\r\n".iter().cycle();
            value.iter_mut().zip(protocol_text).for_each(|(byte, text)| *byte = *text);
        }
        let flags = u32::try_from(random.below(1 << 30)).expect("30 bits");
        let mut cas = Some(random.below(1 << 30) as u64);
        match protocol {
            Protocol::Text => {
                cas = cas.filter(|_| random.below(2) == 0);
                let cas = cas.map(|cas| format!(" {cas}")).unwrap_or_default();
                wire.extend_from_slice(format!("VALUE {key} {flags} {len}{cas}\r\n").as_bytes());
            }
            Protocol::Meta => {
                let header = format!("VA {len} k{key} f{flags} c{}\r\n", cas.unwrap_or(0));
                wire.extend_from_slice(header.as_bytes());
            }
        }
        wire.extend_from_slice(&value);
        wire.extend_from_slice(b"\r\n");
        parsed.push((key.as_bytes().to_vec(), flags, cas, value));
    }
    match protocol {
        Protocol::Text => wire.extend_from_slice(b"END\r\n"),
        Protocol::Meta if parsed.is_empty() => wire.extend_from_slice(b"EN kkey\r\n"),
        Protocol::Meta => {}
    }
    (wire, parsed)
}

/// Damages an answer in one place.
fn damage(random: &mut Random, wire: &mut Vec<u8>) {
    // The headers are where it hurts.
    let mut place = |wire: &[u8]| match random.below(2) {
        0 => random.below(wire.len() + 1),
        _ => random.below(wire.len().min(30) + 1),
    };
    let (at, other) = (place(wire), place(wire));
    let (from, to) = (at.min(other), at.max(other));
    match random.below(7) {
        0 => wire.truncate(at),
        1 => drop(wire.drain(from..to)),
        2 => {
            let part = wire[from..to].to_vec();
            wire.splice(at..at, part);
        }
        3 => {
            let noise = random.below(20);
            wire.splice(at..at, random.bytes(noise));
        }
        4 => {
            let part = WORDS[random.below(WORDS.len())];
            wire.splice(at..at, part.iter().copied());
        }
        _ => {
            if let Some(byte) = wire.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
    }
}

/// What answers are made of, and numbers at the edges.
const WORDS: [&[u8]; 19] = [
    b"VALUE ",
    b"VA ",
    b"END\r\n",
    b"EN\r\n",
    b"\r\n",
    b"\r",
    b"\n",
    b" ",
    b"-",
    b"+",
    b"0",
    b"99999",
    b"4294967296",
    b"18446744073709551616",
    b"kkey",
    b"key",
    b"another_key",
    b"SERVER_ERROR ",
    b"\0",
];

/// Reads an answer; returns the values that arrived, and whether all of it was understood.
fn read<B: ByteSource>(
    client: &mut Client<Script>,
    protocol: Protocol,
    source: &B,
    items: &mut Vec<bp_examples::memcached::Item<B::Buf>>,
) -> Result<(), Error> {
    match protocol {
        Protocol::Text => {
            for item in client.get_many(&KEYS, source)? {
                items.push(item?);
            }
        }
        Protocol::Meta => items.extend(client.meta_get(KEYS[1], source)?),
    }
    Ok(())
}

/// Reads an answer through the heap and through a pool, which must make no difference.
fn reads(wire: &[u8], chunk: usize, protocol: Protocol) -> Result<Parsed, Error> {
    let script = || Script { chunk, ..Script::new(&[wire]) };

    let (mut by_heap, buffers) = client(script());
    by_heap = by_heap.with_max_value(MAX);
    let (mut plain, mut result) = (Vec::with_capacity(KEYS.len()), Ok(()));
    let allocated = allocated_by(|| result = read(&mut by_heap, protocol, &Heap, &mut plain));
    assert!(allocated.bytes <= KEYS.len() * MAX + OVERHEAD, "{allocated:?}");
    assert_eq!(buffers.in_use(), 0);

    let pool = pool();
    let (mut by_pool, buffers) = client(script());
    by_pool = by_pool.with_max_value(MAX);
    let mut pooled = Vec::with_capacity(KEYS.len());
    let pooled_result = read(&mut by_pool, protocol, &pool, &mut pooled);
    assert_eq!((pool.stats().in_use, buffers.in_use()), (pooled.len(), 0));

    let text = |result: &Result<(), Error>| result.as_ref().err().map(Error::to_string);
    assert_eq!(text(&result), text(&pooled_result));
    assert_eq!(plain.len(), pooled.len());
    assert!(plain.iter().zip(&pooled).all(|(plain, pooled)| plain.value == *pooled.value));
    assert!(plain.len() <= KEYS.len());
    drop(pooled);
    assert_eq!(pool.stats().in_use, 0);

    let parsed = plain.into_iter();
    let parsed = parsed.map(|item| (item.key.to_vec(), item.flags, item.cas, item.value));
    result.map(|()| parsed.collect())
}

fn chunk(random: &mut Random) -> usize {
    [1, 2, 3, 100, 4096, usize::MAX][random.below(6)]
}

#[test]
fn whole_answers_are_read_as_they_were_written() {
    let mut random = Random::new(1);
    for round in 0..2000 {
        let protocol = [Protocol::Text, Protocol::Meta][round % 2];
        let (wire, parsed) = answer(&mut random, protocol);
        let read = reads(&wire, chunk(&mut random), protocol);
        assert_eq!(read.expect("nothing is wrong"), parsed, "round {round}");
    }
}

#[test]
fn damaged_answers() {
    let mut random = Random::new(2);
    let (mut understood, mut refused) = (0, 0);
    for round in 0..6000 {
        let protocol = [Protocol::Text, Protocol::Meta][round % 2];
        let (mut wire, _) = answer(&mut random, protocol);
        for _ in 0..=random.below(3) {
            damage(&mut random, &mut wire);
        }
        match reads(&wire, chunk(&mut random), protocol) {
            // Damage of a value goes unnoticed, as the protocol has no checksum.
            Ok(_) => understood += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(understood > 300 && refused > 3000, "{understood} understood, {refused} refused");
}

#[test]
fn noise() {
    let mut random = Random::new(3);
    for round in 0..6000 {
        let len = random.below(600);
        let wire = if round % 2 == 0 {
            random.bytes(len)
        } else {
            let words = (0..len / 20).flat_map(|_| WORDS[random.below(WORDS.len())]);
            words.copied().collect()
        };
        let protocol = [Protocol::Text, Protocol::Meta][round / 2 % 2];
        // That it comes to an end is all there is to say.
        let _ = reads(&wire, chunk(&mut random), protocol);
    }
}
