//! posixaio where the C library's offsets end at 2 GiB: it is listed, and says why it cannot be used.

use std::io;

use crate::engine::EngineEntry;

pub const ENTRY: EngineEntry = EngineEntry {
    probe: || Err("this build for a 32-bit processor was made without it; use libaio".to_string()),
    ..EngineEntry::new(|_| Err(io::ErrorKind::Unsupported.into()))
};
