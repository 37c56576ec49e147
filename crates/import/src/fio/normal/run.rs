//! A whole output: its jobs, group status and disks.

use cardiograph_core::{Message, message};
use std::collections::BTreeMap;

use cardiograph_core::imported::Imported;
use cardiograph_core::method::Method;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::{Direction, JobSpec, NS_PER_MS};
use cardiograph_jobs::method as jobs_method;

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
    direction: Option<Direction>,
    bytes_per_s: f64,
    bytes: f64,
    runtime_ms: u64,
}

impl GroupLine {
    /// Parses `READ: bw=22.7MiB/s (23.8MB/s), ..., io=99.0MiB (104MB), run=4353-4353msec`, or of version 2 `READ:
    /// io=99MB, aggrb=23524KB/s, minb=..., maxb=..., mint=4353msec, maxt=4353msec`.
    pub(super) fn parse(line: &str, names: UnitNames) -> Option<Result<Self, Message>> {
        let (word, rest) = line.split_once(':')?;
        let direction = match word.trim_end() {
            "READ" => Some(Direction::Read),
            "WRITE" => Some(Direction::Write),
            "TRIM" => Some(Direction::Trim),
            "MIXED" => None,
            _ => return None,
        };
        let read = || {
            let (speed, time, names) = match field(rest, "aggrb=") {
                Some(speed) => (speed, field(rest, "maxt="), UnitNames::Version2),
                None => (
                    field(rest, "bw=").ok_or(message!("import-fio.key-missing", key = "bw="))?,
                    field(rest, "run="),
                    names,
                ),
            };
            let time = time.ok_or(message!("import-fio.run-time-missing"))?;
            let time = time.rsplit('-').next().unwrap_or(time);
            let io = field(rest, "io=").ok_or(message!("import-fio.key-missing", key = "io="))?;
            let first = |text: &str| text.split(" (").next().unwrap_or(text).to_string();
            Ok(Self {
                direction,
                bytes_per_s: bytes_per_s(&first(speed), names)?,
                bytes: bytes(&first(io), names)?,
                runtime_ms: msec(time)?,
            })
        };
        Some(read())
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

    pub(super) fn group_line(&mut self, line: GroupLine) {
        if let Some(group) = self.group {
            self.groups.entry(group).or_default().push(line);
        }
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
        blocks.sort_by_key(|block| block.group);
        for of_group in blocks.chunk_by(|one, other| one.group == other.group) {
            let (group, count) = (of_group[0].group, of_group.len() as u64);
            let lines = self.groups.get(&group).filter(|lines| count > 1 && !lines.is_empty());
            let together = lines.map(|lines| self.group_test(group, lines, of_group));
            tests.extend(of_group.iter().map(|block| self.test(block.clone(), count)));
            tests.extend(together);
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
            false => known.method(self.version.as_deref(), Some(block.jobs), in_group - 1),
        };
        let mixed = is_mixed.then(|| message!("import-fio.mixed-jobs"));
        let outcome = block.outcome();
        let mut imported = Imported { others: block.others, ..block.figures.into_imported() };
        known.separate_range_syncs(&mut imported);
        let began = block.printed.map(|printed| printed.unix_ms.saturating_sub(block.runtime_ms));
        ImportedTest {
            command: self.command.as_ref().map(|command| command.text.clone()),
            outcome,
            started_unix_ms: began,
            line: Some(block.line),
            notes: block.printed.map(|printed| printed.note(TOOL)).into_iter().chain(mixed).collect(),
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

    /// Makes the test of all jobs of a group, for which fio prints speed, bytes and time.
    fn group_test(&self, group: u64, lines: &[GroupLine], blocks: &[Block]) -> ImportedTest {
        let knowns: Vec<Known> = blocks.iter().map(|block| self.known(&block.name)).collect();
        let jobs = blocks.iter().map(|block| block.jobs).sum();
        let is_one_job = blocks.windows(2).all(|pair| pair[0].name == pair[1].name);
        let method = match knowns.first() {
            Some(known) if is_one_job => known.method(self.version.as_deref(), Some(jobs), 0),
            _ => {
                let specs: Option<Vec<JobSpec>> = knowns.iter().map(|known| known.spec.clone()).collect();
                let method = specs.map(|specs| jobs_method::from_specs(TOOL, &specs));
                let unknown = Method { tool: TOOL.to_string(), ..Method::default() };
                let version = self.version.clone();
                Method { tool_version: version, jobs: Some(jobs), ..method.unwrap_or(unknown) }
            }
        };
        let mut figures = Figures::default();
        for line in lines {
            figures.add(line.direction, Quantity::Bandwidth, line.bytes_per_s, 0);
            figures.add(line.direction, Quantity::Bytes, line.bytes, 0);
            figures.add(line.direction, Quantity::Runtime, line.runtime_ms as f64 * NS_PER_MS as f64, 0);
        }
        remove_sum(&mut figures);
        let id = format!("group-{group}");
        let failed = blocks.iter().find(|block| block.error != 0);
        ImportedTest {
            command: self.command.as_ref().map(|command| command.text.clone()),
            outcome: failed.unwrap_or(&blocks[0]).outcome(),
            line: Some(blocks[0].line),
            imported: figures.into_imported(),
            ..ImportedTest::new(id, group_title(group, &method), method)
        }
    }
}

fn is_same(known: &Block, block: &Block) -> bool {
    known.pid.is_some() && (known.pid == block.pid) && known.group == block.group && known.name == block.name
}
