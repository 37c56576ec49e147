//! `sweep`: the same measurement over all values of some axes, as a matrix.
//!
//! Block size, queue depth, jobs, mix, engine, directory (and so the file system), start offset (and so the alignment), state
//! of the file, and the drive's I/O scheduler. Each setting takes one or several values; all combinations are measured.
//! Measurements that need the same file in the same state are grouped, with reads first and random writes last, so that no
//! measurement changes the state for the next.

mod axes;
mod plan;
mod tables;
#[cfg(test)]
mod tests;

use cardiograph_core::metric::Measurements;
use cardiograph_core::report::{Step, StepResult};
use cardiograph_core::table::Table;
use cardiograph_core::{Message, message};

use crate::board::Board;
use crate::measure::measure;
use crate::next_step::{NextStep, first_ahead};
use crate::setting::{Setting, SettingKind, Settings};
use crate::suite::{Context, Outline, Suite};
use crate::traits::SuiteTraits;
use plan::Plan;

const NAME: &str = "sweep";

const fn list(name: &'static str, help: &'static Message, default: &'static str) -> Setting {
    Setting { name, help, kind: SettingKind::List, default }
}

const BS: Setting = list("bs", const { &message!("setting-sweep.bs") }, "4k,64k,1M");
const DEPTH: Setting = list("depth", const { &message!("setting-sweep.depth") }, "1,4,32");
const JOBS: Setting = list("jobs", const { &message!("setting-sweep.jobs") }, "1");
const MIX: Setting = list("mix", const { &message!("setting-sweep.mix") }, "randread,randwrite");
const ENGINE: Setting = list("engine", const { &message!("setting-sweep.engine") }, "io_uring");
const DIRECTORY: Setting = list("directory", const { &message!("setting-sweep.directory") }, "");
const OFFSET: Setting = list("offset", const { &message!("setting-sweep.offset") }, "0");
const STATE: Setting = list("state", const { &message!("setting-sweep.state") }, "filled");
const SCHEDULER: Setting = list("scheduler", const { &message!("setting-sweep.scheduler") }, "");
const SHOW: Setting = list("show", const { &message!("setting-sweep.show") }, "iops,bandwidth");
const TIME: Setting =
    Setting::new("time", const { &message!("setting-sweep.time") }, SettingKind::Time, "5s");
const SIZE: Setting = Setting::new("size", const { &message!("setting-sweep.size") }, SettingKind::Bytes, "");
const MAX: Setting = Setting::new("max", const { &message!("setting-sweep.max") }, SettingKind::Bytes, "");

/// The suite.
#[derive(Debug, Clone, Copy)]
pub struct Sweep;

impl Suite for Sweep {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> Message {
        message!("suite-sweep")
    }

    fn settings(&self) -> &'static [Setting] {
        &[BS, DEPTH, JOBS, MIX, ENGINE, DIRECTORY, OFFSET, STATE, SCHEDULER, SHOW, TIME, SIZE, MAX]
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits { says_notes_first: true, can_resume: true, ..SuiteTraits::default() }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        match Plan::from_context(context) {
            Ok(plan) => {
                let times: Option<u64> = plan.steps().iter().map(|step| step.time_ns_max).sum();
                let needs = plan.needs();
                Outline { needs, ..Outline::from_steps(context, plan.steps(), times, plan.notes) }
            }
            Err(why) => Outline::from_steps(context, Vec::new(), None, why),
        }
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        let plan = Plan::from_context(context).ok()?;
        let mut next = first_ahead(plan.remaining_steps(done), done)?;
        if done.is_empty() {
            next.step.sizing = plan.notes;
        }
        Some(next)
    }

    fn board(&self, context: &Context<'_>, done: &[StepResult], next: &Step) -> Option<Board> {
        Some(tables::board(&Plan::from_context(context).ok()?, done, next))
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        // The cells depend on the settings, so they are not metrics for purposes.
        measure(context, done, &[])
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        Plan::from_context(context).map(|plan| tables::all(&plan, done)).unwrap_or_default()
    }
}
