//! Per-file setup before a job's first I/O.

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

/// Drops the kernel's cache of a block device (`BLKFLSBUF`).
const FLUSH_BUFFERS: rustix::ioctl::Opcode = rustix::ioctl::opcode::none(0x12, 97);
/// Length of a read into the cache, in bytes.
const PRE_READ_LEN_BYTES: usize = 1 << 20;

/// Prepares a file as the job asks: creates it if that is due only now, and drops its pages from the cache or
/// pre-reads them. A hint that the kernel ignores is not an error. The access pattern is advised when a
/// descriptor is opened; see [`Access::for_workload`].
///
/// # Errors
/// When the file cannot be created, opened or read.
pub fn before_io(target: &Target, workload: &Workload, file_use: &FileUse) -> io::Result<()> {
    if !target.is_file() && !target.is_device() {
        return Ok(());
    }
    // Such a job measures creating and looking up files, so leave them alone.
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
        // Keep pages that were read ahead on purpose.
        return pre_read(opened, file_use);
    }
    if workload.files.invalidate {
        // Dirty pages cannot be dropped, and would be read from memory.
        if workload.uses(Direction::Read) && !workload.direct {
            let _ = rustix::fs::fdatasync(&opened);
        }
        drop_pages(target, file_use, &opened);
    }
    Ok(())
}

/// Drops the pages of files from the cache, as fio does before each pass. Dirty pages stay: writing them
/// would take time that fio's jobs do not spend.
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
        // This needs privileges; the pages of the region can still be dropped.
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
            // End of the file: nothing more to cache.
            Ok(0) => break,
            Ok(len) => at += len as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
