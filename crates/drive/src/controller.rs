//! RAID controllers: found in sysfs, and queried through their vendors' programs.

use std::path::Path;

use cardiograph_core::drive::{Controller, Why};

use crate::attribute;
use crate::block::BlockDevice;
use crate::health::smartctl;
use crate::helper::{Call, Output};
use crate::link;
use crate::system::System;

use volume::Volume;

mod report;
pub(crate) mod ssacli;
pub(crate) mod storcli;
pub(crate) mod storcli2;
mod volume;

/// Driver of Broadcom's controllers (LSI, Avago), also sold by Dell, Lenovo, Fujitsu and others.
pub(crate) const MEGARAID: &str = "megaraid_sas";
/// Driver of Broadcom's controllers from 2022 on.
const MPI3MR: &str = "mpi3mr";
/// Drivers of controllers with a cache. Plain HBAs are not listed. `smartpqi` serves HPE's and Microchip's
/// (Adaptec), `aacraid` older Adaptec ones.
const DRIVERS: [&str; 6] = [MEGARAID, MPI3MR, "hpsa", "smartpqi", "aacraid", "arcmsr"];

/// PCI subsystem vendor ids, which identify the seller of a card.
const DELL: &str = "0x1028";
const MICROCHIP: &str = "0x9005";

/// The controller of a drive, if the kernel shows it.
pub(crate) fn find(system: &System, device: &BlockDevice) -> Option<Controller> {
    function(system, device).map(|(_, driver)| Controller { driver, ..Controller::default() })
}

/// Directory of a controller, named after its PCI address such as `0000:3b:00.0`, and its driver.
fn function<'a>(system: &'a System, device: &'a BlockDevice) -> Option<(&'a Path, String)> {
    link::ancestors(system, &device.dir).find_map(|dir| {
        let driver = link::link_name(dir.join("driver"))?;
        DRIVERS.contains(&driver.as_str()).then_some((dir, driver))
    })
}

/// A volume, with all identifiers that its controller may use for it.
#[derive(Debug, Default)]
pub(crate) struct VolumeId {
    /// Such as `/dev/sda`.
    pub device: String,
    /// Its globally unique name, such as `naa.6006...`.
    pub wwid: Option<String>,
}

impl VolumeId {
    /// The identifiers of the device `name`.
    pub fn from_device(system: &System, name: &str) -> Self {
        let device = system.block_by_name(name);
        let wwid = device.as_ref().and_then(|device| device.text("device/wwid"));
        Self { device: format!("/dev/{name}"), wwid }
    }

    /// Whether a program's identifiers match: by its globally unique name, otherwise by device name, which
    /// may have been reassigned since.
    fn is_it(&self, id: Option<&str>, device: Option<&str>) -> bool {
        id.and_then(|id| self.is_named(id)).unwrap_or(device == Some(self.device.as_str()))
    }

    /// Whether `id` is its globally unique name, without the prefix `naa.`. `None` if it has none.
    fn is_named(&self, id: &str) -> Option<bool> {
        let own = self.wwid.as_deref()?.strip_prefix("naa.")?;
        Some(own.eq_ignore_ascii_case(id))
    }
}

/// Controllers managed by one program.
#[derive(Debug)]
pub(crate) struct Family {
    /// Their drivers.
    drivers: &'static [&'static str],
    /// Names of the program.
    programs: &'static [&'static str],
    /// Queries, once for all controllers.
    questions: &'static [&'static [&'static str]],
    /// Parses volumes from the answers; `None` if they are invalid.
    read: fn(&[&[u8]]) -> Option<Vec<Volume>>,
}

const FAMILIES: [Family; 3] = [
    Family {
        drivers: &[MEGARAID],
        programs: storcli::PROGRAM,
        questions: &storcli::ARGUMENTS,
        read: storcli::read,
    },
    Family {
        drivers: &["hpsa", "smartpqi"],
        programs: ssacli::PROGRAM,
        questions: &[ssacli::ARGUMENTS],
        read: ssacli::read,
    },
    Family {
        drivers: &[MPI3MR],
        programs: storcli2::PROGRAM,
        questions: &storcli2::ARGUMENTS,
        read: storcli2::read,
    },
];

impl Family {
    /// The family of a driver; `None` for drivers without a supported program.
    pub fn for_driver(driver: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.drivers.contains(&driver))
    }

    /// The calls to query all controllers of the family.
    pub fn calls(&self) -> Vec<Call> {
        self.questions.iter().map(|arguments| Call::new(self.programs, arguments)).collect()
    }

    /// Parses the answers to the calls.
    ///
    /// # Errors
    /// Why they contain nothing useful.
    pub fn parse(&self, answers: Vec<Result<Output, Why>>) -> Result<FamilyReport, Why> {
        let outputs: Vec<Output> = answers.into_iter().collect::<Result<_, _>>()?;
        let texts: Vec<&[u8]> = outputs.iter().map(|output| output.stdout.as_slice()).collect();
        let last = outputs.last().ok_or(Why::NotReported)?;
        let volumes = (self.read)(&texts).ok_or_else(|| not_understood(last))?;
        Ok(FamilyReport { program: outputs[0].program, volumes })
    }
}

/// The message that a program wrote instead of an answer.
fn not_understood(output: &Output) -> Why {
    let words = output.complaint.clone().or_else(|| attribute::clean(&output.stdout)).unwrap_or_default();
    match smartctl::is_denial(&words) {
        true => Why::NeedsRoot,
        false => {
            Why::NotUnderstood { program: output.program.to_string(), message: smartctl::shortened(&words) }
        }
    }
}

/// A program's report about all controllers of a family.
#[derive(Debug)]
pub(crate) struct FamilyReport {
    program: &'static str,
    volumes: Vec<Volume>,
}

impl FamilyReport {
    /// Fills in the volume `id` and its controller. Returns whether any controller has it.
    pub fn fill(&self, controller: &mut Controller, id: &VolumeId) -> bool {
        let is_known = volume::fill(&self.volumes, controller, id);
        if is_known {
            controller.program = Some(self.program.to_string());
        }
        is_known
    }
}

/// Why nothing is known about a controller whose program is missing or unsupported.
pub(crate) fn without_program(system: &System, name: &str, driver: &str) -> Why {
    let device = system.block_by_name(name);
    let function = device.as_ref().and_then(|device| function(system, device));
    let seller = function.and_then(|(dir, _)| attribute::text(&dir.join("subsystem_vendor")));
    let is_sold_by = |maker: &str| seller.as_deref() == Some(maker);
    let missing = |program: &str| Why::NotInstalled { program: program.to_string() };
    let foreign = |program: &str| Why::NotAsked { program: program.to_string() };
    match driver {
        MEGARAID if is_sold_by(DELL) => missing("perccli64"),
        MEGARAID => missing("storcli64"),
        "smartpqi" if is_sold_by(MICROCHIP) => foreign("arcconf"),
        "hpsa" | "smartpqi" => missing("ssacli"),
        "aacraid" => foreign("arcconf"),
        MPI3MR if is_sold_by(DELL) => missing("perccli2"),
        MPI3MR => missing("storcli2"),
        "arcmsr" => foreign("cli64"),
        _ => Why::NotReported,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture};

    #[test]
    fn the_kernel_shows_the_controller() {
        let server = fixture::mega_raid::machine();
        let system = server.system();
        let device = system.block_by_name("sda").unwrap();
        assert_eq!(find(&system, &device).unwrap().driver, "megaraid_sas");
        let id = VolumeId::from_device(&system, "sda");
        assert_eq!(id.device, "/dev/sda");
        assert_eq!(id.is_named("600605B010E943702A3372BF4D29F6A7"), Some(true));
        let plain = Fixture::new();
        plain.disk("pci0/ata1/host0/target0:0:0/0:0:0:0/block", "sda", "8:0", 8);
        plain.link("sys/devices/pci0/driver", "../../bus/pci/drivers/ahci");
        let system = plain.system();
        assert_eq!(find(&system, &system.block_by_name("sda").unwrap()), None);
        let id = VolumeId::from_device(&system, "sdz");
        assert_eq!(id.wwid, None);
    }

    #[test]
    fn the_vendors_program_is_named() {
        let missing = |program: &str| Why::NotInstalled { program: program.to_string() };
        let foreign = |program: &str| Why::NotAsked { program: program.to_string() };
        let cases = [
            ("megaraid_sas", "0x1028", missing("perccli64")),
            ("megaraid_sas", "0x1000", missing("storcli64")),
            ("hpsa", "0x103c", missing("ssacli")),
            ("smartpqi", "0x1590", missing("ssacli")),
            ("smartpqi", "0x9005", foreign("arcconf")),
            ("aacraid", "0x9005", foreign("arcconf")),
            ("mpi3mr", "0x1000", missing("storcli2")),
            ("mpi3mr", "0x1028", missing("perccli2")),
            ("arcmsr", "0x17d3", foreign("cli64")),
        ];
        for (driver, seller, why) in cases {
            let server = Fixture::new();
            server.disk("pci0000:00/0000:03:00.0/host0/target0:1:0/0:1:0:0/block", "sda", "8:0", 8);
            let dir = "sys/devices/pci0000:00/0000:03:00.0";
            server.link(&format!("{dir}/driver"), format!("../../../bus/pci/drivers/{driver}"));
            server.file(&format!("{dir}/subsystem_vendor"), format!("{seller}\n"));
            assert_eq!(without_program(&server.system(), "sda", driver), why, "{driver} {seller}");
            // If it disappeared meanwhile, the driver's usual vendor is named.
            assert_ne!(without_program(&server.system(), "sdz", driver), Why::NotReported);
        }
    }
}
