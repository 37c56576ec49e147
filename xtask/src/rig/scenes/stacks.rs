//! Arrays and mappings between file system and drives.

use super::{CHECK, MEASURED, PASSPORT, Probe, Scene};
use crate::rig::expect::Expect::{Json, Says};
use crate::rig::expect::Want::{AtLeast, AtMost, Has, Is};

/// Samples the capacity of a mapping; fails if the content of the mapping has changed afterwards.
macro_rules! sample {
    ($name:literal) => {
        concat!(
            "drive=/dev/mapper/",
            $name,
            "; before=$(md5sum <$drive)
id=$(cardiograph check $drive --suite capacity 2>&1 | sed -n 's/.*--allow-erase=\\([^ ]*\\).*/\\1/p' | head -n 1)
cardiograph check $drive --suite capacity --allow-erase $id --no-keep --json &&
echo 3 >/proc/sys/vm/drop_caches && [ \"$(md5sum <$drive)\" = \"$before\" ]"
        )
    };
}

/// The scenes.
pub const SCENES: &[Scene] = &[
    Scene {
        name: "raid0",
        title: "ext4 on two striped disks",
        set_up: "mdadm --quiet --create /dev/md0 --run --force --level=0 --chunk=64 --raid-devices=2 \
                 $member_a $member_b && mkfs.ext4 -q -F /dev/md0 && mount -t ext4 /dev/md0 /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 0,
            expect: &[
                MEASURED,
                Json("/drive/layers/0/kind", Is("md")),
                Json("/drive/layers/0/name", Is("md0")),
                Json("/drive/leaves", AtLeast(2.0)),
                Json("/drive/leaves/0/serial", Is("rig-member-a")),
                Json("/drive/leaves/1/serial", Is("rig-member-b")),
                // Both disks together, without the array's metadata.
                Json("/drive/capacity_bytes", AtLeast(4e9)),
            ],
        }, Probe { name: "passport", script: PASSPORT, exit: 0, expect: &[Json("/drives/0/layers/0/detail/md/level", Is("raid0")), Json("/drives/0/layers/0/detail/md/chunk_bytes", Is("65536")), Json("/drives/0/layers/0/detail/md/members/1/name", Is("vdc")), Json("/drives/0/leaves", AtLeast(2.0))] }],
        tear_down: "umount /mnt; mdadm --quiet --stop /dev/md0; mdadm --quiet --zero-superblock $member_a $member_b",
    },
    Scene {
        name: "raid1",
        title: "ext4 on two mirrored disks",
        set_up: "mdadm --quiet --create /dev/md1 --run --level=1 --raid-devices=2 --assume-clean --bitmap=none \
                 --metadata=1.2 $member_a $member_b && mkfs.ext4 -q -F /dev/md1 && mount -t ext4 /dev/md1 /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 0,
            expect: &[
                MEASURED,
                Json("/drive/layers/0/kind", Is("md")),
                Json("/drive/leaves", AtLeast(2.0)),
                Json("/drive/capacity_bytes", AtMost(2.2e9)),
            ],
        }, Probe { name: "passport", script: PASSPORT, exit: 0, expect: &[Json("/drives/0/layers/0/detail/md/level", Is("raid1")), Json("/drives/0/layers/0/detail/md/degraded", Is("0")), Json("/drives/0/layers/0/detail/md/has_bitmap", Is("false")), Json("/drives/0/leaves", AtLeast(2.0))] }],
        tear_down: "umount /mnt; mdadm --quiet --stop /dev/md1; mdadm --quiet --zero-superblock $member_a $member_b",
    },
    Scene {
        name: "volume",
        title: "ext4 on an encrypted logical volume over two disks",
        set_up: "half=2097152
printf '0 %s linear %s 0\\n%s %s linear %s 0\\n' $half $member_a $half $half $member_b |
    dmsetup create -u LVM-rigriggroup group-volume &&
printf '0 4194304 crypt aes-xts-plain64 %s 0 %s 0' 00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210 /dev/mapper/group-volume |
    dmsetup create -u CRYPT-LUKS2-00000000000000000000000000000000-secret secret &&
mkfs.ext4 -q -F /dev/mapper/secret && mount -t ext4 /dev/mapper/secret /mnt",
        probes: &[Probe {
            name: "check",
            script: CHECK,
            exit: 0,
            expect: &[
                MEASURED,
                Json("/drive/layers/0/kind", Is("crypt")),
                Json("/drive/layers/0/label", Has("secret")),
                Json("/drive/layers/1/kind", Is("lvm")),
                Json("/drive/leaves", AtLeast(2.0)),
                Json("/drive/leaves/0/kind", Is("virtual")),
            ],
        }, Probe { name: "passport", script: PASSPORT, exit: 0, expect: &[Json("/drives/0/layers/0/detail/crypt/format", Is("luks2")), Json("/drives/0/layers/1/detail/lvm/group", Is("group")), Json("/drives/0/layers/1/detail/lvm/volume", Is("volume")), Json("/drives/0/layers/1/segments/0/target", Is("linear")), Json("/drives/0/layers/1/segments/1/start_bytes", Is("1073741824")), Json("/drives/0/leaves", AtLeast(2.0))] }],
        tear_down: "umount /mnt; dmsetup remove secret; dmsetup remove group-volume",
    },
    Scene {
        name: "segments",
        title: "mappings of several kinds, each in the kernel's table",
        set_up: "printf '0 4194304 striped 2 128 %s 0 %s 0' $member_a $member_b | dmsetup create stripes &&
printf '0 4194304 delay /dev/mapper/stripes 0 3 /dev/mapper/stripes 0 7' | dmsetup create slow &&
printf '0 2097152 crypt aes-xts-plain64 %s 0 /dev/mapper/slow 0' 00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210 |
    dmsetup create nameless",
        probes: &[
            Probe {
                name: "tables",
                script: "cardiograph drive /dev/mapper/nameless --json",
                exit: 0,
                expect: &[
                    Json("/drives/0/layers/0/segments/0/target", Is("crypt")),
                    Json("/drives/0/layers/1/segments/0/detail/delay/read_ms", Is("3")),
                    Json("/drives/0/layers/1/segments/0/detail/delay/write_ms", Is("7")),
                    Json("/drives/0/layers/2/segments/0/detail/striped/stripes", Is("2")),
                    Json("/drives/0/layers/2/segments/0/detail/striped/chunk_bytes", Is("65536")),
                    Json("/drives/0/leaves", AtLeast(2.0)),
                ],
            },
            Probe {
                name: "keys",
                script: "cardiograph drive /dev/mapper/nameless --json | grep -c 00112233445566; \
                         cardiograph drive /dev/mapper/nameless",
                exit: 0,
                expect: &[Says("0\n"), Says("delays reads by 3 ms and writes by 7 ms"), Says("striped over 2 in chunks of 64 KiB")],
            },
        ],
        tear_down: "dmsetup remove nameless; dmsetup remove slow; dmsetup remove stripes",
    },
    Scene {
        name: "fakes",
        title: "a drive of 128 MiB that wraps around after 64 MiB, and an honest one",
        set_up: "printf '0 131072 linear %s 0\n131072 131072 linear %s 0\n' $member_a $member_a | dmsetup create wrap &&
printf '0 262144 linear %s 0' $member_b | dmsetup create honest &&
dd if=/dev/urandom of=$member_a bs=1M count=64 conv=fsync 2>/dev/null &&
dd if=/dev/urandom of=$member_b bs=1M count=128 conv=fsync 2>/dev/null",
        probes: &[
            Probe {
                name: "wrap",
                script: sample!("wrap"),
                exit: 0,
                expect: &[
                    Json("/claims/0/outcome", Is("broken")),
                    Json("/claims/0/reasons/0/id", Is("claim-fake.wrap")),
                    Json("/notes", AtLeast(1.0)),
                ],
            },
            Probe {
                name: "honest",
                script: sample!("honest"),
                exit: 0,
                expect: &[Json("/claims/0/outcome", Is("kept"))],
            },
        ],
        tear_down: "dmsetup remove wrap; dmsetup remove honest",
    },
];
