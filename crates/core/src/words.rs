//! Words that outputs under fio's name, importers and pages share.

pub mod method;
pub mod precision;
pub mod replay;
