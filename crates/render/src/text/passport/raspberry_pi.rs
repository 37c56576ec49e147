//! What only a Raspberry Pi tells.

use cardiograph_core::drive::{BootEffect, BootSetting, Host, RaspberryPi, ThrottleState};
use cardiograph_core::units;

use super::{Rows, unknown};
use crate::text::layout::{joined, listed, plain};

/// The board, its troubles, and what its boot files say of drives.
pub(super) fn rows(host: &Host, rows: &mut Rows) {
    let Some(pi) = &host.raspberry_pi else { return };
    rows.head("Raspberry Pi");
    of_board(pi, rows);
    if let Some(throttling) = &pi.throttling {
        rows.row("Now", &state(&throttling.now));
        rows.row("Since start", &state(&throttling.since_boot));
    }
    if pi.under_voltage == Some(true) {
        rows.row("Supply", "the kernel's sensor says that its voltage is too low");
    }
    rows.row_of("Processor", pi.temperature_c.map(|celsius| format!("{} °C", units::number(celsius))));
    rows.row_of("Core voltage", pi.core_voltage_v.map(|volts| format!("{} V", units::number(volts))));
    for setting in &pi.settings {
        rows.row("Set", &set(setting));
    }
    unknown::rows(&pi.unknown, rows);
}

fn of_board(pi: &RaspberryPi, rows: &mut Rows) {
    let code = pi.revision_code.map(|code| format!("revision code {code:x}"));
    let board = pi.board.as_ref().map(|board| {
        let memory = board.memory_bytes.map(|bytes| format!(", {}", units::bytes(bytes)));
        format!("{} {}, {}{}", board.model, board.revision, board.processor, memory.unwrap_or_default())
    });
    rows.row_of("Board", joined([board, code], ", ").as_deref().map(plain));
}

fn state(state: &ThrottleState) -> String {
    let troubles = [
        (state.under_voltage, "voltage too low"),
        (state.frequency_capped, "clock limited"),
        (state.throttled, "slowed down"),
        (state.soft_temperature_limit, "warm"),
    ];
    let is_so: Vec<String> =
        troubles.iter().filter(|(is_so, _)| *is_so).map(|(_, word)| (*word).to_string()).collect();
    if is_so.is_empty() { "not slowed down".to_string() } else { listed(&is_so) }
}

fn set(setting: &BootSetting) -> String {
    let effect = match &setting.effect {
        BootEffect::PcieGeneration(generation @ 3..) => {
            format!("PCIe generation {generation}, for which a Raspberry Pi 5 is not certified")
        }
        BootEffect::PcieGeneration(generation) => format!("PCIe generation {generation}"),
        BootEffect::SdCommandQueue(0) => "no command queue for cards".to_string(),
        BootEffect::SdCommandQueue(1) => "command queue for cards known to be good".to_string(),
        BootEffect::SdCommandQueue(2) => "command queue for all A2 cards not known to be bad".to_string(),
        BootEffect::SdCommandQueue(other) => format!("sd_cqe={other}"),
        BootEffect::SdOverclockMhz(mhz) => format!("the card's bus runs at {mhz} MHz instead of 50"),
        BootEffect::UsbStorageQuirks(quirks) => format!("USB drives treated specially: {}", plain(quirks)),
        BootEffect::CoherentPool(size) => format!("coherent_pool={}", plain(size)),
    };
    let condition = setting.condition.as_ref().map(|condition| format!(", if {}", plain(condition)));
    format!("{effect} ({}, line {}){}", plain(&setting.file), setting.line, condition.unwrap_or_default())
}
