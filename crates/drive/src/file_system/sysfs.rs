//! btrfs and F2FS in sysfs (Documentation/ABI/testing/sysfs-fs-f2fs of the kernel, and "sysfs interface" in
//! btrfs(5)).

use std::path::{Path, PathBuf};

use cardiograph_core::drive::{BtrfsGeometry, F2fsGeometry};

use crate::attribute;
use crate::block::{self, BlockDevice};
use crate::system::System;

/// The btrfs that a device belongs to, if any.
pub(super) fn btrfs(system: &System, device: &BlockDevice) -> Option<BtrfsGeometry> {
    let dirs = block::entries(&system.under_root("sys/fs/btrfs"));
    let dir = dirs.iter().find(|dir| dir.join("devices").join(&device.name).exists())?;
    let features = block::entries(&dir.join("features"));
    let is_on = |path: &&PathBuf| attribute::number(path) == Some(1);
    Some(BtrfsGeometry {
        uuid: attribute::clean(dir.file_name()?.to_str()?.as_bytes())?,
        devices: block::entries(&dir.join("devices")).len() as u64,
        node_bytes: attribute::number(&dir.join("nodesize")).filter(|&bytes| bytes > 0),
        sector_bytes: attribute::number(&dir.join("sectorsize")).filter(|&bytes| bytes > 0),
        // The algorithm, and its implementation in brackets.
        checksum: attribute::text(&dir.join("checksum"))
            .and_then(|text| text.split_whitespace().next().map(str::to_string)),
        data_profiles: profiles(dir, "data"),
        metadata_profiles: profiles(dir, "metadata"),
        features: names(features.iter().filter(is_on).map(|path| path.as_path())),
    })
}

/// Profiles of one kind of content: each profile in use has a directory with its name. A file system may keep
/// data and metadata together.
fn profiles(dir: &Path, kind: &str) -> Vec<String> {
    let of = |kind: &str| {
        let entries = block::entries(&dir.join("allocation").join(kind));
        names(entries.iter().filter(|entry| entry.is_dir()).map(|entry| entry.as_path()))
    };
    let own = of(kind);
    if own.is_empty() { of("mixed") } else { own }
}

/// The F2FS on a device, if any.
pub(super) fn f2fs(system: &System, device: &BlockDevice) -> Option<F2fsGeometry> {
    let text = attribute::text(&system.under_root("sys/fs/f2fs").join(&device.name).join("features"))?;
    let features = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    Some(F2fsGeometry { features: features.map(str::to_string).collect() })
}

/// Last components of paths, sorted.
fn names<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let name = |path: &Path| attribute::clean(path.file_name()?.to_str()?.as_bytes());
    let mut names: Vec<String> = paths.filter_map(name).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_btrfs_of_two_mirrored_devices() {
        let host = fixture::btrfs_host();
        let system = host.system();
        let expected = BtrfsGeometry {
            uuid: "0abb23a9-579b-43e6-ad30-227ef47fcb9d".to_string(),
            devices: 2,
            node_bytes: Some(16_384),
            sector_bytes: Some(4_096),
            checksum: None,
            data_profiles: vec!["raid0".to_string()],
            metadata_profiles: vec!["raid1".to_string()],
            features: ["big_metadata", "extended_iref", "mixed_backref", "skinny_metadata"]
                .map(String::from)
                .into(),
        };
        assert_eq!(btrfs(&system, &system.block_by_name("loop26").unwrap()), Some(expected));
        let dir = "sys/fs/btrfs/0abb23a9-579b-43e6-ad30-227ef47fcb9d";
        host.remove(&format!("{dir}/allocation/data"));
        host.file(&format!("{dir}/allocation/mixed/dup/total_bytes"), "1\n");
        host.file(&format!("{dir}/checksum"), "crc32c (crc32c-generic)\n");
        host.file(&format!("{dir}/features/no_holes"), "0\n");
        host.file(&format!("{dir}/nodesize"), "\u{1b}[2J\n");
        let changed = btrfs(&system, &system.block_by_name("loop25").unwrap()).unwrap();
        assert_eq!((changed.data_profiles, changed.node_bytes), (vec!["dup".to_string()], None));
        assert_eq!((changed.checksum.as_deref(), changed.features.len()), (Some("crc32c"), 4));
    }

    #[test]
    fn an_f2fs_lists_its_features() {
        let pi = fixture::raspberry_pi();
        pi.file("sys/fs/f2fs/mmcblk0p2/features", "extra_attr, inode_checksum, compression\n");
        let system = pi.system();
        let on = |name: &str| f2fs(&system, &system.block_by_name(name).unwrap());
        let features = on("mmcblk0p2").unwrap().features;
        assert_eq!(features, ["extra_attr", "inode_checksum", "compression"]);
        assert_eq!(on("sda1"), None);
    }
}
