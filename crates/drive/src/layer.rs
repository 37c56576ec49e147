//! Layers between a file system and its drives: their kind, and the kernel's information about them.

use cardiograph_core::drive::{
    Bcache, Fact, Layer, LayerDetail, LayerKind, LogicalVolume, LoopDevice, Mapping, Partition, Unknown,
};

use crate::block::BlockDevice;
use crate::leaf::{chosen, flag};
use crate::system::System;
use crate::udev;

mod crypt;
mod lvm;
mod md;
mod table;

/// Describes a device that is built on others; `None` for a drive. The caller looks up the devices below.
pub(crate) fn describe(system: &System, device: &BlockDevice) -> Option<Layer> {
    let mut unknown = Vec::new();
    let (kind, label, detail) = if device.has("partition") {
        (LayerKind::Partition, None, Some(LayerDetail::Partition(partition(system, device))))
    } else if device.has("loop/backing_file") {
        let file = device.text("loop/backing_file");
        (LayerKind::Loop, file, Some(LayerDetail::Loop(loop_device(device))))
    } else if device.has("dm") {
        mapped(system, device, &mut unknown)
    } else if device.has("md") {
        let array = md::describe(device);
        // The name of a set is only in udev's database; its level is more informative anyway.
        (LayerKind::Md, array.level.clone(), Some(LayerDetail::Md(array)))
    } else if device.has("bcache/cache_mode") {
        (LayerKind::Bcache, None, Some(LayerDetail::Bcache(bcache(device))))
    } else if device.name.starts_with("drbd") {
        (LayerKind::Drbd, None, None)
    } else if !device.slaves().is_empty() {
        (LayerKind::Other, None, None)
    } else {
        return None;
    };
    let segments = match kind {
        LayerKind::Lvm | LayerKind::DeviceMapper => table::read(system, device).unwrap_or_else(|why| {
            unknown.push(Unknown { fact: Fact::Volume, why });
            Vec::new()
        }),
        // An encrypted mapping always has a single segment.
        _ => Vec::new(),
    };
    Some(Layer { kind, name: device.name.clone(), label, below: Vec::new(), detail, segments, unknown })
}

fn partition(system: &System, device: &BlockDevice) -> Partition {
    let index = device.number("partition");
    let noted = |name: &str| udev::property(system, device, &format!("ID_PART_ENTRY_{name}"));
    // After repartitioning, properties of another partition may be left.
    let is_of_this = noted("NUMBER").and_then(|number| number.parse().ok()) == index;
    let noted = |name: &str| is_of_this.then(|| noted(name)).flatten();
    Partition {
        index,
        start_bytes: device.sectors_bytes("start"),
        len_bytes: device.capacity_bytes(),
        scheme: noted("SCHEME"),
        type_id: noted("TYPE"),
    }
}

fn loop_device(device: &BlockDevice) -> LoopDevice {
    let file = device.text("loop/backing_file");
    // A file that was removed while in use still has its data there.
    let left = file.as_deref().and_then(|file| file.strip_suffix(" (deleted)"));
    LoopDevice {
        is_deleted: left.is_some(),
        backing_file: left.map(str::to_string).or(file),
        direct_io: flag(device, "loop/dio"),
        offset_bytes: device.number("loop/offset"),
        block_bytes: device.number("queue/logical_block_size").filter(|&bytes| bytes > 0),
    }
}

/// A device mapper device. Its creator prefixes its `uuid`.
fn mapped(
    system: &System,
    device: &BlockDevice,
    unknown: &mut Vec<Unknown>,
) -> (LayerKind, Option<String>, Option<LayerDetail>) {
    let (name, uuid) = (device.text("dm/name"), device.text("dm/uuid").unwrap_or_default());
    if let Some(format) = crypt::format(&uuid) {
        let encryption = crypt::describe(system, device, format, unknown);
        return (LayerKind::Crypt, name, Some(LayerDetail::Crypt(encryption)));
    }
    if uuid.starts_with("LVM-") {
        let volume: Option<LogicalVolume> = name.as_deref().and_then(lvm::parse_name);
        return (LayerKind::Lvm, name, volume.map(LayerDetail::Lvm));
    }
    let maker = maker(&uuid).map(str::to_string);
    (LayerKind::DeviceMapper, name, Some(LayerDetail::DeviceMapper(Mapping { maker })))
}

/// The creator of a mapping, from its prefix. kpartx prepends `part1-` to that of the partitioned device, and
/// cryptsetup also uses `CRYPT-` for mappings that verify instead of encrypt.
fn maker(uuid: &str) -> Option<&str> {
    let whole = uuid.strip_prefix("part").and_then(|rest| {
        let (index, whole) = rest.split_once('-')?;
        index.parse::<u32>().is_ok().then_some(whole)
    });
    let mark = whole.unwrap_or(uuid);
    let (maker, _) = mark.strip_prefix("CRYPT-").unwrap_or(mark).split_once('-')?;
    (!maker.is_empty()).then_some(maker)
}

fn bcache(device: &BlockDevice) -> Bcache {
    Bcache {
        mode: device.text("bcache/cache_mode").and_then(|list| chosen(&list)),
        state: device.text("bcache/state"),
        backing_device: device.text("bcache/backing_dev_name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture};

    fn layer(fixture: &Fixture, name: &str) -> Layer {
        let system = fixture.system();
        describe(&system, &system.block_by_name(name).unwrap()).unwrap()
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_string())
    }

    #[test]
    fn a_partition_has_its_start_and_its_type_from_udev() {
        let pi = fixture::raspberry_pi();
        let dir = "sys/devices/platform/axi/1000fff000.mmc/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0/mmcblk0p2";
        pi.file(&format!("{dir}/start"), "1056768\n");
        let notes = "S:disk/by-partuuid/x\nE:ID_PART_ENTRY_SCHEME=dos\nE:ID_PART_ENTRY_TYPE=0x83\nE:ID_PART_ENTRY_NUMBER=";
        pi.file("run/udev/data/b179:2", format!("{notes}2\n"));
        let expected = Partition {
            index: Some(2),
            start_bytes: Some(541_065_216),
            len_bytes: Some(123_670_528 * 512),
            scheme: some("dos"),
            type_id: some("0x83"),
        };
        assert_eq!(layer(&pi, "mmcblk0p2").detail, Some(LayerDetail::Partition(expected.clone())));
        // Properties of another partition are ignored, and missing ones are normal.
        for notes in [format!("{notes}3\n"), String::new(), "E:ID_PART_ENTRY_NUMBER\n".to_string()] {
            pi.file("run/udev/data/b179:2", &notes);
            let bare = Partition { scheme: None, type_id: None, ..expected.clone() };
            assert_eq!(layer(&pi, "mmcblk0p2").detail, Some(LayerDetail::Partition(bare)), "{notes}");
        }
    }

    #[test]
    fn a_loop_device_reports_how_it_accesses_its_file() {
        let machine = fixture::virtual_machine();
        for (attribute, value) in [("loop/dio", "1\n"), ("loop/offset", "1048576\n")] {
            machine.file(&format!("sys/devices/virtual/block/loop0/{attribute}"), value);
        }
        let expected = LoopDevice {
            backing_file: some("/var/disk image"),
            is_deleted: false,
            direct_io: Some(true),
            offset_bytes: Some(1_048_576),
            block_bytes: Some(512),
        };
        assert_eq!(layer(&machine, "loop0").detail, Some(LayerDetail::Loop(expected.clone())));
        machine.file("sys/devices/virtual/block/loop0/loop/backing_file", "/var/disk image (deleted)\n");
        let deleted = LoopDevice { is_deleted: true, ..expected };
        assert_eq!(layer(&machine, "loop0").detail, Some(LayerDetail::Loop(deleted)));
    }

    #[test]
    fn mappings_are_identified_by_their_prefixes() {
        let cases = [
            ("mpath-360000000000001", LayerKind::DeviceMapper, some("mpath")),
            ("part1-mpath-360000000000001", LayerKind::DeviceMapper, some("mpath")),
            ("part-mpath", LayerKind::DeviceMapper, some("part")),
            ("DMRAID-isw_bcdefghi_Volume0", LayerKind::DeviceMapper, some("DMRAID")),
            ("CRYPT-VERITY-0123-root", LayerKind::DeviceMapper, some("VERITY")),
            ("stratis-1-private-abc-flex", LayerKind::DeviceMapper, some("stratis")),
            ("nothing", LayerKind::DeviceMapper, None),
            ("", LayerKind::DeviceMapper, None),
        ];
        for (uuid, kind, maker) in cases {
            let fixture = fixture::encrypted();
            fixture.file("sys/devices/virtual/block/dm-0/dm/uuid", uuid);
            let layer = layer(&fixture, "dm-0");
            assert_eq!(layer.kind, kind, "{uuid}");
            assert_eq!(layer.detail, Some(LayerDetail::DeviceMapper(Mapping { maker })), "{uuid}");
        }
    }

    #[test]
    fn caches_and_snapshots_are_named() {
        let fixture = Fixture::new();
        fixture.disk("pci0/ata1/host0/block", "sda", "8:0", 8_000);
        for name in ["bcache0", "drbd1", "strange0"] {
            fixture.disk("virtual/block", name, "251:0", 7_984);
            fixture.slave(&format!("virtual/block/{name}"), "pci0/ata1/host0/block/sda");
        }
        let bcache = "sys/devices/virtual/block/bcache0/bcache";
        fixture.file(&format!("{bcache}/cache_mode"), "writethrough [writeback] writearound none\n");
        fixture.file(&format!("{bcache}/state"), "dirty\n");
        fixture.file(&format!("{bcache}/backing_dev_name"), "sda\n");
        let expected = Bcache { mode: some("writeback"), state: some("dirty"), backing_device: some("sda") };
        let cache = layer(&fixture, "bcache0");
        assert_eq!((cache.kind, cache.detail), (LayerKind::Bcache, Some(LayerDetail::Bcache(expected))));
        assert_eq!(layer(&fixture, "drbd1").kind, LayerKind::Drbd);
        assert_eq!(layer(&fixture, "strange0").kind, LayerKind::Other);
        let system = fixture.system();
        assert_eq!(describe(&system, &system.block_by_name("sda").unwrap()), None);
    }
}
