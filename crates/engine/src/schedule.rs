//! Which jobs may start, and which must end, as others end.

use cardiograph_core::{EndCondition, Plan, StartCondition};

/// How far each job is.
#[derive(Debug)]
pub(crate) struct Schedule {
    jobs: Vec<Job>,
}

#[derive(Debug)]
struct Job {
    start: StartCondition,
    end: EndCondition,
    is_released: bool,
    workers_left: u32,
}

impl Schedule {
    pub fn new(plan: &Plan) -> Self {
        let job = |job: &cardiograph_core::PlannedJob| Job {
            start: job.start,
            end: job.end,
            is_released: false,
            workers_left: job.clones,
        };
        Self { jobs: plan.jobs.iter().map(job).collect() }
    }

    fn has_ended(&self, job: usize) -> bool {
        self.jobs.get(job).is_none_or(|job| job.workers_left == 0)
    }

    /// Jobs that may start now and have not been named before, with their delay in nanoseconds.
    pub fn release(&mut self) -> Vec<(usize, u64)> {
        let may_start = |index: usize| match self.jobs[index].start {
            StartCondition::Together => Some(0),
            StartCondition::At { delay_ns } => Some(delay_ns),
            StartCondition::AfterAllBefore => (0..index).all(|job| self.has_ended(job)).then_some(0),
            StartCondition::AfterJob { job } => self.has_ended(job).then_some(0),
        };
        let ready: Vec<(usize, u64)> = (0..self.jobs.len())
            .filter(|&index| !self.jobs[index].is_released)
            .filter_map(|index| may_start(index).map(|delay_ns| (index, delay_ns)))
            .collect();
        ready.iter().for_each(|&(index, _)| self.jobs[index].is_released = true);
        ready
    }

    /// Notes that a worker of `job` has ended. When it was the job's last: the jobs that must end now.
    pub fn worker_ended(&mut self, job: usize) -> Vec<usize> {
        self.jobs[job].workers_left = self.jobs[job].workers_left.saturating_sub(1);
        if !self.has_ended(job) {
            return Vec::new();
        }
        let ends_with = |other: &Job| other.end == EndCondition::WithJob { job };
        (0..self.jobs.len()).filter(|&index| ends_with(&self.jobs[index])).collect()
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::resolve::{ResolveContext, resolve};
    use cardiograph_core::{JobSpec, Origin};

    use super::*;

    #[test]
    fn jobs_start_and_end_by_each_other() {
        let job = |name: &str| JobSpec::new(name, Origin::CommandLine { word: 1 }).set("size", "1M");
        let jobs = [
            job("a").set("numjobs", 2).set("exitall", 1),
            job("b").set("startdelay", 3),
            job("c").set("wait_for", "a"),
            job("d").set("stonewall", 1),
        ];
        let plan = resolve(&jobs, &ResolveContext { run_seed: 0, window_ns: 1 }).unwrap();
        let mut schedule = Schedule::new(&plan);
        assert_eq!(schedule.release(), [(0, 0), (1, 3_000_000_000)]);
        assert_eq!(schedule.release(), []);
        assert_eq!(schedule.worker_ended(0), Vec::<usize>::new());
        assert_eq!(schedule.release(), []);
        assert_eq!(schedule.worker_ended(0), [1, 2, 3]);
        assert_eq!(schedule.release(), [(2, 0)]);
        schedule.worker_ended(1);
        assert_eq!(schedule.release(), []);
        schedule.worker_ended(2);
        assert_eq!(schedule.release(), [(3, 0)]);
    }
}
