//! `cliff`: sequential writing until the drive's write cache is full.
//!
//! Many drives put writes into a fast cache first (flash cells used with one bit each, or memory) and slow down for good
//! when it is full. The size of the cache, the speed after it and how much of it is free again after a pause determine the
//! speed of a copy of many gigabytes, a camera or a backup, and a short test shows none of them.
//!
//! One file is written in pieces, each as long as all before it together, so that a small cache is found with few writes.
//! The pieces are analysed as one series ([`cardiograph_core::falloff`]). When a fall-off is certain and enough was written
//! after it, the drive is left idle and written once more.

use cardiograph_core::Doubt;
use cardiograph_core::drive::{Drive, Mount};
use cardiograph_core::falloff::{self, FallOff, FallOffSearch};
use cardiograph_core::message::Parameter;
use cardiograph_core::metric::{Measured, Measurements, Metric};
use cardiograph_core::report::{Step, StepOutcome, StepResult};
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{Direction, Estimate, GIB, JobSpec, MIB, Message, NS_PER_S, Series, message, stats};

use crate::budget::{as_asked, by_room, margin_bytes};
use crate::figure::doubt_of_windows;
use crate::instead::instead;
use crate::measure::measure;
use crate::next_step::{NextStep, step_of, went_well};
use crate::setting::{Setting, SettingKind, Settings};
use crate::suite::{Context, Outline, Suite};
use crate::tabulate::{absent, column, row};
use crate::text::{self, whole_mib};
use crate::traits::{OnDevice, SuiteTraits};

const NAME: &str = "cliff";
const FILE: &str = "cardiograph-cliff.tmp";
const RECOVERY: &str = "recovery";
const PIECE: &str = "write";

const MAX: Setting = Setting::new("max", const { &message!("setting-cliff.max") }, SettingKind::Bytes, "");
const IDLE: Setting =
    Setting::new("idle", const { &message!("setting-cliff.idle") }, SettingKind::Time, "60s");

/// The share of the capacity that may be written, as a divisor.
const CAPACITY_DIVISOR: u64 = 10;
/// With less, there are too few windows on a fast drive.
const LIMIT_BYTES_MIN: u64 = 256 * MIB;
/// Share of the limit that is written in one go at most; the rest is for the recovery.
const FIRST_SHARE: (u64, u64) = (3, 4);
/// Least length of the first piece, which is otherwise a sixteenth.
const PIECE_BYTES_MIN: u64 = 64 * MIB;
/// Least share of the cache size to be written after the cache, as a divisor, so that the speed there is known.
const BEHIND_DIVISOR: u64 = 4;
/// Least number of windows after the cache.
const BEHIND_WINDOWS_MIN: usize = 40;
/// Rows of the table of speeds.
const PARTS: usize = 12;

/// The suite.
#[derive(Debug, Clone, Copy)]
pub struct Cliff;

/// The plan of a checkup.
struct Plan {
    /// Most bytes that are written in one go.
    first_bytes: u64,
    /// Most bytes that are written after the pause.
    again_bytes: u64,
    idle_ns: u64,
    direct: bool,
    max_time_ns: Option<u64>,
    notes: Vec<Message>,
}

impl Plan {
    fn from_context(context: &Context<'_>) -> Self {
        let (settings, drive) = (&context.options.settings, context.drive);
        let capacity_bytes = drive.capacity_bytes.or(drive.mount.as_ref().map(|mount| mount.size_bytes));
        let wanted_bytes = match (settings.bytes(&MAX), capacity_bytes) {
            (Some(bytes), _) => bytes,
            (None, Some(bytes)) => bytes / CAPACITY_DIVISOR,
            (None, None) => 8 * GIB,
        };
        let room = Room::on_drive(drive);
        // The file is written once in full, and a third of it once more.
        let most_bytes = (room.bytes() / FIRST_SHARE.0).saturating_mul(FIRST_SHARE.1);
        let limit_bytes = wanted_bytes.min(most_bytes);
        let limit = Parameter::CapacityBytes(limit_bytes);
        let mut notes = vec![match (settings.bytes(&MAX), capacity_bytes) {
            _ if most_bytes < wanted_bytes => room.reason(limit_bytes),
            (Some(_), _) => as_asked(limit_bytes),
            (None, Some(bytes)) => {
                message!("note-cliff.tenth", bytes = limit, capacity = Parameter::CapacityBytes(bytes))
            }
            (None, None) => message!("note-cliff.capacity-unknown", bytes = limit),
        }];
        let first_bytes = whole_mib(limit_bytes / FIRST_SHARE.1 * FIRST_SHARE.0);
        if limit_bytes < LIMIT_BYTES_MIN {
            notes.push(message!("note-cliff.too-little", least = Parameter::CapacityBytes(LIMIT_BYTES_MIN)));
            notes.extend(instead(context));
        } else {
            notes.push(life(drive, limit_bytes));
        }
        Self {
            first_bytes,
            again_bytes: whole_mib(limit_bytes - first_bytes),
            idle_ns: settings.time_ns(&IDLE).unwrap_or(0),
            direct: context.options.direct,
            max_time_ns: context.options.max_time_ns,
            notes,
        }
    }

    fn fits(&self) -> bool {
        self.first_bytes + self.again_bytes + 2 * MIB > LIMIT_BYTES_MIN
    }

    /// The next piece; `None` if everything is written, or no time is left.
    fn piece(&self, index: usize, written_bytes: u64, left_ns: Option<u64>) -> Option<Step> {
        let first_bytes = PIECE_BYTES_MIN.max(whole_mib(self.first_bytes / 16));
        let wanted_bytes = written_bytes.max(first_bytes);
        let left_bytes = self.first_bytes.saturating_sub(written_bytes);
        // Do not leave a small rest for a separate piece.
        let bytes = if left_bytes < wanted_bytes * 3 / 2 { left_bytes } else { wanted_bytes };
        let id = format!("{PIECE}-{}", index + 1);
        let title = match written_bytes {
            0 => message!("step-cliff.first", bytes = Parameter::CapacityBytes(bytes)),
            _ => message!("step-cliff.next", from = Parameter::CapacityBytes(written_bytes)),
        };
        (bytes > 0 && left_ns.is_none_or(|ns| ns >= NS_PER_S)).then(|| {
            let job = self.job(&id, written_bytes, bytes, left_ns);
            self.step(job, title, bytes, left_ns)
        })
    }

    fn recovery(&self, fast_bytes: u64, written_bytes: u64, left_ns: Option<u64>) -> Option<Step> {
        let bytes = whole_mib(fast_bytes + fast_bytes / 4)
            .clamp(PIECE_BYTES_MIN, self.again_bytes)
            .min(written_bytes);
        if left_ns.is_some_and(|ns| ns < self.idle_ns + NS_PER_S) {
            return None;
        }
        let idle = Parameter::DurationNs(self.idle_ns);
        let title = message!("step-cliff.rest", bytes = Parameter::CapacityBytes(bytes), idle);
        let job = self.job(RECOVERY, 0, bytes, left_ns.map(|ns| ns - self.idle_ns));
        let job = job.set("startdelay", text::option_time(self.idle_ns));
        Some(self.step(job, title, bytes, left_ns))
    }

    fn job(&self, id: &str, offset: u64, bytes: u64, left_ns: Option<u64>) -> JobSpec {
        let job = JobSpec::for_step(NAME, id)
            .set("filename", FILE)
            .set("offset", text::option_bytes(offset))
            .set("size", text::option_bytes(bytes))
            .set("bs", "1M")
            .set("rw", "write")
            .set("ioengine", "io_uring")
            .set("iodepth", 4)
            .set("direct", u8::from(self.direct))
            .set("refill_buffers", 1);
        match left_ns {
            Some(ns) => job.set("runtime", text::option_time(ns)),
            None => job,
        }
    }

    fn step(&self, job: JobSpec, title: Message, bytes: u64, time_ns_max: Option<u64>) -> Step {
        Step { time_ns_max, ..step_of(job, title, (FILE, self.first_bytes), bytes) }
    }

    /// The remaining time, if it is limited.
    fn left_ns(&self, done: &[StepResult]) -> Option<u64> {
        let taken_ns: u64 =
            done.iter().filter_map(|step| step.result.as_ref()).map(|run| run.duration_ns).sum();
        self.max_time_ns.map(|max_ns| max_ns.saturating_sub(taken_ns))
    }
}

/// The bound of the file's length.
enum Room<'a> {
    /// The device, except an eighth.
    Device(u64),
    /// The file system's limit for a file.
    LongestFile(&'a Mount, u64),
    /// Free space, except a margin.
    FreeSpace(&'a Mount),
}

impl<'a> Room<'a> {
    fn on_drive(drive: &'a Drive) -> Self {
        let Some(mount) = &drive.mount else {
            return Self::Device(drive.capacity_bytes.unwrap_or(u64::MAX) / 8 * 7);
        };
        let longest_bytes = mount.file_system.as_ref().and_then(|known| known.file_len_bytes_max);
        let free = Self::FreeSpace(mount);
        match longest_bytes {
            Some(longest_bytes) if longest_bytes < free.bytes() => Self::LongestFile(mount, longest_bytes),
            _ => free,
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Device(bytes) | Self::LongestFile(_, bytes) => *bytes,
            Self::FreeSpace(mount) => mount.available_bytes.saturating_sub(margin_bytes(mount.size_bytes)),
        }
    }

    /// The note that it limits the writes to `limit_bytes`.
    fn reason(&self, limit_bytes: u64) -> Message {
        match self {
            Self::Device(_) => message!("note-cliff.device", bytes = Parameter::CapacityBytes(limit_bytes)),
            Self::LongestFile(mount, longest_bytes) => message!(
                "note-cliff.longest-file",
                bytes = Parameter::CapacityBytes(limit_bytes),
                file_system = &mount.fs_type,
                longest = Parameter::CapacityBytes(*longest_bytes)
            ),
            Self::FreeSpace(mount) => by_room(limit_bytes, mount),
        }
    }
}

/// The note on the share of the drives' rated life that the writes consume.
fn life(drive: &Drive, bytes: u64) -> Message {
    let lives: Option<Vec<f64>> =
        drive.leaves.iter().map(|leaf| leaf.health.as_ref().and_then(|health| health.life_bytes())).collect();
    match lives.filter(|lives| !lives.is_empty()) {
        Some(lives) => {
            let shortest = lives.iter().copied().fold(f64::MAX, f64::min);
            let share = Parameter::share(bytes as f64 / lives.len() as f64 / shortest);
            message!("note-cliff.life", share)
        }
        None => message!("note-cliff.life-unknown"),
    }
}

/// The results of the pieces, in order.
fn pieces(done: &[StepResult]) -> impl Iterator<Item = &StepResult> {
    done.iter().filter(|step| step.step.id != RECOVERY)
}

/// The results of the pieces so far.
struct Found {
    series: Series,
    written_bytes: u64,
    /// For each piece, the number of bytes written at its end, and the doubt about its speeds, if any.
    ends: Vec<(u64, Option<Doubt>)>,
    /// Whether the last piece was interrupted.
    is_stopped: bool,
    search: FallOffSearch,
}

impl Found {
    fn from_steps(done: &[StepResult]) -> Self {
        let mut series = Series::default();
        let mut written_bytes = 0;
        let mut ends = Vec::new();
        for step in pieces(done) {
            let Some(result) = &step.result else { continue };
            series.append(&result.series());
            written_bytes += result.merged(|_| true).write.bytes;
            ends.push((written_bytes, doubt_of_windows(step, Direction::Write)));
        }
        let search = falloff::search(&series);
        let is_stopped = pieces(done).any(|step| step.outcome == StepOutcome::Interrupted);
        Self { series, written_bytes, ends, is_stopped, search }
    }

    /// The doubt about the speeds between two amounts of written bytes, if any.
    fn doubt(&self, from_bytes: u64, to_bytes: u64) -> Option<Doubt> {
        let mut start_bytes = 0;
        let reaches = |&(end_bytes, ref doubt): &(u64, Option<Doubt>)| {
            let piece = std::mem::replace(&mut start_bytes, end_bytes)..end_bytes;
            let is_in = piece.start < to_bytes && from_bytes < piece.end;
            if is_in { doubt.clone() } else { None }
        };
        self.ends.iter().find_map(reaches)
    }

    /// The fall-off, once enough was written after it.
    fn settled(&self) -> Option<FallOff> {
        let fall = self.search.found?;
        let behind_bytes = self.written_bytes.saturating_sub(fall.after_bytes);
        let is_enough = behind_bytes >= fall.after_bytes / BEHIND_DIVISOR
            && self.behind(&fall).len() >= BEHIND_WINDOWS_MIN;
        is_enough.then_some(fall)
    }

    /// The speeds of the windows after a fall-off, in bytes per second.
    fn behind(&self, fall: &FallOff) -> Vec<f64> {
        let mut so_far_bytes = 0;
        let rows = self.series.whole(Direction::Write).iter();
        let first = rows.take_while(|row| {
            let is_before = so_far_bytes < fall.after_bytes;
            so_far_bytes += row.bytes;
            is_before
        });
        let first = first.count();
        self.series.bandwidth_bytes_per_s(Direction::Write).split_off(first)
    }
}

/// The part of the cache that was free again after the pause.
struct Recovered {
    /// Bytes that were written at the fast speed.
    fast_bytes: u64,
    /// Whether the cache was not full when the writing ended.
    is_all: bool,
}

fn recovered(done: &[StepResult], fall: &FallOff) -> Option<Recovered> {
    let step = done.iter().find(|step| step.step.id == RECOVERY && step.outcome == StepOutcome::Done)?;
    let mut series = Series::default();
    series.append(&step.result.as_ref()?.series());
    let again = falloff::search(&series);
    let bytes: u64 = series.whole(Direction::Write).iter().map(|row| row.bytes).sum();
    if let Some(fall) = again.found {
        return Some(Recovered { fast_bytes: fall.after_bytes, is_all: false });
    }
    let speeds = series.bandwidth_bytes_per_s(Direction::Write);
    let mean = stats::mean(&speeds);
    // Closer to the fast speed than to the slow one, as a ratio.
    let is_fast = mean * mean >= fall.before_bytes_per_s * fall.after_bytes_per_s;
    Some(Recovered { fast_bytes: if is_fast { bytes } else { 0 }, is_all: is_fast })
}

impl Suite for Cliff {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> Message {
        message!("suite-cliff")
    }

    fn settings(&self) -> &'static [Setting] {
        const { &[MAX, IDLE] }
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits { says_notes_first: true, on_device: OnDevice::Writes, ..SuiteTraits::default() }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        let plan = Plan::from_context(context);
        let mut steps = Vec::new();
        if plan.fits() {
            let mut written_bytes = 0;
            while let Some(step) = plan.piece(steps.len(), written_bytes, plan.max_time_ns) {
                written_bytes += step.write_bytes_max;
                steps.push(step);
            }
            steps.extend(plan.recovery(written_bytes, written_bytes, plan.max_time_ns));
        }
        Outline::from_steps(context, steps, plan.max_time_ns, plan.notes)
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        let plan = Plan::from_context(context);
        let is_over = !went_well(done) || done.iter().any(|step| step.step.id == RECOVERY);
        if is_over || !plan.fits() {
            return None;
        }
        let (found, left_ns) = (Found::from_steps(done), plan.left_ns(done));
        let mut step = match found.settled() {
            Some(fall) => plan.recovery(fall.after_bytes, found.written_bytes, left_ns),
            None => plan.piece(pieces(done).count(), found.written_bytes, left_ns),
        }?;
        if done.is_empty() {
            step.sizing.extend(plan.notes);
        }
        Some(step.into())
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        let mut measurements = measure(context, done, &[]);
        let found = Found::from_steps(done);
        let speeds = match found.settled() {
            Some(fall) => found.behind(&fall),
            None => found.series.bandwidth_bytes_per_s(Direction::Write),
        };
        if let Some(last) = pieces(done).last().filter(|_| !speeds.is_empty()) {
            let doubt = pieces(done).find_map(|step| step.doubt(Direction::Write)).cloned();
            let estimate = mean(&speeds);
            let step = last.step.id.clone();
            measurements.insert(Metric::SustainedWrite, Measured { estimate, step, doubt });
        }
        measurements
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        let found = Found::from_steps(done);
        let tables = vec![cliff_table(context, done, &found), speed_table(&found)];
        tables.into_iter().filter(|_| found.written_bytes > 0).collect()
    }
}

/// The mean speed of windows, in bytes per second.
fn mean(speeds: &[f64]) -> Estimate {
    Estimate::rate(stats::mean(speeds), speeds)
}

fn figure(estimate: Estimate, doubt: &Option<Doubt>) -> Cell {
    Cell::Figure { estimate, step: String::new(), doubt: doubt.clone() }
}

/// The cache, the speed after it, and its recovery.
fn cliff_table(context: &Context<'_>, done: &[StepResult], found: &Found) -> Table {
    let doubt = &found.doubt(0, u64::MAX);
    let idle_ns = context.options.settings.time_ns(&IDLE).unwrap_or(0);
    let back = message!("table-cliff.back", idle = Parameter::DurationNs(idle_ns));
    let columns = vec![
        column(message!("table-cliff.fast-part"), CellUnit::Gigabytes),
        column(message!("table-cliff.fast"), CellUnit::MegabytesPerSecond),
        column(message!("table-cliff.behind"), CellUnit::MegabytesPerSecond),
        column(back, CellUnit::Gigabytes),
    ];
    let bare = |value: f64| figure(Estimate::bare(value, 1), doubt);
    let mut notes = Vec::new();
    let cells = match &found.search.found {
        Some(fall) => {
            let behind = found.behind(fall);
            if found.settled().is_none() {
                notes.push(message!("table-cliff.uncertain"));
            }
            let back = match recovered(done, fall) {
                Some(recovered) => {
                    notes.extend(recovered.is_all.then_some(message!("table-cliff.all-back")));
                    bare(recovered.fast_bytes as f64)
                }
                None => absent(message!("table-absent.not-tried")),
            };
            let slow = mean(&behind);
            vec![bare(fall.after_bytes as f64), bare(fall.before_bytes_per_s), figure(slow, doubt), back]
        }
        None => {
            let none = || match found.search.searched_bytes {
                0 => absent(message!("table-cliff.too-little")),
                bytes => absent(message!("table-cliff.no-fall", bytes = Parameter::CapacityBytes(bytes))),
            };
            if found.is_stopped {
                notes.push(message!("table-cliff.stopped"));
            }
            let speeds = found.series.bandwidth_bytes_per_s(Direction::Write);
            let all = mean(&speeds);
            vec![none(), figure(all, doubt), none(), none()]
        }
    };
    Table {
        title: message!("table-cliff.title"),
        columns,
        rows: vec![row(message!("table-cliff.row"), cells)],
        notes,
        ..Table::default()
    }
}

/// The speed over the written bytes.
fn speed_table(found: &Found) -> Table {
    let per_second = NS_PER_S.div_ceil(found.series.window_ns.max(1)) as usize;
    let series = found.series.coarser(per_second);
    let rows = series.whole(Direction::Write);
    let per_part = rows.len().div_ceil(PARTS).max(1);
    let window_s = series.window_ns as f64 / 1e9;
    let mut before_bytes = 0;
    let parts = rows.chunks(per_part).map(|part| {
        let bytes: u64 = part.iter().map(|row| row.bytes).sum();
        let speeds: Vec<f64> = part.iter().map(|row| row.bytes as f64 / window_s).collect();
        let slowest = speeds.iter().copied().fold(f64::MAX, f64::min);
        let name = message!("table-cliff.from", bytes = Parameter::CapacityBytes(before_bytes));
        let doubt = &found.doubt(before_bytes, before_bytes + bytes);
        before_bytes += bytes;
        let slowest = Estimate::bare(slowest, speeds.len() as u64);
        row(name, vec![figure(mean(&speeds), doubt), figure(slowest, doubt)])
    });
    Table {
        title: message!("table-cliff.speeds"),
        heading: message!("table-heading.written"),
        columns: vec![
            column(message!("table-heading.mean"), CellUnit::MegabytesPerSecond),
            column(
                message!("table-heading.slowest", window = Parameter::DurationNs(series.window_ns)),
                CellUnit::MegabytesPerSecond,
            ),
        ],
        rows: parts.collect(),
        ..Table::default()
    }
}

#[cfg(test)]
mod tests;
