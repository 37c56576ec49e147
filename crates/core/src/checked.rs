//! Lengths of verified blocks: every I/O consists of whole ones.

use crate::direction::Direction;
use crate::file_use::FileUse;
use crate::verify::Verify;
use crate::workload::{BlockLen, Order, Workload};

/// Length in bytes of the blocks that each have a header: `interval_bytes` if it divides every I/O at any offset,
/// otherwise the longest length that does. Then a write that partly covers an earlier one covers whole blocks of it.
pub fn block_len_bytes(verify: &Verify, workload: &Workload, files: &[FileUse]) -> u64 {
    let longest_bytes = common_len_bytes(workload, files);
    match verify.interval_bytes {
        0 => longest_bytes,
        interval_bytes if longest_bytes.is_multiple_of(interval_bytes) => interval_bytes,
        _ => longest_bytes,
    }
}

/// The longest length in bytes that divides every I/O at any offset: writes start at multiples of it.
pub fn common_len_bytes(workload: &Workload, files: &[FileUse]) -> u64 {
    let mut divisor = 0;
    let mut divide = |len_bytes: u64| divisor = greatest_common_divisor(divisor, len_bytes);
    for direction in [Direction::Read, workload.changing_direction()] {
        // A write-only job reads back what it wrote: its lengths are those of the writes.
        if !workload.draws(direction) {
            continue;
        }
        match &workload.block_len[direction] {
            BlockLen::Fixed { len_bytes } => divide(*len_bytes),
            BlockLen::Range { min_bytes, .. } => divide(*min_bytes),
            BlockLen::Split { parts } => parts.iter().for_each(|part| divide(part.len_bytes)),
        }
        if workload.order.is_random() {
            divide(workload.align_bytes[direction]);
        }
    }
    if workload.order == Order::Sequential && workload.sequential_skip_bytes != 0 {
        divide(workload.sequential_skip_bytes.unsigned_abs());
        if workload.sequential_skip_bytes < 0 {
            files.iter().for_each(|file| divide(file.region_len_bytes));
        }
    }
    if let Some(zones) = workload.strided {
        divide(zones.zone_len_bytes.saturating_add(zones.skip_bytes));
        if workload.order == Order::Sequential && workload.sequential_skip_bytes < 0 {
            divide(zones.zone_len_bytes);
        }
    }
    divisor
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::Checksum;

    #[test]
    fn a_block_divides_all_ios() {
        let workload = |len_bytes, align_bytes| {
            let mut workload =
                Workload { read_percent: 0, order: Order::RandomUnique, ..Workload::default() };
            workload.block_len.write = BlockLen::Fixed { len_bytes };
            workload.align_bytes.write = align_bytes;
            workload
        };
        for (interval_bytes, len_bytes, align_bytes, block_len_bytes) in [
            (0, 4_096, 4_096, 4_096),
            (0, 4_096, 512, 512),
            (1_024, 4_096, 4_096, 1_024),
            (8_192, 4_096, 4_096, 4_096),
            (3_072, 4_096, 4_096, 4_096),
        ] {
            let verify = Verify { interval_bytes, ..Verify::new(Checksum::Md5) };
            let found = super::block_len_bytes(&verify, &workload(len_bytes, align_bytes), &[]);
            assert_eq!(found, block_len_bytes, "{interval_bytes} {len_bytes} {align_bytes}");
        }
    }
}
