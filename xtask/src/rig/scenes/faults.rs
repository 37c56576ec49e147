//! Drives that are slow, fail, or disappear.

use super::{CHECK, MEASURED, Probe, Scene};
use crate::rig::expect::Expect::{Json, Omits, Says, Warns};
use crate::rig::expect::Want::{AtLeast, Is};

/// 40 ms, less one tick of 4 ms: the kernel's timer counts the one that has begun. The mean is checked,
/// because the emulated machine catches up on missed ticks in a burst, which shortens some delays and
/// lengthens others.
const DELAY_MEAN_NS_MIN: f64 = 36e6;

/// The scenes.
pub const SCENES: &[Scene] = &[
    Scene {
        name: "slow",
        title: "a device with a delay of 40 ms",
        set_up: "echo \"0 1048576 delay $virtio 0 40\" | dmsetup create slow",
        probes: &[
            Probe {
                name: "latency",
                script: "cardiograph fio --name=a --filename=/dev/mapper/slow --rw=randread --bs=4k --direct=1 \
                         --number_ios=20 --output-format=json",
                exit: 0,
                expect: &[
                    Json("/jobs/0/error", Is("0")),
                    Json("/jobs/0/read/clat_ns/mean", AtLeast(DELAY_MEAN_NS_MIN)),
                ],
            },
            // A request to this device cannot begin without waiting.
            Probe {
                name: "io-uring",
                script: "cardiograph fio --name=a --filename=/dev/mapper/slow --rw=randread --bs=4k --direct=1 \
                         --ioengine=io_uring --iodepth=4 --number_ios=20 --output-format=json",
                exit: 0,
                expect: &[Json("/jobs/0/error", Is("0")), Json("/jobs/0/read/total_ios", Is("20"))],
            },
        ],
        tear_down: "dmsetup remove slow",
    },
    Scene {
        name: "bad-blocks",
        title: "a device with 128 unreadable blocks of 4 KiB",
        set_up:
            "printf '0 1024 linear %s 0\\n1024 1024 error\\n2048 1024 linear %s 2048\\n' $virtio $virtio |
    dmsetup create bad",
        probes: &[
            Probe {
                name: "psync",
                script: "cardiograph fio --name=a --filename=/dev/mapper/bad --rw=read --bs=4k --direct=1",
                exit: 1,
                expect: &[Warns("Input/output error")],
            },
            Probe {
                name: "io-uring",
                script: "cardiograph fio --name=a --filename=/dev/mapper/bad --rw=read --bs=4k --direct=1 \
                         --ioengine=io_uring --iodepth=8",
                exit: 1,
                expect: &[Warns("Input/output error")],
            },
            Probe {
                name: "libaio",
                script: "cardiograph fio --name=a --filename=/dev/mapper/bad --rw=read --bs=4k --direct=1 \
                         --ioengine=libaio --iodepth=8",
                exit: 1,
                expect: &[Warns("Input/output error")],
            },
            Probe {
                name: "continued",
                script: "cardiograph fio --name=a --filename=/dev/mapper/bad --rw=read --bs=4k --direct=1 \
                         --continue_on_error=read --output-format=json",
                exit: 0,
                expect: &[Json("/jobs/0/total_err", Is("128"))],
            },
        ],
        tear_down: "dmsetup remove bad",
    },
    Scene {
        name: "flaky",
        title: "ext4 on a device that works for 6 seconds and then fails for 60",
        set_up: "mkfs.ext4 -q -F $virtio 1g && size=$(blockdev --getsz $virtio) &&
echo \"0 $size linear $virtio 0\" | dmsetup create flaky &&
mount -t ext4 -o errors=continue /dev/mapper/flaky /mnt &&
echo \"0 $size flakey $virtio 0 6 60\" | dmsetup reload flaky && dmsetup resume flaky",
        probes: &[Probe { name: "check", script: CHECK, exit: 3, expect: &[Warns("Input/output error")] }],
        tear_down: "umount /mnt; dmsetup remove flaky",
    },
    Scene {
        name: "hung",
        title: "a device that is suspended while it is measured, and responds later",
        set_up: "echo \"0 1048576 linear $virtio 0\" | dmsetup create hung",
        probes: &[
            Probe {
                name: "fio",
                script: "(sleep 4; dmsetup suspend --noflush hung) &
cardiograph fio --name=a --filename=/dev/mapper/hung --rw=randread --bs=4k --direct=1 --time_based --runtime=8 \
                         --output-format=json",
                exit: 1,
                expect: &[
                    Json("/jobs/0/error", Is("110")),
                    Json("/jobs/0/read/total_ios", AtLeast(1.0)),
                    Warns("the drive stopped responding"),
                ],
            },
            Probe {
                name: "hdparm",
                script: "cardiograph hdparm -t --direct --rest 0 /dev/mapper/hung",
                exit: 3,
                expect: &[Warns("the drive stopped responding")],
            },
            Probe {
                name: "held",
                script: "cardiograph history",
                exit: 0,
                expect: &[Warns("has been held by the kernel since")],
            },
            Probe {
                name: "let-go",
                script: "dmsetup resume hung; sleep 5; cardiograph history
echo \"agents: $(ps | grep -c '[c]ardiograph-agent')\"",
                exit: 0,
                expect: &[Says("agents: 0"), Omits("held by the kernel")],
            },
        ],
        tear_down: "dmsetup resume hung; dmsetup remove hung",
    },
    Scene {
        name: "hung-files",
        title: "ext4 on a device that is suspended in the middle of a checkup, and responds later",
        set_up: "mkfs.ext4 -q -F $virtio 1g && size=$(blockdev --getsz $virtio) &&
echo \"0 $size linear $virtio 0\" | dmsetup create hung && mount -t ext4 /dev/mapper/hung /mnt",
        probes: &[Probe {
            name: "check",
            script: "cardiograph check /mnt --max-time 12s --no-keep --json 2>said & pid=$!
until grep -q '^  Random read' said; do sleep 0.1; done
dmsetup suspend --noflush --nolockfs hung; (sleep 50; dmsetup resume hung) &
wait $pid; code=$?; wait; sleep 5; cat said >&2; exit $code",
            exit: 3,
            expect: &[MEASURED, Warns("the drive stopped responding")],
        }],
        tear_down: "umount /mnt; dmsetup remove hung",
    },
    Scene {
        name: "gone",
        title: "a drive that is pulled out while it is measured",
        set_up: "mkfs.ext4 -q -F $uas && mount -t ext4 $uas /mnt",
        probes: &[Probe {
            name: "check",
            script: "(sleep 5; echo 1 >/sys/block/${uas#/dev/}/device/delete) &
cardiograph check /mnt --max-time 12s --no-keep --json",
            exit: 3,
            expect: &[Warns("the drive has disappeared")],
        }],
        tear_down: "umount -l /mnt",
    },
];
