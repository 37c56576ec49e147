//! Names of figures, and methods of tests, as phrases.

use cardiograph_core::direction::Direction;
use cardiograph_core::imported::Figure;
use cardiograph_core::method::{Aspect, Difference, JOBS_BESIDE};
use cardiograph_core::quantity::{LatencyKind, Quantity};
use cardiograph_core::{Message, Parameter, message};

pub(crate) use cardiograph_core::words::figure::{direction, figure, statistic, with_direction};
pub(crate) use cardiograph_core::words::method::{
    LONG_IO_BYTES, durability, is_quoted_by_speed, latency_kind, title_parts as title, value,
};

/// A quantity without a direction, as a heading: `Bandwidth`, `Latency p99`.
pub(crate) fn heading(quantity: Quantity) -> Message {
    match quantity {
        Quantity::Bandwidth => message!("figure-heading.bandwidth"),
        Quantity::Iops => message!("figure-heading.iops"),
        Quantity::Latency(LatencyKind::Total, which) => {
            message!("figure-heading.latency", statistic = statistic(which))
        }
        Quantity::Latency(LatencyKind::Completion, which) => {
            message!("figure-heading.completion", statistic = statistic(which))
        }
        Quantity::Latency(LatencyKind::Submission, which) => {
            message!("figure-heading.submission", statistic = statistic(which))
        }
        Quantity::WindowBandwidth(which) => {
            message!("figure-heading.window-bandwidth", statistic = statistic(which))
        }
        Quantity::WindowIops(which) => message!("figure-heading.window-iops", statistic = statistic(which)),
        Quantity::Bytes => message!("figure-heading.bytes"),
        Quantity::Ios => message!("figure-heading.ios"),
        Quantity::Runtime => message!("figure-heading.runtime"),
        Quantity::LongestStall => message!("figure-heading.longest-stall"),
    }
}

/// All latencies of a kind: `read latency`.
pub(crate) fn latencies(side: Option<Direction>, kind: LatencyKind) -> Message {
    let figure = match kind {
        LatencyKind::Submission => message!("figure.all-submissions"),
        LatencyKind::Completion | LatencyKind::Total => message!("figure.all-latencies"),
    };
    match side {
        Some(one) => message!("figure.of", direction = direction(one), figure),
        None => figure,
    }
}

/// A figure's value with its doubt.
pub(crate) fn stated(figure: &Figure) -> Message {
    let value = value(figure.quantity, figure.estimate.value);
    match &figure.doubt {
        Some(doubt) if doubt.withholds() => message!("figure-withheld", reason = doubt.message()),
        Some(doubt) => message!("figure-doubted", value, reason = doubt.message()),
        None => Message::quantity(value),
    }
}

/// The differences of two tests, a phrase each, right side first: `block size 4K (yours unknown)`.
pub(crate) fn differences(all: &[Difference]) -> Vec<Message> {
    let phrase = |difference: &Difference| {
        message!(
            "method-difference",
            aspect = aspect(difference),
            left = side(difference, &difference.left),
            right = side(difference, &difference.right)
        )
    };
    all.iter().map(phrase).collect()
}

/// A difference with the names of the sides: `test size (card 152 MiB, ssd 1 GiB)`.
pub(crate) fn named_difference(difference: &Difference, left_name: &str, right_name: &str) -> Message {
    message!(
        "method-difference.named",
        aspect = aspect(difference),
        left_name,
        left = side(difference, &difference.left),
        right_name,
        right = side(difference, &difference.right)
    )
}

fn aspect(difference: &Difference) -> Message {
    match &difference.aspect {
        Aspect::ReadPercent => message!("method-aspect.read-percent"),
        Aspect::Block => message!("method-aspect.block"),
        Aspect::Depth => message!("method-aspect.depth"),
        Aspect::Jobs => message!("method-aspect.jobs"),
        Aspect::Direct => message!("method-aspect.direct"),
        Aspect::Durability => message!("method-aspect.durability"),
        Aspect::Size => message!("method-aspect.size"),
        Aspect::Time => message!("method-aspect.time"),
        Aspect::Other(name) if name == JOBS_BESIDE => message!("method-aspect.jobs-beside"),
        Aspect::Other(name) => Message::verbatim(name),
    }
}

/// The value on one side.
fn side(Difference { aspect, .. }: &Difference, value: &Option<String>) -> Message {
    let Some(value) = value else { return message!("method-unknown") };
    let number = || value.parse::<u64>().ok();
    let worded = match aspect {
        Aspect::Block => number().map(Parameter::BlockBytes).map(Message::quantity),
        Aspect::Size => number().map(Parameter::Bytes).map(Message::quantity),
        Aspect::Time => number().map(Parameter::DurationNs).map(Message::quantity),
        Aspect::ReadPercent => {
            number().map(|percent| Message::quantity(Parameter::share(percent as f64 / 100.0)))
        }
        Aspect::Direct if value == "true" => Some(message!("method-cache.bypassed")),
        Aspect::Direct => Some(message!("method-cache.used")),
        Aspect::Durability => serde_json::from_value(value.as_str().into()).ok().map(durability),
        Aspect::Depth | Aspect::Jobs | Aspect::Other(_) => None,
    };
    worded.unwrap_or_else(|| Message::verbatim(value))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::method::{Durability, Likeness, Method, Pattern};

    use super::*;
    use crate::lang::Lang;

    #[test]
    fn a_test_in_words() {
        let method = Method {
            pattern: Some(Pattern::RandomWrite),
            block_bytes: Some(4_096),
            depth: Some(32),
            jobs: Some(1),
            direct: Some(true),
            durability: Some(Durability::Fsync),
            ..Method::default()
        };
        assert_eq!(Lang::EN.phrases(&title(&method)), "random write, 4K, QD32, fsync after each write");
        assert_eq!(Lang::JA.phrases(&title(&method)), "ランダムライト、4K、QD32、ライトごとに fsync");
        assert_eq!(title(&Method::default()), [message!("method-pattern.unknown")]);
        let others = std::iter::once((JOBS_BESIDE.to_string(), "2".to_string())).collect();
        let other = Method { block_bytes: None, direct: None, others, ..method.clone() };
        let Likeness::Near { differences: all } = method.likeness(&other) else { panic!() };
        assert_eq!(
            Lang::EN.phrases(&differences(&all)),
            "block size unknown (yours 4K), page cache unknown (yours bypassed), \
             other jobs at the same time 2 (yours unknown)"
        );
        let durable = Method { durability: Some(Durability::AtEnd), ..method.clone() };
        let Likeness::Near { differences: all } = method.likeness(&Method { durability: None, ..durable })
        else {
            panic!()
        };
        let named = named_difference(&all[0], "card", "ssd");
        assert_eq!(Lang::EN.text(&named), "durability (card fsync after each write, ssd unknown)");
        assert_eq!(Lang::JA.text(&named), "永続化 (card ライトごとに fsync、ssd 不明)");
    }

    #[test]
    fn figures_in_words() {
        for (direction, name, number, english, japanese) in [
            (Some(Direction::Read), "bandwidth", 22.7e6, "read bandwidth 22.7 MB/s", "リード 帯域 22.7 MB/s"),
            (
                Some(Direction::Sync),
                "latency_p99.9",
                28_967_000.0,
                "fsync p99.9 29.0 ms",
                "fsync p99.9 29.0 ms",
            ),
            (
                Some(Direction::Write),
                "completion_mean",
                32_142_150.0,
                "write completion mean 32.1 ms",
                "ライト 完了レイテンシ 平均 32.1 ms",
            ),
            (None, "longest_stall", 5e8, "longest stall 500 ms", "最長の停止 500 ms"),
        ] {
            let sample = Figure::bare(direction, name.parse().unwrap(), number, 1);
            for (lang, expected) in [(Lang::EN, english), (Lang::JA, japanese)] {
                assert_eq!(
                    format!("{} {}", lang.text(&figure(&sample)), lang.text(&stated(&sample))),
                    expected
                );
            }
        }
    }
}
