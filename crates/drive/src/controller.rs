//! RAID controllers: seen in sysfs, and asked through the programs of those who make them.

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

/// The driver of Broadcom's controllers (LSI, Avago), also under the names of Dell, Lenovo, Fujitsu and others.
pub(crate) const MEGARAID: &str = "megaraid_sas";
/// The driver of those from 2022 on.
const MPI3MR: &str = "mpi3mr";
/// Drivers of controllers with a cache of their own. Those that only pass drives through are not among them. `smartpqi` serves
/// HPE's and Microchip's (Adaptec), `aacraid` Adaptec's before that.
const DRIVERS: [&str; 6] = [MEGARAID, MPI3MR, "hpsa", "smartpqi", "aacraid", "arcmsr"];

/// Numbers of makers in the register of a card that says who sells it (PCI, subsystem vendor id).
const DELL: &str = "0x1028";
const MICROCHIP: &str = "0x9005";

/// The controller that a drive hangs on, as far as the kernel shows it.
pub(crate) fn of(system: &System, device: &BlockDevice) -> Option<Controller> {
    function(system, device).map(|(_, driver)| Controller { driver, ..Controller::default() })
}

/// The directory of a controller, which is named for its place as `0000:3b:00.0`, and its driver.
fn function<'a>(system: &'a System, device: &'a BlockDevice) -> Option<(&'a Path, String)> {
    link::ancestors(system, &device.dir).find_map(|dir| {
        let driver = link::link_name(dir.join("driver"))?;
        DRIVERS.contains(&driver.as_str()).then_some((dir, driver))
    })
}

/// A volume, by all that its controller may know it by.
#[derive(Debug, Default)]
pub(crate) struct Place {
    /// As `/dev/sda`.
    pub device: String,
    /// The name that is the only one in the world, as `naa.6006...`.
    pub wwid: Option<String>,
}

impl Place {
    /// What is known of the device `name`.
    pub fn of(system: &System, name: &str) -> Self {
        let device = system.block_by_name(name);
        let wwid = device.as_ref().and_then(|device| device.text("device/wwid"));
        Self { device: format!("/dev/{name}"), wwid }
    }

    /// Whether a program means it by a name in the world, or else by a device: names of devices may have changed hands since
    /// the program looked.
    fn is_it(&self, id: Option<&str>, device: Option<&str>) -> bool {
        id.and_then(|id| self.is_named(id)).unwrap_or(device == Some(self.device.as_str()))
    }

    /// Whether `id` is its name in the world, without the `naa.` in front. `None` where it has none.
    fn is_named(&self, id: &str) -> Option<bool> {
        let own = self.wwid.as_deref()?.strip_prefix("naa.")?;
        Some(own.eq_ignore_ascii_case(id))
    }
}

/// Controllers that one program knows.
#[derive(Debug)]
pub(crate) struct Family {
    /// Their drivers.
    drivers: &'static [&'static str],
    /// The names of the program.
    programs: &'static [&'static str],
    /// What it is asked, once for all controllers.
    questions: &'static [&'static [&'static str]],
    /// What the answers have of volumes; `None` where they are none.
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
    /// The family of a driver; `None` for those that nobody here can ask.
    pub fn of(driver: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.drivers.contains(&driver))
    }

    /// What is asked, once for all controllers of the family.
    pub fn calls(&self) -> Vec<Call> {
        self.questions.iter().map(|arguments| Call::new(self.programs, arguments)).collect()
    }

    /// What the answers to the calls tell.
    ///
    /// # Errors
    /// Why they tell nothing.
    pub fn told(&self, answers: Vec<Result<Output, Why>>) -> Result<Told, Why> {
        let outputs: Vec<Output> = answers.into_iter().collect::<Result<_, _>>()?;
        let texts: Vec<&[u8]> = outputs.iter().map(|output| output.stdout.as_slice()).collect();
        let last = outputs.last().ok_or(Why::NotTold)?;
        let volumes = (self.read)(&texts).ok_or_else(|| not_understood(last))?;
        Ok(Told { program: outputs[0].program, volumes })
    }
}

/// What a program wrote in place of an answer.
fn not_understood(output: &Output) -> Why {
    let words = output.complaint.clone().or_else(|| attribute::clean(&output.stdout)).unwrap_or_default();
    match smartctl::is_denial(&words) {
        true => Why::NeedsRoot,
        false => {
            Why::NotUnderstood { program: output.program.to_string(), message: smartctl::shortened(&words) }
        }
    }
}

/// What a program told of all controllers of a family.
#[derive(Debug)]
pub(crate) struct Told {
    program: &'static str,
    volumes: Vec<Volume>,
}

impl Told {
    /// Sets what is known of the volume at `place` and of its controller. Returns whether any controller has it.
    pub fn fill(&self, controller: &mut Controller, place: &Place) -> bool {
        let is_known = volume::fill(&self.volumes, controller, place);
        if is_known {
            controller.program = Some(self.program.to_string());
        }
        is_known
    }
}

/// Why nothing is known of a controller whose program is missing, or which nobody here can ask.
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
        _ => Why::NotTold,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture};

    #[test]
    fn the_kernel_shows_who_is_in_between() {
        let server = fixture::mega_raid::machine();
        let system = server.system();
        let device = system.block_by_name("sda").unwrap();
        assert_eq!(of(&system, &device).unwrap().driver, "megaraid_sas");
        let place = Place::of(&system, "sda");
        assert_eq!(place.device, "/dev/sda");
        assert_eq!(place.is_named("600605B010E943702A3372BF4D29F6A7"), Some(true));
        let plain = Fixture::new();
        plain.disk("pci0/ata1/host0/target0:0:0/0:0:0:0/block", "sda", "8:0", 8);
        plain.link("sys/devices/pci0/driver", "../../bus/pci/drivers/ahci");
        let system = plain.system();
        assert_eq!(of(&system, &system.block_by_name("sda").unwrap()), None);
        let place = Place::of(&system, "sdz");
        assert_eq!(place.wwid, None);
    }

    #[test]
    fn the_makers_program_is_named() {
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
            // One that is gone in the meantime has the driver's usual maker.
            assert_ne!(without_program(&server.system(), "sdz", driver), Why::NotTold);
        }
    }
}
