//! Test helpers that drive a simulated drive without the rest of the engine.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use cardiograph_core::Direction;

use super::drive::SimDrive;
use super::model::DriveModel;
use super::request::SimRequest;
use crate::engine::OpKind;

/// A drive with round numbers and no randomness. 4 KiB take 100 µs to read and 200 µs to write, on each of 4
/// channels; 1 MiB takes 90 µs plus 1.048576 ms on the bus, at 1 ns per byte.
const PLAIN: &str = r#"
    name = "plain"
    title = "Round numbers"
    kind = "ssd"
    capacity_bytes = 1_073_741_824
    channels = 4
    [bus]
    command_ns = 10_000
    transfer_len_bytes_max = 524_288
    [read]
    bytes_per_s = 1_000_000_000
    sequential_ns = 20_000
    pages = [{ share = 1.0, mean_ns = 85_904, deviation_ns = 0 }]
    [write]
    bytes_per_s = 1_000_000_000
    partial_below_bytes = 65_536
    partial = [{ share = 1.0, mean_ns = 185_904, deviation_ns = 0 }]
    full = [{ share = 1.0, mean_ns = 1_000_000, deviation_ns = 0 }]
    after_flush_ns = 0
    [mapping]
    unit_bytes = 4_096
    open_units = 1
    copy_bytes_per_s = 1_000_000_000
    [flush]
    journal_ios = 2
    journal_bytes = 12_288
    paths = [{ share = 1.0, mean_ns = 990_000, deviation_ns = 0 }]
    [variation]
    run_to_run = 0.0
    drift = 0.0
    drift_time_ns = 1_000_000_000
"#;

/// [`PLAIN`], changed.
pub fn plain(change: impl FnOnce(&mut DriveModel)) -> DriveModel {
    let mut model = DriveModel::from_toml(PLAIN).unwrap();
    change(&mut model);
    model
}

/// The text of [`PLAIN`] with one line replaced.
pub fn plain_text(line: &str, by: &str) -> String {
    assert_eq!(PLAIN.matches(line).count(), 1, "'{line}' stands there once");
    PLAIN.replace(line, by)
}

/// A request and its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    pub direction: Direction,
    pub len_bytes: u32,
    pub issued_at_ns: u64,
    pub completed_at_ns: u64,
    pub result: i32,
}

impl Done {
    pub fn latency_ns(&self) -> u64 {
        self.completed_at_ns - self.issued_at_ns
    }
}

pub fn request(kind: OpKind, position_bytes: u64, len_bytes: u32) -> SimRequest {
    SimRequest { kind, position_bytes, len_bytes }
}

/// Keeps `depth` requests in flight until `next` has no more, and advances the drive's time to the last
/// completion. `next` gets the time since the start in nanoseconds. Results are in order of completion.
pub fn drive_at_depth(
    drive: &Arc<SimDrive>,
    depth: usize,
    mut next: impl FnMut(u64) -> Option<SimRequest>,
) -> Vec<Done> {
    let time = drive.time();
    let start_ns = time.load(Ordering::Relaxed);
    let (mut now_ns, mut done) = (start_ns, Vec::new());
    let mut in_flight = BinaryHeap::new();
    let mut has_more = true;
    loop {
        while has_more && in_flight.len() < depth {
            let Some(request) = next(now_ns - start_ns) else {
                has_more = false;
                break;
            };
            let served = drive.serve(now_ns, &request).expect("the drive answers");
            assert!(served.completed_at_ns >= now_ns);
            let number = done.len();
            in_flight.push(Reverse((served.completed_at_ns, number)));
            done.push(Done {
                direction: request.kind.direction(),
                len_bytes: request.len_bytes,
                issued_at_ns: now_ns - start_ns,
                completed_at_ns: served.completed_at_ns - start_ns,
                result: served.result,
            });
        }
        let Some(Reverse((completed_at_ns, _))) = in_flight.pop() else { break };
        now_ns = completed_at_ns;
    }
    time.store(now_ns, Ordering::Relaxed);
    done.sort_by_key(|done| done.completed_at_ns);
    done
}

/// One request at a time, each when the previous one is complete.
pub fn drive_one_by_one(drive: &Arc<SimDrive>, next: impl FnMut(u64) -> Option<SimRequest>) -> Vec<Done> {
    drive_at_depth(drive, 1, next)
}

/// Lets idle time pass.
pub fn rest(drive: &Arc<SimDrive>, ns: u64) {
    drive.time().fetch_add(ns, Ordering::Relaxed);
}
