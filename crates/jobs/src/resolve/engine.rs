//! The engine of a job and its options.

use super::Problem;
use super::handling::direct;
use super::reader::Reader;
use crate::options::{self, EngineDef};
use cardiograph_core::message;

/// The engine that requires direct I/O for polling.
const POLLS_PAST_CACHE: &str = "io_uring";

/// The options of the engine, as name and value. Reports those that require another one.
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

/// Whether the job's thread submits, so that submission time is meaningful. With `sqthread_poll` a kernel thread does,
/// and an engine that queues batches only stores requests until the batch is executed in one call.
pub(super) fn submits_itself(reader: &mut Reader<'_>, engine: &EngineDef) -> bool {
    let keeps_batch = engine.is_queueing && engine.is_batching;
    !keeps_batch && !reader.switch("sqthread_poll")
}
