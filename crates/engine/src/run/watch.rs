//! Jobs of a group that are watched as one, until what is looked for lets them end.

use cardiograph_core::{Plan, Workload};

/// Judges what jobs do.
pub(super) trait Judging {
    /// When it wants to look next, at jobs that count from `count_from` (both in ticks).
    fn next_at(&self, count_from: u64) -> u64;
}

/// The jobs of one group that ask for the same.
pub(super) struct Watch<J> {
    /// Their numbers; the first of them said what is wanted.
    pub jobs: Vec<usize>,
    pub group: u32,
    pub judging: J,
    /// Since when they count, in ticks; `None` before that is known.
    pub count_from: Option<u64>,
    /// Nothing is taken in any more.
    pub is_over: bool,
}

impl<J: Judging> Watch<J> {
    /// One for each group in which a job asks, in the order in which they do.
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

    /// When it wants to look next, in ticks.
    pub fn next_at(&self) -> Option<u64> {
        self.count_from.filter(|_| !self.is_over).map(|count_from| self.judging.next_at(count_from))
    }
}
