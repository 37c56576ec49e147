//! Notes on a run under fio's name, which fio does not print.
//!
//! Clients merge the streams or fail on any output to standard error, so notes go into the results after fio's own: at the end of
//! the text, and under `cardiograph` in the JSON. `--notes` and the environment also print them to standard error.

use std::cell::RefCell;

use cardiograph_core::{Direction, JobSpec, Message, PlannedJob, message};
use cardiograph_fio::diagnostics;
use cardiograph_fio::invocation::{FioJob, ProgramOptions};
use cardiograph_jobs::resolve::Resolved;
use cardiograph_jobs::settings::Settings as _;

use super::complain_message;
use crate::screen::english;

/// `stderr` in it has the effect of `--notes`, where other programs write the command line.
const VARIABLE: &str = "CARDIOGRAPH_NOTES";
/// Maximum number of notes in the results: a job file may cause one for each of its lines.
const IN_RESULTS_MAX: usize = 16;

/// The notes on a run so far.
#[derive(Debug)]
pub struct Notes {
    on_stderr: bool,
    all: RefCell<Vec<Message>>,
}

impl Notes {
    /// Starts without notes.
    pub fn new(program: &ProgramOptions) -> Self {
        let is_asked = std::env::var_os(VARIABLE).is_some_and(|value| value == "stderr");
        Self { on_stderr: program.notes || is_asked, all: RefCell::default() }
    }

    /// Adds notes, except repeated ones.
    pub fn extend(&self, notes: impl IntoIterator<Item = Message>) {
        let mut all = self.all.borrow_mut();
        for note in notes {
            if !all.contains(&note) {
                self.show(&note);
                all.push(note);
            }
        }
    }

    /// Prints a note that the results show elsewhere.
    pub fn show(&self, note: &Message) {
        if self.on_stderr {
            print(note);
        }
    }

    /// The notes for the results.
    pub fn in_results(&self) -> Vec<String> {
        let all = self.all.borrow();
        let more = all.len().checked_sub(IN_RESULTS_MAX).filter(|&more| more > 0);
        let more = more.map(|more| message!("fio-note.more", count = more));
        all.iter().take(IN_RESULTS_MAX).chain(&more).map(english).collect()
    }

    /// Prints the notes of a run that failed and has no results.
    pub fn print_unseen(&self) {
        if !self.on_stderr {
            self.all.borrow().iter().for_each(print);
        }
    }
}

/// Prints a note on standard error.
pub fn print(note: &Message) {
    complain_message(&message!("fio-note", note = note.clone()));
}

/// Warnings of fio, which `--warnings-fatal` turns into errors, including those without a reason here.
pub fn fio_warnings(jobs: &[FioJob], resolved: &Resolved) -> Vec<Message> {
    let ignored = resolved.remarks.iter().filter(|remark| remark.setting.option == "time_based");
    let jobs = jobs.iter().zip(&resolved.plan.jobs);
    ignored
        .map(diagnostics::remark)
        .chain(jobs.flat_map(|(job, planned)| job_warnings(&job.spec, planned)))
        .collect()
}

fn job_warnings(spec: &JobSpec, planned: &PlannedJob) -> impl Iterator<Item = Message> + use<> {
    let (workload, name) = (&planned.workload, &planned.workload.name);
    let is_on = |option: &str| spec.last(option).is_some_and(|value| value.trim() != "0");
    let has_lengths = workload.block_len.iter().any(|(_, len)| len.min_bytes() != len.max_bytes());
    let is_shared = planned.clones.len() > 1 && spec.last("filename").is_some();
    let checks_writes =
        workload.verify.as_ref().is_some_and(|verify| verify.read_back) && workload.uses(Direction::Write);
    let found = [
        (
            workload.verify.is_some() && is_on("norandommap") && has_lengths,
            message!("fio-warning.norandommap", job = name),
        ),
        (is_shared && checks_writes, message!("fio-warning.clones", job = name)),
        (workload.replay.is_some() && workload.record.is_some(), message!("fio-warning.iologs", job = name)),
    ];
    found.into_iter().filter_map(|(is_found, warning)| is_found.then_some(warning))
}
