//! Standard output.

use std::io::{BufWriter, ErrorKind, Write};

use cardiograph_core::message;
use cardiograph_core::result::RunResult;

use crate::exit::Failure;

/// Writes data to standard output. Returns whether somebody still reads there: a reader who has gone away is no failure.
/// Fails when it cannot be written for another reason, such as a full disk: a script must not take nothing for a result.
pub fn write(bytes: &[u8]) -> Result<bool, Failure> {
    let mut stdout = std::io::stdout().lock();
    outcome(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Writes a result as JSON in one line, in the same way. Its text is never whole in memory: that of many workers has megabytes.
pub fn write_json_line(result: &RunResult) -> Result<bool, Failure> {
    let mut stdout = BufWriter::new(std::io::stdout().lock());
    let written = serde_json::to_writer(&mut stdout, result).map_err(std::io::Error::from);
    outcome(written.and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush()))
}

fn outcome(written: std::io::Result<()>) -> Result<bool, Failure> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::io(message!("stdout-failed", error = error))),
    }
}
