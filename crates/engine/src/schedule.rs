//! Start and end conditions between jobs.
//!
//! A job that waits for all earlier jobs begins a stage: it and the jobs after it start when the previous
//! stages have ended. Within its stage a job may also wait for another job, and for a start delay. Each job
//! is checked only a few times in total, regardless of the number of jobs.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use cardiograph_core::plan::{EndScope, StartAfter};
use cardiograph_core::{EndCondition, Plan, StartCondition};

/// State of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Waits for other jobs.
    Waiting,
    /// Waits for its start delay.
    Delayed,
    /// Has started, and one of its workers has not ended.
    Started,
    /// All its workers have ended.
    Ended,
    /// Will never start.
    Barred,
}

/// The state of each job.
#[derive(Debug)]
pub(crate) struct Schedule {
    jobs: Vec<Job>,
    /// All jobs before this one have ended.
    first_unended: usize,
    /// End of each stage that has not begun. It begins where the previous one ended.
    stages: VecDeque<usize>,
    stage_begins: usize,
    /// Jobs that wait for another job, indexed by that job.
    followers: HashMap<usize, Vec<usize>>,
    /// Jobs that wait only for the run's age, in nanoseconds.
    due: BinaryHeap<Reverse<(u64, usize)>>,
}

#[derive(Debug)]
struct Job {
    start: StartCondition,
    end: EndCondition,
    group: u32,
    stage: Stage,
    workers_left: usize,
}

impl Job {
    fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Ended | Stage::Barred)
    }
}

impl Schedule {
    pub fn new(plan: &Plan) -> Self {
        let job = |job: &cardiograph_core::PlannedJob| Job {
            start: job.start,
            end: job.end,
            group: job.group,
            // Without clones there is nothing to wait for.
            stage: if job.clones.is_empty() { Stage::Ended } else { Stage::Waiting },
            workers_left: job.clones.len(),
        };
        let begins_stage = |index: &usize| plan.jobs[*index].start.after == StartAfter::AllBefore;
        let mut stages: VecDeque<usize> = (1..plan.jobs.len()).filter(begins_stage).collect();
        stages.push_back(plan.jobs.len());
        Self {
            jobs: plan.jobs.iter().map(job).collect(),
            first_unended: 0,
            stages,
            stage_begins: 0,
            followers: HashMap::new(),
            due: BinaryHeap::new(),
        }
    }

    /// State of a job.
    pub fn stage(&self, job: usize) -> Stage {
        self.jobs[job].stage
    }

    /// Jobs that start now, at this age of the run in nanoseconds.
    pub fn start(&mut self, age_ns: u64) -> Vec<usize> {
        self.begin_stages();
        let mut started = Vec::new();
        while let Some(&Reverse((due_ns, job))) = self.due.peek()
            && due_ns <= age_ns
        {
            self.due.pop();
            if self.jobs[job].stage == Stage::Delayed {
                self.jobs[job].stage = Stage::Started;
                started.push(job);
            }
        }
        started
    }

    /// Age of the run, in nanoseconds, at which the next job starts that waits for nothing else.
    pub fn next_due_ns(&mut self) -> Option<u64> {
        while let Some(&Reverse((due_ns, job))) = self.due.peek() {
            if self.jobs[job].stage == Stage::Delayed {
                return Some(due_ns);
            }
            self.due.pop();
        }
        None
    }

    fn begin_stages(&mut self) {
        while self.jobs.get(self.first_unended).is_some_and(Job::has_ended) {
            self.first_unended += 1;
        }
        while self.first_unended >= self.stage_begins
            && let Some(end) = self.stages.pop_front()
        {
            for job in self.stage_begins..end {
                match self.jobs[job].start.after {
                    StartAfter::Job { job: other } if !self.jobs[other].has_ended() => {
                        self.followers.entry(other).or_default().push(job);
                    }
                    _ => self.let_age(job),
                }
            }
            self.stage_begins = end;
        }
    }

    /// Makes a job wait only for the run's age.
    fn let_age(&mut self, job: usize) {
        if self.jobs[job].stage == Stage::Waiting {
            self.jobs[job].stage = Stage::Delayed;
            self.due.push(Reverse((self.jobs[job].start.delay_ns, job)));
        }
    }

    /// Notes the end of a worker of `job`. Returns the jobs whose workers must end now; those of them not
    /// started never will.
    pub fn worker_ended(&mut self, job: usize, has_failed: bool) -> Vec<usize> {
        let ended = &mut self.jobs[job];
        ended.workers_left = ended.workers_left.saturating_sub(1);
        let (end, group) = (ended.end, ended.group);
        if ended.workers_left == 0 {
            self.leave(job, Stage::Ended);
        }
        let on_error = end.others_on_error.filter(|_| has_failed);
        let scopes = [end.others, on_error].into_iter().flatten();
        let mut ending: Vec<usize> = scopes.flat_map(|scope| self.end_scope(scope, group)).collect();
        ending.sort_unstable();
        ending.dedup();
        ending
    }

    /// Ends the jobs of a group. Returns those whose workers must end now.
    pub fn end_group(&mut self, group: u32) -> Vec<usize> {
        self.end_scope(EndScope::Group, group)
    }

    /// Prevents further jobs from starting.
    pub fn bar_all(&mut self) {
        self.end_scope(EndScope::All, 0);
    }

    fn end_scope(&mut self, scope: EndScope, group: u32) -> Vec<usize> {
        let mut ending = Vec::new();
        for index in 0..self.jobs.len() {
            let job = &self.jobs[index];
            let is_meant = match scope {
                EndScope::Group => job.group == group,
                EndScope::Started => job.stage == Stage::Started,
                EndScope::All => true,
            };
            match job.stage {
                _ if !is_meant => {}
                Stage::Started => ending.push(index),
                Stage::Waiting | Stage::Delayed => self.leave(index, Stage::Barred),
                Stage::Ended | Stage::Barred => {}
            }
        }
        ending
    }

    fn leave(&mut self, job: usize, stage: Stage) {
        self.jobs[job].stage = stage;
        for follower in self.followers.remove(&job).unwrap_or_default() {
            self.let_age(follower);
        }
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::PlannedJob;
    use cardiograph_core::{JobSpec, Origin};
    use cardiograph_jobs::resolve::{ResolveContext, resolve};

    use super::*;

    const S: u64 = 1_000_000_000;

    /// A Plan of jobs with these starts, ends, groups and numbers of clones.
    fn schedule(jobs: &[(StartCondition, EndCondition, u32, usize)]) -> Schedule {
        let spec = JobSpec::new("job", Origin::CommandLine { word: 1 }).set("size", "1M");
        let like = resolve(&[spec], &ResolveContext::new(0, 1)).unwrap().jobs.remove(0);
        let job = |&(start, end, group, clones): &(StartCondition, EndCondition, u32, usize)| PlannedJob {
            clones: vec![like.clones[0].clone(); clones],
            start,
            end,
            group,
            ..like.clone()
        };
        Schedule::new(&Plan { targets: Vec::new(), jobs: jobs.iter().map(job).collect() })
    }

    fn after(after: StartAfter, delay_s: u64) -> StartCondition {
        StartCondition { after, delay_ns: delay_s * S, spread_ns: 0 }
    }

    const AT_ONCE: StartCondition = StartCondition { after: StartAfter::Nothing, delay_ns: 0, spread_ns: 0 };
    const BEHIND: StartCondition = StartCondition { after: StartAfter::AllBefore, delay_ns: 0, spread_ns: 0 };
    const ALONE: EndCondition = EndCondition { others: None, others_on_error: None };

    fn takes_along(scope: EndScope) -> EndCondition {
        EndCondition { others: Some(scope), others_on_error: None }
    }

    #[test]
    fn jobs_start_after_others_and_by_age() {
        let mut schedule = schedule(&[
            (AT_ONCE, ALONE, 0, 2),
            (after(StartAfter::Nothing, 3), ALONE, 0, 1),
            (after(StartAfter::Job { job: 0 }, 0), ALONE, 0, 1),
            (after(StartAfter::Job { job: 0 }, 5), ALONE, 0, 1),
        ]);
        assert_eq!(schedule.start(0), [0]);
        assert_eq!((schedule.start(0), schedule.next_due_ns()), (vec![], Some(3 * S)));
        assert_eq!(schedule.stage(1), Stage::Delayed);
        assert_eq!((schedule.worker_ended(0, false), schedule.start(S)), (vec![], vec![]));
        assert_eq!((schedule.stage(0), schedule.stage(2)), (Stage::Started, Stage::Waiting));
        assert_eq!((schedule.worker_ended(0, false), schedule.start(2 * S)), (vec![], vec![2]));
        assert!(schedule.start(3 * S - 1).is_empty());
        assert_eq!((schedule.start(3 * S), schedule.next_due_ns()), (vec![1], Some(5 * S)));
        assert_eq!((schedule.start(9 * S), schedule.next_due_ns()), (vec![3], None));
        assert_eq!(schedule.stage(0), Stage::Ended);
    }

    #[test]
    fn a_job_without_clones_has_ended_from_the_start() {
        let mut schedule = schedule(&[
            (after(StartAfter::Nothing, 3), ALONE, 0, 0),
            (after(StartAfter::Job { job: 0 }, 0), ALONE, 0, 1),
            (BEHIND, ALONE, 1, 0),
            (BEHIND, ALONE, 2, 1),
        ]);
        assert_eq!((schedule.start(0), schedule.next_due_ns()), (vec![1], None));
        assert_eq!((schedule.worker_ended(1, false), schedule.start(S)), (vec![], vec![3]));
        assert_eq!((schedule.stage(0), schedule.stage(2)), (Stage::Ended, Stage::Ended));
    }

    #[test]
    fn a_job_that_waits_for_all_earlier_ones_holds_back_later_ones() {
        let mut schedule = schedule(&[
            (AT_ONCE, ALONE, 0, 1),
            (AT_ONCE, ALONE, 0, 1),
            (BEHIND, ALONE, 1, 1),
            (AT_ONCE, ALONE, 1, 1),
            (after(StartAfter::Job { job: 0 }, 0), ALONE, 1, 1),
            (after(StartAfter::Job { job: 3 }, 0), ALONE, 1, 1),
            (BEHIND, ALONE, 2, 1),
        ]);
        assert_eq!(schedule.start(0), [0, 1]);
        schedule.worker_ended(0, false);
        assert!(schedule.start(0).is_empty());
        schedule.worker_ended(1, false);
        assert_eq!(schedule.start(0), [2, 3, 4]);
        schedule.worker_ended(3, false);
        assert_eq!(schedule.start(0), [5]);
        for job in [2, 4, 5] {
            assert!(schedule.start(0).is_empty());
            schedule.worker_ended(job, false);
        }
        assert_eq!(schedule.start(0), [6]);
    }

    #[test]
    fn waiting_for_a_job_includes_waiting_for_its_age() {
        let mut schedule = schedule(&[(after(StartAfter::Nothing, 2), ALONE, 0, 1), (BEHIND, ALONE, 1, 1)]);
        assert_eq!((schedule.start(S), schedule.start(2 * S)), (vec![], vec![0]));
        schedule.worker_ended(0, false);
        assert_eq!(schedule.start(2 * S), [1]);
    }

    #[test]
    fn the_end_of_a_worker_ends_the_jobs_in_its_scope() {
        for (scope, ending, barred) in [
            (EndScope::Group, &[0, 1][..], &[2][..]),
            (EndScope::Started, &[0, 1, 3], &[]),
            (EndScope::All, &[0, 1, 3], &[2, 4]),
        ] {
            let mut schedule = schedule(&[
                (AT_ONCE, takes_along(scope), 0, 2),
                (AT_ONCE, ALONE, 0, 1),
                (after(StartAfter::Nothing, 60), ALONE, 0, 1),
                (AT_ONCE, ALONE, 1, 1),
                (BEHIND, ALONE, 2, 1),
            ]);
            assert_eq!(schedule.start(0), [0, 1, 3]);
            assert_eq!(schedule.worker_ended(0, false), ending, "{scope:?}: its other clone, too");
            let found: Vec<usize> = (0..5).filter(|&job| schedule.stage(job) == Stage::Barred).collect();
            assert_eq!(found, barred, "{scope:?}");
            for job in [0, 1, 3] {
                schedule.worker_ended(job, false);
            }
            let expected: &[usize] = if scope == EndScope::Group { &[4] } else { &[] };
            assert_eq!(schedule.start(S), expected, "{scope:?}");
            let due = (scope == EndScope::Started).then_some(60 * S);
            assert_eq!(schedule.next_due_ns(), due, "{scope:?}");
        }
    }

    #[test]
    fn an_error_may_end_more_jobs_than_a_normal_end() {
        let end = EndCondition { others: None, others_on_error: Some(EndScope::All) };
        for (has_failed, ending) in [(false, vec![]), (true, vec![1])] {
            let mut schedule = schedule(&[(AT_ONCE, end, 0, 1), (AT_ONCE, ALONE, 1, 1)]);
            schedule.start(0);
            assert_eq!(schedule.worker_ended(0, has_failed), ending);
        }
    }

    #[test]
    fn barred_jobs_never_start_and_hold_back_nobody() {
        let mut schedule = schedule(&[
            (AT_ONCE, takes_along(EndScope::Group), 0, 1),
            (after(StartAfter::Nothing, 1), ALONE, 0, 1),
            (after(StartAfter::Job { job: 1 }, 0), ALONE, 1, 1),
        ]);
        schedule.start(0);
        assert!(schedule.worker_ended(0, false).is_empty());
        assert_eq!(schedule.start(5 * S), [2]);
        assert_eq!(schedule.stage(1), Stage::Barred);

        let mut all = super::tests::schedule(&[(AT_ONCE, ALONE, 0, 1), (BEHIND, ALONE, 1, 1)]);
        all.start(0);
        all.bar_all();
        all.worker_ended(0, false);
        assert_eq!((all.start(S), all.stage(1)), (vec![], Stage::Barred));
    }

    #[test]
    fn ten_thousand_sequential_jobs_are_fast() {
        let mut schedule = schedule(&vec![(BEHIND, ALONE, 0, 1); 10_000]);
        for job in 0..10_000 {
            assert_eq!(schedule.start(0), [job]);
            schedule.worker_ended(job, false);
        }
        assert!(schedule.start(0).is_empty());
    }
}
