//! Notes on a run under fio's name: what a reader of the results should know and fio does not say.
//!
//! Clients merge the streams or stop at anything on standard error, so notes stand in the results, behind what fio prints there:
//! at the end of the text, and under `cardiograph` in the JSON. `--notes` and the environment also have them on standard error.

use std::cell::RefCell;

use cardiograph_core::{Direction, JobSpec, PlannedJob};
use cardiograph_fio::diagnostics;
use cardiograph_fio::invocation::{FioJob, ProgramOptions};
use cardiograph_jobs::resolve::Resolved;
use cardiograph_jobs::settings::Settings as _;
use cardiograph_render::lang::Lang;

use super::complain;

/// `stderr` in it does what `--notes` does, for programs that are called by others.
const VARIABLE: &str = "CARDIOGRAPH_NOTES";
/// So many notes stand in the results. A job file may have one for each of its lines.
const IN_RESULTS_MAX: usize = 16;

/// The notes on a run so far.
#[derive(Debug)]
pub struct Notes {
    on_stderr: bool,
    all: RefCell<Vec<String>>,
}

impl Notes {
    /// No notes, and where they go.
    pub fn new(program: &ProgramOptions) -> Self {
        let is_asked = std::env::var_os(VARIABLE).is_some_and(|place| place == "stderr");
        Self { on_stderr: program.notes || is_asked, all: RefCell::default() }
    }

    /// Adds notes, unless they are known.
    pub fn extend(&self, notes: impl IntoIterator<Item = String>) {
        let mut all = self.all.borrow_mut();
        for note in notes {
            if !all.contains(&note) {
                self.show(&note);
                all.push(note);
            }
        }
    }

    /// Prints a note that has its own place in the results.
    pub fn show(&self, note: &str) {
        if self.on_stderr {
            say(note);
        }
    }

    /// The notes for the results.
    pub fn in_results(&self) -> Vec<String> {
        let all = self.all.borrow();
        let mut shown: Vec<String> = all.iter().take(IN_RESULTS_MAX).cloned().collect();
        if all.len() > IN_RESULTS_MAX {
            shown.push(format!("{} more notes: --notes prints them all", all.len() - IN_RESULTS_MAX));
        }
        shown
    }

    /// Prints the notes of a run that failed and has no results.
    pub fn say_unseen(&self) {
        if !self.on_stderr {
            self.all.borrow().iter().for_each(|note| say(note));
        }
    }
}

/// Prints a note on standard error.
pub fn say(note: &str) {
    complain(&format!("note: {note}"));
}

/// What fio warns of, and `--warnings-fatal` refuses. Not all of it has a reason here.
pub fn fio_warnings(jobs: &[FioJob], resolved: &Resolved) -> Vec<String> {
    let ignored = resolved.remarks.iter().filter(|remark| remark.setting.option == "time_based");
    let ignored = ignored.map(|remark| Lang::EN.text(&diagnostics::remark(remark)));
    let of_job = |(job, planned): (&FioJob, &PlannedJob)| {
        let found = warnings_of_job(&job.spec, planned);
        found.map(|what| format!("job '{}': fio warns of {what}", planned.workload.name)).collect::<Vec<_>>()
    };
    ignored.chain(jobs.iter().zip(&resolved.plan.jobs).flat_map(of_job)).collect()
}

fn warnings_of_job(spec: &JobSpec, planned: &PlannedJob) -> impl Iterator<Item = &'static str> + use<> {
    let workload = &planned.workload;
    let is_on = |option: &str| spec.last(option).is_some_and(|value| value.trim() != "0");
    let has_lengths = workload.block_len.iter().any(|(_, len)| len.min_bytes() != len.max_bytes());
    let is_shared = planned.clones.len() > 1 && spec.last("filename").is_some();
    let checks_writes =
        workload.verify.as_ref().is_some_and(|verify| verify.read_back) && workload.uses(Direction::Write);
    let found = [
        (
            workload.verify.is_some() && is_on("norandommap") && has_lengths,
            "verify with norandommap and several block sizes",
        ),
        (is_shared && checks_writes, "verify with several clones (numjobs) that write to the same file"),
        (workload.replay.is_some() && workload.record.is_some(), "read_iolog with write_iolog"),
    ];
    found.into_iter().filter_map(|(is_found, what)| is_found.then_some(what))
}
