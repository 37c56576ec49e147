//! RAID sets of the kernel's md driver, from sysfs (Documentation/admin-guide/md.rst of the kernel).

use cardiograph_core::drive::{MdArray, MdMember, SyncProgress};

use crate::attribute;
use crate::block::{self, BlockDevice, SECTOR_LEN_BYTES};

/// Describes a set.
pub(super) fn describe(device: &BlockDevice) -> MdArray {
    let text = |name: &str| device.text(&format!("md/{name}"));
    let number = |name: &str| device.number(&format!("md/{name}"));
    let level = text("level");
    let (raid_disks, raid_disks_before) = text("raid_disks").map(|text| disks(&text)).unwrap_or_default();
    let layout = number("layout");
    MdArray {
        chunk_bytes: number("chunk_size").filter(|&bytes| bytes > 0),
        data_disks: raid_disks.and_then(|disks| data_disks(level.as_deref()?, disks, layout)),
        level,
        raid_disks,
        raid_disks_before,
        members: members(device),
        array_state: text("array_state"),
        sync_action: text("sync_action"),
        sync_progress: text("sync_completed").and_then(|text| progress(&text)),
        degraded: number("degraded"),
        has_bitmap: text("bitmap/location").map(|location| location != "none"),
        metadata_version: text("metadata_version"),
    }
}

/// Number of member drives, and the number before a reshape: `11 (10)`.
fn disks(text: &str) -> (Option<u64>, Option<u64>) {
    let (now, before) = match text.split_once(" (") {
        Some((now, before)) => (now, before.strip_suffix(')')),
        None => (text, None),
    };
    (now.parse().ok().filter(|&disks| disks > 0), before.and_then(|before| before.parse().ok()))
}

/// Number of data drives in a stripe. A RAID 10 layout has its near copies in the lowest byte and its far
/// copies in the next.
fn data_disks(level: &str, disks: u64, layout: Option<u64>) -> Option<u64> {
    let data = match level {
        "raid0" => disks,
        "raid4" | "raid5" => disks.checked_sub(1)?,
        "raid6" => disks.checked_sub(2)?,
        "raid10" => {
            let copies = (layout? & 0xff).checked_mul(layout? >> 8 & 0xff).filter(|&copies| copies > 0)?;
            disks.is_multiple_of(copies).then_some(disks / copies)?
        }
        _ => return None,
    };
    (data > 0).then_some(data)
}

/// Progress of a resync, from sectors such as `1569888 / 2093056`.
fn progress(text: &str) -> Option<SyncProgress> {
    let (done, total) = text.split_once(" / ")?;
    let bytes = |sectors: &str| sectors.trim().parse::<u64>().ok()?.checked_mul(SECTOR_LEN_BYTES);
    let progress = SyncProgress { done_bytes: bytes(done)?, total_bytes: bytes(total)? };
    (progress.done_bytes <= progress.total_bytes && progress.total_bytes > 0).then_some(progress)
}

/// The members: those with a slot in slot order, followed by the others.
fn members(device: &BlockDevice) -> Vec<MdMember> {
    let mut members: Vec<MdMember> = block::entries(&device.dir.join("md"))
        .iter()
        .filter_map(|dir| {
            let name = dir.file_name()?.to_str()?.strip_prefix("dev-")?;
            let sectors = attribute::number(&dir.join("offset"));
            let states = attribute::text(&dir.join("state")).unwrap_or_default();
            let states = states.split(',').map(str::trim).filter(|state| !state.is_empty());
            Some(MdMember {
                name: attribute::clean(name.as_bytes())?,
                states: states.map(str::to_string).collect(),
                slot: attribute::number(&dir.join("slot")),
                data_offset_bytes: sectors.and_then(|sectors| sectors.checked_mul(SECTOR_LEN_BYTES)),
            })
        })
        .collect();
    members.sort_by(|a, b| (a.slot.is_none(), a.slot, &a.name).cmp(&(b.slot.is_none(), b.slot, &b.name)));
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture};

    fn array(fixture: &Fixture, name: &str) -> MdArray {
        describe(&fixture.system().block_by_name(name).unwrap())
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_string())
    }

    fn member(name: &str, state: &str) -> MdMember {
        MdMember { name: name.to_string(), states: vec![state.to_string()], ..MdMember::default() }
    }

    #[test]
    fn a_set_of_two_striped_ssds() {
        let expected = MdArray {
            level: some("raid0"),
            chunk_bytes: Some(524_288),
            raid_disks: Some(2),
            data_disks: Some(2),
            members: vec![member("sdg", "in_sync"), member("sdh", "in_sync")],
            array_state: some("clean"),
            metadata_version: some("1.2"),
            ..MdArray::default()
        };
        assert_eq!(array(&fixture::md_host(), "md0"), expected);
    }

    #[test]
    fn a_degraded_set_and_one_that_is_rebuilding() {
        let host = fixture::md_host();
        let missing = array(&host, "md5");
        assert_eq!((missing.level, missing.degraded), (some("raid5"), Some(1)));
        assert_eq!((missing.data_disks, missing.sync_action), (Some(2), some("idle")));
        assert_eq!(missing.sync_progress, None);
        let names_of = |state: &str| -> Vec<&str> {
            let has = |member: &&MdMember| member.states.iter().any(|one| one == state);
            missing.members.iter().filter(has).map(|member| member.name.as_str()).collect()
        };
        assert_eq!(names_of("in_sync"), ["sdn", "sdo"]);
        assert_eq!((names_of("faulty"), names_of("spare")), (vec!["sdp"], vec!["sdaa"]));
        let rebuilding = array(&host, "md6");
        assert_eq!((rebuilding.sync_action, rebuilding.data_disks), (some("recover"), Some(2)));
        let expected = SyncProgress { done_bytes: 1_569_888 * 512, total_bytes: 2_093_056 * 512 };
        assert_eq!(rebuilding.sync_progress, Some(expected));
    }

    #[test]
    fn a_set_being_reshaped_and_a_container() {
        let host = fixture::md_host();
        let growing = array(&host, "md8");
        assert_eq!((growing.raid_disks, growing.raid_disks_before), (Some(11), Some(10)));
        assert_eq!(growing.sync_action, some("reshape"));
        let container = array(&host, "md7");
        assert_eq!((container.level, container.raid_disks), (some("container"), None));
        assert_eq!((container.chunk_bytes, container.members), (None, Vec::new()));
    }

    #[test]
    fn slots_offsets_and_bitmaps_are_read() {
        let host = fixture::md_host();
        let dir = "sys/devices/virtual/block/md1/md";
        for (attribute, value) in [
            ("dev-sdi/slot", "1\n"),
            ("dev-sdj/slot", "0\n"),
            ("dev-sdj/offset", "264192\n"),
            ("dev-sdj/state", "in_sync,write_mostly\n"),
            ("bitmap/location", "+8\n"),
        ] {
            host.file(&format!("{dir}/{attribute}"), value);
        }
        let mirror = array(&host, "md1");
        assert_eq!((mirror.chunk_bytes, mirror.data_disks, mirror.has_bitmap), (None, None, Some(true)));
        let first = MdMember {
            name: "sdj".to_string(),
            states: vec!["in_sync".to_string(), "write_mostly".to_string()],
            slot: Some(0),
            data_offset_bytes: Some(135_266_304),
        };
        assert_eq!(mirror.members[0], first);
        assert_eq!(mirror.members[1].name, "sdi");
        host.file(&format!("{dir}/bitmap/location"), "none\n");
        assert_eq!(array(&host, "md1").has_bitmap, Some(false));
    }

    #[test]
    fn data_disks_follow_from_level_and_layout() {
        let cases = [
            ("raid0", 3, None, Some(3)),
            ("raid4", 3, None, Some(2)),
            ("raid5", 1, None, None),
            ("raid5", 0, None, None),
            ("raid6", 6, Some(2), Some(4)),
            // Two near copies, two far ones, two of each, and copies that do not divide the number of drives.
            ("raid10", 4, Some(0x102), Some(2)),
            ("raid10", 4, Some(0x201), Some(2)),
            ("raid10", 4, Some(0x202), Some(1)),
            ("raid10", 3, Some(0x102), None),
            ("raid10", 4, None, None),
            ("raid10", 4, Some(0), None),
            ("raid1", 2, None, None),
            ("linear", 2, None, None),
        ];
        for (level, disks, layout, expected) in cases {
            assert_eq!(data_disks(level, disks, layout), expected, "{level} {disks} {layout:?}");
        }
    }

    #[test]
    fn garbage_is_ignored() {
        let long = "9".repeat(4_000);
        for content in ["", "\n", "-1", "none", "delayed", "1 / ", "5 / 4", "x (y)", &long, "\u{1b}[2J"] {
            let host = Fixture::new();
            host.disk("virtual/block", "md0", "9:0", 8);
            for attribute in ["chunk_size", "raid_disks", "sync_completed", "degraded", "dev-sda/offset"] {
                host.file(&format!("sys/devices/virtual/block/md0/md/{attribute}"), content);
            }
            let expected = MdArray {
                members: vec![MdMember { name: "sda".to_string(), ..MdMember::default() }],
                ..MdArray::default()
            };
            assert_eq!(array(&host, "md0"), expected, "{content:?}");
        }
    }
}
