//! What the kernel tells only to an `ioctl`. All of this crate's unsafe code is here, behind safe functions.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::AsFd;

use rustix::ioctl::{Getter, Opcode, ioctl, opcode};

/// `struct xfs_fsop_geom_v4` of the kernel's `xfs_fs.h`. The structure grew since, behind these fields; this one is
/// understood by every kernel. Sizes are in blocks where the name does not say otherwise.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct XfsGeometryV4 {
    pub block_bytes: u32,
    pub realtime_extent: u32,
    pub group: u32,
    pub groups: u32,
    pub log: u32,
    pub sector_bytes: u32,
    pub inode_bytes: u32,
    pub inodes_percent_max: u32,
    pub data: u64,
    pub realtime: u64,
    pub realtime_extents: u64,
    /// 0 when the log lies on a device of its own.
    pub log_start: u64,
    pub uuid: [u8; 16],
    pub stripe_unit: u32,
    pub stripe_width: u32,
    pub version: i32,
    pub flags: u32,
    pub log_sector_bytes: u32,
    pub realtime_sector_bytes: u32,
    pub directory_block_bytes: u32,
    pub log_stripe_bytes: u32,
}

const XFS_IOC_FSGEOMETRY_V4: Opcode = opcode::read::<XfsGeometryV4>(b'X', 124);

/// What an XFS was made with, asked of any open file or directory of it.
///
/// # Errors
/// Whatever the kernel answers, as `ENOTTY` from another file system.
pub(crate) fn xfs_geometry(file: impl AsFd) -> io::Result<XfsGeometryV4> {
    // SAFETY: the kernel writes a structure of this very layout, all of whose fields take any bits, to memory that
    // `Getter` owns during the call; the number tells it the size. Another file system does not know the number.
    let geometry = unsafe { ioctl(file, Getter::<XFS_IOC_FSGEOMETRY_V4, XfsGeometryV4>::new()) };
    geometry.map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structure_is_as_long_as_the_kernels() {
        assert_eq!(size_of::<XfsGeometryV4>(), 112);
    }

    #[test]
    fn another_file_system_does_not_answer() {
        let proc = std::fs::File::open("/proc").unwrap();
        assert!(xfs_geometry(&proc).is_err());
    }
}
