//! posixaio on platforms where the C library's offsets end at 2 GiB: listed, with the reason why it is
//! unavailable.

use std::io;

use cardiograph_core::message;

use crate::engine::EngineEntry;

pub const ENTRY: EngineEntry = EngineEntry {
    probe: || Err(message!("engine-probe.no-posixaio")),
    ..EngineEntry::new(|_| Err(io::ErrorKind::Unsupported.into()))
};
