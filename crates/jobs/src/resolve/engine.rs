//! The engine of a job and its options.

use super::Problem;
use super::handling::direct;
use super::reader::Reader;
use crate::options::{self, EngineDef};
use cardiograph_core::message;

/// Engines that wait for nothing but the drive, and so need it without the page cache, when they are to poll it.
const POLLS_PAST_CACHE: &str = "io_uring";

/// The options of the engine, as name and value. Reports those that cannot be without another.
pub(super) fn engine_options(reader: &mut Reader<'_>, engine: &str) -> Vec<(String, String)> {
    if engine == POLLS_PAST_CACHE && reader.switch("hipri") && !direct(reader) {
        reader.report("hipri", Problem::Needs { other: "direct=1" });
    }
    for (option, needed, why) in [
        ("sqthread_poll_cpu", "sqthread_poll", message!("jobs-remark.needs-sqthread-poll")),
        ("hipri_percentage", "hipri", message!("jobs-remark.needs-hipri")),
    ] {
        if !reader.switch(needed) {
            reader.remark(option, why);
        }
    }
    let mut found: Vec<(String, String)> = Vec::new();
    for setting in &reader.spec.settings {
        let Some(def) = options::find_for(&setting.option, engine) else { continue };
        if !def.engines.is_empty() {
            found.retain(|(name, _)| name != def.name);
            found.push((def.name.to_string(), def.plain(&setting.value).into_owned()));
        }
    }
    found
}

/// Whether handing a request over is an act of the job's thread whose time says something. With `sqthread_poll` it is a
/// note to a thread of the kernel, and an engine that queues batches only keeps it until the batch is done in one call.
pub(super) fn hands_over_itself(reader: &mut Reader<'_>, engine: &EngineDef) -> bool {
    let keeps_batch = engine.is_queueing && engine.is_batching;
    !keeps_batch && !reader.switch("sqthread_poll")
}
