//! A file that is read and written at its current position.

use std::os::fd::OwnedFd;

use rustix::fs::SeekFrom;
use rustix::io::Errno;

/// An open file with its known position.
pub struct PositionedFile {
    /// Its descriptor, for calls that need no position.
    pub fd: OwnedFd,
    /// Start of the next read or write; `None` after a failure, which leaves the position unknown.
    position_bytes: Option<u64>,
}

impl PositionedFile {
    /// A file that was just opened.
    pub fn new(fd: OwnedFd) -> Self {
        Self { fd, position_bytes: Some(0) }
    }

    /// Runs a call that transfers at the current position, after seeking to `offset_bytes` if necessary.
    ///
    /// # Errors
    /// As lseek(2) and the call.
    pub fn transfer_at(
        &mut self,
        offset_bytes: u64,
        mut transfer: impl FnMut(&OwnedFd) -> rustix::io::Result<usize>,
    ) -> rustix::io::Result<usize> {
        self.seek(offset_bytes)?;
        loop {
            match transfer(&self.fd) {
                Ok(len) => {
                    self.position_bytes = Some(offset_bytes + len as u64);
                    return Ok(len);
                }
                // A call that moved bytes returns their number: an interrupted one did not change the
                // position.
                Err(Errno::INTR) => {}
                Err(errno) => {
                    self.position_bytes = None;
                    return Err(errno);
                }
            }
        }
    }

    /// Moves the position if necessary.
    fn seek(&mut self, offset_bytes: u64) -> rustix::io::Result<()> {
        if self.position_bytes != Some(offset_bytes) {
            self.position_bytes = None;
            rustix::fs::seek(&self.fd, SeekFrom::Start(offset_bytes))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{Access, Naming, Target};

    #[test]
    fn the_position_is_moved_only_when_needed() {
        let directory = cardiograph_testing::disk_dir();
        let target = Target::create_file(directory.path(), 16_384, Naming::Automatic).unwrap();
        let fd = target.open(Access::default()).unwrap();
        let mut file = PositionedFile { fd, position_bytes: Some(8_192) };
        // The real position stays 0 while the engine believes that no seek is needed.
        for (offset_bytes, moved_to) in [(8_192, 0), (4_096, 4_096), (0, 0)] {
            file.seek(offset_bytes).unwrap();
            assert_eq!(rustix::fs::tell(&file.fd), Ok(moved_to), "{offset_bytes}");
        }
        assert_eq!(file.seek(u64::MAX), Err(Errno::INVAL));
        assert_eq!(file.position_bytes, None, "a failed move leaves it unknown");
    }
}
