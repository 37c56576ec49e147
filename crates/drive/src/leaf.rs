//! Description of a single drive.

use std::path::{Component, Path};

use cardiograph_core::drive::{Bus, Leaf, LeafKind, Link};

use crate::attribute;
use crate::block::BlockDevice;
use crate::card;
use crate::controller;
use crate::link;
use crate::queue;
use crate::system::System;
use crate::virtual_disk;

/// Page 0x80 of a SCSI drive's product data: a header of four bytes, the last two of which are the length,
/// then the serial number (SPC-4, Unit Serial Number VPD page).
const VPD_SERIAL_HEAD_LEN_BYTES: usize = 4;

/// Describes the drive `device`.
pub(crate) fn describe(system: &System, device: &BlockDevice) -> Leaf {
    let kind = kind(system, device);
    let (link, no_link) = link::find(system, device, kind);
    let leaf = Leaf {
        name: device.name.clone(),
        kind,
        simulates: None,
        id: None,
        model: device.text("device/model").or_else(|| device.text("device/name")),
        vendor: vendor(device),
        serial: serial(device).or_else(|| bridge_serial(link.as_ref())),
        firmware: firmware(device),
        capacity_bytes: device.capacity_bytes(),
        rotational: flag(device, "queue/rotational"),
        turns_per_min: None,
        hides_zones: false,
        removable: flag(device, "removable"),
        write_cache: device.text("queue/write_cache"),
        scheduler: device.text("queue/scheduler").and_then(|list| chosen(&list)),
        logical_block_bytes: device.number("queue/logical_block_size").filter(|&bytes| bytes > 0),
        physical_block_bytes: device.number("queue/physical_block_size").filter(|&bytes| bytes > 0),
        discards: device.number("queue/discard_max_bytes").map(|bytes| bytes > 0),
        queue: queue::read(device),
        link,
        card: card::describe(system, device, kind),
        controller: controller::find(system, device),
        virtual_disk: None,
        health: None,
        unknown: no_link.into_iter().collect(),
    };
    Leaf { virtual_disk: virtual_disk::describe(system, &leaf), ..leaf }
}

/// The kind, from the driver's device name first, then from the bus: a card in a USB reader that uses the
/// card's own protocol is a card, but one that appears as a disk is a USB drive.
fn kind(system: &System, device: &BlockDevice) -> LeafKind {
    let is = |prefix: &str| device.name.starts_with(prefix);
    if is("mmcblk") {
        return match device.text("device/type").as_deref() {
            Some("SD") => LeafKind::SdCard,
            Some("MMC") => LeafKind::Emmc,
            _ => LeafKind::Unknown,
        };
    }
    if is("nvme") {
        return LeafKind::Nvme;
    }
    if is("zram") || is("ram") {
        return LeafKind::Memory;
    }
    if is("vd") || is("xvd") {
        return LeafKind::Virtual;
    }
    let below_root = device.dir.strip_prefix(system.root()).unwrap_or(&device.dir);
    if hangs_on(below_root, "usb") {
        LeafKind::Usb
    } else if hangs_on(below_root, "virtio") || hangs_on(below_root, "VMBUS:") {
        LeafKind::Virtual
    } else if hangs_on(below_root, "ata") {
        LeafKind::Sata
    } else if is("sd") || is("sr") {
        LeafKind::Scsi
    } else {
        LeafKind::Unknown
    }
}

/// Whether a directory on the path is a numbered bus, such as `usb2`.
fn hangs_on(dir: &Path, bus: &str) -> bool {
    dir.components().any(|component| match component {
        Component::Normal(name) => name
            .to_str()
            .and_then(|name| name.strip_prefix(bus))
            .is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit())),
        _ => false,
    })
}

/// The vendor. `ATA` is a placeholder of the kernel's translation layer, and a number is not a name.
fn vendor(device: &BlockDevice) -> Option<String> {
    device.text("device/vendor").filter(|vendor| vendor != "ATA" && !vendor.starts_with("0x"))
}

/// The serial number: MMC and NVMe have an attribute of the drive, virtio one of the disk, SCSI a VPD page.
fn serial(device: &BlockDevice) -> Option<String> {
    let plain = device.text("device/serial").or_else(|| device.text("serial"));
    plain.or_else(|| {
        let page = attribute::bytes(&device.dir.join("device/vpd_pg80"))?;
        let (head, serial) = page.split_at_checked(VPD_SERIAL_HEAD_LEN_BYTES)?;
        let len_bytes = usize::from(u16::from_be_bytes([head[2], head[3]]));
        (head[1] == 0x80).then(|| serial.get(..len_bytes)).flatten().and_then(attribute::clean)
    })
}

/// The serial number of a USB stick, or of a bridge whose drive reports none.
fn bridge_serial(link: Option<&Link>) -> Option<String> {
    match &link?.bus {
        Bus::Usb(bridge) => bridge.serial.clone(),
        _ => None,
    }
}

/// The firmware version. NVMe, SCSI and MMC each have their own attribute; SCSI's is truncated for a SATA
/// drive. An eMMC also has SCSI's attribute, for the version of its extended CSD.
fn firmware(device: &BlockDevice) -> Option<String> {
    let of_others = ["device/firmware_rev", "device/fwrev"].iter().find_map(|name| device.text(name));
    of_others.or_else(|| {
        let rev = device.text("device/rev")?;
        Some(ata_firmware(device).filter(|whole| is_cut_of(&rev, whole)).unwrap_or(rev))
    })
}

/// Whether `rev` is libata's truncation of the firmware version `whole`: the last four characters, or the
/// first if those are blank.
pub(crate) fn is_cut_of(rev: &str, whole: &str) -> bool {
    whole.ends_with(rev) || whole.starts_with(rev)
}

/// The firmware version of a SATA drive in page 0x89, available since Linux 5.5: the response to IDENTIFY
/// DEVICE, in byte-swapped words (SAT-4, ATA Information VPD page; ACS-4, words 23 to 26).
fn ata_firmware(device: &BlockDevice) -> Option<String> {
    const PAGE: u8 = 0x89;
    const IDENTIFY_OFFSET_BYTES: usize = 60;
    const FIRMWARE_WORDS: std::ops::Range<usize> = 23..27;
    let page = attribute::bytes(&device.dir.join("device/vpd_pg89"))?;
    let words =
        page.get(IDENTIFY_OFFSET_BYTES + 2 * FIRMWARE_WORDS.start..)?.get(..2 * FIRMWARE_WORDS.len())?;
    let letters: Vec<u8> = words.chunks_exact(2).flat_map(|word| [word[1], word[0]]).collect();
    (page.get(1) == Some(&PAGE)).then(|| attribute::clean(&letters)).flatten()
}

/// A flag, 0 or 1.
pub(crate) fn flag(device: &BlockDevice, attribute: &str) -> Option<bool> {
    match device.number(attribute)? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// The entry in brackets of a list such as `none [mq-deadline] bfq`. A list of one entry has no brackets.
pub(crate) fn chosen(list: &str) -> Option<String> {
    let mut words = list.split_whitespace();
    let bracketed = |word: &str| word.strip_prefix('[')?.strip_suffix(']').map(str::to_string);
    match (words.clone().find_map(bracketed), words.next(), words.next()) {
        (Some(word), _, _) => Some(word),
        (None, Some(only), None) => Some(only.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::card::Card;
    use cardiograph_core::drive::{Fact, Queue, Unknown, Why};

    use super::*;
    use crate::fixture::{self, Fixture};

    fn leaf(fixture: &Fixture, name: &str) -> Leaf {
        let system = fixture.system();
        describe(&system, &system.block_by_name(name).unwrap())
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_string())
    }

    #[test]
    fn a_card_is_described_completely() {
        let expected = Leaf {
            name: "mmcblk0".into(),
            kind: LeafKind::SdCard,
            model: some("SD64G"),
            vendor: None,
            serial: some("0x8a4c1f22"),
            firmware: some("0x0"),
            capacity_bytes: Some(63_864_569_856),
            rotational: Some(false),
            write_cache: some("write through"),
            scheduler: some("mq-deadline"),
            logical_block_bytes: Some(512),
            physical_block_bytes: Some(512),
            discards: Some(true),
            queue: Some(Queue { discard_max_bytes: Some(2_199_023_255_040), ..Queue::default() }),
            link: None,
            unknown: vec![Unknown { fact: Fact::BusMode, why: Why::NotReported }],
            ..Leaf::default()
        };
        assert_eq!(leaf(&fixture::raspberry_pi(), "mmcblk0"), expected);
    }

    #[test]
    fn registers_of_cards_are_read() {
        let (pi, board) = (fixture::pi_card::machine(), fixture::emmc());
        let Some(Card::Sd(card)) = leaf(&pi, "mmcblk0").card else { panic!("an SD card") };
        assert_eq!((card.identity.product.as_str(), card.hints), ("SL32G", Vec::new()));
        let Some(Card::Emmc(chip)) = leaf(&board, "mmcblk1").card else { panic!("an eMMC") };
        assert_eq!((chip.identity.product.as_str(), chip.version.as_deref()), ("M8G1GC", Some("4.5")));
        assert_eq!(leaf(&fixture::raspberry_pi(), "sda").card, None);
    }

    #[test]
    fn drives_of_other_kinds() {
        let usb = leaf(&fixture::raspberry_pi(), "sda");
        assert_eq!(
            (usb.kind, usb.model, usb.vendor),
            (LeafKind::Usb, some("Portable SSD T5"), some("Samsung"))
        );
        assert_eq!((usb.serial, usb.firmware), (some("S46WNS0R104632H"), some("0")));
        let sata = leaf(&fixture::raid(), "sda");
        assert_eq!((sata.kind, sata.model, sata.vendor), (LeafKind::Sata, some("CT500MX500SSD1"), None));
        let nvme = leaf(&fixture::encrypted(), "nvme0n1");
        assert_eq!((nvme.kind, nvme.model), (LeafKind::Nvme, some("Samsung SSD 980 PRO 500GB")));
        assert_eq!(
            (nvme.serial, nvme.firmware, nvme.scheduler),
            (some("S5GYNX0R1"), some("5B2QGXA7"), some("none"))
        );
        let virtio = leaf(&fixture::virtual_machine(), "vda");
        assert_eq!((virtio.kind, virtio.model, virtio.vendor), (LeafKind::Virtual, None, None));
        assert_eq!((virtio.serial, virtio.rotational), (some("root-disk"), Some(true)));
        let emmc = leaf(&fixture::emmc(), "mmcblk1");
        assert_eq!((emmc.kind, emmc.model, emmc.firmware), (LeafKind::Emmc, some("M8G1GC"), some("0x0")));
    }

    #[test]
    fn a_stick_without_a_serial_number_has_that_of_its_bridge() {
        let pi = fixture::pi_usb_ssd::machine();
        assert_eq!(leaf(&pi, "sda").serial, some("191951815235"));
        let dir = format!("sys/devices/{}/2-1:1.0/host0/target0:0:0/0:0:0:0", fixture::pi_usb_ssd::BRIDGE);
        pi.file(&format!("{dir}/vpd_pg80"), b"\0\x80\0\x0c1927E1234567");
        assert_eq!(leaf(&pi, "sda").serial, some("1927E1234567"));
    }

    #[test]
    fn an_nvme_head_with_several_paths_is_described() {
        let head = leaf(&fixture::nvme_multipath(), "nvme1n1");
        assert_eq!((head.kind, head.model), (LeafKind::Nvme, some("KIOXIA KCM61VUL3T20")));
        assert_eq!((head.serial, head.firmware), (some("7180A00AT1X8"), some("0104")));
    }

    #[test]
    fn the_bus_determines_the_kind() {
        let cases = [
            ("pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block", "sda", LeafKind::Sata),
            (
                "platform/scb/fd500000.pcie/usb2/2-1/2-1:1.0/host0/target0:0:0/0:0:0:0/block",
                "sda",
                LeafKind::Usb,
            ),
            ("pci0000:00/0000:00:05.0/virtio1/host2/target2:0:0/2:0:0:0/block", "sda", LeafKind::Virtual),
            ("LNXSYSTM:00/VMBUS:00/f8b3781a/host0/target0:0:0/0:0:0:0/block", "sda", LeafKind::Virtual),
            ("pci0000:00/0000:03:00.0/host0/port-0:0/end_device-0:0/block", "sdz", LeafKind::Scsi),
            // Words that only look like a bus.
            ("pci0000:00/catalog1/usbank/block", "sdz", LeafKind::Scsi),
            ("virtual/block", "zram0", LeafKind::Memory),
            ("virtual/block", "ram3", LeafKind::Memory),
            ("vbd-51712/block", "xvda", LeafKind::Virtual),
            ("virtual/block", "nbd0", LeafKind::Unknown),
            // An unreadable card type is not guessed.
            ("platform/mmc0/mmc0:0001/block", "mmcblk0", LeafKind::Unknown),
        ];
        for (dir, name, kind) in cases {
            let fixture = Fixture::new();
            fixture.disk(dir, name, "8:0", 8);
            assert_eq!(leaf(&fixture, name).kind, kind, "{dir}/{name}");
        }
    }

    #[test]
    fn without_attributes_nothing_is_reported() {
        let fixture = Fixture::new();
        fixture.disk("platform/mmc0/block", "mmcblk0", "179:0", 8);
        fixture.remove("sys/devices/platform/mmc0/block/mmcblk0/size");
        fixture.remove("sys/devices/platform/mmc0/block/mmcblk0/queue");
        let expected = Leaf { name: "mmcblk0".into(), ..Leaf::default() };
        assert_eq!(leaf(&fixture, "mmcblk0"), expected);
    }

    #[test]
    fn garbage_is_not_reported() {
        let huge = [b'9'; 100_000];
        let garbage: [&[u8]; 6] = [b"", b"\n", b"\0\0\0\0", b"\xff\xfe\xfd", b"\x1b\x07", &huge];
        let attributes =
            ["size", "serial", "device/model", "device/vendor", "device/serial", "device/vpd_pg80"];
        let queue = ["rotational", "write_cache", "scheduler", "logical_block_size", "discard_max_bytes"];
        for content in garbage {
            let fixture = Fixture::new();
            fixture.disk("pci0/block", "sda", "8:0", 8);
            for attribute in attributes {
                fixture.file(&format!("sys/devices/pci0/block/sda/{attribute}"), content);
            }
            for attribute in queue.iter().chain(&["physical_block_size"]) {
                fixture.file(&format!("sys/devices/pci0/block/sda/queue/{attribute}"), content);
            }
            let expected = Leaf { name: "sda".into(), kind: LeafKind::Scsi, ..Leaf::default() };
            assert_eq!(leaf(&fixture, "sda"), expected, "{:?}", &content[..content.len().min(8)]);
        }
    }

    #[test]
    fn a_serial_page_must_be_valid() {
        let cases: [(&[u8], Option<&str>); 6] = [
            (b"\0\x80\0\x06 AB12 ", Some("AB12")),
            (b"\0\x80\0\x04AB12junk", Some("AB12")),
            (b"\0\x83\0\x04AB12", None),
            (b"\0\x80\0\x09AB12", None),
            (b"\0\x80\0\0", None),
            (b"\0\x80", None),
        ];
        let fixture = Fixture::new();
        fixture.disk("pci0/block", "sda", "8:0", 8);
        for (page, serial) in cases {
            fixture.file("sys/devices/pci0/block/sda/device/vpd_pg80", page);
            assert_eq!(leaf(&fixture, "sda").serial.as_deref(), serial, "{page:?}");
        }
    }

    #[test]
    fn the_firmware_of_a_sata_drive_is_complete_if_the_kernel_shows_it() {
        let fixture = fixture::raid();
        let disk = "sys/devices/pci0/ata1/host0";
        let page = |firmware: &[u8; 8]| {
            let mut page = vec![0; 572];
            page[1] = 0x89;
            for (word, letters) in page[106..114].chunks_exact_mut(2).zip(firmware.chunks_exact(2)) {
                word.copy_from_slice(&[letters[1], letters[0]]);
            }
            page
        };
        let mut other = page(b"M3CR043 ");
        other[1] = 0x83;
        // The kernel's truncation, the page, and the result. A page that does not match the truncation is
        // ignored.
        let cases: [(&str, Vec<u8>, &str); 7] = [
            ("R043", page(b"M3CR043 "), "M3CR043"),
            (" 043", page(b"M3CR043 "), "M3CR043"),
            ("FW12", page(b"FW12    "), "FW12"),
            ("R043", page(b"ABCDEFGH"), "R043"),
            ("R043", page(&[0; 8]), "R043"),
            ("R043", page(b"M3CR043 ")[..110].to_vec(), "R043"),
            ("R043", other, "R043"),
        ];
        for (rev, page, firmware) in cases {
            fixture.file(&format!("{disk}/rev"), format!("{rev}\n"));
            fixture.file(&format!("{disk}/vpd_pg89"), page);
            assert_eq!(leaf(&fixture, "sda").firmware.as_deref(), Some(firmware), "{rev}");
        }
    }

    #[test]
    fn the_scheduler_in_use_is_in_brackets() {
        let cases = [
            ("none [mq-deadline] kyber bfq", Some("mq-deadline")),
            ("[none]", Some("none")),
            ("none", Some("none")),
            ("none bfq", None),
            ("", None),
        ];
        for (list, word) in cases {
            assert_eq!(chosen(list).as_deref(), word, "{list}");
        }
    }
}
