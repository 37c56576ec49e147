//! A whole output: its jobs, group status and disks.

use cardiograph_core::{Message, message};
use std::collections::BTreeMap;

use cardiograph_core::imported::Imported;
use cardiograph_core::method::Method;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::report::StepOutcome;
use cardiograph_core::text::shown;
use cardiograph_core::{Direction, JobSpec, NS_PER_MS};
use cardiograph_jobs::method as jobs_method;

use super::super::super::lines::missing_note;
use super::super::super::{ImportedTest, Subject};
use super::super::commands::Command;
use super::super::method::{Headline, Known, group_title, title};
use super::super::units::{UnitNames, bytes, bytes_per_s, msec};
use super::super::{Figures, TOOL, device, remove_sum};
use super::block::Block;
use super::field::field;

/// An output being read.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) command: Option<Command>,
    /// Jobs from job files in the text.
    pub(super) specs: Vec<JobSpec>,
    pub(super) headlines: Vec<Headline>,
    version: Option<String>,
    pub(super) names: UnitNames,
    pub(super) blocks: Vec<Block>,
    /// The group whose status lines follow.
    pub(super) group: Option<u64>,
    groups: BTreeMap<u64, Vec<GroupLine>>,
    /// Whether the list of disks has started.
    pub(super) has_disks: bool,
    disks: Vec<Disk>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Disk {
    name: String,
    /// Whether the disk is stacked on others, which follow.
    stands_on_others: bool,
}

/// Figures of a direction of all jobs in a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GroupLine {
    line: u64,
    direction: Option<Direction>,
    bytes_per_s: f64,
    /// `None` if cut off.
    bytes: Option<f64>,
    runtime_ms: Option<u64>,
}

impl GroupLine {
    /// Parses `READ: bw=22.7MiB/s (23.8MB/s), ..., io=99.0MiB (104MB), run=4353-4353msec`, or of version 2 `READ:
    /// io=99MB, aggrb=23524KB/s, minb=..., maxb=..., mint=4353msec, maxt=4353msec`.
    pub(super) fn parse(line: &str, names: UnitNames, number: u64) -> Result<Self, Message> {
        let (word, rest) = line.split_once(':').unwrap_or_default();
        let direction = match word.trim_end() {
            "READ" => Some(Direction::Read),
            "WRITE" => Some(Direction::Write),
            "TRIM" => Some(Direction::Trim),
            _ => None,
        };
        let (speed, time, names) = match field(rest, "aggrb=") {
            Some(speed) => (speed, field(rest, "maxt="), UnitNames::Version2),
            None => (
                field(rest, "bw=").ok_or(message!("import-fio.key-missing", key = "bw="))?,
                field(rest, "run="),
                names,
            ),
        };
        let time = time.map(|time| msec(time.rsplit('-').next().unwrap_or(time))).transpose()?;
        let first = |text: &str| text.split(" (").next().unwrap_or(text).to_string();
        Ok(Self {
            line: number,
            direction,
            bytes_per_s: bytes_per_s(&first(speed), names)?,
            bytes: field(rest, "io=").map(|io| bytes(&first(io), names)).transpose()?,
            runtime_ms: time,
        })
    }

    /// Whether a line is one.
    pub(super) fn begins(line: &str) -> bool {
        line.split_once(':').is_some_and(|(word, rest)| {
            ["READ", "WRITE", "TRIM", "MIXED"].contains(&word.trim_end())
                && ["bw=", "io="].iter().any(|key| rest.trim_start().starts_with(key))
        })
    }
}

impl Run {
    pub(super) fn set_version(&mut self, version: &str) {
        let major: Option<u64> = version.split('.').next().and_then(|major| major.parse().ok());
        self.names =
            if major.is_some_and(|major| major < 3) { UnitNames::Version2 } else { UnitNames::Version3 };
        self.version = Some(version.to_string());
    }

    /// Whether the output is complete.
    pub(super) fn is_complete(&self) -> bool {
        !self.blocks.is_empty() && (self.has_disks || self.group.is_some())
    }

    /// Whether this job of this process was seen before.
    pub(super) fn has(&self, block: &Block) -> bool {
        self.blocks.iter().any(|known| is_same(known, block))
    }

    /// Starts a job. It replaces earlier figures of the same job, printed while it ran.
    pub(super) fn begin(&mut self, block: Block) {
        self.blocks.retain(|known| !is_same(known, &block));
        self.blocks.push(block);
        (self.group, self.has_disks) = (None, false);
        self.disks.clear();
    }

    pub(super) fn begin_group_status(&mut self, group: u64) {
        (self.group, self.has_disks) = (Some(group), false);
        self.groups.insert(group, Vec::new());
    }

    pub(super) fn has_group(&self, group: u64) -> bool {
        self.groups.contains_key(&group)
    }

    /// Whether this line with the rate of a direction belongs to the job that is being read.
    pub(super) fn has_job_for(&self, line: &str) -> bool {
        let is_open = self.group.is_none() && !self.has_disks;
        is_open && self.blocks.last().is_some_and(|block| block.lacks(line))
    }

    /// Whether a line belongs to the summary that is being read.
    pub(super) fn expects(&self, line: &GroupLine) -> bool {
        let known = self.groups.get(&self.group.unwrap_or_default());
        known.is_none_or(|known| known.iter().all(|known| known.direction != line.direction))
    }

    pub(super) fn group_line(&mut self, line: GroupLine) {
        let group = *self.group.get_or_insert_default();
        self.groups.entry(group).or_default().push(line);
    }

    /// Reads `sda: ios=97/100, ..., util=97.57%`.
    pub(super) fn disk(&mut self, line: &str) {
        if let Some((name, rest)) = line.split_once(": ios=") {
            let stands_on_others = rest.contains("aggrios=");
            let name = name.trim().to_string();
            let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
            let disk = Disk { name, stands_on_others };
            if is_name && !self.disks.contains(&disk) {
                self.disks.push(disk);
            }
        }
    }

    /// Returns the output's tests, and a new Run that keeps the job files, which are valid for the next output.
    pub(super) fn finish(mut self) -> (Run, Vec<ImportedTest>) {
        let next = Run { specs: self.specs.clone(), ..Run::default() };
        let device = self.device();
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut tests = Vec::new();
        // Others were truncated.
        blocks.retain(|block| block.error != 0 || block.issued.is_some() || !block.figures.0.is_empty());
        for block in blocks.iter_mut().filter(|block| !block.is_begun) {
            block.name = self.only_job().unwrap_or("job").to_string();
        }
        blocks.sort_by_key(|block| block.group);
        for of_group in blocks.chunk_by(|one, other| one.group == other.group) {
            let (group, count) = (of_group[0].group, of_group.len() as u64);
            let lines = self.groups.get(&group).filter(|lines| count > 1 && !lines.is_empty());
            let together = lines.map(|lines| self.group_test(group, lines, of_group));
            tests.extend(of_group.iter().map(|block| self.test(block.clone(), count)));
            tests.extend(together);
        }
        if blocks.is_empty() {
            let groups = self.groups.iter().filter(|(_, lines)| !lines.is_empty());
            tests.extend(groups.map(|(group, lines)| self.group_test(*group, lines, &[])));
        } else if let Some(first) = tests.first_mut()
            && self.groups.is_empty()
        {
            first.notes.extend(missing_note([Some(message!("import-part.summary"))]));
        }
        let output_line = tests.iter().filter_map(|test| test.line).min();
        for test in &mut tests {
            test.output_line = output_line;
            test.subject = Subject { device: device.clone(), ..Subject::default() };
        }
        (next, tests)
    }

    /// The kernel's names of the bottom-level drives.
    fn device(&self) -> Option<String> {
        let bottoms: Vec<&str> =
            self.disks.iter().filter(|disk| !disk.stands_on_others).map(|disk| disk.name.as_str()).collect();
        device(&bottoms)
    }

    /// The name of the job, if the text names a single one.
    fn only_job(&self) -> Option<&str> {
        let headlines = self.headlines.iter().map(|headline| headline.name.as_str());
        let commanded = self.command.iter().flat_map(|command| &command.jobs).map(|job| job.name.as_str());
        let mut names = headlines.chain(commanded);
        names.next().filter(|first| names.all(|name| name == *first))
    }

    fn known(&self, name: &str) -> Known {
        let commanded = self.command.iter().flat_map(|command| &command.jobs);
        Known::new(name, commanded.chain(&self.specs), &self.headlines)
    }

    fn test(&self, mut block: Block, in_group: u64) -> ImportedTest {
        let known = self.known(&block.name);
        block.complete(known.window_ns());
        let is_mixed = self.is_mixed(&block);
        let method = match is_mixed {
            true => Method {
                tool: TOOL.to_string(),
                tool_version: self.version.clone(),
                jobs: Some(block.jobs),
                ..Method::default()
            },
            false => {
                let jobs = Some(block.jobs).filter(|&jobs| jobs > 0);
                known.method(self.version.as_deref(), jobs, in_group - 1)
            }
        };
        let mixed = is_mixed.then(|| message!("import-fio.mixed-jobs"));
        let is_cut = block.error == 0 && block.issued.is_none();
        let missing = missing_note([
            (!block.is_begun).then(|| message!("import-part.job-line", job = shown(&block.name))),
            is_cut.then(|| message!("import-part.job-end", job = shown(&block.name))),
        ]);
        let outcome = block.outcome();
        let mut imported = Imported { others: block.others, ..block.figures.into_imported() };
        known.separate_range_syncs(&mut imported);
        let began = block.printed.map(|printed| printed.unix_ms.saturating_sub(block.runtime_ms));
        ImportedTest {
            command: self.command.as_ref().map(|command| command.text.clone()),
            outcome,
            started_unix_ms: began,
            line: Some(block.line),
            notes: block
                .printed
                .map(|printed| printed.note(TOOL))
                .into_iter()
                .chain(mixed)
                .chain(missing)
                .collect(),
            imported,
            ..ImportedTest::new(block.name.clone(), title(&block.name, &method), method)
        }
    }

    /// Whether the jobs of a block, or with its name, did different things.
    fn is_mixed(&self, block: &Block) -> bool {
        let of_group = self.headlines.iter().filter(|headline| headline.group == Some(block.group));
        let together: Vec<&Headline> =
            of_group.filter(|headline| block.jobs > 1 || headline.name == block.name).collect();
        together.windows(2).any(|pair| !pair[0].is_same_workload(pair[1]))
    }

    /// Makes the test of all jobs of a group, for which fio prints speed, bytes and time. `blocks` is empty if only this
    /// summary is in the text.
    fn group_test(&self, group: u64, lines: &[GroupLine], blocks: &[Block]) -> ImportedTest {
        let mut knowns: Vec<Known> = blocks.iter().map(|block| self.known(&block.name)).collect();
        if blocks.is_empty() {
            knowns.extend(self.only_job().map(|name| self.known(name)));
        }
        let jobs = (!blocks.is_empty()).then(|| blocks.iter().map(|block| block.jobs).sum());
        let is_one_job = blocks.windows(2).all(|pair| pair[0].name == pair[1].name);
        let method = match knowns.first() {
            Some(known) if is_one_job => known.method(self.version.as_deref(), jobs, 0),
            _ => {
                let specs: Option<Vec<JobSpec>> = knowns.iter().map(|known| known.spec.clone()).collect();
                let specs = specs.filter(|specs| !specs.is_empty());
                let method = specs.map(|specs| jobs_method::from_specs(TOOL, &specs));
                let unknown = Method { tool: TOOL.to_string(), ..Method::default() };
                let version = self.version.clone();
                Method { tool_version: version, jobs, ..method.unwrap_or(unknown) }
            }
        };
        let mut figures = Figures::default();
        for line in lines {
            figures.add(line.direction, Quantity::Bandwidth, line.bytes_per_s, 0);
            let runtime_ns = line.runtime_ms.map(|ms| ms as f64 * NS_PER_MS as f64);
            for (quantity, value) in [(Quantity::Bytes, line.bytes), (Quantity::Runtime, runtime_ns)] {
                value.into_iter().for_each(|value| figures.add(line.direction, quantity, value, 0));
            }
        }
        let is_cut = lines.iter().any(|line| line.bytes.is_none() || line.runtime_ms.is_none());
        let missing = missing_note([
            blocks.is_empty().then(|| message!("import-part.jobs")),
            is_cut.then(|| message!("import-part.amounts")),
        ]);
        remove_sum(&mut figures);
        let id = format!("group-{group}");
        let failed = blocks.iter().find(|block| block.error != 0);
        ImportedTest {
            command: self.command.as_ref().map(|command| command.text.clone()),
            outcome: failed.map_or(StepOutcome::Done, Block::outcome),
            line: Some(blocks.first().map_or(lines[0].line, |first| first.line)),
            notes: missing.into_iter().collect(),
            imported: figures.into_imported(),
            ..ImportedTest::new(id, group_title(group, &method), method)
        }
    }
}

fn is_same(known: &Block, block: &Block) -> bool {
    known.pid.is_some() && (known.pid == block.pid) && known.group == block.group && known.name == block.name
}
