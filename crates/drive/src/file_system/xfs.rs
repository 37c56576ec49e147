//! Geometry of an XFS.

use cardiograph_core::drive::XfsGeometry;

use crate::ioctl::XfsGeometryV4;

// Bits of `flags` (`XFS_FSOP_GEOM_FLAGS_*` of the kernel's `xfs_fs.h`).
const V5SB: u32 = 1 << 15;
const RMAPBT: u32 = 1 << 19;
const REFLINK: u32 = 1 << 20;
const BIGTIME: u32 = 1 << 21;

/// The geometry in bytes, as in `xfs_info`.
pub(super) fn geometry(raw: &XfsGeometryV4) -> XfsGeometry {
    let block_bytes = u64::from(raw.block_bytes);
    let has = |flag: u32| raw.flags & flag != 0;
    XfsGeometry {
        block_bytes,
        inode_bytes: raw.inode_bytes.into(),
        sector_bytes: raw.sector_bytes.into(),
        groups: raw.groups.into(),
        log_bytes: u64::from(raw.log) * block_bytes,
        log_is_external: raw.log_start == 0,
        log_stripe_bytes: raw.log_stripe_bytes.into(),
        stripe_unit_bytes: u64::from(raw.stripe_unit) * block_bytes,
        stripe_width_bytes: u64::from(raw.stripe_width) * block_bytes,
        has_checksums: has(V5SB),
        has_reflink: has(REFLINK),
        has_reverse_map: has(RMAPBT),
        has_bigtime: has(BIGTIME),
    }
}
