//! Which jobs of a Plan ask for something that is judged for their group as one.

use cardiograph_core::{Plan, Workload};

/// The jobs of one group that ask for the same.
pub(super) struct Asking<T> {
    /// Their numbers; the first of them says what is wanted.
    pub jobs: Vec<usize>,
    pub group: u32,
    pub wanted: T,
}

/// One for each group in which a job asks, in the order in which they do.
pub(super) fn groups<'a, T>(plan: &'a Plan, wanted: impl Fn(&'a Workload) -> Option<T>) -> Vec<Asking<T>> {
    let mut groups: Vec<Asking<T>> = Vec::new();
    for (index, job) in plan.jobs.iter().enumerate() {
        let Some(wanted) = wanted(&job.workload) else { continue };
        match groups.iter_mut().find(|asking| asking.group == job.group) {
            Some(asking) => asking.jobs.push(index),
            None => groups.push(Asking { jobs: vec![index], group: job.group, wanted }),
        }
    }
    groups
}
