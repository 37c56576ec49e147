//! The announcement before anything is written.

use cardiograph_core::card::{Card, Mark, Month, SdStatus};
use cardiograph_core::drive::{Layer, LayerKind};
use cardiograph_core::report::Report;
use cardiograph_core::result::ClockInfo;
use cardiograph_core::{Message, NS_PER_S, Parameter, message, units};

use super::report::title;
use super::words;
use super::{Doc, Fact, Node};

/// Number of clock phrases shown: name, resolution and cost. Its drift is known only later.
const CLOCK_FACTS: usize = 3;

/// Facts of the header besides those in the Report.
#[derive(Debug, Clone, PartialEq)]
pub struct HeaderFacts {
    /// Names of the engines that will execute I/O.
    pub engines: Vec<Message>,
    /// The clock.
    pub clock: ClockInfo,
    /// The data to be written.
    pub writes: Writes,
    /// Maximum duration in nanoseconds, if the drive responds; `None` if only bytes bound it.
    pub time_ns_max: Option<u64>,
}

/// The maximum of data to be written, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// In files that are removed afterwards.
    ToTestFiles(u64),
    /// Over the content of a device.
    ToDevice(u64),
    /// Over the content of a device, which is saved first and restored.
    AndBack(u64),
    /// In files or devices named by the user; `None` if only time bounds it.
    ToNamed(Option<u64>),
}

/// The subject of the measurement, its means, and its cost.
pub fn header(report: &Report, facts: &HeaderFacts) -> Doc {
    let (drive, host) = (&report.drive, &report.host);
    let machine = [host.model.as_ref().or(host.cpu.as_ref()), host.kernel.as_ref(), host.arch.as_ref()];
    let is_virtual = report.environment.virtual_machine == Some(true);
    let machine = machine.into_iter().flatten().map(Message::verbatim);
    let machine = machine.chain(is_virtual.then(|| message!("machine-virtual")));
    let before = [
        Fact::from_phrases(message!("header-label.label"), report.label.as_ref().map(Message::verbatim)),
        Fact::from_phrases(message!("header-label.tags"), title::tags(report)),
    ];
    let behind = [
        Fact::from_phrases(message!("header-label.layers"), layers(&drive.layers)),
        Fact::from_phrases(message!("header-label.file-system"), file_system(report)),
        Fact::from_phrases(message!("header-label.machine"), machine),
        Fact::from_phrases(message!("header-label.engines"), facts.engines.clone()),
        Fact::from_phrases(
            message!("header-label.clock"),
            words::clock(&facts.clock).into_iter().take(CLOCK_FACTS),
        ),
        Some(Fact::new(message!("header-label.suite"), Message::verbatim(&report.suite))),
        Some(Fact::new(message!("header-label.time"), time(facts.time_ns_max, drive.simulated))),
        Some(Fact::new(message!("header-label.writes"), written(facts.writes, drive.simulated))),
    ];
    let facts = before.into_iter().flatten().chain(drives(report)).chain(behind.into_iter().flatten());
    Doc::untitled(vec![Node::Facts(facts.collect())])
}

/// The drive, its parts, and the marks of cards.
fn drives(report: &Report) -> Vec<Fact> {
    let drive = &report.drive;
    let whole = words::drive(drive);
    let name = match drive.leaves.as_slice() {
        [leaf] => Some(Message::verbatim(&leaf.name)),
        _ => None,
    };
    let first = Fact::from_phrases(message!("header-label.drive"), whole.into_iter().chain(name));
    let parts = drive.leaves.iter().filter(|_| drive.leaves.len() > 1);
    let parts = parts.filter_map(|leaf| {
        Fact::further([Message::verbatim(&leaf.name)].into_iter().chain(words::leaf(leaf)))
    });
    let cards = drive.leaves.iter().filter_map(|leaf| {
        let card = leaf.card.as_ref()?;
        // A simulated card has marks, but no manufacturer.
        let claims = if leaf.simulates.is_some() { marks(card).into_iter().collect() } else { claims(card) };
        Fact::from_phrases(message!("header-label.card"), claims)
    });
    first.into_iter().chain(parts).chain(cards).collect()
}

/// The marks of a card: `marked C10 U1 A1`; `None` if it has none.
fn marks(card: &Card) -> Option<Message> {
    let Card::Sd(card) = card else { return None };
    let marks: Vec<String> = card.status.iter().flat_map(SdStatus::marks).map(Mark::label).collect();
    (!marks.is_empty()).then(|| message!("header-card.marks", marks = marks.join(" ")))
}

/// A card's claims: manufacturer, marks or wear, and date of manufacture.
fn claims(card: &Card) -> Vec<Message> {
    let (identity, claims) = match card {
        Card::Sd(sd) => (&sd.identity, marks(card)),
        Card::Emmc(chip) => {
            let percent = |percent: u8| Parameter::share(f64::from(percent) / 100.0);
            let wear = match chip.life_used_percent.iter().flatten().max() {
                _ if chip.is_worn_out => Some(message!("header-card.worn-out")),
                Some(&(low, high)) => {
                    Some(message!("header-card.used", low = percent(low), high = percent(high)))
                }
                None => None,
            };
            (&chip.identity, wear)
        }
    };
    // A manufacturer sells to many brands: several names would say nothing.
    let maker = match identity.makers.as_slice() {
        [maker] if !identity.maker_is_disputed => Message::verbatim(maker),
        _ => message!("header-card.maker-id", id = format!("0x{:02x}", identity.maker_id)),
    };
    let made = identity
        .made
        .map(|Month { year, month }| message!("header-card.made", month = format!("{year}-{month:02}")));
    std::iter::once(maker).chain(claims).chain(made).collect()
}

/// The layers between file system and drives that can change a figure. Partitions cannot.
fn layers(layers: &[Layer]) -> Vec<Message> {
    let layers = layers.iter().filter(|layer| layer.kind != LayerKind::Partition);
    let phrase = |layer: &Layer| {
        let name = layer.label.as_deref().unwrap_or(&layer.name);
        let kind = words::layer_kind(layer.kind).swap_remove(0);
        message!("header-layer", kind, name)
    };
    layers.map(phrase).collect()
}

fn file_system(report: &Report) -> Vec<Message> {
    let Some(mount) = &report.drive.mount else { return Vec::new() };
    let (free, size) = (Parameter::CapacityBytes(mount.available_bytes), Parameter::Bytes(mount.size_bytes));
    vec![
        message!("header-mount.at", kind = &mount.fs_type, place = &mount.mount_point),
        message!("header-mount.free", free, size),
    ]
}

fn time(time_ns_max: Option<u64>, is_simulated: bool) -> Message {
    let Some(ns) = time_ns_max else { return message!("header-time.unbounded") };
    let time = units::elapsed(ns.div_ceil(NS_PER_S).saturating_mul(NS_PER_S));
    if is_simulated { message!("header-time.virtual", time) } else { message!("header-time.at-most", time) }
}

fn written(writes: Writes, is_simulated: bool) -> Message {
    let bytes = |bytes| Parameter::CapacityBytes(bytes);
    match writes {
        Writes::ToTestFiles(0) | Writes::ToDevice(0) | Writes::ToNamed(Some(0)) => {
            message!("header-writes.nothing")
        }
        _ if is_simulated => message!("header-writes.simulated"),
        Writes::ToTestFiles(most) => message!("header-writes.test-files", most = bytes(most)),
        Writes::ToDevice(most) => message!("header-writes.device", most = bytes(most)),
        Writes::AndBack(most) => message!("header-writes.restored", most = bytes(most)),
        Writes::ToNamed(Some(most)) => message!("header-writes.named", most = bytes(most)),
        Writes::ToNamed(None) => message!("header-writes.unbounded"),
    }
}
