//! Jobs from fio's command line and job files: resolved, with all their errors.

use std::borrow::{Borrow, Cow};

use cardiograph_core::{JobSpec, Message, NS_PER_MS, PlannedJob, message};
use cardiograph_engine::Lengths;
use cardiograph_fio::diagnostics;
use cardiograph_fio::invocation::{FioJob, Include, Rejection};
use cardiograph_jobs::resolve::{
    DIAGNOSTICS_MAX, Diagnostic, ResolveContext, Resolved, Surroundings, resolve_all,
};

use crate::failure::Failure;
use crate::machine::{Machine, fresh_seed};

/// Window length, in nanoseconds, until windows double in a long run: fio's own (500 ms, `bwavgtime`) are 2,
/// 4 or 8 of them then.
const WINDOW_NS: u64 = 125 * NS_PER_MS;

/// The resolved jobs.
///
/// # Errors
/// All errors in them.
pub fn resolved(
    jobs: &[FioJob],
    includes: &[Include],
    surroundings: &dyn Surroundings,
) -> Result<Resolved, Failure> {
    let specs: Vec<_> = jobs.iter().map(spec).collect();
    resolved_specs(&specs, &context(surroundings), includes)
}

/// Resolves jobs when they start, if their files' lengths are unknown before (`create_serialize=0`).
#[derive(Debug)]
pub struct LateJobs(pub Vec<FioJob>);

impl Lengths for LateJobs {
    fn look_up(&self, job: usize) -> Result<PlannedJob, Message> {
        let mut alone = self.0[job].spec.clone();
        // The jobs before it have ended.
        alone.settings.retain(|setting| setting.option != "wait_for");
        let resolved = resolved_specs(&[alone], &context(&Machine::default()), &[]);
        resolved
            .map(|mut resolved| resolved.plan.jobs.remove(0))
            .map_err(|failure| message!("job-looked-up", error = failure.into_message()))
    }
}

/// A job of a second job file waits for those of the first.
pub fn spec(job: &FioJob) -> Cow<'_, JobSpec> {
    if job.starts_group { Cow::Owned(job.spec.clone().set("stonewall", 1)) } else { Cow::Borrowed(&job.spec) }
}

/// The same for jobs that are not fio's.
fn resolved_specs<J: Borrow<JobSpec>>(
    specs: &[J],
    context: &ResolveContext<'_>,
    includes: &[Include],
) -> Result<Resolved, Failure> {
    resolve_all(specs, context).map_err(|found| refusal(&found, includes))
}

/// All errors in jobs.
pub fn refusal(found: &[Diagnostic], includes: &[Include]) -> Failure {
    let line = |found: &Diagnostic| {
        diagnostics::with_inclusion(diagnostics::message(found), &found.origin, includes)
    };
    let mut lines: Vec<Message> = found.iter().map(line).collect();
    if found.len() == DIAGNOSTICS_MAX {
        lines.push(message!("jobs-more-errors", errors = DIAGNOSTICS_MAX));
    }
    Failure::usage_lines(lines)
}

/// The context for resolving jobs.
pub fn context(surroundings: &dyn Surroundings) -> ResolveContext<'_> {
    ResolveContext { run_seed: fresh_seed(), window_ns: WINDOW_NS, surroundings }
}

/// All errors in a command line, including values of its jobs.
pub fn error_messages(rejection: &Rejection) -> Vec<Message> {
    let specs: Vec<_> = rejection.jobs.iter().map(spec).collect();
    let found = resolve_all(&specs, &context(&Machine::default())).err().unwrap_or_default();
    diagnostics::messages_of_rejection(rejection, &found)
}
