//! Checkups of a whole device: recorded in advance, restored at the end or resumed later.

use cardiograph_core::report::Step;
use cardiograph_core::{Plan, message};
use cardiograph_engine::fill_files::FillSet;
use cardiograph_suites::{OnDevice, Sequence};

use super::LocalRunner;
use crate::checkup_target::CheckupTarget;
use crate::failure::Failure;
use crate::runner::{Caller, DriveLeft, RunEnd, Runner as _};
use crate::sink::{Activity, Event};

impl LocalRunner {
    /// Saves the ranges that a step will write, if its suite restores them, and limits the step to these. The
    /// step's time limit also limits saving. Returns whether there is anything to write.
    ///
    /// # Errors
    /// When reading or saving fails; then nothing must be written.
    pub(super) fn save_originals(
        &self,
        step: &Step,
        plan: &mut Plan,
        caller: Caller<'_>,
    ) -> Result<bool, Failure> {
        let is_device = matches!(self.target, CheckupTarget::Device { .. });
        if !is_device || !plan.is_modifying() || !self.traits.puts_back {
            return Ok(true);
        }
        let Some((journals, target)) = self.target.journals() else {
            return Err(Failure::usage(message!("originals-no-place")));
        };
        let ranges = plan.jobs.first().and_then(|job| job.workload.stop.ios).unwrap_or(0);
        let began_ns = self.elapsed_ns();
        let should_continue = |saved: usize| {
            let title = step.title.clone();
            caller.sink.event(Event::Doing(Activity::Saving { title, saved, places: ranges }));
            let took_ns = self.elapsed_ns() - began_ns;
            !self.should_stop(caller.signals) && step.time_ns_max.is_none_or(|most_ns| took_ns < most_ns)
        };
        let saved = journals.save(target, self.sequence_seed, plan, caller.sink, should_continue)?;
        if let Some(error) = &saved.ended_by {
            let (error, places) = (error.message(), saved.ranges);
            caller.sink.event(Event::Trouble(message!("originals-ended", error, places)));
        }
        for job in &mut plan.jobs {
            job.workload.stop.ios = Some(saved.ranges);
        }
        Ok(saved.ranges > 0 && !self.should_stop(caller.signals))
    }

    /// Records that a part of a device has been filled. A shorter last one is rewritten when resumed.
    pub(super) fn note_device_part(&self, step: &Step, sequence: Option<Sequence>, caller: Caller<'_>) {
        let part = sequence.and_then(|sequence| sequence.part);
        let part = part.filter(|part| step.write_bytes_max == part.part_bytes);
        if let (Some((journals, _)), Some(part)) = (self.target.journals(), part) {
            let set = FillSet { seed: self.sequence_seed, part_bytes: part.part_bytes };
            if let Err(error) = journals.note_part(set, part.number) {
                caller.sink.event(Event::Trouble(message!("proof-not-noted", error)));
            }
        }
    }

    /// Restores the saved data, and returns what remains for the next checkup.
    pub(super) fn leave_device(&self, end: RunEnd, caller: Caller<'_>) -> DriveLeft {
        let mut left = DriveLeft::default();
        let Some((journals, target)) = self.target.journals() else { return left };
        if caller.signals.received().is_some()
            && let Some(path) = journals.own_path()
        {
            caller.sink.event(Event::Note(message!("restoring-begins", path = &path)));
        }
        if let Some(ended) = journals.restore(target, caller) {
            // A fake cannot hold it, and is reported as such.
            if !ended.is_whole && !end.is_fake {
                left.not_restored.clone_from(&ended.notes);
            }
            left.notes.extend(ended.notes);
        }
        if self.traits.on_device != OnDevice::Writes || self.traits.puts_back {
            return left;
        }
        journals.leave_parts();
        // Data of another suite would count as lost by the drive.
        if self.traits.keeps_parts && end.is_interrupted {
            let found = self.target.parts_found();
            left.parts.len_bytes = found.iter().map(|found| found.len_bytes).sum();
        } else {
            journals.forget_parts(target, None);
        }
        left
    }
}
