//! What real applications did, in their users' units.

use cardiograph_core::Estimate;
use cardiograph_core::app::{AppPart, AppResult, CamerasOutcome, Operation};
use cardiograph_core::figures::{LatencyFigures, PERCENTILES};
use cardiograph_core::report::Step;
use cardiograph_core::units;

use super::layout::{FIGURE_COLUMNS, Page, pad_start, plain};
use super::words::interval;

/// How many operations a second, as their users say it: `240 commits/s`. What cameras record is counted in bytes.
pub fn app_rate(operation: Operation, per_second: f64, bytes_per_s: f64) -> String {
    match operation {
        Operation::Second => units::bandwidth_si(bytes_per_s),
        counted => format!("{} {}s/s", units::number(per_second), counted.name()),
    }
}

fn rate(part: &AppPart) -> String {
    app_rate(part.operation, part.operations_per_s().value, part.bandwidth_bytes_per_s().value)
}

/// What an application did, behind its step's title: `240 commits/s  longest pause 380 ms`.
pub(super) fn line(step: &Step, app: &AppResult) -> String {
    let parts: Vec<&AppPart> = app.parts.iter().filter(|part| part.operations > 0).collect();
    match parts.as_slice() {
        [] => "nothing was done".to_string(),
        [one] => {
            let rate = pad_start(&rate(one), FIGURE_COLUMNS);
            let told = match (one.operation, step.cameras(one)) {
                (Operation::Second, Some(CamerasOutcome::Late)) => "not in time".to_string(),
                (Operation::Second, Some(CamerasOutcome::Behind { share })) => {
                    format!("{:.0} % of what was due", (share * 100.0).floor())
                }
                (Operation::Second, _) => format!("latest {}", units::duration(one.latency.max_ns())),
                _ => format!("pause {}", units::duration(one.longest_pause_ns)),
            };
            format!("{rate}  {told}")
        }
        many => {
            let rates = many.iter().map(|part| format!("{} {}", plain(&part.id), rate(part)));
            rates.collect::<Vec<_>>().join(", ")
        }
    }
}

/// All figures of an application.
pub(super) fn write(page: &mut Page, app: &AppResult) {
    for part in &app.parts {
        page.gap();
        let operations = format!("{} {}s", units::count(part.operations), part.operation.name());
        let (bytes, duration) = (units::bytes(part.bytes), units::duration(part.duration_ns));
        let done = format!("{operations}, {bytes} of the user's in {duration}");
        page.detail(&plain(&part.id), &done);
        let rates = part.operations_per_s();
        let per_second = |value: f64| format!("{}/s", units::number(value));
        page.detail("rate", &format!("{}{}", per_second(rates.value), interval(&rates, per_second)));
        let speed: Estimate = part.bandwidth_bytes_per_s();
        let told = units::bandwidth_si(speed.value);
        page.detail("bandwidth", &format!("{told}{}", interval(&speed, units::bandwidth_si)));
        page.detail("longest pause", &units::duration(part.longest_pause_ns));
        if part.late > 0 {
            page.detail("too late", &units::count(part.late));
        }
        if let Some(figures) = LatencyFigures::of(&part.latency) {
            write_latency(page, part.operation, &figures);
        }
    }
    if let Some(library) = &app.library {
        page.detail("library", &plain(library));
    }
}

fn write_latency(page: &mut Page, operation: Operation, figures: &LatencyFigures) {
    let percentile = |percentile: f64| {
        let value = figures.percentile_ns(percentile).map_or(units::NO_FIGURE.to_string(), units::duration);
        format!("p{percentile} {value}")
    };
    let percentiles: Vec<String> = PERCENTILES.into_iter().map(percentile).collect();
    let (mean, max) = (units::duration_f64(figures.mean_ns), units::duration(figures.max_ns));
    let each = format!("each {}", operation.name());
    page.detail(&each, &format!("mean {mean}, {}, max {max}", percentiles.join(", ")));
}

#[cfg(test)]
mod tests {
    use cardiograph_core::app::{AppSpec, PartRecorder};
    use cardiograph_core::report::Work;
    use cardiograph_core::{Direction, NS_PER_MS};

    use super::super::layout::Style;
    use super::*;

    fn part(id: &str, operation: Operation, each_ms: u64, count: u64, late: bool) -> AppPart {
        let mut recorder = PartRecorder::new(id, operation, Direction::Write, 100 * NS_PER_MS);
        for number in 1..=count {
            recorder.done(number * each_ms * NS_PER_MS, each_ms * NS_PER_MS, 1_000_000);
        }
        if late {
            recorder.done_late((count + 1) * each_ms * NS_PER_MS, 4_500 * NS_PER_MS, 1_000_000);
        }
        recorder.end(count * each_ms * NS_PER_MS);
        recorder.into_part()
    }

    #[test]
    fn a_step_is_told_in_its_users_units() {
        let app = |parts| AppResult { library: None, parts, pauses: Vec::new() };
        let cases = [
            (app(vec![part("commits", Operation::Commit, 4, 100, false)]), " 250 commits/s  pause 4.00 ms"),
            (
                app(vec![
                    part("unpack", Operation::File, 5, 100, false),
                    part("read", Operation::File, 1, 100, false),
                ]),
                "unpack 200 files/s, read 1,000 files/s",
            ),
            (app(vec![part("record", Operation::Second, 100, 100, false)]), "     10.0 MB/s  latest 100 ms"),
            (app(vec![part("record", Operation::Second, 100, 99, true)]), "     10.0 MB/s  not in time"),
            (
                app(vec![part("record", Operation::Second, 100, 80, false)]),
                "     10.0 MB/s  72 % of what was due",
            ),
            (app(vec![part("lines", Operation::Line, 5, 0, false)]), "nothing was done"),
        ];
        // 111 seconds of video are due.
        let mut step = crate::samples::card().steps.remove(0).step;
        step.work = Work::App(AppSpec::new("cameras").set("cameras", 1));
        step.time_ns_max = Some(112 * cardiograph_core::NS_PER_S);
        for (app, expected) in cases {
            assert_eq!(line(&step, &app), expected);
        }
    }

    #[test]
    fn all_figures_are_in_the_details_and_fit() {
        let app = AppResult {
            library: Some("SQLite 3.54.1".to_string()),
            parts: vec![part("record", Operation::Second, 100, 99, true)],
            pauses: Vec::new(),
        };
        for width in [50, 80] {
            let style = Style { width, color: false };
            let mut page = Page::new(&style);
            write(&mut page, &app);
            let text = page.into_text();
            for expected in
                ["100 seconds", "longest pause", "too late", "each second", "p99.9", "SQLite 3.54.1"]
            {
                assert!(text.contains(expected), "{expected}: {text}");
            }
            assert!(text.lines().all(|line| super::super::layout::width(line) <= width), "{text}");
        }
    }
}
