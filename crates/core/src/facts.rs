//! What, beside the drive, can make the difference between two checkups, as names with values.

use std::collections::BTreeMap;

use crate::drive::{Bus, Drive, Geometry, LayerKind, Leaf, WritePolicy};
use crate::report::Report;

/// The facts of a Report by name: `kernel`, `scheduler`, `governor`, `bus`, `file_system`, ... Only what is known is there. Several
/// drives' values that differ stand together. What the user noted (tags) wins over what was found.
pub fn of(report: &Report) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            facts.insert(name.to_string(), value);
        }
    };
    let host = &report.host;
    add("host", host.name.clone());
    add("board", host.model.clone());
    add("cpu", host.cpu.clone());
    add("cpus", host.cpus.map(|cpus| cpus.to_string()));
    add("memory_bytes", host.memory_bytes.map(|bytes| bytes.to_string()));
    add("kernel", host.kernel.clone());
    add("arch", host.arch.clone());
    add("os", host.os.clone());
    add("governor", report.environment.cpu_governor.clone());
    add("program", Some(report.program.clone()));
    add("suite", Some(report.suite.clone()));
    of_drive(&report.drive, &mut add);
    report.tags.iter().for_each(|(name, value)| add(name, Some(value.clone())));
    facts
}

fn of_drive(drive: &Drive, add: &mut impl FnMut(&str, Option<String>)) {
    let joined = |values: Vec<Option<String>>| {
        let mut values: Vec<String> = values.into_iter().flatten().collect();
        values.dedup();
        (!values.is_empty()).then(|| values.join(", "))
    };
    let leaves = || drive.leaves.iter();
    add("model", joined(leaves().map(|leaf| leaf.model.clone()).collect()));
    add("serial", joined(leaves().map(|leaf| leaf.serial.clone()).collect()));
    add("firmware", joined(leaves().map(|leaf| leaf.firmware.clone()).collect()));
    add("scheduler", joined(leaves().map(|leaf| leaf.scheduler.clone()).collect()));
    add("write_cache", joined(leaves().map(|leaf| leaf.write_cache.clone()).collect()));
    add("bus", joined(leaves().map(|leaf| Some(bus(&leaf.link.as_ref()?.bus).to_string())).collect()));
    let ceiling = |leaf: &Leaf| Some(leaf.link.as_ref()?.ceiling_bytes_per_s?.to_string());
    add("link_bytes_per_s", joined(leaves().map(ceiling).collect()));
    let volume = |leaf: &Leaf| leaf.controller.as_ref()?.volume.clone();
    add("raid_level", joined(leaves().map(|leaf| volume(leaf)?.level).collect()));
    let policy = |leaf: &Leaf| volume(leaf)?.write_policy.map(|policy| words(policy).to_string());
    add("raid_write_policy", joined(leaves().map(policy).collect()));
    let ahead = |leaf: &Leaf| volume(leaf)?.reads_ahead.map(|is| if is { "yes" } else { "no" }.to_string());
    add("raid_read_ahead", joined(leaves().map(ahead).collect()));
    add("drives", (drive.leaves.len() > 1).then(|| drive.leaves.len().to_string()));
    add("capacity_bytes", drive.capacity_bytes.map(|bytes| bytes.to_string()));
    let layers: Vec<Option<String>> =
        drive.layers.iter().map(|one| layer(one.kind)).filter(|kind| kind.is_some()).collect();
    add("layers", joined(layers));
    let Some(mount) = &drive.mount else { return };
    add("file_system", Some(mount.fs_type.clone()));
    let mut options = mount.options.clone();
    options.sort_unstable();
    add("mount_options", Some(options.join(",")));
    let Some(file_system) = &mount.file_system else { return };
    add("file_system_block_bytes", file_system.block_bytes.map(|bytes| bytes.to_string()));
    add("file_system_geometry", file_system.geometry.as_ref().map(geometry));
}

const fn bus(bus: &Bus) -> &'static str {
    match bus {
        Bus::Pcie(_) => "PCIe",
        Bus::Sata(_) => "SATA",
        Bus::Sas(_) => "SAS",
        Bus::Usb(_) => "USB",
        Bus::Mmc(_) => "MMC",
        Bus::Fabric { .. } => "network",
    }
}

const fn words(policy: WritePolicy) -> &'static str {
    match policy {
        WritePolicy::Through => "write through",
        WritePolicy::Back => "write back",
        WritePolicy::AlwaysBack => "always write back",
    }
}

/// What a file system was made with, in the words of the programs that make it.
fn geometry(geometry: &Geometry) -> String {
    match geometry {
        Geometry::Xfs(xfs) => format!(
            "bsize={} isize={} agcount={} log={}",
            xfs.block_bytes, xfs.inode_bytes, xfs.groups, xfs.log_bytes
        ),
        Geometry::Ext(ext) => format!("bsize={} isize={}", ext.block_bytes, ext.inode_bytes),
        Geometry::Btrfs(btrfs) => format!(
            "devices={} data={} metadata={}",
            btrfs.devices,
            btrfs.data_profiles.join("+"),
            btrfs.metadata_profiles.join("+")
        ),
        Geometry::F2fs(f2fs) => f2fs.features.join(","),
    }
}

fn layer(kind: LayerKind) -> Option<String> {
    Some(
        match kind {
            LayerKind::Partition => return None,
            LayerKind::Md => "md",
            LayerKind::Lvm => "lvm",
            LayerKind::Crypt => "crypt",
            LayerKind::DeviceMapper => "device mapper",
            LayerKind::Loop => "loop",
            LayerKind::Bcache => "bcache",
            LayerKind::Drbd => "drbd",
            LayerKind::Other => "other",
        }
        .to_string(),
    )
}
