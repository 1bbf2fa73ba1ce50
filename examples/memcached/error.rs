//! `Error`: why there is no answer, or none that can be understood.

use std::error;
use std::fmt::{self, Display};
use std::io;

/// What went wrong with a request.
///
/// Text of the other side is escaped and short, so that it can be logged.
#[derive(Debug)]
pub enum Error {
    /// The key is none. Nothing was sent.
    Key {
        /// The key, or the first 250 bytes of it.
        key: String,
        /// What is wrong with it.
        rule: &'static str,
    },
    /// An earlier answer of this connection was not read to its end: the next might belong to
    /// another request. Nothing was sent.
    OutOfStep,
    /// The stream failed.
    Io(io::Error),
    /// The source had no memory for a value.
    Memory {
        /// The length of the value.
        len: usize,
        /// What the source said.
        error: io::Error,
    },
    /// The server refused the request.
    Refused {
        /// Whose fault it is.
        refusal: Refusal,
        /// What the server said.
        message: String,
    },
    /// The stream ended where a line should begin, or within it.
    LineEnded {
        /// What came of the line.
        start: String,
    },
    /// A line is longer than any that has a meaning.
    LineTooLong {
        /// How it begins.
        start: String,
    },
    /// A line is no answer to the request.
    Unexpected {
        /// The line, without its line break.
        line: String,
    },
    /// What should be a number is none, or one beyond its range.
    Number {
        /// What the number would tell.
        field: &'static str,
        /// What stands there.
        text: String,
    },
    /// A value is longer than this client takes. No memory was asked for.
    TooLarge {
        /// The key of the value.
        key: String,
        /// Its length.
        len: u64,
        /// The longest that is taken.
        max: usize,
    },
    /// The stream ended within a value.
    ValueEnded {
        /// The key of the value.
        key: String,
        /// Its length.
        len: usize,
    },
    /// A value does not end where its length says.
    ValueEnd {
        /// The key of the value.
        key: String,
        /// What stands there in place of a line break.
        found: String,
    },
    /// A value belongs to a key that was not asked for.
    Unasked {
        /// The key.
        key: String,
    },
    /// There are more values than keys were asked for.
    TooMany {
        /// The key of the first one too many.
        key: String,
    },
    /// Something follows on an answer that is complete.
    Surplus {
        /// How it begins.
        start: String,
    },
}

/// Whose fault it is that a server refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// `ERROR`: the server does not know the command.
    Command,
    /// `CLIENT_ERROR`: the request has a mistake.
    Client,
    /// `SERVER_ERROR`: the server cannot do it.
    Server,
}

/// How much of a text an error shows.
const SHOWN: usize = 80;

/// Makes a text of the other side fit to be shown.
pub(super) fn shown(text: &[u8]) -> String {
    text[..text.len().min(SHOWN)].escape_ascii().to_string()
}

impl Error {
    /// What a line is that is no answer: a refusal, or nonsense.
    pub(super) fn no_answer(line: &[u8]) -> Self {
        let refusals: [(&[u8], _); 3] = [
            (b"ERROR", Refusal::Command),
            (b"CLIENT_ERROR", Refusal::Client),
            (b"SERVER_ERROR", Refusal::Server),
        ];
        for (word, refusal) in refusals {
            if let Some(message @ ([] | [b' ', ..])) = line.strip_prefix(word) {
                return Error::Refused { refusal, message: shown(message.trim_ascii()) };
            }
        }
        Error::Unexpected { line: shown(line) }
    }

    /// Returns whether the server said no and nothing else, so that the next answer is one to the
    /// next request.
    pub(super) fn leaves_in_step(&self) -> bool {
        matches!(self, Error::Refused { .. })
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Key { key, rule } => write!(f, "the key `{key}` {rule}"),
            Error::OutOfStep => f.write_str("an earlier answer was not read to its end"),
            Error::Io(error) => write!(f, "the connection failed: {error}"),
            Error::Memory { len, error } => write!(f, "no memory for {len} bytes: {error}"),
            Error::Refused { refusal, message } => {
                let refusal = match refusal {
                    Refusal::Command => "the server does not know the command",
                    Refusal::Client => "the server blames the request",
                    Refusal::Server => "the server failed",
                };
                if message.is_empty() {
                    return f.write_str(refusal);
                }
                write!(f, "{refusal}: `{message}`")
            }
            Error::LineEnded { start } => {
                write!(f, "the connection ended within a line, after `{start}`")
            }
            Error::LineTooLong { start } => write!(f, "too long a line, which begins `{start}`"),
            Error::Unexpected { line } => write!(f, "`{line}` is no answer to the request"),
            Error::Number { field, text } => write!(f, "`{text}` for a number, the {field}"),
            Error::TooLarge { key, len, max } => {
                write!(f, "the value of `{key}` has {len} bytes, {max} are the most there may be")
            }
            Error::ValueEnded { key, len } => {
                write!(f, "the connection ended within the {len} bytes of `{key}`")
            }
            Error::ValueEnd { key, found } => {
                write!(f, "`{found}` for a line break after the value of `{key}`")
            }
            Error::Unasked { key } => write!(f, "a value of `{key}`, which was not asked for"),
            Error::TooMany { key } => {
                write!(f, "a value of `{key}` after one for each key that was asked for")
            }
            Error::Surplus { start } => {
                write!(f, "more after the end of the answer, which begins `{start}`")
            }
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Error::Io(error) | Error::Memory { error, .. } => Some(error),
            _ => None,
        }
    }
}
