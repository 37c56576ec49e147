//! Dumps of bad blocks to files, as in fio.

use std::io;
use std::path::Path;

use cardiograph_files::{output, system};

/// Permissions of a new file, less the process's mask, as in fio.
const FILE_MODE: u32 = 0o666;
/// Maximum number of dumps per worker: more would fill the disk without adding information.
pub(super) const DUMPS_MAX: u64 = 100;

/// Writes the data read at an offset, and the expected data if known, to the current directory. Returns the
/// file names.
///
/// # Errors
/// When a file cannot be written.
pub(super) fn dump(
    target: &str,
    offset_bytes: u64,
    received: &[u8],
    expected: Option<&[u8]>,
) -> io::Result<Vec<String>> {
    let name = Path::new(target).file_name().map_or_else(|| "block".into(), |name| name.to_string_lossy());
    let parts = [("received", Some(received)), ("expected", expected)];
    let known = parts.into_iter().filter_map(|(part, bytes)| Some((part, bytes?)));
    known
        .map(|(part, bytes)| {
            let file = format!("{name}.{offset_bytes}.{part}");
            output::replace(system(), Path::new(&file), bytes, FILE_MODE)?;
            Ok(file)
        })
        .collect()
}
