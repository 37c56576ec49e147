//! Logs of workers arrive complete.

use std::sync::Mutex;
use std::time::Duration;

use cardiograph_core::result::RunOutcome;
use cardiograph_core::workload::Logged;
use cardiograph_core::{Direction, NS_PER_MS, NS_PER_S, Plan};
use cardiograph_engine::log::{IoRecord, LogChunk, LogSink};
use cardiograph_engine::sim::{Fault, FaultKind};
use cardiograph_engine::{Control, Target};

use super::bench::*;

const EACH: Logged = Logged { ios: true, window_ns: 0, histogram_every_ns: 0 };

/// The Plan of one job with this logging.
fn logging(line: &str, logged: Logged) -> Plan {
    let mut plan = plan(&[job("job", line)]);
    plan.jobs[0].workload.logged = logged;
    plan
}

fn ios_of(lines: &[(usize, u32, LogChunk)], clone: u32) -> Vec<IoRecord> {
    let chunks = lines.iter().filter(|(_, of, _)| *of == clone).filter_map(|(_, _, chunk)| match chunk {
        LogChunk::Ios(ios) => Some(&ios[..]),
        _ => None,
    });
    chunks.collect::<Vec<_>>().concat()
}

#[test]
fn each_counted_io_is_logged_once() {
    let (_, target) = filled(4, 64);
    for depth in [1, 4] {
        let line = format!(
            "rw=randrw bs=4k size=64M runtime=2 ramp_time=250ms time_based=1 ioengine=sim numjobs=2 iodepth={depth}"
        );
        let lines = Lines::default();
        let targets = std::slice::from_ref(&target);
        let (control, events) = (Control::default(), Events::default());
        let result = run_plan(&logging(&line, EACH), targets, 7, &control, &events, Some(&lines)).unwrap();
        let lines = lines.0.into_inner().unwrap();
        for worker in &result.workers {
            let ios = ios_of(&lines, worker.clone);
            for direction in [Direction::Read, Direction::Write] {
                let of = || ios.iter().filter(|io| io.direction == direction);
                let figures = &worker.directions[direction];
                assert_eq!(of().count() as u64, figures.ios, "depth {depth}");
                let total = figures.total();
                assert_eq!(u128::from(of().map(|io| io.total_ns).sum::<u64>()), total.sum_ns());
                assert_eq!(of().map(|io| io.total_ns).max(), Some(total.max_ns()));
            }
            assert!(ios.len() > 4_096, "more than a chunk");
            assert!(ios.is_sorted_by_key(|io| io.completed_ns));
            assert!(ios.iter().all(|io| io.offset_bytes % 4_096 == 0 && io.len_bytes == 4_096));
            assert!(ios.iter().all(|io| io.completed_ns <= 2 * NS_PER_S + NS_PER_MS));
            assert!(ios.iter().any(|io| io.offset_bytes > 0));
        }
    }
}

/// A slow sink.
#[derive(Default)]
struct Slow(Mutex<u64>, Duration);

impl LogSink for Slow {
    fn take(&self, _: usize, _: u32, chunk: LogChunk) {
        std::thread::sleep(self.1);
        if let LogChunk::Ios(ios) = chunk {
            *self.0.lock().unwrap() += ios.len() as u64;
        }
    }
}

#[test]
fn a_slow_sink_delays_workers_instead_of_losing_lines() {
    let bare = Target::without_storage(1 << 20);
    let line = "rw=read bs=4k size=1M io_size=400M ioengine=null numjobs=2";
    // 50 chunks, which is more than fit into the queue.
    let slow = Slow(Mutex::new(0), Duration::from_millis(10));
    let (control, events) = (Control::default(), Events::default());
    let result = run_plan(&logging(line, EACH), &[bare], 7, &control, &events, Some(&slow)).unwrap();
    assert_eq!(result.merged(|_| true).read.ios, 204_800);
    assert_eq!(slow.0.into_inner().unwrap(), 204_800);
    assert!(result.duration_ns > 100 * NS_PER_MS, "they waited: {}", result.duration_ns);
}

#[test]
fn a_worker_waiting_for_the_sink_is_not_hanging() {
    let bare = Target::without_storage(1 << 20);
    let mut control = Control::default();
    (control.silence_ns_max, control.grace_ns) = (100 * NS_PER_MS, 100 * NS_PER_MS);
    // 25 chunks of 80 ms each, 16 of which are queued before the worker has to wait.
    let slow = Slow(Mutex::new(0), Duration::from_millis(80));
    let plan = logging("rw=read bs=4k size=1M io_size=400M ioengine=null", EACH);
    let result = run_plan(&plan, &[bare], 7, &control, &Events::default(), Some(&slow)).unwrap();
    assert_eq!((result.outcome, slow.0.into_inner().unwrap()), (RunOutcome::Completed, 102_400));
}

#[test]
fn windows_add_up_to_the_totals() {
    let (_, target) = filled(4, 64);
    let logged = Logged { ios: true, window_ns: 100 * NS_PER_MS, histogram_every_ns: 500 * NS_PER_MS };
    let line = "rw=randrw bs=4k size=64M runtime=2 time_based=1 ioengine=sim iodepth=4";
    let lines = Lines::default();
    let (control, events) = (Control::default(), Events::default());
    let result = run_plan(&logging(line, logged), &[target], 7, &control, &events, Some(&lines)).unwrap();
    let lines = lines.0.into_inner().unwrap();
    let read = &result.workers[0].directions.read;
    let (mut ios, mut bytes, mut sum_ns, mut max_ns, mut counted) = (0, 0, 0, 0, 0);
    for (_, _, chunk) in &lines {
        match chunk {
            LogChunk::Ios(_) | LogChunk::Trace(_) | LogChunk::Failures(_) => {
                panic!("single I/Os were not asked for")
            }
            LogChunk::Windows(windows) => {
                assert!(windows.is_sorted_by_key(|window| window.end_ns));
                for window in windows.iter().filter(|window| window.direction == Direction::Read) {
                    ios += window.ios;
                    bytes += window.bytes;
                    sum_ns += u128::from(window.completion.sum_ns);
                    max_ns = max_ns.max(window.completion.max_ns);
                }
            }
            LogChunk::Histograms(histograms) => {
                let read = histograms.iter().filter(|record| record.direction == Direction::Read);
                counted += read.map(|record| record.counts.len()).sum::<u64>();
            }
        }
    }
    assert_eq!((ios, bytes), (read.ios, read.bytes));
    assert_eq!((sum_ns, max_ns), (read.completion.sum_ns(), read.completion.max_ns()));
    assert_eq!(counted, read.ios, "differences, which add up");
}

#[test]
fn logs_of_a_hanging_worker_are_kept() {
    let drive = plain_drive(4, vec![Fault::new(FaultKind::Hang).nth(1_000)]);
    let target = simulated(&drive, 64);
    let lines = Lines::default();
    let (control, events) = (Control::default(), Events::default());
    let plan = logging("rw=write bs=4k size=64M ioengine=sim", EACH);
    let result = run_plan(&plan, &[target], 7, &control, &events, Some(&lines)).unwrap();
    let ios = ios_of(&lines.0.into_inner().unwrap(), 0);
    assert_eq!((result.workers[0].directions.write.ios, ios.len()), (999, 999));
}

#[test]
fn a_worker_without_logs_sends_nothing() {
    let (_, target) = filled(1, 16);
    let lines = Lines::default();
    let (control, events) = (Control::default(), Events::default());
    let plan = logging("rw=read bs=1M size=16M ioengine=sim", Logged::default());
    run_plan(&plan, &[target], 7, &control, &events, Some(&lines)).unwrap();
    assert!(lines.0.into_inner().unwrap().is_empty());
}
