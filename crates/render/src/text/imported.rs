//! What another program measured: what was imported, and how it went over time.

use cardiograph_core::drive::Leaf;
use cardiograph_core::imported::Figure;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::{Report, StepResult};
use cardiograph_core::units;
use cardiograph_core::{Direction, MIB};

use super::layout::{Page, Style, joined, pad_end, plain, widest, width};
use super::step_line::step_line;
use crate::gathered::gathered;
use crate::lang::Lang;
use crate::method;

/// Columns of the words on the left of a list of figures.
const NAME_COLUMNS: usize = 34;

/// What was imported, in a line for the drive and one for each test. `state` says what became of it: `kept as`.
pub fn imported(report: &Report, state: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.prose("", &format!("{}, {state} {}", subject(report), plain(&report.id)));
    for step in &report.steps {
        for line in step_line(step, page.style().width.saturating_sub(2)).lines() {
            page.line(&format!("  {line}"));
        }
    }
    page.into_text()
}

/// What was measured, and with what, in a few words. Where the drive is not told, the file stands for it.
fn subject(report: &Report) -> String {
    let (place, program) = match &report.source {
        Some(source) => (source.place_in_words(), source.program.as_str()),
        None => (report.drive.path.as_str(), report.program.as_str()),
    };
    format!("{}, {}", drive(report).unwrap_or_else(|| plain(place)), plain(program))
}

/// What its source calls the drive; `None` where it is not told.
pub(super) fn drive(report: &Report) -> Option<String> {
    joined([report.drive.leaves.iter().map(leaf)], ", ")
}

/// What its source calls one drive of several.
pub(crate) fn leaf(leaf: &Leaf) -> String {
    match (&leaf.model, leaf.name.as_str()) {
        (Some(model), "") => plain(model),
        (Some(model), name) => format!("{} ({})", plain(model), plain(name)),
        (None, name) => plain(name),
    }
}

/// Where a Report came from, in a sentence.
pub(super) fn write_source(page: &mut Page, report: &Report) {
    let Some(source) = &report.source else { return };
    let place = plain(source.place_in_words());
    let line = source.line.filter(|&line| line > 1).map(|line| format!(" (from line {line} on)"));
    let mut text = format!("from {place}{}, read as {}", line.unwrap_or_default(), plain(&source.format));
    for (word, told) in [("by", &source.author), ("of", &source.date)] {
        if let Some(told) = told {
            text += &format!(", {word} {}", plain(told));
        }
    }
    page.quiet_prose("Imported ", &text);
}

/// How fast tests were over time, where their sources tell: a row for each direction.
pub(super) fn write_windows(page: &mut Page, report: &Report) {
    const HEADINGS: [&str; 6] = ["least", "mean", "most", "deviation", "window", "windows"];
    let mut rows: Vec<(String, [String; 6])> = Vec::new();
    for step in &report.steps {
        let Some(imported) = &step.imported else { continue };
        for (direction, figures) in gathered(imported.figures.iter().map(|one| (one.direction, one))) {
            let of = |statistic| {
                figures.iter().find(|one| one.quantity == Quantity::WindowBandwidth(statistic)).copied()
            };
            let statistics = [Statistic::Min, Statistic::Mean, Statistic::Max, Statistic::Stdev];
            let [Some(min), Some(mean), Some(max), Some(stdev)] = statistics.map(of) else { continue };
            let speed = |figure: &Figure| units::number(figure.estimate.value / MIB as f64);
            let window = mean.window_ns.map(units::duration).unwrap_or_default();
            let count = Some(mean.estimate.n).filter(|&n| n > 0).map(units::count).unwrap_or_default();
            let cells = [speed(min), speed(mean), speed(max), speed(stdev), window, count];
            rows.push((format!("{} {}", plain(&step.step.id), name(direction)), cells));
        }
    }
    if rows.is_empty() {
        return;
    }
    page.head("Speed over time, MiB/s");
    let columns: [usize; 6] = std::array::from_fn(|column| {
        let cells = widest(rows.iter().map(|(_, cells)| &cells[column]));
        if cells == 0 { 0 } else { cells.max(width(HEADINGS[column])) + 2 }
    });
    let names = widest(rows.iter().map(|(name, _)| name));
    let taken: usize = columns.iter().sum();
    let names = names.min(page.style().width.saturating_sub(taken + 2).max(8));
    let headings = (String::new(), HEADINGS.map(str::to_string));
    for (name, cells) in std::iter::once(&headings).chain(&rows) {
        let cells = cells.iter().map(String::as_str).zip(columns).filter(|(_, columns)| *columns > 0);
        page.row("  ", (name, names), cells);
    }
}

/// All figures of a test, and what else its source tells.
pub(super) fn write_all(page: &mut Page, step: &StepResult) {
    let Some(imported) = &step.imported else { return };
    page.gap();
    for figure in &imported.figures {
        let name = Lang::En.text(&method::figure(figure));
        let value = plain(&Lang::En.text(&method::stated(figure)));
        page.prose(&format!("  {} ", pad_end(&name, NAME_COLUMNS)), &value);
    }
    for (name, value) in &imported.others {
        page.prose(&format!("  {} ", pad_end(&plain(&other_name(name)), NAME_COLUMNS)), &plain(value));
    }
}

/// The name of what is not compared, in words: `cpu user`. One that has spaces is as it is: `sync_file_range latency mean`.
pub(crate) fn other_name(name: &str) -> String {
    if name.contains(' ') { name.to_string() } else { name.replace('_', " ") }
}

/// What a row of a direction is called.
pub(super) fn name(direction: Option<Direction>) -> &'static str {
    match direction {
        Some(Direction::Sync) => "fsync",
        Some(direction) => direction.name(),
        None => "all",
    }
}
