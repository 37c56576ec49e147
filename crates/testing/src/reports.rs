//! Sample Reports: a builder for tests of storing, judging and comparing them. Tests change the fields that
//! they need. Unit tests of core itself cannot use it: their Report is a different type from that of the core
//! below this crate.

use cardiograph_core::drive::{Drive, Host, Leaf};
use cardiograph_core::imported::{Figure, Imported};
use cardiograph_core::message::Message;
use cardiograph_core::method::{Method, Pattern};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::report::{ReportState, Step, StepOutcome, StepResult, Work};
use cardiograph_core::rng::Rng;
use cardiograph_core::{
    Direction, Doubt, Estimate, Interval, Latency, NS_PER_S, PerDirection, Report, Series,
};

/// A Report without steps.
pub fn report(id: &str, started_unix_ms: u64) -> Report {
    let leaf =
        Leaf { model: Some("SD64G".to_string()), serial: Some("0x1234abcd".to_string()), ..Leaf::default() };
    let drive = Drive {
        path: "/mnt/カード".to_string(),
        leaves: vec![leaf],
        capacity_bytes: Some(64_000_000_000),
        ..Drive::default()
    };
    Report {
        seed: u64::MAX,
        host: Host { name: Some("pi5".to_string()), ..Host::default() },
        drive,
        ..Report::new(id, started_unix_ms, "cardiograph 0.1.0", "quick")
    }
}

/// A step with figures, a distribution and windows, generated from `seed`.
pub fn step(number: usize, seed: u64, windows: usize) -> StepResult {
    let mut rng = Rng::new(seed);
    let mut latency = Latency::default();
    let mut rows = Vec::new();
    for _ in 0..windows {
        let ios = rng.below(500);
        let ns = 100_000 + rng.below(3_000_000);
        rows.push(Interval { ios, bytes: ios * 4_096, latency_ns_sum: ios * ns, latency_ns_max: ns * 3 });
        (0..ios % 7).for_each(|_| latency.record(ns));
    }
    let window_ns = NS_PER_S / 10;
    let rows = PerDirection { read: rows, ..PerDirection::default() };
    let series = Series { window_ns, duration_ns: windows as u64 * window_ns, rows, ..Series::default() };
    let read = Some(Direction::Read);
    let value = 1e6 / (1 + rng.below(1_000)) as f64;
    let estimate =
        Estimate { value, n: 60, n_effective: 41.25, low: Some(value * 0.9), high: Some(value / 0.9) };
    let percentile = Quantity::Latency(LatencyKind::Completion, Statistic::Percentile(99.9));
    let figures = vec![
        Figure { direction: read, quantity: Quantity::Iops, estimate, window_ns: None, doubt: None },
        Figure {
            doubt: Some(Doubt::Contradicted { share: 0.5 }),
            ..Figure::bare(read, percentile, value, 7)
        },
        Figure { window_ns: Some(5), ..Figure::bare(None, Quantity::LongestStall, 0.1 + 0.2, 0) },
    ];
    let method = Method {
        tool: "fio".to_string(),
        pattern: Some(Pattern::RandomRead),
        block_bytes: Some(4_096),
        ..Method::default()
    };
    let of = Step::measuring(
        &format!("step-{number}"),
        Message::verbatim(format!("Step {number}")),
        Work::Imported(method),
    );
    StepResult {
        imported: Some(Imported {
            figures,
            series: Some(series),
            latency: PerDirection { read: Some(latency), ..PerDirection::default() },
            ..Imported::default()
        }),
        ..StepResult::new(of, StepOutcome::Done)
    }
}

/// A finished Report with `steps` steps.
pub fn finished(id: &str, started_unix_ms: u64, steps: usize) -> Report {
    let steps = (0..steps).map(|number| step(number, started_unix_ms + number as u64, 40)).collect();
    Report { state: ReportState::Finished, steps, ..report(id, started_unix_ms) }
}
