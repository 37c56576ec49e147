//! Identity of a file regardless of its path: below the mount point of an overlay file system a file has
//! another device number than in its real directory.

use std::io;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, StatxFlags};

use crate::target::{Identity, identity_of};

/// `OVERLAYFS_SUPER_MAGIC` of statfs(2).
const OVERLAY_MAGIC: i64 = 0x794c_7630;

/// Identity of a file that is stable across overlays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RealFile {
    identity: Identity,
    /// Length in blocks of 512 bytes.
    len_blocks: u64,
    /// Creation time, in seconds and nanoseconds: overlays pass it through from the lower file system, while
    /// the inode number may be another layer's. `None` if unknown.
    born: Option<(i64, u32)>,
    is_overlaid: bool,
}

impl RealFile {
    /// The file at a path.
    ///
    /// # Errors
    /// As stat(2) and statfs(2).
    pub fn from_path(path: &Path) -> io::Result<Self> {
        let stat = rustix::fs::stat(path)?;
        let is_overlaid = rustix::fs::statfs(path)?.f_type as i64 == OVERLAY_MAGIC;
        // Linux before 4.11 has no such call, and some file systems do not report it.
        let extended = rustix::fs::statx(CWD, path, AtFlags::empty(), StatxFlags::BTIME).ok();
        let extended = extended.filter(|extended| extended.stx_mask & StatxFlags::BTIME.bits() != 0);
        let born = extended.map(|extended| (extended.stx_btime.tv_sec, extended.stx_btime.tv_nsec));
        Ok(Self { identity: identity_of(&stat), len_blocks: stat.st_size as u64 / 512, born, is_overlaid })
    }

    /// A file whose path is unknown: it may be in an overlay if its device has no driver.
    pub fn hidden(identity: Identity, len_blocks: u64) -> Self {
        Self { identity, len_blocks, born: None, is_overlaid: rustix::fs::major(identity.0) == 0 }
    }

    /// Whether both may be the same file.
    pub fn can_be(&self, other: &Self) -> bool {
        let is_overlaid = (self.is_overlaid || other.is_overlaid) && self.identity.0 != other.identity.0;
        let is_as_old = self.born.zip(other.born).is_none_or(|(born, other)| born == other);
        self.identity == other.identity || is_overlaid && self.len_blocks == other.len_blocks && is_as_old
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_overlays_show_a_file_under_another_device() {
        let file = |device, inode, len_blocks, born, is_overlaid| {
            let identity = (rustix::fs::makedev(device, 1), inode);
            RealFile { identity, len_blocks, born, is_overlaid }
        };
        let below = file(8, 7, 4, Some((1, 2)), false);
        let hidden = |device, len_blocks| RealFile::hidden((rustix::fs::makedev(device, 44), 9), len_blocks);
        for (other, expected) in [
            (file(8, 7, 4, Some((1, 2)), false), true),
            (file(0, 7, 4, Some((1, 2)), true), true),
            (file(0, 6, 4, Some((1, 2)), true), true),
            (file(0, 7, 5, Some((1, 2)), true), false),
            (file(0, 7, 4, Some((1, 3)), true), false),
            (file(8, 6, 4, Some((1, 2)), true), false),
            // A snapshot has the numbers and times of its origin.
            (file(0, 7, 4, Some((1, 2)), false), false),
            (hidden(0, 4), true),
            (hidden(0, 5), false),
            (hidden(8, 4), false),
        ] {
            assert_eq!((below.can_be(&other), other.can_be(&below)), (expected, expected), "{other:?}");
        }
        let path = tempfile::NamedTempFile::new().unwrap();
        let found = RealFile::from_path(path.path()).unwrap();
        assert!(found.can_be(&found) && RealFile::from_path(Path::new("/nowhere")).is_err());
    }
}
