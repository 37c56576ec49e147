//! Queries drives through external programs. Takes up to a few seconds, and runs only on request.

use cardiograph_core::drive::{Bus, Controller, Fact, Health, Leaf, LeafKind, Link, Unknown, Why};

use crate::controller::{self, Family, FamilyReport, VolumeId};
use crate::health::smartctl::Answer;
use crate::health::{self, nvme, smartctl};
use crate::helper::{self, Call, Output};
use crate::leaf::is_cut_of;
use crate::system::System;

impl System {
    /// Queries the health of all `leaves` at once and stores it in them, replacing earlier results; missing
    /// items are listed as unknown, with the reason. It takes at most 5 s, even if drives or programs hang.
    pub fn inquire<'a>(&self, leaves: impl IntoIterator<Item = &'a mut Leaf>) {
        let mut leaves: Vec<&mut Leaf> = leaves.into_iter().collect();
        let asked: Vec<(usize, Subject, Call)> =
            leaves.iter().enumerate().flat_map(|(index, leaf)| calls(index, leaf)).collect();
        let mut calls: Vec<Call> = asked.iter().map(|(_, _, call)| call.clone()).collect();
        // One program covers all controllers of a family and all their volumes.
        let mut families: Vec<(&Family, usize)> = Vec::new();
        for family in leaves.iter().filter_map(|leaf| family(leaf)) {
            if !families.iter().any(|(asked, _)| std::ptr::eq(*asked, family)) {
                let questions = family.calls();
                families.push((family, questions.len()));
                calls.extend(questions);
            }
        }
        let mut said = helper::run(self, &calls).into_iter();
        let mut answers: Vec<Vec<(Subject, Result<Output, Why>)>> = Vec::new();
        answers.resize_with(leaves.len(), Vec::new);
        for ((index, subject, _), answer) in asked.into_iter().zip(&mut said) {
            answers[index].push((subject, answer));
        }
        for (leaf, answers) in leaves.iter_mut().zip(answers) {
            set_health(self, leaf, answers);
        }
        let reports: Vec<(&Family, Result<FamilyReport, Why>)> = families
            .into_iter()
            .map(|(family, questions)| (family, family.parse(said.by_ref().take(questions).collect())))
            .collect();
        leaves.iter_mut().for_each(|leaf| set_controller(self, leaf, &reports));
    }
}

/// Subject of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Smartctl,
    Nvme,
}

/// Programs to call for a drive. Virtual disks, cards and memory have no health information.
fn calls(index: usize, leaf: &Leaf) -> Vec<(usize, Subject, Call)> {
    let device = format!("/dev/{}", leaf.name.replace('!', "/"));
    let call = |programs, arguments: &[&str]| Call::new(programs, &[arguments, &[&device]].concat());
    let smartctl = (index, Subject::Smartctl, call(smartctl::PROGRAM, smartctl::ARGUMENTS));
    match leaf.kind {
        LeafKind::Sata | LeafKind::Scsi | LeafKind::Usb => vec![smartctl],
        LeafKind::Nvme => vec![smartctl, (index, Subject::Nvme, call(nvme::PROGRAM, nvme::ARGUMENTS))],
        _ => Vec::new(),
    }
}

/// Stores a drive's health: from `smartctl`, else from `nvme`, and the temperature from the kernel if neither
/// has it.
fn set_health(system: &System, leaf: &mut Leaf, answers: Vec<(Subject, Result<Output, Why>)>) {
    (leaf.health, leaf.turns_per_min, leaf.hides_zones) = (None, None, false);
    leaf.unknown.retain(|unknown| unknown.fact != Fact::Health);
    let mut reason = None;
    for (subject, answer) in answers {
        let learnt = answer.and_then(|output| match subject {
            Subject::Smartctl => smartctl::answer(&output),
            Subject::Nvme => parse_nvme(&output),
        });
        if let Some(health) = &mut leaf.health {
            // The second has details that the first omits.
            health.throttled = health.throttled.or(learnt.ok().and_then(|answer| answer.health.throttled));
            continue;
        }
        match learnt {
            Ok(answer) => {
                set_sata_limit(leaf, answer.sata_mbit_per_s_max);
                leaf.turns_per_min = answer.turns_per_min;
                leaf.hides_zones = answer.hides_zones;
                set_firmware(leaf, answer.firmware);
                leaf.health = Some(answer.health);
                reason = None;
            }
            // The first reason is the one to fix; the second program is a workaround.
            Err(why) => reason = reason.or(Some(why)),
        }
    }
    let of_kernel = system.block_by_name(&leaf.name).and_then(|device| health::read_kernel(&device));
    if let Some(of_kernel) = of_kernel {
        let health = leaf.health.get_or_insert_with(Health::default);
        health.temperature_c = health.temperature_c.or(of_kernel.temperature_c);
        health.temperature_warning_c = health.temperature_warning_c.or(of_kernel.temperature_warning_c);
        health.temperature_critical_c = health.temperature_critical_c.or(of_kernel.temperature_critical_c);
    }
    leaf.unknown.extend(reason.map(|why| Unknown { fact: Fact::Health, why }));
}

fn family(leaf: &Leaf) -> Option<&'static Family> {
    Family::for_driver(&leaf.controller.as_ref()?.driver)
}

/// Stores information about a drive's controller.
fn set_controller(system: &System, leaf: &mut Leaf, reports: &[(&Family, Result<FamilyReport, Why>)]) {
    leaf.unknown.retain(|unknown| unknown.fact != Fact::ControllerCache);
    let family = family(leaf);
    let Some(controller) = &mut leaf.controller else { return };
    *controller = Controller { driver: controller.driver.clone(), ..Controller::default() };
    let report = reports
        .iter()
        .find(|(asked, _)| family.is_some_and(|family| std::ptr::eq(*asked, family)))
        .map(|(_, report)| report);
    let why = match report {
        Some(Ok(report)) => {
            let is_known = report.fill(controller, &VolumeId::from_device(system, &leaf.name));
            (!is_known).then_some(Why::NotReported)
        }
        None | Some(Err(Why::NotInstalled { .. } | Why::NotReported)) => {
            Some(controller::without_program(system, &leaf.name, &controller.driver))
        }
        Some(Err(why)) => Some(why.clone()),
    };
    leaf.unknown.extend(why.map(|why| Unknown { fact: Fact::ControllerCache, why }));
}

fn parse_nvme(output: &Output) -> Result<Answer, Why> {
    if let Some(health) = nvme::health(&output.stdout) {
        return Ok(Answer { health, ..Answer::default() });
    }
    let program = nvme::PROGRAM[0].to_string();
    Err(match &output.complaint {
        Some(complaint) if smartctl::is_denial(complaint) => Why::NeedsRoot,
        Some(complaint) => Why::NotUnderstood { program, message: smartctl::shortened(complaint) },
        None => Why::NoAnswer { program },
    })
}

/// The maximum speed of a SATA drive, which only the drive itself reports.
fn set_sata_limit(leaf: &mut Leaf, mbit_per_s: Option<u32>) {
    if let (Some(Link { bus: Bus::Sata(link), .. }), Some(mbit_per_s)) = (&mut leaf.link, mbit_per_s) {
        link.drive_mbit_per_s_max = Some(mbit_per_s);
    }
}

/// The complete firmware version of a SATA drive, if the kernel truncates it.
fn set_firmware(leaf: &mut Leaf, firmware: Option<String>) {
    if let (LeafKind::Sata, Some(rev), Some(whole)) = (leaf.kind, &leaf.firmware, firmware)
        && is_cut_of(rev, &whole)
    {
        leaf.firmware = Some(whole);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use cardiograph_core::drive::{HealthSource, SataLink};

    use super::*;
    use crate::fixture::{self, Fixture};

    /// A program that prints `text`.
    fn say(fixture: &Fixture, program: &str, text: &str) {
        fixture.file(&format!("said/{program}"), text);
        fixture.program(
            program,
            &format!("cd \"$root/said\"; echo \"$@\" >> {program}.asked; cat {program}; exit 4"),
        );
    }

    /// The disk sda of a machine with a controller.
    fn sda(system: &System) -> Leaf {
        crate::leaf::describe(system, &system.block_by_name("sda").unwrap())
    }

    /// The reason why its controller's cache is unknown.
    fn reason(leaf: &Leaf) -> Option<Why> {
        let of_controller = |unknown: &&Unknown| unknown.fact == Fact::ControllerCache;
        leaf.unknown.iter().find(of_controller).map(|unknown| unknown.why.clone())
    }

    fn ask(fixture: &Fixture, name: &str, kind: LeafKind) -> Leaf {
        let mut leaf = Leaf { name: name.to_string(), kind, ..Leaf::default() };
        fixture.system().inquire([&mut leaf]);
        leaf
    }

    const SMARTCTL: &str =
        r#"{"smartctl":{"version":[7,4]},"smart_status":{"passed":true},"temperature":{"current":29}}"#;
    const NVME: &str =
        r#"{"critical_warning":0,"temperature":307,"percent_used":3,"thm_temp1_trans_count":2}"#;

    fn unknown(why: Why) -> Vec<Unknown> {
        vec![Unknown { fact: Fact::Health, why }]
    }

    #[test]
    fn programs_are_tried_in_order() {
        let pi = fixture::pi_nvme::machine();
        let missing = Why::NotInstalled { program: "smartctl".to_string() };
        let leaf = ask(&pi, "nvme0n1", LeafKind::Nvme);
        assert_eq!((leaf.health, leaf.unknown), (None, unknown(missing.clone())));
        say(&pi, "nvme", NVME);
        let leaf = ask(&pi, "nvme0n1", LeafKind::Nvme);
        let health = leaf.health.unwrap();
        assert_eq!((health.temperature_c, health.used_percent, leaf.unknown), (Some(34), Some(3), vec![]));
        say(&pi, "smartctl", SMARTCTL);
        let leaf = ask(&pi, "nvme0n1", LeafKind::Nvme);
        let health = leaf.health.unwrap();
        let version = Some("7.4".to_string());
        assert_eq!(health.source, HealthSource::Program { name: "smartctl".to_string(), version });
        assert_eq!((health.temperature_c, health.used_percent), (Some(29), None));
        assert_eq!((health.throttled, leaf.unknown), (Some(2), vec![]));
        let asked = std::fs::read_to_string(pi.root().join("said/smartctl.asked")).unwrap();
        assert_eq!(asked, "--json=c -n standby -x /dev/nvme0n1\n");
        say(&pi, "smartctl", "rubbish");
        say(&pi, "nvme", "rubbish");
        let leaf = ask(&pi, "nvme0n1", LeafKind::Nvme);
        let why = Why::NotUnderstood { program: "smartctl".to_string(), message: "rubbish".to_string() };
        assert_eq!((leaf.health, leaf.unknown), (None, unknown(why)));
        // Virtual disks and cards are not queried.
        for kind in [LeafKind::Virtual, LeafKind::SdCard, LeafKind::Memory, LeafKind::Simulated] {
            let leaf = ask(&pi, "nvme0n1", kind);
            assert_eq!((leaf.health, leaf.unknown), (None, vec![]), "{kind:?}");
        }
    }

    #[test]
    fn the_temperature_comes_from_the_kernel_if_programs_lack_it() {
        let pi = fixture::pi_nvme::machine();
        let system = pi.system();
        let dir = system.block_by_name("nvme0n1").unwrap().dir.parent().unwrap().join("hwmon0");
        let dir = dir.strip_prefix(pi.root().canonicalize().unwrap()).unwrap().to_str().unwrap().to_string();
        pi.file(&format!("{dir}/temp1_input"), "41850\n");
        pi.file(&format!("{dir}/temp1_max"), "84850\n");
        let leaf = ask(&pi, "nvme0n1", LeafKind::Nvme);
        let health = leaf.health.unwrap();
        assert_eq!((health.source, health.temperature_c), (HealthSource::Kernel, Some(41)));
        assert_eq!(leaf.unknown, unknown(Why::NotInstalled { program: "smartctl".to_string() }));
        say(&pi, "smartctl", SMARTCTL);
        let health = ask(&pi, "nvme0n1", LeafKind::Nvme).health.unwrap();
        assert_eq!((health.temperature_c, health.temperature_warning_c), (Some(29), Some(84)));
    }

    #[test]
    fn a_second_answer_replaces_the_first() {
        let fixture = Fixture::new();
        let mut leaf = Leaf { name: "sda".to_string(), kind: LeafKind::Sata, ..Leaf::default() };
        leaf.link = Some(Link::new(Bus::Sata(SataLink { mbit_per_s: Some(3_000), ..SataLink::default() })));
        let other = Unknown { fact: Fact::Volume, why: Why::NeedsRoot };
        leaf.unknown.push(other.clone());
        fixture.system().inquire([&mut leaf]);
        fixture.system().inquire([&mut leaf]);
        assert_eq!(leaf.unknown.len(), 2);
        let speed = r#"{"temperature":{"current":30},"interface_speed":{"max":{"units_per_second":60,"bits_per_unit":100000000}}}"#;
        say(&fixture, "smartctl", speed);
        fixture.system().inquire([&mut leaf]);
        assert_eq!(
            (leaf.unknown.as_slice(), leaf.link.as_ref().unwrap().is_reduced()),
            (&[other][..], Some(true))
        );
        fixture.remove("bin/smartctl");
        fixture.system().inquire([&mut leaf]);
        assert_eq!((leaf.unknown.len(), leaf.health), (2, None));
    }

    #[test]
    fn a_disk_reports_its_rotation_rate() {
        let fixture = Fixture::new();
        let disk = r#"{"temperature":{"current":30},"rotation_rate":5400,"zoned_device":{"capabilities":"device_managed"}}"#;
        say(&fixture, "smartctl", disk);
        let mut leaf = Leaf { name: "sda".to_string(), kind: LeafKind::Usb, ..Leaf::default() };
        fixture.system().inquire([&mut leaf]);
        assert_eq!((leaf.turns_per_min, leaf.hides_zones), (Some(5_400), true));
        fixture.remove("bin/smartctl");
        fixture.system().inquire([&mut leaf]);
        assert_eq!((leaf.turns_per_min, leaf.hides_zones), (None, false));
    }

    #[test]
    fn a_controller_is_queried_for_the_volume() {
        let server = fixture::mega_raid::machine();
        let system = server.system();
        let mut leaf = sda(&system);
        system.inquire([&mut leaf]);
        assert_eq!(reason(&leaf), Some(Why::NotInstalled { program: "storcli64".to_string() }));
        server.file("said/controllers", controller::storcli::tests::CONTROLLERS);
        server.file("said/volumes", controller::storcli::tests::VOLUMES);
        let script = "cd \"$root/said\"; [ \"$*\" = '/cALL show J nolog' ] && exec cat controllers; \
            [ \"$*\" = '/cALL/vALL show all J nolog' ] && exec cat volumes";
        server.program("perccli64", script);
        system.inquire([&mut leaf]);
        assert_eq!(reason(&leaf), None);
        let controller = leaf.controller.as_ref().unwrap();
        let volume = controller.volume.as_ref().unwrap();
        assert_eq!(
            (controller.program.as_deref(), volume.level.as_deref()),
            (Some("perccli64"), Some("RAID1"))
        );
        server.program("perccli64", "echo 'Operation not permitted' >&2; exit 1");
        system.inquire([&mut leaf]);
        assert_eq!(reason(&leaf), Some(Why::NeedsRoot));
        assert_eq!(leaf.controller.as_ref().unwrap().volume, None);
        server.program("perccli64", "echo rubbish");
        system.inquire([&mut leaf]);
        let rubbish = Why::NotUnderstood { program: "perccli64".to_string(), message: "rubbish".to_string() };
        assert_eq!(reason(&leaf), Some(rubbish));
        // Another volume of the same controller does not count.
        server.program("perccli64", script);
        leaf.name = "sdz".to_string();
        system.inquire([&mut leaf]);
        assert_eq!(reason(&leaf), Some(Why::NotReported));
    }

    #[test]
    fn a_controller_of_another_vendor_has_another_program() {
        let server = fixture::mega_raid::machine();
        let function = "sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0";
        server.link(&format!("{function}/driver"), "../../../../bus/pci/drivers/smartpqi");
        let system = server.system();
        let mut leaf = sda(&system);
        system.inquire([&mut leaf]);
        assert_eq!(reason(&leaf), Some(Why::NotInstalled { program: "ssacli".to_string() }));
        let report = controller::ssacli::tests::REPORT
            .replace("600508B1001CCD7B72DB95E459CDDCCC", "600605B010E943702A3372BF4D29F6A7");
        server.file("said/all", report);
        server.program("ssacli", "[ \"$*\" = 'ctrl all show config detail' ] && exec cat \"$root/said/all\"");
        system.inquire([&mut leaf]);
        assert_eq!(reason(&leaf), None);
        let controller = leaf.controller.as_ref().unwrap();
        assert_eq!((controller.driver.as_str(), controller.program.as_deref()), ("smartpqi", Some("ssacli")));
        assert_eq!(controller.volume.as_ref().unwrap().level.as_deref(), Some("RAID6"));
    }

    #[test]
    fn the_complete_firmware_version_of_a_sata_drive_is_reported() {
        let fixture = Fixture::new();
        say(&fixture, "smartctl", &SMARTCTL.replacen('{', r#"{"firmware_version":"M3CR043","#, 1));
        for (kind, rev, firmware) in [
            (LeafKind::Sata, "R043", "M3CR043"),
            (LeafKind::Sata, "X043", "X043"),
            // Behind a bridge smartctl reports the drive's firmware, and the kernel the bridge's.
            (LeafKind::Usb, "R043", "R043"),
        ] {
            let mut leaf = Leaf { name: "sda".into(), kind, firmware: Some(rev.into()), ..Leaf::default() };
            fixture.system().inquire([&mut leaf]);
            assert_eq!(leaf.firmware.as_deref(), Some(firmware), "{kind:?} {rev}");
        }
    }

    #[test]
    fn many_drives_with_hanging_programs_take_no_longer_than_one() {
        let fixture = Fixture::new();
        fixture.program(
            "smartctl",
            "case \"$5\" in */sdh) echo '{\"temperature\":{\"current\":30}}';; *) sleep 600;; esac",
        );
        let mut leaves: Vec<Leaf> = ('a'..='h')
            .map(|letter| Leaf { name: format!("sd{letter}"), kind: LeafKind::Sata, ..Leaf::default() })
            .collect();
        let start = Instant::now();
        fixture.system().inquire(&mut leaves);
        // Sequentially they would take eight times 3 s.
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        let timed_out = unknown(Why::TimedOut { program: "smartctl".to_string() });
        for leaf in &leaves[..7] {
            assert_eq!((&leaf.health, &leaf.unknown), (&None, &timed_out), "{}", leaf.name);
        }
        assert_eq!(leaves[7].health.as_ref().and_then(|health| health.temperature_c), Some(30));
    }
}
