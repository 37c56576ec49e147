//! Phrases for the values of core's types.

use cardiograph_core::drive::{Drive, LayerKind, Leaf, LeafKind};
use cardiograph_core::report::ReportState;
use cardiograph_core::result::{ClockInfo, ClockSource};
pub use cardiograph_core::words::app::app_part;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::record::TestFigures;

/// Names from outside as phrases.
pub fn names<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<Message> {
    names.into_iter().map(Message::verbatim).collect()
}

/// A drive: its name, its kind, its capacity, without the kernel's name.
pub fn leaf(leaf: &Leaf) -> Vec<Message> {
    let known = |text: &Option<String>| {
        text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_string)
    };
    // SATA drives behind SCSI have the vendor "ATA", and many models begin with their vendor's name.
    let vendor = known(&leaf.vendor).filter(|vendor| vendor != "ATA");
    let name = match (vendor, known(&leaf.model)) {
        (Some(vendor), Some(model)) if !model.starts_with(&vendor) => Some(format!("{vendor} {model}")),
        (vendor, model) => model.or(vendor),
    };
    let capacity = leaf.capacity_bytes.map(|bytes| Message::quantity(Parameter::CapacityBytes(bytes)));
    [name.map(Message::verbatim), Some(leaf_kind(leaf)), capacity].into_iter().flatten().collect()
}

fn leaf_kind(leaf: &Leaf) -> Message {
    // A virtual disk is not a drive, whatever its protocol.
    let is_served = leaf.virtual_disk.is_some();
    match (leaf.kind, leaf.rotational) {
        (LeafKind::Nvme, _) if is_served => message!("drive-kind.virtual-nvme"),
        (LeafKind::Scsi | LeafKind::Sata, _) if is_served => message!("drive-kind.virtual-scsi"),
        (LeafKind::SdCard, _) => message!("drive-kind.sd-card"),
        (LeafKind::Emmc, _) => message!("drive-kind.emmc"),
        (LeafKind::Nvme, _) => message!("drive-kind.nvme"),
        (LeafKind::Usb, _) => message!("drive-kind.usb"),
        (LeafKind::Sata, Some(true)) => message!("drive-kind.sata-hdd"),
        (LeafKind::Sata, _) => message!("drive-kind.sata"),
        (LeafKind::Scsi, _) => message!("drive-kind.scsi"),
        (LeafKind::Virtual, _) => message!("drive-kind.virtual"),
        (LeafKind::Simulated, _) => message!("drive-kind.simulated"),
        (LeafKind::Memory, _) => message!("drive-kind.memory"),
        (LeafKind::Unknown, _) => message!("drive-kind.unknown"),
    }
}

/// The measured drive.
pub fn drive(drive: &Drive) -> Vec<Message> {
    let is_memory = drive.mount.as_ref().is_some_and(|mount| mount.is_memory);
    match drive.leaves.as_slice() {
        _ if is_memory => vec![message!("drive-kind.only-memory")],
        [] => vec![message!("drive-kind.invisible")],
        [one] => leaf(one),
        many => {
            let capacity =
                drive.capacity_bytes.map(|bytes| Message::quantity(Parameter::CapacityBytes(bytes)));
            std::iter::once(message!("drive-kind.several", drives = many.len())).chain(capacity).collect()
        }
    }
}

/// The kind of a layer between a path and its drives, with an explanation if it is not widely known.
pub fn layer_kind(kind: LayerKind) -> Vec<Message> {
    match kind {
        LayerKind::Partition => vec![message!("layer-kind.partition")],
        LayerKind::Md => vec![message!("layer-kind.md")],
        LayerKind::Lvm => vec![message!("layer-kind.lvm")],
        LayerKind::Crypt => vec![message!("layer-kind.crypt")],
        LayerKind::DeviceMapper => vec![message!("layer-kind.device-mapper")],
        LayerKind::Loop => vec![message!("layer-kind.loop")],
        LayerKind::Bcache => vec![Message::verbatim("bcache"), message!("layer-kind.bcache")],
        LayerKind::Drbd => vec![Message::verbatim("DRBD"), message!("layer-kind.drbd")],
        LayerKind::Other => vec![message!("layer-kind.other")],
    }
}

/// The title of a test, with the part of an application if it is one.
pub fn test(test: &TestFigures) -> Message {
    match test.test.split_once('/') {
        Some((_, part)) => message!("test-part", test = test.title.clone(), part = app_part(part)),
        None => test.title.clone(),
    }
}

/// The state of a checkup, unless it has finished.
pub fn state(state: ReportState) -> Option<Message> {
    match state {
        ReportState::Finished => None,
        ReportState::Running => Some(message!("checkup-state.running")),
        ReportState::Interrupted => Some(message!("checkup-state.interrupted")),
        ReportState::Failed => Some(message!("checkup-state.failed")),
    }
}

/// The clock and its properties.
pub fn clock(clock: &ClockInfo) -> Vec<Message> {
    let source = match clock.source {
        ClockSource::Tsc => message!("clock.tsc"),
        ClockSource::Cntvct => message!("clock.cntvct"),
        ClockSource::ClockGettime => Message::verbatim("clock_gettime"),
        ClockSource::Virtual => return vec![message!("clock.virtual")],
    };
    let drift = clock.drift_ppm.map(|ppm| message!("clock.drift", ppm = Parameter::number(ppm)));
    let [resolution, cost] = [clock.resolution_ns, clock.read_cost_ns].map(Parameter::latency_ns);
    let parts = [message!("clock.resolution", time = resolution), message!("clock.cost", time = cost)];
    std::iter::once(source).chain(parts).chain(drift).collect()
}

/// Seconds to a tenth.
pub fn seconds(ns: u64) -> Parameter {
    Parameter::Name(cardiograph_core::pause::seconds(ns))
}
