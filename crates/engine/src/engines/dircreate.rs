//! Each request makes a directory. No data is moved.

use cardiograph_core::workload::FileAction;

use crate::engine::EngineEntry;
use crate::engines::filecreate;

pub const ENTRY: EngineEntry = EngineEntry {
    file_action: Some(FileAction::CreateDirectory),
    ..EngineEntry::new("dircreate", "makes directories, and moves no data", filecreate::open)
};
