//! Queries the firmware through its own program, on kernels without a file for that.

use std::time::Duration;

use cardiograph_core::drive::{Throttling, Why};

use super::{is_plausible_c, parse_throttled};
use crate::attribute;
use crate::helper::{self, Call, Output};
use crate::system::System;

/// The program.
const PROGRAM: &[&str] = &["vcgencmd"];
/// Queries, one per call.
const QUESTIONS: [&[&str]; 3] = [&["get_throttled"], &["measure_volts", "core"], &["measure_temp"]];
/// Time limit: the program queries a device of this board, and answers within milliseconds.
const PATIENCE: Duration = Duration::from_millis(500);
/// Range of plausible voltages.
const VOLTAGES: std::ops::RangeInclusive<f64> = 0.1..=5.0;

/// The answers.
#[derive(Debug)]
pub(super) struct FirmwareReport {
    /// Whether and why the board is throttled, or why that is unknown.
    pub throttling: Result<Throttling, Why>,
    /// The voltage of the core, in volts.
    pub core_voltage_v: Option<f64>,
    /// The temperature, in degrees Celsius.
    pub temperature_c: Option<f64>,
}

/// Queries it.
pub(super) fn ask(system: &System) -> FirmwareReport {
    let calls = QUESTIONS.map(|arguments| Call::new(PROGRAM, arguments));
    let mut answers = helper::run_within(system, &calls, PATIENCE).into_iter();
    let mut next = || answers.next().unwrap_or(Err(Why::NotReported));
    let throttling = next().and_then(|output| {
        value(&output, "throttled=").and_then(|text| parse_throttled(&text)).ok_or_else(|| reason(&output))
    });
    let number = |output: &Output, name: &str, unit: &str| -> Option<f64> {
        value(output, name)?.strip_suffix(unit)?.parse().ok()
    };
    let volts = next().ok().and_then(|output| number(&output, "volt=", "V"));
    let celsius = next().ok().and_then(|output| number(&output, "temp=", "'C"));
    FirmwareReport {
        throttling,
        core_voltage_v: volts.filter(|volts| VOLTAGES.contains(volts)),
        temperature_c: celsius.filter(|&celsius| is_plausible_c(celsius)),
    }
}

/// The value of `name` in an answer of one line.
fn value(output: &Output, name: &str) -> Option<String> {
    attribute::clean(&output.stdout)?.strip_prefix(name).map(str::to_string)
}

/// The reason reported instead of an answer: users outside the group `video` may not ask.
fn reason(output: &Output) -> Why {
    let words = attribute::clean(&output.stdout).or_else(|| output.complaint.clone()).unwrap_or_default();
    let is_kept_out =
        ["VCHI initialization failed", "Can't open device file", "Permission denied"].iter().any(|denial| {
            words.contains(denial) || output.complaint.as_deref().is_some_and(|c| c.contains(denial))
        });
    if is_kept_out && !rustix::process::geteuid().is_root() {
        return Why::NeedsRoot;
    }
    let message = crate::health::smartctl::shortened(&words);
    Why::NotUnderstood { program: PROGRAM[0].to_string(), message }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::ThrottleState;

    use super::*;
    use crate::fixture;

    /// Answers from <https://github.com/OctoPrint/OctoPrint-PiSupport/issues/4> and
    /// <https://forum.libreelec.tv/thread/17860-how-to-interpret-rpi-vcgencmd-get-throttled>; the formats of
    /// the two others are from the documentation of Raspberry Pi OS.
    const SCRIPT: &str = "case \"$*\" in get_throttled) echo throttled=0x50005;; \"measure_volts core\") echo volt=0.8563V;; \
        measure_temp) echo \"temp=42.8'C\";; esac";

    #[test]
    fn the_firmware_is_queried_if_the_kernel_has_no_file() {
        let pi = fixture::raspberry_pi();
        pi.program("vcgencmd", SCRIPT);
        let report = super::super::describe(&pi.system()).unwrap();
        let weak = ThrottleState { under_voltage: true, throttled: true, ..ThrottleState::default() };
        assert_eq!(report.throttling, Some(Throttling { now: weak, since_boot: weak }));
        assert_eq!((report.core_voltage_v, report.temperature_c), (Some(0.8563), Some(42.8)));
        assert_eq!(report.unknown, []);
        // Values that the kernel shows are not queried.
        let pi = fixture::weak_supply_pi();
        pi.program("vcgencmd", "echo throttled=0x0");
        let report = super::super::describe(&pi.system()).unwrap();
        assert_eq!(report.throttling.unwrap().now, weak);
        assert_eq!((report.core_voltage_v, report.temperature_c), (None, Some(54.0)));
    }

    #[test]
    fn invalid_answers_are_reported() {
        let pi = fixture::raspberry_pi();
        let cases = [
            ("echo 'error=1 error_msg=\"Command not registered\"'", "error=1"),
            ("echo throttled=0xzz", "throttled=0xzz"),
            ("echo throttled=", "throttled="),
            ("printf '\\033[2J\\377'", "[2J"),
        ];
        for (script, words) in cases {
            pi.program("vcgencmd", script);
            let report = ask(&pi.system());
            let Err(Why::NotUnderstood { program, message }) = &report.throttling else {
                panic!("{report:?}")
            };
            assert!(program == "vcgencmd" && message.starts_with(words), "{message}");
            assert_eq!((report.core_voltage_v, report.temperature_c), (None, None));
        }
        pi.program("vcgencmd", "echo 'VCHI initialization failed'; exit 255");
        let expected = match rustix::process::geteuid().is_root() {
            true => Why::NotUnderstood {
                program: "vcgencmd".to_string(),
                message: "VCHI initialization failed".to_string(),
            },
            false => Why::NeedsRoot,
        };
        assert_eq!(ask(&pi.system()).throttling, Err(expected));
        for nonsense in ["volt=-1V", "volt=99.0V", "volt=NaNV", "temp=1e9'C", "temp=inf'C", "temp=42"] {
            pi.program("vcgencmd", &format!("echo \"{nonsense}\""));
            let report = ask(&pi.system());
            assert_eq!((report.core_voltage_v, report.temperature_c), (None, None), "{nonsense}");
        }
    }

    #[test]
    fn a_hanging_program_is_not_waited_for() {
        let pi = fixture::raspberry_pi();
        pi.program("vcgencmd", "sleep 600");
        let report = ask(&pi.system());
        assert_eq!(report.throttling, Err(Why::TimedOut { program: "vcgencmd".to_string() }));
    }
}
