//! The demonstration as its users run it.

use super::server::start;
use crate::common::{refused, run, stdout};

/// Checks what it prints; `how` follows on the address of the server.
fn is_complete(out: &str, how: &str) {
    let line = |start: &str| {
        let rest = out.lines().find_map(|line| line.strip_prefix(start));
        rest.unwrap_or_else(|| panic!("no line `{start}` in:\n{out}")).trim()
    };
    assert!(line("server").ends_with(how), "{out}");
    assert_eq!(line("stored"), "200 values, 7,940,100 bytes");
    let figures = |name| line(name).split_whitespace().collect::<Vec<_>>();
    assert_eq!(figures("gets"), ["2,000"; 2]);
    // Of each 200 values one is empty.
    assert_eq!(figures("allocations"), ["1,990", "0"]);
    assert_eq!(figures("bytes allocated"), ["79,401,000", "0"]);
    assert_eq!(line("mg"), "200 values, the same");
    assert_eq!(line("deleted"), "200 values");
}

#[test]
fn without_an_address_it_starts_a_server() {
    if start().is_none() {
        return;
    }
    let output = run("memcached", &[""; 0]);
    assert!(output.status.success(), "{output:?}");
    is_complete(stdout(&output), ", started for this");
}

#[test]
fn with_an_address_it_goes_there() {
    let Some(server) = start() else { return };
    let address = server.address().to_string();
    let output = run("memcached", &[&address]);
    assert!(output.status.success(), "{output:?}");
    is_complete(stdout(&output), &address);
}

#[test]
fn a_bad_argument_gets_one_line_and_exit_code_2() {
    // Nobody may listen there but root.
    let nobody = refused("memcached", &["127.0.0.1:1"]);
    assert!(nobody.starts_with("memcached: cannot connect to `127.0.0.1:1`: "), "{nobody}");
    refused("memcached", &["127.0.0.1"]);
    refused("memcached", &["127.0.0.1:99999"]);
    refused("memcached", &["no address"]);
    refused("memcached", &["127.0.0.1:1", "127.0.0.1:2"]);
}
