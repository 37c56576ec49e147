//! Each request looks a directory up by its name. No data is moved.

use cardiograph_core::workload::FileAction;

use crate::engine::EngineEntry;
use crate::engines::filestat;

pub const ENTRY: EngineEntry = EngineEntry {
    file_action: Some(FileAction::StatDirectory),
    ..EngineEntry::new("dirstat", "looks directories up, and moves no data", filestat::open)
};
