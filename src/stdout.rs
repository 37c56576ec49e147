//! Standard output.

use std::io::{ErrorKind, Write};

use cardiograph_core::message;

use crate::exit::Failure;

/// Writes data to standard output. Returns whether somebody still reads there: a reader who has gone away is no failure.
/// Fails when it cannot be written for another reason, such as a full disk: a script must not take nothing for a result.
pub fn write(bytes: &[u8]) -> Result<bool, Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::io(message!("stdout-failed", error = error))),
    }
}
