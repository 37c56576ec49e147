//! Checks that a test's figures agree. A contradiction means a damaged figure or a misread unit. Formats need no
//! separate checks for this.

use cardiograph_core::direction::Direction;
use cardiograph_core::imported::Figure;
use cardiograph_core::metric::Unit;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::words::figure;
use cardiograph_core::{KIB, Message, NS_PER_MS, NS_PER_S, Parameter, message};

use super::ImportedTest;

/// Tolerance for figures reported with two digits, as a fraction.
const ROUNDED: f64 = 0.06;
/// Latencies are reported in whole microseconds or finer.
const LATENCY_STEP_NS: f64 = 1e3;
/// In shorter tests (nanoseconds), programs take amounts and rates over slightly different times.
const RUNTIME_NS_MIN: f64 = 100.0 * NS_PER_MS as f64;

/// A misread unit changes a figure by a factor of eight or more. I/Os may be shorter than requested.
const MISREAD: f64 = 2.0;

/// The first contradiction between a test's figures.
pub(super) fn contradiction(test: &ImportedTest) -> Option<Message> {
    let figures = &test.imported.figures;
    let check = |figure| check_latencies(figure, figures).or_else(|| check_rate(figure, figures));
    figures.iter().find_map(check).or_else(|| check_block_size(test))
}

/// Checks the bandwidth against IOPS times block size.
fn check_block_size(test: &ImportedTest) -> Option<Message> {
    let len_bytes = test.method.block_bytes? as f64;
    Direction::DATA.map(Some).into_iter().chain([None]).find_map(|direction| {
        let value = |quantity| value(&test.imported.figures, direction, quantity);
        let (reported, iops) = (value(Quantity::Bandwidth)?, value(Quantity::Iops)?);
        if value(Quantity::Runtime).is_some_and(|ns| ns < RUNTIME_NS_MIN) {
            return None;
        }
        let (least, most) = (iops * len_bytes, (iops + 1.0) * len_bytes);
        let is_plausible = reported * MISREAD + KIB as f64 >= least && reported <= most * MISREAD;
        (!is_plausible).then(|| {
            message!(
                "import-figure.not-ios",
                figure = figure::with_direction(direction, Quantity::Bandwidth),
                found = Parameter::bytes_per_s(reported),
                iops = Parameter::iops(iops),
                block = Parameter::Bytes(len_bytes as u64),
                expected = Parameter::bytes_per_s(least)
            )
        })
    })
}

fn value(figures: &[Figure], direction: Option<Direction>, quantity: Quantity) -> Option<f64> {
    let is_it = |other: &&Figure| other.direction == direction && other.quantity == quantity;
    figures.iter().find(is_it).map(|other| other.estimate.value)
}

/// Checks that latencies are in order: min ≤ mean ≤ max, lower percentiles ≤ higher ones.
fn check_latencies(figure: &Figure, figures: &[Figure]) -> Option<Message> {
    let Quantity::Latency(kind, statistic) = figure.quantity else { return None };
    let is_shorter = |other: &&Figure| {
        let Quantity::Latency(of, higher) = other.quantity else { return false };
        if of != kind || other.direction != figure.direction {
            return false;
        }
        let (low, high) = (figure.estimate.value, other.estimate.value);
        match (statistic, higher) {
            (Statistic::Percentile(low_percent), Statistic::Percentile(high_percent)) => {
                low_percent < high_percent && high < low
            }
            (Statistic::Min, Statistic::Max) => high < low,
            // The mean may have more or fewer digits than min and max.
            (Statistic::Min, Statistic::Mean) | (Statistic::Mean, Statistic::Max) => {
                high + high * ROUNDED + LATENCY_STEP_NS < low
            }
            _ => false,
        }
    };
    let shorter = figures.iter().find(is_shorter)?;
    Some(message!("import-figure.shorter", figure = figure::figure(shorter), other = figure::figure(figure)))
}

/// Checks a rate against amount / time.
fn check_rate(figure: &Figure, figures: &[Figure]) -> Option<Message> {
    let (amount, step) = match figure.quantity {
        // Reported in whole KiB/s and IOPS or finer.
        Quantity::Bandwidth => (Quantity::Bytes, KIB as f64),
        Quantity::Iops => (Quantity::Ios, 1.0),
        _ => return None,
    };
    let amount = value(figures, figure.direction, amount)?;
    let runtime_ns = value(figures, figure.direction, Quantity::Runtime)?;
    let computed = amount / (runtime_ns / NS_PER_S as f64);
    let reported = figure.estimate.value;
    if runtime_ns < RUNTIME_NS_MIN || (reported - computed).abs() <= step + ROUNDED * reported.max(computed) {
        return None;
    }
    let parameter = |rate: f64| match figure.quantity.unit() {
        Unit::BytesPerSecond => Parameter::bytes_per_s(rate),
        _ => Parameter::iops(rate),
    };
    Some(message!(
        "import-figure.not-rate",
        figure = figure::figure(figure),
        found = parameter(reported),
        runtime = Parameter::DurationNs(runtime_ns as u64),
        expected = parameter(computed)
    ))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::method::Method;

    use super::*;

    fn contradiction_in(figures: &[(&str, f64)]) -> Option<Message> {
        contradiction(&test(figures, Method::default()))
    }

    fn test(figures: &[(&str, f64)], method: Method) -> ImportedTest {
        let read = Some(Direction::Read);
        let figure = |&(name, value): &(&str, f64)| Figure::bare(read, name.parse().unwrap(), value, 0);
        let mut test = ImportedTest::new("a", Message::verbatim("a"), method);
        test.imported.figures = figures.iter().map(figure).collect();
        test
    }

    #[test]
    fn bandwidth_matches_iops_and_block_size() {
        let found_in = |iops: f64, bytes_per_s: f64| {
            let method = Method { block_bytes: Some(4_096), ..Method::default() };
            contradiction(&test(&[("bandwidth", bytes_per_s), ("iops", iops)], method))
        };
        for (iops, bytes_per_s) in
            [(3_786.0, 14.8e6 * 1.048_576), (0.0, 2_048.0), (178.0, 715e3), (178.0, 500e3), (0.0, 0.0)]
        {
            assert_eq!(found_in(iops, bytes_per_s), None, "{iops} {bytes_per_s}");
        }
        for (iops, bytes_per_s) in [(3.786e6, 15e6), (3_786.0, 15e9), (37.0, 15e6), (3_786.0, 15e3)] {
            let found = found_in(iops, bytes_per_s).unwrap();
            assert_eq!(found.id(), "import-figure.not-ios", "{iops} {bytes_per_s}");
            assert_eq!(found.parameter("block"), Some(&Parameter::Bytes(4_096)));
        }
    }

    #[test]
    fn latencies_are_in_order() {
        type Figures<'a> = &'a [(&'a str, f64)];
        let cases: [(Figures, Option<&str>); 7] = [
            (&[("completion_p99", 9e6), ("completion_p50", 1e6), ("completion_p99.9", 9e6)], None),
            (
                &[("completion_p99", 9e5), ("completion_p50", 1e6)],
                Some(
                    "import-figure.shorter(figure=figure.of(direction=direction.read, figure=figure.completion(statistic=statistic.percentile(percent=99))),",
                ),
            ),
            (&[("latency_min", 9e5), ("latency_max", 1e5)], Some("import-figure.shorter(")),
            // All took about the same time: the rounded mean is outside min..max.
            (&[("latency_min", 1e4), ("latency_mean", 9.4e3), ("latency_max", 1e4)], None),
            (&[("latency_mean", 92e6), ("latency_max", 8e6)], Some("import-figure.shorter(")),
            (&[("latency_min", 92e6), ("latency_mean", 8e6)], Some("import-figure.shorter(")),
            // Another kind of latency.
            (&[("latency_mean", 92e6), ("completion_max", 8e6)], None),
        ];
        for (figures, expected) in cases {
            let reported = contradiction_in(figures);
            assert_eq!(reported.is_some(), expected.is_some(), "{figures:?}: {reported:?}");
            let reported = reported.map_or_else(String::new, |reported| reported.to_string());
            assert!(reported.contains(expected.unwrap_or_default()), "{figures:?}: {reported}");
        }
    }

    #[test]
    fn rates_match_amount_and_time() {
        for (name, reported, amount_name, amount, runtime_ns, expected) in [
            ("iops", 10_805.0, "ios", 21_621.0, 2.001e9, None),
            (
                "iops",
                108_051.0,
                "ios",
                21_621.0,
                2.001e9,
                Some("import-figure.not-rate(expected=Iops(Real(10805."),
            ),
            ("bandwidth", 3e6, "bytes", 3.1e6, 1e9, None),
            ("bandwidth", 3e9, "bytes", 3e6, 1e9, Some("import-figure.not-rate(")),
            // Reported in whole numbers.
            ("iops", 0.0, "ios", 15.0, 30e9, None),
            // I/Os in flight at the end are a large part of a short test.
            ("iops", 1_000.0, "ios", 15.0, 10e6, None),
        ] {
            let found = contradiction_in(&[(name, reported), (amount_name, amount), ("runtime", runtime_ns)]);
            assert_eq!(found.is_some(), expected.is_some(), "{name} {reported}: {found:?}");
            let found = found.map_or_else(String::new, |found| found.to_string());
            assert!(found.contains(expected.unwrap_or_default()), "{found}");
        }
        assert_eq!(contradiction_in(&[("iops", 5.0), ("ios", 1e6)]), None, "run time unknown");
    }
}
