//! Facts that only a Raspberry Pi reports.

use cardiograph_core::drive::{BootEffect, BootSetting, Host, RaspberryPi, ThrottleState};
use cardiograph_core::{Message, Parameter, message};

use super::unknown;
use crate::doc::{Fact, Node};

/// The board, its throttling, and boot settings that concern drives.
pub(super) fn section(host: &Host) -> Option<Node> {
    let pi = host.raspberry_pi.as_ref()?;
    let throttling = pi.throttling.as_ref();
    let supply = (pi.under_voltage == Some(true)).then(|| message!("pi-supply"));
    let number = Parameter::number;
    let temperature =
        pi.temperature_c.map(|celsius| message!("temperature-celsius", celsius = number(celsius)));
    let voltage = pi.core_voltage_v.map(|volts| message!("pi-core-voltage", volts = number(volts)));
    let known = [
        Fact::from_phrases(message!("pi-label.board"), board(pi)),
        Fact::from_phrases(
            message!("pi-label.now"),
            throttling.into_iter().flat_map(|throttling| state(&throttling.now)),
        ),
        Fact::from_phrases(
            message!("pi-label.since-boot"),
            throttling.into_iter().flat_map(|throttling| state(&throttling.since_boot)),
        ),
        Fact::from_phrases(message!("pi-label.supply"), supply),
        Fact::from_phrases(message!("pi-label.temperature"), temperature),
        Fact::from_phrases(message!("pi-label.core-voltage"), voltage),
    ];
    let settings = pi
        .settings
        .iter()
        .filter_map(|boot_setting| Fact::from_phrases(message!("pi-label.setting"), setting(boot_setting)));
    let facts = known.into_iter().flatten().chain(settings).chain(unknown::facts(&pi.unknown));
    Node::facts("raspberry-pi", Message::verbatim("Raspberry Pi"), facts.collect())
}

fn board(pi: &RaspberryPi) -> Vec<Message> {
    let board = pi.board.iter().flat_map(|board| {
        let memory = board.memory_bytes.map(|bytes| Message::quantity(Parameter::Bytes(bytes)));
        let names = [format!("{} {}", board.model, board.revision), board.processor.clone()];
        names.into_iter().map(Message::verbatim).chain(memory)
    });
    let code = pi.revision_code.map(|code| message!("pi-revision-code", code = format!("{code:x}")));
    board.chain(code).collect()
}

fn state(state: &ThrottleState) -> Vec<Message> {
    let troubles = [
        (state.under_voltage, message!("pi-state.under-voltage")),
        (state.frequency_capped, message!("pi-state.frequency-capped")),
        (state.throttled, message!("pi-state.throttled")),
        (state.soft_temperature_limit, message!("pi-state.warm")),
    ];
    let seen: Vec<Message> = troubles.into_iter().filter_map(|(is_so, word)| is_so.then_some(word)).collect();
    if seen.is_empty() { vec![message!("pi-state.none")] } else { seen }
}

fn setting(setting: &BootSetting) -> Vec<Message> {
    let effect = match &setting.effect {
        BootEffect::PcieGeneration(generation @ 3..) => {
            message!("pi-setting.pcie-uncertified", generation = *generation)
        }
        BootEffect::PcieGeneration(generation) => message!("pi-setting.pcie", generation = *generation),
        BootEffect::SdCommandQueue(0) => message!("pi-setting.no-queue"),
        BootEffect::SdCommandQueue(1) => message!("pi-setting.queue-of-good"),
        BootEffect::SdCommandQueue(2) => message!("pi-setting.queue-of-all"),
        BootEffect::SdCommandQueue(other) => Message::verbatim(format!("sd_cqe={other}")),
        BootEffect::SdOverclockMhz(mhz) => message!("pi-setting.card-clock", mhz = *mhz),
        BootEffect::UsbStorageQuirks(quirks) => message!("pi-setting.usb-quirks", quirks),
        BootEffect::CoherentPool(size) => Message::verbatim(format!("coherent_pool={size}")),
    };
    let place = message!("pi-setting.place", file = &setting.file, line = setting.line);
    let condition = setting.condition.as_ref();
    let condition = condition.map(|condition| message!("pi-setting.condition", condition));
    [effect, place].into_iter().chain(condition).collect()
}
