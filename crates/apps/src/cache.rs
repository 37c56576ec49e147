//! Getting what was written out of the page cache, so that reading it asks the drive.

use std::fs::File;
use std::path::Path;

use cardiograph_core::Action;
use rustix::fs::Advice;

use crate::error::{AppError, Doing};

/// Lets the kernel forget the content of a file that is durable. Directories and inodes stay in memory: programs that read
/// what was just unpacked find them there, too.
pub(crate) fn drop_file(path: &Path) -> Result<(), AppError> {
    let file = File::open(path).doing(Action::Open, path)?;
    // Not all file systems can; then the kernel's count of what the drive read tells.
    let _ = rustix::fs::fadvise(&file, 0, None, Advice::DontNeed);
    Ok(())
}
