//! System errors as parts of Messages.

use std::path::Path;
use std::{error, fmt, io};

use crate::errno;
use crate::message;
use crate::message::{Message, Parameter};

/// A Message as the reason of an [`io::Error`].
#[derive(Debug)]
struct Explained(Message);

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl error::Error for Explained {}

/// An error with a textual reason. [`Parameter::from`] extracts the Message.
pub fn explained(kind: io::ErrorKind, reason: Message) -> io::Error {
    io::Error::new(kind, Explained(reason))
}

impl From<&io::Error> for Parameter {
    fn from(error: &io::Error) -> Self {
        if let Some(errno) = error.raw_os_error() {
            return Self::OsError(errno);
        }
        if let Some(reason) = error.get_ref() {
            let explained = reason.downcast_ref::<Explained>();
            return explained
                .map_or_else(|| reason.to_string().into(), |Explained(said)| said.clone().into());
        }
        match error.kind() {
            io::ErrorKind::NotFound => Self::OsError(errno::ENOENT),
            io::ErrorKind::PermissionDenied => Self::OsError(errno::EACCES),
            io::ErrorKind::AlreadyExists => Self::OsError(errno::EEXIST),
            io::ErrorKind::NotADirectory => Self::OsError(errno::ENOTDIR),
            io::ErrorKind::IsADirectory => Self::OsError(errno::EISDIR),
            io::ErrorKind::InvalidInput => Self::OsError(errno::EINVAL),
            io::ErrorKind::StorageFull => Self::OsError(errno::ENOSPC),
            io::ErrorKind::TimedOut => Self::OsError(errno::ETIMEDOUT),
            io::ErrorKind::OutOfMemory => Self::OsError(errno::ENOMEM),
            io::ErrorKind::BrokenPipe => Self::OsError(errno::EPIPE),
            io::ErrorKind::UnexpectedEof => message!("io-cut-short").into(),
            io::ErrorKind::WriteZero => message!("io-not-written").into(),
            io::ErrorKind::InvalidData => message!("io-not-utf-8").into(),
            _ => error.to_string().into(),
        }
    }
}

/// An error as a complete Message.
pub fn cause(error: &io::Error) -> Message {
    match Parameter::from(error) {
        Parameter::Message(reason) => *reason,
        Parameter::Name(text) => Message::verbatim(text),
        error => message!("cause", error),
    }
}

impl From<io::Error> for Parameter {
    fn from(error: io::Error) -> Self {
        Self::from(&error)
    }
}

/// An operation on a file or directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Create it.
    Create,
    /// Open it.
    Open,
    /// Read it.
    Read,
    /// Write to it.
    Write,
    /// Copy it.
    Copy,
    /// Rename it.
    Rename,
    /// Make it durable.
    Sync,
    /// Remove it.
    Remove,
    /// Start a thread that works on it.
    StartThread,
}

impl Action {
    /// Says that it failed, with operation, file and reason.
    pub fn failed(self, path: &Path, error: &io::Error) -> Message {
        match self {
            Action::Create => message!("cannot-create", path, error),
            Action::Open => message!("cannot-open", path, error),
            Action::Read => message!("cannot-read", path, error),
            Action::Write => message!("cannot-write", path, error),
            Action::Copy => message!("cannot-copy", path, error),
            Action::Rename => message!("cannot-rename", path, error),
            Action::Sync => message!("cannot-sync", path, error),
            Action::Remove => message!("cannot-remove", path, error),
            Action::StartThread => message!("cannot-start-thread", path, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_numbers_or_messages() {
        let reason = message!("a", count = 3_u32);
        let cases = [
            (io::Error::from_raw_os_error(74), Parameter::OsError(74)),
            (explained(io::ErrorKind::PermissionDenied, reason.clone()), reason.into()),
            (io::ErrorKind::StorageFull.into(), Parameter::OsError(errno::ENOSPC)),
            (io::ErrorKind::UnexpectedEof.into(), message!("io-cut-short").into()),
            (io::Error::other("of a library"), Parameter::Name("of a library".to_string())),
        ];
        for (error, expected) in cases {
            assert_eq!(Parameter::from(&error), expected, "{error:?}");
        }
    }
}
