//! The example of timeouts as its users run it.

mod common;

#[test]
fn silent_connections_time_out_and_timers_are_used_again() {
    let output = common::command("timeouts").output().expect("the example starts");
    assert!(output.status.success(), "{output:?}");

    let out = common::stdout(&output);
    let mut lines = out.lines();
    for n in 0..10 {
        let end = if n % 3 == 0 { "timed out" } else { "closed by the client" };
        let expected = format!("connection {n}: {:2} requests, {end}", n * 10);
        assert_eq!(lines.next(), Some(expected.as_str()));
    }
    let made = lines.next().and_then(|line| line.strip_prefix("timers made: "));
    let made = made.and_then(|line| line.split_once(", used again: ")).expect("two figures");
    let (made, again): (usize, usize) =
        (made.0.parse().expect("a number"), made.1.parse().expect("a number"));
    assert_eq!(made + again, 10);
    // Two as a rule; a get would rather make one than wait.
    assert!(made < 10, "{out}");
}
