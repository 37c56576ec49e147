//! What a checkup does to a whole device: written down before it is done, undone at the end or gone on with later.

use cardiograph_core::Plan;
use cardiograph_core::report::{Report, ReportState, Step};
use cardiograph_engine::fill_files::FillSet;
use cardiograph_suites::{OnDevice, Sequence};

use super::{Ending, Session, SessionClock};
use crate::exit::Failure;

impl Session<'_> {
    /// Saves what lies where a step will write, where its suite puts that back, and lets the step write nowhere else. The
    /// time that the step may take bounds the saving, too. Returns whether there is anything to write.
    ///
    /// # Errors
    /// Where something cannot be read or saved; then nothing must be written.
    pub(super) fn save_originals(
        &self,
        step: &Step,
        report: &Report,
        plan: &mut Plan,
        clock: &SessionClock<'_>,
    ) -> Result<bool, Failure> {
        if !plan.is_modifying() || !self.suite.puts_back(&self.context(report)) {
            return Ok(true);
        }
        let Some((journals, target)) = self.place.journals() else {
            return Err(Failure::usage(
                "what is on the device cannot be saved: there is neither XDG_DATA_HOME nor HOME, or the kernel does not \
                 tell enough of the device to know it again; nothing was written to it",
            ));
        };
        let places = plan.jobs.first().and_then(|job| job.workload.stop.ios).unwrap_or(0);
        let began_ns = clock.elapsed_ns();
        let goes_on = |saved: usize| {
            self.screen.live(&format!("{}: saving what is there, {saved} of {places} places", step.title));
            let took_ns = clock.elapsed_ns() - began_ns;
            !self.should_stop(clock) && step.time_ns_max.is_none_or(|most_ns| took_ns < most_ns)
        };
        let saved = journals.save(target, self.sequence_seed, plan, goes_on)?;
        for job in &mut plan.jobs {
            job.workload.stop.ios = Some(saved);
        }
        Ok(saved > 0 && !self.should_stop(clock))
    }

    /// Writes down that a part of a device has been filled.
    pub(super) fn note_device_part(&self, sequence: Option<Sequence>) -> Result<(), Failure> {
        match (self.place.journals(), sequence.and_then(|sequence| sequence.part)) {
            (Some((journals, _)), Some(part)) => {
                let set = FillSet { seed: self.sequence_seed, part_bytes: part.part_bytes };
                journals.note_part(set, part.number)
            }
            _ => Ok(()),
        }
    }

    /// Puts back what was saved, and tells what stays for the next checkup. A drive that hangs is left alone: what was
    /// saved stays where it is.
    pub(super) fn leave_device(&self, report: &mut Report, ending: &mut Ending) {
        let Some((journals, target)) = self.place.journals().filter(|_| !ending.is_hung) else { return };
        report.notes.extend(journals.put_back(target, self.screen));
        if self.suite.on_device() != OnDevice::Writes {
            return;
        }
        // What another suite has written would be taken for what the drive lost.
        if self.suite.keeps_parts(&self.context(report)) && report.state == ReportState::Interrupted {
            let found = self.place.parts_found();
            ending.parts.len_bytes = found.iter().map(|found| found.len_bytes).sum();
        } else {
            journals.forget_parts(None);
        }
    }
}
