//! fio's text for people, of versions 2.0 to 3.42, as it is copied from terminals and articles.
//!
//! The text may hold several outputs, with prompts, job files and prose around them. Spaces at the beginning of lines mean
//! nothing: many places where outputs are published lose them. Of an output of which only a part was copied, that part is read.
//!
//! Reading order: [`read`] → [`Reader`] (which line is what) → [`block`] (a job's lines) → [`run`] (an output as a whole).

mod block;
mod field;
mod run;

use block::Block;
use cardiograph_core::message;
use run::{GroupLine, Run};

use super::super::lines::{line_of, numbered};
use super::super::{ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Tests};
use super::commands::{Command, add_jobs_of_file, job_file_at};
use super::method::Headline;

/// The importer.
pub(in super::super) const IMPORTER: Importer = Importer {
    name: "fio-normal",
    title: &message!("import-format.fio-normal"),
    recognise: |text, _| line_of(text, |line| Block::begins(line) || is_headline(line)),
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
    reader.problems.or(reader.tests.0)
}

/// Goes through the lines of a text.
struct Reader {
    run: Run,
    tests: Tests,
    problems: Problems,
}

impl Reader {
    /// Reads what begins in the first of `lines`, and says how many lines that were. `number` is the first one's.
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
            self.run.status_of(group);
            return 1;
        }
        if line.starts_with("Disk stats (") {
            self.run.has_disks = true;
            return 1;
        }
        if self.run.has_disks {
            self.run.disk(line);
        } else if self.run.group.is_some() {
            match GroupLine::of(line, self.run.names) {
                Some(Ok(group)) => self.run.group_line(group),
                Some(Err(message)) => self.problems.at(number, message),
                None => {}
            }
        } else if let Some(block) = self.run.blocks.last_mut() {
            let names = self.run.names;
            self.problems.take(block.line(line, number, names));
        }
        1
    }

    /// What stands before an output: a command line, a job file, the lines that repeat the jobs, the version.
    fn between_outputs(&mut self, lines: &[&str]) -> Option<usize> {
        let line = lines[0].trim_start();
        if let Some(command) = Command::at(lines) {
            self.end();
            let used = command.lines;
            self.run.command = Some(command);
            return Some(used);
        }
        if let Some((text, used)) = job_file_at(lines) {
            self.end();
            add_jobs_of_file(&mut self.run.specs, &text);
            return Some(used);
        }
        if is_headline(line) {
            if !self.run.blocks.is_empty() {
                self.end();
            }
            self.run.headlines.extend(Headline::of(line));
            return Some(1);
        }
        let version = line.strip_prefix("fio-").or_else(|| line.strip_prefix("fio "))?;
        if version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' ') {
            if !self.run.blocks.is_empty() {
                self.end();
            }
            self.run.is_version(version);
            return Some(1);
        }
        None
    }

    fn block(&mut self, line: &str, number: u64) {
        let block = Block::new(line, number);
        let Some(block) = self.problems.take(block) else { return };
        // What comes behind the disks is another output, or the same one once more (`--status-interval`).
        if self.run.is_over() && !self.run.has(&block) {
            self.end();
        }
        self.run.begin(block);
    }

    /// The output is over.
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
