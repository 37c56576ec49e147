//! Preconditioning: a range is written before anything is measured, because an empty drive is faster.

use cardiograph_core::message::Parameter;
use cardiograph_core::report::{Step, StepRole};
use cardiograph_core::{JobSpec, KIB, message};

use crate::next_step::step_of;

/// Id of the step.
pub(crate) const PRECONDITION: &str = "precondition";
/// Times that the range is written.
pub(crate) const PASSES: u64 = 2;
/// Length of a write.
pub(crate) const BLOCK_BYTES: u64 = 128 * KIB;

/// The step that writes all of a file; `job` names it.
pub(crate) fn step(job: JobSpec, file: (&str, u64)) -> Step {
    let job = job.set("rw", "write").set("bs", "128k").set("loops", PASSES);
    let job = job.set("ioengine", "io_uring").set("iodepth", 32).set("refill_buffers", 1);
    let block = Parameter::BlockBytes(BLOCK_BYTES);
    let title = message!("step-steady.precondition", passes = PASSES, block);
    Step { role: StepRole::Prepare, ..step_of(job, title, file, PASSES * file.1) }
}
