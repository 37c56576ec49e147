//! A Report has the same figures, gaps and reasons in every form.

use std::collections::BTreeSet;

use cardiograph_core::counters::{CounterCheck, CounterOutcome};
use cardiograph_core::drive::Mount;
use cardiograph_core::imported::Figure;
use cardiograph_core::pause::{Pause, PauseCause};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::report::{ReportState, StepOutcome, StepResult, StepRole};
use cardiograph_core::trust::Standing;
use cardiograph_core::{Direction, Doubt, Message, Report, json, units};
use cardiograph_import::shelf;
use cardiograph_judge::compare::{Group, compare};
use cardiograph_judge::doubt::settle;
use cardiograph_judge::record::{RunFigures, Shown, TestFigures};
use cardiograph_render::lang::Lang;
use cardiograph_render::plot::{self, Kind, View};
use cardiograph_render::{compare as compared, csv, html, markdown, text};

use crate::common::fio::{PLAIN, json_of};
use crate::common::{Bench, flat, simulated};

/// Wide enough for all columns and whole names.
const WIDE: text::Style = text::Style { width: 220, color: false };

type Spoil = fn(&mut Report, usize);
type Words = fn(f64) -> String;

/// A speed as the bare number of MB/s.
fn mb_per_s(bytes_per_s: f64) -> String {
    units::number(bytes_per_s / 1e6)
}

/// Causes of doubt, each with its change to a step.
const SPOILERS: [(&str, Spoil); 7] = [
    ("interrupted", |report, at| report.steps[at].outcome = StepOutcome::Interrupted),
    ("failed", |report, at| {
        report.steps[at].outcome = StepOutcome::Failed { message: Message::verbatim("read at 0: EIO") };
    }),
    ("contradicted", |report, at| {
        let check = |direction| CounterCheck {
            direction,
            asked_bytes: 1_000,
            counted_bytes: 7,
            share: 0.007,
            outcome: CounterOutcome::Contradicts,
        };
        report.steps[at].counter_checks = [Direction::Read, Direction::Write].map(check).into();
    }),
    ("above the link", |report, at| {
        let standing = |direction| Standing {
            direction,
            reached_device: Some(false),
            durable: None,
            steady: None,
            throttled: None,
            link_limited: None,
            harness_limited: None,
        };
        report.steps[at].standings = [Direction::Read, Direction::Write].map(standing).into();
    }),
    ("paused", |report, at| {
        let pause = Pause { begin_ns: 1_000, duration_ns: 780_000_000, cause: PauseCause::Stopped };
        match &mut report.steps[at] {
            StepResult { result: Some(result), .. } => result.pauses = vec![pause],
            StepResult { app: Some(app), .. } => app.pauses = vec![pause],
            other => panic!("{} measured nothing", other.step.id),
        }
    }),
    ("buffered", |report, at| {
        report.steps[at].jobs.iter_mut().for_each(|job| job.workload.direct = false);
    }),
    ("in memory", |report, _| {
        report.drive.simulated = false;
        report.drive.mount = Some(Mount { is_memory: true, ..Mount::default() });
    }),
];

/// Several dozen Reports: of this program, good and doubtful, and of other programs.
fn reports() -> Vec<(String, Report)> {
    let mut all = Vec::new();
    for (suite, more) in [("quick", "--max-time 20s"), ("apps", "--set load=photos"), ("yabs", "")] {
        let whole = simulated("sandisk-ultra-64", &format!("--suite {suite} {more}"));
        let measuring = |step: &&StepResult| step.step.role == StepRole::Measure;
        let last = whole.steps.iter().rfind(measuring).expect("a step").step.id.clone();
        let at = whole.steps.iter().position(|step| step.step.id == last).unwrap();
        for (name, spoil) in SPOILERS {
            let mut spoiled = whole.clone();
            spoil(&mut spoiled, at);
            spoiled.state = ReportState::Interrupted;
            let drive = spoiled.drive.clone();
            spoiled.steps.iter_mut().for_each(|step| settle(step, &drive, false));
            all.push((format!("{suite}, {name}"), spoiled));
        }
        all.push((suite.to_string(), whole));
    }
    let named = |report: &Report| (format!("shelf: {}", report.id), report.clone());
    all.extend(shelf::reports().iter().step_by(5).map(named));
    all
}

/// The parts that readers look at first, in the words of the form.
fn quoted(test: &TestFigures, direction: Option<Direction>, speed: Words) -> Vec<String> {
    let has = |kind: &LatencyKind| {
        let is_it = |figure: &&Figure| figure.direction == direction;
        let mut of_it = test.figures.iter().filter(is_it);
        of_it.any(|figure| matches!(figure.quantity, Quantity::Latency(of, Statistic::Percentile(_)) if of == *kind))
    };
    let any = |kind: &LatencyKind| {
        let mut of_it = test.figures.iter().filter(|figure| figure.direction == direction);
        of_it.any(|figure| matches!(figure.quantity, Quantity::Latency(of, _) if of == *kind))
    };
    let kinds = [LatencyKind::Total, LatencyKind::Completion];
    let kind =
        *kinds.iter().find(|kind| has(kind)).or(kinds.iter().find(|kind| any(kind))).unwrap_or(&kinds[0]);
    let latency = |statistic| Quantity::Latency(kind, statistic);
    let quantities: [(Quantity, Words); 7] = [
        (Quantity::Bandwidth, speed),
        (Quantity::Iops, units::number),
        (latency(Statistic::Mean), units::duration_f64),
        (latency(Statistic::Percentile(50.0)), units::duration_f64),
        (latency(Statistic::Percentile(99.0)), units::duration_f64),
        (latency(Statistic::Percentile(99.9)), units::duration_f64),
        (latency(Statistic::Max), units::duration_f64),
    ];
    let cell = |(quantity, words): (Quantity, Words)| match test.shown(direction, quantity) {
        Shown::Value(figure) => Some(words(figure.estimate.value)),
        Shown::Few(figure) => Some(format!("({})", words(figure.estimate.value))),
        Shown::Withheld(_) | Shown::FewSamples => Some(units::NO_FIGURE.to_string()),
        Shown::Missing => None,
    };
    quantities.into_iter().filter_map(cell).collect()
}

/// Each test with each direction that has a rate or a latency.
fn rows(run: &RunFigures) -> Vec<(&TestFigures, Option<Direction>)> {
    let directions = std::iter::once(None).chain(Direction::ALL.map(Some));
    let all = run.tests.iter().flat_map(|test| directions.clone().map(move |direction| (test, direction)));
    all.filter(|(test, direction)| !quoted(test, *direction, mb_per_s).is_empty()).collect()
}

/// Whether a line of a page has the cells in this order.
fn has_row(lines: &[Vec<String>], cells: &[String]) -> bool {
    lines.iter().any(|line| line.windows(cells.len()).any(|window| window == cells))
}

/// The cells of lines of text, separated by two or more spaces.
fn text_cells(page: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_string).collect()
    };
    page.lines().map(cells).collect()
}

fn reason(doubt: &Doubt) -> String {
    Lang::EN.text(&doubt.message())
}

fn reasons(run: &RunFigures) -> BTreeSet<String> {
    run.tests.iter().flat_map(TestFigures::doubts).map(reason).collect()
}

#[test]
fn every_form_has_the_same_figures_gaps_and_reasons() {
    let all = reports();
    assert!(all.len() > 36, "{}", all.len());
    let mut seen = BTreeSet::new();
    for (name, report) in &all {
        let run = RunFigures::from_report(report);
        for reason in reasons(&run) {
            let in_form = |form: &str, page: &str| {
                assert!(flat(page).contains(&flat(&reason)), "{name}: {form} lacks '{reason}':\n{page}");
            };
            let is_told_in_text = report.steps.iter().all(|step| step.app.is_none());
            if is_told_in_text {
                in_form("text", &text::report(report, Lang::EN, &WIDE));
            }
            in_form("Markdown", &markdown::report(report, Lang::EN).replace('\\', ""));
            in_form("HTML", &html_text(&html::report(report, Lang::EN)));
            in_form("CSV", &csv::figures(report).replace("\"\"", "\""));
            seen.insert(reason);
        }
        text_is_the_same(name, report, &run);
        tables_are_the_same(name, report, &run);
        csv_is_the_same(name, report, &run);
        pictures_are_the_same(name, report, &run);
        measurements_are_the_same(name, report, &run);
        comparisons_are_the_same(name, &run);
        let back = json::from_json(json::to_json(report)).expect("a Report");
        assert_eq!(RunFigures::from_report(&back), run, "{name}: JSON");
    }
    store_is_the_same(&all);
    assert!(seen.len() >= SPOILERS.len(), "{seen:?}");
}

/// fio's own forms cannot express doubt: their figures are those of the Report.
#[test]
fn fios_outputs_have_the_figures_of_the_report() {
    let bench = Bench::new();
    bench.file("drive.toml", PLAIN);
    let jobs = "[global]\nioengine=sim\nsim_model=drive.toml\nsize=4M\nbs=4k\n\
                [one]\nrw=randread\n[two]\nrw=randrw\nstonewall\n";
    bench.file("jobs.fio", jobs);
    let report = bench.run("run jobs.fio --no-keep --json").exits_with(0).report();
    let printed = json_of(&bench.run("fio jobs.fio --output-format=json").exits_with(0));
    let run = RunFigures::from_report(&report);
    assert_eq!(run.tests.len(), 2);
    for (test, job) in run.tests.iter().zip(printed["jobs"].as_array().unwrap()) {
        for direction in [Direction::Read, Direction::Write] {
            let of = &job[direction.name()];
            let figure =
                |quantity| test.figure(Some(direction), quantity).map(|figure| figure.estimate.value);
            assert_eq!(figure(Quantity::Ios).unwrap_or(0.0), of["total_ios"].as_f64().unwrap());
            let Some(iops) = figure(Quantity::Iops) else { continue };
            // It counts time in whole milliseconds, and latencies in whole nanoseconds.
            let assert_close = |ours: f64, theirs: f64, share: f64| {
                let is_near = (ours - theirs).abs() <= 1.0 + theirs * share;
                assert!(is_near, "{} {direction:?}: {ours} {theirs}", test.test);
            };
            let share = 1.0 / of["runtime"].as_f64().unwrap();
            assert_close(iops, of["iops"].as_f64().unwrap(), share);
            assert_close(figure(Quantity::Bandwidth).unwrap(), of["bw_bytes"].as_f64().unwrap(), share);
            let latency = |statistic| figure(Quantity::Latency(LatencyKind::Completion, statistic)).unwrap();
            assert_close(latency(Statistic::Mean), of["clat_ns"]["mean"].as_f64().unwrap(), 0.0);
            assert_close(latency(Statistic::Max), of["clat_ns"]["max"].as_f64().unwrap(), 0.0);
            assert_close(
                latency(Statistic::Percentile(50.0)),
                of["clat_ns"]["percentile"]["50.000000"].as_f64().unwrap(),
                // Its buckets are 1/64 wide.
                1.0 / 64.0,
            );
        }
    }
}

/// Applications have separate tables in text.
fn text_is_the_same(name: &str, report: &Report, run: &RunFigures) {
    let page = text::report(report, Lang::EN, &WIDE);
    let lines = text_cells(&page);
    let is_app = |test: &TestFigures| test.test.contains('/');
    for (test, direction) in rows(run).into_iter().filter(|(test, _)| !is_app(test)) {
        let is_one_of_several = report.steps.iter().any(|step| {
            step.step.try_of.as_ref().is_some_and(|of| of.test == test.test) || step.step.id == test.test
        });
        let cells = quoted(test, direction, mb_per_s);
        let has_tries = report.steps.iter().any(|step| step.step.try_of.is_some());
        assert!(is_one_of_several, "{name}: {}", test.test);
        assert!(
            has_tries || has_row(&lines, &cells),
            "{name}: {} {direction:?} {cells:?}\n{page}",
            test.title
        );
    }
}

fn tables_are_the_same(name: &str, report: &Report, run: &RunFigures) {
    let page = markdown::report(report, Lang::EN).replace('\\', "");
    let cells = |line: &str| {
        line.split('|').map(|cell| cell.trim().to_string()).filter(|cell| !cell.is_empty()).collect()
    };
    let in_markdown: Vec<Vec<String>> = page.lines().map(cells).collect();
    let page = html::report(report, Lang::EN);
    let cell = |cell: &str| html_text(&format!("<td{}", cell.split("</td").next().unwrap_or_default()));
    let cells = |row: &str| row.split("<td").skip(1).map(cell).filter(|cell| !cell.is_empty()).collect();
    let in_html: Vec<Vec<String>> = page.split("<tr").map(cells).collect();
    for (test, direction) in rows(run) {
        let cells = quoted(test, direction, mb_per_s);
        let is_in = |lines: &[Vec<String>]| has_row(lines, &cells);
        assert!(is_in(&in_markdown), "{name}: Markdown: {} {direction:?} {cells:?}", test.title);
        assert!(is_in(&in_html), "{name}: HTML: {} {direction:?} {cells:?}", test.title);
    }
}

/// The text of a page, without marks and styles.
fn html_text(page: &str) -> String {
    let mut text = String::new();
    for part in page.split('<') {
        text += part.split_once('>').map_or(part, |(_, text)| text);
        text.push(' ');
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    flat(&text.replace("&amp;", "&")).trim().to_string()
}

fn csv_is_the_same(name: &str, report: &Report, run: &RunFigures) {
    let table = csv::figures(report);
    let mut lines = table.split_terminator("\r\n").skip(1);
    for test in &run.tests {
        for figure in &test.figures {
            let line = lines.next().expect("a line for each figure");
            let Figure { quantity, estimate, doubt, .. } = figure;
            let is_withheld = doubt.as_ref().is_some_and(Doubt::withholds);
            let value = if is_withheld { String::new() } else { estimate.value.to_string() };
            let direction = figure.direction.map(Direction::name).unwrap_or_default();
            let expected = format!(",{direction},{},{value},", quantity.name());
            assert!(line.contains(&expected), "{name}: CSV: {expected} is not in {line}");
        }
    }
    assert_eq!(lines.next(), None, "{name}");
}

/// Bars have each rate of the tables, or say that it is withheld. Series and distributions of withheld figures are not
/// drawn.
fn pictures_are_the_same(name: &str, report: &Report, run: &RunFigures) {
    let view = View { width: 640, lang: Lang::EN };
    if let Some(bars) = plot::draw_report(report, view) {
        for reason in reasons(run) {
            let description = flat(&bars.description);
            assert!(description.contains(&flat(&reason)), "{name}: bars lack '{reason}': {description}");
        }
    }
    for step in report.steps.iter().filter(|step| step.figures.is_some()) {
        let is_all_withheld =
            step.figures.iter().flat_map(|of| &of.directions).all(|of| step.is_withheld(of.direction))
                && step.is_withheld(Direction::Sync);
        if is_all_withheld {
            let drawn = plot::draw_step(Kind::Percentiles, step, view);
            assert!(drawn.is_none(), "{name}: percentiles of {}", step.step.id);
        }
    }
}

/// Each figure that decides a purpose is a figure of a test, with its doubt.
fn measurements_are_the_same(name: &str, report: &Report, run: &RunFigures) {
    for (metric, measured) in &report.measurements {
        let is_of_step = |test: &&TestFigures| test.test.split('/').next() == Some(measured.step.as_str());
        let Some(test) = run.tests.iter().find(is_of_step) else { continue };
        if report.state == ReportState::Finished {
            let doubts = test.doubts();
            let known = measured.doubt.as_ref().is_none_or(|doubt| doubts.contains(&doubt));
            assert!(known, "{name}: {metric:?}: {:?} is none of {doubts:?}", measured.doubt);
        }
    }
}

fn comparisons_are_the_same(name: &str, run: &RunFigures) {
    let group = |name: &str| Group { name: name.to_string(), runs: vec![run.clone()] };
    let comparison = compare(&[group("a"), group("b")], 0, &[]);
    let table = compared::csv::table(&comparison);
    for test in &comparison.tests {
        for metric in &test.metrics {
            for (value, against) in metric.values.iter().zip(&metric.against) {
                let Some(value) = value else { continue };
                let of_run: Vec<&Figure> = run
                    .tests
                    .iter()
                    .filter_map(|test| test.figure(metric.direction, metric.quantity))
                    .filter(|figure| figure.estimate.value == value.estimate.value)
                    .collect();
                // A rate derived from the other is not among them.
                let is_known = of_run.is_empty() || of_run.iter().any(|figure| figure.doubt == value.doubt);
                assert!(is_known, "{name}: {} {}: {:?}", test.title, metric.quantity, value.doubt);
                let Some(doubt) = value.doubt.as_ref().filter(|doubt| doubt.withholds()) else { continue };
                assert!(against.as_ref().is_none_or(|against| against.ratio.is_none()), "{name}: a ratio");
                assert!(
                    table.replace("\"\"", "\"").contains(&reason(doubt)),
                    "{name}: CSV of the comparison"
                );
            }
        }
    }
}

fn store_is_the_same(all: &[(String, Report)]) {
    let bench = Bench::new();
    let store = cardiograph_store::open(&bench.store_file()).unwrap();
    for (name, report) in all {
        let report = Report { id: "20261126T000000Z-0000".to_string(), ..report.clone() };
        store.save(&report).unwrap();
        let kept = store.figures(&[&report.id]).unwrap().remove(0);
        let mut tests = RunFigures::from_report(&report).tests;
        // Distributions are in the Report only.
        tests.iter_mut().for_each(|test| test.latencies.clear());
        assert_eq!(kept.tests, tests, "{name}: the store");
        store.remove(&[&report.id]).unwrap();
    }
}
