//! Reads values from memcached into memory of their own, and into a pool, and says what each cost.
//!
//! ```text
//! cargo run --release --example memcached [address]
//! ```
//!
//! Without an address it starts a server for itself. Start with `client.rs`, which has the
//! requests, and `parse.rs`, where a value gets its memory.

use std::fmt::Display;
use std::net::TcpStream;
use std::process::ExitCode;
use std::{env, process};

use bp::{ByteSource, Heap, MultiBytePool};
use bp_examples::memcached::{Buffers, Client, Server};

use crate::alloc::{Counting, Figures};
use crate::table::{Table, grouped};

// The tour counts and prints in the same way.
#[path = "../tour/alloc.rs"]
mod alloc;
#[path = "../tour/table.rs"]
mod table;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

/// How many values are stored.
const VALUES: usize = 200;

/// How often all of them are read each way.
const ROUNDS: usize = 10;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("memcached: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut args = env::args().skip(1);
    let given = args.next();
    if args.next().is_some() {
        return Err("more than one argument; give the address of a server, or none".to_owned());
    }
    // A server that was started ends when this function does.
    let (address, started) = if let Some(address) = given {
        (address, None)
    } else {
        let server = Server::start().map_err(failed("cannot start a server"))?;
        let server = server.ok_or("no memcached is installed here; give an address")?;
        (server.address().to_string(), Some(server))
    };
    let client = Client::connect(&*address, &Buffers::new(1));
    let mut client = client.map_err(|error| format!("cannot connect to `{address}`: {error}"))?;
    println!("server   {address}{}", if started.is_some() { ", started for this" } else { "" });

    let entries = entries();
    for (key, value) in &entries {
        // For a minute, should this not come to deleting them.
        client.set(key, 0, 60, value).map_err(failed("cannot store"))?;
    }
    let bytes: usize = entries.iter().map(|(_, value)| value.len()).sum();
    println!("stored   {VALUES} values, {} bytes", grouped(bytes));

    let pool = MultiBytePool::builder()
        .classes_geometric(4, 64, 128 * 1024, 4.0)
        .build()
        .map_err(failed("cannot make a pool"))?;
    let keys: Vec<&str> = entries.iter().map(|(key, _)| &**key).collect();
    let heap = measure(&mut client, &keys, &entries, &Heap)?;
    let pooled = measure(&mut client, &keys, &entries, &pool)?;
    print!("\n{}", comparison(heap, pooled));
    let stats = pool.stats();
    println!("\nblocks   {} made, used {} times", stats.misses, stats.misses + stats.hits);

    for (key, value) in &entries {
        let item = client.meta_get(key, &pool).map_err(failed("cannot read by `mg`"))?;
        if item.is_none_or(|item| *item.value != **value) {
            return Err(format!("`mg {key}` has another value than was stored"));
        }
    }
    println!("mg       {VALUES} values, the same");
    let mut deleted = 0;
    for key in &keys {
        deleted += usize::from(client.delete(key).map_err(failed("cannot delete"))?);
    }
    println!("deleted  {deleted} values");
    Ok(())
}

/// Says what failed.
fn failed<E: Display>(what: &str) -> impl Fn(E) -> String {
    move |error| format!("{what}: {error}")
}

/// Makes keys that nobody else has, and values that each take as many bytes as no other.
fn entries() -> Vec<(String, Vec<u8>)> {
    let entry = |n: usize| {
        let value = (0..n * n * 3).map(|at| (at * 31 + n).to_le_bytes()[0]).collect();
        (format!("bp-example-{}-{n}", process::id()), value)
    };
    (0..VALUES).map(entry).collect()
}

/// Reads all values, again and again; returns what that allocated, once the pools are warm.
fn measure<B: ByteSource>(
    client: &mut Client<TcpStream>,
    keys: &[&str],
    entries: &[(String, Vec<u8>)],
    source: &B,
) -> Result<Figures, String> {
    let mut before = ALLOCATOR.figures();
    for round in 0..=ROUNDS {
        if round == 1 {
            before = ALLOCATOR.figures();
        }
        let values = client.get_many(keys, source).map_err(failed("cannot ask"))?;
        let mut entries = entries.iter();
        for item in values {
            let item = item.map_err(failed("cannot read"))?;
            if entries.next().is_none_or(|(_, value)| *item.value != **value) {
                return Err(format!("`{}` has another value than was stored", item.key));
            }
        }
        if entries.next().is_some() {
            return Err("the server forgot some of the values".to_owned());
        }
    }
    Ok(ALLOCATOR.figures() - before)
}

/// Lays out what both ways cost.
fn comparison(heap: Figures, pooled: Figures) -> Table<3> {
    let mut table = Table::new(["", "heap", "pooled"]);
    let gets = grouped(VALUES * ROUNDS);
    table.row(["gets".to_owned(), gets.clone(), gets]);
    let mut row = |name: &str, figure: fn(&Figures) -> u64| {
        table.row([name.to_owned(), grouped(figure(&heap)), grouped(figure(&pooled))]);
    };
    row("allocations", |figures| figures.allocations);
    row("bytes allocated", |figures| figures.bytes);
    table
}
