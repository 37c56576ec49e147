//! Who a drive says it is, and how the kernel treats it.

use cardiograph_core::drive::{Drive, Leaf};
use cardiograph_core::units;

use super::{Rows, controller, health, link, mount_points, queue, unknown, virtual_disk};
use crate::text::layout::plain;
use crate::text::words;

/// The drives at the bottom, one after the other.
pub(super) fn rows(drive: &Drive, rows: &mut Rows) {
    if drive.leaves.is_empty() {
        rows.head(&format!("{}: {}", plain(&drive.path), words::drive(drive)));
    }
    for leaf in &drive.leaves {
        rows.head(&words::leaf(leaf));
        of_leaf(leaf, rows);
    }
    rows.row_of("Mounted at", mount_points(drive));
}

fn of_leaf(leaf: &Leaf, rows: &mut Rows) {
    let device = Some(&leaf.name).filter(|name| !name.is_empty());
    rows.row_of("Device", device.map(|name| format!("/dev/{}", plain(name))));
    rows.row_of("Id", leaf.id.as_deref().map(plain));
    let serial = leaf.serial.as_deref().filter(|serial| leaf.id.as_deref() != Some(serial));
    rows.row_of("Serial", serial.map(plain));
    rows.row_of("Firmware", leaf.firmware.as_deref().map(plain));
    rows.row_of("Capacity", leaf.capacity_bytes.map(capacity));
    rows.row_of("Turns", leaf.turns_per_min.filter(|&turns| turns > 0).map(|turns| turning(leaf, turns)));
    rows.row_of("Blocks", blocks(leaf));
    rows.row_of("Write cache", leaf.write_cache.as_deref().map(write_cache));
    rows.row_of("Discard", leaf.discards.map(discards));
    rows.row_of("Scheduler", leaf.scheduler.as_deref().map(plain));
    virtual_disk::rows(leaf, rows);
    link::rows(leaf, rows);
    queue::rows(leaf, rows);
    controller::rows(leaf, rows);
    health::rows(leaf, rows);
    unknown::rows(&leaf.unknown, rows);
}

/// In both units: the label has the one, tools show the other.
fn capacity(bytes: u64) -> String {
    format!("{} ({}, {} bytes)", units::bytes_si(bytes), units::bytes(bytes), units::count(bytes))
}

fn turning(leaf: &Leaf, turns_per_min: u32) -> String {
    let zones = if leaf.hides_zones { "; its tracks overlap, and it hides that (SMR)" } else { "" };
    format!("{turns_per_min} times a minute{zones}")
}

fn blocks(leaf: &Leaf) -> Option<String> {
    Some(match (leaf.logical_block_bytes?, leaf.physical_block_bytes) {
        (logical, Some(physical)) if physical != logical => {
            let [logical, physical] = [logical, physical].map(units::bytes);
            format!("{logical} as it is addressed, {physical} as it is written")
        }
        (logical, _) => units::bytes(logical),
    })
}

/// The kernel's two words, and what they mean.
fn write_cache(word: &str) -> String {
    match word {
        "write back" => "write back: what was acknowledged can be lost until a flush".to_string(),
        "write through" => "write through: what was acknowledged is kept, as far as it says".to_string(),
        other => plain(other),
    }
}

const fn discards(accepts: bool) -> &'static str {
    if accepts { "accepted (TRIM)" } else { "not accepted: it is not told which blocks are free" }
}
