//! Conditions that can distort measurements.

use std::fs;

use cardiograph_core::drive::Environment;

use crate::attribute;
use crate::cpuinfo::CpuInfo;
use crate::system::System;
use crate::{io_limits, processors, swap};

impl System {
    /// The current environment.
    pub fn environment(&self) -> Environment {
        let cpuinfo =
            attribute::list_text(&self.under_root("proc/cpuinfo")).map(|text| CpuInfo::parse(&text));
        let governor = self.under_root("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Environment {
            virtual_machine: cpuinfo.and_then(|info| info.hypervisor),
            cpu_governor: attribute::text(&governor),
            idle_states: processors::idle_states(self),
            load_1m: attribute::text(&self.under_root("proc/loadavg")).and_then(|text| parse_load(&text)),
            io_pressure_percent: attribute::list_text(&self.under_root("proc/pressure/io"))
                .and_then(|text| parse_pressure(&text)),
            io_limits: io_limits::read(self),
            is_initialising_ext4: self.is_running("ext4lazyinit"),
            swaps: swap::read(self),
            calibration: None,
        }
    }

    /// Whether a process with this name runs. `None` if processes are hidden.
    fn is_running(&self, name: &str) -> Option<bool> {
        let mut processes = fs::read_dir(self.under_root("proc"))
            .ok()?
            .filter_map(Result::ok)
            .filter(|entry| entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit))
            .peekable();
        processes.peek()?;
        Some(processes.any(|entry| attribute::text(&entry.path().join("comm")).as_deref() == Some(name)))
    }
}

/// Share of the last ten seconds when some task waited: `some avg10=0.59 avg60=...`, in percent.
fn parse_pressure(text: &str) -> Option<f64> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let percent: f64 = some.split_whitespace().find_map(|word| word.strip_prefix("avg10="))?.parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent)
}

/// The first field: the average over a minute. `parse` alone would also accept words such as `inf`.
fn parse_load(text: &str) -> Option<f64> {
    let load: f64 = text.split_whitespace().next()?.parse().ok()?;
    (load.is_finite() && load >= 0.0).then_some(load)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture};

    #[test]
    fn a_raspberry_pi_and_a_virtual_machine() {
        let expected = Environment {
            virtual_machine: None,
            cpu_governor: Some("ondemand".to_string()),
            load_1m: Some(0.42),
            ..Environment::default()
        };
        assert_eq!(fixture::raspberry_pi().system().environment(), expected);
        let expected = Environment { virtual_machine: Some(true), ..Environment::default() };
        assert_eq!(fixture::virtual_machine().system().environment(), expected);
        assert_eq!(Fixture::new().system().environment(), Environment::default());
    }

    #[test]
    fn pressure_must_be_a_valid_share() {
        let said = "some avg10=0.59 avg60=0.35 avg300=0.35 total=265332717\nfull avg10=0.00 avg60=0.05 avg300=0.06 total=1\n";
        assert_eq!(parse_pressure(said), Some(0.59));
        for rubbish in
            ["", "some", "some avg10=", "some avg10=-1", "some avg10=NaN", "some avg10=101", "full avg10=3"]
        {
            assert_eq!(parse_pressure(rubbish), None, "{rubbish}");
        }
    }

    #[test]
    fn a_kernel_thread_is_found_by_its_name() {
        let fixture = Fixture::new();
        fixture.file("proc/meminfo", "");
        assert_eq!(fixture.system().environment().is_initialising_ext4, None);
        fixture.file("proc/1/comm", "systemd\n");
        assert_eq!(fixture.system().environment().is_initialising_ext4, Some(false));
        fixture.file("proc/77/comm", "ext4lazyinit\n");
        assert_eq!(fixture.system().environment().is_initialising_ext4, Some(true));
    }

    #[test]
    fn a_load_must_be_a_plain_number() {
        let cases = [("0.03 0.14 0.08 1/87 6509", Some(0.03)), ("12.00", Some(12.0)), ("inf 0 0", None)];
        for (text, load) in cases.into_iter().chain([("NaN", None), ("-1", None), ("", None), ("x", None)]) {
            assert_eq!(parse_load(text), load, "{text}");
        }
    }
}
