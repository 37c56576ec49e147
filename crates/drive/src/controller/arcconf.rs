//! `arcconf`, which knows Adaptec's controllers of the driver `aacraid`, and writes for people only.
//!
//! It names no device and no place of a controller. But the driver shows the logical device of number N as target N of
//! channel 0, and drives that are passed through on others (`drivers/scsi/aacraid` of the kernel: `CONTAINER_CHANNEL`). So a
//! volume is found where there is one controller; of several, it cannot be told which one a number means.

use cardiograph_core::drive::{CacheBackup, Controller, RaidVolume, WritePolicy};

use super::Place;
use super::report::{field, sections, size_bytes};
use crate::attribute;

/// The program.
pub(crate) const PROGRAM: &[&str] = &["arcconf"];
/// What it is asked: all of the first controller. It would write a log of its own otherwise.
pub(crate) const ARGUMENTS: &[&str] = &["GETCONFIG", "1", "AL", "nologs"];
/// The channel of volumes.
const VOLUME_CHANNEL: u64 = 0;

/// What the program told of the only controller and its volumes.
#[derive(Debug)]
pub(crate) struct Told {
    controllers: u64,
    /// Number of each volume, and the controller with it.
    volumes: Vec<(u64, Controller)>,
}

impl Told {
    /// Reads the answer. `None` when it is none.
    pub fn read(told: &[u8]) -> Option<Self> {
        let told = String::from_utf8_lossy(told);
        let lines: Vec<&str> = told.lines().collect();
        let controllers = value(&lines, "Controllers found")?.parse().ok().filter(|&count| count > 0)?;
        let begin = |heading: &str| lines.iter().position(|line| line.trim().eq_ignore_ascii_case(heading));
        let volumes_begin = begin("Logical device information").unwrap_or(lines.len());
        let volumes_end = begin("Physical device information").unwrap_or(lines.len()).max(volumes_begin);
        let of_controller = &lines[..volumes_begin];
        value(of_controller, "Controller Model")?;
        let controller = Controller {
            model: text(of_controller, "Controller Model"),
            firmware: text(of_controller, "Firmware"),
            backup: backup(of_controller),
            ..Controller::default()
        };
        let with_volume = |(number, lines): (u64, Vec<&str>)| {
            (number, Controller { volume: Some(facts(&lines, of_controller)), ..controller.clone() })
        };
        let volumes = sections(&lines[volumes_begin..volumes_end], number);
        Some(Self { controllers, volumes: volumes.into_iter().map(with_volume).collect() })
    }

    /// Sets what is known of the volume at `place`. Returns whether the controller has it.
    pub fn fill(&self, controller: &mut Controller, place: &Place) -> bool {
        let number = place.target.filter(|&(channel, _)| channel == VOLUME_CHANNEL).map(|(_, target)| target);
        let volume = self.volumes.iter().find(|(its, _)| Some(*its) == number);
        let Some((_, volume)) = volume.filter(|_| self.controllers == 1) else { return false };
        *controller = Controller { driver: controller.driver.clone(), ..volume.clone() };
        true
    }
}

/// The first value of that name, which some versions write in other letters.
fn value<'a>(lines: &[&'a str], name: &str) -> Option<&'a str> {
    let mut fields = lines.iter().filter_map(|line| field(line));
    fields.find(|(its, _)| its.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

fn text(lines: &[&str], name: &str) -> Option<String> {
    value(lines, name).and_then(|text| attribute::clean(text.as_bytes()))
}

/// The number of `Logical device number 0`.
fn number(line: &str) -> Option<u64> {
    let words = line.trim().to_ascii_lowercase();
    words.strip_prefix("logical device number ")?.trim().parse().ok()
}

/// What keeps the cache alive: a battery, or capacitors with flash ("ZMM" in older versions). None is told of as well.
fn backup(lines: &[&str]) -> Option<CacheBackup> {
    if let Some(state) = text(lines, "Overall Backup Unit Status") {
        return Some(CacheBackup {
            is_flash: true,
            model: text(lines, "Backup Unit Type"),
            state: Some(state),
        });
    }
    let headings = [("Controller Battery Information", false), ("Controller ZMM Information", true)];
    headings.into_iter().find_map(|(heading, is_flash)| {
        let begin = lines.iter().position(|line| line.trim() == heading)?;
        // Below the line that underlines the heading.
        let its: Vec<&str> = lines[begin..]
            .iter()
            .skip(2)
            .take_while(|line| !line.trim().starts_with("---"))
            .copied()
            .collect();
        let state = text(&its, "Status").filter(|state| state != "Not Installed")?;
        Some(CacheBackup { is_flash, model: None, state: Some(state) })
    })
}

fn facts(volume: &[&str], controller: &[&str]) -> RaidVolume {
    let setting = value(volume, "Write-cache setting");
    // What is now is a status in newer versions, and a mode in older ones.
    let is_now = |cache: &str| match (
        value(volume, &format!("{cache} status")),
        value(volume, &format!("{cache} mode")),
    ) {
        (Some("On"), _) => Some(true),
        (Some("Off"), _) => Some(false),
        (None, Some(mode)) if mode.starts_with("Enabled") => Some(true),
        (None, Some(mode)) if mode.starts_with("Disabled") => Some(false),
        _ => None,
    };
    let asked = setting.and_then(policy);
    let now = match is_now("Write-cache") {
        Some(false) => Some(WritePolicy::Through),
        Some(true) => asked.filter(|&asked| asked != WritePolicy::Through).or(Some(WritePolicy::Back)),
        None => None,
    };
    let is_drive = |line: &&&str| {
        field(line)
            .is_some_and(|(name, _)| name.rsplit(", ").next().is_some_and(|of| of.starts_with("Segment ")))
    };
    let drives = volume.iter().filter(is_drive).count();
    RaidVolume {
        level: text(volume, "RAID level").map(|level| level_name(&level)),
        state: text(volume, "Status of logical device"),
        write_policy: now,
        write_policy_asked: asked,
        reads_ahead: None,
        reads_cached: is_now("Read-cache"),
        drive_cache: text(controller, "Global Physical Device Write Cache Policy"),
        strip_bytes: value(volume, "Stripe-unit size").and_then(size_bytes),
        drives: u32::try_from(drives).ok().filter(|&drives| drives > 0),
    }
}

/// What a setting asks for: `Disabled (write-through)`, `Enabled`, `On when protected by battery/ZMM` ... Without the last
/// words the cache is used whether it would outlive a power cut or not.
fn policy(setting: &str) -> Option<WritePolicy> {
    match setting {
        _ if setting.starts_with("Disabled") => Some(WritePolicy::Through),
        _ if setting.contains("when protected") => Some(WritePolicy::Back),
        _ if setting.starts_with("Enabled") => Some(WritePolicy::AlwaysBack),
        _ => None,
    }
}

/// `RAID6` of `6 Reed-Solomon`; what is no number stays as it is.
fn level_name(level: &str) -> String {
    let first = level.split_whitespace().next().unwrap_or_default();
    if first.starts_with(|c: char| c.is_ascii_digit()) { format!("RAID{first}") } else { level.to_string() }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `t/data/arcconf/issue190/getconfig` of <https://github.com/glensc/nagios-plugin-check_raid>, shortened.
    pub(crate) const TOLD: &str = "Controllers found: 1
----------------------------------------------------------------------
Controller information
----------------------------------------------------------------------
   Controller Status                        : Optimal
   Controller Mode                          : RAID (Expose RAW)
   Channel description                      : SAS/SATA
   Controller Model                         : Adaptec ASR8885Q
   --------------------------------------------------------
   Cache Properties
   --------------------------------------------------------
   Controller Cache Preservation            : Disabled
   Global Physical Device Write Cache Policy: Drive Specific
   --------------------------------------------------------
   Controller Version Information
   --------------------------------------------------------
   BIOS                                     : 7.13-0 (33263)
   Firmware                                 : 7.13-0 (33263)
   Driver                                   : 1.2-1 (50877)

   --------------------------------------------------------
   Controller Cache Backup Unit Information
   --------------------------------------------------------

    Overall Backup Unit Status              : Ready

         Backup Unit Type                   : AFM-700/700LP
         Non-Volatile Storage Status        : Ready
         Supercap Status                    : Ready

----------------------------------------------------------------------
Logical device information
----------------------------------------------------------------------
Logical Device number 0
   Logical Device name                      : STORAGE1
   Block Size of member drives              : 512 Bytes
   RAID level                               : 6 Reed-Solomon
   Unique Identifier                        : A875F532
   Status of Logical Device                 : Impacted ( Build/Verify with fix : 90 % )
   Stripe-unit size                         : 256 KB
   Read-cache setting                       : Enabled
   Read-cache status                        : On
   Write-cache setting                      : Enabled
   Write-cache status                       : On
   maxCache write cache setting             : Disabled
   maxCache write cache status              : Off
   --------------------------------------------------------
   Logical Device segment information
   --------------------------------------------------------
   Segment 0                                : Present (5723166MB, SATA, HDD, Enclosure:1, Slot:0) NAG2Y0LY
   Segment 1                                : Present (5723166MB, SATA, HDD, Enclosure:1, Slot:1) NCH2G2RZ

Logical Device number 1
   Logical Device name                      : STORAGE2
   RAID level                               : 6 Reed-Solomon
   Status of Logical Device                 : Optimal
   Stripe-unit size                         : 256 KB
   Read-cache status                        : On
   Write-cache setting                      : On when protected by battery/ZMM
   Write-cache status                       : On
   --------------------------------------------------------
   Logical Device segment information
   --------------------------------------------------------
   Segment 0                                : Present (5723166MB, SATA, HDD, Enclosure:1, Slot:9) NCGZEG3V


----------------------------------------------------------------------
Physical Device information
----------------------------------------------------------------------
      Device #0
         Device is a Hard drive
         Model                              : INTEL SSDSC2BA20
         Firmware                           : 02705DV1
         Write Cache                        : Enabled (write-back)
";

    /// `t/data/arcconf/issue155/getconfig` of the same, an older version, shortened; with the battery of `issue67`.
    const OLD: &str = "Controllers found: 1
----------------------------------------------------------------------
Controller information
----------------------------------------------------------------------
   Controller Model                         : Adaptec 6805E
   --------------------------------------------------------
   Controller Version Information
   --------------------------------------------------------
   Firmware                                 : 5.2-0 (19109)
   --------------------------------------------------------
   Controller Battery Information
   --------------------------------------------------------
   Status                                   : Not Installed

----------------------------------------------------------------------
Logical device information
----------------------------------------------------------------------
Logical device number 1
   Logical device name                      : SSD
   RAID level                               : 10
   Status of logical device                 : Degraded
   Stripe-unit size                         : 256 KB
   Read-cache mode                          : Enabled
   Write-cache mode                         : Enabled (write-back)
   Write-cache setting                      : Enabled (write-back)
   --------------------------------------------------------
   Logical device segment information
   --------------------------------------------------------
   Group 0, Segment 0                       : Inconsistent (0,2)
   Group 0, Segment 1                       : Present (0,3) 50026B726900BD5E
   Group 1, Segment 0                       : Present (0,6) 50026B726900BD87
   Group 1, Segment 1                       : Present (0,7) 50026B726900BD5F

";

    fn at(channel: u64, target: u64) -> Place {
        Place { target: Some((channel, target)), ..Place::default() }
    }

    fn filled(told: &str, place: &Place) -> Option<Controller> {
        let mut controller = Controller { driver: "aacraid".to_string(), ..Controller::default() };
        Told::read(told.as_bytes()).unwrap().fill(&mut controller, place).then_some(controller)
    }

    #[test]
    fn a_volume_is_the_target_of_its_number() {
        let first = filled(TOLD, &at(0, 0)).unwrap();
        assert_eq!((first.driver.as_str(), first.model.as_deref()), ("aacraid", Some("Adaptec ASR8885Q")));
        assert_eq!(first.firmware.as_deref(), Some("7.13-0 (33263)"));
        let backup = first.backup.unwrap();
        assert_eq!((backup.is_flash, backup.model.as_deref()), (true, Some("AFM-700/700LP")));
        assert_eq!(backup.state.as_deref(), Some("Ready"));
        let expected = RaidVolume {
            level: Some("RAID6".to_string()),
            state: Some("Impacted ( Build/Verify with fix : 90 % )".to_string()),
            write_policy: Some(WritePolicy::AlwaysBack),
            write_policy_asked: Some(WritePolicy::AlwaysBack),
            reads_ahead: None,
            reads_cached: Some(true),
            drive_cache: Some("Drive Specific".to_string()),
            strip_bytes: Some(256 << 10),
            drives: Some(2),
        };
        assert_eq!(first.volume, Some(expected));
        let second = filled(TOLD, &at(0, 1)).unwrap().volume.unwrap();
        assert_eq!((second.write_policy, second.drives), (Some(WritePolicy::Back), Some(1)));
        // No such number, a drive that is passed through, and one of which the place is not known.
        for place in [at(0, 2), at(1, 0), Place::default()] {
            assert_eq!(filled(TOLD, &place), None, "{place:?}");
        }
    }

    #[test]
    fn older_versions_have_other_words() {
        let old = filled(OLD, &at(0, 1)).unwrap();
        assert_eq!((old.model.as_deref(), old.backup), (Some("Adaptec 6805E"), None));
        let volume = old.volume.unwrap();
        assert_eq!((volume.level.as_deref(), volume.state.as_deref()), (Some("RAID10"), Some("Degraded")));
        assert_eq!((volume.write_policy, volume.reads_cached), (Some(WritePolicy::AlwaysBack), Some(true)));
        assert_eq!((volume.drives, volume.drive_cache), (Some(4), None));
        let zmm =
            OLD.replace("Battery Information", "ZMM Information").replace("Not Installed", "ZMM Optimal");
        let backup = filled(&zmm, &at(0, 1)).unwrap().backup.unwrap();
        assert_eq!((backup.is_flash, backup.state.as_deref()), (true, Some("ZMM Optimal")));
    }

    #[test]
    fn what_is_done_now_may_not_be_what_was_asked() {
        use WritePolicy::{AlwaysBack, Back, Through};
        for (setting, status, asked, now) in [
            ("Enabled", "On", Some(AlwaysBack), Some(AlwaysBack)),
            ("On when protected by battery/ZMM", "Off", Some(Back), Some(Through)),
            ("Enabled (write-back) when protected by battery/ZMM", "On", Some(Back), Some(Back)),
            ("Disabled", "Off", Some(Through), Some(Through)),
            ("Disabled (write-through)", "Off", Some(Through), Some(Through)),
            ("Perhaps", "On", None, Some(Back)),
            ("Enabled", "Perhaps", Some(AlwaysBack), None),
        ] {
            let told = TOLD
                .replacen(
                    "Write-cache setting                      : Enabled",
                    &format!("Write-cache setting: {setting}"),
                    1,
                )
                .replacen(
                    "Write-cache status                       : On",
                    &format!("Write-cache status: {status}"),
                    1,
                );
            let volume = filled(&told, &at(0, 0)).unwrap().volume.unwrap();
            assert_eq!((volume.write_policy_asked, volume.write_policy), (asked, now), "{setting} {status}");
        }
    }

    #[test]
    fn of_several_controllers_none_is_guessed() {
        let two = TOLD.replacen("found: 1", "found: 2", 1);
        assert_eq!(filled(&two, &at(0, 0)), None);
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for told in ["", "Controllers found: 0\n", "Controllers found: 1\n", "Invalid controller number.\n"] {
            assert!(Told::read(told.as_bytes()).is_none(), "{told:?}");
        }
    }

    proptest! {
        #[test]
        fn any_answer_is_read_without_a_panic(cut in 0..TOLD.len(), noise in ".{0,200}") {
            let told = [&TOLD.as_bytes()[..cut], noise.as_bytes()].concat();
            if let Some(told) = Told::read(&told) {
                told.fill(&mut Controller::default(), &at(0, 0));
            }
        }
    }
}
