//! fio's normal output, of versions 2.0 to 3.42, as copied from terminals and articles.
//!
//! The text may have several outputs, with prompts, job files and prose around them. Indentation is ignored, because
//! many sites lose it. A partially copied output is read as far as it goes: a job without its first line, its end or
//! the summary, and a summary alone. What is missing is noted.
//!
//! Reading order: [`read`] → [`wrapped`] (joins lines) → [`Reader`] (classifies lines) → [`block`] (a job's lines) →
//! [`run`] (a whole output).

mod block;
mod field;
mod run;
mod wrapped;

use block::Block;
use cardiograph_core::{Message, message};
use run::{GroupLine, Run};

use super::super::lines::{find_line, numbered};
use super::super::{ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Tests};
use super::commands::{Command, add_jobs, find_job_file};
use super::method::Headline;

pub(in super::super) const IMPORTER: Importer = Importer {
    name: "fio-normal",
    title: &message!("import-format.fio-normal"),
    origin: "pi5/microsd-fsync.txt",
    recognise: |text, _| {
        let is_part = |line: &str| Block::begins_data(line) || GroupLine::begins(line);
        find_line(text, |line| Block::begins(line) || is_headline(line) || is_part(line.trim_start()))
    },
    reading: Reading::Whole(read),
};

fn is_headline(line: &str) -> bool {
    line.contains(": (g=") && line.contains("rw=") && line.contains("ioengine=")
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let joined = wrapped::joined(numbered(text).map(|(_, line)| line).collect());
    let lines: Vec<&str> = joined.iter().map(|line| &**line).collect();
    let mut reader = Reader::default();
    let mut at = 0;
    while at < lines.len() {
        at += reader.line(&lines[at..], at as u64 + 1);
    }
    reader.end();
    if let Some(test) = reader.tests.0.first_mut() {
        test.notes.extend(reader.incomplete);
    }
    reader.problems.result(reader.tests.0)
}

/// Maximum number of notes on incomplete lines.
const INCOMPLETE_MAX: usize = 10;

/// Goes through the lines of a text.
#[derive(Default)]
struct Reader {
    run: Run,
    tests: Tests,
    problems: Problems,
    /// Notes on lines without a figure that they should have.
    incomplete: Vec<Message>,
}

impl Reader {
    /// Reads the part that starts in the first of `lines`, and returns its number of lines. `number` is the first
    /// line's number.
    fn line(&mut self, lines: &[&str], number: u64) -> usize {
        let line = lines[0].trim_start();
        if Block::begins(line) {
            self.block(line, number);
            return 1;
        }
        if let Some(used) = self.between_outputs(lines) {
            return used;
        }
        if let Some(group) = group_number(line) {
            // Summaries of several outputs.
            if self.run.blocks.is_empty() && self.run.has_group(group) {
                self.end();
            }
            self.run.begin_group_status(group);
            return 1;
        }
        if line.starts_with("Disk stats (") {
            self.run.has_disks = true;
            return 1;
        }
        self.figures(line, number);
        1
    }

    /// Reads a line with figures of a job or a group, or about a drive.
    fn figures(&mut self, line: &str, number: u64) {
        if GroupLine::begins(line) {
            match GroupLine::parse(line, self.run.names, number) {
                Ok(group) => {
                    if !self.run.expects(&group) {
                        self.end();
                    }
                    self.run.group_line(group);
                }
                Err(message) => self.problem(number, message),
            }
            return;
        }
        if Block::begins_data(line) && !self.run.has_job_for(line) {
            if !self.run.blocks.is_empty() || self.run.group.is_some() {
                self.end();
            }
            self.run.begin(Block::without_first_line(number));
        }
        if self.run.has_disks {
            self.run.disk(line);
        } else if self.run.group.is_none()
            && let Some(block) = self.run.blocks.last_mut()
        {
            let names = self.run.names;
            if let Err(problem) = block.line(line, number, names) {
                self.problem(number, problem.message);
            }
        }
    }

    /// Notes a line that was cut, and refuses one with something else than a figure.
    fn problem(&mut self, number: u64, message: Message) {
        let is_cut = ["import-fio.key-missing", "import-fio.no-data-line", "import-fio.ios-missing"]
            .contains(&message.id());
        if !is_cut {
            self.problems.add_at(number, message);
        } else if self.incomplete.len() < INCOMPLETE_MAX {
            self.incomplete.push(message!("import-text.line-left-out", line = number, problem = message));
        }
    }

    /// Reads the lines before an output: a command line, a job file, lines that repeat the jobs, the version.
    fn between_outputs(&mut self, lines: &[&str]) -> Option<usize> {
        let line = lines[0].trim_start();
        if let Some(command) = Command::parse(lines) {
            self.end();
            let used = command.lines;
            self.run.command = Some(command);
            return Some(used);
        }
        if let Some((text, used)) = find_job_file(lines) {
            self.end();
            add_jobs(&mut self.run.specs, &text);
            return Some(used);
        }
        if is_headline(line) {
            if !self.run.blocks.is_empty() {
                self.end();
            }
            self.run.headlines.extend(Headline::parse(line));
            return Some(1);
        }
        let version = line.strip_prefix("fio-").or_else(|| line.strip_prefix("fio "))?;
        if version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' ') {
            if !self.run.blocks.is_empty() {
                self.end();
            }
            self.run.set_version(version);
            return Some(1);
        }
        None
    }

    fn block(&mut self, line: &str, number: u64) {
        let block = Block::new(line, number);
        let Some(block) = self.problems.take(block) else { return };
        // After the disks comes another output, or the next status of the same one (`--status-interval`).
        if self.run.is_complete() && !self.run.has(&block) {
            self.end();
        }
        self.run.begin(block);
    }

    /// Ends the output.
    fn end(&mut self) {
        let (next, tests) = std::mem::take(&mut self.run).finish();
        self.run = next;
        self.tests.extend(tests);
    }
}

fn group_number(line: &str) -> Option<u64> {
    line.strip_prefix("Run status group ")?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests;
