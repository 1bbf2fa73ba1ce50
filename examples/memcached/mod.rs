//! A small client of memcached whose values come from the memory that the caller names.
//!
//! The length of a value stands before it, so a client has to get that much memory from somewhere,
//! for every value. Which memory suits, only the caller knows: one that keeps values for an hour
//! allocates them, one that passes them on reads them into a pool. So each call takes a
//! [`ByteSource`](bp::ByteSource), and an [`Item`] owns what it got from there; dropping it is all
//! there is to giving it back, also for values that never arrived in full.
//!
//! The other side is not trusted. A line has at most 512 bytes, a number only digits, and a length
//! is compared with a limit before any memory is asked for. After anything that was not understood
//! a [`Client`] refuses to go on, as the next answer might belong to another question.
//!
//! A connection that waits holds no buffer: those for lines and requests are pooled as well, and
//! taken for the time of one request.
//!
//! ```
//! use std::io::{self, Cursor, Read, Write};
//!
//! use bp::{Heap, MultiBytePool};
//! use bp_examples::memcached::{Buffers, Client};
//!
//! /// Stands for a connection: the answers of a server that heard two requests.
//! struct Canned(Cursor<&'static [u8]>);
//!
//! impl Read for Canned {
//!     fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
//!         // As of a server that answers one request after the other.
//!         let room = out.len().min(28);
//!         self.0.read(&mut out[..room])
//!     }
//! }
//! # impl Write for Canned {
//! #     fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
//! #         Ok(bytes.len())
//! #     }
//! #     fn flush(&mut self) -> io::Result<()> {
//! #         Ok(())
//! #     }
//! # }
//!
//! let answers = b"VALUE name 0 5\r\nhello\r\nEND\r\nVALUE name 0 5\r\nhello\r\nEND\r\n";
//! let mut client = Client::new(Canned(Cursor::new(answers)), &Buffers::new(8));
//!
//! let kept = client.get("name", &Heap)?.expect("the server has it");
//! assert_eq!(kept.value, b"hello"); // a `Vec<u8>`
//!
//! let pool = MultiBytePool::builder().class(64, 1024).class(8, 65_536).build()?;
//! let passed_on = client.get("name", &pool)?.expect("the server has it");
//! assert_eq!(*passed_on.value, *b"hello"); // a `ByteRef`
//! drop(passed_on);
//! assert_eq!(pool.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod client;
mod error;
mod item;
mod key;
mod meta;
mod parse;
mod server;
mod text;
mod values;

pub use client::{Buffers, Client, MAX_VALUE};
pub use error::{Error, Refusal};
pub use item::Item;
pub use key::{Key, MAX_KEY};
pub use server::Server;
pub use values::Values;
