//! Standard output.

use std::io::{BufWriter, ErrorKind, Write};

use cardiograph_core::message;
use cardiograph_core::result::RunResult;

use crate::exit::Failure;

/// Writes data to standard output. Returns whether the pipe is still open.
///
/// # Errors
/// When writing fails for another reason than a closed pipe, such as a full disk: a script must not take a part for the result.
pub fn write(bytes: &[u8]) -> Result<bool, Failure> {
    let mut stdout = std::io::stdout().lock();
    ignore_closed_pipe(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Writes a result as one line of JSON, as [`write`] does. Streams it: with many workers it has megabytes.
pub fn write_json_line(result: &RunResult) -> Result<bool, Failure> {
    let mut stdout = BufWriter::new(std::io::stdout().lock());
    let written = serde_json::to_writer(&mut stdout, result).map_err(std::io::Error::from);
    ignore_closed_pipe(written.and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush()))
}

fn ignore_closed_pipe(written: std::io::Result<()>) -> Result<bool, Failure> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::io(message!("stdout-failed", error))),
    }
}
