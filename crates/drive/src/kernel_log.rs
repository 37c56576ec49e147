//! The kernel's log.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;

use rustix::fs::OFlags;

use crate::system::System;

/// The kernel returns one record per read, none longer than this (`CONSOLE_EXT_LOG_MAX`).
const RECORD_LEN_BYTES_MAX: usize = 8 << 10;
/// Far more than the buffer sizes of kernels.
const LOG_LEN_BYTES_MAX: usize = 16 << 20;

/// Current content of `/dev/kmsg`, one record per line: `6,412,1391045,-;mmc0: new ...`.
///
/// # Errors
/// When it is missing, or only root may read it.
pub(crate) fn read(system: &System) -> io::Result<String> {
    // Without waiting for new records.
    let mut log = OpenOptions::new()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits() as i32)
        .open(system.under_root("dev/kmsg"))?;
    let mut text = Vec::new();
    let mut record = [0; RECORD_LEN_BYTES_MAX];
    while text.len() < LOG_LEN_BYTES_MAX {
        match log.read(&mut record) {
            Ok(0) => break,
            Ok(len_bytes) => text.extend_from_slice(&record[..len_bytes]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            // Records were overwritten before they were read; the next read resumes with the oldest.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn a_log_is_read_to_its_end() {
        let fixture = Fixture::new();
        let missing = read(&fixture.system()).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let long: String = (0..5_000).map(|line| format!("6,{line},0,-;line {line}\n")).collect();
        fixture.file("dev/kmsg", &long);
        assert_eq!(read(&fixture.system()).unwrap(), long);
        fixture.file("dev/kmsg", b"\xff\xfe");
        assert_eq!(read(&fixture.system()).unwrap(), "\u{fffd}\u{fffd}");
    }

    #[test]
    fn the_log_of_this_machine_does_not_block() {
        match read(&System::local()) {
            Ok(log) => assert!(log.is_empty() || log.contains(';'), "{log:.200}"),
            Err(error) => {
                let expected = [io::ErrorKind::PermissionDenied, io::ErrorKind::NotFound];
                assert!(expected.contains(&error.kind()), "{error}");
            }
        }
    }
}
