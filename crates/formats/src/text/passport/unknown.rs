//! What is not known, and what to do about it.

use cardiograph_core::drive::{Fact, Unknown, Why};

use super::Rows;
use crate::text::layout::plain;

/// One row for each fact that is missing.
pub(super) fn rows(unknown: &[Unknown], rows: &mut Rows) {
    for Unknown { fact, why } in unknown {
        rows.row(label(*fact), &format!("not known: {}", reason(why)));
    }
}

/// The label under which the fact would stand.
fn label(fact: Fact) -> &'static str {
    match fact {
        Fact::Health => "Health",
        Fact::BusMode => "Bus",
        Fact::ControllerCache => "Controller",
        Fact::FileSystemGeometry => "Geometry",
        Fact::Cipher => "Cipher",
        Fact::Volume => "Volume",
        Fact::Throttling => "Throttling",
    }
}

/// Why it is not known, with what a user can do.
pub(super) fn reason(why: &Why) -> String {
    match why {
        Why::NeedsRoot => "only root may see it (run this with sudo)".to_string(),
        Why::NotInstalled { program } => match package(program) {
            Some(package) => format!("{program} is not installed (Debian: apt install {package})"),
            None => format!("{} is not installed", plain(program)),
        },
        Why::TimedOut { program } => format!("{} did not answer in time", plain(program)),
        Why::NotUnderstood { program, message } => format!("{} said: {}", plain(program), plain(message)),
        Why::Unreadable { message } => plain(message),
        Why::Asleep => "the drive sleeps, and was not woken up for it".to_string(),
        Why::Senseless => "what the kernel shows makes no sense".to_string(),
        Why::NotTold => "it does not tell".to_string(),
    }
}

/// The package in Debian that has a program.
fn package(program: &str) -> Option<&'static str> {
    Some(match program {
        "smartctl" => "smartmontools",
        "nvme" => "nvme-cli",
        "cryptsetup" => "cryptsetup-bin",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_say_what_to_do() {
        let program = |name: &str| Why::NotInstalled { program: name.to_string() };
        assert_eq!(
            reason(&program("smartctl")),
            "smartctl is not installed (Debian: apt install smartmontools)"
        );
        assert_eq!(reason(&program("perccli64")), "perccli64 is not installed");
        assert_eq!(
            reason(&Why::NotUnderstood { program: "nvme".into(), message: "\x1b[2J".into() }),
            "nvme said: \u{fffd}[2J"
        );
    }
}
