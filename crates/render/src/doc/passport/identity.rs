//! A drive's identity, and how the kernel treats it.

use cardiograph_core::drive::Leaf;
use cardiograph_core::{Message, Parameter, message};

use super::{controller, health, link, queue, unknown, virtual_disk};
use crate::doc::Fact;

/// All facts on a drive except its registers.
pub(super) fn facts(leaf: &Leaf) -> Vec<Fact> {
    let known = leaf_facts(leaf).into_iter().flatten().chain(virtual_disk::fact(leaf));
    let sections = [link::facts, queue::facts, controller::facts, health::facts];
    let further = sections.into_iter().flat_map(|facts| facts(leaf));
    known.chain(further).chain(unknown::facts(&leaf.unknown)).collect()
}

fn leaf_facts(leaf: &Leaf) -> [Option<Fact>; 10] {
    let device = Some(&leaf.name).filter(|name| !name.is_empty());
    let serial = leaf.serial.as_ref().filter(|serial| leaf.id.as_ref() != Some(serial));
    let name = |text: Option<&String>| text.map(Message::verbatim);
    [
        Fact::from_phrases(
            message!("drive-label.device"),
            device.map(|name| Message::verbatim(format!("/dev/{name}"))),
        ),
        Fact::from_phrases(message!("drive-label.id"), name(leaf.id.as_ref())),
        Fact::from_phrases(message!("drive-label.serial"), name(serial)),
        Fact::from_phrases(message!("drive-label.firmware"), name(leaf.firmware.as_ref())),
        Fact::from_phrases(message!("drive-label.capacity"), leaf.capacity_bytes.map(capacity)),
        Fact::from_phrases(message!("drive-label.rotation"), rotation(leaf)),
        Fact::from_phrases(message!("drive-label.blocks"), blocks(leaf)),
        Fact::from_phrases(message!("drive-label.write-cache"), leaf.write_cache.as_deref().map(write_cache)),
        Fact::from_phrases(message!("drive-label.trim"), leaf.discards.map(discards)),
        Fact::from_phrases(message!("drive-label.scheduler"), name(leaf.scheduler.as_ref())),
    ]
}

/// In decimal and binary units: labels have the former, tools show the latter.
fn capacity(bytes: u64) -> Message {
    let [decimal, binary] = [Parameter::CapacityBytes(bytes), Parameter::Bytes(bytes)];
    message!("drive-capacity", decimal, binary, bytes)
}

fn rotation(leaf: &Leaf) -> Vec<Message> {
    let Some(turns) = leaf.turns_per_min.filter(|&turns| turns > 0) else { return Vec::new() };
    let zones = leaf.hides_zones.then(|| message!("drive-rotation.shingled"));
    std::iter::once(message!("drive-rotation.speed", turns)).chain(zones).collect()
}

fn blocks(leaf: &Leaf) -> Vec<Message> {
    let Some(logical) = leaf.logical_block_bytes else { return Vec::new() };
    match leaf.physical_block_bytes.filter(|&physical| physical != logical) {
        Some(physical) => vec![
            message!("drive-blocks.logical", size = Parameter::Bytes(logical)),
            message!("drive-blocks.physical", size = Parameter::Bytes(physical)),
        ],
        None => vec![Message::quantity(Parameter::Bytes(logical))],
    }
}

/// The kernel's two words, with their meaning.
fn write_cache(word: &str) -> Message {
    match word {
        "write back" => message!("drive-write-cache.back"),
        "write through" => message!("drive-write-cache.through"),
        other => Message::verbatim(other),
    }
}

const fn discards(accepts: bool) -> Message {
    if accepts { message!("drive-trim.accepted") } else { message!("drive-trim.refused") }
}
