//! What the steps so far have found: a matrix, the map of a drive, cameras.

use cardiograph_catalogue::Language;
use cardiograph_core::app::CamerasOutcome;
use cardiograph_core::table::{Cell, Table};
use cardiograph_core::{NS_PER_S, Parameter, message};
use cardiograph_render::doc::Unit;
use cardiograph_render::text::{cut, width};
use cardiograph_suites::{Board, CameraTrial, PartState};
use ratatui_core::style::{Style, Stylize};
use ratatui_core::text::{Line, Span};

use super::chart::number;

/// Most columns of a row's name, and least of a figure.
const NAME_COLUMNS: usize = 34;
const FIGURE_COLUMNS: usize = 8;
/// Columns of a number of cameras, and of the longest bar.
const CAMERAS_COLUMNS: usize = 13;
const BAR_COLUMNS: usize = 32;

/// Progress of the current step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Underway {
    pub elapsed_ns: u64,
    pub bytes: u64,
    pub operations: u64,
}

/// The rows of a board, as many as fit.
pub fn lines(
    board: &Board,
    underway: &Underway,
    (columns, rows): (usize, usize),
    lang: Language,
) -> Vec<Line<'static>> {
    match board {
        Board::Matrix { table, current } => matrix(table, *current, (columns, rows), lang),
        Board::Map { parts, step_bytes } => map(parts, *step_bytes, underway, (columns, rows), lang),
        Board::Cameras { trials, next } => cameras(trials, *next, underway, (columns, rows), lang),
    }
}

fn pad(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(width(text)))
}

/// The matrix, with the rows around the current one.
fn matrix(
    table: &Table,
    current: Option<(usize, usize)>,
    (columns, rows): (usize, usize),
    lang: Language,
) -> Vec<Line<'static>> {
    let names: Vec<String> = table.rows.iter().map(|row| cut(&lang.text(&row.name), NAME_COLUMNS)).collect();
    let heading = cut(&lang.text(&table.heading), NAME_COLUMNS);
    let name_columns = names.iter().chain([&heading]).map(|name| width(name)).max().unwrap_or(0);
    let heads: Vec<String> = table.columns.iter().map(|column| lang.text(&column.heading)).collect();
    let figure_columns = heads.iter().map(|head| width(head) + 2).max().unwrap_or(0).max(FIGURE_COLUMNS);
    let fit = columns.saturating_sub(name_columns + 3) / figure_columns;
    let (row, column) = current.unwrap_or_default();
    let across = window(heads.len(), column, fit);
    let room = rows.saturating_sub(1).min(names.len());
    if room == 0 {
        return Vec::new();
    }
    let cell = |text: &str| format!("{}{text}", pad(text, figure_columns));
    let head: String = heads[across.clone()].iter().map(|head| cell(head)).collect();
    let line = |at: usize| {
        let name = format!(" {}{}", names[at], pad(&names[at], name_columns));
        let cells = across.clone().map(|to| match &table.rows[at].cells[to] {
            _ if current == Some((at, to)) => Span::from(cell("▶")).bold(),
            Cell::Figure { estimate, .. } => {
                let unit = Unit::Of(table.columns[to].unit);
                Span::from(cell(&number(estimate.value / unit.scale(lang))))
            }
            Cell::Text { text } => Span::from(cell(&lang.text(text))),
            Cell::Absent { .. } => Span::from(cell("·")),
        });
        Line::from_iter(std::iter::once(Span::from(name)).chain(cells))
    };
    let unit = table.columns.first().map_or("", |column| Unit::Of(column.unit).sign(lang));
    let head = format!(" {heading}{}{head} {unit}", pad(&heading, name_columns));
    std::iter::once(Line::from(head)).chain(window(names.len(), row, room).map(line)).collect()
}

/// The part of `len` items that shows item `at`, if only `room` fit.
fn window(len: usize, at: usize, room: usize) -> std::ops::Range<usize> {
    let start = at.saturating_sub(room / 2).min(len.saturating_sub(room));
    start..(start + room).min(len)
}

/// The parts of a drive from its start to its end, and a count of each state.
fn map(
    parts: &[PartState],
    step_bytes: u64,
    underway: &Underway,
    (columns, rows): (usize, usize),
    lang: Language,
) -> Vec<Line<'static>> {
    let columns = columns.saturating_sub(2);
    let share = underway.bytes as f64 / step_bytes.max(1) as f64;
    let is_current = |state: PartState| matches!(state, PartState::Writing | PartState::Reading);
    let sign = |column: usize| {
        let first = column * parts.len() / columns;
        let end = ((column + 1) * parts.len() / columns).max(first + 1);
        // Of several parts, the worst.
        let state = parts[first..end].iter().copied().max().unwrap_or(PartState::Waiting);
        let part_columns = columns as f64 / parts.len() as f64;
        let is_passed = (column as f64 + 0.5 - first as f64 * part_columns) / part_columns < share;
        match state {
            PartState::Bad => Span::from("X").red(),
            state if is_current(state) && is_passed => Span::from("▒").bold(),
            PartState::Verified => Span::from("█"),
            PartState::Written | PartState::Reading => Span::from("▓"),
            PartState::Waiting | PartState::Writing => Span::from("·"),
        }
    };
    let count = |state| parts.iter().filter(|&&part| part == state).count();
    let legend = [
        ("█", count(PartState::Verified), message!("live-part.verified")),
        ("▓", count(PartState::Written), message!("live-part.written")),
        ("·", count(PartState::Waiting), message!("live-part.waiting")),
        ("X", count(PartState::Bad), message!("live-part.bad")),
    ];
    let legend = legend.into_iter().filter(|(_, count, _)| *count > 0);
    let legend: Vec<String> =
        legend.map(|(sign, count, state)| format!("{sign} {} {count}", lang.text(&state))).collect();
    let bar = Line::from_iter(std::iter::once(Span::from(" ")).chain((0..columns).map(sign)));
    let legend = Line::from(format!(" {}", legend.join("  ")));
    [bar, legend].into_iter().take(if parts.is_empty() { 0 } else { rows }).collect()
}

/// The trials as bars, the current one with what is recorded.
fn cameras(
    trials: &[CameraTrial],
    next: u64,
    underway: &Underway,
    (columns, rows): (usize, usize),
    lang: Language,
) -> Vec<Line<'static>> {
    let due = next * (underway.elapsed_ns / NS_PER_S);
    let now = message!("live-cameras-end.now", recorded = underway.operations, due);
    let done = trials.iter().map(|trial| {
        let (end, style) = match trial.outcome {
            Some(CamerasOutcome::InTime) => (message!("live-cameras-end.in-time"), Style::new()),
            Some(CamerasOutcome::Late) => {
                (message!("live-cameras-end.late", late = trial.late), Style::new().red())
            }
            Some(CamerasOutcome::Behind { share }) => {
                let share = Parameter::share((share * 100.0).floor() / 100.0);
                (message!("live-cameras-end.behind", share), Style::new().red())
            }
            None => (message!("table-absent.nothing-recorded"), Style::new()),
        };
        (trial.cameras, "█", lang.text(&end), style)
    });
    let bars: Vec<_> = done.chain([(next, "▒", lang.text(&now), Style::new().bold())]).collect();
    let most = bars.iter().map(|bar| bar.0).max().unwrap_or(0).max(1) as usize;
    let words_columns = bars.iter().map(|bar| width(&bar.2)).max().unwrap_or(0);
    let room = columns.saturating_sub(CAMERAS_COLUMNS + words_columns + 4).clamp(1, BAR_COLUMNS);
    let hidden = bars.len().saturating_sub(rows);
    let line = |(cameras, sign, words, style): (u64, &str, String, Style)| {
        let name = lang.text(&message!("live-cameras", cameras));
        let len = (cameras as usize * room).div_ceil(most).max(1);
        let (before, bar, behind) =
            (pad(&name, CAMERAS_COLUMNS), sign.repeat(len), " ".repeat(room.saturating_sub(len)));
        Line::styled(cut(&format!("{before}{name}  {bar}{behind}  {words}"), columns), style)
    };
    bars.into_iter().skip(hidden).map(line).collect()
}
