//! The steps of a sweep: those that fill the files, and one for each cell of the matrix.

use cardiograph_core::message::Parameter;
use cardiograph_core::report::{Step, StepResult, StepRole};
use cardiograph_core::{GIB, JobSpec, MIB, Message, NS_PER_S, message};

use super::axes::{Axes, Axis, Cell, FileState, ORDER};
use super::{BS, MAX, NAME, OFFSET, SIZE, TIME};
use crate::budget::Budget;
use crate::instead::instead;
use crate::next_step::{NextStep, step_of};
use crate::suite::{Context, Need};
use crate::text::{self, whole_mib};
use crate::{title, tries};

const FILE: &str = "cardiograph-sweep.tmp";
const FRESH_FILE: &str = "cardiograph-sweep-fresh.tmp";
const FILL: &str = "fill";
const SCATTER: &str = "scatter";
const CELL: &str = "cell";

/// Maximum file length when no size is set.
const FILE_BYTES_MAX: u64 = GIB;
/// Least file length: shorter files fit into a card's memory.
const FILE_BYTES_MIN: u64 = 16 * MIB;
/// Least number of the longest blocks in a file.
const BLOCKS_MIN: u64 = 4;
/// Least write limit of a writing cell.
const CELL_BYTES_MIN: u64 = MIB;
/// The share of the capacity that may be written, as a divisor, and its limit.
const CAPACITY_DIVISOR: u64 = 100;
const WRITE_BYTES_MAX: u64 = 8 * GIB;
/// More cells than this are a typing error.
const CELLS_MAX: usize = 5_000;
/// Time limit for overwriting a file at random.
const SCATTER_NS: u64 = 600 * NS_PER_S;

/// The axes that titles always name.
pub(super) const TITLED: [Axis; 3] = [Axis::Mix, Axis::Bs, Axis::Depth];

/// The plan of a checkup.
#[derive(Debug)]
pub(super) struct Plan {
    pub axes: Axes,
    pub cells: Vec<Cell>,
    file_bytes: u64,
    /// Write limit of a cell, in bytes.
    cell_bytes_max: u64,
    time_ns: u64,
    direct: bool,
    pub notes: Vec<Message>,
}

impl Plan {
    /// The plan, or sentences with the reason and what to set instead.
    pub fn from_context(context: &Context<'_>) -> Result<Self, Vec<Message>> {
        let settings = &context.options.settings;
        let axes = Axes::from_settings(settings).map_err(|problem| vec![problem])?;
        let cells = axes.cells();
        if cells.is_empty() {
            let states = Parameter::all(axes.states.iter().map(|state| state.name()));
            return Err(vec![message!("note-sweep.nothing-to-read", states)]);
        }
        if cells.len() > CELLS_MAX {
            return Err(vec![message!("note-sweep.too-many", combinations = cells.len(), most = CELLS_MAX)]);
        }
        if context.drive.simulated && axes.states.contains(&FileState::Trimmed) {
            return Err(vec![message!("note-sweep.simulated-trim")]);
        }
        if context.drive.simulated && (axes.directories != [None] || axes.schedulers != [None]) {
            return Err(vec![message!("note-sweep.simulated-place")]);
        }
        if let Some(problem) = misplaced(context, &axes) {
            return Err(vec![problem]);
        }
        let asked = settings.bytes(&MAX);
        let (divisor, most) = asked.map_or((CAPACITY_DIVISOR, WRITE_BYTES_MAX), |bytes| (1, bytes));
        let budget = Budget::within(context.drive, divisor, most);
        let mut plan = Self {
            time_ns: settings.time_ns(&TIME).unwrap_or(5 * NS_PER_S),
            file_bytes: 0,
            cell_bytes_max: 0,
            direct: context.options.direct,
            notes: budget.reasons.clone(),
            axes,
            cells,
        };
        plan.share_out(context, &budget)?;
        if let Some(max_ns) = context.options.max_time_ns {
            let limit = Parameter::DurationNs(max_ns);
            plan.notes.push(match context.options.keeps_report {
                true => message!("note-sweep.resumable", limit),
                false => message!("note-sweep.cut-off", limit),
            });
        }
        Ok(plan)
    }

    /// Sets the length of the files and the write limit of each cell.
    fn share_out(&mut self, context: &Context<'_>, budget: &Budget) -> Result<(), Vec<Message>> {
        let asked_bytes = context.options.settings.bytes(&SIZE);
        let fills: u64 = self.groups().iter().map(|&(_, state)| passes(state)).sum();
        let writing = self.cells.iter().filter(|cell| cell.mix.writes()).count() as u64;
        let for_files = if writing > 0 { budget.write_bytes / 2 } else { budget.write_bytes };
        let wanted = FILE_BYTES_MAX.min(for_files / fills.max(1));
        let file_bytes = asked_bytes.unwrap_or(wanted).min(budget.file_len_bytes_max);
        self.file_bytes = whole_mib(file_bytes);
        let longest_bytes = self.axes.blocks.iter().copied().max().unwrap_or(0);
        let least_bytes = FILE_BYTES_MIN.max(longest_bytes * BLOCKS_MIN);
        let least = Parameter::Bytes(least_bytes);
        if asked_bytes.is_some_and(|bytes| bytes < least_bytes) {
            let size = context.options.settings.text(&SIZE);
            return Err(vec![message!("note-sweep.size-too-short", size, least)]);
        }
        let refused = |why: Message, then: Vec<Message>| Err([&budget.reasons[..], &[why], &then].concat());
        if self.file_bytes < least_bytes {
            let then = std::iter::once(budget.more()).chain(instead(context)).collect();
            return refused(message!("note-sweep.too-little", least), then);
        }
        // Two files may exist at once: one that stays, and one of the new files.
        let files = u64::from(self.axes.states.iter().any(|state| state.is_empty())) + u64::from(fills > 0);
        if self.axes.directories == [None] && self.file_bytes.saturating_mul(files) > budget.file_bytes {
            let needed = Parameter::Bytes(self.file_bytes * files);
            return refused(message!("note-sweep.no-room", needed), vec![]);
        }
        let filling_bytes = fills.saturating_mul(self.file_bytes);
        if filling_bytes > budget.write_bytes {
            let filling = message!("note-sweep.filling", bytes = Parameter::Bytes(filling_bytes));
            return refused(filling, vec![budget.more(), message!("note-sweep.shorter-files")]);
        }
        if let Some(each) = (budget.write_bytes - filling_bytes).checked_div(writing) {
            self.cell_bytes_max = whole_mib(each.min(self.file_bytes));
            if self.cell_bytes_max < CELL_BYTES_MIN {
                let least = Parameter::Bytes(CELL_BYTES_MIN);
                let why = message!("note-sweep.too-little-each", least, measurements = writing);
                return refused(why, vec![budget.more()]);
            }
        }
        self.note_sizes(writing);
        Ok(())
    }

    /// Adds notes about the measurements, of which `writing` write.
    fn note_sizes(&mut self, writing: u64) {
        let size = Parameter::Bytes(self.file_bytes);
        self.notes.push(message!("note-sweep.measurements", measurements = self.cells.len(), size));
        if writing > 0 {
            let each = Parameter::Bytes(self.cell_bytes_max);
            self.notes.push(message!("note-sweep.writes-end", bytes = each));
        }
        if self.cells.len() < self.combinations() {
            self.notes.push(message!("note-sweep.new-files"));
        }
        if self.axes.states.contains(&FileState::Trimmed) {
            self.notes.push(message!("note-sweep.trims"));
        }
    }

    fn combinations(&self) -> usize {
        let axes = &self.axes;
        [
            axes.blocks.len(),
            axes.depths.len(),
            axes.jobs.len(),
            axes.mixes.len(),
            axes.engines.len(),
            axes.directories.len(),
            axes.offsets.len(),
            axes.states.len(),
            axes.schedulers.len(),
        ]
        .iter()
        .product()
    }

    /// The index of the first cell of each group that shares files, with the group's state.
    fn groups(&self) -> Vec<(usize, FileState)> {
        let begins = |&at: &usize| at == 0 || self.cells[at].group() != self.cells[at - 1].group();
        (0..self.cells.len()).filter(begins).map(|at| (at, self.cells[at].state)).collect()
    }

    /// All steps in order.
    pub fn steps(&self) -> Vec<Step> {
        self.remaining_steps(&[]).into_iter().map(|next| next.step).collect()
    }

    /// The steps without groups whose cells are all measured: files are filled only for the others.
    pub fn remaining_steps(&self, done: &[StepResult]) -> Vec<NextStep> {
        let is_done = |at: usize| done.iter().any(|step| step.step.id == tries::id_of(CELL, at as u32));
        let groups = self.groups();
        let mut steps = Vec::new();
        for (nth, &(first, _)) in groups.iter().enumerate() {
            let end = groups.get(nth + 1).map_or(self.cells.len(), |&(next, _)| next);
            if (first..end).all(is_done) {
                continue;
            }
            let first_cell = &self.cells[first];
            let group_steps = self.beforehand(nth as u32, first_cell).into_iter();
            let group_steps = group_steps.chain((first..end).map(|at| self.cell(at)));
            steps.extend(group_steps.map(|step| NextStep {
                scheduler: first_cell.scheduler.clone(),
                trims: first_cell.state == FileState::Trimmed,
                ..step.into()
            }));
        }
        steps
    }

    /// The steps that prepare the file of a group.
    fn beforehand(&self, nth: u32, cell: &Cell) -> Vec<Step> {
        let fill = || {
            let job = self
                .job(FILL, nth, cell)
                .set("rw", "write")
                .set("bs", "1M")
                .set("iodepth", 4)
                .set("end_fsync", 1);
            self.prepare(title::fill(), job, cell, None)
        };
        let scatter = || {
            let job = self.job(SCATTER, nth, cell).set("rw", "randwrite").set("bs", "4k").set("iodepth", 32);
            let job = job.set("end_fsync", 1).set("runtime", text::option_time(SCATTER_NS));
            self.prepare(message!("step-scatter"), job, cell, Some(SCATTER_NS))
        };
        match cell.state {
            FileState::Fresh | FileState::Trimmed => Vec::new(),
            FileState::Filled => vec![fill()],
            FileState::Random => vec![fill(), scatter()],
        }
    }

    fn prepare(&self, title: Message, job: JobSpec, cell: &Cell, time_ns_max: Option<u64>) -> Step {
        let job = job.set("ioengine", "io_uring");
        let step = step_of(job, title, (&file_name(cell), self.file_bytes), self.file_bytes);
        Step { role: StepRole::Prepare, time_ns_max, ..step }
    }

    fn cell(&self, at: usize) -> Step {
        let cell = &self.cells[at];
        let job = self.job(CELL, at as u32, cell).set("ioengine", &cell.engine).set("rw", cell.mix.rw);
        let job = if cell.mix.rw.ends_with("rw") { job.set("rwmixread", cell.mix.read_percent) } else { job };
        let job = job.set("bs", text::option_bytes(cell.block_bytes)).set("iodepth", cell.depth);
        let job = match cell.jobs {
            1 => job,
            jobs => job.set("numjobs", jobs).set("group_reporting", 1),
        };
        let job = match cell.offset_bytes {
            0 => job,
            offset => job
                .set("offset", text::option_bytes(offset))
                .set("size", text::option_bytes(self.file_bytes - offset)),
        };
        let job = job.set("runtime", text::option_time(self.time_ns)).set("randrepeat", 0);
        let each_bytes = self.cell_bytes_max / u64::from(cell.jobs);
        let job = match cell.mix.writes() {
            true => job.set("io_size", text::option_bytes(each_bytes.max(cell.block_bytes))),
            false => job.set("time_based", 1),
        };
        let job = if cell.state.is_empty() { job.set("unlink", 1) } else { job };
        let write_bytes_max = match cell.mix.writes() {
            true => each_bytes.max(cell.block_bytes) * u64::from(cell.jobs),
            false => 0,
        };
        let file = (&*file_name(cell), self.file_bytes);
        Step { time_ns_max: Some(self.time_ns), ..step_of(job, self.title(cell), file, write_bytes_max) }
    }

    fn job(&self, id: &str, nth: u32, cell: &Cell) -> JobSpec {
        JobSpec::for_step(NAME, &tries::id_of(id, nth))
            .set("filename", file_name(cell))
            .set("size", text::option_bytes(self.file_bytes))
            .set("direct", u8::from(self.direct))
            .set("refill_buffers", 1)
    }

    /// The title of a cell: mix, block size, depth, and the other axes with several values.
    fn title(&self, cell: &Cell) -> Message {
        let io = title::for_io(cell.mix.rw, cell.block_bytes, cell.mix.read_percent);
        let more = self.several().into_iter().filter(|axis| !TITLED.contains(axis));
        more.fold(title::with_depth(io, cell.depth), |title, axis| {
            message!("step-with", test = title, setting = axis.name(), value = cell.value(axis))
        })
    }

    /// The axes that have more than one value.
    pub fn several(&self) -> Vec<Axis> {
        let differs =
            |&axis: &Axis| self.cells.iter().any(|cell| cell.value(axis) != self.cells[0].value(axis));
        ORDER.into_iter().filter(differs).collect()
    }

    /// The id of a cell's step.
    pub fn id_of(&self, at: usize) -> String {
        tries::id_of(CELL, at as u32)
    }

    /// The requirements.
    pub fn needs(&self) -> Vec<Need> {
        let directories = self.axes.directories.iter().flatten();
        let directories =
            directories.map(|path| Need::Directory { path: path.clone(), file_bytes: self.file_bytes });
        let schedulers =
            self.axes.schedulers.iter().flatten().map(|name| Need::Scheduler { name: name.clone() });
        let is_trimmed = self.axes.states.contains(&FileState::Trimmed);
        let trimmed = self.axes.directories.iter().filter(|_| is_trimmed);
        let trimmed = trimmed.map(|path| Need::Trim { path: path.clone() });
        directories.chain(schedulers).chain(trimmed).collect()
    }
}

/// A sentence about the first block size or offset that direct I/O on the drive does not allow.
fn misplaced(context: &Context<'_>, axes: &Axes) -> Option<Message> {
    // Drives under other directories are unknown here.
    let leaves = context.drive.leaves.iter().filter(|_| axes.directories == [None]);
    let unit_bytes = leaves.filter_map(|leaf| leaf.logical_block_bytes).max().unwrap_or(512);
    let does_not_fit = |&&bytes: &&u64| context.options.direct && !bytes.is_multiple_of(unit_bytes);
    let offset = axes.offsets.iter().find(does_not_fit);
    let block = || axes.blocks.iter().find(does_not_fit);
    let (setting, bytes) = offset.map(|bytes| (&OFFSET, bytes)).or_else(|| Some((&BS, block()?)))?;
    let value = text::option_bytes(*bytes);
    let unit = Parameter::BlockBytes(unit_bytes);
    Some(message!("setting-sweep-wrong.misaligned", setting = setting.name, value, unit))
}

/// Times that the whole file is written for a state.
fn passes(state: FileState) -> u64 {
    match state {
        FileState::Fresh | FileState::Trimmed => 0,
        FileState::Filled => 1,
        FileState::Random => 2,
    }
}

/// The file of a cell, with its directory if that is not the checkup's target.
fn file_name(cell: &Cell) -> String {
    let name = if cell.state.is_empty() { FRESH_FILE } else { FILE };
    match &cell.directory {
        Some(directory) => format!("{}/{name}", directory.trim_end_matches('/')),
        None => name.to_string(),
    }
}
