//! Watches the jobs of a group as a unit until a criterion ends them.

use cardiograph_core::{Plan, Workload};

/// A criterion that ends jobs.
pub(super) trait Judging {
    /// When the next sample is due, for jobs that count from `count_from` (both in ticks).
    fn next_at(&self, count_from: u64) -> u64;
}

/// The jobs of a group with the same criterion.
pub(super) struct Watch<J> {
    /// Their numbers; the first of them defined the criterion.
    pub jobs: Vec<usize>,
    pub group: u32,
    pub judging: J,
    /// Since when they count, in ticks; `None` while unknown.
    pub count_from: Option<u64>,
    /// Whether the criterion is met.
    pub is_over: bool,
}

impl<J: Judging> Watch<J> {
    /// Creates one per group with a job that has a criterion, in order.
    pub fn all(plan: &Plan, wanted: impl Fn(&Workload) -> Option<J>) -> Vec<Self> {
        let mut watches: Vec<Self> = Vec::new();
        for (index, job) in plan.jobs.iter().enumerate() {
            let Some(judging) = wanted(&job.workload) else { continue };
            let (jobs, group) = (vec![index], job.group);
            match watches.iter_mut().find(|watch| watch.group == group) {
                Some(watch) => watch.jobs.push(index),
                None => watches.push(Self { jobs, group, judging, count_from: None, is_over: false }),
            }
        }
        watches
    }

    /// When the next sample is due, in ticks.
    pub fn next_at(&self) -> Option<u64> {
        self.count_from.filter(|_| !self.is_over).map(|count_from| self.judging.next_at(count_from))
    }
}
