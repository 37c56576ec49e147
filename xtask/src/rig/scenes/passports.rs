//! Passports of unmounted drives.

use super::{Probe, Scene};
use crate::rig::expect::Expect::{Json, Says, Warns};
use crate::rig::expect::Want::{AtLeast, Has, Is};

/// The scenes.
pub const SCENES: &[Scene] = &[Scene {
    name: "passports",
    title: "each drive by its name, without a file system",
    set_up: "true",
    probes: &[
        Probe {
            name: "card",
            script: "cardiograph drive /dev/mmcblk0 --json",
            exit: 0,
            expect: &[
                Json("/drives/0/leaves/0/kind", Is("sd_card")),
                Json("/drives/0/leaves/0/card/identity/product", Is("QEMU!")),
                Json("/drives/0/leaves/0/card/configuration/version", Is("2.00")),
                Json("/drives/0/leaves/0/link/bus/kind", Is("mmc")),
            ],
        },
        Probe {
            name: "nvme",
            script: "cardiograph drive $nvme --json",
            exit: 0,
            expect: &[
                Json("/drives/0/leaves/0/kind", Is("nvme")),
                Json("/drives/0/leaves/0/model", Is("QEMU NVMe Ctrl")),
                Json("/drives/0/leaves/0/serial", Is("rig-nvme")),
                Json("/drives/0/leaves/0/capacity_bytes", Is("8589934592")),
            ],
        },
        Probe {
            name: "sata",
            script: "cardiograph drive $sata --json",
            exit: 0,
            expect: &[
                Json("/drives/0/leaves/0/kind", Is("sata")),
                Json("/drives/0/leaves/0/rotational", Is("true")),
                // The kernel's `rev` has the last four characters.
                Json("/drives/0/leaves/0/firmware", Is("1.2.3.45")),
                Json("/drives/0/leaves/0/link/bus/kind", Is("sata")),
            ],
        },
        Probe {
            name: "stick",
            script: "cardiograph drive $stick --json",
            exit: 0,
            expect: &[
                Json("/drives/0/leaves/0/kind", Is("usb")),
                Json("/drives/0/leaves/0/link/bus/kind", Is("usb")),
            ],
        },
        Probe {
            name: "uas",
            script: "cardiograph drive $uas --json",
            exit: 0,
            expect: &[
                Json("/drives/0/leaves/0/link/bus/kind", Is("usb")),
                Json("/drives/0/leaves/0/model", Has("rig-uas")),
            ],
        },
        Probe {
            name: "null-blk",
            script: "cardiograph drive nullb0 --json",
            exit: 0,
            expect: &[Json("/drives/0/leaves/0/logical_block_bytes", Is("4096"))],
        },
        Probe {
            name: "all",
            script: "cardiograph drive --json",
            exit: 0,
            expect: &[Json("/drives", AtLeast(8.0))],
        },
        Probe {
            name: "words",
            script: "cardiograph drive; for name in mmcblk0 $nvme $virtio $sata $stick $uas; do \
                     cardiograph drive $name || exit 1; done",
            exit: 0,
            expect: &[Says("QEMU!"), Says("rig-sata")],
        },
        Probe {
            name: "none",
            script: "cardiograph drive /dev/no-such-drive",
            exit: 2,
            expect: &[Warns("/dev/no-such-drive"), Warns("lists the drives of this machine")],
        },
    ],
    tear_down: "true",
}];
