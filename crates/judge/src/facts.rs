//! Facts, other than the drive, that may explain a difference between two checkups, as names with values.

use std::collections::{BTreeMap, BTreeSet};

use cardiograph_core::drive::{Bus, Drive, Geometry, LayerKind, Leaf, RaidVolume, WritePolicy};
use cardiograph_core::report::Report;
use cardiograph_core::text::word_of;

/// The facts of a Report by name: `kernel`, `scheduler`, `governor`, `bus`, `file_system`, ... Unknown ones
/// are left out. Differing values of several drives are joined. The user's tags take precedence.
pub fn collect(report: &Report) -> BTreeMap<String, String> {
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
    add_drive(&report.drive, &mut add);
    report.tags.iter().for_each(|(name, value)| add(name, Some(value.clone())));
    facts
}

fn add_drive(drive: &Drive, add: &mut impl FnMut(&str, Option<String>)) {
    let mut add_values = |name: &str, value: fn(&Leaf) -> Option<String>| {
        // Independent of the order of the drives.
        let values: BTreeSet<String> = drive.leaves.iter().filter_map(value).collect();
        add(name, joined(values));
    };
    add_values("model", |leaf| leaf.model.clone());
    add_values("serial", |leaf| leaf.serial.clone());
    add_values("firmware", |leaf| leaf.firmware.clone());
    add_values("scheduler", |leaf| leaf.scheduler.clone());
    add_values("write_cache", |leaf| leaf.write_cache.clone());
    add_values("bus", |leaf| Some(bus(&leaf.link.as_ref()?.bus).to_string()));
    add_values("link_bytes_per_s", |leaf| Some(leaf.link.as_ref()?.ceiling_bytes_per_s?.to_string()));
    add_values("raid_level", |leaf| volume(leaf)?.level.clone());
    add_values("raid_write_policy", |leaf| {
        volume(leaf)?.write_policy.map(|policy| words(policy).to_string())
    });
    add_values("raid_read_ahead", |leaf| {
        volume(leaf)?.reads_ahead.map(|is| if is { "yes" } else { "no" }.to_string())
    });
    add("drives", (drive.leaves.len() > 1).then(|| drive.leaves.len().to_string()));
    add("capacity_bytes", drive.capacity_bytes.map(|bytes| bytes.to_string()));
    // From top to bottom: the order of layers matters.
    let mut layers: Vec<String> = drive.layers.iter().filter_map(|one| layer(one.kind)).collect();
    layers.dedup();
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

fn joined(values: impl IntoIterator<Item = String>) -> Option<String> {
    let values: Vec<String> = values.into_iter().collect();
    (!values.is_empty()).then(|| values.join(", "))
}

fn volume(leaf: &Leaf) -> Option<&RaidVolume> {
    leaf.controller.as_ref()?.volume.as_ref()
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

/// The geometry of a file system, in the terms of its tools.
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
    (kind != LayerKind::Partition).then(|| word_of(&kind).replace('_', " "))
}

#[cfg(test)]
mod tests {
    use cardiograph_testing::reports;

    use super::*;

    fn report(models: &[&str]) -> Report {
        let mut report = reports::report("a", 0);
        let leaf = |model: &&str| Leaf { model: Some(model.to_string()), ..Leaf::default() };
        report.drive.leaves = models.iter().map(leaf).collect();
        report.environment.cpu_governor = Some("performance".to_string());
        report
    }

    #[test]
    fn the_order_of_drives_does_not_matter() {
        let facts = collect(&report(&["B", "A", "B", "A"]));
        assert_eq!((facts["model"].as_str(), facts["drives"].as_str()), ("A, B", "4"));
        assert_eq!(facts, collect(&report(&["A", "A", "B", "B"])));
        assert!(!facts.contains_key("serial"), "unknown facts are left out");
    }

    #[test]
    fn layers_keep_their_order() {
        use cardiograph_core::drive::Layer;
        let layers = |kinds: &[LayerKind]| {
            let mut report = report(&["A"]);
            report.drive.layers = kinds.iter().map(|&kind| Layer::new(kind, "", &[])).collect();
            collect(&report)["layers"].clone()
        };
        assert_eq!(layers(&[LayerKind::Md, LayerKind::Crypt, LayerKind::Crypt]), "md, crypt");
        assert_eq!(layers(&[LayerKind::Crypt, LayerKind::Partition, LayerKind::Md]), "crypt, md");
    }

    #[test]
    fn tags_take_precedence() {
        let mut report = report(&["A"]);
        report.tags.insert("governor".to_string(), "powersave".to_string());
        assert_eq!(collect(&report)["governor"], "powersave");
    }
}
