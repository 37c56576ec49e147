//! Output of `nvme smart-log`: log page 02h (NVM Express Base Specification 2.0, figure 207).

use cardiograph_core::drive::{Health, HealthSource};
use serde_json::Value;

use super::json::{count_at, small_at};
use super::plausible_c;

/// The program.
pub(crate) const PROGRAM: &[&str] = &["nvme"];
/// Its arguments, before the device.
pub(crate) const ARGUMENTS: &[&str] = &["smart-log", "-o", "json"];
/// Data is counted in units of 1000 × 512 bytes.
pub(super) const DATA_UNIT_BYTES: u64 = 512_000;
/// 0 °C in the log's kelvins, as rounded by drives and programs.
const ZERO_C_K: i64 = 273;

/// Parses its output. `None` without health information.
pub(crate) fn health(output: &[u8]) -> Option<Health> {
    let log: Value = serde_json::from_slice(output).ok()?;
    let units = |name: &str| count_at(&log, name)?.checked_mul(DATA_UNIT_BYTES);
    let kelvins = count_at(&log, "temperature").and_then(|kelvins| i64::try_from(kelvins).ok());
    let health = Health {
        source: HealthSource::Program { name: PROGRAM[0].to_string(), version: None },
        temperature_c: kelvins.and_then(|kelvins| plausible_c(kelvins - ZERO_C_K)),
        above_warning_min: count_at(&log, "warning_temp_time"),
        above_critical_min: count_at(&log, "critical_comp_time"),
        throttled: throttled(&log),
        used_percent: small_at(&log, "percent_used"),
        spare_percent: small_at(&log, "avail_spare"),
        spare_limit_percent: small_at(&log, "spare_thresh"),
        read_bytes: units("data_units_read"),
        written_bytes: units("data_units_written"),
        power_on_h: count_at(&log, "power_on_hours"),
        power_cycles: count_at(&log, "power_cycles"),
        unsafe_shutdowns: count_at(&log, "unsafe_shutdowns"),
        media_errors: count_at(&log, "media_errors"),
        // From version 2.7 on, the bits are listed along with their sum.
        critical_warning: small_at(&log, "critical_warning")
            .or_else(|| small_at(&log, "critical_warning.value")),
        ..Health::default()
    };
    let has_health = health.used_percent.is_some() || health.temperature_c.is_some();
    has_health.then_some(health)
}

/// Number of light and heavy thermal throttlings, if counted.
fn throttled(log: &Value) -> Option<u64> {
    let counts = ["thm_temp1_trans_count", "thm_temp2_trans_count"].map(|name| count_at(log, name));
    counts
        .iter()
        .any(Option::is_some)
        .then(|| counts.iter().flatten().fold(0, |sum: u64, count| sum.saturating_add(*count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_parsed() {
        // In the form of nvme-cli 2.3, with the counts of an Intel drive in <https://github.com/linux-nvme/nvme-cli/issues/48>.
        let log = br#"{"critical_warning":0,"temperature":307,"avail_spare":100,"spare_thresh":10,"percent_used":0,
            "endurance_grp_critical_warning_summary":0,"data_units_read":203913228,"data_units_written":64663716,
            "host_read_commands":7207810975,"host_write_commands":2931291530,"controller_busy_time":399,"power_cycles":9,
            "power_on_hours":742,"unsafe_shutdowns":5,"media_errors":0,"num_err_log_entries":0,"warning_temp_time":0,
            "critical_comp_time":0,"thm_temp1_trans_count":2,"thm_temp2_trans_count":1,"thm_temp1_total_time":90}"#;
        let health = health(log).unwrap();
        assert_eq!(
            (health.temperature_c, health.used_percent, health.spare_percent),
            (Some(34), Some(0), Some(100))
        );
        assert_eq!(health.read_bytes, Some(104_403_572_736_000));
        assert_eq!((health.power_on_h, health.unsafe_shutdowns), (Some(742), Some(5)));
        assert_eq!((health.critical_warning, health.passed), (Some(0), None));
        assert_eq!(health.throttled, Some(3));
    }

    #[test]
    fn invalid_logs_are_rejected() {
        for output in
            ["", "{}", "[]", "null", "{\"temperature\":0}", "/dev/vda: Operation not permitted", "{\"a\":"]
        {
            assert_eq!(health(output.as_bytes()), None, "{output}");
        }
        let huge = br#"{"percent_used":255,"data_units_read":18446744073709551615,"temperature":65535}"#;
        let health = health(huge).unwrap();
        assert_eq!((health.used_percent, health.read_bytes, health.temperature_c), (Some(255), None, None));
    }
}
