//! `sweep`: the same measurement over all values of some axes, as a matrix.
//!
//! Block length, depth, jobs, mix, engine, directory (so: file system), start offset (so: alignment), what the file holds,
//! and the drive's I/O scheduler. Each setting takes one value or several; all combinations are measured. What needs the
//! same file in the same state is done together; there what reads comes first and what writes at random last, so that no
//! measurement finds a file that another one spoilt for it.

mod axes;
mod plan;
mod tables;
#[cfg(test)]
mod tests;

use cardiograph_core::metric::Measurements;
use cardiograph_core::report::StepResult;
use cardiograph_core::table::Table;

use crate::measure::measure;
use crate::next_step::{NextStep, first_ahead};
use crate::setting::{Setting, SettingKind, Settings};
use crate::suite::{Context, Outline, Suite};
use crate::traits::SuiteTraits;
use plan::Plan;

const NAME: &str = "sweep";

const fn axis(name: &'static str, help: &'static str, default: &'static str) -> Setting {
    Setting { name, help, kind: SettingKind::List, default }
}

const BS: Setting = axis("bs", "Block lengths", "4k,64k,1M");
const DEPTH: Setting = axis("depth", "I/Os in flight in each job", "1,4,32");
const JOBS: Setting = axis("jobs", "Jobs at once", "1");
const MIX: Setting = axis(
    "mix",
    "read, write, randread, randwrite, or rw:70 and randrw:70 for 70 % of reads",
    "randread,randwrite",
);
const ENGINE: Setting = axis("engine", "Engines (cardiograph engines lists them)", "io_uring");
const DIRECTORY: Setting =
    axis("directory", "Directories, as of other file systems; where the check runs when not set", "");
const OFFSET: Setting = axis("offset", "Where blocks begin, as 0,512,4k: what misalignment costs", "0");
const STATE: Setting = axis(
    "state",
    "What the file holds: fresh (never written), trimmed (and all free space trimmed; root), filled (in sequence), random (written over)",
    "filled",
);
const SCHEDULER: Setting = axis("scheduler", "I/O schedulers of the drive; needs root, and is put back", "");
const SHOW: Setting = axis("show", "Tables: iops, bandwidth, mean, p50, p99, p99.9", "iops,bandwidth");
const TIME: Setting =
    Setting::new("time", "How long each measurement takes, at most", SettingKind::Time, "5s");
const SIZE: Setting = Setting::new(
    "size",
    "Length of the files; by what may be written when not set, 1 GiB at most",
    SettingKind::Bytes,
    "",
);
const MAX: Setting = Setting::new(
    "max",
    "Most that is written in all; 1 % of the capacity when not set, 8 GiB at most",
    SettingKind::Bytes,
    "",
);

/// The suite.
#[derive(Debug, Clone, Copy)]
pub struct Sweep;

impl Suite for Sweep {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "One measurement over any axes: block length, depth, jobs, mix, engine, directory, offset, state, scheduler."
    }

    fn settings(&self) -> &'static [Setting] {
        &[BS, DEPTH, JOBS, MIX, ENGINE, DIRECTORY, OFFSET, STATE, SCHEDULER, SHOW, TIME, SIZE, MAX]
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits { says_notes_first: true, can_resume: true, ..SuiteTraits::default() }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        match Plan::of(context) {
            Ok(plan) => {
                let times: Option<u64> = plan.steps().iter().map(|step| step.time_ns_max).sum();
                let needs = plan.needs();
                Outline { needs, ..Outline::of_steps(context, plan.steps(), times, plan.notes) }
            }
            Err(why) => Outline::of_steps(context, Vec::new(), None, vec![why]),
        }
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        let plan = Plan::of(context).ok()?;
        let mut next = first_ahead(plan.steps_but_for(done), done)?;
        if done.is_empty() {
            next.step.sizing = plan.notes;
        }
        Some(next)
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        // The cells differ with the settings: none of them answers what a purpose asks.
        measure(context, done, &[])
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        Plan::of(context).map(|plan| tables::all(&plan, done)).unwrap_or_default()
    }
}
