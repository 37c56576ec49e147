//! Figures of one test that contradict each other: one of them was damaged, or was read in a unit that it is not in. Formats
//! need no checks of their own for that.

use cardiograph_core::direction::Direction;
use cardiograph_core::imported::Figure;
use cardiograph_core::metric::Unit;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::words::figure;
use cardiograph_core::{KIB, Message, NS_PER_MS, NS_PER_S, Parameter, message};

use super::ImportedTest;

/// By how much what is told with two digits may be off, as a share.
const ROUNDED: f64 = 0.06;
/// Latencies are told in whole microseconds, or better.
const LATENCY_STEP_NS: f64 = 1e3;
/// Of shorter tests, in nanoseconds, programs tell amounts and rates of times that are not the same.
const RUNTIME_NS_MIN: f64 = 100.0 * NS_PER_MS as f64;

/// A unit that was misread makes a figure at least eight times as large, or as small. I/Os may be shorter than was asked for.
const MISREAD: f64 = 2.0;

/// What cannot be in a test's figures, in a sentence.
pub(super) fn contradiction(test: &ImportedTest) -> Option<Message> {
    let figures = &test.imported.figures;
    let check = |figure| order(figure, figures).or_else(|| rate(figure, figures));
    figures.iter().find_map(check).or_else(|| length(test))
}

/// I/Os whose length makes another bandwidth.
fn length(test: &ImportedTest) -> Option<Message> {
    let len_bytes = test.method.block_bytes? as f64;
    Direction::DATA.map(Some).into_iter().chain([None]).find_map(|direction| {
        let value = |quantity| value(&test.imported.figures, direction, quantity);
        let (told, iops) = (value(Quantity::Bandwidth)?, value(Quantity::Iops)?);
        if value(Quantity::Runtime).is_some_and(|ns| ns < RUNTIME_NS_MIN) {
            return None;
        }
        let (least, most) = (iops * len_bytes, (iops + 1.0) * len_bytes);
        let is_near = told * MISREAD + KIB as f64 >= least && told <= most * MISREAD;
        (!is_near).then(|| {
            message!(
                "import-figure.not-ios",
                figure = figure::of_direction(direction, Quantity::Bandwidth),
                found = Parameter::bytes_per_s(told),
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

/// A latency that is longer than one that cannot be shorter: a percentile of fewer I/Os, the longest of all.
fn order(figure: &Figure, figures: &[Figure]) -> Option<Message> {
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
            // A mean is told more exactly, or less, than what it lies between.
            (Statistic::Min, Statistic::Mean) | (Statistic::Mean, Statistic::Max) => {
                high + high * ROUNDED + LATENCY_STEP_NS < low
            }
            _ => false,
        }
    };
    let shorter = figures.iter().find(is_shorter)?;
    Some(message!("import-figure.shorter", figure = figure::figure(shorter), other = figure::figure(figure)))
}

/// A rate that is not the amount over the time.
fn rate(figure: &Figure, figures: &[Figure]) -> Option<Message> {
    let (amount, step) = match figure.quantity {
        // They are told in whole KiB and I/Os per second, or better.
        Quantity::Bandwidth => (Quantity::Bytes, KIB as f64),
        Quantity::Iops => (Quantity::Ios, 1.0),
        _ => return None,
    };
    let amount = value(figures, figure.direction, amount)?;
    let runtime_ns = value(figures, figure.direction, Quantity::Runtime)?;
    let made = amount / (runtime_ns / NS_PER_S as f64);
    let told = figure.estimate.value;
    if runtime_ns < RUNTIME_NS_MIN || (told - made).abs() <= step + ROUNDED * told.max(made) {
        return None;
    }
    let said = |rate: f64| match figure.quantity.unit() {
        Unit::BytesPerSecond => Parameter::bytes_per_s(rate),
        _ => Parameter::iops(rate),
    };
    Some(message!(
        "import-figure.not-rate",
        figure = figure::figure(figure),
        found = said(told),
        runtime = Parameter::DurationNs(runtime_ns as u64),
        expected = said(made)
    ))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::method::Method;

    use super::*;

    fn of(figures: &[(&str, f64)]) -> Option<Message> {
        contradiction(&test(figures, Method::default()))
    }

    fn test(figures: &[(&str, f64)], method: Method) -> ImportedTest {
        let read = Some(Direction::Read);
        let figure = |&(name, value): &(&str, f64)| Figure::bare(read, name.parse().unwrap(), value, 0);
        let mut test = ImportedTest::new("a", "a", method);
        test.imported.figures = figures.iter().map(figure).collect();
        test
    }

    #[test]
    fn bandwidth_is_that_of_the_ios() {
        let of = |iops: f64, bytes_per_s: f64| {
            let method = Method { block_bytes: Some(4_096), ..Method::default() };
            contradiction(&test(&[("bandwidth", bytes_per_s), ("iops", iops)], method))
        };
        for (iops, bytes_per_s) in
            [(3_786.0, 14.8e6 * 1.048_576), (0.0, 2_048.0), (178.0, 715e3), (178.0, 500e3), (0.0, 0.0)]
        {
            assert_eq!(of(iops, bytes_per_s), None, "{iops} {bytes_per_s}");
        }
        for (iops, bytes_per_s) in [(3.786e6, 15e6), (3_786.0, 15e9), (37.0, 15e6), (3_786.0, 15e3)] {
            let found = of(iops, bytes_per_s).unwrap();
            assert_eq!(found.id(), "import-figure.not-ios", "{iops} {bytes_per_s}");
            assert_eq!(found.parameter("block"), Some(&Parameter::Bytes(4_096)));
        }
    }

    #[test]
    fn latencies_are_in_order() {
        type Told<'a> = &'a [(&'a str, f64)];
        let cases: [(Told, Option<&str>); 7] = [
            (&[("completion_p99", 9e6), ("completion_p50", 1e6), ("completion_p99.9", 9e6)], None),
            (
                &[("completion_p99", 9e5), ("completion_p50", 1e6)],
                Some(
                    "import-figure.shorter(figure=figure.of(direction=direction.read, figure=figure.completion(statistic=statistic.percentile(percent=99))),",
                ),
            ),
            (&[("latency_min", 9e5), ("latency_max", 1e5)], Some("import-figure.shorter(")),
            // All took about as long: a rounded mean lies beside.
            (&[("latency_min", 1e4), ("latency_mean", 9.4e3), ("latency_max", 1e4)], None),
            (&[("latency_mean", 92e6), ("latency_max", 8e6)], Some("import-figure.shorter(")),
            (&[("latency_min", 92e6), ("latency_mean", 8e6)], Some("import-figure.shorter(")),
            // Of another kind.
            (&[("latency_mean", 92e6), ("completion_max", 8e6)], None),
        ];
        for (figures, expected) in cases {
            let told = of(figures);
            assert_eq!(told.is_some(), expected.is_some(), "{figures:?}: {told:?}");
            let told = told.map_or_else(String::new, |told| told.to_string());
            assert!(told.contains(expected.unwrap_or_default()), "{figures:?}: {told}");
        }
    }

    #[test]
    fn rates_are_what_was_done_in_the_time() {
        for (name, told, amount_name, amount, runtime_ns, expected) in [
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
            // Told in whole numbers.
            ("iops", 0.0, "ios", 15.0, 30e9, None),
            // What is in flight at its ends is much of a short test.
            ("iops", 1_000.0, "ios", 15.0, 10e6, None),
        ] {
            let found = of(&[(name, told), (amount_name, amount), ("runtime", runtime_ns)]);
            assert_eq!(found.is_some(), expected.is_some(), "{name} {told}: {found:?}");
            let found = found.map_or_else(String::new, |found| found.to_string());
            assert!(found.contains(expected.unwrap_or_default()), "{found}");
        }
        assert_eq!(of(&[("iops", 5.0), ("ios", 1e6)]), None, "no time is told");
    }
}
