//! The list of what is kept.

use cardiograph_core::summary::RunSummary;
use cardiograph_core::units;
use time::OffsetDateTime;

use super::layout::{Page, Style, joined, pad_end, plain, widest};
use super::words;

/// The ids, suites and drives of checkups, an entry each: the id first, as other commands take it.
pub fn history(runs: &[RunSummary], style: &Style) -> String {
    let mut page = Page::new(style);
    let column = |of: fn(&RunSummary) -> String| widest(runs.iter().map(of));
    let (id, suite) = (column(|run| plain(&run.id)), column(|run| plain(&run.suite)));
    for run in runs {
        let first = format!("{}  {}  ", pad_end(&plain(&run.id), id), pad_end(&plain(&run.suite), suite));
        page.prose(&first, &what(run));
        joined([more(run)], ", ").iter().for_each(|more| page.quiet_prose("    ", more));
    }
    page.into_text()
}

/// The drive, by the name that the user gave it where there is one.
fn what(run: &RunSummary) -> String {
    let models = run.models.iter().map(plain).collect::<Vec<_>>().join(" + ");
    let drive = if models.is_empty() { plain(&run.path) } else { models };
    let drive = match run.capacity_bytes {
        Some(bytes) => format!("{drive}, {}", units::bytes_si(bytes)),
        None => drive,
    };
    match &run.label {
        Some(label) => format!("{}: {drive}", plain(label)),
        None => drive,
    }
}

/// What else tells it from others.
fn more(run: &RunSummary) -> Vec<String> {
    let tags = run.tags.iter().map(|(name, value)| format!("{}={}", plain(name), plain(value)));
    let host = run.host.iter().map(|name| format!("on {}", plain(name)));
    let state = words::state(run.state).map(str::to_string);
    when(run.started_unix_ms).into_iter().chain(state).chain(host).chain(tags).collect()
}

/// A moment in UTC: a list does not know where its reader is. `None` for simulated time.
pub fn when(unix_ms: u64) -> Option<String> {
    let seconds = i64::try_from(unix_ms / 1_000).ok().filter(|&seconds| seconds > 0)?;
    let began = OffsetDateTime::from_unix_timestamp(seconds).ok()?;
    let (year, month, day) = began.to_calendar_date();
    Some(format!("{year}-{:02}-{day:02} {:02}:{:02} UTC", u8::from(month), began.hour(), began.minute()))
}

#[cfg(test)]
mod tests {
    use super::super::layout::width;
    use cardiograph_core::lines::Lines;
    use cardiograph_core::report::ReportState;

    use super::*;

    #[test]
    fn entries_are_found_again_by_what_stands_in_them() {
        let run = |id: &str, suite: &str, label: Option<&str>, state| RunSummary {
            id: id.into(),
            started_unix_ms: 1_795_369_444_000,
            suite: suite.into(),
            state,
            label: label.map(Into::into),
            tags: [("board", "Pi 5")].into_iter().collect(),
            host: Some("attic".into()),
            path: "/mnt".into(),
            models: "SD64G".into(),
            drive_ids: Lines::default(),
            capacity_bytes: Some(63_864_569_856),
            steps: 3,
        };
        let runs = [
            run("20261122-175411-c14b71", "quick", Some("カード A"), ReportState::Finished),
            run("20261121-175411-c14b72", "sd-class", None, ReportState::Interrupted),
        ];
        assert_eq!(
            history(&runs, &Style::default()),
            "20261122-175411-c14b71  quick     カード A: SD64G, 64 GB\n    \
             2026-11-22 17:44 UTC, on attic, board=Pi 5\n\
             20261121-175411-c14b72  sd-class  SD64G, 64 GB\n    \
             2026-11-22 17:44 UTC, interrupted, on attic, board=Pi 5\n"
        );
        let narrow = history(&runs, &Style { width: 44, color: false });
        assert!(narrow.lines().all(|line| width(line) <= 44), "{narrow}");
    }
}
