//! What can spoil a figure.

use cardiograph_core::drive::Environment;

use crate::attribute;
use crate::cpuinfo::CpuInfo;
use crate::system::System;

impl System {
    /// What can be read of the surroundings at this moment.
    pub fn environment(&self) -> Environment {
        let cpuinfo =
            attribute::list_text(&self.under_root("proc/cpuinfo")).map(|text| CpuInfo::parse(&text));
        let governor = self.under_root("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Environment {
            virtual_machine: cpuinfo.and_then(|info| info.hypervisor),
            cpu_governor: attribute::text(&governor),
            load_1m: attribute::text(&self.under_root("proc/loadavg")).and_then(|text| parse_load(&text)),
        }
    }
}

/// The first field: the average over a minute. `parse` would take words such as `inf` too.
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
        };
        assert_eq!(fixture::raspberry_pi().system().environment(), expected);
        let expected = Environment { virtual_machine: Some(true), ..Environment::default() };
        assert_eq!(fixture::virtual_machine().system().environment(), expected);
        assert_eq!(Fixture::new().system().environment(), Environment::default());
    }

    #[test]
    fn a_load_is_a_plain_number() {
        let cases = [("0.03 0.14 0.08 1/87 6509", Some(0.03)), ("12.00", Some(12.0)), ("inf 0 0", None)];
        for (text, load) in cases.into_iter().chain([("NaN", None), ("-1", None), ("", None), ("x", None)]) {
            assert_eq!(parse_load(text), load, "{text}");
        }
    }
}
