//! Drives whose connection, controller, server and health are known.

use cardiograph_core::drive::{
    Bus, CacheBackup, CompletesOn, Controller, Drive, Health, HealthSource, Leaf, LeafKind, Link, Merges,
    MmcLink, MmcSource, MmcTiming, PcieLane, PcieLink, Provider, Queue, RaidVolume, SasLink, SataLink,
    UsbDriver, UsbLink, VirtualDisk, WritePolicy, Zones,
};

/// One of each kind of connection.
pub(super) fn named_drives() -> Vec<(&'static str, Drive)> {
    let links = [
        ("nvme", nvme()),
        ("usb-ssd", usb_ssd()),
        ("sata", sata()),
        ("sas", sas()),
        ("raid", raid_volume()),
        ("cloud", cloud_volume()),
        ("sd-mode", sd_mode()),
    ];
    links.into_iter().map(|(name, leaf)| (name, drive(leaf))).collect()
}

fn drive(leaf: Leaf) -> Drive {
    Drive {
        path: format!("/dev/{}", leaf.name),
        capacity_bytes: leaf.capacity_bytes,
        leaves: vec![leaf],
        ..Drive::default()
    }
}

fn some(text: &str) -> Option<String> {
    Some(text.to_string())
}

fn leaf(name: &str, kind: LeafKind, model: &str, capacity_bytes: u64) -> Leaf {
    Leaf {
        name: name.to_string(),
        kind,
        model: some(model),
        capacity_bytes: Some(capacity_bytes),
        ..Leaf::default()
    }
}

fn nvme() -> Leaf {
    let lane = |generation, lanes| Some(PcieLane { generation, lanes });
    let link = PcieLink { now: lane(2, 1), drive_max: lane(3, 4), slot_max: lane(3, 1) };
    let health = Health {
        source: HealthSource::Program { name: "smartctl".to_string(), version: some("7.3") },
        passed: Some(true),
        temperature_c: Some(29),
        temperature_warning_c: Some(84),
        temperature_critical_c: Some(88),
        above_warning_min: Some(3),
        above_critical_min: Some(0),
        used_percent: Some(16),
        spare_percent: Some(100),
        spare_limit_percent: Some(10),
        read_bytes: Some(3_682_840_576_000),
        written_bytes: Some(58_195_344_896_000),
        power_on_h: Some(10_423),
        power_cycles: Some(6),
        unsafe_shutdowns: Some(1),
        media_errors: Some(0),
        critical_warning: Some(0),
        ..Health::default()
    };
    let queue = Queue {
        fua: Some(true),
        discard_granularity_bytes: Some(512),
        discard_max_bytes: Some(2_199_023_255_040),
        zones: Some(Zones::None),
        read_ahead_bytes: Some(131_072),
        requests_max: Some(1_023),
        completes_on: Some(CompletesOn::Group),
        merges: Some(Merges::All),
        polls: Some(false),
        write_throttle_us: Some(2_000),
        ..Queue::default()
    };
    Leaf {
        link: Some(Link::new(Bus::Pcie(link))),
        queue: Some(queue),
        health: Some(health),
        ..leaf("nvme0n1", LeafKind::Nvme, "WDC WDS500G2B0C-00PXH0", 500_107_862_016)
    }
}

fn usb_ssd() -> Leaf {
    let link = UsbLink {
        mbit_per_s: Some(480),
        socket_mbit_per_s: Some(480),
        version: some("2.10"),
        driver: Some(UsbDriver::UsbStorage),
        vendor_id: some("152d"),
        product_id: some("0578"),
        vendor: some("JMicron"),
        product: some("JMS579"),
        units: Some(1),
        serial: some("191951815235"),
        quirks: some("u"),
    };
    let queue = Queue {
        fua: Some(false),
        zones: Some(Zones::HostAware),
        optimal_io_bytes: Some(33_553_920),
        ..Queue::default()
    };
    Leaf {
        link: Some(Link::new(Bus::Usb(link))),
        queue: Some(queue),
        ..leaf("sda", LeafKind::Usb, "CT240BX500SSD1", 240_057_409_536)
    }
}

fn sata() -> Leaf {
    let link = SataLink {
        mbit_per_s: Some(3_000),
        host_mbit_per_s_max: Some(3_000),
        drive_mbit_per_s_max: Some(6_000),
    };
    let health = Health {
        source: HealthSource::Program { name: "smartctl".to_string(), version: None },
        passed: Some(false),
        temperature_c: Some(36),
        used_percent: Some(19),
        used_from: some("177 Wear_Leveling_Count"),
        written_bytes: Some(33_166_218_315_776),
        written_from: some("241 Total_LBAs_Written"),
        reallocated_sectors: Some(8),
        pending_sectors: Some(1),
        media_errors: Some(2),
        ..Health::default()
    };
    Leaf {
        link: Some(Link::new(Bus::Sata(link))),
        health: Some(health),
        ..leaf("sdb", LeafKind::Sata, "Samsung SSD 860 EVO 500GB", 500_107_862_016)
    }
}

fn sas() -> Leaf {
    let link = SasLink { mbit_per_s: Some(6_000), host_mbit_per_s_max: Some(12_000), lanes: 1 };
    Leaf {
        vendor: some("HITACHI"),
        rotational: Some(true),
        link: Some(Link::new(Bus::Sas(link))),
        ..leaf("sdc", LeafKind::Scsi, "H109060SESUN600G", 600_127_266_816)
    }
}

fn raid_volume() -> Leaf {
    let volume = RaidVolume {
        level: some("RAID1"),
        state: some("Optl"),
        write_policy: Some(WritePolicy::Through),
        write_policy_asked: Some(WritePolicy::Back),
        reads_ahead: Some(true),
        reads_cached: Some(false),
        drive_cache: some("Disk's Default"),
        strip_bytes: Some(262_144),
        drives: Some(2),
    };
    let controller = Controller {
        driver: "megaraid_sas".to_string(),
        model: some("AVAGO MegaRAID SAS 9361-8i"),
        firmware: some("4.680.00-8249"),
        program: some("storcli64"),
        volume: Some(volume),
        backup: Some(CacheBackup { is_flash: true, model: some("CVPM02"), state: some("Failed") }),
    };
    Leaf { controller: Some(controller), ..leaf("sda", LeafKind::Scsi, "MR9361-8i", 479_559_942_144) }
}

fn cloud_volume() -> Leaf {
    let disk = VirtualDisk {
        provider: Some(Provider::Amazon),
        product: "Elastic Block Store".to_string(),
        volume: some("vol-0a1b2c3d4e5f60718"),
        is_local: Some(false),
    };
    Leaf {
        virtual_disk: Some(disk),
        ..leaf("nvme0n1", LeafKind::Nvme, "Amazon Elastic Block Store", 107_374_182_400)
    }
}

fn sd_mode() -> Leaf {
    let link = MmcLink {
        timing: Some(MmcTiming::Sdr104),
        clock_hz: Some(200_000_000),
        lines: Some(4),
        source: Some(MmcSource::Settings),
        reader: None,
    };
    Leaf {
        link: Some(Link::new(Bus::Mmc(link))),
        ..leaf("mmcblk0", LeafKind::SdCard, "SD64G", 62_277_025_792)
    }
}
