//! Segments of a mapping of the device mapper, as phrases.

use cardiograph_core::drive::{Segment, SegmentDetail};
use cardiograph_core::{Message, Parameter, message};

/// Maximum number of kinds shown.
const SHOWN_MAX: usize = 6;

/// The segments; equal ones in a row are one phrase.
pub(super) fn phrases(segments: &[Segment]) -> Vec<Message> {
    let all: Vec<Message> = segments.iter().map(phrase).collect();
    let runs: Vec<&[Message]> = all.chunk_by(|one, next| one == next).collect();
    let (shown, rest) = runs.split_at(runs.len().min(SHOWN_MAX));
    let run = |run: &&[Message]| match run.len() {
        1 => run[0].clone(),
        times => message!("segment-repeated", times, segment = run[0].clone()),
    };
    let rest = (!rest.is_empty()).then(|| message!("segment-more", kinds = rest.len()));
    let mut phrases = shown.iter().map(run).chain(rest);
    let first = phrases.next();
    first.into_iter().chain(phrases.map(|segment| message!("segment-next", segment))).collect()
}

fn phrase(segment: &Segment) -> Message {
    let size = Parameter::Bytes;
    match &segment.detail {
        None => Message::verbatim(&segment.target),
        Some(SegmentDetail::Striped { stripes, chunk_bytes }) => {
            message!("segment.striped", stripes = *stripes, chunk = size(*chunk_bytes))
        }
        Some(SegmentDetail::Raid { level, devices, chunk_bytes: Some(bytes) }) => {
            message!("segment.raid-chunks", level, devices = *devices, chunk = size(*bytes))
        }
        Some(SegmentDetail::Raid { level, devices, chunk_bytes: None }) => {
            message!("segment.raid", level, devices = *devices)
        }
        Some(SegmentDetail::ThinPool { block_bytes }) => {
            message!("segment.thin-pool", block = size(*block_bytes))
        }
        Some(SegmentDetail::Cache { mode, block_bytes }) => {
            message!("segment.cache", mode, block = size(*block_bytes))
        }
        Some(SegmentDetail::Snapshot { chunk_bytes }) => {
            message!("segment.snapshot", chunk = size(*chunk_bytes))
        }
        Some(SegmentDetail::Delay { read_ms, write_ms }) => {
            message!("segment.delay", read_ms = *read_ms, write_ms = *write_ms)
        }
        Some(SegmentDetail::Flaky { up_s, down_s }) => {
            message!("segment.flaky", down_s = *down_s, up_s = *up_s)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Lang;

    fn segment(target: &str, detail: Option<SegmentDetail>) -> Segment {
        Segment { target: target.to_string(), start_bytes: 0, len_bytes: 1, detail }
    }

    fn described(segments: &[Segment]) -> String {
        Lang::EN.phrases(&phrases(segments))
    }

    #[test]
    fn equal_segments_in_a_row_are_one_phrase() {
        let linear = || segment("linear", None);
        let striped = || segment("striped", Some(SegmentDetail::Striped { stripes: 2, chunk_bytes: 65_536 }));
        let cases = [
            (vec![], ""),
            (vec![linear()], "linear"),
            (
                vec![linear(), linear(), striped(), linear()],
                "2 times linear, then striped over 2 in chunks of 64 KiB, then linear",
            ),
            (
                vec![segment("delay", Some(SegmentDetail::Delay { read_ms: 0, write_ms: 20 }))],
                "delays reads by 0 ms and writes by 20 ms",
            ),
            (vec![segment("\u{1b}[2J", None)], "\u{fffd}[2J"),
        ];
        for (segments, expected) in cases {
            assert_eq!(described(&segments), expected);
        }
        let many: Vec<Segment> = (0..10).map(|number| segment(&format!("kind{number}"), None)).collect();
        assert!(described(&many).ends_with("kind5, then 4 more kinds"));
    }
}
