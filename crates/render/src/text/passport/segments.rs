//! Segments of a mapping of the device mapper, in a line.

use cardiograph_core::drive::{Segment, SegmentDetail};
use cardiograph_core::units;

use crate::text::layout::plain;

/// Kinds that are named.
const SHOWN_MAX: usize = 6;

/// What the segments are, those that follow each other and are alike in one; `None` when there are none.
pub(super) fn described(segments: &[Segment]) -> Option<String> {
    let all: Vec<String> = segments.iter().map(word).collect();
    let runs: Vec<&[String]> = all.chunk_by(|one, next| one == next).collect();
    let (shown, rest) = runs.split_at(runs.len().min(SHOWN_MAX));
    let run = |run: &&[String]| match run.len() {
        1 => run[0].clone(),
        times => format!("{} times {}", units::count(times as u64), run[0]),
    };
    let mut words: Vec<String> = shown.iter().map(run).collect();
    if !rest.is_empty() {
        words.push(format!("{} more kinds", rest.len()));
    }
    (!words.is_empty()).then(|| words.join(", then "))
}

fn word(segment: &Segment) -> String {
    match &segment.detail {
        None => plain(&segment.target),
        Some(SegmentDetail::Striped { stripes, chunk_bytes }) => {
            format!("striped over {} in chunks of {}", units::count(*stripes), units::bytes(*chunk_bytes))
        }
        Some(SegmentDetail::Raid { level, devices, chunk_bytes }) => {
            let chunks = chunk_bytes.map(|bytes| format!(" in chunks of {}", units::bytes(bytes)));
            format!("{} of {} devices{}", plain(level), units::count(*devices), chunks.unwrap_or_default())
        }
        Some(SegmentDetail::ThinPool { block_bytes }) => {
            format!("pool of thin volumes in blocks of {}", units::bytes(*block_bytes))
        }
        Some(SegmentDetail::Cache { mode, block_bytes }) => {
            format!("cache ({}) in blocks of {}", plain(mode), units::bytes(*block_bytes))
        }
        Some(SegmentDetail::Snapshot { chunk_bytes }) => {
            format!("snapshot in chunks of {}", units::bytes(*chunk_bytes))
        }
        Some(SegmentDetail::Delay { read_ms, write_ms }) => {
            format!("delays reads by {read_ms} ms and writes by {write_ms} ms")
        }
        Some(SegmentDetail::Flaky { up_s, down_s }) => format!("fails for {down_s} s after each {up_s} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(target: &str, detail: Option<SegmentDetail>) -> Segment {
        Segment { target: target.to_string(), start_bytes: 0, len_bytes: 1, detail }
    }

    #[test]
    fn what_is_alike_and_follows_is_one() {
        let linear = || segment("linear", None);
        let striped = || segment("striped", Some(SegmentDetail::Striped { stripes: 2, chunk_bytes: 65_536 }));
        let cases = [
            (vec![], None),
            (vec![linear()], Some("linear")),
            (
                vec![linear(), linear(), striped(), linear()],
                Some("2 times linear, then striped over 2 in chunks of 64 KiB, then linear"),
            ),
            (
                vec![segment("delay", Some(SegmentDetail::Delay { read_ms: 0, write_ms: 20 }))],
                Some("delays reads by 0 ms and writes by 20 ms"),
            ),
            (vec![segment("\u{1b}[2J", None)], Some("\u{fffd}[2J")),
        ];
        for (segments, expected) in cases {
            assert_eq!(described(&segments).as_deref(), expected);
        }
        let many: Vec<Segment> = (0..10).map(|number| segment(&format!("kind{number}"), None)).collect();
        assert!(described(&many).unwrap().ends_with("kind5, then 4 more kinds"));
    }
}
