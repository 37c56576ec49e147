//! io_uring where there are no bindings for it: it is listed, and says why it cannot be used.

use std::io;

use crate::engine::EngineEntry;

pub const ENTRY: EngineEntry = EngineEntry {
    fallback: Some("psync"),
    probe: || Err("this build for a 32-bit processor was made without io_uring".to_string()),
    ..EngineEntry::new(|_| Err(io::ErrorKind::Unsupported.into()))
};
