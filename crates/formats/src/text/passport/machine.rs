//! The machine around the drive.

use cardiograph_core::drive::Passport;

use super::Rows;
use crate::text::layout::plain;
use crate::units;

/// What it calls itself and what it runs.
pub(super) fn rows(passport: &Passport, rows: &mut Rows) {
    let (host, environment) = (&passport.host, &passport.environment);
    rows.head("The machine");
    let virtually = if environment.virtual_machine == Some(true) { ", virtual" } else { "" };
    rows.row_of("Model", host.model.as_deref().map(|model| format!("{}{virtually}", plain(model))));
    let cpus = host.cpus.map(|cpus| format!("{cpus} × "));
    rows.row_of(
        "Processor",
        host.cpu.as_deref().map(|cpu| format!("{}{}", cpus.unwrap_or_default(), plain(cpu))),
    );
    rows.row_of("Governor", environment.cpu_governor.as_deref().map(plain));
    rows.row_of("Memory", host.memory_bytes.map(units::bytes));
    rows.row_of("Kernel", host.kernel.as_deref().map(plain));
    rows.row_of("System", host.os.as_deref().map(plain));
}
