//! A small run for tests.

use cardiograph_core::result::{ClockInfo, ClockSource, DepthCounts, Phases};
use cardiograph_core::{Latency, PerDirection};

use super::run::{CpuFigures, DirectionFigures, DiskEntry, DiskFigures, Extra, FioRun, JobEntry, Samples};

/// Latencies with these values in nanoseconds.
pub(super) fn latency(values_ns: &[u64]) -> Latency {
    let mut latency = Latency::default();
    values_ns.iter().for_each(|&ns| latency.record(ns));
    latency
}

/// A job of 4 reads and 2 writes in 10 ms.
pub(super) fn job() -> JobEntry {
    let figures = |values_ns: &[u64]| DirectionFigures {
        ios: values_ns.len() as u64,
        bytes: 4_096 * values_ns.len() as u64,
        runtime_ms: 10,
        completion: latency(values_ns),
        total: latency(values_ns),
        bandwidth: Samples::from_values([400, 500]),
        iops: Samples::from_values([100, 125]),
        ..DirectionFigures::default()
    };
    JobEntry {
        name: "job".to_string(),
        jobs: 1,
        pid: 7,
        started_unix_ms: 1_762_312_736_000,
        options: vec![("rw".to_string(), "randrw".to_string())],
        elapsed_s: 1,
        directions: PerDirection {
            read: figures(&[150_000, 160_000, 170_000, 2_500_000]),
            write: figures(&[400_000, 900_000]),
            ..Default::default()
        },
        cpu: CpuFigures {
            run_ms: 10,
            user_ms: 1,
            system_ms: 2,
            context_switches: 6,
            major_faults: 0,
            minor_faults: 3,
        },
        depths: DepthCounts {
            in_flight: [6, 0, 0, 0, 0, 0, 0],
            submitted: [0, 6, 0, 0, 0, 0, 0],
            completed: [0, 6, 0, 0, 0, 0, 0],
        },
        ..JobEntry::default()
    }
}

/// Figures beyond fio's.
pub(super) fn extra() -> Extra {
    let clock =
        ClockInfo { source: ClockSource::Tsc, resolution_ns: 0.4, read_cost_ns: 9.5, drift_ppm: Some(0.1) };
    Extra {
        engine: "psync".to_string(),
        clock,
        seed: 137,
        window_ms: 500,
        longest_stall_ns: 2_500_000,
        layout_ns: 1_000,
        phases: Phases { open_ns: 20, drain_ns: 0, flush_ns: 30, verify_ns: 0 },
        ..Extra::default()
    }
}

/// A run of these jobs on one disk.
pub(super) fn run(jobs: Vec<JobEntry>) -> FioRun {
    let figures = DiskFigures { read_ios: 4, write_ios: 2, util_percent: 97.5, ..DiskFigures::default() };
    FioRun {
        version: "fio-3.39".to_string(),
        timestamp_unix_ms: 1_762_312_741_123,
        time_text: "Wed Nov  5 12:19:01 2025".to_string(),
        jobs,
        disks: vec![DiskEntry { name: "mmcblk0".to_string(), figures, members: Vec::new() }],
        ..FioRun::default()
    }
}
