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
        Fact::Identity => "Identity",
        Fact::Health => "Health",
        Fact::BusMode => "Bus",
        Fact::ControllerCache => "Controller",
        Fact::FileSystemGeometry => "Geometry",
        Fact::Cipher => "Cipher",
        Fact::Volume => "Segments",
        Fact::Throttling => "Throttling",
    }
}

/// Why it is not known, with what a user can do.
pub(super) fn reason(why: &Why) -> String {
    match why {
        Why::NeedsRoot => "only root may see it (run this with sudo)".to_string(),
        Why::NotInstalled { program } => match source(program) {
            Some(source) => format!("{program} is not installed ({source})"),
            None => format!("{} is not installed", plain(program)),
        },
        Why::NotAsked { program } => {
            let source = source(program).map(|source| format!(" ({source})")).unwrap_or_default();
            format!("{}{source} would tell it, and is not asked here", plain(program))
        }
        Why::TimedOut { program } => format!("{} did not answer in time", plain(program)),
        Why::NotUnderstood { program, message } => format!("{} said: {}", plain(program), plain(message)),
        Why::Unreadable { message } => without_number(&plain(message)),
        Why::Asleep => "the drive sleeps, and was not woken up for it".to_string(),
        Why::Senseless => "what the kernel shows makes no sense".to_string(),
        Why::NotTold => "it does not tell".to_string(),
    }
}

/// What the kernel said without the number that Rust writes behind it: `(os error 1)`.
fn without_number(message: &str) -> String {
    let words = message.strip_suffix(')').and_then(|message| message.rsplit_once(" (os error "));
    words.filter(|(_, number)| number.parse::<i32>().is_ok()).map_or(message, |(words, _)| words).to_string()
}

/// Where a program is to be had.
fn source(program: &str) -> Option<&'static str> {
    Some(match program {
        "smartctl" => "Debian: apt install smartmontools",
        "nvme" => "Debian: apt install nvme-cli",
        "cryptsetup" => "Debian: apt install cryptsetup-bin",
        "vcgencmd" => "Raspberry Pi OS: apt install raspi-utils",
        "storcli64" => "Broadcom's package storcli",
        "storcli2" => "Broadcom's package storcli2",
        "perccli64" => "Dell's package perccli",
        "perccli2" => "Dell's package perccli2",
        "ssacli" => "HPE's package ssacli",
        "arcconf" => "Microchip's package arcconf",
        "cli64" => "Areca's program",
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
        assert_eq!(reason(&program("perccli64")), "perccli64 is not installed (Dell's package perccli)");
        assert_eq!(reason(&program("other")), "other is not installed");
        let arcconf = Why::NotAsked { program: "arcconf".to_string() };
        assert_eq!(
            reason(&arcconf),
            "arcconf (Microchip's package arcconf) would tell it, and is not asked here"
        );
        assert_eq!(
            reason(&Why::NotUnderstood { program: "nvme".into(), message: "\x1b[2J".into() }),
            "nvme said: \u{fffd}[2J"
        );
        for (message, shown) in [
            ("Operation not permitted (os error 1)", "Operation not permitted"),
            ("No such device (os error)", "No such device (os error)"),
            ("the drive did not answer in time", "the drive did not answer in time"),
        ] {
            assert_eq!(reason(&Why::Unreadable { message: message.to_string() }), shown);
        }
    }
}
