//! SATA: statistics defined by the standard, and attributes that vary by vendor, whose meaning is known only
//! if the drive is in smartctl's database; otherwise their names are guesses.

use serde_json::Value;

use crate::attribute;
use crate::health::json::{count, count_at, get, text_at};

/// Health of a SATA drive.
#[derive(Debug, Default)]
pub(super) struct Sata {
    /// Share of its life used, in percent, as defined by the standard.
    pub statistics_used_percent: Option<u16>,
    /// The same from an attribute, with its name.
    pub used: Option<(u16, String)>,
    /// Bytes written in its life, as defined by the standard.
    pub statistics_written_bytes: Option<u64>,
    /// The same from an attribute, with its name.
    pub written: Option<(u64, String)>,
    pub read_bytes: Option<u64>,
    pub unsafe_shutdowns: Option<u64>,
    pub media_errors: Option<u64>,
    pub reallocated_sectors: Option<u64>,
    pub pending_sectors: Option<u64>,
    pub interface_errors: Option<u64>,
    /// Minutes above the specified temperature.
    pub hot_min: Option<u64>,
}

/// Attributes whose normalised value falls from 100 to 0 over a drive's rated life: Samsung, Intel, drives
/// with SandForce, Phison and Silicon Motion controllers, and Crucial.
const LIFE_LEFT: [&str; 6] = [
    "Wear_Leveling_Count",
    "Media_Wearout_Indicator",
    "SSD_Life_Left",
    "Percent_Lifetime_Remain",
    "Percent_Life_Remaining",
    "Remaining_Lifetime_Perc",
];
/// Attributes that count host writes, and the unit in bytes implied by their names.
const WRITTEN: [(&str, u64); 7] = [
    ("Total_LBAs_Written", 512),
    ("Host_Writes_32MiB", 32 << 20),
    ("Host_Writes_MiB", 1 << 20),
    ("Host_Writes_GiB", 1 << 30),
    ("Total_Writes_GiB", 1 << 30),
    ("Lifetime_Writes_GiB", 1 << 30),
    ("Host_Sectors_Written", 512),
];
/// The same for host reads.
const READ: [(&str, u64); 6] = [
    ("Total_LBAs_Read", 512),
    ("Host_Reads_32MiB", 32 << 20),
    ("Host_Reads_MiB", 1 << 20),
    ("Host_Reads_GiB", 1 << 30),
    ("Total_Reads_GiB", 1 << 30),
    ("Lifetime_Reads_GiB", 1 << 30),
];
const UNSAFE_SHUTDOWNS: [&str; 4] =
    ["Unsafe_Shutdown_Count", "Unexpect_Power_Loss_Ct", "POR_Recovery_Count", "Unexpected_Power_Loss"];
const MEDIA_ERRORS: [&str; 2] = ["Reported_Uncorrect", "Uncorrectable_Error_Cnt"];

/// Reads attributes and statistics.
pub(super) fn read(root: &Value) -> Sata {
    let attributes = Attributes::parse(root);
    // Unlike attributes, statistics are defined (ACS-4, 9.5.4 and 9.5.8).
    let statistic = |name: &str| {
        let pages = get(root, "ata_device_statistics.pages")?.as_array()?;
        let mut rows = pages.iter().filter_map(|page| page.get("table")?.as_array()).flatten();
        let row = rows.find(|row| row.get("name").and_then(Value::as_str) == Some(name))?;
        let is_valid = get(row, "flags.valid").and_then(Value::as_bool).unwrap_or(true);
        is_valid.then(|| count_at(row, "value")).flatten()
    };
    let block_bytes = count_at(root, "logical_block_size").unwrap_or(512);
    let sectors = |name: &str| statistic(name)?.checked_mul(block_bytes);
    // Rotating drives do not wear out like this and use these numbers differently.
    let turns = count_at(root, "rotation_rate").is_some_and(|rate| rate > 0);
    let used = (!turns).then(|| {
        LIFE_LEFT.iter().find_map(|name| {
            let (row, label) = attributes.known(name)?;
            let left = count_at(row, "value").filter(|left| (1..=100).contains(left))?;
            Some((100 - left as u16, label))
        })
    });
    let sum = |table: &[(&str, u64)]| {
        table.iter().find_map(|(name, unit_bytes)| {
            let (row, label) = attributes.known(name)?;
            Some((raw(row)?.checked_mul(*unit_bytes)?, label))
        })
    };
    let known = |names: &[&str]| names.iter().find_map(|name| raw(attributes.known(name)?.0));
    Sata {
        statistics_used_percent: statistic("Percentage Used Endurance Indicator")
            .and_then(|percent| percent.try_into().ok()),
        used: used.flatten(),
        statistics_written_bytes: sectors("Logical Sectors Written"),
        written: sum(&WRITTEN),
        read_bytes: sectors("Logical Sectors Read").or_else(|| sum(&READ).map(|read| read.0)),
        unsafe_shutdowns: known(&UNSAFE_SHUTDOWNS),
        media_errors: statistic("Number of Reported Uncorrectable Errors").or_else(|| known(&MEDIA_ERRORS)),
        // These two are the same for all vendors.
        reallocated_sectors: statistic("Number of Reallocated Logical Sectors")
            .or_else(|| attributes.counter(5, "Reallocated")),
        pending_sectors: attributes.counter(197, "Pending"),
        interface_errors: statistic("Number of Interface CRC Errors")
            .or_else(|| attributes.counter(199, "CRC")),
        hot_min: statistic("Time in Over-Temperature"),
    }
}

/// The raw value of an attribute. Above 32 bits vendors pack several numbers into it, except for data read
/// and written.
fn raw(row: &Value) -> Option<u64> {
    get(row, "raw.value").and_then(count)
}

/// The table of attributes.
struct Attributes<'a> {
    rows: &'a [Value],
    are_known: bool,
}

impl<'a> Attributes<'a> {
    fn parse(root: &'a Value) -> Self {
        let rows = get(root, "ata_smart_attributes.table").and_then(Value::as_array);
        Self {
            rows: rows.map_or(&[], Vec::as_slice),
            are_known: get(root, "in_smartctl_database").and_then(Value::as_bool) == Some(true),
        }
    }

    /// The attribute with a name, where names are reliable, and its display name.
    fn known(&self, name: &str) -> Option<(&'a Value, String)> {
        let row = self.rows.iter().find(|row| row.get("name").and_then(Value::as_str) == Some(name))?;
        let id = count_at(row, "id")?;
        self.are_known.then(|| (row, format!("{id} {name}")))
    }

    /// The value of an attribute that all vendors have, unless its name contradicts.
    fn counter(&self, id: u64, word: &str) -> Option<u64> {
        let row = self.rows.iter().find(|row| count_at(row, "id") == Some(id))?;
        let name = text_at(row, "name").and_then(|name| attribute::clean(name.as_bytes()))?;
        raw(row).filter(|&sectors| name.contains(word) && sectors <= u64::from(u32::MAX))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use crate::health::smartctl::{Answer, answer};
    use crate::helper::Output;

    /// `smart-ata-full.json` of <https://github.com/AnalogJ/scrutiny> (a `smartctl -x` of a Samsung 860 EVO), shortened.
    pub(crate) const SATA: &str = r#"{"smartctl":{"version":[7,0],"exit_status":0},"device":{"name":"/dev/sda",
        "type":"sat","protocol":"ATA"},"model_name":"Samsung SSD 860 EVO 500GB","logical_block_size":512,
        "rotation_rate":0,"in_smartctl_database":true,"interface_speed":{"max":{"sata_value":14,"string":"6.0 Gb/s",
        "units_per_second":60,"bits_per_unit":100000000},"current":{"sata_value":3,"string":"6.0 Gb/s",
        "units_per_second":60,"bits_per_unit":100000000}},"smart_status":{"passed":true},"ata_smart_attributes":{
        "revision":1,"table":[
        {"id":5,"name":"Reallocated_Sector_Ct","value":100,"worst":100,"thresh":10,"raw":{"value":0,"string":"0"}},
        {"id":9,"name":"Power_On_Hours","value":97,"worst":97,"thresh":0,"raw":{"value":14551,"string":"14551"}},
        {"id":177,"name":"Wear_Leveling_Count","value":81,"worst":81,"thresh":0,"raw":{"value":278,"string":"278"}},
        {"id":187,"name":"Uncorrectable_Error_Cnt","value":100,"worst":100,"thresh":0,"raw":{"value":0}},
        {"id":199,"name":"CRC_Error_Count","value":100,"worst":100,"thresh":0,"raw":{"value":1,"string":"1"}},
        {"id":235,"name":"POR_Recovery_Count","value":99,"worst":99,"thresh":0,"raw":{"value":4,"string":"4"}},
        {"id":241,"name":"Total_LBAs_Written","value":99,"worst":99,"thresh":0,"raw":{"value":64777770148}}]},
        "power_on_time":{"hours":14551},"power_cycle_count":13,"temperature":{"current":36,"power_cycle_max":57,
        "lifetime_max":57,"op_limit_max":70,"op_limit_min":0,"limit_min":0,"limit_max":70}}"#;

    fn ask(text: &str) -> Answer {
        let output = Output { program: "smartctl", stdout: text.as_bytes().to_vec(), complaint: None };
        answer(&output).unwrap()
    }

    #[test]
    fn attributes_of_a_known_drive_are_parsed() {
        let Answer { health, sata_mbit_per_s_max, turns_per_min, hides_zones, .. } = ask(SATA);
        assert_eq!((sata_mbit_per_s_max, turns_per_min, hides_zones), (Some(6_000), Some(0), false));
        assert_eq!(health.used_percent, Some(19));
        assert_eq!(health.used_from.as_deref(), Some("177 Wear_Leveling_Count"));
        assert_eq!(health.written_bytes, Some(64_777_770_148 * 512));
        assert_eq!(health.written_from.as_deref(), Some("241 Total_LBAs_Written"));
        assert_eq!((health.unsafe_shutdowns, health.media_errors), (Some(4), Some(0)));
        assert_eq!((health.reallocated_sectors, health.pending_sectors), (Some(0), None));
        assert_eq!((health.interface_errors, health.above_warning_min), (Some(1), None));
        assert_eq!(
            (health.power_on_h, health.power_cycles, health.passed),
            (Some(14_551), Some(13), Some(true))
        );
        assert_eq!(
            (health.temperature_c, health.temperature_warning_c, health.temperature_critical_c),
            (Some(36), Some(70), Some(70))
        );
    }

    #[test]
    fn attribute_names_of_an_unknown_drive_are_not_trusted() {
        let health =
            ask(&SATA.replace("\"in_smartctl_database\":true", "\"in_smartctl_database\":false")).health;
        assert_eq!((health.used_percent, health.used_from, health.written_bytes), (None, None, None));
        assert_eq!((health.reallocated_sectors, health.power_on_h), (Some(0), Some(14_551)));
        let turning = ask(&SATA.replace("\"rotation_rate\":0", "\"rotation_rate\":7200")).health;
        assert_eq!(turning.used_percent, None);
        let dead = ask(&SATA.replace("\"value\":81,", "\"value\":0,")).health;
        assert_eq!(dead.used_percent, None);
    }

    #[test]
    fn overlapping_tracks_are_detected() {
        // Word 69 of the identify data, in the words of smartctl 7.3.
        for (capabilities, hides_zones) in [("device_managed", true), ("host_aware", false)] {
            let zones = format!(r#"{{"zoned_device":{{"capabilities":"{capabilities}"}},"#);
            assert_eq!(ask(&SATA.replacen('{', &zones, 1)).hides_zones, hides_zones, "{capabilities}");
        }
    }

    #[test]
    fn statistics_take_precedence_over_attributes() {
        let row = |name: &str, value: u64, valid: bool| {
            format!(r#"{{"offset":8,"name":"{name}","value":{value},"flags":{{"valid":{valid}}}}}"#)
        };
        let with = |rows: &[String]| {
            let pages = format!(
                r#""ata_device_statistics":{{"pages":[{{"number":1,"table":[{}]}}]}},"#,
                rows.join(",")
            );
            ask(&SATA.replacen('{', &format!("{{{pages}"), 1)).health
        };
        let health = with(&[
            row("Logical Sectors Written", 1_000, true),
            row("Logical Sectors Read", 2_000, true),
            row("Number of Reported Uncorrectable Errors", 3, true),
            row("Percentage Used Endurance Indicator", 101, true),
            row("Number of Interface CRC Errors", 5, true),
            row("Time in Over-Temperature", 9, true),
        ]);
        assert_eq!((health.written_bytes, health.written_from), (Some(512_000), None));
        assert_eq!((health.read_bytes, health.media_errors), (Some(1_024_000), Some(3)));
        assert_eq!((health.used_percent, health.used_from), (Some(101), None));
        assert_eq!((health.interface_errors, health.above_warning_min), (Some(5), Some(9)));
        let invalid = with(&[row("Percentage Used Endurance Indicator", 0, false)]);
        assert_eq!(invalid.used_percent, Some(19));
    }
}
