//! `storcli` or `perccli`: one program under two names.

use cardiograph_core::drive::{CacheBackup, Controller, RaidVolume, WritePolicy};
use serde_json::Value;

use super::report::size_bytes;
use super::volume::Volume;
use crate::health::json::{count_at, small_at, text_at};

/// The program for controllers of Broadcom (LSI, Avago) and Dell's PERC.
pub(crate) const PROGRAM: &[&str] = &["storcli64", "storcli", "perccli64", "perccli"];
/// Queries for all controllers and all volumes. Without `nolog` it would write a log file.
pub(crate) const ARGUMENTS: [&[&str]; 2] =
    [&["/cALL", "show", "J", "nolog"], &["/cALL/vALL", "show", "all", "J", "nolog"]];

/// Parses both answers. `None` if one is invalid.
pub(crate) fn read(answers: &[&[u8]]) -> Option<Vec<Volume>> {
    read_with(answers, parse_controller, |number, data, controller| {
        let its = data.as_object().into_iter().flatten();
        let volumes = its.filter_map(|(key, properties)| {
            let index = key.strip_prefix("VD")?.strip_suffix(" Properties")?.parse().ok()?;
            let volume = Some(volume(data, number, index, properties));
            Some(Volume {
                id: text_at(properties, "SCSI NAA Id"),
                device: text_at(properties, "OS Drive Name"),
                controller: Controller { volume, ..controller.clone() },
            })
        });
        volumes.collect()
    })
}

/// Parses the answers about controllers and volumes: `volumes` extracts those of one controller by number,
/// `controller` converts its entry. `None` if they have another form.
pub(super) fn read_with(
    answers: &[&[u8]],
    controller: fn(&Value) -> Controller,
    volumes: fn(u64, &Value, &Controller) -> Vec<Volume>,
) -> Option<Vec<Volume>> {
    let [controllers, listed] = answers else { return None };
    let (controllers, listed) = (answer(controllers)?, answer(listed)?);
    let of_one = |(number, data): (u64, &Value)| {
        let overview = responses(&controllers).find(|(other, _)| *other == number);
        volumes(number, data, &overview.map(|(_, data)| controller(data)).unwrap_or_default())
    };
    Some(responses(&listed).flat_map(of_one).collect())
}

fn parse_controller(data: &Value) -> Controller {
    Controller {
        model: text_at(data, "Product Name"),
        firmware: text_at(data, "FW Version"),
        backup: backup(data),
        ..Controller::default()
    }
}

/// An answer of the program. `None` if it is invalid.
fn answer(bytes: &[u8]) -> Option<Value> {
    let report: Value = serde_json::from_slice(bytes).ok()?;
    report.get("Controllers")?.is_array().then_some(report)
}

/// Number and data of each controller that answered. The number is a string or a number.
fn responses(report: &Value) -> impl Iterator<Item = (u64, &Value)> {
    let listed = report.get("Controllers").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    listed.iter().filter_map(|controller| {
        Some((count_at(controller, "Command Status.Controller")?, controller.get("Response Data")?))
    })
}

fn volume(data: &Value, controller: u64, index: u64, properties: &Value) -> RaidVolume {
    let row = data.get(format!("/c{controller}/v{index}")).and_then(|rows| rows.get(0));
    let text = |name: &str| row.and_then(|row| text_at(row, name));
    let policy = text("Cache").and_then(|cache| policy(&cache));
    let count = |name: &str| small_at::<u32>(properties, name);
    RaidVolume {
        level: text("TYPE"),
        state: text("State"),
        write_policy: policy.map(|policy| policy.1),
        write_policy_asked: text_at(properties, "Write Cache(initial setting)").and_then(|asked| match asked
            .replace(' ', "")
            .as_str()
        {
            "WriteBack" => Some(WritePolicy::Back),
            "WriteThrough" => Some(WritePolicy::Through),
            "AlwaysWriteBack" | "ForceWriteBack" => Some(WritePolicy::AlwaysBack),
            _ => None,
        }),
        reads_ahead: policy.map(|policy| policy.0),
        reads_cached: policy.map(|policy| policy.2),
        drive_cache: text_at(properties, "Disk Cache Policy"),
        strip_bytes: text_at(properties, "Strip Size").and_then(|size| size_bytes(&size)),
        drives: count("Number of Drives Per Span")
            .and_then(|drives| drives.checked_mul(count("Span Depth").unwrap_or(1))),
    }
}

/// Read-ahead, write and I/O policy in a column such as `NRWTD`: `R` or `NR`; `WT`, `WB`, `AWB` or `FWB`; `D`
/// or `C`.
fn policy(column: &str) -> Option<(bool, WritePolicy, bool)> {
    let (reads_ahead, rest) = match column.strip_prefix("NR") {
        Some(rest) => (false, rest),
        None => (true, column.strip_prefix('R')?),
    };
    let (write, rest) = [
        ("WT", WritePolicy::Through),
        ("WB", WritePolicy::Back),
        ("AWB", WritePolicy::AlwaysBack),
        ("FWB", WritePolicy::AlwaysBack),
    ]
    .into_iter()
    .find_map(|(word, policy)| Some((policy, rest.strip_prefix(word)?)))?;
    match rest {
        "D" => Some((reads_ahead, write, false)),
        "C" => Some((reads_ahead, write, true)),
        _ => None,
    }
}

/// Backup power of the cache.
fn backup(data: &Value) -> Option<CacheBackup> {
    [("Cachevault_Info", true), ("BBU_Info", false)].into_iter().find_map(|(key, is_flash)| {
        let row = data.get(key)?.get(0)?;
        Some(CacheBackup { is_flash, model: text_at(row, "Model"), state: text_at(row, "State") })
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::super::{VolumeId, volume};
    use super::*;

    /// Two volumes of `storcli_test.go` of <https://github.com/yunionio/cloudpods>
    /// (pkg/baremetal/utils/raid/megactl), without their drives.
    pub(crate) const VOLUMES: &str = r#"{"Controllers":[{"Command Status":{
        "CLI Version":"007.1907.0000.0000 Sep 13, 2021","Operating system":"Linux 5.14.0-4-arm64","Controller":0,
        "Status":"Success","Description":"None"},"Response Data":{
        "/c0/v0":[{"DG/VD":"0/0","TYPE":"RAID1","State":"Optl","Access":"RW","Consist":"No","Cache":"RWBD","Cac":"-",
        "sCC":"ON","Size":"446.625 GB","Name":""}],"VD0 Properties":{"Strip Size":"256 KB","Number of Blocks":936640512,
        "Span Depth":1,"Number of Drives Per Span":2,"Write Cache(initial setting)":"WriteBack",
        "Disk Cache Policy":"Disk's Default","OS Drive Name":"/dev/sda",
        "SCSI NAA Id":"600605b010e943702a3372bf4d29f6a7"},
        "/c0/v2":[{"DG/VD":"2/2","TYPE":"RAID0","State":"Optl","Cache":"NRWTD","Size":"1.090 TB","Name":""}],
        "VD2 Properties":{"Strip Size":"256 KB","Span Depth":1,"Number of Drives Per Span":1,
        "Write Cache(initial setting)":"WriteThrough","Disk Cache Policy":"Disk's Default","OS Drive Name":"/dev/sdc",
        "SCSI NAA Id":"600605b010e943702a3372c04d3ad143"}}}]}"#;
    /// The matching overview, in the program's format.
    pub(crate) const CONTROLLERS: &str = r#"{"Controllers":[{"Command Status":{"Controller":0,"Status":"Success"},
        "Response Data":{"Product Name":"AVAGO MegaRAID SAS 9361-8i","Serial Number":"SP00000000",
        "FW Version":"4.680.00-8249","Virtual Drives":2,"Cachevault_Info":[{"Model":"CVPM02","State":"Optimal",
        "Temp":"28C","Mode":"-","MfgDate":"2016/11/04"}]}}]}"#;

    fn id_of(device: &str, wwid: Option<&str>) -> VolumeId {
        VolumeId { device: device.to_string(), wwid: wwid.map(str::to_string) }
    }

    #[test]
    fn a_volume_is_found_by_its_globally_unique_name_or_device() {
        let report = read(&[CONTROLLERS.as_bytes(), VOLUMES.as_bytes()]).unwrap();
        let mut controller = Controller { driver: "megaraid_sas".to_string(), ..Controller::default() };
        assert!(volume::fill(&report, &mut controller, &id_of("/dev/sda", None)));
        let expected = RaidVolume {
            level: Some("RAID1".to_string()),
            state: Some("Optl".to_string()),
            write_policy: Some(WritePolicy::Back),
            write_policy_asked: Some(WritePolicy::Back),
            reads_ahead: Some(true),
            reads_cached: Some(false),
            drive_cache: Some("Disk's Default".to_string()),
            strip_bytes: Some(262_144),
            drives: Some(2),
        };
        assert_eq!(controller.volume, Some(expected));
        assert_eq!(controller.model.as_deref(), Some("AVAGO MegaRAID SAS 9361-8i"));
        let backup = controller.backup.as_ref().unwrap();
        assert_eq!((backup.is_flash, backup.state.as_deref()), (true, Some("Optimal")));
        // The globally unique name takes precedence over the device's.
        let id = Some("naa.600605B010E943702A3372C04D3AD143");
        assert!(volume::fill(&report, &mut controller, &id_of("/dev/sda", id)));
        let volume = controller.volume.as_ref().unwrap();
        assert_eq!((volume.level.as_deref(), volume.reads_ahead), (Some("RAID0"), Some(false)));
        assert_eq!(volume.write_policy, Some(WritePolicy::Through));
        assert!(!volume::fill(&report, &mut controller, &id_of("/dev/sdz", None)));
        assert!(!volume::fill(&report, &mut controller, &id_of("/dev/sda", Some("naa.5000"))));
        // The battery of the controller in `tests/test_storcli.py` of <https://github.com/Mirantis/lsi-api>.
        let battery = r#""BBU_Info":[{"Model":"iBBU","State":"Optimal","RetentionTime":"48 hours +","Temp":"24C","Mode":"-",
            "MfgDate":"2012/09/22","Next Learn":"2014/05/09  18:14:01"}]}}]}"#;
        let (above, _) = CONTROLLERS.split_once("\"Cachevault_Info\"").unwrap();
        let report = read(&[[above, battery].concat().as_bytes(), VOLUMES.as_bytes()]).unwrap();
        assert!(volume::fill(&report, &mut controller, &id_of("/dev/sda", None)));
        let backup = controller.backup.unwrap();
        assert_eq!((backup.is_flash, backup.model.as_deref()), (false, Some("iBBU")));
        assert_eq!(backup.state.as_deref(), Some("Optimal"));
    }

    #[test]
    fn policy_columns_are_decoded() {
        use WritePolicy::{AlwaysBack, Back, Through};
        for (column, expected) in [
            ("RWBD", Some((true, Back, false))),
            ("NRWTD", Some((false, Through, false))),
            ("RAWBC", Some((true, AlwaysBack, true))),
            ("NRFWBD", Some((false, AlwaysBack, false))),
            ("NRAWBD", Some((false, AlwaysBack, false))),
            ("RWB", None),
            ("WBD", None),
            ("RXXD", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(policy(column), expected, "{column}");
        }
    }

    proptest! {
        #[test]
        fn invalid_output_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64), at in 0usize..1_500) {
            let mut volumes = VOLUMES.as_bytes().to_vec();
            let start = at.min(volumes.len());
            let end = (start + bytes.len()).min(volumes.len());
            volumes[start..end].copy_from_slice(&bytes[..end - start]);
            for volumes in [volumes.as_slice(), bytes.as_slice(), b"{}", b"{\"Controllers\":[1,{}]}"] {
                if let Some(report) = read(&[CONTROLLERS.as_bytes(), volumes]) {
                    let _ = volume::fill(&report, &mut Controller::default(), &id_of("/dev/sda", None));
                }
            }
        }
    }
}
