//! fio's normal output, of versions 2.0 to 3.42, as copied from terminals and articles.
//!
//! The text may have several outputs, with prompts, job files and prose around them. Indentation is ignored, because
//! many sites lose it. A partially copied output is read as far as it goes.
//!
//! Reading order: [`read`] → [`Reader`] (classifies lines) → [`block`] (a job's lines) → [`run`] (a whole output).

mod block;
mod field;
mod run;

use block::Block;
use cardiograph_core::message;
use run::{GroupLine, Run};

use super::super::lines::{find_line, numbered};
use super::super::{ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Tests};
use super::commands::{Command, add_jobs, find_job_file};
use super::method::Headline;

pub(in super::super) const IMPORTER: Importer = Importer {
    name: "fio-normal",
    title: &message!("import-format.fio-normal"),
    recognise: |text, _| find_line(text, |line| Block::begins(line) || is_headline(line)),
    reading: Reading::Whole(read),
};

fn is_headline(line: &str) -> bool {
    line.contains(": (g=") && line.contains("rw=") && line.contains("ioengine=")
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let lines: Vec<&str> = numbered(text).map(|(_, line)| line).collect();
    let mut reader = Reader { run: Run::default(), tests: Tests::default(), problems: Problems::default() };
    let mut at = 0;
    while at < lines.len() {
        at += reader.line(&lines[at..], at as u64 + 1);
    }
    reader.end();
    reader.problems.result(reader.tests.0)
}

/// Goes through the lines of a text.
struct Reader {
    run: Run,
    tests: Tests,
    problems: Problems,
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
            self.run.begin_group_status(group);
            return 1;
        }
        if line.starts_with("Disk stats (") {
            self.run.has_disks = true;
            return 1;
        }
        if self.run.has_disks {
            self.run.disk(line);
        } else if self.run.group.is_some() {
            match GroupLine::parse(line, self.run.names) {
                Some(Ok(group)) => self.run.group_line(group),
                Some(Err(message)) => self.problems.add_at(number, message),
                None => {}
            }
        } else if let Some(block) = self.run.blocks.last_mut() {
            let names = self.run.names;
            self.problems.take(block.line(line, number, names));
        }
        1
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
