//! From a mount down to the drives: partitions, volumes, encryption, RAID sets and loop devices.

use std::path::Path;

use cardiograph_core::drive::{Drive, Layer, LayerDetail, LayerKind, Leaf, LeafKind, LoopDevice};

use crate::block::BlockDevice;
use crate::mountinfo::{self, MountEntry};
use crate::system::{Space, System};
use crate::{alignment, layer, leaf};

/// Maximum depth of a stack; real ones are a handful deep.
const DEPTH_MAX: usize = 16;

/// The stack under `path`, which must be absolute and free of symbolic links. `None` if no mount contains it.
pub(crate) fn identify(system: &System, mounts: &[MountEntry], path: &Path, space: Space) -> Option<Drive> {
    let entry = mountinfo::containing(mounts, path)?;
    let mut descent = Descent::new(system, mounts);
    let top_bytes = descent.enter_mount(entry, 0).capacity_bytes;
    let Descent { layers, leaves, ends_in_memory, .. } = descent;
    let mut mount = entry.to_mount(space);
    // An overlay, or a file system in a file, can also end in memory.
    mount.is_memory |= match leaves.as_slice() {
        [] => ends_in_memory,
        some => some.iter().all(|leaf| leaf.kind == LeafKind::Memory),
    };
    // The whole drive is under test, not only the mounted partition or volume.
    let capacity_bytes = match leaves.as_slice() {
        [only] => only.capacity_bytes,
        // On several devices only the file system knows how much is stored twice.
        [_, _, ..] if top_bytes.is_none() && entry.fs_type == "btrfs" => {
            Some(space.size_bytes).filter(|&bytes| bytes > 0)
        }
        _ => top_bytes,
    };
    let drive = Drive {
        path: path.to_string_lossy().into_owned(),
        mount: Some(mount),
        layers,
        leaves,
        capacity_bytes,
        ..Drive::default()
    };
    Some(Drive { alignments: alignment::check_stack(system, &drive), ..drive })
}

/// The stack under the block device `device`, which the user gave as `path`.
pub(crate) fn below(system: &System, mounts: &[MountEntry], device: &BlockDevice, path: &str) -> Drive {
    let mut descent = Descent::new(system, mounts);
    let top_bytes = descent.enter_device(device, 0).capacity_bytes;
    let Descent { layers, leaves, .. } = descent;
    let capacity_bytes = match leaves.as_slice() {
        [only] => only.capacity_bytes,
        _ => top_bytes,
    };
    let drive = Drive { path: path.to_string(), layers, leaves, capacity_bytes, ..Drive::default() };
    Drive { alignments: alignment::check_stack(system, &drive), ..drive }
}

/// Names of the drives under a mount; none without a device.
pub(crate) fn leaf_names(system: &System, mounts: &[MountEntry], mount: &MountEntry) -> Vec<String> {
    let mut descent = Descent::new(system, mounts);
    descent.enter_mount(mount, 0);
    descent.leaves.into_iter().map(|leaf| leaf.name).collect()
}

/// The same for a device.
pub(crate) fn leaf_names_of(system: &System, mounts: &[MountEntry], device: &BlockDevice) -> Vec<String> {
    let mut descent = Descent::new(system, mounts);
    descent.enter_device(device, 0);
    descent.leaves.into_iter().map(|leaf| leaf.name).collect()
}

/// The result of one step down.
#[derive(Debug, Default)]
struct Reached {
    /// The devices reached, each a layer or a leaf of the stack.
    names: Vec<String>,
    /// Capacity of the uppermost device that is not only a part or file of another, in bytes; `None` if
    /// unknown, or if there are several.
    capacity_bytes: Option<u64>,
}

/// A descent, and its results.
struct Descent<'a> {
    system: &'a System,
    mounts: &'a [MountEntry],
    layers: Vec<Layer>,
    leaves: Vec<Leaf>,
    ends_in_memory: bool,
    /// Devices found so far, each once.
    devices_met: Vec<String>,
    /// Devices above the current one, to detect circles.
    way: Vec<String>,
}

impl<'a> Descent<'a> {
    fn new(system: &'a System, mounts: &'a [MountEntry]) -> Self {
        Self {
            system,
            mounts,
            layers: Vec::new(),
            leaves: Vec::new(),
            ends_in_memory: false,
            devices_met: Vec::new(),
            way: Vec::new(),
        }
    }

    fn enter_path(&mut self, path: &Path, depth: usize) -> Reached {
        let mounts = self.mounts;
        mountinfo::containing(mounts, path).map(|mount| self.enter_mount(mount, depth)).unwrap_or_default()
    }

    fn enter_mount(&mut self, mount: &MountEntry, depth: usize) -> Reached {
        if depth > DEPTH_MAX {
            return Reached::default();
        }
        if mount.is_memory() {
            self.ends_in_memory = true;
            return Reached::default();
        }
        if let Some(upper) = mount.overlay_upper() {
            return if self.is_here(&upper) {
                self.enter_path(&upper, depth + 1)
            } else {
                Reached::default()
            };
        }
        let devices = self.devices_of(mount);
        self.enter_devices(&devices, depth + 1)
    }

    /// The devices of a file system, by its number or, if that is anonymous or unknown to sysfs, by its
    /// source.
    fn devices_of(&self, mount: &MountEntry) -> Vec<BlockDevice> {
        let by_number =
            (!mount.device.is_anonymous()).then(|| self.system.block_by_number(mount.device)).flatten();
        let Some(device) = by_number.or_else(|| self.system.block_by_path(&mount.source)) else {
            return Vec::new();
        };
        if mount.fs_type == "btrfs" {
            let members = self.system.btrfs_members(&device);
            if !members.is_empty() {
                return members;
            }
        }
        vec![device]
    }

    fn enter_devices(&mut self, devices: &[BlockDevice], depth: usize) -> Reached {
        let mut reached = Reached::default();
        for device in devices {
            let one = self.enter_device(device, depth);
            reached.names.extend(one.names);
            reached.capacity_bytes = one.capacity_bytes.filter(|_| devices.len() == 1);
        }
        reached
    }

    fn enter_device(&mut self, device: &BlockDevice, depth: usize) -> Reached {
        if depth > DEPTH_MAX || self.way.contains(&device.name) {
            return Reached::default();
        }
        let names = vec![device.name.clone()];
        if self.devices_met.contains(&device.name) {
            return Reached { names, capacity_bytes: None };
        }
        self.devices_met.push(device.name.clone());
        let Some(layer) = layer::describe(self.system, device) else {
            let leaf = leaf::describe(self.system, device);
            let capacity_bytes = leaf.capacity_bytes;
            self.leaves.push(leaf);
            return Reached { names, capacity_bytes };
        };
        let (index, kind) = (self.layers.len(), layer.kind);
        let file = match &layer.detail {
            Some(LayerDetail::Loop(LoopDevice { backing_file, .. })) => backing_file.clone(),
            _ => None,
        };
        self.layers.push(layer);
        self.way.push(device.name.clone());
        let below = match kind {
            LayerKind::Partition => self.enter_devices(device.parent().as_slice(), depth + 1),
            LayerKind::Loop => file.map(|file| self.enter_file(&file, depth + 1)).unwrap_or_default(),
            _ => {
                let slaves = self.enter_devices(&device.slaves(), depth + 1);
                Reached { names: slaves.names, capacity_bytes: device.capacity_bytes() }
            }
        };
        self.way.pop();
        self.layers[index].below = below.names;
        Reached { names, capacity_bytes: below.capacity_bytes }
    }

    /// Enters the stack below a loop's file, which may itself be a device.
    fn enter_file(&mut self, file: &str, depth: usize) -> Reached {
        if let Some(backing) = self.system.block_by_path(file) {
            return self.enter_device(&backing, depth);
        }
        let file = Path::new(file);
        match file.parent() {
            Some(dir) if self.is_here(dir) => self.enter_path(file, depth),
            _ => Reached::default(),
        }
    }

    /// Whether a path from the kernel is valid here. In a container it may be the host's: a path that does
    /// not exist here must not be looked up among the mounts here. A path without access counts as valid.
    fn is_here(&self, path: &Path) -> bool {
        !matches!(self.system.under_root(path).try_exists(), Ok(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture};

    fn identify_in(fixture: &Fixture, path: &str) -> Drive {
        let space = Space { size_bytes: 1_000, available_bytes: 400 };
        fixture.system().identify_mounted(Path::new(path), space).unwrap()
    }

    /// Layers as `kind name label`.
    fn layers(drive: &Drive) -> Vec<String> {
        let line = |layer: &Layer| {
            let label = layer.label.as_deref().unwrap_or("-");
            format!("{:?} {} {label}", layer.kind, layer.name)
        };
        drive.layers.iter().map(line).collect()
    }

    /// The stack as `top(below below)`.
    fn tree(drive: &Drive) -> String {
        fn branch(drive: &Drive, name: &str) -> String {
            let layer = drive.layers.iter().find(|layer| layer.name == name);
            let below: Vec<String> =
                layer.iter().flat_map(|layer| &layer.below).map(|name| branch(drive, name)).collect();
            if below.is_empty() { name.to_string() } else { format!("{name}({})", below.join(" ")) }
        }
        drive.tops().iter().map(|name| branch(drive, name)).collect::<Vec<_>>().join(" ")
    }

    fn leaves(drive: &Drive) -> Vec<&str> {
        drive.leaves.iter().map(|leaf| leaf.name.as_str()).collect()
    }

    #[test]
    fn a_raspberry_pi_with_a_card_is_identified() {
        let drive = identify_in(&fixture::raspberry_pi(), "/home/pi");
        assert_eq!(drive.path, "/home/pi");
        let mount = drive.mount.as_ref().unwrap();
        assert_eq!((mount.mount_point.as_str(), mount.fs_type.as_str()), ("/", "ext4"));
        assert_eq!((mount.size_bytes, mount.available_bytes, mount.is_memory), (1_000, 400, false));
        assert_eq!(layers(&drive), ["Partition mmcblk0p2 -"]);
        assert_eq!(leaves(&drive), ["mmcblk0"]);
        // The whole card, not the partition.
        assert_eq!(drive.capacity_bytes, Some(124_735_488 * 512));
        // Another mount of the same machine is on another drive.
        let drive = identify_in(&fixture::raspberry_pi(), "/mnt/ssd/test");
        assert_eq!(leaves(&drive), ["sda"]);
        assert_eq!(layers(&drive), ["Partition sda1 -"]);
    }

    #[test]
    fn a_raid_set_of_two_is_identified() {
        let fixture = fixture::raid();
        let drive = identify_in(&fixture, "/srv/data");
        assert_eq!(
            layers(&drive),
            ["Partition md0p1 -", "Md md0 raid0", "Partition sda1 -", "Partition sdb1 -"]
        );
        assert_eq!(leaves(&drive), ["sda", "sdb"]);
        assert_eq!(tree(&drive), "md0p1(md0(sda1(sda) sdb1(sdb)))");
        assert_eq!(drive.capacity_bytes, Some(1_953_000_000 * 512));
        fixture.remove("sys/devices/virtual/block/md0/size");
        assert_eq!(identify_in(&fixture, "/srv/data").capacity_bytes, None);
        // A set whose drives are not visible is not a drive itself.
        fixture.remove("sys/devices/virtual/block/md0/slaves");
        let drive = identify_in(&fixture, "/srv/data");
        assert_eq!((layers(&drive).len(), leaves(&drive).len()), (2, 0));
    }

    #[test]
    fn encryption_on_a_volume_on_nvme_is_identified() {
        let drive = identify_in(&fixture::encrypted(), "/");
        let expected = ["Crypt dm-1 certs_enc", "Lvm dm-0 vg_ifc0-certs", "Partition nvme0n1p3 -"];
        assert_eq!(layers(&drive), expected);
        assert_eq!(leaves(&drive), ["nvme0n1"]);
        assert_eq!(drive.capacity_bytes, Some(1_000_215_216 * 512));
        // A volume with an unknown or unreadable prefix is still a device mapper device.
        let fixture = fixture::encrypted();
        fixture.file("sys/devices/virtual/block/dm-1/dm/uuid", "mpath-3600\n");
        fixture.remove("sys/devices/virtual/block/dm-0/dm/uuid");
        let expected =
            ["DeviceMapper dm-1 certs_enc", "DeviceMapper dm-0 vg_ifc0-certs", "Partition nvme0n1p3 -"];
        assert_eq!(layers(&identify_in(&fixture, "/")), expected);
    }

    #[test]
    fn two_parts_of_one_drive_are_one_drive() {
        let fixture = fixture::encrypted();
        fixture.partition("pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1", "nvme0n1p4", 4, "259:4", 1_000);
        fixture.slave("virtual/block/dm-0", "pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1/nvme0n1p4");
        let drive = identify_in(&fixture, "/");
        assert_eq!(drive.layers.len(), 4);
        assert_eq!(leaves(&drive), ["nvme0n1"]);
        assert_eq!(tree(&drive), "dm-1(dm-0(nvme0n1p3(nvme0n1) nvme0n1p4(nvme0n1)))");
        assert_eq!(drive.capacity_bytes, Some(1_000_215_216 * 512));
    }

    #[test]
    fn a_virtual_disk_is_found_if_its_mount_source_is_not_a_device() {
        let drive = identify_in(&fixture::virtual_machine(), "/tmp");
        assert_eq!(drive.mount.as_ref().unwrap().source, "/dev/root");
        assert_eq!((layers(&drive).len(), leaves(&drive)), (0, vec!["vda"]));
    }

    #[test]
    fn a_loop_device_leads_to_the_drive_of_its_file() {
        let fixture = fixture::virtual_machine();
        let drive = identify_in(&fixture, "/mnt/image/a");
        assert_eq!(layers(&drive), ["Partition loop0p1 -", "Loop loop0 /var/disk image"]);
        assert_eq!(leaves(&drive), ["vda"]);
        assert_eq!(tree(&drive), "loop0p1(loop0(vda))");
        assert_eq!(drive.capacity_bytes, Some(536_870_912 * 512));
        let backing = "sys/devices/virtual/block/loop0/loop/backing_file";
        fixture.file(backing, "/var/disk image (deleted)\n");
        assert_eq!(leaves(&identify_in(&fixture, "/mnt/image")), ["vda"]);
        // A loop over a device, over memory, over a file of a container's host, and over itself.
        fixture.file(backing, "/dev/vda\n");
        assert_eq!(leaves(&identify_in(&fixture, "/mnt/image")), ["vda"]);
        fixture.file(backing, "/dev/shm/image\n");
        let drive = identify_in(&fixture, "/mnt/image");
        assert_eq!((leaves(&drive).len(), drive.mount.unwrap().is_memory), (0, true));
        fixture.file(backing, "/elsewhere/image\n");
        assert_eq!(leaves(&identify_in(&fixture, "/mnt/image")).len(), 0);
        fixture.file(backing, "/mnt/image/self\n");
        let drive = identify_in(&fixture, "/mnt/image");
        assert_eq!((drive.layers.len(), drive.leaves.len()), (2, 0));
        assert_eq!(tree(&drive), "loop0p1(loop0)");
        assert!(!drive.mount.unwrap().is_memory);
        fixture.file(backing, "");
        assert_eq!(identify_in(&fixture, "/mnt/image").leaves, []);
    }

    #[test]
    fn btrfs_has_no_number_and_may_have_several_drives() {
        let fixture = fixture::btrfs();
        let drive = identify_in(&fixture, "/pool/subvolume");
        assert_eq!((layers(&drive), leaves(&drive)), (vec!["Partition sda2 -".to_string()], vec!["sda"]));
        assert_eq!(drive.capacity_bytes, Some(1_000_000 * 512));
        // Without sysfs's list the source still works.
        fixture.remove("sys/fs/btrfs");
        assert_eq!(leaves(&identify_in(&fixture, "/pool")), ["sda"]);
        fixture.link("sys/fs/btrfs/0123/devices/sda2", "../../../../devices/pci0/ata1/host0/block/sda/sda2");
        fixture.link("sys/fs/btrfs/0123/devices/sdb", "../../../../devices/pci0/ata2/host1/block/sdb");
        let drive = identify_in(&fixture, "/pool");
        assert_eq!(leaves(&drive), ["sda", "sdb"]);
        assert_eq!(tree(&drive), "sda2(sda) sdb");
        // No single device has the total: the file system reports its capacity.
        assert_eq!(drive.capacity_bytes, Some(1_000));
    }

    #[test]
    fn an_overlay_is_followed_if_its_upper_directory_is_here() {
        let fixture = fixture::container_host();
        let drive = identify_in(&fixture, "/merged/a");
        assert_eq!(drive.mount.as_ref().unwrap().fs_type, "overlay");
        assert_eq!(leaves(&drive), ["vda"]);
        // Changes in memory are lost: the file system counts as memory.
        let drive = identify_in(&fixture, "/live");
        assert_eq!((leaves(&drive).len(), drive.mount.unwrap().is_memory), (0, true));
        // The upper directory is on another machine or in another namespace.
        let drive = identify_in(&fixture, "/foreign");
        assert_eq!(
            (leaves(&drive).len(), drive.mount.unwrap().is_memory, drive.capacity_bytes),
            (0, false, None)
        );
        // The upper directory seems to be in the overlay itself.
        assert_eq!(identify_in(&fixture, "/circle").leaves, []);
    }

    #[test]
    fn memory_and_networks_have_no_drives() {
        let fixture = fixture::container_host();
        for (path, is_memory) in [("/dev/shm", true), ("/nfs", false), ("/fuse", false), ("/shared", false)] {
            let drive = identify_in(&fixture, path);
            assert_eq!(
                (drive.leaves.len(), drive.layers.len(), drive.capacity_bytes),
                (0, 0, None),
                "{path}"
            );
            assert_eq!(drive.mount.unwrap().is_memory, is_memory, "{path}");
        }
        // Compressed memory that appears as a drive is one, but not durable.
        let drive = identify_in(&fixture, "/zram");
        assert_eq!((drive.leaves[0].kind, drive.mount.unwrap().is_memory), (LeafKind::Memory, true));
        // Together with a drive it does not make the whole stack volatile.
        fixture.disk("virtual/block", "md0", "9:0", 8);
        fixture.slave("virtual/block/md0", "virtual/block/zram0");
        fixture.slave("virtual/block/md0", "pci0000:00/0000:00:02.0/virtio1/block/vda");
        fixture.mounts("27 1 9:0 / / rw - ext4 /dev/md0 rw\n");
        let drive = identify_in(&fixture, "/");
        assert_eq!((drive.leaves.len(), drive.mount.unwrap().is_memory), (2, false));
    }

    #[test]
    fn circular_and_endless_stacks_end() {
        let fixture = fixture::encrypted();
        fixture.slave("virtual/block/dm-0", "virtual/block/dm-1");
        fixture.slave("virtual/block/dm-0", "virtual/block/dm-0");
        assert_eq!(leaves(&identify_in(&fixture, "/")), ["nvme0n1"]);
        let fixture = Fixture::new();
        for minor in 0..40 {
            fixture.disk("virtual/block", &format!("dm-{minor}"), &format!("253:{minor}"), 8);
            fixture.file(&format!("sys/devices/virtual/block/dm-{minor}/dm/name"), "deep\n");
            if minor > 0 {
                let upper = format!("virtual/block/dm-{}", minor - 1);
                fixture.slave(&upper, &format!("virtual/block/dm-{minor}"));
            }
        }
        fixture.mounts("1 0 253:0 / / rw - ext4 /dev/mapper/deep rw\n");
        let drive = identify_in(&fixture, "/");
        assert_eq!((drive.layers.len(), drive.leaves.len()), (DEPTH_MAX, 0));
    }

    #[test]
    fn a_machine_without_sysfs_still_has_mounts() {
        let fixture = fixture::raspberry_pi();
        fixture.remove("sys");
        let drive = identify_in(&fixture, "/home");
        assert_eq!((drive.leaves.len(), drive.layers.len(), drive.capacity_bytes), (0, 0, None));
        assert_eq!(drive.mount.unwrap().source, "/dev/mmcblk0p2");
    }
}
