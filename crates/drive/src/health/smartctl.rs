//! Output of `smartctl`, for drives of all kinds.

use cardiograph_core::drive::{Health, HealthSource, Why};
use serde_json::Value;

use super::json::{celsius_at, count, count_at, get, small_at, text_at};
use super::nvme::DATA_UNIT_BYTES;
use crate::attribute;
use crate::helper::Output;

mod sata;

/// The program.
pub(crate) const PROGRAM: &[&str] = &["smartctl"];
/// Its arguments, before the device: everything, unless the drive sleeps.
pub(crate) const ARGUMENTS: &[&str] = &["--json=c", "-n", "standby", "-x"];

/// Parsed output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The health.
    pub health: Health,
    /// Maximum speed of a SATA drive, in Mbit/s.
    pub sata_mbit_per_s_max: Option<u32>,
    /// Rotations per minute; 0 if it does not rotate.
    pub turns_per_min: Option<u32>,
    /// Whether it is a drive-managed zoned device.
    pub hides_zones: bool,
    /// The drive's firmware.
    pub firmware: Option<String>,
}

/// Parses its output.
///
/// # Errors
/// With smartctl's reason if it has no health information.
pub(crate) fn answer(output: &Output) -> Result<Answer, Why> {
    let not_understood = |message: String| Why::NotUnderstood { program: PROGRAM[0].to_string(), message };
    let root: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        let written = output.complaint.clone().or_else(|| attribute::clean(&output.stdout));
        let silent = || Why::NoAnswer { program: PROGRAM[0].to_string() };
        written.map_or_else(silent, |written| not_understood(shortened(&written)))
    })?;
    let health = health(&root);
    let has_health = Health { source: HealthSource::Kernel, ..health.clone() } != Health::default();
    if has_health {
        let unit = count_at(&root, "interface_speed.max.bits_per_unit");
        let units = count_at(&root, "interface_speed.max.units_per_second");
        let bits_per_s = unit.zip(units).and_then(|(unit, units)| unit.checked_mul(units));
        let sata_mbit_per_s_max = bits_per_s.and_then(|rate| (rate / 1_000_000).try_into().ok());
        let zones = text_at(&root, "zoned_device.capabilities");
        return Ok(Answer {
            health,
            sata_mbit_per_s_max: sata_mbit_per_s_max.filter(|&rate| rate > 0),
            turns_per_min: small_at(&root, "rotation_rate"),
            hides_zones: zones.as_deref() == Some("device_managed"),
            firmware: text_at(&root, "firmware_version"),
        });
    }
    let messages = get(&root, "smartctl.messages").and_then(Value::as_array);
    let message = messages.and_then(|messages| text_at(messages.first()?, "string"));
    Err(match message {
        None => Why::NotReported,
        Some(message) if is_denial(&message) => Why::NeedsRoot,
        Some(message) if ["STANDBY", "SLEEP"].iter().any(|mode| message.contains(mode)) => Why::Asleep,
        Some(message) => not_understood(shortened(&message)),
    })
}

/// Whether a message reports missing permissions.
pub(crate) fn is_denial(message: &str) -> bool {
    message.contains("Permission denied") || message.contains("Operation not permitted")
}

/// A message shortened to a line.
pub(crate) fn shortened(message: &str) -> String {
    const LEN_MAX: usize = 120;
    match message.char_indices().nth(LEN_MAX) {
        Some((end, _)) => format!("{}...", &message[..end]),
        None => message.to_string(),
    }
}

fn health(root: &Value) -> Health {
    let nvme = |name: &str| count_at(root, &format!("nvme_smart_health_information_log.{name}"));
    let sata = sata::read(root);
    let gigabytes = |which: &str| {
        let text = text_at(root, &format!("scsi_error_counter_log.{which}.gigabytes_processed"))?;
        let gigabytes: f64 = text.parse().ok()?;
        (0.0..1e9).contains(&gigabytes).then_some((gigabytes * 1e9) as u64)
    };
    let scsi_errors =
        |which: &str| count_at(root, &format!("scsi_error_counter_log.{which}.total_uncorrected_errors"));
    let data = |name: &str| nvme(name)?.checked_mul(DATA_UNIT_BYTES);
    let version = get(root, "smartctl.version").and_then(Value::as_array).map(|parts| {
        let parts: Vec<String> = parts.iter().filter_map(count).map(|part| part.to_string()).collect();
        parts.join(".")
    });
    let standard_used = small_at(root, "endurance_used.current_percent")
        .or_else(|| nvme("percentage_used")?.try_into().ok())
        .or_else(|| small_at(root, "scsi_percentage_used_endurance_indicator"))
        .or(sata.statistics_used_percent);
    let standard_written =
        data("data_units_written").or_else(|| gigabytes("write")).or(sata.statistics_written_bytes);
    Health {
        source: HealthSource::Program { name: PROGRAM[0].to_string(), version },
        passed: get(root, "smart_status.passed").and_then(Value::as_bool),
        temperature_c: celsius_at(root, "temperature.current"),
        temperature_warning_c: celsius_at(root, "nvme_composite_temperature_threshold.warning")
            .or_else(|| celsius_at(root, "temperature.op_limit_max")),
        temperature_critical_c: celsius_at(root, "nvme_composite_temperature_threshold.critical")
            .or_else(|| celsius_at(root, "temperature.critical_limit_max"))
            .or_else(|| celsius_at(root, "temperature.limit_max"))
            .or_else(|| celsius_at(root, "temperature.drive_trip")),
        above_warning_min: nvme("warning_temp_time").or(sata.hot_min),
        above_critical_min: nvme("critical_comp_time"),
        // smartctl omits these; nvme has them.
        throttled: None,
        used_percent: standard_used.or(sata.used.as_ref().map(|used| used.0)),
        used_from: sata.used.map(|used| used.1).filter(|_| standard_used.is_none()),
        spare_percent: nvme("available_spare")
            .and_then(|percent| percent.try_into().ok())
            .or_else(|| small_at(root, "spare_available.current_percent")),
        spare_limit_percent: nvme("available_spare_threshold")
            .and_then(|percent| percent.try_into().ok())
            .or_else(|| small_at(root, "spare_available.threshold_percent")),
        read_bytes: data("data_units_read").or_else(|| gigabytes("read")).or(sata.read_bytes),
        written_bytes: standard_written.or(sata.written.as_ref().map(|written| written.0)),
        written_from: sata.written.map(|written| written.1).filter(|_| standard_written.is_none()),
        power_on_h: count_at(root, "power_on_time.hours").or_else(|| nvme("power_on_hours")),
        power_cycles: count_at(root, "power_cycle_count")
            .or_else(|| nvme("power_cycles"))
            .or_else(|| count_at(root, "scsi_start_stop_cycle_counter.accumulated_start_stop_cycles")),
        unsafe_shutdowns: nvme("unsafe_shutdowns").or(sata.unsafe_shutdowns),
        media_errors: nvme("media_errors").or(sata.media_errors).or_else(|| {
            let (read, write) = (scsi_errors("read"), scsi_errors("write"));
            read.or(write).map(|_| read.unwrap_or(0).saturating_add(write.unwrap_or(0)))
        }),
        reallocated_sectors: sata.reallocated_sectors.or_else(|| count_at(root, "scsi_grown_defect_list")),
        pending_sectors: sata.pending_sectors,
        interface_errors: sata.interface_errors,
        critical_warning: nvme("critical_warning").and_then(|bits| bits.try_into().ok()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn output(stdout: &str) -> Output {
        Output { program: "smartctl", stdout: stdout.as_bytes().to_vec(), complaint: None }
    }

    /// `SAMSUNG_MZVL21T0HCLR-00B00_23.json` of <https://github.com/prometheus-community/smartctl_exporter>,
    /// shortened.
    pub(crate) const NVME: &str = r#"{"device":{"name":"/dev/nvme0","protocol":"NVMe","type":"nvme"},
        "model_name":"SAMSUNG MZVL21T0HCLR-00B00","nvme_smart_health_information_log":{"available_spare":100,
        "available_spare_threshold":10,"controller_busy_time":35754,"critical_comp_time":0,"critical_warning":0,
        "data_units_read":7193048,"data_units_written":113662783,"host_reads":60131549,"media_errors":0,
        "percentage_used":16,"power_cycles":6,"power_on_hours":10423,"temperature":29,"unsafe_shutdowns":1,
        "warning_temp_time":0},"power_cycle_count":6,"power_on_time":{"hours":10423},
        "smart_status":{"nvme":{"value":0},"passed":true},"smartctl":{"exit_status":0,"version":[7,3]},
        "temperature":{"current":29}}"#;
    /// `HITACHI_H109060SESUN600G_9.json` of the same repository, shortened.
    const SAS: &str = r#"{"device":{"name":"/dev/sda","protocol":"SCSI","type":"scsi"},
        "power_on_time":{"hours":982,"minutes":1},"rotation_rate":10020,"scsi_error_counter_log":{"read":{
        "gigabytes_processed":"111593.179","total_uncorrected_errors":0},"write":{"gigabytes_processed":"292086.584",
        "total_uncorrected_errors":0}},"scsi_grown_defect_list":0,"scsi_start_stop_cycle_counter":{
        "accumulated_start_stop_cycles":45},"smart_status":{"passed":true},
        "smartctl":{"exit_status":0,"version":[7,3]},"temperature":{"current":27,"drive_trip":85}}"#;

    #[test]
    fn an_nvme_drive_is_read() {
        let root = answer(&output(NVME)).unwrap();
        let expected = Health {
            source: HealthSource::Program { name: "smartctl".to_string(), version: Some("7.3".to_string()) },
            passed: Some(true),
            temperature_c: Some(29),
            above_warning_min: Some(0),
            above_critical_min: Some(0),
            used_percent: Some(16),
            spare_percent: Some(100),
            spare_limit_percent: Some(10),
            read_bytes: Some(3_682_840_576_000),
            written_bytes: Some(58_195_344_896_000),
            power_on_h: Some(10_423),
            power_cycles: Some(6),
            unsafe_shutdowns: Some(1),
            media_errors: Some(0),
            critical_warning: Some(0),
            ..Health::default()
        };
        assert_eq!(root, Answer { health: expected, ..Answer::default() });
    }

    #[test]
    fn a_sas_drive_is_read() {
        let root = answer(&output(SAS)).unwrap();
        assert_eq!((root.turns_per_min, root.hides_zones), (Some(10_020), false));
        let health = root.health;
        assert_eq!(
            (health.read_bytes, health.written_bytes),
            (Some(111_593_179_000_000), Some(292_086_584_000_000))
        );
        assert_eq!((health.temperature_c, health.temperature_critical_c), (Some(27), Some(85)));
        assert_eq!(
            (health.power_on_h, health.power_cycles, health.media_errors),
            (Some(982), Some(45), Some(0))
        );
        assert_eq!((health.reallocated_sectors, health.used_percent), (Some(0), None));
    }

    #[test]
    fn missing_health_has_a_reason() {
        let said = |message: &str| {
            format!(
                r#"{{"smartctl":{{"version":[7,3],"messages":[{{"string":"{message}","severity":"error"}}],"exit_status":2}}}}"#
            )
        };
        let not_understood = |message: &str| Why::NotUnderstood {
            program: "smartctl".to_string(),
            message: message.to_string(),
        };
        let cases = [
            (said("Smartctl open device: /dev/sda failed: Permission denied"), Why::NeedsRoot),
            (said("Device is in STANDBY mode, exit(2)"), Why::Asleep),
            // Output of 7.3 for the disk of a virtual machine.
            (
                said("/dev/vda: Unable to detect device type"),
                not_understood("/dev/vda: Unable to detect device type"),
            ),
            ("{}".to_string(), Why::NotReported),
            (r#"{"smartctl":{"version":[7,3],"messages":"none"}}"#.to_string(), Why::NotReported),
            (
                r#"{"smart_status":{"passed":"maybe"},"temperature":{"current":-274}}"#.to_string(),
                Why::NotReported,
            ),
            ("smartctl: unknown option\u{1b}[2J".to_string(), not_understood("smartctl: unknown option[2J")),
            (String::new(), Why::NoAnswer { program: "smartctl".to_string() }),
            ("x".repeat(500), not_understood(&format!("{}...", "x".repeat(120)))),
        ];
        for (stdout, why) in cases {
            assert_eq!(answer(&output(&stdout)), Err(why), "{stdout}");
        }
        let complaint = Output { complaint: Some("no JSON here".to_string()), ..output("garbage") };
        assert_eq!(answer(&complaint), Err(not_understood("no JSON here")));
    }

    proptest! {
        #[test]
        fn invalid_output_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200), place in 0usize..1_000) {
            let _ = answer(&Output { program: "smartctl", stdout: bytes.clone(), complaint: None });
            // Real answers with a piece replaced.
            for real in [NVME, SAS, sata::tests::SATA] {
                let mut stdout = real.as_bytes().to_vec();
                let start = place.min(stdout.len());
                let end = (start + bytes.len()).min(stdout.len());
                stdout[start..end].copy_from_slice(&bytes[..end - start]);
                let _ = answer(&Output { program: "smartctl", stdout, complaint: None });
            }
        }

        #[test]
        fn implausible_numbers_never_panic(number in prop_oneof![any::<i64>().prop_map(|n| n.to_string()),
            any::<f64>().prop_map(|n| format!("{n:e}")), Just("null".to_string()), Just("[]".to_string())]) {
            for real in [NVME, SAS, sata::tests::SATA] {
                let digits = |c: char| c.is_ascii_digit();
                let mut parts = real.split(':');
                let mut text = parts.next().unwrap_or_default().to_string();
                for part in parts {
                    text.push(':');
                    let rest = part.trim_start_matches(digits);
                    text.push_str(if rest.len() < part.len() { &number } else { "" });
                    text.push_str(rest);
                }
                let _ = answer(&output(&text));
            }
        }
    }
}
