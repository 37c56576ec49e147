//! `storcli2` or `perccli2`: one program under two names, for controllers of the driver `mpi3mr`. Its answers
//! use other words than its predecessors'.

use cardiograph_core::drive::{CacheBackup, Controller, RaidVolume, WritePolicy};
use serde_json::Value;

use super::report::size_bytes;
use super::storcli::read_with;
use super::volume::Volume;
use crate::health::json::{small_at, text_at};

/// The program for controllers of Broadcom and Dell's PERC from 2022 on.
pub(crate) const PROGRAM: &[&str] = &["storcli2", "perccli2"];
/// Queries for all controllers and all volumes. Without `nolog` it would write a log file.
pub(crate) const ARGUMENTS: [&[&str]; 2] =
    [&["/call", "show", "nolog", "J"], &["/call/vall", "show", "all", "nolog", "J"]];

/// Parses both answers. `None` if one is invalid.
pub(crate) fn read(answers: &[&[u8]]) -> Option<Vec<Volume>> {
    read_with(answers, parse_controller, |_, data, controller| {
        let its = data.get("Virtual Drives").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        its.iter().map(|report| volume_of(report, controller)).collect()
    })
}

fn parse_controller(data: &Value) -> Controller {
    let pack = data.get("Energy Pack Info").and_then(|packs| packs.get(0));
    Controller {
        model: text_at(data, "Product Name"),
        firmware: text_at(data, "Firmware Version"),
        backup: pack.map(|pack| CacheBackup {
            is_flash: text_at(pack, "Type").as_deref() == Some("Supercap"),
            model: text_at(pack, "SubType"),
            state: text_at(pack, "Status"),
        }),
        ..Controller::default()
    }
}

fn volume_of(report: &Value, controller: &Controller) -> Volume {
    let nothing = Value::Null;
    let info = report.get("VD Info").unwrap_or(&nothing);
    let properties = report.get("VD Properties").unwrap_or(&nothing);
    let now = text_at(info, "CurrentCache").and_then(|words| policy(&words));
    let facts = RaidVolume {
        level: text_at(info, "TYPE"),
        state: text_at(info, "State"),
        write_policy: now.map(|(_, write)| write),
        write_policy_asked: text_at(info, "DefaultCache")
            .and_then(|words| policy(&words))
            .map(|(_, write)| write),
        reads_ahead: now.map(|(reads_ahead, _)| reads_ahead),
        reads_cached: None,
        drive_cache: text_at(properties, "Drive Write Cache Policy"),
        strip_bytes: text_at(properties, "Strip Size").and_then(|size| size_bytes(&size)),
        drives: small_at(properties, "Number of Drives"),
    };
    Volume {
        id: text_at(properties, "SCSI NAA Id"),
        device: text_at(properties, "OS Drive Name"),
        controller: Controller { volume: Some(facts), ..controller.clone() },
    }
}

/// Read-ahead and write policy in words such as `NR,WB`: `R` or `NR`; `WT`, `WB` or `AWB`.
fn policy(words: &str) -> Option<(bool, WritePolicy)> {
    let (read, write) = words.split_once(',')?;
    let reads_ahead = match read.trim() {
        "R" => true,
        "NR" => false,
        _ => return None,
    };
    let write = match write.trim() {
        "WT" => WritePolicy::Through,
        "WB" => WritePolicy::Back,
        "AWB" => WritePolicy::AlwaysBack,
        _ => return None,
    };
    Some((reads_ahead, write))
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::super::{VolumeId, volume};
    use super::*;

    /// The two answers of `mpi3mr/storcli2_test.go` of <https://github.com/project-machine/disko>, shortened.
    pub(crate) const CONTROLLERS: &str = r#"{"Controllers":[{"Command Status":{
        "CLI Version":"008.0011.0000.0014 Sep 26, 2024","Controller":"0","Status":"Success","Description":"None"},
        "Response Data":{"Product Name":"Cisco Tri-Mode 24G SAS RAID Controller w/4GB Cache",
        "Board Name":"UCSC-RAID-HP                    ","Package Version":"8.6.2.0-00065-00001",
        "Firmware Version":"8.6.2.0-00000-00001","Driver Name":"mpi3mr","Virtual Drives":1,"VD LIST":[{"DG/VD":"0/1"}],
        "Energy Pack Info":[{"Type":"Supercap","SubType":"FBU345","Voltage(mV)":8937,"Temperature(C)":23,
        "Status":"Optimal"}]}}]}"#;
    pub(crate) const VOLUMES: &str = r#"{"Controllers":[{"Command Status":{
        "CLI Version":"008.0011.0000.0014 Sep 26, 2024","Controller":"0","Status":"Success","Description":"None"},
        "Response Data":{"Virtual Drives":[{"VD Info":{"DG/VD":"0/1","TYPE":"RAID0","State":"Optl","Access":"RW",
        "CurrentCache":"NR,WB","DefaultCache":"NR,WB","Size":"893.137 GiB","Name":""},
        "PDs":[{"EID:Slt":"322:2","PID":312,"State":"Conf","Model":"SAMSUNG MZ7L3960HCJR-00AK1"}],
        "VD Properties":{"Strip Size":"64 KiB","Block Size":4096,"Span Depth":1,"Number of Drives":1,
        "Drive Write Cache Policy":"Default","SCSI NAA Id":"62cf89bd43a7af80679aa6b751349581",
        "OS Drive Name":"/dev/sdg"}}]}}]}"#;

    fn filled(controllers: &str, volumes: &str, device: &str, wwid: Option<&str>) -> Option<Controller> {
        let id = VolumeId { device: device.to_string(), wwid: wwid.map(str::to_string) };
        let mut controller = Controller { driver: "mpi3mr".to_string(), ..Controller::default() };
        let report = read(&[controllers.as_bytes(), volumes.as_bytes()]).unwrap();
        volume::fill(&report, &mut controller, &id).then_some(controller)
    }

    #[test]
    fn a_volume_is_found_by_its_globally_unique_name_or_device() {
        let id = Some("naa.62cf89bd43a7af80679aa6b751349581");
        let controller = filled(CONTROLLERS, VOLUMES, "/dev/sda", id).unwrap();
        assert_eq!(filled(CONTROLLERS, VOLUMES, "/dev/sdg", None).as_ref(), Some(&controller));
        assert_eq!(filled(CONTROLLERS, VOLUMES, "/dev/sdg", Some("naa.5000")), None);
        assert_eq!(filled(CONTROLLERS, VOLUMES, "/dev/sda", None), None);
        let model = Some("Cisco Tri-Mode 24G SAS RAID Controller w/4GB Cache");
        assert_eq!((controller.driver.as_str(), controller.model.as_deref()), ("mpi3mr", model));
        assert_eq!(controller.firmware.as_deref(), Some("8.6.2.0-00000-00001"));
        let backup = controller.backup.unwrap();
        assert_eq!((backup.is_flash, backup.model.as_deref()), (true, Some("FBU345")));
        assert_eq!(backup.state.as_deref(), Some("Optimal"));
        let expected = RaidVolume {
            level: Some("RAID0".to_string()),
            state: Some("Optl".to_string()),
            write_policy: Some(WritePolicy::Back),
            write_policy_asked: Some(WritePolicy::Back),
            reads_ahead: Some(false),
            reads_cached: None,
            drive_cache: Some("Default".to_string()),
            strip_bytes: Some(64 << 10),
            drives: Some(1),
        };
        assert_eq!(controller.volume, Some(expected));
    }

    #[test]
    fn a_controller_may_have_a_numeric_id_and_no_data() {
        let number = VOLUMES.replacen("\"Controller\":\"0\"", "\"Controller\":0", 1);
        assert!(filled(CONTROLLERS, &number, "/dev/sdg", None).unwrap().model.is_some());
        // From `c5_invalid.json` of <https://github.com/scality/raidmgmt>.
        let failure = r#"{"Controllers":[{"Command Status":{"Controller":5,"Status":"Failure",
            "Description":"Controller 5 not found"}}]}"#;
        let of_none = filled(failure, VOLUMES, "/dev/sdg", None).unwrap();
        assert_eq!((of_none.model, of_none.backup), (None, None));
        assert_eq!(filled(CONTROLLERS, failure, "/dev/sdg", None), None);
        assert!(read(&[b"no JSON", VOLUMES.as_bytes()]).is_none());
        assert!(read(&[CONTROLLERS.as_bytes(), b"{}"]).is_none());
    }

    #[test]
    fn cache_policy_words_are_decoded() {
        use WritePolicy::{AlwaysBack, Back, Through};
        for (words, expected) in [
            ("NR,WB", Some((false, Back))),
            ("R,AWB", Some((true, AlwaysBack))),
            ("R, WT", Some((true, Through))),
            ("RA,WB", None),
            ("NR,XX", None),
            ("NRWB", None),
            ("", None),
        ] {
            assert_eq!(policy(words), expected, "{words}");
        }
    }

    proptest! {
        #[test]
        fn invalid_output_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64), at in 0usize..1_000) {
            let mut volumes = VOLUMES.as_bytes().to_vec();
            let start = at.min(volumes.len());
            let end = (start + bytes.len()).min(volumes.len());
            volumes[start..end].copy_from_slice(&bytes[..end - start]);
            for volumes in [volumes.as_slice(), bytes.as_slice(), b"{}", b"{\"Controllers\":[1,{}]}"] {
                if let Some(report) = read(&[CONTROLLERS.as_bytes(), volumes]) {
                    volume::fill(&report, &mut Controller::default(), &VolumeId::default());
                }
            }
        }
    }
}
