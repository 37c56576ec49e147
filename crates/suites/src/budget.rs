//! How much a checkup may write.

use cardiograph_core::drive::Drive;
use cardiograph_core::{GIB, MIB};

use crate::text;

/// No checkup writes more, however large the drive is.
const WRITE_BYTES_MAX: u64 = 8 * GIB;
/// What may be written to a drive of which neither the capacity nor a file system is known.
const WRITE_BYTES_UNKNOWN: u64 = GIB;
/// The share of the capacity that may be written, as a divisor: 1 %.
const CAPACITY_DIVISOR: u64 = 100;
/// So much stays free on a small file system.
const MARGIN_BYTES_MIN: u64 = 64 * MIB;
/// The share of a file system that stays free, as a divisor: 2 %.
const MARGIN_DIVISOR: u64 = 50;

/// File systems of cards. They know no room without content: the kernel fills each new file of theirs with zeros.
const FILLS_FILES: [&str; 3] = ["vfat", "msdos", "exfat"];

/// The file system of `drive`, if it fills each new file with zeros before anything else is written to it.
pub(crate) fn fills_files(drive: &Drive) -> Option<&str> {
    let fs_type = drive.mount.as_ref()?.fs_type.as_str();
    FILLS_FILES.contains(&fs_type).then_some(fs_type)
}

/// What may be written, and why not more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Bytes that all steps together may write, without the zeros with which some file systems fill new files.
    pub write_bytes: u64,
    /// Bytes that all test files together may occupy.
    pub file_bytes: u64,
    /// Bytes that one file may have.
    pub file_len_bytes_max: u64,
    /// Where `write_bytes` comes from, in a sentence.
    pub reason: String,
    /// Whether it is the free space that bounds `write_bytes`.
    pub is_by_room: bool,
}

/// What may be written, and why not more, in a sentence.
pub(crate) fn at_most(bytes: u64, why: &str) -> String {
    match bytes {
        0 => format!("Nothing can be written: {why}."),
        _ => format!("At most {} may be written: {why}.", text::size(bytes)),
    }
}

impl Budget {
    /// The budget for a drive: the smallest of 8 GiB, 1 % of the capacity, and what leaves a margin free.
    pub(crate) fn of(drive: &Drive) -> Self {
        Self::within(drive, CAPACITY_DIVISOR, WRITE_BYTES_MAX)
    }

    /// The smallest of `bytes_max`, the capacity over `divisor`, and what leaves a margin free.
    pub(crate) fn within(drive: &Drive, divisor: u64, bytes_max: u64) -> Self {
        let budget = Self::of_growing_files(drive, divisor, bytes_max);
        match fills_files(drive) {
            // As many zeros as the files are long may come on top.
            Some(fs_type) if budget.write_bytes > 0 => Self {
                write_bytes: budget.write_bytes / 2,
                file_bytes: budget.file_bytes.min(budget.write_bytes / 2),
                reason: format!(
                    "{} Up to half of it are zeros, with which {fs_type} fills new files.",
                    budget.reason
                ),
                ..budget
            },
            _ => budget,
        }
    }

    /// What allows a suite with a setting `max` to write more, in a sentence.
    pub(crate) fn more(&self) -> &'static str {
        if self.is_by_room { "More free space allows more." } else { "--set max=SIZE allows more." }
    }

    /// The same for files that have no room before they are written: no zeros come on top.
    pub(crate) fn of_growing_files(drive: &Drive, divisor: u64, bytes_max: u64) -> Self {
        let percent = 100 / divisor;
        let (by_capacity, holds) = match (drive.capacity_bytes, &drive.mount) {
            (Some(bytes), _) => {
                (bytes / divisor, format!("{percent} % of the drive's {}", text::capacity(bytes)))
            }
            (None, Some(mount)) => {
                let size = text::capacity(mount.size_bytes);
                let reason =
                    format!("{percent} % of the file system's {size}, as the drive's capacity is not known");
                (mount.size_bytes / divisor, reason)
            }
            (None, None) => (WRITE_BYTES_UNKNOWN, "the drive's capacity is not known".to_string()),
        };
        let file_bytes = drive
            .mount
            .as_ref()
            .map_or(u64::MAX, |mount| mount.available_bytes.saturating_sub(margin_bytes(mount.size_bytes)));
        let (write_bytes, why) = if by_capacity < bytes_max {
            (by_capacity, holds)
        } else if divisor == 1 {
            // All of the drive may be written: nothing but a user's word bounds it.
            (bytes_max, "as asked".to_string())
        } else {
            (bytes_max, "no drive is asked for more".to_string())
        };
        let is_by_room = file_bytes < write_bytes;
        let (write_bytes, why) = match &drive.mount {
            Some(mount) if is_by_room => {
                let available = text::size(mount.available_bytes);
                (
                    file_bytes,
                    format!(
                        "{available} are free, and {} are to stay so",
                        text::size(margin_bytes(mount.size_bytes))
                    ),
                )
            }
            _ => (write_bytes, why),
        };
        let reason = at_most(write_bytes, &why);
        let file_system = drive.mount.as_ref().and_then(|mount| mount.file_system.as_ref());
        let file_len_bytes_max = file_system.and_then(|known| known.file_len_bytes_max).unwrap_or(u64::MAX);
        Self { write_bytes, file_bytes, file_len_bytes_max, reason, is_by_room }
    }
}

/// What is to stay free on a file system of `size_bytes`, in bytes.
pub fn margin_bytes(size_bytes: u64) -> u64 {
    MARGIN_BYTES_MIN.max(size_bytes / MARGIN_DIVISOR)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::Mount;

    use super::*;

    const GB: u64 = 1_000_000_000;

    fn drive(capacity_bytes: Option<u64>, mount: Option<(u64, u64)>) -> Drive {
        let mount = mount.map(|(size_bytes, available_bytes)| Mount {
            size_bytes,
            available_bytes,
            ..Default::default()
        });
        Drive { capacity_bytes, mount, ..Default::default() }
    }

    #[test]
    fn the_smallest_bound_counts_and_is_named() {
        let cases = [
            (drive(Some(64 * GB), Some((64 * GB, 50 * GB))), 640_000_000, "drive's 64 GB"),
            (drive(Some(4_000 * GB), Some((4_000 * GB, 1_000 * GB))), 8 * GIB, "no drive"),
            (drive(None, Some((32 * GB, 20 * GB))), 320_000_000, "file system's 32 GB"),
            (drive(Some(64 * GB), Some((10 * GB, 300_000_000))), 100_000_000, "286 MiB are free"),
            (drive(Some(64 * GB), Some((GB, 100_000_000))), 100_000_000 - 64 * MIB, "64 MiB are to stay"),
            (drive(Some(64 * GB), Some((64 * GB, GB))), 0, "Nothing can be written: 953 MiB are free"),
            (drive(None, None), GIB, "not known"),
            (drive(Some(4 * GB), None), 40_000_000, "4.0 GB"),
        ];
        for (drive, write_bytes, reason) in cases {
            let budget = Budget::of(&drive);
            assert_eq!(budget.write_bytes, write_bytes, "{}", budget.reason);
            assert!(budget.reason.contains(reason), "{}", budget.reason);
        }
    }

    #[test]
    fn zeros_of_the_file_system_count() {
        let on = |fs_type: &str| {
            let mut drive = drive(Some(64 * GB), Some((64 * GB, 50 * GB)));
            if let Some(mount) = &mut drive.mount {
                mount.fs_type = fs_type.to_string();
            }
            drive
        };
        for fs_type in ["vfat", "exfat"] {
            let budget = Budget::of(&on(fs_type));
            assert_eq!((budget.write_bytes, budget.file_bytes), (320_000_000, 320_000_000));
            assert!(budget.reason.starts_with("At most 610 MiB may be written"), "{}", budget.reason);
            assert!(
                budget.reason.ends_with(&format!("with which {fs_type} fills new files.")),
                "{}",
                budget.reason
            );
        }
        let budget = Budget::of(&on("ext4"));
        assert!(budget.write_bytes == 640_000_000 && !budget.reason.contains("zeros"), "{}", budget.reason);
    }

    #[test]
    fn files_never_reach_into_the_margin() {
        let budget = Budget::of(&drive(Some(64 * GB), Some((10 * GB, 300_000_000))));
        assert_eq!(budget.file_bytes, 100_000_000);
        assert_eq!(Budget::of(&drive(Some(64 * GB), None)).file_bytes, u64::MAX);
    }
}
