//! What happens to a file before the first I/O of a job.

use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use cardiograph_core::plan::FileUse;
use cardiograph_core::{Direction, Workload};
use rustix::fs::Advice;

use crate::target::{Access, Target};

/// Drops what the kernel has cached of a block device (`BLKFLSBUF`).
const FLUSH_BUFFERS: rustix::ioctl::Opcode = rustix::ioctl::opcode::none(0x12, 97);
/// Bytes that are read at a time into the cache.
const PRE_READ_LEN_BYTES: usize = 1 << 20;

/// Does what a job asks for before its first I/O on a file: makes it, if it is to be made only now, and drops its pages
/// from the cache or reads them into it. A hint that the kernel does not follow is no error. What order blocks come in is
/// told when a descriptor is opened; see [`Access::of`].
///
/// # Errors
/// When the file cannot be made or opened, or not read.
pub fn before_io(target: &Target, workload: &Workload, file_use: &FileUse) -> io::Result<()> {
    if !target.is_file() && !target.is_device() {
        return Ok(());
    }
    // Making and looking up files is what such a job measures: nothing is done to them before.
    if workload.file_action.is_some() {
        return Ok(());
    }
    let is_to_be_made = target.named_file().is_some_and(|file| file.identity().is_none());
    if !is_to_be_made && !workload.files.invalidate && !workload.files.pre_read {
        return Ok(());
    }
    let access = Access { writes: is_to_be_made, ..Access::default() };
    let opened = target.open(access)?;
    if workload.files.pre_read {
        // What was read ahead on purpose is not dropped again.
        return pre_read(opened, file_use);
    }
    if workload.files.invalidate {
        // Pages that are not on the drive yet cannot be dropped, and would be read from memory.
        if workload.uses(Direction::Read) && !workload.direct {
            let _ = rustix::fs::fdatasync(&opened);
        }
        drop_pages(target, file_use, &opened);
    }
    Ok(())
}

/// Drops the pages of files from the cache once more, as fio does before each pass over them. Pages that are not on the
/// drive yet stay: writing them would be time of the job's that fio's do not spend.
///
/// # Errors
/// When a file cannot be opened.
pub fn between_passes(targets: &[Arc<Target>], files: &[FileUse]) -> io::Result<()> {
    targets.iter().zip(files).try_for_each(|(target, file_use)| {
        drop_pages(target, file_use, &target.open(Access::default())?);
        Ok(())
    })
}

fn drop_pages(target: &Target, file_use: &FileUse, opened: &OwnedFd) {
    if target.is_device() {
        // SAFETY: the call takes no argument.
        let flushed = unsafe { rustix::ioctl::ioctl(opened, rustix::ioctl::NoArg::<FLUSH_BUFFERS>::new()) };
        if flushed.is_ok() {
            return;
        }
        // That needs privileges; the region's pages can be dropped without.
    }
    let len_bytes = NonZeroU64::new(file_use.region_len_bytes);
    let _ = rustix::fs::fadvise(opened, file_use.offset_bytes, len_bytes, Advice::DontNeed);
}

fn pre_read(opened: OwnedFd, file_use: &FileUse) -> io::Result<()> {
    let (file, mut bytes) = (File::from(opened), vec![0; PRE_READ_LEN_BYTES]);
    let mut at = file_use.offset_bytes;
    while at < file_use.end_bytes() {
        let len = (file_use.end_bytes() - at).min(PRE_READ_LEN_BYTES as u64) as usize;
        match file.read_at(&mut bytes[..len], at) {
            // The file ends here: what is not there cannot be cached.
            Ok(0) => break,
            Ok(len) => at += len as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
