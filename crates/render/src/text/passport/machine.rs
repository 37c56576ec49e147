//! The machine around the drive.

use cardiograph_core::drive::{Environment, Host, ProcessorKind, Swap};
use cardiograph_core::units;

use super::Rows;
use crate::text::layout::{joined, plain};

/// What it calls itself and what it runs.
pub(super) fn rows(host: &Host, environment: &Environment, rows: &mut Rows) {
    rows.head("The machine");
    let virtually = if environment.virtual_machine == Some(true) { ", virtual" } else { "" };
    rows.row_of("Model", host.model.as_deref().map(|model| format!("{}{virtually}", plain(model))));
    let cpus = host.cpus.map(|cpus| format!("{cpus} × "));
    let cpu = host.cpu.as_deref().map(|cpu| cpus.unwrap_or_default() + &plain(cpu));
    rows.row_of("Processor", cpu);
    rows.row_of("Speeds", speeds(&host.processor_kinds));
    rows.row_of("Governor", environment.cpu_governor.as_deref().map(plain));
    rows.row_of("Memory", host.memory_bytes.map(units::bytes));
    rows.row_of("Swap", environment.swaps.as_deref().and_then(swaps));
    rows.row_of("Kernel", host.kernel.as_deref().map(plain));
    rows.row_of("System", host.os.as_deref().map(plain));
}

/// How processors differ, where they do: `2 at full speed, 4 at 47 %`.
fn speeds(kinds: &[ProcessorKind]) -> Option<String> {
    let of_kind = |kind: &ProcessorKind| match kind.speed_percent {
        100 => format!("{} at full speed", kind.cpus.len()),
        percent => format!("{} at {percent} %", kind.cpus.len()),
    };
    joined([kinds.iter().map(of_kind)], ", ").filter(|_| kinds.len() > 1)
}

fn swaps(swaps: &[Swap]) -> Option<String> {
    let of_one = |swap: &Swap| {
        let place = if swap.is_in_memory { " in memory" } else { "" };
        format!("{}, {}{place}", plain(&swap.path), units::bytes(swap.size_bytes))
    };
    joined([swaps.iter().map(of_one)], "; ")
}
