//! `Client`: one connection, and the requests it can make.

use std::io::{self, Read, Write};
use std::mem;
use std::net::{TcpStream, ToSocketAddrs};

use bp::{BufioReaderPool, BufioReaderRef, BufioWriterPool, BufioWriterRef, ByteSource};

use super::error::shown;
use super::parse::Line;
use super::{Error, Item, Refusal, Values, key, meta};

/// The longest value that a client takes, unless it is told otherwise: what a server stores by
/// default.
pub const MAX_VALUE: usize = 1 << 20;

/// The buffers that connections take turns with: one for an answer, one for a request.
///
/// A clone stands for the same buffers.
#[derive(Clone, Debug)]
pub struct Buffers {
    readers: BufioReaderPool,
    writers: BufioWriterPool,
}

impl Buffers {
    /// Keeps buffers for as many requests as are made at once.
    pub fn new(capacity: usize) -> Self {
        Buffers { readers: BufioReaderPool::new(capacity), writers: BufioWriterPool::new(capacity) }
    }

    /// Returns how many buffers are in use. A connection that waits uses none.
    pub fn in_use(&self) -> usize {
        self.readers.stats().in_use + self.writers.stats().in_use
    }
}

/// A connection to a server.
///
/// A refusal of the server leaves a connection as it was. After any other error, and where
/// [`Values`] were not read to their end, every request gets [`Error::OutOfStep`]: drop the
/// client and connect anew.
///
/// Time limits are those of the stream.
#[derive(Debug)]
pub struct Client<S> {
    stream: S,
    buffers: Buffers,
    max_value: usize,
    /// Whether the next byte of the stream will be the first of an answer that was not asked for
    /// yet. False while a request is made, so that nothing that interrupts one goes unnoticed.
    in_step: bool,
}

impl Client<TcpStream> {
    /// Connects to a server.
    ///
    /// # Errors
    ///
    /// Those of [`TcpStream::connect`].
    pub fn connect(address: impl ToSocketAddrs, buffers: &Buffers) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        // A long value is written apart from the line before it, and must not wait for an answer.
        stream.set_nodelay(true)?;
        Ok(Client::new(stream, buffers))
    }
}

impl<S: Read + Write> Client<S> {
    /// Talks over a stream that nobody else reads or writes.
    pub fn new(stream: S, buffers: &Buffers) -> Self {
        Client { stream, buffers: buffers.clone(), max_value: MAX_VALUE, in_step: true }
    }

    /// Sets the longest value that is taken, by default [`MAX_VALUE`].
    pub fn with_max_value(mut self, max: usize) -> Self {
        self.max_value = max;
        self
    }

    /// Returns the stream.
    pub fn get_ref(&self) -> &S {
        &self.stream
    }

    /// Returns the value of a key, in memory of the source, or `None` if there is none.
    ///
    /// # Errors
    ///
    /// Any [`Error`]; the memory has gone back then.
    pub fn get<B: ByteSource>(
        &mut self,
        key: impl AsRef<[u8]>,
        source: &B,
    ) -> Result<Option<Item<B::Buf>>, Error> {
        let keys = [key];
        self.get_many(&keys, source)?.only()
    }

    /// Returns the value of a key and its number; see [`get`](Self::get) and [`Item::cas`].
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get).
    pub fn gets<B: ByteSource>(
        &mut self,
        key: impl AsRef<[u8]>,
        source: &B,
    ) -> Result<Option<Item<B::Buf>>, Error> {
        let keys = [key];
        self.gets_many(&keys, source)?.only()
    }

    /// Asks for the values of many keys at once, and returns them as they arrive.
    ///
    /// Keys without a value are left out.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] if one of the keys is none, [`Error::OutOfStep`], and [`Error::Io`] if the
    /// request could not be sent. The iterator returns what comes later.
    pub fn get_many<'a, B: ByteSource, K: AsRef<[u8]>>(
        &'a mut self,
        keys: &'a [K],
        source: &'a B,
    ) -> Result<Values<'a, S, B, K>, Error> {
        self.ask_for(b"get", keys, source)
    }

    /// Asks for the values of many keys, and for their numbers; see [`get_many`](Self::get_many)
    /// and [`Item::cas`].
    ///
    /// # Errors
    ///
    /// As for [`get_many`](Self::get_many).
    pub fn gets_many<'a, B: ByteSource, K: AsRef<[u8]>>(
        &'a mut self,
        keys: &'a [K],
        source: &'a B,
    ) -> Result<Values<'a, S, B, K>, Error> {
        self.ask_for(b"gets", keys, source)
    }

    /// Returns the value of a key and its number as [`gets`](Self::gets) does, by the meta
    /// protocol.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get); a server older than 1.6 refuses.
    pub fn meta_get<B: ByteSource>(
        &mut self,
        key: impl AsRef<[u8]>,
        source: &B,
    ) -> Result<Option<Item<B::Buf>>, Error> {
        let key = key.as_ref();
        key::check(key)?;
        self.send(|request| meta::ask(request, key))?;

        let max = self.max_value;
        self.receive(|reader| {
            let header = meta::header(&Line::read(reader)?, key)?;
            header.map(|header| header.read_item(reader, source, max)).transpose()
        })
    }

    /// Stores a value.
    ///
    /// The server forgets it after `expires` seconds, or never if that is 0. More than 30 days
    /// are taken for seconds since 1970.
    ///
    /// # Errors
    ///
    /// Any [`Error`] that has nothing to do with values; [`Error::Refused`] if the value is longer
    /// than the server stores.
    pub fn set(
        &mut self,
        key: impl AsRef<[u8]>,
        flags: u32,
        expires: u32,
        value: &[u8],
    ) -> Result<(), Error> {
        let key = key.as_ref();
        key::check(key)?;
        self.send(|request| {
            request.write_all(b"set ")?;
            request.write_all(key)?;
            write!(request, " {flags} {expires} {}\r\n", value.len())?;
            request.write_all(value)?;
            request.write_all(b"\r\n")
        })?;

        let stored = self.receive(|reader| match &*Line::read(reader)? {
            b"STORED" => Ok(()),
            line => Err(Error::no_answer(line)),
        });
        // A server that did not understand the line takes the value for requests.
        if let Err(Error::Refused { refusal: Refusal::Command | Refusal::Client, .. }) = stored {
            self.in_step = false;
        }
        stored
    }

    /// Deletes a value, and returns whether there was one.
    ///
    /// # Errors
    ///
    /// Any [`Error`] that has nothing to do with values.
    pub fn delete(&mut self, key: impl AsRef<[u8]>) -> Result<bool, Error> {
        let key = key.as_ref();
        key::check(key)?;
        self.send(|request| {
            request.write_all(b"delete ")?;
            request.write_all(key)?;
            request.write_all(b"\r\n")
        })?;
        self.receive(|reader| match &*Line::read(reader)? {
            b"DELETED" => Ok(true),
            b"NOT_FOUND" => Ok(false),
            line => Err(Error::no_answer(line)),
        })
    }

    fn ask_for<'a, B: ByteSource, K: AsRef<[u8]>>(
        &'a mut self,
        command: &[u8],
        keys: &'a [K],
        source: &'a B,
    ) -> Result<Values<'a, S, B, K>, Error> {
        for key in keys {
            key::check(key.as_ref())?;
        }
        if keys.is_empty() {
            return Ok(Values::none(&mut self.in_step, source));
        }
        self.send(|request| {
            request.write_all(command)?;
            for key in keys {
                request.write_all(b" ")?;
                request.write_all(key.as_ref())?;
            }
            request.write_all(b"\r\n")
        })?;
        let reader = self.buffers.readers.get(&mut self.stream);
        Ok(Values::new(reader, &mut self.in_step, keys, source, self.max_value))
    }

    /// Writes a request, all of it.
    fn send(
        &mut self,
        write: impl FnOnce(&mut BufioWriterRef<&mut S>) -> io::Result<()>,
    ) -> Result<(), Error> {
        if !mem::take(&mut self.in_step) {
            return Err(Error::OutOfStep);
        }
        let mut request = self.buffers.writers.get(&mut self.stream);
        let sent = write(&mut request).and_then(|()| request.flush());
        // Where that failed, a drop would try to write the rest once more.
        request.abandon();
        sent.map_err(Error::Io)
    }

    /// Reads an answer, all of it.
    fn receive<T>(
        &mut self,
        read: impl FnOnce(&mut BufioReaderRef<&mut S>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut reader = self.buffers.readers.get(&mut self.stream);
        let answer = read(&mut reader);
        conclude(&reader, &mut self.in_step, answer)
    }
}

/// Ends an answer: the next request may follow, unless something is wrong.
pub(super) fn conclude<S, T>(
    reader: &BufioReaderRef<S>,
    in_step: &mut bool,
    answer: Result<T, Error>,
) -> Result<T, Error> {
    let surplus = reader.buffer();
    *in_step = surplus.is_empty() && answer.as_ref().err().is_none_or(Error::leaves_in_step);
    if answer.is_ok() && !surplus.is_empty() {
        return Err(Error::Surplus { start: shown(surplus) });
    }
    answer
}
