//! Queries to a mounted file system that any user may make.

use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use cardiograph_core::drive::PathFlag;
use rustix::fs::{AtFlags, CWD, IFlags, OFlags, StatxFlags};

use crate::content;
use crate::ioctl::{self, XfsGeometryV4};

// File flags that rustix has no names for (`FS_*_FL` of the kernel's `fs.h`).
const NOT_COMPRESSED: u32 = 0x400;
const ENCRYPTED: u32 = 0x800;
const DAX: u32 = 0x0200_0000;

/// The answers.
#[derive(Debug, Default)]
pub(super) struct Live {
    /// Allocation unit in bytes.
    pub block_bytes: u64,
    /// Free units.
    pub blocks_free: u64,
    /// Total inodes; 0 if allocated dynamically.
    pub inodes: u64,
    /// Free inodes.
    pub inodes_free: u64,
    /// Flags of the path.
    pub flags: Vec<PathFlag>,
    /// Creation time of the root directory, in seconds since 1970.
    pub root_created_unix_s: Option<u64>,
    /// Geometry of an XFS.
    pub xfs: Option<io::Result<XfsGeometryV4>>,
}

/// Queries the file system of `path`.
///
/// # Errors
/// When it does not respond, or not within the time limit.
pub(super) fn ask(path: &Path, mount_point: &str, is_xfs: bool) -> io::Result<Live> {
    let (path, mount_point) = (path.to_path_buf(), PathBuf::from(mount_point));
    content::within(content::PATIENCE, move || {
        let room = rustix::fs::statvfs(&path)?;
        Ok(Live {
            block_bytes: room.f_frsize,
            blocks_free: room.f_bfree,
            inodes: room.f_files,
            inodes_free: room.f_ffree,
            flags: open(&path)
                .and_then(|file| Ok(rustix::fs::ioctl_getflags(file)?))
                .map(flags)
                .unwrap_or_default(),
            root_created_unix_s: created_unix_s(&mount_point),
            xfs: is_xfs.then(|| open(&path).or_else(|_| open(&mount_point)).and_then(ioctl::xfs_geometry)),
        })
    })
}

/// Opens a directory or a file for queries. Refuses anything else: opening a device can have side effects,
/// and opening a pipe blocks.
fn open(path: &Path) -> io::Result<File> {
    let kind = std::fs::metadata(path)?.file_type();
    if !kind.is_dir() && !kind.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "neither a directory nor a file"));
    }
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    std::fs::OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

fn flags(flags: IFlags) -> Vec<PathFlag> {
    let known = [
        (IFlags::NOCOW.bits(), PathFlag::NoCopyOnWrite),
        (IFlags::COMPRESSED.bits(), PathFlag::Compressed),
        (NOT_COMPRESSED, PathFlag::NotCompressed),
        (ENCRYPTED, PathFlag::Encrypted),
        (IFlags::APPEND.bits(), PathFlag::AppendOnly),
        (IFlags::IMMUTABLE.bits(), PathFlag::Immutable),
        (IFlags::SYNC.bits(), PathFlag::WritesWait),
        (IFlags::JOURNALING.bits(), PathFlag::DataJournaled),
        (DAX, PathFlag::Dax),
    ];
    known.iter().filter(|(bit, _)| flags.bits() & bit != 0).map(|(_, flag)| *flag).collect()
}

fn created_unix_s(dir: &Path) -> Option<u64> {
    let stat = rustix::fs::statx(CWD, dir, AtFlags::empty(), StatxFlags::BTIME).ok()?;
    let has_time = stat.stx_mask & StatxFlags::BTIME.bits() != 0;
    u64::try_from(stat.stx_btime.tv_sec).ok().filter(|&seconds| has_time && seconds > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_a_path_are_reported() {
        assert_eq!(flags(IFlags::empty()), []);
        // Extents, and a directory index, are not reported.
        assert_eq!(flags(IFlags::from_bits_retain(0x0008_1000)), []);
        let all = flags(IFlags::from_bits_retain(u32::MAX));
        assert_eq!((all.len(), all[3]), (9, PathFlag::Encrypted));
    }

    #[test]
    fn only_directories_and_files_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        assert!(open(dir.path()).is_ok());
        let error = open(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        let live = ask(Path::new("/dev/null"), "/dev", false).unwrap();
        assert_eq!((live.flags.len(), live.xfs.is_none()), (0, true));
        assert!(ask(Path::new("/no/such"), "/", false).is_err());
    }
}
