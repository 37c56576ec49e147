//! The layers between a path and its drives, as a tree, and their alignment.

use cardiograph_core::drive::{
    Alignment, Bcache, Drive, Encryption, EncryptionFormat, Layer, LayerDetail, LogicalVolume, LoopDevice,
    MdArray, Partition, UnitSource,
};
use cardiograph_core::{Message, Parameter, message};

use super::{partition_type, segments, unknown};
use crate::doc::{Fact, Node, words};

/// The layers, each below those on top of it, with their facts.
pub(super) fn section(drive: &Drive) -> Option<Node> {
    if drive.layers.is_empty() {
        return None;
    }
    let mut tree = Tree { drive, shown: Vec::new(), facts: Vec::new() };
    drive.tops().into_iter().for_each(|top| tree.grow(top, 0));
    // Reports of earlier versions have layers without their position in the stack.
    let Tree { shown, mut facts, .. } = tree;
    let rest = drive.layers.iter().filter(|layer| !shown.contains(&layer.name.as_str()));
    facts.extend(rest.filter_map(|layer| Fact::from_phrases(Message::verbatim(&layer.name), phrases(layer))));
    let aligned = |found: &Alignment| Fact::new(message!("layer-label.alignment"), alignment(found));
    facts.extend(drive.alignments.iter().map(aligned));
    Node::facts("layers", message!("layer-heading"), facts)
}

struct Tree<'d> {
    drive: &'d Drive,
    /// Layers already in the tree.
    shown: Vec<&'d str>,
    facts: Vec<Fact>,
}

impl<'d> Tree<'d> {
    /// Adds a layer or a drive, and everything below it.
    fn grow(&mut self, name: &'d str, depth: u8) {
        let drive = self.drive;
        let layer = drive.layers.iter().find(|layer| layer.name == name);
        let is_shown = layer.is_some() && self.shown.contains(&name);
        let value = match layer {
            Some(_) if is_shown => vec![message!("layer-shown")],
            Some(layer) => phrases(layer),
            None => match drive.leaves.iter().find(|leaf| leaf.name == name) {
                Some(leaf) => words::leaf(leaf),
                None => vec![message!("layer-unknown")],
            },
        };
        let facts = Fact::from_phrases(Message::verbatim(name), value);
        self.facts.extend(facts.map(|fact| Fact { depth, ..fact }));
        let Some(layer) = layer.filter(|_| !is_shown) else { return };
        self.shown.push(name);
        let depth = depth.saturating_add(1);
        self.facts.extend(unknown::facts(&layer.unknown).map(|fact| Fact { depth, ..fact }));
        layer.below.iter().for_each(|below| self.grow(below, depth));
    }
}

/// The description of a layer.
fn phrases(layer: &Layer) -> Vec<Message> {
    let facts = match &layer.detail {
        Some(LayerDetail::Partition(partition)) => partition_phrases(partition),
        Some(LayerDetail::Md(array)) => md_phrases(array),
        Some(LayerDetail::Lvm(volume)) => lvm_phrases(volume),
        Some(LayerDetail::Crypt(encryption)) => crypt_phrases(encryption),
        Some(LayerDetail::DeviceMapper(mapping)) => words::names(&mapping.maker),
        Some(LayerDetail::Loop(file)) => loop_phrases(file),
        Some(LayerDetail::Bcache(cache)) => bcache_phrases(cache),
        None => words::names(&layer.label),
    };
    [words::layer_kind(layer.kind), facts, segments::phrases(&layer.segments)].concat()
}

fn partition_phrases(partition: &Partition) -> Vec<Message> {
    let size = Parameter::Bytes;
    let start = partition.start_bytes.map(|bytes| message!("layer-partition.start", start = size(bytes)));
    let len = partition.len_bytes.map(|bytes| message!("layer-partition.length", length = size(bytes)));
    let kind = partition.type_id.as_ref().map(|id| {
        let scheme = partition.scheme.as_deref();
        match (partition_type::name(scheme, id), scheme) {
            (Some(name), _) => name,
            (None, Some(scheme)) => message!("layer-partition.type-of", id, scheme),
            (None, None) => message!("layer-partition.type", id),
        }
    });
    [start, len, kind].into_iter().flatten().collect()
}

fn md_phrases(array: &MdArray) -> Vec<Message> {
    let drives = array.raid_disks.map(|drives| match array.raid_disks_before {
        Some(before) => message!("layer-md.reshaped", before, drives),
        None => message!("layer-md.drives", drives),
    });
    let missing = array.degraded.filter(|&missing| missing > 0);
    let action = array.sync_action.as_ref().filter(|action| *action != "idle");
    let action = action.map(|action| match array.sync_progress {
        Some(progress) => {
            let done = progress.done_bytes as f64 / progress.total_bytes.max(1) as f64;
            message!("layer-md.action", action, done = Parameter::share(done))
        }
        None => Message::verbatim(action),
    });
    let known = [
        array.level.as_ref().map(Message::verbatim),
        array.chunk_bytes.map(|bytes| message!("layer-md.chunks", size = Parameter::Bytes(bytes))),
        drives,
        array.array_state.as_ref().map(Message::verbatim),
        missing.map(|missing| message!("layer-md.degraded", missing)),
        action,
    ];
    // Members in regular service are not mentioned.
    let odd = array.members.iter().filter_map(|member| {
        let states: Vec<&String> = member.states.iter().filter(|state| *state != "in_sync").collect();
        let has_some = !states.is_empty();
        has_some.then(|| message!("layer-md.member", member = &member.name, states = Parameter::all(states)))
    });
    let bitmap = array.has_bitmap.map(|has_one| match has_one {
        true => message!("layer-md.bitmap"),
        false => message!("layer-md.no-bitmap"),
    });
    known.into_iter().flatten().chain(odd).chain(bitmap).collect()
}

fn lvm_phrases(volume: &LogicalVolume) -> Vec<Message> {
    let part = volume.part.as_ref().map(|part| message!("layer-lvm.part", part));
    let name = message!("layer-lvm.volume", volume = &volume.volume, group = &volume.group);
    std::iter::once(name).chain(part).collect()
}

fn crypt_phrases(encryption: &Encryption) -> Vec<Message> {
    let format = match &encryption.format {
        EncryptionFormat::Luks1 => "LUKS1",
        EncryptionFormat::Luks2 => "LUKS2",
        EncryptionFormat::Plain => "dm-crypt plain",
        EncryptionFormat::Bitlocker => "BitLocker",
        EncryptionFormat::Veracrypt => "VeraCrypt",
        EncryptionFormat::Other(name) => name,
    };
    let sector = encryption.sector_bytes;
    let sector = sector.map(|bytes| message!("layer-crypt-unit", size = Parameter::Bytes(bytes)));
    let names = [Some(format), encryption.cipher.as_deref()].into_iter().flatten().map(Message::verbatim);
    names.chain(sector).collect()
}

fn loop_phrases(file: &LoopDevice) -> Vec<Message> {
    let size = Parameter::Bytes;
    let offset = file.offset_bytes.filter(|&bytes| bytes > 0);
    let facts = [
        file.backing_file.as_ref().map(Message::verbatim),
        file.is_deleted.then(|| message!("layer-loop.deleted")),
        file.direct_io.map(|direct| match direct {
            true => message!("layer-loop.direct"),
            false => message!("layer-loop.cached"),
        }),
        offset.map(|bytes| message!("layer-loop.offset", offset = size(bytes))),
        file.block_bytes.map(|bytes| message!("layer-loop.blocks", size = size(bytes))),
    ];
    facts.into_iter().flatten().collect()
}

fn bcache_phrases(cache: &Bcache) -> Vec<Message> {
    let backing = cache.backing_device.as_ref().map(|device| message!("layer-bcache", device));
    let said = [&cache.mode, &cache.state].into_iter().flatten();
    words::names(said).into_iter().chain(backing).collect()
}

/// The start of a device, relative to the unit below it.
fn alignment(alignment: &Alignment) -> Message {
    let source = match alignment.unit_source {
        UnitSource::AllocationUnit => message!("layer-unit.allocation"),
        UnitSource::PreferredErase => message!("layer-unit.erase"),
        UnitSource::OptimalIo => message!("layer-unit.preferred-io"),
        UnitSource::Stripe => message!("layer-unit.stripe"),
        UnitSource::Convention => message!("layer-unit.convention"),
    };
    let [start, unit] = [alignment.start_bytes, alignment.unit_bytes].map(Parameter::Bytes);
    let Alignment { device, on, .. } = alignment;
    match alignment.is_aligned {
        true => message!("layer-alignment.right", device, on, start, unit, source),
        false => message!("layer-alignment.wrong", device, on, start, unit, source),
    }
}
