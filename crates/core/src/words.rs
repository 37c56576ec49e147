//! Words that outputs under fio's name, importers and pages share.

pub mod engine;
pub mod figure;
pub mod method;
pub mod precision;
pub mod replay;
