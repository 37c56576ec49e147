//! Fleets of simulated hosts, a thread for each, in simulated time.

use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use cardiograph_core::fleet::FleetStep;
use cardiograph_core::histogram::Latency;
use cardiograph_core::report::{ReportState, StepResult};
use cardiograph_core::{Direction, Report};
use cardiograph_engine::sim::MODELS;

use super::member::Member;
use super::threads::{self, ThreadHost};
use crate::checkup::{Checkup, Task};
use crate::failure::Failure;
use crate::keeper::Keeper;
use crate::runner::Caller;
use crate::signals::Signals;
use crate::sink::Nobody;

/// Keeps the last Report that it was given.
#[derive(Default)]
struct Last(Mutex<Report>);

impl Keeper for Last {
    fn begin(&self, report: &Report) -> Result<(), Failure> {
        self.save(report)
    }

    fn save(&self, report: &Report) -> Result<(), Failure> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = report.clone();
        Ok(())
    }
}

fn task(model: &str) -> Task {
    Task { simulate: Some(model.to_string()), suite: "quick".to_string(), seed: Some(7), ..Task::default() }
}

/// A checkup of one host, its own Report and that of all.
fn check(task: Task, member: Option<Member>) -> Result<(Report, Option<Report>), Failure> {
    let caller = Caller { sink: &Nobody, signals: &Signals::default() };
    let mut checkup = match member {
        Some(member) => Checkup::open_in(task, Rc::new(member), caller)?,
        None => Checkup::open(task, caller)?,
    };
    let outline = checkup.outline(caller)?;
    checkup.make_ready(&outline, None, caller)?;
    let whole = Arc::new(Last::default());
    checkup.keep_whole(whole.clone())?;
    checkup.run(&Arc::new(Last::default()), caller)?;
    let ended = checkup.end_whole()?;
    let kept = whole.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert!(ended.as_ref().is_none_or(|ended| *ended == kept), "what is returned is what is kept");
    Ok((checkup.report.clone(), ended))
}

/// Checkups of a fleet, by rank: each host's task and what it says that it was asked.
fn fleet(hosts: &[(Task, &str)]) -> Vec<Result<(Report, Option<Report>), Failure>> {
    let run = |host: ThreadHost, task: Task, asked: &str| {
        let member = Member::join(Box::new(host), "cardiograph 1", asked)?;
        check(task, Some(member))
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = threads::hosts(hosts.len())
            .into_iter()
            .zip(hosts)
            .map(|(host, (task, asked))| scope.spawn(move || run(host, task.clone(), asked)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Latencies of all I/Os of a direction.
fn latency(step: &StepResult, direction: Direction) -> Latency {
    let workers = step.result.iter().flat_map(|result| &result.workers);
    workers.fold(Latency::default(), |mut sum, worker| {
        sum.merge(&worker.directions[direction].completion);
        sum
    })
}

fn hosts_of(step: &StepResult) -> &FleetStep {
    step.fleet.as_deref().unwrap()
}

#[test]
fn the_whole_has_all_ios_of_its_hosts_and_each_host_what_it_has_alone() {
    let hosts = vec![(task("sandisk-ultra-64"), "check"); 4];
    let (own, whole): (Vec<_>, Vec<_>) = fleet(&hosts).into_iter().map(Result::unwrap).unzip();
    let (alone, _) = check(task("sandisk-ultra-64"), None).unwrap();
    assert_eq!(own[0].steps, alone.steps, "rank 0 measures as if it were alone");
    let [Some(whole), None, None, None] = &whole[..] else { panic!("rank 0 has the whole") };
    assert_eq!(whole.state, ReportState::Finished);
    assert_eq!(whole.steps.len(), alone.steps.len());
    for (at, step) in whole.steps.iter().enumerate() {
        for direction in Direction::ALL {
            let mut sum = Latency::default();
            own.iter().for_each(|report| sum.merge(&latency(&report.steps[at], direction)));
            assert_eq!(latency(step, direction), sum, "{} {direction:?}", step.step.id);
        }
        let rows: Vec<_> = hosts_of(step).hosts.iter().map(|host| (host.rank, host.skew_ns)).collect();
        assert_eq!(rows, [(0, 0), (1, 0), (2, 0), (3, 0)]);
    }
    assert_ne!(own[1].steps, own[2].steps, "each host draws its own I/Os");
    let ids: Vec<&str> = own.iter().map(|report| report.id.as_str()).collect();
    let id = &whole.id;
    assert_eq!(ids, [format!("{id}-r0"), format!("{id}-r1"), format!("{id}-r2"), format!("{id}-r3")]);
}

#[test]
fn hosts_that_cannot_measure_together_say_why_on_all() {
    let ok = (task("sandisk-ultra-64"), "check");
    let no_model = (task("no-such-model"), "check");
    let cases = [
        (vec![ok.clone(), ok.clone(), no_model], "rank\": Count(2)"),
        (vec![ok.clone(), (ok.0.clone(), "check /other")], "fleet-asked"),
        (vec![ok.clone(), (Task { resumes: true, ..ok.0.clone() }, "check")], "fleet-no-resume"),
    ];
    for (hosts, expected) in cases {
        for ended in fleet(&hosts) {
            let failure = ended.unwrap_err();
            assert!(format!("{failure:?}").contains(expected), "{expected}: {failure:?}");
        }
    }
}

#[test]
fn a_host_whose_drive_fails_takes_nothing_from_the_others() {
    let (_, model) = MODELS.iter().find(|(name, _)| *name == "sandisk-ultra-64").unwrap();
    let healthy = fleet(&vec![(task("sandisk-ultra-64"), "check"); 3]);
    let healthy: Vec<Report> = healthy.into_iter().map(|done| done.unwrap().0).collect();
    for fault in ["eio", "disappear", "hang", "no_space"] {
        let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
        let text = format!("{model}\n[[faults]]\nkind = '{fault}'\non = 'write'\nfrom_ns = 2_000_000_000\n");
        std::fs::write(file.path(), text).unwrap();
        let mut hosts = vec![(task("sandisk-ultra-64"), "check"); 3];
        hosts[1].0.simulate = Some(file.path().to_str().unwrap().to_string());
        let (own, whole): (Vec<_>, Vec<_>) = fleet(&hosts).into_iter().map(Result::unwrap).unzip();
        for rank in [0, 2] {
            let outcomes =
                |report: &Report| report.steps.iter().map(|step| step.outcome.clone()).collect::<Vec<_>>();
            assert_eq!(outcomes(&own[rank]), outcomes(&healthy[rank]), "{fault}");
            assert_eq!(own[rank].steps, healthy[rank].steps, "{fault}");
        }
        let whole = whole[0].as_ref().unwrap();
        assert_eq!((own[1].state, whole.state), (ReportState::Failed, ReportState::Failed), "{fault}");
        for (at, step) in whole.steps.iter().enumerate() {
            let of_each: Vec<_> = hosts_of(step).hosts.iter().map(|host| &host.outcome).collect();
            assert_eq!(of_each, own.iter().map(|report| &report.steps[at].outcome).collect::<Vec<_>>());
        }
    }
}
