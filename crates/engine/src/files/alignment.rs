//! Checks that direct I/O and trims are possible with a job's lengths and offsets, before any I/O.

use std::fs;
use std::path::Path;

use cardiograph_core::Direction;
use cardiograph_core::workload::BlockLen;
use rustix::fs::{AtFlags, CWD, StatxFlags};

use super::error::{MisalignedPart, PrepareError};
use super::resolved::{Found, ResolvedTarget};
use super::survey::User;
use super::{PrepareNote, PrepareRequest};
use crate::device::DeviceNumber;

/// Alignment that a file requires for direct I/O.
enum Demand {
    /// Offsets and lengths must be multiples of this.
    Multiples(u64),
    /// Direct I/O is not supported.
    Unsupported,
    /// Not reported.
    Unknown,
}

/// Compares the values of jobs that bypass the page cache or trim with the requirements of file system or
/// device.
pub(super) fn check(
    request: &PrepareRequest<'_>,
    resolved: &ResolvedTarget<'_>,
    notes: &mut Vec<PrepareNote>,
) -> Result<(), PrepareError> {
    let is_bound = |user: &&User<'_>| user.workload.direct || user.workload.uses(Direction::Trim);
    let mut bound = resolved.need.stored().filter(is_bound).peekable();
    if bound.peek().is_none() {
        return Ok(());
    }
    match demand(request.root, resolved) {
        Demand::Unknown => Ok(()),
        Demand::Unsupported => {
            let (target, path) = (resolved.need.targets[0], resolved.path.clone());
            notes.push(PrepareNote::DirectUnsupported { target, path });
            Ok(())
        }
        Demand::Multiples(align_bytes) => bound.try_for_each(|user| match misaligned(user, align_bytes) {
            None => Ok(()),
            Some((part, value_bytes)) => {
                let (job, path) = (user.job, resolved.path.clone());
                Err(PrepareError::Misaligned { job, path, part, value_bytes, align_bytes })
            }
        }),
    }
}

/// The first misaligned value.
fn misaligned(user: &User<'_>, align_bytes: u64) -> Option<(MisalignedPart, u64)> {
    let workload = user.workload;
    let drawn = [Direction::Read, workload.changing_direction()].into_iter();
    let moving = || drawn.clone().filter(|&direction| workload.draws(direction));
    let lens = moving().flat_map(|direction| match &workload.block_len[direction] {
        BlockLen::Fixed { len_bytes } => vec![*len_bytes],
        // All lengths of a range are multiples of its minimum.
        BlockLen::Range { min_bytes, .. } => vec![*min_bytes],
        BlockLen::Split { parts } => parts.iter().map(|part| part.len_bytes).collect(),
    });
    let mut values: Vec<(MisalignedPart, u64)> = lens.map(|len| (MisalignedPart::BlockLen, len)).collect();
    if workload.order.is_random() {
        let grids = moving().map(|direction| (MisalignedPart::Grid, workload.align_bytes[direction]));
        values.extend(grids);
    } else {
        values.push((MisalignedPart::Skip, workload.sequential_skip_bytes.unsigned_abs()));
    }
    if let Some(zones) = workload.strided {
        values.extend([zones.zone_len_bytes, zones.skip_bytes].map(|bytes| (MisalignedPart::Zone, bytes)));
    }
    values.push((MisalignedPart::Offset, user.file.offset_bytes));
    values.into_iter().find(|(_, value_bytes)| value_bytes % align_bytes != 0)
}

fn demand(root: &Path, resolved: &ResolvedTarget<'_>) -> Demand {
    // A new file will have the properties of others in its directory.
    let path = match resolved.found {
        Found::ToBeMade { .. } => resolved.path.parent().filter(|dir| !dir.as_os_str().is_empty()),
        _ => Some(resolved.path.as_path()),
    };
    let path = path.unwrap_or(Path::new("."));
    let asked = StatxFlags::DIOALIGN | StatxFlags::BASIC_STATS;
    let Ok(stat) = rustix::fs::statx(CWD, path, AtFlags::empty(), asked) else { return Demand::Unknown };
    // Kernels from 6.1 report it for some file systems, and for devices.
    if StatxFlags::from_bits_retain(stat.stx_mask).contains(StatxFlags::DIOALIGN) {
        return match stat.stx_dio_offset_align {
            0 => Demand::Unsupported,
            align_bytes => Demand::Multiples(u64::from(align_bytes)),
        };
    }
    let number = match resolved.found {
        Found::Device { number, .. } => number,
        _ => DeviceNumber { major: stat.stx_dev_major, minor: stat.stx_dev_minor },
    };
    logical_block_bytes(root, number).map_or(Demand::Unknown, Demand::Multiples)
}

/// The device's logical block size, which it and file systems on it usually require. `None` for file systems
/// without a device.
fn logical_block_bytes(root: &Path, number: DeviceNumber) -> Option<u64> {
    let device = root.join(format!("sys/dev/block/{number}"));
    // Partitions share the queue of their disk.
    let read = |queue: &str| fs::read_to_string(device.join(queue).join("logical_block_size")).ok();
    let text = read("queue").or_else(|| read("../queue"))?;
    text.trim().parse().ok().filter(|&bytes| bytes > 0)
}
