//! Each request removes an empty directory. No data is moved.

use crate::engine::EngineEntry;
use crate::engines::filedelete;

pub const ENTRY: EngineEntry = EngineEntry::new(filedelete::open);
