//! Ranks a drive among published results.
//!
//! Only results measured the same way are ranked. Similarly measured ones ([`Likeness::Near`]) are listed separately,
//! with the differences.

use cardiograph_core::direction::Direction;
use cardiograph_core::method::{CLAIM, Likeness, Method};
use cardiograph_core::published::{Other, Ranking, Standing};
use cardiograph_core::quantity::{Better, LatencyKind, Quantity, Statistic};
use cardiograph_core::stats::mean;
use cardiograph_core::words::method::is_quoted_by_speed;
use cardiograph_judge::record::{RunFigures, TestFigures};

use super::{FIGURES, SUITE, reports};

/// The tail of sync latencies, which rates do not show.
const SYNC_TAIL: Quantity = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(99.0));

/// Ranks the drive of these runs: a Standing for each deciding figure that was published, too. Doubtful figures are
/// left out on both sides.
pub fn standings(drive: &str, runs: &[RunFigures]) -> Vec<Standing> {
    let mut tests: Vec<(&TestFigures, Vec<&TestFigures>)> = Vec::new();
    for test in runs.iter().flat_map(|run| &run.tests) {
        let is_it = |known: &TestFigures| {
            known.test == test.test && known.method.likeness(&test.method) == Likeness::Same
        };
        match tests.iter_mut().find(|(known, _)| is_it(known)) {
            Some((_, all)) => all.push(test),
            None => tests.push((test, vec![test])),
        }
    }
    let of_test = |(test, all): &(&TestFigures, Vec<&TestFigures>)| {
        let standing = |(direction, quantity)| {
            let values: Vec<f64> = all.iter().filter_map(|one| value(one, direction, quantity)).collect();
            (!values.is_empty()).then(|| Standing {
                drive: drive.to_string(),
                test: test.test.clone(),
                title: test.title.clone(),
                method: test.method.clone(),
                direction,
                quantity,
                value: mean(&values),
                runs: values.len(),
                same: Ranking::default(),
                near: Ranking::default(),
            })
        };
        deciding(&test.method).into_iter().filter_map(standing).collect::<Vec<_>>()
    };
    let mut found: Vec<Standing> = tests.iter().flat_map(of_test).collect();
    found.iter_mut().for_each(rank);
    found.retain(|standing| !standing.same.others.is_empty() || !standing.near.others.is_empty());
    found
}

/// The figures by which drives are chosen: the rate of each direction, as bandwidth or IOPS depending on the block
/// size, and the tail of syncs.
fn deciding(method: &Method) -> Vec<(Direction, Quantity)> {
    let speed = if is_quoted_by_speed(method) { Quantity::Bandwidth } else { Quantity::Iops };
    Direction::DATA
        .iter()
        .map(|&direction| (direction, speed))
        .chain([(Direction::Sync, SYNC_TAIL)])
        .collect()
}

/// The value, if it can be trusted.
fn value(test: &TestFigures, direction: Direction, quantity: Quantity) -> Option<f64> {
    let figure = test.reported_or_derived(Some(direction), quantity).filter(|figure| figure.is_believed())?;
    Some(figure.estimate.value).filter(|value| *value > 0.0)
}

fn rank(standing: &mut Standing) {
    let (mut same, mut near) = (Vec::new(), Vec::new());
    for (report, figures) in reports().iter().zip(FIGURES.iter()) {
        for test in figures.tests.iter().filter(|test| test.method.tool != CLAIM) {
            let differences = match standing.method.likeness(&test.method) {
                Likeness::Same => Vec::new(),
                Likeness::Near { differences } => differences,
                Likeness::Other => continue,
            };
            let Some(value) = value(test, standing.direction, standing.quantity) else { continue };
            let list = if differences.is_empty() { &mut same } else { &mut near };
            list.push(Other {
                source: source_name(&report.id),
                drive: report.label.clone().unwrap_or_default(),
                tags: report.tags.clone(),
                test: test.test.clone(),
                tool: test.method.tool.clone(),
                value,
                differences,
            });
        }
    }
    standing.same = ranking(standing, same);
    standing.near = ranking(standing, near);
}

fn ranking(standing: &Standing, mut others: Vec<Other>) -> Ranking {
    let is_less = standing.quantity.better() == Better::Less;
    let in_order = |one: f64, two: f64| if is_less { one.total_cmp(&two) } else { two.total_cmp(&one) };
    others.sort_by(|one, two| in_order(one.value, two.value));
    let better = others.iter().filter(|other| in_order(other.value, standing.value).is_lt()).count();
    Ranking { rank: better + 1, of: others.len() + 1, others }
}

/// The name of a source, from the id of one of its Reports (`published-NAME-01`).
fn source_name(id: &str) -> String {
    let name = id.strip_prefix(SUITE).and_then(|rest| rest.strip_prefix('-')).unwrap_or(id);
    name.rsplit_once('-').map_or(name, |(name, _)| name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(label: &str) -> Vec<RunFigures> {
        let is_it = |report: &&cardiograph_core::Report| report.label.as_deref() == Some(label);
        reports().iter().filter(is_it).map(RunFigures::from_report).collect()
    }

    /// The figures of the article's card, each multiplied.
    fn card(factor: f64) -> Vec<RunFigures> {
        let mut runs = published("SanDisk Ultra 64GB");
        let figures = runs.iter_mut().flat_map(|run| &mut run.tests).flat_map(|test| &mut test.figures);
        figures.for_each(|figure| figure.estimate.value *= factor);
        runs
    }

    fn find<'s>(all: &'s [Standing], test: &str, direction: Direction) -> &'s Standing {
        all.iter().find(|one| one.test == test && one.direction == direction).unwrap()
    }

    #[test]
    fn drives_are_ranked_in_both_lists() {
        // Higher is better for rates, lower for latencies.
        for (factor, speed, tail) in [(0.1, 3, 1), (1.0, 2, 2), (1.2, 2, 3), (10.0, 1, 3)] {
            let all = standings("mine", &card(factor));
            let random = find(&all, "random-read", Direction::Read);
            assert_eq!((random.same.rank, random.same.of), (speed, 3), "{factor}");
            let syncs = find(&all, "fsync", Direction::Sync);
            assert_eq!((syncs.same.rank, syncs.same.of), (tail, 3), "{factor}");
        }
    }

    #[test]
    fn similar_results_are_listed_separately() {
        let all = standings("mine", &card(1.0));
        let random = find(&all, "random-read", Direction::Read);
        assert!(random.same.others.iter().all(|other| other.source == "microsd-vs-ssd"));
        let sources: Vec<&str> = random.near.others.iter().map(|other| other.source.as_str()).collect();
        assert!(sources.contains(&"dramble-cards") && sources.contains(&"iot-cards"), "{sources:?}");
        // QD64 is not similar, and a table in KiB/s is compared in IOPS.
        assert!(!sources.contains(&"server-ssds"), "{sources:?}");
        for other in &random.near.others {
            assert!((1..=3).contains(&other.differences.len()), "{other:?}");
            assert!(other.value < 20_000.0, "{other:?}");
        }
        assert!(random.near.others.is_sorted_by(|one, two| one.value >= two.value));
    }

    #[test]
    fn makers_claims_are_not_ranked() {
        let is_claim = |report: &cardiograph_core::Report| {
            RunFigures::from_report(report).tests.iter().any(|test| test.method.tool == CLAIM)
        };
        assert!(reports().iter().any(is_claim));
        let all = standings("mine", &card(1.0));
        let mut others = all.iter().flat_map(|one| one.same.others.iter().chain(&one.near.others));
        assert!(others.all(|other| other.source != "pi-card-claims"));
        // Nor are claims ranked among each other.
        assert!(
            standings("claimed", &published("Raspberry Pi card"))
                .iter()
                .all(|one| one.same.others.is_empty())
        );
    }

    #[test]
    fn runs_are_averaged_and_doubtful_figures_skipped() {
        let two = [card(1.0), card(3.0)].concat();
        let all = standings("mine", &two);
        let random = find(&all, "random-read", Direction::Read);
        assert_eq!(random.runs, 2);
        assert!((random.value / (2.0 * 3_786.0) - 1.0).abs() < 0.01, "{}", random.value);
        let mut doubted = card(1.0);
        let figures = doubted.iter_mut().flat_map(|run| &mut run.tests).flat_map(|test| &mut test.figures);
        figures.for_each(|figure| figure.doubt = Some(cardiograph_core::Doubt::PageCache));
        assert!(standings("mine", &doubted).is_empty());
        // Nor is a published figure that was cached.
        let raid = published("OCZ VERTEX 3");
        let writes = standings("mine", &raid);
        let large = writes.iter().filter(|one| one.test == "write-32m");
        assert!(
            large
                .flat_map(|one| &one.same.others)
                .all(|other| { other.tags.get("write_policy").is_none_or(|policy| policy != "write back") })
        );
    }
}
