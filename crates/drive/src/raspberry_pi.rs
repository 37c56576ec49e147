//! Information specific to a Raspberry Pi.

use cardiograph_core::drive::{Fact, RaspberryPi, ThrottleState, Throttling, Unknown, Why};

use crate::system::System;
use crate::{attribute, block};

mod boot;
mod firmware;
mod revision;

/// Range of plausible temperatures, in thousandths of a degree.
const TEMPERATURES: std::ops::RangeInclusive<i64> = -40_000..=150_000;

/// Describes the machine if it is a Raspberry Pi.
pub(crate) fn describe(system: &System) -> Option<RaspberryPi> {
    let tree = system.under_root("proc/device-tree");
    let model = attribute::text(&tree.join("model")).unwrap_or_default();
    let compatible = attribute::text(&tree.join("compatible")).unwrap_or_default();
    if !model.starts_with("Raspberry Pi") && !compatible.starts_with("raspberrypi,") {
        return None;
    }
    let code = revision_code(system);
    let board = code.and_then(revision::decode);
    let of_kernel = throttling(system);
    let asked = match &of_kernel {
        Err(Why::NotReported) => Some(firmware::ask(system)),
        _ => None,
    };
    let (of_firmware, core_voltage_v, asked_temperature_c) = match asked {
        Some(report) => (Some(report.throttling), report.core_voltage_v, report.temperature_c),
        None => (None, None, None),
    };
    let throttling = of_firmware.unwrap_or(of_kernel);
    let mut unknown = Vec::new();
    if let Err(why) = &throttling {
        unknown.push(Unknown { fact: Fact::Throttling, why: why.clone() });
    }
    Some(RaspberryPi {
        settings: boot::settings(system, board.as_ref()),
        revision_code: code,
        board,
        throttling: throttling.ok(),
        under_voltage: under_voltage(system),
        temperature_c: temperature_c(system).or(asked_temperature_c),
        core_voltage_v,
        unknown,
    })
}

/// The code from the device tree, or from the list of processors.
fn revision_code(system: &System) -> Option<u32> {
    let in_tree = attribute::bytes(&system.under_root("proc/device-tree/system/linux,revision"))
        .and_then(|bytes| Some(u32::from_be_bytes(bytes.try_into().ok()?)));
    let listed = || {
        let list = attribute::list_text(&system.under_root("proc/cpuinfo"))?;
        let line = list.lines().rev().find_map(|line| line.strip_prefix("Revision")?.split_once(':'))?;
        u32::from_str_radix(line.1.trim(), 16).ok()
    };
    in_tree.or_else(listed)
}

/// The firmware's report on throttling. Its driver has a file for that, in a different directory on each
/// family of boards, and none on many kernels.
pub(crate) fn throttling(system: &System) -> Result<Throttling, Why> {
    let driver = block::entries(&system.under_root("sys/bus/platform/drivers/raspberrypi-firmware"));
    let platform = block::entries(&system.under_root("sys/devices/platform"));
    let boards = platform.iter().filter(|dir| name_has(dir, "soc")).flat_map(|dir| block::entries(dir));
    let firmware = driver.into_iter().chain(boards.filter(|dir| name_has(dir, "firmware")));
    let file =
        firmware.map(|dir| dir.join("get_throttled")).find(|file| file.exists()).ok_or(Why::NotReported)?;
    attribute::text(&file).and_then(|text| parse_throttled(&text)).ok_or(Why::Senseless)
}

fn name_has(path: &std::path::Path, part: &str) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains(part))
}

/// Whether a temperature is plausible, in degrees.
fn is_plausible_c(celsius: f64) -> bool {
    (*TEMPERATURES.start() as f64..=*TEMPERATURES.end() as f64).contains(&(celsius * 1_000.0))
}

/// Bits 0 to 3 are current; 16 to 19 are the same at any time since boot.
fn parse_throttled(text: &str) -> Option<Throttling> {
    let bits = u32::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).ok()?;
    let state = |shift: u32| {
        let is_set = |bit: u32| bits >> (bit + shift) & 1 == 1;
        ThrottleState {
            under_voltage: is_set(0),
            frequency_capped: is_set(1),
            throttled: is_set(2),
            soft_temperature_limit: is_set(3),
        }
    };
    Some(Throttling { now: state(0), since_boot: state(16) })
}

/// The alarm of the kernel's voltage monitor.
fn under_voltage(system: &System) -> Option<bool> {
    let sensors = block::entries(&system.under_root("sys/class/hwmon"));
    let volt =
        sensors.iter().find(|dir| attribute::text(&dir.join("name")).as_deref() == Some("rpi_volt"))?;
    match attribute::number(&volt.join("in0_lcrit_alarm"))? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn temperature_c(system: &System) -> Option<f64> {
    let text = attribute::text(&system.under_root("sys/class/thermal/thermal_zone0/temp"))?;
    let thousandths: i64 = text.parse().ok()?;
    TEMPERATURES.contains(&thousandths).then_some(thousandths as f64 / 1_000.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixture::{self, Fixture};

    const NONE: ThrottleState = ThrottleState {
        under_voltage: false,
        frequency_capped: false,
        throttled: false,
        soft_temperature_limit: false,
    };

    #[test]
    fn a_raspberry_pi_4_with_a_weak_supply_reports_it() {
        let pi = fixture::weak_supply_pi();
        let report = describe(&pi.system()).unwrap();
        assert_eq!(report.revision_code, Some(0xc0_3111));
        let board = report.board.unwrap();
        assert_eq!((board.model.as_str(), board.revision.as_str()), ("4B", "1.1"));
        assert_eq!((board.memory_bytes, board.processor.as_str()), (Some(4 << 30), "BCM2711"));
        let weak = ThrottleState { under_voltage: true, throttled: true, ..NONE };
        assert_eq!(report.throttling, Some(Throttling { now: weak, since_boot: weak }));
        assert_eq!((report.under_voltage, report.temperature_c), (Some(true), Some(54.0)));
        assert_eq!(report.unknown, []);
    }

    #[test]
    fn a_raspberry_pi_5_without_a_kernel_file_is_described() {
        let pi = fixture::raspberry_pi();
        let report = describe(&pi.system()).unwrap();
        assert_eq!(report.board.map(|board| board.model).as_deref(), Some("5"));
        let missing = Why::NotInstalled { program: "vcgencmd".to_string() };
        assert_eq!(report.unknown, [Unknown { fact: Fact::Throttling, why: missing }]);
        // Another kernel has it, in a directory of that board.
        let dir = "sys/devices/platform/soc@107c000000/soc@107c000000:firmware";
        pi.file(&format!("{dir}/get_throttled"), "80008\n");
        let warm = ThrottleState { soft_temperature_limit: true, ..NONE };
        let throttling = describe(&pi.system()).unwrap().throttling;
        assert_eq!(throttling, Some(Throttling { now: warm, since_boot: warm }));
        pi.file(&format!("{dir}/get_throttled"), "\u{1b}[2J\n");
        let unknown = describe(&pi.system()).unwrap().unknown;
        assert_eq!(unknown, [Unknown { fact: Fact::Throttling, why: Why::Senseless }]);
    }

    #[test]
    fn other_machines_are_not_raspberry_pis() {
        assert_eq!(describe(&fixture::virtual_machine().system()), None);
        let rock = Fixture::new();
        rock.file("proc/device-tree/model", "Radxa ROCK 5B\0");
        rock.file("proc/device-tree/compatible", "radxa,rock-5b\0rockchip,rk3588\0");
        assert_eq!(describe(&rock.system()), None);
    }

    #[test]
    fn garbage_is_not_reported() {
        for garbage in ["", "\n", "0x", "99999999999", "xyz", "\u{1b}[2J\n"] {
            let pi = Fixture::new();
            pi.file("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.1\0");
            pi.file("proc/device-tree/system/linux,revision", garbage);
            pi.file("proc/cpuinfo", format!("Revision\t: {garbage}\n"));
            pi.file("sys/devices/platform/soc/soc:firmware/get_throttled", garbage);
            pi.file("sys/class/hwmon/hwmon1/name", "rpi_volt\n");
            pi.file("sys/class/hwmon/hwmon1/in0_lcrit_alarm", garbage);
            pi.file("sys/class/thermal/thermal_zone0/temp", garbage);
            let unknown = vec![Unknown { fact: Fact::Throttling, why: Why::Senseless }];
            assert_eq!(
                describe(&pi.system()),
                Some(RaspberryPi { unknown, ..RaspberryPi::default() }),
                "{garbage}"
            );
        }
    }

    proptest! {
        #[test]
        fn each_bit_is_reported_once(bits in any::<u32>()) {
            let Throttling { now, since_boot } = parse_throttled(&format!("{bits:x}")).unwrap();
            let of = |state: ThrottleState| {
                [state.under_voltage, state.frequency_capped, state.throttled, state.soft_temperature_limit]
                    .iter()
                    .enumerate()
                    .fold(0, |sum, (bit, is_set)| sum | u32::from(*is_set) << bit)
            };
            prop_assert_eq!(of(now) | of(since_boot) << 16, bits & 0xf_000f);
        }
    }
}
