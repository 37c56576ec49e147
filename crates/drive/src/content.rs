//! Reads data of a device, if permitted, such as headers that describe how it was created. An unresponsive
//! drive or server delays nothing else.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::sync::mpsc;
use std::time::Duration;

use cardiograph_core::drive::Why;

use crate::block::BlockDevice;
use crate::system::System;

/// Timeout for a drive's response. Everything known without it must be reported within 5 s, which may include
/// waiting for its program. Its thread is abandoned, because a read in the kernel cannot be cancelled.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);

/// `len_bytes` of the device from `offset_bytes` on.
///
/// # Errors
/// Why they could not be read: usually only root may.
pub(crate) fn read(
    system: &System,
    device: &BlockDevice,
    offset_bytes: u64,
    len_bytes: usize,
) -> Result<Vec<u8>, Why> {
    // Sysfs writes a slash in the name as `!`.
    let path = system.under_root("dev").join(device.name.replace('!', "/"));
    within(PATIENCE, move || {
        let file = File::open(path)?;
        let mut bytes = vec![0; len_bytes];
        file.read_exact_at(&mut bytes, offset_bytes).map(|()| bytes)
    })
    .map_err(|error| reason(&error))
}

/// Why a device or a file cannot be read. An error without a number is ours, about its content.
pub(crate) fn reason(error: &std::io::Error) -> Why {
    match error.kind() {
        // A container may also deny its root access to devices.
        ErrorKind::PermissionDenied if !rustix::process::geteuid().is_root() => Why::NeedsRoot,
        ErrorKind::TimedOut => Why::DriveTimedOut,
        _ if error.raw_os_error().is_none() => Why::Senseless,
        _ => Why::Unreadable { message: error.to_string() },
    }
}

/// Runs `read`, which may wait for a drive, in the background.
pub(crate) fn in_background<T: Send + 'static>(
    read: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<mpsc::Receiver<T>> {
    let (answer, answers) = mpsc::sync_channel(1);
    std::thread::Builder::new().name("look".to_string()).spawn(move || {
        // Nobody waits for a late response.
        let _ = answer.send(read());
    })?;
    Ok(answers)
}

/// The result of `read`, unless it takes longer than `patience`.
pub(crate) fn within<T: Send + 'static>(
    patience: Duration,
    read: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    in_background(read)?
        .recv_timeout(patience)
        .unwrap_or_else(|_| Err(std::io::Error::new(ErrorKind::TimedOut, "no answer in time")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn bytes_are_read_or_the_reason_is_reported() {
        let fixture = Fixture::new();
        fixture.disk("pci0/cciss0/block", "cciss!c0d0", "104:0", 8);
        fixture.file("dev/cciss/c0d0", b"0123456789");
        let system = fixture.system();
        let device = system.block_by_name("cciss!c0d0").unwrap();
        assert_eq!(read(&system, &device, 2, 3), Ok(b"234".to_vec()));
        assert_eq!(read(&system, &device, 8, 3), Err(Why::Senseless));
        fixture.remove("dev/cciss/c0d0");
        assert!(matches!(read(&system, &device, 0, 1), Err(Why::Unreadable { .. })));
    }

    #[test]
    fn an_unresponsive_read_is_abandoned() {
        let (_never, answer) = mpsc::channel::<()>();
        let slow = within(Duration::from_millis(10), move || {
            let _ = answer.recv();
            Ok(())
        });
        assert_eq!(slow.unwrap_err().kind(), ErrorKind::TimedOut);
    }
}
