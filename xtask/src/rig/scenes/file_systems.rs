//! Limits of file systems.

use super::{CHECK, MEASURED, Probe, Scene};
use crate::rig::expect::Expect::{Json, Says, Warns};
use crate::rig::expect::Want::{AtLeast, Has, Is};

const TEAR_DOWN: &str = "umount /mnt";

/// Preallocates a file by each of fio's methods.
const PREALLOCATED: &str = "for way in native posix keep truncate none; do
    cardiograph fio --name=a --directory=/mnt --size=8m --rw=write --bs=64k --fallocate=$way --unlink=1 || exit 1
done";

/// The scenes.
pub const SCENES: &[Scene] = &[
    Scene {
        name: "vfat",
        title: "vfat on the memory card: files below 4 GiB",
        set_up: "mkfs.fat -F 32 /dev/mmcblk0p1 >/dev/null && mount -t vfat /dev/mmcblk0p1 /mnt",
        probes: &[
            Probe {
                name: "check",
                script: CHECK,
                exit: 0,
                expect: &[
                    MEASURED,
                    Json("/drive/mount/fs_type", Is("vfat")),
                    Json("/drive/leaves/0/kind", Is("sd_card")),
                ],
            },
            Probe {
                name: "file-of-5-gib",
                script: "cardiograph fio --name=a --directory=/mnt --size=5g --rw=write --bs=1m",
                exit: 1,
                expect: &[
                    Warns("/mnt/a.0.0"),
                    Warns(
                        "would be 5 GiB long: its file system, vfat, does not support files of 4 GiB or more",
                    ),
                    Warns("reduce size"),
                ],
            },
            Probe {
                name: "open-units",
                script: "cardiograph check /mnt --yes --suite open-units --set unit=1M --set most=2 --max-time 10s --json \
                         --no-keep",
                exit: 0,
                expect: &[
                    Json("/state", Is("finished")),
                    Json("/tables/0/rows/0/name/id", Is("table-open-units.units")),
                    Json("/steps", AtLeast(3.0)),
                ],
            },
            Probe {
                name: "outline",
                script: "cardiograph check /mnt --dry-run",
                exit: 0,
                expect: &[Says("is zeros, with which vfat fills")],
            },
            Probe { name: "preallocated", script: PREALLOCATED, exit: 0, expect: &[Says("WRITE: bw=")] },
            Probe {
                name: "synced",
                script: "cardiograph fio --name=a --directory=/mnt --size=4m --rw=randwrite --bs=4k --direct=1 \
                         --fsync=4 --runtime=2 --unlink=1 --output-format=json",
                exit: 0,
                expect: &[Json("/jobs/0/error", Is("0")), Json("/jobs/0/sync/total_ios", AtLeast(1.0))],
            },
        ],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "exfat",
        title: "exfat on the memory card",
        set_up: "mkfs.exfat /dev/mmcblk0p1 >/dev/null && mount -t exfat /dev/mmcblk0p1 /mnt",
        probes: &[
            Probe {
                name: "check",
                script: CHECK,
                exit: 0,
                expect: &[MEASURED, Json("/drive/mount/fs_type", Is("exfat"))],
            },
            Probe { name: "preallocated", script: PREALLOCATED, exit: 0, expect: &[Says("WRITE: bw=")] },
        ],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "btrfs",
        title: "btrfs over two disks",
        set_up: "mkfs.btrfs -q -f -d raid0 -m raid1 $member_a $member_b && btrfs device scan >/dev/null \
                 && mount -t btrfs $member_a /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 0,
            expect: &[
                MEASURED,
                Json("/drive/mount/fs_type", Is("btrfs")),
                Json("/drive/leaves", AtLeast(2.0)),
                // The striped size, without the file system's metadata.
                Json("/drive/capacity_bytes", AtLeast(4e9)),
            ],
        }],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "tmpfs",
        title: "a file system in memory",
        set_up: "mount -t tmpfs -o size=64m memory /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 2,
            expect: &[Warns("/mnt is in memory (tmpfs), not on a drive")],
        }],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "read-only",
        title: "a read-only file system",
        set_up: "mkfs.ext4 -q -F $virtio && mount -t ext4 -o ro $virtio /mnt",
        probes: &[Probe { name: "check", script: CHECK, exit: 2, expect: &[Warns("mounted read-only")] }],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "full",
        title: "a full file system",
        set_up: "mkfs.ext4 -q -F $virtio 16m && mount -t ext4 $virtio /mnt && \
                 { dd if=/dev/zero of=/mnt/full bs=64k 2>/dev/null; true; }",
        probes: &[
            Probe { name: "check", script: CHECK, exit: 2, expect: &[Warns("0 B is free")] },
            Probe {
                name: "fio",
                script: "cardiograph fio --name=a --directory=/mnt --size=8m --rw=write --bs=64k; code=$?
rm -f /mnt/a.0.0; exit $code",
                exit: 1,
                expect: &[Warns("only 0 B is free")],
            },
        ],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "loop",
        title: "a file system in a file",
        set_up: "mkfs.xfs -q -f $nvme && mkdir -p /run/host && mount -t xfs $nvme /run/host \
                 && truncate -s 512M /run/host/image && mkfs.ext4 -q -F /run/host/image \
                 && mount -t ext4 -o loop /run/host/image /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 0,
            expect: &[
                MEASURED,
                Json("/drive/layers/0/kind", Is("loop")),
                Json("/drive/layers/0/label", Has("/run/host/image")),
                Json("/drive/leaves/0/kind", Is("nvme")),
                // The file system of the loop file caches reads in memory.
                Json("/steps/1/counter_checks/0/outcome", Is("contradicts")),
            ],
        }],
        tear_down: "umount /mnt; umount /run/host",
    },
];
