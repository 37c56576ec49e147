//! Phrases shared by outputs under fio's name, importers and pages.

pub mod app;
pub mod engine;
pub mod figure;
pub mod method;
pub mod precision;
pub mod replay;
