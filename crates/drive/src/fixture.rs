//! Machines made of files that mimic the kernel's, for tests.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::system::System;

mod btrfs_host;
pub(crate) mod ebs_volume;
pub(crate) mod kingston_sd;
mod md_host;
pub(crate) mod mega_raid;
pub(crate) mod pi_card;
pub(crate) mod pi_nvme;
pub(crate) mod pi_usb_ssd;
mod weak_supply_pi;

pub(crate) use btrfs_host::btrfs_host;
pub(crate) use md_host::md_host;
pub(crate) use weak_supply_pi::weak_supply_pi;

/// A machine under a temporary directory.
pub(crate) struct Fixture {
    root: TempDir,
}

impl Fixture {
    /// A machine without any files.
    pub fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap() }
    }

    pub fn system(&self) -> System {
        System::rooted_at(self.root.path())
    }

    /// Creates or overwrites a file.
    pub fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        fs::write(self.new_path(path), content).unwrap();
    }

    /// Creates an executable shell script. `$root` in it is the machine's directory.
    pub fn program(&self, name: &str, script: &str) {
        let path = self.new_path(&format!("bin/{name}"));
        let script = format!("#!/bin/sh\nroot='{}'\n{script}\n", self.root().display());
        cardiograph_testing::write_program(&path, script.as_bytes());
    }

    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Creates a symbolic link, with the target as given.
    pub fn link(&self, path: &str, target: impl AsRef<Path>) {
        let path = self.new_path(path);
        if path.is_symlink() {
            fs::remove_file(&path).unwrap();
        }
        symlink(target, path).unwrap();
    }

    /// Removes a file or a whole directory.
    pub fn remove(&self, path: &str) {
        let path = self.root.path().join(path);
        if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(path).unwrap()
        } else {
            fs::remove_file(path).unwrap()
        }
    }

    /// Sets the mount list.
    pub fn mounts(&self, list: impl AsRef<[u8]>) {
        self.file("proc/self/mountinfo", list);
    }

    /// A disk `sys/devices/{bus}/{name}` with the attributes that every disk has, and the links to it.
    pub fn disk(&self, bus: &str, name: &str, number: &str, sectors: u64) {
        let dir = format!("{bus}/{name}");
        self.device(&dir, name, number, sectors);
        fs::create_dir_all(self.root.path().join(format!("sys/devices/{dir}/slaves"))).unwrap();
        self.link(&format!("sys/block/{name}"), format!("../devices/{dir}"));
        let queue = [
            ("rotational", "0\n"),
            ("write_cache", "write back\n"),
            ("scheduler", "[none] mq-deadline\n"),
            ("logical_block_size", "512\n"),
            ("physical_block_size", "4096\n"),
            ("discard_max_bytes", "2199023255040\n"),
        ];
        for (attribute, value) in queue {
            self.file(&format!("sys/devices/{dir}/queue/{attribute}"), value);
        }
    }

    /// Partition `name` of the disk `sys/devices/{disk}`.
    pub fn partition(&self, disk: &str, name: &str, index: u32, number: &str, sectors: u64) {
        let dir = format!("{disk}/{name}");
        self.device(&dir, name, number, sectors);
        self.file(&format!("sys/devices/{dir}/partition"), format!("{index}\n"));
    }

    /// Makes the device `sys/devices/{lower}` a slave of `sys/devices/{upper}`.
    pub fn slave(&self, upper: &str, lower: &str) {
        let name = lower.rsplit('/').next().unwrap();
        let up = "../".repeat(upper.split('/').count() + 1);
        self.link(&format!("sys/devices/{upper}/slaves/{name}"), format!("{up}{lower}"));
    }

    /// Sets attributes of the drive behind the disk `sys/devices/{disk}`, `above` directories higher.
    pub fn drive(&self, disk: &str, above: usize, attributes: &[(&str, &[u8])]) {
        let mut dir = Path::new("sys/devices").join(disk);
        for _ in 0..above {
            dir.pop();
        }
        self.link(&format!("sys/devices/{disk}/device"), "../".repeat(above));
        for (attribute, value) in attributes {
            self.file(dir.join(attribute).to_str().unwrap(), value);
        }
    }

    fn device(&self, dir: &str, name: &str, number: &str, sectors: u64) {
        self.file(&format!("sys/devices/{dir}/dev"), format!("{number}\n"));
        self.file(&format!("sys/devices/{dir}/size"), format!("{sectors}\n"));
        self.file(&format!("sys/devices/{dir}/stat"), "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
        self.link(&format!("sys/class/block/{name}"), format!("../../devices/{dir}"));
        self.link(&format!("sys/dev/block/{number}"), format!("../../devices/{dir}"));
    }

    /// A path of the machine; creates its directory.
    fn new_path(&self, path: &str) -> PathBuf {
        let path = self.root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }
}

/// A Raspberry Pi 5 that runs from a card and has a SATA SSD on USB. Composed manually from several sources;
/// `pi_card` and `pi_usb_ssd` are real.
pub(crate) fn raspberry_pi() -> Fixture {
    let pi = Fixture::new();
    let card = "platform/axi/1000fff000.mmc/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0";
    pi.disk(card.strip_suffix("/mmcblk0").unwrap(), "mmcblk0", "179:0", 124_735_488);
    pi.file(&format!("sys/devices/{card}/queue/scheduler"), "none [mq-deadline] kyber\n");
    pi.file(&format!("sys/devices/{card}/queue/write_cache"), "write through\n");
    pi.file(&format!("sys/devices/{card}/queue/physical_block_size"), "512\n");
    pi.partition(card, "mmcblk0p1", 1, "179:1", 1_048_576);
    pi.partition(card, "mmcblk0p2", 2, "179:2", 123_670_528);
    let attributes: [(&str, &[u8]); 6] = [
        ("type", b"SD\n"),
        ("name", b"SD64G\n"),
        ("manfid", b"0x000003\n"),
        ("serial", b"0x8a4c1f22\n"),
        ("fwrev", b"0x0\n"),
        ("hwrev", b"0x8\n"),
    ];
    pi.drive(card, 2, &attributes);
    let ssd = "platform/axi/1000120000.pcie/1f00200000.usb/xhci-hcd.0/usb2/2-1/2-1:1.0/host0/target0:0:0/0:0:0:0/block/sda";
    pi.disk(ssd.strip_suffix("/sda").unwrap(), "sda", "8:0", 976_773_168);
    pi.partition(ssd, "sda1", 1, "8:1", 976_771_120);
    let attributes: [(&str, &[u8]); 4] = [
        ("vendor", b"Samsung \n"),
        ("model", b"Portable SSD T5 \n"),
        ("rev", b"0   \n"),
        ("vpd_pg80", b"\0\x80\0\x14S46WNS0R104632H     "),
    ];
    pi.drive(ssd, 2, &attributes);
    pi.mounts(
        "21 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw\n\
         22 21 0:5 / /dev rw,nosuid shared:2 - devtmpfs udev rw\n\
         30 21 179:1 / /boot/firmware rw shared:9 - vfat /dev/mmcblk0p1 rw\n\
         31 21 8:1 / /mnt/ssd rw shared:10 - ext4 /dev/sda1 rw\n",
    );
    let cpu = "BogoMIPS\t: 108.00\nFeatures\t: fp asimd aes\nCPU implementer\t: 0x41\nCPU part\t: 0xd0b\n\n";
    let cpus: String = (0..4).map(|index| format!("processor\t: {index}\n{cpu}")).collect();
    pi.file("proc/cpuinfo", cpus + "Revision\t: d04170\nModel\t\t: Raspberry Pi 5 Model B Rev 1.0\n");
    pi.file("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0");
    pi.file("proc/meminfo", "MemTotal:        8245696 kB\nMemFree:         7000000 kB\n");
    pi.file("proc/loadavg", "0.42 0.14 0.08 1/187 6509\n");
    pi.file("proc/sys/kernel/ostype", "Linux\n");
    pi.file("proc/sys/kernel/osrelease", "6.6.31+rpt-rpi-2712\n");
    pi.file("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "ondemand\n");
    pi.file(
        "usr/lib/os-release",
        "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\n",
    );
    pi.link("etc/os-release", "../usr/lib/os-release");
    pi
}

/// A board with a Samsung chip, as shown by a kernel 3.10: <https://github.com/armbian/build/pull/246>. That
/// kernel did not know yet that the years of later chips count from 2013. Bus and length are invented.
pub(crate) fn emmc() -> Fixture {
    let board = Fixture::new();
    let flash = "platform/fe310000.mmc/mmc_host/mmc1/mmc1:0001/block/mmcblk1";
    board.disk(flash.strip_suffix("/mmcblk1").unwrap(), "mmcblk1", "179:0", 15_269_888);
    let attributes: [(&str, &[u8]); 11] = [
        ("cid", b"1501004d384731474303dc0db061506f\n"),
        ("csd", b"d02701320f5903fff6dbffef8e40400d\n"),
        ("rev", b"6\n"),
        ("date", b"05/1997\n"),
        ("name", b"M8G1GC\n"),
        ("type", b"MMC\n"),
        ("preferred_erase_size", b"524288\n"),
        ("fwrev", b"0x0\n"),
        ("oemid", b"0x0100\n"),
        ("manfid", b"0x000015\n"),
        ("serial", b"0xdc0db061\n"),
    ];
    board.drive(flash, 2, &attributes);
    board
}

/// Two striped SATA SSDs, with a partition on the set. `md_host` has a real `md` directory; this one is
/// invented.
pub(crate) fn raid() -> Fixture {
    let server = Fixture::new();
    for (bus, name, major_minor, part) in
        [("pci0/ata1/host0/block", "sda", "8:0", "8:1"), ("pci0/ata2/host1/block", "sdb", "8:16", "8:17")]
    {
        let disk = format!("{bus}/{name}");
        server.disk(bus, name, major_minor, 976_773_168);
        server.partition(&disk, &format!("{name}1"), 1, part, 976_771_120);
        server.drive(&disk, 2, &[("vendor", b"ATA     \n"), ("model", b"CT500MX500SSD1  \n")]);
    }
    server.disk("virtual/block", "md0", "9:0", 1_953_000_000);
    server.file("sys/devices/virtual/block/md0/md/level", "raid0\n");
    server.partition("virtual/block/md0", "md0p1", 1, "259:0", 1_952_000_000);
    // The second is linked first, so that the order must come from the names.
    server.slave("virtual/block/md0", "pci0/ata2/host1/block/sdb/sdb1");
    server.slave("virtual/block/md0", "pci0/ata1/host0/block/sda/sda1");
    server.mounts("1 0 0:2 / / rw - rootfs rootfs rw\n2 1 259:0 / /srv rw - xfs /dev/md0p1 rw,noquota\n");
    server
}

/// LUKS on a logical volume on a partition of an NVMe drive. Names and ids of volume and mapping:
/// <https://github.com/project-machine/disko/issues/47>, where they are on a virtual disk. The drive is
/// invented.
pub(crate) fn encrypted() -> Fixture {
    let laptop = Fixture::new();
    let nvme = "pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1";
    laptop.disk("pci0000:00/0000:01:00.0/nvme/nvme0", "nvme0n1", "259:0", 1_000_215_216);
    laptop.partition(nvme, "nvme0n1p3", 3, "259:3", 999_000_000);
    let attributes: [(&str, &[u8]); 3] = [
        ("model", b"Samsung SSD 980 PRO 500GB               \n"),
        ("serial", b"S5GYNX0R1           \n"),
        ("firmware_rev", b"5B2QGXA7\n"),
    ];
    laptop.drive(nvme, 1, &attributes);
    for (name, number, label, uuid) in [
        (
            "dm-0",
            "253:0",
            "vg_ifc0-certs\n",
            "LVM-RbOIAqSTZ9qtce5Qz0OeQXA8FeDl3JSD3eUW9RPBPQCK6Xn9hHz33HHqZsmd7yBi\n",
        ),
        ("dm-1", "253:1", "certs_enc\n", "CRYPT-LUKS1-af6c1825c3244fb1a86ada51d9a32b94-certs_enc\n"),
    ] {
        laptop.disk("virtual/block", name, number, 998_000_000);
        laptop.file(&format!("sys/devices/virtual/block/{name}/dm/name"), label);
        laptop.file(&format!("sys/devices/virtual/block/{name}/dm/uuid"), uuid);
    }
    laptop.slave("virtual/block/dm-1", "virtual/block/dm-0");
    laptop.slave("virtual/block/dm-0", &format!("{nvme}/nvme0n1p3"));
    laptop.mounts("1 0 253:1 / / rw - ext4 /dev/mapper/certs_enc rw\n");
    laptop
}

/// An NVMe drive with two controllers, which the kernel joins under a subsystem.
pub(crate) fn nvme_multipath() -> Fixture {
    let server = Fixture::new();
    server.disk("virtual/nvme-subsystem/nvme-subsys1", "nvme1n1", "259:1", 6_251_233_968);
    let attributes: [(&str, &[u8]); 3] = [
        ("model", b"KIOXIA KCM61VUL3T20                     \n"),
        ("serial", b"7180A00AT1X8        \n"),
        ("firmware_rev", b"0104    \n"),
    ];
    server.drive("virtual/nvme-subsystem/nvme-subsys1/nvme1n1", 1, &attributes);
    for (controller, number, stat) in [(1, "259:2", "10 0 80 0"), (2, "259:3", "20 0 160 0")] {
        let bus = format!("pci0/nvme/nvme{controller}");
        let name = format!("nvme1c{controller}n1");
        server.disk(&bus, &name, number, 6_251_233_968);
        server.file(&format!("sys/devices/{bus}/{name}/stat"), format!("{stat} 0 0 0 0 0 0 0\n"));
        // Paths are hidden: they have no number for opening them.
        server.file(&format!("sys/devices/{bus}/{name}/hidden"), "1\n");
        server.remove(&format!("sys/devices/{bus}/{name}/dev"));
        server.remove(&format!("sys/dev/block/{number}"));
    }
    server.mounts("1 0 259:1 / / rw - xfs /dev/nvme1n1 rw\n");
    server
}

/// A virtual disk mounted as `/dev/root`, and a loop device with partitions on it.
pub(crate) fn virtual_machine() -> Fixture {
    let machine = Fixture::new();
    let disk = "pci0000:00/0000:00:02.0/virtio1/block/vda";
    machine.disk("pci0000:00/0000:00:02.0/virtio1/block", "vda", "254:0", 536_870_912);
    machine.file(&format!("sys/devices/{disk}/queue/rotational"), "1\n");
    machine.file(&format!("sys/devices/{disk}/serial"), "root-disk");
    machine.drive(disk, 2, &[("vendor", b"0x1af4\n"), ("device", b"0x0002\n")]);
    machine.disk("virtual/block", "loop0", "7:0", 204_800);
    machine.file("sys/devices/virtual/block/loop0/loop/backing_file", "/var/disk image\n");
    // Directories for the backing files of loop devices.
    for dir in ["var", "dev/shm", "mnt/image"] {
        machine.file(&format!("{dir}/file"), "");
    }
    machine.partition("virtual/block/loop0", "loop0p1", 1, "259:0", 200_704);
    machine.mounts(
        "27 1 254:0 / / rw,relatime - ext4 /dev/root rw,discard\n\
         28 27 0:6 / /dev rw - devtmpfs devtmpfs rw\n\
         29 28 0:23 / /dev/shm rw - tmpfs tmpfs rw\n\
         30 27 259:0 / /mnt/image rw - ext4 /dev/loop0p1 rw\n",
    );
    machine.file("proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu hypervisor lm\n");
    machine
}

/// A btrfs file system, which has an anonymous number, on one of two drives.
pub(crate) fn btrfs() -> Fixture {
    let server = Fixture::new();
    server.disk("pci0/ata1/host0/block", "sda", "8:0", 1_000_000);
    server.partition("pci0/ata1/host0/block/sda", "sda2", 2, "8:2", 900_000);
    server.disk("pci0/ata2/host1/block", "sdb", "8:16", 2_000_000);
    server.link("sys/fs/btrfs/0123/devices/sda2", "../../../../devices/pci0/ata1/host0/block/sda/sda2");
    server.file("sys/fs/btrfs/features/mixed_groups", "0\n");
    server.mounts(
        "1 0 0:2 / / rw - rootfs rootfs rw\n\
         2 1 0:31 /@pool /pool rw,noatime - btrfs /dev/sda2 rw,compress=zstd:1,subvolid=256,subvol=/@pool\n",
    );
    server
}

/// A container host, with overlays on disk and memory, network file systems and compressed memory.
pub(crate) fn container_host() -> Fixture {
    let host = virtual_machine();
    host.disk("virtual/block", "zram0", "252:0", 1_048_576);
    // Directories that exist here; the one of `/foreign` does not.
    for dir in ["var/lib/containers/upper", "dev/shm/upper", "circle/upper"] {
        host.file(&format!("{dir}/file"), "");
    }
    host.mounts(
        "27 1 254:0 / / rw,relatime - ext4 /dev/root rw,discard\n\
         28 27 0:6 / /dev rw - devtmpfs devtmpfs rw\n\
         29 28 0:23 / /dev/shm rw - tmpfs tmpfs rw\n\
         40 27 0:40 / /merged rw - overlay overlay rw,lowerdir=/l,upperdir=/var/lib/containers/upper,workdir=/w\n\
         41 27 0:41 / /live rw - overlay overlay rw,lowerdir=/l,upperdir=/dev/shm/upper,workdir=/w\n\
         42 27 0:42 / /foreign rw - overlay overlay rw,lowerdir=/l,upperdir=/elsewhere/upper,workdir=/w\n\
         43 27 0:43 / /circle rw - overlay overlay rw,lowerdir=/l,upperdir=/circle/upper,workdir=/w\n\
         50 27 0:50 / /nfs rw - nfs4 server:/dev/vda rw,vers=4.2\n\
         51 27 0:51 / /fuse rw - fuse.sshfs pi@server:/home rw\n\
         52 27 0:52 / /shared rw - virtiofs /dev/root rw\n\
         53 27 252:0 / /zram rw - ext4 /dev/zram0 rw\n",
    );
    host
}
