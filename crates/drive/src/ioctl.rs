//! Queries by `ioctl`. All unsafe code of this crate is here, behind safe functions.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::AsFd;

use rustix::ioctl::{Getter, Opcode, Updater, ioctl, opcode};

/// `struct xfs_fsop_geom_v4` of the kernel's `xfs_fs.h`. Later versions added fields at the end; every kernel
/// supports this one. Sizes are in blocks unless the name says otherwise.
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
    /// 0 for an external log.
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

/// Geometry of an XFS, from any open file or directory of it.
///
/// # Errors
/// The kernel's error, such as `ENOTTY` for another file system.
pub(crate) fn xfs_geometry(file: impl AsFd) -> io::Result<XfsGeometryV4> {
    // SAFETY: the kernel writes a structure of this layout, whose fields accept any bits, to memory that
    // `Getter` owns during the call; the request number contains the size. Another file system does not know
    // the number.
    let geometry = unsafe { ioctl(file, Getter::<XFS_IOC_FSGEOMETRY_V4, XfsGeometryV4>::new()) };
    geometry.map_err(io::Error::from)
}

/// `struct dm_ioctl` of the kernel's `dm-ioctl.h`, the header of request and response.
#[repr(C)]
struct DmHead {
    version: [u32; 3],
    /// Length of header and data, in bytes; in a response, of the used part.
    data_len_bytes: u32,
    data_offset_bytes: u32,
    targets: u32,
    open_count: i32,
    flags: u32,
    event: u32,
    padding: u32,
    device: u64,
    name: [u8; 128],
    uuid: [u8; 129],
    data: [u8; 7],
}

/// A request with space for its response.
#[repr(C)]
struct DmRequest {
    head: DmHead,
    table: [u8; DM_TABLE_LEN_BYTES_MAX],
}

/// Space for some hundred segments. Longer tables are refused.
const DM_TABLE_LEN_BYTES_MAX: usize = 64 << 10;
/// The request number depends only on the header, not on the following data.
const DM_TABLE_STATUS: Opcode = opcode::read_write::<DmHead>(0xfd, 12);
/// Queries the table, not the status.
const DM_STATUS_TABLE: u32 = 1 << 4;
/// The table did not fit.
const DM_BUFFER_FULL: u32 = 1 << 8;
/// Does not flush for the query.
const DM_NO_FLUSH: u32 = 1 << 11;
/// The kernel wipes its own copy, which may contain a key.
const DM_SECURE_DATA: u32 = 1 << 15;

/// The table of a device of the device mapper.
#[derive(Debug)]
pub(crate) struct DmTable {
    /// Number of segments.
    pub targets: u32,
    /// The segments, each a `struct dm_target_spec` followed by its parameters.
    pub bytes: Vec<u8>,
}

/// The table of the device `major:minor`, from `/dev/mapper/control`.
///
/// # Errors
/// The kernel's error, such as `ENXIO` if it is not a mapped device, and when the table is longer than 64
/// KiB.
pub(crate) fn dm_table(control: impl AsFd, major: u32, minor: u32) -> io::Result<DmTable> {
    let head = DmHead {
        version: [4, 0, 0],
        data_len_bytes: size_of::<DmRequest>() as u32,
        data_offset_bytes: size_of::<DmHead>() as u32,
        targets: 0,
        open_count: 0,
        flags: DM_STATUS_TABLE | DM_NO_FLUSH | DM_SECURE_DATA,
        event: 0,
        padding: 0,
        // The lowest bits of the minor number, the major number, and the rest (the kernel's `huge_encode_dev`).
        device: u64::from(minor & 0xff) | u64::from(major) << 8 | u64::from(minor & !0xff) << 12,
        name: [0; 128],
        uuid: [0; 129],
        data: [0; 7],
    };
    let mut request = Box::new(DmRequest { head, table: [0; DM_TABLE_LEN_BYTES_MAX] });
    // SAFETY: the kernel reads and writes at most `data_len_bytes` from the start of `request`, which is its
    // length; all of its fields accept any bits, and it lives until the call returns. A file that is not the
    // device mapper's does not know the number.
    unsafe { ioctl(control, Updater::<DM_TABLE_STATUS, DmRequest>::new(&mut request)) }?;
    let head = &request.head;
    if head.flags & DM_BUFFER_FULL != 0 {
        return Err(io::Error::other("the table is longer than 64 KiB"));
    }
    let inside = |end_bytes: u32| (end_bytes as usize).checked_sub(size_of::<DmHead>());
    let used = inside(head.data_offset_bytes).zip(inside(head.data_len_bytes));
    let bytes = used.and_then(|(start, end)| request.table.get(start..end.max(start)));
    let bytes = bytes.ok_or_else(|| io::Error::other("the answer lies outside of its room"))?;
    Ok(DmTable { targets: head.targets, bytes: bytes.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structure_has_the_kernels_length() {
        assert_eq!(size_of::<XfsGeometryV4>(), 112);
        assert_eq!((size_of::<DmHead>(), std::mem::offset_of!(DmHead, name)), (312, 48));
    }

    #[test]
    fn another_file_system_returns_an_error() {
        let proc = std::fs::File::open("/proc").unwrap();
        assert!(xfs_geometry(&proc).is_err());
        assert!(dm_table(&proc, 254, 0).is_err());
    }
}
