//! Several tries of one test: which steps they are, which of them count, and their combination.
//!
//! A test has the means of its tries ([`together`]). A purpose is judged by the worst ([`worst`]): a
//! requirement must be met each time. They belong to one run: their spread shows the precision of this run's
//! value, and not the variation between runs.

use cardiograph_core::estimate::Estimate;
use cardiograph_core::imported::Figure;
use cardiograph_core::method::{OF_SEVERAL, TOOL};
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::{StepOutcome, StepResult};

use super::{TestFigures, TestLatency};

/// Results of all tries of the test `id`, in order.
pub fn find<'a>(done: &'a [StepResult], id: &str) -> Vec<&'a StepResult> {
    done.iter().filter(|step| step.step.test_id() == id).collect()
}

/// The tries of the test `id` that count.
pub fn counted<'a>(done: &'a [StepResult], id: &str) -> Vec<&'a StepResult> {
    find(done, id).into_iter().filter(|step| counts(done, step)).collect()
}

/// Whether a step among `done` counts: tries that did not end as planned count only if no other did.
pub fn counts(done: &[StepResult], step: &StepResult) -> bool {
    let ended = |step: &StepResult| step.outcome == StepOutcome::Done;
    ended(step) || step.step.try_of.is_none() || !find(done, step.step.test_id()).into_iter().any(ended)
}

/// The worst of several tries; `None` if there is none.
pub fn worst<T: Copy>(tries: &[(T, Estimate)], more_is_better: bool) -> Option<(T, Estimate)> {
    let by_value = |a: &&(T, Estimate), b: &&(T, Estimate)| a.1.value.total_cmp(&b.1.value);
    let found = if more_is_better { tries.iter().min_by(by_value) } else { tries.iter().max_by(by_value) };
    found.copied()
}

/// The tests of a run, with the tries of each test merged in place of the first, as means.
pub fn together(tests: Vec<TestFigures>) -> Vec<TestFigures> {
    let mut groups: Vec<Vec<TestFigures>> = Vec::with_capacity(tests.len());
    for test in tests {
        let is_try = test.method.tool == TOOL && test.method.others.contains_key(OF_SEVERAL);
        let is_it =
            |known: &&mut Vec<TestFigures>| known[0].test == test.test && known[0].method == test.method;
        match is_try.then(|| groups.iter_mut().find(is_it)).flatten() {
            Some(tries) => tries.push(test),
            None => groups.push(vec![test]),
        }
    }
    groups.into_iter().map(mean).collect()
}

fn mean(mut tries: Vec<TestFigures>) -> TestFigures {
    let mut test = tries.remove(0);
    let is_ours = test.method.tool == TOOL;
    if let Some(note) = test.method.others.get_mut(OF_SEVERAL).filter(|_| is_ours) {
        // An interrupted checkup has fewer. A test that may end early has its own title.
        let has_count = note.strip_prefix("mean of ").is_some_and(|count| count.parse::<usize>().is_ok());
        if has_count {
            *note = format!("mean of {}", tries.len() + 1);
        }
    }
    if !tries.is_empty() {
        test.figures = test.figures.iter().filter_map(|first| merge(first, &tries)).collect();
        let others = tries.iter().flat_map(|other| &other.latencies);
        for other in others {
            let is_it =
                |known: &&mut TestLatency| (known.direction, known.kind) == (other.direction, other.kind);
            test.latencies
                .iter_mut()
                .find(is_it)
                .into_iter()
                .for_each(|known| known.latency.merge(&other.latency));
        }
    }
    test
}

/// A figure of all tries; `None` if one of them lacks it.
fn merge(first: &Figure, others: &[TestFigures]) -> Option<Figure> {
    let others = others.iter().map(|test| test.figure(first.direction, first.quantity));
    let all: Vec<&Figure> = std::iter::once(Some(first)).chain(others).collect::<Option<_>>()?;
    if all.iter().any(|figure| figure.window_ns != first.window_ns) {
        return None;
    }
    let estimates: Vec<Estimate> = all.iter().map(|figure| figure.estimate).collect();
    let doubt = all.iter().find_map(|figure| figure.doubt.clone());
    Some(Figure { estimate: estimate(first.quantity, &estimates), doubt, ..first.clone() })
}

fn estimate(quantity: Quantity, all: &[Estimate]) -> Estimate {
    let values: Vec<f64> = all.iter().map(|estimate| estimate.value).collect();
    let n = all.iter().fold(0_u64, |sum, estimate| sum.saturating_add(estimate.n));
    let statistic = match quantity {
        Quantity::Latency(_, statistic)
        | Quantity::WindowBandwidth(statistic)
        | Quantity::WindowIops(statistic) => statistic,
        // Amount and duration are totals.
        Quantity::Bytes | Quantity::Ios | Quantity::Runtime => return Estimate::exact(values.iter().sum()),
        Quantity::LongestStall => Statistic::Max,
        Quantity::Bandwidth | Quantity::Iops => Statistic::Mean,
    };
    match statistic {
        Statistic::Min => Estimate::bare(values.iter().copied().fold(f64::INFINITY, f64::min), n),
        Statistic::Max => Estimate::bare(values.iter().copied().fold(0.0, f64::max), n),
        Statistic::Mean => Estimate { n, ..Estimate::mean(&values) },
        // Single values have no standard deviation, however many tries there are.
        Statistic::Stdev => {
            let is_of_one = all.iter().all(|estimate| estimate.n == 1);
            Estimate::bare(Estimate::mean(&values).value, if is_of_one { 1 } else { n })
        }
        Statistic::Percentile(_) => mean_of_percentiles(all, n),
    }
}

/// The mean of percentiles, each with its own interval: independent intervals narrow when combined.
fn mean_of_percentiles(all: &[Estimate], n: u64) -> Estimate {
    let count = all.len() as f64;
    let value = all.iter().map(|estimate| estimate.value).sum::<f64>() / count;
    let reach = |to: fn(&Estimate) -> Option<f64>| {
        let squares = all.iter().map(|estimate| Some(libm::pow(to(estimate)? - estimate.value, 2.0)));
        Some(libm::sqrt(squares.sum::<Option<f64>>()?) / count)
    };
    Estimate {
        value,
        n,
        n_effective: all.iter().map(|estimate| estimate.n_effective).sum(),
        low: reach(|estimate| estimate.low).map(|reach| (value - reach).max(0.0)),
        high: reach(|estimate| estimate.high).map(|reach| value + reach),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::direction::Direction;
    use cardiograph_core::message::Message;
    use cardiograph_core::method::Method;
    use cardiograph_core::report::{Step, TryOf, Work};

    use super::*;
    use cardiograph_core::Doubt;

    const READ: Option<Direction> = Some(Direction::Read);

    fn a_try(id: &str, note: &str, figures: &[(&str, f64)]) -> TestFigures {
        let figure = |(name, value): &(&str, f64)| {
            let mut figure = Figure::bare(READ, name.parse().unwrap(), *value, 100);
            figure.estimate.low = Some(value - 3.0);
            figure.estimate.high = Some(value + 4.0);
            figure
        };
        let mut method = Method { tool: TOOL.to_string(), ..Method::default() };
        method.others.insert(OF_SEVERAL.to_string(), note.to_string());
        let figures = figures.iter().map(figure).collect();
        TestFigures {
            test: id.to_string(),
            title: Message::verbatim(id),
            method,
            figures,
            latencies: Vec::new(),
        }
    }

    #[test]
    fn tries_are_merged_into_one_test() {
        for (name, values, expected, is_known) in [
            ("bandwidth", [10.0, 20.0, 30.0], 20.0, true),
            ("iops", [10.0, 20.0, 30.0], 20.0, true),
            ("latency_mean", [10.0, 20.0, 30.0], 20.0, true),
            ("latency_min", [10.0, 20.0, 30.0], 10.0, false),
            ("latency_max", [10.0, 30.0, 20.0], 30.0, false),
            ("longest_stall", [10.0, 30.0, 20.0], 30.0, false),
            ("latency_stdev", [10.0, 20.0, 30.0], 20.0, false),
            ("latency_p99", [10.0, 20.0, 30.0], 20.0, true),
            ("bytes", [10.0, 20.0, 30.0], 60.0, true),
            ("runtime", [10.0, 20.0, 30.0], 60.0, true),
        ] {
            let tries = values.map(|value| a_try("read", "mean of 3", &[(name, value)]));
            let [one, two, three] = tries;
            let other = a_try("write", "mean of 3", &[(name, 1.0)]);
            // Complete runs of all tests in sequence stay separate.
            let all = together(vec![one, other, two, three]);
            let ids: Vec<&str> = all.iter().map(|test| test.test.as_str()).collect();
            assert_eq!(ids, ["read", "write"]);
            let estimate = all[0].figures[0].estimate;
            assert_eq!((estimate.value, estimate.low.is_some()), (expected, is_known), "{name}");
            assert_eq!(all[1].figures[0].estimate.value, 1.0);
        }
    }

    #[test]
    fn the_interval_of_a_mean_comes_from_the_tries() {
        let tries =
            |name| [10.0, 20.0, 30.0].map(|value| a_try("read", "mean of 3", &[(name, value)])).to_vec();
        let merged = |name| together(tries(name)).remove(0).figures.remove(0).estimate;
        // From the spread of the tries: Student's t with two degrees of freedom times 10 divided by the root
        // of 3.
        let mean = merged("bandwidth");
        assert!((mean.high.unwrap() - mean.value - 4.3027 * 10.0 / libm::sqrt(3.0)).abs() < 0.01, "{mean:?}");
        assert_eq!((mean.n, mean.n_effective), (300, 3.0));
        // From the tries' own intervals.
        let percentile = merged("latency_p99");
        assert!((percentile.value - percentile.low.unwrap() - 3.0 / libm::sqrt(3.0)).abs() < 1e-9);
        assert!((percentile.high.unwrap() - percentile.value - 4.0 / libm::sqrt(3.0)).abs() < 1e-9);
    }

    #[test]
    fn interrupted_tries_count_only_if_no_other_does() {
        let a_try = |nth: usize, outcome: StepOutcome| {
            let mut step = Step::measuring(
                &format!("read-{nth}"),
                cardiograph_core::Message::verbatim("Read"),
                Work::default(),
            );
            let (test, title) = ("read".to_string(), Message::verbatim("Read"));
            step.try_of = Some(TryOf { test, title, tries: 3, ends_early: false });
            StepResult::new(step, outcome)
        };
        let cut = || StepOutcome::Interrupted;
        let other = StepResult::new(
            Step::measuring("write", cardiograph_core::Message::verbatim("Write"), Work::default()),
            cut(),
        );
        for (outcomes, expected) in [
            (vec![StepOutcome::Done, StepOutcome::Done], &["read-0", "read-1"][..]),
            (vec![StepOutcome::Done, cut()], &["read-0"]),
            (vec![cut(), StepOutcome::Done], &["read-1"]),
            (vec![cut(), cut()], &["read-0", "read-1"]),
        ] {
            let mut done: Vec<StepResult> =
                outcomes.into_iter().enumerate().map(|(nth, outcome)| a_try(nth, outcome)).collect();
            done.push(other.clone());
            let ids: Vec<&str> = counted(&done, "read").iter().map(|step| step.step.id.as_str()).collect();
            assert_eq!(ids, expected);
            assert!(counts(&done, &other) && find(&done, "read").len() == 2);
        }
    }

    #[test]
    fn a_missing_or_doubtful_figure_of_one_try_affects_the_test() {
        let both = &[("iops", 1.0), ("latency_p99.9", 1.0)][..];
        let mut doubted = a_try("read", "mean of 3", &[("iops", 3.0)]);
        doubted.figures[0].doubt = Some(Doubt::PageCache);
        let all = together(vec![a_try("read", "mean of 3", both), doubted]);
        let [test] = &all[..] else { panic!("{all:?}") };
        let [iops] = &test.figures[..] else { panic!("{test:?}") };
        assert_eq!((iops.estimate.value, iops.doubt.clone()), (2.0, Some(Doubt::PageCache)));
    }

    #[test]
    fn the_method_names_the_number_of_tries() {
        for (note, tries, expected) in [
            ("mean of 5", 5, "mean of 5"),
            ("mean of 5", 2, "mean of 2"),
            ("mean of up to 3", 1, "mean of up to 3"),
        ] {
            let all = together(vec![a_try("read", note, &[("iops", 1.0)]); tries]);
            assert_eq!(all.len(), 1);
            assert_eq!(all[0].method.others[OF_SEVERAL], expected);
        }
        // Another program's tries are left as they are.
        let mut imported = a_try("read", "best of 5", &[("iops", 1.0)]);
        imported.method.tool = "CrystalDiskMark".to_string();
        let two = vec![imported.clone(), imported];
        assert_eq!(together(two.clone()), two);
    }
}
