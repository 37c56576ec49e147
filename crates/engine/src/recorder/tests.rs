//! Tests of the recorder.

use std::sync::{Arc, Mutex};

use cardiograph_core::Latency;
use cardiograph_core::rng::Rng;
use cardiograph_core::series::{Interval, WINDOWS_MAX};
use cardiograph_core::workload::Logged;

use super::series::place;
use super::*;
use crate::log::{Basket, IoRecord, LogChunk, LogPen, LogRoute, LogSink, Span};

fn shape(is_queueing: bool) -> RecorderShape {
    RecorderShape { is_queueing, window_ns: 100, measured: Measured::ALL, has_rate: false }
}

/// A recorder of reads and syncs, and its writer.
fn recorded(shape: RecorderShape, pen: Option<LogPen>) -> (Arc<Recorder>, Writer) {
    let used = |direction| matches!(direction, Direction::Read | Direction::Sync);
    let recorder = Arc::new(Recorder::new(used, shape));
    (recorder.clone(), Writer::new(recorder, Clock::simulated(Arc::default()), pen))
}

fn moments(started_at: u64, submitted_at: u64, completed_at: u64) -> Moments {
    Moments { due_at: started_at, started_at, submitted_at, completed_at }
}

/// A read of `len_bytes` that moved `bytes`.
fn read(bytes: u64, len_bytes: u32) -> Transfer {
    Transfer { direction: Direction::Read, offset_bytes: 0, len_bytes, bytes }
}

#[test]
fn records_match_those_of_core() {
    let (recorder, mut writer) = recorded(shape(true), None);
    writer.count_from(1_000);
    let mut expected = [Latency::default(), Latency::default(), Latency::default()];
    let mut rng = cardiograph_core::rng::Rng::new(3);
    let mut now = 1_000;
    for _ in 0..1_000 {
        let (wait, work) = (rng.below(50), rng.below(1 << 40));
        writer.completed(&read(4_096, 4_096), &moments(now, now + wait, now + wait + work));
        expected[0].record(wait);
        expected[1].record(work);
        expected[2].record(wait + work);
        now += wait + work;
    }
    let read = recorder.directions().read;
    assert_eq!((read.ios, read.bytes, read.runtime_ns), (1_000, 4_096_000, now - 1_000));
    assert_eq!([read.submission.unwrap(), read.completion, read.total.unwrap()], expected);
    assert_eq!(recorder.directions().write, DirectionResult::default());
}

#[test]
fn windows_without_io_are_rows_of_zeros() {
    let (recorder, mut writer) = recorded(shape(false), None);
    writer.count_from(1_000);
    writer.completed(&read(10, 10), &moments(1_000, 1_000, 1_050));
    writer.completed(&read(10, 10), &moments(1_050, 1_050, 1_099));
    writer.completed(&read(10, 11), &moments(1_099, 1_099, 1_450));
    let series = recorder.series(700);
    let bytes: Vec<u64> = series.rows.read.iter().map(|row| row.bytes).collect();
    assert_eq!(bytes, [20, 0, 0, 0, 10, 0, 0]);
    assert_eq!(series.rows.read[4].latency_ns_max, 351);
    assert_eq!(series.rows.sync.len(), 7);
    assert!(series.rows.write.is_empty());
    assert_eq!(recorder.directions().read.short_ios, 1);
    assert_eq!(recorder.longest_gap_ns(&Clock::simulated(Arc::default()), 1_700), 351);
    assert_eq!(recorder.longest_gap_ns(&Clock::simulated(Arc::default()), 2_700), 1_250);
}

#[test]
fn latencies_are_in_the_second_of_their_completion() {
    let (recorder, mut writer) = recorded(RecorderShape { window_ns: 100_000_000, ..shape(false) }, None);
    let second = 1_000_000_000;
    let mut rng = Rng::new(3);
    for begin in [500, 7_000] {
        writer.start_over(begin);
        let mut expected = vec![LatencyHistogram::default(); 9];
        let mut now = begin;
        // Faster in some seconds than in others, one exactly at the end of a second, and none in the third.
        for end in [
            second / 3,
            second,
            second + 1,
            2 * second - 1,
            3 * second + 2_000_000,
            8 * second,
            8 * second + 1,
        ] {
            let latency = 100 + rng.below(1 << 20);
            for at_ns in [begin + end - latency, begin + end].map(|at| at.max(now)) {
                writer.completed(&read(10, 10), &moments(at_ns - latency, at_ns - latency, at_ns));
                expected[((at_ns - begin - 1) / second) as usize].record(latency);
                now = at_ns;
                // It can be read at any time.
                let so_far: u64 = recorder.series(now - begin).latency.read.iter().map(LatencyRow::len).sum();
                assert_eq!(so_far, recorder.totals(Direction::Read).0);
            }
        }
        let rows = recorder.series(9 * second).latency;
        assert_eq!(rows.read, expected.iter().map(LatencyRow::from_histogram).collect::<Vec<_>>());
        assert!(rows.read[2].is_empty() && rows.sync.is_empty());
    }
}

#[test]
fn long_runs_continue_in_larger_chunks() {
    assert_eq!(place(0), (0, 0));
    assert_eq!(place(255), (0, 255));
    assert_eq!(place(256), (1, 0));
    assert_eq!(place(767), (1, 511));
    assert_eq!(place(768), (2, 0));
    let (recorder, mut writer) = recorded(shape(false), None);
    writer.count_from(0);
    for window in [0u64, 255, 256, 767, 768, 5_000] {
        let time = window * 100 + 1;
        writer.completed(&read(window + 1, 1), &moments(time, time, time));
    }
    let rows = recorder.series(500_100).rows.read;
    assert_eq!(rows.len(), 5_001);
    let found: Vec<(usize, u64)> =
        rows.iter().enumerate().filter(|(_, row)| row.bytes > 0).map(|(i, row)| (i, row.bytes)).collect();
    assert_eq!(found, [(0, 1), (255, 256), (256, 257), (767, 768), (768, 769), (5_000, 5_001)]);
}

#[test]
fn runs_of_days_get_longer_windows_instead_of_more() {
    const BASE_NS: u64 = 100_000_000;
    const HOUR_NS: u64 = 3_600 * 1_000_000_000;
    // An hour without I/O in the middle, and hours after the last one.
    let (stall, end) = (20 * HOUR_NS..21 * HOUR_NS, 58 * HOUR_NS);
    for (last, window_ns, doublings) in
        [(end, BASE_NS << 8, 5), (50 * HOUR_NS, BASE_NS << 8, 5), (HOUR_NS, BASE_NS << 2, 0)]
    {
        let (recorder, mut writer) = recorded(RecorderShape { window_ns: BASE_NS, ..shape(false) }, None);
        let mut rng = Rng::new(58);
        // Earlier counts are reset, as are longer windows.
        writer.count_from(0);
        writer.completed(&read(1, 1), &moments(end, end, end));
        writer.start_over(7);
        let mut expected = Series { window_ns, duration_ns: last, ..Series::default() };
        let mut now = 7;
        loop {
            now += 1 + rng.below(30_000_000_000);
            if stall.contains(&now) {
                now = stall.end;
            }
            if now - 7 >= last {
                break;
            }
            let took = 1 + rng.below(1_000).min(now - 7);
            writer.completed(&read(10, 10), &moments(now - took, now - took, now));
            let rows = &mut expected.rows.read;
            let window = ((now - 7 - 1) / window_ns) as usize;
            rows.resize(rows.len().max(window + 1), Interval::default());
            rows[window].merge(&Interval { ios: 1, bytes: 10, latency_ns_sum: took, latency_ns_max: took });
        }
        expected.rows.read.resize(last.div_ceil(window_ns) as usize, Interval::default());
        expected.rows.sync = vec![Interval::default(); expected.rows.read.len()];
        let series = recorder.series(last);
        assert_eq!(series.without_latency(), expected);
        assert_eq!(series.latency_doublings, doublings);
        let is_idle = |at: &usize| series.is_idle(*at);
        let stalled = (0..series.whole_windows()).filter(is_idle).count() as u64 * window_ns;
        assert!(last < stall.end || stalled > HOUR_NS - 2 * window_ns, "{stalled}");
        let rows = &series.latency.read;
        assert!(series.rows.read.len() <= WINDOWS_MAX && rows.len() <= WINDOWS_MAX);
        assert_eq!(rows.iter().map(LatencyRow::len).sum::<u64>(), recorder.totals(Direction::Read).0);
        // Time without I/O at the end does not add windows either.
        assert!(recorder.series(1_000 * HOUR_NS).rows.read.len() <= WINDOWS_MAX);
    }
}

#[test]
fn only_requested_measurements_are_kept() {
    let none = Measured { submission: false, completion: false, total: false };
    let total = Measured { total: true, ..none };
    let completion = Measured { completion: true, ..none };
    for (measured, is_queueing, expected) in [
        (Measured::ALL, true, [true, true, true]),
        (Measured::ALL, false, [false, true, false]),
        (none, true, [false, false, false]),
        (none, false, [false, false, false]),
        (completion, true, [false, true, false]),
        (total, true, [false, false, true]),
        (total, false, [false, false, true]),
    ] {
        let (recorder, mut writer) = recorded(RecorderShape { measured, ..shape(is_queueing) }, None);
        writer.count_from(0);
        writer.completed(&read(10, 10), &moments(5, if is_queueing { 6 } else { 5 }, 9));
        let read = recorder.directions().read;
        let kept = |latency: Option<&Latency>| latency.is_some_and(|latency| latency.n() == 1);
        let found = [kept(read.submission.as_ref()), kept(Some(&read.completion)), kept(read.total.as_ref())];
        assert_eq!(found, expected, "{measured:?} {is_queueing}");
        assert_eq!((read.ios, read.bytes, read.runtime_ns), (1, 10, 9));
        assert_eq!(recorder.series(9).rows.read[0].latency_ns_sum, 4);
        assert!(read.intended.is_none());
    }
}

#[test]
fn with_a_rate_limit_latency_is_also_counted_from_the_due_time() {
    let (recorder, mut writer) = recorded(RecorderShape { has_rate: true, ..shape(false) }, None);
    writer.count_from(0);
    writer.completed(&read(10, 10), &Moments { due_at: 3, ..moments(50, 50, 60) });
    let read = recorder.directions().read;
    assert_eq!((read.completion.max_ns(), read.intended.unwrap().max_ns()), (10, 57));
}

#[test]
fn a_final_sync_adds_to_write_time_but_is_not_counted() {
    let (recorder, mut writer) = recorded(shape(false), None);
    writer.count_from(1_000);
    writer.completed(&read(10, 10), &moments(1_000, 1_000, 1_050));
    writer.enter(Stage::Closing);
    assert!(recorder.is_in(Stage::Closing) && !recorder.is_in(Stage::Verifying));
    writer.flushed(1_950);
    let directions = recorder.directions();
    assert_eq!((directions.write.runtime_ns, directions.read.runtime_ns, directions.sync.ios), (950, 50, 0));
    assert_eq!((writer.last_completion_at(), recorder.completions()), (1_950, 2));
    assert_eq!(recorder.longest_gap_ns(&Clock::simulated(Arc::default()), 1_950), 900);
}

#[test]
fn reading_back_resumes_the_runtime_of_reads() {
    let (recorder, mut writer) = recorded(shape(false), None);
    writer.count_from(1_000);
    writer.completed(&read(10, 10), &moments(1_000, 1_000, 1_300));
    writer.enter(Stage::Verifying);
    assert!(recorder.is_in(Stage::Verifying));
    writer.resume(|direction| direction == Direction::Read, 5_000);
    writer.completed(&read(10, 10), &moments(5_000, 5_000, 5_070));
    assert_eq!(recorder.directions().read.runtime_ns, 370);
    assert_eq!(recorder.series(4_070).rows.read.last().unwrap().ios, 1);
}

#[derive(Default)]
struct Kept(Mutex<Vec<LogChunk>>);

impl LogSink for Kept {
    fn take(&self, _: usize, _: u32, chunk: LogChunk) {
        self.0.lock().unwrap().push(chunk);
    }
}

/// The log of three reads that complete 50, 100 and 350 ns after counting began.
fn logged(logged: Logged) -> Vec<LogChunk> {
    let (basket, kept) = (Basket::default(), Kept::default());
    let pen = LogPen::new(LogRoute::Basket(basket.clone()), 0, 0, logged.window_ns == 0);
    let (_, mut writer) = recorded(shape(true), Some(pen));
    writer.log(logged);
    writer.count_from(1_000);
    for (offset_bytes, started_at, completed_at) in
        [(0, 1_000, 1_050), (10, 1_050, 1_100), (20, 1_100, 1_350)]
    {
        let transfer = Transfer { offset_bytes, ..read(10, 10) };
        writer.completed(&transfer, &moments(started_at, started_at + 5, completed_at));
    }
    writer.finish();
    basket.deliver(&kept);
    kept.0.into_inner().unwrap()
}

#[test]
fn each_io_is_logged_with_its_latencies() {
    let chunks = logged(Logged { ios: true, window_ns: 0, histogram_every_ns: 0 });
    let [LogChunk::Ios(records)] = &chunks[..] else { panic!("{chunks:?}") };
    let found: Vec<_> = records.iter().map(|r| (r.completed_ns, r.offset_bytes)).collect();
    assert_eq!(found, [(50, 0), (100, 10), (350, 20)]);
    let last = IoRecord {
        completed_ns: 350,
        direction: Direction::Read,
        offset_bytes: 20,
        len_bytes: 10,
        submission_ns: 5,
        completion_ns: 245,
        total_ns: 250,
    };
    assert_eq!(records[2], last);
}

#[test]
fn log_windows_show_gaps_as_zeros() {
    let chunks = logged(Logged { ios: true, window_ns: 100, histogram_every_ns: 0 });
    let [LogChunk::Windows(records)] = &chunks[..] else { panic!("{chunks:?}") };
    let reads: Vec<_> = records.iter().filter(|r| r.direction == Direction::Read).collect();
    let found: Vec<_> = reads.iter().map(|r| (r.end_ns, r.len_ns, r.ios, r.bytes)).collect();
    // The job's end cuts the last one short.
    assert_eq!(found, [(100, 100, 2, 20), (200, 100, 0, 0), (300, 100, 0, 0), (350, 50, 1, 10)]);
    assert_eq!(reads[0].total, Span { sum_ns: 100, max_ns: 50 });
    assert_eq!(reads[0].completion, Span { sum_ns: 90, max_ns: 45 });
    assert_eq!(reads[3].submission, Span { sum_ns: 5, max_ns: 5 });
    assert_eq!(records.len(), 8);
}

#[test]
fn log_histograms_hold_completions_since_the_previous_one() {
    let chunks = logged(Logged { ios: false, window_ns: 0, histogram_every_ns: 100 });
    let records: Vec<_> = chunks
        .iter()
        .flat_map(|chunk| match chunk {
            LogChunk::Histograms(records) => records.clone(),
            other => panic!("{other:?}"),
        })
        .map(|record| (record.end_ns, record.direction, record.counts.buckets().collect::<Vec<_>>()))
        .collect();
    let bucket = |ns| cardiograph_core::histogram::bucket_of(ns);
    assert_eq!(
        records,
        [(100, Direction::Read, vec![(bucket(45), 2)]), (350, Direction::Read, vec![(bucket(245), 1)])]
    );
}

#[test]
fn a_recorder_is_small() {
    let reads = |direction| direction == Direction::Read;
    // Three kinds of latency at 20 KB, a chunk of windows, and the counters.
    assert!(size_of::<Recorder>() < 2_048, "{}", size_of::<Recorder>());
    let recorder = Recorder::new(reads, shape(true));
    assert!(recorder.uses(Direction::Read) && !recorder.uses(Direction::Write));
}
