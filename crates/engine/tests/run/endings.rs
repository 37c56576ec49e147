//! Runs that do not end as planned.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cardiograph_core::result::RunOutcome;
use cardiograph_core::{Direction, NS_PER_MS, NS_PER_S};
use cardiograph_engine::sim::{DriveModel, Fault, FaultKind, SimDrive};
use cardiograph_engine::target::Naming;
use cardiograph_engine::{Control, ENGINES, Event, Observer, Target};
use cardiograph_testing::drives::PLAIN;
use cardiograph_testing::{Frozen, LoopMount};

use super::bench::*;

#[test]
fn a_failed_io_ends_only_its_worker() {
    // Only the second job reads beyond 32 MiB.
    let drive =
        plain_drive(8, vec![Fault::new(FaultKind::Eio).on(Direction::Read).within(48 << 20, 64 << 20)]);
    let target = simulated(&drive, 64);
    fill(&target, "sim", 1);
    let jobs = [
        job("well", "rw=read bs=4k size=32M ioengine=sim filename=f"),
        job("ill", "rw=read bs=4k offset=32M size=32M ioengine=sim filename=f iodepth=4"),
    ];
    let result = try_run(&jobs, &[target], 7).unwrap();
    assert_eq!(result.outcome, RunOutcome::Failed);
    let (well, ill) = (workers(&result, 0)[0], workers(&result, 1)[0]);
    assert_eq!((well.outcome, well.directions.read.ios), (RunOutcome::Completed, 8_192));
    let failure = ill.failure.unwrap();
    assert_eq!((failure.offset_bytes, failure.len_bytes, failure.errno), (48 << 20, 4_096, libc::EIO));
    assert_eq!(ill.directions.read.ios, 4_096, "all before it, and nothing that failed");
    assert!(ill.directions.read.issued_bytes >= (16 << 20) + 4_096);
}

#[test]
fn only_moved_bytes_of_a_short_transfer_count() {
    let drive =
        plain_drive(1, vec![Fault::new(FaultKind::ShortTransfer).on(Direction::Write).nth(10).times(3)]);
    let target = simulated(&drive, 16);
    let write = run_one("rw=write bs=8k size=1M ioengine=sim", &target).merged(|_| true).write;
    assert_eq!((write.ios, write.short_ios, write.bytes), (128, 3, (1 << 20) - 3 * 4_096));
    assert_eq!(target.filled_bytes(), 0, "what was cut short is a hole");
}

#[test]
fn a_stall_leaves_windows_of_zeros() {
    let stall = Fault::new(FaultKind::Stall { ns: NS_PER_S }).nth(3_000);
    let drive = plain_drive(4, vec![stall]);
    let target = simulated(&drive, 64);
    let result = run_one("rw=randwrite bs=4k size=64M runtime=3 time_based=1 ioengine=sim", &target);
    assert_eq!(result.outcome, RunOutcome::Completed);
    // 2,999 writes take 599.8 ms; the next completes a second later.
    let rows: Vec<u64> = result.series().rows.write.iter().map(|row| row.ios).collect();
    assert_eq!(rows[..5], [500; 5]);
    assert_eq!(rows[5..7], [499, 0]);
    assert_eq!(rows[6..15], [0; 9]);
    assert_eq!(rows[15..16], [1], "complete exactly at the window's end");
    assert_eq!(rows[16..30], [500; 14]);
    assert_eq!(result.workers[0].longest_gap_ns, NS_PER_S + WRITE_NS);
    assert_eq!(result.merged(|_| true).write.completion.max_ns(), NS_PER_S + WRITE_NS);
}

#[test]
fn results_are_kept_when_an_unresponsive_drive_is_given_up() {
    // Thirty seconds after its last sign of life, or ten after its end if that is earlier.
    for (depth, runtime_s, given_up_s) in [(1, 3, 13), (8, 3, 13), (1, 25, 35), (1, 60, 31)] {
        let drive = plain_drive(4, vec![Fault::new(FaultKind::Hang).from_ns(NS_PER_S)]);
        let target = simulated(&drive, 64);
        let mut control = Control::default();
        (control.silence_ns_max, control.grace_ns) = (30 * NS_PER_S, 10 * NS_PER_S);
        let events = Events::default();
        let options = format!(
            "rw=randwrite bs=4k size=64M runtime={runtime_s} time_based=1 ioengine=sim iodepth={depth}"
        );
        let result = run_with(&[job("job", &options)], &[target], 7, &control, &events).unwrap();
        assert_eq!(result.outcome, RunOutcome::Hung);
        assert_eq!(events.0.borrow().last(), Some(&Event::Ended));
        let worker = &result.workers[0];
        assert_eq!((worker.outcome, worker.failure), (RunOutcome::Hung, None));
        assert!(worker.directions.write.ios >= 4_990, "{}", worker.directions.write.ios);
        let silence_ns = (given_up_s - 1) * NS_PER_S;
        assert!(worker.longest_gap_ns.abs_diff(silence_ns) < 300 * NS_PER_MS, "{}", worker.longest_gap_ns);
        let rows = &result.series().rows.write;
        let has_silence = rows.len() as u64 >= given_up_s * 10 && rows[11..].iter().all(|row| row.ios == 0);
        assert!(has_silence, "the silence is in the series");
    }
}

#[test]
fn a_job_waiting_for_a_hanging_one_does_not_wait_forever() {
    // The other job checks periodically whether it may continue.
    let drive = plain_drive(4, vec![Fault::new(FaultKind::Hang).nth(100).times(1)]);
    let target = simulated(&drive, 64);
    let each = "rw=write bs=4k size=1M ioengine=sim filename=f flow=1";
    let jobs = [job("hangs", each), job("waits", each)];
    let result = try_run(&jobs, &[target], 7).unwrap();
    assert_eq!(result.outcome, RunOutcome::Hung);
    let ios: u64 = result.workers.iter().map(|worker| worker.directions.write.ios).sum();
    assert!((99..=101).contains(&ios), "{ios}");
}

#[test]
fn jobs_that_wait_for_a_hanging_job_do_not_begin() {
    let drive = plain_drive(4, vec![Fault::new(FaultKind::Hang).nth(100)]);
    let target = simulated(&drive, 64);
    let each = "rw=write bs=4k size=1M ioengine=sim filename=f";
    let jobs = [job("hangs", each), job("waits", &format!("{each} stonewall=1"))];
    let result = try_run(&jobs, &[target], 7).unwrap();
    assert_eq!(result.outcome, RunOutcome::Hung);
    assert_eq!(workers(&result, 0)[0].directions.write.ios, 99);
    let waiting = workers(&result, 1)[0];
    assert_eq!((waiting.directions.write.ios, waiting.longest_gap_ns), (0, 0));
}

/// Stops the run at the first progress event after a given time.
struct StopAt<'a>(&'a Control, u64);

impl Observer for StopAt<'_> {
    fn event(&self, event: &Event) {
        if let Event::Progress(progress) = event
            && progress.elapsed_ns >= self.1
        {
            self.0.stop();
        }
    }
}

#[test]
fn stopping_in_simulated_time_ends_active_and_waiting_jobs() {
    let (_, target) = filled(8, 64);
    let control = Control::default();
    let each = "rw=randread bs=4k size=8M ioengine=sim filename=f time_based=1 runtime=100";
    let jobs = [
        job("runs", &format!("{each} iodepth=4")),
        job("ramps", &format!("{each} ramp_time=50")),
        job("waits", &format!("{each} startdelay=50")),
        job("behind", &format!("{each} stonewall=1")),
    ];
    let result = run_with(&jobs, &[target], 7, &control, &StopAt(&control, 2 * NS_PER_S)).unwrap();
    assert_eq!(result.outcome, RunOutcome::Stopped);
    assert!(result.workers.iter().all(|worker| worker.outcome == RunOutcome::Stopped));
    assert!(result.duration_ns < 5 * NS_PER_S, "{} ns", result.duration_ns);
    let runs = &workers(&result, 0)[0].directions.read;
    assert_eq!(runs.issued_bytes, runs.bytes, "all that was in flight was waited for");
    assert!(runs.ios > 10_000);
    assert_eq!(workers(&result, 1)[0].directions.read.ios, 20_000, "a ramp that is all there is counts");
    for silent in [2, 3] {
        assert_eq!(workers(&result, silent)[0].directions.read.ios, 0);
    }
}

/// Notifies another thread that the first I/O is about to be issued.
struct Begins(std::sync::mpsc::Sender<()>);

impl Observer for Begins {
    fn event(&self, event: &Event) {
        if matches!(event, Event::Started) {
            self.0.send(()).unwrap();
        }
    }
}

#[test]
fn stopping_from_another_thread_ends_a_run_soon() {
    let directory = cardiograph_testing::disk_dir();
    for entry in ENGINES.iter().filter(|entry| !entry.is_simulated && entry.file_action.is_none()) {
        if let Err(unavailable) = (entry.probe)() {
            cardiograph_testing::skip(&format!("stopping {}", entry.name), &unavailable.to_string());
            continue;
        }
        let target = match entry.does_io {
            false => Target::without_storage(64 << 20),
            true => Target::create_file(directory.path(), 64 << 20, Naming::Automatic).unwrap(),
        };
        let control = Arc::new(Control::default());
        let (begun, begins) = std::sync::mpsc::channel();
        let stopper = std::thread::spawn({
            let control = control.clone();
            move || {
                begins.recv().unwrap();
                std::thread::sleep(Duration::from_millis(200));
                control.stop();
            }
        });
        let name = entry.name;
        let options = format!(
            "rw=randwrite bs=4k size=64M runtime=60 time_based=1 norandommap=1 ioengine={name} iodepth=16 numjobs=4"
        );
        let began = Instant::now();
        let jobs = [job("job", &options)];
        let targets = [target];
        let result = run_with(&jobs, &targets, 7, &control, &Begins(begun)).unwrap();
        stopper.join().unwrap();
        assert!(began.elapsed() < Duration::from_secs(15), "{name}");
        assert_eq!(result.outcome, RunOutcome::Stopped, "{name}");
        for worker in &result.workers {
            let write = &worker.directions.write;
            assert_eq!(write.issued_bytes, write.bytes, "{name}: all that was in flight was reaped");
            assert!(worker.end_ns >= 100 * NS_PER_MS, "{name}");
        }
        // Its thread releases the target before it reports its end.
        let [target] = targets;
        assert_eq!(Arc::strong_count(&target), 1, "{name}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

/// Freezes a file system at the first progress event.
struct Freezes<'a>(&'a LoopMount, RefCell<Option<Frozen<'a>>>);

impl Observer for Freezes<'_> {
    fn event(&self, event: &Event) {
        if matches!(event, Event::Progress(_)) {
            self.1.borrow_mut().get_or_insert_with(|| Frozen::new(self.0).unwrap());
        }
    }
}

#[test]
fn results_are_kept_when_an_unresponsive_real_drive_is_given_up() {
    let mount = match LoopMount::new(&["mkfs.ext4", "-q"], 64 << 20, "") {
        Ok(mount) => mount,
        Err(reason) => return cardiograph_testing::skip("a drive that hangs in real time", &reason),
    };
    let targets = [Target::create_file(mount.path(), 4 << 20, Naming::Automatic).unwrap()];
    let mut control = Control::default();
    (control.silence_ns_max, control.tick_ns) = (600 * NS_PER_MS, 50 * NS_PER_MS);
    let freezes = Freezes(&mount, RefCell::new(None));
    // Each write updates the file's modification time, which then waits.
    let each = "rw=write bs=4k size=4M ioengine=psync fsync=1 runtime=60 time_based=1 filename=f";
    let jobs = [job("hangs", &format!("{each} numjobs=2")), job("waits", &format!("{each} stonewall=1"))];
    let began = Instant::now();
    let result = run_with(&jobs, &targets, 7, &control, &freezes).unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let outcomes: Vec<_> = result.workers.iter().map(|worker| worker.outcome).collect();
    assert_eq!(outcomes, [RunOutcome::Hung, RunOutcome::Hung, RunOutcome::Stopped]);
    for worker in workers(&result, 0) {
        assert!(worker.directions.write.ios > 0 && worker.longest_gap_ns >= 600 * NS_PER_MS, "{worker:?}");
    }
    drop(freezes);
    // The abandoned threads end by themselves when the drive responds again.
    let [target] = targets;
    let until = Instant::now() + Duration::from_secs(20);
    while Arc::strong_count(&target) > 1 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(Arc::strong_count(&target), 1);
}

#[test]
fn a_slowly_paced_worker_is_not_hanging() {
    let bare = Target::without_storage(1 << 20);
    let mut control = Control::default();
    (control.silence_ns_max, control.grace_ns) = (50 * NS_PER_MS, 50 * NS_PER_MS);
    let line = "rw=read bs=4k size=1M io_size=8k ioengine=null rate_iops=1";
    let result = run_with(&[job("job", line)], &[bare], 7, &control, &Events::default()).unwrap();
    assert_eq!((result.outcome, result.merged(|_| true).read.ios), (RunOutcome::Completed, 2));
}

#[test]
fn a_drive_that_serves_one_at_a_time_is_not_hanging() {
    // One write at a time, a second each: the last of twenty jobs completes long after the grace period.
    let model =
        PLAIN.replace("channels = 8", "channels = 1").replace("mean_ns = 189_996", "mean_ns = 999_989_996");
    let drive = SimDrive::new(DriveModel::from_toml(&model).unwrap(), 1);
    let target = simulated(&drive, 64);
    let result = run_one("rw=randwrite bs=4k size=1M runtime=3 ioengine=sim numjobs=20", &target);
    assert_eq!(result.outcome, RunOutcome::Completed);
    let ios: Vec<u64> = result.workers.iter().map(|worker| worker.directions.write.ios).collect();
    assert!(ios.iter().all(|&ios| ios >= 1), "{ios:?}");
    assert!(result.workers.iter().any(|worker| worker.longest_gap_ns > 15 * NS_PER_S));
}
