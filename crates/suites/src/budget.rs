//! Write limits of checkups.

use cardiograph_core::drive::{Drive, Mount};
use cardiograph_core::message::Parameter;
use cardiograph_core::{GIB, MIB, Message, message};

/// Write limit on drives of any size.
const WRITE_BYTES_MAX: u64 = 8 * GIB;
/// Write limit on a drive with neither a known capacity nor a file system.
const WRITE_BYTES_UNKNOWN: u64 = GIB;
/// The share of the capacity that may be written, as a divisor: 1 %.
const CAPACITY_DIVISOR: u64 = 100;
/// Space that stays free on a small file system.
const MARGIN_BYTES_MIN: u64 = 64 * MIB;
/// The share of a file system that stays free, as a divisor: 2 %.
const MARGIN_DIVISOR: u64 = 50;

/// File systems of cards. They do not support unwritten extents: the kernel fills each new file with zeros.
const FILLS_FILES: [&str; 3] = ["vfat", "msdos", "exfat"];

/// The file system of `drive`, if it fills each new file with zeros before anything else is written to it.
pub(crate) fn fills_files(drive: &Drive) -> Option<&str> {
    let fs_type = drive.mount.as_ref()?.fs_type.as_str();
    FILLS_FILES.contains(&fs_type).then_some(fs_type)
}

/// Write limits, with their reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Bytes that all steps together may write, without the zeros with which some file systems fill new files.
    pub write_bytes: u64,
    /// Bytes that all test files together may occupy.
    pub file_bytes: u64,
    /// Bytes that one file may have.
    pub file_len_bytes_max: u64,
    /// The reasons for `write_bytes`.
    pub reasons: Vec<Message>,
    /// Whether the free space limits `write_bytes`.
    pub is_by_room: bool,
}

/// The note that the free space allows `bytes`.
pub(crate) fn by_room(bytes: u64, mount: &Mount) -> Message {
    let free = Parameter::CapacityBytes(mount.available_bytes);
    let margin = Parameter::CapacityBytes(margin_bytes(mount.size_bytes));
    match bytes {
        0 => message!("note-budget.no-room", free, margin),
        _ => message!("note-budget.room", bytes = Parameter::CapacityBytes(bytes), free, margin),
    }
}

/// The note that `bytes` were requested.
pub(crate) fn as_asked(bytes: u64) -> Message {
    message!("note-budget.asked", bytes = Parameter::Bytes(bytes))
}

impl Budget {
    /// The budget for a drive: the smallest of 8 GiB, 1 % of the capacity, and what leaves a margin free.
    pub(crate) fn for_drive(drive: &Drive) -> Self {
        Self::within(drive, CAPACITY_DIVISOR, WRITE_BYTES_MAX)
    }

    /// The smallest of `bytes_max`, the capacity over `divisor`, and what leaves a margin free.
    pub(crate) fn within(drive: &Drive, divisor: u64, bytes_max: u64) -> Self {
        let budget = Self::for_growing_files(drive, divisor, bytes_max);
        match fills_files(drive) {
            // Zeros of up to the length of the files are written in addition.
            Some(fs_type) if budget.write_bytes > 0 => Self {
                write_bytes: budget.write_bytes / 2,
                file_bytes: budget.file_bytes.min(budget.write_bytes / 2),
                reasons: [&budget.reasons[..], &[message!("note-budget.zeros", file_system = fs_type)]]
                    .concat(),
                ..budget
            },
            _ => budget,
        }
    }

    /// Advice on how to let a suite with a setting `max` write more.
    pub(crate) const fn more(&self) -> Message {
        if self.is_by_room { message!("note-more.room") } else { message!("note-more.setting") }
    }

    /// The same for files without preallocated space: no zeros are written in addition.
    pub(crate) fn for_growing_files(drive: &Drive, divisor: u64, bytes_max: u64) -> Self {
        let by_capacity = match (drive.capacity_bytes, &drive.mount) {
            (Some(bytes), _) => bytes / divisor,
            (None, Some(mount)) => mount.size_bytes / divisor,
            (None, None) => WRITE_BYTES_UNKNOWN,
        };
        let file_bytes = drive
            .mount
            .as_ref()
            .map_or(u64::MAX, |mount| mount.available_bytes.saturating_sub(margin_bytes(mount.size_bytes)));
        let write_bytes = by_capacity.min(bytes_max);
        let is_by_room = file_bytes < write_bytes;
        let write_bytes = write_bytes.min(file_bytes);
        let bytes = Parameter::CapacityBytes(write_bytes);
        let share = Parameter::share(1.0 / divisor as f64);
        let reason = match (drive.capacity_bytes, &drive.mount) {
            (_, Some(mount)) if is_by_room => by_room(write_bytes, mount),
            // All of the drive may be written: only the user's setting limits it.
            _ if by_capacity >= bytes_max && divisor == 1 => as_asked(write_bytes),
            _ if by_capacity >= bytes_max => message!("note-budget.limit", bytes),
            (Some(holds), _) => {
                message!("note-budget.drive", bytes, share, capacity = Parameter::CapacityBytes(holds))
            }
            (None, Some(mount)) => message!(
                "note-budget.file-system",
                bytes,
                share,
                size = Parameter::CapacityBytes(mount.size_bytes)
            ),
            (None, None) => message!("note-budget.unknown", bytes),
        };
        let file_system = drive.mount.as_ref().and_then(|mount| mount.file_system.as_ref());
        let file_len_bytes_max = file_system.and_then(|known| known.file_len_bytes_max).unwrap_or(u64::MAX);
        Self { write_bytes, file_bytes, file_len_bytes_max, reasons: vec![reason], is_by_room }
    }
}

/// Space that must stay free on a file system of `size_bytes`, in bytes.
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
    fn the_smallest_bound_applies_and_is_named() {
        let cases = [
            (drive(Some(64 * GB), Some((64 * GB, 50 * GB))), 640_000_000, "note-budget.drive"),
            (drive(Some(4_000 * GB), Some((4_000 * GB, 1_000 * GB))), 8 * GIB, "note-budget.limit"),
            (drive(None, Some((32 * GB, 20 * GB))), 320_000_000, "note-budget.file-system"),
            (drive(Some(64 * GB), Some((10 * GB, 300_000_000))), 100_000_000, "note-budget.room"),
            (drive(Some(64 * GB), Some((GB, 100_000_000))), 100_000_000 - 64 * MIB, "note-budget.room"),
            (drive(Some(64 * GB), Some((64 * GB, GB))), 0, "note-budget.no-room"),
            (drive(None, None), GIB, "note-budget.unknown"),
            (drive(Some(4 * GB), None), 40_000_000, "note-budget.drive"),
        ];
        for (drive, write_bytes, reason) in cases {
            let budget = Budget::for_drive(&drive);
            let [found] = &budget.reasons[..] else { panic!("{:?}", budget.reasons) };
            assert_eq!((budget.write_bytes, found.id()), (write_bytes, reason));
            let bytes = Parameter::CapacityBytes(write_bytes);
            assert_eq!(found.parameter("bytes"), Some(&bytes).filter(|_| write_bytes > 0), "{found}");
        }
    }

    #[test]
    fn zeros_of_the_file_system_count_as_writes() {
        let on = |fs_type: &str| {
            let mut drive = drive(Some(64 * GB), Some((64 * GB, 50 * GB)));
            if let Some(mount) = &mut drive.mount {
                mount.fs_type = fs_type.to_string();
            }
            drive
        };
        for fs_type in ["vfat", "exfat"] {
            let budget = Budget::for_drive(&on(fs_type));
            assert_eq!((budget.write_bytes, budget.file_bytes), (320_000_000, 320_000_000));
            let all = message!(
                "note-budget.drive",
                bytes = Parameter::CapacityBytes(640_000_000),
                share = Parameter::share(0.01),
                capacity = Parameter::CapacityBytes(64 * GB)
            );
            assert_eq!(budget.reasons, [all, message!("note-budget.zeros", file_system = fs_type)]);
        }
        let budget = Budget::for_drive(&on("ext4"));
        assert_eq!((budget.write_bytes, budget.reasons.len()), (640_000_000, 1));
    }

    #[test]
    fn files_never_reach_into_the_margin() {
        let budget = Budget::for_drive(&drive(Some(64 * GB), Some((10 * GB, 300_000_000))));
        assert_eq!(budget.file_bytes, 100_000_000);
        assert_eq!(Budget::for_drive(&drive(Some(64 * GB), None)).file_bytes, u64::MAX);
    }
}
