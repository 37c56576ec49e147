//! What is about to happen, before anything is written.

use cardiograph_core::NS_PER_S;
use cardiograph_core::Report;
use cardiograph_core::units;

use super::layout::{Page, Style, joined, pad_end, plain};
use super::words;

/// Columns of the words on the left.
const LABEL_COLUMNS: usize = 13;

/// What the header says beside the Report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderFacts {
    /// Names of the engines that will execute I/O.
    pub engines: Vec<String>,
    /// The clock, in a few words.
    pub clock: String,
    /// What will be written.
    pub writes: Writes,
    /// At most so many nanoseconds will pass, if the drive answers; `None` when only bytes bound it.
    pub time_ns_max: Option<u64>,
}

/// What will be written, at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// So many bytes, in files that are removed afterwards.
    ToTestFiles(u64),
    /// So many bytes, over what is on a device.
    ToDevice(u64),
    /// At most so many bytes over what is on a device, which is saved before and put back.
    AndBack(u64),
    /// So many bytes, in files or devices that the user names; `None` when only time bounds it.
    ToNamed(Option<u64>),
}

/// What is measured, with what, and what it will cost: shown before anything is written.
pub fn header(report: &Report, facts: &HeaderFacts, style: &Style) -> String {
    let mut page = Page::new(style);
    let mut row = |label: &str, text: &str| page.prose(&pad_end(label, LABEL_COLUMNS), text);
    let (drive, host) = (&report.drive, &report.host);

    if let Some(label) = &report.label {
        row("Label", label);
    }
    joined([super::report::tags(report)], ", ").iter().for_each(|tags| row("Tags", tags));
    match drive.leaves.as_slice() {
        [leaf] => row("Drive", &format!("{}, {}", drive_with_gib(report), plain(&leaf.name))),
        leaves => {
            row("Drive", &drive_with_gib(report));
            for leaf in leaves {
                row("", &format!("{}: {}", plain(&leaf.name), words::leaf(leaf)));
            }
        }
    }
    for (leaf, card) in drive.leaves.iter().filter_map(|leaf| Some((leaf, leaf.card.as_ref()?))) {
        // A simulated card has marks, and nobody who made it.
        let text = if leaf.simulates.is_some() { words::marks(card) } else { Some(words::card(card)) };
        text.iter().for_each(|text| row("Card", text));
    }
    if let Some(layers) = words::layers(&drive.layers) {
        row("Through", &layers);
    }
    if let Some(mount) = &drive.mount {
        let place = format!("{} at {}", plain(&mount.fs_type), plain(&mount.mount_point));
        let free =
            format!("{} free of {}", units::bytes(mount.available_bytes), units::bytes(mount.size_bytes));
        row("File system", &format!("{place}, {free}"));
    }
    let machine = [host.model.as_ref().or(host.cpu.as_ref()), host.kernel.as_ref(), host.arch.as_ref()];
    let is_virtual = report.environment.virtual_machine == Some(true);
    let machine = machine.into_iter().flatten().map(|text| plain(text));
    let machine = joined([machine.chain(is_virtual.then(|| "virtual".to_string()))], ", ");
    machine.iter().for_each(|machine| row("Machine", machine));
    joined([facts.engines.clone()], ", ").iter().for_each(|engines| row("Engines", engines));
    row("Clock", &facts.clock);
    row("Suite", &report.suite);
    row("Takes", &expected_time(facts.time_ns_max, drive.simulated));
    row("Writes", &written(facts.writes, drive.simulated));
    page.into_text()
}

/// The drive with its capacity in both units: labels have GB, file systems GiB.
fn drive_with_gib(report: &Report) -> String {
    let drive = words::drive(&report.drive);
    let capacity = report.drive.leaves.first().and_then(|leaf| leaf.capacity_bytes);
    let capacity = if report.drive.leaves.len() == 1 { capacity } else { report.drive.capacity_bytes };
    match capacity {
        Some(bytes) => format!("{drive} ({})", units::bytes(bytes)),
        None => drive,
    }
}

fn expected_time(time_ns_max: Option<u64>, simulated: bool) -> String {
    let condition = if simulated { "of virtual time" } else { "if the drive answers" };
    match time_ns_max {
        Some(ns) => {
            let whole_seconds_ns = ns.div_ceil(NS_PER_S).saturating_mul(NS_PER_S);
            format!("at most {} {condition}", units::elapsed(whole_seconds_ns))
        }
        None => "as long as the drive needs".to_string(),
    }
}

fn written(writes: Writes, simulated: bool) -> String {
    let (bytes, place) = match writes {
        Writes::ToTestFiles(0) | Writes::ToDevice(0) | Writes::ToNamed(Some(0)) => {
            return "nothing".to_string();
        }
        _ if simulated => return "nothing: the drive is simulated".to_string(),
        Writes::ToTestFiles(bytes) => (bytes, "in files that are removed afterwards"),
        Writes::ToDevice(bytes) => (bytes, "over what is on the device"),
        Writes::AndBack(bytes) => (bytes, "over what is on the device, which is put back"),
        Writes::ToNamed(Some(bytes)) => (bytes, "in files that stay"),
        Writes::ToNamed(None) => return "as much as the time allows, in files that stay".to_string(),
    };
    format!("at most {}, {place}", units::bytes(bytes))
}
