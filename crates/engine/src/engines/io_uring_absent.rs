//! io_uring where there are no bindings for it: it is listed, and says why it cannot be used.

use std::io;

use crate::engine::{EngineEntry, Unavailable};

pub const ENTRY: EngineEntry = EngineEntry {
    name: "io_uring",
    summary: "many requests in flight through rings shared with the kernel",
    is_queueing: true,
    is_batching: false,
    is_simulated: false,
    fallback: Some("psync"),
    probe: || {
        Err(Unavailable { reason: "this build for a 32-bit processor was made without io_uring".to_string() })
    },
    open: |_| Err(io::ErrorKind::Unsupported.into()),
};
