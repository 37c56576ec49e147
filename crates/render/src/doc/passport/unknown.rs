//! Unknown facts, and what to do about them.

use cardiograph_core::drive::{Fact as Asked, Unknown, Why};
use cardiograph_core::{Message, message};

use crate::doc::Fact;

/// A fact for each missing one.
pub(super) fn facts(unknown: &[Unknown]) -> impl Iterator<Item = Fact> {
    unknown.iter().map(|Unknown { fact, why }| Fact::new(label(*fact), reason(why)))
}

/// The label of the missing fact.
fn label(fact: Asked) -> Message {
    match fact {
        Asked::Identity => message!("unknown-label.identity"),
        Asked::Health => message!("health-label.health"),
        Asked::BusMode => message!("link-label.bus"),
        Asked::ControllerCache => message!("raid-label.controller"),
        Asked::FileSystemGeometry => message!("unknown-label.geometry"),
        Asked::Cipher => message!("unknown-label.cipher"),
        Asked::Volume => message!("unknown-label.segments"),
        Asked::Throttling => message!("unknown-label.throttling"),
    }
}

/// Why it is unknown, and what the user can do.
fn reason(why: &Why) -> Message {
    match why {
        Why::NeedsRoot => message!("unknown.needs-root"),
        Why::NotInstalled { program } => match source(program) {
            Some(source) => message!("unknown.not-installed-from", program, source),
            None => message!("unknown.not-installed", program),
        },
        Why::NotAsked { program } => match source(program) {
            Some(source) => message!("unknown.not-asked-from", program, source),
            None => message!("unknown.not-asked", program),
        },
        Why::TimedOut { program } => message!("unknown.timed-out", program),
        Why::NotUnderstood { program, message } => {
            message!("unknown.not-understood", program, answer = message)
        }
        Why::NoAnswer { program } => message!("unknown.no-answer", program),
        Why::DriveTimedOut => message!("unknown.drive-timed-out"),
        Why::Unreadable { message } => message!("unknown.unreadable", error = without_number(message)),
        Why::Asleep => message!("unknown.asleep"),
        Why::Senseless => message!("unknown.senseless"),
        Why::NotReported => message!("unknown.not-reported"),
    }
}

/// The kernel's message without the number that Rust appends: `(os error 1)`.
fn without_number(message: &str) -> &str {
    let words = message.strip_suffix(')').and_then(|message| message.rsplit_once(" (os error "));
    words.filter(|(_, number)| number.parse::<i32>().is_ok()).map_or(message, |(words, _)| words)
}

/// Where to get a program.
fn source(program: &str) -> Option<Message> {
    let debian = |package: &str| message!("program-source.debian", package);
    let maker = |maker: &str, package: &str| message!("program-source.maker", maker, package);
    Some(match program {
        "smartctl" => debian("smartmontools"),
        "nvme" => debian("nvme-cli"),
        "cryptsetup" => debian("cryptsetup-bin"),
        "vcgencmd" => message!("program-source.raspberry-pi-os", package = "raspi-utils"),
        "storcli64" => maker("Broadcom", "storcli"),
        "storcli2" => maker("Broadcom", "storcli2"),
        "perccli64" => maker("Dell", "perccli"),
        "perccli2" => maker("Dell", "perccli2"),
        "ssacli" => maker("HPE", "ssacli"),
        "arcconf" => maker("Microchip", "arcconf"),
        "cli64" => message!("program-source.areca"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn reasons_say_what_to_do() {
        let program = |name: &str| Why::NotInstalled { program: name.to_string() };
        let said = |why: &Why| Lang::EN.text(&reason(why));
        assert_eq!(
            said(&program("smartctl")),
            "unknown: smartctl is not installed (Debian: apt install smartmontools)"
        );
        assert_eq!(
            said(&program("perccli64")),
            "unknown: perccli64 is not installed (package perccli from Dell)"
        );
        assert_eq!(said(&program("other")), "unknown: other is not installed");
        let arcconf = Why::NotAsked { program: "arcconf".to_string() };
        assert_eq!(
            said(&arcconf),
            "unknown: ask arcconf (package arcconf from Microchip), which this program does not run"
        );
        assert_eq!(
            said(&Why::NotUnderstood { program: "nvme".into(), message: "\x1b[2J".into() }),
            "unknown: nvme printed: \u{fffd}[2J"
        );
        for (message, shown) in [
            ("Operation not permitted (os error 1)", "unknown: Operation not permitted"),
            ("No such device (os error)", "unknown: No such device (os error)"),
            ("the drive did not answer in time", "unknown: the drive did not answer in time"),
        ] {
            assert_eq!(said(&Why::Unreadable { message: message.to_string() }), shown);
        }
    }
}
