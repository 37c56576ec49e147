//! Preparing files and devices for a Plan: which are created, left alone or refused.

#[path = "prepare/bench.rs"]
mod bench;
#[path = "prepare/devices.rs"]
mod devices;
#[path = "prepare/files.rs"]
mod files;
#[path = "prepare/refusals.rs"]
mod refusals;
#[path = "prepare/runs.rs"]
mod runs;
