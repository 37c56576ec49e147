//! The machine around the drive.

use cardiograph_core::drive::{Environment, Host, ProcessorKind, Swap};
use cardiograph_core::{Message, Parameter, message};

use crate::doc::{Fact, Node};

/// Its name and its system.
pub(super) fn section(host: &Host, environment: &Environment) -> Option<Node> {
    let name = |text: &Option<String>| text.as_ref().map(Message::verbatim);
    let is_virtual = environment.virtual_machine == Some(true);
    let model = name(&host.model)
        .into_iter()
        .flat_map(|model| std::iter::once(model).chain(is_virtual.then(|| message!("machine-virtual"))));
    let processor = host.cpu.as_ref().map(|model| match host.cpus {
        Some(count) => message!("machine-processors", count, model),
        None => Message::verbatim(model),
    });
    let memory = host.memory_bytes.map(|bytes| Message::quantity(Parameter::Bytes(bytes)));
    let facts = [
        Fact::from_phrases(message!("machine-label.model"), model),
        Fact::from_phrases(message!("machine-label.processor"), processor),
        Fact::from_phrases(message!("machine-label.speeds"), speeds(&host.processor_kinds)),
        Fact::from_phrases(message!("machine-label.governor"), name(&environment.cpu_governor)),
        Fact::from_phrases(message!("machine-label.memory"), memory),
        Fact::from_phrases(message!("machine-label.swap"), environment.swaps.iter().flatten().map(swap)),
        Fact::from_phrases(message!("machine-label.kernel"), name(&host.kernel)),
        Fact::from_phrases(message!("machine-label.system"), name(&host.os)),
    ];
    Node::facts("machine", message!("machine-heading"), facts.into_iter().flatten().collect())
}

/// The kinds of processors, if there are several.
fn speeds(kinds: &[ProcessorKind]) -> Vec<Message> {
    let kind_phrase = |kind: &ProcessorKind| {
        let (processors, percent) = (kind.cpus.len(), f64::from(kind.speed_percent));
        match kind.speed_percent {
            100 => message!("machine-speed.full", processors),
            _ => {
                let speed = Parameter::share(percent / 100.0);
                message!("machine-speed.part", processors, speed)
            }
        }
    };
    if kinds.len() > 1 { kinds.iter().map(kind_phrase).collect() } else { Vec::new() }
}

fn swap(swap: &Swap) -> Message {
    let size = Parameter::Bytes(swap.size_bytes);
    match swap.is_in_memory {
        true => message!("machine-swap.memory", path = &swap.path, size),
        false => message!("machine-swap.disk", path = &swap.path, size),
    }
}
