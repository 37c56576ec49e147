//! `MegaCli`, the forerunner of `storcli`, which writes for people only.

use cardiograph_core::drive::{CacheBackup, Controller, RaidVolume, WritePolicy};

use super::Place;
use super::report::{sections, size_bytes, value};
use crate::attribute;

/// The program, under the names that its packages give it.
pub(crate) const PROGRAM: &[&str] = &["MegaCli64", "MegaCli", "megacli"];
/// What it is asked: the volumes, what keeps the caches alive, and where the controllers are. It would write a log of its
/// own otherwise.
pub(crate) const ARGUMENTS: [&[&str]; 3] = [
    &["-LDInfo", "-Lall", "-aALL", "-NoLog"],
    &["-AdpBbuCmd", "-GetBbuStatus", "-aALL", "-NoLog"],
    &["-AdpGetPciInfo", "-aALL", "-NoLog"],
];
/// Channels of a controller below this one have drives, those from it on volumes (`megaraid_sas.h` of the kernel:
/// `MEGASAS_MAX_PD_CHANNELS`).
const VOLUME_CHANNEL_MIN: u64 = 2;
/// Targets of a channel (`MEGASAS_MAX_DEV_PER_CHANNEL`).
const TARGETS_OF_CHANNEL: u64 = 128;

/// What the program told of all controllers and volumes.
#[derive(Debug)]
pub(crate) struct Told {
    volumes: Vec<Volume>,
    /// Number of the controller, and what keeps its cache alive.
    backups: Vec<(u64, CacheBackup)>,
    /// Number of the controller, and its bus, device and function.
    functions: Vec<(u64, (u64, u64, u64))>,
}

#[derive(Debug)]
struct Volume {
    adapter: u64,
    target: u64,
    facts: RaidVolume,
}

impl Told {
    /// Reads the three answers. `None` when the first is none.
    pub fn read(volumes: &[u8], backups: &[u8], functions: &[u8]) -> Option<Self> {
        let volumes = String::from_utf8_lossy(volumes);
        let lines: Vec<&str> = volumes.lines().collect();
        let adapters = sections(&lines, |line| number_behind(line, "Adapter "));
        // A controller without volumes has a line that says so, and is an answer too.
        if adapters.is_empty() {
            return None;
        }
        let volumes = adapters.iter().flat_map(|(adapter, lines)| {
            let volumes =
                sections(lines, |line| number_behind(line, "Virtual Drive: ").map(|_| target(line)));
            volumes.into_iter().filter_map(|(target, lines)| {
                Some(Volume { adapter: *adapter, target: target?, facts: facts(&lines) })
            })
        });
        Some(Self {
            volumes: volumes.collect(),
            backups: read_backups(backups),
            functions: read_functions(functions),
        })
    }

    /// Sets what is known of the volume at `place`. Returns whether any controller has it.
    pub fn fill(&self, controller: &mut Controller, place: &Place) -> bool {
        let Some(volume) = self.volume(place) else { return false };
        controller.volume = Some(volume.facts.clone());
        let backup = self.backups.iter().find(|(adapter, _)| *adapter == volume.adapter);
        controller.backup = backup.map(|(_, backup)| backup.clone());
        true
    }

    fn volume(&self, place: &Place) -> Option<&Volume> {
        let (channel, target) = place.target?;
        let target =
            channel.checked_sub(VOLUME_CHANNEL_MIN)?.checked_mul(TARGETS_OF_CHANNEL)?.checked_add(target)?;
        let mut adapters: Vec<u64> = self.volumes.iter().map(|volume| volume.adapter).collect();
        adapters.dedup();
        let by_function = self
            .functions
            .iter()
            .find(|(_, function)| Some(*function) == place.function)
            .map(|(adapter, _)| *adapter);
        let adapter = match (by_function, adapters.as_slice()) {
            (Some(adapter), _) => adapter,
            // Its number does not say which controller it is; where there is one only, it need not.
            (None, [only]) if self.functions.is_empty() => *only,
            _ => return None,
        };
        self.volumes.iter().find(|volume| volume.adapter == adapter && volume.target == target)
    }
}

/// The number that stands behind `words` at the beginning of a line.
fn number_behind(line: &str, words: &str) -> Option<u64> {
    let rest = line.trim_start().strip_prefix(words)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The target of `Virtual Drive: 0 (Target Id: 0)`.
fn target(line: &str) -> Option<u64> {
    line.split_once("(Target Id: ")?.1.split_once(')')?.0.trim().parse().ok()
}

fn facts(lines: &[&str]) -> RaidVolume {
    let text = |name: &str| value(lines, name).and_then(|text| attribute::clean(text.as_bytes()));
    let now = value(lines, "Current Cache Policy").map(policy).unwrap_or_default();
    let asked = value(lines, "Default Cache Policy").map(policy).unwrap_or_default();
    let spans = value(lines, "Span Depth").and_then(|spans| spans.parse::<u32>().ok());
    let drives = match (value(lines, "Number Of Drives"), value(lines, "Number Of Drives per span")) {
        (Some(drives), _) => drives.parse().ok(),
        (None, Some(drives)) => drives.parse::<u32>().ok().and_then(|drives| drives.checked_mul(spans?)),
        (None, None) => None,
    };
    RaidVolume {
        level: value(lines, "RAID Level").and_then(|level| self::level(level, spans)),
        state: text("State"),
        write_policy: now.write,
        write_policy_asked: asked.write,
        reads_ahead: now.reads_ahead,
        reads_cached: now.reads_cached,
        drive_cache: text("Disk Cache Policy"),
        strip_bytes: value(lines, "Strip Size").and_then(size_bytes),
        drives,
    }
}

/// The level of `Primary-1, Secondary-0, RAID Level Qualifier-0`: sets of the first kind, of which several are spans.
fn level(text: &str, spans: Option<u32>) -> Option<String> {
    let primary: u32 = text.strip_prefix("Primary-")?.split(',').next()?.trim().parse().ok()?;
    Some(match primary {
        1 | 5 | 6 if spans.is_some_and(|spans| spans > 1) => format!("RAID{primary}0"),
        _ => format!("RAID{primary}"),
    })
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Policy {
    write: Option<WritePolicy>,
    reads_ahead: Option<bool>,
    reads_cached: Option<bool>,
}

/// Words such as `WriteBack, ReadAheadNone, Direct, No Write Cache if Bad BBU`.
fn policy(text: &str) -> Policy {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let has = |word: &str| words.contains(&word);
    let write = if has("WriteThrough") {
        Some(WritePolicy::Through)
    } else if has("WriteBack") && has("Write Cache OK if Bad BBU") {
        Some(WritePolicy::AlwaysBack)
    } else {
        has("WriteBack").then_some(WritePolicy::Back)
    };
    let either = |yes: &[&str], no: &str| {
        let is_yes = yes.iter().any(|word| has(word));
        (is_yes || has(no)).then_some(is_yes)
    };
    Policy {
        write,
        reads_ahead: either(&["ReadAhead", "ReadAdaptive"], "ReadAheadNone"),
        reads_cached: either(&["Cached"], "Direct"),
    }
}

fn read_backups(told: &[u8]) -> Vec<(u64, CacheBackup)> {
    let told = String::from_utf8_lossy(told);
    let lines: Vec<&str> = told.lines().collect();
    let sections = sections(&lines, |line| number_behind(line, "BBU status for Adapter: "));
    let backup = |(adapter, lines): (u64, Vec<&str>)| {
        let model = value(&lines, "BatteryType").and_then(|model| attribute::clean(model.as_bytes()))?;
        let is_yes = |name: &str| value(&lines, name) == Some("Yes");
        let state = if is_yes("Battery Pack Missing") {
            Some("missing".to_string())
        } else if is_yes("Battery Replacement required")
            || is_yes("Pack is about to fail & should be replaced")
        {
            Some("to be replaced".to_string())
        } else {
            value(&lines, "Battery State").and_then(|state| attribute::clean(state.as_bytes()))
        };
        // CacheVault modules have names that begin so.
        Some((adapter, CacheBackup { is_flash: model.starts_with("CV"), model: Some(model), state }))
    };
    sections.into_iter().filter_map(backup).collect()
}

fn read_functions(told: &[u8]) -> Vec<(u64, (u64, u64, u64))> {
    let told = String::from_utf8_lossy(told);
    let lines: Vec<&str> = told.lines().collect();
    let sections = sections(&lines, |line| number_behind(line, "PCI information for Controller "));
    let function = |(adapter, lines): (u64, Vec<&str>)| {
        let number = |name: &str| u64::from_str_radix(value(&lines, name)?, 16).ok();
        Some((adapter, (number("Bus Number")?, number("Device Number")?, number("Function Number")?)))
    };
    sections.into_iter().filter_map(function).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `t/data/megacli/issue45/MegaCli64-ldinfo.out` of <https://github.com/glensc/nagios-plugin-check_raid>, its first two
    /// volumes; the second with the policies of `WorkingtipsOnZFSOnProxmox` (a log of a server whose battery was empty).
    pub(crate) const VOLUMES: &str = "
Adapter 0 -- Virtual Drive Information:
Virtual Drive: 0 (Target Id: 0)
Name                :
RAID Level          : Primary-1, Secondary-0, RAID Level Qualifier-0
Size                : 837.258 GB
Sector Size         : 512
Is VD emulated      : No
Mirror Data         : 837.258 GB
State               : Optimal
Strip Size          : 64 KB
Number Of Drives    : 2
Span Depth          : 1
Default Cache Policy: WriteBack, ReadAdaptive, Direct, No Write Cache if Bad BBU
Current Cache Policy: WriteBack, ReadAdaptive, Direct, No Write Cache if Bad BBU
Default Access Policy: Read/Write
Current Access Policy: Read/Write
Disk Cache Policy   : Disk's Default
Encryption Type     : None
Is VD Cached: No


Virtual Drive: 1 (Target Id: 1)
Name                :
RAID Level          : Primary-0, Secondary-0, RAID Level Qualifier-0
Size                : 1.817 TB
State               : Optimal
Strip Size          : 256 KB
Number Of Drives    : 1
Span Depth          : 1
Default Cache Policy: WriteBack, ReadAhead, Direct, No Write Cache if Bad BBU
Current Cache Policy: WriteThrough, ReadAhead, Direct, No Write Cache if Bad BBU
Access Policy       : Read/Write
Disk Cache Policy   : Disk's Default
Encryption Type     : None

Exit Code: 0x00
";
    /// `t/data/megacli/issue45/MegaCli64-adpbbucmd.out` of the same repository, shortened.
    pub(crate) const BACKUPS: &str = "
BBU status for Adapter: 0

BatteryType: iBBU08
Voltage: 4073 mV
Current: 0 mA
Temperature: 34 C
Battery State: Optimal
Design Mode  : 48+ Hrs retention with a non-transparent learn cycle and balanced service life.

BBU Firmware Status:

  Charging Status              : None
  Voltage                                 : OK
  Battery Pack Missing                    : No
  Battery Replacement required            : No
  Pack is about to fail & should be replaced : No

Exit Code: 0x00
";
    /// The lines that programs of others look for in it.
    const FUNCTIONS: &str = "
PCI information for Controller 0
--------------------------------
Vendor Id       : 1000
Bus Number      : 3b
Device Number   : 0
Function Number : 0
";

    fn place(function: (u64, u64, u64), channel: u64, target: u64) -> Place {
        Place { function: Some(function), target: Some((channel, target)), ..Place::default() }
    }

    fn told(volumes: &str, backups: &str, functions: &str) -> Told {
        Told::read(volumes.as_bytes(), backups.as_bytes(), functions.as_bytes()).unwrap()
    }

    #[test]
    fn a_volume_is_found_by_its_target() {
        let told = told(VOLUMES, BACKUPS, FUNCTIONS);
        let mut controller = Controller::default();
        assert!(told.fill(&mut controller, &place((0x3b, 0, 0), 2, 0)));
        let expected = RaidVolume {
            level: Some("RAID1".to_string()),
            state: Some("Optimal".to_string()),
            write_policy: Some(WritePolicy::Back),
            write_policy_asked: Some(WritePolicy::Back),
            reads_ahead: Some(true),
            reads_cached: Some(false),
            drive_cache: Some("Disk's Default".to_string()),
            strip_bytes: Some(65_536),
            drives: Some(2),
        };
        assert_eq!(controller.volume, Some(expected));
        let backup = controller.backup.as_ref().unwrap();
        assert_eq!((backup.model.as_deref(), backup.is_flash), (Some("iBBU08"), false));
        assert_eq!(backup.state.as_deref(), Some("Optimal"));
        assert!(told.fill(&mut controller, &place((0x3b, 0, 0), 2, 1)));
        let volume = controller.volume.as_ref().unwrap();
        assert_eq!(volume.level.as_deref(), Some("RAID0"));
        assert_eq!(
            (volume.write_policy, volume.write_policy_asked),
            (Some(WritePolicy::Through), Some(WritePolicy::Back))
        );
        // Another volume, a drive that is passed through, and another controller.
        for place in [place((0x3b, 0, 0), 2, 2), place((0x3b, 0, 0), 0, 1), place((0x5e, 0, 0), 2, 0)] {
            assert!(!told.fill(&mut controller, &place), "{place:?}");
        }
        assert!(!told.fill(&mut controller, &Place::default()));
    }

    #[test]
    fn one_of_several_controllers_needs_its_place() {
        let second = VOLUMES.replace("Adapter 0", "Adapter 1");
        let both = format!("{VOLUMES}{second}");
        let mut controller = Controller::default();
        // Where no places are told, one controller need not be told from others.
        assert!(told(VOLUMES, "", "").fill(&mut controller, &place((9, 0, 0), 2, 0)));
        assert!(!told(&both, "", "").fill(&mut controller, &place((9, 0, 0), 2, 0)));
        let functions =
            format!("{FUNCTIONS}{}", FUNCTIONS.replace("Controller 0", "Controller 1").replace("3b", "5e"));
        let changed = both.replacen("State               : Optimal", "State               : Degraded", 1);
        for (bus, state) in [(0x3b, "Degraded"), (0x5e, "Optimal")] {
            assert!(told(&changed, BACKUPS, &functions).fill(&mut controller, &place((bus, 0, 0), 2, 0)));
            assert_eq!(controller.volume.as_ref().unwrap().state.as_deref(), Some(state));
            assert_eq!(controller.backup.is_some(), bus == 0x3b);
        }
    }

    #[test]
    fn words_of_policies_levels_and_batteries() {
        use WritePolicy::{AlwaysBack, Back, Through};
        let cases = [
            // `t/data/megacli/issue39/batteries.ldinfo.1`.
            (
                "WriteBack, ReadAdaptive, Cached, Write Cache OK if Bad BBU",
                (Some(AlwaysBack), Some(true), Some(true)),
            ),
            (
                "WriteThrough, ReadAheadNone, Direct, Write Cache OK if Bad BBU",
                (Some(Through), Some(false), Some(false)),
            ),
            (
                "WriteBack, ReadAhead, Direct, No Write Cache if Bad BBU",
                (Some(Back), Some(true), Some(false)),
            ),
            ("", (None, None, None)),
            ("WriteSideways", (None, None, None)),
        ];
        for (text, (write, reads_ahead, reads_cached)) in cases {
            assert_eq!(policy(text), Policy { write, reads_ahead, reads_cached }, "{text}");
        }
        let levels = [
            ("Primary-1, Secondary-0, RAID Level Qualifier-0", Some(2), Some("RAID10")),
            ("Primary-5, Secondary-3, RAID Level Qualifier-3", Some(2), Some("RAID50")),
            ("Primary-5, Secondary-0, RAID Level Qualifier-3", Some(1), Some("RAID5")),
            ("Primary-0, Secondary-0, RAID Level Qualifier-0", Some(2), Some("RAID0")),
            ("Primary-x", Some(1), None),
            ("", None, None),
        ];
        for (text, spans, expected) in levels {
            assert_eq!(level(text, spans).as_deref(), expected, "{text}");
        }
        for (from, to, state) in [
            ("Battery State: Optimal", "Battery State     : Non Operational", Some("Non Operational")),
            ("Battery State: Optimal\n", "", None),
            ("Missing                    : No", "Missing                    : Yes", Some("missing")),
            ("required            : No", "required            : Yes", Some("to be replaced")),
        ] {
            let backups = read_backups(BACKUPS.replace(from, to).as_bytes());
            assert_eq!(backups[0].1.state.as_deref(), state, "{to}");
        }
        let vault = read_backups(BACKUPS.replace("iBBU08", "CVPM02").as_bytes());
        assert!(vault[0].1.is_flash);
        assert_eq!(read_backups(b"Adapter 0: Get BBU Status Failed.\n").len(), 0);
        // Ten sets of two drives, as newer versions write it.
        let spans = VOLUMES.replace(
            "Number Of Drives    : 2\nSpan Depth          : 1",
            "Number Of Drives per span:2\nSpan Depth          : 10",
        );
        let mut controller = Controller::default();
        assert!(told(&spans, "", "").fill(&mut controller, &place((0, 0, 0), 2, 0)));
        let volume = controller.volume.unwrap();
        assert_eq!((volume.level.as_deref(), volume.drives), (Some("RAID10"), Some(20)));
    }

    #[test]
    fn an_answer_names_a_controller() {
        for bad in ["", "rubbish", "Exit Code: 0x01", "ERROR:Could not open device"] {
            assert!(Told::read(bad.as_bytes(), b"", b"").is_none(), "{bad}");
        }
        let none = told(
            "Adapter 0 -- Virtual Drive Information:\nAdapter 0: No Virtual Drive Configured.\n",
            "",
            "",
        );
        assert!(!none.fill(&mut Controller::default(), &place((0, 0, 0), 2, 0)));
    }

    proptest! {
        #[test]
        fn rubbish_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64), at in 0usize..1_500) {
            let mut volumes = VOLUMES.as_bytes().to_vec();
            let start = at.min(volumes.len());
            let end = (start + bytes.len()).min(volumes.len());
            volumes[start..end].copy_from_slice(&bytes[..end - start]);
            if let Some(told) = Told::read(&volumes, &bytes, &bytes) {
                let _ = told.fill(&mut Controller::default(), &place((0, 0, 0), 2, 0));
            }
        }
    }
}
