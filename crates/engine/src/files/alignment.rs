//! Checks that direct I/O and trims are possible with a job's lengths and offsets, before any I/O.

use std::fs;
use std::path::Path;

use cardiograph_core::workload::BlockLen;
use cardiograph_core::{Direction, Message, Parameter, message};
use rustix::fs::{AtFlags, CWD, StatxFlags};

use super::PrepareRequest;
use super::resolved::{Found, ResolvedTarget};
use super::survey::User;
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
    notes: &mut Vec<Message>,
) -> Result<(), Message> {
    let is_bound = |user: &&User<'_>| user.workload.direct || user.workload.uses(Direction::Trim);
    let mut bound = resolved.need.stored().filter(is_bound).peekable();
    if bound.peek().is_none() {
        return Ok(());
    }
    match demand(request.root, resolved) {
        Demand::Unknown => Ok(()),
        Demand::Unsupported => {
            notes.push(message!("prepare-note-no-direct", path = &resolved.path));
            Ok(())
        }
        Demand::Multiples(align_bytes) => bound.try_for_each(|user| match misaligned(user, align_bytes) {
            None => Ok(()),
            Some((part, value_bytes)) => {
                let (job, path) = (&user.workload.name, &resolved.path);
                let [align, bytes] = [align_bytes, value_bytes].map(Parameter::BlockBytes);
                Err(match (request.of_tool, user.workload.uses(Direction::Trim)) {
                    (true, _) => message!("prepare-misaligned-tool", path, align, bytes),
                    (false, true) => message!("prepare-misaligned.trim", job, path, align, part, bytes),
                    (false, false) => message!("prepare-misaligned.direct", job, path, align, part, bytes),
                })
            }
        }),
    }
}

/// The first misaligned value: an option, or a phrase for it, and the value in bytes.
fn misaligned(user: &User<'_>, align_bytes: u64) -> Option<(Parameter, u64)> {
    let workload = user.workload;
    let drawn = [Direction::Read, workload.changing_direction()].into_iter();
    let moving = || drawn.clone().filter(|&direction| workload.draws(direction));
    let lens = moving().flat_map(|direction| match &workload.block_len[direction] {
        BlockLen::Fixed { len_bytes } => vec![*len_bytes],
        // All lengths of a range are multiples of its minimum.
        BlockLen::Range { min_bytes, .. } => vec![*min_bytes],
        BlockLen::Split { parts } => parts.iter().map(|part| part.len_bytes).collect(),
    });
    let mut values: Vec<(Parameter, u64)> = lens.map(|len| ("bs".into(), len)).collect();
    if workload.order.is_random() {
        values.extend(moving().map(|direction| ("blockalign".into(), workload.align_bytes[direction])));
    } else {
        let skip = message!("misaligned-part.skip").into();
        values.push((skip, workload.sequential_skip_bytes.unsigned_abs()));
    }
    if let Some(zones) = workload.strided {
        let zone = |bytes| (message!("misaligned-part.zone").into(), bytes);
        values.extend([zones.zone_len_bytes, zones.skip_bytes].map(zone));
    }
    values.push(("offset".into(), user.file.offset_bytes));
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
