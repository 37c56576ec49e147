//! Device mapper tables. Only root may read them, because they may contain the key of an encrypted mapping;
//! only the kind of such a segment is used.
//!
//! Source: the kernel's Documentation/admin-guide/device-mapper, a file for each kind of segment.

use std::fs::File;

use cardiograph_core::drive::{DeviceNumber, Segment, SegmentDetail, Why};

use crate::attribute;
use crate::block::{BlockDevice, SECTOR_LEN_BYTES};
use crate::content;
use crate::ioctl::{self, DmTable};
use crate::system::System;

/// Control device of the device mapper.
const CONTROL: &str = "/dev/mapper/control";

/// Reads the segments of `device`; none on a machine made of files.
///
/// # Errors
/// Why they could not be read.
pub(super) fn read(system: &System, device: &BlockDevice) -> Result<Vec<Segment>, Why> {
    if !system.is_local() {
        return Ok(Vec::new());
    }
    let number =
        device.text("dev").and_then(|number| DeviceNumber::parse(&number)).ok_or(Why::NotReported)?;
    let table = content::within(content::PATIENCE, move || {
        ioctl::dm_table(File::open(CONTROL)?, number.major, number.minor)
    });
    let table = table.map_err(|error| match content::reason(&error) {
        Why::Unreadable { message } => Why::Unreadable { message: format!("{CONTROL}: {message}") },
        why => why,
    })?;
    segments(&table).ok_or(Why::Senseless)
}

/// Length of the header before a segment's parameters, in bytes: start and length in sectors, a status, the
/// offset of the next segment, and its kind (`struct dm_target_spec` of the kernel's `dm-ioctl.h`).
const SPEC_LEN_BYTES: usize = 40;
const KIND_OFFSET_BYTES: usize = 24;

/// Splits a table. `None` if it is invalid.
fn segments(table: &DmTable) -> Option<Vec<Segment>> {
    let mut segments = Vec::new();
    let mut at = 0;
    for _ in 0..table.targets {
        let (spec, rest) = table.bytes.get(at..)?.split_at_checked(SPEC_LEN_BYTES)?;
        let sectors = |at: usize| Some(u64::from_ne_bytes(*spec.get(at..)?.first_chunk()?));
        let next = u32::from_ne_bytes(*spec.get(20..)?.first_chunk()?) as usize;
        let target = attribute::clean(until_zero(&spec[KIND_OFFSET_BYTES..]))?;
        let parameters = String::from_utf8_lossy(until_zero(rest)).into_owned();
        segments.push(Segment {
            start_bytes: sectors(0)?.checked_mul(SECTOR_LEN_BYTES)?,
            len_bytes: sectors(8)?.checked_mul(SECTOR_LEN_BYTES)?,
            detail: detail(&target, &parameters),
            target,
        });
        // Each starts after the previous one.
        at = (next > at).then_some(next)?;
    }
    Some(segments)
}

fn until_zero(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// Parses a segment's parameters; `None` if they are of no interest, or have another form.
fn detail(target: &str, parameters: &str) -> Option<SegmentDetail> {
    let words: Vec<&str> = parameters.split_whitespace().collect();
    let number = |at: usize| words.get(at)?.parse::<u64>().ok();
    let sectors = |at: usize| number(at)?.checked_mul(SECTOR_LEN_BYTES);
    Some(match target {
        "striped" => SegmentDetail::Striped { stripes: number(0)?, chunk_bytes: sectors(1)? },
        "raid" => {
            // The level, the number of parameters, the first of which is the chunk, and the devices.
            let parameters: usize = number(1)?.try_into().ok()?;
            let devices = number(parameters.checked_add(2)?)?;
            let chunk_bytes = sectors(2).filter(|&bytes| bytes > 0);
            SegmentDetail::Raid { level: attribute::clean(words[0].as_bytes())?, devices, chunk_bytes }
        }
        "thin-pool" => SegmentDetail::ThinPool { block_bytes: sectors(2)? },
        "cache" => {
            let features: usize = number(4)?.try_into().ok()?;
            let features = words.get(5..5usize.checked_add(features)?)?;
            let mode = ["writeback", "writethrough", "passthrough"]
                .into_iter()
                .find(|mode| features.contains(mode))?;
            SegmentDetail::Cache { mode: mode.to_string(), block_bytes: sectors(3)? }
        }
        "snapshot" => SegmentDetail::Snapshot { chunk_bytes: sectors(3)? },
        "delay" => {
            let read_ms = number(2)?;
            // Without a separate device, writes use the one for reads.
            let write_ms = if words.len() > 3 { number(5)? } else { read_ms };
            SegmentDetail::Delay { read_ms, write_ms }
        }
        "flakey" => SegmentDetail::Flaky { up_s: number(2)?, down_s: number(3)? },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A table in the kernel's layout: segments aligned to 8 bytes.
    fn table(lines: &[(u64, u64, &str, &str)]) -> DmTable {
        let mut bytes = Vec::new();
        for (start, len, target, parameters) in lines {
            let here = bytes.len();
            bytes.extend(start.to_ne_bytes());
            bytes.extend(len.to_ne_bytes());
            bytes.extend([0; 8]);
            bytes.extend(target.bytes());
            bytes.resize(here + SPEC_LEN_BYTES, 0);
            bytes.extend(parameters.bytes());
            bytes.push(0);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            let next = bytes.len() as u32;
            bytes[here + 20..here + 24].copy_from_slice(&next.to_ne_bytes());
        }
        DmTable { targets: lines.len() as u32, bytes }
    }

    #[test]
    fn a_volume_of_three_segments_is_parsed() {
        let lines = [
            (0, 2_097_152, "linear", "254:16 2048"),
            (2_097_152, 4_194_304, "striped", "2 128 254:16 2099200 254:32 2048"),
            (6_291_456, 8, "crypt", "aes-xts-plain64 00112233 0 254:0 0"),
        ];
        let segment = |target: &str, start_bytes, len_bytes, detail| Segment {
            target: target.to_string(),
            start_bytes,
            len_bytes,
            detail,
        };
        let striped = SegmentDetail::Striped { stripes: 2, chunk_bytes: 65_536 };
        let expected = vec![
            segment("linear", 0, 1 << 30, None),
            segment("striped", 1 << 30, 2 << 30, Some(striped)),
            segment("crypt", 3 << 30, 4_096, None),
        ];
        assert_eq!(segments(&table(&lines)), Some(expected.clone()));
        // The key is not passed on.
        assert!(!format!("{expected:?}").contains("00112233"));
        assert_eq!(segments(&table(&[])), Some(Vec::new()));
    }

    #[test]
    fn parameters_of_each_kind_are_parsed() {
        use SegmentDetail::{Cache, Delay, Flaky, Raid, Snapshot, Striped, ThinPool};
        let raid =
            |level: &str, devices, chunk_bytes| Some(Raid { level: level.to_string(), devices, chunk_bytes });
        let cache = |mode: &str| Some(Cache { mode: mode.to_string(), block_bytes: 262_144 });
        // The forms and most of the lines are from the kernel's documentation.
        let cases = [
            ("linear", "8:16 0", None),
            ("striped", "3 256 8:1 0 8:17 0 8:33 0", Some(Striped { stripes: 3, chunk_bytes: 131_072 })),
            ("raid", "raid4 1 2048 5 - 8:17 - 8:33 - 8:49 - 8:65 - 8:81", raid("raid4", 5, Some(1 << 20))),
            (
                "raid",
                "raid4 4 2048 sync min_recovery_rate 20 5 8:17 8:18 8:33 8:34 8:49 8:50 8:65 8:66 8:81 8:82",
                raid("raid4", 5, Some(1 << 20)),
            ),
            ("raid", "raid1 3 0 region_size 1024 2 254:1 254:2 254:3 254:4", raid("raid1", 2, None)),
            ("raid", "raid1 99 0", None),
            ("raid", "raid1 18446744073709551615 0", None),
            ("raid", "", None),
            ("thin", "254:3 1", None),
            ("thin-pool", "254:1 254:2 128 0 1 skip_block_zeroing", Some(ThinPool { block_bytes: 65_536 })),
            ("cache", "254:1 254:2 254:3 512 1 writeback default 0", cache("writeback")),
            ("cache", "254:1 254:2 254:3 512 2 metadata2 writethrough smq 0", cache("writethrough")),
            ("cache", "254:1 254:2 254:3 512 1 metadata2 writeback 0", None),
            ("cache", "254:1 254:2 254:3 512 9 writeback", None),
            ("snapshot", "254:1 254:2 P 8", Some(Snapshot { chunk_bytes: 4_096 })),
            ("delay", "8:16 0 500", Some(Delay { read_ms: 500, write_ms: 500 })),
            ("delay", "8:16 0 0 8:16 0 400", Some(Delay { read_ms: 0, write_ms: 400 })),
            ("delay", "8:16 0 0 8:16 0 400 8:16 0 333", Some(Delay { read_ms: 0, write_ms: 400 })),
            ("flakey", "8:16 0 5 2 0", Some(Flaky { up_s: 5, down_s: 2 })),
            ("striped", "-1 256", None),
            ("striped", "2 18446744073709551615", None),
            ("crypt", "2 128", None),
        ];
        for (target, parameters, expected) in cases {
            assert_eq!(detail(target, parameters), expected, "{target} {parameters}");
        }
    }

    #[test]
    fn invalid_tables_are_rejected() {
        let good = table(&[(0, 8, "linear", "8:16 0"), (8, 8, "zero", "")]);
        for cut in 0..good.bytes.len() {
            let cut = DmTable { targets: 2, bytes: good.bytes[..cut].to_vec() };
            // The last segment's parameters may be truncated; they end with the table.
            let found = segments(&cut);
            assert!(found.is_none() || found == segments(&good), "{}", cut.bytes.len());
        }
        assert_eq!(segments(&DmTable { targets: 3, ..table(&[(0, 8, "zero", "")]) }), None);
        // A segment that points back to itself must not loop.
        let mut circle = table(&[(0, 8, "zero", "")]);
        circle.bytes[20..24].fill(0);
        assert_eq!(segments(&DmTable { targets: u32::MAX, ..circle }), None);
        let too_far = table(&[(u64::MAX, 8, "zero", "")]);
        assert_eq!(segments(&too_far), None);
    }

    #[test]
    fn this_machine_returns_a_table_or_a_reason() {
        let system = System::local();
        for device in system.block_devices().filter(|device| device.has("dm")) {
            match read(&system, &device) {
                Ok(segments) => assert!(segments.iter().all(|segment| segment.len_bytes > 0), "{segments:?}"),
                Err(why) => assert!(why != Why::Senseless, "{}", device.name),
            }
        }
    }

    proptest! {
        #[test]
        fn random_tables_never_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            targets in 0u32..5,
            target in "striped|raid|thin-pool|cache|snapshot|delay|flakey",
            parameters in "[ 0-9a-z:-]{0,60}",
        ) {
            let _ = segments(&DmTable { targets, bytes });
            let _ = detail(&target, &parameters);
        }

        #[test]
        fn a_table_created_by_the_kernel_is_parsed(
            sizes in proptest::collection::vec((0u64..1 << 40, 1u64..1 << 40, "[a-z-]{1,15}", "[ -~]{0,40}"), 0..6),
        ) {
            let lines: Vec<_> =
                sizes.iter().map(|(start, len, target, text)| (*start, *len, target.as_str(), text.as_str())).collect();
            let found = segments(&table(&lines)).unwrap();
            prop_assert_eq!(found.len(), lines.len());
            for (segment, (start, len, target, _)) in found.iter().zip(lines) {
                prop_assert_eq!(
                    (segment.start_bytes, segment.len_bytes, segment.target.as_str()),
                    (start * 512, len * 512, target)
                );
            }
        }
    }
}
