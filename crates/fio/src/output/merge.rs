//! Merges jobs that are reported as one.

use cardiograph_core::Direction;
use cardiograph_core::result::Phases;

use super::run::{CpuFigures, DirectionFigures, ErrorTally, Extra, JobEntry, Samples};

/// The entries that fio shows for `workers`, in job order: one with `group_reporting` is merged into the previous entry
/// if that is in the same group, whether or not that one asked for it.
pub fn reported(workers: Vec<JobEntry>) -> Vec<JobEntry> {
    let mut entries: Vec<JobEntry> = Vec::new();
    for worker in workers {
        match entries.last_mut() {
            Some(entry) if worker.style.group_reporting && entry.group == worker.group => entry.merge(worker),
            _ => entries.push(worker),
        }
    }
    entries
}

impl JobEntry {
    /// Merges another job into this entry. As in fio, the options become those of the last job.
    pub fn merge(&mut self, other: Self) {
        self.jobs += other.jobs;
        self.error = self.error.take().or(other.error);
        merge_some(&mut self.tolerated_errors, other.tolerated_errors, ErrorTally::merge);
        self.options = other.options;
        self.elapsed_s = self.elapsed_s.max(other.elapsed_s);
        self.eta_s = self.eta_s.max(other.eta_s);
        for direction in Direction::ALL {
            self.directions[direction].merge(&other.directions[direction]);
        }
        merge_some(&mut self.mixed, other.mixed, |mine, theirs| mine.merge(&theirs));
        self.cpu.merge(&other.cpu);
        self.depths.merge(&other.depths);
        self.latency_target = other.latency_target;
        self.steady_state = self.steady_state.take().or(other.steady_state);
        merge_some(&mut self.extra, other.extra, Extra::merge);
    }
}

impl DirectionFigures {
    /// Adds a concurrent job's figures.
    pub(super) fn merge(&mut self, other: &Self) {
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.runtime_ms = self.runtime_ms.max(other.runtime_ms);
        self.short_ios += other.short_ios;
        self.dropped_ios += other.dropped_ios;
        self.submission.merge(&other.submission);
        self.completion.merge(&other.completion);
        self.total.merge(&other.total);
        self.bandwidth.merge(&other.bandwidth);
        self.iops.merge(&other.iops);
    }
}

impl Samples {
    /// Adds a concurrent job's samples as fio does: extremes, means, squares and counts are summed. The sums of the
    /// extremes are bounds, not observed values.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.min += other.min;
        self.max += other.max;
        self.mean += other.mean;
        self.squares += other.squares;
    }
}

impl ErrorTally {
    fn merge(&mut self, other: Self) {
        self.total += other.total;
        if self.first_errno == 0 {
            (self.first_errno, self.first_text) = (other.first_errno, other.first_text);
        }
    }
}

impl CpuFigures {
    fn merge(&mut self, other: &Self) {
        self.run_ms += other.run_ms;
        self.user_ms += other.user_ms;
        self.system_ms += other.system_ms;
        self.context_switches += other.context_switches;
        self.major_faults += other.major_faults;
        self.minor_faults += other.minor_faults;
    }
}

impl Extra {
    /// Adds another worker's figures: windows and layout times add up; of stalls and of phases, which run concurrently,
    /// the longest counts.
    fn merge(&mut self, other: Self) {
        if !self.engine.split(", ").any(|engine| engine == other.engine) {
            self.engine = format!("{}, {}", self.engine, other.engine);
        }
        self.zero_windows += other.zero_windows;
        self.longest_stall_ns = self.longest_stall_ns.max(other.longest_stall_ns);
        self.layout_ns += other.layout_ns;
        let (mine, theirs) = (&mut self.phases, other.phases);
        *mine = Phases {
            open_ns: mine.open_ns.max(theirs.open_ns),
            drain_ns: mine.drain_ns.max(theirs.drain_ns),
            flush_ns: mine.flush_ns.max(theirs.flush_ns),
            verify_ns: mine.verify_ns.max(theirs.verify_ns),
        };
        merge_some(&mut self.intended, other.intended, |mine, theirs| {
            Direction::ALL.into_iter().for_each(|direction| mine[direction].merge(&theirs[direction]));
        });
        self.precision = self.precision.or(other.precision);
        merge_some(&mut self.verified, other.verified, |mine, theirs| mine.merge(theirs));
        merge_some(&mut self.recorded, other.recorded, |mine, theirs| mine.merge(&theirs));
        self.replayed_ns = self.replayed_ns.max(other.replayed_ns);
        let new = other.pauses.into_iter().filter(|pause| !self.pauses.contains(pause));
        self.pauses.extend(new.collect::<Vec<_>>());
        let new = other.notes.into_iter().filter(|note| !self.notes.contains(note));
        self.notes.extend(new.collect::<Vec<_>>());
    }
}

/// Merges `theirs` into `mine`, if there is one.
fn merge_some<T>(mine: &mut Option<T>, theirs: Option<T>, merge: impl FnOnce(&mut T, T)) {
    match (mine.as_mut(), theirs) {
        (Some(mine), Some(theirs)) => merge(mine, theirs),
        (None, theirs) => *mine = theirs,
        (Some(_), None) => {}
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::PerDirection;
    use cardiograph_core::display::JobDisplay;

    use super::*;
    use crate::output::run::{JobError, Style};
    use crate::output::samples;

    #[test]
    fn samples_of_clones_add_up_as_in_fio() {
        // fio showed a deviation of 4.38 for each of three clones at 1,000 IOPS of 4 KiB, and with these sums 4.06 for
        // the group.
        let one = Samples { n: 5, min: 4_000, max: 4_008, mean: 4_003.2, squares: 76.8 };
        assert!((one.stdev() - 4.381_78).abs() < 1e-5);
        let mut group = one;
        group.merge(&one);
        group.merge(&one);
        assert_eq!((group.n, group.min, group.max), (15, 12_000, 12_024));
        assert!((group.mean - 12_009.6).abs() < 1e-9);
        assert!((group.stdev() - 4.056_740).abs() < 1e-6, "{}", group.stdev());
    }

    #[test]
    fn jobs_are_merged_into_the_previous_one_of_their_group() {
        let shown = |jobs: &[(&str, u32, bool)]| -> Vec<(String, u32)> {
            let worker = |&(name, group, group_reporting): &(&str, u32, bool)| {
                let name = name.to_string();
                let style = Style(JobDisplay { group_reporting, ..JobDisplay::default() });
                JobEntry { name, group, style, ..samples::job() }
            };
            let entries = reported(jobs.iter().map(worker).collect());
            entries.into_iter().map(|entry| (entry.name, entry.jobs)).collect()
        };
        let names = |expected: &[(&str, u32)]| -> Vec<(String, u32)> {
            expected.iter().map(|&(name, jobs)| (name.to_string(), jobs)).collect()
        };
        // As in fio 3.33, the first of a group is merged even if it did not ask.
        assert_eq!(shown(&[("a", 0, false), ("b", 0, true), ("c", 0, true)]), names(&[("a", 3)]));
        assert_eq!(
            shown(&[("a", 0, true), ("b", 0, false), ("c", 0, true), ("d", 0, true)]),
            names(&[("a", 1), ("b", 3)])
        );
        assert_eq!(shown(&[("a", 0, true), ("b", 1, true), ("c", 1, true)]), names(&[("a", 1), ("b", 2)]));
        assert_eq!(shown(&[("a", 0, false), ("b", 0, false)]), names(&[("a", 1), ("b", 1)]));
        assert_eq!(shown(&[]), []);
    }

    #[test]
    fn merged_jobs_keep_the_first_name_and_the_last_options() {
        let mut first = JobEntry { eta_s: Some(3), extra: Some(samples::extra()), ..samples::job() };
        let mut second = JobEntry { name: "second".to_string(), pid: 8, ..samples::job() };
        second.options = vec![("rw".to_string(), "write".to_string())];
        second.error = Some(JobError { errno: 28, text: "full".to_string() });
        second.tolerated_errors =
            Some(ErrorTally { total: 2, first_errno: 5, first_text: "bad".to_string() });
        second.directions.write.runtime_ms = 30;
        second.directions.write.completion = samples::latency(&[5_000_000]);
        let intended = PerDirection { write: samples::latency(&[6_000_000]), ..Default::default() };
        second.extra = Some(Extra {
            engine: "io_uring".to_string(),
            zero_windows: 2,
            longest_stall_ns: 1,
            intended: Some(intended),
            notes: vec!["n".to_string()],
            ..samples::extra()
        });
        first.merge(second.clone());
        assert_eq!((first.name.as_str(), first.pid, first.jobs, first.eta_s), ("job", 7, 2, Some(3)));
        assert_eq!(first.options[0].1, "write");
        assert_eq!(first.error, second.error);
        assert_eq!(first.tolerated_errors.as_ref().unwrap().total, 2);
        let write = &first.directions.write;
        assert_eq!((write.ios, write.bytes, write.runtime_ms), (4, 16_384, 30));
        assert_eq!((write.completion.n(), write.completion.max_ns()), (3, 5_000_000));
        assert_eq!((first.cpu.run_ms, first.cpu.minor_faults, first.depths.in_flight[0]), (20, 6, 12));
        let extra = first.extra.as_ref().unwrap();
        assert_eq!(extra.engine, "psync, io_uring");
        assert_eq!((extra.zero_windows, extra.longest_stall_ns, extra.layout_ns), (2, 2_500_000, 2_000));
        assert_eq!((extra.phases.flush_ns, extra.notes.len()), (30, 1));
        assert_eq!(extra.intended.as_ref().unwrap().write.n(), 1);
        // A third job changes neither the first error nor known figures.
        first.merge(second);
        assert_eq!(first.tolerated_errors.unwrap().first_errno, 5);
        assert_eq!(first.extra.unwrap().engine, "psync, io_uring");
    }
}
