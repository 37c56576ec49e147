//! fio's I/O recordings: reads versions 2 and 3, writes version 3.
//!
//! | line | version 2 | version 3 |
//! |---|---|---|
//! | first | `fio version 2 iolog` | `fio version 3 iolog` |
//! | of a file | `name add`, `name open`, `name close` | `time name add`, ... |
//! | of an I/O | `name action offset length` | `time name action offset length` |
//! | of a wait | `name wait milliseconds 0` | – |
//!
//! Times are microseconds since the start of the recording. A wait ends that many milliseconds after the start of the
//! replay: this is what fio does, although its manual says otherwise. Written recordings have an extra column per I/O,
//! its duration in nanoseconds, for comparison with a replay; fio ignores it.

use std::collections::HashMap;
use std::io::Write;

use cardiograph_core::replay::{RecordingProblem, ReplayRules, ReplayStep};
use cardiograph_core::text::shown;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_core::{NS_PER_S, OpKind};

/// The first line of written recordings.
pub const HEADER: &str = "fio version 3 iolog";
/// The first line of version 2.
const HEADER_2: &str = "fio version 2 iolog";
/// Maximum length of a line in bytes.
pub const LINE_LEN_BYTES_MAX: usize = 8_192;
/// The longest I/O in bytes. Linux moves one page less per call.
const IO_LEN_BYTES_MAX: u64 = 2 << 30;
/// The longest plausible duration of an I/O in nanoseconds: a day.
const TOOK_NS_MAX: u64 = 86_400 * NS_PER_S;
/// Maximum number of files in a recording.
const FILES_MAX: usize = 1 << 16;
/// The magic of a binary blktrace file without its version, in both byte orders.
const BLKTRACE: [&[u8]; 2] = [b"\x65\x61\x74", b"\x74\x61\x65"];
/// The words of actions.
const ACTIONS: [(&str, OpKind); 5] = [
    ("read", OpKind::Read),
    ("write", OpKind::Write),
    ("trim", OpKind::Trim),
    ("sync", OpKind::Fsync),
    ("datasync", OpKind::Fdatasync),
];

/// A recorded I/O and its known facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedStep {
    /// What to do.
    pub step: ReplayStep,
    /// Its duration in nanoseconds, if recorded.
    pub took_ns: Option<u64>,
    /// When it was recorded, in nanoseconds since the start of the recording; 0 in version 2.
    pub at_ns: u64,
}

/// Reads a recording line by line. Keeps only the file names in memory.
#[derive(Debug)]
pub struct IologReader {
    rules: ReplayRules,
    version: Option<u32>,
    line: u64,
    /// Time of the previous line in microseconds.
    last_us: Option<u64>,
    /// Time waited since the last returned step, in nanoseconds at replay speed.
    gap_ns: u64,
    not_before_ms: u32,
    files: HashMap<String, File>,
    /// Names of the files with I/O, in order of first I/O.
    used: Vec<String>,
}

#[derive(Debug, Default)]
struct File {
    is_open: bool,
    index: Option<u32>,
}

impl IologReader {
    /// A reader that applies `rules` to each step.
    pub fn new(rules: ReplayRules) -> Self {
        Self {
            rules,
            version: None,
            line: 0,
            last_us: None,
            gap_ns: 0,
            not_before_ms: 0,
            files: HashMap::new(),
            used: Vec::new(),
        }
    }

    /// The name of a step's file.
    pub fn name(&self, file: u32) -> &str {
        self.used.get(file as usize).map_or("", String::as_str)
    }

    /// Reads the next line, without its newline. Not every line has a step.
    ///
    /// # Errors
    /// The problem with the line.
    pub fn line(&mut self, line: &[u8]) -> Result<Option<RecordedStep>, RecordingProblem> {
        self.line += 1;
        let number = self.line;
        self.parse(line).map_err(|what| RecordingProblem { line: Some(number), what })
    }

    /// Checks that the recording is complete.
    ///
    /// # Errors
    /// If it has no first line.
    pub fn end(&self) -> Result<(), RecordingProblem> {
        match self.version {
            Some(_) => Ok(()),
            None => Err(RecordingProblem { line: None, what: message!("fio-iolog.empty") }),
        }
    }

    fn parse(&mut self, line: &[u8]) -> Result<Option<RecordedStep>, Message> {
        if self.version.is_none() {
            self.version = Some(header(line)?);
            return Ok(None);
        }
        if line.len() > LINE_LEN_BYTES_MAX {
            return Err(message!("fio-iolog.line-too-long", max = LINE_LEN_BYTES_MAX));
        }
        let text = std::str::from_utf8(line).map_err(|_| message!("fio-iolog.not-text"))?;
        if header(line).is_ok() {
            return Err(message!("fio-iolog.second-recording"));
        }
        let mut words = text.split_ascii_whitespace();
        let at_us = match self.version {
            Some(3) => {
                let Some(word) = words.next() else { return Ok(None) };
                Some(number(word, u64::MAX / 1_000, time_unreadable)?)
            }
            _ => None,
        };
        let Some(name) = words.next() else {
            return if at_us.is_none() { Ok(None) } else { Err(message!("fio-iolog.name-missing")) };
        };
        let action = words.next().ok_or(message!("fio-iolog.action-missing"))?;
        if let Some(at_us) = at_us {
            self.pass_to(at_us);
        }
        match action {
            "add" | "open" | "close" => self.file_action(name, action).map(|()| None),
            "wait" if self.version == Some(2) => {
                let until_ms = number(
                    words.next().ok_or(message!("fio-iolog.wait-missing"))?,
                    u64::from(u32::MAX),
                    time_unreadable,
                )?;
                if !self.rules.no_stall {
                    self.not_before_ms = self.not_before_ms.max(until_ms as u32);
                }
                Ok(None)
            }
            "wait" => Err(message!("fio-iolog.no-wait")),
            _ => self.io(name, action, &mut words, at_us.unwrap_or(0)),
        }
    }

    /// Advances to the time of a line. Backward time is ignored.
    fn pass_to(&mut self, at_us: u64) {
        let last_us = self.last_us.unwrap_or(at_us);
        self.gap_ns = self.gap_ns.saturating_add(self.rules.gap_ns(at_us.saturating_sub(last_us) * 1_000));
        self.last_us = Some(at_us);
    }

    fn file_action(&mut self, name: &str, action: &str) -> Result<(), Message> {
        if action == "add" {
            if self.files.len() >= FILES_MAX && !self.files.contains_key(name) {
                return Err(message!("fio-iolog.too-many-files", max = FILES_MAX));
            }
            self.files.entry(name.to_string()).or_default();
            return Ok(());
        }
        let Some(file) = self.files.get_mut(name) else {
            return Err(message!("fio-iolog.not-added", file = shown(name)));
        };
        file.is_open = action == "open";
        Ok(())
    }

    fn io<'w>(
        &mut self,
        name: &str,
        action: &str,
        words: &mut impl Iterator<Item = &'w str>,
        at_us: u64,
    ) -> Result<Option<RecordedStep>, Message> {
        let Some(&(_, action)) = ACTIONS.iter().find(|(word, _)| *word == action) else {
            let actions = ["add", "open", "close", "read", "write", "trim", "sync", "datasync"];
            let wait = (self.version == Some(2)).then_some("wait");
            let actions = Parameter::all(actions.into_iter().chain(wait));
            return Err(message!("fio-iolog.unknown-action", action = shown(action), actions));
        };
        const MISSING: Message = message!("fio-iolog.offset-missing");
        let offset_bytes = number(words.next().ok_or(MISSING)?, i64::MAX as u64, |found, max| {
            message!("fio-iolog.offset-unreadable", found, max)
        })?;
        let len_bytes = number(words.next().ok_or(MISSING)?, IO_LEN_BYTES_MAX, |found, max| {
            message!("fio-iolog.length-unreadable", found, max)
        })?;
        let is_sync = matches!(action, OpKind::Fsync | OpKind::Fdatasync);
        if len_bytes == 0 && !is_sync {
            return Err(message!("fio-iolog.no-bytes"));
        }
        if offset_bytes + len_bytes > i64::MAX as u64 {
            return Err(message!("fio-iolog.beyond-any-file"));
        }
        // fio ignores this column; text there is not from us.
        let took_ns = words.next().and_then(|word| word.parse().ok()).filter(|&ns| ns <= TOOK_NS_MAX);
        let file = self.file_of(name)?;
        if self.rules.skip[action.direction()] {
            return Ok(None);
        }
        let file = self.index_of(file.0, file.1);
        let step = ReplayStep {
            gap_ns: std::mem::take(&mut self.gap_ns),
            not_before_ms: std::mem::take(&mut self.not_before_ms),
            action,
            file,
            offset_bytes: if is_sync { 0 } else { self.rules.offset_bytes(offset_bytes) },
            len_bytes: if is_sync { 0 } else { len_bytes as u32 },
        };
        Ok(Some(RecordedStep { step, took_ns, at_ns: at_us * 1_000 }))
    }

    /// The name of the file that gets the I/O, and its index if it has one.
    fn file_of(&self, name: &str) -> Result<(String, Option<u32>), Message> {
        let Some(file) = self.files.get(name) else {
            return Err(message!("fio-iolog.not-added", file = shown(name)));
        };
        if !file.is_open {
            return Err(message!("fio-iolog.not-open", file = shown(name)));
        }
        match &self.rules.redirect {
            Some(redirect) => Ok((redirect.clone(), (!self.used.is_empty()).then_some(0))),
            None => Ok((name.to_string(), file.index)),
        }
    }

    fn index_of(&mut self, name: String, known: Option<u32>) -> u32 {
        if let Some(index) = known {
            return index;
        }
        let index = self.used.len() as u32;
        if let Some(file) = self.files.get_mut(&name) {
            file.index = Some(index);
        }
        self.used.push(name);
        index
    }
}

/// The version in a first line.
fn header(line: &[u8]) -> Result<u32, Message> {
    let text = String::from_utf8_lossy(&line[..line.len().min(64)]);
    match text.trim_end() {
        HEADER_2 => Ok(2),
        HEADER => Ok(3),
        _ if BLKTRACE.iter().any(|magic| line.get(1..4) == Some(magic) || line.get(..3) == Some(magic)) => {
            Err(message!("fio-iolog.blktrace"))
        }
        other => {
            Err(message!("fio-iolog.unknown-header", newer = HEADER, older = HEADER_2, found = shown(other)))
        }
    }
}

fn time_unreadable(found: String, max: u64) -> Message {
    message!("fio-iolog.time-unreadable", found, max)
}

/// An integer up to `max`, or the error made by `unreadable`.
fn number(word: &str, max: u64, unreadable: fn(String, u64) -> Message) -> Result<u64, Message> {
    let number = word.parse().ok().filter(|&number| number <= max && !word.starts_with('+'));
    number.ok_or_else(|| unreadable(shown(word), max))
}

/// Why a name cannot be recorded; `None` if it can.
pub fn unwritable(name: &str) -> Option<Message> {
    let is_bad = name.is_empty() || name.contains(|c: char| c.is_ascii_whitespace());
    is_bad.then_some(message!("fio-iolog.name-with-spaces"))
}

/// Writes a file's line; `what` is add, open or close.
pub fn write_file(text: &mut Vec<u8>, at_ns: u64, name: &str, what: &str) {
    // Writing to memory cannot fail.
    let _ = writeln!(text, "{} {name} {what}", at_ns / 1_000);
}

/// Writes the line of an I/O decided on at `at_ns`, in nanoseconds since the start, that took `took_ns`.
pub fn write_io(text: &mut Vec<u8>, at_ns: u64, name: &str, step: &ReplayStep, took_ns: u64) {
    let word = ACTIONS.iter().find(|(_, action)| *action == step.action).map_or("", |(word, _)| word);
    let _ =
        writeln!(text, "{} {name} {word} {} {} {took_ns}", at_ns / 1_000, step.offset_bytes, step.len_bytes);
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;

    use super::*;

    fn read_with(text: &[u8], rules: ReplayRules) -> Result<Vec<(String, RecordedStep)>, RecordingProblem> {
        let mut reader = IologReader::new(rules);
        let mut steps = Vec::new();
        for line in text.strip_suffix(b"\n").unwrap_or(text).split(|byte| *byte == b'\n') {
            if let Some(step) = reader.line(line)? {
                steps.push((reader.name(step.step.file).to_string(), step));
            }
        }
        reader.end().map(|()| steps)
    }

    fn read(text: &str) -> Result<Vec<(String, RecordedStep)>, RecordingProblem> {
        read_with(text.as_bytes(), ReplayRules::default())
    }

    /// Gap, file, action, offset and length of each step.
    fn brief(steps: &[(String, RecordedStep)]) -> Vec<(u64, &str, OpKind, u64, u32)> {
        let brief = |(name, RecordedStep { step, .. })| {
            (step.gap_ns, name, step.action, step.offset_bytes, step.len_bytes)
        };
        steps.iter().map(|(name, step)| brief((name.as_str(), *step))).collect()
    }

    #[test]
    fn implausible_durations_are_ignored() {
        for (column, took_ns) in [
            ("", None),
            ("777", Some(777)),
            ("86400000000000", Some(TOOK_NS_MAX)),
            ("86400000000001", None),
            ("18446744073709551615", None),
            ("-1", None),
            ("x", None),
        ] {
            let text = format!("fio version 3 iolog\n1 a add\n2 a open\n3 a read 0 512 {column}\n");
            assert_eq!(read(&text).unwrap()[0].1.took_ns, took_ns, "{column}");
        }
    }

    const THREE: &str = "fio version 3 iolog\n15 a add\n20 b add\n100 a open\n103 a read 4096 512 777\n120 b open\n\
                         313 b write 0 8192\n300 a sync 4096 0\n400 b datasync 0 0\n500 a close\n";

    #[test]
    fn version_3_has_times() {
        let steps = read(THREE).unwrap();
        use OpKind::*;
        // Times count from the first line; backward time is ignored.
        let expected = [
            (88_000, "a", Read, 4_096, 512),
            (210_000, "b", Write, 0, 8_192),
            (0, "a", Fsync, 0, 0),
            (100_000, "b", Fdatasync, 0, 0),
        ];
        assert_eq!(brief(&steps), expected);
        assert_eq!((steps[0].1.took_ns, steps[1].1.took_ns, steps[1].1.at_ns), (Some(777), None, 313_000));
    }

    #[test]
    fn version_2_has_waits() {
        let text = "fio version 2 iolog\n/dev/x add\n/dev/x open\n/dev/x wait 700 0\n/dev/x trim 0 4096\n\n/dev/x close";
        let steps = read(text).unwrap();
        assert_eq!(brief(&steps), [(0, "/dev/x", OpKind::Trim, 0, 4_096)]);
        assert_eq!(steps[0].1.step.not_before_ms, 700);
    }

    #[test]
    fn rules_are_applied() {
        let rules = |change: fn(&mut ReplayRules)| {
            let mut rules = ReplayRules::default();
            change(&mut rules);
            read_with(THREE.as_bytes(), rules).unwrap()
        };
        let gaps =
            |steps: Vec<(String, RecordedStep)>| steps.iter().map(|(_, s)| s.step.gap_ns).collect::<Vec<_>>();
        assert_eq!(gaps(rules(|rules| rules.speed_percent = 50)), [176_000, 420_000, 0, 200_000]);
        assert_eq!(gaps(rules(|rules| rules.no_stall = true)), [0, 0, 0, 0]);
        // Skipped steps still take their time.
        assert_eq!(gaps(rules(|rules| rules.skip[Direction::Write] = true)), [88_000, 210_000, 100_000]);
        let redirected = rules(|rules| rules.redirect = Some("/x".to_string()));
        assert!(redirected.iter().all(|(name, step)| name == "/x" && step.step.file == 0));
        assert_eq!(rules(|rules| rules.scale = 4)[0].1.step.offset_bytes, 1_024);
    }

    #[test]
    fn errors_have_line_numbers() {
        let cases: &[(&[u8], Option<u64>, &str)] = &[
            (b"", Some(1), "fio-iolog.unknown-header"),
            (b"read, 0, 4096", Some(1), "fio-iolog.unknown-header"),
            (b"\x07taeabc", Some(1), "fio-iolog.blktrace"),
            (
                b"fio version 3 iolog\n0 a add\n1 a open\nfio version 3 iolog",
                Some(4),
                "fio-iolog.second-recording",
            ),
            (b"fio version 3 iolog\n0 a open", Some(2), "fio-iolog.not-added"),
            (b"fio version 3 iolog\n0 a add\n1 a read 0 1", Some(3), "fio-iolog.not-open"),
            (
                b"fio version 3 iolog\n0 a add\n1 a open\n1 a close\n2 a read 0 1",
                Some(5),
                "fio-iolog.not-open",
            ),
            (b"fio version 3 iolog\n0 a add\n1 a open\n2 a wrate 0 1", Some(4), "fio-iolog.unknown-action"),
            (b"fio version 3 iolog\n0 a add\n1 a open\n2 a wait 5 0", Some(4), "fio-iolog.no-wait"),
            (b"fio version 3 iolog\n0 a add\n1 a open\n2 a read 0", Some(4), "fio-iolog.offset-missing"),
            (b"fio version 3 iolog\n0 a add\n1 a open\n2 a read 0 0", Some(4), "fio-iolog.no-bytes"),
            (
                b"fio version 3 iolog\n0 a add\n1 a open\n2 a read -1 5",
                Some(4),
                "fio-iolog.offset-unreadable",
            ),
            (
                b"fio version 3 iolog\n0 a add\n1 a open\n2 a read 9223372036854775807 5",
                Some(4),
                "fio-iolog.beyond-any-file",
            ),
            (
                b"fio version 3 iolog\n0 a add\n1 a open\n2 a read 0 99999999999999999999",
                Some(4),
                "fio-iolog.length-unreadable",
            ),
            (b"fio version 3 iolog\n99999999999999999999 a add", Some(2), "fio-iolog.time-unreadable"),
            (b"fio version 3 iolog\n5", Some(2), "fio-iolog.name-missing"),
            (b"fio version 3 iolog\n5 a", Some(2), "fio-iolog.action-missing"),
            (b"fio version 3 iolog\n0 \xff add", Some(2), "fio-iolog.not-text"),
            (b"fio version 2 iolog\na add\na open\na wait", Some(4), "fio-iolog.wait-missing"),
        ];
        for (text, line, id) in cases {
            let problem = read_with(text, ReplayRules::default()).unwrap_err();
            assert_eq!(problem.line, *line, "{problem:?}");
            assert_eq!(problem.what.id(), *id, "{problem:?}");
        }
        let long = format!("fio version 3 iolog\n0 {} add", "a".repeat(9_000));
        assert_eq!(
            read(&long).unwrap_err().what,
            message!("fio-iolog.line-too-long", max = LINE_LEN_BYTES_MAX)
        );
        assert!(IologReader::new(ReplayRules::default()).end().is_err(), "nothing at all");
    }

    #[test]
    fn written_recordings_can_be_read() {
        let mut text = format!("{HEADER}\n").into_bytes();
        let step = ReplayStep {
            gap_ns: 0,
            not_before_ms: 0,
            action: OpKind::Write,
            file: 0,
            offset_bytes: 512,
            len_bytes: 1_024,
        };
        write_file(&mut text, 0, "f", "add");
        write_file(&mut text, 0, "f", "open");
        write_io(&mut text, 5_999, "f", &step, 123_456);
        write_file(&mut text, 1_000_000, "f", "close");
        let steps = read_with(&text, ReplayRules::default()).unwrap();
        let [(name, read)] = &steps[..] else { panic!("{steps:?}") };
        assert_eq!((name.as_str(), read.step), ("f", ReplayStep { gap_ns: 5_000, ..step }));
        assert_eq!((read.at_ns, read.took_ns), (5_000, Some(123_456)));
        assert!(unwritable("a b").is_some() && unwritable("/a/b").is_none());
    }
}
