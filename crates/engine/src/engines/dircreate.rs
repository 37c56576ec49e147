//! Each request makes a directory. No data is moved.

use crate::engine::EngineEntry;
use crate::engines::filecreate;

pub const ENTRY: EngineEntry = EngineEntry::new(filecreate::open);
