//! Follows a run: its progress line, interim results, and requests to stop.

use std::cell::Cell;
use std::io::{IsTerminal, Write};

use cardiograph_checkup::signals::Signals;
use cardiograph_core::result::RunResult;
use cardiograph_core::workload::Rate;
use cardiograph_core::{Direction, NS_PER_S, Plan, Workload};
use cardiograph_engine::observer::{Progress, State, WorkerState};
use cardiograph_engine::{Event, Observer};
use cardiograph_fio::invocation::ProgramOptions;
use cardiograph_fio::output::eta::{self, EtaLine, RateLimit};
use cardiograph_fio::output::run::Style;

use super::complain;
use super::output::Output;
use super::run_view::RunView;

/// Observer of a fio run.
pub struct Watcher<'a> {
    options: &'a ProgramOptions,
    output: &'a Output,
    signals: &'a Signals,
    view: &'a RunView<'a>,
    shows_eta: bool,
    on_terminal: bool,
    /// Length of the current progress line.
    line_len: Cell<usize>,
    last_eta_ns: Cell<u64>,
    last_newline_ns: Cell<u64>,
    next_status_ns: Cell<u64>,
    eta_ns: Cell<Option<u64>>,
    has_reported_signal: Cell<bool>,
}

impl<'a> Watcher<'a> {
    pub fn new(
        options: &'a ProgramOptions,
        output: &'a Output,
        signals: &'a Signals,
        view: &'a RunView<'a>,
    ) -> Self {
        Self {
            options,
            output,
            signals,
            view,
            shows_eta: output.shows_eta(options.eta),
            on_terminal: std::io::stdout().is_terminal(),
            line_len: Cell::new(0),
            last_eta_ns: Cell::new(0),
            last_newline_ns: Cell::new(0),
            next_status_ns: Cell::new(options.status_interval_ns.unwrap_or(u64::MAX)),
            eta_ns: Cell::new(None),
            has_reported_signal: Cell::new(false),
        }
    }

    /// Whether progress or interim results are shown.
    pub fn shows_progress(&self) -> bool {
        self.shows_eta || self.options.status_interval_ns.is_some()
    }

    /// Ends the progress line.
    pub fn wipe(&self) {
        if self.line_len.replace(0) > 0 {
            println!();
        }
    }

    /// Ends the progress line before results, unless they begin with an empty line.
    pub fn make_room(&self) {
        if self.output.begins_with_text() {
            self.line_len.set(0);
        }
        self.wipe();
    }

    fn progress(&self, progress: &Progress) {
        self.eta_ns.set(progress.left_ns);
        let is_due = progress.elapsed_ns >= self.last_eta_ns.get() + self.options.eta_interval_ns();
        if !self.shows_eta || !is_due {
            return;
        }
        self.last_eta_ns.set(progress.elapsed_ns);
        let plan = &self.view.resolved.plan;
        let text = line(progress, plan).text(&self.style());
        let mut stdout = std::io::stdout().lock();
        // A closed pipe is not an error.
        let _ = match self.on_terminal {
            true => write!(stdout, "{}\r", eta::covering(&text, self.line_len.get())),
            false => writeln!(stdout, "{text}"),
        };
        let _ = stdout.flush();
        if self.on_terminal {
            self.line_len.set(text.len());
            self.begin_new_line(progress.elapsed_ns);
        }
    }

    /// Keeps the current progress line at the intervals of `--eta-newline`.
    fn begin_new_line(&self, elapsed_ns: u64) {
        if let Some(every_ns) = self.options.eta_newline_ns
            && elapsed_ns >= self.last_newline_ns.get() + every_ns
        {
            self.last_newline_ns.set(elapsed_ns);
            println!();
        }
    }

    fn style(&self) -> Style {
        self.view.resolved.displays.first().cloned().map(Style).unwrap_or_default()
    }
}

impl Observer for Watcher<'_> {
    fn event(&self, event: &Event) {
        if let Some(signal) = self.signals.received()
            && !self.has_reported_signal.replace(true)
        {
            self.wipe();
            complain(&format!("terminating on signal {signal}"));
        }
        if let Event::Progress(progress) = event {
            self.progress(progress);
        }
    }

    fn wants_snapshot(&self, elapsed_ns: u64) -> bool {
        if self.signals.takes_status() {
            return true;
        }
        let (Some(every_ns), next_ns) = (self.options.status_interval_ns, self.next_status_ns.get()) else {
            return false;
        };
        if elapsed_ns < next_ns {
            return false;
        }
        self.next_status_ns.set((elapsed_ns / every_ns + 1) * every_ns);
        true
    }

    fn snapshot(&self, result: &RunResult) {
        self.make_room();
        self.output.results(&self.view.so_far(result, self.eta_ns.get()));
    }
}

/// The progress of a run.
fn line(progress: &Progress, plan: &Plan) -> EtaLine {
    let is_running = |state: &WorkerState| !matches!(state.state, State::NotStarted | State::Ended);
    let running: Vec<&WorkerState> = progress.workers.iter().filter(|state| is_running(state)).collect();
    let files: usize = running
        .iter()
        .filter_map(|state| plan.jobs.get(state.job)?.clones.get(state.clone as usize))
        .map(Vec::len)
        .sum();
    let letter = |state: &WorkerState| letter(state, plan.jobs.get(state.job).map(|job| &job.workload));
    let per_second = |count: u64| {
        (u128::from(count) * u128::from(NS_PER_S) / u128::from(progress.interval_ns.max(1))) as u64
    };
    let done_percent = progress.left_ns.map(|left_ns| {
        progress.elapsed_ns as f64 * 100.0 / (progress.elapsed_ns as f64 + left_ns as f64).max(1.0)
    });
    EtaLine {
        running: running.len() as u32,
        open_files: files as u32,
        limit: limit(running.iter().filter_map(|state| plan.jobs.get(state.job)).map(|job| &job.workload)),
        progress: Some(eta::Progress {
            states: progress.workers.iter().map(letter).collect(),
            done_percent,
            bytes_per_s: progress.done.map(|done| per_second(done.bytes)),
            iops: progress.done.map(|done| per_second(done.ios)),
            eta_s: progress.left_ns.map(|ns| ns.div_ceil(NS_PER_S)),
        }),
    }
}

/// Sum of the rate limits of the running jobs.
fn limit<'w>(running: impl Iterator<Item = &'w Workload>) -> Option<RateLimit> {
    let (mut bytes, mut ios) = ((0, 0), (0, 0));
    for rate in running.flat_map(|workload| [workload.rate.read, workload.rate.write]).flatten() {
        match rate {
            Rate::Bytes { per_second, min_per_second } => {
                bytes = (bytes.0 + min_per_second, bytes.1 + per_second);
            }
            Rate::Ios { per_second, min_per_second } => ios = (ios.0 + min_per_second, ios.1 + per_second),
        }
    }
    match (bytes, ios) {
        ((0, 0), (0, 0)) => None,
        ((0, 0), (min, max)) => Some(RateLimit::Iops { min, max }),
        ((min_bytes_per_s, max_bytes_per_s), _) => {
            Some(RateLimit::Bandwidth { min_bytes_per_s, max_bytes_per_s })
        }
    }
}

/// fio's letter for what a worker is doing.
fn letter(state: &WorkerState, workload: Option<&Workload>) -> char {
    let running = || {
        let Some(workload) = workload else { return 'R' };
        let letter = match (workload.uses(Direction::Read), workload.uses(Direction::Write)) {
            (true, true) => 'M',
            (false, true) => 'W',
            (false, false) if workload.uses(Direction::Trim) => 'D',
            _ => 'R',
        };
        if workload.order.is_random() { letter.to_ascii_lowercase() } else { letter }
    };
    match state.state {
        State::NotStarted => 'P',
        State::Delayed => 'I',
        State::SettingUp => 'C',
        State::Ramp => '/',
        State::Running => running(),
        State::Closing => 'f',
        State::Verifying => 'V',
        State::Ended => '_',
    }
}
