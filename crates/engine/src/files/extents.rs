//! Unwritten parts of files.

use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{Mode, OFlags, SeekFrom};
use rustix::io::Errno;

/// Extents per call.
const EXTENTS: usize = 256;

/// `FS_IOC_FIEMAP`, the same on all architectures: its argument has a 32-byte header.
const FIEMAP: rustix::ioctl::Opcode = rustix::ioctl::opcode::read_write::<[u8; 32]>(b'f', 11);
/// Flushes data first, so that it has extents.
const FLAG_SYNC: u32 = 1;
const EXTENT_LAST: u32 = 0x1;
const EXTENT_UNWRITTEN: u32 = 0x800;

/// An extent as the file system reports it (`linux/fiemap.h`).
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    len_bytes: u64,
    reserved: [u64; 2],
    flags: u32,
    reserved_too: [u32; 3],
}

/// The argument of [`FIEMAP`].
#[repr(C)]
struct ExtentMap {
    start: u64,
    len_bytes: u64,
    flags: u32,
    mapped: u32,
    room: u32,
    reserved: u32,
    extents: [Extent; EXTENTS],
}

/// How many of the bytes from `start_bytes` to `end_bytes` were never written: holes, and allocated but
/// unused space. `None` if the file cannot be opened or its file system does not report it.
pub(super) fn unwritten_bytes(path: &Path, start_bytes: u64, end_bytes: u64) -> Option<u64> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).ok()?;
    let written = written_by_map(&file, start_bytes, end_bytes)
        .or_else(|| written_by_seeking(&file, start_bytes, end_bytes))?;
    Some(end_bytes.saturating_sub(start_bytes).saturating_sub(written))
}

/// Bytes in written extents. `None` if the file system does not support FIEMAP.
fn written_by_map(file: &OwnedFd, start_bytes: u64, end_bytes: u64) -> Option<u64> {
    let mut map = Box::new(ExtentMap {
        start: 0,
        len_bytes: 0,
        flags: 0,
        mapped: 0,
        room: EXTENTS as u32,
        reserved: 0,
        extents: [Extent::default(); EXTENTS],
    });
    let (mut written, mut at) = (0, start_bytes);
    while at < end_bytes {
        (map.start, map.len_bytes, map.flags, map.mapped) = (at, end_bytes - at, FLAG_SYNC, 0);
        // SAFETY: the opcode takes this structure, which has room for the stated number of extents.
        let asked =
            unsafe { rustix::ioctl::ioctl(file, rustix::ioctl::Updater::<FIEMAP, ExtentMap>::new(&mut map)) };
        asked.ok()?;
        let extents = &map.extents[..(map.mapped as usize).min(EXTENTS)];
        for extent in extents.iter().filter(|extent| extent.flags & EXTENT_UNWRITTEN == 0) {
            let end = extent.logical.saturating_add(extent.len_bytes).min(end_bytes);
            written += end.saturating_sub(extent.logical.max(at));
        }
        let Some(last) = extents.last().filter(|last| last.flags & EXTENT_LAST == 0) else { break };
        let next = last.logical.saturating_add(last.len_bytes);
        // Guard against a file that changes meanwhile.
        if next <= at {
            break;
        }
        at = next;
    }
    Some(written)
}

/// Bytes between holes, by seeking.
fn written_by_seeking(file: &OwnedFd, start_bytes: u64, end_bytes: u64) -> Option<u64> {
    let (mut written, mut at) = (0, start_bytes);
    while at < end_bytes {
        let data = match rustix::fs::seek(file, SeekFrom::Data(at)) {
            Ok(data) => data.min(end_bytes),
            // No more data.
            Err(Errno::NXIO) => break,
            Err(_) => return None,
        };
        let hole = rustix::fs::seek(file, SeekFrom::Hole(data)).ok()?.min(end_bytes);
        written += hole - data.min(hole);
        if hole <= at {
            break;
        }
        at = hole;
    }
    Some(written)
}
