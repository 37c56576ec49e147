//! Whether all of a run is there: iozone tells where it ends.

use super::super::Problems;
use super::COLUMNS;

/// The line that iozone ends with.
const COMPLETE: &str = "iozone test complete";
/// The last line of a pass of several processes; what each moved at least.
const LAST_OF_PASS: &str = "Min xfer";
/// The table alone has this test (`-i`): of several processes there is no pass of it.
const OF_TABLE_ALONE: u32 = 4;

/// What was seen of a run's results.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// The line of the last one, from 1; `None` until there is one.
    line: Option<u64>,
    /// How many figures the rows of the table have, and the line of the first of them.
    row: Option<(u64, usize)>,
    /// Passes of several processes: which, and how many processes.
    passes: Vec<(&'static str, u64)>,
    /// The line of the pass whose last line has not come yet.
    open: Option<u64>,
    is_complete: bool,
}

impl Results {
    /// A new table begins.
    pub(super) fn heading(&mut self) {
        self.row = None;
    }

    /// A row with so many figures.
    ///
    /// # Errors
    /// When the rows above it have more or less.
    pub(super) fn row(&mut self, number: u64, figures: usize) -> Result<(), String> {
        (self.line, self.is_complete) = (Some(number), false);
        let (first, expected) = *self.row.get_or_insert((number, figures));
        if figures == expected {
            return Ok(());
        }
        Err(format!(
            "the row has {figures} figures and the one of line {first} has {expected}: one of them is cut off"
        ))
    }

    /// A pass of several processes begins.
    pub(super) fn pass(&mut self, number: u64, name: &'static str, jobs: u64) {
        (self.line, self.is_complete, self.open) = (Some(number), false, Some(number));
        self.passes.push((name, jobs));
    }

    /// Looks at any other line.
    pub(super) fn other(&mut self, line: &str) {
        if line.starts_with(LAST_OF_PASS) {
            self.open = None;
        } else if line.starts_with(COMPLETE) {
            self.is_complete = true;
        }
    }

    /// Tells of a pass that nothing more will come of, and that is not whole.
    pub(super) fn end_of_pass(&mut self, problems: &mut Problems) {
        if let Some(line) = self.open.take() {
            let message = format!(
                "below this line the rest of it is missing, up to '{LAST_OF_PASS}': the text is cut off"
            );
            problems.at(line, message);
        }
    }

    /// Tells of a run that nothing more will come of, and that is not whole. `asked` are the tests (`-i`) and the numbers of
    /// processes (`-t`) that its command line asks for, where it is understood.
    pub(super) fn end(&mut self, asked: Option<(&[u32], &[u64])>, problems: &mut Problems) {
        let cut = self.open;
        self.end_of_pass(problems);
        let has_all = self.row.is_none() && asked.is_some_and(|(tests, jobs)| self.has_all(tests, jobs));
        let Some(line) = self.line.filter(|_| cut.is_none() && !self.is_complete && !has_all) else { return };
        let message = format!(
            "below this line '{COMPLETE}.' is missing: the text is cut off, or only a part of it was copied; if all figures \
             are there, add the line"
        );
        problems.at(line, message);
    }

    /// Whether each number of processes did all passes of `tests`. People leave out the last line.
    fn has_all(&self, tests: &[u32], jobs: &[u64]) -> bool {
        let is_known = |test: &u32| COLUMNS.iter().any(|(.., number)| number == test);
        let mut expected = COLUMNS
            .iter()
            .filter(|(.., number)| tests.contains(number) && *number != OF_TABLE_ALONE)
            .flat_map(|&(name, ..)| jobs.iter().map(move |&jobs| (name, jobs)));
        !jobs.is_empty() && tests.iter().all(is_known) && expected.all(|pass| self.passes.contains(&pass))
    }
}

/// The numbers of processes that a command asks for with `-t`; none where it asks for a range, or is not understood.
pub(super) fn jobs_asked(words: &[String]) -> Vec<u64> {
    let mut asked = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        // `-l` and `-u` are the least and the most of a range.
        if word.starts_with("-l") || word.starts_with("-u") {
            return Vec::new();
        }
        let Some(value) = word.strip_prefix("-t") else { continue };
        let value = if value.is_empty() { words.next().map_or("", String::as_str) } else { value };
        match value.parse() {
            Ok(jobs) => asked.push(jobs),
            Err(_) => return Vec::new(),
        }
    }
    asked
}
