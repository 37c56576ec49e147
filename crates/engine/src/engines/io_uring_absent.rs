//! io_uring on platforms without bindings for it: listed, with the reason why it is unavailable.

use std::io;

use cardiograph_core::message;

use crate::engine::EngineEntry;

pub const ENTRY: EngineEntry = EngineEntry {
    fallbacks: &["libaio", "psync"],
    probe: || Err(message!("engine-probe.no-io-uring")),
    ..EngineEntry::new(|_| Err(io::ErrorKind::Unsupported.into()))
};
