//! The steps of a checkup as fio's JSON, for programs that read that.

use cardiograph_core::ran_job::RanJob;
use cardiograph_core::{NS_PER_MS, Plan, PlannedJob, Report, message};
use cardiograph_fio::invocation::FioJob;
use cardiograph_fio::output::json::{Bins, json};
use cardiograph_fio::output::run::{FioRun, JobEntry};
use cardiograph_jobs::resolve::Resolved;

use super::FIO_VERSION;
use super::figures::{self, Facts};
use super::run_view::ctime;
use crate::exit::Failure;

/// All steps of a Report that ran jobs as one fio output, each a separate group, in the order in which they ran.
///
/// # Errors
/// When no step ran jobs, as in checkups of applications and imported ones.
pub fn fio_json(report: &Report, bins: Bins) -> Result<String, Failure> {
    // A simulated checkup has no date.
    let moment_ms = |elapsed_ns: u64| match report.started_unix_ms {
        0 => 0,
        started_unix_ms => started_unix_ms.saturating_add(elapsed_ns / NS_PER_MS),
    };
    let mut jobs: Vec<JobEntry> = Vec::new();
    let (mut group, mut elapsed_ns) = (0, 0);
    for step in &report.steps {
        let (Some(result), [_, ..]) = (&step.result, &step.jobs[..]) else { continue };
        let planned = |job: &RanJob| PlannedJob {
            workload: job.workload.clone(),
            group: job.group,
            ..PlannedJob::default()
        };
        let resolved = Resolved {
            plan: Plan { jobs: step.jobs.iter().map(planned).collect(), ..Plan::default() },
            displays: step.jobs.iter().map(|job| job.display.clone()).collect(),
            ..Resolved::default()
        };
        let specs: Vec<FioJob> = step
            .step
            .jobs()
            .iter()
            .map(|spec| FioJob { spec: spec.clone(), own_from: 0, starts_group: true })
            .collect();
        let facts = Facts {
            jobs: &specs,
            resolved: &resolved,
            started_unix_ms: moment_ms(elapsed_ns),
            elapsed_ns: elapsed_ns.saturating_add(result.duration_ns),
            eta_ns: None,
            layout_ns: &vec![0; specs.len()],
            notes: &[],
        };
        let entries = figures::entries(result, &facts);
        let groups = entries.iter().map(|entry| entry.group + 1).max().unwrap_or(1);
        jobs.extend(entries.into_iter().map(|entry| JobEntry { group: entry.group + group, ..entry }));
        (group, elapsed_ns) = (group + groups, elapsed_ns.saturating_add(result.duration_ns));
    }
    if jobs.is_empty() {
        return Err(Failure::usage(message!("show-no-fio")));
    }
    let timestamp_unix_ms = moment_ms(elapsed_ns);
    let run = FioRun {
        version: FIO_VERSION.to_string(),
        timestamp_unix_ms,
        time_text: utc(timestamp_unix_ms),
        jobs,
        ..FioRun::default()
    };
    Ok(json(&run, bins))
}

/// A time as ctime writes it, in UTC because the time zone of the checkup is unknown. Empty for 0.
fn utc(unix_ms: u64) -> String {
    if unix_ms == 0 {
        return String::new();
    }
    let moment =
        i64::try_from(unix_ms / 1_000).ok().and_then(|s| time::OffsetDateTime::from_unix_timestamp(s).ok());
    moment.map(ctime).unwrap_or_default()
}
