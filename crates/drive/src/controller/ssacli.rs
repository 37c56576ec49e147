//! `ssacli`, the program for HPE's Smart Array controllers, whose output is only for humans.

use cardiograph_core::drive::{CacheBackup, Controller, RaidVolume, WritePolicy};

use super::report::{sections, size_bytes, value};
use super::volume::Volume;
use crate::attribute;

/// The program, and its predecessors.
pub(crate) const PROGRAM: &[&str] = &["ssacli", "hpssacli", "hpacucli"];
/// Its arguments.
pub(crate) const ARGUMENTS: &[&str] = &["ctrl", "all", "show", "config", "detail"];

/// Parses the answer. `None` if it is invalid.
pub(crate) fn read(answers: &[&[u8]]) -> Option<Vec<Volume>> {
    let report = String::from_utf8_lossy(answers.first()?);
    let lines: Vec<&str> = report.lines().collect();
    let controllers = sections(&lines, |line| is_controller(line).then(|| line.to_string()));
    let is_answer = controllers.iter().any(|(_, lines)| value(lines, "Firmware Version").is_some());
    let volumes = controllers.iter().flat_map(|(name, lines)| {
        let volumes = sections(lines, |line| line.trim_start().starts_with("Logical Drive: ").then_some(()));
        let its = parse_controller(name, lines);
        volumes.into_iter().map(move |((), of_volume)| {
            let volume = until_drives(&of_volume);
            Volume {
                id: value(volume, "Unique Identifier").map(str::to_string),
                // Some versions append the mount points on the same line.
                device: value(volume, "Disk Name")
                    .and_then(|text| text.split_whitespace().next())
                    .map(str::to_string),
                controller: Controller { volume: Some(facts(volume, lines)), ..its.clone() },
            }
        })
    });
    is_answer.then(|| volumes.collect())
}

/// Whether a line starts a controller: only these are not indented, such as `Smart Array P822 in Slot 2`.
fn is_controller(line: &str) -> bool {
    !line.starts_with([' ', '\t']) && line.contains(" in Slot ")
}

/// The lines of a volume before those of its drives, which also have names.
fn until_drives<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    let is_drive = |line: &&str| {
        let name = line.trim_start();
        // Within a volume they are listed with their location appended.
        (name.starts_with("physicaldrive ") && !name.contains('(')) || name.starts_with("Array: ")
    };
    let end = lines.iter().position(is_drive).unwrap_or(lines.len());
    &lines[..end]
}

fn parse_controller(name: &str, lines: &[&str]) -> Controller {
    let text = |name: &str| value(lines, name).and_then(|text| attribute::clean(text.as_bytes()));
    let model = name.split(" in Slot ").next().and_then(|model| attribute::clean(model.as_bytes()));
    let backup = text("Cache Backup Power Source").map(|source| CacheBackup {
        is_flash: source == "Capacitors",
        model: None,
        state: text("Battery/Capacitor Status"),
    });
    Controller { model, firmware: text("Firmware Version"), backup, ..Controller::default() }
}

fn facts(volume: &[&str], controller: &[&str]) -> RaidVolume {
    let text = |name: &str| value(volume, name).and_then(|text| attribute::clean(text.as_bytes()));
    let (read_percent, write_percent) = value(controller, "Cache Ratio").and_then(ratio).unzip();
    let is_cached = match value(volume, "Caching") {
        Some("Enabled") => Some(true),
        Some("Disabled") => Some(false),
        _ => None,
    };
    let works = value(controller, "Cache Status").map(|status| status == "OK");
    // Even with a dead battery, if configured so.
    let back = match value(controller, "No-Battery Write Cache") {
        Some("Enabled") => WritePolicy::AlwaysBack,
        _ => WritePolicy::Back,
    };
    let asked = match (is_cached, write_percent) {
        (Some(false), _) | (Some(true), Some(0)) => Some(WritePolicy::Through),
        (Some(true), Some(_)) => Some(back),
        _ => None,
    };
    let now = match (asked, works) {
        (Some(WritePolicy::Through), _) => Some(WritePolicy::Through),
        (Some(_), Some(false)) => Some(WritePolicy::Through),
        (Some(back), Some(true)) => Some(back),
        _ => None,
    };
    RaidVolume {
        level: text("Fault Tolerance").map(|level| format!("RAID{}", level.replace('+', ""))),
        state: text("Status"),
        write_policy: now,
        write_policy_asked: asked,
        reads_ahead: None,
        reads_cached: match (is_cached, works) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => read_percent.map(|percent| percent > 0),
            _ => None,
        },
        drive_cache: value(controller, "Drive Write Cache")
            .and_then(|text| attribute::clean(text.as_bytes())),
        strip_bytes: value(volume, "Strip Size").and_then(size_bytes),
        drives: None,
    }
}

/// The shares in `10% Read / 90% Write`.
fn ratio(text: &str) -> Option<(u32, u32)> {
    let (read, write) = text.split_once('/')?;
    let percent =
        |text: &str, word: &str| text.trim().strip_suffix(word)?.trim().strip_suffix('%')?.parse().ok();
    Some((percent(read, "Read")?, percent(write, "Write")?))
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::super::{VolumeId, volume};
    use super::*;

    /// The two answers in `devmon_test.go` of <https://github.com/red-hat-storage/hpessa-exporter>
    /// (internal/devmon), concatenated, without unused lines.
    pub(crate) const REPORT: &str = "

Smart HBA H240 in Slot 1 (RAID Mode)
   Bus Interface: PCI
   Slot: 1
   Controller Status: OK
   Firmware Version: 4.52-0
   Cache Board Present: False
   Drive Write Cache: Disabled
   Driver Name: hpsa

   Physical Drives
      physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SATA HDD, 1 TB, OK)

   Array: A
      Interface Type: Solid State SATA
      Status: OK
      Smart Path: enable


      Logical Drive: 1
         Size: 372.58 GB
         Fault Tolerance: 0
         Strip Size: 256 KB
         Full Stripe Size: 256 KB
         Status: OK
         Caching:  Disabled
         Unique Identifier: 600508B1001C90DB4A1FDCBCCB744F14
         Disk Name: /dev/sda
         Mount Points: 1024 MiB Partition   1 /boot
         Boot Volume: Primary
         LD Acceleration Method: Smart Path


      physicaldrive 1I:1:2
         Status: OK
         Firmware Revision: 4IWTHPG1


HPE Smart Array P816i-a SR Gen10 in Slot 0 (Embedded)
   Bus Interface: PCI
   Slot: 0
   Controller Status: OK
   Firmware Version: 1.34-0
   Cache Board Present: True
   Cache Status: OK
   Cache Ratio: 10% Read / 90% Write
   Drive Write Cache: Disabled
   Total Cache Size: 4.0
   No-Battery Write Cache: Disabled
   Cache Backup Power Source: Batteries
   Battery/Capacitor Count: 1
   Battery/Capacitor Status: OK
   Driver Name: smartpqi

   Array: A
      Interface Type: SAS
      Status: OK


      Logical Drive: 1
         Size: 10.92 TB
         Fault Tolerance: 6
         Strip Size: 256 KB
         Status: OK
         Caching:  Enabled
         Unique Identifier: 600508B1001CCD7B72DB95E459CDDCCC
         Disk Name: /dev/sdb
         Mount Points: 10.9 TiB Partition   4, 384 MiB Partition   3 /sysroot,/,
         LD Acceleration Method: Controller Cache


      physicaldrive 1I:2:1
         Status: Failed
";

    fn id_of(device: &str, wwid: Option<&str>) -> VolumeId {
        VolumeId { device: device.to_string(), wwid: wwid.map(str::to_string) }
    }

    fn parse_controller(report: &str, id: &VolumeId) -> Option<Controller> {
        let mut controller = Controller { driver: "hpsa".to_string(), ..Controller::default() };
        volume::fill(&read(&[report.as_bytes()]).unwrap(), &mut controller, id).then_some(controller)
    }

    #[test]
    fn volumes_are_found_by_their_globally_unique_name() {
        let id = id_of("/dev/sda", Some("naa.600508b1001ccd7b72db95e459cddccc"));
        let controller = parse_controller(REPORT, &id).unwrap();
        assert_eq!(controller.model.as_deref(), Some("HPE Smart Array P816i-a SR Gen10"));
        assert_eq!((controller.firmware.as_deref(), controller.driver.as_str()), (Some("1.34-0"), "hpsa"));
        let expected = RaidVolume {
            level: Some("RAID6".to_string()),
            state: Some("OK".to_string()),
            write_policy: Some(WritePolicy::Back),
            write_policy_asked: Some(WritePolicy::Back),
            reads_ahead: None,
            reads_cached: Some(true),
            drive_cache: Some("Disabled".to_string()),
            strip_bytes: Some(262_144),
            drives: None,
        };
        assert_eq!(controller.volume, Some(expected));
        let backup = CacheBackup { is_flash: false, model: None, state: Some("OK".to_string()) };
        assert_eq!(controller.backup, Some(backup));
    }

    #[test]
    fn a_device_name_counts_if_there_is_no_other() {
        let controller = parse_controller(REPORT, &id_of("/dev/sda", None)).unwrap();
        let volume = controller.volume.unwrap();
        assert_eq!((controller.model.as_deref(), controller.backup), (Some("Smart HBA H240"), None));
        assert_eq!((volume.level.as_deref(), volume.state.as_deref()), (Some("RAID0"), Some("OK")));
        assert_eq!((volume.write_policy, volume.reads_cached), (Some(WritePolicy::Through), Some(false)));
        let same_line =
            REPORT.replace("/dev/sda\n         Mount Points: ", "/dev/sda          Mount Points: ");
        assert!(parse_controller(&same_line, &id_of("/dev/sda", None)).is_some());
        assert_eq!(parse_controller(REPORT, &id_of("/dev/sdz", None)), None);
        assert_eq!(parse_controller(REPORT, &id_of("/dev/sda", Some("naa.5000"))), None);
    }

    #[test]
    fn a_temporarily_disabled_cache_writes_through() {
        use WritePolicy::{AlwaysBack, Back, Through};
        let cases: [(&[(&str, &str)], _, _); 7] = [
            (&[], Some(Back), Some(Back)),
            (&[("Cache Status: OK", "Cache Status: Temporarily Disabled")], Some(Through), Some(Back)),
            (
                &[("No-Battery Write Cache: Disabled", "No-Battery Write Cache: Enabled")],
                Some(AlwaysBack),
                Some(AlwaysBack),
            ),
            (&[("10% Read / 90% Write", "100% Read / 0% Write")], Some(Through), Some(Through)),
            (&[("Caching:  Enabled", "Caching:  Disabled")], Some(Through), Some(Through)),
            (&[("   Cache Ratio: 10% Read / 90% Write\n", "")], None, None),
            (&[("   Cache Status: OK\n", "")], None, Some(Back)),
        ];
        for (changes, now, asked) in cases {
            let mut report = REPORT.to_string();
            for (from, to) in changes {
                assert!(report.contains(from), "{from}");
                report = report.replace(from, to);
            }
            let volume = parse_controller(&report, &id_of("/dev/sdb", None)).unwrap().volume.unwrap();
            assert_eq!((volume.write_policy, volume.write_policy_asked), (now, asked), "{changes:?}");
        }
        let mirror = REPORT.replace("Fault Tolerance: 6", "Fault Tolerance: 1+0");
        let volume = parse_controller(&mirror, &id_of("/dev/sdb", None)).unwrap().volume.unwrap();
        assert_eq!(volume.level.as_deref(), Some("RAID10"));
    }

    #[test]
    fn an_answer_describes_a_controller() {
        for bad in ["", "rubbish", "Error: No controllers detected.", "Smart Array in Slot 0\n"] {
            assert!(read(&[bad.as_bytes()]).is_none(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn invalid_output_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64), at in 0usize..2_500) {
            let mut report = REPORT.as_bytes().to_vec();
            let start = at.min(report.len());
            let end = (start + bytes.len()).min(report.len());
            report[start..end].copy_from_slice(&bytes[..end - start]);
            if let Some(report) = read(&[&report]) {
                let _ = volume::fill(&report, &mut Controller::default(), &id_of("/dev/sda", None));
            }
        }
    }
}
