//! The line that moves while a step runs.

use cardiograph_checkup::sink::Activity;
use cardiograph_core::{Message, message, units};
use cardiograph_engine::Progress;
use cardiograph_render::lang::Lang;
use cardiograph_render::text;

/// Columns of the title, so that the figures are aligned and the line fits into 80 columns.
const TITLE_COLUMNS: usize = 31;

/// The line of an activity.
pub fn line(activity: &Activity, lang: Lang) -> String {
    match activity {
        Activity::Inquiring => lang.text(&message!("live-inquiring")),
        Activity::Trimming { title } => lang.text(&message!("live-trimming", step = title.clone())),
        Activity::MakingRoom { title } => lang.text(&message!("live-making-room", step = title.clone())),
        Activity::Saving { title, saved, places } => {
            lang.text(&message!("live-saving", step = title.clone(), saved = *saved, places = *places))
        }
        Activity::Restoring { what, percent } => {
            lang.text(&message!("live-restoring", what = what.clone(), percent = *percent))
        }
        Activity::LayingOut(words) => words.trim_end().to_string(),
        Activity::Jobs { title, time_ns_max, progress, .. } => {
            jobs_line(&lang.text(title), *time_ns_max, progress, lang)
        }
        Activity::App { title, time_ns_max, progress } => app_line(title, *time_ns_max, progress, lang),
    }
}

/// Title, elapsed and remaining time, and the current figures.
fn jobs_line(title: &str, time_ns_max: Option<u64>, progress: &Progress, lang: Lang) -> String {
    let per_second = |count: u64| count as f64 * 1e9 / progress.interval_ns.max(1) as f64;
    let title = text::title_within(title, TITLE_COLUMNS);
    let time = elapsed_and_left(time_ns_max, progress.elapsed_ns);
    let speed = lang.units.bandwidth(per_second(progress.read_bytes + progress.write_bytes));
    let iops = units::iops(per_second(progress.ios));
    let p99 = progress.latency_p99_ns.map(|ns| format!("  p99 {}", units::duration(ns))).unwrap_or_default();
    format!("{title:<TITLE_COLUMNS$} {time:<10} {speed:>10} {iops:>11}{p99}")
}

/// The same for an application, with what its users count.
fn app_line(
    title: &Message,
    time_ns_max: Option<u64>,
    progress: &cardiograph_apps::Progress,
    lang: Lang,
) -> String {
    let title = text::title_within(&lang.text(title), TITLE_COLUMNS);
    let time = elapsed_and_left(time_ns_max, progress.elapsed_ns);
    let rate = app_rate(progress, lang);
    format!("{title:<TITLE_COLUMNS$} {time:<10} {rate:>18}")
}

/// What an application does now.
pub fn app_rate(progress: &cardiograph_apps::Progress, lang: Lang) -> String {
    let per_second = |count: u64| count as f64 * 1e9 / progress.interval_ns.max(1) as f64;
    match progress.operation {
        Some(operation) => {
            text::app_rate(operation, per_second(progress.operations), per_second(progress.bytes), lang)
        }
        None => lang.text(&message!("live-preparing")),
    }
}

fn elapsed_and_left(time_ns_max: Option<u64>, elapsed_ns: u64) -> String {
    match time_ns_max.and_then(|max_ns| max_ns.checked_sub(elapsed_ns)) {
        Some(left_ns) => format!("{} -{}", units::elapsed(elapsed_ns), units::elapsed(left_ns)),
        None => units::elapsed(elapsed_ns),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;

    use super::*;

    #[test]
    fn a_line_fits_80_columns() {
        let progress = Progress {
            elapsed_ns: 3_000_000_000,
            interval_ns: 250_000_000,
            read_bytes: 4_096 * 950,
            write_bytes: 0,
            ios: 950,
            latency_p99_ns: Some(379_000),
            busiest: Some(Direction::Read),
            done: Default::default(),
            total: Default::default(),
            workers: Vec::new(),
            left_ns: None,
        };
        let shown = jobs_line("Sequential write 1M QD8, try 2/5", Some(8_000_000_000), &progress, Lang::EN);
        assert_eq!(shown, "Sequential write 1M Q…, try 2/5 0:03 -0:05  15.6 MB/s  3,800 IOPS  p99 379 µs");
        assert!(shown.chars().count() < 80);
    }
}
