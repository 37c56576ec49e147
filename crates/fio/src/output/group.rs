//! Groups of jobs: the `Run status group` lines, and each job's share of its group's bandwidth.

use cardiograph_core::PerDirection;

use super::run::{DirectionFigures, FioRun, Samples, Style, per_second};
use super::shown::Way;

/// One direction of a group of jobs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupFigures {
    /// Bytes of all jobs.
    pub bytes: u64,
    /// Shortest runtime of a job in milliseconds.
    pub runtime_ms_min: u64,
    /// Longest runtime of a job in milliseconds.
    pub runtime_ms_max: u64,
    /// Bandwidth of the slowest job in bytes per second.
    pub bytes_per_s_min: u64,
    /// Bandwidth of the fastest job in bytes per second.
    pub bytes_per_s_max: u64,
}

/// A group of jobs, with the style of its first job.
#[derive(Debug, Clone)]
pub(super) struct Group<'a> {
    /// Its number.
    pub id: u32,
    /// The style of its figures.
    pub style: &'a Style,
    directions: PerDirection<GroupFigures>,
    mixed: GroupFigures,
}

impl Group<'_> {
    /// Its figures of `way`, summed over the jobs that show it.
    pub fn figures(&self, way: Way) -> &GroupFigures {
        match way {
            Way::One(direction) => &self.directions[direction],
            Way::Mixed => &self.mixed,
        }
    }
}

impl FioRun {
    /// The groups by rising id.
    pub(super) fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for job in &self.jobs {
            let at = groups.partition_point(|group| group.id < job.group);
            if groups.get(at).is_none_or(|group| group.id != job.group) {
                let (directions, mixed) = Default::default();
                groups.insert(at, Group { id: job.group, style: &job.style, directions, mixed });
            }
            let group = &mut groups[at];
            for (way, figures) in job.shown() {
                match way {
                    Way::One(direction) => group.directions[direction].add(figures),
                    Way::Mixed => group.mixed.add(figures),
                }
            }
        }
        groups
    }
}

/// Finds a group by id in sorted `groups`.
pub(super) fn find<'a, 'b>(groups: &'b [Group<'a>], id: u32) -> Option<&'b Group<'a>> {
    groups.binary_search_by_key(&id, |group| group.id).ok().map(|at| &groups[at])
}

impl GroupFigures {
    fn add(&mut self, job: &DirectionFigures) {
        if job.runtime_ms == 0 {
            return;
        }
        let bytes_per_s = job.bytes_per_s();
        let is_first = self.runtime_ms_max == 0;
        let least = |so_far: u64, new: u64| if is_first { new } else { so_far.min(new) };
        self.bytes += job.bytes;
        self.runtime_ms_min = least(self.runtime_ms_min, job.runtime_ms);
        self.runtime_ms_max = self.runtime_ms_max.max(job.runtime_ms);
        self.bytes_per_s_min = least(self.bytes_per_s_min, bytes_per_s);
        self.bytes_per_s_max = self.bytes_per_s_max.max(bytes_per_s);
    }

    /// Bandwidth of all jobs in bytes per second: total bytes over the longest runtime.
    pub fn bytes_per_s(&self) -> u64 {
        per_second(self.bytes, self.runtime_ms_max)
    }

    /// The mean of a job's bandwidth samples as percent of this group's bandwidth, at most 100. fio cuts the mean to a
    /// whole number first, and takes it for KiB/s whatever `kb_base` is.
    pub(super) fn percent(&self, samples: &Samples) -> f64 {
        share_percent(samples, samples.mean.trunc(), self.bytes_per_s() as f64 / 1_024.0)
    }

    /// As [`Self::percent`], but for terse output, where fio truncates the group's bandwidth instead of the mean.
    pub(super) fn terse_percent(&self, samples: &Samples) -> f64 {
        share_percent(samples, samples.mean, (self.bytes_per_s() / 1_024) as f64)
    }
}

/// `mean` as percent of `all`, at most 100; 0 without samples.
fn share_percent(samples: &Samples, mean: f64, all: f64) -> f64 {
    match samples.n {
        0 => 0.0,
        _ if all == 0.0 => 100.0,
        _ => (mean * 100.0 / all).min(100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::samples;

    #[test]
    fn groups_are_sorted_and_sum_their_jobs() {
        let mut jobs = Vec::new();
        for (group, bytes, runtime_ms) in [(1, 1_000, 10), (0, 4_000, 20), (1, 5_000, 25), (1, 0, 0)] {
            let mut job = samples::job();
            job.group = group;
            job.directions.read.bytes = bytes;
            job.directions.read.runtime_ms = runtime_ms;
            jobs.push(job);
        }
        let run = samples::run(jobs);
        let groups = run.groups();
        assert_eq!(groups.iter().map(|group| group.id).collect::<Vec<_>>(), [0, 1]);
        let read = find(&groups, 1).unwrap().directions.read;
        let expected = GroupFigures {
            bytes: 6_000,
            runtime_ms_min: 10,
            runtime_ms_max: 25,
            bytes_per_s_min: 100_000,
            bytes_per_s_max: 200_000,
        };
        assert_eq!((read, read.bytes_per_s()), (expected, 240_000));
        assert_eq!(find(&groups, 0).unwrap().directions.trim, GroupFigures::default());
        assert!(find(&groups, 2).is_none());
    }

    #[test]
    fn shares_of_the_group_are_truncated_as_in_fio() {
        // fio 3.33 showed 1.57 KiB/s of 1.5 KiB/s as 66.7 % in text and JSON, and as 100 % in terse.
        let group = GroupFigures { bytes: 6_140, runtime_ms_max: 4_000, ..GroupFigures::default() };
        let samples = Samples { n: 7, mean: 1.571_429, ..Samples::default() };
        assert!((group.percent(&samples) - 66.71).abs() < 0.01, "{}", group.percent(&samples));
        assert_eq!(group.terse_percent(&samples), 100.0);
        assert_eq!(group.percent(&Samples::default()), 0.0);
        assert_eq!(GroupFigures::default().percent(&samples), 100.0);
    }
}
