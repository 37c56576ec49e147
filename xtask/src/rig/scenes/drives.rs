//! A file system on each kind of drive.

use super::{CHECK, JUDGED, MEASURED, Probe, Scene};
use crate::rig::expect::Expect::{Json, Omits, Says, Warns};
use crate::rig::expect::Want::{AtLeast, Is};

const TEAR_DOWN: &str = "umount /mnt";

/// The scenes.
pub const SCENES: &[Scene] = &[
    Scene {
        name: "card",
        title: "ext4 on the memory card",
        set_up: "mkfs.ext4 -q -F -E nodiscard /dev/mmcblk0p1 && mount -t ext4 /dev/mmcblk0p1 /mnt",
        probes: &[
            Probe {
                name: "engines",
                script: "cardiograph engines",
                exit: 0,
                expect: &[Says("io_uring"), Says("libaio"), Omits("not available")],
            },
            Probe {
                name: "check",
                script: CHECK,
                exit: 0,
                expect: &[
                    MEASURED,
                    JUDGED,
                    Json("/drive/mount/fs_type", Is("ext4")),
                    Json("/drive/layers/0/kind", Is("partition")),
                    Json("/drive/layers/0/name", Is("mmcblk0p1")),
                    Json("/drive/leaves/0/kind", Is("sd_card")),
                    Json("/drive/leaves/0/model", Is("QEMU!")),
                    Json("/drive/leaves/0/capacity_bytes", Is("8589934592")),
                    // QEMU's register values.
                    Json("/drive/leaves/0/card/kind", Is("sd")),
                    Json("/drive/leaves/0/card/identity/maker_id", Is("170")),
                    Json("/drive/leaves/0/card/identity/product", Is("QEMU!")),
                    Json("/drive/leaves/0/card/identity/serial", Is("3735928559")),
                    Json("/drive/leaves/0/card/identity/made/year", Is("2006")),
                    Json("/drive/leaves/0/card/identity/made/month", Is("2")),
                    Json("/drive/leaves/0/card/data/kind", Is("sdhc")),
                    Json("/drive/leaves/0/card/data/capacity_bytes", Is("8589934592")),
                    Json("/drive/leaves/0/card/hints/0/text/id", Is("counterfeit.unknown-maker")),
                ],
            },
            Probe {
                name: "libaio",
                script: "cardiograph fio --name=a --directory=/mnt --size=16m --rw=randread --bs=4k --ioengine=libaio \
                         --direct=1 --iodepth=8 --runtime=1 --unlink=1 --output-format=json",
                exit: 0,
                expect: &[Json("/jobs/0/error", Is("0")), Json("/jobs/0/read/total_ios", AtLeast(1.0))],
            },
        ],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "nvme",
        title: "xfs on an NVMe drive",
        set_up: "mkfs.xfs -q -f $nvme && mount -t xfs $nvme /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 0,
            expect: &[
                MEASURED,
                JUDGED,
                Json("/drive/mount/fs_type", Is("xfs")),
                Json("/drive/leaves/0/kind", Is("nvme")),
                Json("/drive/leaves/0/model", Is("QEMU NVMe Ctrl")),
                Json("/drive/leaves/0/serial", Is("rig-nvme")),
                Json("/drive/leaves/0/capacity_bytes", Is("8589934592")),
                Json("/drive/leaves/0/rotational", Is("false")),
            ],
        }],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "virtio",
        title: "ext4 on a disk behind virtio",
        set_up: "mkfs.ext4 -q -F $virtio && mount -t ext4 $virtio /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 0,
            expect: &[
                MEASURED,
                JUDGED,
                Json("/drive/leaves/0/kind", Is("virtual")),
                Json("/drive/leaves/0/serial", Is("rig-virtio")),
            ],
        }],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "sata",
        title: "ext4 on a SATA disk that reports rotation",
        set_up: "mkfs.ext4 -q -F $sata && mount -t ext4 $sata /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 0,
            expect: &[
                MEASURED,
                Json("/drive/leaves/0/kind", Is("sata")),
                Json("/drive/leaves/0/model", Is("rig-sata")),
                Json("/drive/leaves/0/serial", Is("rig-s1")),
                Json("/drive/leaves/0/rotational", Is("true")),
            ],
        }],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "stick",
        title: "vfat on a USB stick",
        set_up: "mkfs.fat -F 32 -I $stick >/dev/null && mount -t vfat $stick /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 0,
            expect: &[
                MEASURED,
                Json("/drive/mount/fs_type", Is("vfat")),
                Json("/drive/leaves/0/kind", Is("usb")),
                Json("/drive/leaves/0/capacity_bytes", Is("4294967296")),
            ],
        }],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "uas",
        title: "f2fs on an SSD behind USB, with UAS",
        set_up: "mkfs.f2fs -q -f $uas && mount -t f2fs $uas /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 0,
            expect: &[
                MEASURED,
                Json("/drive/mount/fs_type", Is("f2fs")),
                Json("/drive/leaves/0/kind", Is("usb")),
                Json("/drive/leaves/0/model", Is("rig-uas")),
                Json("/drive/leaves/0/vendor", Is("RIG")),
            ],
        }],
        tear_down: TEAR_DOWN,
    },
    Scene {
        name: "null-blk",
        title: "a null block device with blocks of 4 KiB",
        set_up: "test -b /dev/nullb0",
        probes: &[
            Probe {
                name: "reads",
                script: "cardiograph fio --name=a --filename=/dev/nullb0 --rw=randread --bs=4k --ioengine=io_uring \
                         --direct=1 --iodepth=8 --time_based --runtime=1 --output-format=json",
                exit: 0,
                expect: &[Json("/jobs/0/error", Is("0")), Json("/jobs/0/read/total_ios", AtLeast(100.0))],
            },
            // Smaller than a block of the device: an error for direct I/O.
            Probe {
                name: "misaligned",
                script: "cardiograph fio --name=a --filename=/dev/nullb0 --rw=randread --bs=512 --ioengine=psync \
                         --direct=1 --number_ios=10",
                exit: 1,
                expect: &[Warns("needs multiples of 4K, but bs is 512B")],
            },
        ],
        tear_down: "true",
    },
];
