//! Which processors serve the interrupts of drives (`/proc/interrupts`).

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use cardiograph_core::drive::{InterruptCount, Leaf};

use crate::block::{self, BlockDevice};
use crate::system::System;
use crate::{attribute, link};

/// Names and numbers of a drive's interrupts. A name is more reliable than a number: a device within another
/// one has the numbers of the whole device.
#[derive(Debug, Default)]
struct Lines {
    names: BTreeSet<String>,
    numbers: BTreeSet<u32>,
}

/// Number of interrupts of all `leaves` that each processor served since boot; empty if they cannot be
/// distinguished from others, as for controllers that all use their driver's name.
pub(crate) fn served(system: &System, leaves: &[Leaf]) -> Vec<InterruptCount> {
    let Some(table) = attribute::list_text(&system.under_root("proc/interrupts")) else { return Vec::new() };
    let mut counts = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for leaf in leaves {
        let Some(device) = system.block_by_name(&leaf.name) else { return Vec::new() };
        let paths = system.nvme_paths(&device);
        for device in if paths.is_empty() { vec![device] } else { paths } {
            add(&table, &Lines::for_device(system, &device), &mut taken, &mut counts);
        }
    }
    counts.into_iter().map(|(cpu, count)| InterruptCount { cpu, count }).collect()
}

impl Lines {
    fn for_device(system: &System, device: &BlockDevice) -> Self {
        let mut lines = Self::default();
        for dir in link::ancestors(system, &device.dir) {
            lines.names.extend(names(dir));
            // The nearest device that has any; bridges above it have others.
            if lines.numbers.is_empty() {
                let messages = block::entries(&dir.join("msi_irqs"));
                let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
                lines.numbers.extend(messages.iter().filter_map(number));
            }
            if lines.numbers.is_empty() {
                let wired = attribute::number(&dir.join("irq")).filter(|&number| number > 0);
                lines.numbers.extend(wired.and_then(|number| u32::try_from(number).ok()));
            }
        }
        lines
    }
}

/// Names of the interrupts of an SD or USB host: the host's, such as `mmc0` or `xhci-hcd:usb1`, or the
/// device's, such as `fe340000.mmc`.
fn names(dir: &Path) -> Vec<String> {
    let name = |dir: &Path| dir.file_name().and_then(OsStr::to_str).map(str::to_string);
    let Some(own) = name(dir) else { return Vec::new() };
    let Some(parent) = dir.parent() else { return Vec::new() };
    if name(parent).as_deref() == Some("mmc_host") {
        return [Some(own), parent.parent().and_then(name)].into_iter().flatten().collect();
    }
    if is_root_hub(&own) {
        // A controller has one hub per generation, and its interrupt is named after one of them.
        let siblings = block::entries(parent).into_iter().filter_map(|dir| name(&dir));
        return siblings.filter(|name| is_root_hub(name)).collect();
    }
    Vec::new()
}

/// Whether it has a name such as `usb2`.
fn is_root_hub(name: &str) -> bool {
    name.strip_prefix("usb").is_some_and(|number| number.parse::<u32>().is_ok())
}

/// A line of the table: `36:  0  5159451  PCI-MSIX-0000:00:02.0  1-edge  virtio1-req.0`.
struct Line<'a> {
    number: u32,
    counts: Vec<(u32, u64)>,
    words: Vec<&'a str>,
}

impl<'a> Line<'a> {
    /// `None` for lines without a device, such as timers.
    fn parse(line: &'a str, cpus: &[u32]) -> Option<Self> {
        let (number, rest) = line.split_once(':')?;
        let number = number.trim().parse().ok()?;
        let mut words = rest.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        let counts: Vec<(u32, u64)> =
            cpus.iter().map(|&cpu| Some((cpu, words.next()?.parse().ok()?))).collect::<Option<_>>()?;
        Some(Self { number, counts, words: words.collect() })
    }

    fn has_name(&self, names: &BTreeSet<String>) -> bool {
        let is_it = |word: &&str| {
            names.contains(*word) || word.rsplit_once(':').is_some_and(|(_, last)| names.contains(last))
        };
        self.words.iter().any(is_it)
    }
}

/// Adds up the table's counts of the lines, each only once even if several drives share it.
fn add(table: &str, lines: &Lines, taken: &mut BTreeSet<u32>, counts: &mut BTreeMap<u32, u64>) {
    let mut rows = table.lines();
    // Offline processors are omitted.
    let cpus: Option<Vec<u32>> = rows
        .next()
        .map(|head| head.split_whitespace().map(|word| word.strip_prefix("CPU")?.parse().ok()).collect())
        .unwrap_or_default();
    let Some(cpus) = cpus.filter(|cpus| !cpus.is_empty()) else { return };
    let rows: Vec<Line<'_>> = rows.filter_map(|row| Line::parse(row, &cpus)).collect();
    let is_named = rows.iter().any(|row| row.has_name(&lines.names));
    let is_ours = |row: &&Line<'_>| match is_named {
        true => row.has_name(&lines.names),
        false => lines.numbers.contains(&row.number),
    };
    for row in rows.iter().filter(is_ours) {
        if taken.insert(row.number) {
            let served = row.counts.iter().filter(|(_, count)| *count > 0);
            served.for_each(|(cpu, count)| *counts.entry(*cpu).or_default() += count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture};

    /// Lines of a machine with two processors, of a Raspberry Pi 4 (raspberrypi/linux issue 4260), of an NVMe
    /// drive, and some invalid ones.
    const TABLE: &str = "           CPU0       CPU1\n\
         \x2035:          0          1 PCI-MSIX-0000:00:02.0   0-edge      virtio1-config\n\
         \x2036:          0    5159451 PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0\n\
         \x2039:         40          2     GICv2 158 Level     mmc1, mmc0\n\
         \x2041:          7          8     GICv3 275 Level     xhci-hcd:usb1\n\
         127:       7450          0  IR-PCI-MSIX-0000:01:00.0    1-edge      nvme0q1\n\
         128:          0       5690  IR-PCI-MSIX-0000:01:00.0    2-edge      nvme0q2\n\
         129:       short\n\
         LOC:    6360441    6362535   Local timer interrupts\n\
         ERR:          0\n";

    fn counts(fixture: &Fixture, names: &[&str]) -> Vec<(u32, u64)> {
        let leaves: Vec<Leaf> =
            names.iter().map(|name| Leaf { name: name.to_string(), ..Leaf::default() }).collect();
        served(&fixture.system(), &leaves).into_iter().map(|served| (served.cpu, served.count)).collect()
    }

    #[test]
    fn the_lines_of_a_controller_are_found_by_number() {
        let machine = fixture::virtual_machine();
        assert_eq!(counts(&machine, &["vda"]), []);
        machine.file("proc/interrupts", TABLE);
        assert_eq!(counts(&machine, &["vda"]), []);
        for number in [35, 36] {
            machine.file(&format!("sys/devices/pci0000:00/0000:00:02.0/msi_irqs/{number}"), "msix\n");
        }
        assert_eq!(counts(&machine, &["vda"]), [(1, 5_159_452)]);
        let laptop = fixture::encrypted();
        laptop.file("proc/interrupts", TABLE);
        for (dir, number) in [("pci0000:00/0000:01:00.0", 127), ("pci0000:00/0000:01:00.0", 128)] {
            laptop.file(&format!("sys/devices/{dir}/msi_irqs/{number}"), "msix\n");
        }
        assert_eq!(counts(&laptop, &["nvme0n1"]), [(0, 7_450), (1, 5_690)]);
        // A controller with a wired interrupt.
        laptop.remove("sys/devices/pci0000:00/0000:01:00.0/msi_irqs");
        laptop.file("sys/devices/pci0000:00/0000:01:00.0/irq", "39\n");
        assert_eq!(counts(&laptop, &["nvme0n1"]), [(0, 40), (1, 2)]);
    }

    #[test]
    fn cards_and_usb_are_found_by_name() {
        let pi = fixture::raspberry_pi();
        pi.file("proc/interrupts", TABLE);
        assert_eq!(counts(&pi, &["mmcblk0"]), [(0, 40), (1, 2)]);
        let usb = "sys/devices/platform/axi/1000120000.pcie/1f00200000.usb/xhci-hcd.0";
        // The interrupt is named after the USB 2 hub; the drive is on the other.
        pi.file(&format!("{usb}/usb1/speed"), "480\n");
        pi.file("sys/devices/platform/axi/1000120000.pcie/msi_irqs/127", "msix\n");
        assert_eq!(counts(&pi, &["sda"]), [(0, 7), (1, 8)]);
        // A shared line is counted once.
        assert_eq!(counts(&pi, &["sda", "sda", "mmcblk0"]), [(0, 47), (1, 10)]);
        pi.remove(&format!("{usb}/usb1"));
        assert_eq!(counts(&pi, &["sda"]), [(0, 7_450)]);
        assert_eq!(counts(&pi, &["sdz"]), []);
    }

    #[test]
    fn invalid_tables_count_nothing() {
        let pi = fixture::raspberry_pi();
        for garbage in
            ["", "\n", "CPU0\n", "CPUx CPU1\n 39: 1 2 mmc0\n", "\u{1b}[2J", " CPU0\n 39: -1 mmc0\n"]
        {
            pi.file("proc/interrupts", garbage);
            assert_eq!(counts(&pi, &["mmcblk0"]), [], "{garbage}");
        }
    }
}
