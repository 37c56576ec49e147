//! In words: how a figure was measured, what it is, and how large.

use crate::imported::Figure;
use crate::method::{Durability, Method, Pattern};
use crate::metric::Unit;
use crate::quantity::{LatencyKind, Quantity, Statistic};
use crate::units;
use crate::{Direction, KIB};

/// I/Os at least so long are quoted by their speed and shorter ones by their rate.
pub const LONG_IO_BYTES: u64 = 64 * KIB;

/// Whether a test that was done so is quoted by its speed, as one is whose length is not known; else by I/Os per second.
pub fn is_quoted_by_speed(method: &Method) -> bool {
    method.block_bytes.is_none_or(|bytes| bytes >= LONG_IO_BYTES)
}

/// What a reader calls a test that was done so: `random read, 4 KiB, depth 32, 4 jobs, fsync after each`. What is not known
/// is left out, as is what is usual.
pub fn title(method: &Method) -> String {
    let mut parts = vec![method.pattern.map_or("unknown I/O", pattern).to_string()];
    parts.extend(method.block_bytes.map(units::bytes));
    parts.extend(method.depth.filter(|&depth| depth > 1).map(|depth| format!("depth {depth}")));
    parts.extend(method.jobs.filter(|&jobs| jobs > 1).map(|jobs| format!("{jobs} jobs")));
    let durable = method.durability.filter(|&when| when != Durability::Never);
    parts.extend(durable.map(|when| durability(when).to_string()));
    parts.extend((method.direct == Some(false)).then(|| "through the page cache".to_string()));
    parts.join(", ")
}

/// A pattern in words.
const fn pattern(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Read => "sequential read",
        Pattern::Write => "sequential write",
        Pattern::ReadWrite => "sequential read and write",
        Pattern::RandomRead => "random read",
        Pattern::RandomWrite => "random write",
        Pattern::RandomReadWrite => "random read and write",
        Pattern::Trim => "trim",
        Pattern::Application => "application",
    }
}

/// When writes were made durable, in words.
const fn durability(durability: Durability) -> &'static str {
    match durability {
        Durability::Never => "not made durable",
        Durability::AtEnd => "made durable at the end",
        Durability::Fsync => "fsync after each",
        Durability::Fdatasync => "fdatasync after each",
        Durability::Dsync => "O_DSYNC",
        Durability::NowAndThen => "made durable now and then",
    }
}

/// A value of a quantity with its unit: `23.8 MB/s`, `3,786 IOPS`, `263 µs`, `3.67 GiB`.
pub fn value(quantity: Quantity, value: f64) -> String {
    match quantity.unit() {
        Unit::BytesPerSecond => units::bandwidth(value),
        Unit::IosPerSecond => units::iops(value),
        Unit::Nanoseconds => units::duration_f64(value),
        Unit::Bytes => units::bytes(value as u64),
        Unit::Count => units::count(value as u64),
    }
}

/// The kind of latency shown for a direction: the one with percentiles, so that all figures of a row are of
/// one kind. fio has completion percentiles with a mean of the total.
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
        assert_eq!(title(&method), "random write, 4 KiB, depth 32, fsync after each");
        assert_eq!(title(&Method::default()), "unknown I/O");
    }

    #[test]
    fn long_ios_are_quoted_by_their_speed() {
        let of = |block_bytes| is_quoted_by_speed(&Method { block_bytes, ..Method::default() });
        assert_eq!([Some(4_096), Some(65_535), Some(65_536), None].map(of), [false, false, true, true]);
    }
}
