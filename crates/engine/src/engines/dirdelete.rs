//! Each request removes an empty directory. No data is moved.

use cardiograph_core::workload::FileAction;

use crate::engine::EngineEntry;
use crate::engines::filedelete;

pub const ENTRY: EngineEntry = EngineEntry {
    file_action: Some(FileAction::DeleteDirectory),
    ..EngineEntry::new("dirdelete", "removes directories, and moves no data", filedelete::open)
};
