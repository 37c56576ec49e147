//! The progress line.

use std::fmt::Write;

use cardiograph_core::{Direction, PerDirection};

use super::numbers::finite;
use super::run::Style;

/// The progress of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct EtaLine {
    /// Running jobs.
    pub running: u32,
    /// Their open files.
    pub open_files: u32,
    /// The sum of their rate limits.
    pub limit: Option<RateLimit>,
    /// Progress figures; `None` at the start.
    pub progress: Option<Progress>,
}

/// A rate limit of jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateLimit {
    /// In bytes per second.
    Bandwidth {
        /// Minimum; 0 if unset.
        min_bytes_per_s: u64,
        /// Maximum; 0 if unset.
        max_bytes_per_s: u64,
    },
    /// In I/Os per second.
    Iops {
        /// Minimum; 0 if unset.
        min: u64,
        /// Maximum; 0 if unset.
        max: u64,
    },
}

/// Progress since the previous line.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// A letter for the state of each job, in job order: `P` set up, `C` created, `I` initialised, `/` ramp, `R` and
    /// `r` sequential and random reads, `W` and `w` writes, `M` and `m` mixes, `D` and `d` trims, `F` fsync, `V`
    /// verification, `f` finishing, `E` and `_` ended, `X` ended with an error, `K` killed.
    pub states: String,
    /// Progress in percent; `None` if unknown.
    pub done_percent: Option<f64>,
    /// Bandwidth in bytes per second.
    pub bytes_per_s: PerDirection<u64>,
    /// I/Os per second.
    pub iops: PerDirection<u64>,
    /// Time left, in seconds; `None` if unknown.
    pub eta_s: Option<u64>,
}

impl EtaLine {
    /// The line as fio writes it, without a line end: `Jobs: 1 (f=1): [W(1)][24.8%][w=378KiB/s][w=94 IOPS][eta
    /// 01m:31s]`. `style` sets units and figures.
    pub fn text(&self, style: &Style) -> String {
        let mut line = format!("Jobs: {} (f={})", self.running, self.open_files);
        let plain = |value: u64| style.count(value);
        let bandwidth = |value: u64| style.bandwidth(value, style.is_binary());
        let limit = match self.limit {
            None => String::new(),
            Some(RateLimit::Bandwidth { min_bytes_per_s, max_bytes_per_s }) => {
                format!(", {}-{}", bandwidth(min_bytes_per_s), bandwidth(max_bytes_per_s))
            }
            Some(RateLimit::Iops { min, max }) => format!(", {}-{} IOPS", plain(min), plain(max)),
        };
        line.push_str(&limit);
        if let Some(progress) = &self.progress {
            let done =
                progress.done_percent.map_or("-.-".to_string(), |done| format!("{:3.1}", finite(done)));
            let speeds = by_direction(&progress.bytes_per_s, bandwidth, "");
            let iops = by_direction(&progress.iops, plain, " IOPS");
            let left = time_left(progress.eta_s.unwrap_or(0));
            let parts = format!(": [{}][{done}%]{speeds}{iops}[eta {left}]", runs(&progress.states));
            line.push_str(&parts);
        }
        line
    }
}

/// `line` padded with spaces, so that on a terminal it covers a previous line of `last_len` characters.
pub fn covering(line: &str, last_len: usize) -> String {
    format!("{line:last_len$}")
}

/// Figures of the active directions, in brackets.
fn by_direction(figures: &PerDirection<u64>, write: impl Fn(u64) -> String, unit: &str) -> String {
    let moved = Direction::DATA.into_iter().filter(|&at| figures[at] > 0);
    let shown: Vec<String> = moved.map(|at| format!("{}={}", &at.name()[..1], write(figures[at]))).collect();
    if shown.is_empty() { String::new() } else { format!("[{}{unit}]", shown.join(",")) }
}

/// Run-length encoded states: `W(2),_(3)`.
fn runs(states: &str) -> String {
    let mut text = String::new();
    let mut letters = states.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut count = 1_u64;
        while letters.next_if_eq(&letter).is_some() {
            count += 1;
        }
        let comma = if text.is_empty() { "" } else { "," };
        write!(text, "{comma}{letter}({count})").expect("a String takes all");
    }
    text
}

/// Seconds as `01m:31s`, preceded by hours and days if nonzero.
fn time_left(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    let mut text = String::new();
    if days > 0 {
        text = format!("{days:02}d:");
    }
    if days > 0 || hours > 0 {
        text = format!("{text}{hours:02}h:");
    }
    format!("{text}{minutes:02}m:{:02}s", seconds % 60)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::display::JobDisplay;

    use super::*;

    fn progress(states: &str, bytes_per_s: [u64; 3], iops: [u64; 3], eta_s: u64) -> Progress {
        let per_direction = |[read, write, trim]: [u64; 3]| PerDirection { read, write, trim, sync: 9 };
        Progress {
            states: states.to_string(),
            done_percent: Some(75.0),
            bytes_per_s: per_direction(bytes_per_s),
            iops: per_direction(iops),
            eta_s: Some(eta_s),
        }
    }

    #[test]
    fn lines_match_fio() {
        let line = |running, limit, progress| EtaLine { running, open_files: running, limit, progress };
        let iops = |min, max| Some(RateLimit::Iops { min, max });
        let limit = Some(RateLimit::Bandwidth { min_bytes_per_s: 0, max_bytes_per_s: 2_764_800 });
        let table = [
            (line(1, None, None), "Jobs: 1 (f=1)"),
            (line(2, iops(0, 150), None), "Jobs: 2 (f=2), 0-150 IOPS"),
            (
                line(1, iops(0, 150), Some(progress("m", [409_600, 204_800, 0], [100, 50, 0], 1))),
                "Jobs: 1 (f=1), 0-150 IOPS: [m(1)][75.0%][r=400KiB/s,w=200KiB/s][r=100,w=50 IOPS][eta 00m:01s]",
            ),
            (
                line(3, limit, Some(progress("mmm", [1_228_800, 1_536_000, 0], [300, 375, 0], 1))),
                "Jobs: 3 (f=3), 0B/s-2700KiB/s: [m(3)][75.0%][r=1200KiB/s,w=1500KiB/s][r=300,w=375 IOPS][eta 00m:01s]",
            ),
            (
                line(1, None, Some(progress("D_P_", [0, 0, 26_214_400_000], [0, 0, 6_399_744], 0))),
                "Jobs: 1 (f=1): [D(1),_(1),P(1),_(1)][75.0%][t=24.4GiB/s][t=6400k IOPS][eta 00m:00s]",
            ),
            (
                line(2, None, Some(progress("WW_", [0, 40_960, 0], [0, 10, 0], 399_997))),
                "Jobs: 2 (f=2): [W(2),_(1)][75.0%][w=40.0KiB/s][w=10 IOPS][eta 04d:15h:06m:37s]",
            ),
            (
                line(1, None, Some(progress("W", [0; 3], [0; 3], 3_999))),
                "Jobs: 1 (f=1): [W(1)][75.0%][eta 01h:06m:39s]",
            ),
        ];
        for (line, text) in table {
            assert_eq!(line.text(&Style::default()), text);
        }
    }

    #[test]
    fn units_follow_the_style() {
        let mut state = progress("r", [14_200_000_000, 0, 0], [3_467_000, 0, 0], 86_400);
        state.done_percent = None;
        state.eta_s = None;
        let line = EtaLine { running: 1, open_files: 0, limit: None, progress: Some(state) };
        let decimal = Style(JobDisplay { kb_base: 1_000, ..JobDisplay::default() });
        assert_eq!(line.text(&decimal), "Jobs: 1 (f=0): [r(1)][-.-%][r=14.2GB/s][r=3467k IOPS][eta 00m:00s]");
        let bits = Style(JobDisplay { unit_base: 1, ..JobDisplay::default() });
        assert!(line.text(&bits).contains("[r=106Gibit/s]"), "{}", line.text(&bits));
    }

    #[test]
    fn a_shorter_line_covers_the_longer_one() {
        assert_eq!(covering("ab", 4), "ab  ");
        assert_eq!(covering("abcde", 4), "abcde");
    }
}
