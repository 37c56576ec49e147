//! The line that moves while a step runs.

use cardiograph_checkup::sink::Activity;
use cardiograph_core::words::method::LONG_IO_BYTES;
use cardiograph_core::{message, units};
use cardiograph_engine::Progress;
use cardiograph_render::lang::Lang;
use cardiograph_render::text;

/// Columns of the title at most, so that the figures are aligned.
const TITLE_COLUMNS: usize = 31;
/// Columns of what stands behind it.
const FIGURES_COLUMNS: usize = 37;

/// The line of an activity in a terminal with this many columns.
pub fn line(activity: &Activity, columns: usize, lang: Lang) -> String {
    let title_columns = columns.saturating_sub(FIGURES_COLUMNS + 1).min(TITLE_COLUMNS);
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
            let title = text::title_within(&lang.text(title), title_columns);
            jobs_line(&format!("{title:<title_columns$}"), *time_ns_max, progress, lang)
        }
        Activity::App { title, time_ns_max, progress } => {
            let title = text::title_within(&lang.text(title), title_columns);
            let time = elapsed_and_left(*time_ns_max, progress.elapsed_ns);
            format!("{title:<title_columns$} {time:<10} {:>18}", app_rate(progress, lang))
        }
    }
}

/// Title, elapsed and remaining time, and the current figures: the rate that the row of the test will have.
fn jobs_line(title: &str, time_ns_max: Option<u64>, progress: &Progress, lang: Lang) -> String {
    let per_second = |count: u64| count as f64 * 1e9 / progress.interval_ns.max(1) as f64;
    let time = elapsed_and_left(time_ns_max, progress.elapsed_ns);
    let bytes = progress.read_bytes + progress.write_bytes;
    let rate = match bytes >= LONG_IO_BYTES.saturating_mul(progress.ios.max(1)) {
        true => lang.units.bandwidth(per_second(bytes)),
        false => units::iops(per_second(progress.ios)),
    };
    let p99 = progress.latency_p99_ns.map(|ns| format!("  p99 {}", units::duration(ns))).unwrap_or_default();
    format!("{title} {time:<10} {rate:>11}{p99}")
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
    use cardiograph_core::{Direction, Message};

    use super::*;

    #[test]
    fn a_line_fits_into_the_terminal() {
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
        let title = Message::verbatim("Random write 4K QD1, try 2/5");
        let activity = Activity::Jobs {
            title,
            time_ns_max: Some(8_000_000_000),
            is_paced: false,
            progress: Box::new(progress),
        };
        for (columns, expected) in [
            (80, "Random write 4K QD1, try 2/5    0:03 -0:05  3,800 IOPS  p99 379 µs"),
            (50, "Random writ… 0:03 -0:05  3,800 IOPS  p99 379 µs"),
        ] {
            let shown = line(&activity, columns, Lang::EN);
            assert_eq!(shown, expected);
            assert!(shown.chars().count() < columns);
        }
    }
}
