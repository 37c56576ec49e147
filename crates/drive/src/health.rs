//! Health of a drive: from the kernel, and from `smartctl` and `nvme`.

use cardiograph_core::drive::Health;

use crate::attribute;
use crate::block::{self, BlockDevice};

pub(crate) mod json;
pub(crate) mod nvme;
pub(crate) mod smartctl;

/// A drive's temperature as read by the kernel (Documentation/hwmon/sysfs-interface.rst, drivetemp.rst). NVMe
/// drives have it since Linux 5.5, SATA drives if the module `drivetemp` is loaded. `None` without it.
pub(crate) fn read_kernel(device: &BlockDevice) -> Option<Health> {
    let dir = device.dir.join("device");
    // Directly below the drive for NVMe, below `hwmon` for SATA; older kernels have it the other way round.
    let monitor = [dir.clone(), dir.join("hwmon"), dir.join("device/hwmon")]
        .iter()
        .flat_map(|dir| block::entries(dir))
        .find(|dir| dir.join("temp1_input").exists())?;
    let celsius = |name: &str| {
        let text = attribute::text(&monitor.join(name))?;
        let thousandths: i64 = text.parse().ok()?;
        plausible_c(thousandths.div_euclid(1_000))
    };
    let health = Health {
        temperature_c: celsius("temp1_input"),
        temperature_warning_c: celsius("temp1_max"),
        temperature_critical_c: celsius("temp1_crit"),
        ..Health::default()
    };
    (health != Health::default()).then_some(health)
}

/// A plausible temperature. Drives without a sensor or a limit report values such as 0 K, -1 °C or 65 535 K.
pub(crate) fn plausible_c(celsius: i64) -> Option<i32> {
    (-60..=150).contains(&celsius).then_some(celsius as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn any_user_can_read_the_temperature_from_the_kernel() {
        let nvme = "pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1";
        let sata = "pci0000:00/ata1/host0/target0:0:0/0:0:0:0/block/sda";
        for (disk, above, monitor) in
            [(nvme, 1, "hwmon1"), (sata, 2, "hwmon/hwmon3"), (nvme, 1, "hwmon/hwmon0")]
        {
            let fixture = Fixture::new();
            let (bus, name) = disk.rsplit_once('/').unwrap();
            fixture.disk(bus, name, "8:0", 8);
            fixture.drive(disk, above, &[]);
            let device = fixture.system().block_by_name(name).unwrap();
            assert_eq!(read_kernel(&device), None);
            let dir = format!("sys/devices/{disk}/device/{monitor}");
            for (file, value) in
                [("temp1_input", "38850"), ("temp1_max", "81850"), ("temp1_crit", "65261850")]
            {
                fixture.file(&format!("{dir}/{file}"), format!("{value}\n"));
            }
            let health = read_kernel(&device).unwrap();
            assert_eq!(
                (health.temperature_c, health.temperature_warning_c, health.temperature_critical_c),
                (Some(38), Some(81), None)
            );
            for garbage in ["", "hot", "-273150", "99999999999999999999"] {
                fixture.file(&format!("{dir}/temp1_input"), garbage);
                assert_eq!(read_kernel(&device).unwrap().temperature_c, None, "{garbage}");
            }
        }
    }
}
