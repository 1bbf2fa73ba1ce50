//! The depot's ring alone.

use std::sync::Arc;

use loom::thread;

use super::super::ring::Ring;
use super::harness::model;
use crate::sync::UnsafeCell;

/// A ring of indices, and what they stand for: written before a push, read after the pop.
struct Mail {
    ring: Ring<usize>,
    letters: [UnsafeCell<usize>; 2],
}

// SAFETY: loom checks the uses of the cells.
unsafe impl Sync for Mail {}
// SAFETY: as above.
unsafe impl Send for Mail {}

impl Mail {
    fn new(slots: usize) -> Arc<Self> {
        let letters = [UnsafeCell::new(0), UnsafeCell::new(0)];
        Arc::new(Mail { ring: Ring::new(slots), letters })
    }

    fn send(&self, letter: usize) -> bool {
        self.touch(letter);
        self.ring.push(letter).is_ok()
    }

    fn receive(&self) -> Option<usize> {
        let letter = self.ring.pop()?;
        self.touch(letter);
        Some(letter)
    }

    fn touch(&self, letter: usize) {
        // SAFETY: loom checks that nobody else looks at it.
        self.letters[letter].with_mut(|letter| unsafe { *letter += 1 });
    }
}

#[test]
fn a_pop_sees_what_was_pushed() {
    for slots in [1, 2] {
        model(move || {
            let mail = Mail::new(slots);
            let sender = Arc::clone(&mail);
            let sender = thread::spawn(move || assert!(sender.send(0)));
            let early = mail.receive();
            sender.join().unwrap();
            assert_eq!(mail.ring.len(), usize::from(early.is_none()));
            assert_eq!(early.or_else(|| mail.receive()), Some(0));
            assert!(mail.ring.is_empty());
        });
    }
}

#[test]
fn a_push_comes_after_the_pop_that_made_room() {
    model(|| {
        let mail = Mail::new(1);
        assert!(mail.send(0));
        let other = Arc::clone(&mail);
        let other = thread::spawn(move || assert_eq!(other.receive(), Some(0)));
        let sent = mail.send(1);
        other.join().unwrap();
        assert_eq!(mail.receive(), sent.then_some(1));
    });
}

#[test]
fn of_two_pushes_one_takes_the_last_slot() {
    model(|| {
        let mail = Mail::new(1);
        let sender = Arc::clone(&mail);
        let sender = thread::spawn(move || sender.send(0));
        let mine = mail.send(1);
        assert_ne!(sender.join().unwrap(), mine);
        assert_eq!(mail.receive(), Some(usize::from(mine)));
        assert_eq!(mail.receive(), None);
    });
}

#[test]
fn two_pops_share_what_is_there() {
    model(|| {
        let mail = Mail::new(2);
        assert!(mail.send(0) && mail.send(1));
        let other = Arc::clone(&mail);
        let other = thread::spawn(move || other.receive());
        let mine = mail.receive().unwrap();
        assert_eq!(other.join().unwrap(), Some(1 - mine));
        assert_eq!(mail.ring.len(), 0);
    });
}

#[test]
fn a_slot_is_used_again_in_the_next_lap() {
    model(|| {
        let mail = Mail::new(1);
        assert!(mail.send(0));
        let other = Arc::clone(&mail);
        let other = thread::spawn(move || other.receive().map(|letter| other.send(letter)));
        let mine = mail.receive();
        let other = other.join().unwrap();
        match mine {
            // Before the other's pop, or after it had sent the letter again.
            Some(_) => assert!(other.is_none() || other == Some(true)),
            None => assert_eq!((other, mail.receive()), (Some(true), Some(0))),
        }
        assert_eq!(mail.receive(), None);
    });
}
