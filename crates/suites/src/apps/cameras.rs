//! The search for the number of cameras that a drive keeps up with.

use cardiograph_core::app::CamerasOutcome;
use cardiograph_core::message::Parameter;
use cardiograph_core::metric::{Measured, Metric};
use cardiograph_core::report::{StepOutcome, StepResult};
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{Direction, Estimate, Message, NS_PER_S, message};

use super::{CAMERAS, Planned, part};
use crate::board::CameraTrial;
use crate::tabulate::{absent, column, row};

/// Time limit of all trials together.
pub(super) const TIME_NS: u64 = TRIALS_MAX * TRIAL_S * NS_PER_S;
/// Length of video that a camera's buffer holds, in seconds. It is an assumption: cameras and recorders buffer some seconds.
pub(super) const BUFFER_S: u64 = 4;
/// Default bit rate of a camera, in Mbit/s; purposes assume it.
pub(super) const USUAL_MBIT_PER_S: u64 = 8;
/// Length of a trial, in seconds.
const TRIAL_S: u64 = 12;
/// In a shorter trial, nothing could be late.
const TRIAL_S_MIN: u64 = BUFFER_S + 2;
/// The first number to try if nothing is known about the drive.
const FIRST: u64 = 4;
/// Expected share of the photo import speed: cameras write smaller pieces, and wait for each second.
const PHOTOS_SHARE: f64 = 0.75;
/// Most cameras that are tried.
const CAMERAS_MAX: u64 = 256;
/// Trials of the longest search: doubling from the first number to the last, and bisecting back.
const TRIALS_MAX: u64 = 12;

/// The parameters of the search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search {
    mbit_per_s: u64,
    /// The most that all trials together may write, in bytes.
    write_bytes_max: u64,
    trial_s: u64,
    trials_max: usize,
}

/// A number of cameras to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trial {
    pub cameras: u64,
    pub write_bytes_max: u64,
}

/// Whether the number is known well enough: within an eighth.
fn is_near(kept: u64, missed: u64) -> bool {
    missed <= kept + (kept / 8).max(1)
}

/// The bounds that trials have shown.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shown {
    /// The most that the drive kept up with.
    kept: Option<u64>,
    /// The fewest that it did not keep up with.
    missed: Option<u64>,
}

impl Search {
    pub fn new(planned: &Planned, mbit_per_s: u64) -> Self {
        let trial_s = (planned.time_ns_max / NS_PER_S / TRIALS_MAX).clamp(TRIAL_S_MIN, TRIAL_S);
        let trials_max = (planned.time_ns_max / (trial_s * NS_PER_S)).max(1) as usize;
        Self { mbit_per_s, write_bytes_max: planned.write_bytes_max, trial_s, trials_max }
    }

    pub fn trial_ns(&self) -> u64 {
        self.trial_s * NS_PER_S
    }

    /// Bytes that a camera writes per second.
    fn second_bytes(&self) -> u64 {
        self.mbit_per_s * 125_000
    }

    fn trial_bytes(&self, cameras: u64) -> u64 {
        cameras * self.second_bytes() * self.trial_s
    }

    /// The trials among the results, with their numbers of cameras.
    fn trials(done: &[StepResult]) -> impl Iterator<Item = (u64, &StepResult)> {
        done.iter().filter_map(|step| {
            // A recording of a fixed number is not a trial.
            let number = step.step.id.strip_prefix(CAMERAS)?.strip_prefix('-')?;
            let app = step.step.work.app().filter(|_| number.parse::<u64>().is_ok())?;
            Some((app.parameter("cameras")?, step))
        })
    }

    /// Whether the drive kept up in a trial; `None` if nothing was recorded.
    fn outcome(&self, cameras: u64, step: &StepResult) -> Option<CamerasOutcome> {
        Some(CamerasOutcome::new(cameras, self.trial_ns(), part(step, "record")?))
    }

    fn is_kept(&self, cameras: u64, step: &StepResult) -> bool {
        self.outcome(cameras, step) == Some(CamerasOutcome::InTime)
    }

    /// Why a number is too many.
    fn why_missed(&self, cameras: u64, done: &[StepResult]) -> Message {
        let is_it =
            |&(number, step): &(u64, &StepResult)| number == cameras && step.outcome == StepOutcome::Done;
        let trial = Self::trials(done).find(is_it);
        match trial.and_then(|(_, step)| self.outcome(cameras, step)) {
            Some(CamerasOutcome::Behind { share }) => message!(
                "table-cameras.behind",
                cameras,
                // Rounded down, so that it never shows the required share.
                share = Parameter::share((share * 100.0).floor() / 100.0),
                least = Parameter::share(CamerasOutcome::SHARE_MIN)
            ),
            Some(CamerasOutcome::Late | CamerasOutcome::InTime) => {
                message!("table-cameras.late", cameras, limit = buffer())
            }
            None => message!("table-cameras.nothing", cameras),
        }
    }

    /// The trials in order.
    pub fn camera_trials(&self, done: &[StepResult]) -> Vec<CameraTrial> {
        let trial = |(cameras, step): (u64, &StepResult)| CameraTrial {
            cameras,
            late: part(step, "record").map_or(0, |part| part.late),
            outcome: self.outcome(cameras, step),
        };
        Self::trials(done).map(trial).collect()
    }

    fn shown(&self, done: &[StepResult]) -> Shown {
        let mut shown = Shown::default();
        for (cameras, step) in Self::trials(done).filter(|(_, step)| step.outcome == StepOutcome::Done) {
            match self.is_kept(cameras, step) {
                true => shown.kept = shown.kept.max(Some(cameras)),
                false => shown.missed = Some(shown.missed.map_or(cameras, |missed| missed.min(cameras))),
            }
        }
        shown
    }

    /// Bytes that may still be written after the trials so far.
    fn left_bytes(&self, done: &[StepResult]) -> u64 {
        let written = Self::trials(done).map(|(cameras, step)| {
            // A second that was incomplete when the trial ended may have been written, too.
            let recorded = step.app.as_ref().map_or(0, |app| app.bytes(Direction::Write));
            recorded.saturating_add(cameras * self.second_bytes()).min(step.step.write_bytes_max)
        });
        self.write_bytes_max.saturating_sub(written.sum())
    }

    /// The expected number of cameras, from the speed of the photo import before; `None` if there was none.
    fn expected(&self, done: &[StepResult]) -> Option<u64> {
        let photos = done.iter().find(|step| step.step.id == "photos")?;
        let bytes_per_s = part(photos, "import")?.bandwidth_bytes_per_s().value;
        let cameras = (bytes_per_s * PHOTOS_SHARE / self.second_bytes() as f64) as u64;
        Some(cameras.clamp(1, CAMERAS_MAX))
    }

    fn first(&self, done: &[StepResult]) -> u64 {
        self.expected(done).unwrap_or(FIRST)
    }

    pub fn next(&self, done: &[StepResult]) -> Option<Trial> {
        if Self::trials(done).count() >= self.trials_max {
            return None;
        }
        let most = (self.left_bytes(done) / self.trial_bytes(1)).min(CAMERAS_MAX);
        let shown = self.shown(done);
        let cameras = match (shown.kept, shown.missed) {
            (None, None) => self.first(done).min(most),
            // The number is already close to the expected one: take a smaller step.
            (Some(kept), None) if self.expected(done).is_some_and(|expected| kept >= expected) => {
                (kept + kept.div_ceil(3)).min(most)
            }
            (Some(kept), None) => (2 * kept).min(most),
            (None, Some(missed)) => missed / 2,
            (Some(kept), Some(missed)) if is_near(kept, missed) => return None,
            (Some(kept), Some(missed)) => (kept + missed) / 2,
        };
        let is_new = cameras > shown.kept.unwrap_or(0) && cameras <= most;
        is_new.then(|| Trial { cameras, write_bytes_max: self.trial_bytes(cameras) })
    }

    /// The metric for purposes: the number of cameras with the default bit rate that the drive keeps up with, or a lower
    /// bound if the search ended early. `None` for another bit rate, and if no number was kept up with but a single camera
    /// was not tried.
    pub fn measured(&self, done: &[StepResult]) -> Option<(Metric, Measured)> {
        let shown = self.shown(done);
        let (metric, kept) = match (shown.kept, shown.missed) {
            _ if self.mbit_per_s != USUAL_MBIT_PER_S => return None,
            (Some(kept), Some(missed)) if is_near(kept, missed) => (Metric::Cameras, kept),
            (Some(kept), _) => (Metric::CamerasAtLeast, kept),
            (None, Some(1)) => (Metric::Cameras, 0),
            (None, _) => return None,
        };
        let trial = |number: u64| {
            let is_it = |&(cameras, step): &(u64, &StepResult)| {
                cameras == number && step.outcome == StepOutcome::Done
            };
            Some(Self::trials(done).find(is_it)?.1)
        };
        let deciding = [shown.kept, shown.missed].into_iter().flatten().filter_map(trial);
        let deciding: Vec<&StepResult> = deciding.collect();
        let doubt = deciding.iter().find_map(|step| step.doubt(Direction::Write).cloned());
        // A search gives no interval: the next one may end at a neighbouring number.
        let estimate = Estimate::bare(kept as f64, deciding.len() as u64);
        Some((metric, Measured { estimate, step: deciding.first()?.step.id.clone(), doubt }))
    }

    /// The trials and their result.
    pub fn table(&self, done: &[StepResult]) -> Option<Table> {
        let mut trials: Vec<(u64, &StepResult)> = Self::trials(done).collect();
        if trials.is_empty() {
            return None;
        }
        trials.sort_by_key(|(cameras, _)| *cameras);
        let rows = trials.iter().map(|&(cameras, step)| {
            let doubt = step.doubt(Direction::Write).cloned();
            let word = match (&step.outcome, self.outcome(cameras, step)) {
                (StepOutcome::Done, Some(CamerasOutcome::InTime)) => message!("table-cameras.all"),
                (StepOutcome::Done, Some(CamerasOutcome::Behind { .. })) => message!("table-cameras.too-few"),
                (StepOutcome::Done, Some(CamerasOutcome::Late) | None) => message!("table-cameras.not-all"),
                _ => message!("table-cameras.not-tried"),
            };
            let figure = |estimate: Estimate| Cell::Figure {
                estimate,
                step: step.step.id.clone(),
                doubt: doubt.clone(),
            };
            let cells = match part(step, "record") {
                None => vec![absent(message!("table-absent.nothing-recorded")); 2],
                Some(part) => {
                    let latest = Estimate::bare(part.latency.max_ns() as f64, part.latency.n());
                    vec![figure(part.bandwidth_bytes_per_s()), figure(latest)]
                }
            };
            let words = [Cell::Text { text: word }];
            row(message!("table-count", count = cameras), words.into_iter().chain(cells).collect())
        });
        let rows = rows.collect();
        let missed = self.shown(done).missed.map(|cameras| self.why_missed(cameras, done));
        Some(Table {
            title: message!("table-cameras.title", mbit = self.mbit_per_s),
            heading: message!("table-cameras.heading"),
            columns: vec![
                column(message!("table-cameras.in-time"), CellUnit::Text),
                column(Message::default(), CellUnit::MegabytesPerSecond),
                column(message!("table-cameras.latest"), CellUnit::Seconds),
            ],
            rows,
            notes: [self.answer(done)].into_iter().chain(missed).collect(),
        })
    }

    /// The result of the search in words.
    fn answer(&self, done: &[StepResult]) -> Message {
        let (mbit, trial) = (self.mbit_per_s, Parameter::DurationNs(self.trial_ns()));
        match self.shown(done) {
            Shown { kept: Some(kept), missed: Some(missed) } => {
                message!("table-cameras.kept", cameras = kept, mbit, limit = buffer(), trial, missed)
            }
            Shown { kept: Some(kept), missed: None } => {
                message!("table-cameras.kept-at-least", cameras = kept, mbit, limit = buffer(), trial)
            }
            Shown { kept: None, missed: Some(missed) } => {
                message!("table-cameras.missed", cameras = missed, mbit, limit = buffer(), trial)
            }
            Shown { kept: None, missed: None } => message!("table-cameras.unknown"),
        }
    }
}

/// Time within which a second of video must be durable.
const fn buffer() -> Parameter {
    Parameter::DurationNs(BUFFER_S * NS_PER_S)
}
