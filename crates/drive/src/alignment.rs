//! Alignment: where the file system starts on the drives and sets below it, as far down as its layers report.

use cardiograph_core::MIB;
use cardiograph_core::card::Card;
use cardiograph_core::drive::{Alignment, Drive, Layer, LayerDetail, Leaf, UnitSource};

use crate::system::System;

/// Maximum depth of a stack; real ones are a handful deep.
const DEPTH_MAX: usize = 16;
/// USB bridges report 65535 blocks of 512 bytes as the optimal length, which is only their maximum. Anything
/// that is not a multiple of a page is not a drive's unit.
const PAGE_LEN_BYTES: u64 = 4_096;

/// Compares each known start with the unit below it.
pub(crate) fn check_stack(system: &System, drive: &Drive) -> Vec<Alignment> {
    let mut alignments = Vec::new();
    for top in drive.tops() {
        let start = Start { device: top, bytes: 0 };
        Descent { system, drive, alignments: &mut alignments }.enter(top, start, 0);
    }
    alignments
}

/// Start of a device, relative to the device that the descent has reached.
#[derive(Clone, Copy)]
struct Start<'a> {
    device: &'a str,
    bytes: u64,
}

struct Descent<'a, 'b> {
    system: &'a System,
    drive: &'a Drive,
    alignments: &'b mut Vec<Alignment>,
}

impl<'a> Descent<'a, '_> {
    fn enter(&mut self, name: &'a str, start: Start<'a>, depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        if let Some(leaf) = self.drive.leaves.iter().find(|leaf| leaf.name == name) {
            self.compare(name, start, unit(self.system, leaf));
        }
        let Some(layer) = self.drive.layers.iter().find(|layer| layer.name == name) else { return };
        let stripe = match &layer.detail {
            Some(LayerDetail::Md(array)) => array.chunk_bytes.zip(array.data_disks),
            _ => None,
        };
        if let Some(bytes) = stripe.and_then(|(chunk_bytes, disks)| chunk_bytes.checked_mul(disks)) {
            self.compare(name, start, (bytes, UnitSource::Stripe));
        }
        for below in &layer.below {
            // For a layer that does not report its offset, counting restarts relative to the layer itself.
            let start = shifted(layer, below, start).unwrap_or(Start { device: below, bytes: 0 });
            self.enter(below, start, depth + 1);
        }
    }

    /// Records a start. An undivided device starts on itself, which is trivial.
    fn compare(&mut self, on: &str, start: Start<'a>, unit: (u64, UnitSource)) {
        let alignment = Alignment::new(start.device, on, start.bytes, unit);
        if start.device != on && !self.alignments.contains(&alignment) {
            self.alignments.push(alignment);
        }
    }
}

/// The same start, relative to the device below `layer`. `None` if the layer does not report its offset.
fn shifted<'a>(layer: &'a Layer, below: &str, start: Start<'a>) -> Option<Start<'a>> {
    let by = |bytes: u64| Some(Start { bytes: start.bytes.checked_add(bytes)?, ..start });
    match layer.detail.as_ref()? {
        LayerDetail::Partition(partition) => by(partition.start_bytes?),
        LayerDetail::Crypt(encryption) => by(encryption.data_offset_bytes?),
        // A set stripes its content, so only the set itself has an offset on a member.
        LayerDetail::Md(array) => {
            let member = array.members.iter().find(|member| member.name == below)?;
            Some(Start { device: &layer.name, bytes: member.data_offset_bytes? })
        }
        LayerDetail::Lvm(_)
        | LayerDetail::DeviceMapper(_)
        | LayerDetail::Loop(_)
        | LayerDetail::Bcache(_) => None,
    }
}

/// The unit of a drive, from the most reliable source.
fn unit(system: &System, leaf: &Leaf) -> (u64, UnitSource) {
    let in_status = match &leaf.card {
        // In UHS modes and for video a card has larger units, multiples of the plain one.
        Some(Card::Sd(card)) => card.status.as_ref().and_then(|status| {
            let units = [status.allocation_unit_bytes, status.uhs_allocation_unit_bytes];
            units.into_iter().flatten().max()
        }),
        _ => None,
    };
    let preferred = || {
        let device = leaf.card.as_ref().and_then(|_| system.block_by_name(&leaf.name))?;
        device.number("device/preferred_erase_size")
    };
    let optimal = || {
        let bytes = leaf.queue.as_ref()?.optimal_io_bytes?;
        bytes.is_multiple_of(PAGE_LEN_BYTES).then_some(bytes)
    };
    let of = |bytes: Option<u64>, source| bytes.filter(|&bytes| bytes > 0).map(|bytes| (bytes, source));
    of(in_status, UnitSource::AllocationUnit)
        .or_else(|| of(preferred(), UnitSource::PreferredErase))
        .or_else(|| of(optimal(), UnitSource::OptimalIo))
        .unwrap_or((MIB, UnitSource::Convention))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::fixture::{self, Fixture};
    use crate::system::Space;

    /// The alignments of a path, as `device on start unit source aligned`.
    fn alignments(fixture: &Fixture, path: &str) -> Vec<String> {
        let drive = fixture.system().identify_mounted(Path::new(path), Space::default()).unwrap();
        let line = |one: &Alignment| {
            let Alignment { device, on, start_bytes, unit_bytes, unit_source, is_aligned } = one;
            format!("{device} {on} {start_bytes} {unit_bytes} {unit_source:?} {is_aligned}")
        };
        drive.alignments.iter().map(line).collect()
    }

    #[test]
    fn a_partition_on_a_card_is_compared_with_its_unit() {
        let pi = fixture::raspberry_pi();
        let card = "sys/devices/platform/axi/1000fff000.mmc/mmc_host/mmc0/mmc0:aaaa";
        pi.file(&format!("{card}/block/mmcblk0/mmcblk0p2/start"), "1056768\n");
        assert_eq!(alignments(&pi, "/home"), ["mmcblk0p2 mmcblk0 541065216 1048576 Convention true"]);
        // An identified card, with the kernel's guess and its own value: an allocation unit of 16 MiB in bits
        // 431 to 428 of its status.
        pi.file(&format!("{card}/cid"), "035344534331364780ecf4c851011b85\n");
        pi.file(&format!("{card}/preferred_erase_size"), "4194304\n");
        assert_eq!(alignments(&pi, "/home"), ["mmcblk0p2 mmcblk0 541065216 4194304 PreferredErase true"]);
        pi.file(&format!("{card}/ssr"), format!("00000000000000000400c00000000000{:096}\n", 0));
        assert_eq!(alignments(&pi, "/home"), ["mmcblk0p2 mmcblk0 541065216 16777216 AllocationUnit false"]);
    }

    #[test]
    fn a_set_is_compared_with_its_stripe_and_its_members_with_their_units() {
        let server = fixture::raid();
        let set = "sys/devices/virtual/block/md0";
        server.file(&format!("{set}/md0p1/start"), "2048\n");
        for (attribute, value) in [("chunk_size", "524288"), ("raid_disks", "2")] {
            server.file(&format!("{set}/md/{attribute}"), value);
        }
        for (member, disk) in [("sda1", "ata1/host0/block/sda"), ("sdb1", "ata2/host1/block/sdb")] {
            server.file(&format!("sys/devices/pci0/{disk}/{member}/start"), "63\n");
            server.file(&format!("{set}/md/dev-{member}/state"), "in_sync\n");
        }
        // The set does not report where its data starts on one of its members.
        server.file(&format!("{set}/md/dev-sda1/offset"), "264192\n");
        assert_eq!(
            alignments(&server, "/srv"),
            [
                "md0p1 md0 1048576 1048576 Stripe true",
                "md0 sda 135298560 1048576 Convention false",
                "sdb1 sdb 32256 1048576 Convention false"
            ]
        );
    }

    #[test]
    fn counting_restarts_at_a_layer_that_does_not_report_its_offset() {
        let laptop = fixture::encrypted();
        let nvme = "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1";
        laptop.file(&format!("{nvme}/nvme0n1p3/start"), "2099200\n");
        laptop.file(&format!("{nvme}/queue/optimal_io_size"), "131072\n");
        assert_eq!(alignments(&laptop, "/"), ["nvme0n1p3 nvme0n1 1074790400 131072 OptimalIo true"]);
        // The maximum I/O length is not a unit.
        laptop.file(&format!("{nvme}/queue/optimal_io_size"), "33553920\n");
        assert_eq!(alignments(&laptop, "/"), ["nvme0n1p3 nvme0n1 1074790400 1048576 Convention true"]);
        laptop.remove(&format!("{nvme}/nvme0n1p3/start"));
        assert_eq!(alignments(&laptop, "/"), [""; 0]);
    }

    #[test]
    fn a_whole_drive_and_a_loop_device_have_nothing_to_compare() {
        let machine = fixture::virtual_machine();
        assert_eq!(alignments(&machine, "/tmp"), [""; 0]);
        machine.file("sys/devices/virtual/block/loop0/loop0p1/start", "2048\n");
        assert_eq!(alignments(&machine, "/mnt/image"), [""; 0]);
    }
}
