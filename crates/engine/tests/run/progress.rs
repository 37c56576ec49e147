//! Progress events of a run.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cardiograph_core::result::{RunOutcome, RunResult};
use cardiograph_core::{NS_PER_MS, NS_PER_S};
use cardiograph_engine::clock::monotonic_ns;
use cardiograph_engine::observer::State;
use cardiograph_engine::{Control, Event, Observer, Progress, Target};

use super::bench::*;

fn progress_of(events: Events) -> Vec<Progress> {
    let progress = events.0.into_inner().into_iter().filter_map(|event| match event {
        Event::Progress(progress) => Some(*progress),
        _ => None,
    });
    progress.collect()
}

#[test]
fn each_worker_reports_its_progress() {
    let (_, target) = filled(8, 64);
    let each = "rw=randread bs=4k size=8M ioengine=sim time_based=1";
    let jobs = [
        job("ramps", &format!("{each} ramp_time=2 runtime=2 numjobs=2")),
        job("delayed", &format!("{each} startdelay=3 runtime=2")),
        job("behind", &format!("{each} stonewall=1 runtime=2")),
    ];
    let (mut control, events) = (Control::default(), Events::default());
    control.tick_ns = NS_PER_S;
    run_with(&jobs, &[target], 7, &control, &events).unwrap();
    let progress = progress_of(events);
    let states = |elapsed_s: u64| {
        let at = progress.iter().find(|progress| progress.elapsed_ns >= elapsed_s * NS_PER_S).unwrap();
        at.workers.iter().map(|worker| (worker.job, worker.clone, worker.state)).collect::<Vec<_>>()
    };
    use State::{Delayed, Ended, NotStarted, Ramp, Running};
    let expected = |states: [State; 4]| {
        let [first, second, delayed, behind] = states;
        vec![(0, 0, first), (0, 1, second), (1, 0, delayed), (2, 0, behind)]
    };
    assert_eq!(states(1), expected([Ramp, Ramp, Delayed, NotStarted]));
    assert_eq!(states(3), expected([Running, Running, Delayed, NotStarted]));
    assert_eq!(states(4), expected([Running, Running, Running, NotStarted]));
    assert_eq!(states(6), expected([Ended, Ended, Ended, Running]));
}

#[test]
fn figures_of_events_add_up() {
    let (_, target) = filled(1, 16);
    let (mut control, events) = (Control::default(), Events::default());
    control.tick_ns = 100 * NS_PER_MS;
    let line = "rw=randrw bs=4k,8k size=16M runtime=2 time_based=1 ioengine=sim";
    let jobs = [job("first", line), job("second", &format!("{line} stonewall=1"))];
    run_with(&jobs, &[target], 7, &control, &events).unwrap();
    let progress = progress_of(events);
    assert!(progress.len() >= 39, "{}: one each tenth of a second", progress.len());
    let (mut reads, mut write_bytes) = (0, 0);
    for one in &progress {
        reads += one.done.read.ios;
        write_bytes += one.done.write.bytes;
        assert_eq!((one.total.read.ios, one.total.write.bytes), (reads, write_bytes));
        assert_eq!(
            (one.read_bytes, one.write_bytes),
            (one.done.read.ios * 4_096, one.done.write.ios * 8_192)
        );
        assert_eq!(one.ios, one.done.read.ios + one.done.write.ios);
        assert_eq!(one.interval_ns, 100 * NS_PER_MS, "{}", one.elapsed_ns);
    }
    assert!(reads > 5_000);
}

#[test]
fn the_remaining_time_follows_from_limits_and_speed() {
    let (_, target) = filled(8, 64);
    let left_ns = |lines: &[&str], elapsed_s: u64| {
        let each = "rw=read bs=4k size=64M ioengine=sim";
        let jobs: Vec<_> = lines.iter().map(|line| job("job", &format!("{each} {line}"))).collect();
        let (mut control, events) = (Control::default(), Events::default());
        control.tick_ns = NS_PER_S;
        run_with(&jobs, std::slice::from_ref(&target), 7, &control, &events).unwrap();
        let progress = progress_of(events);
        progress.iter().find(|one| one.elapsed_ns == elapsed_s * NS_PER_S).unwrap().left_ns
    };
    let near = |found: Option<u64>, wanted_ms: u64| {
        let found = found.unwrap();
        assert!(found.abs_diff(wanted_ms * NS_PER_MS) < 20 * NS_PER_MS, "{found} for {wanted_ms} ms");
    };
    near(left_ns(&["runtime=10 time_based=1"], 3), 7_000);
    near(left_ns(&["runtime=10 time_based=1", "runtime=12 time_based=1"], 3), 9_000);
    near(left_ns(&["runtime=10 time_based=1 ramp_time=2"], 1), 11_000);
    // 64 MiB at 10,000 I/Os per second of 4 KiB take 1,638 ms.
    near(left_ns(&["io_size=64M"], 1), 638);
    near(left_ns(&["runtime=3 time_based=1", "stonewall=1 runtime=5 time_based=1"], 1), 7_000);
    near(left_ns(&["runtime=3 time_based=1", "stonewall=1 io_size=64M"], 1), 2_000 + 1_638);
    near(left_ns(&["runtime=3 time_based=1 exitall=1", "runtime=9 time_based=1"], 1), 2_000);
}

/// Asks for a snapshot once, at a given time.
#[derive(Default)]
struct Looks {
    at_ns: u64,
    seen: RefCell<Vec<RunResult>>,
}

impl Observer for Looks {
    fn event(&self, _: &Event) {}

    fn wants_snapshot(&self, elapsed_ns: u64) -> bool {
        elapsed_ns >= self.at_ns && self.seen.borrow().is_empty()
    }

    fn snapshot(&self, result: &RunResult) {
        self.seen.borrow_mut().push(result.clone());
    }
}

#[test]
fn a_snapshot_is_the_result_so_far() {
    let (_, target) = filled(8, 64);
    let each = "rw=randread bs=4k size=8M ioengine=sim time_based=1";
    let jobs = [
        job("short", &format!("{each} runtime=1")),
        job("long", &format!("{each} runtime=5")),
        job("behind", &format!("{each} runtime=1 stonewall=1")),
    ];
    let looks = Looks { at_ns: 2 * NS_PER_S, ..Looks::default() };
    let result = run_with(&jobs, &[target], 7, &Control::default(), &looks).unwrap();
    let seen = looks.seen.into_inner();
    let [snapshot] = &seen[..] else { panic!("{} snapshots", seen.len()) };
    assert_eq!(snapshot.workers.len(), 3);
    assert_eq!(snapshot.workers[0], result.workers[0], "it had ended");
    let (so_far, all) = (&snapshot.workers[1], &result.workers[1]);
    assert!(so_far.directions.read.ios.abs_diff(20_000) <= 10, "{}", so_far.directions.read.ios);
    assert!(all.directions.read.ios.abs_diff(50_000) <= 10);
    assert_eq!(so_far.end_ns, 2 * NS_PER_S);
    assert_eq!(so_far.series.rows.read[..20], all.series.rows.read[..20]);
    assert_eq!(snapshot.workers[2].directions.read.ios, 0);
    assert_eq!(snapshot.outcome, RunOutcome::Completed, "nothing has gone wrong so far");
    assert_eq!(snapshot.duration_ns, 2 * NS_PER_S);
}

/// Starts at a moment from now, and may stop the run meanwhile.
struct StartsAt<'a> {
    in_ns: u64,
    stops: Option<&'a Control>,
    agreed_ns: RefCell<Vec<u64>>,
}

impl Observer for StartsAt<'_> {
    fn event(&self, _: &Event) {}

    fn start_at_ns(&self) -> Option<u64> {
        let at_ns = monotonic_ns() + self.in_ns;
        self.agreed_ns.borrow_mut().push(at_ns);
        self.stops.into_iter().for_each(Control::stop);
        Some(at_ns)
    }
}

#[test]
fn workers_that_are_ready_start_at_an_agreed_moment() {
    let bare = Target::without_storage(1 << 20);
    let control = Control::default();
    let line = "rw=randread bs=4k size=1M ioengine=null numjobs=3";
    let run = |in_ns, stops| {
        let observer = StartsAt { in_ns, stops, agreed_ns: RefCell::default() };
        let jobs = [job("first", line), job("behind", &format!("{line} stonewall=1"))];
        let result = run_with(&jobs, std::slice::from_ref(&bare), 7, &control, &observer).unwrap();
        (result, observer.agreed_ns.into_inner())
    };
    for in_ns in [0, 30 * NS_PER_MS] {
        let (result, agreed_ns) = run(in_ns, None);
        let [agreed_ns] = agreed_ns[..] else { panic!("it is asked once: {agreed_ns:?}") };
        assert!(result.started_monotonic_ns.unwrap() + 1_000 >= agreed_ns, "{result:?} of {agreed_ns}");
        assert_eq!((result.outcome, result.workers.len()), (RunOutcome::Completed, 6));
    }
    let (result, _) = run(3_600 * NS_PER_S, Some(&control));
    assert_eq!(result.outcome, RunOutcome::Stopped, "a stop does not wait for the moment");
}

#[test]
fn a_stop_request_does_not_wait_for_the_next_event() {
    let bare = Target::without_storage(1 << 20);
    let line = "rw=randread bs=4k size=1M ioengine=null time_based=1 runtime=60";
    let jobs = [
        job("runs", &format!("{line} numjobs=2")),
        job("delayed", &format!("{line} startdelay=50")),
        job("behind", &format!("{line} stonewall=1")),
    ];
    let mut control = Control::default();
    control.tick_ns = 60 * NS_PER_S;
    let control = Arc::new(control);
    let is_over = Arc::new(AtomicBool::new(false));
    let stopper = std::thread::spawn({
        let (control, is_over) = (control.clone(), is_over.clone());
        move || {
            std::thread::sleep(Duration::from_millis(100));
            let stopped = Instant::now();
            control.stop();
            while !is_over.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_micros(200));
            }
            stopped.elapsed()
        }
    });
    let result = run_with(&jobs, &[bare], 7, &control, &Events::default()).unwrap();
    is_over.store(true, Ordering::SeqCst);
    let took = stopper.join().unwrap();
    assert!(took < Duration::from_secs(2), "{took:?}: some milliseconds on an idle machine");
    println!("stopping took {took:?}");
    assert_eq!(result.workers.len(), 4);
    assert!(result.workers.iter().all(|worker| worker.outcome == RunOutcome::Stopped));
    assert!(result.workers[2..].iter().all(|worker| worker.directions.read.issued_bytes == 0));
}
