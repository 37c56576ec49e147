//! Drops written data from the page cache, so that reading it back asks the drive.

use std::fs::File;
use std::path::Path;

use cardiograph_core::Action;
use rustix::fs::Advice;

use crate::error::{AppError, ErrorContext};

/// Drops the content of a durable file from the page cache. Directories and inodes stay cached, as they are for programs that
/// read what was just unpacked.
pub(crate) fn drop_file(path: &Path) -> Result<(), AppError> {
    let file = File::open(path).context(Action::Open, path)?;
    // Not all file systems can; then the kernel's count of the drive's reads shows it.
    let _ = rustix::fs::fadvise(&file, 0, None, Advice::DontNeed);
    Ok(())
}
