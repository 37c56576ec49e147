//! All figures of all steps.

use cardiograph_core::Direction;
use cardiograph_core::figures::{DirectionFigures, LatencyFigures, StepFigures};
use cardiograph_core::pause;
use cardiograph_core::report::{Report, StepResult};
use cardiograph_core::text::unique;
use cardiograph_core::trust::Standing;
use cardiograph_core::units;
use cardiograph_core::words::engine::engine_note;
use cardiograph_core::words::precision;

use super::layout::{DETAIL_COLUMNS, Page, Style, joined, listed, plain, said, width};
use super::words::interval;
use super::{apps, health_change, imported, sustained, traps, verdicts, words};
use crate::lang::Lang;

/// Columns of a figure.
const FIGURE_COLUMNS: usize = 12;

/// Every figure of every step and all that each verdict rests on, for those who want to know. The fio command lines are made to be copied and are not
/// broken.
pub fn details(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    for step in &report.steps {
        page.head(&format!("{} [{}]", said(&step.step.title, Lang::En), plain(&step.step.id)));
        for command in &step.fio_commands {
            page.line(&format!("  {}", plain(command)));
        }
        if let Some(figures) = &step.figures {
            write_figures(&mut page, step, figures);
        }
        if let Some(app) = &step.app {
            apps::write(&mut page, app);
        }
        imported::write_all(&mut page, step);
        write_run(&mut page, step);
    }
    health_change::write(&mut page, report);
    verdicts::write_all(&mut page, &report.verdicts);
    traps::write_all(&mut page, &report.traps);
    page.into_text()
}

fn write_figures(page: &mut Page, step: &StepResult, figures: &StepFigures) {
    for direction in &figures.directions {
        page.gap();
        write_direction(page, step, direction);
        let mut latencies: Vec<(&str, &LatencyFigures)> = Vec::new();
        if !step.is_withheld(direction.direction) {
            if let Some(submission) = &direction.submission {
                latencies.extend([("submission", submission), ("completion", &direction.completion)]);
            }
            latencies.push(("total", &direction.total));
        }
        let is_sync_shown = direction.direction == Direction::Write && !step.is_withheld(Direction::Sync);
        latencies.extend(figures.sync.as_ref().filter(|_| is_sync_shown).map(|sync| ("fsync", sync)));
        write_latencies(page, &latencies);
    }
    page.gap();
    if let Some(cpu) = &figures.cpu_per_io {
        let (user, system) = (units::duration_f64(cpu.user_ns), units::duration_f64(cpu.system_ns));
        page.detail("CPU per I/O", &format!("{user} in the program, {system} in the kernel"));
    }
    if figures.directions.iter().any(|of| step.is_withheld(of.direction)) {
        return;
    }
    page.detail("longest stall", &units::duration(figures.longest_stall_ns));
    if let Some(found) = figures.fall_off.as_ref().and_then(|search| search.found) {
        let [before, after] = [found.before_bytes_per_s, found.after_bytes_per_s].map(units::bandwidth);
        let chance =
            if found.p_value < 1e-4 { "< 0.0001".to_string() } else { format!("{:.4}", found.p_value) };
        let (speeds, bytes) = (units::range(&before, &after), units::bytes(found.after_bytes));
        page.detail("fall-off", &format!("after {bytes}, from {speeds}, p {chance}"));
    }
}

/// What is known of figures, in a line; what is not known is left out.
fn standing_words(standing: &Standing) -> String {
    let word =
        |known: Option<bool>, word: &str| known.map(|is| format!("{}{word}", if is { "" } else { "not " }));
    let reached = standing.reached_device.map(|has| match has {
        true => "reached the drive".to_string(),
        false => "did not reach the drive".to_string(),
    });
    let known = [
        reached,
        word(standing.durable, "durable"),
        word(standing.steady, "steady"),
        word(standing.throttled, "throttled"),
        word(standing.link_limited, "limited by the link"),
        word(standing.harness_limited, "limited by the processors here"),
    ];
    joined(known, ", ").unwrap_or_else(|| "nothing".to_string())
}

fn write_direction(page: &mut Page, step: &StepResult, figures: &DirectionFigures) {
    let (ios, bytes) = (units::count(figures.ios), units::bytes(figures.bytes));
    let amount = format!("{ios} I/Os, {bytes} in {}", units::duration(figures.runtime_ns));
    page.detail(figures.direction.name(), &amount);
    if let Some(doubt) = step.doubt(figures.direction) {
        let what = if doubt.withholds() { "withheld" } else { "in doubt" };
        page.detail(what, &Lang::En.text(&doubt.message()));
    }
    if let Some(standing) = step.standings.iter().find(|standing| standing.direction == figures.direction) {
        page.detail("known of it", &standing_words(standing));
    }
    if figures.short_ios > 0 {
        page.detail("short I/Os", &units::count(figures.short_ios));
    }
    if step.is_withheld(figures.direction) {
        return;
    }
    let speed = &figures.bandwidth_bytes_per_s;
    let both = format!("{} ({})", units::bandwidth(speed.value), units::bandwidth_si(speed.value));
    page.detail("bandwidth", &format!("{both}{}", interval(speed, units::bandwidth)));
    let rate = units::iops(figures.iops.value);
    page.detail("rate", &format!("{rate}{}", interval(&figures.iops, units::iops)));
    if let Some(windows) = &figures.windows {
        let spread = &windows.bandwidth_bytes_per_s;
        let all = [spread.min, spread.max, spread.mean, spread.stdev];
        let [low, high, mean, stdev] = all.map(units::bandwidth);
        let windows = format!("{} of {}", units::count(spread.n), sustained::window(windows.window_ns));
        let range = units::range(&low, &high);
        page.detail("windows", &format!("{windows}: {range}, mean {mean}, deviation {stdev}"));
    }
    if let Some(predictability) = figures.predictability {
        page.detail("predictability", &format!("p99.99 is {} p50", units::times(predictability)));
    }
}

/// One column for each kind of latency, one line for each figure.
fn write_latencies(page: &mut Page, latencies: &[(&str, &LatencyFigures)]) {
    let Some((_, first)) = latencies.first() else { return };
    let mut line = |label: &str, figure: &dyn Fn(&str, &LatencyFigures) -> String| {
        let cell =
            |&(name, figures): &(&str, _)| (figure(name, figures), FIGURE_COLUMNS.max(width(name) + 2));
        let cells: Vec<(String, usize)> = latencies.iter().map(cell).collect();
        page.row(
            "  ",
            (label, DETAIL_COLUMNS),
            cells.iter().map(|(cell, columns)| (cell.as_str(), *columns)),
        );
    };
    line("latency", &|name, _| name.to_string());
    line("  samples", &|_, figures| units::count(figures.n));
    line("  min", &|_, figures| units::duration(figures.min_ns));
    line("  mean", &|_, figures| units::duration_f64(figures.mean_ns));
    line("  deviation", &|_, figures| units::duration_f64(figures.stdev_ns));
    for percentile in first.percentiles.iter().map(|figure| figure.percentile) {
        line(&format!("  p{percentile}"), &|_, figures| {
            figures.percentile_ns(percentile).map_or(units::NO_FIGURE.to_string(), units::duration)
        });
    }
    line("  max", &|_, figures| units::duration(figures.max_ns));
}

fn write_run(page: &mut Page, step: &StepResult) {
    if let Some(bounds) = bounds(step) {
        page.detail("ends after", &bounds);
    }
    step.step.sizing.iter().for_each(|sentence| page.detail("sized", &said(sentence, Lang::En)));
    if let Some(paused) = pause::message(step.pauses()) {
        page.detail("", &said(&paused, Lang::En));
    }
    if let Some(counters) = &step.device_counters {
        let moved = |ios, bytes, what| format!("{} {what} ({})", units::count(ios), units::bytes(bytes));
        let reads = moved(counters.read_ios, counters.read_bytes, "reads");
        let writes = moved(counters.write_ios, counters.write_bytes, "writes");
        let flushes = units::count(counters.flush_ios);
        page.detail("kernel counted", &format!("{reads}, {writes}, {flushes} flushes"));
    }
    if let Some(result) = &step.result {
        let engines = unique(result.workers.iter().map(|worker| worker.engine.clone()));
        page.detail("engine", &plain(&listed(&engines)));
        page.detail("clock", &words::clock(&result.clock));
        let precision = |outcome| said(&precision::precision(outcome), Lang::En);
        result.precision.iter().for_each(|outcome| page.detail("precision", &precision(outcome)));
        result.notes.iter().for_each(|note| page.detail("note", &said(&engine_note(note), Lang::En)));
    }
}

/// What a step ends by, whichever comes first.
fn bounds(step: &StepResult) -> Option<String> {
    let time = step.step.time_ns_max.map(|ns| units::without_zeros(&units::duration(ns)));
    let written = Some(step.step.write_bytes_max).filter(|&bytes| bytes > 0);
    let written = written.map(|bytes| format!("{} written", units::bytes(bytes)));
    joined([time, written], " or ")
}
