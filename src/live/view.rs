//! What a live view knows, and its rows. It reads no clock and no terminal.

use cardiograph_catalogue::Language;
use cardiograph_checkup::sink::{Activity, Event, Stage, Subject, TimeLeft};
use cardiograph_core::app::Operation;
use cardiograph_core::drive::Temperature;
use cardiograph_core::words::method::LONG_IO_BYTES;
use cardiograph_core::{Direction, Message, Parameter, message, units};
use cardiograph_render::text::{self, title_within, width};
use ratatui_core::style::{Style, Stylize};
use ratatui_core::text::{Line, Span};

use super::board::{self, Underway};
use super::chart::{self, Chart, Sample};
use crate::progress;

/// Smaller terminals get a single line.
pub const COLUMNS_MIN: usize = 60;
pub const ROWS_MIN: usize = 12;
/// In wider ones, the rows end here.
const COLUMNS_MAX: usize = 160;
/// Warnings shown at the same time, and in a tall terminal.
const WARNINGS: usize = 1;
const WARNINGS_TALL: usize = 3;
/// Rows of the terminal from which it is tall.
const TALL: usize = 30;

/// The state of a measurement.
#[derive(Debug, Default)]
pub struct View {
    language: Language,
    subject: Subject,
    /// The current step; `None` before the first one.
    stage: Option<Stage>,
    /// When it began, by the clock of the caller.
    began_ns: u64,
    activity: Option<Activity>,
    chart: Chart,
    /// Operations that an application has completed in this step.
    operations: u64,
    warnings: Vec<Message>,
    temperature: Option<Temperature>,
}

impl View {
    pub fn new(language: Language) -> Self {
        Self { language, ..Self::default() }
    }

    #[cfg(test)]
    pub fn set_language(&mut self, language: Language) {
        self.language = language;
    }

    /// Takes in an event at a time of the caller's clock.
    pub fn take(&mut self, event: Event, now_ns: u64) {
        match event {
            Event::Subject(subject) => *self = Self { subject: *subject, ..Self::new(self.language) },
            Event::Stage(stage) => {
                (self.stage, self.began_ns) = (Some(*stage), now_ns);
                (self.activity, self.chart, self.operations) = Default::default();
            }
            Event::Doing(activity) => {
                self.measure(&activity);
                self.activity = Some(activity);
            }
            Event::Warning(warning) if !self.warnings.contains(&warning) => self.warnings.push(warning),
            Event::Temperature(temperature) => {
                let is_hotter =
                    |old: &Temperature| old.drive == temperature.drive || old.now_c <= temperature.now_c;
                if self.temperature.as_ref().is_none_or(is_hotter) {
                    self.temperature = Some(temperature);
                }
            }
            Event::Warning(_) | Event::Note(_) | Event::Trouble(_) => {}
        }
    }

    fn measure(&mut self, activity: &Activity) {
        match activity {
            Activity::Jobs { is_paced, progress, .. } => {
                let total = progress
                    .total
                    .iter()
                    .fold((0, 0), |sum, (_, done)| (sum.0 + done.ios, sum.1 + done.bytes));
                self.chart.is_bandwidth = total.1 >= LONG_IO_BYTES.saturating_mul(total.0.max(1));
                self.chart.writes = progress.total.write.bytes > progress.total.read.bytes;
                self.chart.push(Sample {
                    interval_ns: progress.interval_ns,
                    operations: progress.ios,
                    bytes: progress.read_bytes + progress.write_bytes,
                    latency_ns: progress.latency_p99_ns,
                    is_silent: progress.ios == 0 && !is_paced && chart::is_at_work(&progress.workers),
                });
            }
            Activity::App { progress, .. } => {
                self.operations += progress.operations;
                self.chart.push(Sample {
                    interval_ns: progress.interval_ns,
                    operations: progress.operations,
                    bytes: progress.bytes,
                    latency_ns: None,
                    // Cameras wait for the next second of video.
                    is_silent: progress.operations == 0
                        && progress.operation.is_some_and(|operation| operation != Operation::Second),
                });
            }
            _ => {}
        }
    }

    /// The activity in one line.
    pub fn line(&self, columns: usize) -> Option<String> {
        Some(progress::line(self.activity.as_ref()?, columns, self.language))
    }

    /// The rows for a terminal of this size; `None` if it is too small, or no step has begun.
    pub fn rows(&mut self, (columns, rows): (usize, usize), now_ns: u64) -> Option<Vec<Line<'static>>> {
        let stage = self.stage.as_ref().filter(|_| columns >= COLUMNS_MIN && rows >= ROWS_MIN)?;
        // The last column stays empty: what is written there makes some terminals begin a new line.
        let columns = columns.min(COLUMNS_MAX) - 1;
        let is_tall = rows >= TALL;
        let mut lines = vec![self.header(stage, columns, now_ns), self.figures(stage, columns)];
        let mut below = self.chart.lines(columns, if is_tall { 5 } else { 3 }, self.language);
        below.extend(self.warning_lines(columns, if is_tall { WARNINGS_TALL } else { WARNINGS }));
        if let Some(board) = &stage.board {
            // The line above stays visible, and that of the prompt.
            let room = (rows - 2).saturating_sub(lines.len() + below.len());
            lines.extend(board::lines(board, &self.underway(), (columns, room), self.language));
        }
        lines.extend(below);
        Some(lines)
    }

    fn underway(&self) -> Underway {
        match &self.activity {
            Some(Activity::Jobs { progress, .. }) => Underway {
                elapsed_ns: progress.elapsed_ns,
                bytes: progress.total.read.bytes + progress.total.write.bytes,
                operations: 0,
            },
            Some(Activity::App { progress, .. }) => {
                Underway { elapsed_ns: progress.elapsed_ns, bytes: 0, operations: self.operations }
            }
            _ => Underway::default(),
        }
    }

    /// Drive, target and suite; temperature, step and time.
    fn header(&self, stage: &Stage, columns: usize, now_ns: u64) -> Line<'static> {
        let lang = self.language;
        let step = match stage.count {
            Some(count) => message!("live-step.of", step = stage.number, steps = count),
            None => message!("live-step", step = stage.number),
        };
        let in_step_ns = self.underway().elapsed_ns;
        // Simulated time passes in moments.
        let passed_ns = match self.subject.drive.simulated {
            true => in_step_ns,
            false => now_ns.saturating_sub(self.began_ns),
        };
        let elapsed = units::elapsed(stage.elapsed_ns + passed_ns);
        let time = match self.time_left(stage, in_step_ns) {
            TimeLeft::Unknown => Message::verbatim(elapsed),
            TimeLeft::AtMost(left_ns) => {
                message!("live-time.at-most", elapsed, left = units::elapsed(left_ns))
            }
            TimeLeft::About(left_ns) => message!("live-time.about", elapsed, left = units::elapsed(left_ns)),
        };
        let end = format!("{} · {}", lang.text(&step), lang.text(&time));
        let heat = self.temperature.as_ref().map(|temperature| self.heat(temperature));
        let (heat, is_hot) = heat.unwrap_or_default();
        let end_columns = width(&end) + width(&heat) + 2;
        let mut begin = format!("{} · {}", self.drive_name(), self.subject.suite);
        let path = &self.subject.drive.path;
        let with_path = format!("{} · {path} · {}", self.drive_name(), self.subject.suite);
        if !self.subject.drive.simulated && width(&with_path) + end_columns < columns {
            begin = with_path;
        }
        let begin = text::cut(&begin, columns.saturating_sub(end_columns));
        let gap = " ".repeat(columns.saturating_sub(width(&begin) + width(&heat) + width(&end)));
        let heat = if is_hot { Span::from(heat).yellow() } else { Span::from(heat) };
        Line::from(vec![Span::from(begin).bold(), Span::from(gap), heat, Span::from(end)])
    }

    /// A drive's temperature, and whether it may slow down.
    fn heat(&self, temperature: &Temperature) -> (String, bool) {
        let now = temperature.now_c.to_string();
        let hot = temperature.warning_c.filter(|&limit| temperature.now_c >= limit);
        let heat = match hot {
            Some(limit) => message!("live-temperature.hot", now, limit = limit.to_string()),
            None => message!("live-temperature", now),
        };
        (format!("{} · ", self.language.text(&heat)), hot.is_some())
    }

    fn drive_name(&self) -> String {
        let drive = &self.subject.drive;
        match drive.leaves.as_slice() {
            [leaf] => leaf.model.as_deref().unwrap_or(&leaf.name).trim().to_string(),
            leaves => self.language.text(&message!("drive-kind.several", drives = leaves.len())),
        }
    }

    fn time_left(&self, stage: &Stage, in_step_ns: u64) -> TimeLeft {
        let of_jobs = match &self.activity {
            Some(Activity::Jobs { progress, .. }) => progress.left_ns.filter(|_| stage.count == Some(1)),
            _ => None,
        };
        match stage.left {
            TimeLeft::AtMost(ns) => TimeLeft::AtMost(ns.saturating_sub(in_step_ns)),
            TimeLeft::About(ns) => TimeLeft::About(ns.saturating_sub(in_step_ns)),
            TimeLeft::Unknown => of_jobs.map_or(TimeLeft::Unknown, TimeLeft::About),
        }
    }

    /// The activity and its current figures; the data written.
    fn figures(&self, stage: &Stage, columns: usize) -> Line<'static> {
        let lang = self.language;
        let (title, figures, bytes) = match &self.activity {
            Some(Activity::Jobs { title, progress, .. }) => {
                let latency = progress.latency_p99_ns.map(|ns| format!("p99 {}", units::duration(ns)));
                let rate = self.chart.rate_now().map(|rate| match self.chart.is_bandwidth {
                    true => lang.units.bandwidth(rate),
                    false => units::iops(rate),
                });
                let figures: Vec<String> = rate.into_iter().chain(latency).collect();
                (lang.text(title), figures.join("  "), progress.total[Direction::Write].bytes)
            }
            Some(Activity::App { title, progress, .. }) => {
                (lang.text(title), progress::app_rate(progress, lang), progress.written_bytes)
            }
            Some(_) => (self.line(columns).unwrap_or_default(), String::new(), 0),
            None => (lang.text(&stage.title), String::new(), 0),
        };
        let written_bytes = stage.written_bytes + bytes;
        let written = match self.subject.write_bytes_max {
            _ if written_bytes == 0 => String::new(),
            Some(most) => {
                let (written, most) =
                    (Parameter::CapacityBytes(written_bytes), Parameter::CapacityBytes(most));
                lang.text(&message!("live-written.of", written, most))
            }
            None => lang.text(&message!("live-written", written = Parameter::CapacityBytes(written_bytes))),
        };
        let left = columns.saturating_sub(width(&figures) + width(&written) + 4);
        let title = title_within(&title, left);
        let gap = " ".repeat(columns.saturating_sub(width(&title) + 2 + width(&figures) + width(&written)));
        Line::from(vec![Span::from(title).bold(), Span::from(format!("  {figures}{gap}{written}"))])
    }

    /// The newest warnings.
    fn warning_lines(&self, columns: usize, most: usize) -> Vec<Line<'static>> {
        let hidden = self.warnings.len().saturating_sub(most);
        let shown = self.warnings[hidden..].iter().enumerate();
        shown
            .map(|(index, warning)| {
                let more = if index == 0 && hidden > 0 { format!(" (+{hidden})") } else { String::new() };
                let warning =
                    text::cut(&self.language.text(warning), columns.saturating_sub(3 + width(&more)));
                Line::styled(format!(" ! {warning}{more}"), Style::new().yellow())
            })
            .collect()
    }
}
