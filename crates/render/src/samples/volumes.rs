//! Drives below a RAID set, encryption and a volume, with an XFS on top, and a Raspberry Pi with a weak supply.

use cardiograph_core::drive::{
    Alignment, Board, BootEffect, BootSetting, Created, CreatedSource, Drive, Encryption, EncryptionFormat,
    Fact, FileSystem, Geometry, Inodes, Layer, LayerDetail, LayerKind, Leaf, LeafKind, LogicalVolume,
    MdArray, MdMember, Mount, MountEffect, Partition, PathFlag, RaspberryPi, Segment, SegmentDetail,
    SyncProgress, ThrottleState, Throttling, UnitSource, Unknown, Why, XfsGeometry,
};

/// A RAID 5 of three drives that is rebuilding one, below a volume, below encryption.
pub(crate) fn drive() -> Drive {
    let ssd = |name: &str| Leaf {
        name: name.to_string(),
        kind: LeafKind::Sata,
        model: Some("OCZ-VERTEX3".to_string()),
        capacity_bytes: Some(240_057_409_536),
        ..Default::default()
    };
    let partition = |name: &str, disk: &str| Layer {
        detail: Some(LayerDetail::Partition(Partition {
            index: Some(1),
            start_bytes: Some(1 << 20),
            len_bytes: Some(240_055_746_560),
            scheme: Some("gpt".to_string()),
            type_id: Some("a19d880f-05fc-4d3b-a006-743f0f84911e".to_string()),
        })),
        ..Layer::new(LayerKind::Partition, name, &[disk])
    };
    let alignment =
        |device: &str, on: &str, start_bytes: u64, unit| Alignment::new(device, on, start_bytes, unit);
    Drive {
        path: "/srv".to_string(),
        mount: Some(mount()),
        layers: vec![
            crypt(),
            volume(),
            set(),
            partition("sda1", "sda"),
            partition("sdb1", "sdb"),
            partition("sdc1", "sdc"),
        ],
        leaves: vec![ssd("sda"), ssd("sdb"), ssd("sdc")],
        alignments: vec![
            alignment("md0", "sda", 136_314_880, (1 << 20, UnitSource::Convention)),
            alignment("md0", "sdb", 136_314_880, (1 << 20, UnitSource::Convention)),
            alignment("sdc1", "sdc", 32_256, (1 << 20, UnitSource::Convention)),
        ],
        capacity_bytes: Some(479_843_057_664),
        ..Default::default()
    }
}

fn crypt() -> Layer {
    Layer {
        detail: Some(LayerDetail::Crypt(Encryption {
            format: EncryptionFormat::Luks2,
            cipher: None,
            sector_bytes: None,
            data_offset_bytes: None,
        })),
        unknown: vec![Unknown { fact: Fact::Cipher, why: Why::NeedsRoot }],
        ..Layer::new(LayerKind::Crypt, "dm-1", &["dm-0"])
    }
}

fn segment(target: &str, start_bytes: u64, len_bytes: u64, detail: Option<SegmentDetail>) -> Segment {
    Segment { target: target.to_string(), start_bytes, len_bytes, detail }
}

fn volume() -> Layer {
    Layer {
        detail: Some(LayerDetail::Lvm(LogicalVolume {
            group: "vg-data".to_string(),
            volume: "srv".to_string(),
            part: None,
        })),
        segments: vec![
            segment("linear", 0, 100 << 30, None),
            segment(
                "striped",
                100 << 30,
                300 << 30,
                Some(SegmentDetail::Striped { stripes: 2, chunk_bytes: 64 << 10 }),
            ),
        ],
        ..Layer::new(LayerKind::Lvm, "dm-0", &["md0"])
    }
}

fn set() -> Layer {
    let member = |name: &str, state: &str| MdMember {
        name: name.to_string(),
        states: vec![state.to_string()],
        ..Default::default()
    };
    Layer {
        detail: Some(LayerDetail::Md(MdArray {
            level: Some("raid5".to_string()),
            chunk_bytes: Some(512 << 10),
            raid_disks: Some(3),
            data_disks: Some(2),
            members: vec![member("sda1", "in_sync"), member("sdb1", "in_sync"), member("sdc1", "spare")],
            array_state: Some("clean".to_string()),
            sync_action: Some("recover".to_string()),
            sync_progress: Some(SyncProgress { done_bytes: 60 << 30, total_bytes: 240 << 30 }),
            degraded: Some(1),
            has_bitmap: Some(true),
            ..Default::default()
        })),
        ..Layer::new(LayerKind::Md, "md0", &["sda1", "sdb1", "sdc1"])
    }
}

/// A file system of `mkfs.xfs -b size=4096 -i size=512 -l size=64m`.
fn mount() -> Mount {
    let xfs = XfsGeometry {
        block_bytes: 4_096,
        inode_bytes: 512,
        sector_bytes: 512,
        groups: 16,
        log_bytes: 64 << 20,
        log_stripe_bytes: 512 << 10,
        stripe_unit_bytes: 512 << 10,
        stripe_width_bytes: 1 << 20,
        has_checksums: true,
        has_reflink: true,
        ..Default::default()
    };
    Mount {
        mount_point: "/srv".to_string(),
        fs_type: "xfs".to_string(),
        source: "/dev/mapper/srv".to_string(),
        options: ["rw", "noatime", "logbufs=8"].map(String::from).into(),
        size_bytes: 479_843_057_664,
        available_bytes: 120_000_000_000,
        is_memory: false,
        file_system: Some(FileSystem {
            block_bytes: Some(4_096),
            inodes: Some(Inodes { total: 234_299_392, free: 234_001_111 }),
            created: Some(Created { unix_s: 1_709_164_800, source: CreatedSource::MountRoot }),
            copy_on_write: Some(false),
            effects: vec![MountEffect::NoAccessTimes],
            flags: vec![PathFlag::Encrypted],
            geometry: Some(Geometry::Xfs(xfs)),
            ..Default::default()
        }),
    }
}

/// A Raspberry Pi 4 with a weak power supply.
pub(crate) fn raspberry_pi() -> RaspberryPi {
    let weak = ThrottleState { under_voltage: true, throttled: true, ..Default::default() };
    let setting = |effect, line, condition: Option<&str>| BootSetting {
        effect,
        file: "/boot/firmware/config.txt".to_string(),
        line,
        condition: condition.map(str::to_string),
    };
    RaspberryPi {
        revision_code: Some(0xd0_4170),
        board: Some(Board {
            model: "5".to_string(),
            revision: "1.0".to_string(),
            memory_bytes: Some(8 << 30),
            processor: "BCM2712".to_string(),
            maker: "Sony UK".to_string(),
        }),
        throttling: Some(Throttling { now: ThrottleState::default(), since_boot: weak }),
        under_voltage: Some(false),
        temperature_c: Some(54.5),
        core_voltage_v: None,
        settings: vec![
            setting(BootEffect::PcieGeneration(3), 12, None),
            setting(BootEffect::SdOverclockMhz(100), 15, Some("EDID=VSC-TD2220")),
        ],
        unknown: Vec::new(),
    }
}
