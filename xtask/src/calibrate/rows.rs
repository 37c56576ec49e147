//! The rows of the table, as data.

use super::drawn::{DEFAULT, Process};
use super::end::End;
use super::simulated::Wandering;
use super::tails::Tail;

/// One row of the table.
pub struct Row {
    pub name: &'static str,
    /// A short description of its runs.
    pub what: &'static str,
    pub source: Source,
    pub end: End,
    /// Whether the interval must hold. Rows that are not judged show the method's limits.
    pub is_judged: bool,
}

/// Source of a run's windows.
pub enum Source {
    /// Randomly drawn.
    Drawn(Process),
    /// Random reads on a simulated drive.
    Simulated(Wandering),
    /// Percentiles of pooled latencies: their interval holds at least as often, because ranks are whole numbers.
    Tail(Tail),
}

const fn drawn(name: &'static str, what: &'static str, end: End, process: Process) -> Row {
    Row { name, what, source: Source::Drawn(process), end, is_judged: true }
}

const fn simulated(name: &'static str, what: &'static str, end: End, wandering: Wandering) -> Row {
    Row { name, what, source: Source::Simulated(wandering), end, is_judged: true }
}

const fn tail(name: &'static str, what: &'static str, tail: Tail) -> Row {
    Row { name, what, source: Source::Tail(tail), end: End::Windows(60), is_judged: true }
}

const fn limit(name: &'static str, what: &'static str, end: End, process: Process) -> Row {
    Row { name, what, source: Source::Drawn(process), end, is_judged: false }
}

/// All rows. Windows are 100 ms; correlation times are those in which the autocorrelation falls to 1/e.
pub const ROWS: &[Row] = &[
    drawn("white-8s", "8 s of independent windows", End::Windows(80), DEFAULT),
    drawn(
        "correlated-8s",
        "8 s, neighbours correlated by 0.3",
        End::Windows(80),
        Process { correlation: 0.3, ..DEFAULT },
    ),
    drawn(
        "more-correlated-8s",
        "8 s, neighbours correlated by 0.6",
        End::Windows(80),
        Process { correlation: 0.6, ..DEFAULT },
    ),
    drawn(
        "more-correlated-30s",
        "30 s, neighbours correlated by 0.6",
        End::Windows(300),
        Process { correlation: 0.6, ..DEFAULT },
    ),
    drawn(
        "much-correlated-30s",
        "30 s, neighbours correlated by 0.8",
        End::Windows(300),
        Process { correlation: 0.8, ..DEFAULT },
    ),
    drawn(
        "drift-30s",
        "30 s of noise on a drift with a correlation time of 1 s",
        End::Windows(300),
        Process { drift: 0.035, drift_windows: 10.0, ..DEFAULT },
    ),
    drawn(
        "drift-120s",
        "2 min of correlated noise on a drift with a correlation time of 5 s",
        End::Windows(1_200),
        Process { correlation: 0.3, drift: 0.02, drift_windows: 50.0, ..DEFAULT },
    ),
    drawn(
        "stalls-30s",
        "30 s with a stall of most of a window about each second",
        End::Windows(300),
        Process { stall_share: 0.08, ..DEFAULT },
    ),
    drawn("even-2%", "until 2 %, little noise", End::Precision(0.02), Process { noise: 0.03, ..DEFAULT }),
    drawn(
        "white-2%",
        "until 2 %, independent windows",
        End::Precision(0.02),
        Process { noise: 0.15, ..DEFAULT },
    ),
    drawn(
        "correlated-2%",
        "until 2 %, neighbours correlated by 0.6",
        End::Precision(0.02),
        Process { noise: 0.12, correlation: 0.6, ..DEFAULT },
    ),
    drawn(
        "correlated-1%",
        "until 1 %, neighbours correlated by 0.6",
        End::Precision(0.01),
        Process { noise: 0.08, correlation: 0.6, ..DEFAULT },
    ),
    drawn(
        "drift-2%",
        "until 2 %, correlated noise on a drift with a correlation time of 1 s",
        End::Precision(0.02),
        Process { noise: 0.1, correlation: 0.3, drift: 0.03, drift_windows: 10.0, ..DEFAULT },
    ),
    drawn(
        "settling-2%",
        "until 2 %, 50 % faster at first, settling in 0.5 s",
        End::Precision(0.02),
        Process { correlation: 0.5, settling: 0.5, settling_windows: 5.0, ..DEFAULT },
    ),
    drawn(
        "slow-start-2%",
        "until 2 %, a first window without I/O",
        End::Precision(0.02),
        Process { correlation: 0.3, settling: -1.0, settling_windows: 0.1, ..DEFAULT },
    ),
    simulated(
        "drive-8s",
        "8 s of random reads on a simulated drive",
        End::Windows(80),
        Wandering { drift: 0.0, drift_s: 1 },
    ),
    simulated(
        "drive-drift-30s",
        "30 s on one with a drift of correlation time 1 s",
        End::Windows(300),
        Wandering { drift: 0.03, drift_s: 1 },
    ),
    simulated(
        "drive-drift-120s",
        "2 min on one with a drift of correlation time 5 s",
        End::Windows(1_200),
        Wandering { drift: 0.03, drift_s: 5 },
    ),
    simulated(
        "drive-2%",
        "until 2 % on a simulated drive",
        End::Precision(0.02),
        Wandering { drift: 0.0, drift_s: 1 },
    ),
    simulated(
        "drive-drift-1%",
        "until 1 % on one with a drift of correlation time 1 s",
        End::Precision(0.01),
        Wandering { drift: 0.03, drift_s: 1 },
    ),
    tail("p99.9", "the p99.9 of 12,000 latencies", Tail { runs: 1, spread: 0.02 }),
    tail("p99.9-of-2", "the same of two runs together", Tail { runs: 2, spread: 0.02 }),
    tail("p99.9-of-3", "three runs that differ by 5 %, resampled", Tail { runs: 3, spread: 0.05 }),
    tail("p99.9-of-6", "six runs that differ by 5 %, resampled", Tail { runs: 6, spread: 0.05 }),
    limit(
        "longer-than-the-run",
        "8 s on a drift with a correlation time of 10 s",
        End::Windows(80),
        Process { drift: 0.05, drift_windows: 100.0, ..DEFAULT },
    ),
    limit(
        "straight-drift",
        "8 s whose rate falls by a tenth from start to end",
        End::Windows(80),
        Process { slope: -0.1, ..DEFAULT },
    ),
];
