//! What lies between a path and its drives, as a tree, and where it begins on them.

use cardiograph_core::drive::{
    Alignment, Bcache, Drive, Encryption, EncryptionFormat, Layer, LayerDetail, LogicalVolume, LoopDevice,
    MdArray, Partition, UnitSource,
};
use cardiograph_core::units;

use super::{Rows, partition_type, segments, unknown};
use crate::text::layout::{listed, plain};
use crate::text::words;

/// Blanks for each step down.
const INDENT_COLUMNS: usize = 2;
/// Deeper ones are shown at the same place.
const DEPTH_MAX: usize = 6;

/// The layers, each below those that stand on it, with what is known of each.
pub(super) fn rows(drive: &Drive, rows: &mut Rows) {
    if drive.layers.is_empty() {
        return;
    }
    rows.head("What lies above it");
    let mut shown = Vec::new();
    for top in drive.tops() {
        branch(drive, top, 0, &mut shown, rows);
    }
    // What a Report of an earlier version tells without saying on what it stands.
    for layer in drive.layers.iter().filter(|layer| !shown.contains(&layer.name.as_str())) {
        rows.row(&plain(&layer.name), &described(layer));
    }
    for alignment in &drive.alignments {
        rows.row("Alignment", &aligned(alignment));
    }
}

fn branch<'a>(drive: &'a Drive, name: &'a str, depth: usize, shown: &mut Vec<&'a str>, rows: &mut Rows) {
    let indent = " ".repeat(INDENT_COLUMNS * depth.min(DEPTH_MAX));
    let label = format!("{indent}{}", plain(name));
    let Some(layer) = drive.layers.iter().find(|layer| layer.name == name) else {
        let leaf = drive.leaves.iter().find(|leaf| leaf.name == name);
        return rows.row(&label, &leaf.map_or_else(|| "not known".to_string(), words::leaf));
    };
    if shown.contains(&name) {
        return rows.row(&label, "as above");
    }
    shown.push(name);
    rows.row(&label, &described(layer));
    unknown::rows(&layer.unknown, rows);
    for below in &layer.below {
        branch(drive, below, depth + 1, shown, rows);
    }
}

/// What a layer is, in a line.
fn described(layer: &Layer) -> String {
    let facts = match &layer.detail {
        Some(LayerDetail::Partition(partition)) => of_partition(partition),
        Some(LayerDetail::Md(array)) => of_md(array),
        Some(LayerDetail::Lvm(volume)) => of_lvm(volume),
        Some(LayerDetail::Crypt(encryption)) => of_crypt(encryption),
        Some(LayerDetail::DeviceMapper(mapping)) => mapping.maker.iter().map(|maker| plain(maker)).collect(),
        Some(LayerDetail::Loop(file)) => of_loop(file),
        Some(LayerDetail::Bcache(cache)) => of_bcache(cache),
        None => layer.label.iter().map(|label| plain(label)).collect(),
    };
    let segments = segments::described(&layer.segments);
    let (_, kind) = words::layer_kind(layer.kind);
    std::iter::once(kind.to_string()).chain(facts).chain(segments).collect::<Vec<_>>().join(", ")
}

fn of_partition(partition: &Partition) -> Vec<String> {
    let start = partition.start_bytes.map(|bytes| format!("begins at {}", units::bytes(bytes)));
    let len = partition.len_bytes.map(|bytes| format!("{} long", units::bytes(bytes)));
    let kind = partition.type_id.as_ref().map(|id| {
        let scheme = partition.scheme.as_deref();
        match (partition_type::name(scheme, id), scheme) {
            (Some(name), _) => name.to_string(),
            (None, Some(scheme)) => format!("type {} of {}", plain(id), plain(scheme)),
            (None, None) => format!("type {}", plain(id)),
        }
    });
    [start, len, kind].into_iter().flatten().collect()
}

fn of_md(array: &MdArray) -> Vec<String> {
    let mut facts: Vec<String> = array.level.iter().map(|level| plain(level)).collect();
    facts.extend(array.chunk_bytes.map(|bytes| format!("chunks of {}", units::bytes(bytes))));
    facts.extend(array.raid_disks.map(|disks| match array.raid_disks_before {
        Some(before) => format!("{before} drives, to be {disks}"),
        None => format!("{disks} drives"),
    }));
    facts.extend(array.array_state.iter().map(|state| plain(state)));
    if let Some(missing) = array.degraded.filter(|&missing| missing > 0) {
        facts.push(format!("degraded: {missing} missing"));
    }
    if let Some(action) = array.sync_action.as_deref().filter(|&action| action != "idle") {
        let progress = array.sync_progress.map(|progress| {
            format!(" {}", units::percent(progress.done_bytes as f64 / progress.total_bytes.max(1) as f64))
        });
        facts.push(format!("{}{}", plain(action), progress.unwrap_or_default()));
    }
    // Members that serve as they should need no word.
    for member in &array.members {
        let odd: Vec<String> =
            member.states.iter().filter(|state| *state != "in_sync").map(|s| plain(s)).collect();
        if !odd.is_empty() {
            facts.push(format!("{} {}", plain(&member.name), listed(&odd)));
        }
    }
    facts.extend(
        array.has_bitmap.map(|has| if has { "with a bitmap" } else { "without a bitmap" }.to_string()),
    );
    facts
}

fn of_lvm(volume: &LogicalVolume) -> Vec<String> {
    let part = volume.part.as_ref().map(|part| format!("its part {}", plain(part)));
    let name = format!("{} of group {}", plain(&volume.volume), plain(&volume.group));
    std::iter::once(name).chain(part).collect()
}

fn of_crypt(encryption: &Encryption) -> Vec<String> {
    let format = match &encryption.format {
        EncryptionFormat::Luks1 => "LUKS1".to_string(),
        EncryptionFormat::Luks2 => "LUKS2".to_string(),
        EncryptionFormat::Plain => "plain dm-crypt".to_string(),
        EncryptionFormat::Bitlocker => "BitLocker".to_string(),
        EncryptionFormat::Veracrypt => "VeraCrypt".to_string(),
        EncryptionFormat::Other(name) => plain(name),
    };
    let sector = encryption.sector_bytes.map(|bytes| format!("in units of {}", units::bytes(bytes)));
    [Some(format), encryption.cipher.as_deref().map(plain), sector].into_iter().flatten().collect()
}

fn of_loop(file: &LoopDevice) -> Vec<String> {
    let name = file
        .backing_file
        .as_ref()
        .map(|name| format!("{}{}", plain(name), if file.is_deleted { ", which was removed" } else { "" }));
    let cache = file.direct_io.map(|direct| {
        if direct { "direct I/O" } else { "through the page cache of the file's own file system" }.to_string()
    });
    let offset =
        file.offset_bytes.filter(|&bytes| bytes > 0).map(|bytes| format!("from {} on", units::bytes(bytes)));
    let block = file.block_bytes.map(|bytes| format!("blocks of {}", units::bytes(bytes)));
    [name, cache, offset, block].into_iter().flatten().collect()
}

fn of_bcache(cache: &Bcache) -> Vec<String> {
    let backing = cache.backing_device.as_ref().map(|name| format!("in front of {}", plain(name)));
    let told = [&cache.mode, &cache.state].into_iter().flatten().map(|word| plain(word));
    told.chain(backing).collect()
}

/// Where a device begins, against the unit below.
fn aligned(alignment: &Alignment) -> String {
    let unit = match alignment.unit_source {
        UnitSource::AllocationUnit => "the card's allocation unit",
        UnitSource::PreferredErase => "what is erased at once",
        UnitSource::OptimalIo => "the drive's best length of an I/O",
        UnitSource::Stripe => "a stripe",
        UnitSource::Convention => "the usual unit, as the drive names none",
    };
    let verdict = if alignment.is_aligned { "is a multiple of" } else { "is NOT a multiple of" };
    let [device, on] = [&alignment.device, &alignment.on].map(|name| plain(name));
    let [start, len] = [alignment.start_bytes, alignment.unit_bytes].map(units::bytes);
    format!("{device} begins on {on} at {start}, which {verdict} {len} ({unit})")
}
