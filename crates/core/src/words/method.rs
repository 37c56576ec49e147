//! Phrases for methods and values.

use crate::imported::Figure;
use crate::method::{Durability, Method, Pattern};
use crate::metric::Unit;
use crate::quantity::{LatencyKind, Quantity, Statistic};
use crate::{Direction, KIB, Message, Parameter, message};

/// I/Os of at least this length are reported in bytes per second, shorter ones in IOPS.
pub const LONG_IO_BYTES: u64 = 64 * KIB;

/// Whether a test with this method is reported in bytes per second, as also if its length is unknown; otherwise in
/// IOPS.
pub fn is_quoted_by_speed(method: &Method) -> bool {
    method.block_bytes.is_none_or(|bytes| bytes >= LONG_IO_BYTES)
}

/// Value of a quantity.
pub const fn value(quantity: Quantity, value: f64) -> Parameter {
    match quantity.unit() {
        Unit::BytesPerSecond => Parameter::bytes_per_s(value),
        Unit::IosPerSecond => Parameter::iops(value),
        Unit::Nanoseconds => Parameter::latency_ns(value),
        Unit::Bytes => Parameter::CapacityBytes(value as u64),
        Unit::Count => Parameter::Count(value as u64),
    }
}

/// The method: `random read, 4K, QD32, 4 jobs, fsync after each write`. Unknown and usual settings are left out.
pub fn title_parts(method: &Method) -> Vec<Message> {
    let mut parts = vec![method.pattern.map_or(message!("method-pattern.unknown"), pattern)];
    parts.extend(method.block_bytes.map(|bytes| Message::quantity(Parameter::BlockBytes(bytes))));
    let several = |count: Option<u64>| count.filter(|&count| count > 1);
    parts.extend(several(method.depth).map(|depth| message!("method-depth", depth)));
    parts.extend(several(method.jobs).map(|jobs| message!("method-jobs", jobs)));
    let durable = method.durability.filter(|&when| when != Durability::Never);
    parts.extend(durable.map(durability));
    parts.extend((method.direct == Some(false)).then(|| message!("method-cached")));
    parts
}

/// The method as a single phrase.
pub fn title(method: &Method) -> Message {
    Message::joined(title_parts(method))
}

fn pattern(pattern: Pattern) -> Message {
    match pattern {
        Pattern::Read => message!("method-pattern.read"),
        Pattern::Write => message!("method-pattern.write"),
        Pattern::ReadWrite => message!("method-pattern.read-write"),
        Pattern::RandomRead => message!("method-pattern.random-read"),
        Pattern::RandomWrite => message!("method-pattern.random-write"),
        Pattern::RandomReadWrite => message!("method-pattern.random-read-write"),
        Pattern::Trim => message!("method-pattern.trim"),
        Pattern::Application => message!("method-pattern.application"),
    }
}

/// When writes are made durable, as a phrase.
pub fn durability(durability: Durability) -> Message {
    match durability {
        Durability::Never => message!("method-durability.never"),
        Durability::AtEnd => message!("method-durability.at-end"),
        Durability::Fsync => message!("method-durability.fsync"),
        Durability::Fdatasync => message!("method-durability.fdatasync"),
        Durability::Dsync => message!("method-durability.dsync"),
        Durability::NowAndThen => message!("method-durability.periodic"),
    }
}

/// The kind of latency shown for a direction: the one with percentiles, so that all figures of a row are of one kind.
/// fio has completion percentiles with a mean of the total.
pub fn latency_kind(figures: &[Figure], direction: Option<Direction>) -> LatencyKind {
    const KINDS: [LatencyKind; 2] = [LatencyKind::Total, LatencyKind::Completion];
    let has = |kind: LatencyKind, is_it: fn(Statistic) -> bool| {
        let mut of_it = figures.iter().filter(|figure| figure.direction == direction);
        of_it.any(|figure| matches!(figure.quantity, Quantity::Latency(of, statistic) if of == kind && is_it(statistic)))
    };
    let with = |is_it: fn(Statistic) -> bool| KINDS.into_iter().find(|&kind| has(kind, is_it));
    with(|statistic| matches!(statistic, Statistic::Percentile(_)))
        .or_else(|| with(|_| true))
        .unwrap_or(KINDS[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_names_show_known_and_unusual_settings() {
        let method = Method {
            pattern: Some(Pattern::RandomWrite),
            block_bytes: Some(4_096),
            depth: Some(32),
            jobs: Some(1),
            direct: Some(true),
            durability: Some(Durability::Fsync),
            ..Method::default()
        };
        let ids = |method: &Method| {
            title_parts(method).iter().map(|part| part.id().to_string()).collect::<Vec<_>>()
        };
        let expected =
            ["method-pattern.random-write", "phrase-quantity", "method-depth", "method-durability.fsync"];
        assert_eq!(ids(&method), expected);
        assert_eq!(ids(&Method::default()), ["method-pattern.unknown"]);
    }

    #[test]
    fn long_ios_are_reported_in_bytes_per_second() {
        let of = |block_bytes| is_quoted_by_speed(&Method { block_bytes, ..Method::default() });
        assert_eq!([Some(4_096), Some(65_535), Some(65_536), None].map(of), [false, false, true, true]);
    }
}
