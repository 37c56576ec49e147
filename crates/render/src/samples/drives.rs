//! Drives for passports.

use cardiograph_core::card::{
    Card, CardIdentity, CounterfeitHint, Emmc, EmmcPackage, Month, SdCard, SdConfiguration, SdData, SdKind,
    SdStatus, SpareBlocks,
};
use cardiograph_core::drive::{
    Drive, Environment, Fact, Host, Leaf, LeafKind, PASSPORT_VERSION, Passport, Unknown, Why,
};
use cardiograph_core::message;

/// A passport of drives on a Raspberry Pi.
pub(crate) fn passport(drives: Vec<Drive>) -> Passport {
    Passport {
        passport_version: PASSPORT_VERSION,
        program: "cardiograph 0.1.0".to_string(),
        made_unix_ms: 1_762_312_741_000,
        host: Host {
            name: None,
            model: Some("Raspberry Pi 5 Model B Rev 1.0".to_string()),
            cpu: Some("Cortex-A76".to_string()),
            cpus: Some(4),
            processor_kinds: Vec::new(),
            memory_bytes: Some(8_443_592_704),
            kernel: Some("Linux 6.12.47+rpt-rpi-2712".to_string()),
            arch: Some("aarch64".to_string()),
            os: Some("Debian GNU/Linux 12 (bookworm)".to_string()),
            raspberry_pi: Some(super::volumes::raspberry_pi()),
        },
        environment: Environment { cpu_governor: Some("ondemand".to_string()), ..Default::default() },
        drives,
        ..Passport::default()
    }
}

/// Drives of several kinds, each with a name for its expected page.
pub(crate) fn named_drives() -> Vec<(&'static str, Drive)> {
    let mut array = super::array().drive;
    array.leaves[1].unknown =
        vec![Unknown { fact: Fact::Health, why: Why::NotInstalled { program: "smartctl".to_string() } }];
    let mut named = vec![
        ("sd-card", sd_card()),
        ("emmc", emmc()),
        ("array", array),
        ("volumes", super::volumes::drive()),
        ("nothing", nothing()),
    ];
    named.extend(super::leaves::named_drives());
    named
}

fn sd_card() -> Drive {
    let card = SdCard {
        identity: CardIdentity {
            maker_id: 0x03,
            makers: vec!["SanDisk".to_string()],
            maker_is_disputed: false,
            application_id: "SD".to_string(),
            product: "SC64G".to_string(),
            revision: "8.0".to_string(),
            serial: 0x0000_1f22,
            made: Some(Month { year: 2017, month: 11 }),
            checksum_is_right: Some(true),
        },
        data: Some(SdData {
            kind: SdKind::Sdxc,
            capacity_bytes: 63_864_569_856,
            is_write_protected: false,
            is_write_protected_for_now: false,
            is_copy: false,
        }),
        configuration: Some(SdConfiguration {
            version: Some("5.x".to_string()),
            has_four_lines: true,
            erases_to_ones: false,
            counts_blocks: true,
            has_extensions: true,
        }),
        status: Some(SdStatus {
            lines: Some(4),
            speed_class: Some(10),
            uhs_grade: Some(3),
            video_class: Some(30),
            application_class: Some(2),
            allocation_unit_bytes: Some(4 << 20),
            uhs_allocation_unit_bytes: Some(4 << 20),
            video_allocation_unit_bytes: Some(8 << 20),
            erase_units: 15,
            erase_timeout_s: Some(3),
            queue_depth: 32,
            has_cache: true,
            has_host_maintenance: false,
            has_card_maintenance: true,
            can_discard: true,
            can_erase_all: true,
            is_plain: true,
        }),
        features: None,
        queue_use: None,
        hints: vec![CounterfeitHint { weight: 1, text: message!("counterfeit.small-serial") }],
    };
    let mut drive = super::card().drive;
    let leaf = &mut drive.leaves[0];
    leaf.id = Some("0x00001f22".to_string());
    leaf.serial = leaf.id.clone();
    leaf.firmware = Some("0x0".to_string());
    leaf.write_cache = Some("write back".to_string());
    leaf.scheduler = Some("mq-deadline".to_string());
    leaf.logical_block_bytes = Some(512);
    leaf.physical_block_bytes = Some(512);
    leaf.discards = Some(true);
    leaf.card = Some(Card::Sd(card));
    leaf.unknown = vec![Unknown { fact: Fact::BusMode, why: Why::NeedsRoot }];
    drive
}

/// As JEDEC's JESD84-B51 allows.
fn emmc() -> Drive {
    let chip = Emmc {
        identity: CardIdentity {
            maker_id: 0x13,
            makers: vec!["Micron".to_string()],
            application_id: "0x014e".to_string(),
            product: "S0J56X".to_string(),
            revision: "1.0".to_string(),
            serial: 0xc5f1_6efc,
            made: Some(Month { year: 2019, month: 5 }),
            ..Default::default()
        },
        version: Some("5.1".to_string()),
        package: Some(EmmcPackage::Soldered),
        life_used_percent: [Some((0, 10)), Some((20, 30))],
        is_worn_out: false,
        spare: Some(SpareBlocks::Normal),
        command_queue_is_on: Some(true),
    };
    let leaf = Leaf {
        name: "mmcblk1".to_string(),
        kind: LeafKind::Emmc,
        model: Some("S0J56X".to_string()),
        serial: Some("0xc5f16efc".to_string()),
        capacity_bytes: Some(15_758_000_128),
        card: Some(Card::Emmc(chip)),
        ..Default::default()
    };
    Drive {
        path: "/dev/mmcblk1".to_string(),
        capacity_bytes: leaf.capacity_bytes,
        leaves: vec![leaf],
        mounted_at: vec!["/".to_string(), "/boot".to_string()],
        ..Default::default()
    }
}

/// A target without a drive.
fn nothing() -> Drive {
    Drive { path: "/proc".to_string(), ..Default::default() }
}
