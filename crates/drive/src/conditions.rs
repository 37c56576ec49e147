//! Current temperature, voltage and other activity of the machine, read only from the kernel's files, which
//! is cheap.

use cardiograph_core::drive::{Conditions, Drive, Leaf, Temperature};

use crate::system::System;
use crate::{health, interrupts, raspberry_pi, swap};

impl System {
    /// Temperature and voltage of the drives and the board, swap traffic, and the processors that served
    /// interrupts. `None` if nothing is known.
    pub fn conditions(&self, drive: &Drive) -> Option<Conditions> {
        let conditions = Conditions {
            throttling: raspberry_pi::throttling(self).ok(),
            temperatures: self.temperatures(&drive.leaves),
            swapped: swap::traffic(self),
            interrupts: interrupts::served(self, &drive.leaves),
        };
        (conditions != Conditions::default()).then_some(conditions)
    }

    /// Temperatures of the drives that report one.
    pub fn temperatures(&self, leaves: &[Leaf]) -> Vec<Temperature> {
        let temperature = |leaf: &Leaf| {
            let health = health::read_kernel(&self.block_by_name(&leaf.name)?)?;
            Some(Temperature {
                drive: leaf.name.clone(),
                now_c: health.temperature_c?,
                warning_c: health.temperature_warning_c,
            })
        };
        leaves.iter().filter_map(temperature).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::fixture;
    use crate::system::Space;

    #[test]
    fn temperatures_and_throttling_are_read_again() {
        let fixture = fixture::encrypted();
        let system = fixture.system();
        let drive = system.identify_mounted(Path::new("/"), Space::default()).unwrap();
        assert_eq!(system.conditions(&drive), None);
        let sensor = "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/hwmon0";
        fixture.file(&format!("{sensor}/temp1_input"), "41850\n");
        fixture.file(&format!("{sensor}/temp1_max"), "81850\n");
        fixture.file("sys/devices/platform/soc/soc:firmware/get_throttled", "50000\n");
        let conditions = system.conditions(&drive).unwrap();
        let expected = Temperature { drive: "nvme0n1".to_string(), now_c: 41, warning_c: Some(81) };
        assert_eq!(conditions.temperatures, [expected]);
        assert!(conditions.throttling.is_some_and(|throttling| throttling.since_boot.under_voltage));
        fixture.file(&format!("{sensor}/temp1_input"), "82100\n");
        assert_eq!(system.conditions(&drive).unwrap().temperatures[0].now_c, 82);
    }
}
